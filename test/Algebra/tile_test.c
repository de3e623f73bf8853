// Tilers: trees of layouts and `_`, their shapes, and products by them.
#include "algebra_test_util.h"

static void parts(void **state) {
  (void)state;
  CuteTile all = cuteTileGetUnderscore(context);
  CuteTile elements[] = {cuteTileGetLayout(context, layout("4:2")), all};
  CuteTile inner = cuteTileGetTuple(context, 2, elements);
  CuteTile outer[] = {tile("?:1"), inner};
  CuteTile t = cuteTileGetTuple(context, 2, outer);
  assertTile(t, "[?:1;[4:2;_]]");
  assert_ptr_equal(t, tile("[?:1;[4:2;_]]"));
  assert_int_equal(cuteTileGetRank(t), 2);
  assert_int_equal(cuteTileGetRank(all), 1);
  assert_int_equal(cuteTileGetNumLeaves(t), 3);
  assert_int_equal(cuteTileGetNumDynamic(t), 1);
  assert_true(cuteTileIsUnderscore(all));
  assert_false(cuteTileIsUnderscore(t));
  assert_ptr_equal(cuteTileGetElement(t, 1), inner);
  assert_ptr_equal(cuteTileGetElement(all, 0), all);
  assert_ptr_equal(cuteTileGetLeaf(elements[0]), layout("4:2"));
  assert_null(cuteTileGetLeaf(all));
  assert_null(cuteTileGetLeaf(t));
  const int32_t path[] = {1, 0}, swapped[] = {1, 0, 1}, bad[] = {2};
  assertTile(cuteTileGetAt(context, t, 2, path), "4:2");
  assertTile(cuteTileGetAt(context, t, 0, path), "[?:1;[4:2;_]]");
  assertTile(cuteTileSelect(context, t, 3, swapped), "[[4:2;_];?:1;[4:2;_]]");
  assertTile(cuteTileSelect(context, all, 1, swapped + 1), "[_]");
  assertTile(cuteTileFlatten(context, t), "[?:1;4:2;_]");
  assertTile(cuteTileFlatten(context, all), "_");
  assertFails(cuteTileGetAt(context, t, 1, bad), "get: mode 2");
  const int32_t inside[] = {0, 0}; // of a layout
  assertFails(cuteTileGetAt(context, t, 2, inside),
              "get: mode 0 is not in a tile of rank 0");
  assertTile(cuteTileGetAt(context, all, 1, inside), "_");
  assertFails(cuteTileGetAt(context, tile("(3,4)"), 1, path), "get: mode 1");
  assertFails(cuteTileSelect(context, t, 1, bad), "select: mode 2");
  assert_null(cuteTileGetLayout(context, NULL));
  outer[0] = NULL;
  assert_null(cuteTileGetTuple(context, 2, outer));
}

static void shapes(void **state) {
  (void)state;
  assertTile(cuteTileGetShape(context, tuple("(2,(1,?))")), "[2:1;[1:0;?:1]]");
  assertTile(cuteTileGetShape(context, tuple("8")), "8:1");
  assertTuple(cuteTileGetShapes(context, tile("[[2;(3,4):(9,1)];?]")),
              "((2,(3,4)),?)");
  assertFails(cuteTileGetShapes(context, tile("[2;_]")),
              "a tile with _ has no shape");
  assertFails(cuteTileGetShape(context, tuple("(2,0)")), "not 0");
  assertFails(cuteTileGetShape(context, tuple("(2,_)")), "not _");
}

static void depthIsLimited(void **state) {
  (void)state;
  CuteTile t = cuteTileGetUnderscore(context);
  for (int i = 0; i < CUTE_MAX_DEPTH; ++i)
    t = cuteTileGetTuple(context, 1, &t);
  assert_non_null(t);
  assertFails(cuteTileGetTuple(context, 1, &t), "tile: nested more than 256");
}

static void emptyTuplesAreLimited(void **state) {
  (void)state;
  CuteTile none = cuteTileGetTuple(context, 0, NULL), both[2] = {none, none};
  for (int i = 1; i < 20; ++i)
    both[0] = both[1] =
        made(cuteTileGetTuple(context, 2, both), "empty tuples");
  assertFails(cuteTileGetTuple(context, 2, both), "tile: more than 1048576");
}

