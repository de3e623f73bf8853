// Bytes that come to barriers, stages of pipelines, and loads that blocks
// share.
#include "IR/effects.h"
#include "IR/op_list.h"
#include "Lint/async.h"

typedef struct Stages {
  CuteDialect *dialect;
  MlirOperation kernel;
  CuteOpList ops;
  bool failed;
} Stages;

static bool isOp(const Stages *s, MlirOperation op, CuteOpId id) {
  return !mlirOperationIsNull(op) && cuteDialectIsOp(s->dialect, op, id);
}

//===-- Bytes -------------------------------------------------------------===//

// The barrier of a copy's atom; null if it has none.
static MlirValue barrierOf(const Stages *s, MlirOperation copy) {
  CuteCopyParts parts;
  MlirValue none = {NULL};
  if (!cuteEffectGetCopy(s->dialect, copy, &parts) ||
      mlirValueIsNull(parts.copy))
    return none;
  MlirOperation with = cuteMlirGetOwner(parts.copy);
  return isOp(s, with, CUTE_OP_WITH_BARRIER) ? mlirOperationGetOperand(with, 1)
                                             : none;
}

// The bytes that a load brings to a barrier, from all thread blocks that share
// it; -1 if they are not known.
static int64_t bytesOf(const Stages *s, MlirOperation copy) {
  CuteCopyParts parts;
  cuteEffectGetCopy(s->dialect, copy, &parts);
  CuteType to = cuteDialectGetValueType(s->dialect, parts.destination);
  if (!cuteTypeIsKind(to, CUTE_TYPE_TENSOR) || to->layout->shape->numDynamic)
    return -1;
  CuteIntTuple size = cuteLayoutGetSize(s->dialect->context, to->layout);
  return size && isStatic(size)
             ? size->value * cuteElementTypeGetBits(to->element) / 8
             : -1;
}

static bool isInBlock(MlirOperation op, MlirBlock block) {
  return mlirBlockEqual(mlirOperationGetBlock(op), block);
}

// A number of an operand: an integer's constant or a static int_tuple.
static bool staticOf(const Stages *s, MlirValue value, int64_t *n) {
  CuteType type = cuteDialectGetValueType(s->dialect, value);
  if (cuteTypeIsKind(type, CUTE_TYPE_INT_TUPLE)) {
    *n = type->tuple->value;
    return isStatic(type->tuple);
  }
  MlirOperation owner = cuteMlirGetOwner(value);
  if (mlirOperationIsNull(owner) || !cuteMlirIs(owner, "arith.constant"))
    return false;
  MlirAttribute attribute = cuteMlirGetAttribute(owner, "value");
  if (!mlirAttributeIsAInteger(attribute))
    return false;
  *n = mlirIntegerAttrGetValueInt(attribute);
  return true;
}

typedef struct Sum {
  int64_t bytes;
  size_t copies;
  bool isKnown; // all of them are in the block, of known bytes
} Sum;

static void addCopy(const Stages *s, MlirOperation copy, MlirBlock block,
                    Sum *sum) {
  int64_t bytes = bytesOf(s, copy);
  sum->isKnown &= bytes >= 0 && isInBlock(copy, block);
  sum->bytes += bytes;
  ++sum->copies;
}

static void failBytes(Stages *s, MlirOperation op, int64_t expected,
                      const Sum *sum) {
  s->failed = cuteAsyncFail(
      op,
      sum->bytes < expected ? "the phase would never be complete"
                            : "the phase would be complete too early",
      "the barrier waits for %lld bytes, but the %zu cop%s with it bring%s "
      "%lld",
      (long long)expected, sum->copies, sum->copies == 1 ? "y" : "ies",
      sum->copies == 1 ? "s" : "", (long long)sum->bytes);
}

// Compares what one op makes a barrier expect, where all is in its block.
static void checkExpected(Stages *s, MlirOperation op) {
  MlirValue barrier = mlirOperationGetOperand(op, 0);
  int64_t expected;
  Sum sum = {.isKnown = true};
  if (!staticOf(s, mlirOperationGetOperand(op, 1), &expected))
    return;
  for (size_t i = 0; i < s->ops.count; ++i) {
    MlirOperation other = s->ops.ops[i];
    MlirValue of = barrierOf(s, other);
    if (!mlirValueIsNull(of) && mlirValueEqual(of, barrier))
      addCopy(s, other, mlirOperationGetBlock(op), &sum);
    bool expects = s->ops.decls[i]->id == CUTE_OP_MBARRIER_EXPECT_TX ||
                   s->ops.decls[i]->id == CUTE_OP_MBARRIER_ARRIVE_EXPECT_TX;
    if (expects && !mlirOperationEqual(other, op) &&
        mlirValueEqual(mlirOperationGetOperand(other, 0), barrier))
      return;
  }
  if (sum.isKnown && sum.copies && sum.bytes != expected)
    failBytes(s, op, expected, &sum);
}

//===-- Stages ------------------------------------------------------------===//

// Tells whether both ops are of one pipeline in one state.
static bool isOfStage(MlirOperation a, MlirOperation b) {
  return mlirValueEqual(mlirOperationGetOperand(a, 0),
                        mlirOperationGetOperand(b, 0)) &&
         mlirValueEqual(mlirOperationGetOperand(a, 1),
                        mlirOperationGetOperand(b, 1));
}

