// Operations on bits as polynomials: bit k of x is floor(x / 2^k) modulo 2, and
// of x xor y it is the sum of both modulo 2.
#include "Prove/terms.h"

#include "Support/gcd.h"

enum { MAX_BITS = 40 };

static CuteTerm giveUp(CuteTerms *terms) {
  return cuteTermGetUnknown(terms, "bits of an integer that may have many");
}

// Bits [low, high) of a term, not shifted.
static CuteTerm field(CuteTerm a, int low, int high) {
  int64_t bit = INT64_C(1) << low;
  return cuteTermScale(
      cuteTermModulo(cuteTermFloor(a, bit), INT64_C(1) << (high - low)), bit);
}

// The lowest bit that may be 1 in some value of the term, and one more than the
// highest; false for what may be negative, or is not constant and has many.
static bool findBits(CuteTerm a, int *low, int *high) {
  CuteInterval range = cuteTermGetRange(a);
  int64_t divisor = cuteTermGetDivisor(a);
  if (range.low < 0 ||
      (range.high >= INT64_C(1) << MAX_BITS && range.low != range.high))
    return false;
  *low = divisor ? __builtin_ctzll((uint64_t)divisor) : 0;
  *high = range.high ? 64 - __builtin_clzll((uint64_t)range.high) : 0;
  return true;
}

// The bits of a where a mask, which is not negative, has ones.
static CuteTerm mask(CuteTerm a, int64_t ones) {
  CuteTerm sum = cuteTermGetConstant(a->terms, 0);
  for (int low = 0; low < MAX_BITS && ones >> low;) {
    int high = low;
    while (ones >> high & 1)
      ++high;
    if (high > low)
      sum = cuteTermAdd(sum, field(a, low, high));
    low = high + 1;
  }
  return sum;
}

CuteTerm cuteTermAndBits(CuteTerm a, CuteTerm b) {
  int64_t y;
  if (!cuteTermIsConstant(b, &y) && cuteTermIsConstant(a, &y))
    return cuteTermAndBits(b, a);
  if (!cuteTermIsConstant(b, &y) || y >= INT64_C(1) << MAX_BITS ||
      y < -(INT64_C(1) << MAX_BITS))
    return giveUp(a->terms);
  return y >= 0 ? mask(a, y) : cuteTermSubtract(a, mask(a, ~y));
}

CuteTerm cuteTermXorBits(CuteTerm a, CuteTerm b) {
  int64_t x, y;
  bool isA = cuteTermIsConstant(a, &x), isB = cuteTermIsConstant(b, &y);
  if (isA && isB)
    return cuteTermGetConstant(a->terms, x ^ y);
  if (isB && y < 0) { // ~(a ^ ~y)
    CuteTerm rest = cuteTermXorBits(a, cuteTermGetConstant(a->terms, ~y));
    return cuteTermAddConstant(cuteTermScale(rest, -1), -1);
  }
  int lowA = 0, highA = 0, low = 0, high = 0;
  bool boundA = findBits(a, &lowA, &highA), boundB = findBits(b, &low, &high);
  if (boundA && (!boundB || highA < high) && !isB)
    return cuteTermXorBits(b, a);
  if (!boundB)
    return giveUp(a->terms);
  if (high <= low)
    return a;
  CuteTerm sum = cuteTermSubtract(a, field(a, low, high));
  for (int k = low; k < high; ++k) {
    int64_t bit = INT64_C(1) << k;
    CuteTerm both = cuteTermAdd(cuteTermFloor(a, bit), cuteTermFloor(b, bit));
    sum = cuteTermAdd(sum, cuteTermScale(cuteTermModulo(both, 2), bit));
  }
  CuteInterval range = cuteTermGetRange(a);
  int64_t ones = (INT64_C(1) << high) - 1, divisor = cuteTermGetDivisor(a);
  return cuteTermIntern((CuteSymbol){
      .kind = CUTE_SYMBOL_XOR,
      .range = {range.low > -CUTE_UNBOUNDED ? range.low & ~ones : range.low,
                range.high < CUTE_UNBOUNDED ? range.high | ones : range.high},
      .divisor = (int64_t)cuteGcd(divisor & -divisor, cuteTermGetDivisor(b)),
      .a = a,
      .b = b,
      .definition = sum});
}

CuteTerm cuteTermOrBits(CuteTerm a, CuteTerm b) {
  int lowA, highA, lowB, highB;
  CuteTerm sum = cuteTermAdd(a, b);
  return findBits(a, &lowA, &highA) && findBits(b, &lowB, &highB) &&
                 (highA <= lowB || highB <= lowA)
             ? sum
             : cuteTermSubtract(sum, cuteTermAndBits(a, b));
}
