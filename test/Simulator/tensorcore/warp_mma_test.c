// Every product of a warp on random matrices against plain sums. Where a lane
// holds which element is computed from the formulas of the PTX ISA.
#include "Hardware/atom.h"
#include "Simulator/tensorcore/warp_mma.h"
#include "fragments.h"

enum { LANES = 32, MAX = 256, WORDS = CUTE_SIM_MAX_MMA_WORDS };

// One product: matrices with the numbers, codes in registers.
typedef struct Case {
  const CuteMmaAtom *atom;
  CuteSimMmaSelectors selectors;
  int product; // of a warp of sm_70
  double a[16][MAX], b[MAX][8], c[16][8];
  uint64_t codeA[16][MAX], codeB[MAX][8], codeC[16][8];
  double factorA[16][4], factorB[8][4];
  uint64_t codeFactorA[16][4], codeFactorB[8][4];
  int places[16][MAX / 2]; // of stored elements, or of pairs of them
  uint32_t in[LANES][WORDS], out[LANES][WORDS];
} Case;

static bool isKind(const CuteMmaAtom *atom, int kind) {
  return atom->kind == &cuteMmaAtomKinds[kind];
}

static bool isSparse(const CuteMmaAtom *atom) {
  return isKind(atom, CUTE_MMA_SPARSE) || isKind(atom, CUTE_MMA_SPARSE_SCALED);
}

static bool isScaled(const CuteMmaAtom *atom) {
  return isKind(atom, CUTE_MMA_SCALED) || isKind(atom, CUTE_MMA_SPARSE_SCALED);
}

static bool isOfWarp(const CuteMmaAtom *atom) {
  return isKind(atom, CUTE_MMA_WARP) || isKind(atom, CUTE_MMA_QUADPAIR) ||
         isSparse(atom) || isScaled(atom);
}

//===-- Where elements are ------------------------------------------------===//

// m8n8k4 of f16: a warp computes four.
static bool quadPair(const Case *x, CuteMmaOperand operand, int lane, int i,
                     int *row, int *column) {
  const CuteMmaAtom *atom = x->atom;
  int high = lane < 16 ? 0 : 4, own = lane % 4 + high;
  if (lane % 16 / 4 != x->product)
    return false;
  if (operand == CUTE_OPERAND_A) {
    bool isRow = atom->majorA == CUTE_MAJOR_K;
    *row = isRow ? own : i + high;
    *column = isRow ? i : lane % 4;
    return i < 4;
  }
  if (operand == CUTE_OPERAND_B) {
    bool isColumn = atom->majorB == CUTE_MAJOR_K;
    *row = isColumn ? i : lane % 4;
    *column = isColumn ? own : i + high;
    return i < 4;
  }
  bool isSingle = atom->c == CUTE_ELEMENT_F32;
  *row = isSingle ? (lane & 1) + (i & 2) + high : own;
  *column = isSingle ? (i & 4) + (lane & 2) + (i & 1) : i;
  return i < 8;
}

// Element i of a lane; false after the last. A's columns count what is stored.
static bool find(const Case *x, CuteMmaOperand operand, int lane, int i,
                 int *row, int *column) {
  const CuteMmaAtom *atom = x->atom;
  int group = lane / 4, id = lane % 4;
  if (isKind(atom, CUTE_MMA_QUADPAIR))
    return quadPair(x, operand, lane, i, row, column);
  if (operand == CUTE_OPERAND_C) {
    *row = group + i / 2 * 8;
    *column = id * 2 + i % 2;
    return *row < atom->m;
  }
  CuteElementType type = operand == CUTE_OPERAND_A ? atom->a : atom->b;
  int bits = (int)registerBits(atom, type), run = bits > 32 ? 1 : 32 / bits;
  int part = i / run;
  if (operand == CUTE_OPERAND_B) {
    *row = id * run + i % run + 4 * run * part;
    *column = group;
    return *row < atom->k;
  }
  int rows = atom->m / 8;
  *row = group + part % rows * 8;
  *column = id * run + i % run + 4 * run * (part / rows);
  return *column < atom->k / (isSparse(atom) ? 2 : 1);
}

//===-- Filling -----------------------------------------------------------===//

