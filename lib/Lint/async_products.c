// Products of warpgroups and the memory that they use while they are under way.
//
// A kernel is walked in the order of its text with what is pending: sums and
// fragments of products that no wait has completed, and shared memory that was
// written without a fence. After an if both of its branches count, and loops
// are walked as often as groups may be pending, so that what rounds leave meets
// the next ones. A product that a wait completes on one of two paths only is
// not an error on the other: the code that started it may have known the path.
#include "Hardware/atom.h"
#include "IR/effects.h"
#include "IR/op_list.h"
#include "IR/views.h"
#include "Lint/async.h"
#include "Lint/pending_products.h"

typedef struct Walk {
  CuteDialect *dialect;
  CutePointerMap told;  // operations
  CutePointerMap waits; // waits that met products -> whether they completed one
  MlirOperation idle;   // the first wait that completed none, at the end
  bool hasCalls, functionsWait; // ops that may wait, too
  CutePointerMap silent;        // waits and fences that name no sums
  int rounds;                   // that loops are walked
  bool ofProxies, isNaming, failed;
} Walk;

static void tell(Walk *walk, MlirOperation op, CuteSeverity severity,
                 const char *note, const char *message) {
  if (walk->isNaming || cutePointerMapGet(&walk->told, op.ptr))
    return;
  cutePointerMapSet(&walk->told, op.ptr, walk);
  walk->failed |= severity == CUTE_SEVERITY_ERROR;
  cuteEmitAtOp(op, severity, message, note);
}

//===-- Memory ------------------------------------------------------------===//

// The allocation that a tensor is a part of, also through the ops that give
// descriptors and parts for TMA.
static MlirValue rootOf(CuteDialect *dialect, MlirValue value,
                        CuteSpace space) {
  for (;;) {
    value = cuteViewGetRoot(dialect, value, space);
    MlirOperation owner = cuteMlirGetOwner(value);
    CuteOpId id = cuteDialectGetOpId(dialect, owner);
    if (id != CUTE_OP_TMA_PARTITION && id != CUTE_OP_MAKE_FRAGMENT_A &&
        id != CUTE_OP_MAKE_FRAGMENT_B)
      return value;
    MlirValue part = getOperand(owner, 1);
    if (!cuteViewIsIn(dialect, part, space))
      return value;
    value = part;
  }
}

// The tensor in shared memory that descriptors lead to.
static MlirValue describedRoot(CuteDialect *dialect, MlirValue value) {
  MlirValue made = cuteViewGetRoot(dialect, value, CUTE_DESC);
  MlirOperation owner = cuteMlirGetOwner(made);
  return mlirOperationIsNull(owner) || getNumOperands(owner) < 2
             ? made
             : rootOf(dialect, getOperand(owner, 1), CUTE_SMEM);
}

static MlirValue stateOfCoord(CuteDialect *dialect, MlirValue coord) {
  MlirOperation made = cuteMlirGetOwner(coord);
  const MlirValue none = {NULL};
  if (!cuteDialectIsOp(dialect, made, CUTE_OP_MAKE_COORD))
    return none;
  CUTE_FOR_OPERANDS(operand, made) {
    MlirOperation stage = cuteMlirGetOwner(operand);
    if (cuteDialectIsOp(dialect, stage, CUTE_OP_PIPELINE_STAGE))
      return getOperand(stage, 0);
  }
  return none;
}

// Finds the state by whose stage descriptors were sliced; null if they were
// not.
static MlirValue stageOf(CuteDialect *dialect, MlirValue descriptors) {
  for (;;) {
    MlirOperation op = cuteMlirGetOwner(descriptors);
    if (mlirOperationIsNull(op))
      return (MlirValue){NULL};
    MlirValue state = {NULL}, base = cuteViewGetBase(dialect, op, CUTE_DESC);
    if (cuteDialectIsOp(dialect, op, CUTE_OP_SLICE))
      state = stateOfCoord(dialect, getOperand(op, 1));
    if (!mlirValueIsNull(state) || mlirValueIsNull(base))
      return state;
    descriptors = base;
  }
}

