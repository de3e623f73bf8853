// cute-pingpong: a second warpgroup computes, too, and the two take turns on a
// block's tiles (docs/passes.md): one multiplies while the other stores.
//
//   tiles  0 2 4 ...: the first consumer      1 3 5 ...: the second
//   for each tile: wait for the turn; multiply; give the turn; store
//
// Both read the one pipeline, whose stages come tile after tile: each skips the
// other's stages, whose number it computes. A barrier tells by parity only
// whether the latest phase of a stage is the one waited for, so a consumer
// waits for stages in its turn alone: the other has seen all of its own by
// then.
#include "Transforms/edit/loop_carry.h"
#include "Transforms/pipeline/pipeline_build.h"
#include "Transforms/roles/roles.h"
#include "Transforms/sm90.h"

enum {
  WARPGROUP = 128,
  WARPS = 4, // of a warpgroup
  TURNS = 2,
  REGISTER = 4,    // bytes
  MOST_SUMS = 128, // registers of a thread, beside what the rest takes
};

typedef struct Turns {
  CuteKernel *kernel;
  CuteRoles roles;
  MlirOperation isProducer; // the comparison that parts the roles
  MlirOperation pipeline;   // of the loads
  MlirOperation tiles;      // the consumer's loop over tiles
  MlirOperation loop;       // in it, the one that multiplies
  intptr_t drained;         // its state that the loop over tiles carries
  int64_t after;            // stages of a tile after its loop
  CutePointerMap moves;     // ops of a tile that say how many rounds it has
  bool varies;              // whether tiles have other numbers of rounds
  CuteOps buffers;          // shared memory of the consumers
  MlirValue group;          // 0 or 1: which consumer
} Turns;

//===-- Matching ----------------------------------------------------------===//

// The one scf.for of a block that waits for stages; null if there are none or
// more.
static MlirOperation findLoop(CuteDialect *dialect, MlirBlock block) {
  MlirOperation loop = {NULL};
  size_t n = 0;
  CUTE_FOR_OPS(op, block) {
    if (!cuteMlirIs(op, "scf.for") ||
        !cuteOpListHas(dialect, op, CUTE_OP_CONSUMER_WAIT))
      continue;
    loop = op;
    ++n;
  }
  return n == 1 ? loop : (MlirOperation){NULL};
}

// Gives the state that a loop leaves, before the advances that follow it;
// counts these.
static MlirValue stateOfLoop(Turns *t, MlirValue state) {
  MlirOperation op;
  t->after = 0;
  while (!mlirOperationIsNull(op = cuteMlirGetOwner(state)) &&
         cuteDialectIsOp(t->kernel->dialect, op, CUTE_OP_PIPELINE_ADVANCE)) {
    state = getOperand(op, 0);
    ++t->after;
  }
  return state;
}

// The comparison of the warp's number, from a whole warpgroup on.
static bool findCondition(Turns *t) {
  t->isProducer = cuteMlirGetOwner(getOperand(t->roles.branch, 0));
  if (!cuteMlirIs(t->isProducer, "arith.cmpi") ||
      cuteMlirGetInteger(t->isProducer, "predicate") != CUTE_CMPI_UGE)
    return false;
  int64_t least;
  return cuteMlirIsConstant(getOperand(t->isProducer, 1), &least) &&
         least == WARPS;
}

static bool findPipeline(Turns *t) {
  CuteOps pipelines = cuteKernelFindOps(t->kernel, CUTE_OP_MAKE_PIPELINE_TMA);
  bool ok = pipelines.count == 1;
  if (ok) {
    t->pipeline = pipelines.data[0];
    CutePipeline p = cuteTypeGetPipelineValue(
        cuteDialectGetResultType(t->kernel->dialect, t->pipeline, 0));
    ok = p.consumers == 1 && p.agent == CUTE_AGENT_WARPGROUP;
  }
  return ok;
}

