// Launches from functions on the host, on the driver of the tests, whose kernel
// is C = A * transpose(B); and objects with both.
#include "host_functions.h"

#include <unistd.h>

//===-- Launches ----------------------------------------------------------===//

#define MATRIX "!cute.tensor<f32, gmem, align<4>, \"(?,?):(?{i64},1)\">"

static const char launches[] =
    "module attributes {gpu.container_module} {\n"
    "gpu.module @m {\n"
    "  gpu.func @product(%a: " MATRIX ", %b: " MATRIX ", %c: " MATRIX
    ") kernel "
    "attributes {known_block_size = array<i32: 128, 1, 1>} {\n"
    "    gpu.return\n"
    "  }\n"
    "}\n"
    "func.func private @cuteHostRecord(i64, i64, i32)\n"
    "func.func @main(%stream: !llvm.ptr, %grid: index, %threads: index, "
    "%cluster: index, %a: " MATRIX ", %b: " MATRIX ", %c: " MATRIX ") {\n"
    "  %one = arith.constant 1 : index\n"
    "  %shared = arith.constant 4096 : i32\n"
    "  %started = arith.constant 32 : i64\n"
    "  %triggered = arith.constant 48 : i64\n"
    "  func.call @cuteHostRecord(%started, %triggered, %shared) : (i64, i64, "
    "i32) -> ()\n"
    "  gpu.launch_func <%stream : !llvm.ptr> @m::@product clusters in "
    "(%cluster, %one, %one) blocks in (%grid, %one, %one) threads in "
    "(%threads, %one, %one) dynamic_shared_memory_size %shared args(%a "
    ": " MATRIX ", %b : " MATRIX ", %c : " MATRIX
    ") {cute.pdl, cute.cooperative}\n"
    "  return\n"
    "}\n"
    "func.func @plain(%a: " MATRIX ", %b: " MATRIX ", %c: " MATRIX ") {\n"
    "  %one = arith.constant 1 : index\n"
    "  %threads = arith.constant 128 : index\n"
    "  gpu.launch_func @m::@product blocks in (%one, %one, %one) threads in "
    "(%threads, %one, %one) args(%a : " MATRIX ", %b : " MATRIX ", %c : " MATRIX
    ")\n"
    "  return\n"
    "}\n"
    "func.func @tiles(%grid: index, %a: " MATRIX ", %b: " MATRIX ", %c: " MATRIX
    ") {\n"
    "  %one = arith.constant 1 : index\n"
    "  %threads = arith.constant 128 : index\n"
    "  gpu.launch_func @m::@product blocks in (%grid, %grid, %one) threads in "
    "(%threads, %one, %one) args(%a : " MATRIX ", %b : " MATRIX ", %c : " MATRIX
    ") {cute.persistent}\n"
    "  return\n"
    "}\n"
    "}\n";

typedef struct Matrix {
  float *data;
  int32_t rows, columns;
  int64_t pitch;
} Matrix;

static void **pushMatrix(void **next, Matrix *matrix) {
  *next++ = &matrix->data;
  *next++ = &matrix->rows;
  *next++ = &matrix->columns;
  *next++ = &matrix->pitch;
  return next;
}

static void launchesKernels(void **state) {
  (void)state;
  CuteHostModule *host = compile(launches);
  size_t size = 0;
  assert_non_null(strstr(cuteHostModuleGetCode(host, &size), ".entry product"));
  assert_int_equal(size, strlen(cuteHostModuleGetCode(host, NULL)));
  CuteDevice *device;
  CuteHostContext context = {0};
  succeeds(cuteDeviceCreate(0, &device));
  succeeds(cuteKernelSetCreate(device, cuteHostModuleGetManifest(host),
                               "time 1", &context.kernels));
  float a[] = {1, 2, 3, 4, 5, 6}, b[] = {1, 0, 0, 0, 1, 1}, c[4] = {0};
  Matrix ma = {a, 2, 3, 3}, mb = {b, 2, 3, 3}, mc = {c, 2, 2, 2};
  void *arguments[12];
  pushMatrix(pushMatrix(pushMatrix(arguments, &ma), &mb), &mc);
  CuteHostFunction plain = find(host, "plain");
  fails(cuteHostCall(plain, arguments, NULL), "none are loaded on a device");
  succeeds(cuteHostCall(plain, arguments, &context));
  succeeds(cuteDeviceSynchronize(device));
  succeeds(
      cuteDeviceRead(device, c, (CuteDevicePointer)(uintptr_t)c, sizeof c));
  const float wanted[] = {1, 5, 4, 11};
  assert_memory_equal(c, wanted, sizeof c);
  cuteKernelSetDestroy(context.kernels);
  cuteDeviceDestroy(device);
  cuteHostModuleDestroy(host);
}

