#include "Transforms/edit/retype.h"
#include "Transforms/edit/emit_ops.h"

#include "Transforms/pipeline/pipeline.h"

CuteRetype cuteRetypeBegin(CuteDialect *dialect) {
  return (CuteRetype){.values = {.dialect = dialect}};
}

void cuteRetypeSet(CuteRetype *r, MlirValue old, MlirValue value) {
  cuteRebuildSet(&r->values, old, value);
}

static bool fail(CuteRetype *r, MlirOperation op, const char *message) {
  MlirStringRef name = cuteMlirGetName(op);
  r->problem = cuteArenaFormat(cuteTaskGetArena(), "'%.*s' %s", CUTE_TEXT(name),
                               message);
  r->culprit = op;
  return false;
}

bool cuteRetypeAlloc(CuteRetype *r, MlirOperation alloc, CuteLayout layout,
                     int64_t align) {
  CuteDialect *dialect = r->values.dialect;
  r->values.builder = cuteBuilderBefore(alloc);
  MlirValue copy = cuteEmitAlloc(&r->values, layout,
                                 cuteMlirGetAttribute(alloc, "element"), align);
  if (r->values.failed)
    return fail(r, alloc, cuteContextGetError(dialect->context));
  cuteRetypeSet(r, getResult(alloc, 0), copy);
  return true;
}

static bool isChanged(CuteRetype *r, MlirOperation op) {
  CUTE_FOR_OPERANDS(operand, op)
    if (cutePointerMapGet(&r->values.values, operand.ptr))
      return true;
  return false;
}

// Results that have the type that they had take the old ones' place.
static void replaceSame(CuteRetype *r, MlirOperation op, MlirOperation copy) {
  for (intptr_t i = 0; i < getNumResults(op); ++i) {
    MlirValue old = getResult(op, i);
    MlirValue new = getResult(copy, i);
    if (!mlirTypeEqual(mlirValueGetType(old), mlirValueGetType(new)))
      continue;
    mlirValueReplaceAllUsesOfWith(old, new);
    cuteRebuildSet(&r->values, old, (MlirValue){NULL});
  }
}

//===-- Arithmetic on vectors ---------------------------------------------===//

static bool isElementwise(MlirOperation op) {
  MlirStringRef name = cuteMlirGetName(op);
  return (cuteMlirStartsWith(name, "arith.") ||
          cuteMlirStartsWith(name, "math.")) &&
         getNumResults(op) == 1 &&
         mlirTypeIsAVector(cuteMlirGetResultType(op, 0));
}

// A vector type with the elements of another.
static MlirType withElements(MlirType vector, MlirType like) {
  int64_t size = mlirShapedTypeGetDimSize(vector, 0);
  return mlirVectorTypeGet(1, &size, mlirShapedTypeGetElementType(like));
}

// The operand as a vector of that many elements; null if it is a vector of
// another number and not a constant of equal elements.
static MlirValue fitOperand(CuteRetype *r, MlirValue operand, MlirType vector) {
  MlirValue value = cuteRebuildGet(&r->values, operand);
  MlirType type = mlirValueGetType(value);
  if (!mlirTypeIsAVector(type) ||
      mlirShapedTypeGetDimSize(type, 0) == mlirShapedTypeGetDimSize(vector, 0))
    return value;
  MlirOperation op = cuteMlirGetOwner(value);
  MlirType target = withElements(vector, type);
  if (mlirOperationIsNull(op))
    return (MlirValue){NULL};
  if (cuteMlirIs(op, "vector.broadcast"))
    return cuteBuildUnary(&r->values.builder, "vector.broadcast",
                          getOperand(op, 0), target);
  MlirAttribute all = cuteMlirGetAttribute(op, "value");
  if (!cuteMlirIs(op, "arith.constant") || !mlirDenseElementsAttrIsSplat(all))
    return (MlirValue){NULL};
  return cuteBuildAttribute(
      &r->values.builder, mlirDenseElementsAttrSplatGet(
                              target, mlirDenseElementsAttrGetSplatValue(all)));
}

