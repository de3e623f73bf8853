// Machine code of the host in memory, that can be called: ORC of LLVM. Jits are
// independent of each other: each belongs to one thread at a time, several to
// several; what they have compiled may be called from any.
#pragma once

#include "Jit/host_code.h"

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
