// Scalar mathematics of PTX, which compiled code calls with its own types.
#ifndef CUTE_SIMULATOR_SCALARS_H
#define CUTE_SIMULATOR_SCALARS_H

#include "Simulator/ptx/operation_table.h"

// Ends with a row without a name; names without "llvm.nvvm.".
extern const CuteSimScalar cuteSimScalars[];

#endif
