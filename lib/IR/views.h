// Follows views of memory to what they are views of.
#pragma once

#include "IR/dialect.h"

// Tells whether a value is a tensor or pointer in that space.
bool cuteViewIsIn(CuteDialect *dialect, MlirValue value, CuteSpace space);

// Gives the operand that the op's result is a view of, if both are in that
// space; null otherwise.
MlirValue cuteViewGetBase(CuteDialect *dialect, MlirOperation op,
                          CuteSpace space);

// Follows the chain of views that a value is to its end.
MlirValue cuteViewGetRoot(CuteDialect *dialect, MlirValue value,
                          CuteSpace space);

// Tells whether a value is a view in that space that ends in a root.
bool cuteViewIsOf(CuteDialect *dialect, MlirValue value, CuteSpace space,
                  MlirValue root);

// Tells whether an op of the dialect accesses memory in that space by a view
// that ends in a root, or by any if that is null.
bool cuteViewIsAccessed(CuteDialect *dialect, MlirOperation op, CuteSpace space,
                        MlirValue root);

// Gives the end of the views by which an op of the dialect writes memory in
// that space; null if it writes none there.
MlirValue cuteViewGetWritten(CuteDialect *dialect, MlirOperation op,
                             CuteSpace space);

// Tells whether an op atomically combines an element of global memory with a
// number, and by it orders the accesses of threads.
bool cuteViewIsCounted(CuteDialect *dialect, MlirOperation op);
