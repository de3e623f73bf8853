#include "Run/run.h"

CuteStatus cuteCopyBaselineCreate(CuteCopyBaseline *copy,
                                  const CuteDevice *device, size_t n,
                                  const CuteOperand *operands) {
  *copy = (CuteCopyBaseline){.device = device};
  for (size_t i = 0; i < n; ++i) {
    const CuteArray *array = &operands[i].array;
    size_t bytes = array->data ? cuteArrayGetBytes(array) : 0;
    if (bytes > copy->bytes)
      copy->bytes = bytes, copy->from = operands[i].argument.address;
  }
  if (!copy->bytes)
    return cuteStatusCreate("there is no tensor");
  if (cuteStatusConsume(cuteDeviceAllocate(device, copy->bytes, &copy->to)))
    return NULL;
  return cuteStatusCreate("no memory for a copy of the largest tensor");
}

void cuteCopyBaselineDestroy(CuteCopyBaseline *copy) {
  if (copy->to)
    cuteDeviceRelease(copy->device, copy->to);
}

CuteStatus cuteCopyBaselineStart(void *data) {
  const CuteCopyBaseline *copy = data;
  return cuteDeviceCopy(copy->device, copy->to, copy->from, copy->bytes, NULL);
}
