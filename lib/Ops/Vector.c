// Vectors out of tensors, into tensors, and their elements along modes.
#include "Ops/vector.h"
#include "Lowering/lowering.h"
#include "Ops/ops.h"

#include <stdlib.h>

//===-- load_vector and store_vector --------------------------------------===//

// The elements of a tensor as MLIR has them in a vector: without a sign.
static CuteElementType elementOf(CuteType tensor) {
  return cuteElementTypeGetSignless((CuteElementType)tensor->element);
}

// The tensor as a vector; false with a message if it has no static shape or
// elements that a vector cannot have.
static bool vectorOfTensor(CuteOp *op, CuteType tensor, CuteVector *vector) {
  CuteContext c = op->context;
  CuteIntTuple shape = tensor->layout->shape;
  vector->element = elementOf(tensor);
  if (!cuteVectorCheckElement(c, vector->element))
    return false;
  if (shape->numDynamic) {
    cuteFailTuple(c, "a tensor that is a vector must have a static shape, not ",
                  shape);
    return false;
  }
  CuteIntTuple size = cuteLayoutGetSize(c, tensor->layout);
  vector->size = size ? size->value : 0;
  return size;
}

// Operand i, if there is one: a fragment of i1 that divides the elements.
static bool checkPredicate(CuteOp *op, size_t i, int64_t size) {
  CuteContext c = op->context;
  if (i == op->numOperands)
    return true;
  CuteType type = op->operands[i];
  if (type->element == CUTE_ELEMENT_I1 && type->space == CUTE_RMEM) {
    int64_t n = cuteLayoutGetSize(c, type->layout)->value;
    if (size % n == 0)
      return true;
    cuteFail(c,
             "the predicate has %lld elements, which do not divide the "
             "tensor's %lld",
             (long long)n, (long long)size);
    return false;
  }
  CuteString text = {0};
  cuteAppendType(&text, type, CUTE_FORM_PRETTY);
  cuteFail(c, "the predicate must be a tensor of i1 in rmem, not %s",
           cuteStringGet(&text));
  cuteStringDestroy(&text);
  return false;
}

// Integers that an element has room for, with a sign or without.
static bool isPadInteger(CuteElementType element, double pad) {
  int bits = (int)cuteElementTypeGetBits(element) < 32
                 ? (int)cuteElementTypeGetBits(element)
                 : 32;
  double limit = (double)(INT64_C(1) << bits);
  return pad >= -limit / 2 && pad < limit && pad == (double)(int64_t)pad;
}

// The number in the attribute: for floats also inf and nan; 0 if there is none.
// False with a message.
static bool padOf(CuteOp *op, CuteElementType element, double *pad) {
  const CuteAttribute *attribute = cuteOpGetAttribute(op, "pad");
  char text[32] = "0", *end;
  CuteStringRef given = attribute ? attribute->text : cuteStringRef(text);
  size_t n = given.length < sizeof text ? given.length : 0;
  memcpy(text, given.data, n);
  text[n] = '\0';
  *pad = strtod(text, &end);
  bool isFloat = cuteElementTypeIsFloat(element);
  bool ok = n && !*end && (isFloat || isPadInteger(element, *pad));
  if (!ok)
    cuteFail(op->context, "elements of type %s cannot be padded with '%.*s'",
             cuteElementTypeGetName(element), (int)given.length, given.data);
  return ok;
}

static bool inferLoadVector(CuteOp *op) {
  CuteVector vector;
  double pad;
  return vectorOfTensor(op, op->operands[0], &vector) &&
         checkPredicate(op, 1, vector.size) &&
         padOf(op, vector.element, &pad) && cuteVectorReturn(op, vector, false);
}

static bool inferStoreVector(CuteOp *op) {
  CuteVector vector, wanted;
  if (!cuteVectorGetOperand(op, 0, &vector) ||
      !vectorOfTensor(op, op->operands[1], &wanted))
    return false;
  if (vector.size == wanted.size && vector.element == wanted.element)
    return checkPredicate(op, 2, wanted.size);
  cuteFail(op->context,
           "a vector of %lld x %s cannot go into a tensor of %lld x %s",
           (long long)vector.size, cuteElementTypeGetName(vector.element),
           (long long)wanted.size, cuteElementTypeGetName(wanted.element));
  return false;
}

