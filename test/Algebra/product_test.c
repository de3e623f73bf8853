// Products: a layout repeated after another.
#include "algebra_test_util.h"

static CuteLayout compose(CuteLayout a, CuteLayout b) {
  return cuteLayoutComposition(context, a, cuteTileGetLayout(context, b));
}

// Mode 0 is A; repetition j starts at complement(A)(B(j)).
static void repeatsInTheComplement(void **state) {
  (void)state;
  for (int i = 0; i < 300; ++i) {
    CuteLayout a = randomLayoutOfSize(BIT_STRIDES, 16);
    CuteLayout b = randomLayoutOfSize(BIT_STRIDES, 16);
    CuteLayout rest = cuteLayoutComplement(context, a, NULL);
    CuteLayout r = cuteLayoutLogicalProduct(context, a, b);
    assertLaw(r && cuteLayoutGetRank(r) == 2 && modeOf(r, 0) == a, a, b, 0);
    for (int64_t c = 0, n = sizeOf(b); c < n; ++c)
      assertLaw(indexAt(modeOf(r, 1), c) == indexAt(rest, indexAt(b, c)), a, b,
                c);
    assertLaw(isInjective(r), a, b, 0);
    assertLaw(cuteLayoutZippedProduct(context, a, b) == r, a, b, 0);
  }
}

static void compactFactorsGiveBijections(void **state) {
  (void)state;
  for (int i = 0; i < 200; ++i) {
    CuteLayout a = randomLayoutOfSize(COMPACT_STRIDES, 20);
    CuteLayout b = randomLayoutOfSize(COMPACT_STRIDES, 12);
    CuteLayout r = cuteLayoutLogicalProduct(context, a, b);
    assertLaw(r && isBijective(r), a, b, 0);
  }
}

static void formsUnpack(void **state) {
  (void)state;
  for (int i = 0; i < 200; ++i) {
    CuteLayout a =
        pairOf(randomLayoutOfSize(COMPACT_STRIDES, 6), layout("1:0"));
    CuteLayout b = pairOf(layout("4:1"), layout("3:4"));
    CuteLayout zipped = cuteLayoutZippedProduct(context, a, b);
    CuteLayout tiled = cuteLayoutTiledProduct(context, a, b);
    CuteLayout flat = cuteLayoutFlatProduct(context, a, b);
    for (int32_t k = 0; k < 2; ++k) {
      CuteLayout rest = modeOf(modeOf(zipped, 1), k);
      assertLaw(modeOf(tiled, k + 1) == rest, a, tiled, k);
      assertLaw(modeOf(flat, k + 2) == rest, a, flat, k);
      assertLaw(modeOf(flat, k) == modeOf(a, k), a, flat, k);
    }
    assertLaw(modeOf(tiled, 0) == a, a, tiled, 0);
  }
}

// ((a0,b0),(a1,b1)) and ((b0,a0),(b1,a1)) with b in the complement of a.
static void blockedAndRakedPairModes(void **state) {
  (void)state;
  for (int i = 0; i < 200; ++i) {
    CuteLayout block = randomLayoutOfSize(BIT_STRIDES, 8);
    CuteLayout a = cuteLayoutLogicalProduct(context, block,
                                            randomLayoutOfSize(BIT_STRIDES, 4));
    CuteLayout b = pairOf(layout("4:2"), layout("2:1"));
    CuteLayout rest = compose(cuteLayoutComplement(context, a, NULL), b);
    CuteLayout blocked = cuteLayoutBlockedProduct(context, a, b);
    CuteLayout raked = cuteLayoutRakedProduct(context, a, b);
    assertLaw(blocked && raked && rest, a, b, 0);
    for (int32_t k = 0; k < 2; ++k) {
      CuteLayout ak = modeOf(a, k), bk = modeOf(rest, k);
      assertLaw(areSameFunction(modeOf(blocked, k), pairOf(ak, bk)), a, b, k);
      assertLaw(areSameFunction(modeOf(raked, k), pairOf(bk, ak)), a, b, k);
    }
    assertLaw(haveSameImage(blocked, raked), a, b, 0);
  }
}

