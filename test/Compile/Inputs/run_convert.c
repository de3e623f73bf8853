// Conversions of random numbers, of limits and of ties, against rounding in
// float64.
#include "simulate.h"
#include "simulate_cvt.h"

#include <string.h>

void f32_f8E4M3FN(void *, void *);
void f32_f8E5M2(void *, void *);
void f16_f8E4M3FN(void *, void *);
void f16_f8E5M2(void *, void *);
void f8E4M3FN_f32(void *, void *);
void f8E5M2_f16(void *, void *);
void f8E4M3FN_f8E5M2(void *, void *);
void f8E5M2_f8E4M3FN(void *, void *);
void f32_f16(void *, void *);
void bf16_f16(void *, void *);
void bf16_f8E4M3FN(void *, void *);

// A float: so many bits, of which some are the mantissa's, and what is done
// beyond the largest.
typedef struct Format {
  int bits, mantissa, bias;
  double largest;
  int saturates;
} Format;

static const Format f32 = {32, 23, 127, 3.4028234663852886e38, 0};
static const Format f16 = {16, 10, 15, 65504, 0};
static const Format bf16 = {16, 7, 127, 3.3895313892515355e38, 0};
static const Format f8E4M3FN = {8, 3, 7, 448, 1};
static const Format f8E5M2 = {8, 2, 15, 57344, 1};

enum { N = 65 };
static void (*kernel)(void *, void *);
static unsigned char in[N * 4 + 64], out[N * 4 + 64];

static void body(void) { kernel(in, out); }

static double rounded(double x, const Format *f) {
  int exponent;
  if (isnan(x) || x == 0)
    return x;
  frexp(x, &exponent);
  int least = 1 - f->bias;
  double unit =
      ldexp(1, (exponent - 1 > least ? exponent - 1 : least) - f->mantissa);
  double result = nearbyint(x / unit) * unit;
  if (fabs(result) <= f->largest)
    return result;
  return copysign(f->saturates ? f->largest : INFINITY, x);
}

static double load(const unsigned char *at, const Format *f, int i) {
  uint32_t word = 0;
  memcpy(&word, at + i * (f->bits / 8), (size_t)f->bits / 8);
  if (f == &f8E4M3FN || f == &f8E5M2)
    return decodeSmall(f == &f8E4M3FN ? E4M3 : E5M2, (int)word);
  if (f == &f16)
    return decodeHalf((int)word);
  word <<= 32 - f->bits;
  float single;
  memcpy(&single, &word, sizeof single);
  return single;
}

static int isSame(double a, double b) {
  return isnan(a) ? isnan(b) : a == b && signbit(a) == signbit(b);
}

// All bits may be set; half of the numbers are near those of 8 bits and between
// two.
static void fill(const Format *f, int round) {
  for (int i = 0; i < N * f->bits / 8; ++i)
    in[i] = (unsigned char)rand();
  for (int i = 0; i < N && f == &f32; i += 2) {
    double a = decodeSmall(round & 1 ? E4M3 : E5M2, rand() & 0xff);
    float x = (float)(a * (1 + (rand() % 9 - 4) / 32.0));
    memcpy(in + 4 * i, &x, sizeof x);
  }
}

static int check(const char *name, const Format *from, const Format *to,
                 int round) {
  fill(from, round);
  memset(out, 0xaa, sizeof out);
  launch(1, 1, 1, body);
  for (int i = 0; i < N; ++i) {
    double x = load(in, from, i), y = load(out, to, i);
    if (isSame(y, rounded(x, to)))
      continue;
    printf("%s: element %d, %.9g, becomes %.9g, not %.9g\n", name, i, x, y,
           rounded(x, to));
    return 1;
  }
  return 0;
}

int main(void) {
#define ROW(from, to)                                                          \
  { #from " to " #to, &from, &to, from##_##to }
  static const struct {
    const char *name;
    const Format *from, *to;
    void (*kernel)(void *, void *);
  } rows[] = {ROW(f32, f8E4M3FN),    ROW(f32, f8E5M2),      ROW(f16, f8E4M3FN),
              ROW(f16, f8E5M2),      ROW(f8E4M3FN, f32),    ROW(f8E5M2, f16),
              ROW(f8E4M3FN, f8E5M2), ROW(f8E5M2, f8E4M3FN), ROW(f32, f16),
              ROW(bf16, f16),        ROW(bf16, f8E4M3FN)};
  int count = (int)(sizeof rows / sizeof *rows);
  for (int i = 0; i < count; ++i) {
    kernel = rows[i].kernel;
    int wrong = 0;
    for (int round = 0; round < 200 && !wrong; ++round)
      wrong = check(rows[i].name, rows[i].from, rows[i].to, round);
    failures += wrong;
  }
  printf("%d conversions, %d failures\n", count, failures);
  return failures;
}
