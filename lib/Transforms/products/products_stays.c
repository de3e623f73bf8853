// Tells whether a tile still lies in shared memory when a product, in place of
// a copy to registers before it, reads it.
#include "Transforms/products/to_wgmma.h"

// The allocation that a side of a copy lies in; through the parts of a TMA
// copy.
static MlirValue allocOf(CuteKernel *kernel, MlirValue memory) {
  CuteDialect *dialect = kernel->dialect;
  MlirOperation parts =
      cuteValueGetOpOf(dialect, memory, CUTE_OP_TMA_PARTITION);
  return cuteViewGetRoot(
      dialect, mlirOperationIsNull(parts) ? memory : getOperand(parts, 1),
      CUTE_SMEM);
}

// The pipeline whose barrier a TMA load arrives at; null for other copies.
static MlirValue pipelineOf(CuteKernel *kernel, MlirOperation copy) {
  CuteDialect *dialect = kernel->dialect;
  MlirOperation with =
      cuteValueGetMaker(dialect, copy, 0, CUTE_OP_WITH_BARRIER);
  MlirOperation barrier =
      cuteValueGetMaker(dialect, with, 1, CUTE_OP_PRODUCER_BARRIER);
  return cuteMlirGetOperand(barrier, 0);
}

// The pipeline of the only op that writes the allocation of a tile before a
// product; null if there are others. What threads write after it is gone when
// the next round has loaded the tile.
static MlirValue findPipeline(CuteKernel *kernel, MlirValue tile,
                              MlirOperation gemm) {
  CuteDialect *dialect = kernel->dialect;
  MlirValue root = allocOf(kernel, tile), pipeline = {NULL};
  size_t n = 0;
  bool isAfter = false;
  CUTE_FOR_NESTED(op, kernel->function) {
    isAfter |= mlirOperationEqual(op, gemm);
    intptr_t written = cuteEffectGetWritten(dialect, op);
    MlirValue target = {NULL};
    if (written >= 0)
      target = getOperand(op, written);
    if (written < 0 || !cuteViewIsIn(dialect, target, CUTE_SMEM) ||
        !mlirValueEqual(allocOf(kernel, target), root))
      continue;
    MlirValue own = cuteDialectIsOp(dialect, op, CUTE_OP_COPY)
                        ? pipelineOf(kernel, op)
                        : (MlirValue){NULL};
    n += !mlirValueIsNull(own) || !isAfter;
    pipeline = mlirValueIsNull(own) ? pipeline : own;
  }
  return n == 1 ? pipeline : (MlirValue){NULL};
}

bool cuteProductsIsLoaded(CuteKernel *kernel, MlirValue tile,
                          MlirOperation gemm) {
  return !mlirValueIsNull(findPipeline(kernel, tile, gemm));
}

// Tells whether a TMA load of the pipeline writes the allocation.
static bool isLoadedBy(CuteKernel *kernel, MlirValue root, MlirValue pipeline) {
  CuteDialect *dialect = kernel->dialect;
  CUTE_FOR_NESTED(op, kernel->function) {
    if (!cuteDialectIsOp(dialect, op, CUTE_OP_COPY))
      continue;
    MlirValue target = getOperand(op, cuteEffectGetWritten(dialect, op));
    if (cuteViewIsIn(dialect, target, CUTE_SMEM) &&
        mlirValueEqual(pipelineOf(kernel, op), pipeline) &&
        mlirValueEqual(allocOf(kernel, target), root))
      return true;
  }
  return false;
}

bool cuteProductsThreadsRead(CuteKernel *kernel, MlirValue pipeline) {
  CuteDialect *dialect = kernel->dialect;
  CUTE_FOR_NESTED(op, kernel->function)
    for (intptr_t i = 0;
         !cuteDialectIsOp(dialect, op, CUTE_OP_GEMM) && i < getNumOperands(op);
         ++i) {
      MlirValue operand = getOperand(op, i);
      if (cuteEffectReads(dialect, op, i) &&
          cuteViewIsIn(dialect, operand, CUTE_SMEM) &&
          isLoadedBy(kernel, allocOf(kernel, operand), pipeline))
        return true;
    }
  return false;
}

