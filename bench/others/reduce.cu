// Sums, scans, searches and sorts of a block or a grid.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cub/block/block_histogram.cuh>
#include <cub/block/block_load.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/warp/warp_merge_sort.cuh>
#include <cuda/std/limits>

namespace cg = cooperative_groups;

// A tree in dynamic shared memory; one atomic addition for each block.
extern "C" __global__ void sum_tree(const float *in, float *out, int n) {
  extern __shared__ float part[];
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    sum += in[i];
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half)
      part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    atomicAdd(out, part[0]);
}

template <int kThreads, typename T>
__device__ T sumOfBlock(T value) {
  __shared__ T warps[kThreads / 32];
  for (int d = 16; d > 0; d /= 2)
    value += __shfl_down_sync(~0u, value, d);
  if (threadIdx.x % 32 == 0)
    warps[threadIdx.x / 32] = value;
  __syncthreads();
  value = threadIdx.x < kThreads / 32 ? warps[threadIdx.x] : T(0);
  if (threadIdx.x < 32)
    for (int d = 16; d > 0; d /= 2)
      value += __shfl_xor_sync(~0u, value, d);
  return value;
}

// A template, whose name is mangled.
template <typename T, int kThreads>
__global__ void sum_template(const T *in, T *out, int n) {
  T sum = 0;
  for (int i = threadIdx.x; i < n; i += kThreads)
    sum += in[i];
  sum = sumOfBlock<kThreads>(sum);
  if (threadIdx.x == 0)
    *out = sum;
}
template __global__ void sum_template<double, 256>(const double *, double *,
                                                   int);
template __global__ void sum_template<long long, 128>(const long long *,
                                                      long long *, int);

// The position of the largest element; of equals the first.
extern "C" __global__ void argmax_rows(const float *in, int *out, int n) {
  const float *row = in + (size_t)blockIdx.x * n;
  float best = -cuda::std::numeric_limits<float>::infinity();
  int where = n;
  for (int i = threadIdx.x; i < n; i += 32)
    if (row[i] > best)
      best = row[i], where = i;
  for (int d = 16; d > 0; d /= 2) {
    float other = __shfl_down_sync(~0u, best, d);
    int place = __shfl_down_sync(~0u, where, d);
    if (other > best || (other == best && place < where))
      best = other, where = place;
  }
  if (threadIdx.x == 0)
    out[blockIdx.x] = where;
}

// The last block, which a counter names, adds the blocks' sums.
__device__ unsigned numDone;
extern "C" __global__ void sum_last_block(const float *in, float *parts,
                                          float *out, int n) {
  __shared__ bool isLast;
  float sum = 0;
  for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += gridDim.x * 128)
    sum += in[i];
  sum = sumOfBlock<128>(sum);
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = sum;
    __threadfence();
    isLast = atomicInc(&numDone, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (isLast && threadIdx.x == 0) {
    __threadfence();
    sum = 0;
    for (int i = 0; i < gridDim.x; ++i)
      sum += ((volatile float *)parts)[i];
    *out = sum;
  }
}

// A scan with two buffers in shared memory.
extern "C" __global__ void scan_two_buffers(const int *in, int *out) {
  __shared__ int buffer[2][256];
  int t = threadIdx.x, from = 0;
  buffer[0][t] = in[blockIdx.x * 256 + t];
  __syncthreads();
  for (int d = 1; d < 256; d *= 2) {
    buffer[1 - from][t] =
        buffer[from][t] + (t >= d ? buffer[from][t - d] : 0);
    from = 1 - from;
    __syncthreads();
  }
  out[blockIdx.x * 256 + t] = buffer[from][t];
}

// A scan of all blocks in one pass: each looks back at those before it.
extern "C" __global__ void scan_look_back(const int *in, int *out,
                                          unsigned long long *states,
                                          unsigned *ticket) {
  __shared__ unsigned number;
  __shared__ int before, warps[4];
  int t = threadIdx.x, lane = t % 32;
  if (t == 0)
    number = atomicAdd(ticket, 1);
  __syncthreads();
  int own = in[number * 128 + t], value = own;
  for (int d = 1; d < 32; d *= 2) {
    int other = __shfl_up_sync(~0u, value, d);
    value += lane >= d ? other : 0;
  }
  if (lane == 31)
    warps[t / 32] = value;
  __syncthreads();
  for (int w = 0; w < t / 32; ++w)
    value += warps[w];
  if (t == 0) {
    int all = warps[0] + warps[1] + warps[2] + warps[3], sum = 0;
    unsigned long long state = (unsigned)all;
    atomicExch(states + number, state | (number ? 1ull : 2ull) << 32);
    for (int i = (int)number - 1; i >= 0;) {
      state = atomicAdd(states + i, 0ull);
      if (state >> 32 == 0)
        continue;
      sum += (int)(unsigned)state;
      if (state >> 32 == 2)
        break;
      --i;
    }
    if (number)
      atomicExch(states + number, (unsigned)(sum + all) | 2ull << 32);
    before = sum;
  }
  __syncthreads();
  out[number * 128 + t] = before + value;
}

