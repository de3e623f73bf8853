// Tiled MMA: the parts of all threads, fed to a simulated instruction, make the
// matrix product.
#include "algebra_test_util.h"
#include "cute/Atom.h"

static const struct {
  const char *atomLayout, *permutation;
} arrangements[] = {
    {"(1,1,1)", "[_;_;_]"},           {"(2,2,1):(1,2,0)", "[_;_;_]"},
    {"(2,2,1):(2,1,0)", "[32;32;_]"}, {"(4,1,1)", "[_;16;_]"},
    {"(1,4,1)", "[_;_;32]"},          {"(2,2,1)", "[32;(8,2,2):(1,16,8);16]"},
};
enum { NUM_ARRANGEMENTS = sizeof arrangements / sizeof *arrangements };

// Of 16 x 8 x 8 and 16 x 8 x 16 in turn.
static const CuteMmaAtom *atomOf(size_t i) {
  return cuteMmaAtomFind(cuteStringRef(i % 2 ? "SM80_16x8x16_F32F16F16F32_TN"
                                             : "SM80_16x8x8_F16F16F16F16_TN"));
}

static CuteTiledMma make(const CuteMmaAtom *atom, size_t i) {
  CuteTiledMma mma = {atom, layout(arrangements[i].atomLayout),
                      tile(arrangements[i].permutation)};
  if (!cuteTiledMmaCheck(context, mma))
    fail_msg("%s: %s", arrangements[i].permutation,
             cuteContextGetError(context));
  return mma;
}

static int64_t tileSize(CuteTiledMma mma, int mode) {
  return cuteIntTupleGetValue(cuteTiledMmaGetTileSize(context, mma, mode));
}

static int64_t numThreads(CuteTiledMma mma) {
  return sizeOf(cuteTiledMmaGetThrLayout(context, mma));
}

//===-- Simulation --------------------------------------------------------===//

// A matrix of integers with its layout, and the part of one thread in it.
typedef struct Matrix {
  CuteLayout layout;
  int64_t rows, columns, *data;
} Matrix;

static Matrix matrix(int64_t rows, int64_t columns, bool byRow) {
  int64_t strides[] = {byRow ? columns : 1, byRow ? 1 : rows};
  CuteIntTuple extents[] = {integer(rows), integer(columns)};
  Matrix m = {withStrides(cuteIntTupleGetTuple(context, 2, extents), strides),
              rows, columns, calloc((size_t)(rows * columns), 8)};
  return m;
}

static int64_t *at(Matrix m, int64_t row, int64_t column) {
  return &m.data[indexAt(m.layout, row + m.rows * column)];
}

static void fill(Matrix m) {
  for (int64_t i = 0; i < m.rows * m.columns; ++i)
    m.data[i] = pick(-9, 9);
}

// Value v at the rests (i,j) of a thread's part.
static int64_t *inPart(Matrix m, CutePartition part, int64_t v, int64_t i,
                       int64_t j) {
  int64_t values = sizeOf(modeOf(part.layout, 0));
  int64_t rests = sizeOf(modeOf(part.layout, 1));
  int64_t index = cuteIntTupleGetValue(part.offset) +
                  indexAt(part.layout, v + values * (i + rests * j));
  assert_true(index >= 0 && index < m.rows * m.columns);
  return &m.data[index];
}

static CutePartition partOf(CuteTiledMma mma, CuteMmaOperand operand, Matrix m,
                            int64_t thread) {
  CutePartition part =
      cuteTiledMmaPartition(context, mma, operand, m.layout, integer(thread));
  made(part.layout, "partition");
  return part;
}

enum { MAX_ATOM_THREADS = 128, MAX_ATOM_TILE = 64 * 32 };
typedef CutePartition Parts[MAX_ATOM_THREADS][3];

// What the values of all threads are in the tile of an operand.
static void gather(const CuteMmaAtom *atom, CuteMmaOperand operand, Matrix from,
                   Parts parts, int64_t i, int64_t j, int64_t *tile) {
  CuteLayout tv = cuteMmaAtomGetLayout(context, atom, operand);
  int64_t threads = sizeOf(modeOf(tv, 0)), values = sizeOf(modeOf(tv, 1));
  for (int64_t t = 0; t < threads; ++t)
    for (int64_t v = 0; v < values; ++v)
      tile[indexAt(tv, t + threads * v)] =
          *inPart(from, parts[t][operand], v, i, j);
}

