// cute-tma: loops that copy tiles to shared memory by threads have TMA do it
// (docs/passes.md). One thread starts the loads of a stage, whose barrier
// counts the bytes:
//
//   if thread 0: acquire a stage; load the tiles; commit
//   wait for the stage; compute; release it
//
// Tiles that a product takes together share a ring of stages. A tile copied
// before the loop has one stage, released after the loop. Since the stages
// belong to pipelines, cute-specialize can give the first line to a warp that
// runs ahead.
#include "Transforms/edit/block_index.h"
#include "Transforms/edit/loop_carry.h"
#include "Transforms/pipeline/pipeline_build.h"
#include "Transforms/sm90.h"
#include "Transforms/tma/tma_rings.h"
#include "Transforms/tma/tma_tile.h"

enum {
  SHARED_BYTES = 227 * 1024, // that a block has on sm_90
  // The same where threads store in pieces, which may come together in what is
  // left to the L1 cache: 128 x 128 at 8192 cubed had 0.79 of cuBLAS with 224
  // KiB, and 0.82 to 0.88 with 192 KiB and less, in several runs on an H200.
  CACHED_BYTES = 195 * 1024,
  LEAST_CACHED = 4, // stages
  MAX_STAGES = 8,
  WARP = 32,
};

// A pipeline, and its states at the beginning.
typedef struct Ring {
  MlirValue pipeline, fill, drain;
} Ring;

typedef struct Loads {
  CuteKernel *kernel;
  MlirOperation loop;
  CuteOps once;       // copies before the loop
  CuteOps fetches;    // and in it
  CuteTmaTile *tiles; // of the fetches, then of `once`
  MlirValue *atoms, *coords;
  CutePipelineLoop p;
  CuteTmaRings rings;
  Ring *pipelines; // of the rings, then of `once`
  CutePipelineBuild b;
  MlirValue isFirst;
  bool isStream;
} Loads;

static size_t countTiles(const Loads *l) {
  return l->fetches.count + l->once.count;
}

//===-- Matching ----------------------------------------------------------===//

// Sorts a copy by cp.async: one in a loop of the kernel's own block, or one in
// front of it.
static void addFetch(Loads *l, MlirOperation copy) {
  CuteKernel *kernel = l->kernel;
  MlirOperation parent = mlirOperationGetParentOperation(copy);
  if (mlirBlockEqual(mlirOperationGetBlock(copy), kernel->block)) {
    if (!mlirOperationIsNull(l->loop))
      cuteKernelFail(kernel, copy, "follows the loop that copies tiles");
    cuteOpsPush(&l->once, copy);
    return;
  }
  if (cuteMlirIs(parent, "scf.if"))
    cuteKernelFail(kernel, copy,
                   "copies on a condition, as loops with buffers of their own "
                   "do; copy the tile that the round multiplies, with a "
                   "predicate for its ends, wait for it, and leave stages to "
                   "the pass");
  else if (!cuteMlirIs(parent, "scf.for") ||
           !mlirBlockEqual(mlirOperationGetBlock(parent), kernel->block))
    cuteKernelFail(kernel, copy,
                   "is in a loop within others; TMA takes whole tiles, each by "
                   "one cute.copy of the loop that multiplies, while rows that "
                   "are copied one by one stay with cp.async");
  else if (!mlirOperationIsNull(l->loop) &&
           !mlirOperationEqual(l->loop, parent))
    cuteKernelFail(kernel, parent,
                   "is the second loop that copies tiles to "
                   "shared memory; one is followed");
  l->loop = parent;
  cuteOpsPush(&l->fetches, copy);
}

// Finds the loop with fetches, and copies before it.
static bool findFetches(Loads *l) {
  CUTE_FOR_FOUND(op, cuteKernelFindOps(l->kernel, CUTE_OP_COPY))
    if (cutePipelineIsFetch(l->kernel->dialect, op))
      addFetch(l, op);
  return !mlirOperationIsNull(l->loop) && !l->kernel->problem;
}

