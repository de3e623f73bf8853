// Copies that fill with zeros, in an optimized LLVM module.
#ifndef CUTE_COMPILE_ZERO_FILL_H
#define CUTE_COMPILE_ZERO_FILL_H

#include <llvm-c/Types.h>

// cp.async whose number of bytes is a choice of all or none, `c ? 16 : 0`,
// becomes one with a condition, under which nothing is read (the operand
// ignore-src of PTX 7.5), as inline PTX, as LLVM has no intrinsic for it. The
// machine's instruction has a condition, too, and ptxas compares the number of
// bytes with 0, two instructions for each copy. A condition from before the
// block, as a loop's, stays a number of bytes: that waits in any register, and
// a thread has seven for conditions. Before that LLVM knows what memory the
// intrinsic takes, therefore not earlier.
void cuteZeroFillIgnoreSources(LLVMModuleRef module);

#endif
