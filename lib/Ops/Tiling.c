// Divides, products and tile_to_shape.
#include "Ops/ops.h"

static bool isEmpty(CuteLayout layout) {
  return isTuple(layout->shape) && !layout->shape->rank;
}

// The result has the type that the open dialect infers, which has no tiles of
// ():().
CUTE_INFER(inferDivide, cuteOpReturnView,
           VARIANT == CUTE_FORM_ZIPPED && isEmpty(LAYOUT(0))
               ? LAYOUT(0)
               : cuteLayoutDivideInto(c, LAYOUT(0), TILER(1),
                                      (CuteTileForm)VARIANT, DIVIDE_LEAVES));

// The forms of a product: a divide's forms, and two more.
enum { BLOCKED = CUTE_FORM_FLAT + 1, RAKED };

static CuteLayout productOf(const CuteOp *op) {
  static CuteLayout (*const products[])(CuteContext, CuteLayout, CuteLayout) = {
      cuteLayoutLogicalProduct, cuteLayoutZippedProduct,
      cuteLayoutTiledProduct,   cuteLayoutFlatProduct,
      cuteLayoutBlockedProduct, cuteLayoutRakedProduct};
  if (isEmpty(LAYOUT(0)))
    return cuteFail(op->context, "product: the block has no modes to repeat");
  return products[VARIANT](op->context, LAYOUT(0), LAYOUT(1));
}

CUTE_INFER(inferProduct, cuteOpReturnLayout, productOf(op));

static bool hasDistinctKeys(CuteIntTuple order) {
  for (size_t i = 0; i < order->rank; ++i) {
    if (!isStatic(element(order, i)))
      return false;
    for (size_t k = 0; k < i; ++k)
      if (element(order, i)->value == element(order, k)->value)
        return false;
  }
  return true;
}

static bool inferTileToShape(CuteOp *op) {
  CuteIntTuple order = op->numOperands > 2 ? operandTuple(op, 2) : NULL;
  CuteIntTuple shape = operandTuple(op, 1);
  if (order && (order->rank != shape->rank || !hasDistinctKeys(order)))
    return cuteFailTuples(op->context, "tile_to_shape: order ", order,
                          " needs a different number for each mode of ", shape);
  return cuteOpReturnLayout(
      op,
      cuteLayoutTileToShape(op->context, operandLayout(op, 0), shape, order));
}

const CuteOpHooks cuteTilingOps[] = {
    CUTE_HOOKS("logical_divide", inferDivide, .variant = CUTE_FORM_LOGICAL),
    CUTE_HOOKS("zipped_divide", inferDivide, .variant = CUTE_FORM_ZIPPED),
    CUTE_HOOKS("tiled_divide", inferDivide, .variant = CUTE_FORM_TILED),
    CUTE_HOOKS("flat_divide", inferDivide, .variant = CUTE_FORM_FLAT),
    CUTE_HOOKS("logical_product", inferProduct, .variant = CUTE_FORM_LOGICAL),
    CUTE_HOOKS("zipped_product", inferProduct, .variant = CUTE_FORM_ZIPPED),
    CUTE_HOOKS("tiled_product", inferProduct, .variant = CUTE_FORM_TILED),
    CUTE_HOOKS("flat_product", inferProduct, .variant = CUTE_FORM_FLAT),
    CUTE_HOOKS("blocked_product", inferProduct, .variant = BLOCKED),
    CUTE_HOOKS("raked_product", inferProduct, .variant = RAKED),
    CUTE_HOOKS("tile_to_shape", inferTileToShape),
    {.name = NULL},
};
