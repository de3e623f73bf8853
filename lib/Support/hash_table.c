#include "Support/hash_table.h"

#include "Support/arena.h"

enum { FIRST_CAPACITY = 64 };

static void freeSlots(const CuteHashTable *table) {
  if (!table->arena)
    free(table->slots);
}

void cuteHashTableDestroy(CuteHashTable *table) {
  freeSlots(table);
  *table = (CuteHashTable){0};
}

void cuteHashTableClear(CuteHashTable *table) {
  if (table->count)
    memset(table->slots, 0, table->capacity * sizeof *table->slots);
  table->count = 0;
}

void cuteHashTableGrow(CuteHashTable *table) {
  size_t capacity = table->capacity ? table->capacity * 2 : FIRST_CAPACITY;
  size_t bytes = capacity * sizeof(CuteHashSlot);
  CuteHashSlot *slots = table->arena ? cuteArenaAllocate(table->arena, bytes)
                                     : cuteAllocate(bytes);
  memset(slots, 0, bytes);
  for (size_t i = 0; i < table->capacity; ++i) {
    CuteHashSlot taken = table->slots[i];
    size_t slot = (size_t)taken.hash & (capacity - 1);
    while (taken.item && slots[slot].item)
      slot = (slot + 1) & (capacity - 1);
    if (taken.item)
      slots[slot] = taken;
  }
  freeSlots(table);
  table->slots = slots;
  table->capacity = capacity;
}
