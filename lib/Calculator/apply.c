// Finding an operation and applying it to values.
#include "Algebra/trace.h"
#include "Calculator/operations.h"

//===-- Choice of a row ---------------------------------------------------===//

static bool isNamed(const CuteOperation *row, CuteStringRef name) {
  return strlen(row->name) == name.length &&
         !memcmp(row->name, name.data, name.length);
}

// Fails with the forms that the operation has.
static void *failWithForms(CuteContext c, CuteStringRef name) {
  CuteString forms = {0};
  const CuteOperation *row;
  for (size_t i = 0; (row = cuteOperationGet(i)); ++i) {
    if (!isNamed(row, name))
      continue;
    cuteStringAppend(&forms, forms.length ? ", or " : "");
    cuteAppendOperands(&forms, row);
  }
  if (forms.length)
    cuteFail(c, "%.*s: takes %s", (int)name.length, name.data,
             cuteStringGet(&forms));
  else
    cuteFail(c, "unknown operation '%.*s'", (int)name.length, name.data);
  cuteStringDestroy(&forms);
  return NULL;
}

const CuteOperation *cuteOperationFind(CuteContext c, CuteStringRef name,
                                       size_t n, const CuteValue *values) {
  const CuteOperation *row, *best = NULL, *other = NULL;
  int bestFit = -1;
  for (size_t i = 0; (row = cuteOperationGet(i)); ++i) {
    if (!isNamed(row, name) || strlen(row->operands) != n)
      continue;
    other = other ? other : row;
    int rowFit = cuteOperandsFit(row, values);
    if (rowFit > bestFit) {
      best = row;
      bestFit = rowFit;
    }
  }
  return best ? best : other ? other : failWithForms(c, name);
}

//===-- Rows applied ------------------------------------------------------===//

static CuteValue applyToTuples(CuteContext c, const CuteOperation *row,
                               const CuteValue *v) {
  CuteModeNumbers modes;
  if (row->tuplePath)
    return cuteModeNumbers(c, v[1].tuple, &modes)
               ? cuteValueOfTuple(
                     row->tuplePath(c, v[0].tuple, modes.count, modes.data))
               : (CuteValue){0};
  if (row->tupleRange)
    return cuteValueOfTuple(
        row->tupleRange(c, v[0].tuple, v[1].tuple->value, v[2].tuple->value));
  if (row->tupleIndexed)
    return cuteValueOfTuple(
        row->tupleIndexed(c, v[0].tuple, v[1].tuple->value, v[2].tuple));
  if (row->tuple1)
    return cuteValueOfTuple(row->tuple1(c, v[0].tuple));
  if (row->tuple2)
    return cuteValueOfTuple(row->tuple2(c, v[0].tuple, v[1].tuple));
  if (row->tuple3)
    return cuteValueOfTuple(row->tuple3(c, v[0].tuple, v[1].tuple, v[2].tuple));
  if (row->predicate)
    return cuteValueOfBool(row->predicate(v[0].tuple));
  if (row->relation)
    return cuteValueOfBool(row->relation(v[0].tuple, v[1].tuple));
  if (row->ofTuple)
    return cuteValueOfLayout(row->ofTuple(c, v[0].tuple));
  return cuteValueOfLayout(row->ofTuple2(c, v[0].tuple, v[1].tuple));
}

static CuteValue applyToLayouts(CuteContext c, const CuteOperation *row,
                                const CuteValue *v) {
  CuteModeNumbers modes;
  if (row->layoutPath)
    return cuteModeNumbers(c, v[1].tuple, &modes)
               ? cuteValueOfLayout(
                     row->layoutPath(c, v[0].layout, modes.count, modes.data))
               : (CuteValue){0};
  if (row->layoutRange)
    return cuteValueOfLayout(
        row->layoutRange(c, v[0].layout, v[1].tuple->value, v[2].tuple->value));
  if (row->layoutIndexed)
    return cuteValueOfLayout(
        row->layoutIndexed(c, v[0].layout, v[1].tuple->value, v[2].layout));
  if (row->layout1)
    return cuteValueOfLayout(row->layout1(c, v[0].layout));
  if (row->layout2)
    return cuteValueOfLayout(row->layout2(c, v[0].layout, v[1].layout));
  if (row->layoutTile)
    return cuteValueOfLayout(row->layoutTile(c, v[0].layout, v[1].tile));
  if (row->layoutTuple)
    return cuteValueOfLayout(row->layoutTuple(c, v[0].layout, v[1].tuple));
  if (row->layoutInt)
    return cuteValueOfLayout(row->layoutInt(c, v[0].layout, v[1].tuple->value));
  if (row->tupleOfLayout)
    return cuteValueOfTuple(row->tupleOfLayout(c, v[0].layout));
  return cuteValueOfTuple(row->tupleOfLayout2(c, v[0].layout, v[1].layout));
}

static CuteValue apply(CuteContext c, const CuteOperation *row,
                       const CuteValue *v) {
  if (row->any)
    return row->any(c, v);
  return v[0].kind == CUTE_VALUE_TUPLE ? applyToTuples(c, row, v)
                                       : applyToLayouts(c, row, v);
}

// The heading of an operation that has none of its own.
static unsigned beginCall(CuteContext c, const CuteOperation *row, size_t n,
                          const CuteValue *operands) {
  CuteString heading = {0};
  cuteStringAppend(&heading, row->name);
  for (size_t i = 0; i < n; ++i) {
    cuteStringAppend(&heading, i ? ", " : "(");
    cuteAppendValue(&heading, operands[i]);
  }
  cuteStringAppend(&heading, "): ");
  cuteStringAppend(&heading, row->summary);
  unsigned outer = cuteExplainBeginCall(c, cuteStringGet(&heading));
  cuteStringDestroy(&heading);
  return outer;
}

static void endCall(CuteContext c, unsigned outer, CuteValue value) {
  CuteString result = {0};
  cuteAppendValue(&result, value);
  cuteExplainEndCall(c, outer,
                     cuteValueFailed(value) ? NULL : cuteStringGet(&result));
  cuteStringDestroy(&result);
}

// A failure whose message names the operation. What failed may be one that it
// is made of: "zipped_divide: composition: ...".
static CuteValue failIn(CuteContext c, const CuteOperation *row) {
  CuteString message = {0};
  size_t n = strlen(row->name);
  cuteStringAppend(&message, cuteContextGetError(c));
  const char *text = cuteStringGet(&message);
  if (strncmp(text, row->name, n) || text[n] != ':')
    cuteFail(c, "%s: %s", row->name, text);
  cuteStringDestroy(&message);
  return (CuteValue){0};
}

CuteValue cuteOperationApply(CuteContext c, CuteStringRef name, size_t n,
                             const CuteValue *operands) {
  CuteValue values[CUTE_MAX_OPERANDS];
  if (n > CUTE_MAX_OPERANDS)
    return cuteValueOfTuple(
        cuteFail(c, "more than %d operands", CUTE_MAX_OPERANDS));
  if (n)
    memcpy(values, operands, n * sizeof *values);
  const CuteOperation *row = cuteOperationFind(c, name, n, values);
  if (!row)
    return (CuteValue){0};
  unsigned outer = isTraced(c) ? beginCall(c, row, n, operands) : 0;
  CuteValue result = cuteOperandsConvert(c, row, values) ? apply(c, row, values)
                                                         : (CuteValue){0};
  if (cuteValueFailed(result))
    result = failIn(c, row);
  if (isTraced(c))
    endCall(c, outer, result);
  return result;
}
