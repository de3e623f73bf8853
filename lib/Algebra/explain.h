// How algorithms report their steps: see cute/Explain.h. Texts are made only
// while somebody listens.
//
// Formats: %t int tuple, %c coordinate in parentheses, %l layout, %m Mode, %T
// tile, %S swizzle, %d int, %z size_t, %i int64_t, %s text. A step with a null
// value among them, which is a computation that failed, is left out.
#ifndef CUTE_ALGEBRA_EXPLAIN_H
#define CUTE_ALGEBRA_EXPLAIN_H

#include "Algebra/algebra.h"
#include "cute/Explain.h"

static inline bool isTraced(CuteContext c) {
  return __builtin_expect(c->trace != NULL, 0);
}

// A step at the depth at hand.
#define EXPLAIN(c, ...)                                                        \
  (isTraced(c) ? cuteExplain((c), CUTE_STEP_DETAIL, __VA_ARGS__) : (void)0)

// A step and one level deeper from there on, until EXPLAIN_END, which takes
// what EXPLAIN_BEGIN gave. Levels in between that a failure left open end, too.
#define EXPLAIN_BEGIN(c, ...)                                                  \
  (isTraced(c) ? cuteExplainBegin((c), CUTE_STEP_DETAIL, __VA_ARGS__) : 0)
#define EXPLAIN_OPERATION(c, ...)                                              \
  (isTraced(c) ? cuteExplainBegin((c), CUTE_STEP_OPERATION, __VA_ARGS__) : 0)
#define EXPLAIN_END(c, outer)                                                  \
  (isTraced(c) ? cuteExplainEnd((c), (outer)) : (void)0)
// The same after a result.
#define EXPLAIN_RESULT(c, outer, ...)                                          \
  (isTraced(c) ? cuteExplainResult((c), (outer), __VA_ARGS__) : (void)0)

// For an operation that works on the layout under what a composed one applies
// last: a heading and a result around the steps, where `a` is composed.
#define EXPLAIN_COMPOSED(c, name, a)                                           \
  (isTraced(c) ? cuteExplainComposed((c), (name), (a)) : 0)
#define EXPLAIN_COMPOSED_END(c, outer, a, result)                              \
  (isTraced(c) ? cuteExplainComposedEnd((c), (outer), (a), (result)) : (void)0)

// Like EXPLAIN_BEGIN, for a heading that is said only if a step follows it.
#define EXPLAIN_BEGIN_HELD(c, ...)                                             \
  (isTraced(c) ? cuteExplainHold((c), CUTE_STEP_DETAIL, __VA_ARGS__) : 0)

// A step that is no reason to say a heading that is held.
#define EXPLAIN_ASIDE(c, ...)                                                  \
  (isTraced(c) ? cuteExplainAside((c), __VA_ARGS__) : (void)0)

// Cold: the compiler keeps what leads to them out of the way.
#define CUTE_COLD __attribute__((cold))
CUTE_COLD void cuteExplain(CuteContext c, CuteStepKind kind, const char *format,
                           ...);
CUTE_COLD void cuteExplainAside(CuteContext c, const char *format, ...);
CUTE_COLD unsigned cuteExplainBegin(CuteContext c, CuteStepKind kind,
                                    const char *format, ...);
CUTE_COLD unsigned cuteExplainHold(CuteContext c, CuteStepKind kind,
                                   const char *format, ...);
CUTE_COLD void cuteExplainEnd(CuteContext c, unsigned outer);
CUTE_COLD void cuteExplainResult(CuteContext c, unsigned outer,
                                 const char *format, ...);
CUTE_COLD unsigned cuteExplainComposed(CuteContext c, const char *name,
                                       CuteLayout a);
CUTE_COLD void cuteExplainComposedEnd(CuteContext c, unsigned outer,
                                      CuteLayout a, CuteLayout result);

// The heading of an operation by a caller that does not know whether the
// operation has one of its own, in which case this one is not said. At the end,
// `result` is said unless it is null or one operation had a heading and said
// it.
unsigned cuteExplainBeginCall(CuteContext c, const char *heading);
void cuteExplainEndCall(CuteContext c, unsigned outer, const char *result);

// Reports the context's message.
CUTE_COLD void cuteExplainError(CuteContext c);

// Nobody listens between the two.
struct CuteTrace *cuteTracePause(CuteContext c);
void cuteTraceResume(CuteContext c, struct CuteTrace *trace);

void cuteTraceDestroy(struct CuteTrace *trace);

// Whether the operation that has just ended was called from outside, so that
// its law is to be shown.
CUTE_COLD bool cuteExplainsLaw(CuteContext c);

// The law of an operation that has just ended.
#define EXPLAIN_LAW(c, call)                                                   \
  (isTraced(c) && cuteExplainsLaw(c) ? (call) : (void)0)

// Says the law below the operation's heading.
CUTE_COLD void cuteExplainLaw(CuteContext c, const char *format, ...);

#endif
