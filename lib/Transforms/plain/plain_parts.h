// A thread's part of a tile of a parameter, divided as the sums of a product
// are, and the copies that bring such a tile to a fragment or take it away.
#pragma once

#include "Transforms/edit/kernel_edit.h"

enum { CUTE_VECTOR_BITS = 128 };

typedef struct CutePlainPart {
  MlirOperation partition, tile;
  MlirValue sums;    // of the product, as many
  MlirValue bound;   // the tensor whose extents elements are compared with
  unsigned compared; // which of them, as bits
  int64_t rows, columns;
} CutePlainPart;

// Shared memory that tiles of the same size take one after the other.
typedef struct CutePlainBuffer {
  MlirValue memory; // null: none yet
  int64_t rows, columns;
  MlirAttribute element;
} CutePlainBuffer;

static inline bool cutePlainIsMultiple(CuteIntTuple leaf, int64_t of) {
  return !isTuple(leaf) && leaf->value % of == 0;
}

// Matches a tensor in global memory; false if it is not such a part, or copies
// of whole rows, by vectors, cannot move its tile.
bool cutePlainPartMatch(CuteKernel *kernel, MlirValue value,
                        CutePlainPart *part);

// Emits a fragment of the sums' shape.
MlirValue cutePlainPartFragment(CuteRebuild *r, const CutePlainPart *part,
                                MlirAttribute element);

// Emits the store of a fragment of the sums' shape to the tile, through shared
// memory: the buffer, or a new one.
void cutePlainPartStore(CuteRebuild *r, const CuteKernel *kernel,
                        const CutePlainPart *part, MlirAttribute element,
                        MlirValue fragment, CutePlainBuffer *buffer);

// Emits the load of the tile to a fragment of the sums' shape, with zeros
// beyond the tensor.
MlirValue cutePlainPartLoad(CuteRebuild *r, const CutePlainPart *part,
                            MlirAttribute element);
