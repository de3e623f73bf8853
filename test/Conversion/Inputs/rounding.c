// Compares the functions of dialect/rounding.mlir, compiled for this machine,
// with their definition in exact arithmetic: random numbers, those half way
// between two of the narrow type, and those near its ends. Prints what differs,
// and how many results there were of each mode.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef struct Format {
  const char *name;
  int digits, least, most; // of the significand; exponents of the last digit
  double largest;
} Format;

static const Format f16 = {"f16", 11, -24, 5, 65504.0};
static const Format bf16 = {"bf16", 8, -133, 120, 0x1.fep127};
static const Format f32 = {"f32", 24, -149, 104, 0x1.fffffep127};

enum { TOWARD_ZERO, UPWARD, DOWNWARD, TO_NEAREST_AWAY, NUM_MODES };

static const char *const modes[] = {"toward_zero", "upward", "downward",
                                    "to_nearest_away"};

#define FUNCTIONS(FROM, TO, C_FROM, C_TO)                                      \
  C_TO zero_##FROM##_##TO(C_FROM) __asm__("truncf.toward_zero." #FROM          \
                                          "." #TO);                            \
  C_TO up_##FROM##_##TO(C_FROM) __asm__("truncf.upward." #FROM "." #TO);       \
  C_TO down_##FROM##_##TO(C_FROM) __asm__("truncf.downward." #FROM "." #TO);   \
  C_TO away_##FROM##_##TO(C_FROM) __asm__("truncf.to_nearest_away." #FROM      \
                                          "." #TO);

// Results of 16 bits come as integers: see rounding.test.
FUNCTIONS(f32, f16, float, uint16_t)
FUNCTIONS(f32, bf16, float, uint16_t)
FUNCTIONS(f64, f16, double, uint16_t)
FUNCTIONS(f64, bf16, double, uint16_t)
FUNCTIONS(f64, f32, double, uint32_t)

#define CALL(FROM, TO, x)                                                      \
  (mode == TOWARD_ZERO ? zero_##FROM##_##TO(x)                                 \
   : mode == UPWARD    ? up_##FROM##_##TO(x)                                   \
   : mode == DOWNWARD  ? down_##FROM##_##TO(x)                                 \
                       : away_##FROM##_##TO(x))

//===-- The definition ----------------------------------------------------===//

// x, which is not NaN, in units of the last digit, then rounded.
static double rounded(Format format, int mode, double x) {
  int exponent;
  frexp(x, &exponent);
  int unit = exponent - format.digits;
  if (unit < format.least)
    unit = format.least;
  if (isinf(x))
    return x;
  double n = ldexp(x, -unit), magnitude = fabs(n);
  double towards = floor(magnitude);
  double result = mode == TOWARD_ZERO ? copysign(towards, n)
                  : mode == UPWARD    ? ceil(n)
                  : mode == DOWNWARD  ? floor(n)
                                      : copysign(floor(magnitude + 0.5), n);
  double value = ldexp(copysign(result, n), unit);
  if (fabs(value) <= format.largest)
    return value;
  int inwards = mode == TOWARD_ZERO || (mode == UPWARD && x < 0) ||
                (mode == DOWNWARD && x > 0);
  return copysign(inwards ? format.largest : INFINITY, x);
}

//===-- Comparing ---------------------------------------------------------===//

static double valueOf(Format format, uint32_t bits) {
  float value;
  if (!strcmp(format.name, "f16")) {
    int exponent = bits >> 10 & 31, digits = bits & 1023;
    double magnitude = exponent == 31 ? digits ? NAN : INFINITY
                       : exponent     ? ldexp(1024 + digits, exponent - 25)
                                      : ldexp(digits, -24);
    return bits >> 15 ? -magnitude : magnitude;
  }
  bits <<= !strcmp(format.name, "bf16") ? 16 : 0;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static int failures;
static long counts[NUM_MODES];

static void compare(const char *from, Format to, int mode, double x,
                    uint32_t bits) {
  double found = valueOf(to, bits);
  double wanted = isnan(x) ? NAN : rounded(to, mode, x);
  ++counts[mode];
  if (isnan(wanted) ? isnan(found)
                    : found == wanted && !signbit(found) == !signbit(wanted))
    return;
  ++failures;
  if (failures < 20)
    printf("%s %s to %s: %a gives %a, not %a\n", modes[mode], from, to.name, x,
           found, wanted);
}

static void checkNumber(double x) {
  float narrow = (float)x;
  for (int mode = 0; mode < NUM_MODES; ++mode) {
    compare("f32", f16, mode, narrow, CALL(f32, f16, narrow));
    compare("f32", bf16, mode, narrow, CALL(f32, bf16, narrow));
    compare("f64", f16, mode, x, CALL(f64, f16, x));
    compare("f64", bf16, mode, x, CALL(f64, bf16, x));
    compare("f64", f32, mode, x, CALL(f64, f32, x));
  }
}

static uint64_t nextBits(void) {
  static uint64_t state = 88172645463325252;
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

// Near a number of few digits: that, half of its last digit more, and beside
// it.
static void checkNear(double x, int digits) {
  double half = ldexp(1, ilogb(x) - digits);
  double places[] = {x, x + half, x - half};
  for (int i = 0; i < 3; ++i)
    for (int sign = -1; sign <= 1; sign += 2) {
      checkNumber(sign * places[i]);
      checkNumber(sign * nextafter(places[i], INFINITY));
      checkNumber(sign * nextafter(places[i], 0));
      checkNumber(sign * (double)nextafterf((float)places[i], INFINITY));
      checkNumber(sign * (double)nextafterf((float)places[i], 0));
    }
}

int main(void) {
  static const double special[] = {
      0.0,        -0.0,       INFINITY,       -INFINITY,  NAN,
      65504,      65519.9,    65520,          65535,      65536,
      0x1p-24,    0x1p-25,    0x1.8p-25,      0x1p-26,    0x1p-14,
      0x1p-133,   0x1p-134,   0x1.8p-134,     0x1p-149,   0x1p-150,
      0x1.8p-150, 0x1.fep127, 0x1.fffffep127, 0x1.ffp127, 0x1.ffffffp127,
      0x1p128,    0x1.0p300,  5e-324};
  for (size_t i = 0; i < sizeof special / sizeof *special; ++i) {
    checkNumber(special[i]);
    checkNumber(-special[i]);
  }
  for (int i = 0; i < 20000; ++i) {
    uint64_t bits = nextBits();
    double any;
    memcpy(&any, &bits, sizeof any);
    checkNumber(any);
    int range = i % 3 ? 40 : 300;
    double x = ldexp(1 + (double)(nextBits() >> 12) / 0x1p52,
                     (int)(nextBits() % (unsigned)range) - range / 2);
    checkNumber(x);
    static const int digits[] = {11, 8, 24};
    int kept = digits[i % 3];
    int exponent = ilogb(x);
    checkNear(ldexp(floor(ldexp(x, kept - 1 - exponent)), exponent - kept + 1),
              kept);
  }
  for (int mode = 0; mode < NUM_MODES; ++mode)
    printf("%s: %ld results\n", modes[mode], counts[mode]);
  printf("%d wrong\n", failures);
  return failures != 0;
}
