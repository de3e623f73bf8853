// Composition, complement, division, products and inverses of random layouts
// within the preconditions under which their laws are theorems.
#include "property.h"

//===-- Digits of a domain ------------------------------------------------===//

// A domain as a mixed radix number, extents cut into prime factors. A layout
// whose leaves are runs of different digits composes with any layout of these
// extents: no sum of its values carries from one digit into another.
typedef struct Digits {
  int64_t radix[64], weight[64];
  bool taken[64];
  size_t count;
  int64_t size;
} Digits;

static void addExtent(Digits *digits, int64_t extent) {
  for (int64_t p = 2; extent > 1; ++p)
    for (; extent % p == 0; extent /= p) {
      digits->radix[digits->count] = p;
      digits->weight[digits->count++] = digits->size;
      digits->size *= p;
    }
}

static void addExtents(Digits *digits, const Node *a) {
  if (!a->isTuple)
    addExtent(digits, a->extent);
  for (size_t i = 0; i < a->count; ++i)
    addExtents(digits, a->kids[i]);
}

static Digits digitsOf(const Node *a) {
  Digits digits = {.size = 1};
  addExtents(&digits, a);
  return digits;
}

// A leaf of digits that nothing has taken, or of extent 1 if it finds none.
static Node *takeRun(Digits *digits) {
  if (!digits->count)
    return leafNode(1, pick(0, 3));
  size_t begin = (size_t)pick(0, (int64_t)digits->count - 1);
  int64_t extent = 1, length = pick(1, 4);
  for (size_t i = begin; i < digits->count && length--; ++i) {
    if (digits->taken[i])
      break;
    digits->taken[i] = true;
    extent *= digits->radix[i];
  }
  return leafNode(extent, extent == 1 ? 0 : digits->weight[begin]);
}

static Node *layoutOfDigits(Digits *digits) {
  Leaves leaves = {.count = (size_t)pick(1, 4)};
  for (size_t i = 0; i < leaves.count; ++i)
    leaves.data[i] = takeRun(digits);
  return treeOfLeaves(&leaves);
}

// Number k whose taken digits are 0.
static Wide numberOfRest(const Digits *digits, int64_t k) {
  Wide number = 0;
  for (size_t i = 0; i < digits->count; ++i)
    if (!digits->taken[i]) {
      number += k % digits->radix[i] * digits->weight[i];
      k /= digits->radix[i];
    }
  return number;
}

//===-- Composition -------------------------------------------------------===//

static void compositionIsApplication(void) {
  Node *a = randomLayout();
  Digits digits = digitsOf(a);
  Node *b = layoutOfDigits(&digits);
  if (pick(0, 3) == 0) { // a mode that repeats
    Node *kids[] = {b, leafNode(pick(1, 5), 0)};
    b = tupleNode(2, kids);
  }
  given("A", layoutOf(a));
  given("B", layoutOf(b));
  CuteLayout layout = cuteLayoutComposition(context, layoutOf(a), tileOf(b));
  REQUIRE_MADE(layout);
  given("R", layout);
  Node *r = nodeOf(layout);
  REQUIRE(refSize(r) == refSize(b));
  REQUIRE(cuteIntTupleIsCompatible(shapeOf(b), shapeOf(r)));
  for (int64_t c = 0; c < refSize(b); ++c)
    REQUIRE(refAt(r, c) == refAt(a, refAt(b, c)));
}

typedef struct ByMode {
  Node *a, *tiles[3];
  Digits digits[3];
  CuteTile tiler;
  size_t rank;
} ByMode;

// A layout of some modes and a tiler with a layout for each.
static ByMode randomByMode(void) {
  ByMode m = {.rank = (size_t)pick(1, 3)};
  Node *kids[3];
  CuteTile tiles[3];
  int64_t whole = scale;
  scale = scale / 2 + 1;
  for (size_t i = 0; i < m.rank; ++i) {
    kids[i] = randomLayout();
    m.digits[i] = digitsOf(kids[i]);
    m.tiles[i] = layoutOfDigits(&m.digits[i]);
    tiles[i] = tileOf(m.tiles[i]);
    given("tile", layoutOf(m.tiles[i]));
  }
  scale = whole;
  m.a = tupleNode(m.rank, kids);
  m.tiler = cuteTileGetTuple(context, m.rank, tiles);
  given("A", layoutOf(m.a));
  return m;
}

