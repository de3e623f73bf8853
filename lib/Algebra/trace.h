// Lets algorithms report their steps: see cute/Explain.h. A step is an event
// with values; its wording is in trace_events.def, and a text is made only
// while somebody listens. A step with a null value, which is a computation that
// failed, is left out.
#pragma once

#include "Algebra/algebra.h"
#include "cute/Explain.h"

typedef enum CuteTraceEvent {
#define CUTE_EVENT(name, kind, text) CUTE_TRACE_##name,
#include "Algebra/trace_events.def"
} CuteTraceEvent;

static inline bool isTraced(CuteContext c) {
  return __builtin_expect(c->trace != NULL, 0);
}

//===-- Values of events --------------------------------------------------===//

typedef struct CuteTraced {
  enum {
    TRACED_TUPLE,
    TRACED_LAYOUT,
    TRACED_TILE,
    TRACED_MODE,
    TRACED_SWIZZLE,
    TRACED_INT,
    TRACED_TEXT,
  } kind;
  union {
    CuteIntTuple tuple;
    CuteLayout layout;
    CuteTile tile;
    Mode mode;
    CuteSwizzle swizzle;
    int64_t integer;
    const char *text;
  };
} CuteTraced;

#define TRACED(name, type, is, member)                                         \
  static inline CuteTraced name(type value) {                                  \
    return (CuteTraced){is, {.member = value}};                                \
  }
TRACED(tracedTuple, CuteIntTuple, TRACED_TUPLE, tuple)
TRACED(tracedLayout, CuteLayout, TRACED_LAYOUT, layout)
TRACED(tracedTile, CuteTile, TRACED_TILE, tile)
TRACED(tracedMode, Mode, TRACED_MODE, mode)
TRACED(tracedSwizzle, CuteSwizzle, TRACED_SWIZZLE, swizzle)
TRACED(tracedInt, int64_t, TRACED_INT, integer)
TRACED(tracedText, const char *, TRACED_TEXT, text)
#undef TRACED
static inline CuteTraced tracedSize(size_t size) {
  return tracedInt((int64_t)size);
}

// clang-format off
#define TRACED(x)                                                              \
  _Generic((x), CuteIntTuple: tracedTuple, CuteLayout: tracedLayout,           \
           CuteTile: tracedTile, Mode: tracedMode, CuteSwizzle: tracedSwizzle, \
           int: tracedInt, int64_t: tracedInt, uint32_t: tracedInt,            \
           size_t: tracedSize, char *: tracedText, const char *: tracedText)(x)
#define TRACE_0(e) (e), NULL
#define TRACE_1(e, a) (e), (const CuteTraced[]){TRACED(a)}
#define TRACE_2(e, a, b) (e), (const CuteTraced[]){TRACED(a), TRACED(b)}
#define TRACE_3(e, a, b, d)                                                    \
  (e), (const CuteTraced[]){TRACED(a), TRACED(b), TRACED(d)}
#define TRACE_4(e, a, b, d, f)                                                 \
  (e), (const CuteTraced[]){TRACED(a), TRACED(b), TRACED(d), TRACED(f)}
#define TRACE_5(e, a, b, d, f, g)                                              \
  (e), (const CuteTraced[]){TRACED(a), TRACED(b), TRACED(d), TRACED(f),        \
                            TRACED(g)}
#define TRACE_6(e, a, b, d, f, g, h)                                           \
  (e), (const CuteTraced[]){TRACED(a), TRACED(b), TRACED(d), TRACED(f),        \
                            TRACED(g), TRACED(h)}
#define TRACE_7(e, a, b, d, f, g, h, i)                                        \
  (e), (const CuteTraced[]){TRACED(a), TRACED(b), TRACED(d), TRACED(f),        \
                            TRACED(g), TRACED(h), TRACED(i)}
#define TRACE_8(e, a, b, d, f, g, h, i, j)                                     \
  (e), (const CuteTraced[]){TRACED(a), TRACED(b), TRACED(d), TRACED(f),        \
                            TRACED(g), TRACED(h), TRACED(i), TRACED(j)}
#define TRACE_PICK(e, a, b, d, f, g, h, i, j, name, ...) name
#define TRACE_ALL(...)                                                         \
  TRACE_PICK(__VA_ARGS__, TRACE_8, TRACE_7, TRACE_6, TRACE_5, TRACE_4,         \
             TRACE_3, TRACE_2, TRACE_1, TRACE_0, )(__VA_ARGS__)
// clang-format on

//===-- Events ------------------------------------------------------------===//

// trace(c, event, values...): a step at the depth at hand, or a check below it.
#define trace(c, ...)                                                          \
  (isTraced(c) ? cuteTrace((c), TRACE_ALL(__VA_ARGS__)) : (void)0)

// traceEnter(c, event, values...): a step, and one level deeper from there on
// until traceLeave, which takes what it gave. Levels in between that a failure
// left open end, too. A held event is printed only if a step follows.
#define traceEnter(c, ...)                                                     \
  (isTraced(c) ? cuteTraceEnter((c), TRACE_ALL(__VA_ARGS__)) : 0)

// traceLeave(c, outer, event, values...): a result, and back;
// CUTE_TRACE_NOTHING prints none.
#define traceLeave(c, outer, ...)                                              \
  (isTraced(c) ? cuteTraceLeave((c), (outer), TRACE_ALL(__VA_ARGS__)) : (void)0)

// Cold: the compiler keeps what leads to them out of the way.
#define CUTE_COLD __attribute__((cold))
CUTE_COLD void cuteTrace(CuteContext c, CuteTraceEvent event,
                         const CuteTraced *values);
CUTE_COLD unsigned cuteTraceEnter(CuteContext c, CuteTraceEvent event,
                                  const CuteTraced *values);
CUTE_COLD void cuteTraceLeave(CuteContext c, unsigned outer,
                              CuteTraceEvent event, const CuteTraced *values);

// The heading of an operation, by a caller that does not know whether the
// operation prints its own, which then replaces this one. At the end, `result`
// is printed unless it is null or an operation with a heading has printed it.
unsigned cuteExplainBeginCall(CuteContext c, const char *heading);
void cuteExplainEndCall(CuteContext c, unsigned outer, const char *result);

// Reports the context's message.
CUTE_COLD void cuteExplainError(CuteContext c);

// Nobody listens between the two.
struct CuteTrace *cuteTracePause(CuteContext c);
void cuteTraceResume(CuteContext c, struct CuteTrace *trace);

void cuteTraceDestroy(struct CuteTrace *trace);

// Tells whether the operation that has just ended was called from outside, so
// that its law is to be shown.
CUTE_COLD bool cuteExplainsLaw(CuteContext c);

// Says the law of an operation that has just ended.
#define traceLaw(c, call) (isTraced(c) && cuteExplainsLaw(c) ? (call) : (void)0)
