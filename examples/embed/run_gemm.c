// Builds a GEMM for a tile, compiles it in memory, launches it from this
// program and checks the result: run_gemm BM BN BK [M N K]. With
// CUTE_DEVICE=sim in the environment it runs where there is no GPU
// (docs/simulator.md).
//
//   cc examples/embed/run_gemm.c $(pkg-config --cflags --libs cute cute-run)
#include "cute/Run.h"
#include "gemm_builder.h"

#include <stdlib.h>

typedef struct Code {
  char *manifest, *code;
} Code;

// Appends a piece to a text.
static void append(MlirStringRef piece, void *userData) {
  char **text = userData;
  size_t length = *text ? strlen(*text) : 0;
  *text = realloc(*text, length + piece.length + 1);
  if (!*text)
    abort();
  memcpy(*text + length, piece.data, piece.length);
  (*text)[length + piece.length] = '\0';
}

// The kernel and what says how to launch it. The simulator takes LLVM IR.
static bool compile(int bm, int bn, int bk, int arch, Code *code) {
  const char *device = getenv("CUTE_DEVICE");
  bool isSimulated = device && !strcmp(device, "sim");
  char name[16];
  snprintf(name, sizeof name, "sm_%d", isSimulated ? 80 : arch);
  CuteCompileOptions options = {.size = sizeof options,
                                .arch = name,
                                .emit = isSimulated ? CUTE_EMIT_LLVM
                                                    : CUTE_EMIT_PTX,
                                .optLevel = 2,
                                .lineInfo = isSimulated};
  MlirContext context = cuteMlirContextCreate();
  MlirModule module = buildGemm(context, bm, bn, bk);
  bool ok = !mlirModuleIsNull(module) &&
            mlirLogicalResultIsSuccess(cuteModulePrintManifest(
                module, &options, "memory", append, &code->manifest)) &&
            mlirLogicalResultIsSuccess(
                cuteModuleCompile(module, &options, append, &code->code, NULL));
  if (!mlirModuleIsNull(module))
    mlirModuleDestroy(module);
  cuteMlirContextDestroy(context);
  return ok;
}

//===-- Matrices ----------------------------------------------------------===//

enum { A, B, C };

// Small integers, which f16 has as they are: 0 to 8 by their bits.
static const uint16_t halves[] = {0x0000, 0x3C00, 0x4000, 0x4200, 0x4400,
                                  0x4500, 0x4600, 0x4700, 0x4800};

static int valueOf(int matrix, int row, int column) {
  return (row * (3 + matrix) + column) % 3;
}

static CuteStatus createMatrix(CuteDevice *device, int matrix, int rows,
                               int columns, CuteArgument *argument) {
  *argument = (CuteArgument){.isTensor = true,
                             .element = CUTE_ELEMENT_F16,
                             .rank = 2,
                             .extents = {rows, columns},
                             .strides = {columns, 1}};
  size_t count = (size_t)rows * (size_t)columns;
  uint16_t *values = malloc(count * sizeof *values);
  if (!values)
    abort();
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j)
      values[i * columns + j] = halves[matrix == C ? 0 : valueOf(matrix, i, j)];
  CuteStatus status = cuteDeviceAllocate(device, count * 2, &argument->address);
  if (!status)
    status = cuteDeviceWrite(device, argument->address, values, count * 2);
  free(values);
  return status;
}

// The value of an f16 that is a whole number below 2048.
static int integerOf(uint16_t half) {
  int exponent = (half >> 10) - 25, digits = (half & 0x3FF) | 0x400;
  return !half ? 0 : exponent < 0 ? digits >> -exponent : digits << exponent;
}

static int countWrong(const uint16_t *c, int m, int n, int k) {
  int wrong = 0;
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      int sum = 0;
      for (int l = 0; l < k; ++l)
        sum += valueOf(A, i, l) * valueOf(B, j, l);
      wrong += integerOf(c[i * n + j]) != sum;
    }
  return wrong;
}

//===-- Launch ------------------------------------------------------------===//

static CuteStatus run(CuteDevice *device, const Code *code, int m, int n, int k,
                      int *wrong) {
  CuteLoadedKernel *kernel = NULL;
  CuteArgument arguments[3] = {{.address = 0}};
  size_t bytes = (size_t)m * (size_t)n * 2;
  uint16_t *c = malloc(bytes);
  CuteStatus status = cuteLoadedKernelCreateFromMemory(
      device, code->manifest, code->code, "gemm", &kernel);
  if (!status)
    status = createMatrix(device, A, m, k, &arguments[A]);
  if (!status)
    status = createMatrix(device, B, n, k, &arguments[B]);
  if (!status)
    status = createMatrix(device, C, m, n, &arguments[C]);
  if (!status)
    status = cuteLoadedKernelLaunch(kernel, NULL, 3, arguments, NULL);
  if (!status)
    status = cuteDeviceRead(device, c, arguments[C].address, bytes);
  if (!status)
    *wrong = countWrong(c, m, n, k);
  for (int i = A; i <= C; ++i)
    if (arguments[i].address)
      cuteDeviceRelease(device, arguments[i].address);
  free(c);
  cuteLoadedKernelDestroy(kernel);
  return status;
}

int main(int argc, char **argv) {
  int numbers[6] = {0, 0, 0, 72, 80, 40};
  for (int i = 0; i < 6 && i + 1 < argc; ++i)
    numbers[i] = atoi(argv[i + 1]);
  if (!isGemmTile(numbers[0], numbers[1], numbers[2])) {
    fprintf(stderr, "usage: run_gemm BM BN BK [M N K]\n");
    return 1;
  }
  CuteDevice *device = NULL;
  Code code = {NULL, NULL};
  int wrong = -1, m = numbers[3], n = numbers[4], k = numbers[5];
  CuteStatus status = cuteDeviceCreate(0, &device);
  if (!status && compile(numbers[0], numbers[1], numbers[2],
                         cuteDeviceGetArch(device), &code))
    status = run(device, &code, m, n, k, &wrong);
  if (status)
    fprintf(stderr, "error: %s\n", cuteStatusGetMessage(status));
  else if (!wrong)
    printf("%dx%dx%d on %s: all elements are right\n", m, n, k,
           cuteDeviceGetName(device));
  else if (wrong > 0)
    printf("%d elements are wrong\n", wrong);
  cuteStatusDestroy(status);
  cuteDeviceDestroy(device);
  free(code.manifest);
  free(code.code);
  return wrong != 0;
}
