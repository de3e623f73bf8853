// A kernel's products may stand below a branch, as of a block that has a tile
// or not. All threads of a block come to the same side of it, so what the
// branch holds becomes part of the kernel's own block, where passes look:
//
//   if c: a; for k in 0..n: multiply; store
//     -> a; for k in 0..(c ? n : 0): multiply; store
//
// and what follows the products goes below the branch again once there are
// roles. Until then the select, which has an attribute, keeps the condition.
#include "IR/loops.h"
#include "Transforms/plain/plain_views.h"
#include "Transforms/roles/roles.h"

const char cutePlainCondition[] = "cute.condition";

typedef struct Branch {
  CuteKernel *kernel;
  MlirOperation op, main; // the scf.if, and the loop in it that multiplies
  MlirBlock body;
  MlirValue condition;
} Branch;

//===-- Matching ----------------------------------------------------------===//

// Tells whether a loop copies tiles to shared memory and multiplies them.
static bool isMain(CuteDialect *dialect, MlirOperation loop) {
  bool writes = false;
  CUTE_FOR_NESTED(op, loop)
    writes |= !mlirValueIsNull(cuteViewGetWritten(dialect, op, CUTE_SMEM));
  return writes && cuteMlirIs(loop, "scf.for");
}

// Finds the innermost branch around such a loop, in the kernel's block or in a
// loop over tiles there.
static bool find(Branch *b) {
  CuteDialect *dialect = b->kernel->dialect;
  CUTE_FOR_FOUND(gemm, cuteKernelFindOps(b->kernel, CUTE_OP_GEMM))
    for (MlirOperation op = gemm, parent; !cuteMlirIs(op, "gpu.func");
         op = parent) {
      parent = mlirOperationGetParentOperation(op);
      if (!cuteMlirIs(parent, "scf.if") || !isMain(dialect, op))
        continue;
      b->op = parent;
      b->main = op;
      b->body = mlirOperationGetBlock(op);
      return true;
    }
  return false;
}

// Tells whether a condition is the same for all threads of the block.
static bool isUniform(CuteKernel *kernel, MlirValue value) {
  MlirOperation op = cuteMlirGetOwner(value);
  CutePointerMap seen = cuteTaskMap();
  if (cuteValueIsUniform(kernel->dialect, value, &seen))
    return true;
  if (mlirOperationIsNull(op) || mlirOperationGetNumRegions(op) ||
      !cuteKernelOnlyComputes(kernel, op) || !getNumOperands(op))
    return false;
  CUTE_FOR_OPERANDS(operand, op)
    if (!isUniform(kernel, operand))
      return false;
  return true;
}

static bool check(Branch *b) {
  CuteKernel *kernel = b->kernel;
  MlirOperation next = mlirOperationGetNextInBlock(b->op);
  if (!mlirOperationEqual(next,
                          mlirBlockGetTerminator(mlirOperationGetBlock(next))))
    return cuteKernelFail(kernel, next,
                          "follows the branch with the products; do it before, "
                          "or on both sides");
  if (getNumResults(b->op))
    return cuteKernelFail(kernel, b->op,
                          "has the products below it, and results; store what "
                          "they are for in the branch");
  return isUniform(kernel, getOperand(b->op, 0)) ||
         cuteKernelFail(kernel, b->op,
                        "has the products below it, and a condition that "
                        "threads of a block may see differently; let it depend "
                        "on the block, on extents and on elements of "
                        "parameters that nothing writes");
}

//===-- Before the products -----------------------------------------------===//

// Tells whether an op, or one below it, accesses global memory other than by
// copies of tiles, or may also fail.
static bool isAccess(CuteDialect *dialect, MlirOperation outer, bool orFails) {
  CUTE_FOR_NESTED(op, outer)
    if (!cutePipelineIsFetch(dialect, op) &&
        (cuteViewIsAccessed(dialect, op, CUTE_GMEM, (MlirValue){NULL}) ||
         (orFails && cuteEffectGet(dialect, op) == CUTE_EFFECT_UNKNOWN &&
          !cuteDialectIsOp(dialect, op, CUTE_OP_ALLOC_SMEM) &&
          !CUTE_IS_ANY(op, "scf.for", "scf.if", "scf.yield"))))
      return true;
  return false;
}

