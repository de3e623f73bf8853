// Lists who waits where in a cluster that is stuck.
#include "Simulator/async/mbarrier_operations.h"
#include "Simulator/machine/launch_run.h"

//===-- What is waited for ------------------------------------------------===//

// The lanes of a mask that have not come to an operation of a warp.
static void appendLanes(CuteString *text, const CuteSimThread *thread) {
  const CuteSimWarp *warp = thread->warp;
  for (int i = 0; i < CUTE_SIM_WARP; ++i) {
    const CuteSimGroup *group = &warp->groups[i];
    if (group->site == thread->waitsAt && group->arrived >> thread->lane & 1)
      cuteStringAppendFormat(text,
                             " (of the lanes 0x%x of warp %d that do it "
                             "together, 0x%x have not come)",
                             group->mask, thread->registers[CUTE_SIM_WARPID],
                             group->mask & ~group->arrived & ~warp->done);
  }
}

static void appendWarpgroup(CuteString *text, const CuteSimThread *thread) {
  const CuteSimWarpgroup *all = thread->block->warpgroups;
  enum { NUM = sizeof thread->block->warpgroups / sizeof *all };
  for (int i = 0; i < NUM; ++i)
    if (thread->waitsOn == &all[i])
      cuteStringAppendFormat(text, " (%d of 128 threads have come)",
                             all[i].arrived);
}

static void appendBarrier(CuteString *text, const CuteSimThread *thread) {
  const CuteSimBlock *block = thread->block;
  for (int i = 0; i < CUTE_SIM_BARRIERS; ++i) {
    const CuteSimBarrier *barrier = &block->barriers[i];
    if (thread->waitsOn == barrier)
      cuteStringAppendFormat(text, " (barrier %d: %d of %d threads have come)",
                             i, barrier->arrived,
                             barrier->isOfAll
                                 ? block->numThreads - block->numDone
                                 : barrier->expected);
  }
  const CuteSimCluster *cluster = block->cluster;
  if (thread->waitsOn == &cluster->barrier)
    cuteStringAppendFormat(text, " (%d threads of the cluster have come)",
                           cluster->barrier.arrived);
}

//===-- Who waits ---------------------------------------------------------===//

static bool waitsLike(const CuteSimThread *a, const CuteSimThread *b) {
  return a->state == b->state && a->waitsAt == b->waitsAt &&
         a->waitsFor[0] == b->waitsFor[0] && a->waitsOn == b->waitsOn;
}

// Threads [first, end) of a block, which are in one state.
static void appendWaiting(CuteString *text, const CuteSimBlock *block,
                          int first, int end) {
  const CuteSimThread *thread = &block->threads[first];
  const CuteSimSite *at = thread->waitsAt;
  cuteStringAppend(text, "\n  ");
  cuteSimAppendBlock(text, block);
  cuteStringAppendFormat(text, ", thread%s %d", end - first > 1 ? "s" : "",
                         first);
  if (end - first > 1)
    cuteStringAppendFormat(text, " to %d", end - 1);
  if (thread->state == CUTE_SIM_DONE) {
    cuteStringAppend(text, end - first > 1 ? " have ended" : " has ended");
    return;
  }
  cuteStringAppend(text, end - first > 1 ? " wait at " : " waits at ");
  cuteSimAppendPlace(text, at);
  cuteStringAppend(text, at ? cuteSimSiteGetName(at) : "a loop");
  cuteSimMbarrierAppendState(text, thread);
  appendLanes(text, thread);
  appendWarpgroup(text, thread);
  appendBarrier(text, thread);
}

void cuteSimFindStuck(CuteSimCluster *cluster) {
  CuteSimThread *stuck = NULL;
  CUTE_SCOPED(String) text = {0};
  for (int b = 0; b < cluster->numBlocks; ++b) {
    CuteSimBlock *block = &cluster->blocks[b];
    for (int i = 0, end; i < block->numThreads; i = end) {
      for (end = i + 1; end < block->numThreads &&
                        waitsLike(&block->threads[i], &block->threads[end]);)
        ++end;
      appendWaiting(&text, block, i, end);
      if (!stuck && block->threads[i].state != CUTE_SIM_DONE)
        stuck = &block->threads[i];
    }
  }
  if (stuck && stuck->waitsAt)
    cuteSimFind((CuteSimOp){stuck, stuck->waitsAt},
                "deadlock: nothing will release this thread%s",
                cuteStringGet(&text));
  else if (stuck)
    cuteSimFind(
        (CuteSimOp){stuck, NULL},
        "no end: threads have run %jd rounds of loops, and nothing else "
        "happens; a loop may wait for memory that no thread writes%s",
        (int64_t)CUTE_SIM_PATIENCE * CUTE_SIM_TICKS, cuteStringGet(&text));
  if (stuck)
    atomic_store(&cluster->run->isOver, true);
}
