// Operations of PTX on addresses.
#include "Simulator/ptx/operation_table.h"

#include <string.h>

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