static void fillSparseRow(Case *x, int m) {
  const CuteMmaAtom *atom = x->atom;
  int run = registerBits(atom, atom->a) == 4 ? 2 : 1;
  bool isTf32 = atom->a == CUTE_ELEMENT_TF32;
  uint64_t stored[MAX / 2];
  double values[MAX / 2];
  for (int j = 0; j < atom->k / 2; ++j)
    values[j] = randomElement(atom->a, &stored[j]);
  for (int k = 0; k < atom->k; ++k)
    x->a[m][k] = 0;
  for (int j = 0; j < atom->k / 2 / run; ++j) {
    int last = !isTf32 && j % 2 ? x->places[m][j - 1] : -1;
    int place = isTf32  ? randomBelow(2)
                : j % 2 ? last + 1 + randomBelow(3 - last)
                        : randomBelow(3);
    x->places[m][j] = place;
    for (int r = 0; r < run; ++r) {
      int k = isTf32 ? 2 * j + place : (j / 2 * 4 + place) * run + r;
      x->a[m][k] = values[j * run + r];
    }
  }
  memcpy(x->codeA[m], stored, sizeof stored);
}

static double randomFactor(CuteElementType type, uint64_t *code) {
  bool isPower = type == CUTE_ELEMENT_F8E8M0;
  *code = (uint64_t)(isPower ? 120 + randomBelow(14) : 1 + randomBelow(120));
  return isPower ? ldexp(1, (int)*code - 127) : plainFloat(*code, 4, 3);
}

static void fillMatrices(Case *x) {
  const CuteMmaAtom *atom = x->atom;
  for (int m = 0; m < atom->m; ++m)
    for (int k = 0; k < atom->k; ++k)
      x->a[m][k] = randomElement(atom->a, &x->codeA[m][k]);
  for (int m = 0; m < atom->m && isSparse(atom); ++m)
    fillSparseRow(x, m);
  for (int n = 0; n < atom->n; ++n)
    for (int k = 0; k < atom->k; ++k)
      x->b[k][n] = randomElement(atom->b, &x->codeB[k][n]);
  for (int m = 0; m < atom->m; ++m)
    for (int n = 0; n < atom->n; ++n)
      x->c[m][n] = randomElement(atom->c, &x->codeC[m][n]);
  for (int j = 0; j < 4; ++j) {
    for (int m = 0; m < atom->m && isScaled(atom); ++m)
      x->factorA[m][j] = randomFactor(atom->sfa.element, &x->codeFactorA[m][j]);
    for (int n = 0; n < atom->n && isScaled(atom); ++n)
      x->factorB[n][j] = randomFactor(atom->sfb.element, &x->codeFactorB[n][j]);
  }
}

// Appends the registers of an operand; returns the words of a lane.
static unsigned pack(Case *x, CuteMmaOperand operand, unsigned first) {
  const CuteMmaAtom *atom = x->atom;
  CuteElementType type = operand == CUTE_OPERAND_A   ? atom->a
                         : operand == CUTE_OPERAND_B ? atom->b
                                                     : atom->c;
  unsigned bits = registerBits(atom, type), words = 0;
  bool isSpread = bits == 8 && type == CUTE_ELEMENT_F4E2M1;
  for (int lane = 0; lane < LANES; ++lane) {
    int row, column;
    for (int i = 0; find(x, operand, lane, i, &row, &column); ++i) {
      uint64_t code = operand == CUTE_OPERAND_A   ? x->codeA[row][column]
                      : operand == CUTE_OPERAND_B ? x->codeB[row][column]
                                                  : x->codeC[row][column];
      putBits(x->in[lane] + first, (unsigned)i * bits, bits,
              isSpread ? code << 2 : code);
      words = ((unsigned)(i + 1) * bits + 31) / 32;
    }
  }
  return first + words;
}

// The bits of metadata that stand for place j of row m, and the thread of a
// quad and the bit where they are, by PTX ISA's figures of sparse matrices.
static unsigned placeMetadata(const Case *x, int m, int j, int *id) {
  const CuteMmaAtom *atom = x->atom;
  int bits = (int)registerBits(atom, atom->a), s = x->selectors.e;
  bool isTf32 = bits == 32;
  int each = isTf32 ? 4 : 2, all = atom->k / 2 / (bits == 4 ? 2 : 1);
  if (bits >= 16 && all * each == 16) { // both rows in a word of one thread
    *id = s;
    return (unsigned)(j * each + m / 8 * 16);
  }
  if (bits >= 16) { // half a row in each of two threads
    *id = 2 * s + j / (all / 2);
    return (unsigned)(j % (all / 2) * each + m / 8 * 16);
  }
  *id = all == 16 ? 2 * s + m / 8 : m / 8 + 2 * (j / 16);
  return (unsigned)(j % 16 * each);
}

