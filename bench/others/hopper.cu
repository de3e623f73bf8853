// Clusters, TMA and wgmma of Hopper.
#include <cooperative_groups.h>
#include <cstdint>
#include <cuda_fp16.h>
#include <cuda/ptx>
#include <cuda_device_runtime_api.h>

namespace cg = cooperative_groups;

// A histogram spread over the shared memory of a cluster's blocks.
extern "C" __global__ void __cluster_dims__(4)
    cluster_histogram(const unsigned short *in, int *out, int n) {
  __shared__ int counts[64]; // this block's part of 256
  cg::cluster_group cluster = cg::this_cluster();
  for (int i = threadIdx.x; i < 64; i += blockDim.x)
    counts[i] = 0;
  cluster.sync();
  for (int i = cluster.thread_rank(); i < n; i += cluster.num_threads()) {
    int value = in[i] % 256;
    int *other = cluster.map_shared_rank(counts, value / 64);
    atomicAdd(other + value % 64, 1);
  }
  cluster.sync();
  for (int i = threadIdx.x; i < 64; i += blockDim.x)
    out[cluster.block_rank() * 64 + i] = counts[i];
}

// Sums that a ring of blocks passes on through distributed shared memory.
extern "C" __global__ void __cluster_dims__(2, 2)
    cluster_ring(const float *in, float *out) {
  __shared__ float part;
  cg::cluster_group cluster = cg::this_cluster();
  unsigned rank = cluster.block_rank();
  int number = blockIdx.y * gridDim.x + blockIdx.x;
  if (threadIdx.x == 0)
    part = in[number];
  float sum = 0;
  cluster.sync();
  for (int i = 0; i < 4; ++i)
    sum += *cluster.map_shared_rank(&part, (rank + i) % 4);
  cluster.sync();
  if (threadIdx.x == 0)
    out[number] = sum;
}

// Stores to the next block that complete at its barrier.
extern "C" __global__ void __cluster_dims__(2)
    cluster_store_async(const int *in, int *out) {
  __shared__ alignas(8) uint64_t barrier;
  __shared__ int tile[64];
  namespace ptx = cuda::ptx;
  unsigned rank = cg::this_cluster().block_rank();
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&barrier, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                   ptx::space_shared, &barrier, 256);
  }
  cg::this_cluster().sync();
  int *to = cg::this_cluster().map_shared_rank(tile, rank ^ 1);
  auto *at = cg::this_cluster().map_shared_rank(&barrier, rank ^ 1);
  ptx::st_async(to + threadIdx.x, in[blockIdx.x * 64 + threadIdx.x] + 1, at);
  while (!ptx::mbarrier_try_wait_parity(&barrier, 0))
    ;
  out[blockIdx.x * 64 + threadIdx.x] = tile[threadIdx.x];
  cg::this_cluster().sync();
}

__device__ unsigned sharedAddress(const void *p) {
  return (unsigned)__cvta_generic_to_shared(p);
}

__device__ void waitFor(unsigned barrier, unsigned parity) {
  asm volatile("{\n.reg .pred done;\nagain:\n"
               "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
               "@!done bra again;\n}" ::"r"(barrier),
               "r"(parity)
               : "memory");
}

// Makes the map of a matrix of halves (rows,columns) in memory, for boxes of 64
// columns and 64 rows whose rows of 128 bytes are permuted.
__device__ void makeMap(void *map, const __half *data, int rows, int columns,
                        char *scratch) {
  unsigned at = sharedAddress(scratch);
  if (threadIdx.x < 32) {
    ((int *)scratch)[threadIdx.x] = 0;
    __syncwarp();
    if (threadIdx.x == 0) {
#define REPLACE(field, type, value)                                           \
  asm volatile("tensormap.replace.tile." field                                \
               ".shared::cta.b1024." type " [%0], " value ::"r"(at),
      REPLACE("global_address", "b64", "%1;") "l"(data) : "memory");
      REPLACE("rank", "b32", "1;") "n"(0) : "memory");
      REPLACE("box_dim", "b32", "0, 64;") "n"(0) : "memory");
      REPLACE("box_dim", "b32", "1, 64;") "n"(0) : "memory");
      REPLACE("global_dim", "b32", "0, %1;") "r"(columns) : "memory");
      REPLACE("global_dim", "b32", "1, %1;") "r"(rows) : "memory");
      REPLACE("global_stride", "b64", "0, %1;") "l"(columns * 2ll) : "memory");
      REPLACE("element_stride", "b32", "0, 1;") "n"(0) : "memory");
      REPLACE("element_stride", "b32", "1, 1;") "n"(0) : "memory");
      REPLACE("elemtype", "b32", "6;") "n"(0) : "memory");
      REPLACE("interleave_layout", "b32", "0;") "n"(0) : "memory");
      REPLACE("swizzle_mode", "b32", "3;") "n"(0) : "memory");
      REPLACE("fill_mode", "b32", "0;") "n"(0) : "memory");
#undef REPLACE
    }
    __syncwarp();
    asm volatile(
        "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release"
        ".gpu.sync.aligned [%0], [%1], 128;" ::"l"(map),
        "r"(at)
        : "memory");
    asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(
                     map)
                 : "memory");
  }
  __syncthreads();
}

