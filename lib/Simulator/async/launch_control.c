// Cluster launch control: blocks that run take the place of clusters that have
// not begun (PTX ISA, "clusterlaunchcontrol.try_cancel").
#include "Simulator/async/mbarrier_operations.h"
#include "Simulator/async/mbarrier_phases.h"
#include "Simulator/async/pending.h"
#include "Simulator/checks/access.h"
#include "Simulator/checks/shadow.h"
#include "Simulator/machine/cluster_end.h"
#include "Simulator/machine/launch_run.h"
#include "Simulator/ptx/operation_table.h"

enum { BYTES = 16 };

// A response, which PTX leaves open: x, y and z of the cluster's first block in
// 32, 16 and 16 bits; and one of these marks.
static const uint64_t granted = 0xc1c0ffee00000001,
                      refused = 0xc1c0ffee00000000;

typedef struct Request {
  CuteSimOp op;
  uint64_t to, barrier, response[2];
  uint32_t epoch;
} Request;

static void respond(CuteSimCluster *cluster, int64_t number,
                    uint64_t response[2]) {
  const CuteSimLaunch *launch = cluster->run->launch;
  const unsigned *each = launch->cluster;
  uint64_t nx = launch->grid[0] / each[0], ny = launch->grid[1] / each[1];
  uint64_t n = (uint64_t)number;
  response[1] = refused;
  if (number < 0)
    return;
  response[0] = n % nx * each[0] | n / nx % ny * each[1] << 32 |
                n / nx / ny * each[2] << 48;
  response[1] = granted;
}

static void arrive(CuteSimCluster *cluster, void *data) {
  const Request *r = data;
  cuteSimClusterReaches(r->op, cuteSimClusterGetRank(cluster, r->to));
  memcpy((void *)(uintptr_t)r->to, r->response, BYTES);
  cuteSimShadowArrive(
      r->op, r->to, BYTES,
      cuteSimPhasesGetCopies(r->op.thread, r->barrier, r->epoch));
  cuteSimShadowPublish(r->op.thread, r->barrier, r->epoch);
  cuteSimMbarrierCompleteAt(r->op, r->barrier, BYTES);
}

// The response and the barrier are at the same place in every block that gets
// it.
void cuteSimLaunchTryCancel(CuteSimOp op, uint64_t *values) {
  CuteSimCluster *cluster = op.thread->cluster;
  const CuteSimSite *site = op.thread->block->refusedAt;
  bool isForAll = strstr(op.site->name, ".multicast");
  int rank = op.thread->block->rank, first = isForAll ? 0 : rank;
  int last = isForAll ? cluster->numBlocks - 1 : rank;
  Request r = {.op = op, .epoch = op.thread->epoch};
  if (site)
    cuteSimFindPair(op, site,
                    "asks for another cluster after the block has read on line "
                    "%u that none is left, which is undefined; leave the loop "
                    "then",
                    site->line);
  respond(cluster, cuteSimRunTake(cluster, true), r.response);
  for (int i = first; i <= last; ++i) {
    r.to = cuteSimClusterGetPlace(cluster, i, values[0]);
    r.barrier = cuteSimClusterGetPlace(cluster, i, values[1]);
    cuteSimMbarrierCheckAt(op, r.barrier);
    cuteSimAccessStart(op, r.to, BYTES, BYTES, CUTE_SIM_WRITE);
    cuteSimPendingStart(cluster, arrive, &r, sizeof r);
  }
  ++op.thread->epoch;
}

static bool isGranted(CuteSimOp op, const uint64_t *response) {
  if (response[1] != granted && response[1] != refused)
    cuteSimFind(op, "$: this is not a response of try_cancel");
  return response[1] == granted;
}

void cuteSimLaunchIsCanceled(CuteSimOp op, uint64_t *values) {
  values[0] = isGranted(op, values + 1);
  if (!values[0])
    op.thread->block->refusedAt = op.site;
}

// "get_first_ctaid.v4.b32.b128", or one mode: "get_first_ctaid::x.b32.b128".
void cuteSimLaunchFirstBlock(CuteSimOp op, uint64_t *values) {
  unsigned n = op.site->numResults;
  const uint64_t *response = values + n;
  const char *mode = strstr(op.site->name, "ctaid::");
  uint64_t first[] = {response[0] & UINT32_MAX, response[0] >> 32 & UINT16_MAX,
                      response[0] >> 48, 0};
  if (!isGranted(op, response))
    cuteSimFind(op, "takes the first block of a response that has none, which "
                    "is undefined; ask is_canceled before");
  if (mode)
    values[0] = first[mode[strlen("ctaid::")] - 'x'];
  else
    memcpy(values, first, n * sizeof *first);
}
