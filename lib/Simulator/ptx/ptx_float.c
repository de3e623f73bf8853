// Instructions of PTX on floating-point numbers. Approximations
// on the device give the exact value, rounded.
#include "Simulator/ptx/ptx_form.h"

#include <math.h>
#include <string.h>

double cutePtxNumber(const CutePtxForm *form, const CutePtxType *type,
                     uint64_t code) {
  double value = cuteFloatDecode(type->element, code);
  bool flushes = form->flags & CUTE_PTX_FTZ && type->bits == 32;
  return flushes && fabs(value) < 0x1p-126 ? copysign(0, value) : value;
}

// Clamps to [0, 1], and negative numbers and, of .sat, NaN to 0.
static double clamped(const CutePtxForm *form, double value) {
  if (form->flags & CUTE_PTX_SAT)
    return value > 0 ? fmin(value, 1) : 0;
  return form->flags & CUTE_PTX_RELU && value <= 0 ? 0 : value;
}

uint64_t cutePtxCode(const CutePtxForm *form, const CutePtxType *type,
                     double value) {
  value = clamped(form, value);
  uint64_t code = cuteFloatEncode(type->element, value, form->rounding,
                                  form->flags & CUTE_PTX_SATFINITE);
  bool flushes = form->flags & CUTE_PTX_FTZ && type->bits == 32;
  return flushes && !(code & 0x7f800000) ? code & 0x80000000 : code;
}

// A sum of doubles whose last bit is odd where it is not exact, so that any
// rounding to fewer bits is that of the exact sum. For f64 it is rounded as the
// form says.
static double adjusted(const CutePtxForm *form, double sum, double error) {
  uint64_t bits;
  if (error == 0 || !isfinite(sum) || !isfinite(error))
    return sum;
  bool isBelow = error < 0; // the exact value is
  memcpy(&bits, &sum, sizeof bits);
  if (form->type->bits < 64)
    return bits & 1 ? sum : nextafter(sum, isBelow ? -INFINITY : INFINITY);
  bool down = form->rounding == CUTE_ROUND_DOWN ||
              (form->rounding == CUTE_ROUND_TO_ZERO && sum > 0);
  bool up = form->rounding == CUTE_ROUND_UP ||
            (form->rounding == CUTE_ROUND_TO_ZERO && sum < 0);
  if ((isBelow && down) || (!isBelow && up))
    return nextafter(sum, isBelow ? -INFINITY : INFINITY);
  return sum;
}

static double sumOf(const CutePtxForm *form, double a, double b) {
  double sum = a + b, part = sum - a;
  return adjusted(form, sum, (a - (sum - part)) + (b - part));
}

// Zero with the sign that rounding down gives.
static double signedZero(const CutePtxForm *form, double a, double b,
                         double sum) {
  bool isCancelled = sum == 0 && (a != 0 || signbit(a) != signbit(b));
  return isCancelled && form->rounding == CUTE_ROUND_DOWN ? -0.0 : sum;
}

// Applies a function to each element.
typedef double Combine(const CutePtxForm *form, double a, double b, double c);

static void each(const CutePtxForm *form, const uint64_t *in, uint64_t *out,
                 Combine *combine) {
  const CutePtxType *type = form->type;
  uint64_t result = 0;
  for (unsigned i = 0; i < type->count; ++i) {
    double x[3] = {0};
    for (unsigned k = 0; k < form->numOperands; ++k)
      x[k] = cutePtxNumber(form, type,
                           in[k] >> i * type->bits & cutePtxMask(type->bits));
    result |= cutePtxCode(form, type, combine(form, x[0], x[1], x[2]))
              << i * type->bits;
  }
  *out = result;
}

//===-- Arithmetic --------------------------------------------------------===//

static double add(const CutePtxForm *form, double a, double b, double c) {
  (void)c;
  return signedZero(form, a, b, sumOf(form, a, b));
}

static double sub(const CutePtxForm *form, double a, double b, double c) {
  return add(form, a, -b, c);
}

static double mul(const CutePtxForm *form, double a, double b, double c) {
  (void)c;
  double product = a * b;
  return adjusted(form, product, fma(a, b, -product));
}

static double multiplyAdd(const CutePtxForm *form, double a, double b,
                          double c) {
  if (form->type->bits == 64)
    return fma(a, b, c);
  return add(form, a * b, c, 0);
}

