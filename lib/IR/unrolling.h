// Reads what loops of kernels say on unrolling, and decides where they say
// nothing.
#pragma once

#include "IR/dialect.h"

// Registers have no addresses: where a fragment is indexed by a number that is
// not known in the end, the fragment is in local memory.

// The values on which the place depends that an op takes of a tensor or pointer
// in registers.
typedef struct CuteRegisterIndex {
  MlirValue base;       // the tensor or pointer
  bool isRunTime;       // on more than counters and constants
  MlirOperation *loops; // each scf.for on whose counter, once
  size_t count;
} CuteRegisterIndex;

// Tells whether the op is a view or an access at a place in registers that is
// not static, and what the place depends on, in memory of the task.
bool cuteRegisterIndexFind(CuteDialect *dialect, MlirOperation op,
                           CuteRegisterIndex *index);

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
