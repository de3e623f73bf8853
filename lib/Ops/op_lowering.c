// Chooses how an op is lowered, and lowers ops of groups that are free of MLIR.
#include "Lowering/lowering.h"
#include "Ops/ops.h"

static bool lowerGetScalars(CuteLowering *l) {
  const CuteIntTuple *leaves;
  size_t n = cuteOpGetScalars(l->op, &leaves);
  for (size_t i = 0; i < n; ++i)
    cuteLoweringReplace(
        l, i, cuteLoweringGetInteger(l, leaves[i], cuteLeafWidth(leaves[i])));
  return true;
}

//===-- Comparisons -------------------------------------------------------===//

typedef MlirValue CompareFunction(CuteLowering *lowering, CuteIntTuple a,
                                  CuteIntTuple b);

// All pairs, and'ed; true where there is none.
static MlirValue lowerPairs(CuteLowering *l, CompareFunction *compare) {
  CuteScalars x = cuteScalarsOf(l->op->context, l->op->operands[0], false);
  CuteScalars y = cuteScalarsOf(l->op->context, l->op->operands[1], false);
  MlirValue all = {NULL};
  for (size_t i = 0; i < x.count; ++i) {
    MlirValue pair = compare(l, x.leaves[i], y.leaves[i]);
    all = i ? andi(&l->builder, all, pair) : pair;
  }
  return all;
}

static bool lowerComparison(CuteLowering *l, CompareFunction *compare) {
  bool isDynamic = cuteTypeGetNumDynamic(l->op->operands[0]) ||
                   cuteTypeGetNumDynamic(l->op->operands[1]);
  MlirValue all =
      isDynamic && !cuteOpIsNeverEqual(l->op)
          ? lowerPairs(l, compare)
          : cuteBuildInt(&l->builder, 1, cuteOpDecideComparison(l->op));
  return cuteLoweringReturn(l, all);
}

static bool lowerElemLess(CuteLowering *l) {
  return cuteOpCheckComparison(l->op) &&
         lowerComparison(l, cuteLoweringCompareLess);
}

static bool lowerEqual(CuteLowering *l) {
  return lowerComparison(l, cuteLoweringCompareEqual);
}

static bool lowerQuestion(CuteLowering *l) {
  int truth = cuteOpDecideQuestion(l->op);
  return cuteLoweringReturn(
      l, truth < 0 ? cuteLoweringCompareEqual(l, cuteOpGetFirstStride(l->op),
                                              staticInt(l->op->context, 1))
                   : cuteBuildInt(&l->builder, 1, truth));
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
