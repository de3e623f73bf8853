// Instructions of PTX on fields of bits, halves of words and 24-bit integers.
#include "Simulator/ptx/ptx_form.h"

enum { WORD = 32 };

static int64_t field(const CutePtxType *type, uint64_t value, unsigned at,
                     unsigned bits) {
  uint64_t part = value >> at & cutePtxMask(bits);
  return type->kind == CUTE_PTX_SIGNED ? cutePtxSigned(part, bits)
                                       : (int64_t)part;
}

// Two products of halves of a word and bytes of another, the lower or the
// higher two; each factor has a sign if its type is .s32.
void cutePtxDp2a(const CutePtxForm *form, const uint64_t *in, uint64_t *out) {
  unsigned first = form->flags & CUTE_PTX_HI ? 16 : 0;
  int64_t sum = 0;
  for (unsigned i = 0; i < 2; ++i)
    sum += field(form->type, in[0], 16 * i, 16) *
           field(form->from, in[1], first + 8 * i, 8);
  *out = (in[2] + (uint64_t)sum) & UINT32_MAX;
}

//===-- 24-bit integers ---------------------------------------------------===//

// The lower or the higher 32 of the 48 bits of a product.
static int64_t product24(const CutePtxForm *form, const uint64_t *in) {
  int64_t all =
      field(form->type, in[0], 0, 24) * field(form->type, in[1], 0, 24);
  return form->flags & CUTE_PTX_HI ? all >> 16 : all;
}

CUTE_PTX_EVALUATE(cutePtxMul24, (uint64_t)product24(form, in) & UINT32_MAX)

// The sum of mad24.hi.sat.s32 stays in the type.
void cutePtxMad24(const CutePtxForm *form, const uint64_t *in, uint64_t *out) {
  int64_t sum = product24(form, in) + field(form->type, in[2], 0, WORD);
  if (form->flags & CUTE_PTX_SAT)
    sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
  *out = (uint64_t)sum & UINT32_MAX;
}

//===-- Fields ------------------------------------------------------------===//

static bool isTooLarge(const CutePtxForm *form, uint64_t value) {
  return form->flags & CUTE_PTX_CLAMP && (uint32_t)value >= WORD;
}

// As many ones as the second operand says, from a position; those beyond the
// word are dropped (PTX ISA, "bmsk").
void cutePtxBmsk(const CutePtxForm *form, const uint64_t *in, uint64_t *out) {
  unsigned at = in[0] & (WORD - 1), bits = in[1] & (WORD - 1);
  unsigned end = isTooLarge(form, in[1]) || at + bits > WORD ? WORD : at + bits;
  uint64_t below = cutePtxMask(end);
  *out = isTooLarge(form, in[0]) ? 0 : below & ~(cutePtxMask(at)) & UINT32_MAX;
}

// Extends the lower bits by zeros or by their sign.
void cutePtxSzext(const CutePtxForm *form, const uint64_t *in, uint64_t *out) {
  unsigned bits = in[1] & (WORD - 1);
  if (isTooLarge(form, in[1]))
    *out = in[0] & UINT32_MAX;
  else
    *out = bits ? (uint64_t)field(form->type, in[0], 0, bits) & UINT32_MAX : 0;
}

// The first operand where the third, an integer or an f32, is not below zero.
void cutePtxSlct(const CutePtxForm *form, const uint64_t *in, uint64_t *out) {
  bool isFirst = form->from->kind == CUTE_PTX_FLOAT
                     ? cutePtxNumber(form, form->from, in[2]) >= 0
                     : cutePtxSigned(in[2] & UINT32_MAX, WORD) >= 0;
  *out = in[isFirst ? 0 : 1] & cutePtxMask(form->type->bits);
}
