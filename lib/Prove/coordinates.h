// Coordinates of an access in a tensor of global memory.
#pragma once

#include "Prove/walk.h"

enum { CUTE_MAX_MODES = 16 };

// For each mode with a dynamic stride its factor in the offset; the modes with
// static strides have one together. In bytes.
typedef struct CuteCoordinates {
  CuteTerm modes[CUTE_MAX_MODES]; // null: a mode with a static stride
  CuteTerm rest;
} CuteCoordinates;

// Splits an offset by the strides of a tensor; false where they are not known.
bool cuteCoordinatesFind(CuteProver *prover, const CutePlace *place,
                         CuteTerm offset, CuteCoordinates *result);
