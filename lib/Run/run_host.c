#include "Hardware/arch.h"
#include "Run/run.h"
#include "Runtime/simulator_library.h"
#include "Support/arena.h"

#include <dlfcn.h>

//===-- The compiler ------------------------------------------------------===//

// dlsym gives object pointers; POSIX has them convert to function pointers.
static CuteStatus findSymbols(CuteHostRun *run) {
  static const struct {
    const char *name;
    size_t offset;
  } rows[] = {
#define CUTE_HOST_FUNCTION(symbol, name, result, parameters)                   \
  {#symbol, offsetof(CuteHostRun, name)},
#include "Run/host_library.def"
  };
  void *library = NULL;
  CUTE_TRY(cuteSimulatorLibraryOpen(&library));
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    void *found = dlsym(library, rows[i].name);
    if (!found)
      return cuteStatusCreate("libcute has no %s", rows[i].name);
    memcpy((char *)run + rows[i].offset, &found, sizeof found);
  }
  return NULL;
}

// The architecture of the kernels: as it is asked for, or the device's.
static CuteStatus findArch(const CuteRunOptions *options, char arch[16]) {
  CuteDevice device;
  snprintf(arch, 16, "%s", options->arch ? options->arch : CUTE_DEFAULT_ARCH);
  if (options->arch || cuteDeviceIsSimulated(options->device) ||
      !cuteStatusConsume(cuteDeviceOpen(&device, options->device)))
    return NULL;
  snprintf(arch, 16, "sm_%d%s", device.arch, device.arch >= 90 ? "a" : "");
  cuteDeviceClose(&device);
  return NULL;
}

CuteStatus cuteHostRunCompile(CuteHostRun *run, const CuteRunOptions *options,
                              CuteManifest *manifest) {
  char arch[16];
  CUTE_TRY(findSymbols(run));
  CUTE_TRY(findArch(options, arch));
  CuteHostFileOptions file = {.size = sizeof file,
                              .arch = arch,
                              .passes = options->passes,
                              .isSimulated =
                                  cuteDeviceIsSimulated(options->device)};
  file.symbols = cuteHostGetSymbols(&file.numSymbols);
  CUTE_TRY(run->create(options->manifest, &file, &run->module));
  if (!run->find(run->module, options->host))
    return cuteStatusCreate("%s has no public function '%s' with a body",
                            options->manifest, options->host);
  return cuteManifestParse(manifest, run->getFunctions(run->module));
}

void cuteHostRunDestroy(CuteHostRun *run) {
  cuteKernelSetDestroy(run->kernels);
  if (run->module)
    run->destroy(run->module);
  free(run->results);
  free(run->arguments);
  *run = (CuteHostRun){0};
}

bool cuteHostRunHasKernels(const CuteHostRun *run) {
  return run->getManifest(run->module);
}

//===-- Calls -------------------------------------------------------------===//

static void findFunction(CuteHostRun *run, const char *name) {
  void *address = run->find(run->module, name);
  memcpy(&run->function, &address, sizeof address);
  for (size_t i = 0; i < run->getNumFunctions(run->module); ++i) {
    run->signature = run->getSignature(run->module, i);
    if (!strcmp(run->signature.name, name))
      return;
  }
}

CuteStatus cuteHostRunPrepare(CuteHostRun *run, const CuteDevice *device,
                              const CuteKernel *kernel, size_t numArguments,
                              const CuteArgument *arguments) {
  findFunction(run, kernel->name);
  CUTE_TRY(cuteKernelBind(kernel, numArguments, arguments, &run->parameters));
  size_t n = run->parameters.count, numResults = run->signature.numResults;
  run->results = cuteAllocate((numResults + 1) * sizeof *run->results);
  run->arguments = cuteAllocate((n + numResults + 1) * sizeof(void *));
  memset(run->results, 0, numResults * sizeof *run->results);
  for (size_t i = 0; i < n; ++i)
    run->arguments[i] = run->parameters.bytes + run->parameters.offsets[i];
  for (size_t i = 0; i < numResults; ++i)
    run->arguments[n + i] = &run->results[i];
  return cuteHostRunHasKernels(run)
             ? cuteKernelSetCreate(device, run->getManifest(run->module),
                                   run->getCode(run->module, NULL),
                                   &run->kernels)
             : NULL;
}

// Numbers are little-endian, and zero beyond their bits.
static void printNumber(CuteHostPart part, uint64_t raw) {
  float single;
  double real;
  unsigned shift = part.bits < 64 ? 64 - part.bits : 0;
  if (part.kind == CUTE_HOST_POINTER) {
    printf("0x%jx", raw);
  } else if (part.kind == CUTE_HOST_INTEGER && part.bits == 1) {
    printf("%u", (unsigned)raw);
  } else if (part.kind == CUTE_HOST_INTEGER && part.bits <= 64) {
    printf("%jd", ((int64_t)(raw << shift) >> shift));
  } else if (part.kind == CUTE_HOST_FLOAT && part.bits == 32) {
    memcpy(&single, &raw, sizeof single);
    printf("%.9g", (double)single);
  } else if (part.kind == CUTE_HOST_FLOAT && part.bits == 64) {
    memcpy(&real, &raw, sizeof real);
    printf("%.17g", real);
  } else {
    printf("?");
  }
}

// Checks that results have room, which they are given before a call.
static CuteStatus checkResults(const CuteHostRun *run) {
  const CuteHostPart *parts = run->signature.parts;
  for (size_t i = 0; i < run->signature.numResults; ++i) {
    CuteHostPart part = parts[run->signature.numParameters + i];
    if (part.kind == CUTE_HOST_OPAQUE || part.bits > 64)
      return cuteStatusCreate(
          "result %zu of '%s' is not a pointer or number of at most 64 bits",
          part.argument, run->signature.name);
  }
  return NULL;
}

CuteStatus cuteHostRunCall(CuteHostRun *run) {
  const CuteHostPart *parts =
      run->signature.parts + run->signature.numParameters;
  size_t n = run->signature.numResults;
  CuteHostContext context = {.kernels = run->kernels};
  CUTE_TRY(checkResults(run));
  CUTE_TRY(cuteHostCall(run->function, run->arguments, &context));
  for (size_t i = 0; i < n; ++i) {
    bool isFirst = !i || parts[i].argument != parts[i - 1].argument;
    bool isLast = i + 1 == n || parts[i].argument != parts[i + 1].argument;
    if (isFirst)
      printf("result %zu: ", parts[i].argument);
    printNumber(parts[i], run->results[i]);
    fputs(isLast ? "\n" : ",", stdout);
  }
  return NULL;
}
