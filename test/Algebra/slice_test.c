// Slices: the part under `_`, and where it begins.
#include "algebra_slices.h"

static bool areLeavesOf(const Leaves *expected, CuteLayout layout) {
  Leaves leaves = leavesOf(layout);
  size_t bytes = leaves.count * sizeof *leaves.extent;
  return leaves.count == expected->count &&
         !memcmp(leaves.extent, expected->extent, bytes) &&
         !memcmp(leaves.stride, expected->stride, bytes);
}

static void plainLayouts(void **state) {
  (void)state;
  for (int i = 0; i < 400; ++i) {
    CuteLayout a = randomLayout(ANY_STRIDES);
    CuteIntTuple coord = randomCoord(cuteLayoutGetShape(a));
    Parts parts = partsOf(a, coord);
    CutePartition part = cuteLayoutSliceAndOffset(context, a, coord);
    CuteLayout diced = cuteLayoutDice(context, a, coord);
    assertLaw(part.layout && diced, a, diced, i);
    assertLaw(part.offset == integer(parts.offset), a, part.layout, i);
    assertLaw(cuteLayoutEval(context, a, coord) == part.offset, a, a, i);
    assertLaw(cuteLayoutSlice(context, a, coord) == part.layout, a, a, i);
    assertLaw(areLeavesOf(&parts.kept, part.layout), a, part.layout, i);
    assertLaw(areLeavesOf(&parts.dropped, diced), a, diced, i);
    CuteIntTuple shape = cuteLayoutGetShape(a);
    assertLaw(cuteIntTupleSlice(context, shape, coord) ==
                  cuteLayoutGetShape(part.layout),
              a, part.layout, i);
    assertLaw(cuteIntTupleDice(context, shape, coord) ==
                  cuteLayoutGetShape(diced),
              a, diced, i);
  }
}

// A(off + dropped + kept(c)) whatever A is: the offset moves into the layout.
static void composedLayouts(void **state) {
  (void)state;
  for (int i = 0; i < 400; ++i) {
    CuteLayout b = randomLayout(INJECTIVE_STRIDES);
    CuteIntTuple coord = randomCoord(cuteLayoutGetShape(b));
    CuteSwizzle s = {(int)pick(0, 3), (int)pick(0, 3), (int)pick(3, 4)};
    CuteIntTuple offset = integer(pick(1, 40));
    CuteLayout a = i % 2 ? cuteLayoutGetSwizzled(context, s, offset, b)
                         : cuteLayoutGetComposed(
                               context, layout("(8,9,2):(2,1,50)"), offset, b);
    Parts parts = partsOf(b, coord);
    CutePartition part = cuteLayoutSliceAndOffset(context, a, coord);
    assertLaw(part.layout && part.offset == integer(0), a, part.layout, i);
    int64_t start = cuteIntTupleGetValue(offset) + parts.offset;
    for (int64_t c = 0, n = sizeOfLeaves(&parts.kept); c < n; ++c) {
      int64_t index = start + indexOfLeaves(&parts.kept, c);
      int64_t expected =
          i % 2 ? swizzled(s, index) : indexAt(cuteLayoutGetInner(a), index);
      assertLaw(indexAt(part.layout, c) == expected, a, part.layout, c);
    }
  }
}

// The slice of a swizzled layout is right up to a constant.
static void swizzledSlicesDifferByAConstant(void **state) {
  (void)state;
  for (int i = 0; i < 300; ++i) {
    int bits = (int)pick(1, 3), m = (int)pick(0, 5), n = 6 - m;
    CuteSwizzle s = {bits, (int)pick(0, 2), (int)pick(bits, 3)};
    if (i % 3 == 0)
      s.shift = -s.shift;
    bool byRow = i % 2;
    CuteIntTuple shape[] = {integer(1 << m), integer(1 << n)};
    int64_t strides[] = {byRow ? 1 << n : 1, byRow ? 1 : 1 << m};
    CuteLayout b =
        withStrides(cuteIntTupleGetTuple(context, 2, shape), strides);
    CuteLayout a = cuteLayoutGetSwizzled(context, s, integer(0), b);
    CuteIntTuple all = cuteIntTupleGetUnderscore(context);
    int64_t row = pick(0, (1 << m) - 1);
    CuteIntTuple coord[] = {integer(row), all};
    CuteLayout r =
        cuteLayoutSlice(context, a, cuteIntTupleGetTuple(context, 2, coord));
    assertLaw(r && sizeOf(r) == 1 << n, a, r, row);
    for (int64_t c = 0; c < 1 << n; ++c)
      assertLaw(indexAt(r, c) - indexAt(r, 0) ==
                    indexAt(a, row + (c << m)) - indexAt(a, row),
                a, r, c);
  }
}

