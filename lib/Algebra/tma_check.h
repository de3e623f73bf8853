// Parts that the construction of TMA atoms shares with their checks.
#pragma once

#include "cute/Tma.h"

enum { CUTE_MAX_TMA_BOX = 256 }; // elements along an axis

// The steps along one coordinate between neighbours of axis i of a box; 0 if
// the atom takes no such steps.
int64_t cuteTmaStepOf(const CuteCopyAtom *atom, CuteIntTuple stride, size_t i);

// Fails with a message where elements of the type are not copied.
bool cuteTmaCheckElement(CuteContext c, CuteTmaAtom tma);
