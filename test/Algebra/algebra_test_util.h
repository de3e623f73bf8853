// What the tests of the algebra share: texts in and out, an evaluator that
// knows nothing but leaves, and random layouts from a fixed seed.
#pragma once

#include "check.h"
#include "cute/Layout.h"

#include <stdio.h>
#include <stdlib.h>

//===-- The context of a test program -------------------------------------===//

static CuteContext context;

static inline int createContext(void **state) {
  (void)state;
  context = cuteContextCreate();
  return context == NULL;
}

static inline int destroyContext(void **state) {
  (void)state;
  cuteContextDestroy(context);
  return 0;
}

//===-- Text --------------------------------------------------------------===//

typedef struct TextBuffer {
  char data[2000];
  size_t length;
} TextBuffer;

static inline void appendPiece(CuteStringRef piece, void *userData) {
  TextBuffer *buffer = userData;
  size_t room = sizeof buffer->data - 1 - buffer->length;
  size_t n = piece.length < room ? piece.length : room;
  memcpy(buffer->data + buffer->length, piece.data, n);
  buffer->data[buffer->length += n] = '\0';
}

// The texts live until 16 others were made.
static inline TextBuffer *nextBuffer(void) {
  static TextBuffer buffers[16];
  static size_t next;
  TextBuffer *buffer = &buffers[next++ % 16];
  buffer->length = 0;
  buffer->data[0] = '\0';
  return buffer;
}

static inline const char *tupleText(CuteIntTuple tuple) {
  if (!tuple)
    return cuteContextGetError(context);
  TextBuffer *buffer = nextBuffer();
  cuteIntTuplePrint(tuple, appendPiece, buffer);
  return buffer->data;
}

static inline const char *layoutText(CuteLayout layout) {
  if (!layout)
    return cuteContextGetError(context);
  TextBuffer *buffer = nextBuffer();
  cuteLayoutPrint(layout, appendPiece, buffer);
  return buffer->data;
}

static inline const char *tileText(CuteTile tile) {
  if (!tile)
    return cuteContextGetError(context);
  TextBuffer *buffer = nextBuffer();
  cuteTilePrint(tile, appendPiece, buffer);
  return buffer->data;
}

// Ends the test with the reason when the value could not be made.
static inline const void *made(const void *value, const char *text) {
  if (!value)
    fail_msg("%s: %s", text, cuteContextGetError(context));
  return value;
}

// Reads an int tuple, shape or coordinate.
static inline CuteIntTuple tuple(const char *text) {
  return made(
      cuteIntTupleParse(context, cuteStringRef(text), CUTE_SYNTAX_COORD), text);
}

static inline CuteIntTuple stride(const char *text) {
  return made(
      cuteIntTupleParse(context, cuteStringRef(text), CUTE_SYNTAX_STRIDE),
      text);
}

static inline CuteIntTuple integer(int64_t value) {
  return cuteIntTupleGetStatic(context, value);
}

// Reads a plain or a composed layout.
static inline CuteLayout layout(const char *text) {
  CuteStringRef ref = cuteStringRef(text);
  return made(strstr(text, " o ") ? cuteComposedLayoutParse(context, ref)
                                  : cuteLayoutParse(context, ref),
              text);
}

static inline CuteTile tile(const char *text) {
  return made(cuteTileParse(context, cuteStringRef(text)), text);
}

#define assertTuple(value, text) assert_string_equal(tupleText(value), text)
#define assertLayout(value, text) assert_string_equal(layoutText(value), text)
#define assertTile(value, text) assert_string_equal(tileText(value), text)

// Leaves a message that no operation gives.
static inline void forgetError(void) {
  assert_null(
      cuteIntTupleParse(context, cuteStringRef("#"), CUTE_SYNTAX_COORD));
}

static inline void checkFailure(bool failed, const char *part,
                                const char *what) {
  if (!failed)
    fail_msg("accepted: %s", what);
  if (!strstr(cuteContextGetError(context), part))
    fail_msg("%s: the message '%s' does not say '%s'", what,
             cuteContextGetError(context), part);
}

// The call gives null and a message that contains `part`.
#define assertFails(call, part) assertFailsFor(#call, call, part)
#define assertFailsFor(name, call, part)                                       \
  do {                                                                         \
    forgetError();                                                             \
    checkFailure(!(call), part, name);                                         \
  } while (0)

// A law of layouts a and b (null: none) at coordinate c.
#define assertLaw(law, a, b, c)                                                \
  do {                                                                         \
    if (!(law))                                                                \
      fail_msg("%s fails for %s and %s at %lld", #law, layoutText(a),          \
               (b) ? layoutText(b) : "", (long long)(c));                      \
  } while (0)

//===-- Evaluation from the definition ------------------------------------===//

enum { MAX_LEAVES = 1024 };

typedef struct Leaves {
  int64_t extent[MAX_LEAVES], stride[MAX_LEAVES];
  size_t count;
} Leaves;

