// cute-specialize: gives the loads, which one of the threads starts, a separate
// warp, which runs ahead (docs/passes.md), and products in tensor memory
// another one:
//
//   allocations, tensor maps, barriers
//   if the last warpgroup:  one thread: acquire, load, commit; in loops, too
//                           one of another warp: the products, or additions of
//                           tiles in turn
//   else:                   the kernel without them
//
// The block gets one more warpgroup, the last. Each role computes what it
// needs.
#include "Transforms/roles/specialize.h"
#include "Hardware/mma_family.h"
#include "IR/loops.h"
#include "Transforms/edit/loop_carry.h"
#include "Transforms/products/to_wgmma.h"
#include "Transforms/roles/roles.h"
#include "Transforms/sm90.h"

enum {
  WARP = 32,
  WARPGROUP = 128,
  MOST_CONSUMERS = 3, // warpgroups
};

//===-- Matching ----------------------------------------------------------===//

// Adds the branch around an op to a part: it is in the kernel's own block or in
// a loop there.
static void addFetch(CuteParting *parting, CutePart *part, MlirOperation op) {
  MlirBlock block = parting->kernel->block;
  MlirOperation branch = mlirOperationGetParentOperation(op);
  MlirOperation item = branch;
  if (!cuteMlirIs(branch, "scf.if") || cuteOpsContain(&part->fetches, branch))
    return;
  if (!mlirBlockEqual(mlirOperationGetBlock(branch), block))
    item = mlirOperationGetParentOperation(branch);
  if (!mlirBlockEqual(mlirOperationGetBlock(item), block) ||
      (!mlirOperationEqual(item, branch) && !cuteMlirIs(item, "scf.for")))
    return;
  if (cuteOpsContain(&part->items, item))
    cuteKernelFail(parting->kernel, branch, "is the second load of its loop");
  cuteOpsPush(&part->items, item);
  cuteOpsPush(&part->fetches, branch);
}

// Tells whether an op is done for products in tensor memory.
static bool isOfTensor(CuteDialect *dialect, MlirOperation op, CuteOpId id) {
  switch (id) {
  case CUTE_OP_GEMM:
    return cuteMmaAtomIsTensor(cuteDialectGetOperandType(dialect, op, 0)->atom);
  case CUTE_OP_PRODUCER_ACQUIRE:
  case CUTE_OP_PRODUCER_COMMIT:
    return cuteTypeGetPipelineValue(cuteDialectGetOperandType(dialect, op, 0))
               .kind == CUTE_PIPE_TENSOR;
  case CUTE_OP_CONSUMER_WAIT:
  case CUTE_OP_CONSUMER_RELEASE:
    return cuteTypeGetPipelineValue(cuteDialectGetOperandType(dialect, op, 0))
               .agent == CUTE_AGENT_TENSOR;
  default:
    return false;
  }
}

// Finds what fills stages by TMA in an scf.if, and what multiplies in tensor
// memory.
static bool findFetches(CuteParting *parting) {
  CuteDialect *dialect = parting->kernel->dialect;
  CUTE_FOR_NESTED(op, parting->kernel->function) {
    const CuteOpDecl *decl = cuteDialectGetDecl(dialect, op);
    if (!decl)
      continue;
    if (decl->id == CUTE_OP_PRODUCER_BARRIER &&
        !cuteOpListHas(dialect, mlirOperationGetParentOperation(op),
                       CUTE_OP_CONSUMER_WAIT))
      addFetch(parting, &parting->parts[0], op);
    if (isOfTensor(dialect, op, decl->id))
      addFetch(parting, &parting->parts[1], op);
  }
  return parting->parts[0].items.count && !parting->kernel->problem;
}

// Finds what adds tiles by TMA in each round of a loop, in turn.
static void findAdditions(CuteParting *parting) {
  CuteDialect *dialect = parting->kernel->dialect;
  CutePart *part = &parting->parts[1];
  if (part->items.count || parting->kernel->threads == WARPGROUP)
    return;
  CUTE_FOR_NESTED(op, parting->kernel->function)
    if (cuteViewIsCounted(dialect, op) &&
        cuteOpListHas(dialect, mlirOperationGetParentOperation(op),
                      CUTE_OP_PRODUCER_COMMIT))
      addFetch(parting, part, op);
  part->adds = part->items.count && cuteMlirIs(part->items.data[0], "scf.for");
  part->items.count = part->fetches.count = part->adds;
}

