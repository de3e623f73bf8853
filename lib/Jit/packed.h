// Functions that are called with an array of pointers, whatever they take.
#pragma once

#include <llvm-c/Types.h>

#include <stddef.h>

// Follows the name of a function for its packed form.
#define CUTE_PACKED_SUFFIX ".packed"

// Adds a void NAME.packed(void **arguments) for each of the functions, which
// are defined in the module: entry i points to part i of the parameters, where
// structs are taken apart; pointers to where the parts of the result go follow.
// Integers of fewer than 8 bits lie in a byte. All else that the module defines
// becomes internal.
void cutePackedAdd(LLVMModuleRef module, size_t n, const char *const *names);