static void packMetadata(Case *x, unsigned word) {
  const CuteMmaAtom *atom = x->atom;
  int run = registerBits(atom, atom->a) == 4 ? 2 : 1;
  bool isTf32 = atom->a == CUTE_ELEMENT_TF32;
  uint32_t words[LANES] = {0};
  bool isUsed[LANES] = {false};
  for (int m = 0; m < atom->m; ++m)
    for (int j = 0; j < atom->k / 2 / run; ++j) {
      int id, place = x->places[m][j];
      unsigned shift = placeMetadata(x, m, j, &id);
      uint32_t code = isTf32 ? (place ? 14u : 4u) : (uint32_t)place;
      words[m % 8 * 4 + id] |= code << shift;
      isUsed[m % 8 * 4 + id] = true;
    }
  for (int lane = 0; lane < LANES; ++lane)
    x->in[lane][word] = isUsed[lane] ? words[lane] : (uint32_t)nextRandom();
}

// Factors of one byte each, from the selected byte on; the others are noise.
static void packFactors(Case *x, unsigned word) {
  const CuteMmaAtom *atom = x->atom;
  for (int lane = 0; lane < LANES; ++lane)
    x->in[lane][word] = (uint32_t)nextRandom(),
    x->in[lane][word + 1] = (uint32_t)nextRandom();
  for (int j = 0; j < atom->sfa.k; ++j) {
    int byteA = x->selectors.byteA + j, byteB = x->selectors.byteB + j;
    for (int m = 0; m < 16; ++m)
      ((uint8_t *)&x
           ->in[m % 8 * 4 + 2 * x->selectors.threadA + m / 8][word])[byteA] =
          (uint8_t)x->codeFactorA[m][j];
    for (int n = 0; n < 8; ++n)
      ((uint8_t *)&x->in[n * 4 + x->selectors.threadB][word + 1])[byteB] =
          (uint8_t)x->codeFactorB[n][j];
  }
}

static size_t packAll(Case *x) {
  unsigned words = pack(x, CUTE_OPERAND_A, 0);
  words = pack(x, CUTE_OPERAND_B, words);
  words = pack(x, CUTE_OPERAND_C, words);
  if (isSparse(x->atom))
    packMetadata(x, words++);
  if (isScaled(x->atom)) {
    packFactors(x, words);
    words += 2;
  }
  return words;
}

//===-- Checking ----------------------------------------------------------===//

// The sum, and that of magnitudes.
static double plainSum(const Case *x, int m, int n, double *magnitude) {
  const CuteMmaAtom *atom = x->atom;
  double sum = x->c[m][n];
  *magnitude = fabs(sum);
  for (int k = 0; k < atom->k; ++k) {
    double a = x->a[m][k], b = x->b[k][n];
    double term = atom->bitOp == CUTE_BITS_XOR ? a != b : a * b;
    if (isScaled(atom))
      term *= x->factorA[m][k * atom->sfa.k / atom->k] *
              x->factorB[n][k * atom->sfa.k / atom->k];
    sum += term;
    *magnitude += fabs(term);
  }
  if (atom->d == CUTE_ELEMENT_I32)
    return !atom->saturates  ? (double)(int32_t)(uint32_t)(int64_t)sum
           : sum > INT32_MAX ? (double)INT32_MAX
           : sum < INT32_MIN ? (double)INT32_MIN
                             : sum;
  return sum;
}

static void checkResult(const Case *x) {
  const CuteMmaAtom *atom = x->atom;
  unsigned bits = cuteElementTypeGetBits(atom->d);
  double tolerance = toleranceOf(atom);
  for (int lane = 0; lane < LANES; ++lane) {
    int m, n;
    for (int i = 0; find(x, CUTE_OPERAND_C, lane, i, &m, &n); ++i) {
      double magnitude, wanted = plainSum(x, m, n, &magnitude);
      double found = plainResult(
          atom->d, takeBits(x->out[lane], (unsigned)i * bits, bits));
      if (!(fabs(found - wanted) <= tolerance * magnitude))
        fail_msg("%s: D(%d,%d) is %g, not %g", atom->name, m, n, found, wanted);
    }
  }
}

