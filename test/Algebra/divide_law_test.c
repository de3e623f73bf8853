// The law of divides agrees with counting: each element is in one tile.
#include "algebra_test_util.h"
#include "cute/Laws.h"

static bool warned(void) {
  bool has = cuteContextGetNumWarnings(context) > 0;
  cuteContextClearWarnings(context);
  return has;
}

static bool isComposition(CuteLayout a, CuteLayout b, CuteLayout r) {
  bool holds = true;
  for (int64_t c = 0, n = sizeOf(b); c < n; ++c)
    holds &= indexAt(r, c) == indexAt(a, indexAt(b, c));
  return holds;
}

// Counts the coordinates of the pair that have each element below n.
static void countTaken(CuteLayout pair, int64_t n, int *taken) {
  for (int64_t i = 0; i < n; ++i)
    taken[i] = 0;
  for (int64_t c = 0, end = sizeOf(pair); c < end; ++c)
    if (indexAt(pair, c) < n)
      ++taken[indexAt(pair, c)];
}

// Tells whether each element of A is in one tile, as often as the tile repeats
// an element, and no tile begins past the period of T that has A's last one.
static bool tilesExactly(CuteLayout a, CuteLayout t, CuteLayout rest) {
  enum { MOST = 4096 };
  static int taken[MOST];
  Leaves leaves = leavesOf(t);
  int64_t n = sizeOf(a), period = 1;
  int repeats = 1;
  for (size_t i = 0; i < leaves.count; ++i) {
    bool isOne = leaves.extent[i] == 1;
    int64_t end = isOne ? 1 : leaves.extent[i] * leaves.stride[i];
    period = end > period ? end : period;
    repeats *= leaves.stride[i] ? 1 : (int)leaves.extent[i];
  }
  assert_true(n <= MOST);
  countTaken(pairOf(t, rest), n, taken);
  bool holds = true;
  for (int64_t i = 0; i < n; ++i)
    holds &= taken[i] == repeats;
  for (int64_t j = 0, end = sizeOf(rest); j < end; ++j)
    holds &= indexAt(rest, j) / period * period < n;
  return holds;
}

static void dividesWarnExactly(void **state) {
  (void)state;
  cuteContextSetLawPolicy(context, CUTE_LAWS_WARN);
  int lawful = 0, unlawful = 0, inexact = 0;
  for (int i = 0; i < 2000; ++i) {
    CuteLayout a = randomLayout((Strides)(i % 5));
    CuteLayout t = randomLayoutOfSize((Strides)(3 + i % 2), 6);
    CuteLayout r =
        cuteLayoutLogicalDivide(context, a, cuteTileGetLayout(context, t));
    bool hasWarned = warned();
    CuteIntTuple shape =
        cuteLayoutGetShape(cuteLayoutCoalesce(context, a, NULL));
    CuteLayout rest = r ? cuteLayoutComplement(context, t, shape) : NULL;
    warned();
    if (!rest)
      continue;
    bool holds = isComposition(a, pairOf(t, rest), r);
    bool tiles = tilesExactly(a, t, rest);
    assertLaw(hasWarned == !(holds && tiles), a, t, 0);
    assertLaw(cuteLawOfDivide(context, a, t, rest, r) == holds, a, t, 0);
    assertLaw(cuteLawOfTiles(context, a, t, rest) == tiles, a, t, 0);
    lawful += holds && tiles;
    unlawful += !holds;
    inexact += !tiles;
  }
  assert_true(lawful > 250 && unlawful > 2 && inexact > 2);
}

// Tiles that a divide by leaf makes, and tiles that gaps in the tiler leave.
static void namesAnElement(void **state) {
  (void)state;
  static const struct {
    const char *a, *tiler, *rest, *message;
  } cases[] = {
      {"(6,4):(1,6)", "8:1", "2:8",
       "divide: tiles of 8:1 at 2:8 leave out element 16 of (6,4):(1,6)"},
      {"(6,6):(1,6)", "4:1", "12:4",
       "tiles of 4:1 at 12:4 continue at element 44, past the end of "
       "(6,6):(1,6)"},
      {"32:3", "(2,16):(18,1)", "1:36", "leave out element 16 of 32:3"},
      {"8:1", "4:1", "3:2", "have element 2 of 8:1 twice"},
      {"100000:1", "8:1", "12000:8", "leave out element 96000 of 100000:1"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    assertFailsFor(cases[i].rest,
                   cuteLawOfTiles(context, layout(cases[i].a),
                                  layout(cases[i].tiler), layout(cases[i].rest))
                       ? context
                       : NULL,
                   cases[i].message);
  assert_false(cuteLawOfTiles(context, NULL, NULL, NULL));
  assert_true(
      cuteLawOfTiles(context, layout("24:1"), layout("5:1"), layout("5:5")));
  assert_true(
      cuteLawOfTiles(context, layout("24:1"), layout("4:0"), layout("24:1")));
  assert_true(
      cuteLawOfTiles(context, layout("?:1"), layout("4:1"), layout("2:4")));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(dividesWarnExactly),
      cmocka_unit_test(namesAnElement),
  };
  return RUN_TESTS(tests);
}
