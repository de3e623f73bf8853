// Products of a warpgroup on random matrices against plain sums. Registers are
// filled by the formulas of the PTX ISA, shared memory by its core matrices and
// the XOR of its swizzles.
// REQUIRES: full
// TURN: 1 of 2
#include "Hardware/atom.h"
#include "Simulator/tensorcore/wgmma.h"
#include "fragments.h"

enum { THREADS = 128, M = 64, MAX_K = 64, MAX_N = 256, SHARED = 1 << 18 };

// An operand in shared memory: patterns of 8 rows of `units` times 16 bytes.
typedef struct Place {
  bool isMn;        // rows are along K
  int units, first; // the unit of a row that the operand begins in
  int leading, stride, start;
} Place;

typedef struct Case {
  const CuteMmaAtom *atom;
  bool isSparse, isRegisterA, adds, minusA, minusB;
  Place placeA, placeB;
  double a[M][MAX_K], b[MAX_K][MAX_N], c[M][MAX_N];
  uint64_t codeA[M][MAX_K], codeB[MAX_K][MAX_N], codeC[M][MAX_N];
  int places[M][MAX_K / 2];
  unsigned char shared[SHARED];
  uint64_t results[THREADS][128], operands[THREADS][16];
  uint32_t in[THREADS][160], out[THREADS][128];
} Case;

//===-- Registers ---------------------------------------------------------===//

static int rowOf(int thread, int isLower) {
  return thread / 32 * 16 + thread % 32 / 4 + 8 * isLower;
}

static void placeOfSum(int thread, int i, int *m, int *n) {
  *m = rowOf(thread, i / 2 % 2);
  *n = i / 4 * 8 + thread % 4 * 2 + i % 2;
}

static void placeOfA(int thread, int i, int bits, int *m, int *k) {
  int run = 32 / bits;
  *m = rowOf(thread, i / run % 2);
  *k = thread % 4 * run + i % run + i / run / 2 * 4 * run;
}

// The thread of a quad, and the bit of its word, that say where stored element
// j of row m is.
static void placeOfMetadata(int bits, int m, int j, int *id, int *shift) {
  if (bits == 8) {
    *id = m / 8 % 2 + 2 * (j / 16);
    *shift = j % 16 * 2;
    return;
  }
  int each = bits == 32 ? 4 : 2, half = 16 / each;
  *id = j / half;
  *shift = j % half * each + m / 8 % 2 * 16;
}

//===-- Shared memory -----------------------------------------------------===//

// The byte of unit `unit` of a row.
static int offsetOf(const Place *p, int row, int unit) {
  unit += p->first;
  int inside = unit % p->units, line = row % 8;
  int turned = inside ^ (p->units == 8   ? line
                         : p->units == 4 ? line / 2
                         : p->units == 2 ? line / 4
                                         : 0);
  bool isSwapped = p->isMn && p->units == 1;
  return p->start + (line * p->units + turned) * 16 +
         row / 8 * (isSwapped ? p->leading : p->stride) +
         unit / p->units * (isSwapped ? p->stride : p->leading);
}

// A place for rows x units, whose patterns do not overlap.
static Place randomPlace(bool isMn, int rows, int units, int start) {
  Place p = {.isMn = isMn, .units = 1 << randomBelow(4), .start = start};
  int pattern = 128 * p.units, down = (rows + 7) / 8;
  bool rowsFirst = randomBelow(2);
  if (!isMn && p.units > 1 && p.units < units) // no pattern beside another
    p.units = 8;
  pattern = 128 * p.units;
  p.first = !isMn && p.units > units && randomBelow(2) ? p.units - units : 0;
  int across = (units + p.units - 1) / p.units;
  int along = rowsFirst ? pattern * down : pattern;
  int below = rowsFirst ? pattern : pattern * across;
  bool isSwapped = isMn && p.units == 1;
  p.leading = isSwapped ? below : along;
  p.stride = isSwapped ? along : below;
  return p;
}

static uint64_t descriptorOf(const Place *p) {
  static const uint64_t modes[] = {[1] = 0, [2] = 3, [4] = 2, [8] = 1};
  return (uint64_t)(p->start + p->first * 16) >> 4 |
         (uint64_t)(p->leading >> 4) << 16 | (uint64_t)(p->stride >> 4) << 32 |
         modes[p->units] << 62;
}

