// Layouts as functions of integers, and the coordinates at which to test them.
#include "Algebra/laws.h"

#include "Support/gcd.h"
#include "Support/hash.h"
#include "Support/sort.h"

//===-- Functions ---------------------------------------------------------===//

static void addPath(LawPaths *paths, CuteIntTuple path) {
  for (size_t i = 0; i < paths->count; ++i)
    if (paths->data[i] == path)
      return;
  if (paths->count < MAX_LAW_PATHS)
    paths->data[paths->count] = path;
  ++paths->count;
}

static void collectPaths(CuteIntTuple stride, LawPaths *paths) {
  for (size_t i = 0;
       isTuple(stride) && i < stride->rank && paths->count <= MAX_LAW_PATHS;
       ++i)
    collectPaths(stride->elements[i], paths);
  if (isBasis(stride))
    addPath(paths, basisPath(stride));
}

bool cuteLawPaths(CuteIntTuple stride, LawPaths *paths) {
  paths->count = 0;
  collectPaths(stride, paths);
  if (!(stride->flags & HAS_BASIS))
    addPath(paths, NULL);
  return paths->count <= MAX_LAW_PATHS;
}

// A stride's part in the direction; false if it is dynamic.
static bool strideIn(CuteIntTuple stride, CuteIntTuple path, int64_t *value) {
  CuteIntTuple leaf = isBasis(stride) ? basisValue(stride) : stride;
  bool counts = isBasis(stride) ? basisPath(stride) == path : !path;
  if (!isStatic(leaf))
    return false;
  *value = counts ? leaf->value : 0;
  return true;
}

bool cuteLawFunction(CuteContext c, Mode m, CuteIntTuple path, LawFunction *f) {
  Modes leaves = {0};
  modesPushLeaves(c, &leaves, m);
  f->leaves = cuteScratch(c, (leaves.count + 1) * sizeof *f->leaves);
  f->count = 0;
  for (size_t i = 0; i < leaves.count; ++i) {
    CuteIntTuple extent = leaves.data[i].shape;
    int64_t stride;
    if (!isStatic(extent) || extent->value < 1 ||
        !strideIn(leaves.data[i].stride, path, &stride))
      return false;
    if (extent->value > 1 || i + 1 == leaves.count)
      f->leaves[f->count++] = (LawLeaf){extent->value, stride};
  }
  return true;
}

bool cuteLawEval(const LawFunction *f, int64_t index, int64_t *value) {
  int64_t sum = 0, step;
  for (size_t i = 0; index && i < f->count; ++i) {
    LawLeaf leaf = f->leaves[i];
    int64_t coord = i + 1 < f->count ? index % leaf.extent : index;
    if (__builtin_mul_overflow(coord, leaf.stride, &step) ||
        __builtin_add_overflow(sum, step, &sum))
      return false;
    index /= leaf.extent;
  }
  *value = sum;
  return true;
}

bool cuteLawSize(const LawFunction *f, int64_t *size) {
  *size = 1;
  for (size_t i = 0; i < f->count; ++i)
    if (__builtin_mul_overflow(*size, f->leaves[i].extent, size))
      return false;
  return true;
}

//===-- Coordinates -------------------------------------------------------===//

enum { CORNERS_PER_LEAF = 3 }; // the first step, the middle, the last

// The corners of each leaf with the others at 0: CORNERS_PER_LEAF for each.
static size_t leafCorners(const LawFunction *f, int64_t *corners) {
  size_t n = 0;
  int64_t step = 1;
  for (size_t i = 0; i < f->count; ++i) {
    int64_t extent = f->leaves[i].extent;
    if (extent > 1) {
      corners[n++] = step;
      corners[n++] = extent / 2 * step;
      corners[n++] = (extent - 1) * step;
    }
    step *= extent;
  }
  return n;
}

