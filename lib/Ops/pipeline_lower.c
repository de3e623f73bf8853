#include "IR/effects.h"
#include "Ops/copy_atoms.h"
#include "Ops/lower_ops.h"

// The barriers of stage i are i and stages + i, of turn (group, stage) of an
// order group + groups * stage.
typedef enum Side { FULL, EMPTY } Side;

static CutePipeline pipelineOf(const CuteOp *op) {
  return cuteTypeGetPipelineValue(op->operands[0]);
}

static CuteIntTuple stageOf(CuteType state) { return element(state->tuple, 0); }
static CuteIntTuple parityOf(CuteType state) {
  return element(state->tuple, 1);
}

static void build(CuteLowering *l, const char *name, size_t n,
                  const MlirValue *operands) {
  CUTE_BUILD(&l->builder, name, .numOperands = n, .operands = operands);
}

static MlirValue barrierAt(CuteLowering *l, const CuteLowered *pipeline,
                           CuteIntTuple index) {
  return cuteLoweringAdvance(l, pipeline->pointer, CUTE_ELEMENT_I64, index);
}

static MlirValue barrierOf(CuteLowering *l, Side side) {
  CuteContext c = l->context;
  CuteIntTuple stage = stageOf(l->op->operands[1]);
  if (side == EMPTY)
    stage = cuteLeafAdd(c, stage, staticInt(c, pipelineOf(l->op).stages));
  return barrierAt(l, cuteLoweringGetLowered(l, 0), stage);
}

//===-- Barriers ----------------------------------------------------------===//

static MlirValue countBits(CuteLowering *l, CuteIntTuple mask) {
  const CuteBuilder *b = &l->builder;
  if (isStatic(mask))
    return cuteBuildInt(b, 32, __builtin_popcountll((uint64_t)mask->value));
  return cuteBuildUnary(b, "math.ctpop", cuteLoweringGetInteger(l, mask, 32),
                        cuteIntType(b, 32));
}

// Tells whether a stage is read by products that a thread starts for a pair.
static bool isReadByPair(const CutePipeline *p) {
  return p->mask && p->agent == CUTE_AGENT_TENSOR;
}

// The arrivals at `empty`: from each block that a block loads for, or by the
// commit of a pair.
static MlirValue consumersOf(CuteLowering *l, const CutePipeline *p) {
  MlirValue own = cuteBuildInt(&l->builder, 32, p->consumers);
  return p->mask && !isReadByPair(p)
             ? muli(&l->builder, own, countBits(l, p->mask))
             : own;
}

static void initBarriers(CuteLowering *l, const CuteLowered *pipeline,
                         int64_t first, int64_t n, MlirValue count) {
  for (int64_t i = first; i < first + n; ++i) {
    MlirValue operands[] = {barrierAt(l, pipeline, staticInt(l->context, i)),
                            count};
    build(l, "nvvm.mbarrier.init", 2, operands);
  }
}

bool cuteLowerInitPipeline(CuteLowering *lowering) {
  CutePipeline p = pipelineOf(lowering->op);
  const CuteLowered *pipeline = cuteLoweringGetLowered(lowering, 0);
  MlirValue full = cuteBuildInt(&lowering->builder, 32, p.producers);
  if (p.kind == CUTE_PIPE_ORDER) {
    initBarriers(lowering, pipeline, 0, p.stages * p.consumers, full);
  } else {
    initBarriers(lowering, pipeline, 0, p.stages, full);
    initBarriers(lowering, pipeline, p.stages, p.stages,
                 consumersOf(lowering, &p));
  }
  if (cuteLoweringIsFrom(lowering, 90))
    build(lowering, "nvvm.fence.mbarrier.init", 0, NULL);
  return true;
}

static void waitFor(CuteLowering *l, MlirValue barrier, CuteIntTuple parity) {
  cuteMbarrierBuildWait(l, barrier, cuteLoweringGetInteger(l, parity, 32));
}

