// Conversion of integers, raw elements as loads give them.
#pragma once

#include "Lowering/lowering.h"

bool cuteElementIsInteger(CuteElementType element);

// To another integer, modulo 2^bits; to a predicate: whether it is not 0.
MlirValue cuteIntegerConvert(const CuteBuilder *builder, MlirValue raw,
                             CuteElementType from, CuteElementType to);

// To a float that LLVM calculates with, rounded to the nearest.
MlirValue cuteIntegerToFloat(const CuteBuilder *builder, MlirValue raw,
                             CuteElementType from, CuteElementType to);

// From such a float, toward zero; what is beyond the largest or least number is
// that, and NaN is 0. To a predicate: whether it is not 0.
MlirValue cuteIntegerFromFloat(const CuteBuilder *builder, MlirValue value,
                               CuteElementType to);

// Tells whether eight of the elements, a word, are converted at once.
bool cuteElementHasNibbles(CuteElementType from, CuteElementType to);

// Converts a word: pair k has elements k and k + 4, as floats.
void cuteNibblesConvert(const CuteBuilder *b, MlirValue eight,
                        CuteElementType from, CuteElementType to,
                        MlirValue pairs[4]);
