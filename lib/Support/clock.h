// Time for reports.
#pragma once

#include <time.h>

// Milliseconds since some moment.
static inline double cuteNow(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

// Milliseconds of processor time of this process, which other processes do not
// lengthen.
static inline double cuteProcessorNow(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

// Adds the processor time that passed since *since to *sum, and sets *since to
// now.
static inline void cuteLap(double *since, double *sum) {
  double now = cuteProcessorNow();
  *sum += now - *since;
  *since = now;
}
