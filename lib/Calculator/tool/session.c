#include "Calculator/tool/commands.h"
#include "Support/terminal.h"

#include <stdio.h>

CuteSession cuteSessionCreate(CuteLawPolicy policy) {
  CuteContext context = cuteContextCreate();
  cuteContextSetLawPolicy(context, policy);
  return (CuteSession){context, cuteCalculatorCreate(context), policy};
}

void cuteSessionDestroy(CuteSession session) {
  cuteCalculatorDestroy(session.calculator);
  cuteContextDestroy(session.context);
}

// The line of the text that has the place, and a mark under it.
static void printPlace(const char *text, size_t at) {
  size_t begin = at;
  while (begin > 0 && text[begin - 1] != '\n')
    --begin;
  int length = (int)strcspn(text + begin, "\n");
  fprintf(stderr, "  %.*s\n  %*s\n", length, text + begin,
          (int)(at - begin) + 1, "^");
}

static void printWarnings(CuteContext context) {
  for (size_t i = 0; i < cuteContextGetNumWarnings(context); ++i)
    fprintf(stderr, "%swarning:%s %s\n", cuteTerminalBegin(stderr, "warning"),
            cuteTerminalEnd(stderr), cuteContextGetWarning(context, i));
  cuteContextClearWarnings(context);
}

CuteValue cuteSessionEvaluate(CuteSession session, const char *text) {
  size_t at;
  CuteValue value =
      cuteCalculatorEvaluate(session.calculator, cuteStringRef(text), &at);
  printWarnings(session.context);
  if (cuteValueFailed(value)) {
    fprintf(stderr, "%serror:%s %s\n", cuteTerminalBegin(stderr, "error"),
            cuteTerminalEnd(stderr), cuteContextGetError(session.context));
    printPlace(text, at);
  }
  return value;
}

void cuteValuePrint(CuteValue value) {
  CuteString text = {0};
  cuteAppendValue(&text, value);
  puts(cuteStringGet(&text));
  cuteStringDestroy(&text);
}

enum { SUMMARY_COLUMN = 44 };

void cuteCalcPrint(const CuteCalcOperation *row) {
  CuteString text = {0};
  cuteStringAppend(&text, row->name);
  cuteCalcAppendOperands(&text, row);
  bool isLong = text.length > SUMMARY_COLUMN - 1;
  if (isLong)
    puts(cuteStringGet(&text));
  printf("%-*s%s\n", SUMMARY_COLUMN, isLong ? "" : cuteStringGet(&text),
         row->summary);
  cuteStringDestroy(&text);
}
