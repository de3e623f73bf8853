// Tiled copy: the parts of all threads move every element to its place.
#include "algebra_test_util.h"
#include "cute/Atom.h"

static const CuteCopyAtom *atomNamed(const char *name) {
  return made(cuteCopyAtomFind(cuteStringRef(name)), name);
}

static CuteTiledCopy make(const char *atom, CuteElementType element,
                          const char *threads, const char *values) {
  CuteTiledCopy copy = cuteTiledCopyGet(context, atomNamed(atom), element,
                                        layout(threads), layout(values));
  if (!copy.layoutTV || !cuteTiledCopyCheck(context, copy))
    fail_msg("%s: %s", atom, cuteContextGetError(context));
  return copy;
}

static int64_t numThreads(CuteTiledCopy copy) {
  return sizeOf(modeOf(copy.layoutTV, 0));
}

static CuteLayout matrixOf(CuteTiledCopy copy, int64_t m, int64_t n,
                           bool byRow) {
  CuteIntTuple tile = cuteTileGetShapes(context, copy.tiler);
  int64_t rows = m * cuteIntTupleGetValue(cuteIntTupleGetElement(tile, 0));
  int64_t columns = n * cuteIntTupleGetValue(cuteIntTupleGetElement(tile, 1));
  CuteIntTuple extents[] = {integer(rows), integer(columns)};
  int64_t strides[] = {byRow ? columns : 1, byRow ? 1 : rows};
  return withStrides(cuteIntTupleGetTuple(context, 2, extents), strides);
}

static CutePartition partOf(CuteTiledCopy copy, CuteCopySide side,
                            CuteLayout whole, int64_t thread) {
  CutePartition part =
      cuteTiledCopyPartition(context, copy, side, whole, integer(thread));
  made(part.layout, "partition");
  return part;
}

static int64_t indexIn(CutePartition part, int64_t c) {
  return cuteIntTupleGetValue(part.offset) + indexAt(part.layout, c);
}

// The parts of all threads are the whole, each element once.
static void checkCover(CuteTiledCopy copy, CuteCopySide side,
                       CuteLayout whole) {
  int64_t n = sizeOf(whole);
  char *seen = calloc((size_t)n, 1);
  for (int64_t t = 0; t < numThreads(copy); ++t) {
    CutePartition part = partOf(copy, side, whole, t);
    for (int64_t c = 0; c < sizeOf(part.layout); ++c) {
      int64_t index = indexIn(part, c);
      assertLaw(index >= 0 && index < n && !seen[index], whole, copy.layoutTV,
                index);
      seen[index] = 1;
    }
  }
  assertLaw(!memchr(seen, 0, (size_t)n), whole, copy.layoutTV, n);
  free(seen);
}

static const struct {
  const char *atom;
  CuteElementType element;
  const char *threads, *values;
} copies[] = {
    {"UniversalCopy<uint128_t>", CUTE_ELEMENT_F16, "(32,4):(4,1)", "(1,8)"},
    {"UniversalCopy<uint128_t>", CUTE_ELEMENT_F32, "(8,16):(1,8)", "(4,1)"},
    {"UniversalCopy<uint32_t>", CUTE_ELEMENT_F32, "(4,8):(8,1)", "(2,3):(3,1)"},
    {"UniversalCopy<uint16_t>", CUTE_ELEMENT_I8, "(3,4):(4,1)", "(1,6):(6,1)"},
    {"SM80_CP_ASYNC_CACHEGLOBAL", CUTE_ELEMENT_I8, "(16,8):(8,1)", "(1,16)"},
    {"SM80_CP_ASYNC_CACHEALWAYS<uint64_t>", CUTE_ELEMENT_F16, "(8,4)",
     "(8,2):(1,8)"},
};

static void coversOnce(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof copies / sizeof *copies; ++i) {
    CuteTiledCopy copy = make(copies[i].atom, copies[i].element,
                              copies[i].threads, copies[i].values);
    assertLaw(isBijective(copy.layoutTV), copy.layoutTV, copy.layoutTV, i);
    for (int form = 0; form < 4; ++form) {
      CuteLayout whole = matrixOf(copy, 1 + form % 2, 2, form / 2);
      checkCover(copy, CUTE_SOURCE, whole);
      checkCover(copy, CUTE_DESTINATION, whole);
    }
  }
}

// Element c of a thread's source goes to element c of its destination, in
// another layout; consecutive elements of one access are neighbours.
static void movesToTheSamePlace(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof copies / sizeof *copies; ++i) {
    CuteTiledCopy copy = make(copies[i].atom, copies[i].element,
                              copies[i].threads, copies[i].values);
    CuteLayout columns = matrixOf(copy, 2, 2, false);
    CuteLayout rows = matrixOf(copy, 2, 2, true);
    CuteLayout toColumns = cuteLayoutRightInverse(context, columns);
    CuteLayout toRows = cuteLayoutRightInverse(context, rows);
    for (int64_t t = 0; t < numThreads(copy); ++t) {
      CutePartition from = partOf(copy, CUTE_SOURCE, columns, t);
      CutePartition to = partOf(copy, CUTE_DESTINATION, rows, t);
      for (int64_t c = 0, n = sizeOf(from.layout); c < n; ++c)
        assertLaw(indexAt(toColumns, indexIn(from, c)) ==
                      indexAt(toRows, indexIn(to, c)),
                  from.layout, to.layout, c);
    }
  }
}

