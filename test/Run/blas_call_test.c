// The calls of cuBLAS, carried out as its manual defines them, give A *
// transpose(B).
#include "Run/blas_call.h"
#include "check_status.h"

#include <stdio.h>
#include <stdlib.h>

// A column-major element of op(operand).
static double at(const CuteArray *arrays, CuteBlasOperand o, int row,
                 int column, int batch) {
  int r = o.transposed ? column : row, c = o.transposed ? row : column;
  return cuteArrayLoad(&arrays[o.argument],
                       r + (int64_t)c * o.pitch + batch * o.batchPitch);
}

static void carryOut(const CuteBlasCall *call, CuteArray *arrays) {
  for (int l = 0; l < call->batches; ++l)
    for (int i = 0; i < call->rows; ++i)
      for (int j = 0; j < call->columns; ++j) {
        double sum = 0;
        for (int k = 0; k < call->depth; ++k)
          sum += at(arrays, call->first, i, k, l) *
                 at(arrays, call->second, k, j, l);
        cuteArrayStore(&arrays[2],
                       i + (int64_t)j * call->result.pitch +
                           l * call->result.batchPitch,
                       sum);
      }
}

static double load(const CuteArray *array, int64_t i, int64_t j, int64_t l) {
  const int64_t *s = array->strides;
  return cuteArrayLoad(array,
                       i * s[0] + j * s[1] + (array->rank == 3) * l * s[2]);
}

static void make(CuteArray *array, const char *type, int rows, int columns,
                 bool isRowMajor, int batches, const char *values) {
  char text[128], lines[64];
  int pitch = (isRowMajor ? columns : rows) + 3;
  snprintf(lines, sizeof lines, isRowMajor ? "%d,1" : "1,%d", pitch);
  if (batches)
    snprintf(text, sizeof text, "%s[(%d,%d,%d):(%s,%d)]:%s", type, rows,
             columns, batches, lines, pitch * (isRowMajor ? rows : columns) + 5,
             values);
  else
    snprintf(text, sizeof text, "%s[(%d,%d):(%s)]:%s", type, rows, columns,
             lines, values);
  assertSucceeds(cuteArrayParse(array, text));
}

// `majors` has a bit for each of A, B and C that is row-major.
static void checkProduct(const char *type, const char *out, int m, int n, int k,
                         int majors, int batches) {
  CuteArray arrays[3];
  make(&arrays[0], type, m, k, majors & 1, batches, "integers(1)");
  make(&arrays[1], type, n, k, majors & 2, batches, "integers(2)");
  make(&arrays[2], out, m, n, majors & 4, batches, "poison");
  CuteBlasCall call;
  assert_null(cuteBlasCallCreate(&arrays[0], &arrays[1], &arrays[2], &call));
  assert_int_equal(call.batches, batches ? batches : 1);
  carryOut(&call, arrays);
  for (int64_t l = 0; l < call.batches; ++l)
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j) {
        double sum = 0;
        for (int64_t p = 0; p < k; ++p)
          sum += load(&arrays[0], i, p, l) * load(&arrays[1], j, p, l);
        assert_true(load(&arrays[2], i, j, l) == sum);
      }
  for (int i = 0; i < 3; ++i)
    cuteArrayDestroy(&arrays[i]);
}

static void products(void **state) {
  (void)state;
  static const char *const types[][2] = {
      {"f16", "f16"},       {"f16", "f32"},     {"bf16", "bf16"},
      {"bf16", "f32"},      {"tf32", "f32"},    {"f32", "f32"},
      {"f64", "f64"},       {"i8", "i32"},      {"f8E4M3FN", "f16"},
      {"f8E4M3FN", "bf16"}, {"f8E4M3FN", "f32"}};
  for (int majors = 0; majors < 8; ++majors)
    for (int batches = 0; batches < 4; batches += 3) {
      for (size_t t = 0; t < sizeof types / sizeof *types; ++t)
        checkProduct(types[t][0], types[t][1], 5, 7, 6, majors, batches);
      checkProduct("f32", "f32", 1, 7, 6, majors, batches);
      checkProduct("f32", "f32", 5, 1, 6, majors, batches);
      checkProduct("f32", "f32", 5, 7, 1, majors, batches);
      checkProduct("f32", "f32", 1, 1, 1, majors, batches);
    }
}

static void checkRejected(const char *a, const char *b, const char *c) {
  CuteArray arrays[3];
  CuteBlasCall call;
  assertSucceeds(cuteArrayParse(&arrays[0], a));
  assertSucceeds(cuteArrayParse(&arrays[1], b));
  assertSucceeds(cuteArrayParse(&arrays[2], c));
  assert_non_null(
      cuteBlasCallCreate(&arrays[0], &arrays[1], &arrays[2], &call));
  for (int i = 0; i < 3; ++i)
    cuteArrayDestroy(&arrays[i]);
}

static void rejected(void **state) {
  (void)state;
  checkRejected("f16[4x5]", "f16[6x5]", "f16[4x7]");
  checkRejected("f16[4x5]", "f16[6x7]", "f16[4x6]");
  checkRejected("f16[3x5]", "f16[6x5]", "f16[4x6]");
  checkRejected("f16[4x5x2]", "f16[6x5]", "f16[4x6]");
  checkRejected("f16[4x5x2]", "f16[6x5x3]", "f16[4x6x2]");
  checkRejected("f16[4]", "f16[4]", "f16[4]");
  checkRejected("f16[4x5]", "bf16[6x5]", "f16[4x6]");
  checkRejected("i8[4x5]", "i8[6x5]", "f32[4x6]");
  checkRejected("f16[(4,5):(10,2)]", "f16[6x5]", "f16[4x6]");
  checkRejected("f16[4x5]", "f16[(6,5):(3,1)]", "f16[4x6]");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(products),
      cmocka_unit_test(rejected),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
