#include "Check/reference.h"
#include "check_status.h"

#include <math.h>

typedef struct Case {
  CuteArray arguments[4];
  size_t n;
} Case;

static Case make(size_t n, const char *const *texts) {
  Case made = {.n = n};
  for (size_t i = 0; i < n; ++i)
    assertSucceeds(cuteArrayParse(&made.arguments[i], texts[i]));
  return made;
}

static void destroy(Case *made) {
  for (size_t i = 0; i < made->n; ++i)
    cuteArrayDestroy(&made->arguments[i]);
}

static CuteStatus evaluate(const char *text, size_t n,
                           const CuteArray *arguments, CuteReference *r) {
  return cuteReferenceSample(text, n, arguments, INT64_MAX, 0, r);
}

static double at2(const CuteArray *array, int64_t i, int64_t j) {
  return cuteArrayLoad(array, i * array->strides[0] + j * array->strides[1]);
}

static void matrixProduct(void **state) {
  (void)state;
  const char *texts[] = {"f16[(37,1030):(1100,1)]:normal(1)",
                         "f16[45x1030]:normal(2)", "f32[37x45]"};
  Case c = make(3, texts);
  CuteReference r;
  assertSucceeds(evaluate("C[m,n] = A[m,k] * B[n,k]", 3, c.arguments, &r));
  assert_int_equal(r.argument, 2);
  assert_true(r.operations == 2. * 37 * 45 * 1030);
  for (int64_t m = 0; m < 37; ++m)
    for (int64_t n = 0; n < 45; ++n) {
      double sum = 0;
      for (int64_t k = 0; k < 1030; ++k)
        sum += at2(&c.arguments[0], m, k) * at2(&c.arguments[1], n, k);
      assert_true(fabs(at2(&r.values, m, n) - sum) < 1e-9);
    }
  cuteReferenceDestroy(&r);
  destroy(&c);
}

// sum[k](...) ends where its bracket does; the rest is added once.
static void sums(void **state) {
  (void)state;
  const char *texts[] = {"i8[5x7]:bits(1)", "ui4[6x7]:bits(2)",
                         "i32[5x6]:bits(3)", "i32[5x6]"};
  Case c = make(4, texts);
  CuteReference r;
  assertSucceeds(evaluate(
      "D[m,n] = wrap32(C[m,n] + 3 * sum[k](A[m,k] * B[n,k]) - sum[k](A[m,k]))",
      4, c.arguments, &r));
  assert_int_equal(r.argument, 3);
  for (int64_t m = 0; m < 5; ++m)
    for (int64_t n = 0; n < 6; ++n) {
      int64_t wanted = (int64_t)at2(&c.arguments[2], m, n);
      for (int64_t k = 0; k < 7; ++k)
        wanted += (int64_t)at2(&c.arguments[0], m, k) *
                  (3 * (int64_t)at2(&c.arguments[1], n, k) - 1);
      assert_true(at2(&r.values, m, n) == (double)(int32_t)wanted);
    }
  cuteReferenceDestroy(&r);
  static const char *const bad[] = {
      "D[m,n] = sum[k](A[m,k], B[n,k])",  "D[m,n] = sum(A[m,k])",
      "D[m,n] = C[m,n] + sum[k](E[m,k])", "sum[m](D[m,n]) = C[m,n]",
      "D[m,n] = sum[k](A[m,k] * C[n,k])", "3 = sum[k](A[m,k])"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i)
    assertFails(evaluate(bad[i], 4, c.arguments, &r), "");
  destroy(&c);
}

// A remainder has the sign of what divides.
static void remainders(void **state) {
  (void)state;
  const char *texts[] = {"f32[13]:iota", "f32[13]"};
  Case c = make(2, texts);
  CuteReference r;
  assertSucceeds(
      evaluate("B[i] = (A[i] - 7) % 4 + i % -5", 2, c.arguments, &r));
  for (int i = 0; i < 13; ++i)
    assert_true(cuteArrayLoad(&r.values, i) == (i + 1) % 4 - (65 - i) % 5);
  cuteReferenceDestroy(&r);
  assertSucceeds(evaluate("B[i] = A[i % 4]", 2, c.arguments, &r));
  for (int i = 0; i < 13; ++i)
    assert_true(cuteArrayLoad(&r.values, i) == i % 4);
  cuteReferenceDestroy(&r);
  destroy(&c);
}

