// The cost of a warp's access to the memory system (CUDA C++ Programming Guide,
// "Shared Memory" and "Device Memory Accesses").
#pragma once

#include <stdbool.h>
#include <stdint.h>

// The cost of something, and the least that it could be.
typedef struct CuteCost {
  int64_t taken, least;
} CuteCost;

// Threads of a warp that access `bytes` bytes each, a power of two from 1 to
// 16, from these byte addresses on. n is 32 or less where banks are counted.
typedef struct CuteRequest {
  int n;
  int bytes;
  const int64_t *addresses;
  const bool *active;
} CuteRequest;

// Wavefronts in shared memory: as many threads as have 128 bytes together, all
// 32 at most, go at once. Each of 32 banks gives 4 bytes of one word a
// wavefront, to all threads that want them. The least is one wavefront for
// each of those groups that has an active thread.
CuteCost cuteCostOfBanks(const CuteRequest *request);

// Sectors of 32 bytes of global memory that have an accessed byte; the least is
// what as many different bytes side by side would have. Of several requests
// together if n is larger.
CuteCost cuteCostOfSectors(const CuteRequest *request);