static bool findReady(CuteParting *parting) {
  MlirOperation first = parting->parts[0].items.data[0];
  parting->ready = cuteRolesFindReady(parting->kernel, first);
  return !mlirOperationIsNull(parting->ready);
}

// Adds an op of the block and all that it depends on.
static void addSetup(CuteParting *parting, MlirOperation outer) {
  if (!mlirBlockEqual(mlirOperationGetBlock(outer), parting->kernel->block) ||
      cutePointerMapGet(&parting->setup, outer.ptr))
    return;
  cutePointerMapSet(&parting->setup, outer.ptr, outer.ptr);
  CUTE_FOR_NESTED(op, outer)
    CUTE_FOR_OPERANDS(operand, op) {
      MlirOperation owner = cuteMlirGetOwner(operand);
      if (!mlirOperationIsNull(owner))
        addSetup(parting, owner);
    }
}

// Tells whether an op makes a pointer of an address that was read, as that of
// tensor memory.
static bool isTmem(CuteDialect *dialect, MlirOperation op) {
  return cuteDialectIsOp(dialect, op, CUTE_OP_MAKE_PTR) &&
         !mlirOperationIsNull(cuteValueGetMaker(dialect, op, 0, CUTE_OP_LOAD));
}

static bool isSetup(CuteDialect *dialect, MlirOperation op) {
  CuteOpId id = cuteDialectGetOpId(dialect, op);
  return cuteMlirIs(op, "gpu.shuffle") ||
         cuteOpListHas(dialect, op, CUTE_OP_INIT_PIPELINE) ||
         cuteOpListHas(dialect, op, CUTE_OP_TMEM_ALLOC) ||
         isTmem(dialect, op) || id == CUTE_OP_ALLOC_SMEM ||
         id == CUTE_OP_MAKE_PIPELINE_ASYNC || id == CUTE_OP_MAKE_TMA_ATOM ||
         id == CUTE_OP_MAKE_PIPELINE_TMA ||
         id == CUTE_OP_MAKE_PIPELINE_TMA_STORE;
}

static void findSetup(CuteParting *parting) {
  CUTE_FOR_OPS(op, parting->kernel->block)
    if (isSetup(parting->kernel->dialect, op))
      addSetup(parting, op);
  cutePointerMapSet(&parting->setup, parting->ready.ptr, parting->ready.ptr);
}

// Tells whether an op may run in the threads of consumers alone.
static bool mayBeRole(CuteDialect *dialect, MlirOperation op) {
  const CuteOpDecl *decl = cuteDialectGetDecl(dialect, op);
  if (decl)
    return (strncmp(decl->group.data, "Collective", decl->group.length) ||
            decl->traits.effect == CUTE_EFFECT_LANES) &&
           strncmp(decl->group.data, "Cluster", decl->group.length) &&
           decl->id != CUTE_OP_SET_REGISTERS && decl->id != CUTE_OP_BLOCK_DIM;
  MlirStringRef name = cuteMlirGetName(op);
  if (cuteMlirIs(op, "gpu.block_dim"))
    return false; // which grows
  return CUTE_BEGINS_WITH_ANY(name, "scf.", "arith.", "math.", "vector.") ||
         cuteMlirIs(op, "gpu.barrier") || cuteProductsIsAtomic(dialect, op) ||
         cuteEffectGet(dialect, op) != CUTE_EFFECT_UNKNOWN;
}

static void addMoves(CuteParting *parting, MlirBlock block) {
  CUTE_FOR_OPS(op, block)
    if (cuteKernelOnlyComputes(parting->kernel, op) &&
        !cutePointerMapGet(&parting->setup, op.ptr))
      cutePointerMapSet(&parting->moves, op.ptr, op.ptr);
}

// Ops of the kernel and of loops with loads that only compute: roles may have
// copies.
static void findMoves(CuteParting *parting) {
  addMoves(parting, parting->kernel->block);
  for (size_t p = 0; p < CUTE_MAX_PARTS; ++p)
    for (size_t i = 0; i < parting->parts[p].items.count; ++i)
      if (cuteMlirIs(parting->parts[p].items.data[i], "scf.for"))
        addMoves(parting, cuteLoopGetBody(parting->parts[p].items.data[i]));
}

