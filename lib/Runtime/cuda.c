#include "Runtime/cuda.h"
#include "Support/arena.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Symbol {
  const char *name;
  size_t offset; // of its pointer in CuteCuda
} Symbol;

static const Symbol symbols[] = {
    {"cuGetErrorString", offsetof(CuteCuda, getErrorString)},
    {"cuCtxSynchronize", offsetof(CuteCuda, synchronize)},
    {"cuMemAlloc_v2", offsetof(CuteCuda, allocate)},
    {"cuMemFree_v2", offsetof(CuteCuda, release)},
    {"cuMemcpyHtoD_v2", offsetof(CuteCuda, copyToDevice)},
    {"cuMemcpyDtoH_v2", offsetof(CuteCuda, copyToHost)},
    {"cuMemcpyDtoDAsync_v2", offsetof(CuteCuda, copyOnDevice)},
    {"cuMemsetD8_v2", offsetof(CuteCuda, fill)},
    {"cuModuleLoadDataEx", offsetof(CuteCuda, loadModule)},
    {"cuModuleUnload", offsetof(CuteCuda, unloadModule)},
    {"cuModuleGetFunction", offsetof(CuteCuda, getFunction)},
    {"cuFuncSetAttribute", offsetof(CuteCuda, setAttribute)},
    {"cuLaunchKernel", offsetof(CuteCuda, launch)},
    {"cuEventCreate", offsetof(CuteCuda, createEvent)},
    {"cuEventRecord", offsetof(CuteCuda, recordEvent)},
    {"cuEventSynchronize", offsetof(CuteCuda, synchronizeEvent)},
    {"cuEventElapsedTime", offsetof(CuteCuda, elapsed)},
    {"cuEventDestroy_v2", offsetof(CuteCuda, destroyEvent)},
};

// dlsym gives object pointers; POSIX has them convert to function pointers.
static bool findSymbol(void *library, const char *name, void *function) {
  void *found = dlsym(library, name);
  memcpy(function, &found, sizeof found);
  return found;
}

static void *openDriver(void) {
  return dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
}

static bool initialize(void *library, int *device) {
  int (*init)(unsigned) = NULL;
  int (*getDevice)(int *, int) = NULL;
  return findSymbol(library, "cuInit", &init) &&
         findSymbol(library, "cuDeviceGet", &getDevice) && !init(0) &&
         !getDevice(device, 0);
}

bool cuteCudaIsPresent(void) {
  void *library = openDriver();
  int device;
  bool present = library && initialize(library, &device);
  if (library)
    dlclose(library);
  return present;
}

// PTX ISA, ".target": sm_XX is the compute capability.
int cuteCudaGetArch(void) {
  enum { MAJOR = 75, MINOR = 76 }; // of CUdevice_attribute
  int (*getAttribute)(int *, int, int) = NULL;
  int device, major = 0, minor = 0;
  void *library = openDriver();
  bool ok = library && initialize(library, &device) &&
            findSymbol(library, "cuDeviceGetAttribute", &getAttribute) &&
            !getAttribute(&major, MAJOR, device) &&
            !getAttribute(&minor, MINOR, device);
  if (library)
    dlclose(library);
  return ok ? major * 10 + minor : 0;
}

static bool makeContext(CuteCuda *cuda, int device) {
  enum { L2_CACHE_SIZE = 38 }; // of CUdevice_attribute
  int (*getAttribute)(int *, int, int) = NULL;
  int (*retain)(void **, int) = NULL;
  int (*setCurrent)(void *) = NULL;
  int (*getName)(char *, int, int) = NULL;
  int cacheBytes = 0;
  bool ok = findSymbol(cuda->library, "cuDeviceGetAttribute", &getAttribute) &&
            findSymbol(cuda->library, "cuDevicePrimaryCtxRetain", &retain) &&
            findSymbol(cuda->library, "cuCtxSetCurrent", &setCurrent) &&
            findSymbol(cuda->library, "cuDeviceGetName", &getName) &&
            !getAttribute(&cacheBytes, L2_CACHE_SIZE, device) &&
            !retain(&cuda->context, device) && !setCurrent(cuda->context) &&
            !getName(cuda->deviceName, sizeof cuda->deviceName, device);
  cuda->cacheBytes = (size_t)cacheBytes;
  return ok;
}

bool cuteCudaOpen(CuteCuda *cuda) {
  *cuda = (CuteCuda){.library = openDriver()};
  if (!cuda->library) {
    fprintf(stderr, "error: no CUDA driver: %s\n", dlerror());
    return false;
  }
  for (size_t i = 0; i < sizeof symbols / sizeof *symbols; ++i)
    if (!findSymbol(cuda->library, symbols[i].name,
                    (char *)cuda + symbols[i].offset)) {
      fprintf(stderr, "error: the CUDA driver has no %s\n", symbols[i].name);
      cuteCudaClose(cuda);
      return false;
    }
  int device;
  if (initialize(cuda->library, &device) && makeContext(cuda, device))
    return true;
  fprintf(stderr, "error: the CUDA driver finds no usable device\n");
  cuteCudaClose(cuda);
  return false;
}

void cuteCudaClose(CuteCuda *cuda) {
  if (cuda->library)
    dlclose(cuda->library);
  *cuda = (CuteCuda){0};
}

bool cuteCudaCheck(const CuteCuda *cuda, int error, const char *what) {
  if (!error)
    return true;
  const char *text = NULL;
  cuda->getErrorString(error, &text);
  fprintf(stderr, "error: %s: CUDA error %d: %s\n", what, error,
          text ? text : "unknown");
  return false;
}

//===-- Modules -----------------------------------------------------------===//

static char *readFile(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) {
    fprintf(stderr, "error: cannot open '%s': %s\n", path, strerror(errno));
    return NULL;
  }
  char *data = NULL;
  size_t length = 0, n = 0;
  do {
    length += n;
    data = cuteReallocate(data, length + (1 << 16) + 1);
  } while ((n = fread(data + length, 1, 1 << 16, file)) > 0);
  data[length] = '\0'; // PTX is text
  fclose(file);
  return data;
}

bool cuteCudaLoadFile(const CuteCuda *cuda, const char *path,
                      CuteCudaModule *module) {
  enum { ERROR_LOG_BUFFER = 5, ERROR_LOG_BUFFER_SIZE_BYTES = 6, LOG = 8192 };
  char *image = readFile(path), log[LOG] = "";
  if (!image)
    return false;
  int options[] = {ERROR_LOG_BUFFER, ERROR_LOG_BUFFER_SIZE_BYTES};
  void *values[] = {log, (void *)(uintptr_t)sizeof log};
  int error = cuda->loadModule(module, image, 2, options, values);
  free(image);
  if (*log)
    fprintf(stderr, "%s\n", log);
  return cuteCudaCheck(cuda, error, path);
}
