// cute-persist: blocks that take one tile of a grid each become as many as run
// at a time, which go from tile to tile (docs/passes.md). Where a warp loads
// ahead it begins with the next tile while the others end with the last. Tiles
// are taken in groups of rows, column by column, so that those at work together
// share operands in the L2 cache. Blocks of a cluster take tiles side by side;
// one beyond the grid computes the last tile again, and stores nothing.
#include "Transforms/edit/block_index.h"
#include "Transforms/edit/loop_carry.h"
#include "Transforms/roles/roles.h"
#include "Transforms/sm90.h"
#include "Transforms/tma/clusters.h"

enum {
  WARPGROUP = 128,
  SUM = 4, // bytes
};

typedef struct Persist {
  CuteKernel *kernel;
  int64_t group;         // rows of tiles; 0: all
  size_t launched;       // dimensions of launches in the module; 0: none
  CuteGridFormulas grid; // where there are none
  CuteRoles roles;       // what each of them does with a tile
  size_t dimensions;     // of the grid
  MlirValue asked[CUTE_MAX_GRID];   // in these, by launches
  MlirValue extents[CUTE_MAX_GRID]; // or by the grid's formulas
  MlirValue tiles, first, step;     // all of them, and a block's
  CuteCluster cluster;
  MlirValue ends[2], ranks[2]; // of the grid and of the block, along its sides
} Persist;

//===-- Matching ----------------------------------------------------------===//

// Checks that a block may do all but what follows the products twice.
static bool checkCluster(Persist *p) {
  CuteDialect *dialect = p->kernel->dialect;
  if (p->dimensions < 2 && p->cluster.extents[1] > 1)
    return cuteKernelFail(p->kernel, p->kernel->function,
                          "has a grid along x alone, but clusters along y");
  CUTE_FOR_OPS_UNTIL(outer, mlirBlockGetFirstOperation(p->roles.consumer),
                     cuteRolesFindLastRelease(dialect, p->roles.consumer))
    CUTE_FOR_NESTED(op, outer)
      if (!mlirValueIsNull(cuteViewGetWritten(dialect, op, CUTE_GMEM)))
        cuteKernelFail(p->kernel, op,
                       "writes global memory before the last product, and two "
                       "blocks of a cluster may do so for the same tile");
  return !p->kernel->problem;
}

// Reads the grid: what launches in the module say, or the kernel's formulas.
static bool readGrid(Persist *p) {
  if (!cuteKernelReadLaunches(p->kernel, &p->launched))
    return false;
  bool ok = p->launched
                ? p->cluster.blocks == 1 || cuteKernelCheckLaunches(p->kernel)
                : cuteGridFormulasRead(p->kernel, &p->grid);
  p->dimensions = p->launched ? p->launched : p->grid.count;
  return ok;
}

static bool match(Persist *p, bool isWanted) {
  if (!cuteRolesFind(p->kernel, &p->roles) ||
      !cuteKernelCheckThreads(p->kernel) ||
      !cuteRolesCheckStates(p->kernel, &p->roles) ||
      (!isWanted &&
       !cuteBlockIndexCheckRounds(p->kernel, mlirBlockIsNull(p->roles.products)
                                                 ? p->roles.consumer
                                                 : p->roles.products)) ||
      !readGrid(p))
    return false;
  CUTE_FOR_OPS(op, p->kernel->block)
    if (cuteBlockIndexGetDimension(p->kernel->dialect, op) >= 0)
      cuteKernelFail(p->kernel, op, "is used before the roles split");
  return !p->kernel->problem && cuteBlockIndexCheckUses(p->kernel) &&
         (p->cluster.blocks == 1 || checkCluster(p));
}

//===-- Tiles -------------------------------------------------------------===//

static MlirValue binary(CuteBuilder *b, const char *name, MlirValue x,
                        MlirValue y) {
  return cuteBuildBinary(b, name, x, y);
}

// Tells whether blocks of a cluster have tiles side by side along a dimension.
static bool isSide(const Persist *p, size_t i) {
  return i < 2 && p->cluster.extents[i] > 1;
}

