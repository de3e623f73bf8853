// Passes: functions that work on one operation and all below it, and return
// false after a diagnostic.
#pragma once

#include "IR/dialect.h"

// Holds what a pass is given: the operation, and options as the pipeline has
// them, name=value pairs.
typedef struct CutePass {
  CuteDialect *dialect;
  MlirOperation root;
  size_t numOptions;
  const char *const *names, *const *values;
} CutePass;

// The value of an option, or the default.
const char *cutePassGetOption(const CutePass *pass, const char *name,
                              const char *otherwise);

typedef bool CutePassFunction(const CutePass *pass);

// The functions of all passes.
#define CUTE_PASS(argument, function, summary) CutePassFunction function;
#include "passes.def"

// The option "arch"; null if it is empty: any.
const CuteArch *cutePassGetArch(const CutePass *pass);
