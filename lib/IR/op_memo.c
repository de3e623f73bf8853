#include "IR/op_memo.h"

#include "Support/hash.h"

#include <stdlib.h>

// A memo that grows beyond these begins anew.
enum { MAX_ENTRIES = 1 << 16, MAX_BYTES = 1 << 25 };

// Ops with more types and attributes have no entry of their own.
enum { MAX_KEY = 256 };

typedef struct CuteOpMemoEntry {
  uint64_t hash;
  CuteOpFacts facts;
  size_t length;
  const void *key[];
} Entry;

// MLIR keeps each name, type and attribute once, for as long as the context.
typedef struct Key {
  size_t length;
  const void *parts[MAX_KEY];
} Key;

void cuteOpMemoInit(CuteOpMemo *memo) {
  *memo = (CuteOpMemo){0};
  cuteArenaInit(&memo->arena);
}

void cuteOpMemoDestroy(CuteOpMemo *memo) {
  cuteArenaDestroy(&memo->arena);
  free(memo->slots);
  cuteOpMemoInit(memo);
}

// name, operand types, null, result types, null, attributes
static bool takeKey(Key *key, MlirOperation op) {
  intptr_t numOperands = mlirOperationGetNumOperands(op);
  intptr_t numResults = mlirOperationGetNumResults(op);
  intptr_t numAttributes = mlirOperationGetNumAttributes(op);
  if (numOperands + numResults + 2 * numAttributes + 3 > MAX_KEY)
    return false;
  size_t n = 0;
  key->parts[n++] = mlirOperationGetName(op).ptr;
  for (intptr_t i = 0; i < numOperands; ++i)
    key->parts[n++] = mlirValueGetType(mlirOperationGetOperand(op, i)).ptr;
  key->parts[n++] = NULL;
  for (intptr_t i = 0; i < numResults; ++i)
    key->parts[n++] = mlirValueGetType(mlirOperationGetResult(op, i)).ptr;
  key->parts[n++] = NULL;
  for (intptr_t i = 0; i < numAttributes; ++i) {
    MlirNamedAttribute attribute = mlirOperationGetAttribute(op, i);
    key->parts[n++] = attribute.name.ptr;
    key->parts[n++] = attribute.attribute.ptr;
  }
  key->length = n;
  return true;
}

static uint64_t hashOf(const Key *key) {
  uint64_t hash = key->length;
  for (size_t i = 0; i < key->length; ++i)
    hash = cuteHashMix(hash, (uint64_t)(uintptr_t)key->parts[i]);
  return hash;
}

static bool isOf(const Entry *entry, uint64_t hash, const Key *key) {
  return entry->hash == hash && entry->length == key->length &&
         !memcmp(entry->key, key->parts, key->length * sizeof *key->parts);
}

static void grow(CuteOpMemo *memo) {
  CuteOpMemo old = *memo;
  memo->capacity = old.capacity ? old.capacity * 2 : 1024;
  memo->slots = cuteAllocate(memo->capacity * sizeof *memo->slots);
  memset(memo->slots, 0, memo->capacity * sizeof *memo->slots);
  for (size_t i = 0; i < old.capacity; ++i) {
    if (!old.slots[i])
      continue;
    size_t slot = (size_t)old.slots[i]->hash & (memo->capacity - 1);
    while (memo->slots[slot])
      slot = (slot + 1) & (memo->capacity - 1);
    memo->slots[slot] = old.slots[i];
  }
  free(old.slots);
}

static Entry *create(CuteOpMemo *memo, uint64_t hash, const Key *key) {
  size_t size = key->length * sizeof *key->parts;
  Entry *entry = cuteArenaAllocate(&memo->arena, sizeof *entry + size);
  *entry = (Entry){.hash = hash, .length = key->length};
  memcpy(entry->key, key->parts, size);
  ++memo->count;
  return entry;
}

CuteOpFacts *cuteOpMemoGet(CuteOpMemo *memo, MlirOperation op) {
  static _Thread_local CuteOpFacts none;
  Key key;
  none = (CuteOpFacts){0};
  if (!takeKey(&key, op))
    return &none;
  if (memo->count == MAX_ENTRIES || memo->arena.bytes > MAX_BYTES)
    cuteOpMemoDestroy(memo);
  if (memo->count * 4 >= memo->capacity * 3)
    grow(memo);
  uint64_t hash = hashOf(&key);
  size_t slot = (size_t)hash & (memo->capacity - 1);
  while (memo->slots[slot] && !isOf(memo->slots[slot], hash, &key))
    slot = (slot + 1) & (memo->capacity - 1);
  if (!memo->slots[slot])
    memo->slots[slot] = create(memo, hash, &key);
  return &memo->slots[slot]->facts;
}
