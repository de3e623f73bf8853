// What the language has: types, memory, control, functions.
#include <cstdio>
#include <cuComplex.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <curand_kernel.h>

__constant__ float weights[5] = {1, 4, 6, 4, 1};

// A filter with weights in constant memory and a border in shared memory.
extern "C" __global__ void filter_constant(const float *in, float *out, int n) {
  __shared__ float tile[128 + 4];
  int i = blockIdx.x * 128 + threadIdx.x;
  tile[threadIdx.x + 2] = i < n ? in[i] : 0;
  if (threadIdx.x < 2) {
    tile[threadIdx.x] = i >= 2 ? in[i - 2] : 0;
    tile[threadIdx.x + 130] = i + 128 < n ? in[i + 128] : 0;
  }
  __syncthreads();
  float sum = 0;
  for (int d = 0; d < 5; ++d)
    sum += weights[d] * tile[threadIdx.x + d];
  if (i < n)
    out[i] = sum / 16;
}

// A local array with indices that are known when it runs.
extern "C" __global__ void local_array(const unsigned char *in, int *out) {
  int stack[16], top = 0, sum = 0;
  for (int i = 0; i < 16; ++i) {
    int x = in[threadIdx.x * 16 + i];
    while (top && stack[top - 1] > x)
      sum += stack[--top];
    stack[top++] = x;
  }
  out[threadIdx.x] = sum * 100 + top;
}

__device__ __noinline__ int step(int kind, int x) {
  switch (kind) {
  case 0: return x + 11;
  case 1: return x * 5;
  case 2: return x ^ 0x55;
  case 3: return x >> 1;
  case 4: return -x;
  case 5: return x % 13;
  case 6: return x | 64;
  case 7: return __popc(x);
  case 8: return x * x - 3;
  default: return 7;
  }
}

extern "C" __global__ void switch_table(const int *kinds, int *out) {
  int x = threadIdx.x;
  for (int i = 0; i < 8; ++i)
    x = step(kinds[(threadIdx.x + i * 3) % 64], x);
  out[threadIdx.x] = x;
}

