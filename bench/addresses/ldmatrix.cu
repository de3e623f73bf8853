// The fragments of A that mma.sync m16n8k16 takes of a 64x64 tile of f16, for two
// warps, by hand: the eight 16-byte pieces of a row of the tile are exchanged by the
// row number modulo 8. B[k,m,thread] is what ldmatrix (m,k) gave to the thread.
extern "C" __global__ void __launch_bounds__(64)
ldmatrix(const uint4 *A, uint4 *B) {
  __shared__ __align__(128) uint4 tile[64 * 8];
  unsigned thread = threadIdx.x, lane = thread % 32, warp = thread / 32;
  const uint4 *a = A + thread;
  uint4 *to = tile + thread / 8 * 8 + (thread % 8 ^ thread / 8);
#pragma unroll
  for (int i = 0; i < 8; ++i)
    to[64 * i] = a[64 * i];
  __syncthreads();
  uint4 *b = B + thread;
  unsigned row = warp * 16 + lane % 16;
  unsigned from = (unsigned)__cvta_generic_to_shared(&tile[row * 8]);
#pragma unroll
  for (unsigned k = 0; k < 4; ++k)
#pragma unroll
    for (unsigned m = 0; m < 2; ++m) {
      uint4 r;
      asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                   : "=r"(r.x), "=r"(r.y), "=r"(r.z), "=r"(r.w)
                   : "r"(from + m * 32 * 128 + ((2 * k + lane / 16) ^ row % 8) * 16));
      b[(2 * k + m) * 64] = r;
    }
}
