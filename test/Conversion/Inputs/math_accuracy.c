// Compares the functions of dialect/math.mlir, compiled for this machine, with
// the C library in wider floats: random arguments and special ones. Of
// dialect/math_nvptx.mlir there is erf, with an instruction that is as wrong as
// the PTX ISA allows. Prints a
// line for each function whose error is above its bound, in units in the last
// place, and then how many there were.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define FUNCTION(name)                                                         \
  float name##_f32(float) __asm__(#name ".f32");                               \
  double name##_f64(double) __asm__(#name ".f64");

FUNCTION(acos)
FUNCTION(asin)
FUNCTION(atan)
FUNCTION(cos)
FUNCTION(cosh)
FUNCTION(erf)
FUNCTION(erfc)
FUNCTION(exp)
FUNCTION(expm1)
FUNCTION(log)
FUNCTION(log10)
FUNCTION(log1p)
FUNCTION(log2)
FUNCTION(sin)
FUNCTION(sinh)
FUNCTION(tan)
FUNCTION(tanh)
float exp2Fast(float) __asm__("exp2.f32.fast");
float cbrt_f32(float) __asm__("cbrt.f32");
double exp2_f64(double) __asm__("exp2.f64");
double rsqrt_f64(double) __asm__("rsqrt.f64");
float powf_f32(float, float) __asm__("powf.f32");
double powf_f64(double, double) __asm__("powf.f64");
int32_t ipowi_i32(int32_t, int32_t) __asm__("ipowi.i32");
int64_t ipowi_i64(int64_t, int64_t) __asm__("ipowi.i64");
float atan2_f32(float, float) __asm__("atan2.f32");
double atan2_f64(double, double) __asm__("atan2.f64");
float remf_f32(float, float) __asm__("remf.f32");
double remf_f64(double, double) __asm__("remf.f64");

static long double rsqrtl(long double x) { return 1 / sqrtl(x); }

typedef struct Row {
  const char *name;
  float (*narrow)(float);
  double (*middle)(double);
  double (*narrowReference)(double);
  long double (*middleReference)(long double);
  double low, high, bound;
} Row;

