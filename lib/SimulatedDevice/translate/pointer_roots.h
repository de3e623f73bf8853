// Follows pointers in a module of LLVM to what they are made of.
#pragma once

#include <llvm-c/Types.h>

#include <stdbool.h>

// Tells whether all pointers that an instruction takes lead to one value each,
// such as a parameter. Where they do not, blocks of code that were alike but
// for their tensors may have become one, and its line is that of one of them.
bool cuteHasSingleRoots(LLVMValueRef instruction);
