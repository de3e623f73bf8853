// Barriers in shared memory, by which cp.async says that data has arrived.
#include "Ops/copy_atoms.h"
#include "Ops/lower_ops.h"

enum { MOST = (1 << 20) - 1 }; // arrivals or bytes of a phase

bool cuteMbarrierCheckIn(CuteOp *op, size_t i, int spaces) {
  CuteType type = op->operands[i];
  if (spaces >> type->space & 1 && type->element == CUTE_ELEMENT_I64 &&
      type->align % 8 == 0)
    return true;
  return cuteFail(op->context,
                  "a barrier is an i64 in %s, aligned to 8 bytes, not %s",
                  spaces == CUTE_IN_SMEM    ? "smem"
                  : spaces == CUTE_IN_DSMEM ? "dsmem"
                                            : "smem or dsmem",
                  cuteTypeText(op->context, type));
}

bool cuteMbarrierCheck(CuteOp *op, size_t i) {
  return cuteMbarrierCheckIn(op, i, CUTE_IN_SMEM);
}

static bool checkBarrier(CuteOp *op) { return cuteMbarrierCheck(op, 0); }

// The own barrier, or that of another block.
static bool checkAnyBarrier(CuteOp *op) {
  return cuteMbarrierCheckIn(op, 0, CUTE_IN_SMEM | CUTE_IN_DSMEM);
}

static bool inferInit(CuteOp *op) {
  // PTX ISA, "Size and alignment of mbarrier object".
  return checkBarrier(op) &&
         cuteOpCheckIndex(op, cuteOpGetIndex(op, 1), 1, MOST,
                          "a barrier waits for 1 to 1048575 arrivals");
}

// PTX ISA, "Tracking asynchronous operations by the mbarrier object".
static bool inferExpectTx(CuteOp *op) {
  return checkAnyBarrier(op) &&
         cuteOpCheckIndex(op, cuteOpGetIndex(op, 1), 0, MOST,
                          "a barrier waits for 0 to 1048575 bytes of a phase");
}

static bool inferArriveRemote(CuteOp *op) {
  return checkBarrier(op) && cuteClusterCheckRank(op, 1);
}

static bool inferWait(CuteOp *op) {
  return checkBarrier(op) &&
         cuteOpCheckIndex(op, cuteOpGetIndex(op, 1), 0, 1,
                          "the parity of a phase is 0 or 1");
}

static bool inferTryWait(CuteOp *op) {
  return inferWait(op) && cuteOpReturnForeign(op, "i1");
}

//===-- Lowering ----------------------------------------------------------===//

// Lowers to the target on the barrier and the integer after it.
static bool lowerWithInteger(CuteLowering *l) {
  MlirValue operands[] = {
      cuteLoweringGetPointer(l, 0),
      cuteLoweringGetInteger(l, cuteOpGetIndex(l->op, 1), 32)};
  return cuteLoweringBuildTarget(l, 2, operands);
}

// Without a scope in the text: with that of the cluster it would be a fence of
// all memory.
static bool lowerArriveRemote(CuteLowering *l) {
  MlirValue barrier = cuteClusterMapToRank(l, cuteLoweringGetPointer(l, 0),
                                           cuteOpGetIndex(l->op, 1));
  CUTE_BUILD(&l->builder, "nvvm.mbarrier.arrive", CUTE_OPERANDS(barrier));
  return true;
}

static bool lowerInval(CuteLowering *l) {
  MlirValue barrier = cuteLoweringGetPointer(l, 0);
  return cuteLoweringBuildTarget(l, 1, &barrier);
}

static bool lowerArrive(CuteLowering *l) {
  MlirValue barrier = cuteLoweringGetPointer(l, 0);
  if (l->op->operands[0]->space == CUTE_DSMEM)
    CUTE_BUILD(&l->builder, "nvvm.mbarrier.arrive", CUTE_OPERANDS(barrier));
  else
    cuteBuildUnary(&l->builder, "nvvm.mbarrier.arrive", barrier,
                   cuteIntType(&l->builder, 64));
  return true;
}

#define WAIT_WITH(instruction)                                                 \
  "{\n\t.reg .pred arrived;\nagain:\n\tmbarrier." instruction                  \
  ".parity.shared.b64 arrived, [$0], $1;\n\t@!arrived bra again;\n\t}"

// Labels within braces are local to them. try_wait lets the thread sleep.
void cuteMbarrierBuildWait(CuteLowering *lowering, MlirValue barrier,
                           MlirValue parity) {
  MlirValue operands[] = {barrier, parity};
  bool sleeps = cuteLoweringIsFrom(lowering, 90);
  cuteBuildAsm(&lowering->builder,
               sleeps ? WAIT_WITH("try_wait") : WAIT_WITH("test_wait"),
               sleeps ? "r,r,~{memory}" : "l,r,~{memory}", 2, operands,
               (MlirType){NULL});
}

static bool lowerWait(CuteLowering *l) {
  MlirValue barrier = cuteLoweringGetPointer(l, 0);
  cuteMbarrierBuildWait(
      l, barrier, cuteLoweringGetInteger(l, cuteOpGetIndex(l->op, 1), 32));
  return true;
}

static bool lowerCpAsyncArrive(CuteLowering *l) {
  MlirValue barrier = cuteLoweringGetPointer(l, 0);
  bool noinc = cuteOpGetAttribute(l->op, "noinc");
  CUTE_BUILD(&l->builder, "nvvm.cp.async.mbarrier.arrive",
             CUTE_OPERANDS(barrier),
             CUTE_ATTRIBUTES({"noinc", cuteIntAttr(&l->builder, 1, noinc)}));
  return true;
}

const CuteOpHooks cuteMbarrierOps[] = {
    CUTE_HOOKS("mbarrier_init", inferInit, lowerWithInteger,
               "nvvm.mbarrier.init"),
    CUTE_HOOKS("mbarrier_arrive", checkAnyBarrier, lowerArrive),
    CUTE_HOOKS("mbarrier_wait", inferWait, lowerWait),
    CUTE_HOOKS("cp_async_mbarrier_arrive", checkBarrier, lowerCpAsyncArrive),
    CUTE_HOOKS("mbarrier_expect_tx", inferExpectTx, lowerWithInteger,
               "nvvm.mbarrier.expect_tx"),
    CUTE_HOOKS("mbarrier_arrive_expect_tx", inferExpectTx, lowerWithInteger,
               "nvvm.mbarrier.arrive.expect_tx"),
    CUTE_HOOKS("mbarrier_arrive_remote", inferArriveRemote, lowerArriveRemote),
    CUTE_HOOKS("mbarrier_try_wait", inferTryWait, lowerWithInteger,
               "nvvm.mbarrier.try_wait"),
    CUTE_HOOKS("mbarrier_inval", checkBarrier, lowerInval,
               "nvvm.mbarrier.inval"),
    CUTE_HOOKS("fence_mbarrier_init", cuteOpInferNothing, cuteLowerToTarget,
               "nvvm.fence.mbarrier.init"),
    {.name = NULL},
};