// Finds the loop over tiles, the one in it, and the state that goes through
// both.
static bool findLoops(Turns *t) {
  CuteDialect *dialect = t->kernel->dialect;
  t->tiles = findLoop(dialect, t->roles.consumer);
  if (mlirOperationIsNull(t->tiles) || getNumResults(t->tiles) != 1)
    return false;
  MlirBlock body = cuteLoopGetBody(t->tiles);
  MlirValue last = stateOfLoop(t, getOperand(mlirBlockGetTerminator(body), 0));
  t->loop = findLoop(dialect, body);
  t->drained = -1;
  for (intptr_t i = 3;
       !mlirOperationIsNull(t->loop) && i < getNumOperands(t->loop); ++i)
    if (mlirValueEqual(getOperand(t->loop, i), mlirBlockGetArgument(body, 1)) &&
        mlirValueEqual(last, getResult(t->loop, i - 3)))
      t->drained = i - 3;
  return t->drained >= 0;
}

// Follows a value to what it depends on in a tile's body; t->moves gets the ops
// there. False where it is more than the tile's number can say.
static bool follow(Turns *t, MlirValue value) {
  MlirBlock body = cuteLoopGetBody(t->tiles);
  if (mlirValueIsABlockArgument(value)) {
    bool isOurs = mlirBlockEqual(mlirBlockArgumentGetOwner(value), body);
    t->varies |= isOurs;
    return !isOurs || mlirBlockArgumentGetArgNumber(value) == 0;
  }
  MlirOperation outer = mlirOpResultGetOwner(value);
  if (!mlirBlockEqual(mlirOperationGetBlock(outer), body) ||
      cutePointerMapGet(&t->moves, outer.ptr))
    return true;
  if (!cuteKernelOnlyComputes(t->kernel, outer))
    return false;
  cutePointerMapSet(&t->moves, outer.ptr, outer.ptr);
  CUTE_FOR_NESTED(op, outer)
    CUTE_FOR_OPERANDS(operand, op)
      if (!follow(t, operand))
        return false;
  return true;
}

static bool checkRounds(Turns *t) {
  for (intptr_t i = 0; i < 3; ++i)
    if (!follow(t, getOperand(t->loop, i)))
      return cuteKernelFail(t->kernel, t->loop,
                            "runs a number of rounds that one consumer cannot "
                            "compute for the other's tiles");
  return true;
}

// Takes the shared memory that an op writes.
static void addBuffer(Turns *t, MlirOperation op) {
  CuteDialect *dialect = t->kernel->dialect;
  MlirValue root = cuteViewGetWritten(dialect, op, CUTE_SMEM);
  if (mlirValueIsNull(root))
    return;
  MlirOperation alloc = cuteValueGetOpOf(dialect, root, CUTE_OP_ALLOC_SMEM);
  if (mlirOperationIsNull(alloc))
    cuteKernelFail(t->kernel, op,
                   "writes shared memory that the kernel does not allocate");
  else if (!cuteOpsContain(&t->buffers, alloc))
    cuteOpsPush(&t->buffers, alloc);
}

// Lists the shared memory that consumers write; each gets its own.
static bool findBuffers(Turns *t) {
  CUTE_FOR_OPS(outer, t->roles.consumer)
    CUTE_FOR_NESTED(op, outer)
      addBuffer(t, op);
  return !t->kernel->problem;
}

// Tells whether a value from before the roles part is one for each thread.
static bool isOfThread(Turns *t, MlirValue value) {
  MlirOperation op = cuteMlirGetOwner(value);
  if (mlirOperationIsNull(op) ||
      !mlirBlockEqual(mlirOperationGetBlock(op), t->kernel->block))
    return false;
  if (cuteValueIsThread(t->kernel->dialect, value))
    return true;
  CUTE_FOR_OPERANDS(operand, op)
    if (isOfThread(t, operand))
      return true;
  return false;
}

// An op of the consumers that knows which warp it is in, or meets others.
static void checkOp(Turns *t, MlirOperation op) {
  const CuteOpDecl *decl = cuteDialectGetDecl(t->kernel->dialect, op);
  bool isBarrier = decl && (decl->id == CUTE_OP_NAMED_BARRIER_SYNC);
  CuteType id =
      isBarrier ? cuteDialectGetOperandType(t->kernel->dialect, op, 0) : NULL;
  if ((decl && (decl->id == CUTE_OP_WARP_IDX ||
                decl->id == CUTE_OP_NAMED_BARRIER_ARRIVE)) ||
      (isBarrier &&
       !(id && id->tuple && isStatic(id->tuple) && id->tuple->value == 1)) ||
      cuteMlirIs(op, "gpu.subgroup_id") || cuteMlirIs(op, "gpu.barrier"))
    cuteKernelFail(t->kernel, op,
                   "serves the warps of one consumer, but there are two");
  CUTE_FOR_OPERANDS(operand, op)
    if (isOfThread(t, operand))
      cuteKernelFail(t->kernel, op,
                     "takes a thread index from before the roles split");
}