static void putShared(Case *x, const Place *p, int bits, int mn, int k,
                      uint64_t code) {
  int run = 128 / bits;
  int row = p->isMn ? k : mn, along = p->isMn ? mn : k;
  int at = offsetOf(p, row, along / run) + along % run * bits / 8;
  assert_in_range(at, 0, SHARED - 1);
  memcpy(x->shared + at, &code, (size_t)bits / 8);
}

static void readUnit(void *data, uint32_t offset, void *bytes) {
  assert_in_range(offset, 0, SHARED - 16);
  assert_int_equal(offset % 16, 0);
  memcpy(bytes, (unsigned char *)data + offset, 16);
}

//===-- Filling -----------------------------------------------------------===//

static void fillSparseRow(Case *x, int m) {
  const CuteMmaAtom *atom = x->atom;
  bool isTf32 = atom->a == CUTE_ELEMENT_TF32;
  for (int k = 0; k < atom->k; ++k)
    x->a[m][k] = 0;
  for (int j = 0; j < atom->k / 2; ++j) {
    int last = !isTf32 && j % 2 ? x->places[m][j - 1] : -1;
    int place = isTf32  ? randomBelow(2)
                : j % 2 ? last + 1 + randomBelow(3 - last)
                        : randomBelow(3);
    x->places[m][j] = place;
    x->a[m][isTf32 ? 2 * j + place : j / 2 * 4 + place] =
        randomElement(atom->a, &x->codeA[m][j]);
  }
}

static void fillMatrices(Case *x) {
  const CuteMmaAtom *atom = x->atom;
  for (int m = 0; m < M; ++m) {
    for (int k = 0; k < atom->k; ++k)
      x->a[m][k] = randomElement(atom->a, &x->codeA[m][k]);
    if (x->isSparse)
      fillSparseRow(x, m);
    for (int n = 0; n < atom->n; ++n)
      x->c[m][n] = randomElement(atom->c, &x->codeC[m][n]);
  }
  for (int k = 0; k < atom->k; ++k)
    for (int n = 0; n < atom->n; ++n)
      x->b[k][n] = randomElement(atom->b, &x->codeB[k][n]);
}

static void putInShared(Case *x) {
  const CuteMmaAtom *atom = x->atom;
  int bitsA = (int)cuteElementTypeGetBits(atom->a);
  int bitsB = (int)cuteElementTypeGetBits(atom->b);
  int stored = atom->k / (x->isSparse ? 2 : 1);
  bool mnA = atom->majorA == CUTE_MAJOR_MN, mnB = atom->majorB == CUTE_MAJOR_MN;
  x->placeA = randomPlace(mnA, mnA ? stored : M,
                          (mnA ? M : stored) * bitsA / 128, 0x3000);
  x->placeB = randomPlace(mnB, mnB ? atom->k : atom->n,
                          (mnB ? atom->n : atom->k) * bitsB / 128, 0x10000);
  for (int m = 0; m < M && !x->isRegisterA; ++m)
    for (int k = 0; k < stored; ++k)
      putShared(x, &x->placeA, bitsA, m, k, x->codeA[m][k]);
  for (int k = 0; k < atom->k; ++k)
    for (int n = 0; n < atom->n; ++n)
      putShared(x, &x->placeB, bitsB, n, k, x->codeB[k][n]);
}

static uint32_t metadataOf(const Case *x, int thread) {
  const CuteMmaAtom *atom = x->atom;
  uint32_t word = 0;
  bool isUsed = false;
  for (int m = 0; m < M; ++m)
    for (int j = 0; j < atom->k / 2; ++j) {
      int id, shift, place = x->places[m][j];
      placeOfMetadata((int)cuteElementTypeGetBits(atom->a), m, j, &id, &shift);
      if (m / 16 * 32 + m % 8 * 4 + id != thread)
        continue;
      isUsed = true;
      word |= (uint32_t)(atom->a != CUTE_ELEMENT_TF32 ? place
                         : place                      ? 14
                                                      : 4)
              << shift;
    }
  return isUsed ? word : (uint32_t)nextRandom();
}

