// Has the thread that multiplies in tensor memory start the first products of a
// round, which take nothing that threads compute, before the others of the
// round before:
//
//   if there is a round: its first products
//   loop: if there is a next round: its first products; the other products
#include "Transforms/edit/loop_carry.h"
#include "Transforms/products/to_wgmma.h"
#include "Transforms/roles/roles.h"
#include "Transforms/roles/specialize.h"

typedef struct Ahead {
  CuteKernel *kernel;
  MlirOperation loop, last; // last: op of the first products
} Ahead;

static bool isOp(const Ahead *a, MlirOperation op, CuteOpId id) {
  return cuteDialectIsOp(a->kernel->dialect, op, id);
}

// Finds the loop of the role.
static bool findLoop(Ahead *a) {
  CuteRoles roles;
  if (!cuteRolesFind(a->kernel, &roles) || mlirBlockIsNull(roles.products))
    return false;
  CUTE_FOR_OPS(op, roles.products)
    if (cuteMlirIs(op, "scf.for"))
      a->loop = op;
  return !mlirOperationIsNull(a->loop);
}

// Tells whether the first products of a round are complete by a commit of their
// own, and take one stage, which they release; threads never have their sums
// before them, or these would be committed before the loop, too.
static bool match(Ahead *a) {
  MlirOperation commit = {NULL}, wait = {NULL};
  size_t commits = 0, waits = 0, all = 0;
  if (!findLoop(a))
    return false;
  CUTE_FOR_OPS(op, cuteLoopGetBody(a->loop)) {
    if (isOp(a, op, CUTE_OP_PRODUCER_COMMIT) && !commits++)
      commit = op;
    if (isOp(a, op, CUTE_OP_CONSUMER_WAIT) && !commits && !waits++)
      wait = op;
  }
  if (commits < 2 || waits != 1)
    return false;
  CUTE_FOR_NESTED(op, a->kernel->function)
    all += isOp(a, op, CUTE_OP_PRODUCER_COMMIT) &&
           mlirValueEqual(getOperand(op, 0), getOperand(commit, 0));
  a->last = cuteProductsGetNextEffect(a->kernel, commit);
  return all == 1 && isOp(a, a->last, CUTE_OP_CONSUMER_RELEASE) &&
         mlirValueEqual(getOperand(a->last, 0), getOperand(wait, 0));
}

// Emits the first products under a condition, with the states that have been
// set.
static void emitFirst(Ahead *a, CuteRebuild *r, MlirValue condition) {
  cuteEmitEnterIf(r, condition);
  CUTE_FOR_OPS_BEFORE(op, mlirOperationGetNextInBlock(a->last))
    cuteRebuildOp(r, op);
}

static void emitBefore(Ahead *a) {
  CuteRebuild r = cuteRebuildBefore(a->kernel->dialect, a->loop);
  for (intptr_t i = 0; i < getNumResults(a->loop); ++i)
    cuteRebuildSet(&r, cuteLoopGetArgument(a->loop, i),
                   getOperand(a->loop, 3 + i));
  emitFirst(a, &r, cuteLoopEmitAny(a->loop, &r.builder));
}

static void emitNext(Ahead *a) {
  CuteRebuild r = cuteRebuildBefore(a->kernel->dialect,
                                    mlirOperationGetNextInBlock(a->last));
  for (intptr_t i = 0; i < getNumResults(a->loop); ++i) {
    MlirValue now = cuteLoopGetArgument(a->loop, i);
    cuteRebuildSet(&r, now, cuteEmit1(&r, CUTE_OP_PIPELINE_ADVANCE, now));
  }
  MlirValue left = subi(&r.builder, getOperand(a->loop, 1),
                        mlirBlockGetArgument(cuteLoopGetBody(a->loop), 0));
  emitFirst(a, &r,
            cuteBuildCompare(&r.builder, CUTE_CMPI_ULT, getOperand(a->loop, 2),
                             left));
}

// Removes the first products of the round itself.
static void removeFirst(Ahead *a) {
  CUTE_FOR_OPS_BEFORE(op, mlirOperationGetNextInBlock(a->last))
    if (!getNumResults(op))
      mlirOperationDestroy(op);
  cuteKernelRemoveDead(a->kernel);
}

void cutePartingStartAhead(CuteKernel *kernel, MlirLocation location) {
  Ahead a = {.kernel = kernel};
  if (!match(&a))
    return;
  emitBefore(&a);
  emitNext(&a);
  removeFirst(&a);
  cuteKernelNote(kernel, location,
                 "the first products of a round start before the last ones of "
                 "the previous round");
}