static void elementwiseAndTransposed(void **state) {
  (void)state;
  const char *texts[] = {"f32[33x70]:normal(1)", "f32[70x33]:uniform(2)"};
  Case c = make(2, texts);
  CuteReference r;
  assertSucceeds(evaluate("B[j,i] = max(2 * A[i,j] - B[j,i] / 4, -1)", 2,
                          c.arguments, &r));
  for (int64_t i = 0; i < 33; ++i)
    for (int64_t j = 0; j < 70; ++j)
      assert_true(
          at2(&r.values, j, i) ==
          fmax(2 * at2(&c.arguments[0], i, j) - at2(&c.arguments[1], j, i) / 4,
               -1));
  cuteReferenceDestroy(&r);
  destroy(&c);
}

static void convolution(void **state) {
  (void)state;
  const char *texts[] = {"f64[20]:normal(1)", "f64[3]:normal(2)", "f64[9]"};
  Case c = make(3, texts);
  CuteReference r;
  assertSucceeds(evaluate("C[x] = A[2*x + r] * B[r]", 3, c.arguments, &r));
  for (int64_t x = 0; x < 9; ++x) {
    double sum = 0;
    for (int64_t k = 0; k < 3; ++k)
      sum += cuteArrayLoad(&c.arguments[0], 2 * x + k) *
             cuteArrayLoad(&c.arguments[1], k);
    assert_true(fabs(cuteArrayLoad(&r.values, x) - sum) < 1e-14);
  }
  cuteReferenceDestroy(&r);
  destroy(&c);
}

static void emptySums(void **state) {
  (void)state;
  const char *texts[] = {"f32[2x0]", "f32[3x0]", "f32[2x3]:poison"};
  Case c = make(3, texts);
  CuteReference r;
  assertSucceeds(evaluate("C[m,n] = A[m,k] * B[n,k]", 3, c.arguments, &r));
  for (int64_t i = 0; i < 6; ++i)
    assert_true(cuteArrayLoad(&r.values, i) == 0);
  cuteReferenceDestroy(&r);
  destroy(&c);
}

static void softmax(void **state) {
  (void)state;
  const char *texts[] = {"f32[9x1030]:normal(1)", "f32[9x1030]"};
  Case c = make(2, texts);
  CuteReference r;
  assertSucceeds(evaluate("B[m,n] = exp(A[m,n] - max[k](A[m,k])) / "
                          "sum[k](exp(A[m,k] - max[n](A[m,n])))",
                          2, c.arguments, &r));
  for (int64_t m = 0; m < 9; ++m) {
    double most = -INFINITY, sum = 0;
    for (int64_t n = 0; n < 1030; ++n)
      most = fmax(most, at2(&c.arguments[0], m, n));
    for (int64_t n = 0; n < 1030; ++n)
      sum += exp(at2(&c.arguments[0], m, n) - most);
    for (int64_t n = 0; n < 1030; ++n) {
      double wanted = exp(at2(&c.arguments[0], m, n) - most) / sum;
      assert_true(fabs(at2(&r.values, m, n) - wanted) < 1e-12);
    }
  }
  // Two maxima and the sum: the results are each computed once.
  assert_true(r.operations == 8. * 9 * 1030);
  cuteReferenceDestroy(&r);
  destroy(&c);
}

