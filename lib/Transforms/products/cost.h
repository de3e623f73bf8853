// Says what a round of a loop of products costs on Hopper.
#ifndef CUTE_TRANSFORMS_COST_H
#define CUTE_TRANSFORMS_COST_H

#include "Transforms/products/to_wgmma.h"

// Has a remark say how many cycles the products of a round take, what they
// load, and how long a load may take with the pipeline's stages. None with
// several pipelines, or products in several loops. Call it before products are
// replaced.
void cuteCostNote(CuteProducts *products, MlirLocation location);

#endif
