// C = A * transpose(B) as examples/gemm_plain.mlir has it, built operation by
// operation for a tile that the caller chooses. buildGemm is at the end.
#ifndef GEMM_BUILDER_H
#define GEMM_BUILDER_H

#include "cute/Cute.h"

#include <stdio.h>

// The number and the array of values.
#define VALUES(...)                                                            \
  sizeof((MlirValue[]){__VA_ARGS__}) / sizeof(MlirValue), (MlirValue[]) {      \
    __VA_ARGS__                                                                \
  }

typedef struct Gemm {
  CuteModuleBuilder *builder;
  int bm, bn, bk; // the tile of a block, 4 warps of it
  MlirValue a, b, c, blockM, blockN, thread;
  MlirValue sharedA, sharedB, mma, fragmentA, fragmentB, sum;
  MlirValue load, storeA, storeB;       // global to shared memory
  MlirValue copyA, copyB, fromA, fromB; // shared memory to registers
  MlirValue toA, toB;
} Gemm;

static MlirValue add(Gemm *g, const char *name, size_t n,
                     const MlirValue *operands) {
  return cuteModuleBuilderAdd(g->builder, name, (intptr_t)n, operands);
}

// The same with attributes.
static MlirValue addWith(Gemm *g, const char *name, const char *attributes,
                         size_t n, const MlirValue *operands) {
  const CuteNewOperation operation = {.name = name,
                                      .numOperands = (intptr_t)n,
                                      .operands = operands,
                                      .attributes = attributes};
  MlirOperation op = cuteModuleBuilderAddOperation(g->builder, &operation);
  MlirValue none = {NULL};
  return mlirOperationIsNull(op) ? none : mlirOperationGetResult(op, 0);
}

// A value that its type says, such as shape<"(%d,%d)">.
static MlirValue addStatic(Gemm *g, const char *format, int x, int y) {
  char type[128];
  int n = snprintf(type, sizeof type, "!cute.");
  snprintf(type + n, sizeof type - (size_t)n, format, x, y, y);
  return cuteModuleBuilderAddAs(g->builder, "cute.static", type, 0, NULL);
}

static MlirValue addRowMajor(Gemm *g, int rows, int columns) {
  MlirValue layout = addStatic(g, "layout<\"(%d,%d):(%d,1)\">", rows, columns);
  return addWith(g, "cute.alloc_smem", "{element = f16, align = 128 : i32}",
                 VALUES(layout));
}

static MlirValue addCoord(Gemm *g, MlirValue row, MlirValue column) {
  const MlirValue coord[] = {row, column};
  return cuteModuleBuilderAddAs(g->builder, "cute.make_coord",
                                "!cute.coord<\"(?,?)\">", 2, coord);
}

// A copy of 16 bytes a thread, by rows.
static MlirValue addCopy(Gemm *g, const char *atom, int rows, int columns) {
  MlirValue instruction = addStatic(g, atom, 0, 0);
  MlirValue threads = addStatic(g, "layout<\"(%d,%d):(%d,1)\">", rows, columns);
  MlirValue values = addStatic(g, "layout<\"(1,8):(0,1)\">", 0, 0);
  return add(g, "cute.make_tiled_copy", VALUES(instruction, threads, values));
}

// A thread's part of a tile of a matrix, and which of it lies in the matrix.
typedef struct Part {
  MlirValue values, predicate;
} Part;

static Part addPart(Gemm *g, const char *name, MlirValue copy, MlirValue matrix,
                    MlirValue tile, MlirValue coord) {
  const MlirValue operands[] = {copy, matrix, tile, coord, g->thread};
  const CuteNewOperation operation = {
      .name = name, .numOperands = 5, .operands = operands};
  MlirOperation op = cuteModuleBuilderAddOperation(g->builder, &operation);
  Part none = {{NULL}, {NULL}};
  return mlirOperationIsNull(op) ? none
                                 : (Part){mlirOperationGetResult(op, 0),
                                          mlirOperationGetResult(op, 1)};
}