static void layerNorm(void **state) {
  (void)state;
  const char *texts[] = {"f64[5x77]:normal(1)", "f64[77]:normal(2)",
                         "f64[77]:uniform(3)", "f64[5x77]"};
  Case c = make(4, texts);
  CuteReference r;
  assertSucceeds(evaluate(
      "D[m,n] = (A[m,n] - mean[k](A[m,k])) / sqrt(mean[k](pow(A[m,k] - "
      "mean[j](A[m,j]), 2)) + 1e-5) * B[n] + C[n]",
      4, c.arguments, &r));
  for (int64_t m = 0; m < 5; ++m) {
    double mean = 0, variance = 0;
    for (int64_t n = 0; n < 77; ++n)
      mean += at2(&c.arguments[0], m, n) / 77;
    for (int64_t n = 0; n < 77; ++n)
      variance += pow(at2(&c.arguments[0], m, n) - mean, 2) / 77;
    for (int64_t n = 0; n < 77; ++n) {
      double wanted = (at2(&c.arguments[0], m, n) - mean) /
                          sqrt(variance + 1e-5) *
                          cuteArrayLoad(&c.arguments[1], n) +
                      cuteArrayLoad(&c.arguments[2], n);
      assert_true(fabs(at2(&r.values, m, n) - wanted) < 1e-11);
    }
  }
  cuteReferenceDestroy(&r);
  destroy(&c);
}

// Indices that are computed, also from elements; beyond the tensor is an error.
static void gathers(void **state) {
  (void)state;
  const char *texts[] = {"f64[5x600]:normal(1)", "ui2[5x600]:places(2)",
                         "f64[7x1200]:normal(3)", "f64[5x7]"};
  Case c = make(4, texts);
  CuteReference r;
  assertSucceeds(
      evaluate("D[m,n] = sum[k](A[m,k] * C[n, 4 * floor(k / 2) + B[m,k]])", 4,
               c.arguments, &r));
  for (int64_t m = 0; m < 5; ++m)
    for (int64_t n = 0; n < 7; ++n) {
      double sum = 0;
      for (int64_t k = 0; k < 600; ++k)
        sum += at2(&c.arguments[0], m, k) *
               at2(&c.arguments[2], n,
                   k / 2 * 4 + (int64_t)at2(&c.arguments[1], m, k));
      assert_true(fabs(at2(&r.values, m, n) - sum) < 1e-10);
    }
  cuteArrayDestroy(&r.values);
  static const char *const bad[] = {"D[m,n] = sum[k](A[m, k + B[m,k]])",
                                    "D[m,n] = sum[k](A[m, k - B[m,k]])",
                                    "D[m,n] = A[m, floor(j)]",
                                    "D[m,n] = A[m, F[m,n]]",
                                    "D[m, B[m,n]] = C[n,m]",
                                    "D[m, 2 * n] = C[n,m]"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i)
    assertFails(evaluate(bad[i], 4, c.arguments, &r), "");
  destroy(&c);
}

// What bench/mma_atoms.py computes of sparse matrices: where column k of the
// stored part is, for tf32 and for elements of 4 bits.
static void sparsePlaces(void **state) {
  (void)state;
  static const char *const expressions[] = {
      "D[m,n] = sum[k](A[m,k]*C[n,2*k+(B[m,k]-4)/10])",
      "D[m,n] = sum[k](A[m,k]*C[n,8*floor(k/4)+2*B[m,floor(k/2)]+k-2*floor(k/"
      "2)])"};
  static const char *const metadata[] = {"ui4[5x32]:places(2)",
                                         "ui2[5x16]:places(2)"};
  for (int t = 0; t < 2; ++t) {
    const char *texts[] = {"f64[5x32]:normal(1)", metadata[t],
                           "f64[7x64]:normal(3)", "f64[5x7]"};
    Case c = make(4, texts);
    CuteReference r;
    assertSucceeds(evaluate(expressions[t], 4, c.arguments, &r));
    for (int64_t m = 0; m < 5; ++m)
      for (int64_t n = 0; n < 7; ++n) {
        double sum = 0;
        for (int64_t k = 0; k < 32; ++k) {
          int64_t index = (int64_t)at2(&c.arguments[1], m, t ? k / 2 : k);
          int64_t place =
              t ? k / 4 * 8 + 2 * index + k % 2 : 2 * k + (index == 14);
          sum += at2(&c.arguments[0], m, k) * at2(&c.arguments[2], n, place);
        }
        assert_true(fabs(at2(&r.values, m, n) - sum) < 1e-12);
      }
    cuteArrayDestroy(&r.values);
    destroy(&c);
  }
}

