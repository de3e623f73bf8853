// Values of random layouts: simplification, coordinates, slices, tiles, units,
// swizzles, and dynamic leaves that stand for known numbers.
#include "property.h"

#include "dynamic_values.h"

//===-- Simplification ----------------------------------------------------===//

static void requireSame(const Node *a, CuteLayout layout) {
  REQUIRE_MADE(layout);
  given("R", layout);
  const Node *r = nodeOf(layout);
  REQUIRE(refSize(r) == refSize(a));
  for (int64_t c = 0; c < refSize(a); ++c)
    REQUIRE(refAt(r, c) == refAt(a, c));
}

static void coalesceKeepsTheFunction(void) {
  Node *a = randomLayout();
  given("A", layoutOf(a));
  CuteLayout r = cuteLayoutCoalesce(context, layoutOf(a), NULL);
  requireSame(a, r);
  PASS_ON;
  REQUIRE(cuteLayoutCoalesce(context, r, NULL) == r);
  REQUIRE(refNumLeaves(nodeOf(r)) <= refNumLeaves(a));
  requireSame(a, cuteLayoutFlatten(context, layoutOf(a)));
  if (a->isTuple && a->count) { // by mode
    CuteIntTuple profile = cuteIntTupleProductEach(context, shapeOf(a));
    requireSame(a, cuteLayoutCoalesce(context, layoutOf(a), profile));
  }
}

// Every index is taken once in the filtered layout.
static void filterDropsRepetitions(void) {
  Leaves leaves = randomExtents();
  setInjectiveStrides(&leaves, 3);
  for (size_t i = 0; i < leaves.count; ++i)
    if (pick(0, 2) == 0)
      leaves.data[i]->stride = 0;
  Node *a = treeOfLeaves(&leaves);
  given("A", layoutOf(a));
  CuteLayout layout = cuteLayoutFilter(context, layoutOf(a), NULL);
  REQUIRE_MADE(layout);
  given("R", layout);
  REQUIRE(cuteLayoutFilter(context, layout, NULL) == layout);
  Node *r = nodeOf(layout);
  for (int64_t c = 0; c < refSize(a); ++c) {
    int64_t times = 0;
    for (int64_t i = 0; i < refSize(r); ++i)
      times += refAt(r, i) == refAt(a, c);
    REQUIRE(times == 1);
  }
}

//===-- Coordinates -------------------------------------------------------===//

// The coordinate's leaves as the layout's strides would see them.
static Wide dotStrides(const Node *a, CuteIntTuple coord) {
  if (!a->isTuple)
    return (Wide)cuteIntTupleGetValue(coord) * a->stride;
  Wide sum = 0;
  for (size_t i = 0; i < a->count; ++i)
    sum += dotStrides(a->kids[i], cuteIntTupleGetElement(coord, i));
  return sum;
}

static void coordinatesAndIndices(void) {
  Node *a = randomLayout();
  CuteIntTuple shape = shapeOf(a), coord = NULL;
  given("A", layoutOf(a));
  for (int64_t i = 0; i < refSize(a); ++i) {
    CuteIntTuple index = cuteIntTupleGetStatic(context, i);
    CuteIntTuple next = cuteIdx2Crd(context, index, shape);
    REQUIRE_MADE(next);
    REQUIRE(cuteIntTupleIsCongruent(next, shape));
    REQUIRE(dotStrides(a, next) == refAt(a, i));
    REQUIRE(cuteCrd2Idx(context, next, shape) == index);
    REQUIRE(!coord || cuteIncrementCoord(context, coord, shape) == next);
    CuteIntTuple value = cuteIntTupleGetStatic(context, (int64_t)refAt(a, i));
    REQUIRE(cuteLayoutEval(context, layoutOf(a), index) == value);
    REQUIRE(cuteLayoutEval(context, layoutOf(a), next) == value);
    coord = next;
  }
}

//===-- Slices ------------------------------------------------------------===//

// A random coordinate over `a` in which some parts are `_`.
static CuteIntTuple randomCoord(const Node *a) {
  if (pick(0, 2) == 0)
    return cuteIntTupleGetUnderscore(context);
  if (!a->isTuple || pick(0, 3) == 0)
    return cuteIntTupleGetStatic(context, pick(0, refSize(a) - 1));
  CuteIntTuple kids[MAX_KIDS];
  for (size_t i = 0; i < a->count; ++i)
    kids[i] = randomCoord(a->kids[i]);
  return cuteIntTupleGetTuple(context, a->count, kids);
}

