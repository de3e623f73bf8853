// Passes from the cute dialect to itself. Each works on one operation and all
// below it, and returns false after a diagnostic.
#ifndef CUTE_TRANSFORMS_TRANSFORMS_H
#define CUTE_TRANSFORMS_TRANSFORMS_H

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

CutePassFunction cuteRunFoldStatic, cuteRunCanonicalize, cuteRunExpandAtoms,
    cuteRunExpandOps, cuteRunPipeline, cuteRunRasterize, cuteRunShareSmem,
    cuteRunVectorize;

// Every op of the dialect below (and including) root, outermost first within a
// block order; the array is malloc'ed.
typedef struct CuteOpList {
  MlirOperation *ops;
  const CuteOpDecl **decls;
  size_t count, capacity;
} CuteOpList;

CuteOpList cuteOpListCollect(CuteDialect *dialect, MlirOperation root);
void cuteOpListDestroy(CuteOpList *list);

// No result has a use.
bool cuteOperationIsUnused(MlirOperation op);

#endif
