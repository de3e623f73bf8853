// The manifest of a module, as a tree.
#pragma once

#include "Support/string_builder.h"
#include "cute/Target.h"

#include <jansson.h>

// Builds what cuteModulePrintManifest prints; the caller's. Null with a
// diagnostic.
json_t *cuteManifestBuild(MlirModule module, CuteCompileOptions options,
                          const char *file);

// Appends a manifest with the functions of the host that have a public name and
// a body in place of kernels. False with a diagnostic.
bool cuteManifestDescribeFunctions(MlirModule module, CuteString *text);