static void point(Case *x, const uint32_t *in[LANES], uint32_t *out[LANES]) {
  for (int lane = 0; lane < LANES; ++lane) {
    in[lane] = x->in[lane];
    out[lane] = x->out[lane];
  }
}

static void checkCase(CuteContext c, const CuteMmaAtom *atom,
                      CuteSimMmaSelectors selectors) {
  static Case x;
  const uint32_t *in[LANES];
  uint32_t *out[LANES];
  CuteSimMma *mma = cuteSimMmaCreate(c, atom, selectors);
  if (!mma)
    fail_msg("%s: %s", atom->name, cuteContextGetError(c));
  int products = isKind(atom, CUTE_MMA_QUADPAIR) ? 4 : 1;
  for (int product = 0; product < products; ++product) {
    memset(&x, 0, sizeof x);
    x.atom = atom;
    x.selectors = selectors;
    x.product = product;
    fillMatrices(&x);
    assert_int_equal(packAll(&x), cuteSimMmaGetNumInputs(mma));
    point(&x, in, out);
    const char *wrong = cuteSimMmaRun(mma, 0, in, out);
    if (wrong)
      fail_msg("%s: %s", atom->name, wrong);
    checkResult(&x);
  }
}

// The number of threads, or of pairs, of a quad that can hold the metadata.
static int numSelectors(const CuteMmaAtom *atom) {
  int bits = (int)registerBits(atom, atom->a);
  int all = atom->k / 2 / (bits == 4 ? 2 : 1) * (bits == 32 ? 4 : 2) * 16;
  return 128 / (all / 8);
}

static void testAllRows(void **state) {
  CuteContext c = cuteContextCreate();
  int rows = 0;
  (void)state;
  for (size_t i = 0; i < cuteMmaAtomGetNum(); ++i) {
    const CuteMmaAtom *atom = cuteMmaAtomGet(i);
    if (!isOfWarp(atom))
      continue;
    ++rows;
    for (int e = 0; e < (isSparse(atom) ? numSelectors(atom) : 1); ++e)
      checkCase(c, atom, (CuteSimMmaSelectors){.e = e});
    for (int s = 0; isScaled(atom) && s < 4; ++s)
      checkCase(c, atom,
                (CuteSimMmaSelectors){
                    .threadA = s / 2,
                    .threadB = s,
                    .byteA = s % (4 / atom->sfa.k) * atom->sfa.k,
                    .byteB = (s + 1) % (4 / atom->sfa.k) * atom->sfa.k});
  }
  assert_true(rows > 200);
  cuteContextDestroy(c);
}

// Sums at the ends of their range: one more wraps, or stays.
static void testOverflow(void **state) {
  static const char *const names[] = {"SM80_16x8x16_S32S8S8S32_TN",
                                      "SM80_16x8x16_S32S8S8S32_TN_SATURATE"};
  CuteContext c = cuteContextCreate();
  (void)state;
  for (int saturates = 0; saturates < 2; ++saturates) {
    static Case x;
    const uint32_t *in[LANES];
    uint32_t *out[LANES];
    CuteSimMma *mma =
        cuteSimMmaCreate(c, cuteMmaAtomFind(cuteStringRef(names[saturates])),
                         (CuteSimMmaSelectors){0});
    for (int lane = 0; lane < LANES; ++lane)
      for (int i = 0; i < 7; ++i)
        x.in[lane][i] = i < 3 ? 0x01010101 : INT32_MAX - 15u;
    point(&x, in, out);
    assert_null(cuteSimMmaRun(mma, 0, in, out));
    for (int lane = 0; lane < LANES; ++lane)
      assert_int_equal((int32_t)x.out[lane][0],
                       saturates ? INT32_MAX : INT32_MIN);
  }
  cuteContextDestroy(c);
}

//===-- Rejections --------------------------------------------------------===//

