// LLVM modules to machine code of the host.
#pragma once

#include "Support/status.h"
#include "Support/string_builder.h"

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
