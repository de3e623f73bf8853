// Trip counts of loops with steps.
#pragma once

#include "IR/builder.h"

// Lets an scf.for that LLVM could unroll count its trips by 1.
void cuteLoopNormalizeStep(CuteDialect *dialect, MlirOperation loop);
