// B[i,j,k] = A[i,j,k] for any strides, by hand; i is a thread, j and k are blocks.
extern "C" __global__ void __launch_bounds__(256)
gather(const float *A, int aj, int ak, long long di, long long dj, long long dk,
       float *B, int bj, int bk, long long ei, long long ej, long long ek) {
  unsigned i = threadIdx.x, j = blockIdx.x, k = blockIdx.y;
  B[i * ei + j * ej + k * ek] = A[i * di + j * dj + k * dk];
}