static bool matchTiles(Loads *l) {
  CuteKernel *kernel = l->kernel;
  l->tiles = cuteTaskAllocateZeros(countTiles(l) + 1, sizeof *l->tiles);
  for (size_t i = 0; i < countTiles(l); ++i) {
    MlirOperation copy = i < l->fetches.count
                             ? l->fetches.data[i]
                             : l->once.data[i - l->fetches.count];
    if (!cuteTmaMatchLoad(kernel, copy, &l->tiles[i]))
      return false;
    for (size_t j = 0; j < i; ++j)
      if (mlirOperationEqual(l->tiles[i].alloc, l->tiles[j].alloc))
        return cuteKernelFail(kernel, copy,
                              "is the second copy to the same shared memory");
  }
  return true;
}

// Gives the tiles layouts for TMA, which makes their ops anew.
static bool relayout(CuteKernel *kernel) {
  Loads l = {.kernel = kernel};
  return findFetches(&l) && matchTiles(&l) &&
         cuteTmaRelayout(kernel, countTiles(&l), l.tiles);
}

// Counts the bytes of a tile. Blocks that multiply in pairs along a dimension
// of the grid, or -1, have half of one that is the same for both.
static int64_t countBytes(Loads *l, size_t i, int pairs) {
  CuteDialect *dialect = l->kernel->dialect;
  CuteType type = cuteDialectGetResultType(dialect, l->tiles[i].alloc, 0);
  int64_t bytes = cuteLayoutGetSize(dialect->context, type->layout)->value *
                  cuteElementTypeGetBits(type->element) / 8;
  bool isShared =
      pairs >= 0 && !cuteBlockIndexIsOf(dialect, getResult(l->tiles[i].tile, 0),
                                        CUTE_IN_GRID, pairs);
  return isShared ? bytes / 2 : bytes;
}

// Counts the stages that fit beside the kernel's other shared memory.
static int64_t countStages(Loads *l, const CuteSchedule *schedule) {
  int pairs = schedule->arch && schedule->cluster[0] == 2   ? 0
              : schedule->arch && schedule->cluster[1] == 2 ? 1
                                                            : -1;
  int64_t stage = 0, plain = 0;
  for (size_t i = 0; i < l->fetches.count; ++i) {
    stage += countBytes(l, i, pairs);
    plain += countBytes(l, i, -1);
  }
  int64_t rest = cuteKernelGetSharedBytes(l->kernel) - plain;
  if (schedule->splits)
    rest -= cuteTmaCountSavedBytes(l->kernel, schedule->alternates);
  rest *= schedule->alternates ? 2 : 1;
  int64_t all = (SHARED_BYTES - 1024 - rest) / stage;
  int64_t cached = (CACHED_BYTES - 1024 - rest) / stage;
  return !schedule->stages && cached >= LEAST_CACHED &&
                 cuteTmaThreadsStore(l->kernel)
             ? cached
             : all;
}

// Takes as many of the stages that are asked for, or of MAX_STAGES, as fit.
static bool chooseStages(Loads *l, const CuteSchedule *schedule) {
  int64_t asked = schedule->stages, fit = countStages(l, schedule);
  if (fit < 2)
    return cuteKernelFail(
        l->kernel, l->loop,
        "copies tiles that are too large: two do not fit into shared memory");
  if (fit < asked)
    cuteKernelNote(l->kernel, mlirOperationGetLocation(l->loop),
                   "%jd stages do not fit into shared memory", asked);
  l->p.stages = asked ? asked : MAX_STAGES;
  if (fit < l->p.stages)
    l->p.stages = fit;
  return true;
}

static bool checkOnce(Loads *l) {
  for (size_t i = l->fetches.count; i < countTiles(l); ++i)
    if (!cuteTmaCheckOnce(l->kernel, &l->tiles[i]))
      return false;
  return true;
}

static bool match(Loads *l, const CuteSchedule *schedule) {
  CuteKernel *kernel = l->kernel;
  MlirOperation loop = l->loop;
  l->p = (CutePipelineLoop){
      .dialect = kernel->dialect, .loop = loop, .stages = 2, .near = kernel};
  if (!cutePipelineMatch(&l->p))
    return cuteKernelFail(kernel, l->p.culprit, "%s", l->p.obstacle);
  if (cutePipelineFollowsStores(&l->p))
    return cuteKernelFail(
        kernel, loop, "follows writes to global memory, which TMA may not see");
  if (kernel->threads % WARP)
    return cuteKernelFail(
        kernel, loop,
        "runs in a block of %jd threads, which are not whole warps",
        kernel->threads);
  if (!matchTiles(l) || !checkOnce(l))
    return false;
  l->rings = cuteTmaRingsFind(&l->p);
  l->atoms = cuteTaskAllocate(countTiles(l) * sizeof *l->atoms);
  l->coords = cuteTaskAllocate(countTiles(l) * sizeof *l->coords);
  l->pipelines = cuteTaskAllocate(countTiles(l) * sizeof *l->pipelines);
  l->isStream = schedule->stream == 1;
  return chooseStages(l, schedule);
}

