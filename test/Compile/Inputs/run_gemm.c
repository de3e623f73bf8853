// Kernels that multiply matrices, C = A * transpose(B), against float64.
// KERNEL, the tile and what its sizes have to be multiples of are options of
// the compiler; with FLOAT8 operands are of f8E4M3FN, and BATCHES is for
// matrices with a third mode, behind one another in memory. STREAM is how many
// blocks share all tiles, through a workspace with WORK elements for each.
#include "simulate_mma.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#ifndef RESULT
#define RESULT half
#endif
#ifdef FLOAT8
#define ELEMENT uint8_t
#endif
#ifndef ELEMENT
#define ELEMENT half
#endif

#ifdef BATCHES
void KERNEL(ELEMENT *, int, int, int, int64_t, int64_t, ELEMENT *, int, int,
            int, int64_t, int64_t, RESULT *, int, int, int, int64_t, int64_t);
#define BLOCKS_Z BATCHES
#else
void KERNEL(ELEMENT *, int, int, int64_t, ELEMENT *, int, int, int64_t,
            RESULT *, int, int, int64_t
#ifdef SPLITS
            ,
            int
#endif
#ifdef STREAM
            ,
            SUM *, int64_t, int32_t *, int
#endif
);
#define BATCHES 1
#define UNBATCHED
#endif

static ELEMENT *a, *b;
static RESULT *c;
static int m, n, k;
static int64_t lda, ldb, ldc;

#ifndef SPLITS
#ifndef BLOCKS_Z
#define BLOCKS_Z 1
#endif
#else
#define BLOCKS_Z SPLITS
#endif

#ifdef STREAM
static SUM work[STREAM * WORK + 1];
static int32_t counters[2 * STREAM + 1];
#endif

static void runKernel(void) {
#ifndef UNBATCHED
  KERNEL(a, m, k, BATCHES, lda, m * lda, b, n, k, BATCHES, ldb, n * ldb, c, m,
         n, BATCHES, ldc, m * ldc);
#else
  KERNEL(a, m, k, lda, b, n, k, ldb, c, m, n, ldc
#ifdef SPLITS
         ,
         SPLITS
#endif
#ifdef STREAM
         ,
         work, STREAM * WORK, counters, 2 * STREAM
#endif
  );
#endif
}

static void *allocate(int64_t count, size_t width) {
  return aligned_alloc(64, ((size_t)count * width + 127) / 64 * 64);
}

// The next multiple of `unit` above `extent`: pitches are larger than rows.
static int64_t pitchOf(int extent, int unit) {
  return extent / unit * unit + unit;
}

#ifdef FLOAT8
static const ELEMENT noNumber = 0x7f;

static ELEMENT nextElement(void) {
  int code = (int)(nextValue() * 126);
  return (ELEMENT)(code < 0 ? 128 - code : code);
}

static double valueOf(ELEMENT code) {
  return code == noNumber ? NAN : decodeE4m3(code);
}
#else
static const ELEMENT noNumber = (ELEMENT)NAN;

static ELEMENT nextElement(void) { return (ELEMENT)nextValue(); }

static double valueOf(ELEMENT element) { return (double)element; }
#endif

static ELEMENT *makeOperand(int rows, int64_t pitch) {
  ELEMENT *values = allocate(rows * pitch, sizeof *values);
  for (int64_t i = 0; i < rows * pitch; ++i)
    values[i] = i % pitch < k ? nextElement() : noNumber;
  return values;
}

// Row i is counted through all matrices.
static double wanted(int i, int j) {
  int column = i / m * n + j;
#ifdef SPLITS
  double sum = INITIAL;
#else
  double sum = 0;
#endif
  for (int l = 0; l < k; ++l)
    sum += valueOf(a[i * lda + l]) * valueOf(b[column * ldb + l]);
  return sum;
}

#ifdef STREAM
static const SUM workGuard = 77;

// Counters are zeros after each launch, and what is behind them and the
// workspace stays.
static bool isClean(void) {
  bool isRight = work[STREAM * WORK] == workGuard && counters[2 * STREAM] == 78;
  for (int i = 0; i < 2 * STREAM; ++i)
    isRight = isRight && !counters[i];
  return isRight;
}

// Twice, the second time with the blocks in the opposite order: the result is
// the same to the bit.
static void launchAll(void) {
  size_t size = (size_t)(m * ldc) * sizeof *c;
  RESULT *first = malloc(size);
  for (int i = 0; i < STREAM * WORK; ++i)
    work[i] = (SUM)INITIAL;
  work[STREAM * WORK] = workGuard;
  counters[2 * STREAM] = 78;
  launch(STREAM, 1, THREADS, runKernel);
  bool isRight = isClean();
  memcpy(first, c, size);
  for (sim.block[0] = STREAM - 1; sim.block[0] >= 0; --sim.block[0])
    runBlock();
  if (!isRight || !isClean() || memcmp(first, c, size)) {
    printf("%dx%dx%d: the second run differs or memory is spoiled\n", m, n, k);
    ++failures;
  }
  free(first);
}
#else
static void launchAll(void) {
  for (sim.block[2] = 0; sim.block[2] < BLOCKS_Z; ++sim.block[2])
    launch((m + TILE - 1) / TILE, (n + TILE - 1) / TILE, THREADS, runKernel);
}
#endif

// What is between the rows of C must stay.
static void check(int rows, int columns, int depth) {
  const RESULT guard = 77;
  m = rows, n = columns, k = depth;
  lda = pitchOf(k, UNIT_K), ldb = pitchOf(k, UNIT_K), ldc = pitchOf(n, UNIT_C);
  a = makeOperand(m * BATCHES, lda), b = makeOperand(n * BATCHES, ldb);
  c = allocate(m * BATCHES * ldc, sizeof *c);
  for (int64_t i = 0; i < m * BATCHES * ldc; ++i)
    c[i] = i % ldc < n ? (RESULT)INITIAL : guard;
  launchAll();
  double error = 0, most = 0;
  for (int i = 0; i < m * BATCHES; ++i)
    for (int64_t j = 0; j < ldc; ++j) {
      double is = (double)c[i * ldc + j];
      double e = fabs(is - (j < n ? wanted(i, (int)j) : (double)guard));
      error = worst(error, e);
      if (j < n)
        most = fmax(most, fabs(is));
    }
  compare("gemm", m, n, error, most, TOLERANCE);
  free(a), free(b), free(c);
}

int main(void) {
  static const int sizes[][3] = {SIZES};
  int count = 0;
  for (; count < (int)(sizeof sizes / sizeof *sizes); ++count)
    check(sizes[count][0], sizes[count][1], sizes[count][2]);
#ifdef SIM_RACES
  failures += races;
#endif
  printf("%d sizes, %d failures\n", count, failures);
  return failures != 0;
}
