// Describes stores to tensors in global memory as tiles.
//
// A coordinate that a store writes is a sum of multiples of block indices and
// round numbers, or of quotients and rests of these, and of a number of the
// thread alone. Where each of these lies below what the next larger one is a
// multiple of, they are digits.
#pragma once

#include "Prove/claims.h"

#define CUTE_REASON_NOT_TILES                                                  \
  "coordinates that are not tiles of blocks and threads"

#define CUTE_REASON_BLOCKS "the kernel does not say how many blocks there are"

enum { CUTE_MAX_DIGITS = 8 };

// A symbol that a coordinate has multiples of.
typedef struct CuteDigit {
  const CuteSymbol *symbol;
  int64_t weight;
} CuteDigit;

// A coordinate, in elements: `base`, the sum of digits and of sizes, and the
// rest.
typedef struct CuteAxis {
  CuteDigit digits[CUTE_MAX_DIGITS]; // by ascending weight
  size_t count;
  CuteTerm whole, base, local;
  bool hasSizes;  // the base is more than digits
  CuteTerm bound; // the elements on the axis; null: not one number
} CuteAxis;

// Describes what a store writes; the last axis is that of all static strides.
typedef struct CuteWrite {
  const CuteReach *reach;
  CuteAxis axes[CUTE_MAX_MODES + 1];
  size_t numAxes;
  int64_t extents[CUTE_MAX_MODES + 1]; // elements along each axis
  bool isOfOne;                        // thread, which the reach names
  CuteCondition guard; // the condition on sizes alone under which it is
  CuteCondition block; // and on blocks, but for their elements to exist
  size_t group;        // number of its group: writes of one launch
} CuteWrite;

// An element of a tile at the rests of its coordinates.
typedef struct CuteElement {
  int64_t at[CUTE_MAX_MODES + 1];
  int64_t thread;
  CuteCondition block;
} CuteElement;

// Tiles of one tensor that may be in one launch.
typedef struct CuteWriteGroup {
  CuteClaims *claims;
  const CuteWrite *writes;
  size_t count;
  CuteElement *elements; // of all threads, sorted by where they are
  size_t numElements;
  int64_t most[CUTE_MAX_MODES + 1]; // the largest number on each axis
} CuteWriteGroup;

// Says why two threads may write one element of a group; null: none do.
typedef const char *CuteCheckWrites(CuteWriteGroup *group);

// Checks all groups of tiles of each tensor that is stored to by plain stores.
void cuteWritesCheck(CuteClaims *claims, CuteCheckWrites *check);

enum { CUTE_MAX_RESOLVED = 2 * CUTE_MAX_DIGITS };

// Block indices, round numbers, and terms of these.
typedef struct CuteIndices {
  CuteTerm list[CUTE_MAX_RESOLVED];
  size_t count;
} CuteIndices;

// Finds what the digits of a write determine: a quotient and a rest give what
// is divided, and that a block and a round if it is their sum, the round times
// the number of blocks.
CuteIndices cuteWriteResolve(CuteProver *prover, const CuteWrite *write);

// The condition that what a thread is to write is in the tensor.
CuteCondition cuteWriteIsInTensor(const CuteWrite *write);

// Tells whether a round is looked at, one of few; others are digits.
bool cuteWriteIsCounted(const CuteSymbol *symbol);
bool cuteWriteCounts(const CuteRound *round);

// The conjuncts of a path that are free of symbols of the kinds, a bit for
// each.
CuteCondition cuteWriteGetGuard(CuteCondition path, unsigned kinds);

bool cuteElementsAreAlike(const CuteElement *a, const CuteElement *b);

// Describes an access; false where its coordinates are no tiles.
bool cuteWriteDescribe(CuteProver *prover, const CuteReach *reach,
                       CuteWrite *write);

// The condition that an element at x is in the tensor.
CuteCondition cuteWriteHas(const CuteWrite *write, const CuteTerm *x);

// Tells whether tiles are at the same place.
bool cuteWritesAreAlike(const CuteWrite *a, const CuteWrite *b);

// Lists the elements of a group, which are to be freed. Gives the reason why
// that is not possible, or null.
const char *cuteWriteListElements(CuteWriteGroup *group);

// Finds the first element of a tile that is not written where a condition on
// blocks holds; false: all are.
bool cuteWriteFindHole(const CuteWriteGroup *group, CuteCondition block,
                       int64_t *hole);

// The elements of a tile along an axis.
static inline int64_t cuteWriteGetExtent(const CuteWriteGroup *group,
                                         size_t a) {
  const CuteAxis *axis = &group->writes[0].axes[a];
  return axis->count ? axis->digits[0].weight : group->most[a] + 1;
}

// Reads or writes of a tensor by one kernel.
typedef struct CuteTouches {
  CuteClaims *claims; // of the kernel
  CuteWrite *list;
  size_t count, capacity;
  CuteWriteGroup *groups; // tiles at one place under one condition
  size_t numGroups;
  const char *reason; // null: all are tiles
  MlirOperation op;
} CuteTouches;

CuteTouches cuteTouchesList(CuteClaims *claims, size_t argument, bool isStore);
void cuteTouchesDestroy(CuteTouches *touches);

// The element of a tensor at x.
typedef struct CuteTouched {
  CuteTerm x[CUTE_MAX_MODES + 1];
  CuteCondition where;   // what is known of it
  CuteCondition missed;  // that it is not known to be touched
  CuteCondition accused; // and most likely is not
  const char *reason;    // tiles whose blocks and rounds were not found; null
} CuteTouched;

// Tells whether an element is touched wherever that is known of it.
bool cuteTouchesFind(CuteClaims *claims, const CuteTouches *touches,
                     CuteTouched *element);
