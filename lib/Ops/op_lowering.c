// Chooses how an op is lowered, and lowers ops of groups that are free of MLIR.
#include "Lowering/lowering.h"
#include "Ops/ops.h"
#include "Ops/value_scalars.h"

static bool lowerGetScalars(CuteLowering *lowering, CuteOp *op,
                            MlirOperation source) {
  const CuteIntTuple *leaves;
  size_t n = cuteOpGetScalars(op, &leaves);
  for (size_t i = 0; i < n; ++i)
    cuteLoweringReplace(
        source, i,
        cuteLoweringGetInteger(lowering, leaves[i], cuteLeafWidth(leaves[i])));
  return true;
}

//===-- Comparisons -------------------------------------------------------===//

typedef MlirValue CompareFunction(CuteLowering *lowering, CuteIntTuple a,
                                  CuteIntTuple b);

// All pairs, and'ed; true where there is none.
static MlirValue lowerPairs(CuteLowering *lowering, CuteOp *op,
                            CompareFunction *compare) {
  CuteScalars x = cuteScalarsOf(op->context, op->operands[0], false);
  CuteScalars y = cuteScalarsOf(op->context, op->operands[1], false);
  MlirValue all = {NULL};
  for (size_t i = 0; i < x.count; ++i) {
    MlirValue pair = compare(lowering, x.leaves[i], y.leaves[i]);
    all =
        i ? cuteBuildBinary(&lowering->builder, "arith.andi", all, pair) : pair;
  }
  return all;
}

static bool lowerComparison(CuteLowering *lowering, CuteOp *op,
                            MlirOperation source, CompareFunction *compare) {
  bool isDynamic = cuteTypeGetNumDynamic(op->operands[0]) ||
                   cuteTypeGetNumDynamic(op->operands[1]);
  MlirValue all =
      isDynamic && !cuteOpIsNeverEqual(op)
          ? lowerPairs(lowering, op, compare)
          : cuteBuildInt(&lowering->builder, 1, cuteOpDecideComparison(op));
  cuteLoweringReplace(source, 0, all);
  return true;
}

static bool lowerElemLess(CuteLowering *lowering, CuteOp *op,
                          MlirOperation source) {
  return cuteOpCheckComparison(op) &&
         lowerComparison(lowering, op, source, cuteLoweringCompareLess);
}

static bool lowerEqual(CuteLowering *lowering, CuteOp *op,
                       MlirOperation source) {
  return lowerComparison(lowering, op, source, cuteLoweringCompareEqual);
}

static bool lowerQuestion(CuteLowering *lowering, CuteOp *op,
                          MlirOperation source) {
  int truth = cuteOpDecideQuestion(op);
  cuteLoweringReplace(
      source, 0,
      truth < 0 ? cuteLoweringCompareEqual(lowering, cuteOpGetFirstStride(op),
                                           staticInt(op->context, 1))
                : cuteBuildInt(&lowering->builder, 1, truth));
  return true;
}

CuteLowerFunction *cuteOpGetLowering(const CuteOpDecl *decl) {
  switch (decl->id) {
  case CUTE_OP_GET_SCALARS:
    return lowerGetScalars;
  case CUTE_OP_ELEM_LESS:
    return lowerElemLess;
  case CUTE_OP_EQUAL:
    return lowerEqual;
  case CUTE_OP_IS_CONGRUENT:
  case CUTE_OP_IS_WEAKLY_CONGRUENT:
  case CUTE_OP_IS_MAJOR:
    return lowerQuestion;
  default:
    return decl->hooks->lower ? decl->hooks->lower : cuteLowerByInference;
  }
}