static void ceilDiv(void **state) {
  (void)state;
  static const char *const cases[][3] = {
      {"(13,7)", "[4;2]", "(4,4)"},
      {"13", "4:2", "(2,2)"},
      {"(13,7)", "4:1", "23"},
      {"(?,7)", "[4;2:3]", "(?,(3,2))"},
      {"(13,7)", "[4:?;2]", "((?,?),4)"},
      {"(13,7,5)", "[4]", "(4,7,5)"},
      {"13", "[2;3]", "3"},
      {"?{div=64}", "16", "?{div=4}"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    assertTuple(cuteTileCeilDiv(context, tuple(cases[i][0]), tile(cases[i][1])),
                cases[i][2]);
  assertFails(cuteTileCeilDiv(context, tuple("(13,7)"), tile("[4;_]")),
              "ceil_div: a tile with _");
  assertFails(cuteTileCeilDiv(context, tuple("(13,7)"), tile("[4;2;1]")),
              "ceil_div: the tile has more modes than (13,7)");
  assertFails(cuteTileCeilDiv(context, tuple("13"), tile("0:1")),
              "division by zero");
  assertFails(cuteTileCeilDiv(context, tuple("13"), tile("x")), "x");
}

// As many tiles as cover the extent, whatever it is.
static void ceilDivCovers(void **state) {
  (void)state;
  for (int i = 0; i < 200; ++i) {
    int64_t extent = pick(1, 100), size = pick(1, 20);
    CuteIntTuple n = cuteTileCeilDiv(context, integer(extent),
                                     cuteTileGetShape(context, integer(size)));
    assert_ptr_equal(n, integer((extent + size - 1) / size));
  }
}

// (a, complement(a, size(a) cosize(b)) o b) for each mode.
static void productByMode(void **state) {
  (void)state;
  for (int i = 0; i < 200; ++i) {
    CuteLayout a0 = randomLayoutOfSize(BIT_STRIDES, 8);
    CuteLayout a1 = randomLayoutOfSize(BIT_STRIDES, 8);
    CuteLayout b0 = randomLayoutOfSize(BIT_STRIDES, 4);
    CuteLayout b1 = randomLayoutOfSize(BIT_STRIDES, 4);
    CuteTile tiles[] = {cuteTileGetLayout(context, b0),
                        cuteTileGetLayout(context, b1)};
    CuteTile t = cuteTileGetTuple(context, 2, tiles);
    CuteLayout a = pairOf(a0, a1), pairs[] = {a0, a1}, factors[] = {b0, b1};
    CuteLayout logical =
        cuteLayoutProductByMode(context, a, t, CUTE_FORM_LOGICAL);
    CuteLayout zipped =
        cuteLayoutProductByMode(context, a, t, CUTE_FORM_ZIPPED);
    CuteLayout tiled = cuteLayoutProductByMode(context, a, t, CUTE_FORM_TILED);
    CuteLayout flat = cuteLayoutProductByMode(context, a, t, CUTE_FORM_FLAT);
    assertLaw(logical && zipped && tiled && flat, a, b0, 0);
    for (int32_t k = 0; k < 2; ++k) {
      CuteLayout part = modeOf(logical, k), rest = modeOf(part, 1);
      int64_t bound =
          sizeOf(pairs[k]) *
          cuteIntTupleGetValue(cuteLayoutGetCosize(context, factors[k]));
      CuteLayout gaps = cuteLayoutComplement(context, pairs[k], integer(bound));
      assertLaw(modeOf(part, 0) == pairs[k] && isInjective(part), a, part, k);
      for (int64_t c = 0, n = sizeOf(factors[k]); c < n; ++c)
        assertLaw(indexAt(rest, c) == indexAt(gaps, indexAt(factors[k], c)), a,
                  factors[k], c);
      assertLaw(modeOf(modeOf(zipped, 0), k) == pairs[k], a, zipped, k);
      assertLaw(modeOf(modeOf(zipped, 1), k) == rest, a, zipped, k);
      assertLaw(modeOf(tiled, k + 1) == rest, a, tiled, k);
      assertLaw(cuteLayoutGetRank(flat) >= 4, a, flat, k);
    }
  }
  assertLayout(cuteLayoutProductByMode(context, layout("(4,6,2):(1,4,24)"),
                                       tile("[3]"), CUTE_FORM_LOGICAL),
               "((4,3),6,2):((1,4),4,24)");
  assertFails(cuteLayoutProductByMode(context, layout("(4,6):(1,4)"),
                                      tile("[3;3;3]"), CUTE_FORM_LOGICAL),
              "product");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(parts),          cmocka_unit_test(shapes),
      cmocka_unit_test(depthIsLimited), cmocka_unit_test(emptyTuplesAreLimited),
      cmocka_unit_test(ceilDiv),        cmocka_unit_test(ceilDivCovers),
      cmocka_unit_test(productByMode),
  };
  return RUN_TESTS(tests);
}
