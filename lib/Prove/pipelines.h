// Follows all roles of a block at once, in every order that mbarriers and other
// barriers leave: a search of all states that they can be in.
#pragma once

#include "Prove/intervals.h"

// Copies or products that the threads of a role start in a node.
typedef struct CuteStart {
  size_t role, node;
  CuteFlight flight;
  int64_t barrier, bytes; // of loads: where the mbarrier is; -1: not known
  MlirOperation op;
} CuteStart;

typedef struct CutePipelines {
  const CuteIntervals *intervals;
  const CuteStart *starts;
  size_t numStarts;
  const bool
      *isTouched; // a role accesses something at once: [role * nodes + node]
  // A place is role * nodes + node, and `places` more for what was started
  // there and is in flight. Accesses of two may be at once: [place * 2 * places
  // + other].
  bool *isAtOnce;
  size_t places;
  MlirOperation op; // where something is not known
} CutePipelines;

// Searches. Gives the reason why that is not possible, or null. What threads of
// one role do is not compared, but for loads.
const char *cutePipelinesSearch(CutePipelines *pipelines);
void cutePipelinesDestroy(CutePipelines *pipelines);
