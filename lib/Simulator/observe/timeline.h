// A timeline of a run, by a simple clock: an instruction takes a warp one step,
// copies and products some steps of their own.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
