// Divides: A o (T, complement of T), and the same modes in other places.
#include "algebra_test_util.h"

static CuteLayout compose(CuteLayout a, CuteLayout b) {
  return cuteLayoutComposition(context, a, cuteTileGetLayout(context, b));
}

static CuteLayout logical(CuteLayout a, CuteLayout t) {
  return cuteLayoutLogicalDivide(context, a, cuteTileGetLayout(context, t));
}

static void isCompositionWithTileAndComplement(void **state) {
  (void)state;
  for (int i = 0; i < 300; ++i) {
    CuteLayout a = randomLayout(POWER_STRIDES);
    CuteLayout t = randomLayoutOfSize(BIT_STRIDES, 16);
    CuteLayout rest = cuteLayoutComplement(context, t, integer(sizeOf(a)));
    CuteLayout r = logical(a, t);
    assertLaw(r && rest && cuteLayoutGetRank(r) == 2, a, t, 0);
    assertLaw(areSameFunction(modeOf(r, 0), compose(a, t)), a, t, 0);
    for (int64_t c = 0, n = sizeOf(rest); c < n; ++c)
      assertLaw(indexAt(modeOf(r, 1), c) == indexAt(a, indexAt(rest, c)), a, t,
                c);
  }
}

// Contiguous modes are divided without regard to where they end: all elements,
// each once, and no tile without one.
static void takesEachElementOnce(void **state) {
  (void)state;
  for (int i = 0; i < 400; ++i) {
    CuteIntTuple extents[] = {integer(pick(2, 9)), integer(pick(2, 9)),
                              integer(pick(2, 9))};
    CuteIntTuple shape = cuteIntTupleGetTuple(context, 3, extents);
    CuteLayout a = cuteLayoutGet(context, shape, NULL);
    int64_t tile = pick(1, 20), n = sizeOf(a);
    CuteLayout r = logical(a, cuteLayoutGet(context, integer(tile), NULL));
    assertLaw(r && sizeOf(modeOf(r, 1)) == (n + tile - 1) / tile, a, r, tile);
    for (int64_t c = 0; c < n; ++c)
      assertLaw(indexAt(r, c) == c, a, r, c);
  }
}

// Where the tiler fits, the divided layout has the same indices.
static void keepsTheImage(void **state) {
  (void)state;
  for (int i = 0; i < 300; ++i) {
    CuteLayout t = randomLayoutOfSize(INJECTIVE_STRIDES, 12);
    CuteIntTuple end = cuteLayoutGetSize(
        context, pairOf(t, cuteLayoutComplement(context, t, integer(1))));
    int64_t step = pick(-3, 9), n = cuteIntTupleGetValue(end) * pick(1, 3);
    CuteLayout a = cuteLayoutGet(context, integer(n), integer(step ? step : 1));
    CuteLayout r = logical(a, t);
    assertLaw(r && haveSameImage(a, r), a, t, 0);
  }
}