//===-- Building ----------------------------------------------------------===//

static bool emitAtoms(Loads *l, CuteRebuild *r) {
  for (size_t i = 0; i < countTiles(l); ++i) {
    CuteTmaTile *tile = &l->tiles[i];
    MlirValue tensor = getResult(tile->alloc, 0);
    CuteType type = cuteDialectGetValueType(r->dialect, tensor);
    MlirOperation atom =
        cuteTmaEmitAtom(l->kernel, r, "SM90_TMA_LOAD", tile, type->layout);
    if (r->failed)
      return false;
    l->atoms[i] = getResult(atom, 0);
    l->coords[i] = getResult(atom, 1);
  }
  return true;
}

static Ring emitRing(Loads *l, CuteRebuild *r, int64_t stages, size_t n,
                     const MlirValue *atoms) {
  MlirOperation op = cuteRebuildCreate(
      r, CUTE_OP_MAKE_PIPELINE_TMA, n, atoms,
      CUTE_NAMED({"stages", cuteIntAttr(&r->builder, 32, stages)},
                 {"consumers",
                  cuteIntAttr(&r->builder, 32, l->kernel->threads / WARP)},
                 {"agent", cuteStringAttr(&r->builder, "warp")}));
  if (r->failed)
    return (Ring){0};
  MlirValue pipeline = getResult(op, 0);
  return (Ring){pipeline, cuteEmitState(r, "producer", pipeline),
                cuteEmitState(r, "consumer", pipeline)};
}

static void emitRings(Loads *l, CuteRebuild *r) {
  MlirValue *atoms = cuteTaskAllocate(l->fetches.count * sizeof *atoms);
  for (size_t i = 0; i < l->rings.count; ++i) {
    size_t n = 0;
    for (size_t j = 0; j < l->fetches.count; ++j)
      if (l->rings.ofFetch[j] == i)
        atoms[n++] = l->atoms[j];
    l->pipelines[i] = emitRing(l, r, l->p.stages, n, atoms);
  }
  for (size_t i = 0; i < l->once.count; ++i)
    l->pipelines[l->rings.count + i] =
        emitRing(l, r, 1, 1, &l->atoms[l->fetches.count + i]);
}

// The barriers, made by the first thread before any other looks at them.
static void emitBarriers(Loads *l, CuteRebuild *r) {
  l->isFirst = cuteEmitThreadTest(r, CUTE_CMPI_EQ, 0);
  CuteBuilder outer = cuteEmitEnterIf(r, l->isFirst);
  for (size_t i = 0; i < l->rings.count + l->once.count; ++i)
    cuteEmitDo(r, CUTE_OP_INIT_PIPELINE, 1, &l->pipelines[i].pipeline);
  for (size_t i = 0; i < countTiles(l); ++i)
    cuteEmitDo(r, CUTE_OP_PREFETCH_DESCRIPTOR, 1, &l->atoms[i]);
  r->builder = outer;
  CUTE_BUILD(&r->builder, "gpu.barrier");
}

// Makes atoms and pipelines before the first load.
static bool emitPrologue(Loads *l) {
  CuteRebuild r = cuteRebuildBefore(l->kernel->dialect,
                                    l->once.count ? l->once.data[0] : l->loop);
  r.builder.location = mlirOperationGetLocation(l->loop);
  if (!emitAtoms(l, &r))
    return false;
  emitRings(l, &r);
  if (!r.failed)
    emitBarriers(l, &r);
  return !r.failed || cuteKernelFailOp(l->kernel, l->loop);
}

// One tile into its place in shared memory.
static void emitLoad(Loads *l, CuteRebuild *r, size_t i, MlirValue memory,
                     MlirValue full) {
  CuteTmaTile *tile = &l->tiles[i];
  MlirValue coords = cuteTmaEmitCoords(r, tile, l->coords[i]);
  if (r->failed)
    return;
  memory = cuteTmaEmitFlat(r, tile, memory);
  coords = cuteTmaEmitFlat(r, tile, coords);
  cuteEmitTmaLoad(r, l->atoms[i], full, memory, coords, l->isStream);
}