typedef struct Shape {
  void *stream;
  int64_t grid, threads, cluster;
} Shape;

static CuteStatus launchShape(const CuteHostModule *host,
                              const CuteHostContext *context, Shape shape) {
  float data[4] = {0};
  Matrix m = {data, 1, 1, 1};
  void *arguments[16] = {&shape.stream, &shape.grid, &shape.threads,
                         &shape.cluster};
  pushMatrix(pushMatrix(pushMatrix(arguments + 4, &m), &m), &m);
  return cuteHostCall(find(host, "main"), arguments, context);
}

static void readLog(const char *path, char *text, size_t capacity) {
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  text[fread(text, 1, capacity - 1, file)] = '\0';
  fclose(file);
}

static void launchesAsTold(void **state) {
  (void)state;
  char path[] = "/tmp/cute-host-XXXXXX", text[512];
  close(mkstemp(path));
  setenv("FAKE_LOG", path, 1);
  CuteHostModule *host = compile(launches);
  CuteDevice *device;
  CuteHostContext context = {0};
  succeeds(cuteDeviceCreate(0, &device));
  succeeds(cuteKernelSetCreate(device, cuteHostModuleGetManifest(host),
                               "time 1", &context.kernels));
  succeeds(launchShape(host, &context, (Shape){(void *)64, 6, 128, 2}));
  readLog(path, text, sizeof text);
  assert_string_equal(text, "cluster 2 1 1\npdl 1\ncooperative 1\nstarted 32\n"
                            "triggered 48 1\nlaunch grid 6 1 1 block 128 1 1 "
                            "shared 4096\nstream 64\n");
  fails(launchShape(host, &context, (Shape){NULL, 6, 64, 1}),
        "kernel 'product': the block (64, 1, 1) is not that of the kernel, "
        "(128, 1, 1)");
  fails(launchShape(host, &context, (Shape){NULL, 5, 128, 2}),
        "the grid (5, 1, 1) is not a multiple of the cluster (2, 1, 1)");
  fails(launchShape(host, &context, (Shape){NULL, -1, 128, 1}),
        "the grid (-1, 1, 1): extent x must be from 0 to 2147483647");
  fails(launchShape(host, &context, (Shape){NULL, INT64_C(1) << 32, 128, 1}),
        "the grid (4294967296, 1, 1): extent x must be from 0 to 2147483647");
  fails(launchShape(host, &context, (Shape){NULL, 1, 128, -4}),
        "a cluster of -4 blocks is not possible");
  succeeds(launchShape(host, &context, (Shape){NULL, 0, 128, 1}));
  cuteKernelSetDestroy(context.kernels);
  cuteDeviceDestroy(device);
  cuteHostModuleDestroy(host);
  unsetenv("FAKE_LOG");
  unlink(path);
}

static CuteStatus launchTiles(const CuteHostModule *host,
                              const CuteHostContext *context, int64_t grid) {
  float data[4] = {0};
  Matrix m = {data, 1, 1, 1};
  void *arguments[13] = {&grid};
  pushMatrix(pushMatrix(pushMatrix(arguments + 1, &m), &m), &m);
  return cuteHostCall(find(host, "tiles"), arguments, context);
}

