// Video instructions of PTX on two halves or four bytes at once (PTX ISA, "SIMD
// Video Instructions"), without masks and selectors.
#include "Simulator/ptx/ptx_form.h"

static int64_t apply(const char *name, int64_t a, int64_t b) {
  int64_t sum = a + b, difference = a - b;
  if (!strncmp(name, "vadd", 4))
    return sum;
  if (!strncmp(name, "vsub", 4))
    return difference;
  if (!strncmp(name, "vavrg", 5))
    return (sum + (sum >= 0)) >> 1;
  if (!strncmp(name, "vabsdiff", 8))
    return difference < 0 ? -difference : difference;
  return (difference < 0) == !strncmp(name, "vmin", 4) ? a : b;
}

static int64_t saturated(int64_t value, bool isSigned, unsigned bits) {
  int64_t high = (int64_t)cutePtxMask(bits - isSigned);
  int64_t low = isSigned ? -high - 1 : 0;
  return value < low ? low : value > high ? high : value;
}

// The mode is the name, which ends with the number of elements. The third
// operand is added to their sum, or unused.
void cutePtxVideo(const CutePtxForm *form, const uint64_t *in, uint64_t *out) {
  unsigned bits = strchr(form->mode, '4') ? 8 : 16;
  bool isSigned = form->from->kind == CUTE_PTX_SIGNED;
  uint64_t merged = 0, sum = in[2];
  for (unsigned at = 0; at < 32; at += bits) {
    uint64_t a = in[0] >> at & cutePtxMask(bits);
    uint64_t b = in[1] >> at & cutePtxMask(bits);
    int64_t value = isSigned ? apply(form->mode, cutePtxSigned(a, bits),
                                     cutePtxSigned(b, bits))
                             : apply(form->mode, (int64_t)a, (int64_t)b);
    if (form->flags & CUTE_PTX_SAT)
      value = saturated(value, form->type->kind == CUTE_PTX_SIGNED, bits);
    merged |= ((uint64_t)value & cutePtxMask(bits)) << at;
    sum += (uint64_t)value;
  }
  *out = (form->flags & CUTE_PTX_SUM ? sum : merged) & UINT32_MAX;
}
