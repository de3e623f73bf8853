// Tiles that are copied once, before the loop.
#include "Transforms/tma/tma_tile.h"

bool cuteTmaCheckOnce(CuteKernel *kernel, const CuteTmaTile *tile) {
  MlirValue memory = getResult(tile->alloc, 0);
  CUTE_FOR_NESTED(op, kernel->function)
    if (!mlirOperationEqual(op, tile->copy) &&
        mlirValueEqual(cuteViewGetWritten(kernel->dialect, op, CUTE_SMEM),
                       memory))
      cuteKernelFail(kernel, op,
                     "writes shared memory to which a tile is copied before "
                     "the loop; give it an allocation of its own");
  return !kernel->problem;
}

MlirOperation cuteTmaFindLastUse(CuteKernel *kernel, MlirOperation alloc,
                                 MlirOperation loop) {
  MlirValue memory = getResult(alloc, 0);
  MlirOperation last = loop;
  CUTE_FOR_OPS_UNTIL(outer, loop, (MlirOperation){NULL})
    CUTE_FOR_NESTED(op, outer)
      if (cuteViewIsAccessed(kernel->dialect, op, CUTE_SMEM, memory))
        last = outer;
  return last;
}

static bool isOp(CuteKernel *kernel, MlirOperation op, CuteOpId id) {
  return cuteDialectIsOp(kernel->dialect, op, id);
}

// Tells whether an op, or one within it, has another access to shared memory
// than these copies.
static bool hasOtherAccess(CuteKernel *kernel, MlirOperation outer,
                           const CuteOps *copies) {
  CUTE_FOR_NESTED(op, outer)
    if (!cuteOpsContain(copies, op) &&
        cuteViewIsAccessed(kernel->dialect, op, CUTE_SMEM, (MlirValue){NULL}))
      return true;
  return false;
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