__device__ void loadBox(void *to, const void *map, int column, int row,
                        unsigned barrier) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::"
               "complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
                   sharedAddress(to)),
               "l"(map), "r"(column), "r"(row), "r"(barrier)
               : "memory");
}

// A matrix descriptor: rows of 128 bytes, permuted, eight rows 1024 apart.
__device__ unsigned long long describe(const void *p) {
  unsigned long long address = (sharedAddress(p) & 0x3ffff) >> 4;
  return address | 1ull << 16 | 64ull << 32 | 1ull << 62;
}

__device__ void multiply(float (&d)[32], unsigned long long a,
                         unsigned long long b) {
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 "
      "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,"
      "%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31}, "
      "%32, %33, 1, 1, 1, 0, 0;"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]),
        "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]),
        "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]),
        "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]),
        "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]),
        "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]),
        "+f"(d[31])
      : "l"(a), "l"(b));
}

// C(m,n) = A(m,k) B(n,k): a warp loads two stages by TMA, a warpgroup multiplies.
extern "C" __global__ void __launch_bounds__(160)
    gemm_tma_wgmma(const __half *A, const __half *B, float *C, char *maps,
                   int m, int n, int k) {
  extern __shared__ __align__(1024) char memory[]; // stages of A, of B
  __shared__ alignas(128) char scratch[128];
  __shared__ alignas(8) unsigned long long barriers[4]; // full, empty
  char *ours = maps + (blockIdx.y * gridDim.x + blockIdx.x) * 256;
  makeMap(ours, A, m, k, scratch);
  makeMap(ours + 128, B, n, k, scratch);
  unsigned full = sharedAddress(barriers), empty = full + 16;
  if (threadIdx.x == 0) {
    for (int s = 0; s < 2; ++s) {
      asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(full + 8 * s));
      asm volatile("mbarrier.init.shared.b64 [%0], 128;" ::"r"(empty + 8 * s));
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  int rounds = (k + 63) / 64;
  if (threadIdx.x >= 128) {
    if (threadIdx.x == 128)
      for (int r = 0; r < rounds; ++r) {
        int s = r % 2;
        if (r >= 2)
          waitFor(empty + 8 * s, (r / 2 - 1) % 2);
        asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 16384;" ::
                         "r"(full + 8 * s)
                     : "memory");
        loadBox(memory + s * 8192, ours, r * 64, blockIdx.y * 64,
                full + 8 * s);
        loadBox(memory + 16384 + s * 8192, ours + 128, r * 64,
                blockIdx.x * 64, full + 8 * s);
      }
    return;
  }
  float sum[32] = {};
  for (int r = 0; r < rounds; ++r) {
    int s = r % 2;
    waitFor(full + 8 * s, r / 2 % 2);
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    for (int i = 0; i < 4; ++i)
      multiply(sum, describe(memory + s * 8192 + i * 32),
               describe(memory + 16384 + s * 8192 + i * 32));
    asm volatile("wgmma.commit_group.sync.aligned;\n"
                 "wgmma.wait_group.sync.aligned 0;" ::
                     : "memory");
    if (r + 2 < rounds)
      asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(empty + 8 * s)
                   : "memory");
  }
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int i = 0; i < 32; ++i) {
    int row = blockIdx.y * 64 + warp * 16 + lane / 4 + i / 2 % 2 * 8;
    int column = blockIdx.x * 64 + i / 4 * 8 + lane % 4 * 2 + i % 2;
    if (row < m && column < n)
      C[row * n + column] = sum[i];
  }
}

// The map is a parameter, as the host encodes it; TMA stores with a sum.
struct alignas(64) Map {
  char bytes[128];
};
extern "C" __global__ void tma_parameter(const __grid_constant__ Map from,
                                         const __grid_constant__ Map to) {
  __shared__ alignas(128) float tile[16][32];
  __shared__ alignas(8) unsigned long long barrier;
  unsigned at = sharedAddress(&barrier);
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(at));
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile(
        "mbarrier.arrive.expect_tx.shared.b64 _, [%0], 2048;" ::"r"(at)
        : "memory");
    loadBox(tile, &from, blockIdx.x * 32, blockIdx.y * 16, at);
  }
  waitFor(at, 0);
  for (int r = 0; r < 16; ++r)
    tile[r][threadIdx.x] *= 2;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile."
                 "bulk_group [%0, {%1, %2}], [%3];\n"
                 "cp.async.bulk.commit_group;\n"
                 "cp.async.bulk.wait_group 0;" ::"l"(&to),
                 "r"(blockIdx.x * 32), "r"(blockIdx.y * 16),
                 "r"(sharedAddress(tile))
                 : "memory");
  }
}

// A kernel that begins before the one before it has ended.
extern "C" __global__ void dependent(const int *in, int *out) {
  cudaGridDependencySynchronize();
  out[threadIdx.x] = in[threadIdx.x] + 1;
  cudaTriggerProgrammaticLaunchCompletion();
}
