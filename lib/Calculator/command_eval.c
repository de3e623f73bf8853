// cute-layout eval: the value of an expression.
#include "Calculator/commands.h"

CuteExit cuteCommandEval(int argc, char **argv) {
  if (argc != 2)
    return CUTE_EXIT_USAGE;
  CuteSession session = cuteSessionCreate();
  CuteValue value = cuteSessionEvaluate(session, argv[1]);
  if (!cuteValueFailed(value))
    cuteValuePrint(value);
  cuteSessionDestroy(session);
  return cuteValueFailed(value) ? CUTE_EXIT_FAILED : CUTE_EXIT_OK;
}
