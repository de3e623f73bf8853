// Stores to the shared memory of a block of the cluster, whose bytes an
// mbarrier counts (PTX ISA, "st.async").
#include "Simulator/async/mbarrier_operations.h"
#include "Simulator/async/mbarrier_phases.h"
#include "Simulator/async/pending.h"
#include "Simulator/checks/access.h"
#include "Simulator/checks/shadow.h"
#include "Simulator/machine/cluster_end.h"
#include "Simulator/ptx/operation_table.h"

enum { MAX_VALUES = 4 };

typedef struct Store {
  CuteSimOp op;
  uint64_t to, barrier, values[MAX_VALUES];
  unsigned count, bytes; // values, and bytes of each
  uint32_t epoch;
} Store;

static void arrive(CuteSimCluster *cluster, void *data) {
  const Store *s = data;
  cuteSimClusterReaches(s->op, cuteSimClusterGetRank(cluster, s->to));
  for (unsigned i = 0; i < s->count; ++i)
    memcpy((void *)(uintptr_t)(s->to + i * s->bytes), &s->values[i], s->bytes);
  cuteSimShadowArrive(
      s->op, s->to, s->count * s->bytes,
      cuteSimPhasesGetCopies(s->op.thread, s->barrier, s->epoch));
  cuteSimShadowPublish(s->op.thread, s->barrier, s->epoch);
  cuteSimMbarrierCompleteAt(s->op, s->barrier, s->count * s->bytes);
}

// Bytes of the type that ends the name: 4 of ".f32".
static unsigned bytesOf(const CuteSimSite *site) {
  const char *dot = strrchr(site->name, '.');
  return dot && dot[1] ? (unsigned)strtoul(dot + 2, NULL, 10) / 8 : 0;
}

void cuteSimAsyncStore(CuteSimOp op, uint64_t *values) {
  Store s = {.op = op,
             .to = values[0],
             .barrier = values[op.site->numOperands - 1],
             .count = op.site->numOperands - 2,
             .bytes = bytesOf(op.site)};
  if ((s.bytes != 4 && s.bytes != 8) || s.count > MAX_VALUES)
    cuteSimFailUnknown(op);
  cuteSimClusterCheckLaunch(op);
  memcpy(s.values, values + 1, s.count * sizeof *s.values);
  cuteSimMbarrierCheckAt(op, s.barrier);
  cuteSimAccessStart(op, s.to, s.count * s.bytes, s.count * s.bytes,
                     CUTE_SIM_WRITE);
  s.epoch = op.thread->epoch++;
  cuteSimPendingStart(op.thread->cluster, arrive, &s, sizeof s);
}