// Tells whether an op, or one within it, releases a stage of the pipeline or
// fills one.
static bool changesHands(CuteKernel *kernel, MlirOperation op,
                         MlirValue pipeline) {
  return cuteOpListHasOn(kernel->dialect, op, CUTE_OP_CONSUMER_RELEASE, 0,
                         pipeline) ||
         cuteOpListHasOn(kernel->dialect, op, CUTE_OP_PRODUCER_ACQUIRE, 0,
                         pipeline);
}

bool cuteProductsCheckStays(CuteKernel *kernel, MlirOperation gemm,
                            MlirOperation copy, MlirValue tile) {
  if (mlirBlockEqual(mlirOperationGetBlock(copy), mlirOperationGetBlock(gemm)))
    return true;
  MlirOperation outer = gemm;
  while (!cuteMlirIs(outer, "gpu.func") &&
         !mlirBlockEqual(mlirOperationGetBlock(outer),
                         mlirOperationGetBlock(copy)))
    outer = mlirOperationGetParentOperation(outer);
  MlirValue pipeline = findPipeline(kernel, tile, gemm);
  bool stays = !cuteMlirIs(outer, "gpu.func") && !mlirValueIsNull(pipeline);
  MlirOperation op = copy;
  while (stays && !mlirOperationEqual(op, outer)) {
    op = mlirOperationGetNextInBlock(op);
    stays = !mlirOperationIsNull(op) && !changesHands(kernel, op, pipeline);
  }
  return stays ||
         cuteKernelFail(kernel, copy,
                        "copies a tile to registers in another region than the "
                        "product, and the tile may be overwritten before wgmma "
                        "could read it from shared memory");
}

//===-- Sums that begin as zeros ------------------------------------------===//

bool cuteProductsTouch(CuteKernel *kernel, MlirOperation outer,
                       MlirValue root) {
  CUTE_FOR_NESTED(op, outer)
    if (cuteViewIsAccessed(kernel->dialect, op, CUTE_RMEM, root))
      return true;
  return false;
}

// The cute.clear of all of the sums that a product adds to, with no access to
// them between; null if there is none.
static MlirOperation findClear(CuteKernel *kernel, MlirOperation gemm) {
  CuteDialect *dialect = kernel->dialect;
  MlirValue sums = getOperand(gemm, 1);
  MlirValue root = cuteViewGetRoot(dialect, sums, CUTE_RMEM);
  MlirOperation last = {NULL};
  CUTE_FOR_OPS_BEFORE(op, gemm)
    if (cuteProductsTouch(kernel, op, root))
      last = op;
  return cuteDialectIsOp(dialect, last, CUTE_OP_CLEAR) &&
                 mlirValueEqual(getOperand(last, 0), sums)
             ? last
             : (MlirOperation){NULL};
}

void cuteProductsDropClears(CuteKernel *kernel) {
  CUTE_FOR_FOUND(gemm, cuteKernelFindOps(kernel, CUTE_OP_GEMM)) {
    MlirOperation clear = findClear(kernel, gemm);
    if (mlirOperationIsNull(clear) || getNumOperands(gemm) != 5)
      continue;
    CuteRebuild r = cuteRebuildBefore(kernel->dialect, gemm);
    MlirValue operands[6];
    for (intptr_t j = 0; j < 5; ++j)
      operands[j] = getOperand(gemm, j);
    operands[5] = cuteBuildInt(&r.builder, 1, 0);
    cuteEmitDo(&r, CUTE_OP_GEMM, 6, operands);
    if (r.failed)
      continue;
    mlirOperationDestroy(gemm);
    mlirOperationDestroy(clear);
  }
}