// Has the thread's products so far arrive once they are complete, in both
// blocks of a pair.
static void commitTo(CuteLowering *l, MlirValue barrier) {
  const CuteBuilder *b = &l->builder;
  CuteIntTuple mask = pipelineOf(l->op).mask;
  MlirValue operands[] = {barrier, {NULL}};
  if (mask)
    operands[1] =
        trunci(b, cuteLoweringGetInteger(l, mask, 32), cuteIntType(b, 16));
  cuteBuildIntrinsic(b,
                     mask ? "llvm.nvvm.tcgen05.commit.mc.shared.cg2"
                          : "llvm.nvvm.tcgen05.commit.shared.cg1",
                     mask ? 2 : 1, operands, (MlirType){NULL});
}

static MlirValue buildRank(const CuteBuilder *b) {
  return cuteBuildResult(b, "nvvm.read.ptx.sreg.cluster.ctarank", 0, NULL,
                         cuteIntType(b, 32));
}

static void arriveAt(CuteLowering *l, MlirValue barrier) {
  cuteBuildUnary(&l->builder, "nvvm.mbarrier.arrive", barrier,
                 cuteIntType(&l->builder, 64));
}

//===-- States ------------------------------------------------------------===//

static void setState(CuteLowering *l, CuteType type, MlirValue stage,
                     MlirValue parity) {
  CuteIntTuple leaves[] = {cuteLoweringGetLeaf(l, stage, 1),
                           cuteLoweringGetLeaf(l, parity, 1)};
  cuteLoweringSetResult(
      l, 0, (CuteLowered){.type = cuteTypeBind(l->context, type, leaves)});
}

// 1 for the first who waits: the phase before the first counts as complete.
static MlirValue firstParity(CuteLowering *l, CutePipelineRole role) {
  const CuteBuilder *b = &l->builder;
  if (role != CUTE_ROLE_ORDER)
    return cuteBuildInt(b, 32, role == CUTE_ROLE_PRODUCER);
  MlirValue isFirst = cuteLoweringCompareEqual(l, cuteOpGetIndex(l->op, 1),
                                               staticInt(l->context, 0));
  return extui(b, isFirst, cuteIntType(b, 32));
}

bool cuteLowerMakePipelineState(CuteLowering *lowering) {
  if (!cuteOpInfer(lowering->op))
    return false;
  CuteType type = lowering->op->results[0];
  setState(lowering, type, cuteBuildInt(&lowering->builder, 32, 0),
           firstParity(lowering, cuteTypeGetPipelineRole(type)));
  return true;
}

static MlirValue equals(const CuteBuilder *b, MlirValue value, int64_t n) {
  return cuteBuildTest(b, CUTE_CMPI_EQ, value, n);
}

static void advanceByOne(const CuteBuilder *b, int64_t stages, MlirValue *stage,
                         MlirValue *parity) {
  MlirValue one = cuteBuildInt(b, 32, 1);
  MlirValue next = addi(b, *stage, one);
  MlirValue wraps = equals(b, next, stages);
  MlirValue other = xori(b, *parity, one);
  *stage = cuteBuildSelect(b, wraps, cuteBuildInt(b, 32, 0), next);
  *parity = cuteBuildSelect(b, wraps, other, *parity);
}

// By n stages: the parity changes as often as the ring begins anew.
static void advanceByMany(const CuteBuilder *b, int64_t stages, MlirValue n,
                          MlirValue *stage, MlirValue *parity) {
  MlirValue ring = cuteBuildInt(b, 32, stages);
  MlirValue sum = addi(b, *stage, n);
  MlirValue rounds = divui(b, sum, ring);
  MlirValue odd = andiWith(b, rounds, 1);
  *stage = remui(b, sum, ring);
  *parity = xori(b, *parity, odd);
}

bool cuteLowerPipelineAdvance(CuteLowering *lowering) {
  const CuteBuilder *b = &lowering->builder;
  CuteType state = lowering->op->operands[0];
  int64_t stages = cuteTypeGetPipelineValue(state).stages;
  MlirValue stage = cuteLoweringGetInteger(lowering, stageOf(state), 32);
  MlirValue parity = cuteLoweringGetInteger(lowering, parityOf(state), 32);
  if (lowering->op->numOperands > 1)
    advanceByMany(
        b, stages,
        cuteLoweringGetInteger(lowering, cuteOpGetIndex(lowering->op, 1), 32),
        &stage, &parity);
  else
    advanceByOne(b, stages, &stage, &parity);
  setState(lowering, cuteTypeUnbind(lowering->context, state), stage, parity);
  return true;
}

