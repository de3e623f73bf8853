// Products of warpgroups and the memory that they use while they are under way.
//
// A kernel is walked in the order of its text with what is pending: sums and
// fragments of products that no wait has completed, and shared memory that was
// written without a fence. After an if both of its branches count, and loops
// are walked twice, so that what a round leaves meets the next one.
#include "Hardware/atom.h"
#include "IR/effects.h"
#include "IR/emit.h"
#include "IR/views.h"
#include "Lint/async.h"
#include "Support/text.h"

#include <stdlib.h>

enum { MAX_PENDING = 32, MAX_WRITTEN = 16, NOT_COMMITTED = -1 };

typedef struct Pending {
  MlirValue root; // in rmem
  MlirOperation product;
  bool isFragment; // A, which the product reads; otherwise its sums
  int groups;      // that were committed after the product's own
} Pending;

typedef struct Written {
  MlirValue root; // in smem
  MlirOperation op;
} Written;

// Keeps as much as the arrays hold; the rest is not followed.
typedef struct State {
  Pending pending[MAX_PENDING];
  size_t numPending;
  Written written[MAX_WRITTEN];
  size_t numWritten;
} State;

typedef struct Walk {
  CuteDialect *dialect;
  CutePointerMap told; // operations
  bool ofProxies, failed;
} Walk;

static void tell(Walk *walk, MlirOperation op, CuteSeverity severity,
                 const char *note, const char *message) {
  if (cutePointerMapGet(&walk->told, op.ptr))
    return;
  cutePointerMapSet(&walk->told, op.ptr, walk);
  walk->failed |= severity == CUTE_SEVERITY_ERROR;
  cuteEmitAtOp(op, severity, message, note);
}

//===-- States ------------------------------------------------------------===//

static void addPending(State *state, Pending added) {
  for (size_t i = 0; i < state->numPending; ++i) {
    Pending *p = &state->pending[i];
    if (!mlirValueEqual(p->root, added.root) ||
        !mlirOperationEqual(p->product, added.product) ||
        p->isFragment != added.isFragment)
      continue;
    p->groups = added.groups < p->groups ? added.groups : p->groups;
    return;
  }
  if (state->numPending < MAX_PENDING)
    state->pending[state->numPending++] = added;
}

static void addWritten(State *state, Written added) {
  for (size_t i = 0; i < state->numWritten; ++i)
    if (mlirValueEqual(state->written[i].root, added.root))
      return;
  if (state->numWritten < MAX_WRITTEN)
    state->written[state->numWritten++] = added;
}

// Adds what is so on the other of two ways.
static void merge(State *state, const State *other) {
  for (size_t i = 0; i < other->numPending; ++i)
    addPending(state, other->pending[i]);
  for (size_t i = 0; i < other->numWritten; ++i)
    addWritten(state, other->written[i]);
}

static void commit(State *state) {
  for (size_t i = 0; i < state->numPending; ++i)
    ++state->pending[i].groups;
}

static void complete(State *state, int64_t groupsLeft) {
  size_t kept = 0;
  for (size_t i = 0; i < state->numPending; ++i)
    if (state->pending[i].groups < groupsLeft)
      state->pending[kept++] = state->pending[i];
  state->numPending = kept;
}

//===-- Memory ------------------------------------------------------------===//

static MlirOperation ownerOf(MlirValue value) {
  return mlirValueIsAOpResult(value) ? mlirOpResultGetOwner(value)
                                     : (MlirOperation){NULL};
}

// The allocation that a tensor is a part of, also through the ops that give
// descriptors and parts for TMA.
static MlirValue rootOf(CuteDialect *dialect, MlirValue value,
                        CuteSpace space) {
  for (;;) {
    value = cuteViewGetRoot(dialect, value, space);
    MlirOperation owner = ownerOf(value);
    const CuteOpDecl *decl =
        mlirOperationIsNull(owner) ? NULL : cuteDialectGetDecl(dialect, owner);
    if (!decl || (decl->id != CUTE_OP_TMA_PARTITION &&
                  decl->id != CUTE_OP_MAKE_FRAGMENT_A &&
                  decl->id != CUTE_OP_MAKE_FRAGMENT_B))
      return value;
    MlirValue part = mlirOperationGetOperand(owner, 1);
    if (!cuteViewIsIn(dialect, part, space))
      return value;
    value = part;
  }
}

