// local_tile and local_partition: the tile of a block, the part of a thread.
#include "algebra_test_util.h"

static CuteIntTuple pairOfInts(int64_t a, int64_t b) {
  CuteIntTuple elements[] = {integer(a), integer(b)};
  return cuteIntTupleGetTuple(context, 2, elements);
}

static CuteLayout randomMatrix(int64_t m, int64_t n) {
  int64_t strides[] = {pick(1, 9), pick(1, 90)};
  return withStrides(pairOfInts(m, n), strides);
}

static int64_t indexIn(CutePartition part, int64_t c) {
  return cuteIntTupleGetValue(part.offset) + indexAt(part.layout, c);
}

// Element (x,y) of tile (i,j) is element (i tm + x, j tn + y) of the whole.
static void tilesAreBlocks(void **state) {
  (void)state;
  for (int k = 0; k < 200; ++k) {
    int64_t tm = pick(1, 4), tn = pick(1, 4), p = pick(1, 4), q = pick(1, 4);
    CuteLayout a = randomMatrix(tm * p, tn * q);
    CuteTile tiler = cuteTileGetShape(context, pairOfInts(tm, tn));
    int64_t i = pick(0, p - 1), j = pick(0, q - 1);
    CutePartition part =
        cuteLayoutLocalTile(context, a, tiler, pairOfInts(i, j), NULL);
    assertLaw(part.layout && sizeOf(part.layout) == tm * tn, a, part.layout, k);
    for (int64_t x = 0; x < tm; ++x)
      for (int64_t y = 0; y < tn; ++y)
        assertLaw(indexIn(part, x + tm * y) ==
                      indexAt(a, i * tm + x + (j * tn + y) * tm * p),
                  a, part.layout, x);
  }
}

// Value (x,y) of a thread at (i,j) is element (x tm + i, y tn + j).
static void threadsInterleave(void **state) {
  (void)state;
  for (int k = 0; k < 200; ++k) {
    int64_t tm = pick(1, 4), tn = pick(1, 4), p = pick(1, 4), q = pick(1, 4);
    CuteLayout a = randomMatrix(tm * p, tn * q);
    bool byRow = pick(0, 1);
    int64_t strides[] = {byRow ? tn : 1, byRow ? 1 : tm};
    CuteLayout threads = withStrides(pairOfInts(tm, tn), strides);
    for (int64_t t = 0; t < tm * tn; ++t) {
      int64_t i = byRow ? t / tn : t % tm, j = byRow ? t % tn : t / tm;
      CutePartition part =
          cuteLayoutLocalPartition(context, a, threads, integer(t), NULL);
      assertLaw(part.layout && sizeOf(part.layout) == p * q, a, threads, t);
      for (int64_t x = 0; x < p; ++x)
        for (int64_t y = 0; y < q; ++y)
          assertLaw(indexIn(part, x + p * y) ==
                        indexAt(a, x * tm + i + (y * tn + j) * tm * p),
                    a, threads, t);
    }
  }
}

static void checkTile(const char *a, const char *tiler, const char *coord,
                      const char *projection, const char *expected,
                      const char *offset) {
  CutePartition part =
      cuteLayoutLocalTile(context, layout(a), tile(tiler), tuple(coord),
                          *projection ? tuple(projection) : NULL);
  assertLayout(part.layout, expected);
  assertTuple(part.offset, offset);
}

static void examples(void **state) {
  (void)state;
  // A row of tiles; `_` and what the coordinate leaves out keep the rest.
  checkTile("(8,12):(1,8)", "[4;3]", "(1,_)", "", "(4,3,4):(1,8,24)", "4");
  checkTile("(8,12):(1,8)", "[4;3]", "(1)", "", "(4,3,4):(1,8,24)", "4");
  checkTile("(8,12,5):(1,8,96)", "[4;3]", "(1,2)", "", "(4,3,5):(1,8,96)",
            "52");
  // A single mode of a tile stays as it is.
  checkTile("(8,12):(1,8)", "[4]", "(1,2)", "", "((4)):((1))", "20");
  // The (M,K) tile of an (M,N,K) tiler.
  checkTile("(8,12):(1,8)", "[4;5;3]", "(1,7,_)", "(1,_,1)", "(4,3,4):(1,8,24)",
            "4");
  // The tile of a block index, with what is known of the offset.
  checkTile("(?,64):(64,1)", "[16;64]", "(?,0)", "", "(16,64):(64,1)",
            "?{div=1024}");
  checkTile("(?,?{div=64}):(?{i64 div=64},1)", "[16;64]", "(?,_)", "",
            "(16,64,?):(?{i64 div=64},1,64)", "?{i64 div=1024}");
  checkTile("S<2,1,3> o 0 o (8,8):(8,1)", "[4;8]", "(1,0)", "",
            "S<2,1,3> o 32 o (4,8):(8,1)", "0");
  CutePartition part = cuteLayoutLocalPartition(
      context, layout("(8,12):(1,8)"), layout("(4,3):(3,1)"), tuple("?"), NULL);
  assertLayout(part.layout, "(2,4):(4,24)");
  assertTuple(part.offset, "?");
  // Threads (M,N,K) over an (M,K) matrix: those along N see the same part.
  part = cuteLayoutLocalPartition(context, layout("(8,12):(1,8)"),
                                  layout("(4,5,3):(1,4,20)"), tuple("46"),
                                  tuple("(1,_,1)"));
  assertLayout(part.layout, "(2,4):(4,24)");
  assertTuple(part.offset, "18");
}

static void rejects(void **state) {
  (void)state;
  CuteLayout a = layout("(8,12):(1,8)");
  assertFails(
      cuteLayoutLocalTile(context, a, tile("[4;3]"), tuple("(1,1,1)"), NULL)
          .layout,
      "(1,1,1)");
  assertFails(
      cuteLayoutLocalTile(context, a, tile("[4;3;2]"), tuple("(1,1)"), NULL)
          .layout,
      "the tiler has 3 modes, the layout 2");
  assertFails(cuteLayoutLocalTile(context, a, tile("[4;3]"), tuple("(1,1)"),
                                  tuple("(1,_,1)"))
                  .layout,
              "projection does not match the modes of the tiler: (1,_,1)");
  assertFails(cuteLayoutLocalTile(context, a, tile("[4;5;3]"), tuple("(1,1)"),
                                  tuple("(1,_,1)"))
                  .layout,
              "projection (1,_,1) does not match the coordinate (1,1)");
  assertFails(cuteLayoutLocalPartition(context, a, layout("(4,3,2):(1,4,12)"),
                                       tuple("0"), NULL)
                  .layout,
              "the tiler has 3 modes");
  assertFails(cuteLayoutLocalPartition(context, a, layout("(4,3):(1@0,1@1)"),
                                       tuple("1"), NULL)
                  .layout,
              "1@1");
  assert_null(
      cuteLayoutLocalTile(context, NULL, tile("4"), tuple("0"), NULL).layout);
  assert_null(
      cuteLayoutLocalPartition(context, a, NULL, tuple("0"), NULL).layout);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tilesAreBlocks),
      cmocka_unit_test(threadsInterleave),
      cmocka_unit_test(examples),
      cmocka_unit_test(rejects),
  };
  return RUN_TESTS(tests);
}
