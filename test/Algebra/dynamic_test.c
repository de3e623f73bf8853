// Dynamic leaves: an operation on unknown integers, evaluated afterwards, gives
// the function that it gives for known ones. The arithmetic that is installed
// here computes each dynamic value, as the emitted code will at run time, and
// checks the divisor that is claimed for it.
#include "Algebra/algebra.h"
#include "algebra_test_util.h"
#include "dynamic_values.h"

static int installEvaluation(void **state) {
  createContext(state);
  installArithmetic();
  return 0;
}

//===-- To dynamic values and back ----------------------------------------===//

static CuteLayout loosenedLayout(CuteLayout a) {
  return made(cuteLayoutGet(context, loosened(cuteLayoutGetShape(a)),
                            loosened(cuteLayoutGetStride(a))),
              "loosened");
}

static CuteLayout loosenedShape(CuteLayout a) {
  return made(cuteLayoutGet(context, loosened(cuteLayoutGetShape(a)),
                            cuteLayoutGetStride(a)),
              "loosened");
}

static CuteIntTuple resolved(CuteIntTuple t) {
  if (!t || isStatic(t))
    return t;
  if (isDynamic(t))
    return integer(values[t->id]);
  CuteIntTuple elements[MAX_LEAVES];
  for (size_t i = 0; i < t->rank; ++i)
    elements[i] = resolved(t->elements[i]);
  return cuteIntTupleGetTuple(context, t->rank, elements);
}

static CuteLayout resolvedLayout(CuteLayout a) {
  if (!a)
    return NULL;
  return cuteLayoutGet(context, resolved(cuteLayoutGetShape(a)),
                       resolved(cuteLayoutGetStride(a)));
}

#define assertSameFunction(dynamic, known, a, b)                               \
  do {                                                                         \
    numValues = 1;                                                             \
    CuteLayout expected = known, found = resolvedLayout(dynamic);              \
    assertLaw(expected &&found, a, b, 0);                                      \
    assertLaw(areSameFunction(expected, found), a, b, 0);                      \
  } while (0)

//===-- Operations --------------------------------------------------------===//

static CuteTile tileOf(CuteLayout a) { return cuteTileGetLayout(context, a); }

static void composition(void **state) {
  (void)state;
  for (int i = 0; i < 400; ++i) {
    CuteLayout a = randomLayout(POWER_STRIDES);
    CuteLayout b = randomLayoutOfSize(BIT_STRIDES, 64);
    assertSameFunction(cuteLayoutComposition(context, loosenedLayout(a),
                                             tileOf(loosenedLayout(b))),
                       cuteLayoutComposition(context, a, tileOf(b)), a, b);
  }
}

static void coalesce(void **state) {
  (void)state;
  for (int i = 0; i < 300; ++i) {
    CuteLayout a = randomLayout(ANY_STRIDES);
    assertSameFunction(cuteLayoutCoalesce(context, loosenedLayout(a), NULL), a,
                       a, a);
  }
}

// Without extents of 1: an unknown extent that is 1 takes up its stride, so
// that there is another complement, which is right as well.
static CuteLayout withoutUnits(CuteLayout a) {
  return cuteLayoutCoalesce(context, a, NULL);
}

static void divide(void **state) {
  (void)state;
  for (int i = 0; i < 400; ++i) {
    CuteLayout a = randomLayout(POWER_STRIDES);
    CuteLayout t = withoutUnits(randomLayoutOfSize(BIT_STRIDES, 8));
    if (sizeOf(t) == 1)
      continue;
    assertSameFunction(cuteLayoutLogicalDivide(context, loosenedLayout(a),
                                               tileOf(loosenedShape(t))),
                       cuteLayoutLogicalDivide(context, a, tileOf(t)), a, t);
  }
}

static void complement(void **state) {
  (void)state;
  for (int i = 0; i < 400; ++i) {
    CuteLayout a = withoutUnits(randomLayoutOfSize(INJECTIVE_STRIDES, 30));
    if (sizeOf(a) == 1)
      continue;
    CuteIntTuple target = integer(pick(1, 400));
    numValues = 1;
    CuteLayout known = cuteLayoutComplement(context, a, target);
    CuteLayout loose = loosenedShape(a);
    CuteLayout found =
        resolvedLayout(cuteLayoutComplement(context, loose, loosened(target)));
    assertLaw(known && found && areSameFunction(known, found), a, known, i);
  }
}

static void product(void **state) {
  (void)state;
  for (int i = 0; i < 300; ++i) {
    CuteLayout a = randomLayoutOfSize(BIT_STRIDES, 16);
    CuteLayout b = randomLayoutOfSize(BIT_STRIDES, 16);
    assertSameFunction(cuteLayoutLogicalProduct(context, a, loosenedLayout(b)),
                       cuteLayoutLogicalProduct(context, a, b), a, b);
  }
}

static void tileToShape(void **state) {
  (void)state;
  for (int i = 0; i < 200; ++i) {
    CuteLayout block = layout(i % 2 ? "(4,8):(8,1)" : "(3,5):(1,3)");
    CuteIntTuple extents[] = {integer(pick(1, 20)), integer(pick(1, 20))};
    CuteIntTuple shape = cuteIntTupleGetTuple(context, 2, extents);
    CuteIntTuple order = tuple(pick(0, 1) ? "(1,0)" : "(0,1)");
    assertSameFunction(
        cuteLayoutTileToShape(context, block, loosened(shape), order),
        cuteLayoutTileToShape(context, block, shape, order), block, block);
  }
}

