#include "Support/sort.h"

#include "Support/arena.h"

#include <stdbool.h>
#include <string.h>

static size_t byteAt(int64_t number, int bit) {
  return ((uint64_t)number ^ (UINT64_C(1) << 63)) >> bit & 255;
}

static void sortByByte(int64_t *to, const int64_t *from, size_t count,
                       int bit) {
  size_t starts[257] = {0};
  for (size_t i = 0; i < count; ++i)
    ++starts[byteAt(from[i], bit) + 1];
  for (size_t byte = 1; byte < 256; ++byte)
    starts[byte] += starts[byte - 1];
  for (size_t i = 0; i < count; ++i)
    to[starts[byteAt(from[i], bit)]++] = from[i];
}

void cuteSortNumbers(int64_t *numbers, size_t count) {
  uint64_t differing = 0;
  bool isSorted = true;
  for (size_t i = 1; i < count; ++i) {
    differing |= (uint64_t)numbers[i] ^ (uint64_t)numbers[0];
    isSorted &= numbers[i - 1] <= numbers[i];
  }
  if (isSorted)
    return;
  CUTE_FREED int64_t *from = cuteAllocate(count * sizeof *from);
  for (int bit = 0; bit < 64; bit += 8)
    if (differing >> bit & 255) {
      memcpy(from, numbers, count * sizeof *from);
      sortByByte(numbers, from, count, bit);
    }
}

// Merges the sorted runs [0, middle) and [middle, count) of `from` into `to`.
static void merge(char *to, const char *from, size_t middle, size_t count,
                  size_t size, CuteCompare *compare) {
  size_t left = 0, right = middle;
  for (size_t i = 0; i < count; ++i) {
    bool takeLeft = left < middle &&
                    (right == count ||
                     compare(from + left * size, from + right * size) <= 0);
    size_t taken = takeLeft ? left++ : right++;
    memcpy(to + i * size, from + taken * size, size);
  }
}

void cuteStableSort(void *data, void *scratch, size_t count, size_t size,
                    CuteCompare *compare) {
  char *from = data, *to = scratch;
  for (size_t width = 1; width < count; width *= 2) {
    for (size_t i = 0; i < count; i += 2 * width) {
      size_t run = count - i < 2 * width ? count - i : 2 * width;
      size_t middle = run < width ? run : width;
      merge(to + i * size, from + i * size, middle, run, size, compare);
    }
    char *swap = from;
    from = to;
    to = swap;
  }
  if (from != data)
    memcpy(data, from, count * size);
}