static inline void addLeaves(Leaves *leaves, CuteIntTuple shape,
                             CuteIntTuple stride) {
  if (cuteIntTupleGetKind(shape) != CUTE_TUPLE) {
    assert_true(leaves->count < MAX_LEAVES);
    assert_int_equal(cuteIntTupleGetKind(shape), CUTE_STATIC);
    assert_int_equal(cuteIntTupleGetKind(stride), CUTE_STATIC);
    leaves->extent[leaves->count] = cuteIntTupleGetValue(shape);
    leaves->stride[leaves->count++] = cuteIntTupleGetValue(stride);
    return;
  }
  for (size_t i = 0; i < cuteIntTupleGetRank(shape); ++i)
    addLeaves(leaves, cuteIntTupleGetElement(shape, i),
              cuteIntTupleGetElement(stride, i));
}

// Leaves are large: they are neither cleared nor copied.
static inline void getLeaves(Leaves *leaves, CuteLayout layout) {
  leaves->count = 0;
  addLeaves(leaves, cuteLayoutGetShape(layout), cuteLayoutGetStride(layout));
}

static inline Leaves leavesOf(CuteLayout layout) {
  Leaves leaves;
  getLeaves(&leaves, layout);
  return leaves;
}

static inline int64_t sizeOfLeaves(const Leaves *leaves) {
  int64_t size = 1;
  for (size_t i = 0; i < leaves->count; ++i)
    size *= leaves->extent[i];
  return size;
}

static inline int64_t sizeOf(CuteLayout layout) {
  Leaves leaves;
  getLeaves(&leaves, layout);
  return sizeOfLeaves(&leaves);
}

// The index at a colexicographic coordinate; the last leaf takes what is left.
static inline int64_t indexOfLeaves(const Leaves *leaves, int64_t coord) {
  int64_t index = 0;
  for (size_t i = 0; i < leaves->count; ++i) {
    bool isLast = i + 1 == leaves->count;
    index += (isLast ? coord : coord % leaves->extent[i]) * leaves->stride[i];
    coord /= leaves->extent[i];
  }
  return index;
}

static inline int64_t swizzled(CuteSwizzle s, int64_t value) {
  uint64_t result = (uint64_t)value;
  int lower = s.base, upper = s.base + abs(s.shift);
  int from = s.shift > 0 ? upper : lower, to = s.shift > 0 ? lower : upper;
  for (int i = 0; i < s.bits; ++i)
    result ^= ((uint64_t)value >> (from + i) & 1) << (to + i);
  return (int64_t)result;
}

// The index of a static layout with integer strides, plain or composed.
static inline int64_t indexAt(CuteLayout layout, int64_t coord) {
  Leaves leaves;
  getLeaves(&leaves, layout);
  int64_t index = indexOfLeaves(&leaves, coord);
  if (cuteLayoutIsComposed(layout))
    index += cuteIntTupleGetValue(cuteLayoutGetOffset(layout));
  if (cuteLayoutHasSwizzle(layout))
    return swizzled(cuteLayoutGetSwizzle(layout), index);
  CuteLayout inner = cuteLayoutGetInner(layout);
  return inner ? indexAt(inner, index) : index;
}

static inline CuteLayout modeOf(CuteLayout layout, int32_t i) {
  return made(cuteLayoutGetAt(context, layout, 1, &i), "mode");
}

//===-- Random values -----------------------------------------------------===//

static inline int64_t pick(int64_t first, int64_t last) {
  static uint64_t state = UINT64_C(0x9e3779b97f4a7c15);
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return first + (int64_t)(state % (uint64_t)(last - first + 1));
}

// A tree whose leaves are at first 1; budget bounds the product of extents.
static inline CuteIntTuple randomShape(int depth, bool powersOfTwo,
                                       int64_t *budget) {
  static const int64_t extents[] = {1, 2, 3, 4, 5, 6, 7, 8};
  static const int64_t powers[] = {1, 2, 4, 2, 8, 2, 4, 1};
  if (!depth || pick(0, 2) == 0) {
    int64_t extent = (powersOfTwo ? powers : extents)[pick(0, 7)];
    if (extent > *budget)
      extent = 1;
    *budget /= extent;
    return integer(extent);
  }
  CuteIntTuple elements[4];
  size_t rank = (size_t)pick(1, 4);
  for (size_t i = 0; i < rank; ++i)
    elements[i] = randomShape(depth - 1, powersOfTwo, budget);
  return cuteIntTupleGetTuple(context, rank, elements);
}

// The tree of `shape` with the values of `leaves`, which it advances.
static inline CuteIntTuple treeLike(CuteIntTuple shape,
                                    const int64_t **leaves) {
  if (cuteIntTupleGetKind(shape) != CUTE_TUPLE)
    return integer(*(*leaves)++);
  CuteIntTuple elements[MAX_LEAVES];
  size_t rank = cuteIntTupleGetRank(shape);
  for (size_t i = 0; i < rank; ++i)
    elements[i] = treeLike(cuteIntTupleGetElement(shape, i), leaves);
  return cuteIntTupleGetTuple(context, rank, elements);
}

