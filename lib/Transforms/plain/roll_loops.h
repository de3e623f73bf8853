// Finds the loops that a program unrolled before it was traced.
#pragma once

#include "IR/dialect.h"

// Has ops that follow one another again and again, at the coordinates 0, 1,
// 2, ..., be the body of an scf.for, which is to be unrolled. Nested ones, too.
// True if there were any; false in `ok` if an op does not take a counter
// instead of a number, which leaves the function half done: work on a clone.
bool cuteRollLoops(CuteDialect *dialect, MlirOperation function, bool *ok);

// Has loops over parts of fragments become ops on whole ones, with remarks, if
// there shall be any.
void cuteJoinLoops(CuteDialect *dialect, MlirOperation root, bool notes);
