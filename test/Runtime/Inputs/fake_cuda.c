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
//   maps       after the parameters of A and of B there is a tensor map of it
//   illegal, hang, kill, guard, input, refuse
//              breaks the context; never ends; kills the process; writes after
//              C; writes A; does not load
//   work, count  has two more matrices and writes the first, or the second
//
// A stream that is a number below 4096 is not real, but appears in the log.
//
// Where FAKE_MAPS_LAST is set, maps of A and B follow all parameters.
//
// Copies on the device, and what calls fakeCudaTake, take time on that clock,
// too. Where FAKE_LOG is set, that file gets a line for each map and launch;
// there are FAKE_DEVICES devices, without memory for a context where FAKE_FULL
// is set. Where FAKE_DRIFT is set, launches take so
// much longer each; where FAKE_ALLOCATIONS is, there is memory for so many
// allocations.
#include "Runtime/cuda.h"
#include "Support/manifest_keys.h"
#include "fake.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

enum {
  SUCCESS = 0,
  INVALID_IMAGE = 200,
  INVALID_CONTEXT = 201,
  ERROR_LOG_BUFFER = 5, // a CUjit_option
  OUT_OF_MEMORY = 2,
  ILLEGAL_ADDRESS = 700
};

typedef struct Matrix {
  float *data;
  int32_t rows, columns;
  int64_t pitch;
} Matrix;

struct CuteCudaModule {
  double time, slow;
  long wrong, element, hole; // 0, -1, -1: none
  int isFloat8;
  char special[16];
  int hasMaps, device;
};

typedef struct CuteCudaModule Kernel;

struct CuteCudaEvent {
  double time;
};

static int broken;          // the error of all calls from then on
static int current;         // the device of the current context
static double clockNow;     // milliseconds
static double numLaunches;  // all
static const Kernel *ahead; // launched and not computed yet
static Matrix operands[5];

EXPORT void fakeCudaTake(double milliseconds);
#define CUTE_CUDA_FUNCTION(symbol, name, parameters)                           \
  EXPORT int symbol parameters;
#include "Runtime/cuda_functions.def"

void fakeCudaTake(double milliseconds) { clockNow += milliseconds; }

static void *hostOf(uint64_t pointer) { return (void *)(uintptr_t)pointer; }

// A line of what the driver was asked for.
static void note(const char *format, ...) {
  const char *path = getenv("FAKE_LOG");
  FILE *file = path ? fopen(path, "a") : NULL;
  va_list values;
  if (!file)
    return;
  va_start(values, format);
  vfprintf(file, format, values);
  va_end(values);
  fclose(file);
}

//===-- The device --------------------------------------------------------===//

int cuInit(unsigned flags) { return (int)flags; }

int cuDeviceGetCount(int *count) {
  const char *text = getenv("FAKE_DEVICES");
  *count = text ? (int)strtol(text, NULL, 10) : 1;
  return SUCCESS;
}

int cuDeviceGet(int *device, int number) {
  *device = number;
  return SUCCESS;
}

int cuDeviceGetAttribute(int *value, int attribute, int device) {
  *value = attribute == CUTE_CUDA_MAJOR             ? 9
           : attribute == CUTE_CUDA_L2_BYTES        ? 4096
           : attribute == CUTE_CUDA_MULTIPROCESSORS ? 4
                                                    : device;
  return SUCCESS;
}

int cuDevicePrimaryCtxRelease_v2(int device) {
  return device < 0 ? 1 : SUCCESS;
}

int cuDeviceGetName(char *name, int capacity, int device) {
  snprintf(name, (size_t)capacity, "device %d of a test", device);
  return SUCCESS;
}

int cuDevicePrimaryCtxRetain(CuteCudaContext *context, int device) {
  *context = (CuteCudaContext)(uintptr_t)(device + 1);
  return getenv("FAKE_FULL") ? 2 : SUCCESS;
}

int cuCtxSetCurrent(CuteCudaContext context) {
  current = (int)(uintptr_t)context - 1;
  return context ? SUCCESS : 1;
}

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

int cuModuleLoadDataEx(CuteCudaModule *module, const void *image, unsigned n,
                       int *options, void **values) {
  const char *text = image;
  Kernel kernel = {.device = current, .time = 1, .element = -1, .hole = -1};
  char word[16];
  int length;
  while (sscanf(text, "%15s%n", word, &length) == 1) {
    char *end = (char *)text + length;
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
    else if (!strcmp(word, "maps"))
      kernel.hasMaps = 1;
    else if (!strcmp(word, "f8"))
      kernel.isFloat8 = 1;
    else
      memcpy(kernel.special, word, sizeof word);
    text = end;
  }
  if (!strcmp(kernel.special, "refuse")) {
    for (unsigned i = 0; i < n; ++i)
      if (options[i] == ERROR_LOG_BUFFER)
        strcpy(values[i], "line 1: refused\n");
    return INVALID_IMAGE;
  }
  *module = malloc(sizeof **module);
  **module = kernel;
  return broken;
}