// The tile's TV layout and the partition of the column-major tile agree.
static void layoutTVIsThePartitionOfTheTile(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof copies / sizeof *copies; ++i) {
    CuteTiledCopy copy = make(copies[i].atom, copies[i].element,
                              copies[i].threads, copies[i].values);
    CuteLayout whole = matrixOf(copy, 1, 1, false);
    for (int64_t t = 0, threads = numThreads(copy); t < threads; ++t) {
      CutePartition part = partOf(copy, CUTE_SOURCE, whole, t);
      for (int64_t v = 0, n = sizeOf(part.layout); v < n; ++v)
        assertLaw(indexIn(part, v) == indexAt(copy.layoutTV, t + threads * v),
                  copy.layoutTV, part.layout, t);
    }
    CuteLayout tidFrg =
        cuteTiledCopyTidFrg(context, copy, CUTE_DESTINATION, whole);
    assertLaw(tidFrg && haveSameImage(tidFrg, whole), whole, tidFrg, i);
  }
}

//===-- ldmatrix for an MMA -----------------------------------------------===//

static CuteTiledMma tiledMma(void) {
  CuteTiledMma mma = {
      cuteMmaAtomFind(cuteStringRef("SM80_16x8x16_F32F16F16F32_TN")),
      layout("(2,2,1):(1,2,0)"), tile("[32;32;16]")};
  if (!cuteTiledMmaCheck(context, mma))
    fail_msg("%s", cuteContextGetError(context));
  return mma;
}

// Retiling the registers of an MMA's part shows the copy, at each of its
// coordinates, the register that the MMA wants the element in.
static void checkRetile(const char *atom, CuteMmaOperand operand,
                        CuteLayout whole) {
  CuteTiledMma mma = tiledMma();
  CuteTiledCopy copy = cuteTiledCopyGetForMma(context, atomNamed(atom),
                                              CUTE_ELEMENT_F16, mma, operand);
  if (!cuteTiledCopyCheck(context, copy))
    fail_msg("%s: %s", atom, cuteContextGetError(context));
  for (int64_t t = 0; t < 128; ++t) {
    CutePartition wanted =
        cuteTiledMmaPartition(context, mma, operand, whole, integer(t));
    CutePartition copied = partOf(copy, CUTE_DESTINATION, whole, t);
    CuteLayout registers = cuteLayoutGetFragmentLike(context, wanted.layout);
    CuteLayout retiled = cuteTiledCopyRetile(context, copy, registers);
    assertLaw(retiled && sizeOf(retiled) == sizeOf(copied.layout), whole,
              retiled, t);
    CuteLayout toCoord = cuteLayoutRightInverse(context, registers);
    for (int64_t c = 0, n = sizeOf(retiled); c < n; ++c) {
      int64_t value = indexAt(toCoord, indexAt(retiled, c));
      assertLaw(indexIn(copied, c) == indexIn(wanted, value), retiled,
                copied.layout, c);
    }
  }
}

static void retileFitsTheMma(void **state) {
  (void)state;
  CuteLayout a = layout("(64,32):(32,1)"), b = layout("(32,32):(1,32)");
  checkRetile("SM75_U32x4_LDSM_N", CUTE_OPERAND_A, a);
  checkRetile("SM75_U32x2_LDSM_N", CUTE_OPERAND_B, a);
  checkRetile("SM75_U16x8_LDSM_T", CUTE_OPERAND_B, b);
  checkRetile("UniversalCopy<uint32_t>", CUTE_OPERAND_A, a);
  checkRetile("UniversalCopy<uint16_t>", CUTE_OPERAND_B, b);
}

// Each row of 8 elements that ldmatrix reads is 16 bytes in one place.
static void ldmatrixReadsRows(void **state) {
  (void)state;
  CuteTiledCopy copy =
      cuteTiledCopyGetForMma(context, atomNamed("SM75_U32x4_LDSM_N"),
                             CUTE_ELEMENT_F16, tiledMma(), CUTE_OPERAND_A);
  CuteLayout whole = layout("(32,16):(16,1)");
  for (int64_t t = 0; t < 128; ++t) {
    CutePartition part = partOf(copy, CUTE_SOURCE, whole, t);
    assert_int_equal(sizeOf(modeOf(modeOf(part.layout, 0), 0)), 8);
    for (int64_t v = 0; v < 8; ++v)
      assertLaw(indexIn(part, v) == indexIn(part, 0) + v &&
                    indexIn(part, 0) % 8 == 0,
                part.layout, whole, t);
  }
}

