#include "IR/pass.h"

const char *cutePassGetOption(const CutePass *pass, const char *name,
                              const char *otherwise) {
  for (size_t i = 0; i < pass->numOptions; ++i)
    if (!strcmp(pass->names[i], name))
      return pass->values[i];
  return otherwise;
}

const CuteArch *cutePassGetArch(const CutePass *pass) {
  return cuteArchFind(cutePassGetOption(pass, "arch", ""));
}
