// softmax, layernorm and rmsnorm on rows of many lengths, against float64.
#include "simulate.h"

#include <math.h>
#include <string.h>

typedef _Float16 half;

#ifdef NORM
void layernorm(half *, int, int, int64_t, half *, int, half *, int, float,
               half *, int, int, int64_t);
void rmsnorm(half *, int, int, int64_t, half *, int, float, half *, int, int,
             int64_t);
#else
void softmax(half *, int, int, int64_t, half *, int, int, int64_t);
void softmax_short(half *, int, int, int64_t, half *, int, int, int64_t);
#endif

static half *a, *b, *gamma_, *beta;
static int m, n;
static int64_t pitch;

static double at(int i, int j) { return (double)a[i * pitch + j]; }

#ifdef NORM
static void runLayerNorm(void) {
  layernorm(a, m, n, pitch, gamma_, n, beta, n, 1e-5f, b, m, n, pitch);
}
static void runRmsNorm(void) {
  rmsnorm(a, m, n, pitch, gamma_, n, 1e-5f, b, m, n, pitch);
}
#else
static void runSoftmax(void) { softmax(a, m, n, pitch, b, m, n, pitch); }
static void runShort(void) { softmax_short(a, m, n, pitch, b, m, n, pitch); }
#endif

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
                  int threads, double scale, void (*body)(void)) {
  m = rows, n = length, pitch = length + gap;
  size_t size = (size_t)(m * pitch + 64) * sizeof *a;
  a = aligned_alloc(64, (size + 63) / 64 * 64);
  b = aligned_alloc(64, (size + 63) / 64 * 64);
  gamma_ = aligned_alloc(64, size / 64 * 64 + 64);
  beta = aligned_alloc(64, size / 64 * 64 + 64);
  for (int64_t i = 0; i < m * pitch; ++i)
    a[i] = (half)(nextValue() * scale), b[i] = (half)77;
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

int main(void) {
  static const int lengths[] = {1,    3,    8,    40,   777,  1000,  1024,
                                1032, 4096, 4104, 8192, 8200, 16384, 16400};
  int count = 0;
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; ++i)
    for (int gap = 0; gap <= 8; gap += 8, ++count) {
      int length = lengths[i];
#ifdef NORM
      check("layernorm", 2, length, gap, 2, 512, 2, runLayerNorm);
      check("rmsnorm", 2, length, gap, 2, 512, 2, runRmsNorm);
#else
      check("softmax", 2, length, gap, 2, 512, i % 2 ? 3 : 30000, runSoftmax);
      check("softmax_short", 11, length, gap, 2, 256, 3, runShort);
#endif
    }
  printf("%d sizes, %d failures\n", count, failures);
  return failures != 0;
}
