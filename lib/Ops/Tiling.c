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
    CUTE_HOOKS("logical_product", inferProduct, .variant = CUTE_FORM_LOGICAL),
    CUTE_HOOKS("zipped_product", inferProduct, .variant = CUTE_FORM_ZIPPED),
    CUTE_HOOKS("tiled_product", inferProduct, .variant = CUTE_FORM_TILED),
    CUTE_HOOKS("flat_product", inferProduct, .variant = CUTE_FORM_FLAT),
    CUTE_HOOKS("blocked_product", inferProduct, .variant = BLOCKED),
    CUTE_HOOKS("raked_product", inferProduct, .variant = RAKED),
    CUTE_HOOKS("tile_to_shape", inferTileToShape),
    {.name = NULL},
};
