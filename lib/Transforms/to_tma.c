// cute-tma: loops that copy tiles to shared memory by threads have TMA do it
// (docs/passes.md). One thread starts the loads of a stage, whose barrier
// counts the bytes:
//
//   if thread 0: acquire a stage; load the tiles; commit
//   wait for the stage; compute; release it
//
// As the stages are those of a pipeline, cute-specialize can give the first
// line to a warp that runs ahead.
#include "Transforms/tma_tile.h"

#include "Transforms/pipeline_build.h"
#include "Transforms/sm90.h"
#include "Transforms/transforms.h"

#include <stdlib.h>

enum {
  SHARED_BYTES = 227 * 1024, // that a block has on sm_90
  MAX_STAGES = 8,
  WARP = 32,
};

typedef struct Loads {
  CuteKernel *kernel;
  CutePipelineLoop p;
  CuteTmaTile *tiles; // of each fetch
  MlirValue *atoms, *coords;
  CutePipelineBuild b;
  MlirValue pipeline, isFirst;
  MlirValue states[2]; // of producer and consumer
} Loads;

//===-- Matching ----------------------------------------------------------===//

// The loop with fetches; null if there is none, or with a problem if it stands
// in another one, where the stages would begin anew in each loop.
static MlirOperation findLoop(CuteKernel *kernel) {
  CuteOps copies = cuteKernelFindOps(kernel, CUTE_OP_COPY);
  MlirOperation loop = {NULL};
  for (size_t i = 0; i < copies.count; ++i) {
    MlirOperation parent = mlirOperationGetParentOperation(copies.data[i]);
    if (!cutePipelineIsFetch(kernel->dialect, copies.data[i]))
      continue;
    if (!cuteMlirIs(parent, "scf.for") ||
        !mlirBlockEqual(mlirOperationGetBlock(parent), kernel->block)) {
      cuteKernelFail(kernel, copies.data[i],
                     "is in no loop of the kernel's own block; loops "
                     "around it, and copies before it, are not followed yet");
    } else if (!mlirOperationIsNull(loop) &&
               !mlirOperationEqual(loop, parent)) {
      cuteKernelFail(kernel, parent,
                     "is the second loop that copies tiles to "
                     "shared memory; one is followed");
    }
    loop = parent;
  }
  free(copies.data);
  return loop;
}

// Matches the tiles of all fetches of a loop.
static bool matchTiles(CuteKernel *kernel, const CuteOps *fetches,
                       CuteTmaTile *tiles) {
  for (size_t i = 0; i < fetches->count; ++i) {
    if (!cuteTmaMatchLoad(kernel, fetches->data[i], &tiles[i]))
      return false;
    for (size_t j = 0; j < i; ++j)
      if (mlirOperationEqual(tiles[i].alloc, tiles[j].alloc))
        return cuteKernelFail(kernel, fetches->data[i],
                              "is the second copy to the same shared memory");
  }
  return true;
}

static bool relayout(CuteKernel *kernel, MlirOperation loop) {
  CuteOps fetches = {0};
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(loop, 0));
  for (MlirOperation op = mlirBlockGetFirstOperation(body);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if (cutePipelineIsFetch(kernel->dialect, op))
      cuteOpsPush(&fetches, op);
  CuteTmaTile *tiles = cuteAllocate((fetches.count + 1) * sizeof *tiles);
  bool ok = matchTiles(kernel, &fetches, tiles) &&
            cuteTmaRelayout(kernel, fetches.count, tiles);
  free(tiles);
  free(fetches.data);
  return ok;
}

// Counts the stages that fit beside the kernel's other shared memory.
static int64_t countStages(Loads *l, bool splits) {
  CuteContext c = l->kernel->dialect->context;
  int64_t stage = 0;
  for (size_t i = 0; i < l->p.fetches.count; ++i) {
    CuteType type = cuteDialectGetType(
        l->kernel->dialect,
        mlirValueGetType(mlirOperationGetResult(l->tiles[i].alloc, 0)));
    stage += cuteLayoutGetSize(c, type->layout)->value *
             cuteElementTypeGetBits(type->element) / 8;
  }
  int64_t rest = cuteKernelGetSharedBytes(l->kernel) - stage;
  if (splits)
    rest -= cuteTmaCountSavedBytes(l->kernel);
  int64_t stages = (SHARED_BYTES - 1024 - rest) / stage;
  return stages > MAX_STAGES ? MAX_STAGES : stages;
}

static bool match(Loads *l, MlirOperation loop, const CuteSchedule *schedule) {
  CuteKernel *kernel = l->kernel;
  l->p =
      (CutePipelineLoop){.dialect = kernel->dialect, .loop = loop, .stages = 2};
  if (!cutePipelineMatch(&l->p))
    return false; // which has said why
  if (cutePipelineFollowsStores(&l->p))
    return cuteKernelFail(kernel, loop,
                          "follows writes to global memory, which TMA might "
                          "not see");
  if (kernel->threads % WARP)
    return cuteKernelFail(kernel, loop,
                          "runs in a block of %lld threads, no whole warps",
                          (long long)kernel->threads);
  size_t n = l->p.fetches.count;
  l->tiles = cuteAllocate(n * sizeof *l->tiles);
  l->atoms = cuteAllocate(n * sizeof *l->atoms);
  l->coords = cuteAllocate(n * sizeof *l->coords);
  if (!matchTiles(kernel, &l->p.fetches, l->tiles))
    return false;
  l->p.stages =
      schedule->stages ? schedule->stages : countStages(l, schedule->splits);
  return l->p.stages >= 2 ? cutePipelineCheckBytes(&l->p)
                          : cuteKernelFail(kernel, loop,
                                           "copies tiles that are too large: "
                                           "shared memory has no room for two");
}

