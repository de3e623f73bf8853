// Operands of MMA atoms beside A, B and C: the rows agree with the PTX ISA, and
// the parts of all threads, fed to a simulated instruction, make the product.
// REQUIRES: full
// TURN: 2 of 2
#include "algebra_test_util.h"
#include "cute/Atom.h"

enum { WARP = 32, MAX_ATOMS = 4, MAX_TILE = 16 * 128 };

static bool isSparse(const CuteMmaAtom *atom) { return atom->e.layout; }
static bool isScaled(const CuteMmaAtom *atom) { return atom->sfa.layout; }

//===-- Rows --------------------------------------------------------------===//

static void namesOfOperands(void **state) {
  (void)state;
  static const char *const names[] = {"A", "B", "C", "E", "SFA", "SFB"};
  CuteMmaOperand found;
  for (int i = 0; i < CUTE_NUM_MMA_OPERANDS; ++i) {
    assert_string_equal(cuteMmaOperandGetName((CuteMmaOperand)i), names[i]);
    assert_true(cuteMmaOperandFind(cuteStringRef(names[i]), &found));
    assert_int_equal(found, i);
  }
  assert_false(cuteMmaOperandFind(cuteStringRef("D"), &found));
  assert_false(cuteMmaOperandFind(cuteStringRef("SF"), &found));
  assert_false(cuteMmaOperandFind(cuteStringRef(""), &found));
}

// Elements of a row of A that are stored.
static int storedK(const CuteMmaAtom *atom) {
  return cuteMmaAtomGetExtent(atom, CUTE_OPERAND_A, 1);
}

static void operandsOfRows(void **state) {
  (void)state;
  size_t sparse = 0, scaled = 0;
  for (size_t i = 0; i < cuteMmaAtomGetNum(); ++i) {
    const CuteMmaAtom *atom = cuteMmaAtomGet(i);
    bool hasSp = strstr(atom->instruction, "sp::ordered_metadata") ||
                 strstr(atom->instruction, "mma_async.sp.");
    bool hasScale = strstr(atom->instruction, ".block_scale.");
    assert_int_equal(isSparse(atom), hasSp);
    assert_int_equal(isSparse(atom), strstr(atom->name, "_SPARSE_") != NULL);
    assert_int_equal(isScaled(atom), hasScale);
    assert_int_equal(isScaled(atom), strstr(atom->name, "_VS<") != NULL);
    assert_int_equal(storedK(atom), isSparse(atom) ? atom->k / 2 : atom->k);
    for (int o = 0; o < CUTE_NUM_MMA_OPERANDS; ++o)
      assert_int_equal(cuteMmaAtomHasOperand(atom, (CuteMmaOperand)o),
                       o <= CUTE_OPERAND_C || (o == CUTE_OPERAND_E && hasSp) ||
                           (o > CUTE_OPERAND_E && hasScale));
    if (hasScale) { // the last template argument is how many share a factor
      int vs = atoi(strrchr(atom->name, ',') + 1);
      assert_int_equal(vs * atom->sfa.k, atom->k);
      assert_int_equal(vs * atom->sfb.k, atom->k);
    }
    sparse += isSparse(atom);
    scaled += isScaled(atom);
  }
  assert_true(sparse > 60 && scaled > 50);
}

//===-- Fragments ---------------------------------------------------------===//

// Where index v of thread t's 32 bits is in the (16,k) tile of E (PTX ISA,
// figures "metadata layout" of 9.7.14.6.2). Wide elements of A have half a
// register for 16 bits of a row, and the other half for the row 8 below.
static int64_t metadataIndex(const CuteMmaAtom *atom, int64_t t, int64_t v) {
  int64_t perRegister = 32 / cuteElementTypeGetBits(atom->e.element);
  bool isWide = cuteElementTypeGetBits(atom->a) >= 16;
  int64_t columns = isWide ? perRegister / 2 : perRegister;
  int64_t row = t / 4 + 8 * (isWide ? v / columns : t % 2);
  int64_t lane = isWide ? t % 2 : t / 2 % 2;
  int64_t column = v % columns + columns * (lane % (atom->e.k / columns));
  return row + 16 * column;
}

