// Leaf arithmetic that emits one `arith` operation for each step: section
// 5.5 of the open dialect. Results do not wrap around, and a choice is an
// scf.if.
#include "Lowering/lowering.h"

static MlirValue constantOf(CuteLowering *l, unsigned width, int64_t value) {
  return cuteBuildInt(&l->builder, width, value);
}

static MlirValue binary(CuteLowering *l, const char *name, MlirValue a,
                        MlirValue b, bool cannotWrap) {
  MlirType type = mlirValueGetType(a);
  return CUTE_BUILD_VALUE(
      &l->builder, name, CUTE_OPERANDS(a, b), CUTE_RESULTS(type),
      CUTE_ATTRIBUTES({"overflowFlags",
                       cannotWrap
                           ? cuteParsedAttr(&l->builder, "#arith.overflow<nsw>")
                           : (MlirAttribute){NULL}}));
}

static MlirValue compareToZero(CuteLowering *l, int64_t predicate, MlirValue a,
                               unsigned width) {
  return cuteBuildCompare(&l->builder, predicate, a, constantOf(l, width, 0));
}

//===-- Choices -----------------------------------------------------------===//

// An scf.if that is being written: what comes next goes into one branch, then
// into the other.
typedef struct Choice {
  MlirOperation op;
  CuteBuilder outside;
} Choice;

static void enter(CuteLowering *l, const Choice *choice, intptr_t branch) {
  l->builder.block = cuteMlirGetBody(choice->op, branch);
  l->builder.before = (MlirOperation){NULL};
}

static Choice beginChoice(CuteLowering *l, MlirValue condition,
                          unsigned width) {
  MlirType type = cuteIntType(&l->builder, width);
  Choice choice = {.outside = l->builder};
  choice.op = CUTE_BUILD(&l->builder, "scf.if", CUTE_OPERANDS(condition),
                         CUTE_RESULTS(type), .numRegions = 2);
  enter(l, &choice, 0);
  return choice;
}

static void yield(CuteLowering *l, MlirValue value) {
  CUTE_BUILD(&l->builder, "scf.yield", CUTE_OPERANDS(value));
}

static void beginElse(CuteLowering *l, const Choice *choice, MlirValue then) {
  yield(l, then);
  enter(l, choice, 1);
}

static MlirValue endChoice(CuteLowering *l, const Choice *choice,
                           MlirValue otherwise) {
  yield(l, otherwise);
  l->builder = choice->outside;
  return getResult(choice->op, 0);
}

static MlirValue signumOf(CuteLowering *l, MlirValue a, unsigned width) {
  Choice above =
      beginChoice(l, compareToZero(l, CUTE_CMPI_SGT, a, width), width);
  beginElse(l, &above, constantOf(l, width, 1));
  Choice zero = beginChoice(l, compareToZero(l, CUTE_CMPI_EQ, a, width), width);
  beginElse(l, &zero, constantOf(l, width, 0));
  MlirValue low = endChoice(l, &zero, constantOf(l, width, -1));
  return endChoice(l, &above, low);
}

// signum(a) * signum(b), where a static factor 1 is left out.
static MlirValue signumOfProduct(CuteLowering *l, CuteIntTuple a,
                                 CuteIntTuple b, unsigned width) {
  if (isStatic(a) && isDynamic(b))
    return signumOfProduct(l, b, a, width);
  MlirValue sign = signumOf(l, cuteLoweringGetInteger(l, a, width), width);
  if (isStatic(b) && b->value > 0)
    return sign;
  if (isStatic(b))
    return binary(l, "arith.muli", sign, constantOf(l, width, -1), true);
  MlirValue other = signumOf(l, cuteLoweringGetInteger(l, b, width), width);
  return binary(l, "arith.muli", sign, other, true);
}

