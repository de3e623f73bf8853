// The driver that is simulated: what its parts know of each other.
#pragma once

#include "Runtime/cuda.h"

// Takes a status and gives the driver's error for it; 0 where nothing failed.
int cuteSimDriverFinish(CuteStatus status);

// Gives the text of this thread's latest failure.
int cuteSimDriverGetErrorString(int error, const char **text);

//===-- Kernels -----------------------------------------------------------===//

int cuteSimDriverLoadModule(CuteCudaModule *module, const void *image,
                            unsigned n, int *names, void **values);
int cuteSimDriverUnloadModule(CuteCudaModule module);
int cuteSimDriverGetFunction(CuteCudaFunction *function, CuteCudaModule module,
                             const char *name);
int cuteSimDriverSetAttribute(CuteCudaFunction function, int attribute,
                              int value);
int cuteSimDriverLaunch(CuteCudaFunction function, unsigned gridX,
                        unsigned gridY, unsigned gridZ, unsigned blockX,
                        unsigned blockY, unsigned blockZ, unsigned sharedBytes,
                        CuteCudaStream stream, void **parameters, void **extra);
int cuteSimDriverLaunchWith(const CuteCudaLaunch *shape,
                            CuteCudaFunction function, void **parameters,
                            void **extra);
int cuteSimDriverGetActiveBlocks(int *count, CuteCudaFunction function,
                                 int threads, size_t sharedBytes);
int cuteSimDriverGetActiveClusters(int *count, CuteCudaFunction function,
                                   const CuteCudaLaunch *launch);

// Gives what the latest launch found that is wrong only where the result is.
int cuteSimDriverGetNotes(const char **text);

// The line that kernels from source break on; 0: none.
unsigned cuteSimDriverGetBreak(void);

// Tells whether the runs that follow look for mistakes.
bool cuteSimDriverHasChecks(void);

// Gives a report on the launches of the latest launch's module, which were
// observed if the option report or trace was set before it was loaded.
int cuteSimDriverGetReport(const char *format, const char *arch,
                           const char **text);
CuteStatus cuteSimDriverMakeReport(const char *format, const char *arch,
                                   const char **text);

// Sets the options of the environment variable CUTE_SIM, "schedule=3
// checks=nan", for programs that have none of their own. What is wrong with
// them is reported when a module is loaded.
void cuteSimDriverReadEnvironment(void);

// Sets an option of the runs that follow: schedule, timeout, checks, blocks,
// report and trace ("on", or a file that each launch writes), break.
int cuteSimDriverSetOption(const char *name, const char *value);