// All forms have the modes of the logical one.
static void formsRearrange(void **state) {
  (void)state;
  for (int i = 0; i < 200; ++i) {
    CuteLayout parts[3];
    CuteIntTuple shapes[3], strides[3];
    CuteTile tiles[2];
    for (int k = 0; k < 3; ++k) {
      parts[k] = randomLayoutOfSize(POWER_STRIDES, 16);
      shapes[k] = cuteLayoutGetShape(parts[k]);
      strides[k] = cuteLayoutGetStride(parts[k]);
    }
    for (int k = 0; k < 2; ++k)
      tiles[k] = cuteTileGetLayout(context, randomLayoutOfSize(BIT_STRIDES, 4));
    CuteLayout a =
        cuteLayoutGet(context, cuteIntTupleGetTuple(context, 3, shapes),
                      cuteIntTupleGetTuple(context, 3, strides));
    CuteTile t = cuteTileGetTuple(context, 2, tiles);
    CuteLayout flat = cuteLayoutFlatDivide(context, a, t);
    CuteLayout tiled = cuteLayoutTiledDivide(context, a, t);
    CuteLayout zipped = cuteLayoutZippedDivide(context, a, t);
    CuteLayout divided = cuteLayoutLogicalDivide(context, a, t);
    assertLaw(divided && zipped && tiled && flat, a, a, 0);
    for (int32_t k = 0; k < 2; ++k) {
      CuteLayout part = cuteLayoutLogicalDivide(context, parts[k], tiles[k]);
      assertLaw(modeOf(divided, k) == part, a, part, k);
      CuteLayout tilePart = modeOf(part, 0), rest = modeOf(part, 1);
      assertLaw(modeOf(modeOf(zipped, 0), k) == tilePart, a, zipped, k);
      assertLaw(modeOf(modeOf(zipped, 1), k) == rest, a, zipped, k);
      assertLaw(modeOf(modeOf(tiled, 0), k) == tilePart, a, tiled, k);
      assertLaw(modeOf(tiled, k + 1) == rest, a, tiled, k);
      assertLaw(modeOf(flat, k) == tilePart, a, flat, k);
      assertLaw(modeOf(flat, k + 2) == rest, a, flat, k);
    }
    assertLaw(modeOf(divided, 2) == parts[2], a, divided, 2);
    assertLaw(modeOf(modeOf(zipped, 1), 2) == parts[2], a, zipped, 2);
    assertLaw(modeOf(tiled, 3) == parts[2], a, tiled, 3);
    assertLaw(modeOf(flat, 4) == parts[2], a, flat, 4);
  }
}

typedef CuteLayout Divide(CuteContext context, CuteLayout a, CuteTile tiler);

static Divide *const forms[] = {cuteLayoutLogicalDivide, cuteLayoutZippedDivide,
                                cuteLayoutTiledDivide, cuteLayoutFlatDivide};

static const struct {
  int form;
  const char *a, *tiler, *result;
} examples[] = {
    {0, "30:7", "5:3", "(5,(3,2)):(21,(7,105))"},
    {0, "40:1", "(2,5):(1,4)", "((2,5),(2,2)):((1,4),(2,20))"},
    {0, "(10,12):(12,1)", "4:1", "(4,(3,12)):(12,(48,1))"},
    {0, "24:1", "5:1", "(5,5):(1,5)"},
    {0, "24:1", "48:1", "(48,1):(1,48)"},
    {0, "24:1", "24:1", "(24,1):(1,24)"},
    {0, "24:1", "4:0", "(4,24):(0,1)"},
    {0, "(96,32):(1@1,1@0)", "3:32@0", "(3,(32,32)):(32@1,(1@1,1@0))"},
    {0, "(10,12):(12,1)", "6:2@1", "(6,(10,2)):(2,(12,1))"},
    {0, "(10,12):(12,1)", "[5;4]", "((5,2),(4,3)):((12,60),(1,4))"},
    {0, "(10,12):(12,1)", "[5]", "((5,2),12):((12,60),1)"},
    {0, "(10,12):(12,1)", "[5:2;_]", "((5,2),12):((24,12),1)"},
    {0, "(10,12):(12,1)", "_", "(10,12):(12,1)"},
    {0, "S<2,1,3> o 4 o 64:1", "8", "S<2,1,3> o 4 o (8,8):(1,8)"},
    {1, "(10,12,7):(12,1,120)", "[5;4]", "((5,4),(2,3,7)):((12,1),(60,4,120))"},
    {2, "(10,12,7):(12,1,120)", "[5;4]", "((5,4),2,3,7):((12,1),60,4,120)"},
    {3, "(10,12,7):(12,1,120)", "[5;4]", "(5,4,2,3,7):(12,1,60,4,120)"},
    // A tile that ends inside a leaf of the shape.
    {1, "(6,4):(1,6)", "8:1", "(8,3):(1,8)"},
    {1, "(6,6):(1,6)", "4:1", "(4,9):(1,4)"},
    {1, "(5,6):(1,5)", "2:1", "(2,15):(1,2)"},
    {1, "((6,4),(2,3)):((1,6),(24,48))", "[8;2]",
     "((8,2),(3,3)):((1,24),(8,48))"},
    {0, "((6,4),(2,3)):((1,6),(24,48))", "[8;_]",
     "((8,3),(2,3)):((1,8),(24,48))"},
    {1, "S<2,1,3> o 4 o (6,4):(1,6)", "8:1", "S<2,1,3> o 4 o (8,3):(1,8)"},
    {1, "((6,4),3):((1@0,6@0),1@1)", "[8;3]",
     "((8,3),(3,1)):((1@0,1@1),(8@0,3@1))"},
    {1, "15:1", "[5]", "((5),(3)):((1),(5))"},
    {0, "6:4", "[[3]]", "(((3,2))):(((4,12)))"},
    {1, "6:4", "[[3]]", "(((3)),((2))):(((4)),((12)))"},
    {2, "6:4", "[[3]]", "(((3)),(2)):(((4)),(12))"},
    {3, "6:4", "[[3]]", "((3),(2)):((4),(12))"},
    {2, "15:1", "[5]", "((5),3):((1),5)"},
    {2, "(10,12):(12,1)", "4:1", "(4,3,12):(12,48,1)"},
    {0, "?:1", "4:1", "(4,?):(1,4)"},
    {0, "?:1", "4:2", "(4,(2,?)):(2,(1,8))"},
    {0, "?:?", "4:1", "(4,?):(?,?)"},
    {0, "24:1", "?:1", "(?,?):(1,?)"},
    {0, "24:1", "4:?", "(4,(?,?)):(?,(1,?))"},
    {0, "(6,?):(?,1)", "[4;4]", "((4,2),(4,?)):((?,?),(1,4))"},
    {0, "(6,?):(?,1)", "3:1", "(3,(2,?)):(?,(?,1))"},
    {0, "24:1", "(2,?):(1,4)", "((2,?),(2,?)):((1,4),(2,?))"},
    {1, "(?,?):(?,1)", "[3;4]", "((3,4),(?,?)):((?,1),(?,4))"},
    {3, "(?,?):(?,1)", "[?;4]", "(?,4,?,?):(?,1,?,4)"},
    {0, "?{i64}:1", "4:1", "(4,?{i64}):(1,4)"},
    // What is written as a multiple stays known through the division.
    {1, "(?{div=32},?{i64 div=8}):(?{i64 div=8},1)", "[16;4]",
     "((16,4),(?{div=2},?{i64 div=2})):((?{i64 div=8},1),(?{i64 "
     "div=128},4))"},
};

