// Kernels of the templates softmax or, with LAYER or RMS, norm on rows of many
// lengths, against float64; with PLAIN the kernel of examples/softmax.mlir,
// which takes lengths and pitches that are multiples of 8.
#include "simulate.h"

#include <math.h>
#include <string.h>

typedef _Float16 half;

#ifndef ELEMENTS
#define ELEMENTS 32
#endif

// The kernels by the length of their rows.
#ifdef PLAIN
#define KERNELS(X) X(2048)
#elif ELEMENTS == 32
#define KERNELS(X)                                                             \
  X(512)                                                                       \
  X(1024)                                                                      \
  X(2048) X(3072) X(4096) X(5120) X(6144) X(8192) X(10240) X(12288) X(16384)
#else
#define KERNELS(X) X(512) X(1024) X(2048) X(4096) X(8192)
#endif

#if defined LAYER
#define NAME "layernorm"
#define DECLARE(LENGTH)                                                        \
  void layernorm_##LENGTH(half *, int, int, int64_t, half *, int, half *, int, \
                          float, half *, int, int, int64_t);
#define CALL(LENGTH)                                                           \
  layernorm_##LENGTH(a, m, n, pitch, gamma_, n, beta, n, 1e-5f, b, m, n, pitch)
#elif defined RMS
#define NAME "rmsnorm"
#define DECLARE(LENGTH)                                                        \
  void rmsnorm_##LENGTH(half *, int, int, int64_t, half *, int, float, half *, \
                        int, int, int64_t);
#define CALL(LENGTH)                                                           \
  rmsnorm_##LENGTH(a, m, n, pitch, gamma_, n, 1e-5f, b, m, n, pitch)
#elif defined PLAIN
#define NAME "softmax"
#define DECLARE(LENGTH)                                                        \
  void softmax(half *, int, int, int64_t, half *, int, int, int64_t);
#define CALL(LENGTH) softmax(a, m, n, pitch, b, m, n, pitch)
#else
#define NAME "softmax"
#define DECLARE(LENGTH)                                                        \
  void softmax_##LENGTH(half *, int, int, int64_t, half *, int, int, int64_t);
#define CALL(LENGTH) softmax_##LENGTH(a, m, n, pitch, b, m, n, pitch)
#endif
KERNELS(DECLARE)

static half *a, *b, *gamma_, *beta;
static int m, n, count;
static int64_t pitch;

static double at(int i, int j) { return (double)a[i * pitch + j]; }

#define RUN(LENGTH)                                                            \
  static void run##LENGTH(void) { CALL(LENGTH); }
KERNELS(RUN)

// Element j of row i, of which these are the means and the like.
static double wanted(const char *name, int i, int j, double most, double sum,
                     double mean, double squares) {
  if (!strcmp(name, "layernorm"))
    return (at(i, j) - mean) / sqrt(squares - mean * mean + 1e-5) *
               (double)gamma_[j] +
           (double)beta[j];
  if (!strcmp(name, "rmsnorm"))
    return at(i, j) / sqrt(squares + 1e-5) * (double)gamma_[j];
  return exp(at(i, j) - most) / sum;
}

static void checkRow(const char *name, int i, double *error, double *largest) {
  double most = -INFINITY, sum = 0, mean = 0, squares = 0;
  for (int j = 0; j < n; ++j) {
    most = fmax(most, at(i, j));
    mean += at(i, j) / n;
    squares += at(i, j) * at(i, j) / n;
  }
  for (int j = 0; j < n; ++j)
    sum += exp(at(i, j) - most);
  for (int j = 0; j < n; ++j) {
    double w = wanted(name, i, j, most, sum, mean, squares);
    double e = fabs((double)b[i * pitch + j] - w);
    *error = worst(*error, e);
    *largest = fmax(*largest, fabs(w));
  }
}

// Rows of n elements, `gap` apart; a guard behind each must stay.
static void check(const char *name, int rows, int length, int gap, int grid,
                  int threads, double scale, double offset,
                  void (*body)(void)) {
  ++count;
  m = rows, n = length, pitch = length + gap;
  size_t size = (size_t)(m * pitch + 64) * sizeof *a;
  a = aligned_alloc(64, (size + 63) / 64 * 64);
  b = aligned_alloc(64, (size + 63) / 64 * 64);
  gamma_ = aligned_alloc(64, size / 64 * 64 + 64);
  beta = aligned_alloc(64, size / 64 * 64 + 64);
  for (int64_t i = 0; i < m * pitch; ++i)
    a[i] = (half)(nextValue() * scale + offset), b[i] = (half)77;
  for (int64_t i = 0; i < n; ++i)
    gamma_[i] = (half)nextValue(), beta[i] = (half)nextValue();
  launch(grid, 1, threads, body);
  double error = 0, largest = 0;
  for (int i = 0; i < m; ++i) {
    checkRow(name, i, &error, &largest);
    for (int64_t j = n; j < pitch; ++j)
      if (b[i * pitch + j] != (half)77)
        error = INFINITY;
  }
  compare(name, m, n, error, largest, 1e-3);
  free(a), free(b), free(gamma_), free(beta);
}

// A kernel for rows of at most `longest` elements, of which a block has several
// if they are short: rows that are shorter, as long and longer.
static void checkKernel(const char *name, int longest, double scale,
                        double offset, void (*body)(void)) {
  int threads = longest / ELEMENTS, rowsOfBlock = 1;
  if (threads <= 32)
    rowsOfBlock = 256 / threads, threads = 256;
  int rows = rowsOfBlock > 1 ? rowsOfBlock + 3 : 2;
  int lengths[] = {1, 77,          longest,        longest + 8,
                   8, longest - 1, longest / 2 + 8};
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; ++i)
    check(name, rows, lengths[i], i % 2 ? 8 : 0,
          (rows + rowsOfBlock - 1) / rowsOfBlock, threads, scale, offset, body);
}

#ifdef PLAIN
// Each warp of 8 has a row.
static void checkAll(void) {
  static const int lengths[] = {8, 200, 256, 264, 2048};
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; ++i)
    for (int rows = 1; rows <= 17; rows += 8)
      for (int offset = 0; offset <= 500; offset += 500)
        check("softmax", rows, lengths[i], rows == 9 ? 8 : 0, (rows + 7) / 8,
              256, offset ? 3 : 20000, offset, run2048);
}
#else
static void checkAll(void) {
#define CHECK(LENGTH)                                                          \
  checkKernel(NAME, LENGTH, 3, 0, run##LENGTH);                                \
  checkKernel(NAME, LENGTH, 20000, 0, run##LENGTH);                            \
  checkKernel(NAME, LENGTH, 3, 500, run##LENGTH);
  KERNELS(CHECK)
}
#endif

int main(void) {
  checkAll();
  printf("%d sizes, %d failures\n", count, failures);
  return failures != 0;
}
