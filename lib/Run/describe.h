// Manifests and comparisons in words: what cute-run prints.
#pragma once

#include "Check/sample.h"
#include "Runtime/manifest.h"

// Prints the kernels with their parameters to standard output; control
// characters are escaped.
CuteStatus cuteDescribeManifest(const CuteManifest *manifest);

// Prints a line about argument `index`; `sample` is null for all elements.
void cuteDescribeComparison(size_t index, const CuteComparison *c,
                            const CuteSample *sample, const CuteArray *array);

// Fails, as the argument differs.
CuteStatus cuteDescribeDifference(size_t index, const CuteComparison *c);
