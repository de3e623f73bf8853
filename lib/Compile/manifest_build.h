// The manifest of a module, as a tree.
#ifndef CUTE_COMPILE_MANIFEST_BUILD_H
#define CUTE_COMPILE_MANIFEST_BUILD_H

#include "cute/Target.h"

#include <jansson.h>

// Builds what cuteModulePrintManifest prints; the caller's. Null with a
// diagnostic.
json_t *cuteManifestBuild(MlirModule module, CuteCompileOptions options,
                          const char *file);

#endif
