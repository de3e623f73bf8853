// libcute, which has the simulator, found at run time: running kernels on a GPU
// needs no compiler.
#ifndef CUTE_RUNTIME_SIMULATOR_LIBRARY_H
#define CUTE_RUNTIME_SIMULATOR_LIBRARY_H

#include "Support/status.h"

// Finds the library: in the process, beside the file that this code is in, in
// ../lib from there, or where the loader looks.
CuteStatus cuteSimulatorLibraryOpen(void **library);

// Finds the simulator's version of a driver function; null
// if there is none.
void *cuteSimulatorLibraryFind(void *library, const char *symbol);

#endif
