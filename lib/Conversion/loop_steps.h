// Trip counts of loops with steps.
#ifndef CUTE_CONVERSION_LOOP_STEPS_H
#define CUTE_CONVERSION_LOOP_STEPS_H

#include "IR/builder.h"

// Lets an scf.for that LLVM could unroll count its trips by 1.
void cuteLoopNormalizeStep(CuteDialect *dialect, MlirOperation loop);

#endif
