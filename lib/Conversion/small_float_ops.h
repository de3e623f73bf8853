// arith.extf and arith.truncf of floats that LLVM does not calculate with.
#pragma once

#include "IR/dialect.h"

// Tells whether an op converts from or to such floats, or vectors of them.
bool cuteConvertsSmallFloats(CuteDialect *dialect, MlirOperation op);

// Replaces the result of a conversion from or to them by what cute.convert
// makes of each element; the op stays, unused. False, and nothing is done,
// where types are none of the dialect's, or vectors of no or several modes.
bool cuteExpandSmallFloats(CuteDialect *dialect, MlirOperation op);