// Every index of the tile is there, in as many threads as any other.
static void checkCovers(CuteLayout tv, int64_t tile) {
  int64_t size = sizeOf(tv);
  int held[MAX_TILE] = {0};
  assert_true(tile <= MAX_TILE && size % tile == 0);
  for (int64_t i = 0; i < size; ++i) {
    int64_t index = indexAt(tv, i);
    assertLaw(index >= 0 && index < tile, tv, NULL, i);
    ++held[index];
  }
  for (int64_t i = 0; i < tile; ++i)
    assertLaw(held[i] == size / tile, tv, NULL, i);
}

// Those of a warpgroup, with 64 rows, are of 128 threads, each element in as
// many.
static void metadataFragments(void **state) {
  (void)state;
  for (size_t i = 0; i < cuteMmaAtomGetNum(); ++i) {
    const CuteMmaAtom *atom = cuteMmaAtomGet(i);
    if (!isSparse(atom))
      continue;
    CuteLayout tv = cuteMmaAtomGetLayout(context, atom, CUTE_OPERAND_E);
    int64_t values = sizeOf(modeOf(tv, 1));
    made(tv, atom->name);
    if (atom->m == 64) {
      assert_int_equal(sizeOf(modeOf(tv, 0)), 4 * WARP);
      checkCovers(tv, atom->m * atom->e.k);
      continue;
    }
    assert_int_equal(sizeOf(modeOf(tv, 0)), WARP);
    assert_int_equal(values * cuteElementTypeGetBits(atom->e.element), 32);
    checkCovers(tv, 16 * atom->e.k);
    for (int64_t t = 0; t < WARP; ++t)
      for (int64_t v = 0; v < values; ++v)
        assertLaw(indexAt(tv, t + WARP * v) == metadataIndex(atom, t, v), tv,
                  tv, t);
  }
}

// A factor v of a row of A is in threads 4 g and 4 g + 1 for row g and g + 8,
// of a column of B in thread 4 g; the other threads of the quad have the same.
static void factorFragments(void **state) {
  (void)state;
  for (size_t i = 0; i < cuteMmaAtomGetNum(); ++i) {
    const CuteMmaAtom *atom = cuteMmaAtomGet(i);
    if (!isScaled(atom))
      continue;
    CuteLayout a = cuteMmaAtomGetLayout(context, atom, CUTE_OPERAND_SFA);
    CuteLayout b = cuteMmaAtomGetLayout(context, atom, CUTE_OPERAND_SFB);
    checkCovers(a, 16 * atom->sfa.k);
    checkCovers(b, 8 * atom->sfb.k);
    assert_int_equal(sizeOf(a), WARP * atom->sfa.k);
    for (int64_t t = 0; t < WARP; ++t)
      for (int64_t v = 0; v < atom->sfa.k; ++v) {
        assertLaw(indexAt(a, t + WARP * v) == t / 4 + t % 2 * 8 + 16 * v, a, b,
                  t);
        assertLaw(indexAt(b, t + WARP * v) == t / 4 + 8 * v, a, b, t);
      }
  }
}

//===-- Simulation --------------------------------------------------------===//

typedef struct Matrix {
  CuteLayout layout;
  int64_t rows, columns, *data;
} Matrix;

static int64_t *at(Matrix m, int64_t row, int64_t column) {
  return &m.data[indexAt(m.layout, row + m.rows * column)];
}