int cuModuleUnload(CuteCudaModule module) {
  ahead = NULL;
  free(module);
  return broken;
}

int cuModuleGetFunction(CuteCudaFunction *function, CuteCudaModule module,
                        const char *name) {
  *function = (CuteCudaFunction)module;
  return *name ? broken : 1;
}

int cuFuncSetAttribute(CuteCudaFunction function, int attribute, int value) {
  return function && attribute && value ? broken : 1;
}

//===-- Tensor maps -------------------------------------------------------===//

enum { MAGIC = 0x70616d };

// A map of the fake: all numbers that it was given.
typedef struct Map {
  uint64_t address, strides[4];
  uint32_t dims[5], magic;
  uint16_t box[5], channels, pixels;
  int16_t lower[3], upper[3];
  uint8_t elementStrides[5], type, rank, interleave, swizzle, promotion, fill;
} Map;

_Static_assert(sizeof(Map) <= CUTE_TENSOR_MAP_BYTES, "a map holds it");

static void noteList(const char *name, uint32_t n, const uint32_t *values) {
  note(" %s", name);
  for (uint32_t i = 0; i < n; ++i)
    note(" %u", values[i]);
}

static int fillMap(Map *map, int element, uint32_t rank, uint64_t address,
                   const uint64_t *dims, const uint64_t *strides,
                   const uint32_t *elementStrides) {
  *map = (Map){.address = address,
               .magic = MAGIC,
               .type = (uint8_t)element,
               .rank = (uint8_t)rank};
  note("map of type %d", element);
  for (uint32_t i = 0; i < rank; ++i) {
    map->dims[i] = (uint32_t)dims[i];
    map->elementStrides[i] = (uint8_t)elementStrides[i];
    if (i + 1 < rank)
      map->strides[i] = strides[i];
  }
  noteList("dims", rank, map->dims);
  for (uint32_t i = 0; i + 1 < rank; ++i)
    note("%s %llu", i ? "" : " strides", (unsigned long long)strides[i]);
  noteList("element strides", rank, elementStrides);
  return rank < 1 || rank > 5 || address % 16;
}

// Copies what was encoded to where the driver wants 64 bytes' alignment.
static int finishMap(void *to, Map *map, int interleave, int swizzle,
                     int promotion, int fill) {
  note(" words %d %d %d %d\n", interleave, swizzle, promotion, fill);
  if ((uintptr_t)to % CUTE_TENSOR_MAP_ALIGN)
    return 1;
  memset(to, 0, CUTE_TENSOR_MAP_BYTES);
  memcpy(to, map, sizeof *map);
  return SUCCESS;
}

int cuTensorMapEncodeTiled(void *to, int element, uint32_t rank,
                           uint64_t address, const uint64_t *dims,
                           const uint64_t *strides, const uint32_t *box,
                           const uint32_t *elementStrides, int interleave,
                           int swizzle, int promotion, int fill) {
  Map map;
  if (fillMap(&map, element, rank, address, dims, strides, elementStrides))
    return 1;
  noteList("box", rank, box);
  return finishMap(to, &map, interleave, swizzle, promotion, fill);
}

int cuTensorMapEncodeIm2col(void *to, int element, uint32_t rank,
                            uint64_t address, const uint64_t *dims,
                            const uint64_t *strides, const int *lower,
                            const int *upper, uint32_t channels,
                            uint32_t pixels, const uint32_t *elementStrides,
                            int interleave, int swizzle, int promotion,
                            int fill) {
  Map map;
  if (fillMap(&map, element, rank, address, dims, strides, elementStrides))
    return 1;
  for (uint32_t i = 0; i + 2 < rank; ++i)
    note(" corners %d %d", lower[i], upper[i]);
  note(" channels %u pixels %u", channels, pixels);
  return finishMap(to, &map, interleave, swizzle, promotion, fill);
}

// True of the map of a row-major matrix of f32.
static int isMapOf(const void *parameter, const Matrix *matrix) {
  Map map;
  memcpy(&map, parameter, sizeof map);
  return map.magic == MAGIC && map.rank == 2 &&
         map.address == (uintptr_t)matrix->data &&
         map.dims[0] == (uint32_t)matrix->columns &&
         map.dims[1] == (uint32_t)matrix->rows &&
         map.strides[0] == (uint64_t)matrix->pitch * sizeof(float);
}

//===-- Launches ----------------------------------------------------------===//

static Matrix readMatrix(void **parameters) {
  return (Matrix){*(float **)parameters[0], *(int32_t *)parameters[1],
                  *(int32_t *)parameters[2], *(int64_t *)parameters[3]};
}