static size_t putOperands(Case *x, int thread) {
  const CuteMmaAtom *atom = x->atom;
  unsigned bitsA = cuteElementTypeGetBits(atom->a);
  uint64_t *to = x->operands[thread];
  uint32_t words[4] = {0};
  if (x->isRegisterA) {
    for (int i = 0; i < 128 / (int)bitsA; ++i) {
      int m, k;
      placeOfA(thread, i, (int)bitsA, &m, &k);
      putBits(words, (unsigned)i * bitsA, bitsA, x->codeA[m][k]);
    }
    for (int i = 0; i < 4; ++i)
      *to++ = words[i];
  } else {
    *to++ = descriptorOf(&x->placeA);
  }
  *to++ = descriptorOf(&x->placeB);
  if (x->isSparse) {
    *to++ = metadataOf(x, thread);
    *to++ = 0;
  }
  *to++ = x->adds;
  if (cuteElementTypeIsFloat(atom->a)) {
    *to++ = x->minusA ? UINT64_MAX : 1;
    *to++ = x->minusB ? UINT64_MAX : 1;
  }
  if (bitsA == 16 && !x->isRegisterA)
    *to++ = atom->majorA == CUTE_MAJOR_MN;
  if (bitsA == 16)
    *to++ = atom->majorB == CUTE_MAJOR_MN;
  return (size_t)(to - x->operands[thread]);
}

static size_t putSums(Case *x, int thread) {
  unsigned bits = cuteElementTypeGetBits(x->atom->d);
  uint32_t words[128] = {0};
  int count = x->atom->n / 2;
  for (int i = 0; i < count; ++i) {
    int m, n;
    placeOfSum(thread, i, &m, &n);
    putBits(words, (unsigned)i * bits, bits, x->codeC[m][n]);
  }
  size_t numWords = (size_t)count * bits / 32;
  for (size_t i = 0; i < numWords; ++i)
    x->results[thread][i] = words[i];
  return numWords;
}

//===-- Checking ----------------------------------------------------------===//

static double plainSum(const Case *x, int m, int n, double *magnitude) {
  const CuteMmaAtom *atom = x->atom;
  double sum = x->adds ? x->c[m][n] : 0;
  double sign = x->minusA == x->minusB ? 1 : -1;
  *magnitude = fabs(sum);
  for (int k = 0; k < atom->k; ++k) {
    double term = sign * x->a[m][k] * x->b[k][n];
    sum += term;
    *magnitude += fabs(term);
  }
  if (atom->d != CUTE_ELEMENT_I32)
    return sum;
  return !atom->saturates  ? (double)(int32_t)(uint32_t)(int64_t)sum
         : sum > INT32_MAX ? (double)INT32_MAX
         : sum < INT32_MIN ? (double)INT32_MIN
                           : sum;
}

static void checkResult(const Case *x) {
  const CuteMmaAtom *atom = x->atom;
  unsigned bits = cuteElementTypeGetBits(atom->d);
  double tolerance = toleranceOf(atom);
  for (int thread = 0; thread < THREADS; ++thread)
    for (int i = 0; i < atom->n / 2; ++i) {
      int m, n;
      double magnitude;
      placeOfSum(thread, i, &m, &n);
      double wanted = plainSum(x, m, n, &magnitude);
      double found = plainResult(
          atom->d, takeBits(x->out[thread], (unsigned)i * bits, bits));
      if (!(fabs(found - wanted) <= tolerance * magnitude))
        fail_msg("%s: D(%d,%d) is %g, not %g", atom->name, m, n, found, wanted);
    }
}

static void runCase(Case *x, const CuteSimWgmma *w) {
  const uint32_t *in[THREADS];
  uint32_t *out[THREADS];
  CuteSimWgmmaCall call;
  for (int t = 0; t < THREADS; ++t) {
    cuteSimWgmmaTakeWords(w, x->results[t], x->operands[t], x->in[t]);
    in[t] = x->in[t];
    out[t] = x->out[t];
  }
  assert_null(cuteSimWgmmaTake(w, x->operands[0], &call));
  const char *wrong = cuteSimWgmmaRun(w, &call, in, out, readUnit, x->shared);
  if (wrong)
    fail_msg("%s: %s", x->atom->name, wrong);
  checkResult(x);
}

static void checkRow(CuteContext c, const CuteMmaAtom *atom) {
  static Case x;
  size_t numResults = 0, numOperands = 0;
  memset(&x, 0, sizeof x);
  x.atom = atom;
  x.isSparse = cuteMmaAtomHasOperand(atom, CUTE_OPERAND_E);
  x.isRegisterA = atom->sourceA == CUTE_MMA_REGISTERS;
  x.adds = randomBelow(4);
  x.minusA = cuteElementTypeIsFloat(atom->a) && randomBelow(2);
  x.minusB = cuteElementTypeIsFloat(atom->a) && randomBelow(2);
  fillMatrices(&x);
  putInShared(&x);
  for (int t = 0; t < THREADS; ++t) {
    numResults = putSums(&x, t);
    numOperands = putOperands(&x, t);
  }
  CuteSimWgmma *w = cuteSimWgmmaCreate(c, cuteStringRef(atom->instruction),
                                       numResults, numOperands);
  if (!w)
    fail_msg("%s: %s", atom->name, cuteContextGetError(c));
  runCase(&x, w);
}

