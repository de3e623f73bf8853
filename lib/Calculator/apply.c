// Finding an operation and applying it to values.
#include "Algebra/algebra.h"
#include "Calculator/operations.h"

// The kind of value that a letter asks for; `any` for V.
static CuteValueKind kindOf(char letter, CuteValueKind any) {
  static const struct {
    char letter;
    CuteValueKind kind;
  } kinds[] = {
      {'L', CUTE_VALUE_LAYOUT},    {'P', CUTE_VALUE_TILE},
      {'T', CUTE_VALUE_TUPLE},     {'I', CUTE_VALUE_TUPLE},
      {'S', CUTE_VALUE_SWIZZLE},   {'A', CUTE_VALUE_MMA_ATOM},
      {'C', CUTE_VALUE_COPY_ATOM}, {'E', CUTE_VALUE_ELEMENT},
      {'M', CUTE_VALUE_TILED_MMA}, {'K', CUTE_VALUE_TILED_COPY},
  };
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i)
    if (kinds[i].letter == letter)
      return kinds[i].kind;
  return any;
}

// Kinds of values that stand for no other.
static bool isDistinct(CuteValueKind kind) {
  return kind == CUTE_VALUE_SWIZZLE || kind >= CUTE_VALUE_ELEMENT;
}

// Whether the values are what the letters say, of those that overload a name.
static bool suits(const CuteOperation *row, size_t n, const CuteValue *values) {
  if (strlen(row->operands) != n)
    return false;
  for (size_t i = 0; i < n; ++i) {
    char letter = row->operands[i];
    CuteValueKind kind = kindOf(letter, values[i].kind);
    bool isInt =
        values[i].kind == CUTE_VALUE_TUPLE && isStatic(values[i].tuple);
    if ((isDistinct(kind) || isDistinct(values[i].kind)) &&
        kind != values[i].kind)
      return false;
    if (letter == 'I' && !isInt)
      return false;
  }
  return true;
}

static bool isBetter(const CuteOperation *row, const CuteOperation *best) {
  return !best || (strchr(row->operands, 'I') && !strchr(best->operands, 'I'));
}

const CuteOperation *cuteOperationFind(CuteContext c, CuteStringRef name,
                                       size_t n, const CuteValue *values) {
  size_t counts[2];
  const CuteOperation *tables[] = {cuteOperations(&counts[0]),
                                   cuteAtomOperations(&counts[1])};
  const CuteOperation *best = NULL, *named = NULL;
  for (size_t i = 0; i < counts[0] + counts[1]; ++i) {
    const CuteOperation *row =
        i < counts[0] ? &tables[0][i] : &tables[1][i - counts[0]];
    if (strlen(row->name) != name.length ||
        memcmp(row->name, name.data, name.length))
      continue;
    named = row;
    if (suits(row, n, values) && isBetter(row, best))
      best = row;
  }
  if (best)
    return best;
  if (!named)
    return cuteFail(c, "unknown operation '%.*s'", (int)name.length, name.data);
  return cuteFail(c, "%s: does not take these %zu operands; see help",
                  named->name, n);
}

static bool convert(CuteContext c, const CuteOperation *row,
                    CuteValue *values) {
  for (size_t i = 0; row->operands[i]; ++i) {
    CuteValueKind kind = kindOf(row->operands[i], values[i].kind);
    values[i] = cuteValueConvert(c, values[i], kind, row->name);
    if (cuteValueFailed(values[i]))
      return false;
    if (row->operands[i] == 'I' && !isStatic(values[i].tuple)) {
      cuteFailTuple(c, "needs a static integer, not ", values[i].tuple);
      return false;
    }
  }
  return true;
}

static CuteValue applyToTuples(CuteContext c, const CuteOperation *row,
                               const CuteValue *v) {
  if (row->tuple1)
    return cuteValueOfTuple(row->tuple1(c, v[0].tuple));
  if (row->tuple2)
    return cuteValueOfTuple(row->tuple2(c, v[0].tuple, v[1].tuple));
  if (row->tuple3)
    return cuteValueOfTuple(row->tuple3(c, v[0].tuple, v[1].tuple, v[2].tuple));
  if (row->relation)
    return cuteValueOfBool(row->relation(v[0].tuple, v[1].tuple));
  if (row->ofTuple)
    return cuteValueOfLayout(row->ofTuple(c, v[0].tuple));
  return cuteValueOfLayout(row->ofTuple2(c, v[0].tuple, v[1].tuple));
}

static CuteValue apply(CuteContext c, const CuteOperation *row,
                       const CuteValue *v) {
  if (row->any)
    return row->any(c, v);
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
  if (row->tupleOfLayout2)
    return cuteValueOfTuple(row->tupleOfLayout2(c, v[0].layout, v[1].layout));
  return applyToTuples(c, row, v);
}

CuteValue cuteOperationApply(CuteContext c, CuteStringRef name, size_t n,
                             const CuteValue *operands) {
  CuteValue values[CUTE_MAX_OPERANDS];
  if (n > CUTE_MAX_OPERANDS)
    return cuteValueOfTuple(
        cuteFail(c, "more than %d operands", CUTE_MAX_OPERANDS));
  memcpy(values, operands, n * sizeof *values);
  const CuteOperation *row = cuteOperationFind(c, name, n, values);
  if (!row || !convert(c, row, values))
    return (CuteValue){0};
  return apply(c, row, values);
}
