// TMA atoms: the boxes of their instructions, put into shared memory as the
// hardware does, are the tile.
#include "algebra_test_util.h"

#include "cute/Tma.h"

enum { MAX_TILE = 1 << 15 };

static CuteTmaAtom make(CuteIntTuple shape, CuteLayout smem, CuteTile tiler,
                        int64_t ctas) {
  const char *name = ctas > 1 ? "SM90_TMA_LOAD_MULTICAST" : "SM90_TMA_LOAD";
  return cuteTmaAtomMake(context, cuteCopyAtomFind(cuteStringRef(name)),
                         CUTE_ELEMENT_F16, shape, smem, tiler, ctas);
}

static CuteLayout layoutOf(const char *text) {
  return strchr(text, 'S')
             ? cuteComposedLayoutParse(context, cuteStringRef(text))
             : cuteLayoutParse(context, cuteStringRef(text));
}

// Coordinate i, 0 where the tuple ends before.
static int64_t leaf(CuteIntTuple tuple, size_t i) {
  bool isTuple = cuteIntTupleGetKind(tuple) == CUTE_TUPLE;
  if (i >= cuteIntTupleGetRank(tuple))
    return 0;
  return cuteIntTupleGetValue(isTuple ? cuteIntTupleGetElement(tuple, i)
                                      : tuple);
}

// Index i of a layout of integers.
static int64_t at(CuteLayout layout, int64_t i) {
  return cuteIntTupleGetValue(cuteLayoutEval(context, layout, integer(i)));
}

// Copies tile (0, 0) of an M x N tensor whose element (m, n) is m * N + n by
// the instructions of the atom, and compares what lies where with the layout.
static void checkTile(const char *smemText, int64_t m, int64_t n,
                      int64_t numInstructions) {
  static int64_t memory[MAX_TILE];
  CuteLayout smem = layoutOf(smemText),
             plain = cuteLayoutGetOuter(context, smem);
  CuteIntTuple extents[] = {integer(m), integer(n)};
  CuteIntTuple shape = cuteIntTupleGetTuple(context, 2, extents);
  CuteTmaAtom tma = make(shape, smem, cuteTileGetShape(context, shape), 1);
  if (!tma.atom)
    fail_msg("%s: %s", smemText, cuteContextGetError(context));
  CuteLayout one = cuteLayoutGroup(context, plain, 0, 2);
  CuteLayout coords =
      cuteLayoutGroup(context, cuteLayoutGetIdentity(context, shape), 0, 2);
  CuteLayout from = cuteTmaAtomPartition(context, tma, coords, NULL).layout;
  CuteLayout to = cuteTmaAtomPartition(context, tma, one, NULL).layout;
  int64_t size = cuteIntTupleGetValue(cuteLayoutGetSize(context, tma.box));
  assert_int_equal(size * numInstructions, m * n);
  for (int64_t k = 0; k < numInstructions; ++k) {
    CuteIntTuple origin = cuteLayoutEval(context, from, integer(k * size));
    for (int64_t v = 0; v < size; ++v) {
      CuteIntTuple step = cuteLayoutEval(context, tma.box, integer(v));
      int64_t row = leaf(origin, 0) + leaf(step, 0);
      int64_t column = leaf(origin, 1) + leaf(step, 1);
      memory[at(to, k * size) + v] = row * n + column;
    }
  }
  for (int64_t i = 0; i < m * n; ++i)
    assert_int_equal(memory[at(plain, i)], i % m * n + i / m);
}

static void testTiles(void **state) {
  (void)state;
  checkTile("(128,64):(64,1)", 128, 64, 1);
  checkTile("(64,128):(1,64)", 64, 128, 1);
  checkTile("S<3,3,3> o 0 o (128,64):(64,1)", 128, 64, 1);
  checkTile("S<3,3,3> o 0 o ((8,16),(64,2)):((64,512),(1,8192))", 128, 128, 2);
  checkTile("S<2,3,3> o 0 o (64,(32,4)):(32,(1,2048))", 64, 128, 4);
  checkTile("S<1,3,3> o 0 o (16,16):(16,1)", 16, 16, 1);
  checkTile("(8,512):(512,1)", 8, 512, 16);
  checkTile("(512,32):(1,512)", 512, 32, 64);
}

