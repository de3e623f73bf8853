// A manifest for a kernel of a PTX file that has none.
#pragma once

#include "Run/run_options.h"
#include "Runtime/manifest.h"

// Tells whether a path is one of PTX.
bool cutePtxIsFile(const char *path);

// Makes one of the kernel that --kernel names, which is launched with --block
// and --shared; arguments with brackets are tensors, by their addresses, and
// others numbers. Fails where the file has no such kernel, or the kernel other
// parameters.
CuteStatus cutePtxManifestRead(CuteManifest *manifest,
                               const CuteRunOptions *options);
