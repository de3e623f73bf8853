#include "Transforms/edit/loop_carry.h"
#include "Transforms/products/to_wgmma.h"
#include "Transforms/roles/overlap.h"

static bool isOp(const CuteOverlap *o, size_t i, CuteOpId id) {
  return i < o->ops.count &&
         cuteDialectIsOp(o->kernel->dialect, o->ops.data[i], id);
}

//===-- The parts of the body ---------------------------------------------===//

// Tells whether an op only computes: copies of it in other rounds make no other
// fragment.
static bool onlyComputes(CuteDialect *dialect, MlirOperation op) {
  CuteEffect effect = cuteEffectGet(dialect, op);
  if (effect == CUTE_EFFECT_REGISTERS)
    return getNumResults(op) == 1 &&
           !cuteViewIsIn(dialect, getResult(op, 0), CUTE_RMEM);
  return effect == CUTE_EFFECT_NONE ||
         cuteMlirStartsWith(cuteMlirGetName(op), "arith.");
}

static void sortBody(CuteOverlap *o) {
  CUTE_FOR_OPS_BEFORE(op, mlirBlockGetTerminator(cuteLoopGetBody(o->loop)))
    if (onlyComputes(o->kernel->dialect, op))
      cutePointerMapSet(&o->moves, op.ptr, op.ptr);
    else
      cuteOpsPush(&o->ops, op);
}

// Skips the waits for tiles, the fence, the products and their commit from op i
// on; the number of their wait, or 0 where these are not there.
static size_t skipProducts(const CuteOverlap *o, size_t i) {
  while (isOp(o, i, CUTE_OP_CONSUMER_WAIT))
    ++i;
  if (!isOp(o, i, CUTE_OP_WARPGROUP_FENCE) || !isOp(o, ++i, CUTE_OP_GEMM))
    return 0;
  while (isOp(o, i, CUTE_OP_GEMM))
    ++i;
  if (!isOp(o, i, CUTE_OP_WARPGROUP_COMMIT) ||
      !isOp(o, ++i, CUTE_OP_WARPGROUP_WAIT) ||
      cuteEffectGetPending(o->kernel->dialect, o->ops.data[i]))
    return 0;
  return i;
}

static size_t skipReleases(const CuteOverlap *o, size_t i) {
  while (isOp(o, i, CUTE_OP_CONSUMER_RELEASE))
    ++i;
  return i;
}

static bool findParts(CuteOverlap *o) {
  o->firstWait = skipProducts(o, 0);
  o->middle = o->firstWait ? skipReleases(o, o->firstWait + 1) : 0;
  o->tail = o->middle;
  while (o->tail < o->ops.count &&
         !(o->firstWait && isOp(o, o->tail, CUTE_OP_CONSUMER_WAIT)) &&
         !isOp(o, o->tail, CUTE_OP_WARPGROUP_FENCE))
    ++o->tail;
  o->lastWait = skipProducts(o, o->tail);
  return o->lastWait && o->tail > o->middle &&
         skipReleases(o, o->lastWait + 1) == o->ops.count;
}

//===-- Arithmetic in registers -------------------------------------------===//

// Tells whether an op, without those within it, is on registers alone, or,
// where it may load, only reads memory or waits for one of several stages.
static bool isOnRegisters(CuteDialect *dialect, MlirOperation op,
                          bool mayLoad) {
  CuteEffect effect = cuteEffectGet(dialect, op);
  bool ok = effect == CUTE_EFFECT_NONE || effect == CUTE_EFFECT_LANES ||
            effect == CUTE_EFFECT_REGISTERS || effect == CUTE_EFFECT_ACCESS ||
            cuteMlirIs(op, "scf.if") || cuteMlirIs(op, "scf.yield") ||
            cuteMlirStartsWith(cuteMlirGetName(op), "arith.");
  for (intptr_t i = 0; effect == CUTE_EFFECT_ACCESS && i < getNumOperands(op);
       ++i) {
    CuteType type = cuteDialectGetOperandType(dialect, op, i);
    if (type && cuteTypeHasPointer(type))
      ok &= cuteTypeGetMemory(type) == CUTE_RMEM ||
            (mayLoad && i != cuteEffectGetWritten(dialect, op));
  }
  return ok ||
         (mayLoad && cuteDialectIsOp(dialect, op, CUTE_OP_CONSUMER_WAIT) &&
          cuteTypeGetPipelineValue(cuteDialectGetOperandType(dialect, op, 0))
                  .stages > 1);
}

static bool isInRegisters(CuteOverlap *o) {
  for (size_t i = o->middle; i < o->tail; ++i)
    CUTE_FOR_NESTED(op, o->ops.data[i])
      if (!isOnRegisters(o->kernel->dialect, op, !o->firstWait))
        return false;
  return true;
}

// Tells whether products take A from registers, and as long as threads load:
// with 128 columns they do not.
static bool areLong(CuteOverlap *o) {
  MlirOperation gemm = o->ops.data[o->tail + 1];
  CuteType mma = cuteDialectGetOperandType(o->kernel->dialect, gemm, 0);
  return ((const CuteMmaAtom *)mma->atom)->n > 128 &&
         cuteViewIsIn(o->kernel->dialect, getOperand(gemm, 2), CUTE_RMEM);
}

//===-- What needs the end of the last products ---------------------------===//