// Has an op be done only where the condition holds; its results, which must be
// numbers, are zeros elsewhere.
static bool guard(CuteKernel *kernel, MlirOperation op, MlirValue condition) {
  CuteBuilder at = cuteBuilderBefore(op);
  size_t n = (size_t)getNumResults(op);
  MlirType *types = cuteTaskAllocate((n + 1) * sizeof *types);
  MlirValue *values = cuteTaskAllocate(2 * (n + 1) * sizeof *values);
  for (size_t i = 0; i < n; ++i) {
    types[i] = cuteMlirGetResultType(op, (intptr_t)i);
    values[n + i] = getResult(op, (intptr_t)i);
    if (mlirTypeIsAFloat(types[i]))
      values[i] = cuteBuildAttribute(
          &at, mlirFloatAttrDoubleGet(at.context, types[i], 0));
    else if (mlirTypeIsAInteger(types[i]) || mlirTypeIsAIndex(types[i]))
      values[i] = cuteBuildNumber(&at, types[i], 0);
    else
      return cuteKernelFail(kernel, op,
                            "is below the branch that has the products, and "
                            "gives no number; move it before the branch");
  }
  MlirOperation branch =
      CUTE_BUILD(&at, "scf.if", CUTE_OPERANDS(condition), .numResults = n,
                 .results = types, .numRegions = 2);
  for (size_t i = 0; i < n; ++i)
    cuteMlirReplace(op, (intptr_t)i, getResult(branch, (intptr_t)i));
  for (intptr_t i = 0; i < 2; ++i) {
    at = cuteBuilderAtStart(cuteMlirGetBody(branch, i), at.location);
    MlirOperation yield = CUTE_BUILD(&at, "scf.yield", .numOperands = n,
                                     .operands = values + (i ? 0 : n));
    if (!i)
      mlirOperationMoveBefore(op, yield);
  }
  return true;
}

//===-- The branch --------------------------------------------------------===//

// Has a loop make no round where the condition does not hold.
static void limit(Branch *b, MlirOperation loop) {
  CuteBuilder at = cuteBuilderBefore(loop);
  MlirValue upper = cuteBuildSelect(&at, b->condition, getOperand(loop, 1),
                                    getOperand(loop, 0));
  cuteMlirSetAttribute(mlirOpResultGetOwner(upper), cutePlainCondition,
                       mlirUnitAttrGet(at.context));
  mlirOperationSetOperand(loop, 1, upper);
}

// Moves the other side after the branch, below the opposite of the condition.
static void moveOther(Branch *b, MlirBlock other, CuteBuilder *at) {
  MlirOperation first = mlirBlockGetFirstOperation(other),
                end = mlirBlockGetTerminator(other);
  if (mlirOperationEqual(first, end))
    return;
  CuteBuilder inside =
      cuteBuildIf(at, cuteBuildTest(at, CUTE_CMPI_EQ, b->condition, 0));
  cuteMlirSetAttribute(mlirBlockGetParentOperation(inside.block),
                       cutePlainCondition, mlirUnitAttrGet(at->context));
  cuteKernelMoveOps(first, end, inside.block);
}

static bool take(Branch *b) {
  bool isThen = mlirBlockEqual(cuteMlirGetBody(b->op, 0), b->body);
  MlirBlock other = cuteMlirGetBody(b->op, isThen);
  CuteBuilder at = cuteBuilderBefore(b->op);
  b->condition = getOperand(b->op, 0);
  if (!isThen)
    b->condition = cuteBuildTest(&at, CUTE_CMPI_EQ, b->condition, 0);
  MlirOperation end = mlirBlockGetTerminator(b->body);
  bool isBefore = true;
  CUTE_FOR_OPS_BEFORE(op, end) {
    isBefore &= !mlirOperationEqual(op, b->main);
    mlirOperationMoveBefore(op, b->op);
    if (cuteMlirIs(op, "scf.for") &&
        cuteOpListHas(b->kernel->dialect, op, CUTE_OP_GEMM))
      limit(b, op);
    else if (isBefore && isAccess(b->kernel->dialect, op, true) &&
             !guard(b->kernel, op, b->condition))
      return false;
  }
  if (!mlirBlockIsNull(other))
    moveOther(b, other, &at);
  mlirOperationDestroy(b->op);
  return true;
}