static Matrix matrix(CuteTiledMma mma, CuteMmaOperand operand, int64_t rows,
                     int64_t columns) {
  rows *= cuteIntTupleGetValue(
      cuteTiledMmaGetOperandSize(context, mma, operand, 0));
  columns *= cuteIntTupleGetValue(
      cuteTiledMmaGetOperandSize(context, mma, operand, 1));
  int64_t strides[] = {columns, 1};
  CuteIntTuple extents[] = {integer(rows), integer(columns)};
  return (Matrix){
      withStrides(cuteIntTupleGetTuple(context, 2, extents), strides), rows,
      columns, calloc((size_t)(rows * columns), sizeof(int64_t))};
}

// Indices of two of four places for neighbours of a group, or of one of two.
static void fillMetadata(Matrix e, bool isOfPairs) {
  for (int64_t r = 0; r < e.rows; ++r)
    for (int64_t k = 0; k < e.columns; k += isOfPairs ? 1 : 2) {
      int64_t first = pick(0, 2);
      *at(e, r, k) = isOfPairs ? (pick(0, 1) ? 14 : 4) : first;
      if (!isOfPairs)
        *at(e, r, k + 1) = pick(first + 1, 3);
    }
}

// Where column k of the stored A is in the whole one (PTX ISA, "Sparse matrix
// storage").
static int64_t placeOf(const CuteMmaAtom *atom, const int64_t *e, int64_t rows,
                       int64_t row, int64_t k) {
  if (!e)
    return k;
  if (cuteElementTypeGetBits(atom->e.element) == 4) // of tf32
    return 2 * k + (e[row + rows * k] == 14);
  if (atom->e.k < storedK(atom)) // two elements stand together
    return k / 4 * 8 + 2 * e[row + rows * (k / 2)] + k % 2;
  return k / 2 * 4 + e[row + rows * k];
}

// All operands of D = A B, and what is in the atom's tiles at some place.
typedef struct Operands {
  CuteTiledMma mma;
  Matrix matrices[CUTE_NUM_MMA_OPERANDS];
  int64_t tiles[CUTE_NUM_MMA_OPERANDS][MAX_TILE];
} Operands;

// Value v of a thread at the rests (i,j) of its part.
static int64_t *inPart(Operands *o, CuteMmaOperand operand, int64_t thread,
                       int64_t v, int64_t i, int64_t j) {
  Matrix m = o->matrices[operand];
  CutePartition part = cuteTiledMmaPartition(context, o->mma, operand, m.layout,
                                             integer(thread));
  made(part.layout, "partition");
  int64_t values = sizeOf(modeOf(part.layout, 0));
  int64_t rests = sizeOf(modeOf(part.layout, 1));
  int64_t index = cuteIntTupleGetValue(part.offset) +
                  indexAt(part.layout, v + values * (i + rests * j));
  assert_true(index >= 0 && index < m.rows * m.columns);
  return &m.data[index];
}

static void gather(Operands *o, CuteMmaOperand operand, int64_t warp, int64_t i,
                   int64_t j) {
  CuteLayout tv = cuteMmaAtomGetLayout(context, o->mma.atom, operand);
  for (int64_t t = 0; t < WARP; ++t)
    for (int64_t v = 0, n = sizeOf(modeOf(tv, 1)); v < n; ++v)
      o->tiles[operand][indexAt(tv, t + WARP * v)] =
          *inPart(o, operand, warp * WARP + t, v, i, j);
}

// Element (m,n) of the product of the tiles.
static int64_t product(const Operands *o, int64_t m, int64_t n) {
  const CuteMmaAtom *atom = o->mma.atom;
  const int64_t *e = isSparse(atom) ? o->tiles[CUTE_OPERAND_E] : NULL;
  int64_t sum = 0;
  for (int64_t i = 0; i < storedK(atom); ++i) {
    int64_t k = placeOf(atom, e, 16, m, i), factor = 1;
    if (isScaled(atom)) {
      int64_t block = k / (atom->k / atom->sfa.k);
      factor = o->tiles[CUTE_OPERAND_SFA][m + 16 * block] *
               o->tiles[CUTE_OPERAND_SFB][n + 8 * block];
    }
    sum += factor * o->tiles[CUTE_OPERAND_A][m + 16 * i] *
           o->tiles[CUTE_OPERAND_B][n + 8 * k];
  }
  return sum;
}