//===-- Building ----------------------------------------------------------===//

static bool emitAtoms(Loads *l, CuteRebuild *r) {
  for (size_t i = 0; i < l->p.fetches.count; ++i) {
    CuteTmaTile *tile = &l->tiles[i];
    MlirValue tensor = mlirOperationGetResult(tile->alloc, 0);
    CuteType type = cuteDialectGetType(r->dialect, mlirValueGetType(tensor));
    MlirOperation atom =
        cuteTmaEmitAtom(l->kernel, r, "SM90_TMA_LOAD", tile, type->layout);
    if (r->failed)
      return false;
    l->atoms[i] = mlirOperationGetResult(atom, 0);
    l->coords[i] = mlirOperationGetResult(atom, 1);
  }
  return true;
}

static MlirValue emitPipeline(Loads *l, CuteRebuild *r) {
  CuteNamedAttribute attributes[] = {
      {"stages", cuteIntAttr(r->builder, 32, l->p.stages)},
      {"consumers", cuteIntAttr(r->builder, 32, l->kernel->threads / WARP)},
      {"agent",
       mlirStringAttrGet(r->builder->context, cuteMlirString("warp"))}};
  MlirOperation op =
      cuteRebuildCreate(r, CUTE_OP_MAKE_PIPELINE_TMA, l->p.fetches.count,
                        l->atoms, 3, attributes);
  return r->failed ? (MlirValue){NULL} : mlirOperationGetResult(op, 0);
}

// The barriers, made by the first thread before any other looks at them.
static void emitBarriers(Loads *l, CuteRebuild *r) {
  CuteBuilder *builder = r->builder;
  MlirOperation thread =
      cuteRebuildCreate(r, CUTE_OP_THREAD_IDX, 0, NULL, 0, NULL);
  if (r->failed)
    return;
  l->isFirst = cuteBuildCompare(builder, "arith.cmpi", CUTE_CMPI_EQ,
                                mlirOperationGetResult(thread, 0),
                                cuteBuildInt(builder, 32, 0));
  CuteBuilder inside =
      cuteBuilderAtStart(cuteBuildIf(builder, l->isFirst), builder->location);
  r->builder = &inside;
  cuteEmitDo(r, CUTE_OP_INIT_PIPELINE, 1, &l->pipeline);
  for (size_t i = 0; i < l->p.fetches.count; ++i)
    cuteEmitDo(r, CUTE_OP_PREFETCH_DESCRIPTOR, 1, &l->atoms[i]);
  r->builder = builder;
  cuteBuild(builder, (CuteOpSpec){.name = "gpu.barrier"});
}

static bool emitPrologue(Loads *l) {
  CutePointerMap none = {0};
  CuteRebuild r = {
      .dialect = l->kernel->dialect, .builder = &l->b.builder, .moves = &none};
  if (!emitAtoms(l, &r))
    return false;
  l->pipeline = emitPipeline(l, &r);
  if (!r.failed)
    emitBarriers(l, &r);
  if (!r.failed) {
    l->states[0] = cuteEmitState(&r, "producer", l->pipeline);
    l->states[1] = cuteEmitState(&r, "consumer", l->pipeline);
  }
  return !r.failed || cuteKernelFailOp(l->kernel, l->p.loop);
}

// The part of the allocation's stages that replaces it.
static MlirValue stageOf(Loads *l, CuteRebuild *r, MlirOperation alloc) {
  size_t i = 0;
  while (!mlirOperationEqual(l->p.allocs.data[i], alloc))
    ++i;
  return cuteRebuildGet(r, l->b.first[i]);
}

// One tile into its stage.
static void emitLoad(Loads *l, CuteRebuild *r, size_t i, MlirValue full) {
  CuteTmaTile *tile = &l->tiles[i];
  MlirValue memory = stageOf(l, r, tile->alloc);
  MlirValue coords = cuteTmaEmitCoords(r, tile, l->coords[i]);
  if (r->failed)
    return;
  MlirValue operands[] = {l->atoms[i], cuteEmitGroupTile(r, memory),
                          cuteEmitGroupTile(r, coords)};
  MlirOperation parts =
      cuteRebuildCreate(r, CUTE_OP_TMA_PARTITION, 3, operands, 0, NULL);
  if (r->failed)
    return;
  MlirValue copy[] = {cuteEmit2(r, CUTE_OP_WITH_BARRIER, l->atoms[i], full),
                      mlirOperationGetResult(parts, 1),
                      mlirOperationGetResult(parts, 0)};
  cuteEmitDo(r, CUTE_OP_COPY, 3, copy);
}

