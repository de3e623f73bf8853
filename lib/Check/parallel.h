// Loops over several threads.
#pragma once

#include <stdint.h>

// Called with disjoint ranges [begin, end) that cover [0, n).
typedef void CuteRangeFunction(int64_t begin, int64_t end, void *data);

// Runs the ranges, of `grain` iterations each, on all processors and returns
// when they are done. What takes more than a second shows a bar with the time
// left on a terminal.
void cuteParallelFor(int64_t n, int64_t grain, CuteRangeFunction *function,
                     void *data);
