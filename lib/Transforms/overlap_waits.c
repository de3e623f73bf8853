// Waits for products where their sums are needed. The ops of a loop's body stay
// in order, but for three kinds that come later: waits for products, releases
// of stages, and what computes with sums that are not there yet. They come
// before the first op that stays and needs them. So later products start before
// earlier ones have ended, and run beside arithmetic that does not need them.
#include "Transforms/loop_carry.h"
#include "Transforms/overlap.h"

typedef struct Delays {
  CuteKernel *kernel;
  CuteOps order;        // the new order of the body
  CuteOps held;         // ops that come later
  CutePointerMap needs; // the number of the wait, from 1, that a held op needs
  CutePointerMap touched; // the same of a product's fragments
  CuteOps waits;          // for each group of products
  CuteOps placed;         // those in the new order
  bool changes;           // a wait leaves products pending
} Delays;

static size_t getNumber(const CutePointerMap *map, const void *key) {
  return (size_t)(uintptr_t)cutePointerMapGet(map, key);
}

static void setNumber(CutePointerMap *map, const void *key, size_t number) {
  cutePointerMapSet(map, key, (void *)(uintptr_t)number);
}

static bool isOp(const Delays *d, MlirOperation op, CuteOpId id) {
  return cuteDialectIsOp(d->kernel->dialect, op, id);
}

// The fragment that a value is a view of, or null.
static const void *getFragment(const Delays *d, MlirValue value) {
  CuteDialect *dialect = d->kernel->dialect;
  return cuteViewIsIn(dialect, value, CUTE_RMEM)
             ? cuteViewGetRoot(dialect, value, CUTE_RMEM).ptr
             : NULL;
}

static bool isAccess(const Delays *d, MlirOperation op) {
  return cuteEffectGet(d->kernel->dialect, op) == CUTE_EFFECT_ACCESS;
}

//===-- What an op needs --------------------------------------------------===//

// The number of the wait that an operand needs, or 0.
static size_t findNeedOf(const Delays *d, MlirOperation op, intptr_t i) {
  MlirValue operand = mlirOperationGetOperand(op, i);
  MlirOperation owner = cuteMlirGetOwner(operand);
  const void *fragment = isAccess(d, op) ? getFragment(d, operand) : NULL;
  size_t ofOwner =
      mlirOperationIsNull(owner) ? 0 : getNumber(&d->needs, owner.ptr);
  size_t ofFragment = fragment ? getNumber(&d->touched, fragment) : 0;
  return ofOwner > ofFragment ? ofOwner : ofFragment;
}

// Tells whether an op writes shared memory, where products may read.
static bool writesShared(const Delays *d, MlirOperation op) {
  CuteDialect *dialect = d->kernel->dialect;
  intptr_t written = isAccess(d, op) ? cuteEffectGetWritten(dialect, op) : -1;
  return written >= 0 &&
         cuteViewIsIn(dialect, mlirOperationGetOperand(op, written), CUTE_SMEM);
}

// Tells whether waits may come after an op, as far as its operands allow it.
static bool isIndependent(const Delays *d, MlirOperation op) {
  CuteEffect effect = cuteEffectGet(d->kernel->dialect, op);
  return effect == CUTE_EFFECT_NONE || effect == CUTE_EFFECT_REGISTERS ||
         effect == CUTE_EFFECT_ACCESS || effect == CUTE_EFFECT_LANES ||
         isOp(d, op, CUTE_OP_CONSUMER_WAIT) ||
         isOp(d, op, CUTE_OP_WARPGROUP_FENCE) ||
         isOp(d, op, CUTE_OP_WARPGROUP_COMMIT) || cuteMlirIs(op, "scf.if") ||
         cuteMlirIs(op, "scf.yield");
}

// The number of the last wait that must come before an op; 0: none.
static size_t findNeed(const Delays *d, MlirOperation outer) {
  size_t need = 0;
  CUTE_FOR_NESTED(op, outer) {
    if (!isIndependent(d, op) || writesShared(d, op))
      return d->waits.count;
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
      size_t ofOperand = findNeedOf(d, op, i);
      need = ofOperand > need ? ofOperand : need;
    }
  }
  return need;
}

// Tells whether an op may come later: it computes, or reads registers.
static bool mayMove(const Delays *d, MlirOperation op) {
  return cuteEffectGet(d->kernel->dialect, op) == CUTE_EFFECT_NONE ||
         (isOp(d, op, CUTE_OP_LOAD_VECTOR) &&
          getFragment(d, mlirOperationGetOperand(op, 0)));
}

