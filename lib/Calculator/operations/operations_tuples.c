// Rows: int tuples and coordinates.
#include "Algebra/algebra.h"
#include "Calculator/operations/operations.h"

//===-- Single calls ------------------------------------------------------===//

TUPLE(idx2crd, cuteIdx2Crd(c, v[0].tuple, v[1].tuple))
TUPLE(idx2crdTTT, cuteIdx2CrdStrided(c, v[0].tuple, v[1].tuple, v[2].tuple))
TUPLE(crd2idxTTT,
      cuteLayoutEval(c, cuteLayoutGet(c, v[1].tuple, v[2].tuple), v[0].tuple))
TUPLE(crd2crd, cuteCrd2Crd(c, v[0].tuple, v[1].tuple, v[2].tuple))
TUPLE(elemScale, cuteIntTupleElemScale(c, v[0].tuple, v[1].tuple))
TUPLE(innerProduct, cuteIntTupleInnerProduct(c, v[0].tuple, v[1].tuple))
TRUTH(congruent, cuteIntTupleIsCongruent(v[0].tuple, v[1].tuple))
TRUTH(weaklyCongruent, cuteIntTupleIsWeaklyCongruent(v[0].tuple, v[1].tuple))
TRUTH(evenlyDivides, cuteIntTupleEvenlyDivides(v[0].tuple, v[1].tuple))
TRUTH(lexLess, cuteIntTupleLexLess(v[0].tuple, v[1].tuple))
TRUTH(colexLess, cuteIntTupleColexLess(v[0].tuple, v[1].tuple))

//===-- Answers that integers not known decide ----------------------------===//

// The answer for a pair of subtrees: 0, 1, or -1 where it is not known.
typedef int Decision(CuteIntTuple a, CuteIntTuple b);

static int decideElemLess(CuteIntTuple a, CuteIntTuple b) {
  bool areLeaves = !isTuple(a) && !isTuple(b);
  return areLeaves && (isDynamic(a) || isDynamic(b))
             ? -1
             : cuteIntTupleElemLess(a, b);
}

static int decideCompatible(CuteIntTuple a, CuteIntTuple b) {
  return !isTuple(a) && (isDynamic(a) || b->numDynamic || isDynamic(b))
             ? -1
             : cuteIntTupleIsCompatible(a, b);
}

// Joins the answers of all parts: a no decides.
static int decide(CuteIntTuple a, CuteIntTuple b, Decision *ofLeaf) {
  if (!isTuple(a) || !isTuple(b) || a->rank != b->rank)
    return ofLeaf(a, b);
  int all = 1;
  for (size_t i = 0; i < a->rank && all; ++i) {
    int part = decide(a->elements[i], b->elements[i], ofLeaf);
    all = part == 1 ? all : part;
  }
  return all;
}

static CuteValue answer(CuteContext c, const CuteValue *v, Decision *ofLeaf) {
  int truth = decide(v[0].tuple, v[1].tuple, ofLeaf);
  if (truth >= 0)
    return cuteValueOfBool(truth);
  cuteFailTuples(c, "not known, as it depends on what is '?': ", v[0].tuple,
                 " and ", v[1].tuple);
  return (CuteValue){0};
}

VALUE(elemLess, answer(c, v, decideElemLess))
VALUE(compatible, answer(c, v, decideCompatible))

//===-- The rows ----------------------------------------------------------===//

static const CuteCalcOperation rows[] = {
    // Coordinates
    {"idx2crd", "TT", "the coordinate of an index in a shape", idx2crd},
    {"idx2crd", "TTT", "(index / stride) % extent at every leaf", idx2crdTTT},
    {"crd2idx", "TV", "the index of a coordinate in a shape or layout",
     cuteEvaluateCrd2Idx},
    {"crd2idx", "TTT", "the index in a shape with strides", crd2idxTTT},
    {"crd2crd", "TTT", "a coordinate of one shape as one of another", crd2crd},
    // Int tuples
    {"elem_scale", "TT", "leaf by leaf", elemScale},
    {"inner_product", "TT", "sum of products of leaves", innerProduct},
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
