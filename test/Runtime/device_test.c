// Devices, memory, streams and launches with the driver of Inputs/fake_cuda.c,
// whose kernels are C = A * transpose(B).
#include "Runtime/launch.h"
#include "check_status.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char manifestText[] =
    "{\"version\": 1, \"file\": \"none\", \"kernels\": [{\"name\": \"product\","
    " \"block\": [128, 1, 1], \"grid\": [\"arg2.shape[0]\"],"
    " \"parameters\": [";

static const char parameterText[] =
    "{\"type\": \"T\", \"element\": \"f32\", \"shape\": \"(?,?)\","
    " \"stride\": \"(?{i64},1)\", \"passed_as\": ["
    " {\"kind\": \"pointer\", \"role\": \"pointer\"},"
    " {\"kind\": \"integer\", \"bits\": 32, \"role\": \"shape[0]\"},"
    " {\"kind\": \"integer\", \"bits\": 32, \"role\": \"shape[1]\"},"
    " {\"kind\": \"integer\", \"bits\": 64, \"role\": \"stride[0]\"}]}";

static CuteManifest readManifest(void) {
  char path[] = "/tmp/cute-manifest-XXXXXX";
  int file = mkstemp(path);
  CuteManifest manifest;
  assert_true(file >= 0);
  dprintf(file, "%s%s,%s,%s]}]}", manifestText, parameterText, parameterText,
          parameterText);
  close(file);
  assertSucceeds(cuteManifestRead(&manifest, path));
  unlink(path);
  return manifest;
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

// A 2x3 matrix times the transpose of another on a device and a stream.
static CuteStatus multiply(const CuteDevice *device, const CuteKernel *kernel,
                           CuteCudaStream stream, float *c) {
  static const float a[] = {1, 2, 3, 4, 5, 6}, b[] = {1, 0, 0, 0, 1, 1};
  static CuteLaunch launch;
  CuteDeviceModule module;
  CuteDevicePointer memory;
  CUTE_TRY(cuteDeviceModuleLoad(&module, device, "time 1"));
  CUTE_TRY(cuteDeviceAllocate(device, 64, &memory));
  CUTE_TRY(cuteDeviceWrite(device, memory, a, sizeof a));
  CUTE_TRY(cuteDeviceWrite(device, memory + sizeof a, b, sizeof b));
  CuteArgument arguments[] = {matrixOf(memory, 2, 3),
                              matrixOf(memory + sizeof a, 2, 3),
                              matrixOf(memory + 2 * sizeof a, 2, 2)};
  CUTE_TRY(cuteLaunchPrepare(&launch, &module, kernel, 3, arguments, NULL));
  CUTE_TRY(cuteLaunchStart(&launch, stream));
  CUTE_TRY(stream ? cuteStreamSynchronize(device, stream)
                  : cuteDeviceSynchronize(device));
  CUTE_TRY(cuteDeviceRead(device, c, memory + 2 * sizeof a, 4 * sizeof *c));
  cuteDeviceRelease(device, memory);
  cuteDeviceModuleUnload(&module);
  return NULL;
}

static void launchesOnSeveralDevices(void **state) {
  (void)state;
  CuteDevice devices[2];
  CuteManifest manifest = readManifest();
  CuteKernel kernel;
  setenv("FAKE_DEVICES", "2", 1);
  assertSucceeds(cuteManifestFindKernel(&manifest, NULL, &kernel));
  for (int i = 0; i < 2; ++i)
    assertSucceeds(cuteDeviceOpen(&devices[i], i));
  assert_string_equal(devices[1].name, "device 1 of a test");
  assert_int_equal(devices[0].arch, 90);
  assert_int_equal(devices[0].multiprocessors, 4);
  for (int i = 0; i < 2; ++i) { // the second is current before the first
    CuteCudaStream stream;
    float c[4] = {0}, wanted[] = {1, 5, 4, 11};
    assertSucceeds(multiply(&devices[i], &kernel, NULL, c));
    assert_memory_equal(c, wanted, sizeof wanted);
    assertSucceeds(cuteStreamCreate(&devices[i], &stream));
    assertSucceeds(multiply(&devices[i], &kernel, stream, c));
    assert_memory_equal(c, wanted, sizeof wanted);
    cuteStreamDestroy(&devices[i], stream);
  }
  for (int i = 0; i < 2; ++i)
    cuteDeviceClose(&devices[i]);
  assertFails(cuteDeviceOpen(&devices[0], 2),
              "there is no CUDA device 2; 2 found");
  assertFails(cuteDeviceOpen(&devices[0], -1), "there is no CUDA device -1");
  setenv("FAKE_DEVICES", "0", 1);
  assertFails(cuteDeviceOpen(&devices[0], 0),
              "the CUDA driver finds no usable device");
  unsetenv("FAKE_DEVICES");
  cuteManifestDestroy(&manifest);
}

static void saysWhyCodeDoesNotLoad(void **state) {
  (void)state;
  CuteDevice device;
  CuteDeviceModule module;
  assertSucceeds(cuteDeviceOpen(&device, 0));
  assertFails(cuteDeviceModuleLoad(&module, &device, "refuse"),
              "loading: CUDA error 200: device kernel image is invalid\n"
              "line 1: refused");
  cuteDeviceModuleUnload(&module);
  assertFails(cuteDeviceModuleLoadFile(&module, &device, "/dev/zero"),
              "'/dev/zero' is not a regular file");
  assertFails(cuteDeviceModuleLoadFile(&module, &device, "/tmp"),
              "'/tmp' is not a regular file");
  assertFails(cuteDeviceModuleLoadFile(&module, &device, "/nowhere"),
              "cannot open '/nowhere': No such file or directory");
  cuteDeviceClose(&device);
}

static void rejectsLaunches(void **state) {
  (void)state;
  static CuteLaunch launch;
  CuteDevice device;
  CuteDeviceModule module;
  CuteManifest manifest = readManifest();
  CuteKernel kernel;
  CuteArgument arguments[] = {matrixOf(64, 2, 3), matrixOf(64, 2, 3),
                              matrixOf(64, INT64_C(1) << 31, 2)};
  assertSucceeds(cuteDeviceOpen(&device, 0));
  assertSucceeds(cuteManifestFindKernel(&manifest, NULL, &kernel));
  assertSucceeds(cuteDeviceModuleLoad(&module, &device, ""));
  assertFails(cuteLaunchPrepare(&launch, &module, &kernel, 3, arguments, NULL),
              "shape[0] is 2147483648, which does not fit into 32 bits");
  arguments[2] = matrixOf(64, 2, 2);
  assertFails(
      cuteLaunchPrepare(&launch, &module, &kernel, 3, arguments,
                        (int64_t[]){INT64_C(1) << 31, 1, 1}),
      "the grid (2147483648, 1, 1): extent x must be from 0 to 2147483647");
  kernel.grid = NULL;
  assertFails(cuteLaunchPrepare(&launch, &module, &kernel, 3, arguments, NULL),
              "kernel 'product' has no cute.grid");
  kernel.block[0] = 0;
  assertFails(cuteLaunchPrepare(&launch, &module, &kernel, 3, arguments, NULL),
              "kernel 'product' has no block size");
  cuteDeviceModuleUnload(&module);
  cuteDeviceClose(&device);
  cuteManifestDestroy(&manifest);
}

static void timesWithEvents(void **state) {
  (void)state;
  CuteDevice device;
  CuteDevicePointer memory;
  CuteCudaEvent start, end;
  double milliseconds = 0;
  assertSucceeds(cuteDeviceOpen(&device, 0));
  assertSucceeds(cuteDeviceAllocate(&device, 32, &memory));
  assertSucceeds(cuteDeviceEventCreate(&device, &start));
  assertSucceeds(cuteDeviceEventCreate(&device, &end));
  assertSucceeds(cuteDeviceEventRecord(&device, start, NULL));
  assertSucceeds(cuteDeviceCopy(&device, memory, memory + 16, 16, NULL));
  assertSucceeds(cuteDeviceEventRecord(&device, end, NULL));
  assertSucceeds(cuteDeviceEventGetElapsed(&device, start, end, &milliseconds));
  assert_true(milliseconds == 1);
  cuteDeviceEventDestroy(&device, start);
  cuteDeviceEventDestroy(&device, end);
  cuteDeviceRelease(&device, memory);
  cuteDeviceClose(&device);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(launchesOnSeveralDevices),
      cmocka_unit_test(saysWhyCodeDoesNotLoad),
      cmocka_unit_test(rejectsLaunches),
      cmocka_unit_test(timesWithEvents),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