static void examples(void **state) {
  (void)state;
  static const char *const tuples[][3] = {
      {"(6,5,9)", "(_,2,_)", "(6,9)"},
      {"(6,5)", "(_,2)", "(6)"},
      {"(2,3)", "(0,1)", "()"},
      {"5", "_", "5"},
      {"5", "?", "()"},
      {"(2,(3,4))", "(1,_)", "((3,4))"},
      {"(2,(3,4))", "(_,(1,_))", "(2,4)"},
  };
  static const char *const layouts[][3] = {
      {"(?,3,4):(12,?,1)", "(_,?,_)", "(?,4):(12,1)"},
      {"(2,3):(1@0,1@1)", "(_,?)", "(2):(1@0)"},
      {"(2,3):(1,2)", "(1,?)", "():()"},
      {"(8,8):(8,1) o 0 o (4,4):(1,8)", "(_,2)", "(8,8):(8,1) o 16 o (4):(1)"},
      {"(8,8):(8,1) o 0 o (4,4):(1,8)", "(_,?)", "(8,8):(8,1) o ? o (4):(1)"},
      {"(4,5):(1,4) o (0,0) o (2,3):(1@0,1@1)", "(1,_)",
       "(4,5):(1,4) o (1,0) o (3):(1@1)"},
      {"S<2,1,3> o 0 o (8,8):(8,1)", "(_,_)", "S<2,1,3> o 0 o (8,8):(8,1)"},
      {"S<2,1,3> o 0 o (8,8):(8,1)", "(_,3)", "((2,2,2)):((8,14,36))"},
      {"S<2,1,3> o 5 o (8,8):(8,1)", "(_,3)", "((2,4)):((8,14))"},
      {"S<2,1,3> o 0 o (8,8):(8,1)", "(3,_)", "((2,2,2)):((1,-2,4))"},
      {"S<2,1,3> o 0 o (8,8):(8,1)", "(_,?)", "((2,2,2)):((8,?,?))"},
      {"S<2,1,3> o 0 o (16,4):(4,1)", "(_,3)", "S<2,1,3> o 2 o (16):(4)"},
      {"S<0,1,3> o 4 o (8,8):(8,1)", "(1,_)", "(8):(1)"},
  };
  for (size_t i = 0; i < sizeof tuples / sizeof *tuples; ++i)
    assertTuple(
        cuteIntTupleSlice(context, tuple(tuples[i][0]), tuple(tuples[i][1])),
        tuples[i][2]);
  for (size_t i = 0; i < sizeof layouts / sizeof *layouts; ++i)
    assertLayout(
        cuteLayoutSlice(context, layout(layouts[i][0]), tuple(layouts[i][1])),
        layouts[i][2]);
  assertTuple(cuteIntTupleDice(context, tuple("(6,5,9)"), tuple("(_,2,2)")),
              "(5,9)");
  assertTuple(cuteIntTupleDice(context, tuple("5"), tuple("_")), "()");
  assertTuple(cuteIntTupleDice(context, tuple("5"), tuple("3")), "5");
  assertLayout(cuteLayoutDice(context, layout("(8,8):(8,1) o 0 o (4,4):(1,8)"),
                              tuple("(_,2)")),
               "(8,8):(8,1) o 0 o (4):(8)");
}

