// Registers dialects, passes and interfaces of MLIR: all of them where LLVM is
// a shared library, what kernels and host code need where it is linked in
// (CUTE_LLVM=static).
#pragma once

#include <mlir-c/IR.h>

// Adds dialects and the interfaces by which they are converted to llvm.
void cuteUpstreamAddDialects(MlirDialectRegistry registry);

// Lets modules of the context be translated to LLVM IR.
void cuteUpstreamAddTranslations(MlirContext context);

// Loads the dialects that passes of a pipeline depend on. MLIR loads them when
// a pipeline begins, without a lock, while another thread may parse.
void cuteUpstreamLoadDialects(MlirContext context);

// Registers passes, once.
void cuteUpstreamRegisterPasses(void);