static double divide(const CutePtxForm *form, double a, double b, double c) {
  (void)c;
  double quotient = a / b;
  if (!isfinite(quotient) || !isfinite(b) || b == 0)
    return quotient;
  double rest = fma(-quotient, b, a);
  return adjusted(form, quotient, b < 0 ? -rest : rest);
}

static double smaller(const CutePtxForm *form, double a, double b, double c) {
  (void)c;
  if (form->flags & CUTE_PTX_NAN && (isnan(a) || isnan(b)))
    return NAN;
  return a == 0 && b == 0 ? (signbit(a) ? a : b) : fmin(a, b);
}

static double larger(const CutePtxForm *form, double a, double b, double c) {
  (void)c;
  if (form->flags & CUTE_PTX_NAN && (isnan(a) || isnan(b)))
    return NAN;
  return a == 0 && b == 0 ? (signbit(a) ? b : a) : fmax(a, b);
}

//===-- Functions ---------------------------------------------------------===//

static double reciprocal(const CutePtxForm *form, double a, double b,
                         double c) {
  (void)b;
  return divide(form, 1, a, c);
}

static double squareRoot(const CutePtxForm *form, double a, double b,
                         double c) {
  (void)b, (void)c;
  double root = sqrt(a);
  return isfinite(root) ? adjusted(form, root, fma(-root, root, a)) : root;
}

#define FUNCTION(name, value)                                                  \
  static double name(const CutePtxForm *form, double a, double b, double c) {  \
    (void)form, (void)b, (void)c;                                              \
    return value;                                                              \
  }

FUNCTION(inverseRoot, 1 / sqrt(a))
FUNCTION(power, exp2(a))
FUNCTION(logarithm, log2(a))
FUNCTION(sine, sin(a))
FUNCTION(cosine, cos(a))
FUNCTION(hyperbolic, tanh(a))
#undef FUNCTION

#define EACH(name, combine)                                                    \
  void name(const CutePtxForm *form, const uint64_t *in, uint64_t *out) {      \
    each(form, in, out, combine);                                              \
  }

EACH(cutePtxAddFloat, add)
EACH(cutePtxSubFloat, sub)
EACH(cutePtxMulFloat, mul)
EACH(cutePtxFmaFloat, multiplyAdd)
EACH(cutePtxDivFloat, divide)
EACH(cutePtxMinFloat, smaller)
EACH(cutePtxMaxFloat, larger)
EACH(cutePtxRcp, reciprocal)
EACH(cutePtxSqrt, squareRoot)
EACH(cutePtxRsqrt, inverseRoot)
EACH(cutePtxEx2, power)
EACH(cutePtxLg2, logarithm)
EACH(cutePtxSin, sine)
EACH(cutePtxCos, cosine)
EACH(cutePtxTanh, hyperbolic)
#undef EACH

//===-- Signs -------------------------------------------------------------===//

static uint64_t signs(const CutePtxType *type) {
  uint64_t result = 0;
  for (unsigned i = 0; i < type->count; ++i)
    result |= UINT64_C(1) << ((i + 1) * type->bits - 1);
  return result;
}

static uint64_t all(const CutePtxType *type) {
  return cutePtxMask(type->bits * type->count);
}

void cutePtxAbsFloat(const CutePtxForm *form, const uint64_t *in,
                     uint64_t *out) {
  *out = *in & all(form->type) & ~signs(form->type);
}

void cutePtxNegFloat(const CutePtxForm *form, const uint64_t *in,
                     uint64_t *out) {
  *out = (*in & all(form->type)) ^ signs(form->type);
}

// The second operand with the sign of the first.
void cutePtxCopysign(const CutePtxForm *form, const uint64_t *in,
                     uint64_t *out) {
  uint64_t mask = signs(form->type);
  *out = ((in[1] & ~mask) | (in[0] & mask)) & all(form->type);
}

// .number is anything but NaN; zero is neither normal nor subnormal.
void cutePtxTestp(const CutePtxForm *form, const uint64_t *in, uint64_t *out) {
  double value = fabs(cuteFloatDecode(form->type->element, in[0]));
  double least = form->type->bits == 32 ? 0x1p-126 : 0x1p-1022;
  bool isNormal = isfinite(value) && value >= least;
  const char *class = form->mode;
  bool is = !strcmp(class, "finite")       ? isfinite(value)
            : !strcmp(class, "infinite")   ? isinf(value)
            : !strcmp(class, "number")     ? !isnan(value)
            : !strcmp(class, "notanumber") ? isnan(value)
            : !strcmp(class, "normal")     ? isNormal
                                           : value > 0 && value < least;
  out[0] = is;
}