static bool isProduct(const Walk *walk, MlirOperation op) {
  if (!cuteDialectIsOp(walk->dialect, op, CUTE_OP_GEMM))
    return false;
  CuteType mma = cuteDialectGetOperandType(walk->dialect, op, 0);
  const CuteMmaAtom *atom = mma ? cuteTypeGetMmaAtomValue(mma) : NULL;
  return atom && cuteMmaAtomIsWarpgroup(atom);
}

//===-- Names -------------------------------------------------------------===//

// Tells whether a value is there when an op runs that comes after a use of it.
static bool isAbove(MlirValue value, MlirOperation op) {
  MlirOperation owner = cuteMlirGetOwner(value);
  if (mlirOperationIsNull(owner))
    return false;
  op = cuteMlirGetAncestor(mlirOperationGetBlock(owner), op);
  return !mlirOperationIsNull(op) && mlirOperationIsBeforeInBlock(owner, op);
}

// Adds registers to the operands of a wait or fence that named none.
static void nameRegisters(Walk *walk, MlirOperation op, MlirValue root) {
  enum { MAX_NAMED = 16 };
  if (mlirOperationIsNull(op) || !walk->isNaming || !isAbove(root, op))
    return;
  intptr_t n = getNumOperands(op);
  if (n == 0)
    cutePointerMapSet(&walk->silent, op.ptr, walk);
  if (n == MAX_NAMED || !cutePointerMapGet(&walk->silent, op.ptr))
    return;
  MlirValue named[MAX_NAMED];
  for (intptr_t i = 0; i < n; ++i) {
    named[i] = getOperand(op, i);
    if (mlirValueEqual(named[i], root))
      return;
  }
  named[n] = root;
  mlirOperationSetOperands(op, n + 1, named);
}

// A fence follows the writes of threads to registers that products use.
static void nameForFence(Walk *walk, const CutePendingState *state,
                         MlirValue root) {
  if (!cutePendingHas(state, root))
    nameRegisters(walk, state->fence, root);
}

// The sums that are pending before a wait, and not after it.
static void nameForWait(Walk *walk, const CutePendingState *before,
                        const CutePendingState *after, MlirOperation wait) {
  for (size_t i = 0; i < before->numPending; ++i)
    if (!before->pending[i].isFragment &&
        !cutePendingHas(after, before->pending[i].root))
      nameRegisters(walk, wait, before->pending[i].root);
}

//===-- Ops ---------------------------------------------------------------===//

static const char *const waitFirst =
    "cute.warpgroup_wait<0> (sums) before it completes all products; wait<n> "
    "all but the n latest groups";

static void checkOperand(Walk *walk, const CutePendingState *state,
                         MlirOperation op, MlirValue value, bool isWritten) {
  if (walk->ofProxies || !cuteViewIsIn(walk->dialect, value, CUTE_RMEM))
    return;
  MlirValue root = rootOf(walk->dialect, value, CUTE_RMEM);
  for (size_t i = 0; i < state->numPending; ++i) {
    const CutePending *p = &state->pending[i];
    if (!mlirValueEqual(p->root, root) || p->isOpen ||
        (p->isFragment && !isWritten))
      continue;
    tell(walk, op, CUTE_SEVERITY_ERROR, waitFirst,
         p->isFragment ? "writes a fragment of A that a product of the "
                         "warpgroup may still be reading"
         : isWritten
             ? "writes sums of products of the warpgroup that are not complete"
             : "reads sums of products of the warpgroup that are not complete");
  }
}

static void checkDescribed(Walk *walk, const CutePendingState *state,
                           MlirOperation op, MlirValue root) {
  if (walk->ofProxies && cutePendingHasWritten(state, root))
    tell(walk, op, CUTE_SEVERITY_WARNING,
         "cute.fence_proxy<\"async.shared\"> by the threads that wrote, then a "
         "barrier",
         "reads shared memory that threads wrote, with no fence_proxy in "
         "between");
}

