// Sums over a mode of tensors with many layouts, against float64.
#include "simulate.h"

#include <math.h>

void sum_inner(float *, int, int, int, int64_t, int64_t, int64_t, float *, int,
               int, int64_t, int64_t);
void sum_outer(float *, int, int, int, int64_t, int64_t, int64_t, float *, int,
               int, int64_t, int64_t);

static float *a, *b;
static int extents[3];
static int64_t strides[3];

static void runInner(void) {
  sum_inner(a, extents[0], extents[1], extents[2], strides[0], strides[1],
            strides[2], b, extents[0], extents[2], extents[2], 1);
}

static void runOuter(void) {
  sum_outer(a, extents[0], extents[1], extents[2], strides[0], strides[1],
            strides[2], b, extents[0], extents[2], extents[2], 1);
}

static void check(const char *name, int gridX, int gridY, void (*body)(void)) {
  double error = 0, largest = 0;
  launch(gridX, gridY, 256, body);
  for (int i = 0; i < extents[0]; ++i)
    for (int k = 0; k < extents[2]; ++k) {
      double sum = 0;
      for (int j = 0; j < extents[1]; ++j)
        sum += a[i * strides[0] + j * strides[1] + k * strides[2]];
      double e = fabs(b[i * extents[2] + k] - sum);
      error = worst(error, e);
      largest = fmax(largest, fabs(sum));
      b[i * extents[2] + k] = NAN;
    }
  compare(name, extents[0], extents[1], error, largest, 1e-5);
}

int main(void) {
  static const int shapes[][3] = {{1, 1, 1},    {7, 333, 1},   {1, 77, 40},
                                  {9, 29, 33},  {3, 0, 5},     {20, 64, 1},
                                  {9, 1040, 4}, {3, 300, 132}, {16, 128, 64}};
  int count = 0;
  for (int s = 0; s < (int)(sizeof shapes / sizeof *shapes); ++s)
    for (int order = 0; order < 3; ++order, ++count) {
      int64_t next = 1;
      for (int d = 0; d < 3; ++d) { // the mode that is fastest changes
        int mode = (d + order) % 3;
        extents[mode] = shapes[s][mode];
        strides[mode] = next;
        next *= extents[mode];
      }
      a = aligned_alloc(64, ((size_t)next * sizeof *a + 64) / 64 * 64);
      b = malloc((size_t)(extents[0] * extents[2]) * sizeof *b);
      for (int64_t i = 0; i < next; ++i)
        a[i] = (float)nextValue();
      check("sum_inner", (extents[0] + 7) / 8, extents[2], runInner);
      check("sum_outer", (extents[2] + 63) / 64, extents[0], runOuter);
      free(a), free(b);
    }
  printf("%d layouts, %d failures\n", count, failures);
  return failures != 0;
}
