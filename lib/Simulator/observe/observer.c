#include "Simulator/machine/launch_run.h"
#include "Simulator/observe/observer_state.h"
#include "Support/arena.h"
#include "Support/growing_array.h"

// A request that waits for more lanes.
typedef struct Pending {
  const CuteSimSite *site; // null: all have come
  CuteSimTraffic traffic;
  unsigned part; // of an access of more than 16 bytes
  uint64_t step;
  CuteSimRequest request;
} Pending;

typedef struct CuteSimRequests {
  size_t count, capacity, numOpen, next;
  Pending *data;
} CuteSimRequests;

static size_t warpsOf(const CuteSimCluster *cluster) {
  return (size_t)(cluster->blocks->numThreads + CUTE_SIM_WARP - 1) /
         CUTE_SIM_WARP;
}

void cuteSimObserverCreate(CuteSimCluster *cluster) {
  CuteSimStatistics *statistics = cluster->run->launch->statistics;
  if (!statistics)
    return;
  CuteSimObserver *observer = cuteAllocate(sizeof *observer);
  *observer = (CuteSimObserver){.traces = statistics->traces};
  observer->counts = cuteSimCountsCreate(statistics);
  observer->numWarps = (size_t)cluster->numBlocks * warpsOf(cluster);
  observer->requests = calloc(observer->numWarps, sizeof *observer->requests);
  cluster->observer = observer;
}

void cuteSimObserverDestroy(CuteSimCluster *cluster) {
  CuteSimObserver *observer = cluster->observer;
  if (!observer)
    return;
  CuteSimStatistics *statistics = cluster->run->launch->statistics;
  for (size_t i = 0; i <= statistics->numPlaces; ++i)
    cuteSimCountsAdd(&statistics->counts[i], &observer->counts[i]);
  cuteSimTimelineJoin(&statistics->trace, &observer->trace);
  free(observer->trace.data);
  for (size_t i = 0; i < observer->numWarps; ++i)
    free(observer->requests[i].data);
  free(observer->requests);
  free(observer->counts);
  free(observer);
}

//===-- Requests ----------------------------------------------------------===//

static CuteSimRequests *requestsOf(const CuteSimBlock *block,
                                   const CuteSimWarp *warp) {
  const CuteSimCluster *cluster = block->cluster;
  return &cluster->observer->requests[(size_t)block->rank * warpsOf(cluster) +
                                      (size_t)(warp - block->warps)];
}

static void close(CuteSimObserver *observer, CuteSimRequests *all,
                  Pending *pending) {
  cuteSimCountsAddRequest(&observer->counts[pending->site->place],
                          pending->traffic, &pending->request);
  pending->site = NULL;
  if (!--all->numOpen)
    all->count = all->next = 0;
}

// Closes the requests that have one of the lanes.
static void closeAll(CuteSimObserver *observer, CuteSimRequests *all,
                     uint32_t lanes) {
  for (size_t i = 0, n = all->count; i < n; ++i)
    if (all->data[i].site && all->data[i].request.lanes & lanes)
      close(observer, all, &all->data[i]);
}

void cuteSimObserverFlush(CuteSimCluster *cluster) {
  CuteSimObserver *observer = cluster->observer;
  for (size_t i = 0; observer && i < observer->numWarps; ++i)
    closeAll(observer, &observer->requests[i], ~0u);
}

static bool isLike(const Pending *p, const Pending *like, int lane) {
  return p->site == like->site && p->traffic == like->traffic &&
         p->part == like->part && p->step == like->step &&
         p->request.bytes == like->request.bytes &&
         !(p->request.lanes >> lane & 1);
}

// The open request that an access is of, or a new one. Lanes come to requests
// in the same order.
static Pending *findRequest(CuteSimRequests *all, const Pending *like,
                            int lane) {
  for (size_t i = 0; i < all->count; ++i) {
    size_t at = (all->next + i) % all->count;
    if (isLike(&all->data[at], like, lane)) {
      all->next = at + 1;
      return &all->data[at];
    }
  }
  ++all->numOpen;
  CUTE_PUSH(all->data, all->count, all->capacity, *like);
  all->next = all->count;
  return &all->data[all->count - 1];
}