static void examples(void **state) {
  (void)state;
  CuteTiledCopy copy = make("UniversalCopy<uint128_t>", CUTE_ELEMENT_F16,
                            "(32,4):(4,1)", "(1,8)");
  assertTile(copy.tiler, "[32:1;32:1]");
  CutePartition part = cuteTiledCopyPartition(
      context, copy, CUTE_SOURCE, layout("(128,64):(64,1)"), tuple("?"));
  assertLayout(part.layout, "((8,1),4,2):((1,0),2048,32)");
  assertTuple(part.offset, "?{div=8}");
  part = cuteTiledCopyPartition(context, copy, CUTE_SOURCE,
                                layout("(?,64):(64,1)"), integer(5));
  assertLayout(part.layout, "((8,1),?,2):((1,0),2048,32)");
  assertTuple(part.offset, "72");
}

static void rejects(void **state) {
  (void)state;
  CuteTiledCopy copy = cuteTiledCopyGet(
      context, atomNamed("UniversalCopy<uint16_t>"), CUTE_ELEMENT_F32,
      layout("(32,4):(4,1)"), layout("(1,8)"));
  assertFails(cuteTiledCopyCheck(context, copy),
              "moves 16 bits, which is not a whole number of f32 elements");
  copy = cuteTiledCopyGet(context, atomNamed("UniversalCopy<uint128_t>"),
                          CUTE_ELEMENT_F16, layout("(32,4):(4,1)"),
                          layout("(1,4)"));
  assertFails(cuteTiledCopyCheck(context, copy),
              "the 4 values of the TV layout must be a multiple of the atom's "
              "8");
  copy = cuteTiledCopyGet(context, atomNamed("SM75_U32x4_LDSM_N"),
                          CUTE_ELEMENT_F16, layout("(8,2):(2,1)"),
                          layout("(1,8)"));
  assertFails(cuteTiledCopyCheck(context, copy),
              "the 16 threads of the TV layout must be a multiple of the "
              "atom's 32");
  copy.layoutTV = layout("(?,8)");
  assertFails(cuteTiledCopyCheck(context, copy), "needs a static");
  copy.layoutTV = layout("32:1");
  assertFails(cuteTiledCopyCheck(context, copy), "of rank 2");
  copy.layoutTV = NULL;
  assert_false(cuteTiledCopyCheck(context, copy));
  copy = make("UniversalCopy<uint128_t>", CUTE_ELEMENT_F16, "(32,4):(4,1)",
              "(1,8)");
  assertFails(cuteTiledCopyTidFrg(context, copy, CUTE_SOURCE, layout("64:1")),
              "the tiler has more modes than shape 64");
  assertFails(cuteTiledCopyRetile(context, copy, layout("8:1")),
              "retile: needs a static fragment");
  assertFails(cuteTiledCopyRetile(context, copy, layout("(8,?,2)")),
              "retile: needs a static fragment");
  assert_null(
      cuteTiledCopyPartition(context, copy, CUTE_SOURCE, NULL, integer(0))
          .layout);
  assert_null(cuteTiledCopyGet(context, copy.atom, CUTE_ELEMENT_F16,
                               layout("(32,4):(4,?)"), layout("(1,8)"))
                  .layoutTV);
}

// With a TV layout and a tiler that somebody wrote.
static void rejectsOutsideTheTile(void **state) {
  (void)state;
  static const char *const cases[][3] = {
      {"(32,2):(2,1)", "[8:1;7:1]", "leads out of the tile (8,7)"},
      {"(32,2):(1,33)", "[8:1;8:1]", "leads out of the tile (8,8)"},
      {"(32,2):(-1,32)", "[8:1;8:1]", "leads out of the tile"},
      {"((8,4),2):((1@0,1@1),5@1)", "[8:1;8:1]", "leads out of the tile"},
      {"((8,4),2):((-1@0,1@1),4@1)", "[8:1;8:1]", "leads out of the tile"},
      {"((8,4),2):((1@0,1@2),4@1)", "[8:1;8:1]", "leads out of the tile"},
      {"(32,2):(2,1)", "[8:-1;8:1]", "strides not negative"},
      {"(32,2):(2,1)", "[-8:1;-8:1]", "extents must be positive"},
      {"(32,2):(2,1)", "[_;8:1]", "extents must be positive"},
  };
  CuteTiledCopy copy = {atomNamed("UniversalCopy<uint16_t>"), CUTE_ELEMENT_F16,
                        NULL, NULL};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    copy.layoutTV = layout(cases[i][0]);
    copy.tiler = tile(cases[i][1]);
    assertFailsFor(cases[i][0], cuteTiledCopyCheck(context, copy), cases[i][2]);
  }
  copy.layoutTV = layout("((8,4),2):((1@0,1@1),4@1)");
  copy.tiler = tile("[8:1;8:1]");
  assert_true(cuteTiledCopyCheck(context, copy));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(coversOnce),
      cmocka_unit_test(movesToTheSamePlace),
      cmocka_unit_test(layoutTVIsThePartitionOfTheTile),
      cmocka_unit_test(retileFitsTheMma),
      cmocka_unit_test(ldmatrixReadsRows),
      cmocka_unit_test(examples),
      cmocka_unit_test(rejects),
      cmocka_unit_test(rejectsOutsideTheTile),
  };
  return RUN_TESTS(tests);
}