static bool match(Turns *t) {
  CuteKernel *kernel = t->kernel;
  if (!cuteRolesFind(kernel, &t->roles))
    return cuteKernelFail(kernel, kernel->function,
                          "has no warp that loads; cute-specialize makes one");
  if (kernel->threads != 2 * WARPGROUP || !findCondition(t) || !findPipeline(t))
    return cuteKernelFail(
        kernel, t->roles.branch,
        "has consumers other than one warpgroup with all rows of a tile");
  if (!findLoops(t))
    return cuteKernelFail(
        kernel, t->roles.branch,
        "has a consumer that takes only one tile, or several loops for a tile");
  CUTE_FOR_OPS(outer, t->roles.consumer)
    CUTE_FOR_NESTED(op, outer)
      checkOp(t, op);
  return !kernel->problem && checkRounds(t) && findBuffers(t);
}

//===-- Threads -----------------------------------------------------------===//

static MlirValue emitGroup(Turns *t) {
  CuteBuilder b = cuteBuilderBefore(t->isProducer);
  MlirValue warp = getOperand(t->isProducer, 0);
  mlirOperationSetOperand(t->isProducer, 0, andiWith(&b, warp, WARPS));
  return shruiWith(&b, warp, 3);
}

// Has the threads of each consumer count from 0.
static void countThreads(MlirOperation thread) {
  MlirValue all = getResult(thread, 0);
  CuteBuilder b = cuteBuilderBefore(mlirOperationGetNextInBlock(thread));
  MlirValue last = cuteBuildNumber(&b, mlirValueGetType(all), WARPGROUP - 1);
  MlirValue own = andi(&b, all, last);
  mlirValueReplaceAllUsesOfWith(all, own);
  mlirOperationSetOperand(mlirOpResultGetOwner(own), 0, all);
}

static void nameThreads(Turns *t) {
  CuteDialect *dialect = t->kernel->dialect;
  CUTE_FOR_OPS(outer, t->roles.consumer)
    CUTE_FOR_NESTED(op, outer) {
      if (cuteDialectIsOp(dialect, op, CUTE_OP_THREAD_IDX) ||
          cuteMlirIs(op, "gpu.thread_id"))
        countThreads(op);
      if (!cuteDialectIsOp(dialect, op, CUTE_OP_NAMED_BARRIER_SYNC))
        continue;
      CuteBuilder b = cuteBuilderBefore(op);
      mlirOperationSetOperand(op, 0, addiWith(&b, t->group, 1));
    }
}

//===-- Turns -------------------------------------------------------------===//

static MlirValue asI32(CuteBuilder *b, MlirValue value) {
  MlirType type = mlirValueGetType(value), i32 = cuteIntType(b, 32);
  if (mlirTypeIsAIndex(type))
    return cuteBuildUnary(b, "arith.index_castui", value, i32);
  return cuteBuildCast(b, "arith.trunci", value, i32);
}

// The number of stages of a tile, or of the last tile past the end: the inner
// loop's rounds and the stages after it.
static MlirValue emitRounds(Turns *t, CuteBuilder *b, MlirValue tile) {
  CuteRebuild r = {
      .dialect = t->kernel->dialect, .builder = *b, .moves = &t->moves};
  if (t->varies) {
    MlirValue last = subiWith(b, getOperand(t->tiles, 1), 1);
    cuteRebuildSet(&r, mlirBlockGetArgument(cuteLoopGetBody(t->tiles), 0),
                   minui(b, tile, last));
  }
  MlirValue bounds[3];
  for (intptr_t i = 0; i < 3; ++i)
    bounds[i] = asI32(b, cuteRebuildGet(&r, getOperand(t->loop, i)));
  MlirValue all = subi(b, bounds[1], bounds[0]);
  if (!cuteMlirHasAttribute(t->loop, "unsignedCmp"))
    all = cuteBuildWith(b, "arith.maxsi", all, 0);
  all = cuteBuildBinary(b, "arith.ceildivui", all, bounds[2]);
  return t->after ? cuteEmitWith(&r, "arith.addi", all, t->after) : all;
}

