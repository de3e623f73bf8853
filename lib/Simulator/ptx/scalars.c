#include "Simulator/ptx/operation_table.h"

#include <math.h>

static float flush(float x) {
  return fpclassify(x) == FP_SUBNORMAL ? copysignf(0, x) : x;
}

#define UNARY(name, id, type, value)                                           \
  static type scalar_##id(type x) { return value; }
#define BINARY(name, id, type, value)                                          \
  static type scalar_##id(type x, type y) { return value; }
#include "hardware/scalar_intrinsic.def"
#undef UNARY
#undef BINARY

const CuteSimScalar cuteSimScalars[] = {
#define UNARY(name, id, type, value)                                           \
  {name, "cuteSim_" #id, (void *)(uintptr_t)scalar_##id},
#define BINARY UNARY
#include "hardware/scalar_intrinsic.def"
    {0},
};