// The tiles of a ring into a stage.
static void emitStage(Loads *l, CuteRebuild *r, size_t ring, MlirValue fill) {
  MlirValue at[] = {l->pipelines[ring].pipeline, fill};
  cuteEmitDo(r, CUTE_OP_PRODUCER_ACQUIRE, 2, at);
  MlirValue full = cuteEmit2(r, CUTE_OP_PRODUCER_BARRIER, at[0], at[1]);
  for (size_t i = 0; i < l->fetches.count; ++i)
    if (l->rings.ofFetch[i] == ring)
      emitLoad(l, r, i, cuteRebuildGet(r, l->b.first[i]), full);
  cuteEmitDo(r, CUTE_OP_PRODUCER_COMMIT, 2, at);
}

// Ops for one tile in the stages of these states of the rings.
static CuteRebuild beginTile(Loads *l, const MlirValue *states,
                             MlirValue index) {
  CuteRebuild none = {.dialect = l->kernel->dialect, .builder = l->b.builder};
  MlirValue *stages = cuteTaskAllocate(2 * l->fetches.count * sizeof *stages);
  MlirValue *ofRing = stages + l->fetches.count;
  for (size_t i = 0; i < l->rings.count; ++i)
    ofRing[i] = cuteEmit1(&none, CUTE_OP_PIPELINE_STAGE, states[i]);
  for (size_t i = 0; i < l->fetches.count; ++i)
    stages[i] = ofRing[l->rings.ofFetch[i]];
  return cutePipelineTiles(&l->b, stages, index);
}

static void emitFetch(Loads *l, MlirValue index, const MlirValue *fills) {
  CutePipelineBuild *b = &l->b;
  CuteBuilder outer = b->builder;
  b->builder = cuteBuildIf(&b->builder, l->isFirst);
  CuteRebuild r = beginTile(l, fills, index);
  for (size_t i = 0; i < l->rings.count; ++i)
    emitStage(l, &r, i, fills[i]);
  cutePipelineEndTile(b, &r);
  b->builder = outer;
}

// The body without its copies, on the stages of these states.
static void emitComputes(Loads *l, CuteRebuild *r, const MlirValue *drains) {
  for (size_t i = 0; i < l->p.computes.count; ++i) {
    for (size_t ring = 0; ring < l->rings.count; ++ring)
      if (l->rings.first[ring] == i)
        cuteEmitDo(r, CUTE_OP_CONSUMER_WAIT, 2,
                   (MlirValue[]){l->pipelines[ring].pipeline, drains[ring]});
    cutePipelineComputes(&l->b, r, i, i + 1);
    for (size_t ring = 0; ring < l->rings.count; ++ring)
      if (l->rings.last[ring] == i)
        cuteEmitDo(r, CUTE_OP_CONSUMER_RELEASE, 2,
                   (MlirValue[]){l->pipelines[ring].pipeline, drains[ring]});
  }
}

// Carries the states of the producer, then of the consumer, of each ring.
static void fillBody(Loads *l, MlirBlock block) {
  CutePipelineBuild *b = &l->b;
  intptr_t own = mlirBlockGetNumArguments(l->p.body);
  size_t n = l->rings.count;
  MlirValue index = mlirBlockGetArgument(block, 0);
  MlirValue *states = cuteTaskAllocate(2 * n * sizeof *states);
  for (size_t i = 0; i < 2 * n; ++i)
    states[i] = mlirBlockGetArgument(block, own + (intptr_t)i);
  emitFetch(l, index, states);
  CuteRebuild r = beginTile(l, states + n, index);
  cutePipelineCarry(b, &r, block);
  emitComputes(l, &r, states + n);
  for (size_t i = 0; i < 2 * n; ++i)
    states[i] = cuteEmit1(&r, CUTE_OP_PIPELINE_ADVANCE, states[i]);
  cutePipelineYield(b, &r, 2 * n, states);
  cutePipelineEndTile(b, &r);
}