static void testMulticast(void **state) {
  (void)state;
  CuteIntTuple extents[] = {integer(256), integer(64)};
  CuteIntTuple shape = cuteIntTupleGetTuple(context, 2, extents);
  CuteTmaAtom tma = make(shape, layoutOf("S<3,3,3> o 0 o (256,64):(64,1)"),
                         cuteTileGetShape(context, shape), 2);
  int64_t box[CUTE_MAX_TMA_RANK];
  assert_non_null(tma.atom);
  assert_int_equal(cuteTmaAtomGetBox(tma, box), 2);
  assert_int_equal(box[0], 64);
  assert_int_equal(box[1], 128);
  CutePartition smem = cuteTmaAtomPartition(
      context, tma, layoutOf("((256,64)):((64,1))"), integer(1));
  assert_int_equal(cuteIntTupleGetValue(smem.offset), 128 * 64);
  CutePartition coords = cuteTmaAtomPartition(
      context, tma,
      cuteLayoutGroup(context, cuteLayoutGetIdentity(context, shape), 0, 2),
      integer(1));
  assert_int_equal(leaf(coords.offset, 0), 128);
  assert_int_equal(leaf(coords.offset, 1), 0);
}

// Axes of a map: the box's, then the others.
static void testAxes(void **state) {
  (void)state;
  CuteIntTuple shape = cuteIntTupleParse(
      context, cuteStringRef("(128,(2,64),4)"), CUTE_SYNTAX_SHAPE);
  CuteTile tiler = cuteTileParse(context, cuteStringRef("[64:1;32:2;1:0]"));
  CuteTmaAtom tma = make(shape, layoutOf("(64,32,1):(32,1,0)"), tiler, 1);
  size_t axes[CUTE_MAX_TMA_RANK];
  if (!tma.atom)
    fail_msg("%s", cuteContextGetError(context));
  assert_int_equal(cuteTmaAtomGetAxes(context, tma, shape, axes), 4);
  assert_int_equal(axes[0], 2);
  assert_int_equal(axes[1], 0);
  assert_int_equal(axes[2], 1);
  assert_int_equal(axes[3], 3);
}

// Loads take each second to eighth element along a coordinate but the
// innermost, of 256 at most; stores do not.
static void testSteps(void **state) {
  (void)state;
  CuteIntTuple extents[] = {integer(512), integer(64)};
  CuteIntTuple shape = cuteIntTupleGetTuple(context, 2, extents);
  static const struct {
    const char *tiler, *smem, *atom;
    int64_t rank, extent, step;
  } cases[] = {
      {"[16:2;64:1]", "(16,64):(64,1)", "SM90_TMA_LOAD", 2, 16, 2},
      {"[16:8;64:1]", "(16,64):(64,1)", "SM90_TMA_LOAD", 2, 16, 8},
      {"[16:9;64:1]", "(16,64):(64,1)", "SM90_TMA_LOAD", 1, 0, 1},
      {"[200:2;64:1]", "(200,64):(64,1)", "SM90_TMA_LOAD", 2, 100, 2},
      {"[16:2;64:1]", "(16,64):(64,1)", "SM90_TMA_STORE", 1, 0, 1},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    CuteTmaAtom tma = cuteTmaAtomMake(
        context, cuteCopyAtomFind(cuteStringRef(cases[i].atom)),
        CUTE_ELEMENT_F16, shape, layoutOf(cases[i].smem),
        cuteTileParse(context, cuteStringRef(cases[i].tiler)), 1);
    int64_t box[CUTE_MAX_TMA_RANK] = {0};
    if (!tma.atom)
      fail_msg("%s", cuteContextGetError(context));
    assert_int_equal(cuteTmaAtomGetBox(tma, box), cases[i].rank);
    assert_int_equal(box[0], 64);
    assert_int_equal(box[1], cases[i].extent);
    assert_int_equal(cuteTmaAtomGetStep(tma, 0), 1);
    assert_int_equal(cuteTmaAtomGetStep(tma, 1), cases[i].step);
  }
  CuteTmaAtom store = {.atom =
                           cuteCopyAtomFind(cuteStringRef("SM90_TMA_STORE")),
                       .element = CUTE_ELEMENT_F16,
                       .box = layoutOf("(64,16):(1@1,2@0)"),
                       .values = layoutOf("((64,16),1):((1,64),0)"),
                       .ctas = 1};
  assert_false(cuteTmaAtomCheck(context, store));
  assert_non_null(
      strstr(cuteContextGetError(context), "loads may step by up to 8"));
  store.atom = cuteCopyAtomFind(cuteStringRef("SM90_TMA_LOAD"));
  assert_true(cuteTmaAtomCheck(context, store));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(testTiles), cmocka_unit_test(testMulticast),
      cmocka_unit_test(testAxes), cmocka_unit_test(testSteps)};
  return RUN_TESTS(tests);
}
