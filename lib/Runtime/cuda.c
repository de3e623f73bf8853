#include "Runtime/cuda.h"

#include <dlfcn.h>
#include <string.h>

typedef struct Symbol {
  const char *name;
  size_t offset; // of its pointer in CuteCuda
  bool isNeeded;
} Symbol;

static const Symbol symbols[] = {
#define CUTE_CUDA_FUNCTION(symbol, name, parameters)                           \
  {#symbol, offsetof(CuteCuda, name), true},
#define CUTE_CUDA_LATER(symbol, name, parameters)                              \
  {#symbol, offsetof(CuteCuda, name), false},
#include "Runtime/cuda_functions.def"
};

// dlsym gives object pointers; POSIX has them convert to function pointers.
static CuteStatus findSymbols(CuteCuda *cuda) {
  for (size_t i = 0; i < sizeof symbols / sizeof *symbols; ++i) {
    void *found = dlsym(cuda->library, symbols[i].name);
    if (!found && symbols[i].isNeeded)
      return cuteStatusCreate("the CUDA driver has no %s", symbols[i].name);
    memcpy((char *)cuda + symbols[i].offset, &found, sizeof found);
  }
  return NULL;
}

CuteStatus cuteCudaOpen(CuteCuda *cuda) {
  *cuda = (CuteCuda){.library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL)};
  if (!cuda->library)
    return cuteStatusCreate("no CUDA driver: %s", dlerror());
  CuteStatus status = findSymbols(cuda);
  if (!status && cuda->initialize(0))
    status = cuteStatusCreate("the CUDA driver finds no usable device");
  if (status)
    cuteCudaClose(cuda);
  return status;
}

void cuteCudaClose(CuteCuda *cuda) {
  if (cuda->library)
    dlclose(cuda->library);
  *cuda = (CuteCuda){0};
}

CuteStatus cuteCudaCheck(const CuteCuda *cuda, int error, const char *what) {
  if (!error)
    return NULL;
  const char *text = NULL;
  cuda->getErrorString(error, &text);
  return cuteStatusCreate("%s: CUDA error %d: %s", what, error,
                          text ? text : "unknown");
}