// The index of element *c of the parts under `_`; *c becomes what is left of
// it.
static Wide wholeAt(const Node *a, CuteIntTuple coord, int64_t *c) {
  CuteIntTupleKind kind = cuteIntTupleGetKind(coord);
  if (kind == CUTE_STATIC)
    return refAt(a, cuteIntTupleGetValue(coord));
  if (kind == CUTE_UNDERSCORE) {
    int64_t here = *c % refSize(a);
    *c /= refSize(a);
    return refAt(a, here);
  }
  Wide sum = 0;
  for (size_t i = 0; i < a->count; ++i)
    sum += wholeAt(a->kids[i], cuteIntTupleGetElement(coord, i), c);
  return sum;
}

static int64_t sizeUnder(const Node *a, CuteIntTuple coord) {
  CuteIntTupleKind kind = cuteIntTupleGetKind(coord);
  int64_t size = kind == CUTE_UNDERSCORE ? refSize(a) : 1;
  for (size_t i = 0; kind == CUTE_TUPLE && i < a->count; ++i)
    size *= sizeUnder(a->kids[i], cuteIntTupleGetElement(coord, i));
  return size;
}

static void sliceAndOffset(void) {
  Node *a = randomLayout();
  CuteIntTuple coord = randomCoord(a);
  given("A", layoutOf(a));
  givenTuple("coordinate", coord);
  CutePartition part = cuteLayoutSliceAndOffset(context, layoutOf(a), coord);
  REQUIRE_MADE(part.layout);
  given("R", part.layout);
  givenTuple("offset", part.offset);
  const Node *r = nodeOf(part.layout);
  REQUIRE(refSize(r) == sizeUnder(a, coord));
  for (int64_t i = 0; i < refSize(r); ++i) {
    int64_t c = i;
    REQUIRE(cuteIntTupleGetValue(part.offset) + refAt(r, i) ==
            wholeAt(a, coord, &c));
  }
}

//===-- Tiles -------------------------------------------------------------===//

typedef struct Tiling {
  Node *a;
  CuteIntTuple tile; // extents that divide a's
  size_t rank;
  int64_t inTile[3], tiles[3], numTiles, size;
} Tiling;

static Tiling randomTiling(void) {
  Tiling t = {.rank = (size_t)pick(1, 3), .numTiles = 1};
  Leaves leaves = {.count = t.rank};
  CuteIntTuple extents[3];
  for (size_t i = 0; i < t.rank; ++i) {
    t.inTile[i] = pick(1, 4);
    t.tiles[i] = pick(1, 3);
    t.numTiles *= t.tiles[i];
    extents[i] = cuteIntTupleGetStatic(context, t.inTile[i]);
    leaves.data[i] = leafNode(t.inTile[i] * t.tiles[i], 0);
  }
  setInjectiveStrides(&leaves, 1);
  t.a = tupleNode(t.rank, leaves.data);
  t.size = refSize(t.a);
  t.tile = cuteIntTupleGetTuple(context, t.rank, extents);
  given("A", layoutOf(t.a));
  givenTuple("tile", t.tile);
  return t;
}

static int64_t seen[1 << 12];

static void countPart(CutePartition part, int64_t size) {
  const Node *r = nodeOf(part.layout);
  for (int64_t i = 0; i < refSize(r); ++i) {
    Wide index = cuteIntTupleGetValue(part.offset) + refAt(r, i);
    REQUIRE(index >= 0 && index < size);
    ++seen[index];
  }
}

static void requireAllOnce(int64_t size) {
  for (int64_t i = 0; i < size; ++i)
    REQUIRE(seen[i] == 1);
}

// The tiles of all coordinates have every element once.
static void tilesCover(void) {
  Tiling t = randomTiling();
  memset(seen, 0, sizeof seen);
  for (int64_t k = 0; k < t.numTiles; ++k) {
    CuteIntTuple coord[3];
    int64_t left = k;
    for (size_t i = 0; i < t.rank; ++i) {
      coord[i] = cuteIntTupleGetStatic(context, left % t.tiles[i]);
      left /= t.tiles[i];
    }
    CutePartition part = cuteLayoutLocalTile(
        context, layoutOf(t.a), cuteTileGetShape(context, t.tile),
        cuteIntTupleGetTuple(context, t.rank, coord), NULL);
    REQUIRE_MADE(part.layout);
    REQUIRE(refSize(nodeOf(part.layout)) == t.size / t.numTiles);
    countPart(part, t.size);
    PASS_ON;
  }
  requireAllOnce(t.size);
}

