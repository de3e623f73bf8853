// Counters of loops, in an optimized LLVM module.
#ifndef CUTE_COMPILE_LOOP_COUNTERS_H
#define CUTE_COMPILE_LOOP_COUNTERS_H

#include <llvm-c/Types.h>

// Hides counters from the addresses that are made of them, by an empty inline
// assembly. LLVM's loop strength reduction would keep a register for each
// address and add to it in each round; GPUs add offsets to one address for
// nothing. Counters that are multiplied by what is known at run time, as a
// stride, are left to it, as it saves these products, and those of loops that
// end at a constant, which ptxas unrolls.
void cuteHideLoopCounters(LLVMModuleRef module);

#endif
