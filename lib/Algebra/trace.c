#include "Algebra/trace.h"
#include "Support/growing_array.h"

// A heading that waits for its first step.
typedef struct Held {
  CuteString text;
  CuteStepKind kind;
  unsigned depth;
} Held;

struct CuteTrace {
  CuteTracer tracer;
  void *userData;
  unsigned depth;
  Held *held;
  size_t numHeld, capacity;
  CuteString result; // of the latest operation in the call at hand
  bool failed;       // nothing more is reported on the operation
  enum { NO_CALL, CALL_HELD, CALL_SAID, CALL_DROPPED } call;
};

//===-- What events say ---------------------------------------------------===//

enum {
  EVENT_DETAIL,
  EVENT_ASIDE,
  EVENT_HELD,
  EVENT_OPERATION,
  EVENT_RESULT,
  EVENT_CHECK
};

typedef struct Event {
  uint8_t kind; // EVENT_*
  const char *text;
} Event;

static const Event events[] = {
#define CUTE_EVENT(name, kind, text) {EVENT_##kind, text},
#include "Algebra/trace_events.def"
};

//===-- Setting and pausing -----------------------------------------------===//

static void dropHeld(struct CuteTrace *trace, size_t count) {
  while (trace->numHeld > count)
    cuteStringDestroy(&trace->held[--trace->numHeld].text);
}

void cuteTraceDestroy(struct CuteTrace *trace) {
  if (!trace)
    return;
  dropHeld(trace, 0);
  free(trace->held);
  cuteStringDestroy(&trace->result);
  free(trace);
}

void cuteContextSetTracer(CuteContext context, CuteTracer tracer,
                          void *userData) {
  cuteTraceDestroy(context->trace);
  context->trace = NULL;
  if (!tracer)
    return;
  context->trace = cuteAllocate(sizeof *context->trace);
  *context->trace = (struct CuteTrace){.tracer = tracer, .userData = userData};
}

unsigned cuteContextGetTraceDepth(CuteContext context) {
  return context->trace ? context->trace->depth : 0;
}

struct CuteTrace *cuteTracePause(CuteContext c) {
  struct CuteTrace *trace = c->trace;
  c->trace = NULL;
  return trace;
}

void cuteTraceResume(CuteContext c, struct CuteTrace *trace) {
  c->trace = trace;
}

//===-- Text --------------------------------------------------------------===//

// A coordinate, as written after a layout's name.
static void appendCoord(CuteString *text, CuteIntTuple coord) {
  cuteStringAppend(text, isTuple(coord) ? "" : "(");
  cuteAppendTuple(text, coord);
  cuteStringAppend(text, isTuple(coord) ? "" : ")");
}

// The value that a placeholder asks for; false if it is null.
static bool appendValue(CuteString *text, CuteTraced value) {
  switch (value.kind) {
  case TRACED_TUPLE:
    if (value.tuple)
      cuteAppendTuple(text, value.tuple);
    return value.tuple;
  case TRACED_LAYOUT:
    if (value.layout)
      cuteAppendLayout(text, value.layout);
    return value.layout;
  case TRACED_TILE:
    if (value.tile)
      cuteAppendTile(text, value.tile);
    return value.tile;
  case TRACED_MODE:
    if (!modeFailed(value.mode))
      cuteAppendMode(text, value.mode);
    return !modeFailed(value.mode);
  case TRACED_SWIZZLE:
    cuteAppendSwizzle(text, value.swizzle);
    return true;
  case TRACED_INT:
    cuteStringAppendInt(text, value.integer);
    return true;
  case TRACED_TEXT:
    cuteStringAppend(text, value.text);
    return true;
  }
  return false;
}

// A placeholder between braces: the number of a value, then .shape or .stride
// of a mode, or () for a coordinate in parentheses.
static bool appendPlaceholder(CuteString *text, const char *at,
                              const CuteTraced *values) {
  CuteTraced value = values[*at - '1'];
  bool isShape = !strncmp(at + 1, ".shape}", 7);
  if (isShape || !strncmp(at + 1, ".stride}", 8))
    return appendValue(
        text, tracedTuple(isShape ? value.mode.shape : value.mode.stride));
  if (at[1] != '(')
    return appendValue(text, value);
  if (value.tuple)
    appendCoord(text, value.tuple);
  return value.tuple;
}

static bool appendEvent(CuteString *text, const char *format,
                        const CuteTraced *values) {
  for (const char *at = format; *at; ++at) {
    if (*at != '{')
      cuteStringAppendChar(text, *at);
    else if (!appendPlaceholder(text, at + 1, values))
      return false;
    else
      at = strchr(at, '}');
  }
  return true;
}

//===-- Steps -------------------------------------------------------------===//

static void deliver(struct CuteTrace *trace, CuteStepKind kind, unsigned depth,
                    const CuteString *text) {
  CuteStep step = {kind, depth, cuteStringGetRef(text)};
  trace->tracer(&step, trace->userData);
}

static void sayHeld(struct CuteTrace *trace) {
  for (size_t i = 0; i < trace->numHeld; ++i)
    deliver(trace, trace->held[i].kind, trace->held[i].depth,
            &trace->held[i].text);
  dropHeld(trace, 0);
  if (trace->call == CALL_HELD)
    trace->call = CALL_SAID;
}

