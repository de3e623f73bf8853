// Tiled copies made from other tiled things: what each thread has of the tile
// is what it has of the thing, at every thread and value.
#include "algebra_test_util.h"
#include "cute/Atom.h"

static const CuteCopyAtom *atomNamed(const char *name) {
  return made(cuteCopyAtomFind(cuteStringRef(name)), name);
}

static CuteTiledMma mmaOf(const char *atom, const char *atomLayout) {
  CuteTile all = cuteTileGetUnderscore(context), modes[] = {all, all, all};
  CuteTiledMma mma = {made(cuteMmaAtomFind(cuteStringRef(atom)), atom),
                      layout(atomLayout), cuteTileGetTuple(context, 3, modes)};
  assert_true(cuteTiledMmaCheck(context, mma));
  return mma;
}

// The column-major tile of C.
static CuteLayout tileOfC(CuteTiledMma mma) {
  CuteIntTuple extents[] = {cuteTiledMmaGetTileSize(context, mma, 0),
                            cuteTiledMmaGetTileSize(context, mma, 1)};
  return cuteLayoutGet(context, cuteIntTupleGetTuple(context, 2, extents),
                       NULL);
}

// Where value v of thread t lies in the tile of C.
static int64_t placeInC(CuteTiledMma mma, int64_t t, int64_t v) {
  CutePartition part = cuteTiledMmaPartition(context, mma, CUTE_OPERAND_C,
                                             tileOfC(mma), integer(t));
  made(part.layout, "partition");
  return cuteIntTupleGetValue(part.offset) + indexAt(part.layout, v);
}

static const struct {
  const char *atom, *atomLayout;
} mmas[] = {
    {"SM80_16x8x16_F32F16F16F32_TN", "(1,1,1):(0,0,0)"},
    {"SM80_16x8x16_F32F16F16F32_TN", "(2,2,1):(1,2,0)"},
    {"SM80_16x8x16_F32F16F16F32_TN", "(1,1,2):(0,0,1)"},
    {"SM80_16x8x16_F32F16F16F32_TN", "(1,2,2):(0,1,2)"},
    {"SM80_16x8x16_F32F16F16F32_TN", "(2,1,4):(4,0,1)"},
    {"SM80_16x8x8_F32TF32TF32F32_TN", "(2,2,2):(4,2,1)"},
    {"UniversalFMA<float,float,float,float>", "(4,4,2):(1,4,16)"},
};

enum { NUM_MMAS = sizeof mmas / sizeof *mmas };

static int64_t threadsOf(CuteLayout tv) { return sizeOf(modeOf(tv, 0)); }
static int64_t valuesOf(CuteLayout tv) { return sizeOf(modeOf(tv, 1)); }

// Threads that split K share what they have of C.
static void copiesOfCFollowTheMma(void **state) {
  (void)state;
  for (size_t i = 0; i < NUM_MMAS; ++i) {
    CuteTiledMma mma = mmaOf(mmas[i].atom, mmas[i].atomLayout);
    CuteTiledCopy copy =
        cuteTiledCopyGetForMma(context, atomNamed("UniversalCopy<uint32_t>"),
                               CUTE_ELEMENT_F32, mma, CUTE_OPERAND_C);
    assert_true(cuteTiledCopyCheck(context, copy));
    CuteLayout threads = cuteTiledMmaGetThrLayout(context, mma);
    int64_t n = threadsOf(copy.layoutTV);
    assert_int_equal(n, sizeOf(threads));
    for (int64_t t = 0; t < n; ++t)
      for (int64_t v = 0; v < valuesOf(copy.layoutTV); ++v)
        assertLaw(indexAt(copy.layoutTV, t + n * v) == placeInC(mma, t, v),
                  copy.layoutTV, threads, t);
  }
}

// Index p of the copy's tile -> index of what the tiler cuts.
static CuteLayout fromTile(CuteLayout whole, CuteTiledCopy copy) {
  return made(cuteLayoutComposition(context, whole, copy.tiler), "tile");
}

static void smallestCopiesOfC(void **state) {
  (void)state;
  static const char *const atoms[] = {"UniversalCopy<uint32_t>",
                                      "UniversalCopy<uint64_t>"};
  for (size_t i = 0; i < NUM_MMAS; ++i)
    for (size_t j = 0; j < 2; ++j) {
      CuteTiledMma mma = mmaOf(mmas[i].atom, mmas[i].atomLayout);
      CuteTiledCopy copy = cuteTiledCopyGetForMmaAtom(
          context, atomNamed(atoms[j]), CUTE_ELEMENT_F32, mma);
      if (j == 1 && i == NUM_MMAS - 1) { // one value of C
        assert_null(copy.layoutTV);
        continue;
      }
      assert_true(cuteTiledCopyCheck(context, copy));
      CuteLayout place = fromTile(tileOfC(mma), copy);
      int64_t n = threadsOf(copy.layoutTV);
      assert_int_equal(valuesOf(copy.layoutTV), j + 1);
      for (int64_t c = 0; c < sizeOf(copy.layoutTV); ++c)
        assertLaw(indexAt(place, indexAt(copy.layoutTV, c)) ==
                      placeInC(mma, c % n, c / n),
                  place, copy.layoutTV, c);
    }
}

