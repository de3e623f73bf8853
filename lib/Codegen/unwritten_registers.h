// Registers that nothing was written to, in an LLVM module before it is
// optimized.
#pragma once

#include <llvm-c/Types.h>

// Has each element of a thread's memory hold at first what a function
// "cute.unwritten.N" gives, which is opaque to LLVM: otherwise it takes a
// value of its choice for what was not written, and instructions that use it
// are no more. For the simulator, which says who uses it.
void cuteMarkUnwritten(LLVMModuleRef module);
