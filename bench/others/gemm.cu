// Products of matrices, from loops to tensor cores.
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_pipeline.h>
#include <mma.h>

// C(m,n) = A(m,k) B(k,n) by tiles in shared memory; any sizes.
extern "C" __global__ void gemm_tiles(const float *A, const float *B, float *C,
                                      int m, int n, int k) {
  __shared__ float a[16][17], b[16][17];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * 16 + y, column = blockIdx.x * 16 + x;
  float sum = 0;
  for (int at = 0; at < k; at += 16) {
    a[y][x] = row < m && at + x < k ? A[row * k + at + x] : 0;
    b[y][x] = column < n && at + y < k ? B[(at + y) * n + column] : 0;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 16; ++i)
      sum += a[y][i] * b[i][x];
    __syncthreads();
  }
  if (row < m && column < n)
    C[row * n + column] = sum;
}

// Each thread has 4 x 4 elements, read as vectors.
extern "C" __global__ void gemm_registers(const float4 *A, const float4 *B,
                                          float4 *C, int n, int k) {
  __shared__ float4 a[8][16], b[8][16]; // 8 of k, 64 of m or n
  int t = threadIdx.x, x = t % 16, y = t / 16;
  float sum[4][4] = {};
  for (int at = 0; at < k; at += 8) {
    if (t < 128) {
      a[t / 16][t % 16] = A[(at + t / 16) * (gridDim.y * 16) +
                            blockIdx.y * 16 + t % 16]; // A is (k,m)
      b[t / 16][t % 16] =
          B[(at + t / 16) * (n / 4) + blockIdx.x * 16 + t % 16];
    }
    __syncthreads();
    for (int i = 0; i < 8; ++i) {
      float4 p = a[i][y], q = b[i][x];
      float u[4] = {p.x, p.y, p.z, p.w}, v[4] = {q.x, q.y, q.z, q.w};
      for (int r = 0; r < 4; ++r)
        for (int c = 0; c < 4; ++c)
          sum[r][c] = fmaf(u[r], v[c], sum[r][c]);
    }
    __syncthreads();
  }
  for (int r = 0; r < 4; ++r)
    C[(blockIdx.y * 64 + y * 4 + r) * (n / 4) + blockIdx.x * 16 + x] =
        make_float4(sum[r][0], sum[r][1], sum[r][2], sum[r][3]);
}

// wmma from shared memory, which cp.async fills a round ahead; B is (n,k).
extern "C" __global__ void gemm_wmma_async(const __half *A, const __half *B,
                                           float *C, int n, int k) {
  using namespace nvcuda;
  __shared__ alignas(16) __half a[2][32 * 40], b[2][32 * 40];
  int t = threadIdx.x, warp = t / 32, row = t / 4, piece = t % 4 * 8;
  auto load = [&](int stage, int at) {
    __pipeline_memcpy_async(&a[stage][row * 40 + piece],
                            A + (blockIdx.y * 32 + row) * k + at + piece, 16);
    __pipeline_memcpy_async(&b[stage][row * 40 + piece],
                            B + (blockIdx.x * 32 + row) * k + at + piece, 16);
    __pipeline_commit();
  };
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  load(0, 0);
  for (int at = 0; at < k; at += 32) {
    int stage = at / 32 % 2;
    if (at + 32 < k)
      load(1 - stage, at + 32);
    __pipeline_wait_prior(at + 32 < k);
    __syncthreads();
    for (int i = 0; i < 32; i += 16) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> u;
      wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> v;
      wmma::load_matrix_sync(u, &a[stage][warp / 2 * 16 * 40 + i], 40);
      wmma::load_matrix_sync(v, &b[stage][warp % 2 * 16 * 40 + i], 40);
      wmma::mma_sync(sum, u, v, sum);
    }
    __syncthreads();
  }
  for (int i = 0; i < sum.num_elements; ++i)
    sum.x[i] *= 0.5f;
  wmma::store_matrix_sync(C + (blockIdx.y * 32 + warp / 2 * 16) * n +
                              blockIdx.x * 32 + warp % 2 * 16,
                          sum, n, wmma::mem_row_major);
}

__device__ unsigned sharedAddress(const void *p) {
  return (unsigned)__cvta_generic_to_shared(p);
}