static void compositionByMode(void) {
  ByMode m = randomByMode();
  CuteLayout layout = cuteLayoutComposition(context, layoutOf(m.a), m.tiler);
  REQUIRE_MADE(layout);
  Node *r = nodeOf(layout);
  REQUIRE(r->isTuple && r->count == m.rank);
  for (size_t i = 0; i < m.rank; ++i)
    for (int64_t c = 0; c < refSize(m.tiles[i]); ++c)
      REQUIRE(refAt(r->kids[i], c) ==
              refAt(m.a->kids[i], refAt(m.tiles[i], c)));
}

//===-- Complement --------------------------------------------------------===//

static int64_t endOf(Node *a) {
  int64_t end = 1;
  for (size_t i = 0, n = refNumLeaves(a); i < n; ++i) {
    size_t k = i;
    Node *leaf = refLeaf(a, &k);
    int64_t reach = leaf->extent > 1 ? leaf->extent * leaf->stride : 1;
    end = reach > end ? reach : end;
  }
  return end;
}

// How often a(i) + r(j) is each number below the limit.
static void countSums(const Node *a, const Node *r, int64_t limit,
                      int64_t *counts) {
  memset(counts, 0, (size_t)limit * sizeof *counts);
  for (int64_t i = 0; i < refSize(a); ++i)
    for (int64_t j = 0; j < refSize(r); ++j) {
      Wide sum = refAt(a, i) + refAt(r, j);
      if (sum >= 0 && sum < limit)
        ++counts[sum];
    }
}

enum { MAX_SUM = 1 << 16 };

static int64_t counts[MAX_SUM];

static void complementFillsTheGaps(void) {
  Node *a = randomInjective(3);
  int64_t end = endOf(a), target = end * pick(1, 3);
  if (target >= MAX_SUM)
    return;
  given("A", layoutOf(a));
  givenInt("target", target);
  CuteLayout layout = cuteLayoutComplement(
      context, layoutOf(a), cuteIntTupleGetStatic(context, target));
  REQUIRE_MADE(layout);
  given("R", layout);
  Node *r = nodeOf(layout);
  for (int64_t i = 0; i + 1 < refSize(r); ++i)
    REQUIRE(refAt(r, i) < refAt(r, i + 1));
  countSums(a, r, target, counts);
  REQUIRE(refSize(a) * refSize(r) == target);
  for (int64_t i = 0; i < target; ++i)
    REQUIRE(counts[i] == 1);
}

// A target that is no multiple is covered, and no number twice.
static void complementCoversAnyTarget(void) {
  Node *a = randomInjective(3);
  int64_t target = pick(1, 3 * endOf(a));
  if (target >= MAX_SUM)
    return;
  given("A", layoutOf(a));
  givenInt("target", target);
  CuteLayout layout = cuteLayoutComplement(
      context, layoutOf(a), cuteIntTupleGetStatic(context, target));
  REQUIRE_MADE(layout);
  countSums(a, nodeOf(layout), target, counts);
  for (int64_t i = 0; i < target; ++i)
    REQUIRE(counts[i] == 1);
}

//===-- Division ----------------------------------------------------------===//

// The divided layout gives a(t(i) + rest(j)) at (i, j).
static void checkDivided(const Node *a, const Node *tile, const Digits *digits,
                         const Node *tiles, const Node *rests) {
  int64_t size = refSize(a), inTile = refSize(tile);
  REQUIRE(refSize(tiles) == inTile);
  REQUIRE(refSize(rests) == size / inTile);
  for (int64_t i = 0; i < inTile; ++i)
    for (int64_t j = 0; j < size / inTile; ++j)
      REQUIRE(refAt(tiles, i) + refAt(rests, j) ==
              refAt(a, refAt(tile, i) + numberOfRest(digits, j)));
}

static void divisionSplitsTheDomain(void) {
  Node *a = randomLayout();
  Digits digits = digitsOf(a);
  Node *tile = layoutOfDigits(&digits);
  given("A", layoutOf(a));
  given("tile", layoutOf(tile));
  CuteLayout layout =
      cuteLayoutLogicalDivide(context, layoutOf(a), tileOf(tile));
  REQUIRE_MADE(layout);
  given("R", layout);
  Node *r = nodeOf(layout);
  REQUIRE(r->isTuple && r->count == 2);
  checkDivided(a, tile, &digits, r->kids[0], r->kids[1]);
}

