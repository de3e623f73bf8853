// A sort that keeps the order of equal elements, which qsort does not promise.
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef int CuteCompare(const void *a, const void *b);

// Compares two int64_t, for qsort.
static inline int cuteCompareNumbers(const void *a, const void *b) {
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

// Sorts `count` elements of `size` bytes; `scratch` has room for as many.
void cuteStableSort(void *data, void *scratch, size_t count, size_t size,
                    CuteCompare *compare);
