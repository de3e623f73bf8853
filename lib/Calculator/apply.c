// Finding an operation and applying it to values.
#include "Algebra/explain.h"
#include "Calculator/operations.h"

//===-- Choice of a row ---------------------------------------------------===//

// How well a value suits a letter: -1 not at all, 0 when converted.
static int fit(char letter, CuteValue value) {
  bool isTuple = value.kind == CUTE_VALUE_TUPLE;
  bool isLayout = value.kind == CUTE_VALUE_LAYOUT;
  bool isTile = value.kind == CUTE_VALUE_TILE;
  switch (letter) {
  case 'L':
    return isLayout ? 1 : isTuple || isTile ? 0 : -1;
  case 'P':
    return isLayout || isTuple || isTile ? 1 : -1;
  case 'X':
  case 'H':
    return isLayout || isTuple ? 1 : -1;
  case 'T':
    return isTuple ? 1 : -1;
  case 'I':
    return isTuple && isStatic(value.tuple) ? 2 : -1;
  case 'S':
    return value.kind == CUTE_VALUE_SWIZZLE ? 1 : -1;
  case 'E':
    return value.kind == CUTE_VALUE_ELEMENT ? 1 : -1;
  default:
    return 0;
  }
}

// The sum over all operands; -1 if one does not suit.
static int fitAll(const CuteOperation *row, const CuteValue *values) {
  int sum = 0;
  for (size_t i = 0; row->operands[i]; ++i) {
    int one = fit(row->operands[i], values[i]);
    if (one < 0)
      return -1;
    sum += one;
  }
  return sum;
}

static const char *letterName(char letter) {
  switch (letter) {
  case 'L':
    return "layout";
  case 'P':
    return "tiler";
  case 'S':
    return "swizzle";
  case 'E':
    return "element type";
  case 'I':
    return "integer";
  case 'X':
    return "layout or int tuple";
  case 'V':
    return "value";
  default:
    return letter == 'H' ? "shape" : "int tuple";
  }
}

void cuteAppendOperands(CuteString *text, const CuteOperation *row) {
  cuteStringAppendChar(text, '(');
  for (size_t i = 0; row->operands[i]; ++i) {
    cuteStringAppend(text, i ? ", " : "");
    cuteStringAppend(text, letterName(row->operands[i]));
  }
  cuteStringAppendChar(text, ')');
}

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
    int rowFit = fitAll(row, values);
    if (rowFit > bestFit) {
      best = row;
      bestFit = rowFit;
    }
  }
  return best ? best : other ? other : failWithForms(c, name);
}

//===-- Operands ----------------------------------------------------------===//

static CuteValueKind kindOf(char letter, CuteValueKind given,
                            CuteValueKind first) {
  switch (letter) {
  case 'L':
    return CUTE_VALUE_LAYOUT;
  case 'P':
    return CUTE_VALUE_TILE;
  case 'S':
    return CUTE_VALUE_SWIZZLE;
  case 'E':
    return CUTE_VALUE_ELEMENT;
  case 'X':
    return first == CUTE_VALUE_TUPLE ? CUTE_VALUE_TUPLE : CUTE_VALUE_LAYOUT;
  case 'V':
    return given;
  default:
    return CUTE_VALUE_TUPLE;
  }
}

// The value as the letter wants it; `first` is the row's first X operand.
static CuteValue convertOne(CuteContext c, const CuteOperation *row,
                            char letter, CuteValue value, CuteValueKind first) {
  if (letter == 'H' && value.kind == CUTE_VALUE_LAYOUT)
    return cuteValueOfTuple(cuteLayoutGetShape(value.layout));
  value =
      cuteValueConvert(c, value, kindOf(letter, value.kind, first), row->name);
  if (letter == 'I' && !cuteValueFailed(value) && !isStatic(value.tuple))
    return cuteValueOfTuple(
        cuteFailTuple(c, "needs a static integer, not ", value.tuple));
  return value;
}

static bool convert(CuteContext c, const CuteOperation *row,
                    CuteValue *values) {
  const char *x = strchr(row->operands, 'X');
  CuteValueKind first = x ? values[x - row->operands].kind : CUTE_VALUE_FAILED;
  for (size_t i = 0; row->operands[i]; ++i) {
    values[i] = convertOne(c, row, row->operands[i], values[i], first);
    if (cuteValueFailed(values[i]))
      return false;
  }
  return true;
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
  CuteValue result =
      convert(c, row, values) ? apply(c, row, values) : (CuteValue){0};
  if (cuteValueFailed(result))
    result = failIn(c, row);
  if (isTraced(c))
    endCall(c, outer, result);
  return result;
}