static void divisionByMode(void) {
  ByMode m = randomByMode();
  CuteLayout a = layoutOf(m.a);
  CuteLayout layout = cuteLayoutLogicalDivide(context, a, m.tiler);
  CuteLayout zippedLayout = cuteLayoutZippedDivide(context, a, m.tiler);
  CuteLayout tiledLayout = cuteLayoutTiledDivide(context, a, m.tiler);
  CuteLayout flatLayout = cuteLayoutFlatDivide(context, a, m.tiler);
  REQUIRE_MADE(layout);
  REQUIRE_MADE(zippedLayout);
  REQUIRE_MADE(tiledLayout);
  REQUIRE_MADE(flatLayout);
  Node *r = nodeOf(layout), *zipped = nodeOf(zippedLayout);
  Node *tiled = nodeOf(tiledLayout), *flat = nodeOf(flatLayout);
  REQUIRE(r->count == m.rank && zipped->count == 2);
  REQUIRE(tiled->count == 1 + m.rank && flat->count == 2 * m.rank);
  for (size_t i = 0; i < m.rank; ++i) {
    const Node *part = m.a->kids[i], *tile = m.tiles[i];
    checkDivided(part, tile, &m.digits[i], r->kids[i]->kids[0],
                 r->kids[i]->kids[1]);
    checkDivided(part, tile, &m.digits[i], zipped->kids[0]->kids[i],
                 zipped->kids[1]->kids[i]);
    checkDivided(part, tile, &m.digits[i], tiled->kids[0]->kids[i],
                 tiled->kids[1 + i]);
    checkDivided(part, tile, &m.digits[i], flat->kids[i],
                 flat->kids[m.rank + i]);
    PASS_ON;
  }
}

//===-- Products ----------------------------------------------------------===//

// The extents of the gaps of an injective layout, lowest first, and a large
// extent above it: the domain of its complement.
static Digits gapsOf(Node *a, int64_t above) {
  Digits digits = {.size = 1};
  size_t n = refNumLeaves(a);
  int64_t end = 1, last = 0;
  for (size_t found = 0; found < n; ++found) {
    Node *next = NULL;
    for (size_t i = 0; i < n; ++i) {
      size_t k = i;
      Node *leaf = refLeaf(a, &k);
      bool counts_ = leaf->extent > 1 && leaf->stride > last;
      if (counts_ && (!next || leaf->stride < next->stride))
        next = leaf;
    }
    if (!next)
      break;
    addExtent(&digits, next->stride / end);
    end = next->stride * next->extent;
    last = next->stride;
  }
  addExtent(&digits, above);
  return digits;
}

// Number k that the layout skips: sums of gaps.
static Wide skipped(Node *a, int64_t k) {
  Wide number = 0;
  int64_t end = 1;
  for (;;) {
    Node *next = NULL;
    for (size_t i = 0, n = refNumLeaves(a); i < n; ++i) {
      size_t at = i;
      Node *leaf = refLeaf(a, &at);
      bool isAbove = leaf->extent > 1 && leaf->stride >= end;
      if (isAbove && (!next || leaf->stride < next->stride))
        next = leaf;
    }
    if (!next)
      return number + (Wide)k * end;
    int64_t gap = next->stride / end;
    number += (Wide)(k % gap) * end;
    k /= gap;
    end = next->stride * next->extent;
  }
}

static void productRepeatsInTheGaps(void) {
  Node *a = randomInjective(3);
  Digits digits = gapsOf(a, 12);
  Node *b = layoutOfDigits(&digits);
  given("A", layoutOf(a));
  given("B", layoutOf(b));
  CuteLayout layout =
      cuteLayoutLogicalProduct(context, layoutOf(a), layoutOf(b));
  REQUIRE_MADE(layout);
  given("R", layout);
  Node *r = nodeOf(layout);
  REQUIRE(r->count == 2 && refSize(r->kids[0]) == refSize(a));
  REQUIRE(refSize(r->kids[1]) == refSize(b));
  for (int64_t i = 0; i < refSize(a); ++i)
    REQUIRE(refAt(r->kids[0], i) == refAt(a, i));
  for (int64_t j = 0; j < refSize(b); ++j)
    REQUIRE(refAt(r->kids[1], j) == skipped(a, (int64_t)refAt(b, j)));
}

