#include "Simulator/checks/vector_clock.h"
#include "Simulator/tensorcore/wgmma.h"
#include "Support/arena.h"

static double later(double a, double b) { return a > b ? a : b; }

static uint32_t groupsOf(const CuteSimCluster *cluster) {
  return (uint32_t)(cluster->blocks->numThreads - 1) / CUTE_SIM_WARPGROUP + 1;
}

// The place of the copies' epochs, after threads and products.
static size_t copiesOf(const CuteSimCluster *cluster) {
  return (size_t)cuteSimClusterGetThreads(cluster) +
         (size_t)cluster->numBlocks * groupsOf(cluster);
}

// Counts the epochs of threads, products and copies.
static size_t numKnown(const CuteSimCluster *cluster) {
  return copiesOf(cluster) + CUTE_SIM_CLOCK_BARRIERS;
}

// The place of the threads' epochs of a part.
static size_t placeOf(const CuteSimCluster *cluster, CuteSimClockPart part) {
  return numKnown(cluster) +
         (size_t)part * (size_t)cuteSimClusterGetThreads(cluster);
}

static size_t numEpochs(const CuteSimCluster *cluster) {
  return placeOf(cluster, CUTE_SIM_LOADS + 1);
}

static size_t sizeOf(const CuteSimCluster *cluster) {
  return sizeof(CuteSimClock) + numEpochs(cluster) * sizeof(uint32_t);
}

void cuteSimClockDrop(CuteSimClock *clock) {
  if (clock && !--clock->uses)
    free(clock);
}

// Gives a clock that is about to change: of a shared one a copy.
static CuteSimClock *own(CuteSimCluster *cluster, CuteSimClock *clock) {
  if (!clock || clock->uses > 1) {
    CuteSimClock *copy = cuteAllocateZeros(1, sizeOf(cluster));
    if (clock) {
      memcpy(copy, clock, sizeOf(cluster));
      copy->contains = clock->number;
      --clock->uses;
    }
    copy->uses = 1;
    clock = copy;
  }
  clock->number = ++cluster->numClocks;
  return clock;
}

static CuteSimClock *share(CuteSimClock *clock) {
  ++clock->uses;
  return clock;
}

static bool contains(const CuteSimCluster *cluster, CuteSimClock *a,
                     const CuteSimClock *b) {
  uint32_t lacks = 0;
  size_t n = a->contains == b->number ? 0 : numEpochs(cluster);
  for (size_t i = 0; i < n; ++i)
    lacks |= a->epochs[i] < b->epochs[i];
  if (!lacks)
    a->contains = b->number;
  return !lacks;
}

void cuteSimClockJoin(CuteSimCluster *cluster, CuteSimClock **into,
                      CuteSimClock *from) {
  if (!from || *into == from || (*into && (*into)->contains == from->number))
    return;
  if (!*into || contains(cluster, from, *into)) {
    cuteSimClockDrop(*into);
    *into = share(from);
    return;
  }
  if (contains(cluster, *into, from))
    return;
  *into = own(cluster, *into);
  for (size_t i = 0; i < numEpochs(cluster); ++i)
    if ((*into)->epochs[i] < from->epochs[i])
      (*into)->epochs[i] = from->epochs[i];
  (*into)->contains = from->number;
  (*into)->time = later((*into)->time, from->time);
}

// A clock whose last thread came with the same one needs its epoch alone.
void cuteSimClockRelease(CuteSimThread *thread, CuteSimClock **into) {
  CuteSimCluster *cluster = thread->cluster;
  cuteSimClockJoin(cluster, into, thread->clock);
  *into = own(cluster, *into);
  (*into)->epochs[thread->number] = thread->epoch++;
  (*into)->time = later((*into)->time, thread->time);
}

void cuteSimClockAdd(const CuteSimThread *thread, CuteSimClock **into,
                     uint32_t epoch) {
  *into = own(thread->cluster, *into);
  if ((*into)->epochs[thread->number] < epoch)
    (*into)->epochs[thread->number] = epoch;
  (*into)->time = later((*into)->time, thread->arrival);
}

void cuteSimClockFence(CuteSimThread *thread) {
  CuteSimCluster *cluster = thread->cluster;
  size_t n = (size_t)cuteSimClusterGetThreads(cluster);
  thread->clock = own(cluster, thread->clock);
  uint32_t *known = thread->clock->epochs, *fenced = known + numKnown(cluster);
  for (size_t i = 0; i < n; ++i)
    if (fenced[i] < known[i])
      fenced[i] = known[i];
  fenced[thread->number] = thread->epoch++;
}

void cuteSimClockPass(CuteSimThread *thread, CuteSimClock **clock,
                      CuteSimClockPart part) {
  if (!thread->cluster->checks)
    return;
  *clock = own(thread->cluster, *clock);
  (*clock)->epochs[placeOf(thread->cluster, part) + thread->number] =
      thread->epoch++;
}

bool cuteSimClockHas(const CuteSimThread *thread, CuteSimClockPart part,
                     uint32_t other, uint32_t epoch) {
  size_t n = placeOf(thread->cluster, part);
  return thread->clock && thread->clock->epochs[n + other] >= epoch;
}

//===-- Products ----------------------------------------------------------===//

uint32_t cuteSimClockGetProducts(const CuteSimThread *thread) {
  const CuteSimBlock *block = thread->block;
  return (uint32_t)((size_t)cuteSimClusterGetThreads(block->cluster) +
                    (size_t)block->rank * groupsOf(block->cluster) +
                    (size_t)thread->index / CUTE_SIM_WARPGROUP);
}

bool cuteSimClockIsOfProducts(const CuteSimThread *thread, uint32_t number) {
  return number >= (size_t)cuteSimClusterGetThreads(thread->cluster) &&
         number < copiesOf(thread->cluster);
}

bool cuteSimClockIsOfCopies(const CuteSimThread *thread, uint32_t number) {
  return number >= copiesOf(thread->cluster);
}

uint32_t cuteSimClockGetCopies(const CuteSimCluster *cluster,
                               uint32_t barrier) {
  return (uint32_t)copiesOf(cluster) + barrier;
}

void cuteSimClockTell(CuteSimCluster *cluster, CuteSimClock **into,
                      uint32_t copies, uint32_t phase) {
  *into = own(cluster, *into);
  (*into)->epochs[copies] = phase;
  (*into)->contains = 0; // a barrier may begin again
}

void cuteSimClockWaitProducts(CuteSimThread *thread, uint32_t groups) {
  CuteSimCluster *cluster = thread->cluster;
  if (!cluster->checks)
    return;
  thread->clock = own(cluster, thread->clock);
  thread->clock->epochs[cuteSimClockGetProducts(thread)] = groups;
  cuteSimClockPass(thread, &thread->clock, CUTE_SIM_LOADS);
}

//===-- Barriers ----------------------------------------------------------===//

void cuteSimClockAddInits(const CuteSimThread *thread, CuteSimClock **into) {
  CuteSimCluster *cluster = thread->cluster;
  size_t at = placeOf(cluster, CUTE_SIM_INITS) + thread->number;
  if (!thread->clock || !thread->clock->epochs[at])
    return;
  *into = own(cluster, *into);
  (*into)->epochs[at] = thread->clock->epochs[at];
}

void cuteSimClockAcquire(CuteSimThread *thread, CuteSimClock *from) {
  cuteSimClockJoin(thread->cluster, &thread->clock, from);
  cuteSimClockMeet(thread, from);
}

void cuteSimClockMeet(CuteSimThread *thread, const CuteSimClock *clock) {
  if (clock)
    thread->time = later(thread->time, clock->time);
}