// So do the parts of all threads.
static void partsCover(void) {
  Tiling t = randomTiling();
  CuteLayout threads = cuteLayoutGet(context, t.tile, NULL);
  int64_t numThreads = t.size / t.numTiles;
  memset(seen, 0, sizeof seen);
  for (int64_t k = 0; k < numThreads; ++k) {
    CutePartition part =
        cuteLayoutLocalPartition(context, layoutOf(t.a), threads,
                                 cuteIntTupleGetStatic(context, k), NULL);
    REQUIRE_MADE(part.layout);
    countPart(part, t.size);
    PASS_ON;
  }
  requireAllOnce(t.size);
}

// A compact block repeated over a shape is a bijection, in whose lowest part
// the block is.
static void blocksFillTheShape(void) {
  Tiling t = randomTiling();
  Leaves leaves = {.count = t.rank};
  for (size_t i = 0; i < t.rank; ++i)
    leaves.data[i] = leafNode(t.inTile[i], 0);
  setInjectiveStrides(&leaves, 1);
  Node *block = tupleNode(t.rank, leaves.data);
  given("block", layoutOf(block));
  CutePartition whole = {
      cuteLayoutTileToShape(context, layoutOf(block), shapeOf(t.a), NULL),
      cuteIntTupleGetStatic(context, 0)};
  REQUIRE_MADE(whole.layout);
  memset(seen, 0, sizeof seen);
  countPart(whole, t.size);
  PASS_ON;
  requireAllOnce(t.size);
  Node *r = nodeOf(whole.layout);
  for (size_t i = 0; i < t.rank; ++i)
    for (int64_t x = 0; x < t.inTile[i]; ++x)
      REQUIRE(refAt(r->kids[i], x) == refAt(block->kids[i], x));
}

//===-- Units -------------------------------------------------------------===//

static void upcastUndoesDowncast(void) {
  Node *a = randomInjective(1);
  int64_t n = pick(1, 6);
  given("A", layoutOf(a));
  givenInt("n", n);
  bool hasUnit = false;
  for (size_t i = 0; i < refNumLeaves(a); ++i) {
    size_t k = i;
    hasUnit |= refLeaf(a, &k)->stride == 1;
  }
  CuteLayout fine = cuteLayoutDowncast(context, layoutOf(a), n);
  REQUIRE(fine || !hasUnit);
  if (!fine)
    return;
  given("in parts", fine);
  requireSame(a, cuteLayoutUpcast(context, fine, n));
}

// Element c of the units is where the parts begin.
static void upcastDivides(void) {
  int64_t n = pick(1, 6);
  Leaves leaves = randomExtents();
  for (size_t i = 0; i < leaves.count; ++i)
    leaves.data[i]->stride = n * pick(-4, 9);
  Node *a = treeOfLeaves(&leaves);
  given("A", layoutOf(a));
  givenInt("n", n);
  CuteLayout layout = cuteLayoutUpcast(context, layoutOf(a), n);
  REQUIRE_MADE(layout);
  given("R", layout);
  const Node *r = nodeOf(layout);
  for (int64_t c = 0; c < refSize(a); ++c)
    REQUIRE(refAt(r, c) * n == refAt(a, c));
}

//===-- Swizzles ----------------------------------------------------------===//

static CuteSwizzle randomSwizzle(void) {
  CuteSwizzle s = {.bits = (int32_t)pick(0, 4), .base = (int32_t)pick(0, 5)};
  s.shift = s.bits + (int32_t)pick(0, 3);
  s.shift = pick(0, 1) ? s.shift : -s.shift;
  cuteStringAppendFormat(&inputs, "  S<%d,%d,%d>\n", s.bits, s.base, s.shift);
  return s;
}

// Bit by bit.
static uint64_t refSwizzle(CuteSwizzle s, uint64_t value) {
  uint64_t result = value;
  int lower = s.base, upper = s.base + abs(s.shift);
  int from = s.shift > 0 ? upper : lower, to = s.shift > 0 ? lower : upper;
  for (int i = 0; i < s.bits; ++i)
    result ^= (value >> (from + i) & 1) << (to + i);
  return result;
}

static void swizzlesUndoThemselves(void) {
  CuteSwizzle s = randomSwizzle(), t = randomSwizzle(), both;
  bool composes = cuteSwizzleCompose(context, s, t, &both);
  for (int i = 0; i < 50; ++i) {
    uint64_t value = (uint64_t)pick(0, 1 << 20);
    uint64_t once = cuteSwizzleGetValue(s, value);
    REQUIRE(once == refSwizzle(s, value));
    REQUIRE(cuteSwizzleGetValue(s, once) == value);
    if (composes)
      REQUIRE(refSwizzle(both, value) == refSwizzle(s, refSwizzle(t, value)));
  }
}

