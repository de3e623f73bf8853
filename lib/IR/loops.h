// Loops of scf and what is known of them without running them.
#pragma once

#include "IR/dialect.h"

// Gives the integer that a bound or step always is: of arith.constant, or out
// of a static value of the dialect. False for others.
bool cuteLoopBoundGet(CuteDialect *dialect, MlirValue value, int64_t *constant);

// Gives the number of trips of an scf.for with constant bounds and step; false
// for others.
bool cuteLoopGetTrips(CuteDialect *dialect, MlirOperation loop, int64_t *trips);
