// A copy on the device, as a measure of what its memory can do.
#pragma once

#include "Run/operand.h"

// A copy of the largest tensor into separate memory.
typedef struct CuteCopyBaseline {
  const CuteDevice *device;
  CuteDevicePointer from, to;
  size_t bytes;
} CuteCopyBaseline;

// Fails if there is no tensor, or no memory.
CuteStatus cuteCopyBaselineCreate(CuteCopyBaseline *copy,
                                  const CuteDevice *device, size_t n,
                                  const CuteOperand *operands);
void cuteCopyBaselineDestroy(CuteCopyBaseline *copy);
CuteStatus cuteCopyBaselineStart(void *copy);