static void tellOfFence(Walk *walk, MlirOperation op, const char *message) {
  tell(walk, op, CUTE_SEVERITY_WARNING,
       "write cute.warpgroup_fence before it; ptxas may put one there, and "
       "then completes each product before the next",
       message);
}

// Registers that a product takes: a fragment of A, or sums that it adds to.
static void checkFenced(Walk *walk, const CutePendingState *state,
                        MlirOperation op, MlirValue root) {
  nameForFence(walk, state, root);
  if (walk->ofProxies && cutePendingHasWritten(state, root))
    tellOfFence(walk, op,
                "takes registers that threads wrote, without a warpgroup_fence "
                "in between");
}

// Operands are the MMA, D, A, B and C.
static void startProduct(Walk *walk, CutePendingState *state,
                         MlirOperation op) {
  MlirValue sums = getOperand(op, 1), stage = {NULL};
  if (walk->ofProxies && !state->isFenced && !walk->hasCalls)
    tellOfFence(walk, op, "has no warpgroup_fence before it");
  state->isFenced = true;
  for (intptr_t i = 2; i < 4 && i < getNumOperands(op); ++i) {
    MlirValue factor = getOperand(op, i);
    CuteType type = cuteDialectGetValueType(walk->dialect, factor);
    if (cuteTypeIsKind(type, CUTE_TYPE_TENSOR) && type->space == CUTE_DESC) {
      checkDescribed(walk, state, op, describedRoot(walk->dialect, factor));
      stage = stageOf(walk->dialect, factor);
    }
    if (!cuteViewIsIn(walk->dialect, factor, CUTE_RMEM))
      continue;
    checkOperand(walk, state, op, factor, false);
    checkFenced(walk, state, op, rootOf(walk->dialect, factor, CUTE_RMEM));
    cutePendingAdd(
        state, (CutePending){.root = rootOf(walk->dialect, factor, CUTE_RMEM),
                             .product = op,
                             .isFragment = true,
                             .groups = CUTE_NOT_COMMITTED});
  }
  if (!cuteMlirIsFalse(getOperand(op, getNumOperands(op) - 1)))
    checkFenced(walk, state, op, rootOf(walk->dialect, sums, CUTE_RMEM));
  cutePendingAdd(state,
                 (CutePending){.root = rootOf(walk->dialect, sums, CUTE_RMEM),
                               .product = op,
                               .groups = CUTE_NOT_COMMITTED,
                               .stage = stage});
}

static bool isBulk(const Walk *walk, MlirOperation op) {
  CuteCopyParts parts;
  CuteType copy = cuteEffectGetCopy(walk->dialect, op, &parts) &&
                          !mlirValueIsNull(parts.copy)
                      ? cuteDialectGetValueType(walk->dialect, parts.copy)
                      : NULL;
  return copy && cuteTypeIsBulkAtom(copy);
}

static void storeBulk(Walk *walk, const CutePendingState *state,
                      MlirOperation op) {
  CuteCopyParts parts;
  cuteEffectGetCopy(walk->dialect, op, &parts);
  if (cuteViewIsIn(walk->dialect, parts.source, CUTE_SMEM))
    checkDescribed(walk, state, op,
                   rootOf(walk->dialect, parts.source, CUTE_SMEM));
}

static void fence(CutePendingState *state, MlirOperation op) {
  cutePendingFence(state, CUTE_RMEM);
  state->fence = op;
  state->isFenced = true;
}

static void accessMemory(Walk *walk, CutePendingState *state,
                         MlirOperation op) {
  intptr_t written = cuteEffectGetWritten(walk->dialect, op);
  for (intptr_t i = 0; i < getNumOperands(op); ++i)
    if (i == written || cuteEffectReads(walk->dialect, op, i))
      checkOperand(walk, state, op, getOperand(op, i), i == written);
  if (written < 0 || written >= getNumOperands(op))
    return;
  MlirValue to = getOperand(op, written);
  CuteSpace space =
      cuteViewIsIn(walk->dialect, to, CUTE_SMEM) ? CUTE_SMEM : CUTE_RMEM;
  if (cuteViewIsIn(walk->dialect, to, space))
    cutePendingAddWritten(
        state, (CutePendingWritten){rootOf(walk->dialect, to, space), space});
}

