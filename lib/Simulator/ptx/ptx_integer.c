// Instructions of PTX on integers and bits.
#include "Simulator/ptx/ptx_form.h"

static unsigned bitsOf(const CutePtxForm *form) { return form->type->bits; }

static bool isSigned(const CutePtxForm *form) {
  return form->type->kind == CUTE_PTX_SIGNED;
}

static uint64_t low(const CutePtxForm *form, uint64_t value) {
  return value & cutePtxMask(bitsOf(form));
}

// An operand as a number.
static __int128 number(const CutePtxForm *form, uint64_t value) {
  return isSigned(form) ? cutePtxSigned(value, bitsOf(form))
                        : (__int128)low(form, value);
}

// Joins the operands, lowest first, and takes them apart again.
void cutePtxMove(const CutePtxForm *form, const uint64_t *in, uint64_t *out) {
  unsigned bits = form->type->bits * form->type->count;
  if (form->numOperands == 1 && form->numResults == 1)
    return (void)(*out = *in & cutePtxMask(bits));
  unsigned each = bits / form->numOperands, part = bits / form->numResults;
  unsigned __int128 all = 0;
  for (unsigned i = 0; i < form->numOperands; ++i)
    all |= (unsigned __int128)(in[i] & cutePtxMask(each)) << i * each;
  for (unsigned i = 0; i < form->numResults; ++i)
    out[i] = (uint64_t)(all >> i * part) & cutePtxMask(part);
}

//===-- Arithmetic --------------------------------------------------------===//

static uint64_t saturated(const CutePtxForm *form, __int128 value) {
  if (form->flags & CUTE_PTX_SAT)
    value = value > INT32_MAX   ? INT32_MAX
            : value < INT32_MIN ? INT32_MIN
                                : value;
  return low(form, (uint64_t)value);
}

CUTE_PTX_EVALUATE(cutePtxAddInteger,
                  saturated(form, number(form, in[0]) + number(form, in[1])))
CUTE_PTX_EVALUATE(cutePtxSubInteger,
                  saturated(form, number(form, in[0]) - number(form, in[1])))

// The part of a product that is asked for; the sum is taken of it. A wide one
// has twice the bits.
static unsigned __int128 product(const CutePtxForm *form, const uint64_t *in) {
  unsigned __int128 wide = (unsigned __int128)number(form, in[0]) *
                           (unsigned __int128)number(form, in[1]);
  if (form->flags & CUTE_PTX_HI)
    return isSigned(form) ? (unsigned __int128)((__int128)wide >> bitsOf(form))
                          : wide >> bitsOf(form);
  return wide;
}

static uint64_t productBits(const CutePtxForm *form, unsigned __int128 value) {
  unsigned bits = bitsOf(form) * (form->flags & CUTE_PTX_WIDE ? 2 : 1);
  return (uint64_t)value & cutePtxMask(bits);
}

CUTE_PTX_EVALUATE(cutePtxMulInteger, productBits(form, product(form, in)))

void cutePtxMadInteger(const CutePtxForm *form, const uint64_t *in,
                       uint64_t *out) {
  unsigned __int128 sum = product(form, in);
  if (form->flags & CUTE_PTX_SAT) // mad.hi.sat.s32
    *out = saturated(form, (__int128)sum + number(form, in[2]));
  else
    *out = productBits(form, sum + in[2]);
}

//===-- Carries -----------------------------------------------------------===//

// Takes a sum of two numbers without sign and a carry apart.
static void carrySum(const CutePtxForm *form, uint64_t a, uint64_t b,
                     uint64_t carry, uint64_t *out) {
  unsigned __int128 sum =
      (unsigned __int128)low(form, a) + low(form, b) + (carry & 1);
  out[0] = low(form, (uint64_t)sum);
  out[1] = (uint64_t)(sum >> bitsOf(form)) & 1;
}

void cutePtxAddCarry(const CutePtxForm *form, const uint64_t *in,
                     uint64_t *out) {
  carrySum(form, in[0], in[1], in[2], out);
}

// The carry is the borrow.
void cutePtxSubCarry(const CutePtxForm *form, const uint64_t *in,
                     uint64_t *out) {
  carrySum(form, in[0], ~in[1], !(in[2] & 1), out);
  out[1] ^= 1;
}

void cutePtxMadCarry(const CutePtxForm *form, const uint64_t *in,
                     uint64_t *out) {
  carrySum(form, (uint64_t)product(form, in), in[2], in[3], out);
}

//===-- Quotients ---------------------------------------------------------===//

// The quotient of zero is all ones, as on the device.
CUTE_PTX_EVALUATE(cutePtxDivInteger,
                  low(form, low(form, in[1]) ? (uint64_t)(number(form, in[0]) /
                                                          number(form, in[1]))
                                             : UINT64_MAX))
