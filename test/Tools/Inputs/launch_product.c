/* Launches the kernel that emit_c.test compiled, and prints the product. */
#include "product.h"

#include <stdio.h>

enum { M = 3, N = 2, K = 4, PITCH = 8 };

static int fail(CuteStatus status) {
  printf("%s\n", cuteStatusGetMessage(status));
  cuteStatusDestroy(status);
  return 1;
}

static CuteStatus fill(const CuteDevice *device, CuteDevicePointer *memory,
                       int rows, float first) {
  float values[8 * PITCH] = {0};
  for (int i = 0; i < rows; ++i)
    for (int k = 0; k < K; ++k)
      values[i * PITCH + k] = first + (float)(i * K + k);
  CuteStatus status = cuteDeviceAllocate(device, sizeof values, memory);
  return status ? status
                : cuteDeviceWrite(device, *memory, values, sizeof values);
}

int main(int argc, char **argv) {
  CuteDevice *device = NULL;
  CuteDevicePointer memory[3];
  product_kernels *kernels = NULL;
  CuteCudaStream stream = NULL;
  float c[M * PITCH];
  (void)argv;
  CuteStatus status = cuteDeviceCreate(0, &device);
  for (int i = 0; !status && i < 3; ++i)
    status = fill(device, &memory[i], i == 1 ? N : M, (float)i);
  if (!status)
    status = cuteStreamCreate(device, &stream);
  if (!status)
    status = product_load(device, &kernels);
  if (!status)
    status = product_launch(kernels, stream,
                            (product_arg0){memory[0] + (argc > 1), M, K, PITCH},
                            (product_arg1){memory[1], N, K, PITCH},
                            (product_arg2){memory[2], M, N, PITCH});
  if (!status)
    status = cuteDeviceRead(device, c, memory[2], sizeof c);
  if (status)
    return fail(status);
  for (int m = 0; m < M; ++m)
    printf("%g %g\n", c[m * PITCH], c[m * PITCH + 1]);
  product_unload(kernels);
  cuteStreamDestroy(device, stream);
  for (int i = 0; i < 3; ++i)
    cuteDeviceRelease(device, memory[i]);
  cuteDeviceDestroy(device);
  return 0;
}