// mma.sync with ldmatrix from rows that a swizzle permutes, three stages.
extern "C" __global__ void gemm_mma_stages(const __half *A, const __half *B,
                                           float *C, int n, int k) {
  extern __shared__ __align__(128) __half memory[]; // stages of A, of B
  const int kStages = 3;
  int t = threadIdx.x, lane = t % 32, warp = t / 32;
  auto place = [](int stage, int row, int piece) {
    return memory + stage * 64 * 32 + row * 32 + (piece ^ row / 2 % 4) * 8;
  };
  auto load = [&](int round) {
    int stage = round % kStages, at = round * 32;
    for (int i = t; i < 64 * 4; i += 128) {
      int row = i / 4, piece = i % 4;
      unsigned to = sharedAddress(place(stage, row, piece));
      const __half *from = A + (blockIdx.y * 64 + row) * k + at + piece * 8;
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to),
                   "l"(from));
      to = sharedAddress(place(stage + kStages, row, piece));
      from = B + (blockIdx.x * 64 + row) * k + at + piece * 8;
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to),
                   "l"(from));
    }
  };
  float sum[2][4][4] = {};
  int rounds = k / 32, m0 = warp / 2 * 32, n0 = warp % 2 * 32;
  for (int r = 0; r < kStages - 1; ++r) {
    if (r < rounds)
      load(r);
    asm volatile("cp.async.commit_group;");
  }
  for (int r = 0; r < rounds; ++r) {
    asm volatile("cp.async.wait_group 1;" ::: "memory");
    __syncthreads();
    if (r + kStages - 1 < rounds)
      load(r + kStages - 1);
    asm volatile("cp.async.commit_group;");
    int stage = r % kStages;
    for (int i = 0; i < 2; ++i) {
      unsigned a[2][4], b[4][2];
      for (int x = 0; x < 2; ++x)
        asm volatile(
            "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
            : "=r"(a[x][0]), "=r"(a[x][1]), "=r"(a[x][2]), "=r"(a[x][3])
            : "r"(sharedAddress(place(stage, m0 + x * 16 + lane % 16,
                                      i * 2 + lane / 16))));
      for (int y = 0; y < 4; ++y)
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1}, [%2];"
                     : "=r"(b[y][0]), "=r"(b[y][1])
                     : "r"(sharedAddress(place(stage + kStages,
                                               n0 + y * 8 + lane % 8,
                                               i * 2 + lane / 8 % 2))));
      for (int x = 0; x < 2; ++x)
        for (int y = 0; y < 4; ++y)
          asm volatile(
              "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
              "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
              : "+f"(sum[x][y][0]), "+f"(sum[x][y][1]), "+f"(sum[x][y][2]),
                "+f"(sum[x][y][3])
              : "r"(a[x][0]), "r"(a[x][1]), "r"(a[x][2]), "r"(a[x][3]),
                "r"(b[y][0]), "r"(b[y][1]));
    }
  }
  for (int x = 0; x < 2; ++x)
    for (int y = 0; y < 4; ++y)
      for (int v = 0; v < 4; ++v)
        C[(blockIdx.y * 64 + m0 + x * 16 + lane / 4 + v / 2 * 8) * n +
          blockIdx.x * 64 + n0 + y * 8 + lane % 4 * 2 + v % 2] = sum[x][y][v];
}

// One warp, one tile: 8-bit integers, 8-bit floats and doubles.
extern "C" __global__ void mma_s8(const int *A, const int *B, int *C) {
  int lane = threadIdx.x, g = lane / 4, q = lane % 4;
  int c[4] = {};
  asm volatile("mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.s8.s32 "
               "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
               : "r"(A[g * 8 + q]), "r"(A[(g + 8) * 8 + q]),
                 "r"(A[g * 8 + q + 4]), "r"(A[(g + 8) * 8 + q + 4]),
                 "r"(B[g * 8 + q]), "r"(B[g * 8 + q + 4]));
  for (int i = 0; i < 4; ++i)
    C[(g + i / 2 * 8) * 8 + q * 2 + i % 2] = c[i];
}

