#include "Transforms/edit/block_index.h"
#include "Transforms/plain/plain_views.h"

int cuteBlockIndexGetDimension(CuteDialect *dialect, MlirOperation op) {
  bool is = cuteMlirIs(op, "gpu.block_id") ||
            cuteDialectIsOp(dialect, op, CUTE_OP_BLOCK_IDX);
  return is ? cuteMlirGetDimension(op) : -1;
}

// Gives what an arith.select takes on a constant condition, or where the kernel
// does anything; null for others.
static MlirValue selectedBy(MlirOperation op) {
  int64_t isTrue = 1;
  if (!cuteMlirIs(op, "arith.select") ||
      (!cuteMlirHasAttribute(op, cutePlainCondition) &&
       !cuteMlirIsConstant(getOperand(op, 0), &isTrue)))
    return (MlirValue){NULL};
  return getOperand(op, isTrue ? 1 : 2);
}

// Tells whether an op takes a part of a tensor, at a place that its last
// operand gives: the part's layout is the same at each place.
static bool isPart(CuteOpId id) {
  return id == CUTE_OP_SLICE || id == CUTE_OP_LOCAL_TILE ||
         id == CUTE_OP_LOCAL_PARTITION || id == CUTE_OP_PARTITION_S ||
         id == CUTE_OP_PARTITION_D || id == CUTE_OP_PARTITION_A ||
         id == CUTE_OP_PARTITION_B || id == CUTE_OP_PARTITION_C;
}

static bool isMeasure(CuteOpId id) {
  return id == CUTE_OP_GET_LAYOUT || id == CUTE_OP_GET_SHAPE ||
         id == CUTE_OP_SIZE;
}

typedef struct Search {
  CuteDialect *dialect;
  CuteBlockPlace place; // of the index
  int dimension;        // or CUTE_ANY_DIMENSION
  CutePointerMap seen;  // ops that do not depend on it
} Search;

static bool isIndex(const Search *search, MlirOperation op) {
  CuteDialect *dialect = search->dialect;
  bool inGrid = search->place == CUTE_IN_GRID;
  if (!inGrid && (cuteDialectIsOp(dialect, op, CUTE_OP_BLOCK_RANK_IN_CLUSTER) ||
                  mlirOperationGetNumRegions(op)))
    return true;
  int dimension = inGrid ? cuteBlockIndexGetDimension(dialect, op)
                  : cuteMlirIs(op, "gpu.cluster_block_id")
                      ? cuteMlirGetDimension(op)
                      : -1;
  return dimension >= 0 && (search->dimension == CUTE_ANY_DIMENSION ||
                            search->dimension == dimension);
}

static bool depends(Search *search, MlirValue value);

// Tells whether the layout of a value depends on the index of the block.
static bool layoutDepends(Search *search, MlirValue value) {
  MlirOperation op = cuteMlirGetOwner(value);
  if (mlirOperationIsNull(op) ||
      !isPart(cuteDialectGetOpId(search->dialect, op)))
    return depends(search, value);
  for (intptr_t i = 0; i + 1 < getNumOperands(op); ++i)
    if (layoutDepends(search, getOperand(op, i)))
      return true;
  return false;
}

// Tells whether a number depends on the index of the block, also by what the
// regions of its op take from outside.
static bool depends(Search *search, MlirValue value) {
  MlirOperation op = cuteMlirGetOwner(value);
  if (mlirOperationIsNull(op) || cutePointerMapGet(&search->seen, op.ptr))
    return false;
  if (isMeasure(cuteDialectGetOpId(search->dialect, op)))
    return layoutDepends(search, getOperand(op, 0));
  MlirValue selected = selectedBy(op);
  if (!mlirValueIsNull(selected))
    return depends(search, selected);
  if (isIndex(search, op))
    return true;
  CUTE_FOR_NESTED(inner, op)
    CUTE_FOR_OPERANDS(operand, inner)
      if (depends(search, operand))
        return true;
  cutePointerMapSet(&search->seen, op.ptr, op.ptr);
  return false;
}

bool cuteBlockIndexCheckRounds(CuteKernel *kernel, MlirBlock consumer) {
  Search search = {.dialect = kernel->dialect,
                   .dimension = CUTE_ANY_DIMENSION,
                   .seen = cuteTaskMap()};
  CUTE_FOR_OPS(op, consumer)
    for (intptr_t i = 0; cuteMlirIs(op, "scf.for") && i < 3; ++i)
      if (depends(&search, getOperand(op, i)))
        cuteKernelFail(kernel, op,
                       "runs more rounds for some tiles than for others; the "
                       "hardware balances those better than a loop over tiles");
  return !kernel->problem;
}

bool cuteBlockIndexIsOf(CuteDialect *dialect, MlirValue value,
                        CuteBlockPlace place, int dimension) {
  Search search = {.dialect = dialect,
                   .place = place,
                   .dimension = dimension,
                   .seen = cuteTaskMap()};
  return depends(&search, value);
}

bool cuteBlockIndexIsInLoops(CuteDialect *dialect, MlirBlock block,
                             int dimension) {
  Search search = {
      .dialect = dialect, .dimension = dimension, .seen = cuteTaskMap()};
  bool found = false;
  CUTE_FOR_OPS(loop, block)
    CUTE_FOR_NESTED(op, loop)
      for (intptr_t i = 0;
           cuteMlirIs(loop, "scf.for") && !found && i < getNumOperands(op); ++i)
        found = depends(&search, getOperand(op, i));
  return found;
}

bool cuteBlockIndexCheckUses(CuteKernel *kernel) {
  CUTE_FOR_NESTED(op, kernel->function) {
    if (CUTE_IS_ANY(op, "gpu.grid_dim", "gpu.global_id", "gpu.cluster_id",
                    "func.call"))
      cuteKernelFail(kernel, op,
                     "may read the index of the block or the size of the grid");
    if (cuteDialectIsOp(kernel->dialect, op, CUTE_OP_GRID_DIM))
      cuteKernelFail(kernel, op, "reads the size of the grid");
  }
  return !kernel->problem;
}

MlirValue cuteBlockIndexEmit(const CuteBuilder *b, const char *name, int side) {
  MlirAttribute dimension =
      cuteParsedAttr(b, side ? "#gpu<dim y>" : "#gpu<dim x>");
  MlirValue index =
      CUTE_BUILD_VALUE(b, name, CUTE_RESULTS(mlirIndexTypeGet(b->context)),
                       CUTE_ATTRIBUTES({"dimension", dimension}));
  return cuteBuildUnary(b, "arith.index_castui", index, cuteIntType(b, 32));
}

void cuteBlockIndexReplace(CuteDialect *dialect, MlirOperation root,
                           const MlirValue values[CUTE_MAX_GRID]) {
  CuteOps indices = {0};
  CUTE_FOR_NESTED(op, root)
    if (cuteBlockIndexGetDimension(dialect, op) >= 0)
      cuteOpsPush(&indices, op);
  CUTE_FOR_LIST(op, indices) {
    MlirValue old = getResult(op, 0);
    MlirValue value = values[cuteBlockIndexGetDimension(dialect, op)];
    if (mlirValueIsNull(value))
      continue;
    CuteBuilder b = cuteBuilderBefore(op);
    if (mlirTypeIsAIndex(mlirValueGetType(old)))
      value = cuteBuildUnary(&b, "arith.index_castui", value,
                             mlirValueGetType(old));
    mlirValueReplaceAllUsesOfWith(old, value);
    mlirOperationDestroy(op);
  }
}
