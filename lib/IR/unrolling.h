// Reads what loops of kernels say on unrolling, and decides where they say
// nothing.
#pragma once

#include "IR/register_index.h"

// Attributes of scf.for: a number, "full" or "none"; and LLVM's own.
#define CUTE_UNROLL "cute.unroll"
#define CUTE_LOOP_ANNOTATION "loop_annotation"

// The largest number by which a loop is unrolled, and of trips for "full".
enum { CUTE_MAX_UNROLLED_TRIPS = 1024 };

bool cuteUnrollIsUnsaid(MlirOperation loop);

// Tells whether the value of CUTE_UNROLL is this text.
bool cuteUnrollIs(MlirAttribute value, const char *text);

// Tells whether all loops that choose a place are unrolled altogether, so that
// it is static: they have constant bounds, and say "full", or nothing and are
// small enough.
bool cuteIndexIsUnrolled(CuteDialect *dialect, const CuteRegisterIndex *index);
