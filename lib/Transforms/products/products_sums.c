// Gives fragments of a constant shape their place among the sums of a tiled
// MMA, whose shape a program may have computed before it was traced.
#include "Transforms/products/to_wgmma.h"

// The shape of a thread's part of a product's sums, and of the tile of all.
typedef struct Part {
  CuteIntTuple shape, tile;
} Part;

static Part partOf(CuteKernel *kernel, const CuteProduct *product) {
  CuteContext c = kernel->dialect->context;
  CuteIntTuple extents[] = {staticInt(c, product->rows),
                            staticInt(c, product->columns)};
  CuteIntTuple tile = cuteInternTuple(c, 2, extents);
  CuteTiledMma mma = cuteTypeGetTiledMmaValue(
      cuteDialectGetOperandType(kernel->dialect, product->gemm, 0));
  return (Part){
      .shape = cuteTiledMmaPartitionShape(c, mma, CUTE_OPERAND_C, tile),
      .tile = tile,
  };
}

// The cute.make_fragment of a constant shape or layout behind a view, or a
// vector of its elements; null if there is none.
static MlirOperation findMaker(CuteKernel *kernel, MlirValue value) {
  CuteDialect *dialect = kernel->dialect;
  MlirOperation load = cuteValueGetOpOf(dialect, value, CUTE_OP_LOAD_VECTOR);
  if (!mlirOperationIsNull(load))
    value = getOperand(load, 0);
  MlirOperation maker =
      cuteValueGetOpOf(dialect, cuteViewGetRoot(dialect, value, CUTE_RMEM),
                       CUTE_OP_MAKE_FRAGMENT);
  bool isConstant = !mlirOperationIsNull(maker) &&
                    !mlirOperationIsNull(
                        cuteValueGetMaker(dialect, maker, 0, CUTE_OP_STATIC));
  return isConstant ? maker : (MlirOperation){NULL};
}

bool cuteProductsAdopt(CuteProducts *products, MlirValue value) {
  CuteKernel *kernel = products->kernel;
  CuteDialect *dialect = kernel->dialect;
  CuteContext c = dialect->context;
  MlirOperation maker = findMaker(kernel, value);
  if (mlirOperationIsNull(maker))
    return false;
  CuteLayout layout =
      cuteDialectGetValueType(dialect, getResult(maker, 0))->layout;
  for (size_t i = 0; i < products->count; ++i) {
    const CuteProduct *p = &products->data[i];
    Part part = partOf(kernel, p);
    if (!part.shape || layout != cuteLayoutGet(c, part.shape, NULL) ||
        !(mlirBlockEqual(mlirOperationGetBlock(p->mma),
                         mlirOperationGetBlock(maker)) &&
          mlirOperationIsBeforeInBlock(p->mma, maker)))
      continue;
    CuteRebuild r = cuteRebuildBefore(dialect, maker);
    MlirValue shape =
        cuteEmit2(&r, CUTE_OP_PARTITION_SHAPE_C, getResult(p->mma, 0),
                  cuteEmitShape(&r, part.tile));
    if (r.failed)
      return cuteKernelFailOp(kernel, maker);
    mlirOperationSetOperand(maker, 0, shape);
    return true;
  }
  return false;
}
