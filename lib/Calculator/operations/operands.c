// The letters by which rows say what operands they take.
#include "Algebra/algebra.h"
#include "Calculator/operations/operations.h"

typedef struct Letter {
  char letter;
  CuteValueKind kind; // what the operation gets
  const char *name;
} Letter;

static const Letter letters[] = {
    {'L', CUTE_VALUE_LAYOUT, "layout"},
    {'P', CUTE_VALUE_TILE, "tiler"},
    {'T', CUTE_VALUE_TUPLE, "int tuple"},
    {'H', CUTE_VALUE_TUPLE, "shape"},
    {'X', CUTE_VALUE_LAYOUT, "layout or int tuple"}, // or TUPLE
    {'Y', CUTE_VALUE_FAILED, "layout or int tuple"}, // what is there
    {'I', CUTE_VALUE_TUPLE, "integer"},
    {'S', CUTE_VALUE_SWIZZLE, "swizzle"},
    {'A', CUTE_VALUE_MMA_ATOM, "MMA atom"},
    {'C', CUTE_VALUE_COPY_ATOM, "copy atom"},
    {'E', CUTE_VALUE_ELEMENT, "element type"},
    {'M', CUTE_VALUE_TILED_MMA, "tiled MMA"},
    {'K', CUTE_VALUE_TILED_COPY, "tiled copy"},
    {'V', CUTE_VALUE_FAILED, "value"}, // what is there
};

static const Letter *find(char letter) {
  const Letter *row = letters;
  while (row->letter != letter)
    ++row;
  return row;
}

//===-- Fit ---------------------------------------------------------------===//

// -1 not at all, 0 when converted.
static int fit(const Letter *letter, CuteValue value) {
  bool isTuple = value.kind == CUTE_VALUE_TUPLE;
  bool isLayout = value.kind == CUTE_VALUE_LAYOUT;
  switch (letter->letter) {
  case 'L':
    return isLayout ? 1 : isTuple || value.kind == CUTE_VALUE_TILE ? 0 : -1;
  case 'P':
    return isLayout || isTuple || value.kind == CUTE_VALUE_TILE ? 1 : -1;
  case 'X':
  case 'H':
    return isLayout || isTuple ? 1 : -1;
  case 'I':
    return isTuple && isStatic(value.tuple) ? 2 : -1;
  case 'Y':
    return isLayout || isTuple || value.kind == CUTE_VALUE_TILE ? 1 : -1;
  case 'V':
    return 0;
  default:
    return value.kind == letter->kind ? 1 : -1;
  }
}

int cuteCalcOperandsFit(const CuteCalcOperation *row, const CuteValue *values) {
  int sum = 0;
  for (size_t i = 0; row->operands[i]; ++i) {
    int one = fit(find(row->operands[i]), values[i]);
    if (one < 0)
      return -1;
    sum += one;
  }
  return sum;
}

//===-- Conversion --------------------------------------------------------===//

// The value as the letter wants it; `first` is what the row's first X is.
static CuteValue convert(CuteContext c, const CuteCalcOperation *row,
                         const Letter *letter, CuteValue value,
                         CuteValueKind first) {
  CuteValueKind kind = letter->kind;
  switch (letter->letter) {
  case 'H':
    if (value.kind == CUTE_VALUE_LAYOUT)
      return cuteValueOfTuple(cuteLayoutGetShape(value.layout));
    if (value.kind != CUTE_VALUE_TUPLE)
      return cuteValueRefuse(c, value, "a layout or an int tuple", row->name);
    break;
  case 'X':
    kind = first == CUTE_VALUE_TUPLE ? CUTE_VALUE_TUPLE : kind;
    break;
  case 'Y':
    return fit(letter, value) < 0
               ? cuteValueRefuse(c, value, "a layout or an int tuple",
                                 row->name)
               : value;
  case 'V':
    return value;
  }
  value = cuteValueConvert(c, value, kind, row->name);
  if (letter->letter == 'I' && !cuteValueFailed(value) &&
      !isStatic(value.tuple))
    return cuteValueOfTuple(
        cuteFailTuple(c, "needs a static integer, not ", value.tuple));
  return value;
}

bool cuteCalcOperandsConvert(CuteContext c, const CuteCalcOperation *row,
                             CuteValue *values) {
  const char *x = strchr(row->operands, 'X');
  CuteValueKind first = x ? values[x - row->operands].kind : CUTE_VALUE_FAILED;
  for (size_t i = 0; row->operands[i]; ++i) {
    values[i] = convert(c, row, find(row->operands[i]), values[i], first);
    if (cuteValueFailed(values[i]))
      return false;
  }
  return true;
}

//===-- Text --------------------------------------------------------------===//

void cuteCalcAppendOperands(CuteString *text, const CuteCalcOperation *row) {
  cuteStringAppendChar(text, '(');
  for (size_t i = 0; row->operands[i]; ++i) {
    cuteStringAppend(text, i ? ", " : "");
    cuteStringAppend(text, find(row->operands[i])->name);
  }
  cuteStringAppendChar(text, ')');
}
