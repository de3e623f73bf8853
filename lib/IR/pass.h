// A pass: a function that works on one operation and all below it, and
// returns false after a diagnostic.
#pragma once

#include "IR/dialect.h"

// Options as the pipeline gives them: name=value pairs.
typedef struct CutePassOptions {
  size_t count;
  const char *const *names, *const *values;
} CutePassOptions;

// The value of an option, or the default.
const char *cutePassOptionGet(const CutePassOptions *options, const char *name,
                              const char *otherwise);

typedef bool CutePassFunction(CuteDialect *dialect, MlirOperation root,
                              const CutePassOptions *options);

// The number of the option "arch", sm_XX; 0 if it is empty: any.
int cutePassOptionGetArch(const CutePassOptions *options);
