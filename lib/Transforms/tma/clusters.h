// Blocks of a cluster that load together.
#pragma once

#include "Transforms/edit/kernel_edit.h"

// Counts the blocks of a cluster, in all and along x and y.
typedef struct CuteCluster {
  int64_t blocks, extents[2];
} CuteCluster;

// Gives clusters of so many blocks along x and y, of 1 for 0.
CuteCluster cuteClusterOf(const int64_t extents[2]);

// Gives the kernel's clusters; of one block: there are none, or some along z.
CuteCluster cuteClusterGet(CuteKernel *kernel);

// Checks that the blocks take the loops and branches of a role together. False
// with the kernel's problem.
bool cuteClusterCheckFlow(CuteKernel *kernel, MlirBlock role);

// Has the blocks meet in place of the gpu.barrier after barriers are made, and
// in the end. Relaxed, the first meeting orders nothing but the barriers.
void cuteClusterEmitMeetings(CuteKernel *kernel, CuteRebuild *r,
                             MlirOperation ready, bool isRelaxed);