static void swizzledLayouts(void) {
  Node *a = randomInjective(2);
  CuteSwizzle s = randomSwizzle();
  int64_t offset = pick(0, 40);
  given("B", layoutOf(a));
  givenInt("offset", offset);
  CuteLayout layout = cuteLayoutComposeSwizzle(
      context, s, cuteIntTupleGetStatic(context, offset), layoutOf(a));
  REQUIRE_MADE(layout);
  CuteLayout coalesced = cuteLayoutCoalesce(context, layout, NULL);
  REQUIRE_MADE(coalesced);
  for (int64_t c = 0; c < refSize(a); ++c) {
    uint64_t index = (uint64_t)(refAt(a, c) + offset);
    CuteIntTuple coord = cuteIntTupleGetStatic(context, c);
    CuteIntTuple value =
        cuteIntTupleGetStatic(context, (int64_t)refSwizzle(s, index));
    REQUIRE(cuteLayoutEval(context, layout, coord) == value);
    REQUIRE(cuteLayoutEval(context, coalesced, coord) == value);
  }
}

//===-- Dynamic leaves ----------------------------------------------------===//

static void startDynamic(void) {
  numValues = 1;
  installArithmetic();
}

static Node *nodeOfDynamic(CuteIntTuple shape, CuteIntTuple stride) {
  if (!isTuple(shape))
    return leafNode(valueOf(shape), valueOf(stride));
  Node *kids[MAX_KIDS];
  for (size_t i = 0; i < shape->rank; ++i)
    kids[i] = nodeOfDynamic(shape->elements[i], stride->elements[i]);
  return tupleNode(shape->rank, kids);
}

// What an operation gives for leaves that become known later is what it gives
// for known ones.
static void dynamicLeavesAgree(void) {
  Node *a = randomLayout();
  CuteLayout loose =
      cuteLayoutGet(context, loosened(shapeOf(a)), loosened(treeOf(a, true)));
  given("A", layoutOf(a));
  REQUIRE_MADE(loose);
  for (int64_t c = 0; c < refSize(a); c += 1 + refSize(a) / 16) {
    CuteIntTuple coord = loosened(cuteIntTupleGetStatic(context, c));
    CuteIntTuple value = cuteLayoutEval(context, loose, coord);
    REQUIRE_MADE(value);
    REQUIRE(valueOf(value) == refAt(a, c));
  }
  CuteIntTuple size = cuteLayoutGetSize(context, loose);
  REQUIRE(size && valueOf(size) == refSize(a));
  CuteLayout simple = cuteLayoutCoalesce(context, loose, NULL);
  REQUIRE_MADE(simple);
  const Node *r = nodeOfDynamic(simple->shape, simple->stride);
  for (int64_t c = 0; c < refSize(a); ++c)
    REQUIRE(refAt(r, c) == refAt(a, c));
}

// Dynamic leaves that are bound give the layout of the values.
static void boundLeavesAreTheValues(void) {
  Node *a = randomLayout();
  given("A", layoutOf(a));
  CuteLayout loose =
      cuteLayoutGet(context, loosened(shapeOf(a)), loosened(treeOf(a, true)));
  REQUIRE_MADE(loose);
  CuteIntTuple leaves[4 * MAX_KIDS], *end = leaves;
  cuteLayoutCollectDynamic(loose, &end);
  REQUIRE((size_t)(end - leaves) == cuteLayoutGetNumDynamic(loose));
  for (CuteIntTuple *leaf = leaves; leaf < end; ++leaf)
    *leaf = cuteIntTupleGetStatic(context, valueOf(*leaf));
  const CuteIntTuple *next = leaves;
  REQUIRE(cuteLayoutBind(context, loose, &next) == layoutOf(a));
  REQUIRE(next == end);
}

int main(void) {
  const Property properties[] = {
      {"coalesce", coalesceKeepsTheFunction},
      {"filter", filterDropsRepetitions},
      {"coordinates and indices", coordinatesAndIndices},
      {"slice_and_offset", sliceAndOffset},
      {"local_tile", tilesCover},
      {"local_partition", partsCover},
      {"tile_to_shape", blocksFillTheShape},
      {"upcast after downcast", upcastUndoesDowncast},
      {"upcast", upcastDivides},
      {"swizzles", swizzlesUndoThemselves},
      {"swizzled layouts", swizzledLayouts},
      {"dynamic leaves", dynamicLeavesAgree},
      {"bound leaves", boundLeavesAreTheValues},
  };
  prepareContext = startDynamic;
  return runProperties(properties, sizeof properties / sizeof *properties);
}
