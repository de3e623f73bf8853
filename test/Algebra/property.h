// Properties of random inputs: the reference on which they rest, generators,
// and a runner.
//
//   CUTE_SEED=n      another stream of inputs than that of ./dev check
//   CUTE_CASES=n     inputs for each property
//   CUTE_SECONDS=n   goes round until so much time is over, with progress
//
// A property that fails is run again on smaller inputs; the smallest that fails
// is shown with its seed.
#pragma once

#include "Algebra/algebra.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

//===-- Random numbers ----------------------------------------------------===//

static CuteContext context;
static uint64_t randomState;

static inline void startRandom(uint64_t seed, uint64_t a, uint64_t b) {
  randomState = (seed + 1) * 0x9e3779b97f4a7c15u ^ (a << 48) ^ b;
  randomState += !randomState;
  for (int i = 0; i < 8; ++i)
    randomState ^= randomState << 13, randomState ^= randomState >> 7,
        randomState ^= randomState << 17;
}

static inline int64_t pick(int64_t first, int64_t last) {
  randomState ^= randomState << 13;
  randomState ^= randomState >> 7;
  randomState ^= randomState << 17;
  return first + (int64_t)(randomState % (uint64_t)(last - first + 1));
}

//===-- The reference: trees of extents and strides -----------------------===//

__extension__ typedef __int128 Wide;

enum { MAX_KIDS = 8, MAX_NODES = 1 << 14 };

typedef struct Node {
  bool isTuple;
  int64_t extent, stride; // of a leaf
  size_t count;           // of a tuple
  struct Node *kids[MAX_KIDS];
} Node;

static Node nodes[MAX_NODES]; // of the case at hand
static size_t numNodes;

static inline Node *newNode(Node node) {
  if (numNodes == MAX_NODES)
    abort();
  nodes[numNodes] = node;
  return &nodes[numNodes++];
}

static inline Node *leafNode(int64_t extent, int64_t stride) {
  return newNode((Node){.extent = extent, .stride = stride});
}

static inline Node *tupleNode(size_t count, Node *const *kids) {
  Node node = {.isTuple = true, .count = count};
  for (size_t i = 0; i < count; ++i)
    node.kids[i] = kids[i];
  return newNode(node);
}

static inline int64_t refSize(const Node *a) {
  int64_t size = a->isTuple ? 1 : a->extent;
  for (size_t i = 0; i < a->count; ++i)
    size *= refSize(a->kids[i]);
  return size;
}

// The definition: the coordinate's digits times the strides.
static inline Wide refAt(const Node *a, Wide coord) {
  if (!a->isTuple)
    return coord * a->stride;
  Wide index = 0;
  for (size_t i = 0; i < a->count; ++i) {
    Wide size = refSize(a->kids[i]);
    index += refAt(a->kids[i], i + 1 < a->count ? coord % size : coord);
    coord /= size;
  }
  return index;
}

// The k-th leaf from the left.
static inline Node *refLeaf(Node *a, size_t *k) {
  if (!a->isTuple)
    return (*k)-- ? NULL : a;
  for (size_t i = 0; i < a->count; ++i) {
    Node *found = refLeaf(a->kids[i], k);
    if (found)
      return found;
  }
  return NULL;
}

static inline size_t refNumLeaves(const Node *a) {
  size_t n = !a->isTuple;
  for (size_t i = 0; i < a->count; ++i)
    n += refNumLeaves(a->kids[i]);
  return n;
}

//===-- To the library and back -------------------------------------------===//

static inline CuteIntTuple treeOf(const Node *a, bool ofStrides) {
  if (!a->isTuple)
    return cuteIntTupleGetStatic(context, ofStrides ? a->stride : a->extent);
  CuteIntTuple kids[MAX_KIDS];
  for (size_t i = 0; i < a->count; ++i)
    kids[i] = treeOf(a->kids[i], ofStrides);
  return cuteIntTupleGetTuple(context, a->count, kids);
}

static inline CuteIntTuple shapeOf(const Node *a) { return treeOf(a, false); }

static inline CuteLayout layoutOf(const Node *a) {
  return cuteLayoutGet(context, shapeOf(a), treeOf(a, true));
}

static inline CuteTile tileOf(const Node *a) {
  return cuteTileGetLayout(context, layoutOf(a));
}

