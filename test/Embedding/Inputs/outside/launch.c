/* Launches a kernel that cute_add_kernels compiled, on no elements. */
#include "vector_add.h"

#include <stdio.h>

int main(void) {
  CuteDevice *device = NULL;
  vector_add_kernels *kernels = NULL;
  CuteStatus status = cuteDeviceCreate(0, &device);
  if (!status)
    status = vector_add_load(device, &kernels);
  if (!status)
    status =
        vector_add_launch(kernels, NULL, (vector_add_arg0){0, 0},
                          (vector_add_arg1){0, 0}, (vector_add_arg2){0, 0});
  printf("%s\n", status ? cuteStatusGetMessage(status) : "launched");
  vector_add_unload(kernels);
  cuteDeviceDestroy(device);
  return 0;
}
