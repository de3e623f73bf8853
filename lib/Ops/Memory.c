// Element access and elementwise operations on tensors.
#include "Hardware/element.h"
#include "Ops/copy_atoms.h"
#include "Ops/lower_ops.h"

//===-- load and store ----------------------------------------------------===//

// The MLIR type of an element: integers have no sign there, and ui1 is i1.
static const char *valueName(CuteType tensor) {
  CuteElementType element = tensor->element;
  const char *name = cuteElementGetInfo(element)->valueName;
  return name ? name
              : cuteElementTypeGetName(cuteElementTypeGetSignless(element));
}

static bool inferLoad(CuteOp *op) {
  CuteType tensor = op->operands[0];
  return cuteOpGetElementPlace(op, 0) &&
         cuteOpReturnForeign(op, valueName(tensor));
}

static bool checkValueType(CuteOp *op, CuteType value, CuteType tensor) {
  const char *element = valueName(tensor);
  if (value->kind == CUTE_TYPE_FOREIGN &&
      cuteTextEquals(value->foreign, element))
    return true;
  return cuteFail(op->context,
                  "a value of type %s cannot go into a tensor of %s",
                  cuteTypeText(op->context, value),
                  cuteElementTypeGetName(tensor->element));
}

static bool inferStore(CuteOp *op) {
  return checkValueType(op, op->operands[0], op->operands[1]) &&
         cuteOpGetElementPlace(op, 1);
}

static bool lowerLoad(CuteLowering *l) {
  const CuteLowered *tensor = cuteLoweringGetLowered(l, 0);
  MlirValue raw = cuteLoweringLoadElement(l, tensor, operandTuple(l->op, 1));
  if (mlirValueIsNull(raw))
    return false;
  MlirType type = cuteMlirGetResultType(l->source, 0);
  return cuteLoweringReturn(
      l, cuteElementFromRaw(&l->builder, tensor->type->element, type, raw));
}

// The value to store, operand i, in the raw type of the tensor's elements.
static MlirValue rawOperand(CuteLowering *l, size_t i,
                            const CuteLowered *tensor) {
  return cuteElementToRaw(&l->builder, tensor->type->element,
                          cuteLoweringGetOperand(l, i));
}

static bool lowerStore(CuteLowering *l) {
  const CuteLowered *tensor = cuteLoweringGetLowered(l, 1);
  return cuteLoweringStoreElement(l, tensor, operandTuple(l->op, 2),
                                  rawOperand(l, 0, tensor));
}

//===-- Elementwise over fragments ----------------------------------------===//

static bool checkFragment(CuteOp *op, size_t i, const char *what) {
  CuteType type = op->operands[i];
  if (type->kind == CUTE_TYPE_TENSOR && type->space == CUTE_RMEM)
    return true;
  return cuteFail(op->context, "%s must be a tensor in rmem, not %s", what,
                  cuteTypeText(op->context, type));
}

// The number of elements of a static tensor.
static int64_t sizeOf(CuteContext c, CuteLayout layout) {
  return cuteLayoutGetSize(c, layout)->value;
}

static bool inferFill(CuteOp *op) {
  return checkValueType(op, op->operands[1], op->operands[0]);
}

static bool inferConvert(CuteOp *op) {
  if (!checkFragment(op, 0, "the source") ||
      !checkFragment(op, 1, "the destination"))
    return false;
  int64_t from = sizeOf(op->context, operandLayout(op, 0));
  int64_t to = sizeOf(op->context, operandLayout(op, 1));
  if (from != to)
    cuteFail(op->context, "the source has %jd elements, the destination %jd",
             from, to);
  return from == to;
}

// Registers have no accesses to be wide.
static bool storeAll(CuteLowering *l, MlirValue raw) {
  MlirValue operand = cuteLoweringGetOperand(l, 0);
  const CuteLowered *tensor = cuteLoweringGet(l, operand);
  if (tensor->type->space != CUTE_RMEM)
    return cuteElementsFill(l, operand, raw);
  int64_t n = sizeOf(l->context, tensor->type->layout);
  bool ok = true;
  for (int64_t i = 0; ok && i < n; ++i)
    ok = cuteLoweringStoreElement(l, tensor, staticInt(l->context, i), raw);
  return ok;
}

static bool lowerFill(CuteLowering *l) {
  const CuteLowered *tensor = cuteLoweringGetLowered(l, 0);
  return storeAll(l, rawOperand(l, 1, tensor));
}

static bool lowerClear(CuteLowering *l) {
  const CuteLowered *tensor = cuteLoweringGetLowered(l, 0);
  MlirType type = cuteElementRawType(&l->builder, tensor->type->element);
  MlirValue zero =
      cuteBuildResult(&l->builder, "llvm.mlir.zero", 0, NULL, type);
  return storeAll(l, zero);
}

//===-- axpby -------------------------------------------------------------===//

// Elements of a size for which code is written out.
enum { MAX_WRITTEN_OUT = 1 << 14 };

static bool checkScalars(CuteOp *op, CuteElementType *scalar) {
  CuteStringRef alpha = op->operands[0]->foreign;
  CuteStringRef beta = op->operands[2]->foreign;
  if (op->operands[0] != op->operands[2])
    return cuteFail(op->context,
                    "alpha and beta must have one type, not %.*s and %.*s",
                    CUTE_TEXT(alpha), CUTE_TEXT(beta));
  if (cuteElementTypeFind(alpha, scalar) &&
      (cuteElementGetInfo(*scalar)->isPlain ||
       !cuteElementTypeIsFloat(*scalar)))
    return true;
  return cuteFail(
      op->context,
      "alpha and beta must be integers or f16, bf16, f32 or f64, not %.*s",
      CUTE_TEXT(alpha));
}

