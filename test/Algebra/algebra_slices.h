// Random coordinates with `_`, and what a slice keeps and drops by definition.
#pragma once

#include "algebra_test_util.h"

// A coordinate for the shape; leaves may stand over whole tuples.
static inline CuteIntTuple randomCoord(CuteIntTuple shape) {
  bool isTuple = cuteIntTupleGetKind(shape) == CUTE_TUPLE;
  if (isTuple && pick(0, 2)) {
    CuteIntTuple elements[8];
    size_t rank = cuteIntTupleGetRank(shape);
    for (size_t i = 0; i < rank; ++i)
      elements[i] = randomCoord(cuteIntTupleGetElement(shape, i));
    return cuteIntTupleGetTuple(context, rank, elements);
  }
  if (pick(0, 1))
    return cuteIntTupleGetUnderscore(context);
  Leaves leaves = {.count = 0};
  addLeaves(&leaves, shape, shape);
  return integer(pick(0, sizeOfLeaves(&leaves) - 1));
}

// What the coordinate keeps, and the index of what it drops.
typedef struct Parts {
  Leaves kept, dropped;
  int64_t offset;
} Parts;

static inline void split(Parts *parts, CuteIntTuple shape, CuteIntTuple stride,
                         CuteIntTuple coord) {
  if (cuteIntTupleGetKind(coord) == CUTE_TUPLE) {
    for (size_t i = 0; i < cuteIntTupleGetRank(coord); ++i)
      split(parts, cuteIntTupleGetElement(shape, i),
            cuteIntTupleGetElement(stride, i),
            cuteIntTupleGetElement(coord, i));
  } else if (cuteIntTupleGetKind(coord) == CUTE_UNDERSCORE) {
    addLeaves(&parts->kept, shape, stride);
  } else {
    Leaves own = {.count = 0};
    addLeaves(&own, shape, stride);
    addLeaves(&parts->dropped, shape, stride);
    parts->offset += indexOfLeaves(&own, cuteIntTupleGetValue(coord));
  }
}

static inline Parts partsOf(CuteLayout a, CuteIntTuple coord) {
  Parts parts = {.offset = 0};
  split(&parts, cuteLayoutGetShape(a), cuteLayoutGetStride(a), coord);
  return parts;
}
