// Leaf arithmetic that emits one `arith` operation for each step: section
// 5.5 of the open dialect. Results do not wrap around, and a choice is an
// scf.if.
#include "Lowering/lowering.h"

static CuteBuilder *builderOf(CuteLowering *lowering) {
  return &lowering->builder;
}

static MlirValue constantOf(CuteLowering *lowering, unsigned width,
                            int64_t value) {
  return cuteBuildInt(builderOf(lowering), width, value);
}

static MlirAttribute noWrap(CuteLowering *lowering) {
  if (mlirAttributeIsNull(lowering->noWrap))
    lowering->noWrap =
        cuteParsedAttr(builderOf(lowering), "#arith.overflow<nsw>");
  return lowering->noWrap;
}

static MlirValue binary(CuteLowering *lowering, const char *name, MlirValue a,
                        MlirValue b, const char *attribute,
                        MlirAttribute value) {
  bool isComparison = cuteTextEquals(cuteStringRef(name), "arith.cmpi");
  MlirType result =
      isComparison ? cuteIntType(builderOf(lowering), 1) : mlirValueGetType(a);
  CuteNamedAttribute named = {attribute, value};
  return cuteBuildValue(builderOf(lowering),
                        (CuteOpSpec){.name = name,
                                     CUTE_OPERANDS(a, b),
                                     CUTE_RESULTS(result),
                                     .numAttributes = attribute ? 1 : 0,
                                     .attributes = &named});
}

static MlirValue multiply(CuteLowering *lowering, MlirValue a, MlirValue b) {
  return binary(lowering, "arith.muli", a, b, "overflowFlags",
                noWrap(lowering));
}

static MlirValue compare(CuteLowering *lowering, int64_t predicate, MlirValue a,
                         MlirValue b) {
  return binary(lowering, "arith.cmpi", a, b, "predicate",
                cuteIntAttr(builderOf(lowering), 64, predicate));
}

static MlirValue compareToZero(CuteLowering *lowering, int64_t predicate,
                               MlirValue a, unsigned width) {
  return compare(lowering, predicate, a, constantOf(lowering, width, 0));
}

//===-- Choices -----------------------------------------------------------===//

// An scf.if that is being written: what comes next goes into one branch, then
// into the other.
typedef struct Choice {
  MlirOperation op;
  CuteBuilder outside;
} Choice;

static void enter(CuteLowering *lowering, const Choice *choice,
                  intptr_t branch) {
  lowering->builder.block = cuteMlirGetBody(choice->op, branch);
  lowering->builder.before = (MlirOperation){NULL};
}

static Choice beginChoice(CuteLowering *lowering, MlirValue condition,
                          unsigned width) {
  MlirType type = cuteIntType(builderOf(lowering), width);
  Choice choice = {.outside = lowering->builder};
  choice.op =
      cuteBuild(builderOf(lowering), (CuteOpSpec){.name = "scf.if",
                                                  CUTE_OPERANDS(condition),
                                                  CUTE_RESULTS(type),
                                                  .numRegions = 2});
  enter(lowering, &choice, 0);
  return choice;
}

static void yield(CuteLowering *lowering, MlirValue value) {
  cuteBuild(builderOf(lowering),
            (CuteOpSpec){.name = "scf.yield", CUTE_OPERANDS(value)});
}

static void beginElse(CuteLowering *lowering, const Choice *choice,
                      MlirValue then) {
  yield(lowering, then);
  enter(lowering, choice, 1);
}

static MlirValue endChoice(CuteLowering *lowering, const Choice *choice,
                           MlirValue otherwise) {
  yield(lowering, otherwise);
  lowering->builder = choice->outside;
  return mlirOperationGetResult(choice->op, 0);
}

static MlirValue signumOf(CuteLowering *lowering, MlirValue a, unsigned width) {
  Choice above = beginChoice(
      lowering, compareToZero(lowering, CUTE_CMPI_SGT, a, width), width);
  beginElse(lowering, &above, constantOf(lowering, width, 1));
  Choice zero = beginChoice(
      lowering, compareToZero(lowering, CUTE_CMPI_EQ, a, width), width);
  beginElse(lowering, &zero, constantOf(lowering, width, 0));
  MlirValue low = endChoice(lowering, &zero, constantOf(lowering, width, -1));
  return endChoice(lowering, &above, low);
}

