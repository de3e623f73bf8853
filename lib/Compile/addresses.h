// Addresses of an optimized LLVM module.
#ifndef CUTE_COMPILE_ADDRESSES_H
#define CUTE_COMPILE_ADDRESSES_H

#include <llvm-c/Types.h>

// Adds up the offsets of a chain of getelementptrs of one type, p + a + b, in
// integers, p + (a + b), in the first block of each function, where nothing
// else uses p + a and the address is used in that block. LLVM's optimizer takes
// sums apart like that, and the back end would then scale every part by the
// size of an element. Addresses in loops and after branches, and those that
// live longer, stay as they are: parts of them can be computed again where
// registers are scarce.
void cuteMergeAddresses(LLVMModuleRef module);

// Computes addresses in shared memory with 32 bits, which are all that they
// have, in the same places and for the same reason. Pointers have 64: ptxas
// cuts them, but then scales the index of an element with an instruction of its
// own. Where a swizzle makes several addresses of one number, they differ in an
// xor.
void cuteNarrowAddresses(LLVMModuleRef module);

#endif
