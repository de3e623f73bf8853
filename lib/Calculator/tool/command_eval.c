// cute-layout eval: the value of an expression.
#include "Calculator/pictures/picture.h"
#include "Calculator/tool/commands.h"
#include "Support/say_error.h"

static bool printTable(CuteSession session, CuteValue value) {
  CUTE_SCOPED(String) text = {0};
  bool ok = cuteWriteTable(session.context, value, &text);
  if (ok)
    fputs(cuteStringGet(&text), stdout);
  else
    cuteSayError("%s", cuteContextGetError(session.context));
  return ok;
}

typedef struct Options {
  const char *expression;
  bool isTable;
} Options;

const CuteOption cuteEvalOptions[1] = {
    {"--table", .help = "print every coordinate with its value",
     .offset = offsetof(Options, isTable)}};

CuteExit cuteCommandEval(CuteSession session, int argc, char **argv) {
  Options options = {0};
  if (!cuteCommandTakeOptions(&options, argc, argv))
    return CUTE_EXIT_FAILED;
  if (!options.expression)
    return CUTE_EXIT_USAGE;
  CuteValue value = cuteSessionEvaluate(session, options.expression);
  bool ok = !cuteValueFailed(value);
  if (ok && options.isTable)
    ok = printTable(session, value);
  else if (ok)
    cuteValuePrint(value);
  return ok ? CUTE_EXIT_OK : CUTE_EXIT_FAILED;
}
