#include "IR/pass.h"

#include <stdlib.h>
#include <string.h>

const char *cutePassOptionGet(const CutePassOptions *options, const char *name,
                              const char *otherwise) {
  for (size_t i = 0; i < options->count; ++i)
    if (!strcmp(options->names[i], name))
      return options->values[i];
  return otherwise;
}

int cutePassOptionGetArch(const CutePassOptions *options) {
  const char *arch = cutePassOptionGet(options, "arch", "");
  return *arch ? atoi(arch + strlen("sm_")) : 0;
}
