// The law of divides: each element of A is in exactly one tile, and each tile
// has an element of A.
#include "Algebra/laws.h"

// A divide as functions of integers: n elements of A, the tiler without its
// stride-0 modes, and what it leaves.
typedef struct Tiling {
  Mode a, tiler, rest;
  LawFunction tile, tiles;
  int64_t n, tileSize, count;
  int64_t period; // one past where the tiler's largest stride ends
} Tiling;

static void dropZeros(LawFunction *f) {
  size_t kept = 0;
  for (size_t i = 0; i < f->count; ++i)
    if (f->leaves[i].stride && f->leaves[i].extent > 1)
      f->leaves[kept++] = f->leaves[i];
  f->count = kept;
}

static bool isPositive(const LawFunction *f) {
  for (size_t i = 0; i < f->count; ++i)
    if (f->leaves[i].stride < 0)
      return false;
  return true;
}

// False if it overflows.
static bool findPeriod(Tiling *t) {
  t->period = 1;
  int64_t end;
  for (size_t i = 0; i < t->tile.count; ++i) {
    LawLeaf leaf = t->tile.leaves[i];
    if (__builtin_mul_overflow(leaf.stride, leaf.extent, &end))
      return false;
    t->period = end > t->period ? end : t->period;
  }
  return true;
}

static bool fillTiling(CuteContext c, Tiling *t) {
  LawFunction a;
  if ((t->tiler.stride->flags | t->rest.stride->flags) & HAS_BASIS ||
      !cuteLawFunction(c, (Mode){t->a.shape, t->a.shape}, NULL, &a) ||
      !cuteLawSize(&a, &t->n) ||
      !cuteLawFunction(c, t->tiler, NULL, &t->tile) ||
      !cuteLawFunction(c, t->rest, NULL, &t->tiles))
    return false;
  dropZeros(&t->tile);
  return isPositive(&t->tile) && isPositive(&t->tiles) &&
         cuteLawSize(&t->tile, &t->tileSize) &&
         cuteLawSize(&t->tiles, &t->count) && findPeriod(t);
}

//===-- Messages ----------------------------------------------------------===//

// "divide: tiles of 8:1 at 2:8 leave out element 16 of (6,4):(1,6)".
static bool tilesFail(CuteContext c, const Tiling *t, const char *what,
                      int64_t index, const char *end) {
  return cuteLawFails(c, "divide: tiles of %s at %s %s%s%s",
                      cuteModeText(c, t->tiler), cuteModeText(c, t->rest),
                      cuteArenaFormat(&c->scratch, what, index),
                      cuteModeText(c, t->a), end);
}

//===-- Elements ----------------------------------------------------------===//

// Finds how far tiles side by side reach, or -1 if they leave gaps or overlap.
static int64_t reachOf(CuteContext c, const Tiling *t) {
  LawFunction all = {
      cuteScratch(c, (t->tile.count + t->tiles.count + 1) * sizeof *all.leaves),
      0};
  for (size_t i = 0; i < t->tile.count + t->tiles.count; ++i) {
    LawLeaf leaf = i < t->tile.count ? t->tile.leaves[i]
                                     : t->tiles.leaves[i - t->tile.count];
    if (leaf.extent > 1)
      all.leaves[all.count++] = leaf;
  }
  cuteLawSortLeaves(c, &all);
  int64_t end = 1;
  for (size_t i = 0; i < all.count; ++i)
    if (all.leaves[i].stride != end ||
        __builtin_mul_overflow(end, all.leaves[i].extent, &end))
      return -1;
  return end;
}

// Counts the tiles of each element, up to 2; false if the law fails.
static bool countTiles(CuteContext c, const Tiling *t) {
  uint8_t *seen = cuteScratch(c, (size_t)t->n);
  memset(seen, 0, (size_t)t->n);
  for (int64_t j = 0; j < t->count; ++j) {
    int64_t from, step;
    if (!cuteLawEval(&t->tiles, j, &from))
      return true;
    for (int64_t i = 0; i < t->tileSize; ++i) {
      if (!cuteLawEval(&t->tile, i, &step) || step >= t->n - from)
        continue;
      if (seen[from + step]++)
        return tilesFail(c, t, "have element %jd of ", from + step, " twice");
    }
  }
  for (int64_t i = 0; i < t->n; ++i)
    if (!seen[i])
      return tilesFail(c, t, "leave out element %jd of ", i, "");
  return true;
}

static bool tilesHold(CuteContext c, Tiling *t) {
  int64_t last;
  if (!fillTiling(c, t) || !cuteLawEval(&t->tiles, t->count - 1, &last))
    return true;
  if (last - last % t->period >= t->n)
    return tilesFail(c, t, "continue at element %jd, past the end of ", last,
                     ", and divide other elements than its own");
  int64_t reach = reachOf(c, t);
  if (reach >= 0)
    return reach >= t->n ||
           tilesFail(c, t, "leave out element %jd of ", reach, "");
  bool isSmall = t->n <= CUTE_LAW_COORDS && t->count <= CUTE_LAW_COORDS &&
                 t->tileSize <= CUTE_LAW_COORDS / t->count;
  return !isSmall || countTiles(c, t);
}

bool cuteLawTiles(CuteContext c, Mode a, Mode tiler, Mode rest) {
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&c->scratch);
  Tiling tiling = {.a = a, .tiler = tiler, .rest = rest};
  return tilesHold(c, &tiling);
}
