// Timing with device events.
#include "Runtime/launch.h"
#include "Support/arena.h"

#include <stdlib.h>

// Milliseconds of runs that are timed together, and how often a work is timed
// in a round.
enum { TOGETHER = 10, LEAST_SAMPLES = 5, MOST_SAMPLES = 1000 };

const CuteTiming cuteTimingThorough = {CUTE_CACHE_COLD, 3, 25, 100};

typedef struct Span {
  CuteCudaEvent start, end;
} Span;

typedef struct Stopwatch {
  const CuteCuda *cuda;
  CuteDevicePointer cache; // as large as twice the L2; 0: it stays warm
  size_t cacheBytes;
  Span spans[MOST_SAMPLES];
} Stopwatch;

static bool check(const Stopwatch *watch, int error) {
  return cuteCudaCheck(watch->cuda, error, "timing");
}

static bool createStopwatch(Stopwatch *watch, const CuteCuda *cuda,
                            CuteCache cache) {
  *watch = (Stopwatch){.cuda = cuda};
  bool ok = true;
  for (size_t i = 0; ok && i < MOST_SAMPLES; ++i)
    ok = check(watch, cuda->createEvent(&watch->spans[i].start, 0)) &&
         check(watch, cuda->createEvent(&watch->spans[i].end, 0));
  if (cache == CUTE_CACHE_COLD)
    watch->cacheBytes = 2 * cuda->cacheBytes;
  if (ok && watch->cacheBytes)
    ok = check(watch, cuda->allocate(&watch->cache, watch->cacheBytes));
  return ok;
}

static void destroyStopwatch(Stopwatch *watch) {
  for (size_t i = 0; i < MOST_SAMPLES; ++i) {
    if (watch->spans[i].start)
      watch->cuda->destroyEvent(watch->spans[i].start);
    if (watch->spans[i].end)
      watch->cuda->destroyEvent(watch->spans[i].end);
  }
  if (watch->cache)
    watch->cuda->release(watch->cache);
}

// Starts `runs` of a work between the events of a span.
static bool startSpan(Stopwatch *watch, const Span *span,
                      const CuteTimed *timed, size_t runs) {
  bool ok = !watch->cache ||
            check(watch, watch->cuda->fill(watch->cache, 0, watch->cacheBytes));
  ok = ok && check(watch, watch->cuda->recordEvent(span->start, NULL));
  for (size_t i = 0; ok && i < runs; ++i)
    ok = timed->work(timed->data);
  return ok && check(watch, watch->cuda->recordEvent(span->end, NULL));
}

// Waits for a span; milliseconds of one of its runs.
static bool endSpan(const Stopwatch *watch, const Span *span, size_t runs,
                    double *milliseconds) {
  float elapsed;
  bool ok =
      check(watch, watch->cuda->synchronizeEvent(span->end)) &&
      check(watch, watch->cuda->elapsed(&elapsed, span->start, span->end));
  if (ok)
    *milliseconds = (double)elapsed / (double)runs;
  return ok;
}

static size_t countRuns(double total, double milliseconds) {
  double n = total / (milliseconds > 1e-3 ? milliseconds : 1e-3);
  return n < 1 ? 1 : n > MOST_SAMPLES ? MOST_SAMPLES : (size_t)n;
}

// One round of one work: adds to `times`, of which there are `*n`.
static bool timeRound(Stopwatch *watch, const CuteTiming *timing,
                      const CuteTimed *timed, double *times, size_t *n) {
  double milliseconds;
  bool ok = startSpan(watch, watch->spans, timed, 3) &&
            endSpan(watch, watch->spans, 3, &milliseconds);
  if (!ok)
    return false;
  size_t runs = countRuns(timing->warmUp, milliseconds);
  ok = startSpan(watch, watch->spans, timed, runs) &&
       endSpan(watch, watch->spans, runs, &milliseconds);
  if (!ok)
    return false;
  size_t together = watch->cache ? 1 : countRuns(TOGETHER, milliseconds);
  size_t samples = countRuns(timing->timed, milliseconds * (double)together);
  if (samples < LEAST_SAMPLES)
    samples = LEAST_SAMPLES;
  for (size_t i = 0; ok && i < samples; ++i)
    ok = startSpan(watch, &watch->spans[i], timed, together);
  for (size_t i = 0; ok && i < samples; ++i)
    ok = endSpan(watch, &watch->spans[i], together, &times[(*n)++]);
  return ok;
}

static int compareDoubles(const void *first, const void *second) {
  double a = *(const double *)first, b = *(const double *)second;
  return (a > b) - (a < b);
}

bool cuteMeasure(const CuteCuda *cuda, size_t n, CuteTimed *timed,
                 const CuteTiming *timing) {
  size_t rounds = timing->rounds, most = rounds * MOST_SAMPLES;
  Stopwatch watch;
  bool ok = createStopwatch(&watch, cuda, timing->cache);
  double *times = cuteAllocate(n * most * sizeof *times);
  size_t *counts = cuteAllocate(n * sizeof *counts);
  for (size_t i = 0; i < n; ++i)
    counts[i] = 0;
  for (size_t round = 0; ok && round < rounds; ++round)
    for (size_t i = 0; ok && i < n; ++i)
      ok = timeRound(&watch, timing, &timed[i], &times[i * most], &counts[i]);
  for (size_t i = 0; ok && i < n; ++i) {
    double *own = &times[i * most];
    qsort(own, counts[i], sizeof *own, compareDoubles);
    timed[i].milliseconds = own[counts[i] / 2];
  }
  free(counts);
  free(times);
  destroyStopwatch(&watch);
  return ok;
}

//===-- Copies ------------------------------------------------------------===//

bool cuteDeviceCopyCreate(CuteDeviceCopy *copy, const CuteLaunch *launch) {
  *copy = (CuteDeviceCopy){.cuda = launch->cuda};
  for (size_t i = 0; i < launch->numArguments; ++i) {
    const CuteArgument *argument = &launch->arguments[i];
    size_t bytes =
        argument->array.data ? cuteArrayGetBytes(&argument->array) : 0;
    if (bytes > copy->bytes)
      copy->bytes = bytes, copy->from = argument->address;
  }
  if (copy->bytes && copy->cuda->allocate(&copy->to, copy->bytes))
    copy->to = 0;
  return copy->to;
}

void cuteDeviceCopyDestroy(CuteDeviceCopy *copy) {
  if (copy->to)
    copy->cuda->release(copy->to);
}

bool cuteDeviceCopyStart(void *data) {
  const CuteDeviceCopy *copy = data;
  int error = copy->cuda->copyOnDevice(copy->to, copy->from, copy->bytes, NULL);
  return cuteCudaCheck(copy->cuda, error, "copying on the device");
}
