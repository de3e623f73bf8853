#include "Simulator/tensorcore/matrix_product.h"
#include "Hardware/element.h"
#include "Hardware/float_code.h"

#include <float.h>
#include <math.h>

enum { COLUMNS = 8 }; // that are summed at a time

//===-- Elements ----------------------------------------------------------===//

static double decodeInteger(CuteElementType type, uint64_t value) {
  unsigned unused = 64 - cuteElementTypeGetBits(type);
  value <<= unused;
  return cuteElementGetInfo(type)->isUnsigned
             ? (double)(value >> unused)
             : (double)((int64_t)value >> unused);
}

static double decodeAny(CuteElementType type, uint64_t bits) {
  return cuteElementTypeIsFloat(type) ? cuteFloatDecode(type, bits)
                                      : decodeInteger(type, bits);
}

void cuteSimElementInit(CuteSimElement *element, CuteElementType type,
                        bool spreads) {
  bool isSpread = spreads && type == CUTE_ELEMENT_F4E2M1;
  element->type = type;
  element->bits = isSpread ? 8 : cuteElementTypeGetBits(type);
  element->hasTable = element->bits <= 8;
  for (unsigned code = 0; element->hasTable && code < 256; ++code)
    element->table[code] = decodeAny(type, isSpread ? code >> 2 : code);
}

static double decodeHalf(uint32_t code) {
  uint32_t bits = (code & 0x7fff) << 13;
  float value;
  if ((code & 0x7c00) == 0x7c00)
    return cuteFloatDecode(CUTE_ELEMENT_F16, code);
  memcpy(&value, &bits, sizeof value);
  double scaled = (double)value * 0x1p112;
  return code & 0x8000 ? -scaled : scaled;
}

double cuteSimElementDecode(const CuteSimElement *element, uint64_t bits) {
  if (element->hasTable)
    return element->table[bits & ((1u << element->bits) - 1)];
  uint32_t low = (uint32_t)bits;
  switch (element->type) {
  case CUTE_ELEMENT_F16:
    return decodeHalf(low & 0xffff);
  case CUTE_ELEMENT_F32:
    return cuteFloatDecodeSingle(low);
  case CUTE_ELEMENT_BF16:
    return cuteFloatDecodeSingle(low << 16);
  case CUTE_ELEMENT_TF32:
    return cuteFloatDecodeSingle(low & ~UINT32_C(0x1fff));
  default:
    return decodeAny(element->type, bits);
  }
}

uint64_t cuteSimElementEncode(const CuteSimElement *element, double value) {
  if (element->type == CUTE_ELEMENT_F32 && !isnan(value))
    return cuteFloatEncodeSingle((float)value); // to the nearest even one
  return cuteElementTypeIsFloat(element->type)
             ? cuteFloatEncode(element->type, value, CUTE_ROUND_NEAREST_EVEN,
                               false)
             : (uint64_t)(int64_t)value;
}

//===-- Products ----------------------------------------------------------===//

static void addRow(const double *a, const double *b, int n, int k,
                   double *sums) {
  double parts[COLUMNS];
  memcpy(parts, sums, sizeof parts);
  for (int i = 0; i < k; ++i)
    for (int j = 0; j < COLUMNS; ++j)
      parts[j] += a[i] * b[i * n + j];
  memcpy(sums, parts, sizeof parts);
}

static void addFused(const double *a, const double *b, int n, int k,
                     double *sums) {
  for (int j = 0; j < COLUMNS; ++j)
    for (int i = 0; i < k; ++i)
      sums[j] = fma(a[i], b[i * n + j], sums[j]);
}

// Counts bits that differ: a + b - 2 a b of each.
static void addDifferent(const double *a, const double *b, int n, int k,
                         double *sums) {
  for (int j = 0; j < COLUMNS; ++j)
    for (int i = 0; i < k; ++i)
      sums[j] += a[i] != b[i * n + j];
}

static double wrap(double value) {
  return (double)(int32_t)(uint32_t)(int64_t)value;
}

static void finish(const CuteMmaAtom *atom, double *sums, int n) {
  if (atom->d != CUTE_ELEMENT_I32)
    return;
  for (int i = 0; i < n; ++i)
    sums[i] = atom->saturates
                  ? fmin(fmax(sums[i], INT32_MIN), (double)INT32_MAX)
                  : wrap(sums[i]);
}

//===-- Watching ----------------------------------------------------------===//

static _Thread_local struct {
  bool isOn;
  const char *seen;
} watch;

void cuteSimMultiplyWatch(void) {
  watch.isOn = true;
  watch.seen = NULL;
}

const char *cuteSimMultiplyGetSeen(void) {
  const char *seen = watch.isOn ? watch.seen : NULL;
  watch.isOn = false;
  return seen;
}

static bool areFinite(const double *elements, int n, double most) {
  for (int i = 0; i < n; ++i)
    if (!(fabs(elements[i]) <= most))
      return false;
  return true;
}

static void see(bool isFinite, const char *otherwise) {
  if (!isFinite && !watch.seen)
    watch.seen = otherwise;
}

static void watchOperands(const CuteSimMatrices *x) {
  see(areFinite(x->a, x->m * x->k, DBL_MAX), "takes NaN or Inf in A");
  see(areFinite(x->b, x->k * x->n, DBL_MAX), "takes NaN or Inf in B");
  see(areFinite(x->sums, x->m * x->n, DBL_MAX), "takes NaN or Inf in C");
  see(areFinite(x->scaleA, x->m * x->blocks, DBL_MAX), "takes NaN in SFA");
  see(areFinite(x->scaleB, x->blocks * x->n, DBL_MAX), "takes NaN in SFB");
}

static void watchSums(const CuteMmaAtom *atom, const CuteSimMatrices *x) {
  enum { PAST_F16 = 65520 }; // what is rounded to Inf
  double most = atom->d == CUTE_ELEMENT_F16   ? nextafter(PAST_F16, 0)
                : atom->d == CUTE_ELEMENT_F32 ? FLT_MAX
                                              : DBL_MAX;
  see(areFinite(x->sums, x->m * x->n, most),
      "sums of finite products become Inf in the type of D");
}

void cuteSimDropHoles(const CuteSimMatrices *x) {
  for (int i = 0; i < x->m * x->k; ++i)
    x->a[i] = x->a[i] == CUTE_SIM_HOLE ? 0 : x->a[i];
}

void cuteSimMultiply(const CuteMmaAtom *atom, int arch,
                     const CuteSimMatrices *x) {
  void (*add)(const double *, const double *, int, int, double *) =
      atom->d == CUTE_ELEMENT_F64    ? addFused
      : atom->bitOp == CUTE_BITS_XOR ? addDifferent
                                     : addRow;
  bool isFused = cuteElementTypeIsFloat(atom->d) && atom->d != CUTE_ELEMENT_F64;
  if (watch.isOn)
    watchOperands(x);
  if (isFused)
    cuteSimFusedSum(atom, arch, x);
  else
    cuteSimDropHoles(x);
  for (int i = 0; i < x->m && !isFused; ++i)
    for (int j = 0; j < x->n; j += COLUMNS)
      add(x->a + i * x->k, x->b + j, x->n, x->k, x->sums + i * x->n + j);
  if (watch.isOn)
    watchSums(atom, x);
  finish(atom, x->sums, x->m * x->n);
}
