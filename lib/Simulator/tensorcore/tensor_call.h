// A call of tcgen05.mma: the atom that its name and operands select.
#pragma once

#include "Simulator/machine/machine.h"

typedef struct CuteSimTensorCall {
  const struct CuteMmaAtom *atom;
  uint32_t descriptor; // of the instruction
  bool isPair;
  uint32_t factors[2], firsts[2]; // of A and B: addresses, and bytes in words
  uint32_t metadata;              // of a sparse A: the address
} CuteSimTensorCall;

// Takes a call apart. Fails for an unknown one.
CuteSimTensorCall cuteSimTensorCallTake(CuteSimOp op, const uint64_t *values);
