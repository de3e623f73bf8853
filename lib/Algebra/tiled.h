// Shared by tiled MMA and tiled copy.
#pragma once

#include "Algebra/algebra.h"
#include "cute/Atom.h"

// The layout with stride 0 at every leaf of static extent 1.
CuteLayout cuteZeroUnitStrides(CuteContext c, CuteLayout layout);

// The same at the part of the layout that a path leads to, as the rests that a
// divide leaves have it in CuTe C++; units elsewhere keep their strides.
CuteLayout cuteZeroUnitStridesAt(CuteContext c, CuteLayout layout, size_t n,
                                 const size_t *path);

// [a; b], where a null element is `_`.
CuteTile cuteTilePair(CuteContext c, CuteTile a, CuteTile b);

CuteTile cuteTileOfExtent(CuteContext c, CuteIntTuple extent);

// The layout composed with a compact layout of this shape.
CuteLayout cuteLayoutWithShape(CuteContext c, CuteLayout layout,
                               CuteIntTuple shape);

// (thread / stride) % extent at every leaf of a mode of a thread layout, as one
// colexicographic coordinate of the mode.
CuteIntTuple cuteThreadCoord(CuteContext c, Mode m, CuteIntTuple thread);

// The layout that a row of dialect/hardware spells. CuTe C++ does not ask that
// shape and stride are congruent, and one row has parentheses too many.
CuteLayout cuteParseRow(CuteContext c, const char *text);
