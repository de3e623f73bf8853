// Bytes that come to barriers, stages of pipelines, and loads that blocks
// share.
#include "IR/effects.h"
#include "IR/op_list.h"
#include "IR/views.h"
#include "Lint/async.h"
#include "Ops/lower_ops.h"

typedef struct Stages {
  CuteDialect *dialect;
  MlirOperation kernel;
  CuteOpList ops;
  bool failed;
} Stages;

static bool isOp(const Stages *s, MlirOperation op, CuteOpId id) {
  return cuteDialectIsOp(s->dialect, op, id);
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
  return isOp(s, with, CUTE_OP_WITH_BARRIER) ? getOperand(with, 1) : none;
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

// A number of an operand: an integer's constant or a static int_tuple.
static bool staticOf(const Stages *s, MlirValue value, int64_t *n) {
  CuteType type = cuteDialectGetValueType(s->dialect, value);
  if (cuteTypeIsKind(type, CUTE_TYPE_INT_TUPLE)) {
    *n = type->tuple->value;
    return isStatic(type->tuple);
  }
  return cuteMlirIsConstant(value, n);
}

static bool expectsBytes(CuteOpId id) {
  return id == CUTE_OP_MBARRIER_EXPECT_TX ||
         id == CUTE_OP_MBARRIER_ARRIVE_EXPECT_TX;
}

typedef struct Sum {
  int64_t bytes;
  size_t copies;
  bool isKnown; // all of them are in the block, of known bytes
} Sum;

static void addCopy(const Stages *s, MlirOperation copy, MlirBlock block,
                    Sum *sum) {
  int64_t bytes = bytesOf(s, copy);
  sum->isKnown &=
      bytes >= 0 && mlirBlockEqual(mlirOperationGetBlock(copy), block);
  sum->bytes += bytes;
  ++sum->copies;
}

static void failBytes(Stages *s, MlirOperation op, int64_t expected,
                      const Sum *sum) {
  s->failed = cuteAsyncFail(
      op,
      sum->bytes < expected ? "the phase would never be complete"
                            : "the phase would be complete too early",
      "the barrier waits for %jd bytes, but the %zu cop%s with it bring%s %jd",
      expected, sum->copies, sum->copies == 1 ? "y" : "ies",
      sum->copies == 1 ? "s" : "", sum->bytes);
}

//===-- What is followed --------------------------------------------------===//

// Tells whether every copy to a barrier is seen: only copies, arrivals and
// waits use it.
static bool areCopiesSeen(const Stages *s, MlirValue barrier) {
  if (!cuteAsyncIsKept(s->dialect, barrier))
    return false;
  CUTE_FOR_USES(use, barrier) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    const CuteOpDecl *decl = cuteDialectGetDecl(s->dialect, op);
    if (decl->id == CUTE_OP_WITH_BARRIER
            ? !cuteAsyncIsKept(s->dialect, getResult(op, 0))
            : !decl->traits.barrierUse && !expectsBytes(decl->id))
      return false;
  }
  return true;
}

// Tells whether two barriers of one array are different elements of it.
static bool areApart(const Stages *s, MlirValue a, MlirValue b) {
  MlirValue values[] = {a, b}, bases[2];
  int64_t places[2] = {0, 0};
  for (int i = 0; i < 2; ++i) {
    MlirOperation op = cuteMlirGetOwner(values[i]);
    bool isMoved = isOp(s, op, CUTE_OP_ADD_OFFSET);
    bases[i] = isMoved ? getOperand(op, 0) : values[i];
    if (isMoved && !staticOf(s, getOperand(op, 1), &places[i]))
      return false;
  }
  return mlirValueEqual(bases[0], bases[1]) && places[0] != places[1];
}

// Tells whether a value may be the same barrier as another one.
static bool mayBeSame(const Stages *s, MlirValue a, MlirValue b) {
  return !mlirValueEqual(a, b) &&
         mlirValueEqual(cuteViewGetRoot(s->dialect, a, CUTE_SMEM),
                        cuteViewGetRoot(s->dialect, b, CUTE_SMEM)) &&
         !areApart(s, a, b);
}

//===-- Barriers ----------------------------------------------------------===//

// Compares what one op makes a barrier expect, where all is in its block.
static void checkExpected(Stages *s, MlirOperation op) {
  MlirValue barrier = getOperand(op, 0);
  int64_t expected;
  Sum sum = {.isKnown = areCopiesSeen(s, barrier)};
  if (!staticOf(s, getOperand(op, 1), &expected))
    return;
  for (size_t i = 0; i < s->ops.count; ++i) {
    MlirOperation other = s->ops.ops[i];
    MlirValue of = barrierOf(s, other);
    if (expectsBytes(s->ops.decls[i]->id) && !mlirOperationEqual(other, op)) {
      of = getOperand(other, 0);
      sum.isKnown &= !mlirValueEqual(of, barrier);
    } else if (!mlirValueIsNull(of) && mlirValueEqual(of, barrier))
      addCopy(s, other, mlirOperationGetBlock(op), &sum);
    sum.isKnown &= mlirValueIsNull(of) || !mayBeSame(s, of, barrier);
  }
  if (sum.isKnown && sum.copies && sum.bytes != expected)
    failBytes(s, op, expected, &sum);
}

//===-- Stages ------------------------------------------------------------===//

// Tells whether both ops are of one pipeline in one state.
static bool isOfStage(MlirOperation a, MlirOperation b) {
  return mlirValueEqual(getOperand(a, 0), getOperand(b, 0)) &&
         mlirValueEqual(getOperand(a, 1), getOperand(b, 1));
}

