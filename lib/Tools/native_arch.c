// Asks the CUDA driver, which is looked for only then.
#include "Hardware/arch.h"
#include "Tools/cutec_options.h"

#include <dlfcn.h>

enum { MAJOR = 75, MINOR = 76 }; // CUdevice_attribute

typedef int Initialize(unsigned flags);
typedef int GetDevice(int *device, int ordinal);
typedef int GetAttribute(int *value, int attribute, int device);

// A function of the library, as POSIX lets one have it; null if it is not
// there.
static void (*find(void *library, const char *name))(void) {
  void *symbol = dlsym(library, name);
  void (*function)(void);
  memcpy(&function, &symbol, sizeof function);
  return function;
}

// XX of sm_XX, or 0.
static int numberOf(void *library) {
  Initialize *initialize = (Initialize *)find(library, "cuInit");
  GetDevice *getDevice = (GetDevice *)find(library, "cuDeviceGet");
  GetAttribute *getAttribute =
      (GetAttribute *)find(library, "cuDeviceGetAttribute");
  int device = 0, major = 0, minor = 0;
  bool ok = initialize && getDevice && getAttribute && !initialize(0) &&
            !getDevice(&device, 0) && !getAttribute(&major, MAJOR, device) &&
            !getAttribute(&minor, MINOR, device);
  return ok ? major * 10 + minor : 0;
}

const char *cuteNativeArchGet(const char **message) {
  void *library = dlopen("libcuda.so.1", RTLD_NOW);
  int number = library ? numberOf(library) : 0;
  const CuteArch *best = NULL;
  for (size_t i = 0; i < cuteArchGetNum(); ++i) {
    const CuteArch *arch = cuteArchGet(i);
    if (arch->number == number && (!best || arch->suffix == 'a'))
      best = arch;
  }
  *message =
      best       ? NULL
      : !library ? "there is no CUDA driver here; name one, as in --arch=sm_90a"
      : !number  ? "there is no CUDA device here; name one, as in --arch=sm_90a"
                 : "this build does not know the architecture of this device";
  return best ? best->name : NULL;
}
