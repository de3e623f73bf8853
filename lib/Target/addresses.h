// Addresses of an optimized LLVM module.
#ifndef CUTE_TARGET_ADDRESSES_H
#define CUTE_TARGET_ADDRESSES_H

#include <llvm-c/Types.h>

// Adds up the offsets of a chain of getelementptrs of one type, p + a + b, in
// integers, p + (a + b), where nothing else uses p + a and all is in one block,
// the uses of the address, too. LLVM's optimizer takes sums apart like that,
// and the back end would then scale every part by the size of an element.
// Addresses that live longer stay as they are: parts of them can be computed
// again where registers are scarce.
void cuteMergeAddresses(LLVMModuleRef module);

#endif