// Emits which tiles are the block's: its cluster's tiles, one for each block.
static void emitTurns(Persist *p, CuteRebuild *r) {
  bool isAlone = p->cluster.blocks == 1;
  p->first = isAlone ? cuteEmit0(r, CUTE_OP_BLOCK_IDX)
                     : cuteBlockIndexEmit(&r->builder, "gpu.cluster_id", 0);
  p->step = isAlone ? cuteEmit0(r, CUTE_OP_GRID_DIM)
                    : cuteBlockIndexEmit(&r->builder, "gpu.cluster_dim", 0);
  for (size_t i = 0; i < 2; ++i)
    if (isSide(p, i))
      p->ranks[i] =
          cuteBlockIndexEmit(&r->builder, "gpu.cluster_block_id", (int)i);
}

// Emits the number of tiles, by clusters, and which of them are the block's.
static void emitTiles(Persist *p, CuteBuilder b) {
  CuteRebuild r = {.dialect = p->kernel->dialect, .builder = b};
  for (size_t i = 0; i < p->dimensions; ++i) {
    p->extents[i] = p->launched
                        ? p->asked[i]
                        : cuteGridFormulasEmit(p->kernel, &r, &p->grid, i);
    if (isSide(p, i)) {
      p->ends[i] = p->extents[i];
      p->extents[i] = cuteEmitWith(&r, "arith.ceildivui", p->ends[i],
                                   p->cluster.extents[i]);
    }
    p->tiles = i ? binary(&r.builder, "arith.muli", p->tiles, p->extents[i])
                 : p->extents[i];
  }
  emitTurns(p, &r);
}

// The indices of the block or cluster that had the tile: x goes through a group
// of rows for each column y.
static void emitOrder(Persist *p, CuteBuilder *b, MlirValue tile,
                      MlirValue indices[CUTE_MAX_GRID]) {
  MlirValue zero = cuteBuildInt(b, 32, 0);
  MlirValue size = p->group ? cuteBuildInt(b, 32, p->group) : p->extents[0];
  for (size_t i = 0; i < CUTE_MAX_GRID; ++i)
    indices[i] = zero;
  if (p->dimensions == 1) {
    indices[0] = tile;
    return;
  }
  if (p->dimensions > 2) {
    MlirValue slab = binary(b, "arith.muli", p->extents[0], p->extents[1]);
    indices[2] = binary(b, "arith.divui", tile, slab);
    tile = binary(b, "arith.remui", tile, slab);
  }
  MlirValue group = binary(b, "arith.muli", size, p->extents[1]);
  MlirValue start =
      binary(b, "arith.muli", binary(b, "arith.divui", tile, group), size);
  MlirValue place = binary(b, "arith.remui", tile, group);
  MlirValue left = binary(b, "arith.subi", p->extents[0], start);
  MlirValue height = binary(b, "arith.minui", left, size);
  indices[0] =
      binary(b, "arith.addi", start, binary(b, "arith.remui", place, height));
  indices[1] = binary(b, "arith.divui", place, height);
}

// Has a cluster's index along a side become that of the block, at most the
// last one; whether it is in the grid.
static MlirValue emitPlace(Persist *p, CuteBuilder *b, size_t side,
                           MlirValue *index) {
  MlirValue end = p->ends[side];
  MlirValue first = binary(b, "arith.muli", *index,
                           cuteBuildInt(b, 32, p->cluster.extents[side]));
  MlirValue own = binary(b, "arith.addi", first, p->ranks[side]);
  MlirValue last = binary(b, "arith.subi", end, cuteBuildInt(b, 32, 1));
  *index = binary(b, "arith.minui", own, last);
  return cuteBuildCompare(b, CUTE_CMPI_ULT, own, end);
}

// The indices of the block that had the tile; whether it is in the grid.
static MlirValue emitIndices(Persist *p, CuteBuilder *b, MlirValue tile,
                             MlirValue indices[CUTE_MAX_GRID]) {
  emitOrder(p, b, tile, indices);
  MlirValue isThere = {NULL};
  for (size_t i = 0; i < 2; ++i) {
    if (!isSide(p, i))
      continue;
    MlirValue is = emitPlace(p, b, i, &indices[i]);
    isThere =
        mlirValueIsNull(isThere) ? is : binary(b, "arith.andi", isThere, is);
  }
  return isThere;
}

//===-- Roles -------------------------------------------------------------===//