static void buildLoop(Loads *l) {
  CutePipelineBuild *b = &l->b;
  size_t n = l->rings.count;
  MlirValue *states = cuteTaskAllocate(2 * n * sizeof *states);
  for (size_t i = 0; i < n; ++i) {
    states[i] = l->pipelines[i].fill;
    states[n + i] = l->pipelines[i].drain;
  }
  MlirOperation loop = cutePipelineCreateLoop(b, 2 * n, states);
  MlirBlock block = cuteLoopGetBody(loop);
  b->builder = cuteBuilderAtStart(block, b->builder.location);
  fillBody(l, block);
  if (b->failed)
    return;
  cutePipelineReplace(b, loop);
  l->loop = loop;
}

// Loads tile `i` of those before the loop where it was copied, and releases it
// after its last use.
static void emitOnce(Loads *l, CuteRebuild *r, size_t i) {
  MlirOperation copy = l->once.data[i];
  CuteTmaTile *tile = &l->tiles[l->fetches.count + i];
  Ring *ring = &l->pipelines[l->rings.count + i];
  MlirValue fill[] = {ring->pipeline, ring->fill};
  MlirValue drain[] = {ring->pipeline, ring->drain};
  r->builder = cuteBuilderBefore(copy);
  CuteBuilder outer = cuteEmitEnterIf(r, l->isFirst);
  cuteEmitDo(r, CUTE_OP_PRODUCER_ACQUIRE, 2, fill);
  MlirValue full = cuteEmit2(r, CUTE_OP_PRODUCER_BARRIER, fill[0], fill[1]);
  emitLoad(l, r, l->fetches.count + i, getResult(tile->alloc, 0), full);
  cuteEmitDo(r, CUTE_OP_PRODUCER_COMMIT, 2, fill);
  r->builder = outer;
  cuteEmitDo(r, CUTE_OP_CONSUMER_WAIT, 2, drain);
  mlirOperationDestroy(copy);
  r->builder = cuteBuilderBefore(mlirOperationGetNextInBlock(
      cuteTmaFindLastUse(l->kernel, tile->alloc, l->loop)));
  cuteEmitDo(r, CUTE_OP_CONSUMER_RELEASE, 2, drain);
}

static bool buildOnce(Loads *l) {
  CuteRebuild r = {.dialect = l->kernel->dialect};
  for (size_t i = 0; i < l->once.count; ++i)
    emitOnce(l, &r, i);
  return !r.failed || cuteKernelFailOp(l->kernel, l->loop);
}

static bool build(Loads *l) {
  CutePipelineBuild *b = &l->b;
  if (!emitPrologue(l))
    return false;
  *b = cutePipelineBuildBegin(&l->p);
  for (size_t i = 0; !b->failed && i < l->p.allocs.count; ++i)
    cutePipelineStage(b, i);
  if (!b->failed)
    buildLoop(l);
  if (b->failed)
    cuteKernelFailOp(l->kernel,
                     mlirOperationIsNull(b->culprit) ? l->loop : b->culprit);
  return !l->kernel->problem && buildOnce(l);
}

static void noteLoads(Loads *l, MlirLocation location) {
  cuteScheduleSet(l->kernel, "stages", l->p.stages);
  cuteKernelNote(l->kernel, location,
                 "TMA loads the tiles of %zu tensors, into %jd stages",
                 l->fetches.count, l->p.stages);
  if (l->rings.count > 1)
    cuteKernelNote(
        l->kernel, location,
        "the tiles have %zu rings of stages, one for each set of products",
        l->rings.count);
  for (size_t i = 0; i < l->once.count; ++i)
    cuteKernelNote(l->kernel, location,
                   "TMA loads the tile of another tensor before the loop");
}

bool cuteTmaEdit(CuteKernel *kernel, void *data) {
  CuteSchedule schedule;
  Loads l = {.kernel = kernel};
  bool ok = findFetches(&l) && cuteKernelCheckThreads(kernel) &&
            cuteScheduleRead(kernel, data, &schedule) && relayout(kernel);
  MlirLocation location =
      ok ? mlirOperationGetLocation(l.loop) : kernel->location;
  if (!ok)
    return false;
  l = (Loads){.kernel = kernel};
  ok = findFetches(&l) && match(&l, &schedule);
  if (ok)
    cuteTmaDropWaits(kernel, &l.once);
  ok = ok && build(&l);
  if (ok)
    noteLoads(&l, location);
  return ok && cuteTmaStores(kernel);
}
