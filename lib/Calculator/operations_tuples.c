// Rows: int tuples and coordinates.
#include "Algebra/algebra.h"
#include "Calculator/operations.h"

//===-- Single calls ------------------------------------------------------===//

TUPLE(idx2crd, cuteIdx2Crd(c, v[0].tuple, v[1].tuple))
TUPLE(idx2crdTTT, cuteIdx2CrdStrided(c, v[0].tuple, v[1].tuple, v[2].tuple))
TUPLE(crd2crd, cuteCrd2Crd(c, v[0].tuple, v[1].tuple, v[2].tuple))
TUPLE(increment, cuteIncrementCoord(c, v[0].tuple, v[1].tuple))
TUPLE(product, cuteIntTupleProduct(c, v[0].tuple))
TUPLE(productEach, cuteIntTupleProductEach(c, v[0].tuple))
TUPLE(shapeDiv, cuteIntTupleShapeDiv(c, v[0].tuple, v[1].tuple))
TUPLE(ceilDiv, cuteIntTupleCeilDiv(c, v[0].tuple, v[1].tuple))
TUPLE(roundUp, cuteIntTupleRoundUp(c, v[0].tuple, v[1].tuple))
TUPLE(elemScale, cuteIntTupleElemScale(c, v[0].tuple, v[1].tuple))
TUPLE(innerProduct, cuteIntTupleInnerProduct(c, v[0].tuple, v[1].tuple))
TUPLE(add, cuteIntTupleAdd(c, v[0].tuple, v[1].tuple))
TUPLE(subtract, cuteIntTupleSubtract(c, v[0].tuple, v[1].tuple))
TUPLE(productLike, cuteIntTupleProductLike(c, v[0].tuple, v[1].tuple))
TRUTH(congruent, cuteIntTupleIsCongruent(v[0].tuple, v[1].tuple))
TRUTH(weaklyCongruent, cuteIntTupleIsWeaklyCongruent(v[0].tuple, v[1].tuple))
TRUTH(compatible, cuteIntTupleIsCompatible(v[0].tuple, v[1].tuple))
TRUTH(evenlyDivides, cuteIntTupleEvenlyDivides(v[0].tuple, v[1].tuple))
TRUTH(elemLess, cuteIntTupleElemLess(v[0].tuple, v[1].tuple))
TRUTH(lexLess, cuteIntTupleLexLess(v[0].tuple, v[1].tuple))
TRUTH(colexLess, cuteIntTupleColexLess(v[0].tuple, v[1].tuple))

//===-- The rows ----------------------------------------------------------===//

static const CuteCalcOperation rows[] = {
    // Coordinates
    {"idx2crd", "TT", "the coordinate of an index in a shape", idx2crd},
    {"idx2crd", "TTT", "(index / stride) % extent at every leaf", idx2crdTTT},
    {"crd2idx", "TV", "the index of a coordinate in a shape or layout",
     cuteEvaluateCrd2Idx},
    {"crd2crd", "TTT", "a coordinate of one shape as one of another", crd2crd},
    {"increment", "TT", "the next coordinate in a shape", increment},
    // Int tuples
    {"product", "T", "of all leaves", product},
    {"product_each", "T", "of each mode", productEach},
    {"shape_div", "TT", "division that must come out even", shapeDiv},
    {"ceil_div", "TT", "division rounded up", ceilDiv},
    {"round_up", "TT", "to a multiple", roundUp},
    {"elem_scale", "TT", "leaf by leaf", elemScale},
    {"inner_product", "TT", "sum of products of leaves", innerProduct},
    {"add", "TT", "leaf by leaf", add},
    {"subtract", "TT", "leaf by leaf", subtract},
    {"product_like", "TT", "products at the leaves of a profile", productLike},
    {"congruent", "HH", "one tree?", congruent},
    {"is_congruent", "HH", "the same", congruent},
    {"weakly_congruent", "HH", "one tree, a leaf for any part?",
     weaklyCongruent},
    {"is_weakly_congruent", "HH", "the same", weaklyCongruent},
    {"compatible", "HH", "sizes agree, leaf for part?", compatible},
    {"evenly_divides", "HH", "does each leaf divide?", evenlyDivides},
    {"elem_less", "TT", "less in every leaf?", elemLess},
    {"lex_less", "TT", "less by the first difference?", lexLess},
    {"colex_less", "TT", "less by the last difference?", colexLess},
};

const CuteCalcGroup cuteCalcTupleRows = {rows, sizeof rows / sizeof *rows};