static void addAccess(const CuteSimThread *thread, Pending like,
                      uint64_t address) {
  CuteSimObserver *observer = thread->cluster->observer;
  CuteSimRequests *all = requestsOf(thread->block, thread->warp);
  Pending *pending = findRequest(all, &like, thread->lane);
  pending->request.lanes |= 1u << thread->lane;
  pending->request.addresses[thread->lane] = (int64_t)address;
  if (pending->request.lanes == thread->stepLanes)
    close(observer, all, pending);
}

void cuteSimObserveAccess(CuteSimOp op, uint64_t address, size_t bytes,
                          CuteSimAccess access) {
  enum { MOST = 16 };
  const CuteSimCluster *cluster = op.thread->cluster;
  bool isShared = cuteSimClusterGetRank(cluster, address) >= 0;
  if (!cluster->observer || !bytes || cuteSimThreadHasLocal(op.thread, address))
    return;
  Pending like = {.site = op.site, .step = op.thread->step};
  like.traffic = isShared ? CUTE_SIM_SHARED_READ : CUTE_SIM_GLOBAL_READ;
  like.traffic += access != CUTE_SIM_READ;
  address = isShared ? address % CUTE_SIM_WINDOW : address;
  for (size_t at = 0; at < bytes; at += MOST) {
    like.part = (unsigned)(at / MOST);
    like.request.bytes = (int)(bytes - at < MOST ? bytes - at : MOST);
    addAccess(op.thread, like, address + at);
  }
}

void cuteSimObserveCopied(CuteSimOp op, CuteSimTraffic traffic, size_t bytes) {
  const CuteSimObserver *observer = op.thread->cluster->observer;
  if (observer)
    observer->counts[op.site->place].traffic[traffic].copied += (int64_t)bytes;
}

//===-- Steps -------------------------------------------------------------===//

static void countStep(CuteSimObserver *observer, const CuteSimStep *step,
                      uint32_t lanes) {
  for (uint32_t i = 0; i < step->numWork; ++i) {
    CuteSimCounts *counts = &observer->counts[step->work[i].place];
    counts->instructions += step->work[i].instructions;
    counts->operations +=
        (int64_t)step->work[i].operations * __builtin_popcount(lanes);
  }
}

// The lane that continues next: the one whose basic block comes first, so that
// the others are caught up with; now and then the one that has not gone on for
// longest, as lanes may look for what another does.
static int chooseLane(const CuteSimWarp *warp) {
  enum { PATIENCE = 64 };
  bool isFair = warp->steps % PATIENCE == PATIENCE - 1;
  int chosen = -1;
  for (int i = 0; i < CUTE_SIM_WARP; ++i) {
    const CuteSimThread *a = &warp->threads[i];
    if (!(warp->parked >> i & 1))
      continue;
    const CuteSimThread *b = chosen < 0 ? a : &warp->threads[chosen];
    if (chosen < 0 ||
        (isFair ? a->step < b->step : a->parkedAt->order < b->parkedAt->order))
      chosen = i;
  }
  return chosen;
}

// Releases the lanes at one basic block.
static void release(CuteSimBlock *block, CuteSimWarp *warp) {
  CuteSimObserver *observer = block->cluster->observer;
  const CuteSimStep *step = warp->threads[chooseLane(warp)].parkedAt;
  uint32_t lanes = 0;
  for (int i = 0; i < CUTE_SIM_WARP; ++i)
    if (warp->parked >> i & 1 && warp->threads[i].parkedAt == step)
      lanes |= 1u << i;
  warp->parked &= ~lanes;
  ++warp->steps;
  closeAll(observer, requestsOf(block, warp), lanes);
  countStep(observer, step, lanes);
  if (observer->traces)
    cuteSimObserverAdvance(warp, lanes, step);
  CUTE_SIM_FOR_LANES(i, lanes) {
    warp->threads[i].step = warp->steps;
    warp->threads[i].stepLanes = lanes;
    cuteSimWake(&warp->threads[i]);
  }
}

void cuteSimObserveRest(CuteSimThread *thread) {
  CuteSimWarp *warp = thread->warp;
  warp->busy &= ~(1u << thread->lane);
  if (!warp->busy && warp->parked)
    release(thread->block, warp);
}

void cuteSimObserveStep(const CuteSimStep *step) {
  CuteSimThread *thread = cuteSimGetThread();
  thread->parkedAt = step;
  thread->warp->parked |= 1u << thread->lane;
  cuteSimWait((CuteSimOp){thread, NULL}, NULL);
}
