// The steps that make a kernel for Hopper out of a plain one.
#ifndef CUTE_TRANSFORMS_SM90_H
#define CUTE_TRANSFORMS_SM90_H

#include "Transforms/kernel_edit.h"

// Each takes its pass's option as an int64_t, if it has one.
CuteKernelEdit cuteTmaEdit, cuteWgmmaEdit, cuteSpecializeEdit, cutePersistEdit;

#endif
