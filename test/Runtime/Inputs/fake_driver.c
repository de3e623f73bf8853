// In the place of the CUDA driver: device memory is the host's, and every
// kernel is C[m,n] = A[m,k] * B[n,k] of row-major f32, 64x48 by 32x48, whose
// parameters are the three pointers; with FAKE_F8 A and B are f8E4M3FN.
// FAKE_WRONG=I adds 1 to element I of C, FAKE_HOLE=I does not write it. Events
// are 30 ms apart.
#include "fake.h"

#include <stdlib.h>
#include <string.h>

enum { M = 64, N = 32, K = 48 };

static int one; // what handles point to

int cuInit(unsigned flags) { return (int)flags; }

int cuDeviceGet(int *device, int number) {
  *device = number;
  return 0;
}

int cuDeviceGetAttribute(int *value, int attribute, int device) {
  *value = attribute == 75 ? 9 : attribute == 38 ? 4096 : device;
  return 0;
}

int cuDeviceGetName(char *name, int bytes, int device) {
  memset(name, 0, (size_t)bytes);
  return device;
}

int cuDevicePrimaryCtxRetain(void **context, int device) {
  *context = &one;
  return device;
}

int cuCtxSetCurrent(void *context) { return context != &one; }

int cuCtxSynchronize(void) { return 0; }

int cuGetErrorString(int error, const char **text) {
  *text = error ? "an error" : "none";
  return 0;
}

//===-- Memory ------------------------------------------------------------===//

int cuMemAlloc_v2(uint64_t *pointer, size_t bytes) {
  *pointer = (uint64_t)(uintptr_t)malloc(bytes);
  return 0;
}

static void *at(uint64_t pointer) { return (void *)(uintptr_t)pointer; }

int cuMemFree_v2(uint64_t pointer) {
  free(at(pointer));
  return 0;
}

int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t bytes) {
  memcpy(at(to), from, bytes);
  return 0;
}

int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t bytes) {
  memcpy(to, at(from), bytes);
  return 0;
}

int cuMemcpyDtoDAsync_v2(uint64_t to, uint64_t from, size_t bytes,
                         void *stream) {
  memmove(at(to), at(from), bytes);
  return stream != NULL;
}

int cuMemsetD8_v2(uint64_t to, unsigned char value, size_t bytes) {
  memset(at(to), value, bytes);
  return 0;
}

//===-- Kernels -----------------------------------------------------------===//

int cuModuleLoadDataEx(void **module, const void *image, unsigned n,
                       int *options, void **values) {
  *module = &one;
  return !image || (n && (!options || !values));
}

int cuModuleUnload(void *module) { return module != &one; }

int cuModuleGetFunction(void **function, void *module, const char *name) {
  *function = module;
  return !name;
}

int cuFuncSetAttribute(void *function, int attribute, int value) {
  return function != &one || attribute < 0 || value < 0;
}

static float load(const void *data, int i, int isFloat8) {
  return isFloat8 ? fakeDecode(((const uint8_t *)data)[i])
                  : ((const float *)data)[i];
}

static int numberIn(const char *variable) {
  const char *text = getenv(variable);
  return text ? atoi(text) : -1;
}

int cuLaunchKernel(void *function, unsigned gridX, unsigned gridY,
                   unsigned gridZ, unsigned blockX, unsigned blockY,
                   unsigned blockZ, unsigned sharedBytes, void *stream,
                   void **parameters, void **extra) {
  const void *a = *(void **)parameters[0], *b = *(void **)parameters[1];
  float *c = *(float **)parameters[2];
  int f8 = getenv("FAKE_F8") != NULL, wrong = numberIn("FAKE_WRONG");
  int hole = numberIn("FAKE_HOLE");
  for (int i = 0; i < M * N; ++i) {
    float sum = wrong == i;
    for (int k = 0; k < K; ++k)
      sum += load(a, i / N * K + k, f8) * load(b, i % N * K + k, f8);
    if (hole != i)
      c[i] = sum;
  }
  return !gridX || !gridY || !gridZ || !blockX || !blockY || !blockZ ||
         sharedBytes || stream || extra || !function;
}

//===-- Events ------------------------------------------------------------===//

int cuEventCreate(void **event, unsigned flags) {
  *event = &one;
  return (int)flags;
}

int cuEventRecord(void *event, void *stream) { return !event || stream; }

int cuEventSynchronize(void *event) { return !event; }

int cuEventElapsedTime(float *milliseconds, void *start, void *end) {
  *milliseconds = 30;
  return !start || !end;
}

int cuEventDestroy_v2(void *event) { return !event; }