__device__ __noinline__ int fibonacci(int n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
extern "C" __global__ void recursion(int *out) {
  out[threadIdx.x] = fibonacci(threadIdx.x % 12);
}

__device__ __noinline__ float twice(float x) { return 2 * x; }
__device__ __noinline__ float square(float x) { return x * x; }
__device__ __noinline__ float inverse(float x) { return 1 / x; }
__device__ float (*const functions[])(float) = {twice, square, inverse};
extern "C" __global__ void function_pointers(const int *kinds, const float *in,
                                             float *out) {
  int i = threadIdx.x;
  out[i] = functions[kinds[i]](in[i]);
}

struct Shape {
  float a;
  __device__ Shape(float x) : a(x) {}
  __device__ virtual float area() const { return a * a; }
};
struct Circle : Shape {
  __device__ Circle(float x) : Shape(x) {}
  __device__ float area() const override { return 3.0f * a * a; }
};
extern "C" __global__ void virtual_functions(const float *in, float *out) {
  Shape square(in[threadIdx.x]);
  Circle circle(in[threadIdx.x]);
  const Shape *shape = threadIdx.x % 3 ? &square : (const Shape *)&circle;
  asm volatile("" : "+l"(shape));
  out[threadIdx.x] = shape->area();
}

extern "C" __global__ void print_numbers(const int *in, int *out) {
  if (threadIdx.x < 2)
    printf("thread %d of %s: %d %.2f %llu\n", threadIdx.x, "block", in[threadIdx.x],
           in[threadIdx.x] * 0.5, 1ull << 40);
  out[threadIdx.x] = in[threadIdx.x] + 1;
}

extern "C" __global__ void heap(const int *in, int *out) {
  int *memory = (int *)malloc(16 * sizeof(int));
  for (int i = 0; i < 16; ++i)
    memory[i] = in[threadIdx.x] + i;
  int sum = 0;
  for (int i = 0; i < 16; ++i)
    sum += memory[i];
  free(memory);
  out[threadIdx.x] = sum;
}

// Arithmetic on pairs of 16-bit floats.
extern "C" __global__ void half_pairs(const __half2 *a, const __half2 *b,
                                      __half2 *out) {
  int i = threadIdx.x;
  __half2 x = a[i], y = b[i];
  __half2 z = __hfma2(x, y, __hsub2(x, y));
  z = __hmax2(__hmin2(z, __float2half2_rn(4)), __hneg2(__habs2(x)));
  z = __hadd2(z, h2exp2(__hmul2(x, __float2half2_rn(0.25f))));
  z = __hadd2(z, __h2div(y, __hadd2(__habs2(x), __float2half2_rn(1))));
  out[i] = __hgt2(x, y).x ? __lowhigh2highlow(z) : z;
}

extern "C" __global__ void bf16_pairs(const __nv_bfloat162 *a,
                                      const __nv_bfloat162 *b,
                                      __nv_bfloat162 *out) {
  int i = threadIdx.x;
  __nv_bfloat162 z = __hfma2(a[i], b[i], a[i]);
  z = __hadd2(z, __hmax2(a[i], b[i]));
  z = __hmul2(z, __floats2bfloat162_rn(0.5f, 2.0f));
  out[i] = __halves2bfloat162(__hsub(z.x, z.y), __hadd(z.x, z.y));
}

extern "C" __global__ void fp8_values(const float *in, unsigned char *e4m3,
                                      unsigned char *e5m2, float *back) {
  int i = threadIdx.x;
  __nv_fp8_e4m3 x(in[i]);
  __nv_fp8_e5m2 y(in[i]);
  e4m3[i] = x.__x;
  e5m2[i] = y.__x;
  back[i] = float(x) + float(y);
}

// The mathematical library in f32 and f64, and fast approximations.
extern "C" __global__ void math_float(const float *in, float *out) {
  int i = threadIdx.x;
  float x = in[i];
  float *o = out + 12 * i;
  o[0] = sinf(x * 100), o[1] = cosf(x), o[2] = expf(x), o[3] = logf(fabsf(x));
  o[4] = powf(fabsf(x), 1.5f), o[5] = tanhf(x), o[6] = erff(x);
  o[7] = rsqrtf(fabsf(x)), o[8] = atan2f(x, 0.5f), o[9] = cbrtf(x);
  o[10] = fmodf(x * 10, 3), o[11] = x / 3 + floorf(x) + rintf(x * 7) +
                                    truncf(x * 3);
}

extern "C" __global__ void math_double(const double *in, double *out) {
  int i = threadIdx.x;
  double x = in[i];
  double *o = out + 8 * i;
  o[0] = sin(x * 50), o[1] = exp(x), o[2] = log1p(fabs(x)), o[3] = sqrt(fabs(x));
  o[4] = pow(fabs(x), 0.3), o[5] = tgamma(fabs(x) + 1), o[6] = erfc(x);
  o[7] = 1 / x + fma(x, x, 1.0) + ceil(x);
}

extern "C" __global__ void math_fast(const float *in, float *out) {
  int i = threadIdx.x;
  float x = in[i], *o = out + 6 * i;
  o[0] = __expf(x), o[1] = __logf(fabsf(x)), o[2] = __sinf(x), o[3] = __cosf(x);
  o[4] = __fdividef(x, 3.0f) + __saturatef(x), o[5] = __frsqrt_rn(fabsf(x));
}

// Integers of 64 and 128 bits, divisions, bytes and bits.
extern "C" __global__ void integers(const long long *a, const long long *b,
                                    long long *out) {
  int i = threadIdx.x;
  long long x = a[i], y = b[i], *o = out + 8 * i;
  o[0] = x / y, o[1] = x % y, o[2] = __mul64hi(x, y);
  o[3] = (long long)(((__int128)x * y) >> 13);
  o[4] = (long long)((unsigned long long)x / (unsigned)(y | 1));
  o[5] = __byte_perm((int)x, (int)y, 0x7531) + __vadd4((int)x, (int)y);
  o[6] = __funnelshift_l((int)x, (int)y, (int)x & 31) + __dp4a((int)x, (int)y, 5);
  o[7] = __clzll(x) + __popcll(y) + __ffsll(x) + (x << (y & 63));
}

// Random numbers by a counter, which the host can repeat.
extern "C" __global__ void random_philox(unsigned *out, float *normal) {
  curandStatePhilox4_32_10_t state;
  curand_init(1234, threadIdx.x, 0, &state);
  uint4 x = curand4(&state);
  ((uint4 *)out)[threadIdx.x] = x;
  normal[threadIdx.x] = curand_normal(&state);
}

// A transform of 64 complex numbers by radix 2.
extern "C" __global__ void fourier(const cuFloatComplex *in,
                                   cuFloatComplex *out) {
  __shared__ cuFloatComplex a[64];
  int t = threadIdx.x; // 32
  for (int i = t; i < 64; i += 32)
    a[__brev(i) >> 26] = in[i];
  for (int half = 1; half < 64; half *= 2) {
    __syncthreads();
    int i = t / half * 2 * half + t % half;
    float s, c;
    sincospif(-(float)(t % half) / half, &s, &c);
    cuFloatComplex x = a[i], y = cuCmulf(a[i + half], make_cuFloatComplex(c, s));
    a[i] = cuCaddf(x, y);
    a[i + half] = cuCsubf(x, y);
  }
  __syncthreads();
  for (int i = t; i < 64; i += 32)
    out[i] = a[i];
}

// A struct by value, and 3-dimensional blocks and grids.
struct Box {
  int extents[3];
  long long strides[3];
  float scale;
  bool isFlipped;
};
extern "C" __global__ void struct_parameter(Box box, const float *in,
                                            float *out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= box.extents[0] || y >= box.extents[1] || z >= box.extents[2])
    return;
  long long i = x * box.strides[0] + y * box.strides[1] + z * box.strides[2];
  int to = box.isFlipped ? box.extents[0] - 1 - x : x;
  out[(z * box.extents[1] + y) * box.extents[0] + to] = in[i] * box.scale;
}

// A game of life on a torus: branches and bytes.
extern "C" __global__ void life(const signed char *in, signed char *out, int w,
                                int h) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < w * h;
       i += gridDim.x * blockDim.x) {
    int x = i % w, y = i / w, count = 0;
    for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -1; dx <= 1; ++dx)
        if (dx || dy)
          count += in[(y + dy + h) % h * w + (x + dx + w) % w];
    out[i] = count == 3 || (count == 2 && in[i]);
  }
}

extern "C" __global__ void surface_write(cudaSurfaceObject_t surface, int w) {
  surf2Dwrite(1.0f, surface, threadIdx.x * 4, 0);
}

extern "C" __global__ void texture_read(cudaTextureObject_t texture,
                                        float *out) {
  out[threadIdx.x] = tex2D<float>(texture, threadIdx.x + 0.5f, 0.5f);
}