static void addCorners(CuteContext c, const LawFunction *f, LawDomain *domain) {
  enum { MAX_CORNERS = CUTE_LAW_COORDS / 2 };
  int64_t *single =
      cuteScratch(c, (CORNERS_PER_LEAF * f->count + 1) * sizeof *single);
  size_t n = leafCorners(f, single), count = 0;
  domain->corners = cuteScratch(c, MAX_CORNERS * sizeof *single);
  domain->corners[count++] = domain->size - 1;
  for (size_t i = 0; i < n && count < MAX_CORNERS; ++i)
    domain->corners[count++] = single[i];
  for (size_t i = 0; i < n; ++i)
    for (size_t j = (i / CORNERS_PER_LEAF + 1) * CORNERS_PER_LEAF;
         j < n && count < MAX_CORNERS; ++j)
      domain->corners[count++] = single[i] + single[j];
  domain->numCorners = count;
}

bool cuteLawDomain(CuteContext c, const LawFunction *f, LawDomain *domain) {
  *domain = (LawDomain){0};
  if (!cuteLawSize(f, &domain->size))
    return false;
  if (domain->size > CUTE_LAW_COORDS)
    addCorners(c, f, domain);
  return true;
}

int64_t cuteLawDomainCount(const LawDomain *domain) {
  return domain->size < CUTE_LAW_COORDS ? domain->size : CUTE_LAW_COORDS;
}

