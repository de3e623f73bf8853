#include "Transforms/available.h"

#include "Support/growing_array.h"
#include "Support/hash.h"

#include <stdlib.h>

typedef CuteAvailableEntry Entry;

void cuteAvailableInit(CuteAvailable *available, size_t numOps) {
  *available = (CuteAvailable){.numBuckets = 64};
  while (available->numBuckets < numOps * 2)
    available->numBuckets *= 2;
  size_t bytes = available->numBuckets * sizeof *available->buckets;
  available->buckets = cuteAllocate(bytes);
  memset(available->buckets, 0, bytes);
}

void cuteAvailableDestroy(CuteAvailable *available) {
  free(available->entries);
  free(available->buckets);
}

//===-- Equality of ops ---------------------------------------------------===//

static uint64_t hashOp(MlirOperation op) {
  uint64_t hash = cuteHashPointer(mlirOperationGetName(op).ptr);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    hash =
        cuteHashMix(hash, cuteHashPointer(mlirOperationGetOperand(op, i).ptr));
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(op, i));
    hash = cuteHashMix(hash, cuteHashPointer(type.ptr));
  }
  return hash;
}

static bool sameAttributes(MlirOperation a, MlirOperation b) {
  intptr_t n = mlirOperationGetNumAttributes(a);
  if (n != mlirOperationGetNumAttributes(b))
    return false;
  for (intptr_t i = 0; i < n; ++i) {
    MlirNamedAttribute x = mlirOperationGetAttribute(a, i);
    MlirNamedAttribute y = mlirOperationGetAttribute(b, i);
    if (!mlirIdentifierEqual(x.name, y.name) ||
        !mlirAttributeEqual(x.attribute, y.attribute))
      return false;
  }
  return true;
}

static bool sameOp(MlirOperation a, MlirOperation b) {
  intptr_t operands = mlirOperationGetNumOperands(a);
  intptr_t results = mlirOperationGetNumResults(a);
  if (!mlirIdentifierEqual(mlirOperationGetName(a), mlirOperationGetName(b)) ||
      operands != mlirOperationGetNumOperands(b) ||
      results != mlirOperationGetNumResults(b))
    return false;
  for (intptr_t i = 0; i < operands; ++i)
    if (!mlirValueEqual(mlirOperationGetOperand(a, i),
                        mlirOperationGetOperand(b, i)))
      return false;
  for (intptr_t i = 0; i < results; ++i)
    if (!mlirTypeEqual(mlirValueGetType(mlirOperationGetResult(a, i)),
                       mlirValueGetType(mlirOperationGetResult(b, i))))
      return false;
  return sameAttributes(a, b);
}

//===-- Entries -----------------------------------------------------------===//

static size_t *bucketOf(const CuteAvailable *available, uint64_t hash) {
  return &available->buckets[hash & (available->numBuckets - 1)];
}

// Index + 1 of an unused entry.
static size_t takeEntry(CuteAvailable *available) {
  size_t at = available->free;
  if (at) {
    available->free = available->entries[at - 1].nextInFrame;
    return at;
  }
  CUTE_RESERVE(available->entries, available->count, available->capacity, 1);
  return ++available->count;
}

static void add(CuteAvailable *available, size_t *list, Entry entry) {
  size_t at = takeEntry(available), *bucket = bucketOf(available, entry.hash);
  entry.next = *bucket;
  entry.nextInFrame = *list;
  available->entries[at - 1] = entry;
  if (entry.next)
    available->entries[entry.next - 1].previous = at;
  *bucket = *list = at;
}

static void unlinkEntry(CuteAvailable *available, const Entry *entry) {
  if (entry->next)
    available->entries[entry->next - 1].previous = entry->previous;
  if (entry->previous)
    available->entries[entry->previous - 1].next = entry->next;
  else
    *bucketOf(available, entry->hash) = entry->next;
}

void cuteAvailableRemove(CuteAvailable *available, size_t list) {
  for (size_t at = list, next; at; at = next) {
    Entry *entry = &available->entries[at - 1];
    next = entry->nextInFrame;
    unlinkEntry(available, entry);
    entry->nextInFrame = available->free;
    available->free = at;
  }
}

//===-- Ops and values ----------------------------------------------------===//

void cuteAvailableAddOp(CuteAvailable *available, size_t frame, size_t *list,
                        MlirOperation op) {
  add(available, list, (Entry){.hash = hashOp(op), .op = op, .frame = frame});
}

MlirOperation cuteAvailableFindOp(const CuteAvailable *available,
                                  size_t visible, MlirOperation op) {
  uint64_t hash = hashOp(op);
  size_t at = *bucketOf(available, hash);
  for (; at; at = available->entries[at - 1].next) {
    const Entry *entry = &available->entries[at - 1];
    if (entry->hash == hash && entry->frame >= visible && entry->op.ptr &&
        sameOp(entry->op, op))
      return entry->op;
  }
  return (MlirOperation){NULL};
}

static uint64_t hashValue(MlirType type, CuteType bound) {
  return cuteHashMix(cuteHashPointer(type.ptr), cuteHashPointer(bound));
}

void cuteAvailableAddValue(CuteAvailable *available, size_t frame, size_t *list,
                           CuteType bound, MlirValue value) {
  MlirType type = mlirValueGetType(value);
  add(available, list,
      (Entry){.hash = hashValue(type, bound),
              .type = type,
              .bound = bound,
              .value = value,
              .frame = frame});
}

MlirValue cuteAvailableFindValue(const CuteAvailable *available, size_t visible,
                                 MlirType type, CuteType bound) {
  uint64_t hash = hashValue(type, bound);
  size_t at = *bucketOf(available, hash);
  for (; at; at = available->entries[at - 1].next) {
    const Entry *entry = &available->entries[at - 1];
    if (entry->hash == hash && entry->frame >= visible &&
        entry->bound == bound && mlirTypeEqual(entry->type, type))
      return entry->value;
  }
  return (MlirValue){NULL};
}