// Floats are converted, integers have the type of alpha and beta.
static bool checkTerm(CuteOp *op, size_t i, CuteElementType scalar) {
  CuteType tensor = op->operands[i];
  CuteElementType element = tensor->element;
  CuteIntTuple size = cuteLayoutGetSize(op->context, tensor->layout);
  const char *name = i == 1 ? "x" : "y";
  if (cuteElementTypeGetSignless(element) != scalar &&
      !(cuteElementGetInfo(element)->isPlain &&
        cuteElementGetInfo(scalar)->isPlain))
    cuteFail(op->context,
             "elements of %s, %s, do not go with alpha and beta, %s", name,
             cuteElementTypeGetName(element), cuteElementTypeGetName(scalar));
  else if (!size || !isStatic(size) || size->value > MAX_WRITTEN_OUT)
    cuteFailTuple(
        op->context,
        i == 1 ? "x must have a static shape of at most 16384 elements, not "
               : "y must have a static shape of at most 16384 elements, not ",
        tensor->layout->shape);
  else
    return true;
  return false;
}

static bool inferAxpby(CuteOp *op) {
  CuteElementType scalar;
  if (!checkScalars(op, &scalar) || !checkTerm(op, 1, scalar) ||
      !checkTerm(op, 3, scalar))
    return false;
  int64_t from = sizeOf(op->context, operandLayout(op, 1));
  int64_t to = sizeOf(op->context, operandLayout(op, 3));
  if (from != to)
    cuteFailTuples(op->context,
                   "x has another size than y: ", operandLayout(op, 1)->shape,
                   " and ", operandLayout(op, 3)->shape);
  return from == to;
}

// Element i as a value of the scalars' type.
static MlirValue loadTerm(CuteLowering *l, const CuteLowered *tensor, int64_t i,
                          CuteElementType scalar) {
  MlirValue raw = cuteLoweringLoadElement(l, tensor, staticInt(l->context, i));
  return cuteElementGetInfo(scalar)->isPlain
             ? cuteLoweringConvertElement(l, raw, tensor->type->element, scalar)
             : raw;
}

static bool storeTerm(CuteLowering *l, const CuteLowered *tensor, int64_t i,
                      CuteElementType scalar, MlirValue value) {
  if (cuteElementGetInfo(scalar)->isPlain)
    value = cuteLoweringConvertElement(l, value, scalar, tensor->type->element);
  return !mlirValueIsNull(value) &&
         cuteLoweringStoreElement(l, tensor, staticInt(l->context, i), value);
}

// Emits a test of whether beta is 0.
static MlirValue isZero(CuteLowering *l, MlirValue beta, bool isFloat) {
  const CuteBuilder *b = &l->builder;
  MlirType type = mlirValueGetType(beta);
  MlirValue zero = cuteBuildAttribute(
      b, isFloat ? mlirFloatAttrDoubleGet(b->context, type, 0)
                 : mlirIntegerAttrGet(type, 0));
  return cuteBuildCompare(b, isFloat ? CUTE_CMPF_OEQ : CUTE_CMPI_EQ, beta,
                          zero);
}

static bool lowerAxpby(CuteLowering *l) {
  const CuteBuilder *b = &l->builder;
  CuteElementType scalar = CUTE_ELEMENT_F32;
  MlirType type = cuteMlirGetOperandType(l->source, 0);
  cuteElementTypeFind(cuteDialectGetType(l->dialect, type)->foreign, &scalar);
  bool isFloat = cuteElementGetInfo(scalar)->isPlain;
  const char *times = isFloat ? "arith.mulf" : "arith.muli";
  MlirValue alpha = cuteLoweringGetOperand(l, 0);
  MlirValue beta = cuteLoweringGetOperand(l, 2);
  const CuteLowered *x = cuteLoweringGetLowered(l, 1);
  const CuteLowered *y = cuteLoweringGetLowered(l, 3);
  MlirValue skips = isZero(l, beta, isFloat);
  int64_t n = sizeOf(l->context, y->type->layout);
  bool ok = true;
  for (int64_t i = 0; ok && i < n; ++i) {
    MlirValue ax = cuteBuildBinary(b, times, alpha, loadTerm(l, x, i, scalar));
    MlirValue by = cuteBuildBinary(b, times, beta, loadTerm(l, y, i, scalar));
    MlirValue sum =
        cuteBuildBinary(b, isFloat ? "arith.addf" : "arith.addi", ax, by);
    ok = storeTerm(l, y, i, scalar, cuteBuildSelect(b, skips, ax, sum));
  }
  return ok;
}

const CuteOpHooks cuteMemoryOps[] = {
    CUTE_HOOKS("load", inferLoad, lowerLoad),
    CUTE_HOOKS("store", inferStore, lowerStore),
    CUTE_HOOKS("fill", inferFill, lowerFill),
    CUTE_HOOKS("clear", cuteOpInferNothing, lowerClear),
    CUTE_HOOKS("convert", inferConvert, cuteLowerConvertFragment),
    CUTE_HOOKS("axpby", inferAxpby, lowerAxpby),
    {.name = NULL},
};