static void addFragments(Gemm *g) {
  MlirValue atom =
      addStatic(g, "mma_atom<\"SM80_16x8x16_F32F16F16F32_TN\">", 0, 0);
  MlirValue warps = addStatic(g, "layout<\"(2,2,1):(1,2,0)\">", 0, 0);
  MlirValue tile = addStatic(g, "shape<\"(32,32,16)\">", 0, 0);
  g->mma = add(g, "cute.make_tiled_mma", VALUES(atom, warps, tile));
  MlirValue partA =
      add(g, "cute.partition_a", VALUES(g->mma, g->sharedA, g->thread));
  MlirValue partB =
      add(g, "cute.partition_b", VALUES(g->mma, g->sharedB, g->thread));
  g->fragmentA = add(g, "cute.make_fragment_a", VALUES(g->mma, partA));
  g->fragmentB = add(g, "cute.make_fragment_b", VALUES(g->mma, partB));
  MlirValue shape = addStatic(g, "shape<\"(%d,%d)\">", g->bm, g->bn);
  MlirValue partC = add(g, "cute.partition_shape_c", VALUES(g->mma, shape));
  g->sum = addWith(g, "cute.make_fragment", "{element = f32}", VALUES(partC));
  add(g, "cute.clear", VALUES(g->sum));
}

static void addCopies(Gemm *g) {
  g->load = addCopy(
      g, "copy_atom<\"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>\", f16>",
      1024 / g->bk, g->bk / 8);
  g->storeA =
      add(g, "cute.partition_d", VALUES(g->load, g->sharedA, g->thread));
  g->storeB =
      add(g, "cute.partition_d", VALUES(g->load, g->sharedB, g->thread));
  MlirValue atom = addStatic(g, "copy_atom<\"SM75_U32x4_LDSM_N\", f16>", 0, 0);
  g->copyA = add(g, "cute.make_tiled_copy_a", VALUES(atom, g->mma));
  g->copyB = add(g, "cute.make_tiled_copy_b", VALUES(atom, g->mma));
  g->fromA =
      add(g, "cute.partition_s", VALUES(g->copyA, g->sharedA, g->thread));
  g->fromB =
      add(g, "cute.partition_s", VALUES(g->copyB, g->sharedB, g->thread));
  g->toA = add(g, "cute.retile", VALUES(g->copyA, g->fragmentA));
  g->toB = add(g, "cute.retile", VALUES(g->copyB, g->fragmentB));
}

// How many tiles there are along K.
static MlirValue countTiles(Gemm *g, MlirValue tile) {
  MlirValue layout = add(g, "cute.get_layout", VALUES(g->a));
  const CuteNewOperation operation = {.name = "cute.get_scalars",
                                      .numOperands = 1,
                                      .operands = &layout,
                                      .attributes = "{only_dynamic}"};
  MlirOperation op = cuteModuleBuilderAddOperation(g->builder, &operation);
  MlirValue none = {NULL};
  MlirValue extent =
      mlirOperationIsNull(op) ? none : mlirOperationGetResult(op, 1);
  return add(g, "arith.ceildivui", VALUES(extent, tile));
}

static void addMainLoop(Gemm *g) {
  CuteModuleBuilder *b = g->builder;
  MlirValue zero = cuteModuleBuilderAddInteger(b, "i32", 0);
  MlirValue one = cuteModuleBuilderAddInteger(b, "i32", 1);
  MlirValue tiles = countTiles(g, cuteModuleBuilderAddInteger(b, "i32", g->bk));
  MlirValue k = cuteModuleBuilderBeginFor(b, zero, tiles, one, 0, NULL);
  MlirValue shape = addStatic(g, "shape<\"(%d,%d)\">", g->bm, g->bk);
  MlirValue coord = addCoord(g, g->blockM, k);
  Part a = addPart(g, "cute.predicated_tile_s", g->load, g->a, shape, coord);
  shape = addStatic(g, "shape<\"(%d,%d)\">", g->bn, g->bk);
  coord = addCoord(g, g->blockN, k);
  Part part = addPart(g, "cute.predicated_tile_s", g->load, g->b, shape, coord);
  add(g, "cute.copy", VALUES(g->load, a.values, g->storeA, a.predicate));
  add(g, "cute.copy", VALUES(g->load, part.values, g->storeB, part.predicate));
  add(g, "cute.cp_async_commit", 0, NULL);
  const CuteNewOperation wait = {.name = "cute.cp_async_wait",
                                 .attributes = "{n = 0 : i32}"};
  cuteModuleBuilderAddOperation(b, &wait);
  add(g, "gpu.barrier", 0, NULL);
  add(g, "cute.copy", VALUES(g->copyA, g->fromA, g->toA));
  add(g, "cute.copy", VALUES(g->copyB, g->fromB, g->toB));
  add(g, "cute.gemm",
      VALUES(g->mma, g->sum, g->fragmentA, g->fragmentB, g->sum));
  add(g, "gpu.barrier", 0, NULL);
  cuteModuleBuilderEnd(b, 0, NULL);
}

