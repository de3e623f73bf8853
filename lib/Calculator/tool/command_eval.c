// cute-layout eval: the value of an expression.
#include "Calculator/pictures/picture.h"
#include "Calculator/tool/commands.h"
#include "Support/say_error.h"

#include <stdio.h>

static bool printTable(CuteSession session, CuteValue value) {
  CuteString text = {0};
  bool ok = cuteWriteTable(session.context, value, &text);
  if (ok)
    fputs(cuteStringGet(&text), stdout);
  else
    cuteSayError("%s", cuteContextGetError(session.context));
  cuteStringDestroy(&text);
  return ok;
}

CuteExit cuteCommandEval(CuteSession session, int argc, char **argv) {
  bool isTable = argc > 1 && !strcmp(argv[1], "--table");
  if (argc > 2 && !strcmp(argv[argc - 2], "--")) {
    argv[argc - 2] = argv[argc - 1];
    --argc;
  }
  if (argc != (isTable ? 3 : 2))
    return CUTE_EXIT_USAGE;
  CuteValue value = cuteSessionEvaluate(session, argv[argc - 1]);
  bool ok = !cuteValueFailed(value);
  if (ok && isTable)
    ok = printTable(session, value);
  else if (ok)
    cuteValuePrint(value);
  return ok ? CUTE_EXIT_OK : CUTE_EXIT_FAILED;
}