// Sums that wrap around, with and without sign, as there.
static void wrapsAround(void **state) {
  (void)state;
  const char *texts[] = {"i8[5x9]:bits(1)", "i8[6x9]:bits(2)",
                         "i32[5x6]:bits(3)", "i32[5x6]"};
  Case c = make(4, texts);
  CuteReference r, u;
  assertSucceeds(evaluate(
      "D[m,n] = C[m,n] + sum[k](A[m,k] * B[n,k]) - 256 * floor((C[m,n] + "
      "sum[k](A[m,k] * B[n,k]) + 128) / 256)",
      4, c.arguments, &r));
  assertSucceeds(evaluate(
      "D[m,n] = C[m,n] + sum[k](A[m,k] * B[n,k]) - 4294967296 * floor((C[m,n] "
      "+ sum[k](A[m,k] * B[n,k])) / 4294967296)",
      4, c.arguments, &u));
  for (int64_t m = 0; m < 5; ++m)
    for (int64_t n = 0; n < 6; ++n) {
      int64_t wanted = (int64_t)at2(&c.arguments[2], m, n);
      for (int64_t k = 0; k < 9; ++k)
        wanted +=
            (int64_t)(at2(&c.arguments[0], m, k) * at2(&c.arguments[1], n, k));
      assert_true(at2(&r.values, m, n) == (int8_t)wanted);
      assert_true(at2(&u.values, m, n) == (uint32_t)wanted);
    }
  cuteArrayDestroy(&r.values);
  cuteArrayDestroy(&u.values);
  destroy(&c);
}

// An index by itself is its number, in reductions and around them.
static void indexValues(void **state) {
  (void)state;
  const char *texts[] = {"f64[5x1030]:normal(1)", "f64[5x1030]", "f64[5]"};
  Case c = make(3, texts);
  CuteReference r;
  assertSucceeds(evaluate(
      "B[m,n] = 2 * m - n + sum[k](exp(min(n - k, 0) * 1e9) * A[m,k] + n)", 3,
      c.arguments, &r));
  for (int64_t m = 0; m < 5; ++m) {
    double sum = 0;
    for (int64_t n = 0; n < 1030; ++n) {
      sum += at2(&c.arguments[0], m, n);
      double wanted = (double)(2 * m - n + 1030 * n) + sum;
      assert_true(fabs(at2(&r.values, m, n) - wanted) < 1e-8);
    }
  }
  cuteReferenceDestroy(&r);
  assertSucceeds(evaluate("C[m] = m * A[m,k] * k", 3, c.arguments, &r));
  for (int64_t m = 0; m < 5; ++m) {
    double sum = 0;
    for (int64_t k = 0; k < 1030; ++k)
      sum += (double)(m * k) * at2(&c.arguments[0], m, k);
    assert_true(fabs(cuteArrayLoad(&r.values, m) - sum) < 1e-7);
  }
  cuteReferenceDestroy(&r);
  static const char *const bad[] = {"C[m] = k", "C[m] = sum[k](k)",
                                    "C[m] = m * sum[k](k * j)"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i)
    assertFails(evaluate(bad[i], 3, c.arguments, &r), "");
  destroy(&c);
}

