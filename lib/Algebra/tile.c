// Tilers: trees of layouts and `_`.
#include "Algebra/algebra.h"

#include "Support/hash.h"

//===-- Interning ---------------------------------------------------------===//

static bool tilesEqual(const void *first, const void *second) {
  const struct CuteTileImpl *a = first, *b = second;
  if (a->kind != b->kind || a->rank != b->rank || a->layout != b->layout)
    return false;
  return a->kind != TILE_TUPLE || !a->rank ||
         !memcmp(a->elements, b->elements, a->rank * sizeof *a->elements);
}

static void *copyTile(CuteContext context, const void *candidate) {
  const struct CuteTileImpl *node = candidate;
  size_t n = node->kind == TILE_TUPLE ? node->rank : 0;
  struct CuteTileImpl *copy = cuteArenaAllocate(
      &context->nodes, sizeof *copy + n * sizeof *node->elements);
  *copy = *node;
  if (n) {
    CuteTile *elements = (CuteTile *)(copy + 1);
    memcpy(elements, node->elements, n * sizeof *elements);
    copy->elements = elements;
  }
  return copy;
}

static CuteTile intern(CuteContext context, struct CuteTileImpl *node) {
  uint64_t hash =
      cuteHashMix(node->kind, node->layout ? node->layout->hash : 0);
  for (size_t i = 0; node->kind == TILE_TUPLE && i < node->rank; ++i)
    hash = cuteHashMix(hash, node->elements[i]->hash);
  node->hash = hash;
  return cuteIntern(context, &context->tiles, hash, node, tilesEqual, copyTile);
}

CuteTile cuteTileGetUnderscore(CuteContext context) {
  struct CuteTileImpl node = {
      .kind = TILE_UNDERSCORE, .rank = 1, .numLeaves = 1};
  return intern(context, &node);
}

CuteTile cuteTileGetLayout(CuteContext context, CuteLayout layout) {
  if (!layout)
    return NULL;
  struct CuteTileImpl node = {.kind = TILE_LAYOUT,
                              .rank = 1,
                              .numLeaves = 1,
                              .numDynamic =
                                  (uint32_t)cuteLayoutGetNumDynamic(layout),
                              .layout = layout};
  return intern(context, &node);
}

CuteTile cuteInternTileTuple(CuteContext context, size_t n,
                             const CuteTile *elements) {
  struct CuteTileImpl node = {
      .kind = TILE_TUPLE, .rank = (uint32_t)n, .elements = elements};
  size_t leaves = 0, tuples = 1, depth = 0;
  for (size_t i = 0; i < n; ++i) {
    if (!elements[i])
      return NULL;
    node.numDynamic += elements[i]->numDynamic;
    leaves += elements[i]->numLeaves;
    tuples += elements[i]->numTuples;
    depth = elements[i]->depth > depth ? elements[i]->depth : depth;
    if (leaves > CUTE_MAX_LEAVES)
      return cuteFail(context, "tile: more than %d leaves", CUTE_MAX_LEAVES);
    if (tuples > CUTE_MAX_LEAVES)
      return cuteFail(context, "tile: more than %d tuples", CUTE_MAX_LEAVES);
  }
  if (depth >= CUTE_MAX_DEPTH)
    return cuteFail(context, "tile: nested more than %d deep", CUTE_MAX_DEPTH);
  node.numLeaves = (uint32_t)leaves;
  node.numTuples = (uint32_t)tuples;
  node.depth = (uint16_t)(depth + 1);
  return intern(context, &node);
}

CuteTile cuteTileGetTuple(CuteContext context, size_t n,
                          const CuteTile *elements) {
  return cuteInternTileTuple(context, n, elements);
}

static CuteTile tileOfShape(CuteContext c, CuteIntTuple shape) {
  if (!isTuple(shape))
    return cuteTileGetLayout(c, cuteLayoutGet(c, shape, NULL));
  return CUTE_TILE_OF(c, i, shape->rank, tileOfShape(c, shape->elements[i]));
}

CuteTile cuteTileGetShape(CuteContext context, CuteIntTuple shape) {
  if (!shape)
    return NULL;
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&context->scratch);
  return tileOfShape(context, shape);
}

//===-- Parts -------------------------------------------------------------===//

bool cuteTileIsUnderscore(CuteTile tile) {
  return tile->kind == TILE_UNDERSCORE;
}
CuteLayout cuteTileGetLeaf(CuteTile tile) { return tile->layout; }
size_t cuteTileGetRank(CuteTile tile) { return tile->rank; }
size_t cuteTileGetNumLeaves(CuteTile tile) { return tile->numLeaves; }
size_t cuteTileGetNumDynamic(CuteTile tile) { return tile->numDynamic; }

CuteTile cuteTileGetElement(CuteTile tile, size_t i) {
  return tile->kind == TILE_TUPLE ? tile->elements[i] : tile;
}

CuteTile cuteTileGetAt(CuteContext context, CuteTile tile, size_t n,
                       const int32_t *path) {
  for (size_t i = 0; tile && i < n; ++i) {
    bool atLeaf = i && tile->kind != TILE_TUPLE;
    if (atLeaf || path[i] < 0 || (size_t)path[i] >= tile->rank)
      return cuteFail(context, "get: mode %d is not in a tile of rank %u",
                      path[i], atLeaf ? 0 : tile->rank);
    tile = cuteTileGetElement(tile, (size_t)path[i]);
  }
  return tile;
}

