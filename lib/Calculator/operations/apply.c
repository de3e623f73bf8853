// Finding an operation and applying it to values.
#include "Algebra/trace.h"
#include "Calculator/language/calculator.h"
#include "Support/text.h"

//===-- Choice of a row ---------------------------------------------------===//

static bool isNamed(const CuteCalcOperation *row, CuteStringRef name) {
  return cuteTextEquals(name, row->name);
}

static void failUnknown(CuteContext c, CuteStringRef name) {
  CUTE_SCOPED(String) suggestion = {0};
  cuteCalcAppendSuggestion(&suggestion, NULL, name);
  cuteFail(c, "unknown operation '%.*s'%s", CUTE_TEXT(name),
           cuteStringGet(&suggestion));
}

// Fails with the forms that the operation has.
static void *failWithForms(CuteContext c, CuteStringRef name) {
  CUTE_SCOPED(String) forms = {0};
  const CuteCalcOperation *row;
  for (size_t i = 0; (row = cuteCalcGet(i)); ++i) {
    if (!isNamed(row, name))
      continue;
    cuteStringAppend(&forms, forms.length ? ", or " : "");
    cuteCalcAppendOperands(&forms, row);
  }
  if (forms.length)
    cuteFail(c, "%.*s: takes %s", CUTE_TEXT(name), cuteStringGet(&forms));
  else
    failUnknown(c, name);
  return NULL;
}

// The row of that name that suits the operands best, or at least has as many;
// null with a message.
static const CuteCalcOperation *find(CuteContext c, CuteStringRef name,
                                     size_t n, const CuteValue *values) {
  const CuteCalcOperation *row, *best = NULL, *other = NULL;
  int bestFit = -1;
  for (size_t i = 0; (row = cuteCalcGet(i)); ++i) {
    if (!isNamed(row, name) || strlen(row->operands) != n)
      continue;
    other = other ? other : row;
    int rowFit = cuteCalcOperandsFit(row, values);
    if (rowFit > bestFit) {
      best = row;
      bestFit = rowFit;
    }
  }
  return best ? best : other ? other : failWithForms(c, name);
}

//===-- Rows applied ------------------------------------------------------===//

// The default heading of an operation.
static unsigned beginCall(CuteContext c, const CuteCalcOperation *row, size_t n,
                          const CuteValue *operands) {
  CUTE_SCOPED(String) heading = {0};
  cuteStringAppend(&heading, row->name);
  for (size_t i = 0; i < n; ++i) {
    cuteStringAppend(&heading, i ? ", " : "(");
    cuteAppendValue(&heading, operands[i]);
  }
  cuteStringAppend(&heading, "): ");
  cuteStringAppend(&heading, row->summary);
  return cuteExplainBeginCall(c, cuteStringGet(&heading));
}

static void endCall(CuteContext c, unsigned outer, CuteValue value) {
  CUTE_SCOPED(String) result = {0};
  cuteAppendValue(&result, value);
  cuteExplainEndCall(c, outer,
                     cuteValueFailed(value) ? NULL : cuteStringGet(&result));
}

// A failure whose message names the operation. What failed may be one that it
// is made of: "zipped_divide: composition: ...".
static CuteValue failIn(CuteContext c, const CuteCalcOperation *row) {
  CUTE_SCOPED(String) message = {0};
  size_t n = strlen(row->name);
  cuteStringAppend(&message, cuteContextGetError(c));
  const char *text = cuteStringGet(&message);
  if (strncmp(text, row->name, n) || text[n] != ':')
    cuteFail(c, "%s: %s", row->name, text);
  return (CuteValue){0};
}

CuteValue cuteCalcApply(CuteContext c, CuteStringRef name, size_t n,
                        const CuteValue *operands) {
  CuteValue values[CUTE_MAX_OPERANDS];
  if (n > CUTE_MAX_OPERANDS)
    return cuteValueOfTuple(
        cuteFail(c, "more than %d operands", CUTE_MAX_OPERANDS));
  if (n)
    memcpy(values, operands, n * sizeof *values);
  const CuteCalcOperation *row = find(c, name, n, values);
  if (!row)
    return (CuteValue){0};
  unsigned outer = isTraced(c) ? beginCall(c, row, n, operands) : 0;
  CuteValue result =
      cuteCalcOperandsConvert(c, row, values)
          ? row->apply ? row->apply(c, values) : cuteCalcApplyOp(c, row, values)
          : (CuteValue){0};
  if (cuteValueFailed(result))
    result = failIn(c, row);
  if (isTraced(c))
    endCall(c, outer, result);
  return result;
}
