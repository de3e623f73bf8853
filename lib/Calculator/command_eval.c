// cute-layout eval: the value of an expression.
#include "Calculator/commands.h"

#include <stdio.h>

CuteExit cuteCommandEval(int argc, char **argv) {
  CuteLawPolicy policy = cuteTakeStrict(&argc, argv);
  if (argc != 2)
    return CUTE_EXIT_USAGE;
  CuteSession session = cuteSessionCreate();
  cuteContextSetLawPolicy(session.context, policy);
  CuteValue value = cuteSessionEvaluate(session, argv[1]);
  if (!cuteValueFailed(value)) {
    CuteString text = {0};
    cuteAppendValue(&text, value);
    puts(cuteStringGet(&text));
    cuteStringDestroy(&text);
  }
  cuteSessionDestroy(session);
  return cuteValueFailed(value) ? CUTE_EXIT_FAILED : CUTE_EXIT_OK;
}
