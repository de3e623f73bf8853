// cute-lint: the state of the pass on one kernel, and its checks.
#ifndef CUTE_LINT_LINT_H
#define CUTE_LINT_LINT_H

#include "Conversion/arch.h"
#include "Lint/accesses.h"
#include "Transforms/transforms.h"

CutePassFunction cuteRunLint, cuteRunSwizzle;

typedef struct CuteLint {
  CuteDialect *dialect;
  CuteContext context;
  MlirOperation function;
  const CuteArch *arch;
  bool isBlockKnown;
  int numSamples;
  CuteFollow follow[CUTE_NUM_SAMPLES];
  CuteAccessList accesses[CUTE_NUM_SAMPLES];
  CutePointerMap advised; // roots of which a note said how to mend them
} CuteLint;

// Follows a kernel and returns what the check says of it.
typedef bool CuteLintCheck(CuteLint *lint, void *userData);
bool cuteLintKernel(CuteDialect *dialect, MlirOperation function,
                    const CuteArch *arch, CuteLintCheck *check, void *userData);

// Emits "'cute.NAME' op MESSAGE"; the note may be null.
void cuteLintEmit(MlirOperation op, CuteSeverity severity, const char *note,
                  const char *format, ...)
    __attribute__((format(printf, 4, 5)));

// Bank conflicts and sectors of each access.
void cuteLintMemory(CuteLint *lint);

#endif
