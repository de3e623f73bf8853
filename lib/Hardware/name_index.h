// Rows of a table by their names, as a hash table that allocates nothing: it
// lives as long as the process, and nobody has to free it.
#pragma once

#include "cute/Support.h"

// More slots than twice the rows of any table; a power of two.
enum { CUTE_NAME_SLOTS = 8192 };

// Zero is an index without rows. One thread adds, then any may look up.
typedef struct CuteNameIndex {
  const char *names[CUTE_NAME_SLOTS];
  uint16_t rows[CUTE_NAME_SLOTS];
} CuteNameIndex;

// Adds a row's name, which lives as long as the index. Of two rows of one name
// the first is found.
void cuteNameIndexAdd(CuteNameIndex *index, const char *name, size_t row);

// The row of that name, or -1.
int cuteNameIndexFind(const CuteNameIndex *index, CuteStringRef name);
