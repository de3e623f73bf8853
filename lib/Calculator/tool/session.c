#include "Calculator/tool/commands.h"
#include "Support/diagnostic_format.h"
#include "Support/terminal.h"

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

// Prints a message after a word, unless another format takes it; tells which.
static bool print(CuteSaidKind kind, const char *word, const char *message) {
  if (cuteDiagnosticTake(
          (CuteSaid){.kind = kind, .message = cuteStringRef(message)}))
    return false;
  fprintf(stderr, "%s%s:%s %s\n", cuteTerminalBegin(stderr, word), word,
          cuteTerminalEnd(stderr), message);
  return true;
}

static void printWarnings(CuteContext context) {
  for (size_t i = 0; i < cuteContextGetNumWarnings(context); ++i)
    print(CUTE_SAID_WARNING, "warning", cuteContextGetWarning(context, i));
  cuteContextClearWarnings(context);
}

CuteValue cuteSessionEvaluate(CuteSession session, const char *text) {
  size_t at;
  CuteValue value =
      cuteCalculatorEvaluate(session.calculator, cuteStringRef(text), &at);
  printWarnings(session.context);
  if (cuteValueFailed(value) &&
      print(CUTE_SAID_ERROR, "error", cuteContextGetError(session.context)))
    printPlace(text, at);
  return value;
}

void cuteValuePrint(CuteValue value) {
  CUTE_SCOPED(String) text = {0};
  cuteAppendValue(&text, value);
  puts(cuteStringGet(&text));
}

enum { SUMMARY_COLUMN = 44 };

void cuteCalcPrint(const CuteCalcOperation *row) {
  CUTE_SCOPED(String) text = {0};
  cuteStringAppend(&text, row->name);
  cuteCalcAppendOperands(&text, row);
  bool isLong = text.length > SUMMARY_COLUMN - 1;
  if (isLong)
    puts(cuteStringGet(&text));
  printf("%-*s%s\n", SUMMARY_COLUMN, isLong ? "" : cuteStringGet(&text),
         row->summary);
}