// Kernels with maps have one of A and one of B after each.
static int readOperands(const Kernel *kernel, void **parameters) {
  int hasWork =
      !strcmp(kernel->special, "work") || !strcmp(kernel->special, "count");
  for (size_t i = 0; i < (hasWork ? 5 : 3); ++i, parameters += 4) {
    operands[i] = readMatrix(parameters);
    if (kernel->hasMaps && i < 2 && !isMapOf(parameters++[4], &operands[i]))
      return 1;
  }
  if (getenv("FAKE_MAPS_LAST"))
    return !isMapOf(parameters[0], &operands[0]) ||
           !isMapOf(parameters[1], &operands[1]);
  return SUCCESS;
}

int cuLaunchKernel(CuteCudaFunction function, unsigned x, unsigned y,
                   unsigned z, unsigned blockX, unsigned blockY,
                   unsigned blockZ, unsigned shared, CuteCudaStream stream,
                   void **parameters, void **extra) {
  (void)extra;
  const Kernel *kernel = (const Kernel *)function;
  const char *drift = getenv("FAKE_DRIFT");
  note("launch grid %u %u %u block %u %u %u shared %u\n", x, y, z, blockX,
       blockY, blockZ, shared);
  if (stream && (uintptr_t)stream < 4096)
    note("stream %u\n", (unsigned)(uintptr_t)stream);
  if (kernel->device != current)
    return INVALID_CONTEXT;
  if (readOperands(kernel, parameters))
    return 1;
  double time = kernel->time + kernel->slow * operands[2].rows / 100;
  clockNow += time * (1 + (drift ? strtod(drift, NULL) : 0) * numLaunches++);
  ahead = kernel;
  return blockX && blockY && blockZ ? broken : 1;
}

int cuLaunchKernelEx(const CuteCudaLaunch *launch, CuteCudaFunction function,
                     void **parameters, void **extra) {
  const unsigned *grid = launch->grid, *block = launch->block;
  for (unsigned i = 0; i < launch->numAttributes; ++i) {
    const CuteCudaAttribute *attribute = &launch->attributes[i];
    const unsigned *cluster = attribute->cluster;
    if (attribute->id == CUTE_CUDA_CLUSTER)
      note("cluster %u %u %u\n", cluster[0], cluster[1], cluster[2]);
    else if (attribute->id == CUTE_CUDA_PDL)
      note("pdl %d\n", attribute->pdl);
    else if (attribute->id == CUTE_CUDA_COOPERATIVE)
      note("cooperative %d\n", attribute->cooperative);
    else if (attribute->id == CUTE_CUDA_STARTED)
      note("started %d\n", (int)(uintptr_t)attribute->event.handle);
    else if (attribute->id == CUTE_CUDA_TRIGGERED)
      note("triggered %d %d\n", (int)(uintptr_t)attribute->event.handle,
           attribute->event.atBlockStart);
  }
  return cuLaunchKernel(function, grid[0], grid[1], grid[2], block[0], block[1],
                        block[2], launch->sharedBytes, launch->stream,
                        parameters, extra);
}

// Two blocks of 128 threads are on a multiprocessor at a time.
int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *count,
                                                CuteCudaFunction function,
                                                int threads, size_t shared) {
  int small = threads ? 256 / threads - (shared > 65536) : 0;
  *count = function ? (threads > 256 ? 1 : small) : 0;
  return SUCCESS;
}

// Three clusters whatever their size.
int cuOccupancyMaxActiveClusters(int *count, CuteCudaFunction function,
                                 const CuteCudaLaunch *launch) {
  *count = 3;
  return function && launch->numAttributes ? SUCCESS : 1;
}

int cuStreamCreate(CuteCudaStream *stream, unsigned flags) {
  *stream = malloc(1);
  return (int)flags;
}

int cuStreamSynchronize(CuteCudaStream stream) {
  return stream ? cuCtxSynchronize() : 1;
}

int cuStreamDestroy_v2(CuteCudaStream stream) {
  free(stream);
  return SUCCESS;
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
                         CuteCudaStream stream) {
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

int cuEventCreate(CuteCudaEvent *event, unsigned flags) {
  *event = calloc(1, sizeof **event);
  return (int)flags | broken;
}

int cuEventRecord(CuteCudaEvent event, CuteCudaStream stream) {
  (void)stream;
  event->time = clockNow;
  return broken;
}

int cuEventSynchronize(CuteCudaEvent event) { return event ? broken : 1; }

int cuEventElapsedTime(float *time, CuteCudaEvent start, CuteCudaEvent end) {
  *time = (float)(end->time - start->time);
  return broken;
}

int cuEventDestroy_v2(CuteCudaEvent event) {
  free(event);
  return broken;
}