static void recast(void **state) {
  (void)state;
  for (int i = 0; i < 200; ++i) {
    // A dynamic stride must be a multiple of the unit.
    int64_t n = INT64_C(1) << pick(0, 2), strides[] = {1, n * pick(1, 9)};
    CuteIntTuple extents[] = {integer(8), integer(pick(1, 9))};
    CuteIntTuple shape = cuteIntTupleGetTuple(context, 2, extents);
    CuteLayout a = withStrides(shape, strides);
    numValues = 1;
    CuteIntTuple loose[] = {integer(1), dynamicValue(strides[1], n)};
    CuteLayout b =
        cuteLayoutGet(context, shape, cuteIntTupleGetTuple(context, 2, loose));
    CuteLayout known = cuteLayoutRecast(context, a, n, 1);
    CuteLayout found = resolvedLayout(cuteLayoutRecast(context, b, n, 1));
    assertLaw(areSameFunction(known, found), a, found, n);
    known = cuteLayoutRecast(context, a, 1, n);
    found = resolvedLayout(cuteLayoutRecast(context, b, 1, n));
    assertLaw(n == 1 || areSameFunction(known, found), a, found, n);
  }
}

//===-- Numbers -----------------------------------------------------------===//

static void sizesAndValues(void **state) {
  (void)state;
  for (int i = 0; i < 400; ++i) {
    numValues = 1;
    CuteLayout a = randomLayout(ANY_STRIDES), loose = loosenedLayout(a);
    CuteIntTuple size = cuteLayoutGetSize(context, a);
    assertLaw(resolved(cuteLayoutGetSize(context, loose)) == size, a, a, i);
    assertLaw(resolved(cuteLayoutGetCosize(context, loose)) ==
                  cuteLayoutGetCosize(context, a),
              a, a, i);
    int64_t c = pick(0, cuteIntTupleGetValue(size) - 1);
    CuteIntTuple coord = loosened(integer(c)), shape = cuteLayoutGetShape(a);
    assertLaw(resolved(cuteLayoutEval(context, loose, coord)) ==
                  integer(indexAt(a, c)),
              a, a, c);
    CuteIntTuple tree = cuteIdx2Crd(context, integer(c), shape);
    CuteIntTuple looseShape = cuteLayoutGetShape(loose);
    assertLaw(resolved(cuteIdx2Crd(context, coord, looseShape)) == tree, a, a,
              c);
    assertLaw(resolved(cuteCrd2Idx(context, loosened(tree), looseShape)) ==
                  integer(c),
              a, a, c);
    assertLaw(
        resolved(cuteIncrementCoord(context, loosened(tree), looseShape)) ==
            cuteIncrementCoord(context, tree, shape),
        a, a, c);
    CutePartition part =
        cuteLayoutSliceAndOffset(context, loose, loosened(tree));
    assertLaw(resolved(part.offset) == integer(indexAt(a, c)), a, a, c);
  }
}

static void swizzles(void **state) {
  (void)state;
  for (int i = 0; i < 300; ++i) {
    numValues = 1;
    CuteLayout b = randomLayout(INJECTIVE_STRIDES);
    CuteSwizzle s = {(int)pick(1, 3), (int)pick(0, 4), i % 2 ? 3 : -3};
    CuteIntTuple offset = integer(pick(0, 50));
    CuteLayout a = cuteLayoutGetSwizzled(context, s, offset, b);
    CuteLayout loose =
        cuteLayoutGetSwizzled(context, s, loosened(offset), loosenedLayout(b));
    int64_t c = pick(0, sizeOf(b) - 1);
    assertLaw(resolved(cuteLayoutEval(context, loose, loosened(integer(c)))) ==
                  integer(indexAt(a, c)),
              a, a, c);
  }
}

//===-- Binding -----------------------------------------------------------===//

// The leaves that are collected and bound again give the same value; known ones
// in their place give the static value.
static void bindReplacesInOrder(void **state) {
  (void)state;
  for (int i = 0; i < 200; ++i) {
    numValues = 1;
    CuteLayout a = randomLayout(POWER_STRIDES), loose = loosenedLayout(a);
    CuteIntTuple leaves[2 * MAX_LEAVES], *end = leaves;
    cuteLayoutCollectDynamic(loose, &end);
    size_t n = cuteLayoutGetNumDynamic(loose);
    assert_int_equal(end - leaves, n);
    const CuteIntTuple *next = leaves;
    assertLaw(cuteLayoutBind(context, loose, &next) == loose, a, loose, i);
    for (size_t k = 0; k < n; ++k)
      leaves[k] = resolved(leaves[k]);
    next = leaves;
    assertLaw(cuteLayoutBind(context, loose, &next) == a, a, loose, i);
    assert_ptr_equal(next, leaves + n);
    CuteTile elements[] = {tileOf(loose), cuteTileGetUnderscore(context)};
    CuteTile known[] = {tileOf(a), elements[1]};
    next = leaves;
    CuteTile t = cuteTileGetTuple(context, 2, elements);
    assert_ptr_equal(cuteTileBind(context, t, &next),
                     cuteTileGetTuple(context, 2, known));
    end = leaves;
    cuteTileCollectDynamic(t, &end);
    assert_int_equal(end - leaves, n);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(composition), cmocka_unit_test(coalesce),
      cmocka_unit_test(divide),      cmocka_unit_test(complement),
      cmocka_unit_test(product),     cmocka_unit_test(tileToShape),
      cmocka_unit_test(recast),      cmocka_unit_test(sizesAndValues),
      cmocka_unit_test(swizzles),    cmocka_unit_test(bindReplacesInOrder),
  };
  return cmocka_run_group_tests(tests, installEvaluation, destroyContext);
}