// signum(a) * signum(b), where a static factor 1 is left out.
static MlirValue signumOfProduct(CuteLowering *lowering, CuteIntTuple a,
                                 CuteIntTuple b, unsigned width) {
  if (isStatic(a) && isDynamic(b))
    return signumOfProduct(lowering, b, a, width);
  MlirValue sign =
      signumOf(lowering, cuteLoweringGetInteger(lowering, a, width), width);
  if (isStatic(b) && b->value > 0)
    return sign;
  if (isStatic(b))
    return multiply(lowering, sign, constantOf(lowering, width, -1));
  MlirValue other =
      signumOf(lowering, cuteLoweringGetInteger(lowering, b, width), width);
  return multiply(lowering, sign, other);
}

static MlirValue shapeDiv(CuteLowering *lowering, CuteIntTuple a,
                          CuteIntTuple b, unsigned width) {
  MlirValue dividend = cuteLoweringGetInteger(lowering, a, width);
  MlirValue divisor = cuteLoweringGetInteger(lowering, b, width);
  MlirValue quotient = binary(lowering, "arith.divsi", dividend, divisor, NULL,
                              noWrap(lowering));
  Choice choice = beginChoice(
      lowering, compareToZero(lowering, CUTE_CMPI_NE, quotient, width), width);
  beginElse(lowering, &choice, quotient);
  return endChoice(lowering, &choice, signumOfProduct(lowering, a, b, width));
}

static MlirValue selectLess(CuteLowering *lowering,
                            const CuteIntTuple *operands, unsigned width) {
  Choice choice = beginChoice(
      lowering, cuteLoweringCompareLess(lowering, operands[0], operands[1]),
      width);
  beginElse(lowering, &choice,
            cuteLoweringGetInteger(lowering, operands[2], width));
  return endChoice(lowering, &choice,
                   cuteLoweringGetInteger(lowering, operands[3], width));
}

//===-- All operations ----------------------------------------------------===//

typedef struct PlainOp {
  const char *name;
  bool cannotWrap, dynamicFirst;
} PlainOp;

static const PlainOp plainOps[] = {
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

static MlirValue emitBinary(CuteLowering *lowering, CuteLeafOp op,
                            const CuteIntTuple *operands, unsigned width) {
  const PlainOp *row = &plainOps[op];
  bool isSwapped = row->dynamicFirst && isStatic(operands[0]);
  MlirValue a =
      cuteLoweringGetInteger(lowering, operands[isSwapped ? 1 : 0], width);
  MlirValue b =
      cuteLoweringGetInteger(lowering, operands[isSwapped ? 0 : 1], width);
  return binary(lowering, row->name, a, b,
                row->cannotWrap ? "overflowFlags" : NULL, noWrap(lowering));
}

static MlirValue emitPlain(CuteLowering *lowering, CuteLeafOp op,
                           const CuteIntTuple *operands, unsigned width) {
  switch (op) {
  case CUTE_LEAF_ABS:
    return cuteBuildUnary(builderOf(lowering), "math.absi",
                          cuteLoweringGetInteger(lowering, operands[0], width),
                          cuteIntType(builderOf(lowering), width));
  case CUTE_LEAF_SIGNUM:
    return signumOf(
        lowering, cuteLoweringGetInteger(lowering, operands[0], width), width);
  case CUTE_LEAF_SHAPE_DIV:
    return shapeDiv(lowering, operands[0], operands[1], width);
  case CUTE_LEAF_SELECT_LT:
    return selectLess(lowering, operands, width);
  default:
    return emitBinary(lowering, op, operands, width);
  }
}

static CuteIntTuple applyPlain(void *data, CuteContext context, CuteLeafOp op,
                               const CuteIntTuple *operands, unsigned width,
                               int64_t divisor) {
  (void)context;
  return cuteLoweringGetLeaf(data, emitPlain(data, op, operands, width),
                             divisor);
}

const CuteLeafArithmetic cutePlainArithmetic = {applyPlain};
