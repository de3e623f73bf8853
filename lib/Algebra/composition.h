// Checks of the operands of a composition A o B. Each fails with a message.
#pragma once

#include "Algebra/algebra.h"

// The stride of B stays within the mode of A or leads to its end.
bool cuteCompositionCheckStride(CuteContext c, CuteIntTuple d,
                                CuteIntTuple size);

// The coordinates taken from a mode of A divide the extent of B.
bool cuteCompositionCheckExtent(CuteContext c, CuteIntTuple s,
                                CuteIntTuple taken, CuteIntTuple size);

// A, a tuple, has modes, and the extent of B is positive.
bool cuteCompositionCheckLeaf(CuteContext c, Mode a, CuteIntTuple s);

// The part of A, which has the profile of B, that a leaf of B with a scaled
// basis is composed with.
Mode cuteCompositionPart(CuteContext c, Mode a, Mode b);

// The profile by which A is coalesced: the codomain of B, which A covers.
CuteIntTuple cuteCompositionProfile(CuteContext c, Mode a, Mode b);