bool cuteLowerPipelineStage(CuteLowering *lowering) {
  return cuteLoweringReturn(
      lowering,
      cuteLoweringGetInteger(lowering, stageOf(lowering->op->operands[0]), 32));
}

//===-- Producers ---------------------------------------------------------===//

static void waitBulk(CuteLowering *l, int64_t pending, bool read) {
  const CuteBuilder *b = &l->builder;
  CUTE_BUILD(b, "nvvm.cp.async.bulk.wait_group",
             CUTE_ATTRIBUTES({"group", cuteIntAttr(b, 32, pending)},
                             {"read", read ? mlirUnitAttrGet(b->context)
                                           : (MlirAttribute){NULL}}));
}

// The bytes that come to the stage: of the atoms named, or of the pipeline's.
static int64_t bytesOf(const CuteOp *op) {
  int64_t bytes = 0;
  for (size_t i = 2; i < op->numOperands; ++i)
    bytes += cuteTmaGetBytes(op->context, op->operands[i]);
  return bytes ? bytes : pipelineOf(op).bytes;
}

bool cuteLowerProducerAcquire(CuteLowering *lowering) {
  CutePipeline p = pipelineOf(lowering->op);
  if (p.kind == CUTE_PIPE_TMA_STORE) {
    waitBulk(lowering, p.stages - 1, true);
    return true;
  }
  waitFor(lowering, barrierOf(lowering, EMPTY),
          parityOf(lowering->op->operands[1]));
  if (p.kind != CUTE_PIPE_TMA)
    return true;
  CuteBuilder outside = lowering->builder;
  bool isPair = isReadByPair(&p);
  if (isPair) { // the bytes of both come to the first block
    MlirValue odd = andiWith(&outside, buildRank(&outside), 1);
    lowering->builder = cuteBuildIf(&outside, equals(&outside, odd, 0));
  }
  MlirValue operands[] = {barrierOf(lowering, FULL),
                          cuteBuildInt(&lowering->builder, 32,
                                       (1 + isPair) * bytesOf(lowering->op))};
  build(lowering, "nvvm.mbarrier.arrive.expect_tx", 2, operands);
  lowering->builder = outside;
  return true;
}

bool cuteLowerProducerBarrier(CuteLowering *lowering) {
  if (!cuteOpInfer(lowering->op))
    return false;
  return cuteLoweringReturnLowered(
      lowering, (CuteLowered){.type = lowering->op->results[0],
                              .pointer = barrierOf(lowering, FULL)});
}

bool cuteLowerProducerCommit(CuteLowering *lowering) {
  const CuteBuilder *b = &lowering->builder;
  CutePipelineKind kind = pipelineOf(lowering->op).kind;
  if (kind == CUTE_PIPE_TMA_STORE)
    build(lowering, "nvvm.cp.async.bulk.commit.group", 0, NULL);
  if (kind == CUTE_PIPE_TENSOR)
    commitTo(lowering, barrierOf(lowering, FULL));
  if (kind == CUTE_PIPE_ASYNC)
    arriveAt(lowering, barrierOf(lowering, FULL));
  if (kind == CUTE_PIPE_CP_ASYNC) {
    MlirValue barrier = barrierOf(lowering, FULL);
    CUTE_BUILD(b, "nvvm.cp.async.mbarrier.arrive", CUTE_OPERANDS(barrier),
               CUTE_ATTRIBUTES({"noinc", cuteIntAttr(b, 1, 1)}));
  }
  return true;
}

