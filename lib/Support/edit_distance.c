#include "Support/edit_distance.h"

size_t cuteEditDistance(const char *a, size_t aLength, const char *b,
                        size_t bLength) {
  size_t row[CUTE_MAX_EDIT_DISTANCE + 1];
  if (aLength > CUTE_MAX_EDIT_DISTANCE || bLength > CUTE_MAX_EDIT_DISTANCE)
    return CUTE_MAX_EDIT_DISTANCE;
  for (size_t j = 0; j <= bLength; ++j)
    row[j] = j;
  for (size_t i = 1; i <= aLength; ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= bLength; ++j) {
      size_t replace = diagonal + (a[i - 1] != b[j - 1]);
      size_t least = row[j] < row[j - 1] ? row[j] : row[j - 1];
      diagonal = row[j];
      row[j] = replace < least + 1 ? replace : least + 1;
    }
  }
  return row[bLength];
}
