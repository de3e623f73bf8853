// Functions on the host, compiled by libcute, which is found at run time, and
// called with operands as kernels are.
#pragma once

#include "Run/run_options.h"
#include "Runtime/argument.h"
#include "cute/Host.h"

typedef struct CuteHostRun {
#define CUTE_HOST_FUNCTION(symbol, name, result, parameters)                   \
  result(*name) parameters;
#include "Run/host_library.def"
  CuteHostModule *module;
  CuteKernelSet *kernels;
  CuteHostFunction function;
  CuteHostSignature signature;
  CuteParameters parameters;
  uint64_t *results;
  void **arguments;
} CuteHostRun;

// Compiles the file of the options; the manifest describes its functions. A
// file without kernels needs no device but the simulator's memory.
CuteStatus cuteHostRunCompile(CuteHostRun *run, const CuteRunOptions *options,
                              CuteManifest *manifest);
void cuteHostRunDestroy(CuteHostRun *run);

// Tells whether there are kernels, which need the device of the options.
bool cuteHostRunHasKernels(const CuteHostRun *run);

// Loads the kernels, and binds the arguments to the function that `kernel`
// describes.
CuteStatus cuteHostRunPrepare(CuteHostRun *run, const CuteDevice *device,
                              const CuteKernel *kernel, size_t numArguments,
                              const CuteArgument *arguments);

// Calls the function and prints its results, one a line.
CuteStatus cuteHostRunCall(CuteHostRun *run);