// The operands of load_vector and store_vector.
typedef struct Access {
  const CuteLowered *tensor, *predicate; // predicate: may be null
  int64_t size;                          // elements
  int64_t step;                          // elements of an access
  int64_t run;                           // elements for each predicate
  double pad;                            // in place of what is not loaded
  MlirType element, stored;              // of the vector, in memory
} Access;

enum { MAX_ACCESS_BITS = 128 };

static Access accessOf(CuteLowering *lowering, MlirOperation source,
                       intptr_t tensor) {
  CuteContext c = lowering->context;
  Access a = {.tensor = cuteLoweringGet(
                  lowering, mlirOperationGetOperand(source, tensor))};
  CuteType type = a.tensor->type;
  CuteElementType element = elementOf(type);
  a.element = cuteElementMlirType(&lowering->builder, element);
  a.stored = cuteElementStorageType(&lowering->builder, element);
  a.size = a.run = cuteLayoutGetSize(c, type->layout)->value;
  if (mlirOperationGetNumOperands(source) > tensor + 1) {
    a.predicate =
        cuteLoweringGet(lowering, mlirOperationGetOperand(source, tensor + 1));
    a.run /= cuteLayoutGetSize(c, a.predicate->type->layout)->value;
  }
  a.step = element == CUTE_ELEMENT_I1
               ? 1
               : MAX_ACCESS_BITS / (int64_t)cuteElementTypeGetBits(element);
  while (a.run % a.step || !cuteMemoryIsVectorizable(c, type, a.step))
    a.step /= 2;
  return a;
}

static MlirType pieceType(const Access *a) {
  return a->step == 1 ? a->stored : mlirVectorTypeGet(1, &a->step, a->stored);
}

static MlirValue fromElements(const CuteBuilder *b, int64_t n,
                              const MlirValue *elements) {
  MlirType type = mlirVectorTypeGet(1, &n, mlirValueGetType(elements[0]));
  return cuteBuildResult(b, "vector.from_elements", (size_t)n, elements, type);
}

static MlirValue predicateOf(CuteLowering *lowering, const Access *a,
                             int64_t first) {
  return cuteLoweringLoadValues(lowering, a->predicate, first / a->run, 1,
                                cuteIntType(&lowering->builder, 1));
}

// Casts between a vector or element and how memory has it: floats of 8 bits as
// bytes.
static MlirValue bitcastTo(const CuteBuilder *b, MlirValue value,
                           MlirType element) {
  MlirType type = mlirValueGetType(value);
  bool isVector = mlirTypeIsAVector(type);
  int64_t n = isVector ? mlirShapedTypeGetDimSize(type, 0) : 1;
  if (mlirTypeEqual(isVector ? mlirShapedTypeGetElementType(type) : type,
                    element))
    return value;
  return cuteBuildUnary(b, "arith.bitcast", value,
                        isVector ? mlirVectorTypeGet(1, &n, element) : element);
}

static MlirValue padding(const CuteBuilder *b, const Access *a) {
  MlirType type =
      a->step == 1 ? a->element : mlirVectorTypeGet(1, &a->step, a->element);
  MlirAttribute value =
      mlirTypeIsAFloat(a->element)
          ? mlirFloatAttrDoubleGet(b->context, a->element, a->pad)
          : mlirIntegerAttrGet(a->element, (int64_t)a->pad);
  if (a->step > 1)
    value = mlirDenseElementsAttrSplatGet(type, value);
  CuteNamedAttribute attribute = {"value", value};
  return bitcastTo(b,
                   cuteBuildValue(b, (CuteOpSpec){.name = "arith.constant",
                                                  .numResults = 1,
                                                  .results = &type,
                                                  .numAttributes = 1,
                                                  .attributes = &attribute}),
                   a->stored);
}

static void yield(const CuteBuilder *b, MlirValue value) {
  cuteBuild(b, (CuteOpSpec){
                   .name = "scf.yield", .numOperands = 1, .operands = &value});
}

// The elements of an access, or the padding where its predicate is false.
static MlirValue loadPiece(CuteLowering *lowering, const Access *a,
                           int64_t first) {
  MlirType type = pieceType(a);
  if (!a->predicate)
    return cuteLoweringLoadValues(lowering, a->tensor, first, a->step, type);
  CuteBuilder outer = lowering->builder;
  MlirValue predicate = predicateOf(lowering, a, first);
  MlirOperation choice = cuteBuild(&outer, (CuteOpSpec){.name = "scf.if",
                                                        .numOperands = 1,
                                                        .operands = &predicate,
                                                        .numResults = 1,
                                                        .results = &type,
                                                        .numRegions = 2});
  CuteBuilder inner = outer;
  inner.before = (MlirOperation){NULL};
  inner.block = mlirRegionGetFirstBlock(mlirOperationGetRegion(choice, 0));
  lowering->builder = inner;
  yield(&inner,
        cuteLoweringLoadValues(lowering, a->tensor, first, a->step, type));
  inner.block = mlirRegionGetFirstBlock(mlirOperationGetRegion(choice, 1));
  yield(&inner, padding(&inner, a));
  lowering->builder = outer;
  return mlirOperationGetResult(choice, 0);
}

