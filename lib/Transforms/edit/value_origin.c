#include "Transforms/edit/value_origin.h"

#include "IR/effects.h"

MlirOperation cuteValueGetOpOf(CuteDialect *dialect, MlirValue value,
                               CuteOpId id) {
  MlirOperation op = cuteMlirGetOwner(value);
  return cuteDialectIsOp(dialect, op, id) ? op : (MlirOperation){NULL};
}

MlirOperation cuteValueGetMaker(CuteDialect *dialect, MlirOperation op,
                                intptr_t i, CuteOpId id) {
  return mlirOperationIsNull(op)
             ? op
             : cuteValueGetOpOf(dialect, getOperand(op, i), id);
}

bool cuteValueIsSame(CuteDialect *dialect, MlirValue a, MlirValue b) {
  if (mlirValueEqual(a, b))
    return true;
  MlirOperation x = cuteMlirGetOwner(a), y = cuteMlirGetOwner(b);
  if (mlirOperationIsNull(x) || mlirOperationIsNull(y) ||
      !mlirTypeEqual(mlirValueGetType(a), mlirValueGetType(b)) ||
      mlirOpResultGetResultNumber(a) != mlirOpResultGetResultNumber(b) ||
      !mlirStringRefEqual(cuteMlirGetName(x), cuteMlirGetName(y)) ||
      cuteEffectGet(dialect, x) != CUTE_EFFECT_NONE ||
      getNumOperands(x) != getNumOperands(y) || mlirOperationGetNumRegions(x) ||
      mlirOperationGetNumRegions(y) || !cuteMlirHaveSameAttributes(x, y))
    return false;
  for (intptr_t i = 0; i < getNumOperands(x); ++i)
    if (!cuteValueIsSame(dialect, getOperand(x, i), getOperand(y, i)))
      return false;
  return true;
}

bool cuteValueIsCounter(CuteDialect *dialect, MlirValue value,
                        MlirOperation loop) {
  MlirOperation op = cuteMlirGetOwner(value);
  if (mlirOperationIsNull(op))
    return mlirValueEqual(value,
                          mlirBlockGetArgument(cuteMlirGetBody(loop, 0), 0));
  CuteType coord = cuteDialectIsOp(dialect, op, CUTE_OP_MAKE_COORD)
                       ? cuteDialectGetValueType(dialect, value)
                       : NULL;
  bool follows =
      coord ? coord->tuple->numLeaves == 1
            : cuteMlirStartsWith(cuteMlirGetName(op), "arith.index_cast");
  return follows && getNumOperands(op) == 1 &&
         cuteValueIsCounter(dialect, getOperand(op, 0), loop);
}

bool cuteValueIsThread(CuteDialect *dialect, MlirValue value) {
  MlirOperation op = cuteMlirGetOwner(value);
  if (mlirOperationIsNull(op))
    return false;
  if (cuteMlirIs(op, "arith.index_cast") ||
      cuteMlirIs(op, "arith.index_castui"))
    return cuteValueIsThread(dialect, getOperand(op, 0));
  return (cuteMlirIs(op, "gpu.thread_id") ||
          cuteDialectIsOp(dialect, op, CUTE_OP_THREAD_IDX)) &&
         !cuteMlirGetDimension(op);
}

// Counts off a shape's leaves, or the dynamic ones, and adds up in `leaf` those
// passed; true at the one with number *n among them.
static bool findLeaf(CuteIntTuple shape, bool onlyDynamic, intptr_t *n,
                     int64_t *leaf) {
  for (size_t i = 0; isTuple(shape) && i < shape->rank; ++i)
    if (findLeaf(shape->elements[i], onlyDynamic, n, leaf))
      return true;
  if (isTuple(shape))
    return false;
  if ((!onlyDynamic || !isStatic(shape)) && (*n)-- == 0)
    return true;
  ++*leaf;
  return false;
}

MlirValue cuteValueGetExtentOf(CuteDialect *dialect, MlirValue value,
                               int64_t *leaf) {
  MlirValue none = {NULL};
  MlirOperation scalars = cuteValueGetOpOf(dialect, value, CUTE_OP_GET_SCALARS);
  MlirOperation from = mlirOperationIsNull(scalars)
                           ? scalars
                           : cuteMlirGetOwner(getOperand(scalars, 0));
  CuteOpId id = cuteDialectGetOpId(dialect, from);
  if (id != CUTE_OP_GET_SHAPE && id != CUTE_OP_GET_LAYOUT && id != CUTE_OP_SIZE)
    return none;
  MlirValue tensor = getOperand(from, 0);
  CuteType type = cuteDialectGetValueType(dialect, tensor);
  intptr_t n = mlirOpResultGetResultNumber(value);
  *leaf = id == CUTE_OP_SIZE ? -1 : 0;
  bool is = type && type->layout && !cuteLayoutIsComposed(type->layout) &&
            (*leaf < 0 ||
             findLeaf(type->layout->shape,
                      cuteMlirHasAttribute(scalars, "only_dynamic"), &n, leaf));
  return is ? tensor : none;
}

bool cuteValueIsUniform(CuteDialect *dialect, MlirValue value,
                        CutePointerMap *seen) {
  MlirOperation op = cuteMlirGetScope(value);
  bool isArgument = mlirValueIsABlockArgument(value);
  if ((isArgument && cuteMlirIs(op, "gpu.func")) ||
      cutePointerMapGet(seen, op.ptr))
    return true;
  bool isIndex = isArgument && cuteMlirIs(op, "scf.for") &&
                 !mlirBlockArgumentGetArgNumber(value);
  bool computes =
      !isArgument && (cuteEffectGet(dialect, op) == CUTE_EFFECT_NONE ||
                      cuteMlirStartsWith(cuteMlirGetName(op), "arith."));
  if ((!isIndex && !computes) ||
      CUTE_IS_ANY(op, "gpu.thread_id", "gpu.lane_id", "gpu.subgroup_id",
                  "gpu.global_id") ||
      cuteDialectIsOp(dialect, op, CUTE_OP_THREAD_IDX) ||
      cuteDialectIsOp(dialect, op, CUTE_OP_LANE_IDX) ||
      cuteDialectIsOp(dialect, op, CUTE_OP_WARP_IDX))
    return false;
  intptr_t n = isIndex ? 3 : getNumOperands(op);
  for (intptr_t i = 0; i < n; ++i)
    if (!cuteValueIsUniform(dialect, getOperand(op, i), seen))
      return false;
  cutePointerMapSet(seen, op.ptr, op.ptr);
  return true;
}