// What bench/rows.toml checks attention by, of one head.
static void causalAttention(void **state) {
  (void)state;
  const char *texts[] = {"f16[1x1x9x8]:normal(1)", "f16[1x1x7x8]:normal(2)",
                         "f16[1x1x7x8]:normal(3)", "f16[1x1x9x8]"};
  Case c = make(4, texts);
  CuteReference r;
  assertSucceeds(evaluate(
      "D[b,h,m,d] = sum[n](exp(0.1 * sum[k](A[b,h,m,k] * B[b,h,n,k]) + 1e4 * "
      "min(m - n, 0)) * C[b,h,n,d]) / sum[n](exp(0.1 * sum[k](A[b,h,m,k] * "
      "B[b,h,n,k]) + 1e4 * min(m - n, 0)))",
      4, c.arguments, &r));
  for (int64_t i = 0; i < 72; ++i) {
    int64_t m = i / 8, d = i % 8;
    double sum = 0, all = 0;
    for (int64_t n = 0; n <= m && n < 7; ++n) {
      double s = 0;
      for (int64_t k = 0; k < 8; ++k)
        s += cuteArrayLoad(&c.arguments[0], 8 * m + k) *
             cuteArrayLoad(&c.arguments[1], 8 * n + k);
      all += exp(0.1 * s);
      sum += exp(0.1 * s) * cuteArrayLoad(&c.arguments[2], 8 * n + d);
    }
    assert_true(fabs(cuteArrayLoad(&r.values, i) - sum / all) < 1e-12);
  }
  cuteReferenceDestroy(&r);
  destroy(&c);
}

// Reductions of all indices, inside of implicit sums, of indices that the rest
// gives an extent, and of nothing.
static void reductions(void **state) {
  (void)state;
  const char *texts[] = {"i32[4x6]:integers(1)", "f64[4]:iota", "f64[4x0]"};
  Case c = make(3, texts);
  CuteReference r;
  double most = -INFINITY, least = INFINITY, sum = 0;
  for (int64_t i = 0; i < 24; ++i) {
    double value = at2(&c.arguments[0], i / 6, i % 6);
    most = fmax(most, value);
    least = fmin(least, value);
    sum += value;
  }
  assertSucceeds(
      evaluate("B[i] = B[i] + max[m,n](A[m,n]) * 100 + min[m,n](A[m,n])", 3,
               c.arguments, &r));
  for (int64_t i = 0; i < 4; ++i)
    assert_true(cuteArrayLoad(&r.values, i) == (double)i + most * 100 + least);
  cuteReferenceDestroy(&r);
  assertSucceeds(evaluate("B[i] = B[m] * sum[n](A[m,n]) * 0 + "
                          "sum[m,n](A[m,n])",
                          3, c.arguments, &r));
  for (int64_t i = 0; i < 4; ++i) // the implicit sum over m
    assert_true(cuteArrayLoad(&r.values, i) == 4 * sum);
  cuteReferenceDestroy(&r);
  assertSucceeds(evaluate("B[i] = max[n](C[i,n])", 3, c.arguments, &r));
  for (int64_t i = 0; i < 4; ++i)
    assert_true(cuteArrayLoad(&r.values, i) == -INFINITY);
  cuteReferenceDestroy(&r);
  destroy(&c);
}

static void rejectsBadReferences(void **state) {
  (void)state;
  const char *texts[] = {"f32[4x5]", "f32[4x6]", "f32[4]"};
  Case c = make(3, texts);
  static const char *const bad[] = {
      "",
      "C[m]",
      "C[m,n] = 1",
      "C[m] = A[m]",
      "C[m] = A[m,k] * B[m,k]",
      "C[m] = D[m]",
      "C[m] = A[m,k+1]",
      "C[m] = A[m,k*k]",
      "C[m] = A[m,m+5]",
      "C[m] = A[m,0] +",
      "C[m] = (A[m,0]",
      "C[m] = frob(A[m,0])",
      "C[m] = exp(A[m,0], 1)",
      "C[m] = A[m,0] $ 2",
      "C[0] = A[0,0]",
      "1 = 2",
      "C[m] = prod[k](A[m,k])",
      "C[m] = sum[k](A[m,k], 1)",
      "C[m] = sum[k](A[m,k]",
      "C[m] = sum[k]()",
      "C[m] = sum[2](A[m,k])",
      "C[m] = sum[k+1](A[m,k])",
      "C[m] = sum[k,k](A[m,k])",
      "C[m] = sum[j](A[m,k])",
      "C[m] = sum[k](A[m,k] * B[m,k])",
      "C[m] = sum[k](D[m,k])",
      "sum[k](C[k]) = A[k,0]",
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    CuteReference r;
    assertFails(evaluate(bad[i], 3, c.arguments, &r), "");
  }
  CuteReference r;
  assertFails(evaluate("Y[m] = A[m,0]", 3, c.arguments, &r),
              "in the order of the arguments; no tensor argument is called Y");
  assertFails(evaluate("C[m] = sum(A[m,k])", 3, c.arguments, &r),
              "a reduction names its index, as in sum[k](A[m,k]): sum");
  destroy(&c);
}