// Tells whether an op, or one within it, has an access to one of the
// fragments; adds its own to them.
static bool touches(CuteOverlap *o, MlirOperation outer, CutePointerMap *roots,
                    bool add) {
  CuteDialect *dialect = o->kernel->dialect;
  bool found = false;
  CUTE_FOR_NESTED(op, outer) {
    bool isAccess = cuteEffectGet(dialect, op) == CUTE_EFFECT_ACCESS;
    for (intptr_t i = 0; isAccess && i < getNumOperands(op); ++i) {
      MlirValue operand = getOperand(op, i);
      if (!cuteViewIsIn(dialect, operand, CUTE_RMEM))
        continue;
      void *root =
          (void *)(uintptr_t)cuteViewGetRoot(dialect, operand, CUTE_RMEM).ptr;
      found |= cutePointerMapGet(roots, root) != NULL;
      if (add)
        cutePointerMapSet(roots, root, root);
    }
  }
  return found;
}

// Tells whether an op, or one within it, takes a result of a late one.
static bool takesLate(CuteOverlap *o, MlirOperation outer) {
  CUTE_FOR_NESTED(op, outer)
    CUTE_FOR_OPERANDS(operand, op)
      if (!cuteOverlapIsEarly(o, operand))
        return true;
  return false;
}

bool cuteOverlapIsEarly(CuteOverlap *o, MlirValue value) {
  MlirOperation op = cuteMlirGetOwner(value);
  if (mlirOperationIsNull(op) || cutePointerMapGet(&o->early, op.ptr))
    return true;
  if (cutePointerMapGet(&o->late, op.ptr))
    return false;
  if (cutePointerMapGet(&o->moves, op.ptr) && takesLate(o, op))
    return false;
  cutePointerMapSet(&o->early, op.ptr, op.ptr);
  return true;
}

// Finds the late ops. False where the first products have fragments of the last
// ones.
static bool findLate(CuteOverlap *o) {
  CUTE_SCOPED(PointerMap) roots = {0};
  bool ok = true;
  for (size_t i = o->tail; i < o->lastWait; ++i)
    if (isOp(o, i, CUTE_OP_GEMM))
      touches(o, o->ops.data[i], &roots, true);
  for (size_t i = 0; ok && i < o->firstWait; ++i)
    ok =
        !isOp(o, i, CUTE_OP_GEMM) || !touches(o, o->ops.data[i], &roots, false);
  for (size_t i = o->middle; ok && i < o->tail; ++i) {
    MlirOperation op = o->ops.data[i];
    if (!touches(o, op, &roots, false) && !takesLate(o, op))
      continue;
    cutePointerMapSet(&o->late, op.ptr, op.ptr);
    touches(o, op, &roots, true);
  }
  return ok;
}

//===-- The round before --------------------------------------------------===//

// Values that ops take, directly or by others that only compute.
typedef struct Taken {
  CuteOverlap *o;
  MlirValue value;
  CutePointerMap seen;
  bool hasValue;
  bool hasOther; // results of the body's other ops
} Taken;

static void visit(Taken *taken, MlirOperation root) {
  CUTE_FOR_NESTED(op, root)
    CUTE_FOR_OPERANDS(operand, op) {
      MlirOperation owner = cuteMlirGetOwner(operand);
      taken->hasValue |= mlirValueEqual(operand, taken->value);
      if (mlirOperationIsNull(owner) ||
          cutePointerMapGet(&taken->seen, owner.ptr))
        continue;
      cutePointerMapSet(&taken->seen, owner.ptr, owner.ptr);
      if (cutePointerMapGet(&taken->o->moves, owner.ptr))
        visit(taken, owner);
      else
        taken->hasOther |= mlirBlockEqual(mlirOperationGetBlock(owner),
                                          cuteLoopGetBody(taken->o->loop));
    }
}

// Tells whether the last products follow from what the loop carries alone.
static bool followsFromCarried(CuteOverlap *o) {
  Taken taken = {.o = o, .seen = cuteTaskMap()};
  for (size_t i = o->tail; i < o->ops.count; ++i)
    visit(&taken, o->ops.data[i]);
  return !taken.hasOther;
}

// Tells whether a value is the state after another one.
static bool isAfter(CuteOverlap *o, MlirValue next, MlirValue state) {
  MlirOperation advance =
      cuteValueGetOpOf(o->kernel->dialect, next, CUTE_OP_PIPELINE_ADVANCE);
  return !mlirOperationIsNull(advance) && getNumOperands(advance) == 1 &&
         mlirValueEqual(getOperand(advance, 0), state);
}

bool cuteOverlapIsOfLast(CuteOverlap *o, intptr_t carried) {
  MlirOperation end = mlirBlockGetTerminator(cuteLoopGetBody(o->loop));
  Taken taken = {.o = o,
                 .seen = cuteTaskMap(),
                 .value = cuteLoopGetArgument(o->loop, carried)};
  for (size_t i = 0; i < o->tail; ++i)
    visit(&taken, o->ops.data[i]);
  for (intptr_t i = 0; i < getNumOperands(end); ++i) {
    MlirValue next = getOperand(end, i);
    MlirOperation owner = cuteMlirGetOwner(next);
    if (i == carried)
      taken.hasValue |= !isAfter(o, next, taken.value);
    else if (mlirOperationIsNull(owner))
      taken.hasValue |= mlirValueEqual(next, taken.value);
    else
      visit(&taken, owner);
  }
  return !taken.hasValue;
}

bool cuteOverlapMatch(CuteOverlap *o, MlirOperation loop) {
  *o = (CuteOverlap){.kernel = o->kernel,
                     .loop = loop,
                     .moves = cuteTaskMap(),
                     .late = cuteTaskMap(),
                     .early = cuteTaskMap()};
  sortBody(o);
  return !cuteProductsHasExchange(o->kernel, loop) && findParts(o) &&
         isInRegisters(o) && (o->firstWait || areLong(o)) && findLate(o) &&
         followsFromCarried(o);
}
