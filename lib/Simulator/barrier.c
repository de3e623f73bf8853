// Barriers of a block, which have numbers, and of a cluster (PTX ISA,
// "barrier{.cta}", "barrier.cluster").
#include "Simulator/findings.h"
#include "Simulator/launch_run.h"
#include "Simulator/machine.h"
#include "Simulator/operation_table.h"
#include "Simulator/vector_clock.h"

#include <string.h>

// Clocks are kept for checks alone.
static void release(CuteSimThread *thread, CuteSimClock **clock) {
  if (thread->block->cluster->run->options->checks)
    cuteSimClockRelease(thread, clock);
}

//===-- Divergence --------------------------------------------------------===//

// Tells whether all lanes of a warp must come to an operation together: bar is
// barrier.cta.aligned.
static bool isAligned(const CuteSimSite *site) {
  return strstr(site->name, ".aligned") || !strncmp(site->name, "bar.", 4);
}

// Lanes of one warp that come to an aligned barrier at different operations
// hang or go on alone, as the hardware likes.
static void noteLane(CuteSimThread *thread, const CuteSimSite *site,
                     CuteSimBarrier *barrier, uint64_t number) {
  int warp = thread->registers[CUTE_SIM_WARPID];
  CuteSimBarrierLanes *lanes = &barrier->warps[warp];
  if (lanes->site && lanes->site != site && isAligned(site) &&
      thread->block->cluster->run->options->checks)
    cuteSimFindPair(thread, site, lanes->site,
                    "barrier divergence: comes to barrier %llu here, but "
                    "lanes 0x%x of its warp on line %u; let all lanes of a "
                    "warp come to one gpu.barrier, outside of the branch",
                    (unsigned long long)number, lanes->lanes,
                    lanes->site->line);
  *lanes = (CuteSimBarrierLanes){site, lanes->lanes | 1u << thread->lane};
}

//===-- Of a block --------------------------------------------------------===//

// Threads that wait at a barrier of their block have its number and phase.
static void wakeBlock(CuteSimBlock *block, int number, CuteSimThread *last) {
  CuteSimBarrier *barrier = &block->barriers[number];
  CuteSimClock *clock = barrier->clock;
  barrier->clock = NULL;
  barrier->arrived = barrier->expected = 0;
  memset(barrier->warps, 0, sizeof barrier->warps);
  ++barrier->phase;
  for (int i = 0; i < block->numThreads; ++i) {
    CuteSimThread *thread = &block->threads[i];
    if (thread->state == CUTE_SIM_WAITING && thread->waitsOn == barrier) {
      cuteSimClockAcquire(thread, clock);
      cuteSimWake(thread);
    }
  }
  if (last)
    cuteSimClockAcquire(last, clock);
  cuteSimClockDrop(clock);
}

static bool isComplete(const CuteSimBlock *block,
                       const CuteSimBarrier *barrier) {
  int expected =
      barrier->isOfAll ? block->numThreads - block->numDone : barrier->expected;
  return barrier->arrived && barrier->arrived >= expected;
}

// Threads that have ended are not waited for, which a program rarely means.
static void noteEnded(const CuteSimThread *thread, const CuteSimSite *site,
                      const CuteSimBarrier *barrier) {
  int all = thread->block->numThreads, missing = all - barrier->arrived;
  if (barrier->isOfAll && missing > 0 && site &&
      thread->block->cluster->run->options->checks)
    cuteSimFindNote(thread, site,
                    "barrier: %d of the block's %d threads ended without "
                    "coming here; write it where all come, or give those that "
                    "do one of their own (cute.named_barrier_sync)",
                    missing, all);
}

// `count` is 0 for all threads of the block.
static void arrive(CuteSimThread *thread, const CuteSimSite *site,
                   uint64_t number, uint64_t count, bool waits) {
  CuteSimBlock *block = thread->block;
  if (number >= CUTE_SIM_BARRIERS)
    cuteSimFail(thread, site, "barrier %llu; a block has those from 0 to 15",
                (unsigned long long)number);
  if (count % CUTE_SIM_WARP || count > CUTE_SIM_MAX_THREADS)
    cuteSimFail(thread, site,
                "barrier %llu for %llu threads; it must be a multiple of 32 "
                "up to 1024",
                (unsigned long long)number, (unsigned long long)count);
  CuteSimBarrier *barrier = &block->barriers[number];
  if (barrier->arrived && !count != barrier->isOfAll)
    count = barrier->isOfAll ? 0 : (uint64_t)block->numThreads;
  if (barrier->arrived && count && (int)count != barrier->expected)
    cuteSimFail(thread, site,
                "barrier %llu is for %llu threads here, but %d that have come "
                "say %d; all must say the same",
                (unsigned long long)number, (unsigned long long)count,
                barrier->arrived, barrier->expected);
  barrier->isOfAll = !count;
  barrier->expected = (int)count;
  ++barrier->arrived;
  noteLane(thread, site, barrier, number);
  release(thread, &barrier->clock);
  if (isComplete(block, barrier)) {
    noteEnded(thread, site, barrier);
    wakeBlock(block, (int)number, waits ? thread : NULL);
  } else if (waits) {
    thread->waitsOn = barrier;
    cuteSimWait(thread, site);
    thread->waitsOn = NULL;
  }
}

