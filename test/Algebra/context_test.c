// Contexts: errors, null handles, independence of one another.
#include "algebra_test_util.h"

#include <pthread.h>

static void createAndDestroy(void **state) {
  (void)state;
  CuteContext a = cuteContextCreate(), b = cuteContextCreate();
  assert_ptr_not_equal(cuteIntTupleGetStatic(a, 5),
                       cuteIntTupleGetStatic(b, 5));
  assert_string_equal(cuteContextGetError(a), "");
  assert_null(cuteIntTupleGetDynamic(a, 7, 1));
  assert_string_not_equal(cuteContextGetError(a), "");
  assert_string_equal(cuteContextGetError(b), "");
  size_t bytes = cuteContextGetBytes(b);
  for (int64_t i = 0; i < 10000; ++i)
    assert_int_equal(cuteIntTupleGetValue(cuteIntTupleGetStatic(b, i * i)),
                     i * i);
  assert_true(cuteContextGetBytes(b) > bytes);
  cuteContextDestroy(a);
  cuteContextDestroy(b);
  cuteContextDestroy(NULL);
}

static void theLastErrorStays(void **state) {
  (void)state;
  assertFails(cuteIntTupleGetDynamic(context, 7, 1), "7 is not a width");
  assert_non_null(cuteIntTupleGetDynamic(context, 8, 1));
  assert_non_null(strstr(cuteContextGetError(context), "7 is not a width"));
  assertFails(cuteIntTupleGetDynamic(context, 9, 1), "9 is not a width");
}

// Long values in messages do no harm.
static void longMessages(void **state) {
  (void)state;
  CuteIntTuple elements[2000];
  for (int64_t i = 0; i < 2000; ++i)
    elements[i] = integer(1000000 + i);
  CuteIntTuple wide = cuteIntTupleGetTuple(context, 2000, elements);
  assertFails(cuteIntTupleAdd(context, wide, integer(1)), "cannot pair");
  assertFails(cuteIdx2Crd(context, wide, integer(1)), "1001999");
}

typedef const void *OfLayout(CuteLayout null, CuteTile tiler);

#define NULL_CASE(name, call)                                                  \
  static const void *name(CuteLayout null, CuteTile tiler) {                   \
    (void)null, (void)tiler;                                                   \
    return call;                                                               \
  }

NULL_CASE(nullSize, cuteLayoutGetSize(context, null))
NULL_CASE(nullCosize, cuteLayoutGetCosize(context, null))
NULL_CASE(nullOuter, cuteLayoutGetOuter(context, null))
NULL_CASE(nullAt, cuteLayoutGetAt(context, null, 0, NULL))
NULL_CASE(nullSelect, cuteLayoutSelect(context, null, 0, NULL))
NULL_CASE(nullFlatten, cuteLayoutFlatten(context, null))
NULL_CASE(nullGroup, cuteLayoutGroup(context, null, 0, 1))
NULL_CASE(nullAppend, cuteLayoutAppendToRank(context, null, 2, null))
NULL_CASE(nullIdentity, cuteLayoutGetIdentity(context, NULL))
NULL_CASE(nullOrdered, cuteLayoutGetOrdered(context, NULL, NULL))
NULL_CASE(nullLike, cuteLayoutGetLike(context, null))
NULL_CASE(nullFragment, cuteLayoutGetFragmentLike(context, null))
NULL_CASE(nullEval, cuteLayoutEval(context, null, integer(0)))
NULL_CASE(nullSlice, cuteLayoutSlice(context, null, integer(0)))
NULL_CASE(nullDice, cuteLayoutDice(context, null, integer(0)))
NULL_CASE(nullCoalesce, cuteLayoutCoalesce(context, null, NULL))
NULL_CASE(nullFilter, cuteLayoutFilter(context, null, NULL))
NULL_CASE(nullZeros, cuteLayoutFilterZeros(context, null, NULL))
NULL_CASE(nullNullspace, cuteLayoutNullspace(context, null))
NULL_CASE(nullComposition, cuteLayoutComposition(context, null, tiler))
NULL_CASE(nullComplement, cuteLayoutComplement(context, null, NULL))
NULL_CASE(nullRight, cuteLayoutRightInverse(context, null))
NULL_CASE(nullLeft, cuteLayoutLeftInverse(context, null))
NULL_CASE(nullCommon, cuteLayoutMaxCommonLayout(context, null, null))
NULL_CASE(nullVector, cuteLayoutMaxCommonVector(context, null, null))
NULL_CASE(nullAlignment, cuteLayoutMaxAlignment(context, null))
NULL_CASE(nullDivide, cuteLayoutLogicalDivide(context, null, tiler))
NULL_CASE(nullFlat, cuteLayoutFlatDivide(context, null, NULL))
NULL_CASE(nullProduct, cuteLayoutLogicalProduct(context, null, null))
NULL_CASE(nullRaked, cuteLayoutRakedProduct(context, null, null))
NULL_CASE(nullByMode,
          cuteLayoutProductByMode(context, null, tiler, CUTE_FORM_FLAT))
