// The elements of vectors along modes, and the table of the group; what goes
// from and to tensors is in vector_memory.c.
#include "Ops/vector.h"
#include "IR/folds.h"
#include "Ops/ops.h"

//===-- Choices of elements -----------------------------------------------===//

// Elements source[0, n) of a vector, as a vector.
static MlirValue shuffle(const CuteBuilder *b, MlirValue vector, int64_t n,
                         const int64_t *source) {
  MlirType given = mlirValueGetType(vector);
  MlirType type = mlirVectorTypeGet(1, &n, mlirShapedTypeGetElementType(given));
  bool isWhole = mlirTypeEqual(given, type);
  for (int64_t i = 0; i < n; ++i)
    isWhole &= source[i] == i;
  if (isWhole)
    return vector;
  return cuteBuildVectorShuffle(b, vector, n, source);
}

static bool inferChoice(CuteOp *op) {
  CuteVectorMap map;
  CuteVector vector;
  if (!cuteVectorGetMap(op, &map) || !cuteVectorGetOperand(op, 0, &vector))
    return false;
  vector.size = map.numKept;
  return cuteVectorReturn(op, vector, map.isScalar);
}

static bool lowerChoice(CuteLowering *l) {
  CuteVectorMap map;
  int64_t elements[CUTE_MAX_VECTOR];
  if (!cuteVectorGetMap(l->op, &map))
    return false;
  for (int64_t i = 0; i < map.numKept; ++i)
    elements[i] = cuteVectorMapGet(l->context, &map, i, 0);
  const CuteBuilder *b = &l->builder;
  MlirValue vector = cuteLoweringGetOperand(l, 0);
  if (!mlirTypeIsAVector(mlirValueGetType(vector))) {
    MlirType type = cuteMlirGetResultType(l->source, 0);
    return cuteLoweringReturn(
        l, cuteBuildUnary(b, "vector.broadcast", vector, type));
  }
  return cuteLoweringReturn(
      l, map.isScalar ? cuteBuildVectorExtract(b, vector, elements[0])
                      : shuffle(b, vector, map.numKept, elements));
}

//===-- reduce_vector -----------------------------------------------------===//

const char *cuteVectorGetReduction(CuteOp *op, CuteElementType element) {
  CuteStringRef kind = cuteOpGetAttribute(op, "kind")->text;
  bool isFloat = cuteElementTypeIsFloat(element);
  if (isFloat && cuteElementTypeGetBits(element) < 16)
    return cuteFail(
        op->context,
        "there is no arithmetic on %s; widen it by arith.extf first",
        cuteElementTypeGetName(element));
  CUTE_SCOPED(String) known = {0};
  const char *name = NULL;
  for (const CuteFold *fold = cuteFolds; fold->op; ++fold) {
    if (cuteFoldIsOfFloats(fold) != isFloat)
      continue;
    if (cuteTextEquals(kind, fold->kind))
      name = fold->op;
    cuteStringAppendFormat(&known, "%s%s", known.length ? ", " : "",
                           fold->kind);
  }
  if (!name)
    cuteFail(op->context, "no reduction of %s is called '%.*s'; there are %s",
             cuteElementTypeGetName(element),
             (int)(kind.length > 40 ? 40 : kind.length), kind.data,
             cuteStringGet(&known));
  return name;
}

static bool checkInit(CuteOp *op, CuteElementType element) {
  CuteType type = op->operands[1];
  const char *name = cuteElementTypeGetName(element);
  if (type->kind == CUTE_TYPE_FOREIGN && cuteTextEquals(type->foreign, name))
    return true;
  return cuteFail(op->context, "the initial value must be of type %s, not %s",
                  name, cuteTypeText(op->context, type));
}

static bool inferReduceVector(CuteOp *op) {
  CuteVector vector;
  return cuteVectorGetOperand(op, 0, &vector) &&
         cuteVectorGetReduction(op, vector.element) &&
         checkInit(op, vector.element) && inferChoice(op);
}

// Elements [first, first + n).
static MlirValue part(const CuteBuilder *b, MlirValue vector, int64_t first,
                      int64_t n) {
  int64_t source[CUTE_MAX_VECTOR];
  for (int64_t i = 0; i < n; ++i)
    source[i] = first + i;
  return shuffle(b, vector, n, source);
}

// Combines n groups of `size` elements, by halves, into one.
static MlirValue reduceGroups(const CuteBuilder *b, const char *name,
                              MlirValue vector, int64_t n, int64_t size) {
  MlirValue rest = {NULL};
  while (n > 1) {
    if (n % 2) {
      MlirValue last = part(b, vector, (n - 1) * size, size);
      rest =
          mlirValueIsNull(rest) ? last : cuteBuildBinary(b, name, rest, last);
    }
    int64_t half = n / 2 * size;
    MlirValue lower = part(b, vector, 0, half);
    vector = cuteBuildBinary(b, name, lower, part(b, vector, half, half));
    n /= 2;
  }
  return mlirValueIsNull(rest) ? vector
                               : cuteBuildBinary(b, name, vector, rest);
}

static bool lowerReduceVector(CuteLowering *l) {
  const CuteBuilder *b = &l->builder;
  CuteVectorMap map;
  CuteVector vector;
  int64_t elements[CUTE_MAX_VECTOR];
  if (!cuteVectorGetMap(l->op, &map) ||
      !cuteVectorGetOperand(l->op, 0, &vector))
    return false;
  for (int64_t j = 0; j < map.numReduced; ++j)
    for (int64_t i = 0; i < map.numKept; ++i)
      elements[j * map.numKept + i] = cuteVectorMapGet(l->context, &map, i, j);
  const char *name = cuteVectorGetReduction(l->op, vector.element);
  MlirValue value =
      shuffle(b, cuteLoweringGetOperand(l, 0), vector.size, elements);
  value = reduceGroups(b, name, value, map.numReduced, map.numKept);
  MlirValue init = cuteLoweringGetOperand(l, 1);
  if (map.isScalar)
    value = cuteBuildVectorExtract(b, value, 0);
  else
    init = cuteBuildUnary(b, "vector.broadcast", init, mlirValueGetType(value));
  return cuteLoweringReturn(l, cuteBuildBinary(b, name, init, value));
}

const CuteOpHooks cuteVectorOps[] = {
    CUTE_HOOKS("load_vector", cuteVectorInferLoad, cuteVectorLowerLoad),
    CUTE_HOOKS("store_vector", cuteVectorInferStore, cuteVectorLowerStore),
    CUTE_HOOKS("slice_vector", inferChoice, lowerChoice),
    CUTE_HOOKS("broadcast_vector", inferChoice, lowerChoice),
    CUTE_HOOKS("gather_vector", inferChoice, lowerChoice),
    CUTE_HOOKS("reduce_vector", inferReduceVector, lowerReduceVector),
    {.name = NULL},
};