// An operation with a heading of its own takes the place of its call's, and its
// depth, which this gives.
static unsigned replaceCall(struct CuteTrace *trace) {
  if (trace->call != CALL_HELD)
    return trace->depth;
  unsigned depth = trace->held[0].depth;
  dropHeld(trace, 0);
  trace->call = CALL_DROPPED;
  return depth;
}

// Tells whether no error was reported since the outermost operation began.
static bool goesOn(struct CuteTrace *trace) {
  trace->failed &= trace->depth > 0;
  return !trace->failed;
}

// Without the word in front.
static void keepResult(struct CuteTrace *trace, const CuteString *text) {
  static const char word[] = "result ";
  const char *result = cuteStringGet(text);
  bool hasWord = !strncmp(result, word, sizeof word - 1);
  cuteStringClear(&trace->result);
  cuteStringAppend(&trace->result, result + (hasWord ? sizeof word - 1 : 0));
}

// Takes the text.
static void say(struct CuteTrace *trace, CuteStepKind kind, CuteString text) {
  unsigned depth =
      kind == CUTE_STEP_OPERATION ? replaceCall(trace) : trace->depth;
  sayHeld(trace);
  deliver(trace, kind, depth, &text);
  if (kind == CUTE_STEP_OPERATION)
    trace->depth = depth;
  if (kind == CUTE_STEP_RESULT && depth == 1)
    keepResult(trace, &text);
  cuteStringDestroy(&text);
}

// Takes the text.
static void hold(struct CuteTrace *trace, CuteStepKind kind, CuteString text) {
  CUTE_PUSH(trace->held, trace->numHeld, trace->capacity,
            (Held){text, kind, trace->depth++});
}

// The text of an event; false, and none, where there is nothing to say.
static bool textOf(struct CuteTrace *trace, const Event *event,
                   const CuteTraced *values, CuteString *text) {
  *text = (CuteString){0};
  if (*event->text &&
      (event->kind != EVENT_ASIDE || !trace->numHeld ||
       trace->call == CALL_HELD) &&
      goesOn(trace) && appendEvent(text, event->text, values))
    return true;
  cuteStringDestroy(text);
  return false;
}

void cuteTrace(CuteContext c, CuteTraceEvent event, const CuteTraced *values) {
  static const CuteStepKind kinds[] = {[EVENT_OPERATION] = CUTE_STEP_OPERATION,
                                       [EVENT_RESULT] = CUTE_STEP_RESULT,
                                       [EVENT_CHECK] = CUTE_STEP_CHECK};
  const Event *e = &events[event];
  CuteStepKind kind =
      e->kind < EVENT_OPERATION ? CUTE_STEP_DETAIL : kinds[e->kind];
  CuteString text;
  c->trace->depth += e->kind == EVENT_CHECK;
  if (textOf(c->trace, e, values, &text))
    say(c->trace, kind, text);
  c->trace->depth -= e->kind == EVENT_CHECK;
}

unsigned cuteTraceEnter(CuteContext c, CuteTraceEvent event,
                        const CuteTraced *values) {
  unsigned outer = c->trace->depth;
  CuteString text;
  if (events[event].kind != EVENT_HELD) {
    cuteTrace(c, event, values);
    outer = c->trace->depth++;
  } else if (textOf(c->trace, &events[event], values, &text)) {
    hold(c->trace, CUTE_STEP_DETAIL, text);
  }
  return outer;
}

static void leave(struct CuteTrace *trace, unsigned outer) {
  trace->depth = outer;
  size_t count = trace->numHeld;
  while (count && trace->held[count - 1].depth >= outer)
    --count;
  dropHeld(trace, count);
}

void cuteTraceLeave(CuteContext c, unsigned outer, CuteTraceEvent event,
                    const CuteTraced *values) {
  cuteTrace(c, event, values);
  leave(c->trace, outer);
}

void cuteExplainError(CuteContext c) {
  if (!isTraced(c) || !goesOn(c->trace))
    return;
  sayHeld(c->trace);
  deliver(c->trace, CUTE_STEP_ERROR, c->trace->depth, &c->error);
  c->trace->failed = true;
}

//===-- Calls of operations that may have no steps ------------------------===//

unsigned cuteExplainBeginCall(CuteContext c, const char *heading) {
  unsigned outer = c->trace->depth;
  CuteString text = {0};
  cuteStringAppend(&text, heading);
  if (goesOn(c->trace))
    hold(c->trace, CUTE_STEP_OPERATION, text);
  else
    cuteStringDestroy(&text);
  c->trace->call = CALL_HELD;
  cuteStringClear(&c->trace->result);
  return outer;
}

void cuteExplainEndCall(CuteContext c, unsigned outer, const char *result) {
  bool isSaid = !strcmp(cuteStringGet(&c->trace->result), result ? result : "");
  if (result && c->trace->call != CALL_DROPPED)
    trace(c, CUTE_TRACE_RESULT, result);
  else if (result && !isSaid)
    trace(c, CUTE_TRACE_VALUE, result);
  c->trace->call = NO_CALL;
  leave(c->trace, outer);
}

bool cuteExplainsLaw(CuteContext c) { return c->trace->depth == 0; }
