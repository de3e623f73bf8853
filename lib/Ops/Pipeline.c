// Pipelines: stages of shared memory between producers and consumers.
#include "Ops/lower_ops.h"

//===-- Construction ------------------------------------------------------===//

// Agents and roles are declared in the order of their enumerators.
static CutePipelineAgent agentOf(const CuteOp *op) {
  return (CutePipelineAgent)cuteOpGetWord(op, "agent");
}

static int64_t numberOf(const CuteOp *op, const char *name) {
  return cuteOpGetAttribute(op, name)->value;
}

static bool failMask(CuteOp *op, int64_t ctas, bool isPair) {
  if (isPair)
    return cuteFail(op->context,
                    "an atom loads for a pair of thread blocks: the last "
                    "operand is their mask, and a commit by \"tcgen05\" "
                    "releases stages");
  if (ctas > 1)
    return cuteFail(
        op->context,
        "an atom loads for %jd thread blocks: the last operand is their "
        "mask, as with_barrier takes it",
        ctas);
  return cuteFail(
      op->context,
      "a mask needs multicast atoms such as SM90_TMA_LOAD_MULTICAST: without "
      "them, stages belong to one thread block");
}

// Bits beyond the atoms' are for blocks that share nothing.
static bool checkMask(CuteOp *op, CuteIntTuple mask, int64_t most,
                      int64_t sum) {
  int64_t blocks =
      isStatic(mask) ? __builtin_popcountll((uint64_t)mask->value) : most;
  if (blocks >= most && blocks <= sum)
    return true;
  return cuteFail(
      op->context,
      "the mask has %jd bits, but the atoms load for %jd to %jd thread "
      "blocks",
      blocks, most, sum);
}

enum { BOTH = 3 }; // the mask of a pair

// Checks that a mask has the bits of the two blocks of a cluster.
static bool checkPair(CuteOp *op, CuteIntTuple mask) {
  return isStaticValue(mask, BOTH) ||
         cuteFail(op->context,
                  "the mask of a pair is 3, for both blocks of a cluster, not "
                  "%s",
                  cuteTupleText(op->context, mask));
}

// Takes the atoms; tells in isPair whether all load for a pair.
static bool takeLoads(CuteOp *op, size_t n, CutePipeline *pipeline,
                      bool *isPair) {
  int64_t most = 1, sum = 1;
  size_t pairs = 0;
  for (size_t i = 0; i < n; ++i) {
    if (operandKind(op, i) != CUTE_TYPE_TMA_ATOM)
      return cuteFail(op->context,
                      "operand %zu is not a TMA atom; a mask is the last one",
                      i + 1);
    CuteTmaAtom tma = cuteTypeGetTmaAtomValue(op->operands[i]);
    if (!cuteCopyAtomIsTmaLoad(tma.atom))
      return cuteFail(
          op->context,
          "%s stores: its pipeline is made by make_pipeline_tma_store",
          tma.atom->name);
    pipeline->bytes += cuteTmaGetBytes(op->context, op->operands[i]);
    most = tma.ctas > most ? tma.ctas : most;
    sum += tma.ctas - 1;
    pairs += tma.atom->isPair && tma.ctas == 1;
  }
  *isPair = pairs == n && pipeline->agent == CUTE_AGENT_TENSOR;
  if (*isPair)
    return pipeline->mask ? checkPair(op, pipeline->mask)
                          : failMask(op, most, true);
  if ((most > 1) != (pipeline->mask != NULL))
    return failMask(op, most, false);
  return !pipeline->mask || checkMask(op, pipeline->mask, most, sum);
}

static bool inferMakeTma(CuteOp *op) {
  CutePipeline pipeline = {.kind = CUTE_PIPE_TMA,
                           .stages = numberOf(op, "stages"),
                           .producers = 1,
                           .consumers = numberOf(op, "consumers"),
                           .agent = agentOf(op)};
  size_t n = op->numOperands;
  bool isPair = false;
  if (n && operandKind(op, n - 1) != CUTE_TYPE_TMA_ATOM) {
    pipeline.mask = cuteOpGetIndex(op, --n);
    if (!pipeline.mask)
      return false;
  }
  if (!n)
    return cuteFail(op->context,
                    "the operands are the atoms that load into a stage");
  if (!takeLoads(op, n, &pipeline, &isPair))
    return false;
  if (!isPair && pipeline.mask &&
      (pipeline.agent == CUTE_AGENT_THREAD ||
       pipeline.agent == CUTE_AGENT_TENSOR))
    return cuteFail(op->context,
                    "a %s arrives at its own block only; a stage of several "
                    "blocks is released by a \"warpgroup\" or a \"warp\"",
                    pipeline.agent == CUTE_AGENT_THREAD ? "thread" : "commit");
  return cuteOpPushResult(op, cuteTypeGetPipeline(op->context, pipeline));
}

