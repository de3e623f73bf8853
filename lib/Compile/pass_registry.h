// The rows of dialect/passes.def.
#pragma once

#include "IR/pass.h"
#include "cute/Passes.h"

typedef struct CutePassRow {
  const char *argument, *summary;
  CutePassFunction *run; // null for a pipeline
  const char *elements;  // of a pipeline
} CutePassRow;

const CutePassRow *cutePassRowFind(CuteStringRef argument);

// Tells whether MLIR has a pass or pipeline of this name; registers its
// passes (upstream.h).
bool cutePassIsUpstream(CuteStringRef name);

// The option of that name of a pass or pipeline, or null.
const CutePassOptionInfo *cutePassRowGetOption(const CutePassRow *row,
                                               CuteStringRef name);

typedef struct CutePassOption {
  CuteStringRef name, value; // "true" where none is written
} CutePassOption;

// Takes the first option off "a=b c=d"; false at the end.
bool cutePassOptionTake(CuteStringRef *text, CutePassOption *option);

// Finds an option in "a=b c=d"; false if it is not there.
bool cutePassOptionFind(CuteStringRef text, CuteStringRef name,
                        CutePassOption *option);

// A pass that runs the row's function.
MlirPass cutePassRowCreate(const CutePassRow *row, CuteStringRef options);

// A pass that does nothing but call the observer.
MlirPass cuteObserverPassCreate(const CutePassObserver *observer,
                                CuteStringRef pass, bool after);

// An error of a pipeline's text, at an MlirLocation.
void cutePassReport(MlirStringRef message, void *location);

// As cutePipelineRun; lets the observer see the operation around each pass, and
// leaves out the passes of `skip`, which has commas between names; options
// `arch` that are not given are this one. All three may be null.
MlirLogicalResult cutePipelineRunWithout(MlirOperation operation,
                                         MlirStringRef pipeline,
                                         const CutePassObserver *observer,
                                         const char *arch, const char *skip,
                                         MlirStringCallback callback,
                                         void *userData);

// Checks that each name of a comma-separated list is a pass, of passes.def,
// MLIR or llvm_passes.def. False with a diagnostic.
bool cutePassesCheckNames(MlirLocation location, const char *names);