// A fixed scramble of the bits of k (splitmix64's finalizer).
static uint64_t scramble(uint64_t k) {
  k += UINT64_C(0x9e3779b97f4a7c15);
  k = (k ^ k >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  k = (k ^ k >> 27) * UINT64_C(0x94d049bb133111eb);
  return k ^ k >> 31;
}

int64_t cuteLawDomainGet(const LawDomain *domain, int64_t k) {
  if (!domain->corners)
    return k;
  if (k < (int64_t)domain->numCorners)
    return domain->corners[k];
  return (int64_t)(scramble((uint64_t)k) % (uint64_t)domain->size);
}

//===-- Values that occur twice -------------------------------------------===//

static int compareLeaves(const void *first, const void *second) {
  const LawLeaf *a = first, *b = second;
  return (a->stride > b->stride) - (a->stride < b->stride);
}

void cuteLawSortLeaves(CuteContext c, LawFunction *f) {
  void *scratch = cuteScratch(c, (f->count + 1) * sizeof *f->leaves);
  cuteStableSort(f->leaves, scratch, f->count, sizeof *f->leaves,
                 compareLeaves);
}

// Tells whether each stride is positive and greater than all that smaller ones
// reach.
static bool isNested(CuteContext c, const LawFunction *f) {
  LawFunction sorted = {cuteScratch(c, (f->count + 1) * sizeof *sorted.leaves),
                        0};
  for (size_t i = 0; i < f->count; ++i)
    if (f->leaves[i].extent > 1)
      sorted.leaves[sorted.count++] = f->leaves[i];
  cuteLawSortLeaves(c, &sorted);
  int64_t reach = 0, step;
  for (size_t i = 0; i < sorted.count; ++i) {
    LawLeaf leaf = sorted.leaves[i];
    if (leaf.stride <= reach ||
        __builtin_mul_overflow(leaf.extent - 1, leaf.stride, &step) ||
        __builtin_add_overflow(reach, step, &reach))
      return false;
  }
  return true;
}

// Extents halved, the largest first, until few enough coordinates are left.
static LawFunction shrink(CuteContext c, const LawFunction *f) {
  LawFunction box = {cuteScratch(c, (f->count + 1) * sizeof *box.leaves),
                     f->count};
  memcpy(box.leaves, f->leaves, f->count * sizeof *box.leaves);
  int64_t size;
  while (!cuteLawSize(&box, &size) || size > CUTE_LAW_COORDS) {
    LawLeaf *largest = box.leaves;
    for (size_t i = 1; i < box.count; ++i)
      if (box.leaves[i].extent > largest->extent)
        largest = &box.leaves[i];
    largest->extent = (largest->extent + 1) / 2;
  }
  return box;
}

// Goes through the coordinates of a box in order, with their places in the
// whole and the values there.
typedef struct Odometer {
  const LawFunction *box, *whole;
  int64_t *digits, coord, value;
} Odometer;

static void advance(Odometer *at) {
  int64_t step = 1;
  for (size_t i = 0; i < at->box->count; ++i) {
    LawLeaf leaf = at->whole->leaves[i];
    int64_t last = at->box->leaves[i].extent - 1, digit = at->digits[i];
    int64_t move = digit < last ? 1 : -last;
    at->digits[i] += move;
    at->coord += move * step;
    at->value += move * leaf.stride;
    if (digit < last)
      return;
    step *= leaf.extent;
  }
}

// Tells whether no sum of coordinates times strides overflows.
static bool isInRange(const LawFunction *f) {
  int64_t reach = 0, step;
  for (size_t i = 0; i < f->count; ++i)
    if (f->leaves[i].stride == INT64_MIN ||
        __builtin_mul_overflow(f->leaves[i].extent - 1,
                               llabs(f->leaves[i].stride), &step) ||
        __builtin_add_overflow(reach, step, &reach))
      return false;
  return true;
}

typedef struct Valued {
  int64_t value, coord;
  bool isTaken;
} Valued;

// Finds the least coordinate in the box, of n, whose value has been before.
static bool firstTwice(CuteContext c, const LawFunction *box,
                       const LawFunction *whole, size_t n,
                       LawCollision *collision) {
  size_t size = 2;
  while (size < 2 * n)
    size *= 2;
  Valued *table = cuteScratch(c, size * sizeof *table);
  memset(table, 0, size * sizeof *table);
  size_t digits = (box->count + 1) * sizeof(int64_t);
  Odometer at = {box, whole, cuteScratch(c, digits), 0, 0};
  memset(at.digits, 0, digits);
  for (size_t k = 0; k < n; ++k, advance(&at)) {
    size_t slot = cuteHashMix(0, (uint64_t)at.value) & (size - 1);
    while (table[slot].isTaken && table[slot].value != at.value)
      slot = (slot + 1) & (size - 1);
    if (table[slot].isTaken) {
      *collision = (LawCollision){table[slot].coord, at.coord};
      return true;
    }
    table[slot] = (Valued){at.value, at.coord, true};
  }
  return false;
}

// k steps of stride d and l steps of stride e reach the same index, or 0 if d
// and e differ in sign. `fromD` and `fromE` are the leaves' steps in the
// domain.
static bool leavesCollide(LawLeaf d, LawLeaf e, int64_t fromD, int64_t fromE,
                          LawCollision *collision) {
  if (d.stride == INT64_MIN || e.stride == INT64_MIN)
    return false;
  if (!d.stride || !e.stride) {
    *collision = (LawCollision){0, d.stride ? fromE : fromD};
    return true;
  }
  bool isOpposite = (d.stride < 0) != (e.stride < 0);
  int64_t x = llabs(d.stride), y = llabs(e.stride);
  int64_t divisor = cuteGcd(x, y), k = y / divisor, l = x / divisor;
  if (k >= d.extent || l >= e.extent)
    return false;
  int64_t first = isOpposite ? 0 : k * fromD;
  int64_t second = isOpposite ? k * fromD + l * fromE : l * fromE;
  *collision = first < second ? (LawCollision){first, second}
                              : (LawCollision){second, first};
  return true;
}

// Tells whether two leaves alone collide: exact, and without an evaluation.
static bool pairCollides(const LawFunction *f, LawCollision *collision) {
  int64_t fromI = 1;
  for (size_t i = 0; i < f->count; fromI *= f->leaves[i++].extent) {
    int64_t fromJ = fromI * f->leaves[i].extent;
    for (size_t j = i + 1; j < f->count; fromJ *= f->leaves[j++].extent)
      if (f->leaves[i].extent > 1 && f->leaves[j].extent > 1 &&
          leavesCollide(f->leaves[i], f->leaves[j], fromI, fromJ, collision))
        return true;
  }
  return false;
}

bool cuteLawCollision(CuteContext c, const LawFunction *f,
                      LawCollision *collision) {
  int64_t whole, size;
  if (!cuteLawSize(f, &whole) || isNested(c, f))
    return false;
  if (whole > CUTE_LAW_COORDS && pairCollides(f, collision))
    return true;
  LawFunction box = shrink(c, f);
  return cuteLawSize(&box, &size) && isInRange(f) &&
         firstTwice(c, &box, f, (size_t)size, collision);
}