// One instruction for the rests (m,n,k).
static void runAtom(CuteTiledMma mma, Matrix a, Matrix b, Matrix c, Parts parts,
                    int64_t m, int64_t n, int64_t k) {
  const CuteMmaAtom *atom = mma.atom;
  int64_t tileA[MAX_ATOM_TILE], tileB[MAX_ATOM_TILE];
  assert_true(atom->m * atom->k <= MAX_ATOM_TILE &&
              atom->n * atom->k <= MAX_ATOM_TILE);
  gather(atom, CUTE_OPERAND_A, a, parts, m, k, tileA);
  gather(atom, CUTE_OPERAND_B, b, parts, n, k, tileB);
  CuteLayout tv = cuteMmaAtomGetLayout(context, atom, CUTE_OPERAND_C);
  int64_t threads = sizeOf(modeOf(tv, 0)), values = sizeOf(modeOf(tv, 1));
  for (int64_t t = 0; t < threads; ++t)
    for (int64_t v = 0; v < values; ++v) {
      int64_t index = indexAt(tv, t + threads * v), sum = 0;
      for (int64_t l = 0; l < atom->k; ++l)
        sum += tileA[index % atom->m + atom->m * l] *
               tileB[index / atom->m + atom->n * l];
      *inPart(c, parts[t][CUTE_OPERAND_C], v, m, n) += sum;
    }
}

static void multiply(CuteTiledMma mma, Matrix a, Matrix b, Matrix c) {
  CuteLayout threads = cuteTiledMmaGetThrLayout(context, mma);
  int64_t perAtom = sizeOf(modeOf(threads, 0));
  assert_true(perAtom <= MAX_ATOM_THREADS);
  for (int64_t i = 0; i < numThreads(mma) / perAtom; ++i) {
    Parts parts;
    for (int64_t t = 0; t < perAtom; ++t) {
      int64_t thread = indexAt(threads, t + perAtom * i);
      parts[t][0] = partOf(mma, CUTE_OPERAND_A, a, thread);
      parts[t][1] = partOf(mma, CUTE_OPERAND_B, b, thread);
      parts[t][2] = partOf(mma, CUTE_OPERAND_C, c, thread);
    }
    int64_t rests[] = {sizeOf(modeOf(parts[0][2].layout, 1)),
                       sizeOf(modeOf(parts[0][2].layout, 2)),
                       sizeOf(modeOf(parts[0][0].layout, 2))};
    for (int64_t m = 0; m < rests[0]; ++m)
      for (int64_t n = 0; n < rests[1]; ++n)
        for (int64_t k = 0; k < rests[2]; ++k)
          runAtom(mma, a, b, c, parts, m, n, k);
  }
}

// The product of matrices that are some tiles large.
static void checkProduct(CuteTiledMma mma, size_t i) {
  int64_t m = tileSize(mma, 0) * (i % 2 ? 1 : 2), n = tileSize(mma, 1);
  int64_t k = tileSize(mma, 2) * (i % 3 ? 1 : 2);
  Matrix a = matrix(m, k, i & 1), b = matrix(n, k, i & 2);
  Matrix c = matrix(m, n, i & 4);
  fill(a);
  fill(b);
  multiply(mma, a, b, c);
  for (int64_t x = 0; x < m; ++x)
    for (int64_t y = 0; y < n; ++y) {
      int64_t sum = 0;
      for (int64_t l = 0; l < k; ++l)
        sum += *at(a, x, l) * *at(b, y, l);
      if (*at(c, x, y) != sum)
        fail_msg("%s %zu: (%lld,%lld) is %lld, not %lld", mma.atom->name, i,
                 (long long)x, (long long)y, (long long)*at(c, x, y),
                 (long long)sum);
    }
  free(a.data);
  free(b.data);
  free(c.data);
}

static void partsMakeTheProduct(void **state) {
  (void)state;
  for (size_t i = 0; i < NUM_ARRANGEMENTS; ++i)
    checkProduct(make(atomOf(i), i), i);
}

static bool hasLayoutsOf(const CuteMmaAtom *a, const CuteMmaAtom *b) {
  return !strcmp(a->layoutA, b->layoutA) && !strcmp(a->layoutB, b->layoutB) &&
         !strcmp(a->layoutC, b->layoutC);
}

// Of the atoms that differ in types or majors alone, the first.
static void everyAtomMultiplies(void **state) {
  (void)state;
  enum { MAX_SEEN = 64 };
  const CuteMmaAtom *seen[MAX_SEEN];
  size_t numSeen = 0;
  for (size_t i = 0; i < cuteMmaAtomGetNum(); ++i) {
    const CuteMmaAtom *atom = cuteMmaAtomGet(i);
    size_t j = 0;
    while (j < numSeen && !hasLayoutsOf(atom, seen[j]))
      ++j;
    if (j < numSeen || atom->n > 8 || atom->k > 32 || atom->e.layout)
      continue;
    assert_true(numSeen < MAX_SEEN);
    seen[numSeen++] = atom;
    checkProduct(make(atom, atom->m == 64 ? 0 : 1), 1);
  }
  assert_true(numSeen > 20);
}

//===-- Layouts -----------------------------------------------------------===//

