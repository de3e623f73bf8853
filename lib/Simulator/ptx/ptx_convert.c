// Conversions between types (PTX ISA, "cvt").
#include "Simulator/ptx/ptx_form.h"

#include <math.h>

static bool isFloat(const CutePtxType *type) {
  return type->kind == CUTE_PTX_FLOAT;
}

static double roundToInteger(CuteRounding rounding, double value) {
  switch (rounding) {
  case CUTE_ROUND_TO_ZERO:
    return trunc(value);
  case CUTE_ROUND_DOWN:
    return floor(value);
  case CUTE_ROUND_UP:
    return ceil(value);
  case CUTE_ROUND_NEAREST_AWAY:
    return round(value);
  default:
    return nearbyint(value);
  }
}

//===-- Integers ----------------------------------------------------------===//

static __int128 least(const CutePtxType *type) {
  return type->kind == CUTE_PTX_SIGNED ? -((__int128)1 << (type->bits - 1)) : 0;
}

static __int128 most(const CutePtxType *type) {
  return ((__int128)1 << (type->bits - (type->kind == CUTE_PTX_SIGNED))) - 1;
}

static uint64_t clampedInteger(const CutePtxType *type, __int128 value) {
  value = value < least(type) ? least(type) : value;
  value = value > most(type) ? most(type) : value;
  return (uint64_t)value & cutePtxMask(type->bits);
}

// Numbers outside of the range become its ends, NaN zero; of 64 bits the
// highest bit alone.
static uint64_t integerOfFloat(const CutePtxForm *form, double value) {
  const CutePtxType *type = form->type;
  if (isnan(value))
    return type->bits == 64 ? UINT64_C(1) << 63 : 0;
  value = roundToInteger(form->rounding, value);
  if (value >= 0x1p64)
    return clampedInteger(type, most(type));
  if (value <= -0x1p64)
    return clampedInteger(type, least(type));
  return clampedInteger(type, (__int128)value);
}

static __int128 integerOf(const CutePtxType *type, uint64_t value) {
  return type->kind == CUTE_PTX_SIGNED
             ? cutePtxSigned(value, type->bits)
             : (__int128)(value & cutePtxMask(type->bits));
}

static uint64_t integerOfInteger(const CutePtxForm *form, uint64_t value) {
  __int128 number = integerOf(form->from, value);
  if (form->flags & CUTE_PTX_SAT)
    return clampedInteger(form->type, number);
  return (uint64_t)number & cutePtxMask(form->type->bits);
}

// A double that is odd in its last bit where 64 bits do not fit, so that the
// rounding to f32 is right; to f64 the host rounds to nearest.
static double doubleOf(const CutePtxForm *form, __int128 number) {
  bool isNegative = number < 0;
  uint64_t magnitude = (uint64_t)(isNegative ? -number : number);
  if (form->type->bits < 64)
    while (magnitude >> 53) {
      unsigned shift = 11 - (unsigned)__builtin_clzll(magnitude);
      uint64_t rest = magnitude & cutePtxMask(shift);
      magnitude = (magnitude >> shift | (rest != 0)) << shift;
      break;
    }
  double value = (double)magnitude;
  return isNegative ? -value : value;
}

//===-- Floats ------------------------------------------------------------===//

// The number of element i of a packed operand.
static double elementOf(const CutePtxForm *form, uint64_t value, unsigned i) {
  const CutePtxType *from = form->from;
  return cutePtxNumber(form, from,
                       value >> i * from->bits & cutePtxMask(from->bits));
}

// Packs two numbers: of two operands the first is the upper one.
static void convertPacked(const CutePtxForm *form, const uint64_t *in,
                          uint64_t *out) {
  uint64_t result = 0;
  for (unsigned i = 0; i < 2; ++i) {
    double value = form->from->count == 2 ? elementOf(form, *in, i)
                                          : elementOf(form, in[1 - i], 0);
    result |= cutePtxCode(form, form->type, value) << i * form->type->bits;
  }
  *out = result;
}

static uint64_t floatOfFloat(const CutePtxForm *form, uint64_t value) {
  double number = elementOf(form, value, 0);
  if (form->flags & CUTE_PTX_TO_INTEGER)
    number = roundToInteger(form->rounding, number);
  return cutePtxCode(form, form->type, number);
}

void cutePtxConvert(const CutePtxForm *form, const uint64_t *in,
                    uint64_t *out) {
  if (form->type->count == 2)
    convertPacked(form, in, out);
  else if (isFloat(form->type))
    *out = isFloat(form->from)
               ? floatOfFloat(form, *in)
               : cutePtxCode(form, form->type,
                             doubleOf(form, integerOf(form->from, *in)));
  else
    *out = isFloat(form->from) ? integerOfFloat(form, elementOf(form, *in, 0))
                               : integerOfInteger(form, *in);
}
