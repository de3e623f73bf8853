// libcuda.so.1 for tests, of the functions that lib/Runtime needs: memory is
// the host's, and each kernel is C = A * transpose(B) of f32, whose parameters
// are a pointer, two extents and a pitch for each matrix. What is loaded is a
// text of words that say what is special about it:
//
//   time T     milliseconds that a launch takes, on a clock of its own
//   slow T     more of them for each 100 rows of C
//   wrong N    one element is wrong if there are N rows or more
//   element I  so is element I of C, whose rows follow each other
//   hole I     it is not written
//   f8         A and B are of f8E4M3FN
//   illegal, hang, kill, guard, input, refuse
//              breaks the context; never ends; kills the process; writes behind
//              C; writes A; does not load
//   work, count  has two more matrices and writes the first, or the second
//
// Copies on the device, and what calls fakeCudaTake, take time on that clock,
// too. Where FAKE_DRIFT is set, launches take so much longer each; where
// FAKE_ALLOCATIONS is, there is memory for so many allocations.
#include "fake.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

enum {
  SUCCESS = 0,
  INVALID_IMAGE = 200,
  OUT_OF_MEMORY = 2,
  ILLEGAL_ADDRESS = 700
};

typedef struct Matrix {
  float *data;
  int32_t rows, columns;
  int64_t pitch;
} Matrix;

typedef struct Kernel {
  double time, slow;
  long wrong, element, hole; // 0, -1, -1: none
  int isFloat8;
  char special[16];
} Kernel;

static int broken;          // the error of all calls from then on
static double clockNow;     // milliseconds
static double numLaunches;  // all
static const Kernel *ahead; // launched and not computed yet
static Matrix operands[5];

EXPORT void fakeCudaTake(double milliseconds);
EXPORT int cuInit(unsigned flags);
EXPORT int cuDeviceGet(int *device, int number);
EXPORT int cuDeviceGetAttribute(int *value, int attribute, int device);
EXPORT int cuDeviceGetName(char *name, int capacity, int device);
EXPORT int cuDevicePrimaryCtxRetain(void **context, int device);
EXPORT int cuCtxSetCurrent(void *context);
EXPORT int cuGetErrorString(int error, const char **text);
EXPORT int cuCtxSynchronize(void);
EXPORT int cuMemAlloc_v2(uint64_t *pointer, size_t bytes);
EXPORT int cuMemFree_v2(uint64_t pointer);
EXPORT int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t bytes);
EXPORT int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t bytes);
EXPORT int cuMemcpyDtoDAsync_v2(uint64_t to, uint64_t from, size_t bytes,
                                void *stream);
EXPORT int cuMemsetD8_v2(uint64_t to, unsigned char value, size_t bytes);
EXPORT int cuModuleLoadDataEx(Kernel **module, const char *image, unsigned n,
                              int *options, void **values);
EXPORT int cuModuleUnload(Kernel *module);
EXPORT int cuModuleGetFunction(Kernel **function, Kernel *module,
                               const char *name);
EXPORT int cuFuncSetAttribute(Kernel *function, int attribute, int value);
EXPORT int cuLaunchKernel(Kernel *function, unsigned x, unsigned y, unsigned z,
                          unsigned blockX, unsigned blockY, unsigned blockZ,
                          unsigned shared, void *stream, void **parameters,
                          void **extra);
EXPORT int cuEventCreate(double **event, unsigned flags);
EXPORT int cuEventRecord(double *event, void *stream);
EXPORT int cuEventSynchronize(double *event);
EXPORT int cuEventElapsedTime(float *time, double *start, double *end);
EXPORT int cuEventDestroy_v2(double *event);

void fakeCudaTake(double milliseconds) { clockNow += milliseconds; }

static void *hostOf(uint64_t pointer) { return (void *)(uintptr_t)pointer; }

//===-- The device --------------------------------------------------------===//

int cuInit(unsigned flags) { return (int)flags; }

int cuDeviceGet(int *device, int number) {
  *device = number;
  return SUCCESS;
}

int cuDeviceGetAttribute(int *value, int attribute, int device) {
  *value = attribute == 75 ? 9 : attribute == 38 ? 4096 : device; // sm_90, L2
  return SUCCESS;
}

int cuDeviceGetName(char *name, int capacity, int device) {
  snprintf(name, (size_t)capacity, "device %d of a test", device);
  return SUCCESS;
}

int cuDevicePrimaryCtxRetain(void **context, int device) {
  *context = &broken + device;
  return SUCCESS;
}

int cuCtxSetCurrent(void *context) { return context ? SUCCESS : 1; }

int cuGetErrorString(int error, const char **text) {
  *text = error == ILLEGAL_ADDRESS ? "an illegal memory access was encountered"
                                   : "device kernel image is invalid";
  return SUCCESS;
}

//===-- Kernels -----------------------------------------------------------===//

static double load(const Matrix *matrix, int32_t row, int32_t column) {
  int64_t i = row * matrix->pitch + column;
  return ahead->isFloat8
             ? (double)fakeDecode(((const uint8_t *)matrix->data)[i])
             : (double)matrix->data[i];
}

static float dot(int32_t m, int32_t n) {
  double sum = 0;
  for (int32_t k = 0; k < operands[0].columns; ++k)
    sum += load(&operands[0], m, k) * load(&operands[1], n, k);
  return (float)sum;
}

