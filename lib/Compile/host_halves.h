// The two halves of a module with functions on the host: its kernels, compiled
// for a GPU, and its functions, for this machine. The module stays as it is.
#ifndef CUTE_COMPILE_HOST_HALVES_H
#define CUTE_COMPILE_HOST_HALVES_H

#include "Compile/host_signatures.h"
#include "Jit/host_code.h"

typedef struct CuteHostKernels {
  CuteString manifest, code; // both empty without kernels
} CuteHostKernels;

// False with diagnostics; to be destroyed either way.
bool cuteHostKernelsCompile(MlirModule module, CuteCompileOptions options,
                            CuteHostKernels *kernels);
void cuteHostKernelsDestroy(CuteHostKernels *kernels);

// Appends an object with the packed forms (Jit/packed.h) of the functions that
// have a signature. False with diagnostics.
bool cuteHostFunctionsEmit(MlirModule module,
                           const CuteHostSignatures *signatures,
                           CuteHostCodeOptions options, CuteString *object);

#endif
