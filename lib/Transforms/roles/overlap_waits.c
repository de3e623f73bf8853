// Waits for products where their sums are needed. The ops of a loop's body stay
// in order, except three kinds that come later: waits for products, releases of
// stages, and what computes with sums that are not there yet. They come before
// the first op that stays and needs them. So later products start before
// earlier ones have ended, and run beside arithmetic that does not need them.
#include "Transforms/edit/loop_carry.h"
#include "Transforms/products/to_wgmma.h"
#include "Transforms/roles/overlap.h"

typedef struct Delays {
  CuteKernel *kernel;
  MlirOperation loop;
  CuteOps order;        // the new order of the body
  CuteOps held;         // ops that come later
  CuteOps loads;        // of shared memory, that come before their first use
  CutePointerMap needs; // the number of the wait, from 1, that a held op needs
  CutePointerMap touched; // the same of a product's fragments and tiles
  CuteOps waits;          // for each group of products
  CuteOps placed;         // those in the new order
  size_t ofBarrier;       // the wait that barriers need
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

// The fragment, or the allocation of shared memory, that a value is a view of;
// or null.
static const void *getRoot(const Delays *d, MlirValue value, CuteSpace space) {
  CuteDialect *dialect = d->kernel->dialect;
  return cuteViewIsIn(dialect, value, space)
             ? cuteViewGetRoot(dialect, value, space).ptr
             : NULL;
}

static const void *getFragment(const Delays *d, MlirValue value) {
  return getRoot(d, value, CUTE_RMEM);
}

static bool isAccess(const Delays *d, MlirOperation op) {
  return cuteEffectGet(d->kernel->dialect, op) == CUTE_EFFECT_ACCESS;
}

//===-- What an op needs --------------------------------------------------===//

static size_t larger(size_t a, size_t b) { return a > b ? a : b; }

// The number of the wait that an operand needs, or 0.
static size_t findNeedOf(const Delays *d, MlirOperation op, intptr_t i) {
  MlirValue operand = getOperand(op, i);
  MlirOperation owner = cuteMlirGetOwner(operand);
  const void *fragment = isAccess(d, op) ? getFragment(d, operand) : NULL;
  size_t ofOwner =
      mlirOperationIsNull(owner) ? 0 : getNumber(&d->needs, owner.ptr);
  size_t ofFragment = fragment ? getNumber(&d->touched, fragment) : 0;
  return larger(ofOwner, ofFragment);
}

// The tile that an op writes in shared memory, where products may read; or
// null.
static const void *getWritten(const Delays *d, MlirOperation op) {
  CuteDialect *dialect = d->kernel->dialect;
  intptr_t written = isAccess(d, op) ? cuteEffectGetWritten(dialect, op) : -1;
  return written < 0 ? NULL : getRoot(d, getOperand(op, written), CUTE_SMEM);
}

static bool isBarrier(const Delays *d, MlirOperation op) {
  return cuteMlirIs(op, "gpu.barrier") ||
         isOp(d, op, CUTE_OP_NAMED_BARRIER_SYNC);
}

// Tells whether an op begins or awaits stores by TMA, which read what threads
// wrote.
static bool isOfStores(const Delays *d, MlirOperation op) {
  return (isOp(d, op, CUTE_OP_PRODUCER_ACQUIRE) ||
          isOp(d, op, CUTE_OP_PRODUCER_COMMIT)) &&
         cuteTypeGetPipelineValue(
             cuteDialectGetOperandType(d->kernel->dialect, op, 0))
                 .kind == CUTE_PIPE_TMA_STORE;
}

// Tells whether waits may come after an op, as far as its operands allow it.
static bool isIndependent(const Delays *d, MlirOperation op) {
  CuteEffect effect = cuteEffectGet(d->kernel->dialect, op);
  return effect == CUTE_EFFECT_NONE || effect == CUTE_EFFECT_REGISTERS ||
         effect == CUTE_EFFECT_ACCESS || effect == CUTE_EFFECT_LANES ||
         isOp(d, op, CUTE_OP_CONSUMER_WAIT) ||
         isOp(d, op, CUTE_OP_WARPGROUP_FENCE) ||
         isOp(d, op, CUTE_OP_FENCE_PROXY) ||
         isOp(d, op, CUTE_OP_WARPGROUP_COMMIT) || isOfStores(d, op) ||
         cuteMlirIs(op, "scf.if") || cuteMlirIs(op, "scf.yield");
}

// The number of the last wait that must come before an op; 0: none.
static size_t findNeed(const Delays *d, MlirOperation outer) {
  size_t need = 0;
  CUTE_FOR_NESTED(op, outer) {
    const void *tile = getWritten(d, op);
    if (!isIndependent(d, op) && !isBarrier(d, op))
      return d->waits.count;
    if (tile || isBarrier(d, op))
      need = larger(need, tile ? getNumber(&d->touched, tile) : d->ofBarrier);
    for (intptr_t i = 0; i < getNumOperands(op); ++i)
      need = larger(need, findNeedOf(d, op, i));
  }
  return need;
}

// Tells whether an op may come later: it computes, or reads registers.
static bool mayMove(const Delays *d, MlirOperation op) {
  return cuteEffectGet(d->kernel->dialect, op) == CUTE_EFFECT_NONE ||
         (isOp(d, op, CUTE_OP_LOAD_VECTOR) &&
          getFragment(d, getOperand(op, 0)));
}

// Tells whether an op brings a vector from shared memory that TMA loads, which
// stays as it is until the round releases it.
static bool isLoad(const Delays *d, MlirOperation op) {
  if (!isOp(d, op, CUTE_OP_LOAD_VECTOR))
    return false;
  const void *tile = getRoot(d, getOperand(op, 0), CUTE_SMEM);
  bool isWritten = false;
  CUTE_FOR_NESTED(other, d->loop)
    isWritten |= tile && getWritten(d, other) == tile;
  return tile && !isWritten;
}

//===-- The new order -----------------------------------------------------===//

// Orders the loads from shared memory that an op uses, or all, before it.
static void orderLoads(Delays *d, MlirOperation op, bool all) {
  CuteOps loads = d->loads;
  d->loads = (CuteOps){0};
  CUTE_FOR_LIST(load, loads) {
    bool isUsed = all;
    CUTE_FOR_NESTED(user, op)
      CUTE_FOR_OPERANDS(operand, user)
        isUsed |= mlirOperationEqual(cuteMlirGetOwner(operand), load);
    cuteOpsPush(isUsed ? &d->order : &d->loads, load);
  }
}

// Orders an op. What may hand shared memory over comes after all loads.
static void order(Delays *d, MlirOperation op) {
  orderLoads(d, op, isBarrier(d, op) || isOp(d, op, CUTE_OP_CONSUMER_RELEASE));
  cuteOpsPush(&d->order, op);
}

static void hold(Delays *d, MlirOperation op, size_t need) {
  cuteOpsPush(&d->held, op);
  setNumber(&d->needs, op.ptr, need);
}

// Places the next wait, and what needs no later one.
static void placeWait(Delays *d) {
  MlirOperation wait = d->waits.data[d->placed.count];
  cuteOpsPush(&d->placed, wait);
  order(d, wait);
  size_t pending = d->waits.count - d->placed.count;
  setNumber(&d->needs, wait.ptr, pending);
  d->changes |= pending > 0;
  CuteOps held = d->held;
  d->held = (CuteOps){0};
  CUTE_FOR_LIST(op, held) {
    if (getNumber(&d->needs, op.ptr) <= d->placed.count)
      order(d, op);
    else
      cuteOpsPush(&d->held, op);
  }
}

static void placeWaits(Delays *d, size_t number) {
  while (d->placed.count < number && d->placed.count < d->waits.count)
    placeWait(d);
}

// The part of a tile in shared memory that a product takes by descriptors; the
// operand itself if it is none.
static MlirValue getPart(const Delays *d, MlirValue operand) {
  MlirOperation op = cuteMlirGetOwner(operand);
  return isOp(d, op, CUTE_OP_MAKE_FRAGMENT_A) ||
                 isOp(d, op, CUTE_OP_MAKE_FRAGMENT_B)
             ? getOperand(op, 1)
             : operand;
}

// Takes the fragments and tiles of a product, whose wait is the next one of the
// text. Barriers hand over those tiles that no pipeline does.
static void touch(Delays *d, MlirOperation gemm) {
  size_t wait = d->waits.count + 1;
  CUTE_FOR_OPERANDS(operand, gemm) {
    MlirValue part = getPart(d, operand);
    const void *fragment = getFragment(d, operand);
    const void *tile = getRoot(d, part, CUTE_SMEM);
    if (fragment)
      setNumber(&d->touched, fragment, wait);
    if (tile)
      setNumber(&d->touched, tile, wait);
    if (tile && !cuteProductsIsLoaded(d->kernel, part, gemm))
      d->ofBarrier = wait;
  }
}

static void place(Delays *d, MlirOperation op) {
  if (isOp(d, op, CUTE_OP_WARPGROUP_WAIT)) {
    cuteOpsPush(&d->waits, op);
    return;
  }
  if (isLoad(d, op)) {
    cuteOpsPush(&d->loads, op);
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
  order(d, op);
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
  Delays d = {.kernel = kernel,
              .loop = loop,
              .needs = cuteTaskMap(),
              .touched = cuteTaskMap()};
  if (!matchesWaits(&d, loop))
    return false;
  MlirOperation end = mlirBlockGetTerminator(cuteLoopGetBody(loop));
  CUTE_FOR_OPS(op, cuteLoopGetBody(loop))
    if (!mlirOperationEqual(op, end))
      place(&d, op);
  placeWaits(&d, d.waits.count);
  orderLoads(&d, end, true);
  if (d.changes)
    apply(&d, end);
  return d.changes;
}