static bool match(CuteParting *parting) {
  CuteKernel *kernel = parting->kernel;
  if (!findFetches(parting) || !cuteKernelCheckThreads(kernel) ||
      !findReady(parting))
    return false;
  if (kernel->threads % WARPGROUP ||
      kernel->threads > MOST_CONSUMERS * WARPGROUP)
    return cuteKernelFail(kernel, parting->parts[0].items.data[0],
                          "is in a block of %jd threads; one to three "
                          "warpgroups leave registers for the loads' warp",
                          kernel->threads);
  findAdditions(parting);
  findSetup(parting);
  findMoves(parting);
  CUTE_FOR_OPS(outer, kernel->block)
    CUTE_FOR_NESTED(op, outer)
      if (!cuteMlirIs(outer, "gpu.return") &&
          !cutePointerMapGet(&parting->setup, outer.ptr) &&
          !mayBeRole(kernel->dialect, op))
        return cuteKernelFail(
            kernel, op,
            "may need all threads of the block, but only some would reach it");
  return !kernel->problem;
}

//===-- The consumers -----------------------------------------------------===//

// Has all parts know of the loop that takes the place of an old one.
static void replaceItem(CuteParting *parting, MlirOperation old,
                        MlirOperation loop) {
  for (size_t p = 0; p < CUTE_MAX_PARTS; ++p)
    for (size_t i = 0; i < parting->parts[p].items.count; ++i)
      if (mlirOperationEqual(parting->parts[p].items.data[i], old))
        parting->parts[p].items.data[i] = loop;
}

// Tells whether a loop does more with a carried state than to advance it.
static bool takesStage(MlirOperation loop, intptr_t i) {
  MlirOpOperand use = mlirValueGetFirstUse(cuteLoopGetArgument(loop, i));
  return !mlirOpOperandIsNull(use) &&
         !mlirOpOperandIsNull(mlirOpOperandGetNextUse(use));
}

// Takes what is done by one thread out of an item that the consumers have.
static void removeLoads(CuteParting *parting, const CutePart *part,
                        size_t item) {
  MlirOperation loop = part->items.data[item], old = loop;
  bool isLoop = cuteMlirIs(loop, "scf.for");
  intptr_t fills[CUTE_MAX_FILLS];
  size_t n = isLoop ? cutePartingFindFills(parting, part, item, fills) : 0;
  mlirOperationDestroy(part->fetches.data[item]);
  cuteKernelRemoveDead(parting->kernel);
  for (size_t i = n; i-- > 0;)
    if (takesStage(loop, fills[i]))
      memmove(fills + i, fills + i + 1, (--n - i) * sizeof *fills);
  for (size_t i = 0; i < n; ++i)
    cuteLoopSetYield(loop, fills[i], cuteLoopGetArgument(loop, fills[i]));
  cuteKernelRemoveDead(parting->kernel);
  while (n--)
    loop = cuteLoopDropCarried(loop, fills[n]);
  cuteKernelRemoveDead(parting->kernel);
  if (!isLoop)
    return;
  replaceItem(parting, old, loop);
  MlirOperation first = mlirBlockGetFirstOperation(cuteLoopGetBody(loop));
  if (cuteMlirIs(first, "scf.yield") && !cuteMlirIsUsed(loop)) {
    mlirOperationDestroy(loop);
    cuteKernelRemoveDead(parting->kernel);
  }
}

// The kernel's other ops, in their order, without the loads.
static void moveRest(CuteParting *parting, MlirBlock block) {
  MlirOperation end = mlirBlockGetTerminator(block);
  CUTE_FOR_OPS_BEFORE(op, mlirBlockGetTerminator(parting->kernel->block)) {
    bool isRoles = mlirOperationEqual(mlirBlockGetParentOperation(block), op);
    if (!isRoles && !cutePointerMapGet(&parting->setup, op.ptr))
      mlirOperationMoveBefore(op, end);
  }
  for (size_t p = 0; p < CUTE_MAX_PARTS; ++p)
    for (size_t i = parting->parts[p].items.count; i-- > 0;)
      removeLoads(parting, &parting->parts[p], i);
}

