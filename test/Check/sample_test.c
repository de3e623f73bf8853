// Samples: how many, which, and that a reference and a comparison at them agree
// with the whole. REQUIRES: full TURN: 2 of 2
#include "Check/random.h"
#include "Check/reference.h"
#include "check_status.h"

#include <math.h>
#include <stdlib.h>

static int compareIntegers(const void *a, const void *b) {
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return x < y ? -1 : x > y;
}

static bool has(const CuteSample *sample, size_t mode, int64_t x) {
  if (!sample->coordinates[mode])
    return x < sample->counts[mode];
  return bsearch(&x, sample->coordinates[mode], (size_t)sample->counts[mode],
                 sizeof x, compareIntegers);
}

static bool isEdge(int64_t x, int64_t extent, int64_t tile) {
  return x % tile == 0 || x % tile == tile - 1 || x == extent - 1;
}

static int64_t countEdges(int64_t extent, int64_t tile) {
  int64_t n = 0;
  for (int64_t x = 0; x < extent; ++x)
    n += isEdge(x, extent, tile);
  return n;
}

// Ascending, inside, and with the edges of all tiles whose edges are no more
// than half.
static void checkMode(const CuteSample *sample, size_t mode, int64_t extent) {
  const int64_t *x = sample->coordinates[mode];
  int64_t n = sample->counts[mode], tile = 1;
  if (!x) {
    assert_int_equal(n, extent);
    return;
  }
  assert_true(n < extent);
  for (int64_t i = 0; i < n; ++i)
    assert_true(x[i] >= 0 && x[i] < extent && (!i || x[i - 1] < x[i]));
  while (countEdges(extent, tile) > n / 2)
    tile *= 2;
  for (int64_t i = 0; i < extent; ++i)
    assert_true(!isEdge(i, extent, tile) || has(sample, mode, i));
}

static void sizes(void **state) {
  (void)state;
  static const int64_t extents[][4] = {{4096, 4096, 1, 1}, {16384, 300, 1, 1},
                                       {1, 1, 1, 1000000}, {4, 16, 4096, 128},
                                       {7, 5, 3, 2},       {100, 1, 77, 5},
                                       {65537, 0, 2, 2}};
  static const int64_t counts[] = {1, 10, 4096, 65536, 1000000, INT64_MAX};
  for (size_t e = 0; e < sizeof extents / sizeof *extents; ++e)
    for (size_t c = 0; c < sizeof counts / sizeof *counts; ++c) {
      CuteSample sample;
      int64_t all = 1;
      cuteSampleCreate(&sample, 4, extents[e], counts[c], 3);
      for (size_t i = 0; i < 4; ++i) {
        checkMode(&sample, i, extents[e][i]);
        all *= extents[e][i];
      }
      int64_t size = cuteSampleGetSize(&sample);
      assert_true(size >= (all < counts[c] ? all : counts[c]));
      assert_true(counts[c] < 4096 || size - counts[c] < counts[c]);
      cuteSampleDestroy(&sample);
    }
}

// Where it can be, a mode gets the part of its coordinates that others get.
static void parts(void **state) {
  (void)state;
  CuteSample sample;
  int64_t extents[] = {2, 16384, 4096};
  cuteSampleCreate(&sample, 3, extents, 1 << 18, 1);
  assert_int_equal(sample.counts[0], 2);
  assert_int_equal(sample.counts[1], 721); // 2^17 / 182, rounded up
  assert_int_equal(sample.counts[2], 182); // 4096 sqrt(2^17 / 2^26), rounded up
  cuteSampleDestroy(&sample);
}

static void seeds(void **state) {
  (void)state;
  CuteSample a, b, c;
  int64_t extents[] = {5000};
  cuteSampleCreate(&a, 1, extents, 100, 1);
  cuteSampleCreate(&b, 1, extents, 100, 1);
  cuteSampleCreate(&c, 1, extents, 100, 2);
  size_t bytes = 100 * sizeof(int64_t);
  assert_memory_equal(a.coordinates[0], b.coordinates[0], bytes);
  assert_memory_not_equal(a.coordinates[0], c.coordinates[0], bytes);
  cuteSampleDestroy(&a);
  cuteSampleDestroy(&b);
  cuteSampleDestroy(&c);
}

// Each coordinate that is no edge is chosen as often as any other.
static void fairness(void **state) {
  (void)state;
  enum { EXTENT = 200, COUNT = 40, ROUNDS = 20000 };
  int chosen[EXTENT] = {0}, least = ROUNDS, most = 0;
  int64_t extents[] = {EXTENT};
  for (uint64_t seed = 0; seed < ROUNDS; ++seed) {
    CuteSample sample;
    cuteSampleCreate(&sample, 1, extents, COUNT, seed);
    for (int i = 0; i < COUNT; ++i)
      ++chosen[sample.coordinates[0][i]];
    cuteSampleDestroy(&sample);
  }
  for (int i = 0; i < EXTENT; ++i) {
    if (chosen[i] == ROUNDS)
      continue;
    least = chosen[i] < least ? chosen[i] : least;
    most = chosen[i] > most ? chosen[i] : most;
  }
  assert_true(least > 0.85 * most);
}

