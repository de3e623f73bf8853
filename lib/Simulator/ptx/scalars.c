#include "Simulator/ptx/operation_table.h"
#include "Simulator/ptx/ptx_form.h"

#include <math.h>

static float flush(float x) {
  return fpclassify(x) == FP_SUBNORMAL ? copysignf(0, x) : x;
}

static uint32_t permute(uint32_t x, uint32_t y, uint32_t selector) {
  CutePtxForm form = {0};
  uint64_t in[] = {x, y, selector}, result;
  cutePtxPrmt(&form, in, &result);
  return (uint32_t)result;
}

#define UNARY(name, id, type, value)                                           \
  static type scalar_##id(type x) { return value; }
#define BINARY(name, id, type, value)                                          \
  static type scalar_##id(type x, type y) { return value; }
#define TERNARY(name, id, type, value)                                         \
  static type scalar_##id(type x, type y, type z) { return value; }
#include "hardware/scalar_intrinsic.def"

const CuteSimScalar cuteSimScalars[] = {
#define UNARY(name, id, type, value)                                           \
  {name, "cuteSim_" #id, (void *)(uintptr_t)scalar_##id},
#define BINARY UNARY
#define TERNARY UNARY
#include "hardware/scalar_intrinsic.def"
    {0},
};
