// Names the element of a tensor that lies at an address, for messages.
#pragma once

#include "Simulator/machine/machine.h"
#include "cute/Layout.h"

// An argument of a kernel, or an allocation in shared memory, of a launch.
typedef struct CuteSimTensor {
  bool isShared;
  uint64_t start;    // its address, or offset in the block's shared memory
  unsigned bits;     // of an element
  bool isFloat;      // its elements are
  CuteLayout layout; // static; null: not a tensor
  unsigned number;   // of the argument, or the line of the allocation
  bool isView;       // a tensor within an allocation, which has its own
  uint64_t bytes;    // from its start to its last element's end; 0: not known
  bool hasHoles;     // between elements, and each has one coordinate
} CuteSimTensor;

typedef struct CuteSimElementName {
  char text[128];
} CuteSimElementName;

// " (element (3,5) of argument 1, of shape (16,8))", of what an argument points
// to; empty where nothing is known. A coordinate beyond the extents is what the
// strides make of the address.
CuteSimElementName cuteSimNameGlobal(const CuteSimThread *thread,
                                     uint64_t address);

// " (element (3,5) of the tensor of line 12)", at an offset in a block's shared
// memory.
CuteSimElementName cuteSimNameShared(const CuteSimThread *thread,
                                     uint64_t offset);

// The same of a tensor, at an address or offset after its start.
CuteSimElementName cuteSimNameElement(const CuteSimTensor *tensor,
                                      uint64_t address);

// Tells whether an element of a tensor with holes covers an address or offset
// after its start.
bool cuteSimTensorHasElement(const CuteSimTensor *tensor, uint64_t address);

// The extents and strides of a static layout without a swizzle, the smallest
// stride first; 0: there are too many, or none.
enum { CUTE_SIM_MAX_LEAVES = 32 };
size_t cuteSimTensorGetLeaves(const CuteSimTensor *tensor, int64_t *extents,
                              int64_t *strides);
