// Breakpoints: what a thread knows when it comes to a line.
#pragma once

#include "Tools/driver.h"

// Puts before the first operation of a kernel on a line of the source that the
// thread which is asked for prints the values that are known there, and stops.
// Where there is no such operation, false with a message in `said`.
bool cuteBreakpointInsert(MlirModule module, const CuteSource *source,
                          unsigned line, FILE *said);
