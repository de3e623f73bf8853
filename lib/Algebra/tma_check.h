// Parts that the construction and copies of TMA atoms share with their checks.
#pragma once

#include "cute/Tma.h"

enum { CUTE_MAX_TMA_BOX = 256 }; // elements along an axis

// Bytes of an element in shared memory.
static inline int64_t cuteTmaBytesOf(CuteElementType element) {
  return cuteElementTypeGetBits(element) / 8;
}

// The steps along one coordinate between neighbours of axis i of a box; 0 if
// the atom takes no such steps.
int64_t cuteTmaStepOf(const CuteCopyAtom *atom, CuteIntTuple stride, size_t i);

// Fails with a message where elements of the type are not copied.
bool cuteTmaCheckElement(CuteContext c, CuteTmaAtom tma);
