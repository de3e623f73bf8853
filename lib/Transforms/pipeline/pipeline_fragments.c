// Finds the fragments of a loop that can be loaded one k-block ahead of their
// gemm.
#include "Transforms/pipeline/pipeline.h"

// The fragment that a copy fills: what its destination retiles, or is.
static MlirValue fragmentOf(CutePipelineLoop *p, MlirOperation copy) {
  CuteCopyParts parts;
  cuteEffectGetCopy(p->dialect, copy, &parts);
  MlirValue value = parts.destination;
  if (!mlirValueIsABlockArgument(value) &&
      cuteDialectIsOp(p->dialect, mlirOpResultGetOwner(value), CUTE_OP_RETILE))
    return getOperand(mlirOpResultGetOwner(value), 1);
  return value;
}

// A remark at an op that keeps the fragments as they are; false.
static bool keep(MlirOperation op, const char *reason) {
  MlirStringRef name = cuteMlirGetName(op);
  CUTE_REMARK_AT(op, "fragments are not loaded one k-block ahead: '%.*s' %s",
                 CUTE_TEXT(name), reason);
  return false;
}

//===-- Parts of the body -------------------------------------------------===//

// Sets the ranges of the copies that read shared memory, and of the gemms.
static bool findRanges(CutePipelineLoop *p) {
  const CuteOps *ops = &p->computes;
  size_t i = 0;
  while (i < ops->count && !cutePipelineReadsFetched(p, ops->data[i]))
    ++i;
  p->firstCopy = i;
  while (i < ops->count &&
         cuteDialectIsOp(p->dialect, ops->data[i], CUTE_OP_COPY) &&
         cutePipelineReadsFetched(p, ops->data[i]))
    ++i;
  p->firstGemm = i;
  while (i < ops->count &&
         cuteDialectIsOp(p->dialect, ops->data[i], CUTE_OP_GEMM))
    ++i;
  p->endGemms = i;
  if (p->firstGemm == p->firstCopy)
    return keep(ops->data[p->firstCopy],
                "reads shared memory and is not a cute.copy of all k-blocks");
  if (p->endGemms == p->firstGemm)
    return keep(p->firstGemm < ops->count ? ops->data[p->firstGemm] : p->loop,
                "is where the cute.gemm on the copied fragments should be");
  for (; i < ops->count; ++i)
    if (cutePipelineReadsFetched(p, ops->data[i]))
      return keep(ops->data[i], "reads shared memory after the cute.gemm");
  return true;
}

//===-- k-blocks ----------------------------------------------------------===//

static CuteLayout layoutOf(CutePipelineLoop *p, MlirValue tensor) {
  return cuteDialectGetValueType(p->dialect, tensor)->layout;
}

// Gives the extent of the last of three modes, the k-blocks of a tensor; 0 if
// it is dynamic or there are not three.
static int64_t blocksOf(CutePipelineLoop *p, MlirValue tensor) {
  CuteLayout layout = layoutOf(p, tensor);
  if (layout->shape->numDynamic || cuteLayoutGetRank(layout) != 3)
    return 0;
  return cuteIntTupleProduct(p->dialect->context, element(layout->shape, 2))
      ->value;
}

// Sets owner[index] to the k-block that holds the register, plus 1. False if
// two blocks hold it.
static bool markOwners(CuteContext c, CuteLayout layout, int64_t blocks,
                       int64_t count, int32_t *owners) {
  int64_t size = cuteLayoutGetSize(c, layout)->value;
  for (int64_t i = 0; i < size; ++i) {
    CuteIntTuple index = cuteLayoutEval(c, layout, staticInt(c, i));
    if (!isStatic(index) || index->value < 0 || index->value >= count)
      return false;
    int32_t *owner = &owners[index->value],
            block = (int32_t)(i / (size / blocks));
    if (*owner && *owner != block + 1)
      return false;
    *owner = block + 1;
  }
  return true;
}

// Tells whether block k of a fragment and of a view of it are the same
// registers, for each k, and no others'.
static bool haveSameBlocks(CutePipelineLoop *p, MlirValue fragment,
                           MlirValue view, int64_t blocks) {
  CuteContext c = p->dialect->context;
  CuteLayout a = layoutOf(p, fragment), b = layoutOf(p, view);
  CuteIntTuple cosize = cuteLayoutGetCosize(c, a);
  if (!isStatic(cosize))
    return false;
  size_t n = (size_t)cosize->value;
  int32_t *owners = cuteTaskAllocateZeros(2 * n, sizeof *owners);
  return markOwners(c, a, blocks, (int64_t)n, owners) &&
         markOwners(c, b, blocks, (int64_t)n, owners + n) &&
         !memcmp(owners, owners + n, n * sizeof *owners);
}

