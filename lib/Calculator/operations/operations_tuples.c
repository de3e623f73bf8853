// Rows: int tuples and coordinates.
#include "Algebra/algebra.h"
#include "Calculator/operations/operations.h"

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

#define ROWS "Calculator/operations/operations_tuples.def"
#define GROUP cuteCalcTupleRows
#include "Calculator/operations/rows.def"