// A sampled reference has the values of the whole one.
static void checkReference(const char *text, size_t n,
                           const char *const *tensors) {
  CuteArray arrays[4];
  CuteReference whole, part;
  for (size_t i = 0; i < n; ++i)
    assertSucceeds(cuteArrayParse(&arrays[i], tensors[i]));
  assertSucceeds(cuteReferenceSample(text, n, arrays, INT64_MAX, 0, &whole));
  assertSucceeds(cuteReferenceSample(text, n, arrays, 200, 5, &part));
  assert_true(part.operations == whole.operations);
  assert_true(cuteSampleGetSize(&part.sample) < 1000);
  CuteComparison c;
  assertSucceeds(
      cuteSampleCompare(&part.sample, &whole.values, &part.values, &c));
  assert_true(c.maxError == 0 && !c.unwritten && !c.notNumbers);
  int64_t last = cuteArrayGetSize(&whole.values) - 1;
  assert_true(cuteArrayLoad(&part.values, last) != 0);
  assertSucceeds(cuteArrayCompare(&whole.values, &part.values, &c));
  assert_true(c.maxError > 0);
  cuteReferenceDestroy(&whole);
  cuteReferenceDestroy(&part);
  for (size_t i = 0; i < n; ++i)
    cuteArrayDestroy(&arrays[i]);
}

static void references(void **state) {
  (void)state;
  static const char *const product[] = {"f16[70x33]:normal(1)",
                                        "f16[90x33]:normal(2)", "f32[70x90]"};
  static const char *const rows[] = {"f16[70x50]:normal(1)", "f32[70x50]"};
  static const char *const attention[] = {
      "f16[2x3x20x8]:normal(1)", "f16[2x3x30x8]:normal(2)",
      "f16[2x3x30x8]:normal(3)", "f16[2x3x20x8]"};
  static const char *const square[] = {"f16[60x60]:normal(1)", "f32[60x60]"};
  checkReference("C[m,n] = A[m,k] * B[n,k]", 3, product);
  checkReference("B[m,n] = exp(A[m,n] - max[k](A[m,k])) / "
                 "sum[k](exp(A[m,k] - max[j](A[m,j])))",
                 2, rows);
  checkReference("D[b,h,m,d] = sum[n](exp(sum[k](A[b,h,m,k] * B[b,h,n,k])) * "
                 "C[b,h,n,d]) / sum[n](exp(sum[k](A[b,h,m,k] * B[b,h,n,k])))",
                 4, attention);
  // A reduction whose index has the name of a sampled one needs all of it.
  checkReference("B[m,n] = sum[n](A[m,n] * sum[m](A[n,m])) + A[n,m]", 2,
                 square);
}

// What no one has written is found wherever it is, between rows not.
static void holes(void **state) {
  (void)state;
  CuteArray a, b;
  CuteSample sample;
  CuteComparison c;
  assertSucceeds(cuteArrayParse(&a, "f16[(300,200):(256,1)]:normal(1)"));
  assertSucceeds(cuteArrayParse(&b, "f16[(300,200):(256,1)]:normal(1)"));
  cuteSampleCreate(&sample, 2, a.extents, 400, 1);
  assertSucceeds(cuteSampleCompare(&sample, &a, &b, &c));
  assert_true(c.maxError == 0 && !c.unwritten);
  int64_t row = 2;
  while (has(&sample, 0, row))
    ++row;
  cuteArrayStore(&a, row * 256 + 100, NAN);
  assertSucceeds(cuteSampleCompare(&sample, &a, &b, &c));
  assert_true(isinf(c.maxError) && c.unwritten == 1 && !c.notNumbers);
  cuteArrayStore(&a, 255 * 256, NAN);
  assertSucceeds(cuteSampleCompare(&sample, &a, &b, &c));
  assert_true(isinf(c.maxError) && c.unwritten == 1 && c.notNumbers == 1);
  assert_int_equal(c.worst, 255 * 200);
  cuteSampleDestroy(&sample);
  cuteArrayDestroy(&a);
  cuteArrayDestroy(&b);
}

// Kolmogorov and Smirnov: the largest distance of the distribution of n normal
// numbers from the one that they should have is beyond 2/sqrt(n) once in 1500
// seeds. What is beyond 3.44, where the tail begins, is counted apart.
static void normals(void **state) {
  (void)state;
  enum { N = 2000000, BINS = 4096 };
  static int bins[BINS];
  CuteRandom random = {42};
  int beyond = 0;
  double sum = 0, distance = 0;
  for (int i = 0; i < N; ++i) {
    double x = cuteRandomNormal(&random);
    beyond += fabs(x) > 3.442619855899;
    ++bins[(int)(BINS * (1 + erf(x / sqrt(2))) / 2)];
  }
  for (int i = 0; i < BINS; ++i) {
    sum += bins[i];
    distance = fmax(distance, fabs(sum / N - (i + 1.0) / BINS));
  }
  assert_true(distance < 2 / sqrt(N));
  double expected = N * erfc(3.442619855899 / sqrt(2));
  assert_true(fabs(beyond - expected) < 4 * sqrt(expected));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sizes),      cmocka_unit_test(parts),
      cmocka_unit_test(seeds),      cmocka_unit_test(fairness),
      cmocka_unit_test(references), cmocka_unit_test(holes),
      cmocka_unit_test(normals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
