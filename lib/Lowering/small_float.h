// Conversion to floats of 8 bits and fewer by arithmetic, for architectures
// that have no instruction for it.
#pragma once

#include "Lowering/lowering.h"

// An f32 as a raw element: rounded to the nearest, ties to even, and as
// cvt.rn.satfinite has it the largest number where it is beyond, and without a
// sign NaN, or the largest number, for NaN. PTX ISA, "cvt". The element is none
// of f8E8M0FNU and has 8 bits at most.
MlirValue cuteSmallFloatFromF32(const CuteBuilder *builder, MlirValue value,
                                CuteElementType element);
