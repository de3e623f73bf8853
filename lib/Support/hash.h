// Hashing for the intern tables and maps.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

// The order of what is mixed in counts, and every bit of it reaches the low
// bits of the result, which choose the slot of a table.
static inline uint64_t cuteHashMix(uint64_t hash, uint64_t value) {
  hash = hash * 0x9e3779b97f4a7c15u + value;
  hash = (hash ^ (hash >> 32)) * 0xd6e8feb86659fd93u;
  return hash ^ (hash >> 32);
}

static inline uint64_t cuteHashPointer(const void *pointer) {
  return cuteHashMix(0x51ed270b35ae7a4du, (uint64_t)(uintptr_t)pointer >> 4);
}

static inline uint64_t cuteHashBytes(const char *data, size_t length) {
  uint64_t hash = 0xcbf29ce484222325u ^ length, word;
  for (; length >= sizeof word; data += sizeof word, length -= sizeof word) {
    memcpy(&word, data, sizeof word);
    hash = cuteHashMix(hash, word);
  }
  word = 0;
  if (length)
    memcpy(&word, data, length);
  return cuteHashMix(hash, word);
}
