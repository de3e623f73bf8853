#include "IR/dialect.h"

#include "Support/hash.h"

// A memo that grows beyond these begins anew.
enum { MAX_ENTRIES = 1 << 16, MAX_BYTES = 1 << 25 };

// Ops with more types and attributes have no entry of their own.
enum { MAX_KEY = 256 };

typedef struct CuteOpMemoEntry {
  CuteOpFacts facts;
  size_t length;
  const void *key[];
} Entry;

// MLIR keeps each name, type and attribute once, for as long as the context.
typedef struct Key {
  size_t length;
  const void *parts[MAX_KEY];
} Key;

void cuteOpMemoDestroy(CuteOpMemo *memo) {
  cuteArenaDestroy(&memo->arena);
  cuteHashTableDestroy(&memo->entries);
}

// name, operand types, null, result types, null, attributes
static bool takeKey(Key *key, MlirOperation op) {
  intptr_t numOperands = getNumOperands(op);
  intptr_t numResults = getNumResults(op);
  intptr_t numAttributes = mlirOperationGetNumAttributes(op);
  if (numOperands + numResults + 2 * numAttributes + 3 > MAX_KEY)
    return false;
  size_t n = 0;
  key->parts[n++] = mlirOperationGetName(op).ptr;
  for (intptr_t i = 0; i < numOperands; ++i)
    key->parts[n++] = cuteMlirGetOperandType(op, i).ptr;
  key->parts[n++] = NULL;
  for (intptr_t i = 0; i < numResults; ++i)
    key->parts[n++] = cuteMlirGetResultType(op, i).ptr;
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

static bool isOf(const void *item, const void *wanted) {
  const Entry *entry = item;
  const Key *key = wanted;
  return entry->length == key->length &&
         !memcmp(entry->key, key->parts, key->length * sizeof *key->parts);
}

static Entry *create(CuteOpMemo *memo, const Key *key) {
  size_t size = key->length * sizeof *key->parts;
  Entry *entry = cuteArenaAllocate(&memo->arena, sizeof *entry + size);
  *entry = (Entry){.length = key->length};
  memcpy(entry->key, key->parts, size);
  return entry;
}

CuteOpFacts *cuteOpMemoGet(CuteOpMemo *memo, MlirOperation op) {
  static _Thread_local CuteOpFacts none;
  Key key;
  none = (CuteOpFacts){0};
  if (!takeKey(&key, op))
    return &none;
  if (memo->entries.count == MAX_ENTRIES || memo->arena.bytes > MAX_BYTES)
    cuteOpMemoDestroy(memo);
  uint64_t hash = hashOf(&key);
  CuteHashSlot *slot = cuteHashTableFind(&memo->entries, hash, &key, isOf);
  if (!slot->item)
    cuteHashTableFill(&memo->entries, slot, hash, create(memo, &key));
  return &((Entry *)slot->item)->facts;
}

void cuteOpMemoNoteLaws(CuteOpMemo *memo, CuteOpFacts *facts,
                        CuteContext context) {
  size_t n = cuteContextGetNumWarnings(context);
  facts->lawsChecked = true;
  facts->numWarnings = n;
  facts->warnings =
      n ? cuteArenaAllocate(&memo->arena, n * sizeof *facts->warnings) : NULL;
  for (size_t i = 0; i < n; ++i) {
    const char *text = cuteContextGetWarning(context, i);
    facts->warnings[i] = cuteArenaCopyText(&memo->arena, text, strlen(text));
  }
}