// Checks that no product may still read a stage that is released, in the same
// round: what loops carry is another value.
static void checkReleased(Walk *walk, const CutePendingState *state,
                          MlirOperation op) {
  MlirValue released = getOperand(op, 1);
  for (size_t i = 0; !walk->ofProxies && i < state->numPending; ++i)
    if (!mlirValueIsNull(state->pending[i].stage) &&
        !state->pending[i].isOpen &&
        mlirValueEqual(state->pending[i].stage, released))
      tell(walk, op, CUTE_SEVERITY_ERROR,
           "release the stage of the round before, after warpgroup_wait<1>, or "
           "this one after warpgroup_wait<0>",
           "releases a stage that a product of the warpgroup may still be "
           "reading");
}

static void waitFor(Walk *walk, CutePendingState *state, MlirOperation op) {
  static const char none, some;
  const CutePendingState before = *state;
  bool meets = state->numPending;
  bool completes =
      cutePendingComplete(state, cuteEffectGetPending(walk->dialect, op));
  nameForWait(walk, &before, state, op);
  if (completes)
    cutePointerMapSet(&walk->waits, op.ptr, (void *)(uintptr_t)&some);
  else if (meets && !cutePointerMapGet(&walk->waits, op.ptr))
    cutePointerMapSet(&walk->waits, op.ptr, (void *)(uintptr_t)&none);
  const void *known = cutePointerMapGet(&walk->waits, op.ptr);
  if (known == &none && mlirOperationIsNull(walk->idle))
    walk->idle = op;
  else if (known == &some && mlirOperationEqual(walk->idle, op))
    walk->idle = (MlirOperation){NULL};
}

static void step(Walk *walk, CutePendingState *state, const CuteOpDecl *decl,
                 MlirOperation op) {
  const CuteOpTraits *traits = &decl->traits;
  if (isProduct(walk, op))
    startProduct(walk, state, op);
  else if (traits->group == CUTE_GROUP_WGMMA &&
           traits->groupUse == CUTE_GROUP_COMMITS)
    cutePendingCommit(state);
  else if (traits->group == CUTE_GROUP_WGMMA &&
           traits->groupUse == CUTE_GROUP_WAITS)
    waitFor(walk, state, op);
  else if (decl->id == CUTE_OP_WARPGROUP_FENCE)
    fence(state, op);
  else if (decl->id == CUTE_OP_CONSUMER_RELEASE)
    checkReleased(walk, state, op);
  else if (decl->id == CUTE_OP_FENCE_PROXY)
    cutePendingFence(state, CUTE_SMEM);
  else if (isBulk(walk, op))
    storeBulk(walk, state, op);
  else
    accessMemory(walk, state, op);
}

//===-- Regions -----------------------------------------------------------===//

static void walkOp(Walk *walk, CutePendingState *state, MlirOperation op);

static void walkRegion(Walk *walk, CutePendingState *state, MlirRegion region) {
  CUTE_FOR_BLOCKS(block, region) {
    CUTE_FOR_OPS(op, block)
      walkOp(walk, state, op);
  }
}

static void walkRegions(Walk *walk, CutePendingState *state, MlirOperation op) {
  CutePendingState before = *state;
  bool isIf = cuteMlirIs(op, "scf.if");
  bool isLoop =
      !isIf && cuteTextStartsWith(fromMlirString(cuteMlirGetName(op)), "scf.");
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
    CutePendingState in = before;
    MlirRegion region = mlirOperationGetRegion(op, r);
    walkRegion(walk, &in, region);
    for (int round = 1; isLoop && round < walk->rounds; ++round)
      walkRegion(walk, &in, region);
    if (r == 0 && isIf && !mlirBlockIsNull(cuteMlirGetBody(op, 1)))
      *state = in;
    else
      cutePendingMerge(state, &in, &before);
  }
}

