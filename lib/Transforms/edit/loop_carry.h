// Changes what a loop carries from round to round.
#pragma once

#include "IR/builder.h"

// Creates an scf.for of n operands, the bounds, the step and what it carries,
// with an empty body that has no terminator yet. isUnsigned is the unsignedCmp
// of another loop, or null.
MlirOperation cuteLoopCreate(const CuteBuilder *b, size_t n,
                             const MlirValue *operands,
                             MlirAttribute isUnsigned);

// Has LLVM not unroll a loop.
void cuteLoopKeepRolled(MlirOperation loop);

// Emits a test of whether an scf.for makes a round.
MlirValue cuteLoopEmitAny(MlirOperation loop, const CuteBuilder *b);

// Replaces an scf.for by one that carries one more value, the last. Its
// body yields the new argument itself until cuteLoopSetYield says otherwise.
MlirOperation cuteLoopAddCarried(MlirOperation loop, MlirValue initial);

// Replaces an scf.for by one without carried value i: its result is unused, and
// its argument only computes what is yielded.
MlirOperation cuteLoopDropCarried(MlirOperation loop, intptr_t i);

// Has the body yield this as carried value i.
void cuteLoopSetYield(MlirOperation loop, intptr_t i, MlirValue value);

static inline MlirBlock cuteLoopGetBody(MlirOperation loop) {
  return cuteMlirGetBody(loop, 0);
}

// The argument and the result of carried value i.
static inline MlirValue cuteLoopGetArgument(MlirOperation loop, intptr_t i) {
  return mlirBlockGetArgument(cuteLoopGetBody(loop), i + 1);
}
