// Shared by the libraries in place of CUDA's.
#include <math.h>
#include <stdint.h>

// An f8E4M3FN.
static inline float fakeDecode(uint8_t code) {
  int exponent = code >> 3 & 15, mantissa = code & 7;
  float value = exponent ? ldexpf((float)(8 + mantissa), exponent - 10)
                         : ldexpf((float)mantissa, -9);
  return code & 128 ? -value : value;
}
