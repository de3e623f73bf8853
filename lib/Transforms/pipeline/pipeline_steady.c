// Finds what a loop may do to shared memory with one tile, but not with several
// stages: what is written in one round and read in another.
#include "Lowering/lowering.h"
#include "Lowering/shared_plan.h"
#include "Transforms/pipeline/pipeline.h"

// Tells whether an op may run more often than its function: it is in a loop
// or in a block that is branched to.
static bool isRepeated(MlirOperation op) {
  MlirOperation parent = mlirOperationGetParentOperation(op);
  while (cuteMlirIs(parent, "scf.if")) {
    op = parent;
    parent = mlirOperationGetParentOperation(op);
  }
  MlirBlock entry = cuteMlirGetBody(parent, 0);
  bool isFunction =
      cuteMlirIs(parent, "gpu.func") || cuteMlirIs(parent, "func.func");
  return !isFunction || !mlirBlockEqual(mlirOperationGetBlock(op), entry);
}

static bool isSteady(CutePipelineLoop *p, MlirValue value,
                     CutePointerMap *seen) {
  if (mlirValueIsABlockArgument(value)) {
    MlirBlock block = mlirBlockArgumentGetOwner(value);
    return !isRepeated(mlirBlockGetFirstOperation(block));
  }
  MlirOperation op = mlirOpResultGetOwner(value);
  if (!isRepeated(op) || cutePointerMapGet(seen, op.ptr))
    return true;
  cutePointerMapSet(seen, op.ptr, op.ptr);
  bool ok = cuteEffectGet(p->dialect, op) == CUTE_EFFECT_NONE;
  for (intptr_t i = 0; ok && i < getNumOperands(op); ++i)
    ok = isSteady(p, getOperand(op, i), seen);
  return ok;
}

// Tells whether a value is the same in all rounds of all loops.
static bool isAlwaysTheSame(CutePipelineLoop *p, MlirValue value) {
  CUTE_SCOPED(PointerMap) seen = {0};
  return isSteady(p, value, &seen);
}

enum { MAX_VIEWS = 8 }; // of each other, of a fragment

// Tells whether a loop may write the fragment that the value views.
static bool isWrittenInLoop(CutePipelineLoop *p, MlirValue value, int depth) {
  CUTE_FOR_USES(use, value) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    CuteEffect effect = cuteEffectGet(p->dialect, user);
    bool isView = effect == CUTE_EFFECT_NONE && depth > 0;
    if (effect == CUTE_EFFECT_REGISTERS)
      continue;
    if (effect != CUTE_EFFECT_ACCESS && !isView)
      return true;
    if (effect == CUTE_EFFECT_ACCESS && isRepeated(user) &&
        cuteEffectGetWritten(p->dialect, user) ==
            (intptr_t)mlirOpOperandGetOperandNumber(use))
      return true;
    for (intptr_t i = 0; isView && i < getNumResults(user); ++i)
      if (isWrittenInLoop(p, getResult(user, i), depth - 1))
        return true;
  }
  return false;
}

// Without zeros, what is not copied in this round stays from one before.
static bool checkLeftOver(CutePipelineLoop *p, MlirOperation fetch,
                          const CuteCopyParts *parts) {
  CuteType copy = cuteDialectGetValueType(p->dialect, parts->copy);
  const CuteCopyAtom *atom = copy->atom;
  if (atom->zeroFill || mlirValueIsNull(parts->predicate))
    return true;
  MlirValue root = cuteViewGetRoot(p->dialect, parts->predicate, CUTE_RMEM);
  return (isAlwaysTheSame(p, parts->predicate) &&
          !isWrittenInLoop(p, root, MAX_VIEWS)) ||
         cutePipelineObstruct(
             p, fetch,
             "leaves what its predicate excludes as an earlier round "
             "left it, and the predicate may change from round to "
             "round; take an atom that fills with zeros (_ZFILL), or "
             "make the predicate in front of all loops");
}

bool cutePipelineCheckSteady(CutePipelineLoop *p, MlirOperation fetch) {
  CuteCopyParts parts;
  cuteEffectGetCopy(p->dialect, fetch, &parts);
  if (!isAlwaysTheSame(p, parts.destination))
    return cutePipelineObstruct(
        p, fetch,
        "writes a part of shared memory that may change from round to "
        "round; its destination must be the same in all");
  return checkLeftOver(p, fetch, &parts);
}

//===-- Stores in front of the loop ---------------------------------------===//

// Tells whether an op may write global memory, by itself and not in its
// regions.
static bool mayStore(CuteDialect *dialect, MlirOperation op) {
  intptr_t written = cuteEffectGetWritten(dialect, op);
  if (written >= 0)
    return cuteViewIsIn(dialect, getOperand(op, written), CUTE_GMEM);
  MlirStringRef name = cuteMlirGetName(op);
  return !cuteDialectGetDecl(dialect, op) &&
         cuteEffectGet(dialect, op) == CUTE_EFFECT_UNKNOWN &&
         !cuteMlirStartsWith(name, "scf.") &&
         !cuteMlirStartsWith(name, "arith.") && !cuteMlirIs(op, "gpu.return");
}

bool cutePipelineFollowsStores(CutePipelineLoop *p) {
  // The function has the cute.alloc_smem.
  MlirOperation function = cuteMlirGetAround(p->loop, "gpu.func");
  MlirOperation op = cuteMlirGetNext(function, function);
  while (!mlirOperationIsNull(op)) {
    bool isLoop = mlirOperationEqual(op, p->loop);
    if (isLoop && !isRepeated(op))
      return false;
    if (!isLoop && mayStore(p->dialect, op))
      return true;
    op = isLoop ? cuteMlirGetNextOutside(op, function)
                : cuteMlirGetNext(op, function);
  }
  return false;
}

//===-- Shared memory -----------------------------------------------------===//

// Counts the bytes of an allocation; where they are too many or unknown, far
// more than a block has, whose sums do not overflow.
static int64_t bytesOf(const CutePipelineLoop *p, MlirOperation alloc) {
  const int64_t most = INT64_C(1) << 32;
  MlirValue tensor = getResult(alloc, 0);
  CuteType type = cuteDialectGetValueType(p->dialect, tensor);
  int64_t bytes;
  return cuteSharedBytesOf(p->dialect->context, type, &bytes) && bytes < most
             ? bytes
             : most;
}

bool cutePipelineFitBytes(CutePipelineLoop *p, const CuteArch *arch) {
  int64_t bytes = 0;
  for (size_t i = 0; i < p->allocs.count; ++i)
    bytes += bytesOf(p, p->allocs.data[i]);
  CUTE_SCOPED(String) problem = {0};
  while (!cuteSharedFits(arch ? cutePipelineCountBytes(p) : bytes * p->stages,
                         arch, &problem)) {
    if (p->stages == 2)
      return cutePipelineObstruct(p, p->loop, "with 2 stages %s%s",
                                  arch ? "the kernel " : "",
                                  cuteStringGet(&problem));
    --p->stages;
    cuteStringClear(&problem);
  }
  return true;
}