CUTE_PTX_EVALUATE(cutePtxRemInteger,
                  low(form, low(form, in[1]) ? (uint64_t)(number(form, in[0]) %
                                                          number(form, in[1]))
                                             : in[0]))
CUTE_PTX_EVALUATE(cutePtxAbsInteger,
                  low(form, number(form, *in) < 0 ? 0 - *in : *in))
CUTE_PTX_EVALUATE(cutePtxNegInteger, low(form, 0 - *in))
CUTE_PTX_EVALUATE(cutePtxMinInteger,
                  low(form, number(form, in[0]) < number(form, in[1]) ? in[0]
                                                                      : in[1]))
CUTE_PTX_EVALUATE(cutePtxMaxInteger,
                  low(form, number(form, in[0]) > number(form, in[1]) ? in[0]
                                                                      : in[1]))

void cutePtxSad(const CutePtxForm *form, const uint64_t *in, uint64_t *out) {
  __int128 a = number(form, in[0]), b = number(form, in[1]);
  *out = low(form, in[2] + (uint64_t)(a < b ? b - a : a - b));
}

// Four products of bytes; each factor has a sign if its type is .s32.
void cutePtxDp4a(const CutePtxForm *form, const uint64_t *in, uint64_t *out) {
  uint64_t sum = in[2];
  for (int i = 0; i < 32; i += 8) {
    uint64_t a = in[0] >> i & 255, b = in[1] >> i & 255;
    int64_t x = isSigned(form) ? cutePtxSigned(a, 8) : (int64_t)a;
    int64_t y =
        form->from->kind == CUTE_PTX_SIGNED ? cutePtxSigned(b, 8) : (int64_t)b;
    sum += (uint64_t)(x * y);
  }
  *out = sum & UINT32_MAX;
}

//===-- Bits --------------------------------------------------------------===//

CUTE_PTX_EVALUATE(cutePtxAnd, low(form, in[0] & in[1]))
CUTE_PTX_EVALUATE(cutePtxOr, low(form, in[0] | in[1]))
CUTE_PTX_EVALUATE(cutePtxXor, low(form, in[0] ^ in[1]))
CUTE_PTX_EVALUATE(cutePtxNot, low(form, ~in[0]))
CUTE_PTX_EVALUATE(cutePtxCnot, low(form, in[0]) == 0)

// Shifts by the type's bits or more give no bit of the value.
void cutePtxShl(const CutePtxForm *form, const uint64_t *in, uint64_t *out) {
  uint32_t by = (uint32_t)in[1];
  *out = by < bitsOf(form) ? low(form, in[0] << by) : 0;
}

void cutePtxShr(const CutePtxForm *form, const uint64_t *in, uint64_t *out) {
  uint32_t by = (uint32_t)in[1], bits = bitsOf(form);
  if (isSigned(form))
    *out = low(form, (uint64_t)(cutePtxSigned(in[0], bits) >>
                                (by < bits ? by : bits - 1)));
  else
    *out = by < bits ? low(form, in[0]) >> by : 0;
}

void cutePtxShf(const CutePtxForm *form, const uint64_t *in, uint64_t *out) {
  uint32_t by = (uint32_t)in[2];
  by = form->flags & CUTE_PTX_CLAMP ? (by < 32 ? by : 32) : by & 31;
  uint64_t both = (in[1] & UINT32_MAX) << 32 | (in[0] & UINT32_MAX);
  *out = (form->flags & CUTE_PTX_LEFT ? both << by >> 32 : both >> by) &
         UINT32_MAX;
}

void cutePtxBfe(const CutePtxForm *form, const uint64_t *in, uint64_t *out) {
  unsigned bits = bitsOf(form), at = in[1] & 255, n = in[2] & 255;
  uint64_t value = low(form, in[0]);
  if (!n) {
    *out = 0;
    return;
  }
  unsigned last = at + n - 1 < bits - 1 ? at + n - 1 : bits - 1;
  uint64_t sign = isSigned(form) ? value >> last & 1 : 0;
  uint64_t field = at < bits ? value >> at & cutePtxMask(n) : 0;
  unsigned have = at <= last ? last - at + 1 : 0;
  *out = low(form, sign ? field | ~cutePtxMask(have < n ? have : n) : field);
}

void cutePtxBfi(const CutePtxForm *form, const uint64_t *in, uint64_t *out) {
  unsigned at = in[2] & 255, n = in[3] & 255;
  uint64_t mask = at < bitsOf(form) ? cutePtxMask(n) << at : 0;
  uint64_t field = at < bitsOf(form) ? in[0] << at : 0;
  *out = low(form, (in[1] & ~mask) | (field & mask));
}

// The highest bit that is unlike the sign; all ones if there is none.
void cutePtxBfind(const CutePtxForm *form, const uint64_t *in, uint64_t *out) {
  unsigned bits = bitsOf(form);
  uint64_t value = low(form, *in);
  if (isSigned(form) && value >> (bits - 1))
    value = low(form, ~value);
  if (!value) {
    *out = UINT32_MAX;
    return;
  }
  unsigned at = 63 - (unsigned)__builtin_clzll(value);
  *out = form->flags & CUTE_PTX_SHIFT_AMOUNT ? bits - 1 - at : at;
}

