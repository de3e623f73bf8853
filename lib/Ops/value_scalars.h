// The integers that a value consists of.
#ifndef CUTE_OPS_VALUE_SCALARS_H
#define CUTE_OPS_VALUE_SCALARS_H

#include "IR/op.h"

typedef struct CuteScalars {
  CuteIntTuple *leaves; // in scratch memory
  size_t count;
} CuteScalars;

// The scalars of a value as get_scalars orders them: `_` has none, a basis its
// value and path.
CuteScalars cuteScalarsOf(CuteContext c, CuteType type, bool onlyDynamic);

#endif
