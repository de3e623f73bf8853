// Tiles of a loop that are loaded together, into the same stages.
#pragma once

#include "Transforms/pipeline/pipeline.h"

typedef struct CuteTmaRings {
  size_t count;
  size_t *ofFetch;      // the ring of each fetch
  size_t *first, *last; // the first and the last compute that uses its tiles
} CuteTmaRings;

// Gives tiles that a product takes together one ring; others join the ring of
// a neighbor. Rings are numbered in the order of their first use.
CuteTmaRings cuteTmaRingsFind(const CutePipelineLoop *p);
