// Samples of large arrays: the elements at the coordinates of a product of
// sets, one for each mode.
#pragma once

#include "Check/array.h"

typedef struct CuteSample {
  size_t rank;
  int64_t counts[CUTE_MAX_RANK];       // of coordinates in each mode
  int64_t *coordinates[CUTE_MAX_RANK]; // ascending; null: all of the mode
} CuteSample;

// Chooses at least `count` elements of an array with these extents, or all if
// there are no more: about the same part of each mode. At most half of a mode's
// coordinates are the first and the last of all tiles of the smallest power of
// two for which that is possible, aligned at 0, and of the mode; the others are
// random. Equal seeds, equal choices.
void cuteSampleCreate(CuteSample *sample, size_t rank, const int64_t *extents,
                      int64_t count, uint64_t seed);
void cuteSampleDestroy(CuteSample *sample);

int64_t cuteSampleGetSize(const CuteSample *sample);

// A mode's coordinate with this number.
static inline int64_t cuteSampleGetCoordinate(const CuteSample *sample,
                                              size_t mode, int64_t number) {
  return sample->coordinates[mode] ? sample->coordinates[mode][number] : number;
}

// Compares the elements of the sample; the extents must agree. Elements of `a`
// outside of it must not be NaN.
CuteStatus cuteSampleCompare(const CuteSample *sample, const CuteArray *a,
                             const CuteArray *b, CuteComparison *comparison);