void cutePtxBrev(const CutePtxForm *form, const uint64_t *in, uint64_t *out) {
  uint64_t result = 0;
  for (unsigned i = 0; i < bitsOf(form); ++i)
    result = result << 1 | (*in >> i & 1);
  *out = result;
}

CUTE_PTX_EVALUATE(cutePtxPopc, (uint64_t)__builtin_popcountll(low(form, *in)))

void cutePtxClz(const CutePtxForm *form, const uint64_t *in, uint64_t *out) {
  uint64_t value = low(form, *in);
  *out = value ? (uint64_t)__builtin_clzll(value) - (64 - bitsOf(form))
               : bitsOf(form);
}

// The byte that each byte of the result is, by mode and the two low bits of c
// (PTX ISA, "prmt").
static unsigned selectByte(const char *mode, unsigned c, unsigned i) {
  if (!strcmp(mode, "f4e"))
    return c + i;
  if (!strcmp(mode, "b4e"))
    return (c - i) & 7;
  if (!strcmp(mode, "rc8"))
    return c;
  if (!strcmp(mode, "ecl"))
    return i > c ? i : c;
  if (!strcmp(mode, "ecr"))
    return i < c ? i : c;
  return (c & 1) * 2 + i % 2; // rc16
}

void cutePtxPrmt(const CutePtxForm *form, const uint64_t *in, uint64_t *out) {
  uint64_t bytes = (in[1] & UINT32_MAX) << 32 | (in[0] & UINT32_MAX);
  uint64_t result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    unsigned which = form->mode ? selectByte(form->mode, in[2] & 3, i)
                                : (unsigned)(in[2] >> 4 * i & 15);
    uint64_t byte = bytes >> 8 * (which & 7) & 255;
    if (which & 8)
      byte = byte & 128 ? 255 : 0;
    result |= byte << 8 * i;
  }
  *out = result;
}

void cutePtxLop3(const CutePtxForm *form, const uint64_t *in, uint64_t *out) {
  uint64_t result = 0;
  for (unsigned row = 0; row < 8; ++row)
    if (in[3] >> row & 1)
      result |= (row & 4 ? in[0] : ~in[0]) & (row & 2 ? in[1] : ~in[1]) &
                (row & 1 ? in[2] : ~in[2]);
  *out = low(form, result);
}

//===-- Comparison --------------------------------------------------------===//

static bool compare(const CutePtxForm *form, const uint64_t *in) {
  const CutePtxType *type = form->from;
  bool isLess, isEqual, isNan = false;
  if (type->kind == CUTE_PTX_FLOAT) {
    double a = cutePtxNumber(form, type, in[0]);
    double b = cutePtxNumber(form, type, in[1]);
    isLess = a < b, isEqual = a == b, isNan = a != a || b != b;
  } else {
    uint64_t a = in[0] & cutePtxMask(type->bits);
    uint64_t b = in[1] & cutePtxMask(type->bits);
    isLess = type->kind == CUTE_PTX_SIGNED
                 ? cutePtxSigned(a, type->bits) < cutePtxSigned(b, type->bits)
                 : a < b;
    isEqual = a == b;
  }
  return form->compare & (isNan     ? CUTE_PTX_UNORDERED
                          : isLess  ? CUTE_PTX_LESS
                          : isEqual ? CUTE_PTX_EQUAL
                                    : CUTE_PTX_GREATER);
}

static bool combined(const CutePtxForm *form, bool value, uint64_t other) {
  return !form->combine            ? value
         : form->combine[0] == 'a' ? value && (other & 1)
         : form->combine[0] == 'o' ? value || (other & 1)
                                   : value != (other & 1);
}

static bool isSet(const CutePtxForm *form, const uint64_t *in, bool value) {
  return combined(form, value, form->combine ? in[2] : 0);
}

void cutePtxSetp(const CutePtxForm *form, const uint64_t *in, uint64_t *out) {
  bool value = compare(form, in);
  out[0] = isSet(form, in, value);
  if (form->numResults > 1)
    out[1] = isSet(form, in, !value);
}

// All ones, or 1.0.
void cutePtxSet(const CutePtxForm *form, const uint64_t *in, uint64_t *out) {
  bool value = compare(form, in);
  uint64_t one = form->type->kind == CUTE_PTX_FLOAT
                     ? cutePtxCode(form, form->type, 1)
                     : cutePtxMask(form->type->bits);
  *out = isSet(form, in, value) ? one : 0;
}

void cutePtxSelp(const CutePtxForm *form, const uint64_t *in, uint64_t *out) {
  *out = (in[2] & 1 ? in[0] : in[1]) &
         cutePtxMask(form->type->bits * form->type->count);
}
