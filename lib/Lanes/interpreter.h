// A kernel followed for all threads of a block: what they access, once for each
// sample of what is not known before it runs.
#pragma once

#include "Lanes/ordering.h"

typedef struct CuteInterpreter {
  CuteDialect *dialect;
  CuteContext context;
  MlirOperation function;
  bool isBlockKnown; // else a warp is followed
  int numSamples;
  CuteFollow follow[CUTE_NUM_SAMPLES];
  CuteAccessList accesses[CUTE_NUM_SAMPLES];
  CuteOrder order; // of the first sample
} CuteInterpreter;

// Follows a gpu.func. The interpreter must stay where it is until it is
// destroyed.
void cuteInterpreterRun(CuteInterpreter *interpreter, CuteDialect *dialect,
                        MlirOperation function);
void cuteInterpreterDestroy(CuteInterpreter *interpreter);
