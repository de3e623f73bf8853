// cute-rasterize: the order in which blocks take tiles. Blocks that start one
// after another go through `group` rows of tiles (of x) column by column (of
// y), so that blocks that run together share operands in the L2 cache.
#include "Transforms/edit/block_index.h"

enum { MAX_GROUP = 64 };
static const char doneName[] = "cute.group";

// Gathers what a kernel does with indices of the block.
typedef struct Blocks {
  CuteDialect *dialect;
  unsigned used; // a bit for each dimension
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
  int dimension = cuteBlockIndexGetDimension(blocks->dialect, op);
  if (dimension >= 0)
    blocks->used |= 1u << dimension;
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

// Emits a test of whether x * y has at most 32 bits.
static MlirValue isSmall(const CuteBuilder *b, MlirValue x, MlirValue y) {
  MlirType types[] = {cuteIntType(b, 32), cuteIntType(b, 32)};
  MlirOperation product =
      CUTE_BUILD(b, "arith.mului_extended", CUTE_OPERANDS(x, y),
                 .numResults = 2, .results = types);
  return cuteBuildTest(b, CUTE_CMPI_EQ, getResult(product, 1), 0);
}

// The tile of the block, x and y. Where the number of blocks has more than 32
// bits each keeps its own.
static void buildTile(const CuteBuilder *b, int64_t group, MlirValue tile[2]) {
  MlirValue x = cuteBlockIndexEmit(b, "gpu.block_id", 0);
  MlirValue y = cuteBlockIndexEmit(b, "gpu.block_id", 1);
  MlirValue columns = cuteBlockIndexEmit(b, "gpu.grid_dim", 1);
  MlirValue rows = cuteBlockIndexEmit(b, "gpu.grid_dim", 0);
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
  tile[0] = cuteBuildSelect(b, small, row, x);
  tile[1] = cuteBuildSelect(b, small, column, y);
}

//===-- The pass ----------------------------------------------------------===//

static void rewrite(CuteDialect *dialect, MlirOperation function,
                    int64_t group) {
  MlirBlock entry = cuteMlirGetBody(function, 0);
  CuteBuilder b = cuteBuilderAtStart(entry, mlirOperationGetLocation(function));
  MlirValue standIns[CUTE_MAX_GRID] = {cuteBuildInt(&b, 32, 0),
                                       cuteBuildInt(&b, 32, 0)};
  MlirValue tile[2];
  cuteBlockIndexReplace(dialect, function, standIns);
  b = cuteBuilderBefore(cuteMlirGetOwner(standIns[0]));
  buildTile(&b, group, tile);
  for (size_t i = 0; i < 2; ++i) {
    mlirValueReplaceAllUsesOfWith(standIns[i], tile[i]);
    mlirOperationDestroy(cuteMlirGetOwner(standIns[i]));
  }
  cuteMlirSetAttribute(function, doneName, cuteIntAttr(&b, 32, group));
  CUTE_REMARK_AT(function, "blocks take tiles in groups of %jd rows", group);
}

static void rasterize(CuteDialect *dialect, MlirOperation function,
                      int64_t group) {
  enum { BOTH = 3 };
  Blocks blocks = {.dialect = dialect};
  CUTE_FOR_NESTED(op, function)
    visit(&blocks, op);
  if (blocks.reason) {
    MlirStringRef name = cuteMlirGetName(blocks.obstacle);
    CUTE_REMARK_AT(blocks.obstacle,
                   "blocks take tiles in the old order: '%.*s' %s",
                   CUTE_TEXT(name), blocks.reason);
  } else if ((blocks.used & BOTH) == BOTH) {
    rewrite(dialect, function, group);
  } else {
    CUTE_REMARK_AT(function,
                   "blocks take tiles in the old order: the kernel must use "
                   "block_id x and y");
  }
}

static bool takeGroup(MlirOperation root, const char *text, int64_t *group) {
  char *end;
  *group = strtoll(text, &end, 10);
  if (*text && !*end && *group >= 0 && *group <= MAX_GROUP)
    return true;
  return CUTE_ERROR_AT(root,
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
  CUTE_FOR_FOUND(function, cuteOpsFind(pass->root, "gpu.func"))
    if (group && cuteMlirHasAttribute(function, "gpu.kernel") &&
        !hasOrder(function))
      rasterize(pass->dialect, function, group);
  return true;
}