static bool isChosen(const CuteMmaAtom *atom) {
  return cuteMmaAtomIsWarpgroup(atom) &&
         (atom->n == 8 || atom->n == 24 || atom->n == 40 || atom->n == 128 ||
          (atom->n == 256 && atom->majorA == CUTE_MAJOR_K));
}

static void allRows(void **state) {
  CuteContext c = cuteContextCreate();
  int rows = 0;
  (void)state;
  for (size_t i = 0; i < cuteMmaAtomGetNum(); ++i)
    if (isChosen(cuteMmaAtomGet(i))) {
      checkRow(c, cuteMmaAtomGet(i));
      ++rows;
    }
  assert_true(rows > 300);
  cuteContextDestroy(c);
}

// The order of patterns, swizzles and the unit that a row begins in differ.
static void manyPlaces(void **state) {
  static const char *const names[] = {
      "SM90_64x128x16_F32F16F16_SS<K,K>", "SM90_64x128x16_F32F16F16_SS<MN,MN>",
      "SM90_64x64x16_F32F16F16_SS<MN,K>", "SM90_64x64x32_S32S8S8_SS_TN"};
  CuteContext c = cuteContextCreate();
  (void)state;
  for (int i = 0; i < 40; ++i) {
    const CuteMmaAtom *atom = cuteMmaAtomFind(cuteStringRef(names[i % 4]));
    assert_non_null(atom);
    checkRow(c, atom);
  }
  cuteContextDestroy(c);
}

// Visiting reads each unit once.
static void countUnit(void *data, uint32_t offset, void *bytes) {
  memset(bytes, 0, 16);
  ++((unsigned char *)data)[offset / 16];
}

static void visits(void **state) {
  static unsigned char counts[SHARED / 16];
  CuteContext c = cuteContextCreate();
  CuteSimWgmmaCall call = {.majorA = CUTE_MAJOR_K, .majorB = CUTE_MAJOR_MN};
  (void)state;
  CuteSimWgmma *w = cuteSimWgmmaCreate(
      c, cuteStringRef("wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16"),
      32, 7);
  assert_non_null(w);
  call.descriptorA = UINT64_C(64) << 32 | UINT64_C(1) << 62; // 8 x 1024 bytes
  call.descriptorB = 1024 | UINT64_C(64) << 32 | UINT64_C(1) << 62;
  cuteSimWgmmaVisit(w, &call, false, countUnit, counts);
  cuteSimWgmmaVisit(w, &call, true, countUnit, counts);
  for (int i = 0; i < SHARED / 16; ++i) {
    bool isA = i < 512 && (i % 8 ^ i / 8 % 8) < 2;
    assert_int_equal(counts[i], isA || (i >= 1024 && i < 1024 + 128));
  }
  cuteContextDestroy(c);
}

static void rejected(void **state) {
  CuteContext c = cuteContextCreate();
  CuteSimWgmmaCall call;
  (void)state;
  assert_null(cuteSimWgmmaCreate(
      c, cuteStringRef("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16"), 3,
      7));
  assert_non_null(strstr(cuteContextGetError(c), "with 3 registers of D"));
  assert_null(cuteSimWgmmaCreate(
      c, cuteStringRef("wgmma.mma_async.sync.aligned.m64n9k16.f32.f16.f16"), 4,
      7));
  CuteSimWgmma *w = cuteSimWgmmaCreate(
      c, cuteStringRef("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16"), 4,
      7);
  assert_non_null(w);
  uint64_t sign[] = {0, 0, 1, 2, 1, 0, 0}, major[] = {0, 0, 1, 1, 1, 0, 2};
  assert_non_null(strstr(cuteSimWgmmaTake(w, sign, &call), "a sign"));
  assert_non_null(strstr(cuteSimWgmmaTake(w, major, &call), "transposition"));
  w = cuteSimWgmmaCreate(
      c, cuteStringRef("wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16"),
      4, 9);
  assert_non_null(w);
  uint64_t selector[] = {0, 0, 0, 1, 1, 1, 1, 0, 0};
  assert_non_null(strstr(cuteSimWgmmaTake(w, selector, &call), "selector"));
  cuteContextDestroy(c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(allRows),
      cmocka_unit_test(manyPlaces),
      cmocka_unit_test(visits),
      cmocka_unit_test(rejected),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