//===-- The new order -----------------------------------------------------===//

static void hold(Delays *d, MlirOperation op, size_t need) {
  cuteOpsPush(&d->held, op);
  setNumber(&d->needs, op.ptr, need);
}

// Places the next wait, and what needs no later one.
static void placeWait(Delays *d) {
  MlirOperation wait = d->waits.data[d->placed.count];
  cuteOpsPush(&d->placed, wait);
  cuteOpsPush(&d->order, wait);
  size_t pending = d->waits.count - d->placed.count, numHeld = d->held.count;
  setNumber(&d->needs, wait.ptr, pending);
  d->changes |= pending > 0;
  d->held.count = 0;
  for (size_t i = 0; i < numHeld; ++i) {
    MlirOperation op = d->held.data[i];
    bool isReady = getNumber(&d->needs, op.ptr) <= d->placed.count;
    cuteOpsPush(isReady ? &d->order : &d->held, op);
  }
}

static void placeWaits(Delays *d, size_t number) {
  while (d->placed.count < number)
    placeWait(d);
}

// Takes the fragments of a product, whose wait is the next one of the text.
static void touch(Delays *d, MlirOperation gemm) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(gemm); ++i) {
    const void *fragment = getFragment(d, mlirOperationGetOperand(gemm, i));
    if (fragment)
      setNumber(&d->touched, fragment, d->waits.count + 1);
  }
}

static void place(Delays *d, MlirOperation op) {
  if (isOp(d, op, CUTE_OP_WARPGROUP_WAIT)) {
    cuteOpsPush(&d->waits, op);
    return;
  }
  bool isRelease = isOp(d, op, CUTE_OP_CONSUMER_RELEASE);
  size_t need = isRelease ? d->waits.count : findNeed(d, op);
  if (need > d->placed.count && (isRelease || mayMove(d, op))) {
    hold(d, op, need);
    return;
  }
  placeWaits(d, need);
  if (isOp(d, op, CUTE_OP_GEMM))
    touch(d, op);
  cuteOpsPush(&d->order, op);
}

// Tells whether each commit in the loop is one of its body, and followed by a
// wait that leaves nothing pending.
static bool matchesWaits(const Delays *d, MlirOperation loop) {
  size_t numCommits = 0, numWaits = 0;
  CUTE_FOR_NESTED(op, loop)
    numCommits += isOp(d, op, CUTE_OP_WARPGROUP_COMMIT);
  CUTE_FOR_OPS(op, cuteLoopGetBody(loop)) {
    if (!isOp(d, op, CUTE_OP_WARPGROUP_COMMIT))
      continue;
    MlirOperation wait = mlirOperationGetNextInBlock(op);
    numWaits += isOp(d, wait, CUTE_OP_WARPGROUP_WAIT) &&
                !cuteEffectGetPending(d->kernel->dialect, wait);
  }
  return numCommits && numCommits == numWaits;
}

static void apply(const Delays *d, MlirOperation end) {
  MlirContext context = mlirOperationGetContext(end);
  for (size_t i = 0; i < d->order.count; ++i) {
    MlirOperation op = d->order.data[i];
    mlirOperationMoveBefore(op, end);
    if (!isOp(d, op, CUTE_OP_WARPGROUP_WAIT))
      continue;
    int64_t pending = (int64_t)getNumber(&d->needs, op.ptr);
    cuteMlirSetAttribute(
        op, "n", mlirIntegerAttrGet(mlirIntegerTypeGet(context, 32), pending));
  }
}

bool cuteOverlapDelayWaits(CuteKernel *kernel, MlirOperation loop) {
  Delays d = {.kernel = kernel};
  if (!matchesWaits(&d, loop))
    return false;
  MlirOperation end = mlirBlockGetTerminator(cuteLoopGetBody(loop));
  CUTE_FOR_OPS(op, cuteLoopGetBody(loop))
    if (!mlirOperationEqual(op, end))
      place(&d, op);
  placeWaits(&d, d.waits.count);
  if (d.changes)
    apply(&d, end);
  cuteOpsDestroy(&d.order);
  cuteOpsDestroy(&d.held);
  cuteOpsDestroy(&d.waits);
  cuteOpsDestroy(&d.placed);
  cutePointerMapDestroy(&d.needs);
  cutePointerMapDestroy(&d.touched);
  return d.changes;
}