static bool lowerLoadVector(CuteLowering *lowering, CuteOp *op,
                            MlirOperation source) {
  MlirValue elements[CUTE_MAX_VECTOR];
  Access a = accessOf(lowering, source, 0);
  if (!padOf(op, elementOf(a.tensor->type), &a.pad))
    return false;
  for (int64_t i = 0; i < a.size; i += a.step) {
    MlirValue piece = loadPiece(lowering, &a, i);
    for (int64_t j = 0; j < a.step; ++j)
      elements[i + j] =
          a.step == 1 ? piece
                      : cuteBuildVectorExtract(&lowering->builder, piece, j);
  }
  const CuteBuilder *b = &lowering->builder;
  cuteLoweringReplace(
      source, 0, bitcastTo(b, fromElements(b, a.size, elements), a.element));
  return true;
}

static void storePiece(CuteLowering *lowering, const Access *a, int64_t first,
                       MlirValue piece) {
  CuteBuilder outer = lowering->builder;
  if (a->predicate) {
    MlirBlock then = cuteBuildIf(&outer, predicateOf(lowering, a, first));
    lowering->builder = cuteBuilderAtStart(then, outer.location);
  }
  cuteLoweringStoreValues(lowering, a->tensor, first, a->step, piece);
  lowering->builder = outer;
}

static bool lowerStoreVector(CuteLowering *lowering, CuteOp *op,
                             MlirOperation source) {
  (void)op;
  Access a = accessOf(lowering, source, 1);
  MlirValue vector = bitcastTo(&lowering->builder,
                               mlirOperationGetOperand(source, 0), a.stored);
  for (int64_t i = 0; i < a.size; i += a.step) {
    MlirValue elements[MAX_ACCESS_BITS / 8];
    for (int64_t j = 0; j < a.step; ++j)
      elements[j] = cuteBuildVectorExtract(&lowering->builder, vector, i + j);
    MlirValue piece = a.step == 1
                          ? elements[0]
                          : fromElements(&lowering->builder, a.step, elements);
    storePiece(lowering, &a, i, piece);
  }
  return true;
}

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
  MlirValue operands[] = {vector, vector};
  CuteNamedAttribute mask = {
      "mask", mlirDenseI64ArrayGet(b->context, (intptr_t)n, source)};
  return cuteBuildValue(b, (CuteOpSpec){.name = "vector.shuffle",
                                        .numOperands = 2,
                                        .operands = operands,
                                        .numResults = 1,
                                        .results = &type,
                                        .numAttributes = 1,
                                        .attributes = &mask});
}

static bool inferChoice(CuteOp *op) {
  CuteVectorMap map;
  CuteVector vector;
  if (!cuteVectorGetMap(op, &map) || !cuteVectorGetOperand(op, 0, &vector))
    return false;
  vector.size = map.numKept;
  return cuteVectorReturn(op, vector, map.isScalar);
}

static bool lowerChoice(CuteLowering *lowering, CuteOp *op,
                        MlirOperation source) {
  CuteVectorMap map;
  int64_t elements[CUTE_MAX_VECTOR];
  if (!cuteVectorGetMap(op, &map))
    return false;
  for (int64_t i = 0; i < map.numKept; ++i)
    elements[i] = cuteVectorMapGet(lowering->context, &map, i, 0);
  const CuteBuilder *b = &lowering->builder;
  MlirValue vector = mlirOperationGetOperand(source, 0);
  cuteLoweringReplace(source, 0,
                      map.isScalar
                          ? cuteBuildVectorExtract(b, vector, elements[0])
                          : shuffle(b, vector, map.numKept, elements));
  return true;
}

//===-- reduce_vector -----------------------------------------------------===//

