// The report on compiled kernels: registers, shared memory, occupancy,
// instructions.
#pragma once

#include "Compile/assemble.h"
#include "cute/Kernels.h"

// Appends a report on the PTX of kernels: as text, or as one JSON object. The
// options go to ptxas, as in cuteAssemble. Registers, spills and occupancy need
// ptxas, the instructions of the machine nvdisasm; without them it says what
// PTX says. False with a diagnostic if ptxas refuses the code.
bool cuteReport(MlirLocation location, const CuteArch *arch,
                const char *options, const CuteString *ptx,
                const CuteKernelList *kernels, bool isJson, CuteString *report);
