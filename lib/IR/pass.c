#include "IR/pass.h"

const char *cutePassOptionGet(const CutePassOptions *options, const char *name,
                              const char *otherwise) {
  for (size_t i = 0; i < options->count; ++i)
    if (!strcmp(options->names[i], name))
      return options->values[i];
  return otherwise;
}