static void givesTheExamples(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof examples / sizeof *examples; ++i)
    assertLayout(forms[examples[i].form](context, layout(examples[i].a),
                                         tile(examples[i].tiler)),
                 examples[i].result);
}

static void rejects(void **state) {
  (void)state;
  static const struct {
    int form;
    const char *a, *tiler, *message;
  } cases[] = {
      {0, "(10,12):(12,1)", "10:12", "stride 12"},
      {0, "(10,12):(12,1)", "[[5;2];4]", "logical_divide: the tiler"},
      {0, "(10,12):(12,1)", "[5:1@0;4]", "logical_divide: inside a tile"},
      {0, "(10,12):(12,1)", "[5;4;1]", "the tiler has 3 modes, the layout 2"},
      {0, "24:1", "(2,?):(1,?)", "static strides, not (1,?)"},
      {0, "(?,8):(8,1)", "4:2@1", "must be static"},
      {0, "24:1", "4:1@1", "logical_divide: the tiler's scaled bases 1@1"},
      {1, "(10,12):(12,1)", "[5;_]", "not a tile and its rest"},
      {2, "24:1", "_", "not a tile and its rest"},
      {3, "24:1", "_", "not a tile and its rest"},
      {2, "24:1", "[]", "an empty tiler"},
      {3, "24:1", "[]", "an empty tiler"},
      {0, "24:1", "4:4611686018427387904", "overflows 64 bits"},
      {0, "24:1", "0:1", "division by zero"},
      {0, "24:1", "x", "x"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    assertFailsFor(
        cases[i].tiler,
        forms[cases[i].form](context, layout(cases[i].a), tile(cases[i].tiler)),
        cases[i].message);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(isCompositionWithTileAndComplement),
      cmocka_unit_test(takesEachElementOnce),
      cmocka_unit_test(keepsTheImage),
      cmocka_unit_test(formsRearrange),
      cmocka_unit_test(givesTheExamples),
      cmocka_unit_test(rejects),
  };
  return RUN_TESTS(tests);
}