//===-- Checks ------------------------------------------------------------===//

bool cutePipelineIsInput(intptr_t i) { return i == 2 || i == 3 || i > 4; }

static bool isGemmOperand(CutePipelineLoop *p, MlirValue fragment) {
  for (size_t i = p->firstGemm; i < p->endGemms; ++i) {
    MlirOperation gemm = p->computes.data[i];
    for (intptr_t j = 0; j < getNumOperands(gemm); ++j)
      if (cutePipelineIsInput(j) &&
          mlirValueEqual(fragment, getOperand(gemm, j)))
        return true;
  }
  return false;
}

static bool isInLoop(MlirOperation op) {
  MlirOperation parent = mlirOperationGetParentOperation(op);
  while (cuteMlirIs(parent, "scf.if"))
    parent = mlirOperationGetParentOperation(parent);
  return !cuteMlirIs(parent, "gpu.func");
}

// Tells whether the op reads a fragment.
static bool reads(CutePipelineLoop *p, MlirOperation op, MlirValue root) {
  for (intptr_t i = 0; i < getNumOperands(op); ++i)
    if (cuteEffectReads(p->dialect, op, i) &&
        mlirValueEqual(
            root, cuteViewGetRoot(p->dialect, getOperand(op, i), CUTE_RMEM)))
      return true;
  return false;
}

// Tells whether the op may use a fragment whose next block is loaded early: one
// of the copies and gemms, or one that has run before the loop. Where the loop
// comes again, that must not see what it has left.
static bool mayUse(CutePipelineLoop *p, MlirOperation user, MlirValue root) {
  for (size_t i = p->firstCopy; i < p->endGemms; ++i)
    if (mlirOperationEqual(p->computes.data[i], user))
      return true;
  return cuteEffectGet(p->dialect, user) == CUTE_EFFECT_ACCESS &&
         mlirBlockEqual(mlirOperationGetBlock(user),
                        mlirOperationGetBlock(p->loop)) &&
         mlirOperationIsBeforeInBlock(user, p->loop) &&
         (!isInLoop(p->loop) || !reads(p, user, root));
}

// Collects the uses of the fragment `root` through its view `value`.
static bool checkUses(CutePipelineLoop *p, MlirValue value, MlirValue root,
                      int depth) {
  CUTE_FOR_USES(use, value) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    CuteEffect effect = cuteEffectGet(p->dialect, user);
    if (effect == CUTE_EFFECT_REGISTERS)
      continue;
    bool isView = effect == CUTE_EFFECT_NONE &&
                  cuteDialectGetDecl(p->dialect, user) && depth > 0;
    if (!isView && !mayUse(p, user, root))
      return keep(user, "uses a fragment, too");
    for (intptr_t i = 0; isView && i < getNumResults(user); ++i)
      if (cuteViewIsIn(p->dialect, getResult(user, i), CUTE_RMEM) &&
          !checkUses(p, getResult(user, i), root, depth - 1))
        return false;
  }
  return true;
}

// Checks that what a copy of the next round uses is known in this one: it
// depends on nothing that the loop computes from its index, from what it
// carries or from memory.
static bool dependsOnRound(CutePipelineLoop *p, MlirValue value) {
  if (mlirValueIsABlockArgument(value))
    return mlirBlockEqual(mlirBlockArgumentGetOwner(value), p->body);
  MlirOperation op = mlirOpResultGetOwner(value);
  if (!mlirBlockEqual(mlirOperationGetBlock(op), p->body))
    return false;
  bool depends = cuteEffectGet(p->dialect, op) != CUTE_EFFECT_NONE;
  for (intptr_t i = 0; !depends && i < getNumOperands(op); ++i)
    depends = dependsOnRound(p, getOperand(op, i));
  return depends;
}

