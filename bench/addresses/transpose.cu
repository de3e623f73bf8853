// B = transpose(A) of 32x32 tiles: by hand what transpose.mlir says with layouts.
extern "C" __global__ void __launch_bounds__(256)
transpose(const float *A, int m, int n, long long lda, float *B, int n_b, int m_b,
          long long ldb) {
  __shared__ __align__(128) float tile[32 * 32];
  unsigned column = threadIdx.x % 32, row = threadIdx.x / 32;
  const float *from = A + (blockIdx.x * 32 + row) * lda + blockIdx.y * 32 + column;
  float *to = B + (blockIdx.y * 32 + row) * ldb + blockIdx.x * 32 + column;
  float values[4];
#pragma unroll
  for (int i = 0; i < 4; ++i)
    values[i] = from[8 * i * lda];
  float *write = tile + row * 32, *read = tile + column * 32;
#pragma unroll
  for (int i = 0; i < 4; ++i)
    write[8 * i * 32 + (column ^ row ^ 8 * i)] = values[i];
  __syncthreads();
#pragma unroll
  for (int i = 0; i < 4; ++i)
    to[8 * i * ldb] = read[column ^ row ^ 8 * i];
}
