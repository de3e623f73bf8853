#include "Algebra/algebra.h"

#include "Support/hash.h"

//===-- Interning ---------------------------------------------------------===//

static size_t numStored(const struct CuteIntTupleImpl *node) {
  if (node->kind == CUTE_TUPLE)
    return node->rank;
  return node->kind == CUTE_BASIS ? 2 : 0;
}

static bool tuplesEqual(const void *first, const void *second) {
  const struct CuteIntTupleImpl *a = first, *b = second;
  if (a->kind != b->kind || a->rank != b->rank || a->value != b->value ||
      a->width != b->width || a->id != b->id)
    return false;
  size_t n = numStored(a);
  return !n || !memcmp(a->elements, b->elements, n * sizeof *a->elements);
}

static void *copyTuple(CuteContext context, const void *candidate) {
  const struct CuteIntTupleImpl *node = candidate;
  size_t n = numStored(node);
  struct CuteIntTupleImpl *copy = cuteArenaAllocate(
      &context->nodes, sizeof *copy + n * sizeof *node->elements);
  *copy = *node;
  if (n) {
    CuteIntTuple *elements = (CuteIntTuple *)(copy + 1);
    memcpy(elements, node->elements, n * sizeof *elements);
    copy->elements = elements;
  }
  return copy;
}

static CuteIntTuple intern(CuteContext context, struct CuteIntTupleImpl *node) {
  uint64_t hash = cuteHashMix(node->kind, (uint64_t)node->value);
  if (node->kind == CUTE_DYNAMIC)
    hash = cuteHashMix(hash, (uint64_t)node->id << 8 | node->width);
  for (size_t i = 0, n = numStored(node); i < n; ++i)
    hash = cuteHashMix(hash, node->elements[i]->hash);
  node->hash = hash;
  return cuteIntern(context, &context->tuples, hash, node, tuplesEqual,
                    copyTuple);
}

//===-- Construction ------------------------------------------------------===//

CuteIntTuple cuteIntTupleGetStatic(CuteContext context, int64_t value) {
  size_t index = (size_t)((uint64_t)value - (uint64_t)SMALLEST_CACHED);
  if (index < NUM_CACHED && context->cachedInts[index])
    return context->cachedInts[index];
  struct CuteIntTupleImpl node = {
      .kind = CUTE_STATIC, .rank = 1, .numLeaves = 1, .value = value};
  CuteIntTuple leaf = intern(context, &node);
  if (index < NUM_CACHED)
    context->cachedInts[index] = leaf;
  return leaf;
}

CuteIntTuple cuteDynamicLeaf(CuteContext context, unsigned width,
                             int64_t divisor, uint32_t id) {
  const int64_t largest = INT64_C(1) << 31;
  while (divisor > largest && divisor % 2 == 0)
    divisor /= 2;
  struct CuteIntTupleImpl node = {.kind = CUTE_DYNAMIC,
                                  .width = (uint8_t)width,
                                  .rank = 1,
                                  .numLeaves = 1,
                                  .numDynamic = 1,
                                  .id = id,
                                  .value = divisor > largest ? 1 : divisor};
  return intern(context, &node);
}

CuteIntTuple cuteIntTupleGetDynamic(CuteContext context, unsigned width,
                                    int64_t divisor) {
  if (width != 1 && width != 8 && width != 16 && width != 32 && width != 64)
    return cuteFail(
        context, "dynamic integer: %u is not a width (1, 8, 16, 32 or 64 bits)",
        width);
  if (divisor < 1 || divisor > (INT64_C(1) << 31))
    return cuteFail(context,
                    "dynamic integer: divisor %jd is not in [1, 2147483648]",
                    divisor);
  return cuteDynamicLeaf(context, width, divisor, 0);
}

CuteIntTuple cuteIntTupleGetUnderscore(CuteContext context) {
  if (context->underscore)
    return context->underscore;
  struct CuteIntTupleImpl node = {.kind = CUTE_UNDERSCORE,
                                  .flags = HAS_UNDERSCORE,
                                  .rank = 1,
                                  .numLeaves = 1};
  return context->underscore = intern(context, &node);
}

CuteIntTuple cuteInternErrorLeaf(CuteContext context) {
  struct CuteIntTupleImpl node = {
      .kind = CUTE_ERROR, .flags = HAS_ERROR, .rank = 1, .numLeaves = 1};
  return intern(context, &node);
}

CuteIntTuple cuteInternBasis(CuteContext context, CuteIntTuple value,
                             CuteIntTuple path) {
  if (!value || !path)
    return NULL;
  if (path->rank == 0)
    return value;
  CuteIntTuple parts[] = {value, path};
  struct CuteIntTupleImpl node = {.kind = CUTE_BASIS,
                                  .flags = HAS_BASIS,
                                  .rank = 1,
                                  .numLeaves = 1,
                                  .numDynamic = value->numDynamic,
                                  .elements = parts};
  return intern(context, &node);
}

