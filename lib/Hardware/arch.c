#include "Hardware/arch.h"

#include <string.h>

static const CuteArch archs[] = {
#define CUTE_ARCH(label, ...) {.name = label, __VA_ARGS__},
#include "hardware/arch.def"
#undef CUTE_ARCH
};

size_t cuteArchGetNum(void) { return sizeof archs / sizeof *archs; }

const CuteArch *cuteArchGet(size_t i) {
  return i < cuteArchGetNum() ? &archs[i] : NULL;
}

const CuteArch *cuteArchFind(const char *name) {
  for (size_t i = 0; name && i < cuteArchGetNum(); ++i)
    if (!strcmp(archs[i].name, name))
      return &archs[i];
  return NULL;
}

const char *cuteArchCheck(const char *arch) {
  static const char message[] = "known architectures:"
#define CUTE_ARCH(label, ...) " " label
#include "hardware/arch.def"
#undef CUTE_ARCH
      ;
  return cuteArchFind(arch) ? NULL : message;
}

bool cuteArchHas(const CuteArch *arch, int number, char suffix) {
  if (suffix == 'a')
    return arch->number == number && arch->suffix == 'a';
  if (suffix == 'f')
    return arch->number / 10 == number / 10 && arch->number >= number &&
           arch->suffix;
  return arch->number >= number;
}

int cuteArchGetMostSharedKib(void) {
  int most = 0;
  for (size_t i = 0; i < cuteArchGetNum(); ++i)
    most = archs[i].sharedKib > most ? archs[i].sharedKib : most;
  return most;
}