static MlirValue emitOrder(Turns *t, CuteRebuild *r) {
  r->builder = cuteBuilderBefore(mlirOperationGetNextInBlock(t->pipeline));
  MlirOperation op = cuteRebuildCreate(
      r, CUTE_OP_MAKE_PIPELINE_ORDER, 0, NULL,
      CUTE_NAMED({"stages", cuteIntAttr(&r->builder, 32, 1)},
                 {"groups", cuteIntAttr(&r->builder, 32, TURNS)},
                 {"threads", cuteIntAttr(&r->builder, 32, WARPGROUP)}));
  if (r->failed)
    return (MlirValue){NULL};
  MlirValue order = getResult(op, 0);
  CuteOps inits = cuteKernelFindOps(t->kernel, CUTE_OP_INIT_PIPELINE);
  r->builder = cuteBuilderBefore(inits.data[0]);
  cuteEmitDo(r, CUTE_OP_INIT_PIPELINE, 1, &order);
  return order;
}

static MlirValue advance(CuteRebuild *r, MlirValue state, MlirValue rounds) {
  return cuteEmit2(r, CUTE_OP_PIPELINE_ADVANCE, state, rounds);
}

// Has a consumer take every other tile, from its own stages on.
static void interleave(Turns *t, CuteRebuild *r) {
  CuteBuilder *b = &r->builder;
  *b = cuteBuilderBefore(t->tiles);
  MlirValue first = getOperand(t->tiles, 0);
  MlirValue step = getOperand(t->tiles, 2);
  MlirValue rounds = emitRounds(t, b, first);
  MlirValue skip = muli(b, t->group, step);
  mlirOperationSetOperand(t->tiles, 0, addi(b, first, skip));
  mlirOperationSetOperand(t->tiles, 2,
                          cuteEmitWith(r, "arith.muli", step, TURNS));
  MlirValue passed = muli(b, t->group, rounds);
  MlirValue begin = getOperand(t->tiles, 3);
  mlirOperationSetOperand(t->tiles, 3, advance(r, begin, passed));
  *b = cuteBuilderBefore(mlirBlockGetTerminator(cuteLoopGetBody(t->tiles)));
  if (t->varies) {
    MlirValue tile = mlirBlockGetArgument(cuteLoopGetBody(t->tiles), 0);
    rounds = emitRounds(t, b, addi(b, tile, step));
  }
  MlirValue drained =
      getOperand(mlirBlockGetTerminator(cuteLoopGetBody(t->tiles)), 0);
  cuteLoopSetYield(t->tiles, 0, advance(r, drained, rounds));
}

// The last op of a turn: the loop, or the wait for the last stage after it.
static MlirOperation findEnd(Turns *t) {
  MlirOperation end = t->loop;
  CUTE_FOR_OPS_UNTIL(op, t->loop, (MlirOperation){NULL})
    if (cuteDialectIsOp(t->kernel->dialect, op, CUTE_OP_CONSUMER_WAIT))
      end = op;
  return end;
}

// Has the products of a tile be a turn.
static bool takeTurns(Turns *t, CuteRebuild *r, MlirValue order) {
  r->builder = cuteBuilderBefore(t->tiles);
  MlirOperation state = cuteEmitNamed(r, CUTE_OP_MAKE_PIPELINE_STATE, "role",
                                      "order", CUTE_VALUES(order, t->group));
  if (r->failed)
    return false;
  t->tiles = cuteLoopAddCarried(t->tiles, getResult(state, 0));
  MlirValue turn[] = {order, cuteLoopGetArgument(t->tiles, 1), t->group};
  r->builder = cuteBuilderBefore(t->loop);
  cuteEmitDo(r, CUTE_OP_ORDER_WAIT, 3, turn);
  r->builder = cuteBuilderBefore(mlirOperationGetNextInBlock(findEnd(t)));
  cuteEmitDo(r, CUTE_OP_ORDER_ARRIVE, 3, turn);
  cuteLoopSetYield(t->tiles, 1,
                   cuteEmit1(r, CUTE_OP_PIPELINE_ADVANCE, turn[1]));
  return !r->failed;
}

//===-- Shared memory -----------------------------------------------------===//

