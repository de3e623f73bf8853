// Shared by the files of cute-specialize.
#pragma once

#include "Transforms/edit/kernel_edit.h"

enum {
  CUTE_MAX_FILLS = 8, // pipelines whose stages a loop passes on
  CUTE_MAX_PARTS = 2, // loads, and products in tensor memory or additions
};

// Lists what one thread does for all.
typedef struct CutePart {
  CuteOps items;   // loops, and branches outside of them
  CuteOps fetches; // the scf.if of each that the thread takes
  bool adds;       // tiles in turn, by TMA; has barriers for all of its warp
} CutePart;

typedef struct CuteParting {
  CuteKernel *kernel;
  CutePart parts[CUTE_MAX_PARTS]; // the second one may have no items
  MlirOperation ready;  // the gpu.barrier after which pipelines may be used
  CutePointerMap setup; // ops of the block that all roles are behind
  CutePointerMap moves; // ops that a role may have copies of
} CuteParting;

// Lists the values that a loop carries as states of the stages that the part
// passes on, at most CUTE_MAX_FILLS.
size_t cutePartingFindFills(CuteParting *parting, const CutePart *part,
                            size_t item, intptr_t *fills);

// Builds the part, and the loops around it. False with the kernel's problem.
bool cutePartingBuildProducer(CuteParting *parting, const CutePart *part,
                              CuteBuilder *b);

// Has the thread that multiplies in tensor memory start the first products of a
// round before the others of the round before, where these wait for threads and
// those do not.
void cutePartingStartAhead(CuteKernel *kernel, MlirLocation location);
