// Counts of what was done on each line of a kernel's source.
#pragma once

#include "Hardware/memory_model.h"

#include <stddef.h>

// A timeline of a run, by a simple clock: an instruction takes a warp one step,
// copies and products some steps of their own.

enum {
  CUTE_SIM_COPY_LATENCY = 600,     // steps until a copy's first bytes arrive
  CUTE_SIM_COPY_BYTES = 64,        // of a block's copies, each step
  CUTE_SIM_WGMMA_OPERATIONS = 4096 // of a block's products, each step
};

typedef enum CuteSimEventKind {
  CUTE_SIM_EVENT_WORK,    // of a warp, on a line
  CUTE_SIM_EVENT_WAIT,    // of a warp, at an operation
  CUTE_SIM_EVENT_COPY,    // from its start until it has arrived
  CUTE_SIM_EVENT_PRODUCT, // of a warpgroup, on the tensor cores
  CUTE_SIM_EVENT_PHASE,   // of an mbarrier, until it is complete
} CuteSimEventKind;

typedef struct CuteSimEvent {
  CuteSimEventKind kind;
  uint32_t place; // of its line; 0: not known
  int64_t block;
  int64_t track;  // the warp; of a phase, the barrier's offset
  int64_t number; // bytes of a copy, the number of a phase
  const char *name;
  double start, end; // steps after the block began
} CuteSimEvent;

// Events of a run; when there are too many the later ones are lost.
typedef struct CuteSimTimeline {
  size_t count, capacity;
  CuteSimEvent *data;
  bool isFull;
} CuteSimTimeline;

void cuteSimTimelineAdd(CuteSimTimeline *trace, CuteSimEvent event);
void cuteSimTimelineJoin(CuteSimTimeline *trace, const CuteSimTimeline *other);

enum { CUTE_SIM_REQUEST_LANES = 32 };

typedef enum CuteSimTraffic {
  CUTE_SIM_SHARED_READ,
  CUTE_SIM_SHARED_WRITE,
  CUTE_SIM_GLOBAL_READ,
  CUTE_SIM_GLOBAL_WRITE,
  CUTE_SIM_TRAFFICS
} CuteSimTraffic;

// An access of the lanes of a warp at a time.
typedef struct CuteSimRequest {
  uint32_t lanes; // a mask
  int bytes;      // of each
  // In shared memory, offsets in the block's.
  int64_t addresses[CUTE_SIM_REQUEST_LANES];
} CuteSimRequest;

// The cost of requests is in wavefronts of shared memory, or in sectors of
// global memory.
typedef struct CuteSimTrafficCounts {
  int64_t requests, bytes;
  CuteCost cost;
  CuteCost worstCost; // of the request that takes most, for what it is
  CuteSimRequest worst;
  int64_t copied; // bytes that were moved without requests, by TMA
} CuteSimTrafficCounts;

typedef struct CuteSimCounts {
  int64_t instructions; // of warps
  int64_t operations;   // on floats
  CuteSimTrafficCounts traffic[CUTE_SIM_TRAFFICS];
} CuteSimCounts;

// The source's lines, by numbers from 1; 0: none.
typedef struct CuteSimPlace {
  const char *file;
  unsigned line;
} CuteSimPlace;

typedef struct CuteSimStatistics {
  size_t numPlaces, capacity;
  CuteSimPlace *places;
  CuteSimCounts *counts; // by place; null before the first launch
  const char *kernel;    // of the latest launch, as what follows
  unsigned launches;     // that were counted
  bool isCutOff;         // one of them failed
  unsigned grid[3], block[3], cluster[3];
  unsigned sharedBytes;
  bool traces;
  CuteSimTimeline trace;
} CuteSimStatistics;

void cuteSimStatisticsDestroy(CuteSimStatistics *statistics);

// The number of a line, which need not be known yet; the name of the file must
// live as long. None may be added after the first launch.
uint32_t cuteSimStatisticsAddPlace(CuteSimStatistics *statistics,
                                   const char *file, unsigned line);

// Counts for all places, which are zero.
CuteSimCounts *cuteSimCountsCreate(const CuteSimStatistics *statistics);

void cuteSimCountsAddRequest(CuteSimCounts *counts, CuteSimTraffic traffic,
                             const CuteSimRequest *request);
void cuteSimCountsAdd(CuteSimCounts *to, const CuteSimCounts *from);
