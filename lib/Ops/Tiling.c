// Divides, products and tile_to_shape.
#include "Ops/ops.h"

typedef CuteLayout DivideFunction(CuteContext context, CuteLayout a,
                                  CuteTile tiler);
typedef CuteLayout ProductFunction(CuteContext context, CuteLayout a,
                                   CuteLayout b);

static bool inferDivide(CuteOp *op, DivideFunction *divide) {
  return cuteOpReturnView(
      op, divide(op->context, operandLayout(op, 0), cuteOpGetTiler(op, 1)));
}

static bool inferProduct(CuteOp *op, ProductFunction *product) {
  return cuteOpReturnLayout(
      op, product(op->context, operandLayout(op, 0), operandLayout(op, 1)));
}

static bool inferLogicalDivide(CuteOp *op) {
  return inferDivide(op, cuteLayoutLogicalDivide);
}
static bool inferZippedDivide(CuteOp *op) {
  return inferDivide(op, cuteLayoutZippedDivide);
}
static bool inferTiledDivide(CuteOp *op) {
  return inferDivide(op, cuteLayoutTiledDivide);
}
static bool inferFlatDivide(CuteOp *op) {
  return inferDivide(op, cuteLayoutFlatDivide);
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

static bool inferTileToShape(CuteOp *op) {
  CuteIntTuple order = op->numOperands > 2 ? operandTuple(op, 2) : NULL;
  return cuteOpReturnLayout(
      op, cuteLayoutTileToShape(op->context, operandLayout(op, 0),
                                operandTuple(op, 1), order));
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
