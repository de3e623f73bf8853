#include "Lint/pending_products.h"

static bool isSame(const CutePending *a, const CutePending *b) {
  return mlirValueEqual(a->root, b->root) &&
         mlirOperationEqual(a->product, b->product) &&
         a->isFragment == b->isFragment;
}

void cutePendingAdd(CutePendingState *state, CutePending added) {
  for (size_t i = 0; i < state->numPending; ++i) {
    CutePending *p = &state->pending[i];
    if (!isSame(p, &added) || p->groups != added.groups)
      continue;
    p->isOpen |= added.isOpen;
    return;
  }
  if (state->numPending < CUTE_MAX_PENDING)
    state->pending[state->numPending++] = added;
}

bool cutePendingHasWritten(const CutePendingState *state, MlirValue root) {
  for (size_t i = 0; i < state->numWritten; ++i)
    if (mlirValueEqual(state->written[i].root, root))
      return true;
  return false;
}

void cutePendingAddWritten(CutePendingState *state, CutePendingWritten added) {
  if (!cutePendingHasWritten(state, added.root) &&
      state->numWritten < CUTE_MAX_WRITTEN)
    state->written[state->numWritten++] = added;
}

void cutePendingFence(CutePendingState *state, CuteSpace space) {
  size_t kept = 0;
  for (size_t i = 0; i < state->numWritten; ++i)
    if (state->written[i].space != space)
      state->written[kept++] = state->written[i];
  state->numWritten = kept;
}

bool cutePendingHas(const CutePendingState *state, MlirValue root) {
  for (size_t i = 0; i < state->numPending; ++i)
    if (mlirValueEqual(state->pending[i].root, root))
      return true;
  return false;
}

static bool hasPending(const CutePendingState *state,
                       const CutePending *pending) {
  for (size_t i = 0; i < state->numPending; ++i)
    if (isSame(&state->pending[i], pending))
      return true;
  return false;
}

// Opens what was pending before the ways part and is not at the end of one.
static void openCompleted(CutePendingState *state,
                          const CutePendingState *before,
                          const CutePendingState *other) {
  for (size_t i = 0; i < state->numPending; ++i)
    state->pending[i].isOpen |= hasPending(before, &state->pending[i]) &&
                                !hasPending(other, &state->pending[i]);
}

void cutePendingMerge(CutePendingState *state, CutePendingState *other,
                      const CutePendingState *before) {
  const CutePendingState own = *state;
  state->isFenced |= other->isFenced;
  openCompleted(state, before, other);
  openCompleted(other, before, &own);
  for (size_t i = 0; i < other->numPending; ++i)
    cutePendingAdd(state, other->pending[i]);
  for (size_t i = 0; i < other->numWritten; ++i)
    cutePendingAddWritten(state, other->written[i]);
}

void cutePendingCommit(CutePendingState *state) {
  for (size_t i = 0; i < state->numPending; ++i)
    ++state->pending[i].groups;
}

bool cutePendingComplete(CutePendingState *state, int64_t groupsLeft) {
  size_t kept = 0, before = state->numPending;
  for (size_t i = 0; i < state->numPending; ++i)
    if (state->pending[i].groups < groupsLeft)
      state->pending[kept++] = state->pending[i];
  state->numPending = kept;
  return kept < before;
}