void cuteSimBarrierAll(CuteSimThread *thread, const CuteSimSite *site,
                       uint64_t *values) {
  arrive(thread, site, values[site->numResults], 0, true);
}

void cuteSimBarrierCount(CuteSimThread *thread, const CuteSimSite *site,
                         uint64_t *values) {
  const uint64_t *operands = values + site->numResults;
  arrive(thread, site, operands[0], site->numOperands > 1 ? operands[1] : 0,
         true);
}

void cuteSimBarrierArrive(CuteSimThread *thread, const CuteSimSite *site,
                          uint64_t *values) {
  const uint64_t *operands = values + site->numResults;
  arrive(thread, site, operands[0], operands[1], false);
}

//===-- Reductions --------------------------------------------------------===//

// The last operand is a predicate: those of all threads are counted in the
// barrier's slot of this phase, and read after it.
static uint64_t reduce(CuteSimThread *thread, const CuteSimSite *site,
                       uint64_t *values, bool isNegated) {
  const uint64_t *operands = values + site->numResults;
  CuteSimBarrier *barrier =
      &thread->block->barriers[operands[0] % CUTE_SIM_BARRIERS];
  int slot = barrier->phase & 1;
  if (!barrier->arrived)
    barrier->count[slot] = 0;
  barrier->count[slot] += (operands[site->numOperands - 1] != 0) != isNegated;
  arrive(thread, site, operands[0], site->numOperands > 2 ? operands[1] : 0,
         true);
  return (uint64_t)barrier->count[slot];
}

void cuteSimBarrierReduceAnd(CuteSimThread *thread, const CuteSimSite *site,
                             uint64_t *values) {
  values[0] = reduce(thread, site, values, true) == 0;
}

void cuteSimBarrierReduceOr(CuteSimThread *thread, const CuteSimSite *site,
                            uint64_t *values) {
  values[0] = reduce(thread, site, values, false) != 0;
}

void cuteSimBarrierReducePopc(CuteSimThread *thread, const CuteSimSite *site,
                              uint64_t *values) {
  values[0] = reduce(thread, site, values, false);
}

//===-- Of a cluster ------------------------------------------------------===//

static int numThreads(const CuteSimCluster *cluster) {
  return cluster->numBlocks * cluster->blocks->numThreads;
}

static void wakeCluster(CuteSimCluster *cluster) {
  cuteSimClockDrop(cluster->lastClock);
  cluster->lastClock = cluster->barrier.clock;
  cluster->barrier.clock = NULL;
  cluster->barrier.arrived = 0;
  ++cluster->barrier.phase;
  for (int i = 0; i < numThreads(cluster); ++i) {
    CuteSimThread *thread = &cluster->threads[i];
    if (thread->state == CUTE_SIM_WAITING &&
        thread->waitsOn == &cluster->barrier)
      cuteSimWake(thread);
  }
}

static void finishCluster(CuteSimCluster *cluster) {
  int done = 0;
  for (int b = 0; b < cluster->numBlocks; ++b)
    done += cluster->blocks[b].numDone;
  if (cluster->barrier.arrived &&
      cluster->barrier.arrived >= numThreads(cluster) - done)
    wakeCluster(cluster);
}

void cuteSimClusterArrive(CuteSimThread *thread, const CuteSimSite *site,
                          uint64_t *values) {
  CuteSimCluster *cluster = thread->block->cluster;
  (void)values;
  if (thread->clusterPhase > cluster->barrier.phase)
    cuteSimFail(thread, site,
                "barrier.cluster.arrive twice without barrier.cluster.wait; "
                "wait between them");
  thread->clusterPhase = cluster->barrier.phase + 1;
  ++cluster->barrier.arrived;
  release(thread, &cluster->barrier.clock);
  finishCluster(cluster);
}

void cuteSimClusterWait(CuteSimThread *thread, const CuteSimSite *site,
                        uint64_t *values) {
  CuteSimCluster *cluster = thread->block->cluster;
  (void)values;
  if (!thread->clusterPhase)
    cuteSimFail(thread, site,
                "barrier.cluster.wait without barrier.cluster.arrive before");
  while (cluster->barrier.phase < thread->clusterPhase) {
    thread->waitsOn = &cluster->barrier;
    cuteSimWait(thread, site);
    thread->waitsOn = NULL;
  }
  cuteSimClockAcquire(thread, cluster->lastClock);
}

//===-- Ends --------------------------------------------------------------===//

// Gives a place where lanes came to it.
static const CuteSimSite *siteOf(const CuteSimBarrier *barrier) {
  const CuteSimSite *site = NULL;
  for (size_t i = 0; !site && i < CUTE_SIM_MAX_THREADS / CUTE_SIM_WARP; ++i)
    site = barrier->warps[i].site;
  return site;
}

void cuteSimBarriersLeave(CuteSimThread *thread) {
  CuteSimBlock *block = thread->block;
  ++block->numDone;
  for (int i = 0; i < CUTE_SIM_BARRIERS; ++i)
    if (block->barriers[i].isOfAll && isComplete(block, &block->barriers[i])) {
      noteEnded(thread, siteOf(&block->barriers[i]), &block->barriers[i]);
      wakeBlock(block, i, NULL);
    }
  finishCluster(block->cluster);
}
