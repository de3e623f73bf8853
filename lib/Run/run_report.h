// Reports the results of a run.
#pragma once

#include "Run/run_options.h"

typedef struct CuteRunResults {
  double error;      // the largest of all comparisons; -1: nothing compared
  bool isSampled;    // not all elements were compared: in rows a ~
  double operations; // of --flops, or of the reference
  double bytes;      // of all tensors
  double milliseconds, baseline; // 0: not measured
  double baselineBytes;          // that a copy reads and writes
  char baselineNote[160];        // why there is none
} CuteRunResults;

// The head of the table whose lines cuteRunReport prints for --row.
void cuteRunPrintHeader(void);

// Prints the results as a sentence, a line of a table or JSON.
void cuteRunReport(const CuteRunOptions *options,
                   const CuteRunResults *results);

// Tells whether standard output is the simulator's report alone.
bool cuteRunReportIsAlone(const CuteRunOptions *options);