// Gives each consumer a buffer where there was one.
static bool doubleBuffers(Turns *t, CuteRebuild *r) {
  CuteKernel *kernel = t->kernel;
  CuteContext c = kernel->dialect->context;
  CuteRetype retype = cuteRetypeBegin(kernel->dialect);
  CuteBuilder inside = cuteBuilderAtStart(
      t->roles.consumer, mlirOperationGetLocation(t->roles.branch));
  for (size_t i = 0; i < t->buffers.count; ++i) {
    MlirOperation alloc = t->buffers.data[i];
    MlirValue old = getResult(alloc, 0);
    CuteType type = cuteKernelType(kernel, old);
    CuteLayout layout = cutePipelineLayout(c, type, TURNS);
    r->builder = cuteBuilderBefore(alloc);
    r->failed |= !layout;
    if (r->failed)
      break;
    MlirValue both =
        cuteEmitAlloc(r, layout, cuteMlirGetAttribute(alloc, "element"),
                      cuteMlirGetInteger(alloc, "align"));
    r->builder = inside;
    cuteRetypeSet(&retype, old, cuteEmitSliceLast(r, both, t->group));
  }
  bool ok = !r->failed && cuteKernelRetype(kernel, &retype);
  for (size_t i = 0; ok && i < t->buffers.count; ++i)
    mlirOperationDestroy(t->buffers.data[i]);
  return ok;
}

//===-- The choice --------------------------------------------------------===//

bool cutePingpongIsLong(MlirType vector) {
  return mlirTypeIsAVector(vector) &&
         mlirShapedTypeGetDimSize(vector, 0) > MOST_SUMS / 2;
}

// Tells whether an op is a function of a long vector.
static bool isLongFunction(MlirOperation op) {
  return cuteMlirStartsWith(cuteMlirGetName(op), "math.") &&
         cutePingpongIsLong(cuteMlirGetResultType(op, 0));
}

bool cutePingpongPays(CuteKernel *kernel, const CuteSchedule *schedule) {
  if (schedule->pingpong || schedule->persist == 2 || schedule->warpgroups > 1)
    return schedule->pingpong == 1 && schedule->warpgroups < 2;
  bool hasFunction = false;
  CUTE_FOR_NESTED(op, kernel->function)
    hasFunction |= isLongFunction(op);
  if (!kernel->threads || hasFunction)
    return false;
  int64_t sums = cuteSplitCountBytes(kernel) / REGISTER / WARPGROUP;
  if (sums > MOST_SUMS)
    cuteKernelNote(kernel, mlirOperationGetLocation(kernel->function),
                   "warpgroups share each tile: one alone would hold %jd sums "
                   "in each thread; the limit is %d",
                   sums, MOST_SUMS);
  return sums <= MOST_SUMS;
}

//===-- The pass ----------------------------------------------------------===//

static bool build(Turns *t) {
  CuteKernel *kernel = t->kernel;
  CuteRebuild r = {.dialect = kernel->dialect};
  t->group = emitGroup(t);
  nameThreads(t);
  MlirValue order = emitOrder(t, &r);
  if (!r.failed)
    interleave(t, &r);
  if (!r.failed)
    takeTurns(t, &r, order);
  MlirBlock producer = cuteMlirGetBody(t->roles.branch, 0);
  if (!r.failed && !doubleBuffers(t, &r) && kernel->problem)
    return false;
  cuteRolesSetRegisters(&r, producer, t->roles.consumer, TURNS, false);
  cuteRolesSay(kernel, (int64_t)TURNS * WARPS, true, false);
  cuteKernelSetThreads(kernel, (TURNS + 1) * WARPGROUP);
  return !r.failed || cuteKernelFailOp(kernel, t->roles.branch);
}

bool cutePingpongEdit(CuteKernel *kernel, void *data) {
  CuteSchedule schedule;
  Turns t = {.kernel = kernel, .moves = cuteTaskMap()};
  bool ok = cuteScheduleRead(kernel, data, &schedule) &&
            schedule.pingpong != 2 && match(&t) && build(&t);
  if (ok)
    cuteScheduleSet(kernel, "pingpong", 1);
  if (ok)
    cuteKernelNote(kernel, mlirOperationGetLocation(kernel->function),
                   "two warpgroups take turns on tiles: one multiplies while "
                   "the other stores; the block has %jd threads",
                   kernel->threads);
  return ok;
}
