#include "Hardware/name_index.h"
#include "Support/hash.h"
#include "Support/text.h"

// Finds the slot of the name, or the free one where it would be.
static size_t slotOf(const CuteNameIndex *index, CuteStringRef name) {
  size_t i = cuteHashBytes(name.data, name.length) % CUTE_NAME_SLOTS;
  while (index->names[i] && !cuteTextEquals(name, index->names[i]))
    i = (i + 1) % CUTE_NAME_SLOTS;
  return i;
}

void cuteNameIndexAdd(CuteNameIndex *index, const char *name, size_t row) {
  size_t i = slotOf(index, cuteStringRef(name));
  if (index->names[i])
    return;
  index->names[i] = name;
  index->rows[i] = (uint16_t)row;
}

int cuteNameIndexFind(const CuteNameIndex *index, CuteStringRef name) {
  size_t i = slotOf(index, name);
  return index->names[i] ? index->rows[i] : -1;
}
