// A call of tcgen05.mma: the atom that its name and operands select.
#pragma once

#include "Simulator/tensorcore/block_tmem.h"

// Takes a call apart, as LLVM's intrinsic or PTX has it, and tells whether it
// is of a pair of blocks. Fails for an unknown one.
bool cuteSimTensorCallTake(CuteSimOp op, const uint64_t *values,
                           CuteSimTensorProduct *product);