// Factors whose products with extents do not fit into 64 bits, and numbers that
// are no integers.
static void indicesDoNotOverflow(void **state) {
  (void)state;
  const char *texts[] = {"f32[1025x3]", "f32[1025x3]", "f32[1025]", "f32[1]"};
  Case c = make(4, texts);
  static const char *const bad[] = {
      "C[m] = A[m*18014398509481984,k]",
      "C[m] = A[m*9007199254740992*1024,k]",
      "C[m] = A[m*9007199254740992*9007199254740992,k]",
      "C[m] = A[m*9007199254740992 - m*9007199254740992*1000,k]",
      "C[m] = A[m+9007199254740992*9007199254740992,k]",
      "C[m] = A[m*1e300,k]",
      "C[m] = A[1e300,k]",
      "C[m] = A[0-9007199254740992*1023,k]",
      "D[z] = A[z*9007199254740992*1000+9007199254740992,k]",
  };
  CuteReference r;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i)
    assertFails(evaluate(bad[i], 4, c.arguments, &r), "out of range");
  assertSucceeds(
      evaluate("D[z] = A[z*9007199254740992*1000,0]", 4, c.arguments, &r));
  assert_true(cuteArrayLoad(&r.values, 0) == at2(&c.arguments[0], 0, 0));
  cuteReferenceDestroy(&r);
  assertSucceeds(evaluate("C[m] = A[m*0.5,0]", 4, c.arguments, &r));
  assert_true(cuteArrayLoad(&r.values, 7) == at2(&c.arguments[0], 3, 0));
  cuteReferenceDestroy(&r);
  destroy(&c);
}

static void deepNestingIsAnError(void **state) {
  (void)state;
  const char *texts[] = {"f32[4]"};
  Case c = make(1, texts);
  static char text[100000] = "A[i] = ";
  memset(text + 7, '(', sizeof text - 8);
  CuteReference r;
  assertFails(evaluate(text, 1, c.arguments, &r), "nested");
  memset(text + 7, '-', sizeof text - 8);
  assertFails(evaluate(text, 1, c.arguments, &r), "nested");
  for (size_t i = 7; i < sizeof text - 1; ++i)
    text[i] = i % 2 ? '1' : '+';
  assertFails(evaluate(text, 1, c.arguments, &r), "too many");
  destroy(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(matrixProduct),
      cmocka_unit_test(sums),
      cmocka_unit_test(remainders),
      cmocka_unit_test(elementwiseAndTransposed),
      cmocka_unit_test(convolution),
      cmocka_unit_test(emptySums),
      cmocka_unit_test(softmax),
      cmocka_unit_test(layerNorm),
      cmocka_unit_test(gathers),
      cmocka_unit_test(sparsePlaces),
      cmocka_unit_test(wrapsAround),
      cmocka_unit_test(indexValues),
      cmocka_unit_test(causalAttention),
      cmocka_unit_test(reductions),
      cmocka_unit_test(rejectsBadReferences),
      cmocka_unit_test(indicesDoNotOverflow),
      cmocka_unit_test(deepNestingIsAnError),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
