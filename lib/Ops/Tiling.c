// Divides, products and tile_to_shape.
#include "Ops/ops.h"

typedef CuteLayout ProductFunction(CuteContext context, CuteLayout a,
                                   CuteLayout b);

static bool isEmpty(CuteLayout layout) {
  return isTuple(layout->shape) && !layout->shape->rank;
}

// The result has the type that the open dialect infers, which has no tiles of
// ():().
static bool inferDivide(CuteOp *op, CuteTileForm form) {
  CuteLayout layout = operandLayout(op, 0);
  if (form == CUTE_FORM_ZIPPED && isEmpty(layout))
    return cuteOpReturnView(op, layout);
  return cuteOpReturnView(op, cuteLayoutDivideInto(op->context, layout,
                                                   cuteOpGetTiler(op, 1), form,
                                                   DIVIDE_LEAVES));
}

static bool inferProduct(CuteOp *op, ProductFunction *product) {
  CuteLayout block = operandLayout(op, 0);
  if (isEmpty(block))
    return cuteFail(op->context, "product: the block has no modes to repeat");
  return cuteOpReturnLayout(op,
                            product(op->context, block, operandLayout(op, 1)));
}

static bool inferLogicalDivide(CuteOp *op) {
  return inferDivide(op, CUTE_FORM_LOGICAL);
}
static bool inferZippedDivide(CuteOp *op) {
  return inferDivide(op, CUTE_FORM_ZIPPED);
}
static bool inferTiledDivide(CuteOp *op) {
  return inferDivide(op, CUTE_FORM_TILED);
}
static bool inferFlatDivide(CuteOp *op) {
  return inferDivide(op, CUTE_FORM_FLAT);
}

static bool inferLogicalProduct(CuteOp *op) {
  return inferProduct(op, cuteLayoutLogicalProduct);
}
static bool inferZippedProduct(CuteOp *op) {
  return inferProduct(op, cuteLayoutZippedProduct);
}
static bool inferTiledProduct(CuteOp *op) {
  return inferProduct(op, cuteLayoutTiledProduct);
}
static bool inferFlatProduct(CuteOp *op) {
  return inferProduct(op, cuteLayoutFlatProduct);
}
static bool inferBlockedProduct(CuteOp *op) {
  return inferProduct(op, cuteLayoutBlockedProduct);
}
static bool inferRakedProduct(CuteOp *op) {
  return inferProduct(op, cuteLayoutRakedProduct);
}

static bool isPermutation(CuteContext c, CuteIntTuple order, size_t rank) {
  bool *seen = cuteArenaAllocate(&c->scratch, rank + 1);
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
    {.name = "logical_divide", .infer = inferLogicalDivide},
    {.name = "zipped_divide", .infer = inferZippedDivide},
    {.name = "tiled_divide", .infer = inferTiledDivide},
    {.name = "flat_divide", .infer = inferFlatDivide},
    {.name = "logical_product", .infer = inferLogicalProduct},
    {.name = "zipped_product", .infer = inferZippedProduct},
    {.name = "tiled_product", .infer = inferTiledProduct},
    {.name = "flat_product", .infer = inferFlatProduct},
    {.name = "blocked_product", .infer = inferBlockedProduct},
    {.name = "raked_product", .infer = inferRakedProduct},
    {.name = "tile_to_shape", .infer = inferTileToShape},
    {.name = NULL},
};
