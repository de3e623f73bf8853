// Keeps what products of warpgroups leave pending on the way through a kernel.
#pragma once

#include "IR/dialect.h"

enum { CUTE_MAX_PENDING = 32, CUTE_MAX_WRITTEN = 32, CUTE_NOT_COMMITTED = -1 };

typedef struct CutePending {
  MlirValue root; // in rmem
  MlirOperation product;
  bool isFragment; // A, which the product reads; otherwise its sums
  int groups;      // that were committed after the product's own
  MlirValue stage; // the state of a pipeline whose stage it reads, or null
  bool isOpen;     // a wait on another way may complete it
} CutePending;

typedef struct CutePendingWritten {
  MlirValue root;
  CuteSpace space; // smem or rmem
} CutePendingWritten;

// Keeps as much as the arrays hold; the rest is not followed.
typedef struct CutePendingState {
  CutePending pending[CUTE_MAX_PENDING];
  size_t numPending;
  CutePendingWritten written[CUTE_MAX_WRITTEN];
  size_t numWritten;
  MlirOperation fence; // the latest
  bool isFenced;       // there was one on some way
} CutePendingState;

void cutePendingAdd(CutePendingState *state, CutePending added);
void cutePendingAddWritten(CutePendingState *state, CutePendingWritten added);

// Tells whether products use registers.
bool cutePendingHas(const CutePendingState *state, MlirValue root);

// Adds what is pending on the other of two ways that part after a state. What
// is complete at the end of one alone is open.
void cutePendingMerge(CutePendingState *state, CutePendingState *other,
                      const CutePendingState *before);

// Takes out what was written in a space, as a fence does.
void cutePendingFence(CutePendingState *state, CuteSpace space);

bool cutePendingHasWritten(const CutePendingState *state, MlirValue root);

void cutePendingCommit(CutePendingState *state);

// Takes out what a wait completes; returns whether that is something.
bool cutePendingComplete(CutePendingState *state, int64_t groupsLeft);
