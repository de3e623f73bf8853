// libcute-run as a program sees it: its public header, and a driver of the
// tests, whose kernel is C = A * transpose(B).
#include "check.h"
#include "cute/Run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char parameter[] =
    "{\"type\": \"T\", \"element\": \"f32\", \"shape\": \"(?,?)\","
    " \"stride\": \"(?{i64},1)\", \"passed_as\": ["
    " {\"kind\": \"pointer\", \"role\": \"pointer\"},"
    " {\"kind\": \"integer\", \"bits\": 32, \"role\": \"shape[0]\"},"
    " {\"kind\": \"integer\", \"bits\": 32, \"role\": \"shape[1]\"},"
    " {\"kind\": \"integer\", \"bits\": 64, \"role\": \"stride[0]\"}]}";

static void formatManifest(char *text, size_t capacity) {
  snprintf(text, capacity,
           "{\"version\": 1, \"file\": \"none\", \"kernels\": [{\"name\": "
           "\"product\", \"block\": [128, 1, 1], \"grid\": "
           "[\"arg2.shape[0]\"], \"parameters\": [%s, %s, %s]}]}",
           parameter, parameter, parameter);
}

static void succeeds(CuteStatus status) {
  if (status)
    fail_msg("%s", cuteStatusGetMessage(status));
}

static void fails(CuteStatus status, const char *text) {
  assert_non_null(status);
  assert_non_null(strstr(cuteStatusGetMessage(status), text));
  cuteStatusDestroy(status);
}

static CuteArgument matrixOf(CuteDevicePointer address, int64_t rows,
                             int64_t columns) {
  return (CuteArgument){.isTensor = true,
                        .element = CUTE_ELEMENT_F32,
                        .rank = 2,
                        .extents = {rows, columns},
                        .strides = {columns, 1},
                        .address = address};
}

static void runsAKernelFromMemory(void **state) {
  (void)state;
  static const float a[] = {1, 2, 3, 4, 5, 6}, b[] = {1, 0, 0, 0, 1, 1};
  static const float wanted[] = {1, 5, 4, 11};
  char manifest[4096];
  float c[4];
  CuteDevice *device;
  CuteDevicePointer memory;
  CuteLoadedKernel *kernel;
  CuteCudaStream stream;
  formatManifest(manifest, sizeof manifest);
  succeeds(cuteDeviceCreate(0, &device));
  assert_string_equal(cuteDeviceGetName(device), "device 0 of a test");
  assert_int_equal(cuteDeviceGetArch(device), 90);
  assert_int_equal(cuteDeviceGetMultiprocessors(device), 4);
  succeeds(cuteLoadedKernelCreateFromMemory(device, manifest, "time 1",
                                            "product", &kernel));
  succeeds(cuteStreamCreate(device, &stream));
  succeeds(cuteDeviceAllocate(device, 64, &memory));
  succeeds(cuteDeviceWrite(device, memory, a, sizeof a));
  succeeds(cuteDeviceWrite(device, memory + sizeof a, b, sizeof b));
  CuteArgument arguments[] = {matrixOf(memory, 2, 3),
                              matrixOf(memory + sizeof a, 2, 3),
                              matrixOf(memory + 2 * sizeof a, 2, 2)};
  for (int i = 0; i < 2; ++i) { // a kernel may be launched again
    succeeds(cuteDeviceFill(device, memory + 2 * sizeof a, 255, sizeof c));
    succeeds(cuteLoadedKernelLaunch(kernel, stream, 3, arguments, NULL));
    succeeds(cuteStreamSynchronize(device, stream));
    succeeds(cuteDeviceRead(device, c, memory + 2 * sizeof a, sizeof c));
    assert_memory_equal(c, wanted, sizeof wanted);
  }
  fails(cuteLoadedKernelLaunch(kernel, stream, 2, arguments, NULL),
        "kernel 'product' takes 3 arguments, not 2");
  cuteDeviceRelease(device, memory);
  cuteStreamDestroy(device, stream);
  cuteLoadedKernelDestroy(kernel);
  cuteDeviceDestroy(device);
}

