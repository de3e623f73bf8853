#define _GNU_SOURCE // sincos, exp10
#include "Jit/jit.h"

#include <math.h>

//===-- bfloat16 ----------------------------------------------------------===//

// A bfloat16 is returned in the low half of a register of floats.
static float inRegister(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static uint32_t bitsOf(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

// Rounds to nearest, ties to even.
static float truncateSingle(float value) {
  uint32_t bits = bitsOf(value);
  if (value != value)
    return inRegister(bits >> 16 | 0x40);
  return inRegister((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}

// Rounds to odd first, so that the second rounding sees what the first lost.
static float truncateDouble(double value) {
  float single = (float)value;
  uint32_t bits = bitsOf(single);
  if (value == value && (double)single != value) {
    if (fabs((double)single) > fabs(value))
      --bits;
    bits |= 1;
  }
  return truncateSingle(inRegister(bits));
}

#ifdef __FLT16_MAX__
static float extendHalf(_Float16 value) { return (float)value; }
static double extendHalfFar(_Float16 value) { return (double)value; }
static _Float16 truncateToHalf(float value) { return (_Float16)value; }
static _Float16 truncateDoubleToHalf(double value) { return (_Float16)value; }
#endif

//===-- Powers ------------------------------------------------------------===//

// Multiplies squares, as compilers do.
static double powerOf(double base, int exponent) {
  double result = 1;
  for (int n = exponent; n; n /= 2, base *= base)
    if (n % 2)
      result *= base;
  return exponent < 0 ? 1 / result : result;
}

static float powerOfSingle(float base, int exponent) {
  return (float)powerOf((double)base, exponent);
}

//===-- Integers of 128 bits ----------------------------------------------===//

#ifdef __SIZEOF_INT128__
static __int128 divide(__int128 a, __int128 b) { return a / b; }
static __int128 remain(__int128 a, __int128 b) { return a % b; }
static unsigned __int128 divideUnsigned(unsigned __int128 a,
                                        unsigned __int128 b) {
  return a / b;
}
static unsigned __int128 remainUnsigned(unsigned __int128 a,
                                        unsigned __int128 b) {
  return a % b;
}
#endif

//===-- The table ---------------------------------------------------------===//

#define ROW(function) {#function, (void *)function},
#define MATH(function) ROW(function) ROW(function##f)

static const CuteJitSymbol table[] = {
#include "Jit/c_functions.def"
    {"__powidf2", (void *)powerOf},
    {"__powisf2", (void *)powerOfSingle},
    {"__truncsfbf2", (void *)truncateSingle},
    {"__truncdfbf2", (void *)truncateDouble},
#ifdef __SIZEOF_INT128__
    {"__divti3", (void *)divide},
    {"__modti3", (void *)remain},
    {"__udivti3", (void *)divideUnsigned},
    {"__umodti3", (void *)remainUnsigned},
#endif
#ifdef __FLT16_MAX__
    {"__extendhfsf2", (void *)extendHalf},
    {"__extendhfdf2", (void *)extendHalfFar},
    {"__truncsfhf2", (void *)truncateToHalf},
    {"__truncdfhf2", (void *)truncateDoubleToHalf},
#endif
};

const CuteJitSymbol *cuteCSymbolsGet(size_t *count) {
  *count = sizeof table / sizeof *table;
  return table;
}
