// Composition, coalescing, complements, inverses and recasts.
#include "Ops/ops.h"

static bool inferComposition(CuteOp *op) {
  return cuteOpReturnView(op, cuteLayoutComposition(op->context,
                                                    operandLayout(op, 0),
                                                    cuteOpGetTiler(op, 1)));
}

static CuteIntTuple profileOf(const CuteOp *op) {
  return op->numOperands > 1 ? operandTuple(op, 1) : NULL;
}

static bool inferCoalesce(CuteOp *op) {
  return cuteOpReturnView(
      op, cuteLayoutCoalesce(op->context, operandLayout(op, 0), profileOf(op)));
}

static bool inferComplement(CuteOp *op) {
  CuteIntTuple target = NULL;
  if (op->numOperands > 1)
    target = operandLayout(op, 1) ? operandLayout(op, 1)->shape
                                  : operandTuple(op, 1);
  return cuteOpReturnLayout(
      op, cuteLayoutComplement(op->context, operandLayout(op, 0), target));
}

static bool inferRecastLayout(CuteOp *op) {
  return cuteOpReturnLayout(
      op, cuteLayoutRecast(op->context, operandLayout(op, 0),
                           cuteOpGetAttribute(op, "new_type_bits")->value,
                           cuteOpGetAttribute(op, "old_type_bits")->value));
}

static bool inferFilterZeros(CuteOp *op) {
  return cuteOpReturnView(
      op,
      cuteLayoutFilterZeros(op->context, operandLayout(op, 0), profileOf(op)));
}

static bool inferFilter(CuteOp *op) {
  return cuteOpReturnView(
      op, cuteLayoutFilter(op->context, operandLayout(op, 0), profileOf(op)));
}

static bool inferMaxCommonVector(CuteOp *op) {
  return cuteOpReturnTuple(op, CUTE_TYPE_INT_TUPLE,
                           cuteLayoutMaxCommonVector(op->context,
                                                     operandLayout(op, 0),
                                                     operandLayout(op, 1)));
}

const CuteOpHooks cuteLayoutAlgebraOps[] = {
    CUTE_HOOKS("composition", inferComposition),
    CUTE_HOOKS("coalesce", inferCoalesce),
    CUTE_HOOKS("complement", inferComplement),
    CUTE_HOOKS("right_inverse", cuteOpInferAlgebra,
               .ofLayout = cuteLayoutRightInverse),
    CUTE_HOOKS("left_inverse", cuteOpInferAlgebra,
               .ofLayout = cuteLayoutLeftInverse),
    CUTE_HOOKS("max_common_layout", cuteOpInferAlgebra,
               .ofLayouts = cuteLayoutMaxCommonLayout),
    CUTE_HOOKS("max_common_vector", inferMaxCommonVector),
    CUTE_HOOKS("recast_layout", inferRecastLayout),
    CUTE_HOOKS("filter_zeros", inferFilterZeros),
    CUTE_HOOKS("filter", inferFilter),
    {.name = NULL},
};
