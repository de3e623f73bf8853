// Composition, coalescing, complements, inverses and recasts.
#include "Ops/ops.h"

CUTE_INFER(inferComposition, cuteOpReturnView,
           cuteLayoutComposition(c, LAYOUT(0), TILER(1)));
CUTE_INFER(inferCoalesce, cuteOpReturnView,
           cuteLayoutCoalesce(c, LAYOUT(0), OPTIONAL_TUPLE(1)));
CUTE_INFER(inferComplement, cuteOpReturnLayout,
           cuteLayoutComplement(c, LAYOUT(0),
                                op->numOperands > 1
                                    ? cuteTypeGetShape(op->operands[1])
                                    : NULL));
CUTE_INFER(inferRecastLayout, cuteOpReturnLayout,
           cuteLayoutRecast(c, LAYOUT(0), NUMBER("new_type_bits"),
                            NUMBER("old_type_bits")));
CUTE_INFER(inferFilterZeros, cuteOpReturnView,
           cuteLayoutFilterZeros(c, LAYOUT(0), OPTIONAL_TUPLE(1)));
CUTE_INFER(inferFilter, cuteOpReturnView,
           cuteLayoutFilter(c, LAYOUT(0), OPTIONAL_TUPLE(1)));
CUTE_INFER(inferMaxCommonVector, cuteOpReturnTuple, CUTE_TYPE_INT_TUPLE,
           cuteLayoutMaxCommonVector(c, LAYOUT(0), LAYOUT(1)));
CUTE_INFER(inferMaxCommonLayout, cuteOpReturnLayout,
           cuteLayoutMaxCommonLayout(c, LAYOUT(0), LAYOUT(1)));
CUTE_INFER(inferRightInverse, cuteOpReturnLayout,
           cuteLayoutRightInverse(c, LAYOUT(0)));
CUTE_INFER(inferLeftInverse, cuteOpReturnLayout,
           cuteLayoutLeftInverse(c, LAYOUT(0)));

const CuteOpHooks cuteLayoutAlgebraOps[] = {
    CUTE_HOOKS("composition", inferComposition),
    CUTE_HOOKS("coalesce", inferCoalesce),
    CUTE_HOOKS("complement", inferComplement),
    CUTE_HOOKS("right_inverse", inferRightInverse),
    CUTE_HOOKS("left_inverse", inferLeftInverse),
    CUTE_HOOKS("max_common_layout", inferMaxCommonLayout),
    CUTE_HOOKS("max_common_vector", inferMaxCommonVector),
    CUTE_HOOKS("recast_layout", inferRecastLayout),
    CUTE_HOOKS("filter_zeros", inferFilterZeros),
    CUTE_HOOKS("filter", inferFilter),
    {.name = NULL},
};