static bool inferMakeAsync(CuteOp *op) {
  static const CutePipelineKind kinds[] = {CUTE_PIPE_ASYNC, CUTE_PIPE_CP_ASYNC,
                                           CUTE_PIPE_TENSOR};
  CutePipeline pipeline = {.kind = kinds[cuteOpGetWord(op, "kind")],
                           .stages = numberOf(op, "stages"),
                           .producers = numberOf(op, "producers"),
                           .consumers = numberOf(op, "consumers"),
                           .agent = agentOf(op)};
  if (cuteOpGetAttribute(op, "ctas")) {
    pipeline.mask = staticInt(op->context, BOTH);
    if (pipeline.kind != CUTE_PIPE_TENSOR || pipeline.agent != CUTE_AGENT_WARP)
      return cuteFail(op->context,
                      "2 ctas need the kind \"tcgen05\" and consumers that are "
                      "warps: they serve products of a pair of blocks");
  }
  return cuteOpPushResult(op, cuteTypeGetPipeline(op->context, pipeline));
}

static bool inferMakeTmaStore(CuteOp *op) {
  CutePipeline pipeline = {.kind = CUTE_PIPE_TMA_STORE,
                           .stages = numberOf(op, "stages")};
  return cuteOpPushResult(op, cuteTypeGetPipeline(op->context, pipeline));
}

static bool inferMakeOrder(CuteOp *op) {
  CutePipeline pipeline = {.kind = CUTE_PIPE_ORDER,
                           .stages = numberOf(op, "stages"),
                           .producers = numberOf(op, "threads"),
                           .consumers = numberOf(op, "groups")};
  return cuteOpPushResult(op, cuteTypeGetPipeline(op->context, pipeline));
}

static bool inferInit(CuteOp *op) {
  if (cuteTypeGetPipelineValue(op->operands[0]).kind != CUTE_PIPE_TMA_STORE)
    return true;
  return cuteFail(op->context,
                  "a pipeline of TMA stores has no barriers to initialise");
}

//===-- States ------------------------------------------------------------===//

// The kinds of pipeline that an op is for, one bit each, and the state's role.
typedef struct Use {
  unsigned kinds;
  CutePipelineRole role;
} Use;

enum {
  FILLED = 1 << CUTE_PIPE_TMA | 1 << CUTE_PIPE_ASYNC | 1 << CUTE_PIPE_CP_ASYNC |
           1 << CUTE_PIPE_TENSOR,
  STORED = 1 << CUTE_PIPE_TMA_STORE,
  ORDERED = 1 << CUTE_PIPE_ORDER,
};

static bool checkKind(CuteOp *op, unsigned kinds) {
  CutePipelineKind kind = cuteTypeGetPipelineValue(op->operands[0]).kind;
  if (kinds & 1u << kind)
    return true;
  CuteString text = {0};
  for (int i = 0; i < CUTE_NUM_PIPES; ++i)
    if (kinds & 1u << i)
      cuteStringAppendFormat(&text, "%s%s", text.length ? ", " : "",
                             cutePipelineKindGetName((CutePipelineKind)i));
  return cuteFail(op->context, "is for a pipeline of the kind %s, not %s",
                  cuteArenaTakeString(&op->context->scratch, &text),
                  cutePipelineKindGetName(kind));
}

static bool checkUse(CuteOp *op, Use use) {
  CuteType state = op->operands[1];
  int64_t stages = cuteTypeGetPipelineValue(op->operands[0]).stages;
  int64_t own = cuteTypeGetPipelineValue(state).stages;
  if (!checkKind(op, use.kinds))
    return false;
  if (cuteTypeGetPipelineRole(state) != use.role)
    cuteFail(op->context,
             "the state is of the role %s, not %s, whose parity is the "
             "opposite; make_pipeline_state<\"%s\"> makes it",
             cutePipelineRoleGetName(cuteTypeGetPipelineRole(state)),
             cutePipelineRoleGetName(use.role),
             cutePipelineRoleGetName(use.role));
  else if (own != stages)
    cuteFail(op->context,
             "the state counts %jd stages, but the pipeline has %jd", own,
             stages);
  else
    return true;
  return false;
}

// The number of a group among the groups of an order.
static bool checkGroup(CuteOp *op, size_t i) {
  int64_t last = cuteTypeGetPipelineValue(op->operands[0]).consumers - 1;
  char what[48];
  snprintf(what, sizeof what, "the groups are 0 to %jd", last);
  return cuteOpCheckIndex(op, cuteOpGetIndex(op, i), 0, last, what);
}

