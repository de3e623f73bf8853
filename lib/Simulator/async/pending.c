#include "Simulator/async/pending.h"
#include "Simulator/async/bulk_transfer.h"
#include "Simulator/async/cp_async.h"
#include "Support/arena.h"
#include "Support/growing_array.h"

#include <stdlib.h>
#include <string.h>

typedef struct Pending {
  CuteSimPendingFunction *arrive;
  void *data;
} Pending;

struct CuteSimPending {
  CuteSimCopies *copies; // of each thread of the cluster
  CuteSimStores *stores; // the same
  size_t count, capacity;
  Pending *pending;
};

void cuteSimPendingCreate(CuteSimCluster *cluster) {
  CuteSimPending *async = cuteAllocate(sizeof *async);
  *async = (CuteSimPending){
      .copies = calloc((size_t)cuteSimClusterGetThreads(cluster),
                       sizeof *async->copies),
      .stores = calloc((size_t)cuteSimClusterGetThreads(cluster),
                       sizeof *async->stores)};
  cluster->pending = async;
}

void cuteSimPendingDestroy(CuteSimCluster *cluster) {
  for (int i = 0; i < cuteSimClusterGetThreads(cluster); ++i)
    free(cluster->pending->copies[i].data),
        free(cluster->pending->stores[i].data);
  cuteSimPendingReset(cluster);
  free(cluster->pending->pending);
  free(cluster->pending->copies);
  free(cluster->pending->stores);
  free(cluster->pending);
}

void cuteSimPendingReset(CuteSimCluster *cluster) {
  CuteSimPending *async = cluster->pending;
  for (int i = 0; i < cuteSimClusterGetThreads(cluster); ++i) {
    async->copies[i].count = 0, async->copies[i].groups = 0;
    async->stores[i].count = 0, async->stores[i].groups = 0;
  }
  for (size_t i = 0; i < async->count; ++i)
    free(async->pending[i].data);
  async->count = 0;
  cluster->numPending = 0;
}

CuteSimCopies *cuteSimGetCopies(const CuteSimThread *thread) {
  const CuteSimCluster *cluster = thread->cluster;
  return &cluster->pending->copies[thread - cluster->threads];
}

CuteSimStores *cuteSimGetStores(const CuteSimThread *thread) {
  const CuteSimCluster *cluster = thread->cluster;
  return &cluster->pending->stores[thread - cluster->threads];
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
  cuteSimCopiesFinish(thread);
  cuteSimStoresLeave(thread);
}