static void runAtom(Operands *o, int64_t warp, int64_t m, int64_t n,
                    int64_t k) {
  const CuteMmaAtom *atom = o->mma.atom;
  for (int i = 0; i < CUTE_NUM_MMA_OPERANDS; ++i) {
    bool isOfB = i == CUTE_OPERAND_B || i == CUTE_OPERAND_SFB;
    if (i != CUTE_OPERAND_C && cuteMmaAtomHasOperand(atom, (CuteMmaOperand)i))
      gather(o, (CuteMmaOperand)i, warp, isOfB ? n : m, k);
  }
  CuteLayout tv = cuteMmaAtomGetLayout(context, atom, CUTE_OPERAND_C);
  for (int64_t t = 0; t < WARP; ++t)
    for (int64_t v = 0, values = sizeOf(modeOf(tv, 1)); v < values; ++v) {
      int64_t index = indexAt(tv, t + WARP * v);
      *inPart(o, CUTE_OPERAND_C, warp * WARP + t, v, m, n) +=
          product(o, index % 16, index / 16);
    }
}

// The same of whole matrices, by definition.
static int64_t expected(const Operands *o, int64_t m, int64_t n) {
  const CuteMmaAtom *atom = o->mma.atom;
  const Matrix *x = o->matrices;
  int64_t sum = 0;
  for (int64_t i = 0; i < x[CUTE_OPERAND_A].columns; ++i) {
    int64_t columns[MAX_TILE] = {0}, group = i - i % 8, k = i, factor = 1;
    if (isSparse(atom)) {
      int64_t each = storedK(atom) / atom->e.k;
      for (int64_t j = 0; j < 8 / each; ++j)
        columns[j] = *at(x[CUTE_OPERAND_E], m, group / each + j);
      k = 2 * group + placeOf(atom, columns, 1, 0, i % 8);
    }
    int64_t block = k / (atom->k / (atom->sfa.k ? atom->sfa.k : 1));
    if (isScaled(atom))
      factor = *at(x[CUTE_OPERAND_SFA], m, block) *
               *at(x[CUTE_OPERAND_SFB], n, block);
    sum += factor * *at(x[CUTE_OPERAND_A], m, i) * *at(x[CUTE_OPERAND_B], n, k);
  }
  return sum;
}

// Two warps along M and two rests along N and K.
static void checkProduct(const CuteMmaAtom *atom) {
  static Operands o;
  o.mma = (CuteTiledMma){atom, layout("(2,1,1)"), tile("[_;_;_]")};
  assert_true(cuteTiledMmaCheck(context, o.mma));
  for (int i = 0; i < CUTE_NUM_MMA_OPERANDS; ++i) {
    CuteMmaOperand operand = (CuteMmaOperand)i;
    bool isOfB = i == CUTE_OPERAND_B || i == CUTE_OPERAND_SFB;
    if (!cuteMmaAtomHasOperand(atom, operand))
      continue;
    Matrix m = o.matrices[i] = matrix(o.mma, operand, isOfB ? 2 : 1, 2);
    for (int64_t j = 0; i != CUTE_OPERAND_C && j < m.rows * m.columns; ++j)
      m.data[j] = pick(-9, 9);
    if (operand == CUTE_OPERAND_E)
      fillMetadata(m, cuteElementTypeGetBits(atom->e.element) == 4);
  }
  for (int64_t i = 0; i < 2 * 2 * 2; ++i)
    runAtom(&o, i % 2, 0, i / 2 % 2, i / 4);
  Matrix c = o.matrices[CUTE_OPERAND_C];
  for (int64_t m = 0; m < c.rows; ++m)
    for (int64_t n = 0; n < c.columns; ++n)
      if (*at(c, m, n) != expected(&o, m, n))
        fail_msg("%s: (%lld,%lld) is %lld, not %lld", atom->name, (long long)m,
                 (long long)n, (long long)*at(c, m, n),
                 (long long)expected(&o, m, n));
  for (int i = 0; i < CUTE_NUM_MMA_OPERANDS; ++i)
    if (cuteMmaAtomHasOperand(atom, (CuteMmaOperand)i))
      free(o.matrices[i].data);
}

