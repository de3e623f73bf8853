// Kernels of attention against float64. Options of the compiler are KERNEL, D,
// UNIT, of which strides have to be multiples, ROWS of a block (128), BATCHES
// (2), PLAIN for kernels that know no causal mask, and SIZES: rows, columns,
// whether causal, and how K grows.
#include "simulate_mma.h"

#include <math.h>

#ifndef ROWS
#define ROWS 128
#endif
#ifndef BATCHES
#define BATCHES 2
#endif
#ifndef SIZES
#define SIZES                                                                  \
  {1, 1, 0, 0}, {128, 64, 0, 0}, {130, 200, 0, 0}, {66, 150, 1, 0},            \
      {60, 250, 0, 1.0 / 16}, {                                                \
    130, 7, 1, 0                                                               \
  }
#endif

enum { HEADS = 2 };

// A tensor (batch, head, row, D), whose rows are further apart than they are
// long.
typedef struct Tensor {
  half *values;
  int rows;
  int64_t batch, head, row, size;
} Tensor;

#define PASSED half *, int, int, int, int64_t, int64_t, int64_t
#define PASS(t)                                                                \
  (t).values, BATCHES, HEADS, (t).rows, (t).batch, (t).head, (t).row

static const float scale = 0.75f;
static Tensor q, k, v, o;
static int causal;

#ifdef PLAIN
void KERNEL(PASSED, PASSED, PASSED, PASSED, float);
static void runKernel(void) {
  KERNEL(PASS(q), PASS(k), PASS(v), PASS(o), scale);
}
#else
void KERNEL(PASSED, PASSED, PASSED, PASSED, float, int);
static void runKernel(void) {
  KERNEL(PASS(q), PASS(k), PASS(v), PASS(o), scale, causal);
}
#endif

static half *at(const Tensor *t, int batch, int head, int row) {
  return t->values + batch * t->batch + head * t->head + row * t->row;
}

// NaN in all tensors but in the rows of the first three. Row r is multiplied by
// 1 + r growth.
static Tensor make(int rows, int gap, int isOperand, double growth) {
  Tensor t = {.rows = rows, .row = D + gap * UNIT};
  t.head = t.row * rows + 2 * UNIT;
  t.batch = t.head * HEADS + 3 * UNIT;
  t.size = t.batch * BATCHES;
  t.values = aligned_alloc(64, ((size_t)t.size * 2 + 63) / 64 * 64);
  for (int64_t i = 0; i < t.size; ++i)
    t.values[i] = (half)NAN;
  for (int i = 0; isOperand && i < BATCHES * HEADS * rows; ++i)
    for (int d = 0; d < D; ++d)
      at(&t, i / rows / HEADS, i / rows % HEADS, i % rows)[d] =
          (half)(nextValue() * (1 + i % rows * growth));
  return t;
}

// Row m of O in sums, not yet divided by what is returned.
static double sumRow(int batch, int head, int m, double *sums) {
  double all = 0;
  for (int d = 0; d < D; ++d)
    sums[d] = 0;
  for (int n = 0; n < k.rows && (!causal || n <= m); ++n) {
    double s = 0;
    for (int d = 0; d < D; ++d)
      s +=
          (double)at(&q, batch, head, m)[d] * (double)at(&k, batch, head, n)[d];
    double p = exp((double)scale * s);
    all += p;
    for (int d = 0; d < D; ++d)
      sums[d] += p * (double)at(&v, batch, head, n)[d];
  }
  return all;
}

// Of what is not in O nothing may be a number afterwards.
static void check(int rows, int columns, int isCausal, double growth) {
  q = make(rows, 1, 1, 0), k = make(columns, 2, 1, growth);
  v = make(columns, 0, 1, 0), o = make(rows, 3, 0, 0);
  causal = isCausal;
  for (sim.block[2] = 0; sim.block[2] < BATCHES; ++sim.block[2])
    launch((rows + ROWS - 1) / ROWS, HEADS, 128, runKernel);
  double error = 0, most = 0, sums[D];
  for (int i = 0; i < BATCHES * HEADS * rows; ++i) {
    int batch = i / rows / HEADS, head = i / rows % HEADS, m = i % rows;
    double all = sumRow(batch, head, m, sums);
    for (int d = 0; d < D; ++d) {
      half *value = &at(&o, batch, head, m)[d];
      error = worst(error, fabs((double)*value - sums[d] / all));
      most = fmax(most, fabs(sums[d] / all));
      *value = (half)NAN;
    }
  }
  for (int64_t i = 0; i < o.size; ++i)
    if (o.values[i] == o.values[i])
      error = NAN;
  compare("attention", rows, columns, error, most, 1e-3);
  free(q.values), free(k.values), free(v.values), free(o.values);
}

// With a K that grows, maxima do so as well, by more and by less than 8.
int main(void) {
  static const struct {
    int rows, columns, causal;
    double growth;
  } sizes[] = {SIZES};
  int count = 0;
#ifdef PLAIN
  const int masks = 0;
#else
  const int masks = 1;
#endif
  for (; count < (int)(sizeof sizes / sizeof *sizes); ++count)
    check(sizes[count].rows, sizes[count].columns, masks && sizes[count].causal,
          sizes[count].growth);
  printf("%d sizes, %d failures\n", count, failures);
  return failures != 0;
}