static void expectError(CuteContext c, const char *name,
                        CuteSimMmaSelectors selectors, const char *message) {
  const CuteMmaAtom *atom = cuteMmaAtomFind(cuteStringRef(name));
  assert_non_null(atom);
  assert_null(cuteSimMmaCreate(c, atom, selectors));
  assert_non_null(strstr(cuteContextGetError(c), message));
}

static void testRejected(void **state) {
  CuteContext c = cuteContextCreate();
  (void)state;
  expectError(c, "UniversalFMA<float>", (CuteSimMmaSelectors){0},
              "is not a product of a warp");
  expectError(c, "SM90_64x8x16_F32F16F16_SS<K,K>", (CuteSimMmaSelectors){0},
              "is not a product of a warp");
  expectError(c, "SM80_SPARSE_16x8x16_F32F16F16F32_TN",
              (CuteSimMmaSelectors){.e = 4}, "the metadata has no selector 4");
  expectError(c, "SM80_SPARSE_16x8x64_S32S8S8S32_TN",
              (CuteSimMmaSelectors){.e = 1}, "the metadata has no selector 1");
  expectError(
      c,
      "SM120_16x8x64_TN_VS<float_e2m1_t,float_e2m1_t,float,float_ue8m0_t,32>",
      (CuteSimMmaSelectors){.byteB = 1}, "SFB has no selector 0 with that");
  cuteContextDestroy(c);
}

static void testUndefinedMetadata(void **state) {
  static const char *const names[] = {"SM80_SPARSE_16x8x16_F32F16F16F32_TN",
                                      "SM80_SPARSE_16x8x8_F32TF32TF32F32_TN"};
  static const char *const messages[] = {"does not ascend", "neither 4 nor 14"};
  CuteContext c = cuteContextCreate();
  (void)state;
  for (int i = 0; i < 2; ++i) {
    static Case x;
    const uint32_t *in[LANES];
    uint32_t *out[LANES];
    CuteSimMma *mma = cuteSimMmaCreate(
        c, cuteMmaAtomFind(cuteStringRef(names[i])), (CuteSimMmaSelectors){0});
    point(&x, in, out);
    const char *message = cuteSimMmaRun(mma, 0, in, out);
    assert_non_null(message);
    assert_non_null(strstr(message, messages[i]));
  }
  cuteContextDestroy(c);
}

//===-- Names and speed ---------------------------------------------------===//

static void testNames(void **state) {
  static const char *const rows[][2] = {
      {"llvm.nvvm.mma.m16n8k16.row.col.f32.f32",
       "SM80_16x8x16_F32F16F16F32_TN"},
      {"llvm.nvvm.mma.m16n8k16.row.col.bf16", "SM80_16x8x16_F32BF16BF16F32_TN"},
      {"llvm.nvvm.mma.m8n8k4.row.col.f64", "SM80_8x8x4_F64F64F64F64_TN"},
      {"llvm.nvvm.mma.m16n8k32.row.col.satfinite.s8.u8",
       "SM80_16x8x32_S32S8U8S32_TN_SATURATE"},
      {"llvm.nvvm.mma.xor.popc.m16n8k256.row.col.b1",
       "SM80_16x8x256_S32U1U1S32_TN_XORPOPC"},
      {"llvm.nvvm.mma.m8n8k4.col.row.f32.f32", "SM70_8x8x4_F32F16F16F32_NT"}};
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    const CuteMmaAtom *atom =
        cuteSimMmaFindIntrinsic(cuteStringRef(rows[i][0]));
    assert_non_null(atom);
    assert_string_equal(atom->name, rows[i][1]);
    assert_ptr_equal(
        cuteSimMmaFindInstruction(cuteStringRef(atom->instruction)), atom);
  }
  const CuteMmaAtom *sparse = cuteSimMmaFindInstruction(
      cuteStringRef("mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"));
  assert_string_equal(sparse->name, "SM80_SPARSE_16x8x16_F32F16F16F32_TN");
  assert_null(cuteSimMmaFindInstruction(cuteStringRef("mma.sync.aligned")));
  assert_null(cuteSimMmaFindInstruction(
      cuteStringRef("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16")));
  assert_null(cuteSimMmaFindIntrinsic(cuteStringRef("llvm.nvvm.mma")));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(testAllRows),  cmocka_unit_test(testOverflow),
      cmocka_unit_test(testRejected), cmocka_unit_test(testUndefinedMetadata),
      cmocka_unit_test(testNames),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
