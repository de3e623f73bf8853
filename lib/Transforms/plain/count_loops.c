// cute-count-loops: an scf.while that counts up to a bound becomes an scf.for,
// which other passes know:
//
//   while (%i = a) { condition (%i < b) %i } do { ...; yield %i + c }
//     -> for %i = a to b step c { ... }
#include "IR/effects.h"
#include "IR/op_list.h"
#include "Support/task.h"
#include "Transforms/edit/loop_carry.h"
#include "Transforms/transforms.h"

typedef struct Count {
  CuteDialect *dialect;
  MlirOperation loop;
  MlirBlock before, body;
  MlirValue upper, step;
  intptr_t counter; // the carried value that counts
  bool isUnsigned;
} Count;

static bool isCarried(const Count *c, MlirValue value) {
  return mlirValueIsABlockArgument(value) &&
         mlirBlockEqual(mlirBlockArgumentGetOwner(value), c->before);
}

// Tells whether what decides on the next round is only computed, without what
// the loop carries, and passes that on as it is.
static bool decidesAhead(Count *c, MlirOperation condition,
                         MlirOperation test) {
  intptr_t n = mlirBlockGetNumArguments(c->before);
  bool ok = getNumOperands(condition) == n + 1 &&
            mlirBlockGetNumArguments(c->body) == n;
  for (intptr_t i = 0; ok && i < n; ++i)
    ok = mlirValueEqual(getOperand(condition, i + 1),
                        mlirBlockGetArgument(c->before, i));
  CUTE_FOR_OPS(op, c->before) {
    bool isKnown =
        mlirOperationEqual(op, test) || mlirOperationEqual(op, condition);
    ok &= isKnown || cuteEffectGet(c->dialect, op) == CUTE_EFFECT_NONE;
    for (intptr_t i = 0; !isKnown && i < getNumOperands(op); ++i)
      ok &= !mlirOperationEqual(cuteMlirGetOwner(getOperand(op, i)), test) &&
            !isCarried(c, getOperand(op, i));
  }
  return ok;
}

// Takes the sides of counter < bound, also as bound > counter.
static bool takeTest(Count *c, MlirOperation test) {
  int64_t predicate = cuteMlirGetInteger(test, "predicate");
  bool isMore = predicate == CUTE_CMPI_SGT || predicate == CUTE_CMPI_UGT;
  if (!isMore && predicate != CUTE_CMPI_SLT && predicate != CUTE_CMPI_ULT)
    return false;
  MlirValue counter = getOperand(test, isMore);
  c->upper = getOperand(test, !isMore);
  c->isUnsigned = predicate == CUTE_CMPI_ULT || predicate == CUTE_CMPI_UGT;
  if (!isCarried(c, counter) || isCarried(c, c->upper))
    return false;
  c->counter = mlirBlockArgumentGetArgNumber(counter);
  return true;
}

// Tells whether a value is a constant above 0, or the grid's size.
static bool isStep(CuteDialect *dialect, MlirValue step) {
  int64_t number;
  MlirOperation op = cuteMlirGetOwner(step);
  return cuteMlirIsConstant(step, &number)
             ? number > 0
             : cuteDialectIsOp(dialect, op, CUTE_OP_GRID_DIM);
}

static bool match(Count *c) {
  c->before = cuteMlirGetBody(c->loop, 0);
  c->body = cuteMlirGetBody(c->loop, 1);
  MlirOperation condition = mlirBlockGetTerminator(c->before);
  MlirOperation test = cuteMlirGetOwner(getOperand(condition, 0));
  if (mlirOperationIsNull(test) || !cuteMlirIs(test, "arith.cmpi") ||
      !mlirBlockEqual(mlirOperationGetBlock(test), c->before) ||
      !decidesAhead(c, condition, test) || !takeTest(c, test))
    return false;
  MlirOperation next =
      cuteMlirGetOwner(getOperand(mlirBlockGetTerminator(c->body), c->counter));
  if (mlirOperationIsNull(next) || !cuteMlirIs(next, "arith.addi") ||
      !mlirValueEqual(getOperand(next, 0),
                      mlirBlockGetArgument(c->body, c->counter)))
    return false;
  c->step = getOperand(next, 1);
  return isStep(c->dialect, c->step);
}