// The result by way of shared memory, so that it is written in whole rows.
static void addResult(Gemm *g) {
  MlirValue half =
      addWith(g, "cute.make_fragment_like", "{element = f16}", VALUES(g->sum));
  add(g, "cute.convert", VALUES(g->sum, half));
  MlirValue shared = addRowMajor(g, g->bm, g->bn);
  MlirValue pair =
      addStatic(g, "copy_atom<\"UniversalCopy<uint32_t>\", f16>", 0, 0);
  MlirValue store = add(g, "cute.make_tiled_copy_c", VALUES(pair, g->mma));
  MlirValue to = add(g, "cute.partition_d", VALUES(store, shared, g->thread));
  MlirValue from = add(g, "cute.retile", VALUES(store, half));
  add(g, "cute.copy", VALUES(store, from, to));
  add(g, "gpu.barrier", 0, NULL);
  MlirValue rows =
      addCopy(g, "copy_atom<\"UniversalCopy<uint128_t>\", f16>", 16, 8);
  MlirValue read = add(g, "cute.partition_s", VALUES(rows, shared, g->thread));
  MlirValue tile = addStatic(g, "shape<\"(%d,%d)\">", g->bm, g->bn);
  MlirValue coord = addCoord(g, g->blockM, g->blockN);
  Part c = addPart(g, "cute.predicated_tile_d", rows, g->c, tile, coord);
  MlirValue registers = add(g, "cute.make_fragment_like", VALUES(read));
  add(g, "cute.copy", VALUES(rows, read, registers));
  add(g, "cute.copy", VALUES(rows, registers, c.values, c.predicate));
}

// Tells whether there is a kernel for a tile.
static bool isGemmTile(int bm, int bn, int bk) {
  return (bm == 64 || bm == 128) && (bn == 64 || bn == 128) &&
         (bk == 16 || bk == 32 || bk == 64);
}

// The kernel `gemm` for f16 matrices A (MxK), B (NxK) and C (MxN) by rows, in
// tiles of bm x bn x bk, where bm and bn are 64 or 128, and bk is 16, 32 or 64.
static MlirModule buildGemm(MlirContext context, int bm, int bn, int bk) {
  CuteModuleBuilder *b =
      cuteModuleBuilderCreate(mlirLocationUnknownGet(context));
  MlirType matrix =
      cuteModuleBuilderGetType(b, "!cute.tensor<f16, gmem, align<16>, "
                                  "\"(?,?{div=8}):(?{i64 div=8},1)\">");
  const MlirType parameters[] = {matrix, matrix, matrix};
  char gridM[64], gridN[64];
  snprintf(gridM, sizeof gridM, "ceil_div(arg2.shape[0], %d)", bm);
  snprintf(gridN, sizeof gridN, "ceil_div(arg2.shape[1], %d)", bn);
  const CuteNewKernel kernel = {.name = "gemm",
                                .numParameters = 3,
                                .parameters = parameters,
                                .block = {128},
                                .grid = {gridM, gridN}};
  cuteModuleBuilderBeginKernel(b, &kernel);
  Gemm g = {.builder = b, .bm = bm, .bn = bn, .bk = bk};
  g.a = cuteModuleBuilderGetArgument(b, 0);
  g.b = cuteModuleBuilderGetArgument(b, 1);
  g.c = cuteModuleBuilderGetArgument(b, 2);
  g.blockM = add(&g, "cute.block_idx", 0, NULL);
  g.blockN = addWith(&g, "cute.block_idx", "{dim = \"y\"}", 0, NULL);
  g.thread = add(&g, "cute.thread_idx", 0, NULL);
  g.sharedA = addRowMajor(&g, bm, bk);
  g.sharedB = addRowMajor(&g, bn, bk);
  addFragments(&g);
  addCopies(&g);
  addMainLoop(&g);
  addResult(&g);
  cuteModuleBuilderEnd(b, 0, NULL);
  MlirModule module = cuteModuleBuilderTake(b);
  cuteModuleBuilderDestroy(b);
  return module;
}

#endif