// Dynamic offsets carry the divisor that follows from the strides.
static void offsetsKnowTheirDivisors(void **state) {
  (void)state;
  static const char *const cases[][4] = {
      {"(8,4):(8,2)", "(_,?)", "(8):(8)", "?{div=2}"},
      {"(8,4):(12,8)", "(?,?)", "():()", "?{div=4}"},
      {"(?,64):(64,1)", "(?{div=16},_)", "(64):(1)", "?{div=1024}"},
      {"(?,?):(?{i64 div=8},1)", "(?,_)", "(?):(1)", "?{i64 div=8}"},
      {"(8,4):(8,2)", "(?,1)", "():()", "?{div=2}"},
      {"(8,4):(0,1)", "(?,_)", "(4):(1)", "0"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    CutePartition part = cuteLayoutSliceAndOffset(context, layout(cases[i][0]),
                                                  tuple(cases[i][1]));
    assertLayout(part.layout, cases[i][2]);
    assertTuple(part.offset, cases[i][3]);
  }
}

static void rejects(void **state) {
  (void)state;
  CuteLayout a = layout("(2,3):(1,2)");
  assertFails(cuteLayoutSlice(context, a, tuple("(_,_,_)")),
              "slice: coordinate (_,_,_)");
  assertFails(cuteLayoutSlice(context, a, tuple("((_),1)")), "slice");
  assertFails(cuteIntTupleSlice(context, tuple("5"), tuple("(_)")), "slice");
  assertFails(cuteLayoutDice(context, a, tuple("(?,_)")),
              "dice: the coordinate must be static");
  assertFails(cuteIntTupleDice(context, tuple("(2,3)"), tuple("(?,_)")),
              "dice: the coordinate must be static");
  assertFails(cuteIntTupleDice(context, tuple("(2,3)"), tuple("(1,2,_)")),
              "dice: coordinate (1,2,_)");
  assertFails(cuteLayoutSlice(context, layout("S<2,1,3> o 0 o (8,8):(8,1)"),
                              tuple("(1,2)")),
              "at least one mode with _");
  assertFails(cuteLayoutSlice(context, layout("S<2,1,3> o 0 o (?,8):(8,1)"),
                              tuple("(1,_)")),
              "must be static");
  assertFails(cuteLayoutSliceAndOffset(context, a, tuple("(_,_,_)")).layout,
              "slice: coordinate (_,_,_)");
  assert_null(cuteLayoutSliceAndOffset(context, NULL, tuple("_")).layout);
  assert_null(cuteLayoutSliceAndOffset(context, a, NULL).layout);
}

// A part from a coordinate on has at every coordinate what the whole has that
// much further.
static void domainOffset(void **state) {
  (void)state;
  const char *const texts[] = {"(8,6):(6,1)", "S<2,1,3> o 0 o (8,6):(8,1)",
                               "S<2,1,3> o 5 o (8,6):(1,8)"};
  for (size_t t = 0; t < sizeof texts / sizeof *texts; ++t) {
    CuteLayout whole = layout(texts[t]);
    CutePartition part = cuteLayoutDomainOffset(context, whole, tuple("(2,1)"));
    assert_non_null(part.layout);
    for (int64_t i = 0; i < 6; ++i)
      for (int64_t j = 0; j < 5; ++j) {
        CuteIntTuple here[] = {integer(i), integer(j)};
        CuteIntTuple there[] = {integer(i + 2), integer(j + 1)};
        CuteIntTuple inPart = cuteLayoutEval(
            context, part.layout, cuteIntTupleGetTuple(context, 2, here));
        CuteIntTuple inWhole = cuteLayoutEval(
            context, whole, cuteIntTupleGetTuple(context, 2, there));
        assert_ptr_equal(cuteIntTupleAdd(context, part.offset, inPart),
                         inWhole);
      }
  }
  assertTuple(
      cuteLayoutDomainOffset(context, layout("(4,4):(1@0,1@1)"), tuple("(1,2)"))
          .offset,
      "(1,2)");
  assertFails(
      cuteLayoutDomainOffset(context, layout("4:1"), tuple("(1,2)")).layout,
      "coordinate (1,2)");
}

static void imageMask(void **state) {
  (void)state;
  uint16_t mask = 0;
  CuteLayout cluster = layout("(2,4):(1,2)");
  assert_true(
      cuteLayoutGetImageMask(context, cluster, tuple("(1,2)"), 0, &mask));
  assert_int_equal(mask, 1 << 4 | 1 << 5);
  assert_true(
      cuteLayoutGetImageMask(context, cluster, tuple("(1,2)"), 1, &mask));
  assert_int_equal(mask, 1 << 1 | 1 << 3 | 1 << 5 | 1 << 7);
  assert_false(
      cuteLayoutGetImageMask(context, cluster, tuple("(1,2)"), 2, &mask));
  assert_false(cuteLayoutGetImageMask(context, cluster, tuple("1"), 0, &mask));
  assert_false(cuteLayoutGetImageMask(context, layout("(4,8):(8,1)"),
                                      tuple("(2,0)"), 1, &mask));
  assert_non_null(strstr(cuteContextGetError(context), "not in [0, 16): 16"));
  assert_false(cuteLayoutGetImageMask(context, layout("(17,2):(0,1)"),
                                      tuple("(0,0)"), 0, &mask));
  assert_false(cuteLayoutGetImageMask(context, layout("(?,2):(1,0)"),
                                      tuple("(0,0)"), 0, &mask));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(plainLayouts),
      cmocka_unit_test(composedLayouts),
      cmocka_unit_test(swizzledSlicesDifferByAConstant),
      cmocka_unit_test(examples),
      cmocka_unit_test(offsetsKnowTheirDivisors),
      cmocka_unit_test(rejects),
      cmocka_unit_test(domainOffset),
      cmocka_unit_test(imageMask),
  };
  return RUN_TESTS(tests);
}
