// Timing with device events.
#include "Runtime/launch.h"
#include "Support/arena.h"

#include <stdlib.h>

typedef struct Stopwatch {
  const CuteCuda *cuda;
  CuteCudaEvent start, end;
} Stopwatch;

static bool createStopwatch(Stopwatch *watch, const CuteCuda *cuda) {
  *watch = (Stopwatch){.cuda = cuda};
  return cuteCudaCheck(cuda, cuda->createEvent(&watch->start, 0), "events") &&
         cuteCudaCheck(cuda, cuda->createEvent(&watch->end, 0), "events");
}

// Milliseconds of one repetition.
static bool timeWork(Stopwatch *watch, const CuteTimed *timed,
                     size_t repetitions, double *milliseconds) {
  const CuteCuda *cuda = watch->cuda;
  float elapsed;
  bool ok =
      cuteCudaCheck(cuda, cuda->recordEvent(watch->start, NULL), "events");
  for (size_t i = 0; ok && i < repetitions; ++i)
    ok = timed->work(timed->data);
  ok = ok &&
       cuteCudaCheck(cuda, cuda->recordEvent(watch->end, NULL), "events") &&
       cuteCudaCheck(cuda, cuda->synchronizeEvent(watch->end),
                     "running the kernel") &&
       cuteCudaCheck(cuda, cuda->elapsed(&elapsed, watch->start, watch->end),
                     "events");
  if (ok)
    *milliseconds = (double)elapsed / (double)repetitions;
  return ok;
}

// As many as take about 10 ms.
static bool chooseRepetitions(Stopwatch *watch, const CuteTimed *timed,
                              size_t *repetitions) {
  double milliseconds;
  if (!timeWork(watch, timed, 3, &milliseconds) || // warms up
      !timeWork(watch, timed, 3, &milliseconds))
    return false;
  double n = 10 / (milliseconds > 1e-3 ? milliseconds : 1e-3);
  *repetitions = n < 1 ? 1 : n > 1000 ? 1000 : (size_t)n;
  return true;
}

static int compareDoubles(const void *first, const void *second) {
  double a = *(const double *)first, b = *(const double *)second;
  return (a > b) - (a < b);
}

bool cuteMeasure(const CuteCuda *cuda, size_t n, CuteTimed *timed,
                 size_t samples) {
  Stopwatch watch;
  bool ok = createStopwatch(&watch, cuda);
  size_t *repetitions = cuteAllocate(n * sizeof *repetitions);
  double *times = cuteAllocate(n * samples * sizeof *times);
  for (size_t i = 0; ok && i < n; ++i)
    ok = chooseRepetitions(&watch, &timed[i], &repetitions[i]);
  for (size_t s = 0; ok && s < samples; ++s)
    for (size_t i = 0; ok && i < n; ++i)
      ok = timeWork(&watch, &timed[i], repetitions[i], &times[i * samples + s]);
  for (size_t i = 0; ok && i < n; ++i) {
    qsort(times + i * samples, samples, sizeof *times, compareDoubles);
    timed[i].milliseconds = times[i * samples + samples / 2];
  }
  free(times);
  free(repetitions);
  if (watch.start)
    cuda->destroyEvent(watch.start);
  if (watch.end)
    cuda->destroyEvent(watch.end);
  return ok;
}

//===-- Copies ------------------------------------------------------------===//

size_t cuteDeviceCopyGetBytes(const CuteLaunch *launch) {
  size_t from = cuteArrayGetBytes(&launch->arguments[0].array);
  size_t to =
      cuteArrayGetBytes(&launch->arguments[launch->numArguments - 1].array);
  return from < to ? from : to;
}

bool cuteDeviceCopyStart(void *data) {
  const CuteLaunch *launch = data;
  const CuteArgument *to = &launch->arguments[launch->numArguments - 1];
  int error =
      launch->cuda->copyOnDevice(to->address, launch->arguments[0].address,
                                 cuteDeviceCopyGetBytes(launch), NULL);
  return cuteCudaCheck(launch->cuda, error, "copying on the device");
}
