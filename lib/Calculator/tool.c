// cute-layout: the layout algebra in a shell.
#include "Calculator/tool.h"
#include "Calculator/batch.h"
#include "Calculator/calculator.h"

#include <stdio.h>

static const char help[] = "OVERVIEW: calculates with CuTe layouts\n"
                           "\n"
                           "USAGE: cute-layout eval EXPRESSION\n"
                           "       cute-layout --batch < cases.jsonl\n";

static int eval(const char *text) {
  CuteContext context = cuteContextCreate();
  CuteCalculator *calculator = cuteCalculatorCreate(context);
  size_t at;
  CuteValue value =
      cuteCalculatorEvaluate(calculator, cuteStringRef(text), &at);
  if (cuteValueFailed(value)) {
    fprintf(stderr, "error: %s\n  %s\n  %*s\n", cuteContextGetError(context),
            text, (int)at + 1, "^");
  } else {
    CuteString out = {0};
    cuteAppendValue(&out, value);
    puts(cuteStringGet(&out));
    cuteStringDestroy(&out);
  }
  cuteCalculatorDestroy(calculator);
  cuteContextDestroy(context);
  return cuteValueFailed(value);
}

int cuteLayoutMain(int argc, char **argv) {
  if (argc == 3 && !strcmp(argv[1], "eval"))
    return eval(argv[2]);
  if (argc == 2 && !strcmp(argv[1], "--batch"))
    return cuteBatchRun(stdin, stdout) ? 0 : 1;
  fputs(help, argc > 1 ? stderr : stdout);
  return argc > 1;
}