// One atom of each shape and kinds of elements.
static void atomsMultiply(void **state) {
  (void)state;
  static const char *const names[] = {
      "SM80_SPARSE_16x8x16_F32F16F16F32_TN",
      "SM80_SPARSE_16x8x32_F32BF16BF16F32_TN",
      "SM80_SPARSE_16x8x8_F32TF32TF32F32_TN",
      "SM80_SPARSE_16x8x16_F32TF32TF32F32_TN",
      "SM80_SPARSE_16x8x32_S32S8S8S32_TN",
      "SM80_SPARSE_16x8x64_S32S8S8S32_TN",
      "SM80_SPARSE_16x8x64_S32S4S4S32_TN",
      "SM80_SPARSE_16x8x128_S32U4S4S32_TN",
      "SM120_16x8x32_TN_VS<float_e4m3_t,float_e2m1_t,float,float_ue8m0_t,32>",
      "SM120_16x8x64_TN_VS<float_e2m1_t,float_e2m1_t,float,float_ue4m3_t,16>",
      "SM120_SPARSE_16x8x64_TN_VS<float_e4m3_t,float_e4m3_t,float,"
      "float_ue8m0_t,64>",
      "SM120_SPARSE_16x8x128_TN_VS<float_e2m1_t,float_e2m1_t,float,"
      "float_ue4m3_t,32>",
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    const CuteMmaAtom *atom = cuteMmaAtomFind(cuteStringRef(names[i]));
    checkProduct(made(atom, names[i]));
  }
}

//===-- Rejections --------------------------------------------------------===//

static void rejects(void **state) {
  (void)state;
  const CuteMmaAtom *sparse =
      cuteMmaAtomFind(cuteStringRef("SM80_SPARSE_16x8x32_F32F16F16F32_TN"));
  CuteTiledMma mma = {sparse, layout("(1,1,1)"), tile("[_;_;32]")};
  assertFails(cuteTiledMmaCheck(context, mma),
              "the permutation must be _ in K, as operand A of "
              "SM80_SPARSE_16x8x32_F32F16F16F32_TN has 16 elements along K "
              "where B has 32");
  mma.permutation = tile("[32;16;_]");
  assert_true(cuteTiledMmaCheck(context, mma));
  assertFails(cuteMmaAtomGetLayout(context, sparse, CUTE_OPERAND_SFA),
              "SM80_SPARSE_16x8x32_F32F16F16F32_TN has no operand SFA; it has "
              "A, B, C, E");
  const CuteMmaAtom *dense =
      cuteMmaAtomFind(cuteStringRef("SM80_16x8x16_F32F16F16F32_TN"));
  mma.atom = dense;
  assertFails(cuteTiledMmaThrFrg(context, mma, CUTE_OPERAND_E, layout("(4,8)")),
              "SM80_16x8x16_F32F16F16F32_TN has no operand E; it has A, B, C");
  assertFails(
      cuteTiledMmaGetLayoutTV(context, mma, CUTE_OPERAND_SFB),
      "SM80_16x8x16_F32F16F16F32_TN has no operand SFB; it has A, B, C");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(namesOfOperands),   cmocka_unit_test(operandsOfRows),
      cmocka_unit_test(metadataFragments), cmocka_unit_test(factorFragments),
      cmocka_unit_test(atomsMultiply),     cmocka_unit_test(rejects),
  };
  return RUN_TESTS(tests);
}
