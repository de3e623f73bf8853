// Ops that take values apart.
#include "Ops/ops.h"

CuteAttribute cuteOpGetModes(const CuteOp *op) {
  const CuteAttribute *mode = cuteOpGetAttribute(op, "mode");
  return mode ? *mode : (CuteAttribute){.decl = NULL};
}

CUTE_INFER(inferGetShape, cuteOpReturnTuple, CUTE_TYPE_SHAPE,
           operandKind(op, 0) == CUTE_TYPE_TILE ? cuteTileGetShapes(c, TILE(0))
                                                : LAYOUT(0)->shape);
CUTE_INFER(inferGetStride, cuteOpReturnTuple, CUTE_TYPE_STRIDE,
           LAYOUT(0)->stride);

static bool inferComposedGetInner(CuteOp *op) {
  CuteLayout layout = operandLayout(op, 0);
  if (cuteLayoutHasSwizzle(layout))
    return cuteOpPushResult(op,
                            cuteTypeGetSwizzle(op->context, layout->swizzle));
  return cuteOpReturnLayout(op, layout->inner);
}

CUTE_INFER(inferComposedGetOffset, cuteOpReturnTuple, CUTE_TYPE_INT_TUPLE,
           LAYOUT(0)->offset);
CUTE_INFER(inferComposedGetOuter, cuteOpReturnLayout,
           cuteLayoutGetOuter(c, LAYOUT(0)));

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

CUTE_INFER_BY_KIND(inferGet, cuteIntTupleGetAt(c, TUPLE(0), MODES),
                   cuteTileGetAt(c, TILE(0), MODES),
                   cuteLayoutGetAt(c, LAYOUT(0), MODES));
CUTE_INFER_BY_KIND(inferSelect, cuteIntTupleSelect(c, TUPLE(0), MODES),
                   cuteTileSelect(c, TILE(0), MODES),
                   cuteLayoutSelect(c, LAYOUT(0), MODES));

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
    CUTE_HOOKS("composed_get_outer", inferComposedGetOuter),
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
