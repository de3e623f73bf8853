// The integers that a value consists of.
#pragma once

#include "IR/op.h"

typedef struct CuteScalars {
  CuteIntTuple *leaves; // in scratch memory
  size_t count;
} CuteScalars;

// The scalars of a value as get_scalars orders them: `_` has none, a basis its
// value and path.
CuteScalars cuteScalarsOf(CuteContext c, CuteType type, bool onlyDynamic);