// Copies to the stage below the op, which are known if it is one itself.
static void addCopies(Stages *s, MlirOperation acquire, MlirOperation op,
                      Sum *sum) {
  CUTE_SCOPED(OpList) below = cuteOpListCollect(s->dialect, op);
  for (size_t i = 0; i < below.count; ++i) {
    MlirValue barrier = barrierOf(s, below.ops[i]);
    MlirOperation owner = mlirValueIsNull(barrier) ? (MlirOperation){NULL}
                                                   : cuteMlirGetOwner(barrier);
    if (isOp(s, owner, CUTE_OP_PRODUCER_BARRIER) && isOfStage(owner, acquire))
      addCopy(s, below.ops[i], mlirOperationGetBlock(acquire), sum);
  }
}

static void checkAcquired(Stages *s, MlirOperation acquire) {
  CutePipeline p = cuteTypeGetPipelineValue(
      cuteDialectGetOperandType(s->dialect, acquire, 0));
  Sum sum = {.isKnown = true};
  MlirOperation op = mlirOperationGetNextInBlock(acquire);
  while (!mlirOperationIsNull(op) &&
         !(isOp(s, op, CUTE_OP_PRODUCER_COMMIT) && isOfStage(op, acquire))) {
    addCopies(s, acquire, op, &sum);
    op = mlirOperationGetNextInBlock(op);
  }
  if (mlirOperationIsNull(op) && p.kind != CUTE_PIPE_TMA_STORE)
    s->failed = cuteAsyncFail(
        acquire,
        "a stage that is acquired is filled and committed on every way",
        "no cute.producer_commit of the same pipeline and state follows in "
        "this block");
  else if (p.kind == CUTE_PIPE_TMA && sum.isKnown && sum.bytes != p.bytes)
    failBytes(s, acquire, p.bytes, &sum);
  else if (p.kind == CUTE_PIPE_TMA && !sum.isKnown)
    s->failed = cuteAsyncFail(
        acquire,
        "copy the same on every way; what lies outside of a tensor counts, too",
        "copies to the stage stand in a branch or loop between acquire and "
        "commit, so that how many bytes come depends on the way");
}

static void checkCommitted(Stages *s, MlirOperation commit) {
  CuteType type = cuteDialectGetOperandType(s->dialect, commit, 0);
  if (cuteTypeGetPipelineValue(type).kind == CUTE_PIPE_TMA_STORE)
    return;
  MlirOperation op = mlirBlockGetFirstOperation(mlirOperationGetBlock(commit));
  for (; !mlirOperationEqual(op, commit); op = mlirOperationGetNextInBlock(op))
    if (isOp(s, op, CUTE_OP_PRODUCER_ACQUIRE) && isOfStage(op, commit))
      return;
  s->failed = cuteAsyncFail(commit, NULL,
                            "no cute.producer_acquire of the same pipeline and "
                            "state stands before it in this block");
}

//===-- Clusters ----------------------------------------------------------===//

static int64_t clusterOf(MlirOperation kernel) {
  MlirAttribute sizes = cuteMlirGetAttribute(kernel, "known_cluster_size");
  int64_t blocks = 1;
  if (mlirAttributeIsNull(sizes) || !mlirAttributeIsADenseI32Array(sizes))
    return 1;
  for (intptr_t i = 0; i < mlirDenseArrayGetNumElements(sizes); ++i)
    blocks *= mlirDenseI32ArrayGetElement(sizes, i);
  return blocks;
}

static void checkShared(Stages *s, MlirOperation op) {
  CuteType atom = cuteDialectGetResultType(s->dialect, op, 0);
  int64_t blocks = clusterOf(s->kernel);
  if (!cuteTypeIsKind(atom, CUTE_TYPE_TMA_ATOM) || atom->ctas <= blocks)
    return;
  s->failed = cuteAsyncFail(
      op,
      "known_cluster_size = array<i32: 2, 1, 1> of the kernel makes clusters "
      "of 2",
      "%lld thread blocks share its loads, but a cluster of the kernel has "
      "%lld",
      (long long)atom->ctas, (long long)blocks);
}

static void checkMask(Stages *s, MlirOperation op) {
  int64_t mask, blocks = clusterOf(s->kernel);
  if (mlirOperationGetNumOperands(op) < 3 ||
      !staticOf(s, mlirOperationGetOperand(op, 2), &mask))
    return;
  mask &= 0xffff;
  if (mask && mask >> blocks == 0)
    return;
  s->failed = cuteAsyncFail(
      op, NULL,
      "the mask %lld has %s, but a cluster of the kernel has the blocks 0 to "
      "%lld",
      (long long)mask, mask ? "bits beyond" : "no bits", (long long)blocks - 1);
}

bool cuteAsyncCheckStages(CuteDialect *dialect, MlirOperation kernel) {
  Stages s = {dialect, kernel, cuteOpListCollect(dialect, kernel), false};
  for (size_t i = 0; i < s.ops.count; ++i) {
    CuteOpId id = s.ops.decls[i]->id;
    MlirOperation op = s.ops.ops[i];
    if (id == CUTE_OP_MBARRIER_ARRIVE_EXPECT_TX ||
        id == CUTE_OP_MBARRIER_EXPECT_TX)
      checkExpected(&s, op);
    else if (id == CUTE_OP_PRODUCER_ACQUIRE)
      checkAcquired(&s, op);
    else if (id == CUTE_OP_PRODUCER_COMMIT)
      checkCommitted(&s, op);
    else if (id == CUTE_OP_MAKE_TMA_ATOM)
      checkShared(&s, op);
    else if (id == CUTE_OP_WITH_BARRIER)
      checkMask(&s, op);
  }
  cuteOpListDestroy(&s.ops);
  return !s.failed;
}
