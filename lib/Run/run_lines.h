// Runs of cute-run that are lines of a file.
#pragma once

#include "Run/kept.h"

typedef CuteStatus (*CuteRunFunction)(const CuteRunOptions *options,
                                      CuteKept *kept);

// Runs each line of the file options->lines, arguments of cute-run with tabs
// between, and prints "ok" or "error: ..." for each when it has ended. The
// device is opened once; lines that name none run on it. They do not see other
// options beside --lines.
CuteStatus cuteRunLines(const CuteRunOptions *options, CuteRunFunction run,
                        CuteKept *kept);
