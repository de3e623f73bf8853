// Blocks of a cluster that load together.
#pragma once

#include "Transforms/kernel_edit.h"

// Counts the blocks of the kernel's clusters along x; 1: none, or others.
int64_t cuteClusterCountBlocks(CuteKernel *kernel);

// Checks that the blocks take the loops and branches of a role together. False
// with the kernel's problem.
bool cuteClusterCheckFlow(CuteKernel *kernel, MlirBlock role);

// Has the blocks meet in place of the gpu.barrier after barriers are made, and
// in the end. Relaxed, the first meeting orders nothing but the barriers.
void cuteClusterEmitMeetings(CuteKernel *kernel, CuteRebuild *r,
                             MlirOperation ready, bool isRelaxed);
