// Copies and barriers of the library: cuda::barrier, cuda::pipeline, groups.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/ptx>

namespace cg = cooperative_groups;
using Barrier = cuda::barrier<cuda::thread_scope_block>;

// Two warps fill buffers that two others read, with a pair of barriers each.
extern "C" __global__ void barrier_roles(const float *in, float *out,
                                         int rounds) {
  __shared__ float buffer[2][64];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ Barrier full[2], empty[2];
  if (threadIdx.x == 0)
    for (int s = 0; s < 2; ++s) {
      init(&full[s], 128);
      init(&empty[s], 128);
    }
  __syncthreads();
  if (threadIdx.x < 64) {
    for (int r = 0; r < rounds; ++r) {
      empty[r % 2].arrive_and_wait();
      buffer[r % 2][threadIdx.x] = in[r * 64 + threadIdx.x] * 2;
      (void)full[r % 2].arrive();
    }
  } else {
    (void)empty[0].arrive();
    (void)empty[1].arrive();
    for (int r = 0; r < rounds; ++r) {
      full[r % 2].arrive_and_wait();
      out[r * 64 + threadIdx.x - 64] = buffer[r % 2][127 - threadIdx.x];
      if (r + 2 < rounds)
        (void)empty[r % 2].arrive();
    }
  }
}

// A pipeline of the block with two stages and cp.async.
extern "C" __global__ void pipeline_stages(const int *in, int *out,
                                           int rounds) {
  auto block = cg::this_thread_block();
  __shared__ int stages[2][128];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  auto pipe = cuda::make_pipeline(block, &state);
  for (int next = 0, r = 0; r < rounds; ++r) {
    for (; next < rounds && next < r + 2; ++next) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, stages[next % 2], in + next * 128,
                         cuda::aligned_size_t<16>(512), pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    out[r * 128 + threadIdx.x] = stages[r % 2][(threadIdx.x * 5 + r) % 128];
    pipe.consumer_release();
  }
}

// A thread's own pipeline.
extern "C" __global__ void pipeline_thread(const int4 *in, int4 *out,
                                           int rounds) {
  __shared__ int4 stages[2][64];
  auto pipe = cuda::make_pipeline();
  int t = threadIdx.x;
  pipe.producer_acquire();
  cuda::memcpy_async(&stages[0][t], in + t, sizeof(int4), pipe);
  pipe.producer_commit();
  for (int r = 0; r < rounds; ++r) {
    pipe.producer_acquire();
    if (r + 1 < rounds)
      cuda::memcpy_async(&stages[(r + 1) % 2][t], in + (r + 1) * 64 + t,
                         sizeof(int4), pipe);
    pipe.producer_commit();
    cuda::pipeline_consumer_wait_prior<1>(pipe);
    int4 x = stages[r % 2][t];
    out[r * 64 + t] = make_int4(x.w, x.z, x.y, x.x);
    pipe.consumer_release();
  }
}

extern "C" __global__ void groups_memcpy(const float *in, float *out) {
  __shared__ alignas(16) float tile[256];
  auto block = cg::this_thread_block();
  cg::memcpy_async(block, tile, in + blockIdx.x * 256, sizeof tile);
  cg::wait(block);
  out[blockIdx.x * 256 + threadIdx.x] = tile[255 - threadIdx.x];
}

// A bulk copy to a barrier, and one back.
extern "C" __global__ void bulk_copies(const int *in, int *out) {
  __shared__ alignas(128) int tile[512];
  __shared__ Barrier barrier;
  if (threadIdx.x == 0) {
    init(&barrier, blockDim.x);
    cuda::ptx::fence_proxy_async(cuda::ptx::space_shared);
  }
  __syncthreads();
  Barrier::arrival_token token;
  if (threadIdx.x == 0) {
    cuda::ptx::cp_async_bulk(cuda::ptx::space_cluster, cuda::ptx::space_global,
                             tile, in + blockIdx.x * 512, sizeof tile,
                             cuda::device::barrier_native_handle(barrier));
    token = cuda::device::barrier_arrive_tx(barrier, 1, sizeof tile);
  } else {
    token = barrier.arrive();
  }
  barrier.wait(std::move(token));
  for (int i = threadIdx.x; i < 512; i += blockDim.x)
    tile[i] = 3 * tile[i] + 1;
  cuda::ptx::fence_proxy_async(cuda::ptx::space_shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    cuda::ptx::cp_async_bulk(cuda::ptx::space_global, cuda::ptx::space_shared,
                             out + blockIdx.x * 512, tile, sizeof tile);
    cuda::ptx::cp_async_bulk_commit_group();
    cuda::ptx::cp_async_bulk_wait_group_read(cuda::ptx::n32_t<0>());
  }
}

// The library chooses how it copies to a barrier, here a bulk copy.
extern "C" __global__ void barrier_memcpy(const double *in, double *out) {
  __shared__ alignas(16) double tile[128];
  __shared__ Barrier barrier;
  auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) {
    init(&barrier, block.size());
    cuda::ptx::fence_proxy_async(cuda::ptx::space_shared);
  }
  block.sync();
  cuda::memcpy_async(block, tile, in + blockIdx.x * 128,
                     cuda::aligned_size_t<16>(sizeof tile), barrier);
  barrier.arrive_and_wait();
  out[blockIdx.x * 128 + threadIdx.x] = tile[threadIdx.x ^ 5];
}
