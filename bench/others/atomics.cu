// Atomic operations, votes and other words between lanes.
#include <cuda/atomic>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

extern "C" __global__ void histogram(const unsigned char *in, unsigned *out,
                                     int n) {
  __shared__ unsigned counts[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x)
    counts[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    atomicAdd(&counts[in[i]], 1);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += blockDim.x)
    atomicAdd(&out[i], counts[i]);
}

// Every integer operation, on 32 and 64 bits.
extern "C" __global__ void atomics_integer(const int *in, int *out,
                                           unsigned long long *wide) {
  int x = in[blockIdx.x * blockDim.x + threadIdx.x];
  atomicAdd(&out[0], x);
  atomicSub(&out[1], x);
  atomicMin(&out[2], x);
  atomicMax(&out[3], x);
  atomicAnd(&out[4], x);
  atomicOr(&out[5], x);
  atomicXor(&out[6], x);
  atomicInc((unsigned *)&out[7], 99);
  atomicDec((unsigned *)&out[8], 99);
  atomicAdd(&wide[0], (unsigned long long)x * 1000000007ull);
  atomicMin((long long *)&wide[1], (long long)x << 20);
  atomicMax((long long *)&wide[2], (long long)x << 20);
  atomicXor(&wide[3], (unsigned long long)x << 31);
}

extern "C" __global__ void atomics_float(const float *in, float *f, double *d,
                                         __half *h, __half2 *h2,
                                         __nv_bfloat162 *b2) {
  float x = in[threadIdx.x];
  atomicAdd(f, x);
  atomicAdd(d, (double)x);
  atomicAdd(h, __float2half(x));
  atomicAdd(h2, __floats2half2_rn(x, -x));
  atomicAdd(b2, __floats2bfloat162_rn(x, 2 * x));
}

// The largest float by a loop of compare and swap on 64 bits with its place.
extern "C" __global__ void atomics_swap(const float *in,
                                        unsigned long long *best) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long own =
      (unsigned long long)__float_as_uint(in[i]) << 32 | (unsigned)i;
  unsigned long long old = *(volatile unsigned long long *)best, seen;
  while (own > old && (seen = atomicCAS(best, old, own)) != old)
    old = seen;
}

extern "C" __global__ void atomics_16(const unsigned short *in,
                                      unsigned short *out) {
  unsigned short old = *(volatile unsigned short *)out, seen;
  while ((seen = atomicCAS(out, old,
                           (unsigned short)(old + in[threadIdx.x]))) != old)
    old = seen;
}

// A lock, and a reference to an atomic of the library.
extern "C" __global__ void atomics_lock(int *lock, int *count, int *total) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1))
      ;
    __threadfence();
    *(volatile int *)count = *(volatile int *)count + (int)blockIdx.x;
    __threadfence();
    atomicExch(lock, 0);
  }
  cuda::atomic_ref<int, cuda::thread_scope_device> sum(*total);
  sum.fetch_add((int)threadIdx.x, cuda::std::memory_order_relaxed);
}

// One block gives a number on to the next through flags that acquire and
// release.
extern "C" __global__ void atomics_flags(int *flags, int *values) {
  cuda::atomic_ref<int, cuda::thread_scope_device> mine(flags[blockIdx.x]);
  if (threadIdx.x == 0) {
    int before = 1;
    if (blockIdx.x) {
      cuda::atomic_ref<int, cuda::thread_scope_device> other(
          flags[blockIdx.x - 1]);
      while (!other.load(cuda::std::memory_order_acquire))
        __nanosleep(20);
      before = values[blockIdx.x - 1];
    }
    values[blockIdx.x] = before * 3 + 1;
    mine.store(1, cuda::std::memory_order_release);
  }
}

extern "C" __global__ void votes(const int *in, unsigned *ballots,
                                 unsigned *matches, int *words) {
  int t = threadIdx.x, x = in[t];
  unsigned odd = __ballot_sync(~0u, x & 1);
  ballots[t] = odd & __activemask();
  matches[t] = __match_any_sync(~0u, x & 7);
  int all, *word = words + 8 * t;
  __match_all_sync(~0u, x >> 30, &all);
  word[0] = all;
  word[1] = __all_sync(~0u, x > -1000000);
  word[2] = __any_sync(~0u, x == 17);
  word[3] = __reduce_add_sync(~0u, x);
  word[4] = __reduce_max_sync(~0u, x);
  word[5] = __reduce_xor_sync(~0u, (unsigned)x);
  word[6] = __popc(odd) + __ffs(x) + __clz(x) + __brev(x) % 7;
  word[7] = __shfl_sync(~0u, x, (t * 7) & 31, 16);
}

// Rows of a sparse matrix, a warp for each.
extern "C" __global__ void sparse_rows(const int *starts, const int *columns,
                                       const float *values, const float *x,
                                       float *y, int n) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  int lane = threadIdx.x % 32;
  if (row >= n)
    return;
  float sum = 0;
  for (int i = starts[row] + lane; i < starts[row + 1]; i += 32)
    sum += values[i] * __ldg(x + columns[i]);
  for (int d = 16; d > 0; d /= 2)
    sum += __shfl_xor_sync(~0u, sum, d);
  if (lane == 0)
    y[row] = sum;
}