// The tensor in shared memory that descriptors lead to.
static MlirValue describedRoot(CuteDialect *dialect, MlirValue value) {
  MlirValue made = cuteViewGetRoot(dialect, value, CUTE_DESC);
  MlirOperation owner = ownerOf(made);
  return mlirOperationIsNull(owner) || mlirOperationGetNumOperands(owner) < 2
             ? made
             : rootOf(dialect, mlirOperationGetOperand(owner, 1), CUTE_SMEM);
}

static CuteType typeOf(const Walk *walk, MlirValue value) {
  return cuteDialectGetType(walk->dialect, mlirValueGetType(value));
}

static bool isProduct(const Walk *walk, MlirOperation op) {
  if (!cuteDialectIsOp(walk->dialect, op, CUTE_OP_GEMM))
    return false;
  CuteType mma = typeOf(walk, mlirOperationGetOperand(op, 0));
  const CuteMmaAtom *atom = mma ? cuteTypeGetMmaAtomValue(mma) : NULL;
  return atom && cuteMmaAtomIsWarpgroup(atom);
}

//===-- Ops ---------------------------------------------------------------===//

static const char *const waitFirst =
    "cute.warpgroup_wait<0> (sums) before it completes all products; "
    "wait<n> all but those of the n latest groups";

static void checkOperand(Walk *walk, const State *state, MlirOperation op,
                         MlirValue value, bool isWritten) {
  if (walk->ofProxies || !cuteViewIsIn(walk->dialect, value, CUTE_RMEM))
    return;
  MlirValue root = rootOf(walk->dialect, value, CUTE_RMEM);
  for (size_t i = 0; i < state->numPending; ++i) {
    const Pending *p = &state->pending[i];
    if (!mlirValueEqual(p->root, root) || (p->isFragment && !isWritten))
      continue;
    tell(walk, op, CUTE_SEVERITY_ERROR, waitFirst,
         p->isFragment ? "writes a fragment of A that a product of the "
                         "warpgroup may still be reading"
         : isWritten   ? "writes sums of products of the warpgroup that are "
                         "not complete"
                       : "reads sums of products of the warpgroup that are not "
                         "complete");
  }
}

static void checkDescribed(Walk *walk, const State *state, MlirOperation op,
                           MlirValue root) {
  for (size_t i = 0; walk->ofProxies && i < state->numWritten; ++i)
    if (mlirValueEqual(state->written[i].root, root))
      tell(walk, op, CUTE_SEVERITY_WARNING,
           "cute.fence_proxy<\"async.shared\"> by the threads that wrote, then "
           "a barrier",
           "reads shared memory that threads wrote, and no fence_proxy stands "
           "between");
}

// Operands are the MMA, D, A, B and C.
static void startProduct(Walk *walk, State *state, MlirOperation op) {
  MlirValue sums = mlirOperationGetOperand(op, 1);
  for (intptr_t i = 2; i < 4 && i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue factor = mlirOperationGetOperand(op, i);
    CuteType type = typeOf(walk, factor);
    if (cuteTypeIsKind(type, CUTE_TYPE_TENSOR) && type->space == CUTE_DESC)
      checkDescribed(walk, state, op, describedRoot(walk->dialect, factor));
    if (!cuteViewIsIn(walk->dialect, factor, CUTE_RMEM))
      continue;
    checkOperand(walk, state, op, factor, false);
    addPending(state, (Pending){rootOf(walk->dialect, factor, CUTE_RMEM), op,
                                true, NOT_COMMITTED});
  }
  addPending(state, (Pending){rootOf(walk->dialect, sums, CUTE_RMEM), op, false,
                              NOT_COMMITTED});
}

static bool isBulk(const Walk *walk, MlirOperation op) {
  CuteCopyParts parts;
  CuteType copy = cuteEffectGetCopy(walk->dialect, op, &parts) &&
                          !mlirValueIsNull(parts.copy)
                      ? typeOf(walk, parts.copy)
                      : NULL;
  return copy && cuteTypeIsBulkAtom(copy);
}