static void goesFromTileToTile(void **state) {
  (void)state;
  char path[] = "/tmp/cute-host-XXXXXX", text[512], wanted[128];
  close(mkstemp(path));
  setenv("FAKE_LOG", path, 1);
  CuteHostModule *host = compile(launches);
  CuteDevice *device;
  CuteHostContext context = {0};
  succeeds(cuteDeviceCreate(0, &device));
  succeeds(cuteKernelSetCreate(device, cuteHostModuleGetManifest(host),
                               "time 1", &context.kernels));
  succeeds(launchTiles(host, &context, 1));
  succeeds(launchTiles(host, &context, 1000));
  succeeds(launchTiles(host, &context, 0));
  readLog(path, text, sizeof text);
  snprintf(wanted, sizeof wanted, "launch grid 1 1 1 block 128 1 1");
  assert_non_null(strstr(text, wanted));
  snprintf(wanted, sizeof wanted, "launch grid %d 1 1 block 128 1 1",
           2 * cuteDeviceGetMultiprocessors(device));
  assert_non_null(strstr(text, wanted));
  fails(launchTiles(host, &context, 60000),
        "the grid (60000, 60000, 1) has more blocks than 2147483647");
  cuteKernelSetDestroy(context.kernels);
  cuteDeviceDestroy(device);
  cuteHostModuleDestroy(host);
  unsetenv("FAKE_LOG");
  unlink(path);
}

static void refusesWhatCannotBeLoaded(void **state) {
  (void)state;
  CuteHostModule *host = compile(launches);
  CuteDevice *device;
  CuteKernelSet *set;
  succeeds(cuteDeviceCreate(0, &device));
  fails(cuteKernelSetCreate(device, "{", "time 1", &set), "manifest");
  assert_null(set);
  fails(cuteKernelSetCreate(device, cuteHostModuleGetManifest(host), "refuse",
                            &set),
        "refused");
  assert_null(set);
  cuteKernelSetDestroy(NULL);
  cuteDeviceDestroy(device);
  cuteHostModuleDestroy(host);
}

//===-- Objects -----------------------------------------------------------===//

typedef struct Exported {
  Text object, header;
} Exported;

static void takeObject(MlirStringRef piece, void *userData) {
  appendText(piece, &((Exported *)userData)->object);
}

static void takeHeader(MlirStringRef piece, void *userData) {
  appendText(piece, &((Exported *)userData)->header);
}

static void loadsWhatWasExported(void **state) {
  (void)state;
  MlirContext context = createContext(true);
  MlirModule module = parse(context, launches);
  Exported exported = {0};
  const CuteCompileOptions kernels = compiledFor("sm_80");
  CuteHostOptions options = {.size = sizeof options,
                             .kernels = &kernels,
                             .optLevel = 1,
                             .note = "kept"};
  options.symbols = cuteHostGetSymbols(&options.numSymbols);
  assert_true(mlirLogicalResultIsSuccess(cuteModuleExport(
      module, &options, "product", takeObject, takeHeader, &exported)));
  mlirModuleDestroy(module);
  destroyContext(context);
  assert_true(hasText(&exported.header, "product_plain(CuteKernelSet *"));
  CuteHostModule *host, *none;
  fails(cuteHostModuleCreateFromObject(exported.object.data,
                                       exported.object.length, "other",
                                       &options, &none),
        "other_module");
  assert_null(none);
  fails(
      cuteHostModuleCreateFromObject("nothing", 7, "product", &options, &none),
      "adding the object");
  succeeds(cuteHostModuleCreateFromObject(exported.object.data,
                                          exported.object.length, "product",
                                          &options, &host));
  free(exported.object.data);
  free(exported.header.data);
  assert_string_equal(cuteHostModuleGetExported(host)->note, "kept");
  assert_int_equal(cuteHostModuleGetNumFunctions(host), 3);
  assert_string_equal(cuteHostModuleGetSignature(host, 1).name, "plain");
  assert_int_equal(cuteHostModuleGetSignature(host, 1).numParameters, 12);
  assert_non_null(strstr(cuteHostModuleGetCode(host, NULL), ".target sm_80"));
  assert_non_null(strstr(cuteHostModuleGetFunctions(host), "\"plain\""));
  CuteDevice *device;
  CuteHostContext given = {0};
  succeeds(cuteDeviceCreate(0, &device));
  succeeds(cuteKernelSetCreate(device, cuteHostModuleGetManifest(host),
                               "time 1", &given.kernels));
  succeeds(launchShape(host, &given, (Shape){NULL, 1, 128, 1}));
  cuteKernelSetDestroy(given.kernels);
  cuteDeviceDestroy(device);
  cuteHostModuleDestroy(host);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(launchesKernels),
      cmocka_unit_test(launchesAsTold),
      cmocka_unit_test(goesFromTileToTile),
      cmocka_unit_test(refusesWhatCannotBeLoaded),
      cmocka_unit_test(loadsWhatWasExported),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