// Block algorithms of CUB.
extern "C" __global__ void cub_scan(const int *in, int *out, int *sums) {
  using Load = cub::BlockLoad<int, 128, 4, cub::BLOCK_LOAD_TRANSPOSE>;
  using Scan = cub::BlockScan<int, 128, cub::BLOCK_SCAN_WARP_SCANS>;
  __shared__ union {
    typename Load::TempStorage load;
    typename Scan::TempStorage scan;
  } memory;
  int values[4], sum;
  Load(memory.load).Load(in + blockIdx.x * 512, values);
  __syncthreads();
  Scan(memory.scan).ExclusiveSum(values, values, sum);
  for (int i = 0; i < 4; ++i)
    out[blockIdx.x * 512 + threadIdx.x * 4 + i] = values[i];
  if (threadIdx.x == 0)
    sums[blockIdx.x] = sum;
}

extern "C" __global__ void cub_reduce(const float *in, float *out) {
  using Reduce =
      cub::BlockReduce<float, 128, cub::BLOCK_REDUCE_RAKING>;
  __shared__ typename Reduce::TempStorage memory;
  float sum = Reduce(memory).Sum(in[blockIdx.x * 128 + threadIdx.x]);
  if (threadIdx.x == 0)
    out[blockIdx.x] = sum;
}

extern "C" __global__ void cub_radix_sort(const unsigned *in, unsigned *out,
                                          int *places) {
  using Sort = cub::BlockRadixSort<unsigned, 64, 4, int>;
  __shared__ typename Sort::TempStorage memory;
  unsigned keys[4];
  int values[4];
  for (int i = 0; i < 4; ++i)
    keys[i] = in[values[i] = threadIdx.x * 4 + i];
  Sort(memory).Sort(keys, values);
  for (int i = 0; i < 4; ++i) {
    out[threadIdx.x * 4 + i] = keys[i];
    places[threadIdx.x * 4 + i] = values[i];
  }
}

struct Less {
  __device__ bool operator()(int a, int b) const { return a < b; }
};
extern "C" __global__ void cub_merge_sort(const int *in, int *out) {
  using Sort = cub::WarpMergeSort<int, 4, 32>;
  __shared__ typename Sort::TempStorage memory;
  int keys[4];
  for (int i = 0; i < 4; ++i)
    keys[i] = in[threadIdx.x * 4 + i];
  Sort(memory).Sort(keys, Less());
  for (int i = 0; i < 4; ++i)
    out[threadIdx.x * 4 + i] = keys[i];
}

extern "C" __global__ void cub_histogram(const unsigned char *in,
                                         unsigned *out) {
  using Histogram = cub::BlockHistogram<unsigned char, 128, 8, 256,
                                        cub::BLOCK_HISTO_ATOMIC>;
  __shared__ typename Histogram::TempStorage memory;
  __shared__ unsigned counts[256];
  unsigned char values[8];
  for (int i = 0; i < 8; ++i)
    values[i] = in[threadIdx.x * 8 + i];
  Histogram(memory).Histogram(values, counts);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += 128)
    out[i] = counts[i];
}

// A network that sorts 512 numbers in shared memory.
extern "C" __global__ void bitonic_sort(const float *in, float *out) {
  __shared__ float a[512];
  for (int i = threadIdx.x; i < 512; i += 256)
    a[i] = in[i];
  for (int size = 2; size <= 512; size *= 2)
    for (int d = size / 2; d > 0; d /= 2) {
      __syncthreads();
      int i = 2 * threadIdx.x - (threadIdx.x & (d - 1));
      bool isUp = (i & size) == 0;
      float x = a[i], y = a[i + d];
      if ((x > y) == isUp)
        a[i] = y, a[i + d] = x;
    }
  __syncthreads();
  for (int i = threadIdx.x; i < 512; i += 256)
    out[i] = a[i];
}

// Groups: tiles of a block, groups by value, and active lanes.
extern "C" __global__ void groups_tiles(const int *in, int *sums, int *scans,
                                        int *largest) {
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<8>(block);
  int i = block.group_index().x * block.size() + block.thread_rank();
  sums[i] = cg::reduce(tile, in[i], cg::plus<int>());
  scans[i] = cg::inclusive_scan(tile, in[i]);
  auto warp = cg::tiled_partition<32>(block);
  largest[i] = cg::reduce(warp, in[i], cg::greater<int>());
}

extern "C" __global__ void groups_labels(const int *labels, int *ranks,
                                         int *sizes) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  auto same = cg::labeled_partition(warp, labels[threadIdx.x]);
  ranks[threadIdx.x] = same.thread_rank();
  sizes[threadIdx.x] = same.size();
}

// Lanes that found something share one atomic addition.
extern "C" __global__ void groups_compact(const int *in, int *out, int *count,
                                          int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] > 0) {
    auto active = cg::coalesced_threads();
    int at = 0;
    if (active.thread_rank() == 0)
      at = atomicAdd(count, (int)active.size());
    out[active.shfl(at, 0) + active.thread_rank()] = in[i];
  }
}

// All blocks wait for each other between steps; the launch is cooperative.
extern "C" __global__ void groups_grid(float *a, float *b, int n, int steps) {
  cg::grid_group grid = cg::this_grid();
  for (int s = 0; s < steps; ++s) {
    for (int i = grid.thread_rank(); i < n; i += grid.size())
      b[i] = 0.5f * (a[i ? i - 1 : n - 1] + a[i + 1 < n ? i + 1 : 0]);
    grid.sync();
    float *swap = a;
    a = b;
    b = swap;
  }
}