typedef CuteLayout Product(CuteContext context, CuteLayout a, CuteLayout b);

static Product *const forms[] = {
    cuteLayoutLogicalProduct, cuteLayoutTiledProduct, cuteLayoutFlatProduct,
    cuteLayoutBlockedProduct, cuteLayoutRakedProduct,
};

static void examples(void **state) {
  (void)state;
  static const struct {
    int form;
    const char *a, *b, *result;
  } cases[] = {
      {0, "(5,3):(3,1)", "(2,7):(1,2)", "((5,3),(2,7)):((3,1),(15,30))"},
      {0, "4:2", "6:1", "(4,(2,3)):(2,(1,8))"},
      {1, "4:2", "6:1", "(4,2,3):(2,1,8)"},
      {2, "(2,2):(4,1)", "6:1", "(2,2,2,3):(4,1,2,8)"},
      {3, "(5,3):(3,1)", "(2,7):(1,2)", "((5,2),(3,7)):((3,15),(1,30))"},
      {4, "(5,3):(3,1)", "(2,7):(1,2)", "((2,5),(7,3)):((15,3),(30,1))"},
      {3, "(2,2):(4,1)", "6:1", "((2,(2,3)),(2,1)):((4,(2,8)),(1,0))"},
      {3, "4:1", "6:1", "((4,6)):((1,4))"},
      {4, "4:1", "6:1", "((6,4)):((4,1))"},
      {4, "(2,2):(4,1)", "6:1", "((2,3,2),2):((2,8,4),1)"},
      {0, "(5,3):(3,1)", "(?,?):(1,?)", "((5,3),(?,?)):((3,1),(15,?))"},
      {0, "4:2", "?:1", "(4,(?,?)):(2,(1,8))"},
      {0, "(5,6):(1@0,1@1)", "(3,2):(1,3)",
       "((5,6),(3,2)):((1@0,1@1),(6@1,18@1))"},
      {3, "S<2,1,3> o ? o (4,4):(4,1)", "(2,?):(1,2)",
       "S<2,1,3> o ? o ((4,2),(4,?)):((4,16),(1,32))"},
      {0, "4:-1", "2:0", "(4,2):(-1,0)"},
      {0, "4:1", "2:?{div=8}", "(4,2):(1,?{div=32})"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    assertLayout(
        forms[cases[i].form](context, layout(cases[i].a), layout(cases[i].b)),
        cases[i].result);
}

static void rejects(void **state) {
  (void)state;
  static const struct {
    int form;
    const char *a, *b, *message;
  } cases[] = {
      {4, "4:2", "6:1", "cannot be paired in (2,3) and 4"},
      {4, "4:2", "?:1", "cannot be paired"},
      {0, "(?,4):(4,1)", "2:1", "must be static, not (?,4):(4,1)"},
      {0, "4:?", "6:1", "must be static, not 4:?"},
      {0, "(2,2):(1,1)", "3:1", "overlaps"},
      {0, "(5,3):(3,1)", "(2,7):(1@0,1@1)", "integer strides"},
      {0, "(5,6):(1@0,1@1)", "(3,?):(1,3)", "must be static"},
      {0, "4:1", "S<1,0,1> o 0 o (2,2):(1,2)", "plain layout"},
      {0, "4:4611686018427387904", "3:1", "overflows 64 bits"},
      {0, "4:1", "3:4611686018427387904", "overflows 64 bits"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    assertFailsFor(
        cases[i].a,
        forms[cases[i].form](context, layout(cases[i].a), layout(cases[i].b)),
        cases[i].message);
}

//===-- tile_to_shape -----------------------------------------------------===//

// A block of a compact layout gives a bijection onto the whole shape.
static void tilesTheShape(void **state) {
  (void)state;
  static const char *const orders[] = {"(0,1)", "(1,0)"};
  for (int i = 0; i < 200; ++i) {
    int64_t m = pick(1, 5), n = pick(1, 5), p = pick(1, 4), q = pick(1, 4);
    CuteIntTuple blockShape[] = {integer(m), integer(n)};
    CuteIntTuple shape[] = {integer(m * p), integer(n * q)};
    CuteLayout block = cuteLayoutGet(
        context, cuteIntTupleGetTuple(context, 2, blockShape), NULL);
    CuteLayout r = cuteLayoutTileToShape(
        context, block, cuteIntTupleGetTuple(context, 2, shape),
        tuple(orders[i % 2]));
    assertLaw(r && isBijective(r), block, r, i);
    for (int64_t c = 0; c < m * n * p * q; ++c) {
      int64_t x = c % (m * p), y = c / (m * p);
      int64_t number = i % 2 ? x / m * q + y / n : x / m + y / n * p;
      int64_t expected = number * m * n + x % m + y % n * m;
      assertLaw(indexAt(r, c) == expected, block, r, c);
    }
  }
}

static void tileToShapeExamples(void **state) {
  (void)state;
  static const char *const cases[][4] = {
      {"(4,8):(8,1)", "(8,16)", "", "((4,2),(8,2)):((8,32),(1,64))"},
      {"(4,8):(8,1)", "(8,16)", "(1,0)", "((4,2),(8,2)):((8,64),(1,32))"},
      {"(4,8):(8,1)", "(8,16,3)", "(2,0,1)",
       "((4,2),(8,2),(1,3)):((8,192),(1,32),(0,64))"},
      {"(4,8):(8,1)", "(9,16)", "", "((4,3),(8,2)):((8,32),(1,96))"},
      {"(4,8):(8,1)", "(?,16)", "", "((4,?),(8,2)):((8,32),(1,?))"},
      {"(?,8):(8,1)", "(8,16)", "", "((?,?),(8,2)):((8,?),(1,?))"},
      {"(4,2):(1,?)", "(4,2)", "", "((4,1),(2,1)):((1,0),(?,0))"},
      {"4:1", "8", "", "((4,(2))):((1,(4)))"},
      {"4:1", "(8,2)", "", "((4,2),(1,2)):((1,4),(0,8))"},
      {"S<2,1,3> o 0 o (4,8):(8,1)", "(4,16)", "",
       "S<2,1,3> o 0 o ((4,1),(8,2)):((8,0),(1,32))"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    assertLayout(
        cuteLayoutTileToShape(context, layout(cases[i][0]), tuple(cases[i][1]),
                              *cases[i][2] ? tuple(cases[i][2]) : NULL),
        cases[i][3]);
}

static void tileToShapeRejects(void **state) {
  (void)state;
  static const char *const cases[][4] = {
      {"(4,8):(8,1)", "8", "", "(4,8) has more modes than 8"},
      {"(4,8):(8,1)", "(8,16)", "(0,?)", "order (0,?) does not give each mode"},
      {"(4,8):(8,1)", "(8,16)", "0", "order 0 does not give each mode"},
      {"(4,?):(?,1)", "(8,16)", "", "must have static strides, not (?,1)"},
      {"(4,8):(8,1)", "(0,16)", "", "tent"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    assertFailsFor(
        cases[i][2],
        cuteLayoutTileToShape(context, layout(cases[i][0]), tuple(cases[i][1]),
                              *cases[i][2] ? tuple(cases[i][2]) : NULL),
        cases[i][3]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(repeatsInTheComplement),
      cmocka_unit_test(compactFactorsGiveBijections),
      cmocka_unit_test(formsUnpack),
      cmocka_unit_test(blockedAndRakedPairModes),
      cmocka_unit_test(examples),
      cmocka_unit_test(rejects),
      cmocka_unit_test(tilesTheShape),
      cmocka_unit_test(tileToShapeExamples),
      cmocka_unit_test(tileToShapeRejects),
  };
  return RUN_TESTS(tests);
}