NULL_CASE(nullToShape, cuteLayoutTileToShape(context, null, NULL, NULL))
NULL_CASE(nullRecast, cuteLayoutRecast(context, null, 8, 16))
NULL_CASE(nullUpcast, cuteLayoutUpcast(context, null, 2))
NULL_CASE(nullDowncast, cuteLayoutDowncast(context, null, 2))
NULL_CASE(nullTile, cuteTileGetLayout(context, null))
NULL_CASE(nullTileShape, cuteTileGetShape(context, NULL))
NULL_CASE(nullTileCeil, cuteTileCeilDiv(context, NULL, tiler))
NULL_CASE(nullTake, cuteLayoutTake(context, null, 0, 1))
NULL_CASE(nullAppendOne, cuteLayoutAppend(context, null, null))
NULL_CASE(nullReplace, cuteLayoutReplace(context, null, 0, null))
NULL_CASE(nullZip, cuteLayoutZip(context, null, null))
NULL_CASE(nullUnflatten, cuteLayoutUnflatten(context, null, NULL))
NULL_CASE(nullSwizzled, cuteLayoutGetSwizzled(context, (CuteSwizzle){1, 0, 1},
                                              integer(0), null))
NULL_CASE(nullComposed, cuteLayoutGetComposed(context, null, NULL, null))

// A chain of calls keeps the message of its first failure.
static void nullsPassThrough(void **state) {
  (void)state;
  static OfLayout *const calls[] = {
      nullSize,       nullCosize,    nullOuter,     nullAt,
      nullSelect,     nullFlatten,   nullGroup,     nullAppend,
      nullIdentity,   nullOrdered,   nullLike,      nullFragment,
      nullEval,       nullSlice,     nullDice,      nullCoalesce,
      nullFilter,     nullZeros,     nullNullspace, nullComposition,
      nullComplement, nullRight,     nullLeft,      nullCommon,
      nullVector,     nullAlignment, nullDivide,    nullFlat,
      nullProduct,    nullRaked,     nullByMode,    nullToShape,
      nullRecast,     nullUpcast,    nullDowncast,  nullTile,
      nullTileShape,  nullTileCeil,  nullTake,      nullAppendOne,
      nullReplace,    nullZip,       nullUnflatten, nullSwizzled,
      nullComposed};
  CuteTile tiler = tile("[4;2]");
  assertFails(cuteIntTupleGetDynamic(context, 7, 1), "7 is not a width");
  for (size_t i = 0; i < sizeof calls / sizeof *calls; ++i) {
    assert_null(calls[i](NULL, tiler));
    if (!strstr(cuteContextGetError(context), "7 is not a width"))
      fail_msg("call %zu replaced the message by '%s'", i,
               cuteContextGetError(context));
  }
}

//===-- Threads -----------------------------------------------------------===//

// Works in a context of its own; counts what came out wrong.
static void *work(void *argument) {
  size_t *wrong = argument;
  CuteContext own = cuteContextCreate();
  for (int i = 0; i < 200; ++i) {
    CuteLayout a = cuteLayoutParse(own, cuteStringRef("(8,4):(4,1)"));
    CuteIntTuple extents[] = {cuteIntTupleGetStatic(own, i % 4 + 1),
                              cuteIntTupleGetStatic(own, 2)};
    CuteTile t = cuteTileGetShape(own, cuteIntTupleGetTuple(own, 2, extents));
    CuteLayout r = cuteLayoutZippedDivide(own, a, t);
    CuteLayout again = cuteLayoutZippedDivide(own, a, t);
    *wrong += !r || r != again || cuteLayoutGetRank(r) != 2;
    *wrong += cuteIntTupleGetDynamic(own, 7, 1) != NULL;
  }
  *wrong += !strstr(cuteContextGetError(own), "7 is not a width");
  cuteContextDestroy(own);
  return NULL;
}

static void threadsWithOwnContexts(void **state) {
  (void)state;
  pthread_t threads[4];
  size_t wrong[4] = {0};
  for (int i = 0; i < 4; ++i)
    assert_int_equal(pthread_create(&threads[i], NULL, work, &wrong[i]), 0);
  for (int i = 0; i < 4; ++i) {
    pthread_join(threads[i], NULL);
    assert_int_equal(wrong[i], 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(createAndDestroy),
      cmocka_unit_test(theLastErrorStays),
      cmocka_unit_test(longMessages),
      cmocka_unit_test(nullsPassThrough),
      cmocka_unit_test(threadsWithOwnContexts),
  };
  return RUN_TESTS(tests);
}