// The operation on floats and on integers; null where there is none.
static const struct {
  const char *kind, *onFloats, *onIntegers;
} reductions[] = {{"add", "arith.addf", "arith.addi"},
                  {"mul", "arith.mulf", "arith.muli"},
                  {"min", "arith.minimumf", "arith.minsi"},
                  {"max", "arith.maximumf", "arith.maxsi"},
                  {"minnum", "arith.minnumf", NULL},
                  {"maxnum", "arith.maxnumf", NULL},
                  {"minu", NULL, "arith.minui"},
                  {"maxu", NULL, "arith.maxui"},
                  {"and", NULL, "arith.andi"},
                  {"or", NULL, "arith.ori"},
                  {"xor", NULL, "arith.xori"}};

// The op of arith; null with a message.
static const char *reductionOf(CuteOp *op, CuteElementType element) {
  CuteStringRef kind = cuteOpGetAttribute(op, "kind")->text;
  bool isFloat = cuteElementTypeIsFloat(element);
  if (isFloat && cuteElementTypeGetBits(element) < 16)
    return cuteFail(op->context,
                    "there is no arithmetic on %s; reduce what arith.extf "
                    "makes of it",
                    cuteElementTypeGetName(element));
  CuteString known = {0};
  const char *name = NULL;
  for (size_t i = 0; i < sizeof reductions / sizeof *reductions; ++i) {
    const char *mine =
        isFloat ? reductions[i].onFloats : reductions[i].onIntegers;
    if (!mine)
      continue;
    if (cuteTextEquals(kind, reductions[i].kind))
      name = mine;
    cuteStringAppendFormat(&known, "%s%s", known.length ? ", " : "",
                           reductions[i].kind);
  }
  if (!name)
    cuteFail(op->context, "no reduction of %s is called '%.*s'; there are %s",
             cuteElementTypeGetName(element),
             (int)(kind.length > 40 ? 40 : kind.length), kind.data,
             cuteStringGet(&known));
  cuteStringDestroy(&known);
  return name;
}

static bool checkInit(CuteOp *op, CuteElementType element) {
  CuteType type = op->operands[1];
  const char *name = cuteElementTypeGetName(element);
  if (type->kind == CUTE_TYPE_FOREIGN && cuteTextEquals(type->foreign, name))
    return true;
  CuteString text = {0};
  cuteAppendType(&text, type, CUTE_FORM_PRETTY);
  cuteFail(op->context, "the initial value must be of type %s, not %s", name,
           cuteStringGet(&text));
  cuteStringDestroy(&text);
  return false;
}

static bool inferReduceVector(CuteOp *op) {
  CuteVector vector;
  return cuteVectorGetOperand(op, 0, &vector) &&
         reductionOf(op, vector.element) && checkInit(op, vector.element) &&
         inferChoice(op);
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

static bool lowerReduceVector(CuteLowering *lowering, CuteOp *op,
                              MlirOperation source) {
  const CuteBuilder *b = &lowering->builder;
  CuteVectorMap map;
  CuteVector vector;
  int64_t elements[CUTE_MAX_VECTOR];
  if (!cuteVectorGetMap(op, &map) || !cuteVectorGetOperand(op, 0, &vector))
    return false;
  for (int64_t j = 0; j < map.numReduced; ++j)
    for (int64_t i = 0; i < map.numKept; ++i)
      elements[j * map.numKept + i] =
          cuteVectorMapGet(lowering->context, &map, i, j);
  const char *name = reductionOf(op, vector.element);
  MlirValue value =
      shuffle(b, mlirOperationGetOperand(source, 0), vector.size, elements);
  value = reduceGroups(b, name, value, map.numReduced, map.numKept);
  MlirValue init = mlirOperationGetOperand(source, 1);
  if (map.isScalar)
    value = cuteBuildVectorExtract(b, value, 0);
  else
    init = cuteBuildUnary(b, "vector.broadcast", init, mlirValueGetType(value));
  cuteLoweringReplace(source, 0, cuteBuildBinary(b, name, init, value));
  return true;
}

const CuteOpHooks cuteVectorOps[] = {
    {.name = "load_vector", .infer = inferLoadVector, .lower = lowerLoadVector},
    {.name = "store_vector",
     .infer = inferStoreVector,
     .lower = lowerStoreVector},
    {.name = "slice_vector", .infer = inferChoice, .lower = lowerChoice},
    {.name = "broadcast_vector", .infer = inferChoice, .lower = lowerChoice},
    {.name = "gather_vector", .infer = inferChoice, .lower = lowerChoice},
    {.name = "reduce_vector",
     .infer = inferReduceVector,
     .lower = lowerReduceVector},
    {.name = NULL},
};
