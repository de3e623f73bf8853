#define _GNU_SOURCE // RTLD_DEFAULT, RTLD_DEEPBIND

#include "Prove/isl_library.h"

#include <dlfcn.h>
#include <pthread.h>

CuteIsl cuteIsl;

static const struct {
  const char *name;
  size_t offset; // of its pointer in CuteIsl
} symbols[] = {
#define CUTE_ISL_FUNCTION(result, name, parameters)                            \
  {"isl_" #name, offsetof(CuteIsl, name)},
#include "Prove/isl_functions.def"
};

static bool isOpen;
static pthread_once_t once = PTHREAD_ONCE_INIT;

// dlsym gives object pointers; POSIX has them convert to function pointers.
static bool findSymbols(void *library) {
  for (size_t i = 0; i < sizeof symbols / sizeof *symbols; ++i) {
    void *found = dlsym(library, symbols[i].name);
    if (!found)
      return false;
    memcpy((char *)&cuteIsl + symbols[i].offset, &found, sizeof found);
  }
  return true;
}

// Debian's libLLVM.so contains an isl for Polly. Without the last flag, calls
// inside the other isl would bind to it.
static void openLibrary(void) {
  isOpen = findSymbols(RTLD_DEFAULT);
  void *library =
      isOpen ? NULL
             : dlopen("libisl.so.23", RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
  isOpen = isOpen || (library && findSymbols(library));
}

CuteStatus cuteIslOpen(void) {
  pthread_once(&once, openLibrary);
  return isOpen ? NULL
                : cuteStatusCreate("proofs need isl, which is not installed; "
                                   "on Debian: apt-get install libisl23");
}
