// Architectures that LLVM 22's NVPTX back end knows, with the least PTX version
// that has them (PTX ISA, "Release Notes"), but no less than 8.0, and the KiB
// of shared memory that one block can have; then the warps, blocks and KiB
// of shared memory of a multiprocessor (CUDA C++ Programming Guide, "Technical
// Specifications per Compute Capability").
#include "Hardware/arch.h"
#include "cute/Arch.h"

#include <string.h>

static const CuteArch archs[] = {
    {"sm_70", 80, 96, 64, 32, 96},     {"sm_72", 80, 96, 64, 32, 96},
    {"sm_75", 80, 64, 32, 16, 64},     {"sm_80", 80, 163, 64, 32, 164},
    {"sm_86", 80, 99, 48, 16, 100},    {"sm_87", 80, 163, 48, 16, 164},
    {"sm_89", 80, 99, 48, 24, 100},    {"sm_90", 80, 227, 64, 32, 228},
    {"sm_90a", 80, 227, 64, 32, 228},  {"sm_100", 86, 227, 64, 32, 228},
    {"sm_100a", 86, 227, 64, 32, 228}, {"sm_100f", 88, 227, 64, 32, 228},
    {"sm_101", 86, 227, 48, 24, 228},  {"sm_101a", 86, 227, 48, 24, 228},
    {"sm_101f", 88, 227, 48, 24, 228}, {"sm_103", 88, 227, 64, 32, 228},
    {"sm_103a", 88, 227, 64, 32, 228}, {"sm_103f", 88, 227, 64, 32, 228},
    {"sm_120", 87, 99, 48, 24, 100},   {"sm_120a", 87, 99, 48, 24, 100},
    {"sm_120f", 88, 99, 48, 24, 100},  {"sm_121", 88, 99, 48, 24, 100},
    {"sm_121a", 88, 99, 48, 24, 100},  {"sm_121f", 88, 99, 48, 24, 100},
};

const CuteArch *cuteArchFind(const char *name) {
  for (size_t i = 0; i < sizeof archs / sizeof *archs; ++i)
    if (!strcmp(archs[i].name, name))
      return &archs[i];
  return NULL;
}

const char *cuteArchCheck(const char *arch) {
  if (cuteArchFind(arch))
    return NULL;
  return "known architectures: sm_70 sm_72 sm_75 sm_80 sm_86 sm_87 sm_89 "
         "sm_90 sm_90a sm_100 sm_100a sm_100f sm_101 sm_101a sm_101f "
         "sm_103 sm_103a sm_103f sm_120 sm_120a sm_120f sm_121 sm_121a "
         "sm_121f";
}
