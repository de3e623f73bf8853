// A hash map from pointers to pointers.
#pragma once

#include "Support/hash_table.h"

typedef struct CutePointerMap {
  CuteHashTable table; // of values; the hash of a slot tells its key
} CutePointerMap;

void cutePointerMapDestroy(CutePointerMap *map);

// The value stored under the key, or null.
void *cutePointerMapGet(const CutePointerMap *map, const void *key);

// Stores the value, replacing an earlier one.
void cutePointerMapSet(CutePointerMap *map, const void *key, void *value);

// Gives one value that is not null after the other, in no order, as *at grows
// from 0; null after the last.
void *cutePointerMapNext(const CutePointerMap *map, size_t *at);

// Forgets every entry and keeps the storage.
void cutePointerMapClear(CutePointerMap *map);
