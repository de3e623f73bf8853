// A bar on a terminal of how far a run is, and the time that is left.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

// Times are in milliseconds.
typedef struct CuteProgress {
  FILE *terminal; // null: nothing is shown
  double start;   // of the run
  double shown;   // the latest time at which something was; 0: never
} CuteProgress;

// Shows on standard error if that is a terminal.
CuteProgress cuteProgressBegin(double now);

// Shows that so many of all are done: not in the first second, and then a few
// times a second.
void cuteProgressShow(CuteProgress *progress, double now, int64_t done,
                      int64_t all);

// Clears what was shown.
void cuteProgressEnd(const CuteProgress *progress);
