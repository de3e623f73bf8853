// LLVM modules to machine code of the host, in objects or in memory.
#pragma once

#include "Support/status.h"
#include "Support/string_builder.h"
#include "cute/Host.h"

#include <llvm-c/Types.h>

typedef struct CuteHostCodeOptions {
  unsigned optLevel;  // 0 to 3
  bool isForAnyHost;  // not for this one's processor alone
  bool isForAssembly; // text in place of an object
} CuteHostCodeOptions;

// Makes LLVM's back end for the host known; may be called again.
CuteStatus cuteHostInitialize(void);

// Verifies the module, sets its triple and data layout, optimizes it, and
// appends position-independent code, a relocatable object, to the output. The
// module stays the caller's; after a fatal error of LLVM, which the status
// says, it and its context must not be used or freed any more, and `isLost`,
// which may be null, is true. Its context's diagnostic handler is replaced.
CuteStatus cuteHostCodeEmit(LLVMModuleRef module, CuteHostCodeOptions options,
                            CuteString *output, bool *isLost);

// Machine code in memory, that can be called: ORC of LLVM. Jits are independent
// of each other: each belongs to one thread at a time, several to several; what
// they have compiled may be called from any.
typedef struct CuteJit CuteJit;

// A function or variable that the code may use, by the name that it has there.
typedef struct CuteJitSymbol {
  const char *name;
  void *address;
} CuteJitSymbol;

typedef struct CuteJitOptions {
  unsigned optLevel; // 0 to 3
  size_t numSymbols;
  const CuteJitSymbol *symbols;
  bool seesProcess; // and then all that the process has loaded, after these
} CuteJitOptions;

// Compiles a module, which stays the caller's and is needed no more. Its
// external functions must be among the symbols: one that is not, and global
// constructors, which nothing would run, are failures. See cuteHostCodeEmit for
// the rest.
CuteStatus cuteJitCreate(LLVMModuleRef module, CuteJitOptions options,
                         CuteJit **jit);

// The same of a relocatable object, such as cuteHostCodeEmit makes; a copy is
// taken.
CuteStatus cuteJitCreateFromObject(const void *object, size_t size,
                                   CuteJitOptions options, CuteJit **jit);

// Ends all that was compiled. Null is possible.
void cuteJitDestroy(CuteJit *jit);

// The address of a function or variable, whose linkage must be external. The
// first look-up links the object: it also fails if a symbol is missing.
CuteStatus cuteJitLookUp(CuteJit *jit, const char *name, void **address);

//===-- Functions and their table -----------------------------------------===//

// Follows the name of a function for its packed form.
#define CUTE_PACKED_SUFFIX ".packed"

// Adds a void NAME.packed(void **arguments) for each of the functions, which
// are defined in the module: entry i points to part i of the parameters, where
// structs are taken apart; pointers to where the parts of the result go follow.
// Integers of fewer than 8 bits lie in a byte. All else that the module defines
// becomes internal.
void cutePackedAdd(LLVMModuleRef module, size_t n, const char *const *names);

// Follows the prefix in the table's name.
#define CUTE_EXPORT_SUFFIX "_module"

// The functions, addresses and code of `table` are left open: the functions
// come from the signatures, packed, and become internal; the code is a text
// that has `codeSize` bytes.
void cuteExportTableAdd(LLVMModuleRef module, const char *prefix,
                        CuteExportedModule table);

// Lists functions of C that code of the host needs for operations that
// processors lack: mathematics, copies of memory, conversions of 16-bit floats,
// divisions of 128 bits.
// The table, whose size goes to `count`.
const CuteJitSymbol *cuteCSymbolsGet(size_t *count);
