// Walks over the leaves of a tuple: the first, a certain one, all of them.
#include "Algebra/algebra.h"

CuteIntTuple cuteIntTupleFront(CuteContext context, CuteIntTuple tuple) {
  if (!tuple)
    return NULL;
  if (!tuple->numLeaves)
    return cuteFailTuple(context, "front: there is no leaf in ", tuple);
  while (isTuple(tuple)) {
    size_t i = 0;
    while (!tuple->elements[i]->numLeaves)
      ++i;
    tuple = tuple->elements[i];
  }
  return tuple;
}

//===-- Find --------------------------------------------------------------===//

typedef struct Search {
  CuteIntTuple x, excluded;
} Search;

// The path to the first match below a part; null without a message if there is
// none. `exclude` is null or congruent to the tuple.
static CuteIntTuple find(CuteContext c, const Search *search,
                         CuteIntTuple tuple, CuteIntTuple exclude,
                         CuteIntTuple path) {
  if (!isTuple(tuple)) {
    bool matches =
        tuple == search->x && (!exclude || exclude != search->excluded);
    return !matches ? NULL : path ? path : staticInt(c, 0);
  }
  for (size_t i = 0; i < tuple->rank; ++i) {
    CuteIntTuple found =
        find(c, search, tuple->elements[i],
             exclude ? exclude->elements[i] : NULL, cutePathExtend(c, path, i));
    if (found)
      return found;
  }
  return NULL;
}

CuteIntTuple cuteIntTupleFind(CuteContext context, CuteIntTuple x,
                              CuteIntTuple tuple, CuteIntTuple excluded,
                              CuteIntTuple exclude) {
  if (!x || !tuple)
    return NULL;
  if (!isStatic(x))
    return cuteFailTuple(context, "find: looks for static integers, not ", x);
  if (exclude && !cuteIntTupleIsCongruent(exclude, tuple))
    return cuteFailTuples(context, "find: ", exclude, " is not congruent to ",
                          tuple);
  Search search = {x, excluded};
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&context->scratch);
  CuteIntTuple none = cuteInternTuple(context, 0, NULL);
  CuteIntTuple path = find(context, &search, tuple, exclude, NULL);
  return path ? path : none;
}

//===-- Along a profile ---------------------------------------------------===//

static CuteIntTuple repeat(CUTE_UNUSED CuteContext c, CUTE_UNUSED Mode leaf,
                           void *x) {
  return x;
}

CuteIntTuple cuteIntTupleRepeatLike(CuteContext context, CuteIntTuple x,
                                    CuteIntTuple target) {
  if (!x)
    return NULL;
  return cuteMapLeaves(context, tupleMode(target), repeat, (void *)x);
}

static CuteIntTuple productOfPart(CuteContext c, Mode leaf,
                                  CUTE_UNUSED void *unused) {
  return cuteIntTupleProduct(c, leaf.stride);
}

CuteIntTuple cuteIntTupleProductLike(CuteContext context, CuteIntTuple tuple,
                                     CuteIntTuple profile) {
  if (!tuple || !profile)
    return NULL;
  if (!cuteIntTupleIsWeaklyCongruent(profile, tuple))
    return cuteFailTuples(context, "product_like: profile ", profile,
                          " is not weakly congruent to ", tuple);
  return cuteMapLeaves(context, (Mode){profile, tuple}, productOfPart, NULL);
}

//===-- Divisibility ------------------------------------------------------===//

CuteIntTuple cuteIntTupleAssume(CuteContext context, CuteIntTuple leaf,
                                int64_t divisor) {
  if (!leaf)
    return NULL;
  if (divisor < 1 || divisor > INT64_C(1) << 31)
    return cuteFail(context, "assume: divisor %jd is not in [1, 2^31]",
                    divisor);
  CuteIntTuple by = staticInt(context, divisor);
  if (isStatic(leaf))
    return leaf->value % divisor == 0
               ? leaf
               : cuteFailTuples(context, "assume: ", leaf,
                                " is not a multiple of ", by);
  if (!isDynamic(leaf))
    return cuteFailTuple(context, "assume: needs an integer, not ", leaf);
  CuteIntTuple common =
      cuteGreatestCommonDivisor(context, staticInt(context, leaf->value), by);
  int64_t least = leaf->value / common->value * divisor;
  if (least > INT64_C(1) << 31)
    return cuteFailTuples(context, "assume: together with the divisor of ",
                          leaf, " too large: ", by);
  return cuteDynamicLeaf(context, leaf->width, least, leaf->id);
}