// The counter after the last round.
static MlirValue emitLast(const Count *c, const CuteBuilder *b,
                          MlirValue lower) {
  MlirValue end = cuteBuildBinary(
      b, c->isUnsigned ? "arith.maxui" : "arith.maxsi", lower, c->upper);
  MlirValue rounds =
      cuteBuildBinary(b, "arith.ceildivui",
                      cuteBuildBinary(b, "arith.subi", end, lower), c->step);
  return cuteBuildBinary(b, "arith.addi", lower,
                         cuteBuildBinary(b, "arith.muli", rounds, c->step));
}

// The bounds and step, then what the loop carries beside the counter.
static MlirOperation createLoop(Count *c, CuteBuilder *b) {
  intptr_t n = getNumOperands(c->loop);
  MlirOperation step = mlirOpResultGetOwner(c->step);
  if (cuteMlirIsInside(step, c->loop))
    mlirOperationMoveBefore(step, c->loop);
  MlirValue *operands = cuteTaskAllocate((size_t)(n + 3) * sizeof *operands);
  size_t count = 0;
  operands[count++] = getOperand(c->loop, c->counter);
  operands[count++] = c->upper;
  operands[count++] = c->step;
  for (intptr_t i = 0; i < n; ++i)
    if (i != c->counter)
      operands[count++] = getOperand(c->loop, i);
  return cuteLoopCreate(b, count, operands,
                        c->isUnsigned ? mlirUnitAttrGet(b->context)
                                      : (MlirAttribute){NULL});
}

static void replace(Count *c) {
  CuteBuilder b = cuteBuilderBefore(c->loop);
  MlirOperation condition = mlirBlockGetTerminator(c->before);
  MlirOperation test = cuteMlirGetOwner(getOperand(condition, 0));
  CUTE_FOR_OPS_BEFORE(op, condition)
    if (!mlirOperationEqual(op, test))
      mlirOperationMoveBefore(op, c->loop);
  MlirOperation loop = createLoop(c, &b);
  MlirBlock body = cuteLoopGetBody(loop);
  MlirOperation yield = mlirBlockGetTerminator(c->body);
  intptr_t n = getNumOperands(yield);
  MlirValue *next = cuteTaskAllocate((size_t)n * sizeof *next);
  size_t count = 0;
  for (intptr_t i = 0; i < n; ++i) {
    intptr_t at = i == c->counter ? 0 : i < c->counter ? i + 1 : i;
    mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(c->body, i),
                                  mlirBlockGetArgument(body, at));
    MlirValue result = getResult(c->loop, i);
    if (at)
      next[count++] = getOperand(yield, i);
    if (!mlirOpOperandIsNull(mlirValueGetFirstUse(result)))
      mlirValueReplaceAllUsesOfWith(result,
                                    at ? getResult(loop, at - 1)
                                       : emitLast(c, &b, getOperand(loop, 0)));
  }
  CuteBuilder end = {b.context, mlirOperationGetLocation(yield), body, {NULL}};
  MlirOperation last =
      CUTE_BUILD(&end, "scf.yield", .numOperands = count, .operands = next);
  CUTE_FOR_OPS_BEFORE(op, yield)
    mlirOperationMoveBefore(op, last);
  mlirOperationDestroy(c->loop);
}

bool cuteRunCountLoops(const CutePass *pass) {
  CUTE_FOR_FOUND(op, cuteOpsFind(pass->root, "scf.while")) {
    Count count = {.dialect = pass->dialect, .loop = op};
    if (match(&count))
      replace(&count);
    else if (cuteOpListHas(pass->dialect, op, CUTE_OP_GEMM))
      CUTE_REMARK_AT(op, "a loop with products is not followed: scf.while must "
                         "compare, by <, a number with a bound that is known "
                         "before, and each round must add a constant to it");
  }
  return true;
}
