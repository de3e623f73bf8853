#include "Support/pointer_map.h"

#include "Support/hash.h"

// Stands for a null value, as a slot without an item is free.
static char null;

// Gives different pointers different hashes: each step of the mix can be
// undone. So pointers of one hash are the same.
static uint64_t hashOf(const void *key) {
  return cuteHashMix(0x51ed270b35ae7a4du, (uint64_t)(uintptr_t)key);
}

static bool isSame(CUTE_UNUSED const void *item, CUTE_UNUSED const void *key) {
  return true;
}

void cutePointerMapDestroy(CutePointerMap *map) {
  cuteHashTableDestroy(&map->table);
}

void cutePointerMapClear(CutePointerMap *map) {
  cuteHashTableClear(&map->table);
}

void *cutePointerMapGet(const CutePointerMap *map, const void *key) {
  void *item = cuteHashTableGet(&map->table, hashOf(key), key, isSame);
  return item == &null ? NULL : item;
}

void cutePointerMapSet(CutePointerMap *map, const void *key, void *value) {
  uint64_t hash = hashOf(key);
  CuteHashSlot *slot = cuteHashTableFind(&map->table, hash, key, isSame);
  void *item = value ? value : &null;
  if (slot->item)
    slot->item = item;
  else
    cuteHashTableFill(&map->table, slot, hash, item);
}

void *cutePointerMapNext(const CutePointerMap *map, size_t *at) {
  while (*at < map->table.capacity) {
    void *item = map->table.slots[(*at)++].item;
    if (item && item != &null)
      return item;
  }
  return NULL;
}
