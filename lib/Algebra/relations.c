// Orders and divisibility of int tuples.
#include "Algebra/algebra.h"

// The size of a static tuple; -1 where it is dynamic or does not fit.
static int64_t sizeOf(CuteIntTuple tuple) {
  if (isStatic(tuple))
    return tuple->value;
  int64_t size = isTuple(tuple) ? 1 : -1;
  for (size_t i = 0; isTuple(tuple) && i < tuple->rank; ++i) {
    int64_t part = sizeOf(tuple->elements[i]);
    if (part < 0 || __builtin_mul_overflow(size, part, &size))
      return -1;
  }
  return size;
}

bool cuteIntTupleIsCompatible(CuteIntTuple a, CuteIntTuple b) {
  if (!isTuple(a)) {
    int64_t size = sizeOf(b);
    return isStatic(a) && size >= 0 && a->value == size;
  }
  if (!isTuple(b) || a->rank != b->rank)
    return false;
  for (size_t i = 0; i < a->rank; ++i)
    if (!cuteIntTupleIsCompatible(a->elements[i], b->elements[i]))
      return false;
  return true;
}

// The size of ceil_div(a, n), which uses the positive n up from left to right.
static int64_t ceilDivSize(CuteIntTuple a, int64_t n) {
  if (!isTuple(a))
    return a->value / n + (a->value % n > 0);
  int64_t size = 1;
  for (size_t i = 0; i < a->rank; ++i) {
    int64_t extent = sizeOf(a->elements[i]);
    size *= ceilDivSize(a->elements[i], n);
    n = n / extent + (n % extent > 0);
  }
  return size;
}

bool cuteIntTupleEvenlyDivides(CuteIntTuple a, CuteIntTuple b) {
  if (!isTuple(b)) {
    int64_t size = sizeOf(a);
    return isStatic(b) && b->value > 0 && size > 0 && size % b->value == 0 &&
           size / b->value == ceilDivSize(a, b->value);
  }
  if (b->rank > a->rank)
    return false;
  for (size_t i = 0; i < b->rank; ++i)
    if (!cuteIntTupleEvenlyDivides(element(a, i), b->elements[i]))
      return false;
  return true;
}

// -1, 0, 1, or 2 where a pair of elements cannot be compared. Elements count
// from the first (lexicographic) or from the last (colexicographic).
static int compare(CuteIntTuple a, CuteIntTuple b, bool fromLast) {
  if (isStatic(a) && isStatic(b))
    return (a->value > b->value) - (a->value < b->value);
  if (!isTuple(a) || !isTuple(b))
    return 2;
  size_t n = a->rank < b->rank ? a->rank : b->rank;
  for (size_t i = 0; i < n; ++i) {
    CuteIntTuple x = a->elements[fromLast ? a->rank - 1 - i : i];
    CuteIntTuple y = b->elements[fromLast ? b->rank - 1 - i : i];
    int order = compare(x, y, fromLast);
    if (order)
      return order;
  }
  return (a->rank > b->rank) - (a->rank < b->rank);
}

bool cuteIntTupleLexLess(CuteIntTuple a, CuteIntTuple b) {
  return compare(a, b, false) == -1;
}

bool cuteIntTupleColexLess(CuteIntTuple a, CuteIntTuple b) {
  return compare(a, b, true) == -1;
}