// Partitioning the column-major tile gives what the TV layout says.
static void layoutTVIsThePartitionOfTheTile(void **state) {
  (void)state;
  static const int modes[][2] = {{0, 2}, {1, 2}, {0, 1}};
  for (size_t i = 0; i < NUM_ARRANGEMENTS; ++i)
    for (int operand = 0; operand < 3; ++operand) {
      CuteTiledMma mma = make(atomOf(0), i);
      CuteIntTuple extents[] = {integer(tileSize(mma, modes[operand][0])),
                                integer(tileSize(mma, modes[operand][1]))};
      CuteLayout whole = cuteLayoutGet(
          context, cuteIntTupleGetTuple(context, 2, extents), NULL);
      CuteLayout tv =
          cuteTiledMmaGetLayoutTV(context, mma, (CuteMmaOperand)operand);
      int64_t threads = numThreads(mma);
      assertLaw(tv && sizeOf(modeOf(tv, 0)) == threads, whole, tv, i);
      for (int64_t t = 0; t < threads; ++t) {
        CutePartition part = cuteTiledMmaPartition(
            context, mma, (CuteMmaOperand)operand, whole, integer(t));
        assertLaw(part.layout, whole, tv, t);
        for (int64_t v = 0, n = sizeOf(part.layout); v < n; ++v)
          assertLaw(indexAt(tv, t + threads * v) ==
                        cuteIntTupleGetValue(part.offset) +
                            indexAt(part.layout, v),
                    tv, part.layout, t);
      }
    }
}

static void examples(void **state) {
  (void)state;
  const CuteMmaAtom *atom =
      cuteMmaAtomFind(cuteStringRef("SM80_16x8x16_F32F16F16F32_TN"));
  CuteTiledMma mma = {atom, layout("(2,2,1):(1,2,0)"), tile("[32;32;16]")};
  assert_true(cuteTiledMmaCheck(context, mma));
  assertLayout(cuteTiledMmaGetThrLayout(context, mma),
               "(32,2,2,1):(1,32,64,0)");
  assertTuple(cuteTiledMmaGetTileSize(context, mma, 0), "32");
  assertTuple(cuteTiledMmaGetTileSize(context, mma, 1), "32");
  assertTuple(cuteTiledMmaGetTileSize(context, mma, 2), "16");
  CuteLayout c = layout("(128,128):(128,1)");
  CuteLayout thrFrg = cuteTiledMmaThrFrg(context, mma, CUTE_OPERAND_C, c);
  assert_non_null(thrFrg);
  assert_true(haveSameImage(thrFrg, c));
  assert_int_equal(sizeOf(modeOf(thrFrg, 0)), 128);
  // An unknown thread: what is known of the offset is its divisor.
  CutePartition part =
      cuteTiledMmaPartition(context, mma, CUTE_OPERAND_C, c, tuple("?"));
  assertLayout(part.layout, "((2,2),4,8):((1,1024),4096,16)");
  assertTuple(part.offset, "?{div=2}");
}

static void rejects(void **state) {
  (void)state;
  const CuteMmaAtom *atom = atomOf(0);
  static const char *const cases[][3] = {
      {"(2,2):(1,2)", "[_;_;_]", "atom layout must be a static layout"},
      {"(2,?,1):(1,2,0)", "[_;_;_]", "atom layout must be a static layout"},
      {"S<1,0,1> o 0 o (2,2,1):(1,2,0)", "[_;_;_]", "atom layout"},
      {"(2,2,1):(1,2,0)", "[_;_]", "permutation must be a static tile"},
      {"(2,2,1):(1,2,0)", "[?;_;_]", "permutation must be a static tile"},
      {"(2,2,1):(1,2,0)", "[16;_;_]", "extent 16 of mode M"},
      {"(2,2,1):(1,2,0)", "[_;24;_]", "extent 24 of mode N"},
      {"(2,2,1):(1,2,0)", "[_;_;12]", "extent 12 of mode K"},
      {"(2,2,1):(1,1,0)", "[_;_;_]",
       "threads (0,1,0,0) and (0,0,1,0) of (V,M,N,K) have one index, 32"},
      {"(2,1,1):(0,0,0)", "[_;_;_]",
       "threads (0,0,0,0) and (0,1,0,0) of (V,M,N,K) have one index, 0"},
      {"(2,2,1):(1,-1,0)", "[_;_;_]", "indices from 0 to 1023, not -32"},
      {"(2,1,1):(32,0,0)", "[_;_;_]", "indices from 0 to 1023, not 1024"},
      {"(8,8,1)", "[_;_;_]", "at most 1024 threads"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    CuteTiledMma mma = {atom, layout(cases[i][0]), tile(cases[i][1])};
    assertFailsFor(cases[i][1], cuteTiledMmaCheck(context, mma), cases[i][2]);
  }
  CuteTiledMma mma = make(atom, 0);
  assertFails(cuteTiledMmaThrFrg(context, mma, CUTE_OPERAND_A, layout("16:1")),
              "tiled_mma partition: needs two modes or more, not shape 16");
  assert_null(
      cuteTiledMmaPartition(context, mma, CUTE_OPERAND_A, NULL, integer(0))
          .layout);
  assert_null(cuteTiledMmaPartition(context, mma, CUTE_OPERAND_A,
                                    layout("(16,16)"), NULL)
                  .layout);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(partsMakeTheProduct),
      cmocka_unit_test(everyAtomMultiplies),
      cmocka_unit_test(layoutTVIsThePartitionOfTheTile),
      cmocka_unit_test(examples),
      cmocka_unit_test(rejects),
  };
  return RUN_TESTS(tests);
}
