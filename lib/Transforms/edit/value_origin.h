// Follows values to where they come from.
#pragma once

#include "IR/dialect.h"

// The op that defines a value if it is this one of the dialect; null otherwise.
MlirOperation cuteValueGetOpOf(CuteDialect *dialect, MlirValue value,
                               CuteOpId id);

// The same for operand i of an op, which may be null.
MlirOperation cuteValueGetMaker(CuteDialect *dialect, MlirOperation op,
                                intptr_t i, CuteOpId id);

// Tells whether two values are computed in the same way from the same values,
// by ops that only compute.
bool cuteValueIsSame(CuteDialect *dialect, MlirValue a, MlirValue b);

// Tells whether a value is the counter of an scf.for, or a coordinate or a
// number of another width of it alone.
bool cuteValueIsCounter(CuteDialect *dialect, MlirValue value,
                        MlirOperation loop);

// Tells whether a value is the number of the thread in its block.
bool cuteValueIsThread(CuteDialect *dialect, MlirValue value);

// Tells whether all threads of the block have the same number. `seen` keeps the
// ops that are known to give such numbers.
bool cuteValueIsUniform(CuteDialect *dialect, MlirValue value,
                        CutePointerMap *seen);

// Gives the tensor whose shape has the value as a leaf, and which leaf; -1 if
// it is cute.size of the tensor. Null for other values.
MlirValue cuteValueGetExtentOf(CuteDialect *dialect, MlirValue value,
                               int64_t *leaf);
