#include "Transforms/sm90.h"

#include "Transforms/edit/loop_carry.h"

//===-- Matching ----------------------------------------------------------===//

// The loop in the kernel's own block whose body has the loop that copies tiles
// to shared memory and multiplies them; null where there is none.
static MlirOperation findLoop(CuteKernel *kernel) {
  CUTE_FOR_NESTED(op, kernel->function) {
    if (!cutePipelineIsFetch(kernel->dialect, op))
      continue;
    MlirOperation inner = mlirOperationGetParentOperation(op);
    MlirOperation outer = mlirOperationGetParentOperation(inner);
    if (cuteMlirIs(inner, "scf.for") && cuteMlirIs(outer, "scf.for") &&
        cuteOpListHas(kernel->dialect, inner, CUTE_OP_GEMM) &&
        mlirBlockEqual(mlirOperationGetBlock(outer), kernel->block))
      return outer;
  }
  return (MlirOperation){NULL};
}

// Tells whether a value is this op of x.
static bool isAlongX(CuteDialect *dialect, MlirValue value, CuteOpId id) {
  MlirOperation op = cuteValueGetOpOf(dialect, value, id);
  return !mlirOperationIsNull(op) && !cuteMlirGetDimension(op);
}

// Checks that no tile is loaded from a tensor that the tile before it may have
// written, as loads run ahead from tile to tile.
static bool checkSources(CuteKernel *kernel) {
  CuteDialect *dialect = kernel->dialect;
  CUTE_FOR_NESTED(op, kernel->function) {
    CuteCopyParts parts;
    if (cutePipelineIsFetch(dialect, op) &&
        cuteEffectGetCopy(dialect, op, &parts) &&
        cuteKernelWrites(kernel,
                         cuteViewGetRoot(dialect, parts.source, CUTE_GMEM)))
      cuteKernelFail(kernel, op,
                     "reads a tensor that the loop over tiles writes; write "
                     "to another one");
  }
  return !kernel->problem;
}

// Checks that blocks take tiles in turns, and nothing else happens before or
// after, so that a block for each tile does the same.
static bool check(CuteKernel *kernel, MlirOperation loop) {
  CuteDialect *dialect = kernel->dialect;
  bool isTurn = isAlongX(dialect, getOperand(loop, 0), CUTE_OP_BLOCK_IDX) &&
                isAlongX(dialect, getOperand(loop, 2), CUTE_OP_GRID_DIM);
  if (!isTurn || getNumOperands(loop) != 3)
    return cuteKernelFail(kernel, loop,
                          "is around the loop that copies tiles; one over the "
                          "tiles of a block starts at cute.block_idx, has "
                          "cute.grid_dim for a step and carries nothing");
  CUTE_FOR_OPS_UNTIL(op, mlirBlockGetFirstOperation(kernel->block), loop)
    if (cuteEffectGet(dialect, op) > CUTE_EFFECT_REGISTERS &&
        !cuteDialectIsOp(dialect, op, CUTE_OP_ALLOC_SMEM))
      return cuteKernelFail(kernel, op,
                            "is done once for all tiles of a block; move it "
                            "into the loop over tiles");
  MlirOperation next = mlirOperationGetNextInBlock(loop);
  return mlirOperationEqual(next, mlirBlockGetTerminator(kernel->block)) ||
         cuteKernelFail(kernel, next, "follows the loop over tiles");
}

//===-- Formulas ----------------------------------------------------------===//

// Appends a number of tiles as a formula of cute.grid; false where it is none.
static bool appendFormula(CuteKernel *kernel, CuteString *text,
                          MlirValue value) {
  static const struct {
    const char *op, *before, *between;
  } rows[] = {{"arith.ceildivui", "ceil_div(", ", "},
              {"arith.addi", "(", " + "},
              {"arith.muli", "(", " * "},
              {"arith.divui", "(", " / "}};
  int64_t number;
  if (cuteMlirIsConstant(value, &number)) {
    cuteStringAppendFormat(text, "%jd", number);
    return number >= 0;
  }
  MlirValue tensor = cuteValueGetExtentOf(kernel->dialect, value, &number);
  if (!mlirValueIsNull(tensor) && mlirValueIsABlockArgument(tensor)) {
    cuteStringAppendFormat(text, "arg%jd.shape[%jd]",
                           mlirBlockArgumentGetArgNumber(tensor), number);
    return number >= 0;
  }
  MlirOperation op = cuteMlirGetOwner(value);
  for (size_t i = 0; !mlirOperationIsNull(op) && i < sizeof rows / sizeof *rows;
       ++i)
    if (cuteMlirIs(op, rows[i].op)) {
      cuteStringAppendFormat(text, "%s", rows[i].before);
      bool ok = appendFormula(kernel, text, getOperand(op, 0));
      cuteStringAppendFormat(text, "%s", rows[i].between);
      ok = ok && appendFormula(kernel, text, getOperand(op, 1));
      cuteStringAppendFormat(text, ")");
      return ok;
    }
  return false;
}

static bool setGrid(CuteKernel *kernel, MlirOperation loop) {
  CUTE_SCOPED(String) text = {0};
  bool ok = appendFormula(kernel, &text, getOperand(loop, 1));
  if (ok) {
    MlirContext context = mlirOperationGetContext(loop);
    MlirAttribute element = mlirStringAttrGet(context, cuteMlirText(&text));
    cuteMlirSetAttribute(kernel->function, "cute.grid",
                         mlirArrayAttrGet(context, 1, &element));
  }
  return ok ||
         cuteKernelFail(kernel, loop,
                        "loops over a number of tiles that cute.grid does not "
                        "give as a formula of the parameters' shapes");
}

bool cuteTileLoopTake(CuteKernel *kernel) {
  MlirOperation loop = findLoop(kernel);
  if (mlirOperationIsNull(loop) || !check(kernel, loop) ||
      !checkSources(kernel) || !cuteKernelCheckLaunches(kernel) ||
      !setGrid(kernel, loop))
    return false;
  MlirBlock body = cuteLoopGetBody(loop);
  MlirValue step = getOperand(loop, 2);
  mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(body, 0),
                                getOperand(loop, 0));
  MlirOperation end = mlirBlockGetTerminator(body);
  for (MlirOperation op = mlirBlockGetFirstOperation(body);
       !mlirOperationEqual(op, end); op = mlirBlockGetFirstOperation(body))
    mlirOperationMoveBefore(op, loop);
  mlirOperationDestroy(loop);
  if (!cuteMlirIsUsed(cuteMlirGetOwner(step)))
    mlirOperationDestroy(cuteMlirGetOwner(step));
  return true;
}
