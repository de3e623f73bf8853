// Operations that PTX writes otherwise than LLVM's intrinsics do: the mask of
// lanes comes last; and those on addresses.
#include "Simulator/ptx/operation_table.h"

#include <string.h>

enum { MOST = 8 };

// Calls the function of an intrinsic, whose mask is the first operand.
static void withMaskFirst(CuteSimOp op, uint64_t *values,
                          CuteSimFunction *function) {
  uint64_t own[MOST] = {0};
  unsigned results = op.site->numResults, n = op.site->numOperands;
  if (n < 1 || results + n > MOST)
    cuteSimFail(op, "%s with %u operands", cuteSimSiteGetName(op.site), n);
  own[results] = values[results + n - 1];
  memcpy(own + results + 1, values + results, (n - 1) * sizeof *own);
  function(op, own);
  memcpy(values, own, results * sizeof *own);
}

#define MASK_LAST(name, function)                                              \
  void name(CuteSimOp op, uint64_t *values) {                                  \
    withMaskFirst(op, values, function);                                       \
  }

MASK_LAST(cuteSimPtxShuffleUp, cuteSimShuffleUp)
MASK_LAST(cuteSimPtxShuffleDown, cuteSimShuffleDown)
MASK_LAST(cuteSimPtxShuffleButterfly, cuteSimShuffleButterfly)
MASK_LAST(cuteSimPtxShuffleIndex, cuteSimShuffleIndex)
MASK_LAST(cuteSimPtxVoteAny, cuteSimVoteAny)
MASK_LAST(cuteSimPtxVoteAll, cuteSimVoteAll)
MASK_LAST(cuteSimPtxVoteUniform, cuteSimVoteUniform)
MASK_LAST(cuteSimPtxVoteBallot, cuteSimVoteBallot)
MASK_LAST(cuteSimPtxMatchAny, cuteSimMatchAny)
MASK_LAST(cuteSimPtxMatchAll, cuteSimMatchAll)
#undef MASK_LAST

//===-- Addresses ---------------------------------------------------------===//

// An address is the same number in all spaces.
void cuteSimPtxConvertAddress(CuteSimOp op, uint64_t *values) {
  (void)op;
  values[0] = values[1];
}

// The number of the block of the cluster that has the address; all ones of
// none.
static uint64_t rankOf(const CuteSimThread *thread, uint64_t address) {
  const CuteSimCluster *cluster = thread->cluster;
  uint64_t offset = address - (uint64_t)(uintptr_t)cluster->windows;
  uint64_t rank = offset / CUTE_SIM_WINDOW;
  return rank < (uint64_t)cluster->numBlocks ? rank : UINT64_MAX;
}

void cuteSimPtxGetRank(CuteSimOp op, uint64_t *values) {
  values[0] = rankOf(op.thread, values[1]) & UINT32_MAX;
}

// "isspacep.shared::cta": shared memory of the own block, of the cluster, or
// what is neither.
void cuteSimPtxIsInSpace(CuteSimOp op, uint64_t *values) {
  uint64_t rank = rankOf(op.thread, values[1]);
  if (strstr(op.site->name, ".shared::cluster"))
    values[0] = rank != UINT64_MAX;
  else if (strstr(op.site->name, ".shared"))
    values[0] = rank == (uint64_t)op.thread->block->rank;
  else
    values[0] = strstr(op.site->name, ".global") && rank == UINT64_MAX;
}

// A policy of caches, which are not simulated.
void cuteSimPtxCreatePolicy(CuteSimOp op, uint64_t *values) {
  (void)op;
  values[0] = 0;
}
