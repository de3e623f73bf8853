// Changes what a loop carries from round to round.
#ifndef CUTE_TRANSFORMS_LOOP_CARRY_H
#define CUTE_TRANSFORMS_LOOP_CARRY_H

#include "IR/builder.h"

// The scf.for with a value more, carried last, in the place of the old one. Its
// body yields the new argument itself until cuteLoopSetYield says otherwise.
MlirOperation cuteLoopAddCarried(MlirOperation loop, MlirValue initial);

// The scf.for without carried value i, in the place of the old one: neither its
// argument, but for what is yielded, nor its result has a use.
MlirOperation cuteLoopDropCarried(MlirOperation loop, intptr_t i);

// Has the body yield this as carried value i.
void cuteLoopSetYield(MlirOperation loop, intptr_t i, MlirValue value);

static inline MlirBlock cuteLoopGetBody(MlirOperation loop) {
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(loop, 0));
}

// The argument and the result of carried value i.
static inline MlirValue cuteLoopGetArgument(MlirOperation loop, intptr_t i) {
  return mlirBlockGetArgument(cuteLoopGetBody(loop), i + 1);
}

#endif
