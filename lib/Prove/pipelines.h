// Follows roles of a block at once, in every order that barriers leave: a
// search of all states that they can be in.
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
  // A place is role * nodes + node, and `places` more for what was started
  // there and is in flight. Accesses of two may be at once: [place * 2 * places
  // + other].
  bool *isAtOnce, *isTouched; // something is accessed at a place, not in flight
  size_t places;
  // Bits of each place: the places that were left, or whose flights ended, on
  // all ways there; all bits where nobody gets to.
  uint64_t *before;
  size_t words;
  MlirOperation op; // where something is not known
} CutePipelines;

// Tells whether a place, or what was in flight from there, is before another.
static inline bool cutePipelinesIsBefore(const CutePipelines *pipelines,
                                         size_t place, size_t other) {
  return pipelines->before[other * pipelines->words + place / 64] >>
             place % 64 &
         1;
}

// Searches what two threads of one role do at once, if that is one of them, or
// what threads of different roles do. For one role, mbarriers order nothing,
// and loads of TMA are left out. Gives the reason why that is not possible, or
// null.
const char *cutePipelinesSearch(CutePipelines *pipelines, size_t role);
