// Breakpoints: what a thread knows when it comes to a line.
#pragma once

#include "Tools/driver.h"

// Has the requested thread print the known values and stop before a kernel's
// first operation on a line of the source. Without such an operation, false
// with a message in `said`.
bool cuteBreakpointInsert(MlirModule module, const CuteSource *source,
                          unsigned line, FILE *said);