static void startsABoundLaunchAnywhere(void **state) {
  (void)state;
  static const float values[] = {1, 2, 3, 4, 5, 6, 1, 0, 0, 0, 1, 1};
  static const float wanted[][4] = {{1, 5, 4, 11}, {1, 4, 5, 11}};
  char manifest[4096];
  float c[4];
  CuteDevice *device;
  CuteDevicePointer memory;
  CuteLoadedKernel *kernel;
  CuteBoundLaunch *launch;
  formatManifest(manifest, sizeof manifest);
  succeeds(cuteDeviceCreate(0, &device));
  succeeds(cuteLoadedKernelCreateFromMemory(device, manifest, "time 1", NULL,
                                            &kernel));
  succeeds(cuteDeviceAllocate(device, 128, &memory));
  succeeds(cuteDeviceWrite(device, memory, values, sizeof values));
  const CuteDevicePointer a = memory, b = memory + 24, out = memory + 64;
  const CuteDevicePointer addresses[][3] = {{a, b, out}, {b, a, out}};
  CuteArgument arguments[] = {matrixOf(0, 2, 3), matrixOf(0, 2, 3),
                              matrixOf(0, 2, 2)};
  succeeds(cuteBoundLaunchCreate(kernel, 3, arguments, NULL, &launch));
  for (int i = 0; i < 2; ++i) {
    succeeds(cuteDeviceFill(device, out, 255, sizeof c));
    succeeds(cuteBoundLaunchStart(launch, NULL, 3, addresses[i]));
    succeeds(cuteDeviceSynchronize(device));
    succeeds(cuteDeviceRead(device, c, out, sizeof c));
    assert_memory_equal(c, wanted[i], sizeof c);
  }
  fails(cuteBoundLaunchStart(launch, NULL, 2, addresses[0]),
        "kernel 'product' takes the addresses of 3 tensors, not of 2");
  cuteBoundLaunchDestroy(launch);
  arguments[0].element = CUTE_ELEMENT_F16;
  fails(cuteBoundLaunchCreate(kernel, 3, arguments, NULL, &launch),
        "the element type must be f32");
  assert_null(launch);
  cuteBoundLaunchDestroy(NULL);
  cuteDeviceRelease(device, memory);
  cuteLoadedKernelDestroy(kernel);
  cuteDeviceDestroy(device);
}

static void saysWhatFails(void **state) {
  (void)state;
  char manifest[4096];
  CuteDevice *device;
  CuteLoadedKernel *kernel;
  formatManifest(manifest, sizeof manifest);
  fails(cuteDeviceCreate(7, &device), "there is no CUDA device 7");
  assert_null(device);
  succeeds(cuteDeviceCreate(0, &device));
  fails(cuteLoadedKernelCreateFromMemory(device, "{", "", NULL, &kernel),
        "cannot read the manifest: line 1:");
  fails(cuteLoadedKernelCreateFromMemory(device, "{}", "", NULL, &kernel),
        "is not a manifest of version 1");
  fails(cuteLoadedKernelCreateFromMemory(device, manifest, "", "q", &kernel),
        "there is no kernel 'q'");
  fails(
      cuteLoadedKernelCreateFromMemory(device, manifest, "refuse", 0, &kernel),
      "loading: CUDA error 200");
  fails(cuteLoadedKernelCreate(device, "/nowhere.json", NULL, &kernel),
        "cannot read manifest '/nowhere.json'");
  assert_null(kernel);
  cuteLoadedKernelDestroy(NULL);
  cuteDeviceDestroy(device);
  cuteDeviceDestroy(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(runsAKernelFromMemory),
      cmocka_unit_test(startsABoundLaunchAnywhere),
      cmocka_unit_test(saysWhatFails),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
