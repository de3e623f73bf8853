// Tells whether a tile still lies in shared memory when a product, in place of
// a copy to registers before it, reads it.
#include "Transforms/to_wgmma.h"

#include <stdlib.h>

// The allocation that a side of a copy lies in; through the parts of a TMA
// copy.
static MlirValue allocOf(CuteKernel *kernel, MlirValue memory) {
  CuteDialect *dialect = kernel->dialect;
  MlirOperation parts =
      cuteValueGetOpOf(dialect, memory, CUTE_OP_TMA_PARTITION);
  return cuteViewGetRoot(
      dialect,
      mlirOperationIsNull(parts) ? memory : mlirOperationGetOperand(parts, 1),
      CUTE_SMEM);
}

// The pipeline whose barrier a TMA load arrives at; null for other copies.
static MlirValue pipelineOf(CuteKernel *kernel, MlirOperation copy) {
  CuteDialect *dialect = kernel->dialect;
  MlirOperation with = cuteValueGetOpOf(
      dialect, mlirOperationGetOperand(copy, 0), CUTE_OP_WITH_BARRIER);
  MlirOperation barrier =
      mlirOperationIsNull(with)
          ? with
          : cuteValueGetOpOf(dialect, mlirOperationGetOperand(with, 1),
                             CUTE_OP_PRODUCER_BARRIER);
  return mlirOperationIsNull(barrier) ? (MlirValue){NULL}
                                      : mlirOperationGetOperand(barrier, 0);
}

// The pipeline of the only op that writes the allocation of a tile; null if
// there are others.
static MlirValue findPipeline(CuteKernel *kernel, MlirValue tile) {
  CuteDialect *dialect = kernel->dialect;
  MlirValue root = allocOf(kernel, tile), pipeline = {NULL};
  CuteOpList list = cuteOpListCollect(dialect, kernel->function);
  size_t n = 0;
  for (size_t i = 0; i < list.count; ++i) {
    intptr_t written = cuteEffectGetWritten(dialect, list.ops[i]);
    MlirValue target = {NULL};
    if (written >= 0)
      target = mlirOperationGetOperand(list.ops[i], written);
    if (written < 0 || !cuteViewIsIn(dialect, target, CUTE_SMEM) ||
        !mlirValueEqual(allocOf(kernel, target), root))
      continue;
    ++n;
    pipeline = list.decls[i]->id == CUTE_OP_COPY
                   ? pipelineOf(kernel, list.ops[i])
                   : (MlirValue){NULL};
  }
  cuteOpListDestroy(&list);
  return n == 1 ? pipeline : (MlirValue){NULL};
}

// Tells whether a TMA load of the pipeline writes the allocation.
static bool isLoadedBy(CuteKernel *kernel, const CuteOpList *list,
                       MlirValue root, MlirValue pipeline) {
  for (size_t i = 0; i < list->count; ++i) {
    intptr_t written = list->decls[i]->traits.written;
    if (list->decls[i]->id == CUTE_OP_COPY &&
        cuteViewIsIn(kernel->dialect,
                     mlirOperationGetOperand(list->ops[i], written),
                     CUTE_SMEM) &&
        mlirValueEqual(pipelineOf(kernel, list->ops[i]), pipeline) &&
        mlirValueEqual(
            allocOf(kernel, mlirOperationGetOperand(list->ops[i], written)),
            root))
      return true;
  }
  return false;
}

bool cuteProductsThreadsRead(CuteKernel *kernel, MlirValue pipeline) {
  CuteDialect *dialect = kernel->dialect;
  CuteOpList list = cuteOpListCollect(dialect, kernel->function);
  bool found = false;
  for (size_t i = 0; i < list.count; ++i)
    for (intptr_t j = 0; list.decls[i]->id != CUTE_OP_GEMM && !found &&
                         j < mlirOperationGetNumOperands(list.ops[i]);
         ++j) {
      MlirValue operand = mlirOperationGetOperand(list.ops[i], j);
      found = cuteEffectReads(dialect, list.ops[i], j) &&
              cuteViewIsIn(dialect, operand, CUTE_SMEM) &&
              isLoadedBy(kernel, &list, allocOf(kernel, operand), pipeline);
    }
  cuteOpListDestroy(&list);
  return found;
}