static void multiply(void) {
  const Matrix *a = &operands[0], *c = &operands[2];
  for (int32_t m = 0; m < c->rows; ++m)
    for (int32_t n = 0; n < c->columns; ++n) {
      int64_t i = (int64_t)m * c->columns + n;
      if (i != ahead->hole)
        c->data[m * c->pitch + n] = dot(m, n) + (i == ahead->element);
    }
  if (ahead->wrong && c->rows >= ahead->wrong)
    c->data[c->pitch + 1] += 100;
  if (!strcmp(ahead->special, "guard"))
    c->data[c->rows * c->pitch + 3] = 1;
  if (!strcmp(ahead->special, "input"))
    a->data[5] = 1;
  if (!strcmp(ahead->special, "work"))
    operands[3].data[5] = 1;
  if (!strcmp(ahead->special, "count"))
    operands[4].data[5] = 1;
  ahead = NULL;
}

int cuCtxSynchronize(void) {
  if (ahead && !strcmp(ahead->special, "illegal"))
    broken = ILLEGAL_ADDRESS;
  while (ahead && !strcmp(ahead->special, "hang"))
    pause();
  if (ahead && !strcmp(ahead->special, "kill"))
    raise(SIGKILL);
  return broken;
}

int cuModuleLoadDataEx(Kernel **module, const char *image, unsigned n,
                       int *options, void **values) {
  (void)n, (void)options, (void)values;
  Kernel kernel = {.time = 1, .element = -1, .hole = -1};
  char word[16];
  int length;
  while (sscanf(image, "%15s%n", word, &length) == 1) {
    char *end = (char *)image + length;
    if (!strcmp(word, "time"))
      kernel.time = strtod(end, &end);
    else if (!strcmp(word, "slow"))
      kernel.slow = strtod(end, &end);
    else if (!strcmp(word, "wrong"))
      kernel.wrong = strtol(end, &end, 10);
    else if (!strcmp(word, "element"))
      kernel.element = strtol(end, &end, 10);
    else if (!strcmp(word, "hole"))
      kernel.hole = strtol(end, &end, 10);
    else if (!strcmp(word, "f8"))
      kernel.isFloat8 = 1;
    else
      memcpy(kernel.special, word, sizeof word);
    image = end;
  }
  if (!strcmp(kernel.special, "refuse"))
    return INVALID_IMAGE;
  *module = malloc(sizeof **module);
  **module = kernel;
  return broken;
}

int cuModuleUnload(Kernel *module) {
  ahead = NULL;
  free(module);
  return broken;
}

int cuModuleGetFunction(Kernel **function, Kernel *module, const char *name) {
  *function = module;
  return *name ? broken : 1;
}

int cuFuncSetAttribute(Kernel *function, int attribute, int value) {
  return function && attribute && value ? broken : 1;
}

static Matrix readMatrix(void **parameters) {
  return (Matrix){*(float **)parameters[0], *(int32_t *)parameters[1],
                  *(int32_t *)parameters[2], *(int64_t *)parameters[3]};
}

int cuLaunchKernel(Kernel *function, unsigned x, unsigned y, unsigned z,
                   unsigned blockX, unsigned blockY, unsigned blockZ,
                   unsigned shared, void *stream, void **parameters,
                   void **extra) {
  (void)x, (void)y, (void)z, (void)shared, (void)stream, (void)extra;
  const char *drift = getenv("FAKE_DRIFT");
  int hasWork =
      !strcmp(function->special, "work") || !strcmp(function->special, "count");
  for (size_t i = 0; i < (hasWork ? 5 : 3); ++i)
    operands[i] = readMatrix(parameters + 4 * i);
  double time = function->time + function->slow * operands[2].rows / 100;
  clockNow += time * (1 + (drift ? strtod(drift, NULL) : 0) * numLaunches++);
  ahead = function;
  return blockX && blockY && blockZ ? broken : 1;
}

//===-- Memory ------------------------------------------------------------===//

int cuMemAlloc_v2(uint64_t *pointer, size_t bytes) {
  static long count;
  const char *most = getenv("FAKE_ALLOCATIONS");
  if (most && count++ == strtol(most, NULL, 10))
    return OUT_OF_MEMORY;
  *pointer = (uintptr_t)malloc(bytes);
  return broken;
}

int cuMemFree_v2(uint64_t pointer) {
  free(hostOf(pointer));
  return broken;
}

int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t bytes) {
  memcpy(hostOf(to), from, bytes);
  return broken;
}

// Only what is looked at needs to be computed.
int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t bytes) {
  if (ahead)
    multiply();
  memcpy(to, hostOf(from), bytes);
  return broken;
}

int cuMemcpyDtoDAsync_v2(uint64_t to, uint64_t from, size_t bytes,
                         void *stream) {
  (void)stream;
  fakeCudaTake(1);
  memmove(hostOf(to), hostOf(from), bytes);
  return broken;
}

int cuMemsetD8_v2(uint64_t to, unsigned char value, size_t bytes) {
  memset(hostOf(to), value, bytes);
  return broken;
}

//===-- Events ------------------------------------------------------------===//

int cuEventCreate(double **event, unsigned flags) {
  *event = calloc(1, sizeof **event);
  return (int)flags | broken;
}

int cuEventRecord(double *event, void *stream) {
  (void)stream;
  *event = clockNow;
  return broken;
}

int cuEventSynchronize(double *event) { return event ? broken : 1; }

int cuEventElapsedTime(float *time, double *start, double *end) {
  *time = (float)(*end - *start);
  return broken;
}

int cuEventDestroy_v2(double *event) {
  free(event);
  return broken;
}