static void emitFetch(Loads *l, MlirValue index, MlirValue state) {
  CutePipelineBuild *b = &l->b;
  CuteBuilder outer = b->builder;
  b->builder =
      cuteBuilderAtStart(cuteBuildIf(&b->builder, l->isFirst), outer.location);
  CuteRebuild none = {.dialect = l->kernel->dialect, .builder = &b->builder};
  MlirValue stage = cuteEmit1(&none, CUTE_OP_PIPELINE_STAGE, state);
  CuteRebuild r = cutePipelineTile(b, stage, index);
  MlirValue at[] = {l->pipeline, state};
  cuteEmitDo(&r, CUTE_OP_PRODUCER_ACQUIRE, 2, at);
  MlirValue full = cuteEmit2(&r, CUTE_OP_PRODUCER_BARRIER, at[0], at[1]);
  for (size_t i = 0; i < l->p.fetches.count; ++i)
    emitLoad(l, &r, i, full);
  cuteEmitDo(&r, CUTE_OP_PRODUCER_COMMIT, 2, at);
  cutePipelineEndTile(b, &r);
  b->builder = outer;
}

static void fillBody(Loads *l, MlirBlock block) {
  CutePipelineBuild *b = &l->b;
  intptr_t n = mlirBlockGetNumArguments(l->p.body);
  MlirValue index = mlirBlockGetArgument(block, 0);
  MlirValue fill = mlirBlockGetArgument(block, n);
  MlirValue drain = mlirBlockGetArgument(block, n + 1);
  emitFetch(l, index, fill);
  CuteRebuild none = {.dialect = l->kernel->dialect, .builder = &b->builder};
  MlirValue at[] = {l->pipeline, drain};
  MlirValue stage = cuteEmit1(&none, CUTE_OP_PIPELINE_STAGE, drain);
  cuteEmitDo(&none, CUTE_OP_CONSUMER_WAIT, 2, at);
  CuteRebuild r = cutePipelineTile(b, stage, index);
  cutePipelineCarry(b, &r, block);
  cutePipelineComputes(b, &r, 0, l->p.computes.count);
  cuteEmitDo(&r, CUTE_OP_CONSUMER_RELEASE, 2, at);
  MlirValue next[] = {cuteEmit1(&r, CUTE_OP_PIPELINE_ADVANCE, fill),
                      cuteEmit1(&r, CUTE_OP_PIPELINE_ADVANCE, drain)};
  cutePipelineYield(b, &r, 2, next);
  cutePipelineEndTile(b, &r);
}

static bool build(Loads *l) {
  CutePipelineBuild *b = &l->b;
  *b = cutePipelineBuildBegin(&l->p);
  bool ok = emitPrologue(l);
  for (size_t i = 0; ok && !b->failed && i < l->p.allocs.count; ++i)
    cutePipelineStage(b, i);
  if (ok && !b->failed) {
    MlirOperation loop = cutePipelineCreateLoop(b, 2, l->states);
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(loop, 0));
    b->builder = cuteBuilderAtStart(block, b->builder.location);
    fillBody(l, block);
    if (!b->failed)
      cutePipelineReplace(b, loop);
  }
  if (b->failed)
    ok = cuteKernelFailOp(
        l->kernel, mlirOperationIsNull(b->culprit) ? l->p.loop : b->culprit);
  cutePipelineBuildEnd(b);
  return ok;
}

CuteEditResult cuteTmaEdit(CuteKernel *kernel, void *data) {
  CuteSchedule schedule;
  MlirOperation loop = findLoop(kernel);
  if (mlirOperationIsNull(loop) || !cuteKernelCheckThreads(kernel) ||
      kernel->problem.length || !cuteScheduleRead(kernel, data, &schedule) ||
      !relayout(kernel, loop))
    return CUTE_EDIT_NONE;
  Loads l = {.kernel = kernel};
  MlirLocation location = mlirOperationGetLocation(loop);
  bool ok = match(&l, findLoop(kernel), &schedule) && build(&l);
  if (ok)
    cuteKernelNote(kernel, location,
                   "TMA loads the tiles of %zu tensors now, into %lld stages",
                   l.p.fetches.count, (long long)l.p.stages);
  ok = ok && cuteTmaStores(kernel);
  free(l.tiles);
  free(l.atoms);
  free(l.coords);
  cutePipelineLoopDestroy(&l.p);
  return ok ? CUTE_EDIT_DONE : CUTE_EDIT_NONE;
}

//===-- The pass ----------------------------------------------------------===//

bool cuteRunTma(CuteDialect *dialect, MlirOperation root,
                const CutePassOptions *options) {
  CuteSchedule schedule = {0};
  if (!cuteScheduleTakeOption(root, options, "cute-tma", "stages", 2,
                              2 * MAX_STAGES, &schedule.stages))
    return false;
  if (!cuteRunExpandTiles(dialect, root, options))
    return false;
  cuteKernelsEdit(dialect, root, "threads still copy", cuteTmaEdit, &schedule);
  return true;
}
