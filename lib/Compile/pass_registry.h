// The rows of dialect/passes.def.
#ifndef CUTE_COMPILE_PASS_REGISTRY_H
#define CUTE_COMPILE_PASS_REGISTRY_H

#include "IR/pass.h"
#include "cute/Passes.h"

typedef struct CutePassRow {
  const char *argument, *summary;
  CutePassFunction *run; // null for a pipeline
  const char *elements;  // of a pipeline
} CutePassRow;

// The row of that name, or null.
const CutePassRow *cutePassRowFind(CuteStringRef argument);

// Whether a pass or pipeline has an option of that name.
// Whether MLIR has a pass or pipeline of this name. Registers all of its
// passes.
bool cuteUpstreamHasPass(CuteStringRef name);

bool cutePassRowHasOption(const CutePassRow *row, CuteStringRef name);

// A pass that runs the row's function.
MlirPass cutePassRowCreate(const CutePassRow *row, CuteStringRef options);

// A pass that does nothing but call the observer.
MlirPass cuteObserverPassCreate(const CutePassObserver *observer,
                                CuteStringRef pass, bool after);

#endif
