#include "Run/blas_call.h"
#include "Hardware/element.h"

// Types of A and B, of C, and how sums are computed.
static const struct {
  CuteElementType input, output;
  int compute;
} types[] = {
    {CUTE_ELEMENT_F16, CUTE_ELEMENT_F16, CUTE_BLAS_COMPUTE_32F},
    {CUTE_ELEMENT_F16, CUTE_ELEMENT_F32, CUTE_BLAS_COMPUTE_32F},
    {CUTE_ELEMENT_BF16, CUTE_ELEMENT_BF16, CUTE_BLAS_COMPUTE_32F},
    {CUTE_ELEMENT_BF16, CUTE_ELEMENT_F32, CUTE_BLAS_COMPUTE_32F},
    {CUTE_ELEMENT_TF32, CUTE_ELEMENT_F32, CUTE_BLAS_COMPUTE_32F_FAST_TF32},
    {CUTE_ELEMENT_F32, CUTE_ELEMENT_F32, CUTE_BLAS_COMPUTE_32F},
    {CUTE_ELEMENT_F64, CUTE_ELEMENT_F64, CUTE_BLAS_COMPUTE_64F},
    {CUTE_ELEMENT_I8, CUTE_ELEMENT_I32, CUTE_BLAS_COMPUTE_32I},
    {CUTE_ELEMENT_F8E4M3, CUTE_ELEMENT_F16, CUTE_BLAS_COMPUTE_32F},
    {CUTE_ELEMENT_F8E4M3, CUTE_ELEMENT_BF16, CUTE_BLAS_COMPUTE_32F},
    {CUTE_ELEMENT_F8E4M3, CUTE_ELEMENT_F32, CUTE_BLAS_COMPUTE_32F},
};

static bool isProduct(const CuteArray *a, const CuteArray *b,
                      const CuteArray *c) {
  size_t rank = c->rank;
  return a->data && b->data && c->data && (rank == 2 || rank == 3) &&
         a->rank == rank && b->rank == rank && a->extents[0] == c->extents[0] &&
         b->extents[0] == c->extents[1] && a->extents[1] == b->extents[1] &&
         (rank == 2 ||
          (a->extents[2] == c->extents[2] && b->extents[2] == c->extents[2]));
}

// The mode that is contiguous; 2 if none is, or if the other's lines overlap or
// have a pitch that is no int.
static size_t contiguousMode(const CuteArray *array) {
  for (size_t mode = 2; mode-- > 0;)
    if ((array->strides[mode] == 1 || array->extents[mode] == 1) &&
        (array->strides[1 - mode] >= array->extents[mode] ||
         array->extents[1 - mode] == 1) &&
        array->strides[1 - mode] <= INT32_MAX &&
        array->extents[mode] <= INT32_MAX)
      return mode;
  return 2;
}

// `along` is the mode that is contiguous where nothing is transposed. Of one
// line the pitch is of no meaning, but must be large enough.
static CuteBlasOperand operandOf(const CuteArray *array, size_t argument,
                                 size_t along, int type) {
  size_t mode = contiguousMode(array);
  int64_t pitch = array->strides[1 - mode], least = array->extents[mode];
  least = least > 1 ? least : 1;
  return (CuteBlasOperand){.argument = argument,
                           .transposed = mode != along,
                           .pitch = (int)(pitch > least ? pitch : least),
                           .batchPitch =
                               array->rank == 3 ? array->strides[2] : 0,
                           .type = type};
}

const char *cuteBlasCallCreate(const CuteArray *a, const CuteArray *b,
                               const CuteArray *c, CuteBlasCall *call) {
  if (!isProduct(a, b, c))
    return "it is for matrices A(MxK), B(NxK), C(MxN), or such a one for each "
           "index of a third mode";
  size_t row = 0, numTypes = sizeof types / sizeof *types;
  while (row < numTypes &&
         (types[row].input != a->type || types[row].input != b->type ||
          types[row].output != c->type))
    ++row;
  if (row == numTypes)
    return "it is for f16 or bf16 to itself or f32, tf32 or f32 to f32, f64 to "
           "f64, i8 to i32, and f8E4M3FN to f16, bf16 or f32";
  if (contiguousMode(a) == 2 || contiguousMode(b) == 2 ||
      contiguousMode(c) == 2)
    return "it needs one of the first two modes contiguous in each matrix";
  // Column-major C is A * transpose(B); row-major, transpose(C) is
  // B * transpose(A).
  bool isColumnMajor = contiguousMode(c) == 0;
  const CuteArray *first = isColumnMajor ? a : b;
  const CuteArray *second = isColumnMajor ? b : a;
  *call = (CuteBlasCall){
      .first = operandOf(first, isColumnMajor ? 0 : 1, 0,
                         cuteElementGetInfo(types[row].input)->cuda),
      .second = operandOf(second, isColumnMajor ? 1 : 0, 1,
                          cuteElementGetInfo(types[row].input)->cuda),
      .result = operandOf(c, 2, isColumnMajor ? 0 : 1,
                          cuteElementGetInfo(types[row].output)->cuda),
      .rows = (int)first->extents[0],
      .columns = (int)second->extents[0],
      .depth = (int)a->extents[1],
      .batches = c->rank == 3 ? (int)c->extents[2] : 1,
      .compute = types[row].compute,
      .isFloat8 = types[row].input == CUTE_ELEMENT_F8E4M3};
  return NULL;
}
