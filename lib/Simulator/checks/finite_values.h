// Finds where NaN and Inf come from. Compiled code that looks for them calls
// the first two.
#ifndef CUTE_SIMULATOR_FINITE_VALUES_H
#define CUTE_SIMULATOR_FINITE_VALUES_H

#include "Simulator/machine/machine.h"

// An operation on up to three floats, zeros in the place of others, has a
// result. It is found where it is a NaN of operands that are none, or infinite
// of finite ones.
void cuteSimFiniteResult(const CuteSimSite *site, double result, double a,
                         double b, double c);

// A load has brought a float.
void cuteSimFiniteLoad(const CuteSimSite *site, uint64_t address, double value);

// A product of matrices by the thread's warp or warpgroup has been computed
// since cuteSimMultiplyWatch.
void cuteSimFiniteProduct(const CuteSimThread *thread, const CuteSimSite *site);

#endif
