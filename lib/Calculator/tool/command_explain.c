// cute-layout explain: the steps by which the value of an expression comes
// about, one line each, indented by how deep they are.
#include "Calculator/tool/commands.h"
#include "cute/Explain.h"

#include <stdio.h>
#include <stdlib.h>

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
  printf("%*s%.*s\n", (int)(step->depth * 2), "", (int)step->text.length,
         step->text.data);
  ++printer->lines;
}

// --depth=N; false if it is no such option.
static bool readDepth(const char *option, unsigned *depth) {
  static const char name[] = "--depth=";
  size_t length = sizeof name - 1;
  if (strncmp(option, name, length) || option[length] < '0' ||
      option[length] > '9')
    return false;
  char *end;
  unsigned long value = strtoul(option + length, &end, 10);
  *depth = value < NO_LIMIT ? (unsigned)value : NO_LIMIT;
  return !*end;
}

static void printValue(CuteValue value) {
  CuteString text = {0};
  cuteAppendValue(&text, value);
  printf("%s: a value, nothing is computed\n", cuteStringGet(&text));
  cuteStringDestroy(&text);
}

CuteExit cuteCommandExplain(CuteSession session, int argc, char **argv) {
  Printer printer = {NO_LIMIT, 0};
  if (argc < 2 || argc > 3 ||
      (argc == 3 && !readDepth(argv[1], &printer.maxDepth)))
    return CUTE_EXIT_USAGE;
  cuteContextSetTracer(session.context, printStep, &printer);
  CuteValue value = cuteSessionEvaluate(session, argv[argc - 1]);
  if (!cuteValueFailed(value) && !printer.lines)
    printValue(value);
  cuteContextSetTracer(session.context, NULL, NULL);
  return cuteValueFailed(value) ? CUTE_EXIT_FAILED : CUTE_EXIT_OK;
}
