// Shared by the files of cute-specialize.
#pragma once

#include "Transforms/kernel_edit.h"

enum { CUTE_MAX_FILLS = 8 }; // pipelines that a loop fills

typedef struct CuteParting {
  CuteKernel *kernel;
  CuteOps items;        // the loops with loads, and the loads outside of them
  CuteOps fetches;      // the scf.if of each that loads
  MlirOperation ready;  // the gpu.barrier after which pipelines may be used
  CutePointerMap setup; // ops of the block that both roles are behind
  CutePointerMap moves; // ops that a role may have copies of
} CuteParting;

// Lists the values that a loop carries as states of the stages that it fills,
// at most CUTE_MAX_FILLS.
size_t cutePartingFindFills(CuteParting *parting, size_t item, intptr_t *fills);

// Builds the loads, and the loops around them. False with the kernel's problem.
bool cutePartingBuildProducer(CuteParting *parting, CuteBuilder *b);