// Barriers of the block become barriers of the consumers.
static bool nameBarriers(CuteParting *parting, MlirOperation branch) {
  CuteRebuild r = {.dialect = parting->kernel->dialect};
  CUTE_FOR_FOUND(op, cuteOpsFind(branch, "gpu.barrier")) {
    r.builder = cuteBuilderBefore(op);
    cuteEmitDo(&r, CUTE_OP_NAMED_BARRIER_SYNC,
               CUTE_VALUES(cuteEmitInt(&r, CUTE_BARRIER_OF_CONSUMERS),
                           cuteEmitInt(&r, parting->kernel->threads)));
    mlirOperationDestroy(op);
  }
  return !r.failed || cuteKernelFailOp(parting->kernel, branch);
}

//===-- Both --------------------------------------------------------------===//

// The number of the warp, which the compiler sees to be the same in its
// threads.
static MlirValue emitWarp(CuteRebuild *r) {
  MlirValue thread = cuteEmit0(r, CUTE_OP_THREAD_IDX);
  return cuteEmitUniform(&r->builder,
                         cuteEmitWith(r, "arith.divui", thread, WARP));
}

enum { EMPTY = 14, FULL = 15 }; // barriers of threads and the warp that adds

static void emitMeeting(CuteParting *parting, CuteRebuild *r, CuteOpId id,
                        int64_t barrier) {
  cuteEmitDo(r, id,
             CUTE_VALUES(cuteEmitInt(r, barrier),
                         cuteEmitInt(r, parting->kernel->threads + WARP)));
}

// Has a warp add tiles: threads meet it once a tile is there, and before they
// write the next, once this one has been read.
static bool partAdditions(CuteParting *parting, CuteRebuild *r) {
  CutePart *part = &parting->parts[1];
  MlirOperation loop = part->items.data[0], adds = part->fetches.data[0];
  MlirBlock body = cuteMlirGetBody(adds, 0), block[3];
  MlirOperation first = mlirBlockGetFirstOperation(body);
  MlirOperation from[] = {first, first, first, mlirBlockGetTerminator(body)};
  MlirOperation acquire = {NULL}, barriers[2] = {{NULL}};
  CUTE_FOR_OPS_UNTIL(op, mlirBlockGetFirstOperation(cuteLoopGetBody(loop)),
                     adds) {
    bool isTaken = !mlirOperationIsNull(acquire);
    if (cuteOpListHas(r->dialect, op, CUTE_OP_PRODUCER_ACQUIRE))
      acquire = op;
    if (isTaken && cuteMlirIs(op, "gpu.barrier"))
      barriers[!mlirOperationIsNull(barriers[0])] = op;
  }
  if (mlirOperationIsNull(barriers[1]))
    return cuteKernelFail(parting->kernel, adds,
                          "adds a tile without barriers around its writes");
  CUTE_FOR_OPS(op, body) // waits for the turn; adds; counts
    if (cuteDialectIsOp(r->dialect, op, CUTE_OP_FENCE_PROXY))
      from[1] = mlirOperationGetNextInBlock(op);
    else if (cuteDialectIsOp(r->dialect, op, CUTE_OP_PRODUCER_COMMIT))
      from[2] = mlirOperationGetNextInBlock(op);
  for (int i = 0; i < 3; ++i) {
    r->builder = cuteBuilderBefore(from[i]);
    if (i)
      emitMeeting(parting, r,
                  i == 1 ? CUTE_OP_NAMED_BARRIER_SYNC
                         : CUTE_OP_NAMED_BARRIER_ARRIVE,
                  i == 1 ? FULL : EMPTY);
    block[i] = cuteBuildIf(&r->builder, cuteEmit0(r, CUTE_OP_ELECT_ONE)).block;
    cuteKernelMoveOps(from[i], from[i + 1], block[i]);
  }
  cuteKernelMoveOps(mlirBlockGetFirstOperation(cuteMlirGetBody(acquire, 0)),
                    mlirBlockGetTerminator(cuteMlirGetBody(acquire, 0)),
                    block[1]);
  mlirOperationDestroy(acquire);
  for (int i = 0; i < 3; ++i) {
    r->builder = cuteBuilderBefore(i < 2 ? barriers[i]
                                         : mlirOperationGetNextInBlock(loop));
    emitMeeting(parting, r, CUTE_OP_NAMED_BARRIER_SYNC, i == 1 ? FULL : EMPTY);
    if (i < 2)
      mlirOperationDestroy(barriers[i]);
  }
  r->builder = cuteBuilderBefore(loop);
  cuteEmitEnterIf(r, cuteEmitThreadTest(r, CUTE_CMPI_EQ, 0));
  emitMeeting(parting, r, CUTE_OP_NAMED_BARRIER_ARRIVE, EMPTY);
  cuteOpsPush(&part->items, loop);
  cuteOpsPush(&part->fetches, adds);
  part->items.data[0] = part->fetches.data[0] =
      mlirBlockGetParentOperation(r->builder.block);
  return true;
}