// Fragments must keep their blocks from one round to the next.
static bool checkFragment(CutePipelineLoop *p, MlirOperation copy,
                          MlirValue root) {
  if (mlirValueIsABlockArgument(root))
    return keep(copy, "fills a fragment that is passed on; make one in front "
                      "of the loop");
  MlirOperation op = mlirOpResultGetOwner(root);
  return !mlirBlockEqual(mlirOperationGetBlock(op), p->body) ||
         keep(op, "makes a fragment in each round; make it in front of the "
                  "loop");
}

enum { MAX_VIEWS = 8 }; // of each other, of a fragment

static bool checkCopy(CutePipelineLoop *p, MlirOperation copy) {
  CuteCopyParts parts;
  cuteEffectGetCopy(p->dialect, copy, &parts);
  MlirValue fragment = fragmentOf(p, copy);
  if (!mlirValueIsNull(parts.predicate))
    return keep(copy, "has a predicate");
  if (!isGemmOperand(p, fragment))
    return keep(copy, "does not fill what the cute.gemm reads");
  MlirValue root = cuteViewGetRoot(p->dialect, fragment, CUTE_RMEM);
  if (!checkFragment(p, copy, root))
    return false;
  if (dependsOnRound(p, parts.copy) || dependsOnRound(p, parts.source) ||
      dependsOnRound(p, parts.destination))
    return keep(copy, "depends on the index of the loop, on what it carries or "
                      "on memory; its operands must be the same in all rounds");
  if (blocksOf(p, parts.source) != p->blocks ||
      blocksOf(p, parts.destination) != p->blocks ||
      !haveSameBlocks(p, fragment, parts.destination, p->blocks))
    return keep(copy, "has other k-blocks than the cute.gemm");
  return checkUses(p, root, root, MAX_VIEWS);
}

// Operands of a gemm are filled by one of the copies, or not in the loop.
static bool checkGemm(CutePipelineLoop *p, MlirOperation gemm) {
  for (intptr_t i = 0; i < getNumOperands(gemm); ++i) {
    MlirValue operand = getOperand(gemm, i);
    if (!cutePipelineIsInput(i))
      continue;
    if (!cuteViewIsIn(p->dialect, operand, CUTE_RMEM) ||
        blocksOf(p, operand) != p->blocks)
      return keep(gemm, "has operands that are not fragments with as many "
                        "k-blocks each");
  }
  return true;
}

static MlirValue rootOf(CutePipelineLoop *p, MlirOperation gemm, intptr_t i) {
  return cuteViewGetRoot(p->dialect, getOperand(gemm, i), CUTE_RMEM);
}

// Tells whether a gemm reads or writes what another one writes.
static bool meets(CutePipelineLoop *p, MlirOperation gemm,
                  MlirOperation writer) {
  bool isSame = mlirOperationEqual(gemm, writer);
  MlirValue written = rootOf(p, writer, 1);
  for (intptr_t i = 1; i < getNumOperands(gemm); ++i)
    if ((!isSame || cutePipelineIsInput(i)) &&
        mlirValueEqual(written, rootOf(p, gemm, i)))
      return true;
  return false;
}

// Gemms go through the k-blocks together: none may need another's sum.
static bool checkSums(CutePipelineLoop *p) {
  for (size_t i = p->firstGemm; i < p->endGemms; ++i)
    for (size_t j = p->firstGemm; j < p->endGemms; ++j)
      if (meets(p, p->computes.data[i], p->computes.data[j]))
        return keep(p->computes.data[i],
                    "uses the result of a cute.gemm beside it; each must have "
                    "accumulators of its own");
  return true;
}

static bool matchBlocks(CutePipelineLoop *p) {
  if (!findRanges(p))
    return false;
  MlirOperation gemm = p->computes.data[p->firstGemm];
  p->blocks = blocksOf(p, getOperand(gemm, 2));
  if (p->blocks < 2)
    return keep(gemm, "has one k-block");
  for (size_t i = p->firstGemm; i < p->endGemms; ++i)
    if (!checkGemm(p, p->computes.data[i]))
      return false;
  if (!checkSums(p))
    return false;
  for (size_t i = p->firstCopy; i < p->firstGemm; ++i)
    if (!checkCopy(p, p->computes.data[i]))
      return false;
  return true;
}

// Says nothing of loops without products, which have no k-blocks.
void cutePipelineMatchFragments(CutePipelineLoop *p) {
  if (!cuteOpListHas(p->dialect, p->loop, CUTE_OP_GEMM) || !matchBlocks(p))
    p->blocks = 1;
}