static inline Node *nodeOfTrees(CuteIntTuple shape, CuteIntTuple stride) {
  if (cuteIntTupleGetKind(shape) != CUTE_TUPLE)
    return leafNode(cuteIntTupleGetValue(shape), cuteIntTupleGetValue(stride));
  Node node = {.isTuple = true, .count = cuteIntTupleGetRank(shape)};
  if (node.count > MAX_KIDS)
    abort();
  for (size_t i = 0; i < node.count; ++i)
    node.kids[i] = nodeOfTrees(cuteIntTupleGetElement(shape, i),
                               cuteIntTupleGetElement(stride, i));
  return newNode(node);
}

// Of a static layout with integer strides; of a composed one, B.
static inline Node *nodeOf(CuteLayout layout) {
  return nodeOfTrees(cuteLayoutGetShape(layout), cuteLayoutGetStride(layout));
}

//===-- Generators --------------------------------------------------------===//

// How large inputs are: 1 to 8. The runner makes it smaller to shrink.
static int64_t scale;

// Leaves as a tree of random nesting; at most MAX_KIDS stand side by side.
static inline Node *randomTree(Node *const *leaves, size_t count, int depth) {
  if (count == 1 && (!depth || pick(0, 1)))
    return leaves[0];
  Node *kids[MAX_KIDS];
  size_t n = 0, begin = 0;
  while (begin < count) {
    size_t left = count - begin, most = depth ? left : 1;
    size_t taken = n + 1 == MAX_KIDS ? left : (size_t)pick(1, (int64_t)most);
    if (taken == count && depth > 1 && count > 1)
      --taken;
    kids[n++] = randomTree(leaves + begin, taken, depth ? depth - 1 : 0);
    begin += taken;
  }
  return tupleNode(n, kids);
}

typedef struct Leaves {
  Node *data[MAX_KIDS];
  size_t count;
} Leaves;

static inline Node *treeOfLeaves(const Leaves *leaves) {
  return randomTree(leaves->data, leaves->count, 2);
}

// Extents of a product of at most 2^scale, about.
static inline Leaves randomExtents(void) {
  Leaves leaves = {.count = (size_t)pick(1, 1 + scale / 2)};
  int64_t room = (int64_t)1 << scale;
  for (size_t i = 0; i < leaves.count; ++i) {
    int64_t extent = pick(1, room < 8 ? room : 8);
    room = room / extent > 0 ? room / extent : 1;
    leaves.data[i] = leafNode(extent, 0);
  }
  return leaves;
}

static inline Node *randomLayout(void) {
  Leaves leaves = randomExtents();
  for (size_t i = 0; i < leaves.count; ++i)
    leaves.data[i]->stride = pick(0, 3) ? pick(-4, 40) : 0;
  return treeOfLeaves(&leaves);
}

// Strides in a random order of the leaves, each a multiple of what those before
// reach: injective, and such that complements have no remainders.
static inline void setInjectiveStrides(Leaves *leaves, int64_t largestGap) {
  size_t order[MAX_KIDS];
  for (size_t i = 0; i < leaves->count; ++i) {
    size_t j = (size_t)pick(0, (int64_t)i);
    order[i] = order[j];
    order[j] = i;
  }
  int64_t end = 1;
  for (size_t i = 0; i < leaves->count; ++i) {
    Node *leaf = leaves->data[order[i]];
    leaf->stride = end * pick(1, largestGap);
    end = leaf->extent > 1 ? leaf->stride * leaf->extent : end;
  }
}

static inline Node *randomInjective(int64_t largestGap) {
  Leaves leaves = randomExtents();
  setInjectiveStrides(&leaves, largestGap);
  return treeOfLeaves(&leaves);
}

//===-- Failures ----------------------------------------------------------===//

static CuteString inputs, complaint;

static inline void appendText(CuteStringRef piece, void *text) {
  cuteStringAppendBytes(text, piece.data, piece.length);
}

static inline void given(const char *name, CuteLayout layout) {
  cuteStringAppendFormat(&inputs, "  %s = ", name);
  if (layout)
    cuteLayoutPrint(layout, appendText, &inputs);
  cuteStringAppendChar(&inputs, '\n');
}

