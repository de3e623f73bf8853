#include "Runtime/cuda.h"
#include "Runtime/simulator_library.h"

#include <dlfcn.h>

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
    void *found = cuda->isSimulated
                      ? cuteSimulatorLibraryFind(cuda->library, symbols[i].name)
                      : dlsym(cuda->library, symbols[i].name);
    if (!found && symbols[i].isNeeded)
      return cuteStatusCreate("the CUDA driver has no %s", symbols[i].name);
    memcpy((char *)cuda + symbols[i].offset, &found, sizeof found);
  }
  return NULL;
}

CuteStatus cuteCudaOpen(CuteCuda *cuda, bool isSimulated) {
  *cuda = (CuteCuda){.isSimulated = isSimulated};
  if (isSimulated)
    CUTE_TRY(cuteSimulatorLibraryOpen(&cuda->library));
  else
    cuda->library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
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
  if (cuda->library && !cuda->isSimulated)
    dlclose(cuda->library); // LLVM does not bear to be loaded twice
  *cuda = (CuteCuda){0};
}

CuteStatus cuteCudaCheck(const CuteCuda *cuda, int error, const char *what) {
  if (!error)
    return NULL;
  const char *text = NULL;
  cuda->getErrorString(error, &text);
  if (cuda->isSimulated)
    return cuteStatusCreate("%s", text);
  return cuteStatusCreate("%s: CUDA error %d: %s", what, error,
                          text ? text : "unknown");
}
