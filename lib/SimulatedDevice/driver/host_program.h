// Kernels as code of the host: the LLVM IR that becomes PTX, with its
// instructions for NVIDIA's devices replaced by calls of the simulator.
#pragma once

#include "Support/status.h"

typedef struct CuteSimProgram CuteSimProgram;

typedef struct CuteSimKernel {
  const char *name;
  void (*run)(void **parameters);       // one thread
  struct CuteSimStatistics *statistics; // of the program; null: none
  const struct CuteSimMemory *memory;   // null: not described
  struct CuteSimResources *resources;   // of the program
  size_t localBytes;                    // of a thread's local memory
  uint32_t numParameters;
  unsigned staticShared; // bytes
  bool hasClusters;      // a kernel of the program says their size
} CuteSimKernel;

typedef struct CuteSimProgramOptions {
  bool checks;     // of each access to memory
  bool seeksNan;   // looks for where NaN and Inf come from
  bool isObserved; // for reports
} CuteSimProgramOptions;

// Compiles LLVM IR as `cutec --emit=llvm` writes it. Fails with the name of an
// instruction that the simulator does not know.
CuteStatus cuteSimProgramCreate(const char *text, CuteSimProgramOptions options,
                                CuteSimProgram **program);
void cuteSimProgramDestroy(CuteSimProgram *program);

// The kernel lives as long as the program.
CuteStatus cuteSimProgramFind(CuteSimProgram *program, const char *name,
                              CuteSimKernel **kernel);