CuteIntTuple cuteIntTupleGetBasis(CuteContext context, CuteIntTuple value,
                                  size_t n, const int64_t *path) {
  if (!value || (value->kind != CUTE_STATIC && value->kind != CUTE_DYNAMIC))
    return cuteFail(context, "scaled basis: the value is not an integer");
  if (n > CUTE_MAX_DEPTH)
    return cuteFail(context, "scaled basis: more than %d modes",
                    CUTE_MAX_DEPTH);
  CuteIntTuple modes[CUTE_MAX_DEPTH];
  for (size_t i = 0; i < n; ++i)
    modes[i] = staticInt(context, path[i]);
  return cuteInternBasis(context, value, cuteInternTuple(context, n, modes));
}

CuteIntTuple cuteInternTuple(CuteContext context, size_t rank,
                             const CuteIntTuple *elements) {
  struct CuteIntTupleImpl node = {.kind = CUTE_TUPLE, .elements = elements};
  size_t leaves = 0, tuples = 1, depth = 0;
  for (size_t i = 0; i < rank; ++i) {
    CuteIntTuple e = elements[i];
    if (!e)
      return NULL;
    node.flags |= e->flags;
    node.numDynamic += e->numDynamic;
    leaves += e->numLeaves;
    tuples += e->numTuples;
    depth = e->depth > depth ? e->depth : depth;
    if (leaves > CUTE_MAX_LEAVES)
      return cuteFail(context, "tuple: more than %d leaves", CUTE_MAX_LEAVES);
    if (tuples > CUTE_MAX_LEAVES)
      return cuteFail(context, "tuple: more than %d tuples", CUTE_MAX_LEAVES);
  }
  if (depth >= CUTE_MAX_DEPTH)
    return cuteFail(context, "tuple: nested more than %d deep", CUTE_MAX_DEPTH);
  node.rank = (uint32_t)rank;
  node.numLeaves = (uint32_t)leaves;
  node.numTuples = (uint32_t)tuples;
  node.depth = (uint16_t)(depth + 1);
  return intern(context, &node);
}

CuteIntTuple cuteIntTupleGetTuple(CuteContext context, size_t n,
                                  const CuteIntTuple *elements) {
  return cuteInternTuple(context, n, elements);
}

//===-- Structure ---------------------------------------------------------===//

CuteIntTupleKind cuteIntTupleGetKind(CuteIntTuple tuple) {
  return (CuteIntTupleKind)tuple->kind;
}

int64_t cuteIntTupleGetValue(CuteIntTuple leaf) { return leaf->value; }

unsigned cuteIntTupleGetWidth(CuteIntTuple leaf) { return leaf->width; }

size_t cuteIntTupleGetRank(CuteIntTuple tuple) { return tuple->rank; }

size_t cuteIntTupleGetDepth(CuteIntTuple tuple) { return tuple->depth; }

CuteIntTuple cuteIntTupleGetElement(CuteIntTuple tuple, size_t i) {
  return element(tuple, i);
}

size_t cuteIntTupleGetNumLeaves(CuteIntTuple tuple) { return tuple->numLeaves; }

size_t cuteIntTupleGetNumDynamic(CuteIntTuple tuple) {
  return tuple->numDynamic;
}

void cuteIntTupleGetLeaves(CuteIntTuple tuple, CuteIntTuple *leaves) {
  if (!isTuple(tuple)) {
    *leaves = tuple;
    return;
  }
  for (size_t i = 0; i < tuple->rank; ++i) {
    cuteIntTupleGetLeaves(tuple->elements[i], leaves);
    leaves += tuple->elements[i]->numLeaves;
  }
}

bool cuteIntTupleIsStatic(CuteIntTuple tuple) { return isFullyStatic(tuple); }

bool cuteIntTupleIsCongruent(CuteIntTuple a, CuteIntTuple b) {
  if (a == b)
    return true;
  if (!isTuple(a) || !isTuple(b))
    return !isTuple(a) && !isTuple(b);
  if (a->rank != b->rank || a->depth != b->depth)
    return false;
  for (size_t i = 0; i < a->rank; ++i)
    if (!cuteIntTupleIsCongruent(a->elements[i], b->elements[i]))
      return false;
  return true;
}

bool cuteIntTupleIsWeaklyCongruent(CuteIntTuple a, CuteIntTuple b) {
  if (!isTuple(a))
    return true;
  if (!isTuple(b) || a->rank != b->rank)
    return false;
  for (size_t i = 0; i < a->rank; ++i)
    if (!cuteIntTupleIsWeaklyCongruent(a->elements[i], b->elements[i]))
      return false;
  return true;
}

bool cuteIntTupleElemLess(CuteIntTuple a, CuteIntTuple b) {
  if (!isTuple(a))
    return isStatic(a) && isStatic(b) && a->value < b->value;
  if (!isTuple(b) || a->rank != b->rank)
    return false;
  for (size_t i = 0; i < a->rank; ++i)
    if (!cuteIntTupleElemLess(a->elements[i], b->elements[i]))
      return false;
  return true;
}

bool cuteIntTupleAll(CuteIntTuple tuple, bool (*holds)(CuteIntTuple leaf)) {
  bool all = isTuple(tuple) || holds(tuple);
  for (size_t i = 0; all && isTuple(tuple) && i < tuple->rank; ++i)
    all = cuteIntTupleAll(tuple->elements[i], holds);
  return all;
}
