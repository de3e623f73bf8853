// Sums of products of floats, bit for bit as tensor cores compute them.
#pragma once

#include "Simulator/tensorcore/matrix_product.h"

// Adds a b to sums as the atom does on an architecture. Infinities and NaNs
// come out as IEEE 754 has them, of the sum without rounding.
void cuteSimFusedSum(const CuteMmaAtom *atom, int arch,
                     const CuteSimMatrices *matrices);
