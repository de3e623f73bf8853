// cutec --prove.
#pragma once

#include "Tools/cutec_options.h"

// Prints what is proved and refuted of a source, and not decided, to standard
// output. False with diagnostics where it does not compile, and where something
// is refuted. Kernels of `plain` are compared, unless it is null.
bool cuteCutecProve(const CuteCutecOptions *options, MlirContext context,
                    const CuteSource *source, MlirModule module,
                    MlirModule plain);
