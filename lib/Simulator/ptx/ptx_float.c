// Instructions of PTX on floating-point numbers. Approximations
// on the device give the exact value, rounded.
#include "Simulator/ptx/ptx_form.h"

#include <math.h>

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

static double add(const CutePtxForm *form, double a, double b) {
  return signedZero(form, a, b, sumOf(form, a, b));
}

static double divide(const CutePtxForm *form, double a, double b) {
  double quotient = a / b;
  if (!isfinite(quotient) || !isfinite(b) || b == 0)
    return quotient;
  double rest = fma(-quotient, b, a);
  return adjusted(form, quotient, b < 0 ? -rest : rest);
}

static double squareRoot(const CutePtxForm *form, double a) {
  double root = sqrt(a);
  return isfinite(root) ? adjusted(form, root, fma(-root, root, a)) : root;
}

// The smaller of two numbers, or the larger; -0 is below 0. Of .xorsign.abs the
// magnitude, with the product's sign.
static double extreme(const CutePtxForm *form, double a, double b, bool isMax) {
  double sign = copysign(1, a) * copysign(1, b);
  if (form->flags & CUTE_PTX_NAN && (isnan(a) || isnan(b)))
    return NAN;
  if (form->flags & CUTE_PTX_XORSIGN)
    return sign * (isMax ? fmax : fmin)(fabs(a), fabs(b));
  if (a == 0 && b == 0)
    return !signbit(a) == isMax ? a : b;
  return isMax ? fmax(a, b) : fmin(a, b);
}

//===-- Instructions ------------------------------------------------------===//

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

// Computes each element from the operands' elements a, b and c.
#define EACH(name, value)                                                      \
  static double name##Of(const CutePtxForm *form, double a, double b,          \
                         double c) {                                           \
    (void)form, (void)b, (void)c;                                              \
    return value;                                                              \
  }                                                                            \
  void name(const CutePtxForm *form, const uint64_t *in, uint64_t *out) {      \
    each(form, in, out, name##Of);                                             \
  }

EACH(cutePtxAddFloat, add(form, a, b))
EACH(cutePtxSubFloat, add(form, a, -b))
EACH(cutePtxMulFloat, adjusted(form, a *b, fma(a, b, -(a *b))))
EACH(cutePtxFmaFloat,
     form->type->bits == 64 ? fma(a, b, c) : add(form, a *b, c))
EACH(cutePtxDivFloat, divide(form, a, b))
EACH(cutePtxMinFloat, extreme(form, a, b, false))
EACH(cutePtxMaxFloat, extreme(form, a, b, true))
EACH(cutePtxRcp, divide(form, 1, a))
EACH(cutePtxSqrt, squareRoot(form, a))
EACH(cutePtxRsqrt, 1 / sqrt(a))
EACH(cutePtxEx2, exp2(a))
EACH(cutePtxLg2, log2(a))
EACH(cutePtxSin, sin(a))
EACH(cutePtxCos, cos(a))
EACH(cutePtxTanh, tanh(a))
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

CUTE_PTX_EVALUATE(cutePtxAbsFloat, *in &all(form->type) & ~signs(form->type))
CUTE_PTX_EVALUATE(cutePtxNegFloat, (*in & all(form->type)) ^ signs(form->type))

// The second operand with the sign of the first.
CUTE_PTX_EVALUATE(cutePtxCopysign,
                  ((in[1] & ~signs(form->type)) | (in[0] & signs(form->type))) &
                      all(form->type))

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
