// Timing with device events.
#pragma once

#include "Runtime/device.h"

// Work to time, repeated: starts it once on the default stream.
typedef CuteStatus CuteTimedWork(void *data);

typedef struct CuteTimed {
  CuteTimedWork *work;
  void *data;
  double milliseconds; // result: the median
} CuteTimed;

// CuteCache says what the device's L2 cache has when a timed run begins:
// CUTE_CACHE_COLD is other data, which is written there before each run, as
// Triton's do_bench and NVBench do; CUTE_CACHE_WARM what the run before left,
// as runs follow each other without a pause and are timed together.
typedef enum CuteCache { CUTE_CACHE_COLD, CUTE_CACHE_WARM } CuteCache;

// CuteTiming says how long works are timed: in each round each work has the
// device for itself, so that the clock is the one that it brings about, and
// then the next one has its turn.
typedef struct CuteTiming {
  CuteCache cache;
  size_t rounds;
  double warmUp, timed; // milliseconds of a work in a round
} CuteTiming;

// The timing of results to be published: three eighths of a second, four fifths
// of it timed, with a cold cache.
extern const CuteTiming cuteTimingThorough;

CuteStatus cuteMeasure(const CuteDevice *device, size_t n, CuteTimed *timed,
                       const CuteTiming *timing);
