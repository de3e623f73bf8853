#include "Hardware/element.h"
#include "Hardware/float_code.h"
#include "Hardware/mma_sum.h"
#include "Simulator/machine/scratch.h"
#include "Simulator/tensorcore/matrix_product.h"

#include <math.h>

enum {
  COLUMNS = 8,     // that are summed at a time
  NOTHING = -4096, // the exponent of a zero
  LEAST = -126,    // of f32, which a zero C has
  MAX_K = 128,
  MAX_ELEMENTS = MAX_K * 256,
};

// Exponents of A, B and their scale factors.
typedef struct Exponents {
  int16_t a[MAX_ELEMENTS], b[MAX_ELEMENTS];
} Exponents;

// One product of matrices.
typedef struct Sum {
  const CuteMmaSum *rule;
  const CuteMmaAtom *atom;
  const CuteSimMatrices *x;
  int step, places[MAX_K]; // of the elements that steps take, one by one
  int least;               // exponent of D's type
  Exponents *exponents;
} Sum;

//===-- Numbers -----------------------------------------------------------===//

static int leastOf(CuteElementType type) {
  return type == CUTE_ELEMENT_F8E8M0
             ? NOTHING + 1
             : 2 - (1 << (cuteElementGetInfo(type)->exponentBits - 1));
}

// Gives the exponent of a finite number; `least` for those below.
static int exponentOf(double value, int least) {
  int exponent = (int)(cuteFloatEncodeDouble(value) >> 52 & 2047) - 1023;
  return value == 0 || value == CUTE_SIM_HOLE ? NOTHING
         : exponent < least                   ? least
                                              : exponent;
}

static double powerOfTwo(int exponent) {
  return cuteFloatDecodeDouble((uint64_t)(exponent + 1023) << 52);
}

// Truncates a number to an f32 with so many bits of fraction.
static double truncateTo(double value, int fraction) {
  if (fabs(value) >= 0x1p128)
    return copysign(INFINITY, value);
  if (fabs(value) < 0x1p-126) {
    double unit = powerOfTwo(LEAST - fraction);
    return trunc(value / unit) * unit;
  }
  uint64_t bits = cuteFloatEncodeDouble(value);
  return cuteFloatDecodeDouble(bits & ~UINT64_C(0) << (52 - fraction));
}

static double roundHalf(double value) {
  uint64_t code =
      cuteFloatEncode(CUTE_ELEMENT_F16, value, CUTE_ROUND_NEAREST_EVEN, false);
  return cuteFloatDecode(CUTE_ELEMENT_F16, code);
}

// Rounds what a step leaves, C of the next one or D. A zero is positive.
static double roundStep(const Sum *s, double value) {
  enum { SINGLE = 23 };
  int fraction = s->rule->resultFraction ? s->rule->resultFraction : SINGLE;
  if (s->atom->d != CUTE_ELEMENT_F16)
    return truncateTo(value, fraction) + 0.0;
  return roundHalf(value) + 0.0;
}

//===-- Sums of finite products -------------------------------------------===//

static int exponentOfC(const Sum *s, double c) {
  return c == 0 ? LEAST : exponentOf(c, s->least);
}

// Adds the products [first, end) of a row to COLUMNS sums. Aligned, each has
// less than 2 + fraction bits before the point, and fits into 32.
CUTE_WIDER static void addStep(const Sum *s, int i, int j, int first, int end,
                               double *sums) {
  const CuteSimMatrices *x = s->x;
  const double *a = x->a + i * x->k, *b = x->b + j;
  const int16_t *ea = s->exponents->a + i * x->k, *eb = s->exponents->b + j;
  int largest[COLUMNS];
  double unit[COLUMNS], aligned[COLUMNS];
  for (int c = 0; c < COLUMNS; ++c)
    largest[c] = exponentOfC(s, sums[c]);
  for (int p = first, k; p < end; ++p)
    for (int c = (k = s->places[p], 0); c < COLUMNS; ++c) {
      int e = ea[k] + eb[k * x->n + c];
      largest[c] = largest[c] < e ? e : largest[c];
    }
  for (int c = 0; c < COLUMNS; ++c) {
    unit[c] = powerOfTwo(s->rule->fraction - largest[c]);
    aligned[c] = (double)(int32_t)(sums[c] * unit[c]);
  }
  for (int p = first, k; p < end; ++p)
    for (int c = (k = s->places[p], 0); c < COLUMNS; ++c)
      aligned[c] += (double)(int32_t)(a[k] * b[k * x->n + c] * unit[c]);
  for (int c = 0; c < COLUMNS; ++c)
    sums[c] = roundStep(s, aligned[c] / unit[c]);
}

//===-- Any sums ----------------------------------------------------------===//

static double scaleOf(const Sum *s, int i, int j, int k) {
  const CuteSimMatrices *x = s->x;
  int block = x->blocks ? k * x->blocks / x->k : 0;
  return x->blocks
             ? x->scaleA[i * x->blocks + block] * x->scaleB[block * x->n + j]
             : 1;
}

static int scaleExponentOf(const Sum *s, int i, int j, int k) {
  const CuteSimMatrices *x = s->x;
  if (!x->blocks)
    return 0;
  int block = k * x->blocks / x->k, least = leastOf(s->atom->sfa.element);
  return exponentOf(x->scaleA[i * x->blocks + block], least) +
         exponentOf(x->scaleB[block * x->n + j], least);
}

