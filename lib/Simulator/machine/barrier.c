// Barriers of a block, which have numbers, and of a cluster (PTX ISA,
// "barrier{.cta}", "barrier.cluster").
#include "Simulator/checks/global_shadow.h"
#include "Simulator/checks/run_checks.h"
#include "Simulator/checks/vector_clock.h"
#include "Simulator/machine/launch_run.h"
#include "Simulator/ptx/operation_table.h"

// Clocks are kept for checks alone.
static void release(CuteSimThread *thread, CuteSimClock **clock) {
  cuteSimClockPass(thread, clock, CUTE_SIM_LOADS);
  if (thread->cluster->checks)
    cuteSimClockRelease(thread, clock);
}

//===-- Divergence --------------------------------------------------------===//

// Lanes of one warp that come to an aligned barrier at different operations
// hang or continue alone, as the hardware likes.
static void noteLane(CuteSimOp op, CuteSimBarrier *barrier, uint64_t number,
                     bool waits) {
  int warp = op.thread->registers[CUTE_SIM_WARPID];
  CuteSimBarrierLanes *lanes = &barrier->warps[waits][warp];
  if (lanes->site && lanes->site != op.site &&
      op.site->words & CUTE_SIM_ALIGNED && op.thread->cluster->checks)
    cuteSimFindPair(op, lanes->site,
                    "barrier divergence: reaches barrier %ju here, but lanes "
                    "0x%x of its warp on line %u; let all lanes of a warp come "
                    "to one gpu.barrier, outside of the branch",
                    number, lanes->lanes, lanes->site->line);
  *lanes = (CuteSimBarrierLanes){op.site, lanes->lanes | 1u << op.thread->lane};
}

// Finds warps that have some lanes at an aligned barrier that is
// complete, and others have not: these have ended, or their number was made up
// by other warps.
static bool findMissingLanes(const CuteSimBlock *block,
                             const CuteSimBarrierLanes *warps, int number) {
  bool found = false;
  for (int w = 0; w * CUTE_SIM_WARP < block->numThreads; ++w) {
    const CuteSimBarrierLanes *lanes = &warps[w];
    const CuteSimWarp *warp = &block->warps[w];
    uint32_t missing = warp->lanes & ~lanes->lanes;
    if (!lanes->site || !missing || !(lanes->site->words & CUTE_SIM_ALIGNED))
      continue;
    found = true;
    cuteSimFind(
        (CuteSimOp){&warp->threads[__builtin_ctz(lanes->lanes)], lanes->site},
        "barrier divergence: reaches barrier %d, but lanes 0x%x of its warp do "
        "not%s; let all lanes of a warp come to one gpu.barrier, outside of "
        "the branch",
        number, missing, missing & ~warp->done ? "" : ", and have ended");
  }
  return found;
}

//===-- Of a block --------------------------------------------------------===//

// Wakes the threads that wait at a barrier: they know what a clock knows.
static void wakeAll(CuteSimThread *threads, int n,
                    const CuteSimBarrier *barrier, CuteSimClock *clock) {
  for (int i = 0; i < n; ++i)
    if (threads[i].state == CUTE_SIM_WAITING && threads[i].waitsOn == barrier) {
      cuteSimClockAcquire(&threads[i], clock);
      cuteSimWake(&threads[i]);
    }
}

