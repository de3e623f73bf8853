// A hash table of items that whoever fills it allocates.
#pragma once

#include "Support/scoped.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct CuteHashSlot {
  uint64_t hash;
  void *item; // null: the slot is free
} CuteHashSlot;

typedef struct CuteHashTable {
  CuteHashSlot *slots;
  size_t count, capacity;  // capacity is 0 or a power of two
  struct CuteArena *arena; // of the slots; null: the heap
} CuteHashTable;

typedef bool CuteHashIsSame(const void *item, const void *key);

// Frees the slots, and leaves an empty table.
void cuteHashTableDestroy(CuteHashTable *table);

// Forgets every item and keeps the storage.
void cuteHashTableClear(CuteHashTable *table);

void cuteHashTableGrow(CuteHashTable *table);

// The place of the item that has the hash and is the same as the key, or of the
// free slot for it, in a table that has one.
static inline size_t cuteHashTableGetSlot(const CuteHashTable *table,
                                          uint64_t hash, const void *key,
                                          CuteHashIsSame *isSame) {
  size_t i = (size_t)hash & (table->capacity - 1);
  while (table->slots[i].item &&
         (table->slots[i].hash != hash || !isSame(table->slots[i].item, key)))
    i = (i + 1) & (table->capacity - 1);
  return i;
}

// The item that has the hash and is the same as the key, or null. As many
// threads may look up as like while none fills slots.
static inline void *cuteHashTableGet(const CuteHashTable *table, uint64_t hash,
                                     const void *key, CuteHashIsSame *isSame) {
  return table->count
             ? table->slots[cuteHashTableGetSlot(table, hash, key, isSame)].item
             : NULL;
}

// The slot of the item that has the hash and is the same as the key, or the
// free one for it. Valid until the next call.
static inline CuteHashSlot *cuteHashTableFind(CuteHashTable *table,
                                              uint64_t hash, const void *key,
                                              CuteHashIsSame *isSame) {
  if (table->count * 4 >= table->capacity * 3)
    cuteHashTableGrow(table);
  return &table->slots[cuteHashTableGetSlot(table, hash, key, isSame)];
}

// Puts an item into the free slot that was found for it.
static inline void cuteHashTableFill(CuteHashTable *table, CuteHashSlot *slot,
                                     uint64_t hash, void *item) {
  *slot = (CuteHashSlot){hash, item};
  ++table->count;
}
