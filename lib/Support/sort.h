// A sort that keeps the order of equal elements, which qsort does not promise.
#pragma once

#include <stddef.h>

typedef int CuteCompare(const void *a, const void *b);

// Sorts `count` elements of `size` bytes; `scratch` has room for as many.
void cuteStableSort(void *data, void *scratch, size_t count, size_t size,
                    CuteCompare *compare);