static inline void givenTuple(const char *name, CuteIntTuple tuple) {
  cuteStringAppendFormat(&inputs, "  %s = ", name);
  cuteIntTuplePrint(tuple, appendText, &inputs);
  cuteStringAppendChar(&inputs, '\n');
}

static inline void givenInt(const char *name, int64_t value) {
  cuteStringAppendFormat(&inputs, "  %s = %lld\n", name, (long long)value);
}

// Ends the property unless the condition holds.
#define REQUIRE(condition)                                                     \
  do {                                                                         \
    if (!(condition)) {                                                        \
      cuteStringAppendFormat(&complaint, "%s:%d: not so: %s", __FILE__,        \
                             __LINE__, #condition);                            \
      return;                                                                  \
    }                                                                          \
  } while (0)

// The same for a result, with the library's message.
#define REQUIRE_MADE(value)                                                    \
  do {                                                                         \
    if (!(value)) {                                                            \
      cuteStringAppendFormat(&complaint, "%s:%d: %s: %s", __FILE__, __LINE__,  \
                             #value, cuteContextGetError(context));            \
      return;                                                                  \
    }                                                                          \
  } while (0)

// Ends the property where a function that it called has complained.
#define PASS_ON                                                                \
  do {                                                                         \
    if (complaint.length)                                                      \
      return;                                                                  \
  } while (0)

//===-- Runner ------------------------------------------------------------===//

typedef struct Property {
  const char *name;
  void (*check)(void);
} Property;

// Installed in each context, by the files that need it.
static void (*prepareContext)(void);

// Whether the property holds for the case.
static inline bool holds(const Property *property, uint64_t seed, uint64_t i,
                         int64_t size) {
  scale = size;
  numNodes = 0;
  cuteStringClear(&inputs);
  cuteStringClear(&complaint);
  startRandom(seed, (uint64_t)size, i);
  if (cuteContextGetBytes(context) > 1 << 20) {
    cuteContextDestroy(context);
    context = cuteContextCreate();
  }
  if (prepareContext)
    prepareContext();
  property->check();
  return !complaint.length;
}

// Of the smallest size at which a case fails, the one with the shortest inputs.
static inline void reportSmallest(const Property *property, uint64_t seed,
                                  uint64_t i, int64_t size) {
  size_t shortest = SIZE_MAX;
  for (int64_t s = 1; s < size && shortest == SIZE_MAX; ++s)
    for (uint64_t k = 0; k < 5000; ++k)
      if (!holds(property, seed, k, s) && inputs.length < shortest) {
        shortest = inputs.length;
        size = s;
        i = k;
      }
  holds(property, seed, i, size);
  fprintf(stderr, "%s fails (CUTE_SEED=%llu, size %lld, case %llu)\n%s%s\n",
          property->name, (unsigned long long)seed, (long long)size,
          (unsigned long long)i, cuteStringGet(&inputs),
          cuteStringGet(&complaint));
}

static inline uint64_t setting(const char *name, uint64_t otherwise) {
  const char *text = getenv(name);
  return text && *text ? strtoull(text, NULL, 10) : otherwise;
}

static inline int runProperties(const Property *properties, size_t n) {
  uint64_t seed = setting("CUTE_SEED", 0), cases = setting("CUTE_CASES", 400);
  time_t start = time(NULL), shown = start;
  time_t seconds = (time_t)setting("CUTE_SECONDS", 0);
  uint64_t done = 0;
  context = cuteContextCreate();
  do {
    for (size_t p = 0; p < n; ++p)
      for (uint64_t i = 0; i < cases; ++i) {
        int64_t size = 2 + (int64_t)(i % 7);
        if (!holds(&properties[p], seed, i, size)) {
          reportSmallest(&properties[p], seed, i, size);
          return 1;
        }
      }
    done += cases * n;
    if (time(NULL) > shown + 4) {
      shown = time(NULL);
      printf("%llu cases, %lld s, at seed %llu\n", (unsigned long long)done,
             (long long)(shown - start), (unsigned long long)seed);
      fflush(stdout);
    }
    ++seed;
  } while (time(NULL) < start + seconds);
  printf("%zu properties, %llu cases\n", n, (unsigned long long)done);
  cuteStringDestroy(&inputs);
  cuteStringDestroy(&complaint);
  cuteContextDestroy(context);
  return 0;
}
