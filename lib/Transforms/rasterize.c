// cute-rasterize: the order in which blocks take tiles. Blocks that start one
// after another go through `group` rows of tiles (of x) column by column (of
// y), so that blocks that run together share operands in the L2 cache.
#include "IR/builder.h"
#include "Transforms/transforms.h"

enum { MAX_GROUP = 64 };
static const char doneName[] = "cute.group";

// The ops of a kernel that matter.
typedef struct Blocks {
  CuteDialect *dialect;
  MlirAttribute x, y; // dimensions
  CuteOps ids[2];     // gpu.block_id and cute.block_idx
  MlirOperation obstacle;
  const char *reason; // that the obstacle is one
} Blocks;

static const struct {
  const char *name, *reason;
} obstacles[] = {
    {"func.call", "may read block indices in the function that it calls"},
    {"gpu.global_id", "counts threads by the block's indices; compute it from "
                      "gpu.block_id and gpu.thread_id"},
    {"gpu.cluster_id", "depends on which blocks make a cluster"},
    {"gpu.cluster_block_id", "depends on which blocks make a cluster"},
    {"nvvm.read.ptx.sreg.ctaid.x", "reads a block index by itself"},
    {"nvvm.read.ptx.sreg.ctaid.y", "reads a block index by itself"},
};

static void visit(Blocks *blocks, MlirOperation op) {
  if (cuteMlirIs(op, "gpu.block_id")) {
    MlirAttribute dimension = cuteMlirGetAttribute(op, "dimension");
    if (mlirAttributeEqual(dimension, blocks->x))
      cuteOpsPush(&blocks->ids[0], op);
    else if (mlirAttributeEqual(dimension, blocks->y))
      cuteOpsPush(&blocks->ids[1], op);
  }
  if (cuteDialectIsOp(blocks->dialect, op, CUTE_OP_BLOCK_IDX)) {
    MlirAttribute dim = cuteMlirGetAttribute(op, "dim");
    char letter =
        mlirAttributeIsNull(dim) ? 'x' : *mlirStringAttrGetValue(dim).data;
    if (letter != 'z')
      cuteOpsPush(&blocks->ids[letter - 'x'], op);
  }
  for (size_t i = 0; i < sizeof obstacles / sizeof *obstacles; ++i)
    if (!blocks->reason && cuteMlirIs(op, obstacles[i].name)) {
      blocks->obstacle = op;
      blocks->reason = obstacles[i].reason;
    }
}

//===-- Arithmetic --------------------------------------------------------===//

static MlirValue binary(const CuteBuilder *b, const char *name, MlirValue x,
                        MlirValue y) {
  char full[40];
  snprintf(full, sizeof full, "arith.%s", name);
  return cuteBuildBinary(b, full, x, y);
}

// gpu.block_id or gpu.grid_dim, as i32.
static MlirValue readIndex(const CuteBuilder *b, const char *name,
                           MlirAttribute dimension) {
  MlirType index = mlirIndexTypeGet(b->context);
  MlirValue value = CUTE_BUILD_VALUE(b, name, CUTE_RESULTS(index),
                                     CUTE_ATTRIBUTES({"dimension", dimension}));
  return cuteBuildUnary(b, "arith.index_castui", value, cuteIntType(b, 32));
}

// Emits a test of whether x * y has at most 32 bits.
static MlirValue isSmall(const CuteBuilder *b, MlirValue x, MlirValue y) {
  MlirType types[] = {cuteIntType(b, 32), cuteIntType(b, 32)};
  MlirOperation product =
      CUTE_BUILD(b, "arith.mului_extended", CUTE_OPERANDS(x, y),
                 .numResults = 2, .results = types);
  return cuteBuildCompare(b, "arith.cmpi", CUTE_CMPI_EQ,
                          mlirOperationGetResult(product, 1),
                          cuteBuildInt(b, 32, 0));
}