// The next terms from k on: a product, or the exact sum of a group of them.
typedef struct Term {
  double value;
  int exponent;
} Term;

static Term termAt(const Sum *s, int i, int j, int k) {
  const CuteSimMatrices *x = s->x;
  int group = s->rule->group ? s->rule->group : 1;
  Term term = {0, scaleExponentOf(s, i, j, k)};
  for (int g = k; g < k + group; ++g)
    if (x->a[i * x->k + g] != CUTE_SIM_HOLE)
      term.value += x->a[i * x->k + g] * x->b[g * x->n + j];
  if (group == 1)
    term.exponent +=
        s->exponents->a[i * x->k + k] + s->exponents->b[k * x->n + j];
  term.value *= scaleOf(s, i, j, k);
  return term;
}

// Adds the products [first, end) to one sum.
static double addAny(const Sum *s, int i, int j, int first, int end,
                     double sum) {
  int by = s->rule->group ? s->rule->group : 1;
  int largest = isfinite(sum) ? exponentOfC(s, sum) : 0;
  double plain = sum;
  for (int p = first; p < end; p += by) {
    Term term = termAt(s, i, j, s->places[p]);
    plain += term.value;
    largest = largest < term.exponent ? term.exponent : largest;
  }
  if (!isfinite(plain))
    return plain;
  double unit = powerOfTwo(s->rule->fraction - largest);
  double aligned = trunc(sum * unit);
  for (int p = first; p < end; p += by)
    aligned += trunc(termAt(s, i, j, s->places[p]).value * unit);
  return roundStep(s, aligned / unit);
}

static bool areFinite(const double *elements, int n) {
  double zero = 0;
  for (int i = 0; i < n; ++i)
    zero += elements[i] * 0;
  return zero == 0;
}

static bool isPlain(const Sum *s) {
  const CuteSimMatrices *x = s->x;
  return !x->blocks && !s->rule->group && areFinite(x->a, x->m * x->k) &&
         areFinite(x->b, x->k * x->n) && areFinite(x->sums, x->m * x->n);
}

// Rounds to the nearest as additions of D's type do.
static double roundNearest(const Sum *s, double value) {
  return s->atom->d == CUTE_ELEMENT_F16 ? roundHalf(value)
                                        : (double)(float)value;
}

static void addChain(const Sum *s, int i, int j) {
  const CuteSimMatrices *x = s->x;
  const double *a = x->a + i * x->k, *b = x->b + j;
  for (int first = 0; first < x->k; first += s->step) {
    float sum = 0;
    for (int k = first; k < first + s->step; ++k)
      sum = fmaf((float)a[k], (float)b[k * x->n], sum);
    x->sums[i * x->n + j] =
        (double)(float)(x->sums[i * x->n + j] + (double)sum);
  }
}

static void addSteps(const Sum *s, bool isFast, int i, int j, double *sums) {
  const CuteSimMatrices *x = s->x;
  for (int first = 0; first < x->k; first += s->step) {
    int end = first + s->step < x->k ? first + s->step : x->k;
    if (isFast && (!first || areFinite(sums, COLUMNS)))
      addStep(s, i, j, first, end, sums);
    else
      for (int c = 0; c < COLUMNS; ++c)
        sums[c] = addAny(s, i, j + c, first, end, sums[c]);
  }
}

static void addColumns(const Sum *s, bool isFast, int i, int j) {
  double *sums = s->x->sums + i * s->x->n + j, products[COLUMNS] = {0};
  for (int c = 0; c < COLUMNS && s->rule->chain; ++c)
    addChain(s, i, j + c);
  if (s->rule->chain)
    return;
  addSteps(s, isFast, i, j, s->rule->addsLast ? products : sums);
  for (int c = 0; c < COLUMNS && s->rule->addsLast; ++c)
    sums[c] = roundNearest(s, sums[c] + products[c]);
}

static void fillExponents(CuteElementType type, const double *elements, int n,
                          int16_t *exponents) {
  int least = leastOf(type);
  for (int i = 0; i < n; ++i)
    exponents[i] = (int16_t)exponentOf(elements[i], least);
}

void cuteSimFusedSum(const CuteMmaAtom *atom, int arch,
                     const CuteSimMatrices *x) {
  const CuteMmaSum *rule = cuteMmaSumFind(atom, arch);
  Sum s = {.rule = rule,
           .atom = atom,
           .x = x,
           .step = cuteMmaSumGetStep(rule, atom),
           .least = leastOf(atom->d),
           .exponents = cuteSimScratchGet(CUTE_SIM_SCRATCH_EXPONENTS,
                                          sizeof *s.exponents)};
  for (int i = 0; i < x->k; ++i)
    s.places[i] = cuteMmaSumGetPlace(rule, atom, i);
  fillExponents(atom->a, x->a, x->m * x->k, s.exponents->a);
  fillExponents(atom->b, x->b, x->k * x->n, s.exponents->b);
  bool isFast = isPlain(&s);
  if (isFast)
    cuteSimDropHoles(x);
  for (int i = 0; i < x->m; ++i)
    for (int j = 0; j < x->n; j += COLUMNS)
      addColumns(&s, isFast, i, j);
}