static void storeBulk(Walk *walk, const State *state, MlirOperation op) {
  CuteCopyParts parts;
  cuteEffectGetCopy(walk->dialect, op, &parts);
  if (cuteViewIsIn(walk->dialect, parts.source, CUTE_SMEM))
    checkDescribed(walk, state, op,
                   rootOf(walk->dialect, parts.source, CUTE_SMEM));
}

static void accessMemory(Walk *walk, State *state, MlirOperation op) {
  intptr_t written = cuteEffectGetWritten(walk->dialect, op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (i == written || cuteEffectReads(walk->dialect, op, i))
      checkOperand(walk, state, op, mlirOperationGetOperand(op, i),
                   i == written);
  if (written < 0 || written >= mlirOperationGetNumOperands(op))
    return;
  MlirValue to = mlirOperationGetOperand(op, written);
  if (cuteViewIsIn(walk->dialect, to, CUTE_SMEM))
    addWritten(state, (Written){rootOf(walk->dialect, to, CUTE_SMEM), op});
}

static void step(Walk *walk, State *state, const CuteOpDecl *decl,
                 MlirOperation op) {
  const CuteOpTraits *traits = &decl->traits;
  if (isProduct(walk, op))
    startProduct(walk, state, op);
  else if (traits->group == CUTE_GROUP_WGMMA &&
           traits->groupUse == CUTE_GROUP_COMMITS)
    commit(state);
  else if (traits->group == CUTE_GROUP_WGMMA &&
           traits->groupUse == CUTE_GROUP_WAITS)
    complete(state, cuteEffectGetPending(walk->dialect, op));
  else if (decl->id == CUTE_OP_FENCE_PROXY)
    state->numWritten = 0;
  else if (isBulk(walk, op))
    storeBulk(walk, state, op);
  else
    accessMemory(walk, state, op);
}

//===-- Regions -----------------------------------------------------------===//

static void walkOp(Walk *walk, State *state, MlirOperation op);

static void walkRegion(Walk *walk, State *state, MlirRegion region) {
  MlirBlock block = mlirRegionGetFirstBlock(region);
  for (; !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block)) {
    MlirOperation op = mlirBlockGetFirstOperation(block);
    for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
      walkOp(walk, state, op);
  }
}

static void walkRegions(Walk *walk, State *state, MlirOperation op) {
  State before = *state;
  bool isIf = cuteMlirIs(op, "scf.if");
  bool isLoop =
      !isIf && cuteTextStartsWith(fromMlirString(cuteMlirGetName(op)), "scf.");
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
    State in = before;
    MlirRegion region = mlirOperationGetRegion(op, r);
    walkRegion(walk, &in, region);
    if (isLoop)
      walkRegion(walk, &in, region);
    if (r == 0 && isIf &&
        !mlirBlockIsNull(
            mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 1))))
      *state = in;
    else
      merge(state, &in);
  }
}

static void walkOp(Walk *walk, State *state, MlirOperation op) {
  const CuteOpDecl *decl = cuteDialectGetDecl(walk->dialect, op);
  if (decl)
    step(walk, state, decl, op);
  else if (mlirOperationGetNumRegions(op))
    walkRegions(walk, state, op);
}

static bool walkKernel(CuteDialect *dialect, MlirOperation kernel,
                       bool ofProxies) {
  Walk walk = {.dialect = dialect, .ofProxies = ofProxies};
  State *state = cuteAllocate(sizeof *state);
  *state = (State){.numPending = 0};
  walkRegion(&walk, state, mlirOperationGetRegion(kernel, 0));
  free(state);
  cutePointerMapDestroy(&walk.told);
  return !walk.failed;
}

bool cuteAsyncCheckProducts(CuteDialect *dialect, MlirOperation kernel) {
  return walkKernel(dialect, kernel, false);
}

void cuteAsyncWarnOfProxies(CuteDialect *dialect, MlirOperation kernel) {
  walkKernel(dialect, kernel, true);
}
