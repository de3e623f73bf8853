// Descriptions of kernels, and of functions of the host.
#pragma once

#include "IR/dialect.h"
#include "cute/Kernels.h"

// Describes a gpu.func, or a func.func of the host, in the arena. False with a
// diagnostic.
bool cuteKernelDescribe(CuteDialect *dialect, MlirOperation function,
                        CuteArena *arena, CuteKernelInfo *kernel);
