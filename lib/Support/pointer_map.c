#include "Support/pointer_map.h"

#include "Support/arena.h"
#include "Support/hash.h"

#include <stdlib.h>
#include <string.h>

typedef struct CutePointerMapEntry Entry;

void cutePointerMapDestroy(CutePointerMap *map) {
  free(map->entries);
  *map = (CutePointerMap){0};
}

void cutePointerMapClear(CutePointerMap *map) {
  if (map->count)
    memset(map->entries, 0, map->capacity * sizeof(Entry));
  map->count = 0;
}

// The entry that holds the key, or the free one where it belongs.
static Entry *findEntry(Entry *entries, size_t capacity, const void *key) {
  size_t slot = (size_t)cuteHashPointer(key) & (capacity - 1);
  while (entries[slot].key && entries[slot].key != key)
    slot = (slot + 1) & (capacity - 1);
  return &entries[slot];
}

void *cutePointerMapGet(const CutePointerMap *map, const void *key) {
  return map->count ? findEntry(map->entries, map->capacity, key)->value : NULL;
}

static void grow(CutePointerMap *map) {
  size_t capacity = map->capacity ? map->capacity * 2 : 64;
  Entry *entries = cuteAllocate(capacity * sizeof(Entry));
  memset(entries, 0, capacity * sizeof(Entry));
  for (size_t i = 0; i < map->capacity; ++i)
    if (map->entries[i].key)
      *findEntry(entries, capacity, map->entries[i].key) = map->entries[i];
  free(map->entries);
  map->entries = entries;
  map->capacity = capacity;
}

void cutePointerMapSet(CutePointerMap *map, const void *key, void *value) {
  if (map->count * 4 >= map->capacity * 3)
    grow(map);
  Entry *entry = findEntry(map->entries, map->capacity, key);
  map->count += !entry->key;
  *entry = (Entry){key, value};
}