// Each stage, from the next one on, is empty once its last phase is complete.
bool cuteLowerProducerTail(CuteLowering *lowering) {
  const CuteBuilder *b = &lowering->builder;
  CutePipeline p = pipelineOf(lowering->op);
  CuteType state = lowering->op->operands[1];
  if (p.kind == CUTE_PIPE_TMA_STORE) {
    waitBulk(lowering, 0, false);
    return true;
  }
  MlirValue stage = cuteLoweringGetInteger(lowering, stageOf(state), 32);
  MlirValue parity = cuteLoweringGetInteger(lowering, parityOf(state), 32);
  for (int64_t i = 0; i < p.stages; ++i) {
    CuteContext c = lowering->context;
    CuteIntTuple index = cuteLeafAdd(c, cuteLoweringGetLeaf(lowering, stage, 1),
                                     staticInt(c, p.stages));
    cuteMbarrierBuildWait(
        lowering,
        barrierAt(lowering, cuteLoweringGetLowered(lowering, 0), index),
        parity);
    advanceByOne(b, p.stages, &stage, &parity);
  }
  return true;
}

//===-- Consumers ---------------------------------------------------------===//

bool cuteLowerConsumerWait(CuteLowering *lowering) {
  waitFor(lowering, barrierOf(lowering, FULL),
          parityOf(lowering->op->operands[1]));
  return true;
}

// The number of the thread in its warp or warpgroup.
static MlirValue threadInAgent(CuteLowering *l, CutePipelineAgent agent) {
  const CuteBuilder *b = &l->builder;
  MlirValue thread = cuteThreadBuildNumber(l);
  return andiWith(b, thread, agent == CUTE_AGENT_WARP ? 31 : 127);
}

// Builds whether bit `thread` of a mask of 16 bits is set.
static MlirValue hasBit(CuteLowering *l, CuteIntTuple mask, MlirValue thread) {
  const CuteBuilder *b = &l->builder;
  if (isStatic(mask) && !(mask->value & (mask->value + 1)))
    return cuteLoweringCompareLess(
        l, cuteLoweringGetLeaf(l, thread, 1),
        staticInt(l->context, __builtin_popcountll((uint64_t)mask->value)));
  MlirValue last = cuteBuildInt(b, 32, 31);
  MlirValue bits =
      shrui(b, cuteLoweringGetInteger(l, mask, 32), minui(b, thread, last));
  return trunci(b, bits, cuteIntType(b, 1));
}

// At the same barrier of the block that the thread's number says. Without a
// scope in the text: with that of the cluster it would fence all memory.
static void arriveRemote(CuteLowering *l, MlirValue barrier, MlirValue rank) {
  const CuteBuilder *b = &l->builder;
  MlirValue operands[] = {barrier, rank};
  MlirType type = cuteParsedType(b, "!llvm.ptr<7>");
  MlirValue remote = cuteBuildResult(b, "nvvm.mapa", 2, operands, type);
  build(l, "nvvm.mbarrier.arrive", 1, &remote);
}

static bool touchesMemory(CuteDialect *dialect, MlirOperation root) {
  CUTE_FOR_NESTED(op, root)
    if (cuteEffectGet(dialect, op) == CUTE_EFFECT_ACCESS)
      return true;
  return false;
}

// Tells whether an op follows a wait for products with no access to memory
// between: what was loaded before has come. A loop or branch around the op
// counts for nothing if it touches no memory.
static bool followsProducts(CuteDialect *dialect, MlirOperation last) {
  bool follows = false, touches = false;
  if (mlirBlockIsNull(mlirOperationGetBlock(last)))
    return false;
  CUTE_FOR_OPS_BEFORE(op, last) {
    bool isWait = cuteDialectIsOp(dialect, op, CUTE_OP_WARPGROUP_WAIT);
    touches = !isWait && (touches || touchesMemory(dialect, op));
    follows = isWait || (follows && !touches);
  }
  MlirOperation around = mlirOperationGetParentOperation(last);
  return follows || (!touches && !touchesMemory(dialect, around) &&
                     followsProducts(dialect, around));
}

static void buildProxyFence(const CuteBuilder *b, const char *kind) {
  char text[48];
  MlirAttribute space = {NULL};
  snprintf(text, sizeof text, "#nvvm.proxy_kind<%s>", kind);
  if (!strcmp(kind, "async.shared"))
    space = cuteParsedAttr(b, "#nvvm.shared_space<cta>");
  CUTE_BUILD(
      b, "nvvm.fence.proxy",
      CUTE_ATTRIBUTES({"kind", cuteParsedAttr(b, text)}, {"space", space}));
}

