// Pictures of tiled MMAs and tiled copies: every cell names a thread whose part
// of the tile, by partitioning, has the element.
#include "check.h"

#include "Calculator/language/calculator.h"
#include "Calculator/pictures/picture.h"

#include <stdio.h>
#include <stdlib.h>

static CuteContext context;

static int createContext(void **state) {
  (void)state;
  context = cuteContextCreate();
  return context == NULL;
}

static int destroyContext(void **state) {
  (void)state;
  cuteContextDestroy(context);
  return 0;
}

static CuteLayout layout(const char *text) {
  CuteLayout result = cuteLayoutParse(context, cuteStringRef(text));
  assert_non_null(result);
  return result;
}

static CuteTile tile(const char *text) {
  CuteTile result = cuteTileParse(context, cuteStringRef(text));
  assert_non_null(result);
  return result;
}

static CuteIntTuple integer(int64_t value) {
  return cuteIntTupleGetStatic(context, value);
}

static CutePicture pictureOf(CuteValue value) {
  CutePicture picture;
  CutePictureOptions options = {
      .expression = "x", .maxCells = 512 * 512, .elements = true};
  if (!cutePictureCreate(context, value, options, &picture))
    fail_msg("%s", cuteContextGetError(context));
  return picture;
}

// The labels of a part's elements are the thread's, where it is the first that
// holds them; returns how many are.
static size_t checkPart(const CutePictureGrid *grid, CutePartition part,
                        int64_t thread) {
  assert_non_null(part.layout);
  CutePictureGrids grids = {(CutePictureGrid *)grid, 1, 0, 0};
  grids.rows = grid->isTransposed ? grid->columns.extent : grid->rows.extent;
  grids.columns = grid->isTransposed ? grid->rows.extent : grid->columns.extent;
  int64_t n = cuteIntTupleGetValue(cuteLayoutGetSize(context, part.layout));
  int64_t offset = cuteIntTupleGetValue(part.offset);
  size_t found = 0;
  for (int64_t v = 0; v < n; ++v) {
    int64_t index =
        offset +
        cuteIntTupleGetValue(cuteLayoutEval(context, part.layout, integer(v)));
    const CutePictureCell *cell = cutePictureGetCell(grids, index);
    assert_non_null(cell->labels[0]);
    bool isFirst = atoll(cell->labels[0] + 1) == thread;
    assert_true(isFirst || cell->others > 0);
    if (isFirst) {
      assert_int_equal(atoll(cell->labels[1] + 1), v);
      ++found;
    }
  }
  return found;
}

static int64_t extentOf(const CutePictureAxis *axis) {
  return (int64_t)axis->extent;
}

// A compact layout of a grid's domain.
static CuteLayout domainOf(const CutePictureGrid *grid) {
  bool swap = grid->isTransposed;
  CuteIntTuple extents[] = {
      integer(extentOf(swap ? &grid->columns : &grid->rows)),
      integer(extentOf(swap ? &grid->rows : &grid->columns))};
  return cuteLayoutGet(context, cuteIntTupleGetTuple(context, 2, extents),
                       NULL);
}

static void checkMma(const char *atom, const char *atoms,
                     const char *permutation, int64_t threads) {
  CuteTiledMma mma = {cuteMmaAtomFind(cuteStringRef(atom)), layout(atoms),
                      tile(permutation)};
  assert_true(cuteTiledMmaCheck(context, mma));
  CutePicture picture =
      pictureOf((CuteValue){.kind = CUTE_VALUE_TILED_MMA, .mma = mma});
  assert_int_equal(picture.numGrids, 3);
  for (size_t i = 0; i < 3; ++i) {
    const CutePictureGrid *grid = &picture.grids[i];
    assert_int_equal(*grid->operand, "ABC"[i]);
    size_t found = 0;
    for (int64_t t = 0; t < threads; ++t)
      found += checkPart(grid,
                         cuteTiledMmaPartition(context, mma, (CuteMmaOperand)i,
                                               domainOf(grid), integer(t)),
                         t);
    assert_int_equal(found, grid->rows.extent * grid->columns.extent);
  }
  cutePictureDestroy(&picture);
}

static void testTiledMma(void **state) {
  (void)state;
  checkMma("SM80_16x8x16_F32F16F16F32_TN", "(1,1,1):(0,0,0)", "[_;_;_]", 32);
  checkMma("SM80_16x8x16_F32F16F16F32_TN", "(2,2,1):(1,2,0)", "[_;_;_]", 128);
  checkMma("SM80_16x8x8_F16F16F16F16_TN", "(2,1,1):(1,0,0)", "[32:1;16:1;16:1]",
           64);
}

