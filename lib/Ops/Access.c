// Ops that take values apart.
#include "Ops/ops.h"

static bool inferGetShape(CuteOp *op) {
  CuteType type = op->operands[0];
  CuteIntTuple shape = type->kind == CUTE_TYPE_TILE
                           ? cuteTileGetShapes(op->context, type->tile)
                           : type->layout->shape;
  return cuteOpReturnTuple(op, CUTE_TYPE_SHAPE, shape);
}

static bool inferGetStride(CuteOp *op) {
  return cuteOpReturnTuple(op, CUTE_TYPE_STRIDE, operandLayout(op, 0)->stride);
}

static bool inferComposedGetInner(CuteOp *op) {
  CuteLayout layout = operandLayout(op, 0);
  if (cuteLayoutHasSwizzle(layout))
    return cuteOpPushResult(op,
                            cuteTypeGetSwizzle(op->context, layout->swizzle));
  return cuteOpReturnLayout(op, layout->inner);
}

static bool inferComposedGetOffset(CuteOp *op) {
  return cuteOpReturnTuple(op, CUTE_TYPE_INT_TUPLE,
                           operandLayout(op, 0)->offset);
}

//===-- Leaves and scalars ------------------------------------------------===//

static bool pushTileLeaves(CuteOp *op, CuteTile tile, bool withUnderscores) {
  if (tile->kind == TILE_LAYOUT)
    return cuteOpReturnLayout(op, tile->layout);
  if (tile->kind == TILE_UNDERSCORE)
    return !withUnderscores || cuteOpReturnTile(op, tile);
  for (size_t i = 0; i < tile->rank; ++i)
    if (!pushTileLeaves(op, tile->elements[i], withUnderscores))
      return false;
  return true;
}

static bool inferGetLeaves(CuteOp *op) {
  CuteType type = op->operands[0];
  if (type->kind == CUTE_TYPE_TILE)
    return pushTileLeaves(op, type->tile, true);
  size_t n = type->tuple->numLeaves;
  CuteIntTuple *leaves = cuteScratch(op->context, n * sizeof *leaves);
  cuteIntTupleGetLeaves(type->tuple, leaves);
  for (size_t i = 0; i < n; ++i)
    if (!cuteOpReturnAlike(op, leaves[i]))
      return false;
  return true;
}

static bool inferGetLayoutsFromTile(CuteOp *op) {
  if (!pushTileLeaves(op, op->operands[0]->tile, false))
    return false;
  if (!op->numResults)
    cuteFail(op->context, "the tile has no layout leaf");
  return op->numResults;
}

static bool inferGetScalars(CuteOp *op) {
  const CuteIntTuple *leaves;
  size_t n = cuteOpGetScalars(op, &leaves);
  for (size_t i = 0; i < n; ++i) {
    CuteIntTuple leaf = leaves[i];
    unsigned width =
        isStatic(leaf) || isDynamic(leaf) ? cuteLeafWidth(leaf) : 0;
    if (width != 32 && width != 64)
      return cuteFailTuple(op->context, "no i32 or i64 can hold the leaf ",
                           leaf);
    if (!cuteOpReturnForeign(op, width == 32 ? "i32" : "i64"))
      return false;
  }
  return true;
}

//===-- Modes -------------------------------------------------------------===//

static bool inferGet(CuteOp *op) {
  CuteContext c = op->context;
  CuteType type = op->operands[0];
  const CuteAttribute *mode = cuteOpGetAttribute(op, "mode");
  size_t n = mode ? mode->numInts : 0;
  const int32_t *path = mode ? mode->ints : NULL;
  if (cuteTypeIsTuple(type))
    return cuteOpReturnAlike(op, cuteIntTupleGetAt(c, type->tuple, n, path));
  if (type->kind == CUTE_TYPE_TILE)
    return cuteOpReturnTile(op, cuteTileGetAt(c, type->tile, n, path));
  return cuteOpReturnView(op, cuteLayoutGetAt(c, type->layout, n, path));
}

static bool inferSelect(CuteOp *op) {
  CuteContext c = op->context;
  CuteType type = op->operands[0];
  const CuteAttribute *mode = cuteOpGetAttribute(op, "mode");
  size_t n = mode->numInts;
  if (cuteTypeIsTuple(type))
    return cuteOpReturnAlike(op,
                             cuteIntTupleSelect(c, type->tuple, n, mode->ints));
  if (type->kind == CUTE_TYPE_TILE)
    return cuteOpReturnTile(op, cuteTileSelect(c, type->tile, n, mode->ints));
  return cuteOpReturnView(op, cuteLayoutSelect(c, type->layout, n, mode->ints));
}

//===-- Relabelling -------------------------------------------------------===//

static bool relabel(CuteOp *op) {
  CuteTypeKind kind = (CuteTypeKind)op->decl->hooks->variant;
  CuteIntTuple tuple = operandTuple(op, 0);
  int refused = HAS_ERROR;
  if (kind == CUTE_TYPE_INT_TUPLE)
    refused |= HAS_UNDERSCORE | HAS_BASIS;
  if (tuple->flags & refused)
    return cuteFailTuple(op->context, "a leaf is not an integer in ", tuple);
  return cuteOpReturnTuple(op, kind, tuple);
}

const CuteOpHooks cuteAccessOps[] = {
    CUTE_HOOKS("get_shape", inferGetShape),
    CUTE_HOOKS("get_stride", inferGetStride),
    CUTE_HOOKS("composed_get_inner", inferComposedGetInner),
    CUTE_HOOKS("composed_get_offset", inferComposedGetOffset),
    CUTE_HOOKS("composed_get_outer", cuteOpInferAlgebra,
               .ofLayout = cuteLayoutGetOuter),
    CUTE_HOOKS("get_leaves", inferGetLeaves),
    CUTE_HOOKS("get_scalars", inferGetScalars),
    CUTE_HOOKS("get", inferGet),
    CUTE_HOOKS("select", inferSelect),
    CUTE_HOOKS("to_int_tuple", relabel, .variant = CUTE_TYPE_INT_TUPLE),
    CUTE_HOOKS("to_shape", relabel, .variant = CUTE_TYPE_SHAPE),
    CUTE_HOOKS("to_stride", relabel, .variant = CUTE_TYPE_STRIDE),
    CUTE_HOOKS("to_coord", relabel, .variant = CUTE_TYPE_COORD),
    CUTE_HOOKS("get_layouts_from_tile", inferGetLayoutsFromTile),
    {.name = NULL},
};
