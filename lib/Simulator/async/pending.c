#include "Simulator/async/pending.h"
#include "Simulator/async/bulk_transfer.h"
#include "Support/arena.h"
#include "Support/growing_array.h"

typedef struct Pending {
  CuteSimPendingFunction *arrive;
  void *data;
} Pending;

struct CuteSimPending {
  CuteSimQueue *queues; // of each thread of the cluster
  size_t count, capacity;
  Pending *pending;
};

static size_t numQueues(const CuteSimCluster *cluster) {
  return (size_t)cuteSimClusterGetThreads(cluster) * CUTE_SIM_QUEUES;
}

void cuteSimPendingCreate(CuteSimCluster *cluster) {
  CuteSimPending *async = cuteAllocate(sizeof *async);
  *async = (CuteSimPending){
      .queues = calloc(numQueues(cluster), sizeof *async->queues)};
  cluster->pending = async;
}

void cuteSimPendingDestroy(CuteSimCluster *cluster) {
  for (size_t i = 0; i < numQueues(cluster); ++i)
    free(cluster->pending->queues[i].data);
  cuteSimPendingReset(cluster);
  free(cluster->pending->pending);
  free(cluster->pending->queues);
  free(cluster->pending);
}

void cuteSimPendingReset(CuteSimCluster *cluster) {
  CuteSimPending *async = cluster->pending;
  for (size_t i = 0; i < numQueues(cluster); ++i)
    async->queues[i].count = 0, async->queues[i].groups = 0;
  for (size_t i = 0; i < async->count; ++i)
    free(async->pending[i].data);
  async->count = 0;
  cluster->numPending = 0;
}

CuteSimQueue *cuteSimQueueGet(const CuteSimThread *thread,
                              CuteSimQueueKind kind) {
  const CuteSimCluster *cluster = thread->cluster;
  size_t number = (size_t)(thread - cluster->threads);
  return &cluster->pending->queues[number * CUTE_SIM_QUEUES + kind];
}

void cuteSimPendingStart(CuteSimCluster *cluster,
                         CuteSimPendingFunction *arrive, const void *data,
                         size_t size) {
  CuteSimPending *async = cluster->pending;
  void *copy = cuteAllocate(size);
  memcpy(copy, data, size);
  CUTE_PUSH(async->pending, async->count, async->capacity,
            (Pending){arrive, copy});
  ++cluster->numPending;
}

bool cuteSimPendingProgress(CuteSimCluster *cluster) {
  CuteSimPending *async = cluster->pending;
  if (!async->count)
    return false;
  size_t at =
      cluster->seed ? cuteSimRandom(cluster, (uint32_t)async->count) : 0;
  Pending pending = async->pending[at];
  memmove(&async->pending[at], &async->pending[at + 1],
          (--async->count - at) * sizeof pending);
  --cluster->numPending;
  pending.arrive(cluster, pending.data);
  free(pending.data);
  return true;
}

void cuteSimPendingLeave(CuteSimThread *thread) {
  cuteSimCopiesWait(thread, INT64_MAX);
  cuteSimStoresLeave(thread);
}