// Does again after the tiles what is not done for each.
static void moveTails(Persist *p, MlirOperation loop, MlirBlock body) {
  CuteBuilder b = cuteBuilderBefore(mlirOperationGetNextInBlock(loop));
  CUTE_SCOPED(PointerMap) moves = {0};
  CUTE_FOR_OPS(op, body)
    if (cuteEffectGet(p->kernel->dialect, op) == CUTE_EFFECT_NONE)
      cutePointerMapSet(&moves, op.ptr, op.ptr);
  CuteRebuild r = {
      .dialect = p->kernel->dialect, .builder = b, .moves = &moves};
  CUTE_FOR_MOVED_OPS(op, body)
    if (cuteRolesIsTail(p->kernel->dialect, op)) {
      cuteRebuildOp(&r, op);
      mlirOperationDestroy(op);
    }
}

// Tells whether an op is done once by the block, and not for each tile.
static bool isOnce(CuteDialect *dialect, MlirOperation op,
                   const CuteOps *states) {
  return cuteOpsContain(states, op) ||
         cuteDialectIsOp(dialect, op, CUTE_OP_SET_REGISTERS);
}

// A loop over the block's tiles that carries the states.
static MlirOperation createTileLoop(Persist *p, CuteBuilder *b,
                                    const CuteOps *states) {
  size_t n = states->count;
  MlirValue *operands = cuteTaskAllocate((3 + n) * sizeof *operands);
  operands[0] = p->first;
  operands[1] = p->tiles;
  operands[2] = p->step;
  for (size_t i = 0; i < n; ++i)
    operands[3 + i] = getResult(states->data[i], 0);
  MlirOperation loop =
      cuteLoopCreate(b, 3 + n, operands, (MlirAttribute){NULL});
  cuteLoopKeepRolled(loop);
  return loop;
}

// Gives the state that an op of a block makes of one; that one for other ops.
static MlirValue stateThrough(CuteDialect *dialect, MlirOperation op,
                              MlirValue state) {
  if (cuteDialectIsOp(dialect, op, CUTE_OP_PIPELINE_ADVANCE) &&
      mlirValueEqual(getOperand(op, 0), state))
    return getResult(op, 0);
  for (intptr_t i = 3; cuteMlirIs(op, "scf.for") && i < getNumOperands(op); ++i)
    if (mlirValueEqual(getOperand(op, i), state))
      return getResult(op, i - 3);
  return state;
}

// The state of a pipeline after a tile: what loops of the block make of it, and
// the next one after each stage outside of them.
static MlirValue stateAfter(Persist *p, CuteBuilder *b, MlirBlock block,
                            MlirValue state) {
  CuteDialect *dialect = p->kernel->dialect;
  CUTE_FOR_OPS(op, block)
    state = stateThrough(dialect, op, state);
  bool isTaken = false;
  CUTE_FOR_OPS(op, block)
    isTaken |=
        !cuteMlirIs(op, "scf.for") &&
        (cuteOpListHasOn(dialect, op, CUTE_OP_PRODUCER_ACQUIRE, 1, state) ||
         cuteOpListHasOn(dialect, op, CUTE_OP_CONSUMER_WAIT, 1, state));
  if (!isTaken)
    return state;
  CuteRebuild r = {.dialect = dialect, .builder = *b};
  return cuteEmit1(&r, CUTE_OP_PIPELINE_ADVANCE, state);
}

