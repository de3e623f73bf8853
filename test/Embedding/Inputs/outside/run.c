// Says what is wrong where there is no device, or its name.
#include "cute/Run.h"

#include <stdio.h>

int main(void) {
  CuteDevice *device = NULL;
  CuteStatus status = cuteDeviceCreate(0, &device);
  if (status) {
    printf("no device: %s\n", cuteStatusGetMessage(status));
    cuteStatusDestroy(status);
    return 0;
  }
  printf("device: %s\n", cuteDeviceGetName(device));
  cuteDeviceDestroy(device);
  return 0;
}
