// Tells which accesses of shared memory may be in one interval between
// barriers, for any trip counts.
//
// Accesses are in segments of the kernel. A loop whose body has several is
// followed for the rounds in which it touches different memory: a ring of
// stages comes again after its period. A segment in such rounds is a node.
#pragma once

#include "Prove/walk.h"

typedef struct CuteIntervals {
  CuteProver *prover;
  size_t *first; // node of each segment
  size_t *owner; // segment of each node
  bool *isNext;  // node n is after node m without a barrier: [m * count + n]
  size_t count;
} CuteIntervals;

// Makes the nodes. Gives the reason where there are too many, or null.
const char *cuteIntervalsMake(CuteIntervals *intervals, CuteProver *prover);
void cuteIntervalsDestroy(CuteIntervals *intervals);

// Sets by node what may be in one interval with what is written in a node: by
// cp.async, which is in flight until a wait for its group and a barrier, or
// not.
void cuteIntervalsMarkNear(const CuteIntervals *intervals, size_t node,
                           bool isInFlight, bool *isNear);

// The number of the round of a loop that a node is in: the least one of all
// that touch the same.
int64_t cuteIntervalsGetRound(const CuteIntervals *intervals, size_t node,
                              const CuteRound *round);
