// Rows: int tuples and coordinates.
#include "Algebra/algebra.h"
#include "Calculator/operations.h"

//===-- The rows ----------------------------------------------------------===//

static const CuteOperation rows[] = {
    // Coordinates
    {"idx2crd", "TT", "the coordinate of an index in a shape",
     .tuple2 = cuteIdx2Crd},
    {"idx2crd", "TTT", "(index / stride) % extent at every leaf",
     .tuple3 = cuteIdx2CrdStrided},
    {"crd2idx", "TV", "the index of a coordinate in a shape or layout",
     .any = cuteEvaluateCrd2Idx},
    {"crd2crd", "TTT", "a coordinate of one shape as one of another",
     .tuple3 = cuteCrd2Crd},
    {"increment", "TT", "the next coordinate in a shape",
     .tuple2 = cuteIncrementCoord},
    // Int tuples
    {"product", "T", "of all leaves", .tuple1 = cuteIntTupleProduct},
    {"product_each", "T", "of each mode", .tuple1 = cuteIntTupleProductEach},
    {"shape_div", "TT", "division that must come out even",
     .tuple2 = cuteIntTupleShapeDiv},
    {"ceil_div", "TT", "division rounded up", .tuple2 = cuteIntTupleCeilDiv},
    {"round_up", "TT", "to a multiple", .tuple2 = cuteIntTupleRoundUp},
    {"elem_scale", "TT", "leaf by leaf", .tuple2 = cuteIntTupleElemScale},
    {"inner_product", "TT", "sum of products of leaves",
     .tuple2 = cuteIntTupleInnerProduct},
    {"add", "TT", "leaf by leaf", .tuple2 = cuteIntTupleAdd},
    {"subtract", "TT", "leaf by leaf", .tuple2 = cuteIntTupleSubtract},
    {"product_like", "TT", "products at the leaves of a profile",
     .tuple2 = cuteIntTupleProductLike},
    {"congruent", "HH", "one tree?", .relation = cuteIntTupleIsCongruent},
    {"is_congruent", "HH", "the same", .relation = cuteIntTupleIsCongruent},
    {"weakly_congruent", "HH", "one tree, a leaf for any part?",
     .relation = cuteIntTupleIsWeaklyCongruent},
    {"is_weakly_congruent", "HH", "the same",
     .relation = cuteIntTupleIsWeaklyCongruent},
    {"compatible", "HH", "sizes agree, leaf for part?",
     .relation = cuteIntTupleIsCompatible},
    {"evenly_divides", "HH", "does each leaf divide?",
     .relation = cuteIntTupleEvenlyDivides},
    {"elem_less", "TT", "less in every leaf?",
     .relation = cuteIntTupleElemLess},
    {"lex_less", "TT", "less by the first difference?",
     .relation = cuteIntTupleLexLess},
    {"colex_less", "TT", "less by the last difference?",
     .relation = cuteIntTupleColexLess},
};

const CuteOperationGroup cuteTupleOperations = {rows,
                                                sizeof rows / sizeof *rows};
