#include "Algebra/explain.h"

#include <stdarg.h>
#include <stdlib.h>

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
  bool failed;       // nothing more is said of the operation that was called
  enum { NO_CALL, CALL_HELD, CALL_SAID, CALL_DROPPED } call;
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

static void appendPiece(CuteStringRef piece, void *text) {
  cuteStringAppendBytes(text, piece.data, piece.length);
}

static bool appendMode(CuteString *text, Mode mode) {
  if (modeFailed(mode))
    return false;
  cuteAppendTuple(text, mode.shape);
  cuteStringAppendChar(text, ':');
  cuteAppendTuple(text, mode.stride);
  return true;
}

// A coordinate as it stands after a layout's name.
static bool appendCoord(CuteString *text, CuteIntTuple coord) {
  if (!coord)
    return false;
  cuteStringAppend(text, isTuple(coord) ? "" : "(");
  cuteAppendTuple(text, coord);
  cuteStringAppend(text, isTuple(coord) ? "" : ")");
  return true;
}

static bool appendHandle(CuteString *text, char letter, const void *value) {
  if (!value)
    return false;
  if (letter == 't')
    cuteAppendTuple(text, value);
  else if (letter == 'l')
    cuteAppendLayout(text, value);
  else
    cuteTilePrint(value, appendPiece, text);
  return true;
}

// The value that a letter of a format stands for; false if it is null.
static bool appendValue(CuteString *text, char letter, va_list *args) {
  switch (letter) {
  case 't':
  case 'l':
  case 'T':
    return appendHandle(text, letter, va_arg(*args, const void *));
  case 'c':
    return appendCoord(text, va_arg(*args, CuteIntTuple));
  case 'm':
    return appendMode(text, va_arg(*args, Mode));
  case 'S':
    cuteSwizzlePrint(va_arg(*args, CuteSwizzle), appendPiece, text);
    return true;
  case 'd':
    cuteStringAppendInt(text, va_arg(*args, int));
    return true;
  case 'z':
    cuteStringAppendInt(text, (int64_t)va_arg(*args, size_t));
    return true;
  case 'i':
    cuteStringAppendInt(text, va_arg(*args, int64_t));
    return true;
  case 's':
    cuteStringAppend(text, va_arg(*args, const char *));
    return true;
  default:
    cuteStringAppendChar(text, letter);
    return true;
  }
}

static bool appendAll(CuteString *text, const char *format, va_list *args) {
  for (const char *at = format; *at; ++at) {
    if (*at != '%')
      cuteStringAppendChar(text, *at);
    else if (!appendValue(text, *++at, args))
      return false;
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

// Whether no error was reported since the outermost operation began.
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

static void say(struct CuteTrace *trace, CuteStepKind kind, const char *format,
                va_list *args) {
  CuteString text = {0};
  if (goesOn(trace) && appendAll(&text, format, args)) {
    unsigned depth =
        kind == CUTE_STEP_OPERATION ? replaceCall(trace) : trace->depth;
    sayHeld(trace);
    deliver(trace, kind, depth, &text);
    if (kind == CUTE_STEP_OPERATION)
      trace->depth = depth;
    if (kind == CUTE_STEP_RESULT && depth == 1)
      keepResult(trace, &text);
  }
  cuteStringDestroy(&text);
}

void cuteExplain(CuteContext c, CuteStepKind kind, const char *format, ...) {
  va_list args;
  va_start(args, format);
  say(c->trace, kind, format, &args);
  va_end(args);
}

void cuteExplainAside(CuteContext c, const char *format, ...) {
  if (c->trace->numHeld && c->trace->call != CALL_HELD)
    return;
  va_list args;
  va_start(args, format);
  say(c->trace, CUTE_STEP_DETAIL, format, &args);
  va_end(args);
}

unsigned cuteExplainBegin(CuteContext c, CuteStepKind kind, const char *format,
                          ...) {
  va_list args;
  va_start(args, format);
  say(c->trace, kind, format, &args);
  unsigned outer = c->trace->depth++;
  va_end(args);
  return outer;
}

static void hold(struct CuteTrace *trace, CuteStepKind kind, CuteString text) {
  if (trace->numHeld == trace->capacity) {
    trace->capacity = trace->capacity ? trace->capacity * 2 : 8;
    trace->held =
        cuteReallocate(trace->held, trace->capacity * sizeof *trace->held);
  }
  trace->held[trace->numHeld++] = (Held){text, kind, trace->depth++};
}

unsigned cuteExplainHold(CuteContext c, CuteStepKind kind, const char *format,
                         ...) {
  unsigned outer = c->trace->depth;
  CuteString text = {0};
  va_list args;
  va_start(args, format);
  if (goesOn(c->trace) && appendAll(&text, format, &args))
    hold(c->trace, kind, text);
  else
    cuteStringDestroy(&text);
  va_end(args);
  return outer;
}

void cuteExplainEnd(CuteContext c, unsigned outer) {
  struct CuteTrace *trace = c->trace;
  trace->depth = outer;
  size_t count = trace->numHeld;
  while (count && trace->held[count - 1].depth >= outer)
    --count;
  dropHeld(trace, count);
}

void cuteExplainResult(CuteContext c, unsigned outer, const char *format, ...) {
  va_list args;
  va_start(args, format);
  say(c->trace, CUTE_STEP_RESULT, format, &args);
  va_end(args);
  cuteExplainEnd(c, outer);
}

unsigned cuteExplainComposed(CuteContext c, const char *name, CuteLayout a) {
  if (!a || !cuteLayoutIsComposed(a))
    return 0;
  return cuteExplainBegin(c, CUTE_STEP_OPERATION,
                          "%s with A = %l: what is applied last stays as it "
                          "is; the steps are for the layout %m under it",
                          name, a, layoutMode(a));
}

void cuteExplainComposedEnd(CuteContext c, unsigned outer, CuteLayout a,
                            CuteLayout result) {
  if (!a || !cuteLayoutIsComposed(a))
    return;
  cuteExplain(c, CUTE_STEP_RESULT, "result %l", result);
  cuteExplainEnd(c, outer);
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
  unsigned outer = cuteExplainHold(c, CUTE_STEP_OPERATION, "%s", heading);
  c->trace->call = CALL_HELD;
  cuteStringClear(&c->trace->result);
  return outer;
}

void cuteExplainEndCall(CuteContext c, unsigned outer, const char *result) {
  bool isSaid = !strcmp(cuteStringGet(&c->trace->result), result ? result : "");
  if (result && c->trace->call != CALL_DROPPED)
    cuteExplain(c, CUTE_STEP_RESULT, "result %s", result);
  else if (result && !isSaid)
    cuteExplain(c, CUTE_STEP_RESULT, "value: %s", result);
  c->trace->call = NO_CALL;
  cuteExplainEnd(c, outer);
}

bool cuteExplainsLaw(CuteContext c) { return c->trace->depth == 0; }

void cuteExplainLaw(CuteContext c, const char *format, ...) {
  va_list args;
  va_start(args, format);
  ++c->trace->depth;
  say(c->trace, CUTE_STEP_CHECK, format, &args);
  --c->trace->depth;
  va_end(args);
}
