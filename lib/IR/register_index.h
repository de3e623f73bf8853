// Registers have no addresses: where a fragment is indexed by a number that is
// not known in the end, the fragment is in local memory.
#pragma once

#include "IR/dialect.h"

// The values on which the place depends that an op takes of a tensor or pointer
// in registers.
typedef struct CuteRegisterIndex {
  MlirValue base;       // the tensor or pointer
  bool isRunTime;       // on more than counters and constants
  MlirOperation *loops; // each scf.for on whose counter, once
  size_t count, capacity;
} CuteRegisterIndex;

// Tells whether the op is a view or an access at a place in registers that is
// not static, and what the place depends on. The caller destroys the index if
// so.
bool cuteRegisterIndexFind(CuteDialect *dialect, MlirOperation op,
                           CuteRegisterIndex *index);
void cuteRegisterIndexDestroy(CuteRegisterIndex *index);
