// The steps of the tutorial before its GEMMs, against what they should compute.
#include "simulate_mma.h"

#include <math.h>

#if STEP == 1
void layout(float *, float *);
#elif STEP == 2
void tensor(float *, int, float *, int, float *, int);
#elif STEP == 3
void tiles(float *, int, int, int64_t, float *, int, int, int64_t, float *, int,
           int, int64_t);
#elif STEP == 4
void transpose(float *, int, int, int64_t, float *, int, int, int64_t);
#else
void mma_atom(half *, half *, float *);
#endif

enum { MOST = 1 << 16 };
static float a[MOST], b[MOST], c[MOST];
static half halfA[256], halfB[128];
static int m, n, pitch;

static void run(void) {
#if STEP == 1
  layout(a, c);
#elif STEP == 2
  tensor(a, n, b, n, c, n);
#elif STEP == 3
  tiles(a, m, n, pitch, b, m, n, pitch, c, m, n, pitch);
#elif STEP == 4
  transpose(a, m, n, pitch, c, n, m, m);
#else
  mma_atom(halfA, halfB, c);
#endif
}

// What element (i,j) should be, and where it is in c.
static double wanted(int i, int j, int *at) {
#if STEP == 1
  *at = i + 4 * j;
  return (double)a[8 * i + j];
#elif STEP == 4
  *at = j * m + i;
  return (double)a[i * pitch + j];
#elif STEP == 5
  double sum = 0;
  for (int k = 0; k < 16; ++k)
    sum += (double)halfA[16 * i + k] * (double)halfB[16 * j + k];
  *at = 8 * i + j;
  return sum;
#else
  *at = i * pitch + j;
  return (double)(a[i * pitch + j] + b[i * pitch + j]);
#endif
}

static void check(int rows, int columns, int gap, int gridX, int gridY,
                  int threads) {
  double error = 0;
  m = rows, n = columns, pitch = columns + gap;
  for (int i = 0; i < MOST; ++i)
    a[i] = (float)nextValue(), b[i] = (float)nextValue(), c[i] = NAN;
  for (int i = 0; i < 256; ++i)
    halfA[i] = (half)a[i], halfB[i / 2] = (half)b[i];
  launch(gridX, gridY, threads, run);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      int at;
      double w = wanted(i, j, &at);
      error = worst(error, fabs((double)c[at] - w));
      c[at] = NAN;
    }
  for (int i = 0; i < MOST; ++i)
    if (c[i] == c[i])
      error = INFINITY; // it wrote what it should not have
  compare("step", m, n, error, 1, STEP == 5 ? 1e-6 : 0);
}

int main(void) {
#if STEP == 1
  check(4, 8, 0, 1, 1, 32);
#elif STEP == 2
  check(1, 1, 0, 1, 1, 256);
  check(1, 777, 0, 4, 1, 256);
#elif STEP == 5
  check(16, 8, 0, 1, 1, 32);
#else
  check(32, 64, 0, 1, 2, 256);
  check(128, 96, 32, 4, 3, 256);
#endif
  printf("%d failures\n", failures);
  return failures != 0;
}
