#define _GNU_SOURCE
#include "Runtime/simulator_library.h"
#include "Support/string_builder.h"
#include "cute/Version.h"

#include <dlfcn.h>
#include <unistd.h>

static const char entry[] = "cuteSimulatorFind";

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)
// As CMakeLists.txt says: before 1.0 the minor version counts.
#if CUTE_VERSION_MAJOR
static const char name[] = "libcute.so." TEXT(CUTE_VERSION_MAJOR);
#else
static const char name[] = "libcute.so.0." TEXT(CUTE_VERSION_MINOR);
#endif

// Opens a file that has the entry; null otherwise.
static void *openFile(const char *path) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library && !dlsym(library, entry)) {
    dlclose(library);
    library = NULL;
  }
  return library;
}

// Appends the folder of the file that this code is in. A program may have been
// found on the PATH, and then says its name alone.
static void appendFolder(CuteString *path) {
  char self[4096] = "";
  Dl_info here;
  const char *file = dladdr((const void *)entry, &here) ? here.dli_fname : NULL;
  if (!file || !strchr(file, '/')) {
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length > 0 ? length : 0] = 0;
    file = self;
  }
  const char *slash = strrchr(file, '/');
  if (slash)
    cuteStringAppendBytes(path, file, (size_t)(slash + 1 - file));
}

// Opens the library in a folder beside the file that this code is in.
static void *openBeside(const char *folder) {
  CUTE_SCOPED(String) path = {0};
  appendFolder(&path);
  cuteStringAppendFormat(&path, "%s%s", folder, name);
  return openFile(cuteStringGet(&path));
}

CuteStatus cuteSimulatorLibraryOpen(void **library) {
  *library = openFile(NULL);
  if (!*library)
    *library = openBeside("");
  if (!*library)
    *library = openBeside("../lib/");
  if (!*library)
    *library = openBeside("../"); // in a wheel
  if (!*library)
    *library = openFile(name);
  return *library ? NULL
                  : cuteStatusCreate("the simulator is in %s, which is not "
                                     "found: %s",
                                     name, dlerror());
}

void *cuteSimulatorLibraryFind(void *library, const char *symbol) {
  void *(*find)(const char *text);
  void *found = dlsym(library, entry);
  memcpy(&find, &found, sizeof find);
  return find(symbol);
}