// Tells whether an op, or one within it, releases a stage of the pipeline or
// fills one.
static bool changesHands(CuteKernel *kernel, MlirOperation op,
                         MlirValue pipeline) {
  CuteOpList list = cuteOpListCollect(kernel->dialect, op);
  bool found = false;
  for (size_t i = 0; i < list.count; ++i)
    found |= (list.decls[i]->id == CUTE_OP_CONSUMER_RELEASE ||
              list.decls[i]->id == CUTE_OP_PRODUCER_ACQUIRE) &&
             mlirValueEqual(mlirOperationGetOperand(list.ops[i], 0), pipeline);
  cuteOpListDestroy(&list);
  return found;
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
  MlirValue pipeline = findPipeline(kernel, tile);
  bool stays = !cuteMlirIs(outer, "gpu.func") && !mlirValueIsNull(pipeline);
  MlirOperation op = copy;
  while (stays && !mlirOperationEqual(op, outer)) {
    op = mlirOperationGetNextInBlock(op);
    stays = !mlirOperationIsNull(op) && !changesHands(kernel, op, pipeline);
  }
  return stays ||
         cuteKernelFail(kernel, copy,
                        "brings a tile to registers in another block than "
                        "that of the product, and the tile may be overwritten "
                        "before the product could read it from shared memory");
}

//===-- Sums that begin as zeros ------------------------------------------===//

bool cuteProductsTouch(CuteKernel *kernel, MlirOperation op, MlirValue root) {
  CuteDialect *dialect = kernel->dialect;
  CuteOpList list = cuteOpListCollect(dialect, op);
  bool found = false;
  for (size_t i = 0; i < list.count; ++i)
    for (intptr_t j = 0; list.decls[i]->traits.effect == CUTE_EFFECT_ACCESS &&
                         j < mlirOperationGetNumOperands(list.ops[i]);
         ++j) {
      MlirValue operand = mlirOperationGetOperand(list.ops[i], j);
      found |=
          cuteViewIsIn(dialect, operand, CUTE_RMEM) &&
          mlirValueEqual(cuteViewGetRoot(dialect, operand, CUTE_RMEM), root);
    }
  cuteOpListDestroy(&list);
  return found;
}

// The cute.clear of all of the sums that a product adds to, with no access to
// them between; null if there is none.
static MlirOperation findClear(CuteKernel *kernel, MlirOperation gemm) {
  CuteDialect *dialect = kernel->dialect;
  MlirValue sums = mlirOperationGetOperand(gemm, 1);
  MlirValue root = cuteViewGetRoot(dialect, sums, CUTE_RMEM);
  MlirOperation last = {NULL};
  for (MlirOperation op =
           mlirBlockGetFirstOperation(mlirOperationGetBlock(gemm));
       !mlirOperationEqual(op, gemm); op = mlirOperationGetNextInBlock(op))
    if (cuteProductsTouch(kernel, op, root))
      last = op;
  return !mlirOperationIsNull(last) &&
                 cuteDialectIsOp(dialect, last, CUTE_OP_CLEAR) &&
                 mlirValueEqual(mlirOperationGetOperand(last, 0), sums)
             ? last
             : (MlirOperation){NULL};
}

void cuteProductsDropClears(CuteKernel *kernel) {
  CuteOps gemms = cuteKernelFindOps(kernel, CUTE_OP_GEMM);
  for (size_t i = 0; i < gemms.count; ++i) {
    MlirOperation gemm = gemms.data[i];
    MlirOperation clear = findClear(kernel, gemm);
    if (mlirOperationIsNull(clear) || mlirOperationGetNumOperands(gemm) != 5)
      continue;
    CuteBuilder b = cuteBuilderBefore(gemm);
    CuteRebuild r = {.dialect = kernel->dialect, .builder = &b};
    MlirValue operands[6];
    for (intptr_t j = 0; j < 5; ++j)
      operands[j] = mlirOperationGetOperand(gemm, j);
    operands[5] = cuteBuildInt(&b, 1, 0);
    cuteRebuildCreate(&r, CUTE_OP_GEMM, 6, operands, 0, NULL);
    if (r.failed)
      continue;
    mlirOperationDestroy(gemm);
    mlirOperationDestroy(clear);
  }
  free(gemms.data);
}