bool cuteLowerFenceProxy(CuteLowering *l) {
  const char *const *words = cuteOpGetAttribute(l->op, "kind")->decl->words;
  buildProxyFence(&l->builder, words[cuteOpGetWord(l->op, "kind")]);
  return true;
}

// An arrival alone waits for no loads: on an H200 the bytes of TMA, which
// writes by the other proxy, overtook those under way.
bool cuteLowerFenceLoads(CuteLowering *l) {
  if (followsProducts(l->dialect, l->source))
    return true;
  buildProxyFence(&l->builder, "async.shared");
  if (cuteOpGetAttribute(l->op, "lanes")) {
    MlirValue lanes = cuteBuildAsm(&l->builder, "activemask.b32 $0;", "=r", 0,
                                   NULL, cuteIntType(&l->builder, 32));
    build(l, "nvvm.bar.warp.sync", 1, &lanes);
  }
  return true;
}

// A stage of a warpgroup is read by its products.
bool cuteLowerConsumerRelease(CuteLowering *lowering) {
  CutePipeline p = pipelineOf(lowering->op);
  CuteBuilder outside = lowering->builder;
  if (p.kind == CUTE_PIPE_TMA &&
      (p.agent == CUTE_AGENT_THREAD || p.agent == CUTE_AGENT_WARP))
    cuteLowerFenceLoads(lowering);
  if (p.agent == CUTE_AGENT_THREAD || p.agent == CUTE_AGENT_TENSOR) {
    MlirValue barrier = barrierOf(lowering, EMPTY);
    (p.agent == CUTE_AGENT_THREAD ? arriveAt : commitTo)(lowering, barrier);
    return true;
  }
  if (p.agent == CUTE_AGENT_WARP) {
    MlirValue all = cuteBuildInt(&outside, 32, -1);
    build(lowering, "nvvm.bar.warp.sync", 1, &all);
  }
  bool isPair = p.kind == CUTE_PIPE_TENSOR && p.mask; // the first one's
  MlirValue thread = threadInAgent(lowering, p.agent);
  MlirValue signals = p.mask && !isPair ? hasBit(lowering, p.mask, thread)
                                        : equals(&outside, thread, 0);
  lowering->builder = cuteBuildIf(&outside, signals);
  MlirValue barrier = barrierOf(lowering, EMPTY);
  if (isPair)
    arriveRemote(
        lowering, barrier,
        andiWith(&lowering->builder, buildRank(&lowering->builder), ~1));
  else if (p.mask)
    arriveRemote(lowering, barrier, thread);
  else
    arriveAt(lowering, barrier);
  lowering->builder = outside;
  return true;
}

//===-- Turns -------------------------------------------------------------===//

static MlirValue turnOf(CuteLowering *l, CuteIntTuple group) {
  CuteContext c = l->context;
  CuteIntTuple first = cuteLeafMul(c, stageOf(l->op->operands[1]),
                                   staticInt(c, pipelineOf(l->op).consumers));
  return barrierAt(l, cuteLoweringGetLowered(l, 0),
                   cuteLeafAdd(c, first, group));
}

bool cuteLowerOrderWait(CuteLowering *lowering) {
  waitFor(lowering, turnOf(lowering, cuteOpGetIndex(lowering->op, 2)),
          parityOf(lowering->op->operands[1]));
  return true;
}

bool cuteLowerOrderArrive(CuteLowering *lowering) {
  const CuteBuilder *b = &lowering->builder;
  MlirValue group =
      cuteLoweringGetInteger(lowering, cuteOpGetIndex(lowering->op, 2), 32);
  MlirValue next = addiWith(b, group, 1);
  MlirValue wraps = equals(b, next, pipelineOf(lowering->op).consumers);
  next = cuteBuildSelect(b, wraps, cuteBuildInt(b, 32, 0), next);
  arriveAt(lowering, turnOf(lowering, cuteLoweringGetLeaf(lowering, next, 1)));
  return true;
}