// Has a role do what it does for each of the block's tiles.
static void repeat(Persist *p, MlirBlock block) {
  CuteDialect *dialect = p->kernel->dialect;
  if (mlirBlockIsNull(block))
    return;
  MlirOperation first = mlirBlockGetFirstOperation(block);
  if (!mlirBlockIsNull(p->roles.products)) // ptxas spills what lives on
    emitTiles(p, cuteBuilderAtStart(block,
                                    mlirOperationGetLocation(p->roles.branch)));
  CuteOps states = cuteRolesFindStates(p->kernel, block);
  MlirOperation end = mlirBlockGetTerminator(block);
  CuteBuilder b = cuteBuilderBefore(end);
  MlirValue *last = cuteTaskAllocate((states.count + 1) * sizeof *last);
  for (size_t i = 0; i < states.count; ++i)
    last[i] = stateAfter(p, &b, block, getResult(states.data[i], 0));
  MlirOperation loop = createTileLoop(p, &b, &states);
  MlirBlock body = cuteLoopGetBody(loop);
  CuteBuilder inside = cuteBuilderAtStart(body, b.location);
  MlirValue indices[CUTE_MAX_GRID];
  MlirValue isThere =
      emitIndices(p, &inside, mlirBlockGetArgument(body, 0), indices);
  CuteBuilder atEnd = {b.context, b.location, body, {NULL}};
  MlirOperation yield = CUTE_BUILD(
      &atEnd, "scf.yield", .numOperands = states.count, .operands = last);
  CUTE_FOR_OPS_UNTIL(op, first, loop)
    if (!isOnce(dialect, op, &states))
      mlirOperationMoveBefore(op, yield);
  for (size_t i = 0; i < states.count; ++i) {
    MlirValue initial = getResult(states.data[i], 0);
    mlirValueReplaceAllUsesOfWith(initial,
                                  cuteLoopGetArgument(loop, (intptr_t)i));
    mlirOperationSetOperand(loop, 3 + (intptr_t)i, initial);
  }
  cuteBlockIndexReplace(p->kernel->dialect, loop, indices);
  moveTails(p, loop, body);
  if (p->cluster.blocks > 1 && mlirBlockEqual(block, p->roles.consumer))
    cuteRolesGuardRest(p->kernel, body, isThere);
}

// Tells whether an op stores shared memory by TMA, which is waited for before
// that is written again.
static bool isStoredByTma(CuteDialect *dialect, MlirValue memory) {
  CUTE_FOR_USES(use, memory) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (cuteDialectIsOp(dialect, user, CUTE_OP_TMA_PARTITION) ||
        ((cuteDialectIsOp(dialect, user, CUTE_OP_GROUP_MODES) ||
          cuteDialectIsOp(dialect, user, CUTE_OP_COMPOSITION) ||
          cuteDialectIsOp(dialect, user, CUTE_OP_SLICE)) &&
         isStoredByTma(dialect, getResult(user, 0))))
      return true;
  }
  return false;
}

// Tells whether threads write shared memory in a block, other than what TMA
// stores from there.
static bool writesShared(CuteDialect *dialect, MlirBlock block) {
  CUTE_FOR_OPS(outer, block)
    CUTE_FOR_NESTED(op, outer) {
      MlirValue root = cuteViewGetWritten(dialect, op, CUTE_SMEM);
      if (!mlirValueIsNull(root) && !isStoredByTma(dialect, root))
        return true;
    }
  return false;
}

// Lets no thread write shared memory for a tile that others read for the last
// one.
static void separateTiles(Persist *p) {
  if (!writesShared(p->kernel->dialect, p->roles.consumer))
    return;
  CuteOps barriers = cuteKernelFindOps(p->kernel, CUTE_OP_NAMED_BARRIER_SYNC);
  if (barriers.count) {
    MlirOperation copy = mlirOperationClone(barriers.data[barriers.count - 1]);
    mlirBlockInsertOwnedOperationBefore(
        p->roles.consumer, mlirBlockGetTerminator(p->roles.consumer), copy);
    CuteBuilder b = cuteBuilderBefore(copy);
    for (intptr_t i = 0; i < 2; ++i) {
      CuteType type = cuteDialectGetOperandType(p->kernel->dialect, copy, i);
      mlirOperationSetOperand(copy, i,
                              cuteBuildStatic(&b, p->kernel->dialect, type));
    }
  }
}