static void cotiledCopiesAddressTheData(void **state) {
  (void)state;
  static const char *const cases[][2] = {
      {"(8,4):(4,1)", "(16,8):(1,16)"},
      {"(8,4):(4,1)", "(8,16):(16,1)"},
      {"(32,4):(4,1)", "(16,8):(8,1)"},
      {"((4,8),2):((2,16),1)", "(16,8):(8,1)"},
      {"(8,4):(8,2)", "(8,8):(8,1)"},
      {"(4,4):(1,16)", "(16,8):(1,16)"},
      {"(4,4):(32,1)", "(8,4,4):(4,1,32)"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    CuteLayout threads = layout(cases[i][0]), data = layout(cases[i][1]);
    CuteTiledCopy copy =
        cuteTiledCopyGetCotiled(context, atomNamed("UniversalCopy<uint16_t>"),
                                CUTE_ELEMENT_F16, threads, data);
    if (!copy.layoutTV || !cuteTiledCopyCheck(context, copy))
      fail_msg("%s of %s: %s", cases[i][0], cases[i][1],
               cuteContextGetError(context));
    CuteLayout place = fromTile(data, copy);
    for (int64_t c = 0; c < sizeOf(threads); ++c)
      assertLaw(indexAt(place, indexAt(copy.layoutTV, c)) ==
                    indexAt(threads, c),
                place, threads, c);
  }
}

// A copy like another's source or destination has the same of a tile.
static void copiesLikeASide(void **state) {
  (void)state;
  CuteTiledMma mma = mmaOf(mmas[1].atom, mmas[1].atomLayout);
  CuteTiledCopy other =
      cuteTiledCopyGetForMma(context, atomNamed("SM75_U32x4_LDSM_N"),
                             CUTE_ELEMENT_F16, mma, CUTE_OPERAND_A);
  CuteLayout tile =
      cuteLayoutGet(context, cuteTileGetShapes(context, other.tiler), NULL);
  for (CuteCopySide side = CUTE_SOURCE; side <= CUTE_DESTINATION; ++side) {
    CuteTiledCopy like =
        cuteTiledCopyGetLike(context, atomNamed("UniversalCopy<uint16_t>"),
                             CUTE_ELEMENT_F16, other, side);
    assert_true(cuteTiledCopyCheck(context, like));
    for (int64_t t = 0; t < threadsOf(like.layoutTV); ++t) {
      CutePartition a =
          cuteTiledCopyPartition(context, other, side, tile, integer(t));
      CutePartition b =
          cuteTiledCopyPartition(context, like, CUTE_SOURCE, tile, integer(t));
      assert_int_equal(sizeOf(a.layout), sizeOf(b.layout));
      for (int64_t v = 0; v < sizeOf(a.layout); ++v)
        assertLaw(cuteIntTupleGetValue(a.offset) + indexAt(a.layout, v) ==
                      cuteIntTupleGetValue(b.offset) + indexAt(b.layout, v),
                  a.layout, b.layout, v);
    }
  }
}

static void partitionShapes(void **state) {
  (void)state;
  CuteTiledMma mma = mmaOf(mmas[1].atom, mmas[1].atomLayout);
  CuteIntTuple shape = cuteLayoutGetShape(layout("(64,96)"));
  for (CuteMmaOperand x = CUTE_OPERAND_A; x <= CUTE_OPERAND_C; ++x) {
    CuteIntTuple found = cuteTiledMmaPartitionShape(context, mma, x, shape);
    for (int64_t t = 0; t < 128; t += 13)
      assert_ptr_equal(
          cuteLayoutGetShape(cuteTiledMmaPartition(
                                 context, mma, x, layout("(64,96)"), integer(t))
                                 .layout),
          made(found, "shape"));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(copiesOfCFollowTheMma),
      cmocka_unit_test(smallestCopiesOfC),
      cmocka_unit_test(cotiledCopiesAddressTheData),
      cmocka_unit_test(copiesLikeASide),
      cmocka_unit_test(partitionShapes),
  };
  return RUN_TESTS(tests);
}