static void checkCopy(const char *atom, CuteElementType element,
                      const char *threads, const char *values, int64_t count) {
  CuteTiledCopy copy =
      cuteTiledCopyGet(context, cuteCopyAtomFind(cuteStringRef(atom)), element,
                       layout(threads), layout(values));
  assert_true(cuteTiledCopyCheck(context, copy));
  CutePicture picture =
      pictureOf((CuteValue){.kind = CUTE_VALUE_TILED_COPY, .copy = copy});
  // Sides that are alike are one.
  assert_int_equal(picture.numGrids, strstr(atom, "LDSM") ? 2 : 1);
  for (size_t i = 0; i < 2; ++i) {
    const CutePictureGrid *grid = &picture.grids[i % picture.numGrids];
    size_t found = 0;
    for (int64_t t = 0; t < count; ++t)
      found += checkPart(grid,
                         cuteTiledCopyPartition(context, copy, (CuteCopySide)i,
                                                domainOf(grid), integer(t)),
                         t);
    assert_int_equal(found, grid->rows.extent * grid->columns.extent);
  }
  cutePictureDestroy(&picture);
}

static void testTiledCopy(void **state) {
  (void)state;
  checkCopy("UniversalCopy<uint128_t>", CUTE_ELEMENT_F16, "(16,8):(8,1)",
            "(1,8):(0,1)", 128);
  checkCopy("UniversalCopy<uint32_t>", CUTE_ELEMENT_F32, "(32,8):(1,32)",
            "(4,1):(1,0)", 256);
  checkCopy("SM75_U32x4_LDSM_N", CUTE_ELEMENT_F16, "(16,2):(1,16)",
            "(1,8):(0,1)", 32);
}

// Tiles of atoms are hierarchical, so that rules and margins show the atoms.
static void testAtomBoundaries(void **state) {
  (void)state;
  CuteTiledMma mma = {
      cuteMmaAtomFind(cuteStringRef("SM80_16x8x16_F32F16F16F32_TN")),
      layout("(2,2,1):(1,2,0)"), tile("[_;_;_]")};
  CutePicture picture =
      pictureOf((CuteValue){.kind = CUTE_VALUE_TILED_MMA, .mma = mma});
  const CutePictureGrid *c = &picture.grids[2];
  assert_int_equal(c->rows.extent, 32);
  assert_int_equal(c->rows.numLevels, 2);
  assert_string_equal(c->rows.coords[17], "(1,1)");
  for (size_t i = 0; i <= 32; ++i)
    assert_int_equal(cutePictureGetRule(&c->rows, i), i == 16 ? 1 : 0);
  CuteString svg = {0};
  assert_true(cutePictureWriteSvg(context, &picture, &svg));
  assert_non_null(strstr(cuteStringGet(&svg), "data-operand=\"C\""));
  cuteStringDestroy(&svg);
  cutePictureDestroy(&picture);
}

// Atoms along K lead past C's tile, as in CuTe: the picture says so.
static void testSpill(void **state) {
  (void)state;
  CuteTiledMma mma = {
      cuteMmaAtomFind(cuteStringRef("SM80_16x8x16_F32F16F16F32_TN")),
      layout("(2,2,2):(1,2,4)"), tile("[_;_;_]")};
  CutePicture picture =
      pictureOf((CuteValue){.kind = CUTE_VALUE_TILED_MMA, .mma = mma});
  assert_int_equal(picture.numNotes, 4); // of warps, A's and B's broadcasts
  assert_string_equal(picture.notes[3],
                      "C: 512 (thread,value) pairs lead past the tile");
  cutePictureDestroy(&picture);
}

static void testEscaping(void **state) {
  (void)state;
  CuteString text = {0};
  cuteAppendXml(&text, "<a b=\"c\" & 'd'>\n");
  assert_string_equal(cuteStringGet(&text),
                      "&lt;a b=&quot;c&quot; &amp; &#39;d&#39;&gt; ");
  cuteStringDestroy(&text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(testTiledMma),       cmocka_unit_test(testTiledCopy),
      cmocka_unit_test(testAtomBoundaries), cmocka_unit_test(testSpill),
      cmocka_unit_test(testEscaping),
  };
  return cmocka_run_group_tests(tests, createContext, destroyContext);
}
