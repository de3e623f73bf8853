// Integers that are computed from floats, in an optimized LLVM module.
#ifndef CUTE_COMPILE_FLOAT_BITS_H
#define CUTE_COMPILE_FLOAT_BITS_H

#include <llvm-c/Types.h>

// Writes x + c as x - -c and x * 2^c as x << c where x is made of a float, as
// in exponential functions. That is the same code, but no candidate for LLVM's
// "straight line strength reduction", which compares each sum and product with
// all others of the same constant, and without which code generation is linear
// in the length of code. Addresses, for which that pass is, are not made of
// floats.
void cuteHideFloatBits(LLVMModuleRef module);

#endif
