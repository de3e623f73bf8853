// In the place of cuBLAS and cublasLt: products of f32, and of f8E4M3FN to f32,
// as the manual defines them, in memory that fake_cuda.c has allocated; each
// takes a millisecond. FAKE_STATUS=S is what they return instead,
// FAKE_BLAS=wrong adds 1000.
#include "fake.h"

#include <stdlib.h>
#include <string.h>

void fakeCudaTake(double milliseconds);

enum { R_32F = 0, R_8F_E4M3 = 28 };

typedef struct Matrix { // column-major; op(it) where it is turned
  const void *data;
  int type;
  uint64_t rows, columns;
  int64_t pitch;
  int turned;
} Matrix;

static float at(Matrix m, int64_t row, int64_t column) {
  int64_t i = m.turned ? column + row * m.pitch : row + column * m.pitch;
  if (m.type == R_32F)
    return ((const float *)m.data)[i];
  return fakeDecode(((const uint8_t *)m.data)[i]);
}

static int refuses(int *status) {
  const char *text = getenv("FAKE_STATUS");
  *status = text ? atoi(text) : 0;
  return *status != 0;
}

static int product(Matrix a, Matrix b, float *c, int64_t pitch, int64_t rows,
                   int64_t columns, int64_t depth) {
  int status;
  const char *kind = getenv("FAKE_BLAS");
  if (refuses(&status))
    return status;
  fakeCudaTake(1);
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j) {
      float sum = kind && !strcmp(kind, "wrong") ? 1000 : 0;
      for (int64_t k = 0; k < depth; ++k)
        sum += at(a, i, k) * at(b, k, j);
      c[i + j * pitch] = sum;
    }
  return 0;
}

//===-- cuBLAS ------------------------------------------------------------===//

static int one;

int cublasCreate_v2(void **handle) {
  *handle = &one;
  return 0;
}

int cublasDestroy_v2(void *handle) { return handle != &one; }

int cublasGemmStridedBatchedEx(void *handle, int opA, int opB, int m, int n,
                               int k, const void *alpha, const void *a,
                               int typeA, int lda, long long strideA,
                               const void *b, int typeB, int ldb,
                               long long strideB, const void *beta, void *c,
                               int typeC, int ldc, long long strideC,
                               int batchCount, int compute, int algorithm) {
  int isWrong = handle != &one || batchCount != 1 || typeA != R_32F ||
                typeB != R_32F || typeC != R_32F || compute != 68 ||
                algorithm != -1 || strideA || strideB || strideC ||
                *(const float *)alpha != 1 || *(const float *)beta != 0;
  Matrix first = {.data = a, .pitch = lda, .turned = opA};
  Matrix second = {.data = b, .pitch = ldb, .turned = opB};
  return isWrong ? 7 : product(first, second, c, ldc, m, n, k);
}

//===-- cublasLt ----------------------------------------------------------===//

typedef struct Operation {
  int32_t transposed[2];
} Operation;

int cublasLtCreate(void **handle) { return cublasCreate_v2(handle); }

int cublasLtDestroy(void *handle) { return cublasDestroy_v2(handle); }

int cublasLtMatmulDescCreate(void **operation, int compute, int scale) {
  *operation = calloc(1, sizeof(Operation));
  return compute != 68 || scale != R_32F;
}

int cublasLtMatmulDescSetAttribute(void *operation, int attribute,
                                   const void *value, size_t bytes) {
  Operation *set = operation;
  if (attribute != 3 && attribute != 4)
    return 7;
  memcpy(&set->transposed[attribute - 3], value, bytes);
  return bytes != sizeof(int32_t);
}

int cublasLtMatmulDescDestroy(void *operation) {
  free(operation);
  return 0;
}

int cublasLtMatrixLayoutCreate(void **layout, int type, uint64_t rows,
                               uint64_t columns, int64_t pitch) {
  Matrix *matrix = calloc(1, sizeof *matrix);
  *matrix =
      (Matrix){.type = type, .rows = rows, .columns = columns, .pitch = pitch};
  *layout = matrix;
  return 0;
}

int cublasLtMatrixLayoutSetAttribute(void *layout, int attribute,
                                     const void *value, size_t bytes) {
  return !layout || !attribute || !value || bytes;
}

int cublasLtMatrixLayoutDestroy(void *layout) {
  free(layout);
  return 0;
}

int cublasLtMatmulPreferenceCreate(void **preference) {
  *preference = &one;
  return 0;
}

int cublasLtMatmulPreferenceSetAttribute(void *preference, int attribute,
                                         const void *value, size_t bytes) {
  return preference != &one || attribute != 1 || !value || bytes != 8;
}

int cublasLtMatmulPreferenceDestroy(void *preference) {
  return preference != &one;
}

int cublasLtMatmulAlgoGetHeuristic(void *handle, void *operation, void *a,
                                   void *b, void *c, void *d, void *preference,
                                   int wanted, void *results, int *found) {
  int status;
  *found = wanted;
  memset(results, 1, 96);
  return refuses(&status)
             ? status
             : !handle || !operation || !a || !b || !c || c != d || !preference;
}

int cublasLtMatmul(void *handle, void *operation, const void *alpha,
                   const void *a, void *layoutA, const void *b, void *layoutB,
                   const void *beta, const void *c, void *layoutC, void *d,
                   void *layoutD, const void *algorithm, void *workspace,
                   size_t bytes, void *stream) {
  const Operation *set = operation;
  Matrix first = *(Matrix *)layoutA, second = *(Matrix *)layoutB;
  const Matrix *result = layoutD;
  int isWrong = !handle || c != d || layoutC != layoutD || stream || !bytes ||
                !workspace || *(const char *)algorithm != 1 ||
                result->type != R_32F || *(const float *)alpha != 1 ||
                *(const float *)beta != 0;
  first.data = a;
  first.turned = set->transposed[0];
  second.data = b;
  second.turned = set->transposed[1];
  uint64_t depth = first.turned ? first.rows : first.columns;
  uint64_t rows = first.turned ? first.columns : first.rows;
  uint64_t also = second.turned ? second.columns : second.rows;
  return isWrong || rows != result->rows || depth != also
             ? 7
             : product(first, second, d, result->pitch, (int64_t)rows,
                       (int64_t)result->columns, (int64_t)depth);
}
