#include "Hardware/name_index.h"
#include "Support/hash.h"

// Where the name is, or the free slot where it would be.
static size_t slotOf(const CuteNameIndex *index, const char *name) {
  size_t i = cuteHashBytes(name, strlen(name)) % CUTE_NAME_SLOTS;
  while (index->names[i] && strcmp(index->names[i], name))
    i = (i + 1) % CUTE_NAME_SLOTS;
  return i;
}

void cuteNameIndexAdd(CuteNameIndex *index, const char *name, size_t row) {
  size_t i = slotOf(index, name);
  if (index->names[i])
    return;
  index->names[i] = name;
  index->rows[i] = (uint16_t)row;
}

int cuteNameIndexFind(const CuteNameIndex *index, const char *name) {
  size_t i = slotOf(index, name);
  return index->names[i] ? index->rows[i] : -1;
}
