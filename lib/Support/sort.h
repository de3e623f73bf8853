// Sorts that keep the order of equal elements, which qsort does not promise.
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef int CuteCompare(const void *a, const void *b);

// Sorts numbers, in a time that is linear in their number.
void cuteSortNumbers(int64_t *numbers, size_t count);

// Sorts `count` elements of `size` bytes; `scratch` has room for as many.
void cuteStableSort(void *data, void *scratch, size_t count, size_t size,
                    CuteCompare *compare);
