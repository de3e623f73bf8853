// The convolution against float64. What is not in a tensor is NaN.
#include "simulate_mma.h"

#include <math.h>

typedef struct Image {
  half *values;
  int extents[4];
  int64_t strides[4];
} Image;

#define PASSED half *, int, int, int, int, int64_t, int64_t, int64_t
#define PASS(t)                                                                \
  (t).values, (t).extents[0], (t).extents[1], (t).extents[2], (t).extents[3],  \
      (t).strides[0], (t).strides[1], (t).strides[2]

void conv2d(PASSED, PASSED, PASSED, int, int, int);

static Image a, b, d;
static int stride, pad, dilation;

static void runKernel(void) {
  conv2d(PASS(a), PASS(b), PASS(d), stride, pad, dilation);
}

static half *at(const Image *t, int i, int j, int k) {
  return t->values + i * t->strides[0] + j * t->strides[1] + k * t->strides[2];
}

static Image make(int n, int h, int w, int c, int gap, int isOperand) {
  Image t = {.extents = {n, h, w, c}, .strides = {0, 0, c + gap, 1}};
  t.strides[1] = t.strides[2] * w + gap, t.strides[0] = t.strides[1] * h;
  t.values = aligned_alloc(64, (size_t)(n * t.strides[0] * 2 + 63) / 64 * 64);
  for (int64_t i = 0; i < n * t.strides[0]; ++i)
    t.values[i] = (half)NAN;
  for (int i = 0; isOperand && i < n * h * w; ++i)
    for (int k = 0; k < c; ++k)
      at(&t, i / w / h, i / w % h, i % w)[k] = (half)nextValue();
  return t;
}

static double wanted(int n, int p, int q, int k) {
  double sum = 0;
  for (int r = 0; r < b.extents[1]; ++r)
    for (int s = 0; s < b.extents[2]; ++s) {
      int h = stride * p + dilation * r - pad,
          w = stride * q + dilation * s - pad;
      if (h < 0 || h >= a.extents[1] || w < 0 || w >= a.extents[2])
        continue;
      for (int c = 0; c < a.extents[3]; ++c)
        sum += (double)at(&a, n, h, w)[c] * (double)at(&b, k, r, s)[c];
    }
  return sum;
}

static int outputs(int extent, int filter) {
  return (extent + 2 * pad - dilation * (filter - 1) - 1) / stride + 1;
}

// Sizes are N, H, W, C, K, R, S, stride, pad, dilation.
static void check(const int *s) {
  stride = s[7], pad = s[8], dilation = s[9];
  int p = outputs(s[1], s[5]), q = outputs(s[2], s[6]);
  a = make(s[0], s[1], s[2], s[3], 8, 1),
  b = make(s[4], s[5], s[6], s[3], 0, 1);
  d = make(s[0], p, q, s[4], 16, 0);
  for (sim.block[2] = 0; sim.block[2] < s[0]; ++sim.block[2])
    launch((q + 15) / 16 * ((p + 7) / 8), (s[4] + 127) / 128, 256, runKernel);
  double error = 0, most = 0;
  for (int i = 0; i < s[0] * p * q; ++i)
    for (int k = 0; k < s[4]; ++k) {
      half *value = &at(&d, i / q / p, i / q % p, i % q)[k];
      double sum = wanted(i / q / p, i / q % p, i % q, k);
      error = worst(error, fabs((double)*value - sum));
      most = fmax(most, fabs(sum));
      *value = (half)NAN;
    }
  for (int64_t i = 0; i < s[0] * d.strides[0]; ++i)
    if (d.values[i] == d.values[i])
      error = NAN;
  compare("conv2d", p, q, error, most, 1e-3);
  free(a.values), free(b.values), free(d.values);
}

int main(void) {
  static const int sizes[][10] = {
      {1, 8, 16, 64, 128, 1, 1, 1, 0, 1}, {2, 5, 18, 72, 136, 2, 3, 1, 1, 1},
      {1, 6, 5, 8, 8, 3, 2, 1, 0, 1},     {1, 9, 9, 40, 16, 3, 3, 2, 2, 1},
      {1, 9, 10, 16, 24, 3, 3, 1, 2, 2},  {1, 1, 1, 8, 8, 1, 1, 1, 0, 1}};
  int count = 0;
  for (; count < (int)(sizeof sizes / sizeof *sizes); ++count)
    check(sizes[count]);
  printf("%d sizes, %d failures\n", count, failures);
  return failures != 0;
}