static MlirValue shapeDiv(CuteLowering *l, CuteIntTuple a, CuteIntTuple b,
                          unsigned width) {
  MlirValue dividend = cuteLoweringGetInteger(l, a, width);
  MlirValue divisor = cuteLoweringGetInteger(l, b, width);
  MlirValue quotient = binary(l, "arith.divsi", dividend, divisor, false);
  Choice choice =
      beginChoice(l, compareToZero(l, CUTE_CMPI_NE, quotient, width), width);
  beginElse(l, &choice, quotient);
  return endChoice(l, &choice, signumOfProduct(l, a, b, width));
}

static MlirValue selectLess(CuteLowering *l, const CuteIntTuple *operands,
                            unsigned width) {
  Choice choice = beginChoice(
      l, cuteLoweringCompareLess(l, operands[0], operands[1]), width);
  beginElse(l, &choice, cuteLoweringGetInteger(l, operands[2], width));
  return endChoice(l, &choice, cuteLoweringGetInteger(l, operands[3], width));
}

//===-- All operations ----------------------------------------------------===//

const CuteEmittedOp cuteEmittedOps[] = {
    [CUTE_LEAF_ADD] = {.name = "arith.addi", .cannotWrap = true},
    [CUTE_LEAF_SUB] = {.name = "arith.subi", .cannotWrap = true},
    [CUTE_LEAF_MUL] = {.name = "arith.muli",
                       .cannotWrap = true,
                       .dynamicFirst = true},
    [CUTE_LEAF_DIV] = {.name = "arith.divsi"},
    [CUTE_LEAF_MOD] = {.name = "arith.remsi"},
    [CUTE_LEAF_CEIL_DIV] = {.name = "arith.ceildivsi"},
    [CUTE_LEAF_MIN] = {.name = "arith.minsi", .dynamicFirst = true},
    [CUTE_LEAF_MAX] = {.name = "arith.maxsi", .dynamicFirst = true},
    [CUTE_LEAF_AND] = {.name = "arith.andi"},
    [CUTE_LEAF_XOR] = {.name = "arith.xori"},
    [CUTE_LEAF_SHL] = {.name = "arith.shli"},
    [CUTE_LEAF_SHR] = {.name = "arith.shrui"},
};

static MlirValue emitBinary(CuteLowering *l, CuteLeafOp op,
                            const CuteIntTuple *operands, unsigned width) {
  const CuteEmittedOp *row = &cuteEmittedOps[op];
  bool isSwapped = row->dynamicFirst && isStatic(operands[0]);
  MlirValue a = cuteLoweringGetInteger(l, operands[isSwapped ? 1 : 0], width);
  MlirValue b = cuteLoweringGetInteger(l, operands[isSwapped ? 0 : 1], width);
  return binary(l, row->name, a, b, row->cannotWrap);
}

static MlirValue emitPlain(CuteLowering *l, CuteLeafOp op,
                           const CuteIntTuple *operands, unsigned width) {
  switch (op) {
  case CUTE_LEAF_ABS:
    return cuteBuildUnary(&l->builder, "math.absi",
                          cuteLoweringGetInteger(l, operands[0], width),
                          cuteIntType(&l->builder, width));
  case CUTE_LEAF_SIGNUM:
    return signumOf(l, cuteLoweringGetInteger(l, operands[0], width), width);
  case CUTE_LEAF_SHAPE_DIV:
    return shapeDiv(l, operands[0], operands[1], width);
  case CUTE_LEAF_SELECT_LT:
    return selectLess(l, operands, width);
  default:
    return emitBinary(l, op, operands, width);
  }
}

static CuteIntTuple applyPlain(void *data, CUTE_UNUSED CuteContext context,
                               CuteLeafOp op, const CuteIntTuple *operands,
                               unsigned width, int64_t divisor) {
  return cuteLoweringGetLeaf(data, emitPlain(data, op, operands, width),
                             divisor);
}

const CuteLeafArithmetic cutePlainArithmetic = {applyPlain};
