// Results of cuteModuleCompile in a cache on disk.
#pragma once

#include "Support/string_builder.h"
#include "cute/Target.h"

#include <mlir-c/Diagnostics.h>

typedef struct CuteKeptCode {
  CuteCache *cache; // null: none is used
  CuteString key;
  MlirContext context;
  MlirDiagnosticHandlerID handler;
  size_t numDiagnostics; // since it was looked for
} CuteKeptCode;

// Appends what the module became earlier; false where that is not known. Then
// the module is to be compiled, and cuteKeptCodeEnd to be called with the
// result; null keeps nothing.
bool cuteKeptCodeFind(CuteKeptCode *kept, MlirModule module,
                      const CuteCompileOptions *options, CuteString *output);
void cuteKeptCodeEnd(CuteKeptCode *kept, const CuteString *output);