#define ROW(name, low, high, bound)                                            \
  { #name, name##_f32, name##_f64, name, name##l, low, high, bound }

static const Row rows[] = {
    ROW(exp, -105, 90, 1),
    ROW(exp, -1, 1, 1),
    ROW(expm1, -20, 90, 2),
    ROW(expm1, -1, 1, 2),
    ROW(log, 0, 10, 1),
    ROW(log, 0.5, 1.5, 1),
    ROW(log2, 0, 10, 2),
    ROW(log2, 0.5, 1.5, 2),
    ROW(log10, 0, 10, 2.5),
    ROW(log10, 0, 1e30, 2.5),
    ROW(log1p, -1, 1, 2),
    ROW(log1p, 0, 1e10, 2),
    ROW(sin, -10, 10, 2),
    ROW(sin, -1e6, 1e6, 2),
    ROW(cos, -10, 10, 2),
    ROW(cos, -1e6, 1e6, 2),
    ROW(tan, -100, 100, 4),
    ROW(tanh, -12, 12, 3),
    ROW(tanh, -0.1, 0.1, 3),
    ROW(sinh, -90, 90, 3),
    ROW(sinh, -1, 1, 3),
    ROW(cosh, -90, 90, 3),
    ROW(atan, -10, 10, 3),
    ROW(atan, -1e6, 1e6, 3),
    ROW(asin, -1, 1, 4),
    ROW(acos, -1, 1, 4),
    ROW(erf, -6.5, 6.5, 2),
    ROW(erf, -0.01, 0.01, 2),
    ROW(erfc, -6, 10.5, 5),
    ROW(erfc, -1, 1, 5),
    {"erfc", NULL, erfc_f64, NULL, erfcl, 10, 28, 5},
    {"cbrt", cbrt_f32, NULL, cbrt, NULL, -1e10, 1e10, 1},
    {"exp2", NULL, exp2_f64, NULL, exp2l, -1080, 1030, 1},
    {"rsqrt", NULL, rsqrt_f64, NULL, rsqrtl, 0, 1e5, 2},
    {"sin far", sin_f32, NULL, sin, NULL, -1e12, 1e12, 2},
    {"cos far", cos_f32, NULL, cos, NULL, -1e12, 1e12, 2}};

static uint64_t state = 88172645463325252;

static uint64_t nextBits(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

static double uniform(double low, double high) {
  return low + (high - low) * (double)(nextBits() >> 11) / 9007199254740992.0;
}

static float anyFloat(void) {
  uint32_t bits = (uint32_t)nextBits();
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

// |found - wanted| in units of the last of `digits` bits; least: the exponent
// of the smallest subnormal number; most: numbers from 2^most on are infinite.
static double error(long double found, long double wanted, int digits,
                    int least, int most) {
  if (isnan(wanted) || isnan(found))
    return isnan(wanted) && isnan(found) ? 0 : INFINITY;
  long double limit = ldexpl(1, most);
  if (fabsl(wanted) >= limit * (1 - ldexpl(1, -digits)))
    return (fabsl(found) >= limit * (1 - ldexpl(1, 2 - digits))) &&
                   (found > 0) == (wanted > 0)
               ? 0
               : INFINITY;
  int exponent;
  frexpl(wanted, &exponent);
  exponent = exponent - digits < least ? least : exponent - digits;
  return (double)(fabsl(found - wanted) / ldexpl(1, exponent));
}

static double narrowError(float found, double wanted) {
  return error(found, wanted, 24, -149, 128);
}

static double middleError(double found, long double wanted) {
  return error(found, wanted, 53, -1074, 1024);
}

// ex2.approx.ftz, 2^-22 of the result too large or too small.
float exp2Fast(float x) {
  static int turn;
  turn = !turn;
  return (float)(exp2((double)x) * (1 + (turn ? 0x1p-22 : -0x1p-22)));
}

static int report(const char *name, const char *type, double most, double x,
                  double bound) {
  if (most <= bound)
    return 0;
  printf("%s on %s: error %.2f above %.1f at %.17g\n", name, type, most, bound,
         x);
  return 1;
}

static const float special[] = {0,     -0.0f,  1,        -1,        2,
                                -2,    0.5,    -3,       1e-40f,    -1e-40f,
                                3e38f, -3e38f, INFINITY, -INFINITY, NAN};
enum { NUM_SPECIAL = sizeof special / sizeof *special };

static int checkRow(const Row *row) {
  enum { NARROW = 300000, MIDDLE = 100000 };
  double most = 0, at = 0, moreMost = 0, moreAt = 0;
  for (int i = 0; row->narrow && i < NARROW + NUM_SPECIAL; ++i) {
    float x =
        i < NARROW ? (float)uniform(row->low, row->high) : special[i - NARROW];
    if (row->high > 1e6 && i >= NARROW && fabsf(x) > 1e15f)
      continue;
    if (!strcmp(row->name, "sin") || !strcmp(row->name, "cos") ||
        !strcmp(row->name, "tan"))
      if (fabsf(x) > 1e15f && !isnan(x))
        continue;
    double e = narrowError(row->narrow(x), row->narrowReference(x));
    if (e > most)
      most = e, at = x;
  }
  for (int i = 0; row->middle && i < MIDDLE; ++i) {
    double x = uniform(row->low, row->high);
    double e = middleError(row->middle(x), row->middleReference(x));
    if (e > moreMost)
      moreMost = e, moreAt = x;
  }
  return report(row->name, "f32", most, at, row->bound) +
         report(row->name, "f64", moreMost, moreAt, row->bound);
}

static int checkPairs(void) {
  int failures = 0;
  double most[4] = {0}, at[4] = {0};
  for (int i = 0; i < 300000 + NUM_SPECIAL * NUM_SPECIAL; ++i) {
    int s = i - 300000;
    float x = s >= 0  ? special[s / NUM_SPECIAL]
              : i % 2 ? anyFloat()
                      : (float)uniform(-10, 10);
    float y = s >= 0  ? special[s % NUM_SPECIAL]
              : i % 3 ? (float)uniform(-60, 60)
                      : anyFloat();
    if (s < 0 && i % 5 == 0)
      y = roundf(y);
    double e[4] = {narrowError(powf_f32(x, y), pow(x, y)),
                   narrowError(atan2_f32(y, x), atan2(y, x)),
                   middleError(atan2_f64(y, x), atan2l(y, x)),
                   fabsf(x) < fabsf(y) * 1e6f
                       ? narrowError(remf_f32(x, y), fmod(x, y))
                       : 0};
    for (int j = 0; j < 4; ++j)
      if (e[j] > most[j])
        most[j] = e[j], at[j] = x;
  }
  failures += report("powf", "f32", most[0], at[0], 1);
  failures += report("atan2", "f32", most[1], at[1], 3);
  failures += report("atan2", "f64", most[2], at[2], 3);
  failures += report("remf", "f32", most[3], at[3], 0);
  return failures;
}

// x^y modulo 2^64 by multiplications, or the quotient 1 / x^-y.
static int64_t powerOf(int64_t x, int64_t y) {
  uint64_t product = 1;
  if (y < 0)
    return x == 1 ? 1 : x == -1 ? 1 - 2 * (y & 1) : 0;
  for (int64_t i = 0; i < y; ++i)
    product *= (uint64_t)x;
  return (int64_t)product;
}

static int checkIntegers(void) {
  int failures = 0;
  for (int64_t x = -40; x < 40; ++x)
    for (int64_t y = -70; y < 140; ++y)
      failures += ipowi_i64(x, y) != powerOf(x, y) ||
                  ipowi_i32((int32_t)x, (int32_t)y) != (int32_t)powerOf(x, y);
  if (failures)
    printf("ipowi: %d results are wrong\n", failures);
  return failures != 0;
}

// Of numbers of all sizes, with exponents that lead to all sizes.
static int checkPowers(void) {
  double most = 0, at = 0;
  for (int i = 0; i < 300000 + NUM_SPECIAL * NUM_SPECIAL; ++i) {
    int s = i - 300000;
    double x = s >= 0  ? special[s / NUM_SPECIAL]
               : i % 2 ? exp(uniform(-740, 709))
                       : uniform(0.5, 2);
    double y = s >= 0 ? special[s % NUM_SPECIAL] : uniform(-750, 710) / log(x);
    if (s < 0 && i % 5 == 0)
      x = -x, y = round(y);
    double e = middleError(powf_f64(x, y), powl(x, y));
    if (e > most)
      most = e, at = x;
  }
  return report("powf", "f64", most, at, 2);
}

int main(void) {
  int failures = checkPairs() + checkPowers() + checkIntegers();
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    failures += checkRow(&rows[i]);
  printf("%d functions above their bounds\n", failures);
  return failures != 0;
}