// One thread of a warp of the producer's warpgroup, or all for additions, which
// choose one.
static CuteBuilder emitElected(CuteParting *parting, CuteRebuild *r,
                               CuteBuilder b, MlirValue warp, int64_t number) {
  MlirValue isFirst = cuteBuildTest(&b, CUTE_CMPI_EQ, warp,
                                    parting->kernel->threads / WARP + number);
  r->builder = cuteBuildIf(&b, isFirst);
  return cuteBuildIf(&r->builder, parting->parts[number].adds
                                      ? isFirst
                                      : cuteEmit0(r, CUTE_OP_ELECT_ONE));
}

static bool build(CuteParting *parting) {
  CuteKernel *kernel = parting->kernel;
  CuteBuilder b = cuteBuilderBefore(mlirBlockGetTerminator(kernel->block));
  CuteRebuild r = cuteRebuildBefore(kernel->dialect, parting->ready);
  MlirValue warp = emitWarp(&r);
  MlirValue isProducer =
      cuteBuildTest(&r.builder, CUTE_CMPI_UGE, warp, kernel->threads / WARP);
  addSetup(parting, mlirOpResultGetOwner(isProducer));
  MlirBlock consumer;
  MlirBlock producer = cuteBuildIfElse(&b, isProducer, &consumer);
  if (parting->parts[1].adds && !partAdditions(parting, &r))
    return false;
  for (int p = 0; p < CUTE_MAX_PARTS && parting->parts[p].items.count; ++p) {
    CuteBuilder at = cuteBuilderBefore(mlirBlockGetTerminator(producer));
    at.location = b.location;
    CuteBuilder elected = emitElected(parting, &r, at, warp, p);
    if (!cutePartingBuildProducer(parting, &parting->parts[p], &elected))
      return false;
  }
  moveRest(parting, consumer);
  MlirOperation branch = mlirBlockGetParentOperation(consumer);
  if (!nameBarriers(parting, branch))
    return false;
  int64_t warpgroups = kernel->threads / WARPGROUP;
  if (warpgroups > 1)
    cuteRolesSetRegisters(&r, producer, consumer, warpgroups,
                          parting->parts[1].items.count &&
                              !parting->parts[1].adds);
  cuteRolesSay(kernel, kernel->threads / WARP, false,
               parting->parts[1].items.count && !parting->parts[1].adds);
  cuteKernelSetThreads(kernel, kernel->threads + WARPGROUP);
  cuteMlirSetAttribute(kernel->function, "nvvm.minctasm",
                       cuteIntAttr(&b, 32, 1));
  return !r.failed || cuteKernelFailOp(kernel, branch);
}

// The first loop with loads, or a load.
static MlirOperation findLoop(CuteParting *parting) {
  const CuteOps *items = &parting->parts[0].items;
  for (size_t i = 0; i < items->count; ++i)
    if (cuteMlirIs(items->data[i], "scf.for"))
      return items->data[i];
  return parting->parts[0].items.data[0];
}

bool cuteSpecializeEdit(CuteKernel *kernel, CUTE_UNUSED void *data) {
  CuteParting parting = {
      .kernel = kernel, .setup = cuteTaskMap(), .moves = cuteTaskMap()};
  bool ok = match(&parting);
  MlirLocation location =
      ok ? mlirOperationGetLocation(findLoop(&parting)) : kernel->location;
  ok = ok && build(&parting);
  if (ok)
    cuteKernelNote(kernel, location,
                   "a separate warp loads the loop's tiles%s; the block "
                   "has %jd threads",
                   parting.parts[1].adds ? ", and another one adds"
                   : parting.parts[1].items.count
                       ? ", and another one multiplies"
                       : "",
                   kernel->threads);
  if (ok)
    cutePartingStartAhead(kernel, location);
  return ok;
}
