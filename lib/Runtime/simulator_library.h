// libcute, which has the simulator, found at run time: running kernels on a GPU
// needs no compiler.
#pragma once

#include "Support/status.h"

// Finds the library: in the process, beside the file that this code is in, in
// ../lib from there, or where the loader looks.
CuteStatus cuteSimulatorLibraryOpen(void **library);

// Finds the simulator's version of a driver function; null
// if there is none.
void *cuteSimulatorLibraryFind(void *library, const char *symbol);
