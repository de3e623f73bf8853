// Descriptions of kernels, and of functions of the host.
#ifndef CUTE_COMPILE_KERNEL_LIST_H
#define CUTE_COMPILE_KERNEL_LIST_H

#include "IR/dialect.h"
#include "cute/Kernels.h"

// Describes a gpu.func, or a func.func of the host, in the arena. False with a
// diagnostic.
bool cuteKernelDescribe(CuteDialect *dialect, MlirOperation function,
                        CuteArena *arena, CuteKernelInfo *kernel);

#endif
