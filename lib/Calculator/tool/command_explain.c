// cute-layout explain: the steps by which the value of an expression comes
// about, one line each, indented by how deep they are.
#include "Calculator/tool/commands.h"
#include "cute/Explain.h"

enum { NO_LIMIT = 1000000 };

typedef struct Printer {
  unsigned maxDepth;
  unsigned lines; // printed so far
} Printer;

// The message of an error goes to standard error, with the place in the text,
// after the steps that lead to it.
static void printStep(const CuteStep *step, void *userData) {
  Printer *printer = userData;
  if (step->kind == CUTE_STEP_ERROR) {
    fflush(stdout);
    return;
  }
  if (!cuteStepIsWithin(step, printer->maxDepth))
    return;
  printf("%*s%.*s\n", (int)(step->depth * 2), "", CUTE_TEXT(step->text));
  ++printer->lines;
}

typedef struct Options {
  const char *expression;
  int64_t depth;
} Options;

const CuteOption cuteExplainOptions[1] = {
    {"--depth", .kind = CUTE_OPTION_NUMBER, .value = "N", .most = NO_LIMIT,
     .help = "show steps up to N levels of nested operations",
     .offset = offsetof(Options, depth)}};

static void printValue(CuteValue value) {
  CUTE_SCOPED(String) text = {0};
  cuteAppendValue(&text, value);
  printf("%s: a value, nothing is computed\n", cuteStringGet(&text));
}

CuteExit cuteCommandExplain(CuteSession session, int argc, char **argv) {
  Options options = {.depth = NO_LIMIT};
  if (!cuteCommandTakeOptions(&options, argc, argv))
    return CUTE_EXIT_FAILED;
  if (!options.expression)
    return CUTE_EXIT_USAGE;
  Printer printer = {(unsigned)options.depth, 0};
  cuteContextSetTracer(session.context, printStep, &printer);
  CuteValue value = cuteSessionEvaluate(session, options.expression);
  if (!cuteValueFailed(value) && !printer.lines)
    printValue(value);
  cuteContextSetTracer(session.context, NULL, NULL);
  return cuteValueFailed(value) ? CUTE_EXIT_FAILED : CUTE_EXIT_OK;
}