CuteTile cuteTileSelect(CuteContext context, CuteTile tile, size_t n,
                        const int32_t *modes) {
  if (!tile)
    return NULL;
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&context->scratch);
  CuteTile *elements = cuteScratch(context, n * sizeof *elements);
  for (size_t i = 0; i < n; ++i) {
    if (modes[i] < 0 || (size_t)modes[i] >= tile->rank)
      return cuteFail(context, "select: mode %d is not in a tile of rank %u",
                      modes[i], tile->rank);
    elements[i] = cuteTileGetElement(tile, (size_t)modes[i]);
  }
  return cuteInternTileTuple(context, n, elements);
}

static void collectLeaves(CuteTile tile, CuteTile **leaves) {
  if (tile->kind != TILE_TUPLE) {
    *(*leaves)++ = tile;
    return;
  }
  for (size_t i = 0; i < tile->rank; ++i)
    collectLeaves(tile->elements[i], leaves);
}

CuteTile cuteTileFlatten(CuteContext context, CuteTile tile) {
  if (!tile || tile->kind != TILE_TUPLE)
    return tile;
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&context->scratch);
  CuteTile *leaves = cuteScratch(context, tile->numLeaves * sizeof *leaves);
  CuteTile *end = leaves;
  collectLeaves(tile, &end);
  return cuteInternTileTuple(context, tile->numLeaves, leaves);
}

CuteTile cuteTileGroup(CuteContext context, CuteTile tile, int64_t begin,
                       int64_t end) {
  if (!tile)
    return NULL;
  if (begin < 0 || begin >= end || end > (int64_t)tile->rank)
    return cuteFail(
        context,
        "group_modes: [%jd, %jd) is not a range of modes in a rank of %u",
        begin, end, tile->rank);
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&context->scratch);
  size_t n = tile->rank - (size_t)(end - begin) + 1;
  CuteTile grouped = CUTE_TILE_OF(context, i, (size_t)(end - begin),
                                  cuteTileGetElement(tile, (size_t)begin + i));
  return CUTE_TILE_OF(context, i, n,
                      i < (size_t)begin ? tile->elements[i]
                      : i == (size_t)begin
                          ? grouped
                          : tile->elements[i + tile->rank - n]);
}

// The tile's modes from number `first` on, the element in all other places.
static CuteTile extendToRank(CuteContext c, CuteTile tile, int64_t rank,
                             CuteTile element, size_t first) {
  if (rank > CUTE_MAX_LEAVES)
    return cuteFail(c, "a tile has at most %d modes, not %jd", CUTE_MAX_LEAVES,
                    rank);
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&c->scratch);
  return CUTE_TILE_OF(c, i, (size_t)rank,
                      i < first || i >= first + tile->rank
                          ? element
                          : cuteTileGetElement(tile, i - first));
}

CuteTile cuteTileAppendToRank(CuteContext context, CuteTile tile, int64_t rank,
                              CuteTile element) {
  return tile && element && rank > (int64_t)tile->rank
             ? extendToRank(context, tile, rank, element, 0)
             : tile;
}

CuteTile cuteTilePrependToRank(CuteContext context, CuteTile tile, int64_t rank,
                               CuteTile element) {
  return tile && element && rank > (int64_t)tile->rank
             ? extendToRank(context, tile, rank, element,
                            (size_t)rank - tile->rank)
             : tile;
}

static CuteIntTuple shapesOf(CuteContext c, CuteTile tile) {
  if (tile->kind == TILE_UNDERSCORE)
    return cuteFail(c, "get_shape: a tile with _ has no shape");
  if (tile->kind == TILE_LAYOUT)
    return tile->layout->shape;
  return CUTE_TUPLE_OF(c, i, tile->rank, shapesOf(c, tile->elements[i]));
}

CuteIntTuple cuteTileGetShapes(CuteContext context, CuteTile tile) {
  if (!tile)
    return NULL;
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&context->scratch);
  return shapesOf(context, tile);
}

//===-- ceil_div ----------------------------------------------------------===//

// The shape that a layout leaves of an extent: that of its complement.
static CuteIntTuple ceilDivLayout(CuteContext c, CuteIntTuple shape,
                                  CuteLayout layout) {
  if (layout->stride->flags & HAS_BASIS)
    return cuteFailTuple(
        c, "ceil_div: the strides of a tile must be integers, not ",
        layout->stride);
  CuteIntTuple size = cuteIntTupleProduct(c, shape);
  return size ? cuteComplementShape(c, layout, size) : NULL;
}

static CuteIntTuple ceilDivTile(CuteContext c, CuteIntTuple a, CuteTile tile) {
  if (tile->kind == TILE_UNDERSCORE)
    return cuteFail(c, "ceil_div: a tile with _ is not a divisor");
  if (tile->kind == TILE_LAYOUT)
    return ceilDivLayout(c, a, tile->layout);
  if (!isTuple(a)) {
    CuteIntTuple shapes = shapesOf(c, tile);
    return cuteIntTupleCeilDiv(c, a, cuteIntTupleProduct(c, shapes));
  }
  if (tile->rank > a->rank)
    return cuteFailTuple(c, "ceil_div: the tile has more modes than ", a);
  return CUTE_TUPLE_OF(c, i, a->rank,
                       i < tile->rank
                           ? ceilDivTile(c, a->elements[i], tile->elements[i])
                           : a->elements[i]);
}

CuteIntTuple cuteTileCeilDiv(CuteContext context, CuteIntTuple shape,
                             CuteTile tile) {
  if (!shape || !tile)
    return NULL;
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&context->scratch);
  return ceilDivTile(context, shape, tile);
}
