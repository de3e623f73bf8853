// Lets warpgroups that compute start their products in turn: while one computes
// with its sums, the tensor cores work for the next one. Each has a named
// barrier, at which it waits for the one before it.
#include "Transforms/roles/overlap.h"

#include "Transforms/edit/loop_carry.h"

enum { WARPGROUP = 128, FIRST_BARRIER = 2 }; // 1 is that of all consumers

bool cuteOverlapMayTakeTurns(CuteOverlap *o) {
  CUTE_SCOPED(PointerMap) seen = {0};
  bool may = true;
  for (intptr_t i = 0; may && i < 3; ++i)
    may = cuteValueIsUniform(o->kernel->dialect, getOperand(o->loop, i), &seen);
  return may;
}

// The number of the warpgroup, which the compiler sees to be the same in its
// threads.
static MlirValue emitWarpgroup(CuteRebuild *r) {
  MlirValue thread = cuteEmit0(r, CUTE_OP_THREAD_IDX);
  return cuteEmitUniform(&r->builder,
                         cuteEmitWith(r, "arith.divui", thread, WARPGROUP));
}

static void emitBarrier(CuteRebuild *r, CuteOpId id, MlirValue barrier) {
  MlirValue threads = cuteEmitInt(r, 2 * (int64_t)WARPGROUP);
  cuteEmitDo(r, id, CUTE_VALUES(barrier, threads));
}

void cuteOverlapEmitTurn(CuteOverlap *o, CuteRebuild *r) {
  if (!mlirValueIsNull(o->turn))
    emitBarrier(r, CUTE_OP_NAMED_BARRIER_SYNC, o->turn);
}

void cuteOverlapEndTurn(CuteOverlap *o, CuteRebuild *r) {
  if (!mlirValueIsNull(o->turn))
    emitBarrier(r, CUTE_OP_NAMED_BARRIER_ARRIVE, o->nextTurn);
}

void cuteOverlapBeginTurns(CuteOverlap *o, MlirBlock consumer,
                           int64_t warpgroups) {
  MlirOperation first = mlirBlockGetFirstOperation(consumer);
  while (cuteDialectIsOp(o->kernel->dialect, first, CUTE_OP_SET_REGISTERS))
    first = mlirOperationGetNextInBlock(first);
  CuteRebuild r = cuteRebuildBefore(o->kernel->dialect, first);
  MlirValue index = emitWarpgroup(&r);
  MlirValue isLast =
      cuteBuildTest(&r.builder, CUTE_CMPI_EQ, index, warpgroups - 1);
  MlirValue next =
      cuteBuildSelect(&r.builder, isLast, cuteBuildInt(&r.builder, 32, 0),
                      cuteEmitWith(&r, "arith.addi", index, 1));
  o->turn = cuteEmitWith(&r, "arith.addi", index, FIRST_BARRIER);
  o->nextTurn = cuteEmitWith(&r, "arith.addi", next, FIRST_BARRIER);
  cuteEmitEnterIf(&r, isLast);
  emitBarrier(&r, CUTE_OP_NAMED_BARRIER_ARRIVE, o->nextTurn);
}

bool cuteOverlapFindProducts(const CuteOverlap *o, MlirOperation *fence,
                             MlirOperation *commit) {
  CuteDialect *dialect = o->kernel->dialect;
  size_t fences = 0, commits = 0, waits = 0;
  CUTE_FOR_OPS(op, cuteLoopGetBody(o->loop)) {
    if (cuteDialectIsOp(dialect, op, CUTE_OP_WARPGROUP_FENCE))
      *fence = op, ++fences;
    if (cuteDialectIsOp(dialect, op, CUTE_OP_WARPGROUP_COMMIT))
      *commit = op, ++commits;
    waits += cuteDialectIsOp(dialect, op, CUTE_OP_WARPGROUP_WAIT) &&
             getNumOperands(op) > 0;
  }
  return fences == 1 && commits == 1 && waits == 1 &&
         mlirOperationIsBeforeInBlock(*fence, *commit);
}

bool cuteOverlapWrapTurn(CuteOverlap *o, MlirOperation fence,
                         MlirOperation commit) {
  CuteRebuild r = cuteRebuildBefore(o->kernel->dialect, fence);
  cuteOverlapEmitTurn(o, &r);
  r.builder = cuteBuilderBefore(mlirOperationGetNextInBlock(commit));
  cuteOverlapEndTurn(o, &r);
  return !r.failed || cuteKernelFailOp(o->kernel, o->loop);
}