static void wakeBlock(CuteSimBlock *block, int number, CuteSimThread *last) {
  CuteSimBarrier *barrier = &block->barriers[number];
  CuteSimClock *clock = barrier->clock;
  barrier->clock = NULL;
  barrier->arrived = barrier->expected = 0;
  memset(barrier->warps, 0, sizeof barrier->warps);
  ++barrier->phase;
  wakeAll(block->threads, block->numThreads, barrier, clock);
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

// A barrier is complete. Threads that have ended are not waited for, which a
// program rarely means.
static void noteMissing(CuteSimOp op, const CuteSimBarrier *barrier) {
  const CuteSimBlock *block = op.thread->block;
  int missing = block->numThreads - barrier->arrived, all = block->numThreads;
  int number = (int)(barrier - block->barriers);
  if (!block->cluster->checks ||
      findMissingLanes(block, barrier->warps[false], number) ||
      findMissingLanes(block, barrier->warps[true], number))
    return;
  if (barrier->isOfAll && missing > 0 && op.site)
    cuteSimFindKind(op, CUTE_SIM_NOTE,
                    "barrier: %d of the block's %d threads ended without "
                    "coming here; write it where all come, or give the ones "
                    "that do a barrier of their own (cute.named_barrier_sync)",
                    missing, all);
}

// `count` is 0 for all threads of the block.
static void arrive(CuteSimOp op, uint64_t number, uint64_t count, bool waits) {
  CuteSimBlock *block = op.thread->block;
  if (number >= CUTE_SIM_BARRIERS)
    cuteSimFail(op, "barrier %ju; a block has barriers 0 to 15", number);
  if (count % CUTE_SIM_WARP || count > CUTE_SIM_MAX_THREADS)
    cuteSimFail(
        op,
        "barrier %ju for %ju threads; it must be a multiple of 32 up to 1024",
        number, count);
  CuteSimBarrier *barrier = &block->barriers[number];
  if (barrier->arrived && !count != barrier->isOfAll)
    count = barrier->isOfAll ? 0 : (uint64_t)block->numThreads;
  if (barrier->arrived && count && (int)count != barrier->expected)
    cuteSimFail(op,
                "barrier %ju is for %ju threads here, but %d that have come "
                "say %d; all must say the same",
                number, count, barrier->arrived, barrier->expected);
  barrier->isOfAll = !count;
  barrier->expected = (int)count;
  ++barrier->arrived;
  noteLane(op, barrier, number, waits);
  release(op.thread, &barrier->clock);
  if (!waits)
    cuteSimClockPass(op.thread, &op.thread->clock, CUTE_SIM_LOADS);
  if (isComplete(block, barrier)) {
    noteMissing(op, barrier);
    wakeBlock(block, (int)number, waits ? op.thread : NULL);
  } else if (waits) {
    cuteSimWait(op, barrier);
  }
}

// Operands: the barrier, and perhaps the number of threads.
void cuteSimBarrier(CuteSimOp op, uint64_t *values) {
  const uint64_t *operands = values + op.site->numResults;
  arrive(op, operands[0], op.site->numOperands > 1 ? operands[1] : 0,
         op.site->variant != CUTE_SIM_ARRIVES);
}

// The last operand is a predicate: the barrier's slot of this phase counts all
// threads' predicates, which are read after it.
void cuteSimBarrierReduce(CuteSimOp op, uint64_t *values) {
  const uint64_t *operands = values + op.site->numResults;
  CuteSimBarrier *barrier =
      &op.thread->block->barriers[operands[0] % CUTE_SIM_BARRIERS];
  int slot = barrier->phase & 1;
  bool isTrue = operands[op.site->numOperands - 1], lacks = !isTrue;
  unsigned asked = op.site->variant;
  if (!barrier->arrived)
    barrier->count[slot] = 0;
  barrier->count[slot] += asked == CUTE_SIM_ALL ? lacks : isTrue;
  arrive(op, operands[0], op.site->numOperands > 2 ? operands[1] : 0, true);
  int64_t count = barrier->count[slot];
  values[0] = asked == CUTE_SIM_ALL   ? !count
              : asked == CUTE_SIM_ANY ? count != 0
                                      : (uint64_t)count;
}

//===-- Of a cluster ------------------------------------------------------===//

// The clock of a phase that is complete is the last one.
static void closeClock(CuteSimClock **last, CuteSimClock **clock) {
  cuteSimClockDrop(*last);
  *last = *clock;
  *clock = NULL;
}

static void wakeCluster(CuteSimCluster *cluster) {
  closeClock(&cluster->lastClock, &cluster->barrier.clock);
  closeClock(&cluster->lastArrivals, &cluster->arrivals);
  cluster->barrier.arrived = 0;
  ++cluster->barrier.phase;
  wakeAll(cluster->threads, cuteSimClusterGetThreads(cluster),
          &cluster->barrier, NULL);
}

static void finishCluster(CuteSimCluster *cluster) {
  int done = 0;
  for (int b = 0; b < cluster->numBlocks; ++b)
    done += cluster->blocks[b].numDone;
  if (cluster->barrier.arrived &&
      cluster->barrier.arrived >= cuteSimClusterGetThreads(cluster) - done)
    wakeCluster(cluster);
}

// Says to whom waits what is before the arrival. A relaxed one says what the
// thread's last fences do: of fence.mbarrier_init, that mbarriers are there.
// That it has arrived is known in any case (PTX ISA, "barrier.cluster").
static void releaseToCluster(CuteSimOp op) {
  CuteSimCluster *cluster = op.thread->cluster;
  bool isRelaxed = op.site->words & CUTE_SIM_RELAXED;
  if (!cluster->checks)
    return;
  cuteSimClockPass(op.thread, &cluster->barrier.clock, CUTE_SIM_LOADS);
  if (!isRelaxed)
    cuteSimClockRelease(op.thread, &cluster->barrier.clock);
  else if (op.thread->fenced)
    cuteSimClockJoin(cluster, &cluster->barrier.clock, op.thread->fenced);
  if (isRelaxed)
    cuteSimClockAddInits(op.thread, &cluster->barrier.clock);
  cuteSimClockRelease(op.thread, &cluster->arrivals);
}

void cuteSimClusterArrive(CuteSimOp op, CUTE_UNUSED uint64_t *values) {
  CuteSimCluster *cluster = op.thread->cluster;
  if (op.thread->clusterPhase)
    cuteSimFail(op, "barrier.cluster.arrive twice without "
                    "barrier.cluster.wait; wait between them");
  op.thread->clusterPhase = cluster->barrier.phase + 1;
  ++cluster->barrier.arrived;
  releaseToCluster(op);
  finishCluster(cluster);
}

void cuteSimClusterWait(CuteSimOp op, CUTE_UNUSED uint64_t *values) {
  CuteSimCluster *cluster = op.thread->cluster;
  if (!op.thread->clusterPhase)
    cuteSimFail(op,
                "barrier.cluster.wait without barrier.cluster.arrive before");
  while (cluster->barrier.phase < op.thread->clusterPhase) {
    cuteSimWait(op, &cluster->barrier);
  }
  op.thread->clusterPhase = 0;
  cuteSimClockAcquire(op.thread, cluster->lastClock);
  cuteSimClockJoin(cluster, &op.thread->block->arrivals, cluster->lastArrivals);
  cuteSimClockMeet(op.thread, cluster->lastArrivals);
}

//===-- Fences ------------------------------------------------------------===//

void cuteSimFenceInits(CuteSimOp op, CUTE_UNUSED uint64_t *values) {
  cuteSimClockPass(op.thread, &op.thread->clock, CUTE_SIM_INITS);
}

// Those of a block do nothing for the barrier of the cluster.
void cuteSimFence(CuteSimOp op, CUTE_UNUSED uint64_t *values) {
  atomic_thread_fence(memory_order_seq_cst);
  op.thread->hasFenced = true;
  cuteSimClockPass(op.thread, &op.thread->clock, CUTE_SIM_LOADS);
  cuteSimClockAcquire(op.thread, op.thread->seen);
  if (op.site->words & CUTE_SIM_CTA)
    return;
  cuteSimGlobalShadowFence(op.thread->cluster);
  if (op.thread->cluster->numBlocks == 1)
    return;
  cuteSimClockDrop(op.thread->fenced);
  op.thread->fenced = NULL;
  release(op.thread, &op.thread->fenced);
}

//===-- Ends --------------------------------------------------------------===//

// Gives a place where lanes came to it.
static const CuteSimSite *siteOf(const CuteSimBarrier *barrier) {
  const CuteSimSite *site = NULL;
  for (size_t i = 0; !site && i < CUTE_SIM_MAX_THREADS / CUTE_SIM_WARP; ++i)
    site = barrier->warps[true][i].site ? barrier->warps[true][i].site
                                        : barrier->warps[false][i].site;
  return site;
}

// Notes barriers that a block leaves with arrivals: nobody waited for them.
static void noteLeft(CuteSimThread *thread) {
  for (int i = 0; i < CUTE_SIM_BARRIERS && thread->cluster->checks; ++i) {
    const CuteSimBarrier *barrier = &thread->block->barriers[i];
    if (barrier->arrived)
      cuteSimFindKind((CuteSimOp){thread, siteOf(barrier)}, CUTE_SIM_NOTE,
                      "unfinished barrier: the block ends with %d of %d "
                      "threads at barrier %d; let as many come as it counts",
                      barrier->arrived, barrier->expected, i);
  }
}

void cuteSimBarriersLeave(CuteSimThread *thread) {
  CuteSimBlock *block = thread->block;
  if (++block->numDone == block->numThreads) {
    noteLeft(thread);
    cuteSimRegistersEnd(thread);
  }
  for (int i = 0; i < CUTE_SIM_BARRIERS; ++i)
    if (block->barriers[i].isOfAll && isComplete(block, &block->barriers[i])) {
      noteMissing((CuteSimOp){thread, siteOf(&block->barriers[i])},
                  &block->barriers[i]);
      wakeBlock(block, i, NULL);
    }
  finishCluster(block->cluster);
}
