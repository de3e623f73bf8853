// cute-layout: the layout algebra in a shell.
#include "Calculator/tool.h"
#include "Calculator/batch.h"
#include "Calculator/calculator.h"

#include <stdio.h>

static const char help[] =
    "OVERVIEW: calculates with CuTe layouts\n"
    "\n"
    "USAGE: cute-layout eval EXPRESSION   print its value\n"
    "       cute-layout --batch           JSON lines from standard input:\n"
    "                                     {\"id\", \"op\", \"args\"}\n"
    "       cute-layout operations        list them\n"
    "       cute-layout --help, --version\n"
    "\n"
    "EXPRESSIONS:\n"
    "  4  (2,(3,4))  ?{i64}  _         int tuples\n"
    "  (4,8):(8,1)  (4,2):(1@0,1@1)    layouts\n"
    "  S<2,3,3>                        swizzles, also Sw and Swizzle\n"
    "  (4:1,_,8)                       tilers: tuples with layouts or _\n"
    "  A o B,  S<2,3,3> o 0 o A        compositions\n"
    "  A(1,2)  A(_,2)                  the value at a coordinate, a slice\n"
    "  coalesce(A)                     operations, by their CuTe names\n"
    "  let A = (4,8):(8,1); size(A)    variables\n";

static int listOperations(void) {
  size_t n;
  const CuteOperation *rows = cuteOperations(&n);
  puts("operands: L layout, P tiler, T int tuple, I integer, S swizzle, V any");
  for (size_t i = 0; i < n; ++i)
    printf("%-22s %-5s %s\n", rows[i].name, rows[i].operands, rows[i].summary);
  return 0;
}

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
  if (argc == 2 && !strcmp(argv[1], "operations"))
    return listOperations();
  if (argc == 2 && !strcmp(argv[1], "--version"))
    return puts("cute-layout " CUTE_VERSION) < 0;
  bool asked =
      argc == 2 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"));
  fputs(help, asked ? stdout : stderr);
  return !asked;
}
