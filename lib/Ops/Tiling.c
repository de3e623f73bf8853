// Divides, products and tile_to_shape.
#include "Ops/ops.h"

static bool isEmpty(CuteLayout layout) {
  return isTuple(layout->shape) && !layout->shape->rank;
}

// The result has the type that the open dialect infers, which has no tiles of
// ():().
static bool inferDivide(CuteOp *op) {
  CuteTileForm form = (CuteTileForm)op->decl->hooks->variant;
  CuteLayout layout = operandLayout(op, 0);
  if (form == CUTE_FORM_ZIPPED && isEmpty(layout))
    return cuteOpReturnView(op, layout);
  return cuteOpReturnView(op, cuteLayoutDivideInto(op->context, layout,
                                                   cuteOpGetTiler(op, 1), form,
                                                   DIVIDE_LEAVES));
}

static bool inferProduct(CuteOp *op) {
  CuteLayout block = operandLayout(op, 0);
  if (isEmpty(block))
    return cuteFail(op->context, "product: the block has no modes to repeat");
  return cuteOpReturnLayout(
      op, op->decl->hooks->ofLayouts(op->context, block, operandLayout(op, 1)));
}

static bool isPermutation(CuteContext c, CuteIntTuple order, size_t rank) {
  bool *seen = cuteScratch(c, rank + 1);
  memset(seen, 0, rank + 1);
  for (size_t i = 0; i < rank; ++i) {
    CuteIntTuple key = element(order, i);
    if (!isStatic(key) || key->value < 0 || key->value >= (int64_t)rank ||
        seen[key->value])
      return false;
    seen[key->value] = true;
  }
  return true;
}

static bool inferTileToShape(CuteOp *op) {
  CuteIntTuple order = op->numOperands > 2 ? operandTuple(op, 2) : NULL;
  CuteIntTuple shape = operandTuple(op, 1);
  if (order && (order->rank != shape->rank ||
                !isPermutation(op->context, order, shape->rank)))
    return cuteFailTuples(op->context, "tile_to_shape: order ", order,
                          " is not a permutation of the modes of ", shape);
  return cuteOpReturnLayout(
      op,
      cuteLayoutTileToShape(op->context, operandLayout(op, 0), shape, order));
}

const CuteOpHooks cuteTilingOps[] = {
    CUTE_HOOKS("logical_divide", inferDivide, .variant = CUTE_FORM_LOGICAL),
    CUTE_HOOKS("zipped_divide", inferDivide, .variant = CUTE_FORM_ZIPPED),
    CUTE_HOOKS("tiled_divide", inferDivide, .variant = CUTE_FORM_TILED),
    CUTE_HOOKS("flat_divide", inferDivide, .variant = CUTE_FORM_FLAT),
    CUTE_HOOKS("logical_product", inferProduct,
               .ofLayouts = cuteLayoutLogicalProduct),
    CUTE_HOOKS("zipped_product", inferProduct,
               .ofLayouts = cuteLayoutZippedProduct),
    CUTE_HOOKS("tiled_product", inferProduct,
               .ofLayouts = cuteLayoutTiledProduct),
    CUTE_HOOKS("flat_product", inferProduct,
               .ofLayouts = cuteLayoutFlatProduct),
    CUTE_HOOKS("blocked_product", inferProduct,
               .ofLayouts = cuteLayoutBlockedProduct),
    CUTE_HOOKS("raked_product", inferProduct,
               .ofLayouts = cuteLayoutRakedProduct),
    CUTE_HOOKS("tile_to_shape", inferTileToShape),
    {.name = NULL},
};