static inline CuteLayout withStrides(CuteIntTuple shape,
                                     const int64_t *strides) {
  return made(cuteLayoutGet(context, shape, treeLike(shape, &strides)),
              "random layout");
}

typedef enum Strides {
  ANY_STRIDES,       // -3 to 12
  POWER_STRIDES,     // 0 and powers of two; so are the extents
  COMPACT_STRIDES,   // a bijection, in any order of the modes
  INJECTIVE_STRIDES, // the same with gaps
  BIT_STRIDES        // the same where extents are powers of two, gaps 1 or 2
} Strides;

// Strides in a random order of the leaves, each a multiple of what those before
// cover.
static inline void injectiveStrides(Leaves *leaves, int64_t largestGap) {
  size_t order[MAX_LEAVES], n = leaves->count;
  for (size_t i = 0; i < n; ++i) {
    size_t j = (size_t)pick(0, (int64_t)i);
    order[i] = order[j];
    order[j] = i;
  }
  int64_t end = 1;
  for (size_t i = 0; i < n; ++i) {
    size_t leaf = order[i];
    leaves->stride[leaf] = end * pick(1, largestGap);
    if (leaves->extent[leaf] > 1)
      end = leaves->stride[leaf] * leaves->extent[leaf];
  }
}

static inline CuteLayout randomLayoutOfSize(Strides kind, int64_t budget) {
  bool powersOfTwo = kind == POWER_STRIDES || kind == BIT_STRIDES;
  CuteIntTuple shape = randomShape(3, powersOfTwo, &budget);
  Leaves leaves = {.count = 0};
  addLeaves(&leaves, shape, shape);
  for (size_t i = 0; i < leaves.count; ++i)
    leaves.stride[i] =
        kind == ANY_STRIDES ? pick(-3, 12) : (INT64_C(1) << pick(0, 7)) / 2;
  if (kind >= COMPACT_STRIDES)
    injectiveStrides(&leaves, kind == COMPACT_STRIDES     ? 1
                              : kind == INJECTIVE_STRIDES ? 3
                                                          : 2);
  return withStrides(shape, leaves.stride);
}

static inline CuteLayout randomLayout(Strides kind) {
  return randomLayoutOfSize(kind, 200);
}

//===-- Sets of indices ---------------------------------------------------===//

static inline int compareIndices(const void *first, const void *second) {
  const int64_t *a = first, *b = second;
  return (*a > *b) - (*a < *b);
}

// The indices at every coordinate, sorted; to be freed.
static inline int64_t *imageOf(CuteLayout layout, int64_t *size) {
  *size = sizeOf(layout);
  int64_t *image = malloc((size_t)*size * sizeof *image);
  for (int64_t c = 0; c < *size; ++c)
    image[c] = indexAt(layout, c);
  qsort(image, (size_t)*size, sizeof *image, compareIndices);
  return image;
}

static inline bool isInjective(CuteLayout layout) {
  int64_t size;
  int64_t *image = imageOf(layout, &size);
  bool distinct = true;
  for (int64_t i = 1; i < size; ++i)
    distinct &= image[i] != image[i - 1];
  free(image);
  return distinct;
}

// Every index of [0, size) once.
static inline bool isBijective(CuteLayout layout) {
  int64_t size;
  int64_t *image = imageOf(layout, &size);
  bool all = true;
  for (int64_t i = 0; i < size; ++i)
    all &= image[i] == i;
  free(image);
  return all;
}

static inline bool haveSameImage(CuteLayout a, CuteLayout b) {
  int64_t n, m;
  int64_t *first = imageOf(a, &n), *second = imageOf(b, &m);
  bool same = n == m && !memcmp(first, second, (size_t)n * sizeof *first);
  free(first);
  free(second);
  return same;
}

// The same index at every coordinate of the same domain.
static inline bool areSameFunction(CuteLayout a, CuteLayout b) {
  int64_t size = sizeOf(a);
  bool same = size == sizeOf(b);
  for (int64_t c = 0; same && c < size; ++c)
    same = indexAt(a, c) == indexAt(b, c);
  return same;
}

// The layout of the two as its modes.
static inline CuteLayout pairOf(CuteLayout a, CuteLayout b) {
  CuteIntTuple shapes[] = {cuteLayoutGetShape(a), cuteLayoutGetShape(b)};
  CuteIntTuple strides[] = {cuteLayoutGetStride(a), cuteLayoutGetStride(b)};
  return cuteLayoutGet(context, cuteIntTupleGetTuple(context, 2, shapes),
                       cuteIntTupleGetTuple(context, 2, strides));
}

#define RUN_TESTS(tests)                                                       \
  cmocka_run_group_tests(tests, createContext, destroyContext)
