// Addresses of an optimized LLVM module.
#ifndef CUTE_TARGET_ADDRESSES_H
#define CUTE_TARGET_ADDRESSES_H

#include <llvm-c/Types.h>

// Adds up the offsets of a chain of getelementptrs of one type, p + a + b, in
// integers, p + (a + b), in the first block of each function, where nothing
// else uses p + a and the address is used in that block. LLVM's optimizer takes
// sums apart like that, and the back end would then scale every part by the
// size of an element. Addresses in loops and behind branches, and those that
// live longer, stay as they are: parts of them can be computed again where
// registers are scarce.
void cuteMergeAddresses(LLVMModuleRef module);

#endif
