// Operations of PTX on addresses, and inline PTX as an operation.
#include "Simulator/ptx/operation_table.h"
#include "Simulator/ptx/ptx.h"

// An address is the same number in all spaces.
void cuteSimPtxConvertAddress(CUTE_UNUSED CuteSimOp op, uint64_t *values) {
  values[0] = values[1];
}

// All ones for an address that is in no block of the cluster.
void cuteSimPtxGetRank(CuteSimOp op, uint64_t *values) {
  values[0] = (uint32_t)cuteSimClusterGetRank(op.thread->cluster, values[1]);
}

// "isspacep.shared::cta": shared memory of the own block, of the cluster, or
// what is neither.
void cuteSimPtxIsInSpace(CuteSimOp op, uint64_t *values) {
  int rank = cuteSimClusterGetRank(op.thread->cluster, values[1]);
  if (strstr(op.site->name, ".shared::cluster"))
    values[0] = rank >= 0;
  else if (strstr(op.site->name, ".shared"))
    values[0] = rank == op.thread->block->rank;
  else
    values[0] = strstr(op.site->name, ".global") && rank < 0;
}

// A policy of caches, which are not simulated.
void cuteSimPtxCreatePolicy(CUTE_UNUSED CuteSimOp op, uint64_t *values) {
  values[0] = 0;
}

//===-- Inline PTX --------------------------------------------------------===//

static void call(void *handle, void *thread, uint64_t *values) {
  const CuteSimSite *site = handle;
  site->function((CuteSimOp){thread, site}, values);
}

void cuteSimPtxFail(CuteSimOp op, CUTE_UNUSED uint64_t *values) {
  cuteSimFail((CuteSimOp){op.thread, NULL}, "%s", op.site->name);
}

void cuteSimPtxExecute(CuteSimOp op, uint64_t *values) {
  cuteSimPtxRun(*op.site->prepared, call, op.thread, values);
}