extern "C" __global__ void mma_fp8(const float *A, const float *B, float *C) {
  int lane = threadIdx.x, g = lane / 4, q = lane % 4;
  auto pack = [](const float *p) {
    unsigned low = __nv_cvt_float2_to_fp8x2(make_float2(p[0], p[1]),
                                            __NV_SATFINITE, __NV_E4M3);
    unsigned high = __nv_cvt_float2_to_fp8x2(make_float2(p[2], p[3]),
                                             __NV_SATFINITE, __NV_E4M3);
    return low | high << 16;
  };
  float c[4] = {};
  asm volatile("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 "
               "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
               : "r"(pack(A + g * 32 + q * 4)),
                 "r"(pack(A + (g + 8) * 32 + q * 4)),
                 "r"(pack(A + g * 32 + q * 4 + 16)),
                 "r"(pack(A + (g + 8) * 32 + q * 4 + 16)),
                 "r"(pack(B + g * 32 + q * 4)),
                 "r"(pack(B + g * 32 + q * 4 + 16)));
  for (int i = 0; i < 4; ++i)
    C[(g + i / 2 * 8) * 8 + q * 2 + i % 2] = c[i];
}

extern "C" __global__ void wmma_f64(const double *A, const double *B,
                                    double *C, int k) {
  using namespace nvcuda;
  wmma::fragment<wmma::accumulator, 8, 8, 4, double> sum;
  wmma::fill_fragment(sum, 0.0);
  for (int at = 0; at < k; at += 4) {
    wmma::fragment<wmma::matrix_a, 8, 8, 4, double, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 8, 8, 4, double, wmma::row_major> b;
    wmma::load_matrix_sync(a, A + at, k);
    wmma::load_matrix_sync(b, B + at * 8, 8);
    wmma::mma_sync(sum, a, b, sum);
  }
  wmma::store_matrix_sync(C, sum, 8, wmma::mem_col_major);
}

// Half of A's elements, with their places, times B.
extern "C" __global__ void mma_sparse(const unsigned *A, const unsigned *places,
                                      const unsigned *B, float *C) {
  int lane = threadIdx.x, g = lane / 4, q = lane % 4;
  float c[4] = {};
  unsigned b[4];
  for (int i = 0; i < 4; ++i)
    b[i] = B[g * 16 + q + 4 * i]; // B is (n,k) of halves
  asm volatile(
      "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 "
      "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9,%10,%11}, {%0,%1,%2,%3}, %12, 0x0;"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(A[g * 8 + q]), "r"(A[(g + 8) * 8 + q]), "r"(A[g * 8 + q + 4]),
        "r"(A[(g + 8) * 8 + q + 4]), "r"(b[0]), "r"(b[1]), "r"(b[2]),
        "r"(b[3]), "r"(places[lane]));
  for (int i = 0; i < 4; ++i)
    C[(g + i / 2 * 8) * 8 + q * 2 + i % 2] = c[i];
}

// softmax(Q K^T) V in one pass over the keys, a thread for each row.
extern "C" __global__ void attention_online(const float *Q, const float *K,
                                            const float *V, float *O, int n) {
  const int D = 32;
  __shared__ float keys[32][D], values[32][D];
  int row = blockIdx.x * 32 + threadIdx.x;
  float q[D], o[D] = {}, largest = -1e30f, sum = 0;
  for (int d = 0; d < D; ++d)
    q[d] = Q[row * D + d] * 0.17677669529f;
  for (int at = 0; at < n; at += 32) {
    for (int i = 0; i < 32; ++i) {
      keys[i][threadIdx.x] = K[(at + i) * D + threadIdx.x];
      values[i][threadIdx.x] = V[(at + i) * D + threadIdx.x];
    }
    __syncthreads();
    for (int j = 0; j < 32; ++j) {
      float s = 0;
      for (int d = 0; d < D; ++d)
        s += q[d] * keys[j][d];
      float next = fmaxf(largest, s), old = __expf(largest - next);
      float p = __expf(s - next);
      sum = sum * old + p;
      for (int d = 0; d < D; ++d)
        o[d] = o[d] * old + p * values[j][d];
      largest = next;
    }
    __syncthreads();
  }
  for (int d = 0; d < D; ++d)
    O[row * D + d] = o[d] / sum;
}
