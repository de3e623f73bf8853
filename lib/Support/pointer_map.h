// A hash map from non-null pointers to pointers.
#ifndef CUTE_SUPPORT_POINTER_MAP_H
#define CUTE_SUPPORT_POINTER_MAP_H

#include <stddef.h>

typedef struct CutePointerMap {
  struct CutePointerMapEntry {
    const void *key;
    void *value;
  } * entries;
  size_t count, capacity; // capacity is 0 or a power of two
} CutePointerMap;

void cutePointerMapDestroy(CutePointerMap *map);

// The value stored under the key, or null.
void *cutePointerMapGet(const CutePointerMap *map, const void *key);

// Stores the value, replacing an earlier one.
void cutePointerMapSet(CutePointerMap *map, const void *key, void *value);

// Forgets every entry and keeps the storage.
void cutePointerMapClear(CutePointerMap *map);

#endif