// Tells whether an op of another dialect may wait for products or fence them:
// PTX, or a call where functions of the module do.
static bool mayWait(const Walk *walk, MlirOperation op) {
  return cuteMlirIs(op, "llvm.inline_asm") ||
         cuteMlirStartsWith(cuteMlirGetName(op), "nvvm.wgmma.") ||
         (cuteMlirIs(op, "func.call") && walk->functionsWait);
}

static void openAll(Walk *walk, CutePendingState *state) {
  walk->hasCalls = true;
  for (size_t i = 0; i < state->numPending; ++i)
    state->pending[i].isOpen = true;
}

static void walkOp(Walk *walk, CutePendingState *state, MlirOperation op) {
  const CuteOpDecl *decl = cuteDialectGetDecl(walk->dialect, op);
  if (decl)
    step(walk, state, decl, op);
  else if (mlirOperationGetNumRegions(op))
    walkRegions(walk, state, op);
  else if (mayWait(walk, op))
    openAll(walk, state);
}

// Checks that products are waited for, and that waits complete some.
static void checkEnd(Walk *walk, const CutePendingState *state) {
  if (walk->hasCalls || walk->ofProxies || walk->failed)
    return;
  if (!mlirOperationIsNull(walk->idle))
    tell(
        walk, walk->idle, CUTE_SEVERITY_WARNING,
        "n groups may be pending after warpgroup_wait<n>: with 1 the one that "
        "was committed last",
        "never completes a product, as no more than n groups are pending here");
  for (size_t i = 0; i < state->numPending; ++i)
    if (!state->pending[i].isFragment && !state->pending[i].isOpen)
      tell(walk, state->pending[i].product, CUTE_SEVERITY_ERROR, waitFirst,
           "is not complete when the kernel ends: on some path no "
           "warpgroup_wait completes it");
}

// Two, so that a round meets what the one before leaves, and one more for each
// group that a wait lets pend.
static int roundsOf(CuteDialect *dialect, MlirOperation kernel) {
  CuteOpList list = cuteOpListCollect(dialect, kernel);
  int64_t most = 0;
  for (size_t i = 0; i < list.count; ++i) {
    int64_t n = list.decls[i]->id == CUTE_OP_WARPGROUP_WAIT
                    ? cuteEffectGetPending(dialect, list.ops[i])
                    : 0;
    most = n > most ? n : most;
  }
  return (int)most + 2;
}

static bool walkKernel(CuteDialect *dialect, MlirOperation kernel,
                       bool ofProxies, bool isNaming) {
  Walk walk = {.dialect = dialect,
               .ofProxies = ofProxies,
               .isNaming = isNaming,
               .rounds = ofProxies ? 2 : roundsOf(dialect, kernel)};
  CUTE_FREED CutePendingState *state = cuteAllocateZeros(1, sizeof *state);
  CUTE_FOR_NESTED(op, mlirOperationGetParentOperation(kernel))
    walk.functionsWait |= cuteMlirIs(op, "func.func") &&
                          (cuteOpListHas(dialect, op, CUTE_OP_WARPGROUP_WAIT) ||
                           cuteOpListHas(dialect, op, CUTE_OP_WARPGROUP_FENCE));
  walkRegion(&walk, state, mlirOperationGetRegion(kernel, 0));
  checkEnd(&walk, state);
  cutePointerMapDestroy(&walk.told);
  cutePointerMapDestroy(&walk.waits);
  cutePointerMapDestroy(&walk.silent);
  return !walk.failed;
}

bool cuteAsyncCheckProducts(CuteDialect *dialect, MlirOperation kernel) {
  return walkKernel(dialect, kernel, false, false);
}

void cuteAsyncWarnOfProxies(CuteDialect *dialect, MlirOperation kernel) {
  walkKernel(dialect, kernel, true, false);
}

void cuteAsyncNameSums(CuteDialect *dialect, MlirOperation kernel) {
  walkKernel(dialect, kernel, false, true);
}
