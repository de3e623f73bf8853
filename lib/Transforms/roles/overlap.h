// Shared by the files of cute-overlap: a loop of two runs of products with
// arithmetic between them, or of one run with A from registers.
#pragma once

#include "Transforms/edit/kernel_edit.h"

// The ops of the body that do more than compute, by number, are
//   [0, firstWait)       start the first products
//   [firstWait, middle)  wait for them, and release their tiles
//   [middle, tail)       arithmetic in registers
//   [tail, lastWait)     start the last products
//   [lastWait, count)    wait for them, and release their tiles
// Without first products, firstWait and middle are 0, and the arithmetic makes
// A of tiles that it loads.
typedef struct CuteOverlap {
  CuteKernel *kernel;
  MlirOperation loop;
  CuteOps ops;
  CutePointerMap moves; // ops of the body that only compute
  size_t firstWait, middle, tail, lastWait;
  CutePointerMap late;  // ops of the middle that need the last products' end
  CutePointerMap early; // ops that only compute, and do not depend on those
  MlirValue turn, nextTurn; // named barriers of this and the next warpgroup
} CuteOverlap;

// Tells whether the loop's first products of a round may start before the last
// ones of the round before have ended.
bool cuteOverlapMatch(CuteOverlap *o, MlirOperation loop);

// Tells whether a carried value is the state of a pipeline that only the last
// products take, which advances in each round.
bool cuteOverlapIsOfLast(CuteOverlap *o, intptr_t carried);

// Tells whether a value of the body is there before the last products' end.
bool cuteOverlapIsEarly(CuteOverlap *o, MlirValue value);

// Tells whether all warpgroups have the same number of rounds.
bool cuteOverlapMayTakeTurns(CuteOverlap *o);

// Has the warpgroups of the consumers' block start products in turn from now
// on.
void cuteOverlapBeginTurns(CuteOverlap *o, MlirBlock consumer,
                           int64_t warpgroups);

// Waits for this warpgroup's turn, and lets the next one have it; does nothing
// without turns.
void cuteOverlapEmitTurn(CuteOverlap *o, CuteRebuild *r);
void cuteOverlapEndTurn(CuteOverlap *o, CuteRebuild *r);

// Finds the fence and the commit of a loop's only products, whose sums it waits
// for at once.
bool cuteOverlapFindProducts(const CuteOverlap *o, MlirOperation *fence,
                             MlirOperation *commit);

// Waits for the turn before a fence, and ends it after a commit.
bool cuteOverlapWrapTurn(CuteOverlap *o, MlirOperation fence,
                         MlirOperation commit);

// Has a loop wait for products where their sums are needed (overlap_waits.c);
// false where that changes nothing.
bool cuteOverlapDelayWaits(CuteKernel *kernel, MlirOperation loop);