static bool inferMakeState(CuteOp *op) {
  static const unsigned kinds[] = {[CUTE_ROLE_PRODUCER] = FILLED | STORED,
                                   [CUTE_ROLE_CONSUMER] = FILLED,
                                   [CUTE_ROLE_ORDER] = ORDERED};
  CutePipelineRole role = (CutePipelineRole)cuteOpGetWord(op, "role");
  if (!checkKind(op, kinds[role]))
    return false;
  if ((role == CUTE_ROLE_ORDER) != (op->numOperands > 1))
    return cuteFail(op->context,
                    role == CUTE_ROLE_ORDER
                        ? "the second operand is the number of the group"
                        : "only an order has groups");
  int64_t stages = cuteTypeGetPipelineValue(op->operands[0]).stages;
  return (role != CUTE_ROLE_ORDER || checkGroup(op, 1)) &&
         cuteOpPushResult(op,
                          cuteTypeGetPipelineState(op->context, role, stages));
}

static bool inferAdvance(CuteOp *op) {
  CuteType state = op->operands[0];
  return (op->numOperands == 1 ||
          cuteOpCheckIndex(op, cuteOpGetIndex(op, 1), 0, INT64_MAX,
                           "a state advances by 0 stages or more")) &&
         cuteOpPushResult(op, cuteTypeGetPipelineState(
                                  op->context, cuteTypeGetPipelineRole(state),
                                  cuteTypeGetPipelineValue(state).stages));
}

static bool inferStage(CuteOp *op) { return cuteOpReturnForeign(op, "i32"); }

//===-- Use ---------------------------------------------------------------===//

static bool inferProducer(CuteOp *op) {
  return checkUse(op, (Use){FILLED | STORED, CUTE_ROLE_PRODUCER});
}

// Loads into this stage may be others than the pipeline's.
static bool inferAcquire(CuteOp *op) {
  if (!inferProducer(op))
    return false;
  for (size_t i = 2; i < op->numOperands; ++i) {
    CuteTmaAtom tma = cuteTypeGetTmaAtomValue(op->operands[i]);
    if (!cuteCopyAtomIsTmaLoad(tma.atom) || tma.ctas > 1)
      return cuteFail(op->context,
                      "atom %zu does not load for a single thread block",
                      i - 1);
  }
  return op->numOperands == 2 || checkKind(op, 1 << CUTE_PIPE_TMA);
}

static bool inferBarrier(CuteOp *op) {
  CuteContext c = op->context;
  return checkUse(op, (Use){FILLED, CUTE_ROLE_PRODUCER}) &&
         cuteOpPushResult(
             op, cuteTypeGetPointer(c, CUTE_ELEMENT_I64, CUTE_SMEM, 8));
}

static bool inferConsumer(CuteOp *op) {
  return checkUse(op, (Use){FILLED, CUTE_ROLE_CONSUMER});
}

static bool inferOrder(CuteOp *op) {
  return checkUse(op, (Use){ORDERED, CUTE_ROLE_ORDER}) && checkGroup(op, 2);
}

const CuteOpHooks cutePipelineOps[] = {
    CUTE_HOOKS("make_pipeline_tma", inferMakeTma, cuteLowerAllocShared),
    CUTE_HOOKS("make_pipeline_async", inferMakeAsync, cuteLowerAllocShared),
    CUTE_HOOKS("make_pipeline_tma_store", inferMakeTmaStore,
               cuteLowerByInference),
    CUTE_HOOKS("make_pipeline_order", inferMakeOrder, cuteLowerAllocShared),
    CUTE_HOOKS("init_pipeline", inferInit, cuteLowerInitPipeline),
    CUTE_HOOKS("make_pipeline_state", inferMakeState,
               cuteLowerMakePipelineState),
    CUTE_HOOKS("pipeline_advance", inferAdvance, cuteLowerPipelineAdvance),
    CUTE_HOOKS("pipeline_stage", inferStage, cuteLowerPipelineStage),
    CUTE_HOOKS("producer_acquire", inferAcquire, cuteLowerProducerAcquire),
    CUTE_HOOKS("producer_barrier", inferBarrier, cuteLowerProducerBarrier),
    CUTE_HOOKS("producer_commit", inferProducer, cuteLowerProducerCommit),
    CUTE_HOOKS("producer_tail", inferProducer, cuteLowerProducerTail),
    CUTE_HOOKS("consumer_wait", inferConsumer, cuteLowerConsumerWait),
    CUTE_HOOKS("consumer_release", inferConsumer, cuteLowerConsumerRelease),
    CUTE_HOOKS("fence_loads", cuteOpInferNothing, cuteLowerFenceLoads),
    CUTE_HOOKS("order_wait", inferOrder, cuteLowerOrderWait),
    CUTE_HOOKS("order_arrive", inferOrder, cuteLowerOrderArrive),
    {.name = NULL},
};