// The vector type that an operand has now.
static MlirType newVector(CuteRetype *r, MlirOperation op) {
  CUTE_FOR_OPERANDS(operand, op)
    if (cutePointerMapGet(&r->values.values, operand.ptr))
      return mlirValueGetType(cuteRebuildGet(&r->values, operand));
  return (MlirType){NULL};
}

static bool rewriteVectors(CuteRetype *r, MlirOperation op) {
  enum { MAX_OPERANDS = 4 };
  MlirValue operands[MAX_OPERANDS];
  intptr_t n = getNumOperands(op);
  MlirType vector = newVector(r, op);
  if (n > MAX_OPERANDS || !mlirTypeIsAVector(vector))
    return fail(r, op, "passes it on");
  for (intptr_t i = 0; i < n; ++i) {
    operands[i] = fitOperand(r, getOperand(op, i), vector);
    if (mlirValueIsNull(operands[i]))
      return fail(r, op, "takes a vector whose elements are in another order");
  }
  MlirValue old = getResult(op, 0);
  MlirType result = withElements(vector, mlirValueGetType(old));
  MlirOperation copy =
      cuteBuildAgain(&r->values.builder, op, (size_t)n, operands, 1, &result);
  cuteRebuildSet(&r->values, old, getResult(copy, 0));
  replaceSame(r, op, copy);
  return true;
}

// Has a reduction of a whole vector reduce as many elements as there are.
static void fitReduction(CuteRetype *r, MlirOperation op) {
  CUTE_SCOPED(String) shape = {0};
  bool isWhole =
      cuteDialectIsOp(r->values.dialect, op, CUTE_OP_REDUCE_VECTOR) &&
      !mlirTypeIsAVector(cuteMlirGetResultType(op, 0));
  if (!isWhole)
    return;
  cuteStringAppendFormat(&shape, "%jd",
                         mlirShapedTypeGetDimSize(newVector(r, op), 0));
  const CuteBuilder *b = &r->values.builder;
  cuteMlirSetAttribute(op, "shape", cuteStringAttr(b, cuteStringGet(&shape)));
  cuteMlirSetAttribute(op, "profile", cuteStringAttr(b, "0"));
}

//===-- Ops of the dialect ------------------------------------------------===//

// The op again on operands that have changed, with the types that follow.
static bool rewriteOp(CuteRetype *r, MlirOperation op) {
  CuteDialect *dialect = r->values.dialect;
  CuteContext c = dialect->context;
  r->values.builder = cuteBuilderBefore(op);
  if (isElementwise(op))
    return rewriteVectors(r, op);
  if (!cuteDialectGetDecl(dialect, op))
    return fail(r, op, "passes it on");
  fitReduction(r, op);
  cuteRebuildOp(&r->values, op);
  if (r->values.failed)
    return fail(r, op, cuteContextGetError(c));
  MlirOperation copy = r->values.latest;
  CuteArenaMark mark = cuteArenaGetMark(&c->scratch);
  CuteOp instance =
      cuteDialectGetOp(dialect, cuteDialectGetDecl(dialect, copy), copy);
  bool ok = cuteOpVerify(&instance);
  cuteArenaReset(&c->scratch, mark);
  if (!ok)
    return fail(r, op, cuteContextGetError(c));
  replaceSame(r, op, copy);
  return true;
}

// Tells whether the user has chosen a replacement for the op's result.
static bool hasSuccessor(CuteRetype *r, MlirOperation op) {
  return getNumResults(op) == 1 &&
         cutePointerMapGet(&r->values.values, getResult(op, 0).ptr);
}

// Definitions come before uses, so one walk in order suffices. Old ops go from
// the end.
bool cuteRetypeRun(CuteRetype *r, MlirOperation function) {
  CuteOps all = {0}, old = {0};
  CUTE_FOR_NESTED(op, function)
    cuteOpsPush(&all, op);
  CUTE_FOR_LIST(op, all) {
    if (!isChanged(r, op))
      continue;
    cuteOpsPush(&old, op);
    if (!hasSuccessor(r, op) && !rewriteOp(r, op))
      return false;
  }
  for (size_t i = old.count; i-- > 0;)
    mlirOperationDestroy(old.data[i]);
  return true;
}
