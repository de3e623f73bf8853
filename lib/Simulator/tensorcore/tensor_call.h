// A call of tcgen05.mma: the atom that its name and operands select.
#pragma once

#include "Simulator/machine/machine.h"

typedef struct CuteSimTensorCall {
  const struct CuteMmaAtom *atom;
  uint32_t descriptor; // of the instruction
  bool isPair;
  uint32_t factors[2], firsts[2]; // of A and B: addresses, and bytes in words
  uint32_t metadata;              // of a sparse A: the address
  uint64_t kept[2][2];            // lanes of each block that keep their sums
} CuteSimTensorCall;

enum { CUTE_SIM_TENSOR_OPERANDS = 20 };

// Puts the operands of PTX in the order of LLVM's intrinsics.
void cuteSimTensorCallOrder(CuteSimOp op, const uint64_t *ptx,
                            uint64_t values[CUTE_SIM_TENSOR_OPERANDS]);

// Takes a call apart, whose values are as LLVM has them. Fails for an unknown
// one.
CuteSimTensorCall cuteSimTensorCallTake(CuteSimOp op, const uint64_t *values);
