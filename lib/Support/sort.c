#include "Support/sort.h"

#include <stdbool.h>
#include <string.h>

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
