// Tiles that are copied once, before the loop.
#include "Transforms/tma_tile.h"

#include <stdlib.h>

// Tells whether an op has an access to an allocation, or to any if that is
// null.
static bool accesses(CuteKernel *kernel, MlirOperation op, MlirValue memory) {
  if (cuteEffectGet(kernel->dialect, op) != CUTE_EFFECT_ACCESS)
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (cuteViewIsIn(kernel->dialect, operand, CUTE_SMEM) &&
        (mlirValueIsNull(memory) ||
         mlirValueEqual(cuteViewGetRoot(kernel->dialect, operand, CUTE_SMEM),
                        memory)))
      return true;
  }
  return false;
}

bool cuteTmaCheckOnce(CuteKernel *kernel, const CuteTmaTile *tile) {
  MlirValue memory = mlirOperationGetResult(tile->alloc, 0);
  CuteOpList list = cuteOpListCollect(kernel->dialect, kernel->function);
  for (size_t i = 0; i < list.count; ++i) {
    intptr_t written = cuteEffectGetWritten(kernel->dialect, list.ops[i]);
    if (written >= 0 && !mlirOperationEqual(list.ops[i], tile->copy) &&
        accesses(kernel, list.ops[i], memory) &&
        mlirValueEqual(
            cuteViewGetRoot(kernel->dialect,
                            mlirOperationGetOperand(list.ops[i], written),
                            CUTE_SMEM),
            memory))
      cuteKernelFail(kernel, list.ops[i],
                     "writes shared memory to which a tile is copied before "
                     "the loop; give it an allocation of its own");
  }
  cuteOpListDestroy(&list);
  return !kernel->problem.length;
}

// The op of the kernel's block that is or contains an op.
static MlirOperation outermost(CuteKernel *kernel, MlirOperation op) {
  while (!mlirBlockEqual(mlirOperationGetBlock(op), kernel->block))
    op = mlirOperationGetParentOperation(op);
  return op;
}

MlirOperation cuteTmaFindLastUse(CuteKernel *kernel, MlirOperation alloc,
                                 MlirOperation loop) {
  MlirValue memory = mlirOperationGetResult(alloc, 0);
  CuteOpList list = cuteOpListCollect(kernel->dialect, kernel->function);
  MlirOperation last = loop;
  bool isAfter = false;
  for (size_t i = 0; i < list.count; ++i) {
    MlirOperation outer = mlirOperationEqual(list.ops[i], kernel->function)
                              ? list.ops[i]
                              : outermost(kernel, list.ops[i]);
    isAfter |= mlirOperationEqual(outer, loop);
    if (isAfter && accesses(kernel, list.ops[i], memory))
      last = outer;
  }
  cuteOpListDestroy(&list);
  return last;
}

static bool isOp(CuteKernel *kernel, MlirOperation op, CuteOpId id) {
  return cuteDialectIsOp(kernel->dialect, op, id);
}

// Tells whether an op, or one within it, has another access to shared memory
// than these copies.
static bool hasOtherAccess(CuteKernel *kernel, MlirOperation op,
                           const CuteOps *copies) {
  CuteOpList list = cuteOpListCollect(kernel->dialect, op);
  bool found = false;
  for (size_t i = 0; i < list.count; ++i)
    found |= !cuteOpsContain(copies, list.ops[i]) &&
             accesses(kernel, list.ops[i], (MlirValue){NULL});
  cuteOpListDestroy(&list);
  return found;
}

void cuteTmaDropWaits(CuteKernel *kernel, const CuteOps *copies) {
  MlirOperation op = mlirBlockGetFirstOperation(kernel->block);
  bool isOther = false, isWaiting = false;
  while (copies->count && !cuteMlirIs(op, "scf.for")) {
    MlirOperation next = mlirOperationGetNextInBlock(op);
    bool isWait = isOp(kernel, op, CUTE_OP_CP_ASYNC_COMMIT) ||
                  isOp(kernel, op, CUTE_OP_CP_ASYNC_WAIT) ||
                  isOp(kernel, op, CUTE_OP_CP_ASYNC_WAIT_ALL);
    bool isBarrier = cuteMlirIs(op, "gpu.barrier");
    isOther |= hasOtherAccess(kernel, op, copies);
    isWaiting |= isWait;
    if (isWait || (isBarrier && isWaiting && !isOther))
      mlirOperationDestroy(op);
    isWaiting &= !isBarrier;
    op = next;
  }
}
