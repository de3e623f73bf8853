#include "Check/array.h"

static bool rowMajor(size_t rank, const int64_t *extents, int64_t *strides) {
  int64_t stride = 1;
  for (size_t i = rank; i-- > 0;) {
    strides[i] = stride;
    if (__builtin_mul_overflow(stride, extents[i] ? extents[i] : 1, &stride))
      return false;
  }
  return true;
}

// 1 + the largest offset; 0 without elements; -1 if it overflows.
static int64_t cosizeOf(const CuteArray *array) {
  int64_t last = 0;
  for (size_t i = 0; i < array->rank; ++i) {
    int64_t step;
    if (array->extents[i] < 0 || array->strides[i] < 0)
      return -1;
    if (!array->extents[i])
      return 0;
    if (__builtin_mul_overflow(array->extents[i] - 1, array->strides[i],
                               &step) ||
        __builtin_add_overflow(last, step, &last))
      return -1;
  }
  return last < INT64_MAX / 64 ? last + 1 : -1;
}

CuteStatus cuteArrayCreate(CuteArray *array, CuteElementType type, size_t rank,
                           const int64_t *extents, const int64_t *strides) {
  *array = (CuteArray){.type = type, .rank = rank};
  if (rank > CUTE_MAX_RANK)
    return cuteStatusCreate("arrays have at most %d modes, not %zu",
                            CUTE_MAX_RANK, rank);
  bool ok = strides || rowMajor(rank, extents, array->strides);
  for (size_t i = 0; i < rank; ++i) {
    array->extents[i] = extents[i];
    if (strides)
      array->strides[i] = strides[i];
  }
  array->cosize = ok ? cosizeOf(array) : -1;
  if (array->cosize < 0)
    return cuteStatusCreate("the size of an array is negative or too large");
  size_t bytes = cuteArrayGetBytes(array);
  array->data = calloc(bytes ? bytes : 1, 1);
  return array->data
             ? NULL
             : cuteStatusCreate("no memory for an array of %zu bytes", bytes);
}

void cuteArrayDestroy(CuteArray *array) {
  free(array->data);
  array->data = NULL;
}

size_t cuteArrayGetBytes(const CuteArray *array) {
  return ((size_t)array->cosize * cuteElementTypeGetBits(array->type) + 7) / 8;
}

int64_t cuteArrayGetSize(const CuteArray *array) {
  int64_t size = 1;
  for (size_t i = 0; i < array->rank; ++i)
    size *= array->extents[i];
  return size;
}

int64_t cuteArrayGetOffset(const CuteArray *array, int64_t number) {
  int64_t offset = 0;
  for (size_t i = array->rank; i-- > 0; number /= array->extents[i])
    offset += number % array->extents[i] * array->strides[i];
  return offset;
}

bool cuteArrayIsRowMajor(const CuteArray *array) {
  int64_t strides[CUTE_MAX_RANK];
  rowMajor(array->rank, array->extents, strides);
  for (size_t i = 0; i < array->rank; ++i)
    if (array->extents[i] > 1 && strides[i] != array->strides[i])
      return false;
  return true;
}
