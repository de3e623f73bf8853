#include "Run/run.h"
#include "Support/arena.h"

// Milliseconds of runs that are timed together, and how often a work is timed
// in a round.
enum { TOGETHER = 10, LEAST_SAMPLES = 5, MOST_SAMPLES = 1000 };

const CuteTiming cuteTimingThorough = {CUTE_CACHE_COLD, 3, 25, 100};

typedef struct Span {
  CuteCudaEvent start, end;
} Span;

typedef struct Stopwatch {
  const CuteDevice *device;
  CuteDevicePointer cache; // as large as twice the L2; 0: it stays warm
  size_t cacheBytes;
  Span spans[MOST_SAMPLES];
} Stopwatch;

static CuteStatus createStopwatch(Stopwatch *watch, const CuteDevice *device,
                                  CuteCache cache) {
  *watch = (Stopwatch){.device = device};
  for (size_t i = 0; i < MOST_SAMPLES; ++i) {
    CUTE_TRY(cuteDeviceEventCreate(device, &watch->spans[i].start));
    CUTE_TRY(cuteDeviceEventCreate(device, &watch->spans[i].end));
  }
  if (cache == CUTE_CACHE_COLD)
    watch->cacheBytes = 2 * device->cacheBytes;
  return watch->cacheBytes
             ? cuteDeviceAllocate(device, watch->cacheBytes, &watch->cache)
             : NULL;
}

static void destroyStopwatch(Stopwatch *watch) {
  for (size_t i = 0; i < MOST_SAMPLES; ++i) {
    cuteDeviceEventDestroy(watch->device, watch->spans[i].start);
    cuteDeviceEventDestroy(watch->device, watch->spans[i].end);
  }
  cuteDeviceRelease(watch->device, watch->cache);
}

// Starts `runs` of a work between the events of a span.
static CuteStatus startSpan(Stopwatch *watch, const Span *span,
                            const CuteTimed *timed, size_t runs) {
  if (watch->cache)
    CUTE_TRY(cuteDeviceFill(watch->device, watch->cache, 0, watch->cacheBytes));
  CUTE_TRY(cuteDeviceEventRecord(watch->device, span->start, NULL));
  for (size_t i = 0; i < runs; ++i)
    CUTE_TRY(timed->work(timed->data));
  return cuteDeviceEventRecord(watch->device, span->end, NULL);
}

// Waits for a span; milliseconds of one of its runs.
static CuteStatus endSpan(const Stopwatch *watch, const Span *span, size_t runs,
                          double *milliseconds) {
  CUTE_TRY(cuteDeviceEventGetElapsed(watch->device, span->start, span->end,
                                     milliseconds));
  *milliseconds /= (double)runs;
  return NULL;
}

static CuteStatus timeSpan(Stopwatch *watch, const CuteTimed *timed,
                           size_t runs, double *milliseconds) {
  CUTE_TRY(startSpan(watch, watch->spans, timed, runs));
  return endSpan(watch, watch->spans, runs, milliseconds);
}

static size_t countRuns(double total, double milliseconds) {
  double n = total / (milliseconds > 1e-3 ? milliseconds : 1e-3);
  return n < 1 ? 1 : n > MOST_SAMPLES ? MOST_SAMPLES : (size_t)n;
}

// One round of one work: appends to the `*n` times.
static CuteStatus timeRound(Stopwatch *watch, const CuteTiming *timing,
                            const CuteTimed *timed, double *times, size_t *n) {
  double milliseconds;
  CUTE_TRY(timeSpan(watch, timed, 3, &milliseconds));
  CUTE_TRY(timeSpan(watch, timed, countRuns(timing->warmUp, milliseconds),
                    &milliseconds));
  size_t together = watch->cache ? 1 : countRuns(TOGETHER, milliseconds);
  size_t samples = countRuns(timing->timed, milliseconds * (double)together);
  if (samples < LEAST_SAMPLES)
    samples = LEAST_SAMPLES;
  for (size_t i = 0; i < samples; ++i)
    CUTE_TRY(startSpan(watch, &watch->spans[i], timed, together));
  for (size_t i = 0; i < samples; ++i)
    CUTE_TRY(endSpan(watch, &watch->spans[i], together, &times[(*n)++]));
  return NULL;
}

static int compareDoubles(const void *first, const void *second) {
  double a = *(const double *)first, b = *(const double *)second;
  return (a > b) - (a < b);
}

CuteStatus cuteMeasure(const CuteDevice *device, size_t n, CuteTimed *timed,
                       const CuteTiming *timing) {
  size_t rounds = timing->rounds, most = rounds * MOST_SAMPLES;
  Stopwatch watch;
  CuteStatus status = createStopwatch(&watch, device, timing->cache);
  CUTE_FREED double *times = cuteAllocate(n * most * sizeof *times);
  CUTE_FREED size_t *counts = cuteAllocate(n * sizeof *counts);
  for (size_t i = 0; i < n; ++i)
    counts[i] = 0;
  for (size_t round = 0; !status && round < rounds; ++round)
    for (size_t i = 0; !status && i < n; ++i)
      status =
          timeRound(&watch, timing, &timed[i], &times[i * most], &counts[i]);
  for (size_t i = 0; !status && i < n; ++i) {
    double *own = &times[i * most];
    qsort(own, counts[i], sizeof *own, compareDoubles);
    timed[i].milliseconds = own[counts[i] / 2];
  }
  destroyStopwatch(&watch);
  return status;
}
