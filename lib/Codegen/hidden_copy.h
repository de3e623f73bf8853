// Copies of values that LLVM does not know to be equal.
#pragma once

#include <llvm-c/Types.h>

#include <stdbool.h>

// Tells whether values of a type can be copied: pointers, and integers of 32
// and 64 bits.
bool cuteHasHiddenCopy(LLVMTypeRef type);

// Copies a value of such a type by an empty inline assembly, which is nothing
// in the code that ptxas makes.
LLVMValueRef cuteBuildHiddenCopy(LLVMBuilderRef builder, LLVMValueRef value);
