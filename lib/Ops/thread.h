// Numbers of threads, for ops of several groups.
#ifndef CUTE_OPS_THREAD_H
#define CUTE_OPS_THREAD_H

#include "Lowering/lowering.h"

// The number of the thread in its block, i32: x + dim x (y + dim y z).
MlirValue cuteThreadBuildNumber(CuteLowering *lowering);

#endif
