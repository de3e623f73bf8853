// Many addresses of one base or stride, in an optimized LLVM module.
#ifndef CUTE_COMPILE_ADDRESS_RUNS_H
#define CUTE_COMPILE_ADDRESS_RUNS_H

#include <llvm-c/Types.h>

// Gives every 64 addresses of a function that are made of one base, and
// products by one stride, a copy of it of their own. LLVM's "straight line
// strength reduction" compares each with all others of the same base or stride,
// in a time that grows with the square of their number.
void cuteSplitAddressRuns(LLVMModuleRef module);

#endif