// Copies to the stage below the op, which are known if it is one itself.
static void addCopies(Stages *s, MlirOperation acquire, MlirOperation op,
                      Sum *sum) {
  CuteOpList below = cuteOpListCollect(s->dialect, op);
  for (size_t i = 0; i < below.count; ++i) {
    MlirValue barrier = barrierOf(s, below.ops[i]);
    MlirOperation owner = mlirValueIsNull(barrier) ? (MlirOperation){NULL}
                                                   : cuteMlirGetOwner(barrier);
    if (isOp(s, owner, CUTE_OP_PRODUCER_BARRIER) && isOfStage(owner, acquire))
      addCopy(s, below.ops[i], mlirOperationGetBlock(acquire), sum);
  }
}

// Tells whether an op of a pipeline is there, in any state.
static bool hasOn(const Stages *s, CuteOpId id, MlirValue pipeline) {
  return cuteOpListHasOn(s->dialect, s->kernel, id, 0, pipeline);
}

// Tells whether every copy to a pipeline's stages has a barrier that one op
// gives, in the state of an acquire.
static bool areLoadsSeen(const Stages *s, MlirValue pipeline) {
  CUTE_FOR_USES(use, pipeline) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    bool isSeen = !isOp(s, op, CUTE_OP_PRODUCER_BARRIER);
    if (isSeen)
      continue;
    CUTE_FOR_USES(other, pipeline) {
      MlirOperation acquire = mlirOpOperandGetOwner(other);
      isSeen |=
          isOp(s, acquire, CUTE_OP_PRODUCER_ACQUIRE) && isOfStage(op, acquire);
    }
    if (!isSeen || !areCopiesSeen(s, getResult(op, 0)))
      return false;
  }
  return true;
}

// The bytes that an acquire has its stage wait for.
static int64_t expectedOf(const Stages *s, MlirOperation acquire) {
  int64_t bytes = 0;
  for (intptr_t i = 2; i < getNumOperands(acquire); ++i)
    bytes += cuteTmaGetBytes(s->dialect->context,
                             cuteDialectGetOperandType(s->dialect, acquire, i));
  return bytes ? bytes
               : cuteTypeGetPipelineValue(
                     cuteDialectGetOperandType(s->dialect, acquire, 0))
                     .bytes;
}

static void checkAcquired(Stages *s, MlirOperation acquire) {
  MlirValue pipeline = getOperand(acquire, 0);
  CutePipeline p = cuteTypeGetPipelineValue(
      cuteDialectGetOperandType(s->dialect, acquire, 0));
  Sum sum = {.isKnown = areLoadsSeen(s, pipeline)};
  MlirOperation op = acquire;
  while (!mlirOperationIsNull(op = mlirOperationGetNextInBlock(op)))
    addCopies(s, acquire, op, &sum);
  if (!cuteAsyncIsKept(s->dialect, pipeline))
    return;
  if (p.kind != CUTE_PIPE_TMA_STORE &&
      !hasOn(s, CUTE_OP_PRODUCER_COMMIT, pipeline))
    s->failed =
        cuteAsyncFail(acquire, "fill and commit each stage on every path",
                      "no thread commits a stage of this pipeline");
  else if (p.kind == CUTE_PIPE_TMA && sum.isKnown &&
           sum.bytes != expectedOf(s, acquire))
    failBytes(s, acquire, expectedOf(s, acquire), &sum);
}

static void checkCommitted(Stages *s, MlirOperation commit) {
  MlirValue pipeline = getOperand(commit, 0);
  CutePipeline p =
      cuteTypeGetPipelineValue(cuteDialectGetValueType(s->dialect, pipeline));
  if (p.kind != CUTE_PIPE_TMA_STORE && cuteAsyncIsKept(s->dialect, pipeline) &&
      !hasOn(s, CUTE_OP_PRODUCER_ACQUIRE, pipeline))
    s->failed = cuteAsyncFail(commit, NULL,
                              "no thread acquires a stage of this pipeline");
}

//===-- Clusters ----------------------------------------------------------===//

// The blocks of a kernel's clusters, or of the largest.
static int64_t clusterOf(MlirOperation kernel) {
  int64_t n[3] = {1, 1, 1};
  if (!cuteMlirGetSizes(kernel, "known_cluster_size", n))
    cuteMlirGetSizes(kernel, "cute.preferred_cluster", n);
  return n[0] * n[1] * n[2];
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
      "%jd thread blocks share its loads, but a cluster of the kernel has %jd",
      atom->ctas, blocks);
}

static void checkMask(Stages *s, MlirOperation op) {
  int64_t mask, blocks = clusterOf(s->kernel);
  if (getNumOperands(op) < 3 || !staticOf(s, getOperand(op, 2), &mask))
    return;
  mask &= 0xffff;
  if (mask && mask >> blocks == 0)
    return;
  s->failed = cuteAsyncFail(op, NULL,
                            "the mask %jd has %s, but a cluster of the kernel "
                            "has the blocks 0 to %jd",
                            mask, mask ? "bits beyond" : "no bits", blocks - 1);
}

bool cuteAsyncCheckStages(CuteDialect *dialect, MlirOperation kernel) {
  Stages s = {dialect, kernel, cuteOpListCollect(dialect, kernel), false};
  for (size_t i = 0; i < s.ops.count; ++i) {
    CuteOpId id = s.ops.decls[i]->id;
    MlirOperation op = s.ops.ops[i];
    if (expectsBytes(id))
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
  return !s.failed;
}
