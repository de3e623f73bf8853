// The table of an object's functions and kernels, a constant in it.
#pragma once

#include "cute/Host.h"

#include <llvm-c/Types.h>

// Follows the prefix in the table's name.
#define CUTE_EXPORT_SUFFIX "_module"

// The functions, addresses and code of `table` are left open: the functions
// come from the signatures, packed (Jit/packed.h), and become internal; the
// code is a text that has `codeSize` bytes.
void cuteExportTableAdd(LLVMModuleRef module, const char *prefix,
                        CuteExportedModule table);
