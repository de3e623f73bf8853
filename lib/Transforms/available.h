// Ops and values that are available at a place of a program, as they dominate
// it.
//
// Frames nest as regions do. What is added to a frame is found from it and from
// those inside it, up to a barrier, until the frame ends. So entries have
// buckets of their own: a CuteHashTable neither gives up items nor has equal
// ones.
#ifndef CUTE_TRANSFORMS_AVAILABLE_H
#define CUTE_TRANSFORMS_AVAILABLE_H

#include "IR/dialect.h"

typedef struct CuteAvailableEntry {
  uint64_t hash;
  MlirOperation op; // an op found by what it does,
  MlirType type;    // or a value found by its type
  CuteType bound;   // and bound type
  MlirValue value;
  size_t frame;
  size_t previous, next; // in the bucket, index + 1
  size_t nextInFrame;    // index + 1; of a free entry the next free one
} CuteAvailableEntry;

typedef struct CuteAvailable {
  CuteAvailableEntry *entries;
  size_t count, capacity, free; // free: index + 1
  size_t *buckets, numBuckets;  // index + 1
} CuteAvailable;

// `numOps` is a hint of how many entries there will be.
void cuteAvailableInit(CuteAvailable *available, size_t numOps);
void cuteAvailableDestroy(CuteAvailable *available);

// Adds to a frame, whose list of entries starts at *list (0: empty).
void cuteAvailableAddOp(CuteAvailable *available, size_t frame, size_t *list,
                        MlirOperation op);
void cuteAvailableAddValue(CuteAvailable *available, size_t frame, size_t *list,
                           CuteType bound, MlirValue value);

// An op that does the same with the same operands to results of the same types,
// in frame `visible` or one inside it; null operation if there is none.
MlirOperation cuteAvailableFindOp(const CuteAvailable *available,
                                  size_t visible, MlirOperation op);

// A value of that type and bound type; null value if there is none.
MlirValue cuteAvailableFindValue(const CuteAvailable *available, size_t visible,
                                 MlirType type, CuteType bound);

// Forgets a frame's entries.
void cuteAvailableRemove(CuteAvailable *available, size_t list);

#endif
