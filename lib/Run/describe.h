// A manifest in words: what `cute-run --list` prints.
#ifndef CUTE_RUN_DESCRIBE_H
#define CUTE_RUN_DESCRIBE_H

#include "Runtime/manifest.h"

// Prints the kernels with their parameters to standard output; control
// characters are escaped.
CuteStatus cuteDescribeManifest(const CuteManifest *manifest);

#endif
