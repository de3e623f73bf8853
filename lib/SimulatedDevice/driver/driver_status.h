// The driver that is simulated: what its parts know of each other.
#pragma once

#include "Runtime/cuda.h"

// The functions of the driver. Options are schedule, timeout, checks, blocks,
// arch, break, and report and trace ("on", or a file that each launch writes);
// a file is compiled for an architecture after the passes, null for none, and
// the caller frees the manifest and LLVM IR with places in the source.
#define CUTE_CUDA_FUNCTION(symbol, name, parameters)                           \
  int cuteSimDriver_##name parameters;
#include "Runtime/cuda_functions.def"

// Takes a status and gives the driver's error for it; 0 where nothing failed.
int cuteSimDriverFinish(CuteStatus status);

// The line that kernels from source break on; 0: none.
unsigned cuteSimDriverGetBreak(void);

// The host has waited for the grids so far, or may have: later grids do not
// overlap them.
void cuteSimDriverEndGrids(void);

// Tells whether the runs that follow look for mistakes.
bool cuteSimDriverHasChecks(void);

// Gives a report on the launches of the latest launch's module, which were
// observed if the option report or trace was set before it was loaded.
CuteStatus cuteSimDriverMakeReport(const char *format, const char *arch,
                                   const char **text);

// Sets the options of the environment variable CUTE_SIM, "schedule=3
// checks=nan", for programs that have none of their own. What is wrong with
// them is reported when a module is loaded.
void cuteSimDriverReadEnvironment(void);
