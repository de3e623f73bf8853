#include "Hardware/arch.h"
#include "Hardware/element.h"

static const CuteArch archs[] = {
#define CUTE_ARCH(label, ...) {.name = label, __VA_ARGS__},
#include "hardware/arch.def"
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
      ;
  return cuteArchFind(arch) ? NULL : message;
}

bool cuteArchHas(const CuteArch *arch, int number, char suffix) {
  if (suffix == 'a')
    return arch->number == number && arch->suffix == 'a';
  if (suffix == 'f')
    return arch->number / 10 == number / 10 && arch->number >= number &&
           arch->suffix;
  return arch->number >= number && (suffix != 's' || arch->suffix);
}

bool cuteArchHasFeature(const CuteArch *arch, CuteArchFeature feature) {
  bool isExact = arch->suffix == 'a';
  switch (feature) {
  case CUTE_FEATURE_BYTES:
    return arch->number >= 100 && arch->suffix;
  case CUTE_FEATURE_TCGEN05:
    return arch->hasTcgen05;
  case CUTE_FEATURE_TCGEN05_EXACT:
    return arch->hasTcgen05 && isExact;
  case CUTE_FEATURE_TCGEN05_INTEGER:
    return arch->hasTcgen05 && isExact && arch->number != 103;
  case CUTE_FEATURE_TCGEN05_REDUCE:
    return arch->hasTcgen05 && arch->number != 100;
  case CUTE_FEATURE_TCGEN05_SHIFT:
    return arch->hasTcgen05 && arch->number / 10 == 10 && arch->number != 101;
  case CUTE_FEATURE_TCGEN05_96:
    return arch->hasTcgen05 && arch->number == 103;
  case CUTE_FEATURE_MULTIMEM_BYTES:
    return arch->hasTcgen05 || (arch->number >= 120 && isExact);
  case CUTE_FEATURE_RANDOM_ROUNDING:
    return isExact && (arch->number == 100 || arch->number == 103);
  case CUTE_FEATURE_NOWHERE:
    return false;
  default:
    return true;
  }
}

bool cuteArchConverts(const CuteArch *arch, CuteElementType element) {
  CuteElementNeed need = cuteElementGetInfo(element)->to;
  return arch ? arch->number >= need.arch &&
                    cuteArchHasFeature(arch, need.feature)
              : !need.feature;
}

int cuteArchGetMostSharedKib(void) {
  int most = 0;
  for (size_t i = 0; i < cuteArchGetNum(); ++i)
    most = archs[i].sharedKib > most ? archs[i].sharedKib : most;
  return most;
}
