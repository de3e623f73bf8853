// Occupancy: the blocks that a multiprocessor runs at a time.
#pragma once

#include "Hardware/arch.h"

typedef struct CuteOccupancy {
  int blocks, warps;
  const char *limit; // what there is too little of for one more
} CuteOccupancy;

// Counts blocks of as many threads, at least one, with registers for each
// thread and bytes of shared memory. 0 registers: they are not known, and limit
// nothing.
CuteOccupancy cuteArchGetOccupancy(const CuteArch *arch, int threads,
                                   int registers, int sharedBytes);