// Launches as many clusters along x as run at a time, or as have tiles.
static void setGrid(Persist *p) {
  CUTE_SCOPED(String) text = {0};
  CUTE_SCOPED(String) columns = {0};
  const int64_t *extents = p->cluster.extents;
  cuteStringAppendFormat(&text, "min(");
  for (size_t i = 0; i < p->grid.count; ++i) {
    cuteStringAppendFormat(&text, "%s%s(%.*s)", i ? " * " : "",
                           isSide(p, i) ? "ceil_div(" : "",
                           CUTE_TEXT(p->grid.texts[i]));
    if (isSide(p, i))
      cuteStringAppendFormat(&text, ", %jd)", extents[i]);
  }
  cuteStringAppendFormat(&text, ", active_clusters)");
  MlirContext context = mlirOperationGetContext(p->kernel->function);
  if (extents[0] > 1)
    cuteStringAppendFormat(&text, " * %jd", extents[0]);
  cuteStringAppendFormat(&columns, "%jd", extents[1]);
  MlirAttribute sides[] = {mlirStringAttrGet(context, cuteMlirText(&text)),
                           mlirStringAttrGet(context, cuteMlirText(&columns))};
  cuteMlirSetAttribute(p->kernel->function, "cute.grid",
                       mlirArrayAttrGet(context, isSide(p, 1) ? 2 : 1, sides));
  int32_t sizes[] = {(int32_t)extents[0], (int32_t)extents[1], 1};
  if (p->cluster.blocks > 1)
    cuteMlirSetAttribute(p->kernel->function, "known_cluster_size",
                         mlirDenseI32ArrayGet(context, 3, sizes));
}

// The rows of tiles that were fastest on an H100 (docs/hopper.md), by the sums
// of a tile, which consumers hold, beside one warpgroup that loads.
static int64_t rowsForTile(CuteKernel *kernel) {
  int64_t sums = cuteSplitCountBytes(kernel) / SUM / kernel->threads *
                 (kernel->threads - WARPGROUP);
  if (cuteOpListHas(kernel->dialect, kernel->function, CUTE_OP_TMEM_ALLOC))
    return 8;
  return sums > 128 * 128 ? 12 : sums > 64 * 128 ? 8 : 4;
}

// The rows of tiles, or of clusters that lie along x. Tiles that differ in x
// alone come one after the other where all that loops load is the same for
// them.
static int64_t chooseGroup(Persist *p, const CuteSchedule *schedule) {
  int64_t rows = p->cluster.extents[0];
  if (!schedule->group &&
      !cuteBlockIndexIsInLoops(p->kernel->dialect, p->roles.producer, 0))
    return 0;
  int64_t group = schedule->group ? schedule->group : rowsForTile(p->kernel);
  return (group + rows - 1) / rows;
}

// The rows of tiles that clusters or blocks go through column by column.
static int64_t countRows(const Persist *p) {
  return p->group * p->cluster.extents[0];
}

static void note(Persist *p) {
  MlirLocation location = mlirOperationGetLocation(p->kernel->function);
  const char *what = "as many blocks as run at a time go from tile to tile";
  if (p->dimensions == 1)
    cuteKernelNote(p->kernel, location, "%s", what);
  else if (p->group)
    cuteKernelNote(p->kernel, location, "%s, in groups of %jd rows", what,
                   countRows(p));
  else
    cuteKernelNote(p->kernel, location,
                   "%s, along x first, on which no load of a loop depends",
                   what);
}

static void setChoices(Persist *p) {
  cuteScheduleSet(p->kernel, "persist", 1);
  if (p->group && p->dimensions > 1)
    cuteScheduleSet(p->kernel, "rows", countRows(p));
  for (size_t i = 0; i < 2; ++i)
    if (isSide(p, i))
      cuteScheduleSet(p->kernel, i ? "cluster_y" : "cluster_x",
                      p->cluster.extents[i]);
}

bool cutePersistEdit(CuteKernel *kernel, void *data) {
  CuteSchedule schedule;
  Persist p = {.kernel = kernel};
  bool ok = cuteScheduleRead(kernel, data, &schedule) && schedule.persist != 2;
  p.cluster = cuteClusterOf(schedule.cluster);
  ok = ok && match(&p, schedule.persist == 1);
  if (ok) {
    p.group = chooseGroup(&p, &schedule);
    separateTiles(&p);
    if (p.launched)
      cuteKernelAddGrid(kernel, p.dimensions, p.asked);
    if (mlirBlockIsNull(p.roles.products))
      emitTiles(&p, cuteBuilderBefore(p.roles.branch));
    repeat(&p, p.roles.producer);
    repeat(&p, p.roles.products);
    repeat(&p, p.roles.consumer);
    if (!p.launched)
      setGrid(&p);
    setChoices(&p);
    note(&p);
  }
  cuteGridFormulasDestroy(&p.grid);
  return ok;
}