// The tile of the block, x and y, as i32 and as indices. Where the number of
// blocks has more than 32 bits each keeps its own.
static void buildTile(const CuteBuilder *b, const Blocks *blocks, int64_t group,
                      MlirValue tile[2], MlirValue indices[2]) {
  MlirValue x = readIndex(b, "gpu.block_id", blocks->x);
  MlirValue y = readIndex(b, "gpu.block_id", blocks->y);
  MlirValue columns = readIndex(b, "gpu.grid_dim", blocks->y);
  MlirValue rows = readIndex(b, "gpu.grid_dim", blocks->x);
  MlirValue size = cuteBuildInt(b, 32, group);
  MlirValue number = binary(b, "addi", binary(b, "muli", y, rows), x);
  MlirValue tiles = binary(b, "muli", size, columns);
  MlirValue start = binary(b, "muli", binary(b, "divui", number, tiles), size);
  MlirValue place = binary(b, "remui", number, tiles);
  MlirValue height = binary(b, "minui", binary(b, "subi", rows, start), size);
  height = binary(b, "maxui", height, cuteBuildInt(b, 32, 1));
  MlirValue row = binary(b, "addi", start, binary(b, "remui", place, height));
  MlirValue column = binary(b, "divui", place, height);
  MlirValue small = isSmall(b, rows, columns);
  MlirType index = mlirIndexTypeGet(b->context);
  tile[0] = cuteBuildSelect(b, small, row, x);
  indices[0] = cuteBuildUnary(b, "arith.index_castui", tile[0], index);
  tile[1] = cuteBuildSelect(b, small, column, y);
  indices[1] = cuteBuildUnary(b, "arith.index_castui", tile[1], index);
}

//===-- The pass ----------------------------------------------------------===//

static void rewrite(MlirOperation function, const Blocks *blocks,
                    int64_t group) {
  MlirBlock entry = cuteMlirGetBody(function, 0);
  CuteBuilder b = cuteBuilderAtStart(entry, mlirOperationGetLocation(function));
  MlirValue tile[2], indices[2];
  buildTile(&b, blocks, group, tile, indices);
  for (size_t side = 0; side < 2; ++side)
    for (size_t i = 0; i < blocks->ids[side].count; ++i) {
      MlirOperation op = blocks->ids[side].data[i];
      MlirValue id = mlirOperationGetResult(op, 0);
      bool isIndex = mlirTypeIsAIndex(mlirValueGetType(id));
      mlirValueReplaceAllUsesOfWith(id, isIndex ? indices[side] : tile[side]);
      mlirOperationDestroy(op);
    }
  cuteMlirSetAttribute(function, doneName, cuteIntAttr(&b, 32, group));
  cuteEmitRemark(mlirOperationGetLocation(function),
                 "blocks take tiles in groups of %jd rows", group);
}

static void rasterize(CuteDialect *dialect, MlirOperation function,
                      int64_t group) {
  MlirContext context = mlirOperationGetContext(function);
  CuteBuilder b = {.context = context};
  Blocks blocks = {.dialect = dialect,
                   .x = cuteParsedAttr(&b, "#gpu<dim x>"),
                   .y = cuteParsedAttr(&b, "#gpu<dim y>")};
  CUTE_FOR_NESTED(op, function)
    visit(&blocks, op);
  if (blocks.reason) {
    MlirStringRef name = cuteMlirGetName(blocks.obstacle);
    cuteEmitRemark(mlirOperationGetLocation(blocks.obstacle),
                   "blocks take tiles in the old order: '%.*s' %s",
                   CUTE_TEXT(name), blocks.reason);
  } else if (blocks.ids[0].count && blocks.ids[1].count) {
    rewrite(function, &blocks, group);
  } else {
    cuteEmitRemark(mlirOperationGetLocation(function),
                   "blocks take tiles in the old order: the kernel must use "
                   "block_id x and y");
  }
  free(blocks.ids[0].data);
  free(blocks.ids[1].data);
}

static bool takeGroup(MlirOperation root, const char *text, int64_t *group) {
  char *end;
  *group = strtoll(text, &end, 10);
  if (*text && !*end && *group >= 0 && *group <= MAX_GROUP)
    return true;
  return cuteEmitError(mlirOperationGetLocation(root),
                       "cute-rasterize: group=%.40s must be a number of rows "
                       "from 1 to %d, or 0 for none",
                       text, MAX_GROUP);
}

// Tells whether a kernel's blocks have an order by this pass, or by another.
static bool hasOrder(MlirOperation function) {
  MlirAttribute schedule = cuteMlirGetAttribute(function, "cute.schedule");
  return cuteMlirHasAttribute(function, doneName) ||
         (!mlirAttributeIsNull(schedule) &&
          mlirAttributeIsADictionary(schedule) &&
          !mlirAttributeIsNull(mlirDictionaryAttrGetElementByName(
              schedule, cuteMlirString("rows"))));
}

bool cuteRunRasterize(const CutePass *pass) {
  int64_t group;
  if (!takeGroup(pass->root, cutePassGetOption(pass, "group", "8"), &group))
    return false;
  CUTE_SCOPED(Ops) functions = cuteOpsFind(pass->root, "gpu.func");
  for (size_t i = 0; group && i < functions.count; ++i)
    if (cuteMlirHasAttribute(functions.data[i], "gpu.kernel") &&
        !hasOrder(functions.data[i]))
      rasterize(pass->dialect, functions.data[i], group);
  return true;
}
