// Architectures that LLVM 22's NVPTX back end knows, with the least PTX version
// that has them (PTX ISA, "Release Notes"), but no less than 8.0, and the KiB
// of shared memory that one block can have (CUDA C++ Programming Guide,
// "Technical Specifications per Compute Capability").
#include "Target/target.h"

static const CuteArch archs[] = {
    {"sm_70", "+ptx80", 96},    {"sm_72", "+ptx80", 96},
    {"sm_75", "+ptx80", 64},    {"sm_80", "+ptx80", 163},
    {"sm_86", "+ptx80", 99},    {"sm_87", "+ptx80", 163},
    {"sm_89", "+ptx80", 99},    {"sm_90", "+ptx80", 227},
    {"sm_90a", "+ptx80", 227},  {"sm_100", "+ptx86", 227},
    {"sm_100a", "+ptx86", 227}, {"sm_101", "+ptx86", 227},
    {"sm_101a", "+ptx86", 227}, {"sm_103", "+ptx88", 227},
    {"sm_103a", "+ptx88", 227}, {"sm_120", "+ptx87", 99},
    {"sm_120a", "+ptx87", 99},  {"sm_121", "+ptx88", 99},
    {"sm_121a", "+ptx88", 99},
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
  return "known architectures: sm_70 sm_72 sm_75 sm_80 sm_86 sm_87 sm_89 sm_90 "
         "sm_90a sm_100 sm_100a sm_101 sm_101a sm_103 sm_103a sm_120 sm_120a "
         "sm_121 sm_121a";
}