//===-- Constants ---------------------------------------------------------===//

// Tells whether an op makes one value of the dialect of constants alone.
static bool isConstant(CuteDialect *dialect, MlirOperation op,
                       const CuteOps *constants) {
  const CuteOpDecl *decl = cuteDialectGetDecl(dialect, op);
  if (!decl || !decl->traits.isPure || getNumResults(op) != 1 ||
      !cuteDialectGetResultType(dialect, op, 0) ||
      (!getNumOperands(op) && decl->id != CUTE_OP_STATIC))
    return false;
  CUTE_FOR_OPERANDS(operand, op)
    if (!mlirValueIsAOpResult(operand) ||
        !cuteOpsContain(constants, mlirOpResultGetOwner(operand)))
      return false;
  return true;
}

// Has tiled MMAs, copies and what else follows from constants be made in the
// kernel's own block, and once: programs make them anew in loops and branches.
static void moveConstants(CuteKernel *kernel) {
  CuteDialect *dialect = kernel->dialect;
  CuteOps constants = {0}, copies = {0};
  CUTE_FOR_NESTED(op, kernel->function) {
    if (!isConstant(dialect, op, &constants))
      continue;
    MlirOperation same = op;
    CUTE_FOR_LIST(one, constants)
      if (cuteValueIsSame(dialect, getResult(one, 0), getResult(op, 0)))
        same = one;
    bool isFirst = mlirOperationEqual(same, op);
    cuteOpsPush(isFirst ? &constants : &copies, op);
    if (!isFirst)
      cuteMlirReplace(op, 0, getResult(same, 0));
  }
  CUTE_FOR_LIST(op, constants)
    if (!mlirBlockEqual(mlirOperationGetBlock(op), kernel->block))
      mlirOperationMoveBefore(op, cuteMlirGetAncestor(kernel->block, op));
  CUTE_FOR_LIST(op, copies)
    mlirOperationDestroy(op);
}

bool cutePlainBranchTake(CuteKernel *kernel, CUTE_UNUSED void *data) {
  Branch b = {.kernel = kernel};
  for (; find(&b); moveConstants(kernel))
    if (!check(&b) || !take(&b))
      return false;
  return true;
}

bool cutePlainBranchIs(CuteKernel *kernel) {
  CUTE_FOR_NESTED(op, kernel->function)
    if (cuteMlirHasAttribute(op, cutePlainCondition))
      return true;
  return false;
}

//===-- The rest ----------------------------------------------------------===//

// The conditions under which consumers have a tile, all of them, and the block
// they are in; null if there are none.
static MlirValue findCondition(const CuteRoles *roles, MlirBlock *block) {
  MlirValue all = {NULL};
  CUTE_FOR_OPS(outer, roles->consumer)
    CUTE_FOR_NESTED(op, outer) {
      if (!cuteMlirIs(op, "arith.select") ||
          !cuteMlirHasAttribute(op, cutePlainCondition))
        continue;
      MlirValue one = getOperand(op, 0);
      CuteBuilder b = cuteBuilderBefore(op);
      *block = b.block;
      all = mlirValueIsNull(all) ? one
                                 : cuteBuildBinary(&b, "arith.andi", all, one);
    }
  return all;
}

MlirValue cutePlainBranchBound(MlirValue upper) {
  MlirOperation op = cuteMlirGetOwner(upper);
  bool isLimited =
      !mlirOperationIsNull(op) && cuteMlirHasAttribute(op, cutePlainCondition);
  return isLimited ? getOperand(op, 1) : upper;
}

bool cutePlainBranchGuard(CuteKernel *kernel) {
  CuteRoles roles;
  MlirBlock block;
  MlirValue condition = {NULL};
  if (cuteRolesFind(kernel, &roles))
    condition = findCondition(&roles, &block);
  if (mlirValueIsNull(condition))
    return true;
  MlirOperation last = cuteRolesFindLastRelease(kernel->dialect, block);
  CUTE_FOR_OPS_UNTIL(op, mlirOpResultGetOwner(condition), last)
    if (isAccess(kernel->dialect, op, false) && !guard(kernel, op, condition))
      return false;
  cuteRolesGuardRest(kernel, block, condition);
  return true;
}