// Of compact layouts of one rank: each mode has the block's elements next to
// one another, or the repetitions.
static void blockedAndRaked(void) {
  Leaves as = {.count = (size_t)pick(1, 3)}, bs = {.count = as.count};
  for (size_t i = 0; i < as.count; ++i) {
    as.data[i] = leafNode(pick(1, 4), 0);
    bs.data[i] = leafNode(pick(1, 4), 0);
  }
  setInjectiveStrides(&as, 1);
  setInjectiveStrides(&bs, 1);
  Node *a = tupleNode(as.count, as.data), *b = tupleNode(bs.count, bs.data);
  given("A", layoutOf(a));
  given("B", layoutOf(b));
  CuteLayout blockedLayout =
      cuteLayoutBlockedProduct(context, layoutOf(a), layoutOf(b));
  CuteLayout rakedLayout =
      cuteLayoutRakedProduct(context, layoutOf(a), layoutOf(b));
  REQUIRE_MADE(blockedLayout);
  REQUIRE_MADE(rakedLayout);
  Node *blocked = nodeOf(blockedLayout), *raked = nodeOf(rakedLayout);
  REQUIRE(blocked->count == as.count && raked->count == as.count);
  for (size_t i = 0; i < as.count; ++i) {
    int64_t m = as.data[i]->extent, n = bs.data[i]->extent;
    for (int64_t x = 0; x < m; ++x)
      for (int64_t y = 0; y < n; ++y) {
        Wide value =
            x * as.data[i]->stride + y * bs.data[i]->stride * (Wide)refSize(a);
        REQUIRE(refAt(blocked->kids[i], x + y * m) == value);
        REQUIRE(refAt(raked->kids[i], y + x * n) == value);
      }
  }
}

//===-- Inverses ----------------------------------------------------------===//

static void rightInverseGoesBack(void) {
  bool isBijective = pick(0, 1);
  Node *a = isBijective ? randomInjective(1) : randomLayout();
  given("A", layoutOf(a));
  CuteLayout layout = cuteLayoutRightInverse(context, layoutOf(a));
  REQUIRE_MADE(layout);
  given("R", layout);
  Node *r = nodeOf(layout);
  REQUIRE(!isBijective || refSize(r) == refSize(a));
  for (int64_t i = 0; i < refSize(r); ++i)
    REQUIRE(refAt(a, refAt(r, i)) == i);
}

static void leftInverseGoesBack(void) {
  Node *a = randomInjective(3);
  given("A", layoutOf(a));
  CuteLayout layout = cuteLayoutLeftInverse(context, layoutOf(a));
  REQUIRE_MADE(layout);
  given("R", layout);
  Node *r = nodeOf(layout);
  for (int64_t c = 0; c < refSize(a); ++c)
    REQUIRE(refAt(r, refAt(a, c)) == c);
}

// Both layouts take the elements of the common layout to 0, 1, 2, ...
static void commonVectorIsContiguous(void) {
  Node *a = randomInjective(2), *b = pick(0, 1) ? a : randomInjective(2);
  if (refSize(a) != refSize(b))
    b = a;
  given("A", layoutOf(a));
  given("B", layoutOf(b));
  CuteIntTuple size =
      cuteLayoutMaxCommonVector(context, layoutOf(a), layoutOf(b));
  if (!size)
    return; // a o right_inverse(b) need not exist
  CuteLayout layout =
      cuteLayoutMaxCommonLayout(context, layoutOf(a), layoutOf(b));
  REQUIRE_MADE(layout);
  given("R", layout);
  Node *r = nodeOf(layout);
  REQUIRE(refSize(r) == cuteIntTupleGetValue(size));
  for (int64_t i = 0; i < refSize(r); ++i)
    REQUIRE(refAt(a, refAt(r, i)) == i && refAt(b, refAt(r, i)) == i);
}

int main(void) {
  const Property properties[] = {
      {"composition", compositionIsApplication},
      {"composition by mode", compositionByMode},
      {"complement", complementFillsTheGaps},
      {"complement in any target", complementCoversAnyTarget},
      {"logical_divide", divisionSplitsTheDomain},
      {"divides by mode", divisionByMode},
      {"logical_product", productRepeatsInTheGaps},
      {"blocked_product and raked_product", blockedAndRaked},
      {"right_inverse", rightInverseGoesBack},
      {"left_inverse", leftInverseGoesBack},
      {"max_common_vector", commonVectorIsContiguous},
  };
  return runProperties(properties, sizeof properties / sizeof *properties);
}
