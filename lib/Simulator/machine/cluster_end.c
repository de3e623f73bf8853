#include "Simulator/machine/cluster_end.h"
#include "Simulator/checks/shadow.h"
#include "Simulator/machine/launch_run.h"
#include "Support/arena.h"

// A thread's last access to shared memory of another block.
typedef struct CuteSimTouch {
  const CuteSimSite *site; // null: none
  uint32_t epoch;
} CuteSimTouch;

static CuteSimTouch *touchOf(const CuteSimCluster *cluster, int rank,
                             uint32_t thread) {
  return &cluster->touches[(size_t)rank *
                               (size_t)cuteSimClusterGetThreads(cluster) +
                           thread];
}

void cuteSimClusterForgetTouches(CuteSimCluster *cluster) {
  size_t bytes = (size_t)cluster->numBlocks *
                 (size_t)cuteSimClusterGetThreads(cluster) *
                 sizeof *cluster->touches;
  if (!cluster->checks || cluster->numBlocks == 1)
    return;
  if (!cluster->touches)
    cluster->touches = cuteAllocate(bytes);
  memset(cluster->touches, 0, bytes);
}

void cuteSimClusterDropTouches(CuteSimCluster *cluster) {
  free(cluster->touches);
  cluster->touches = NULL;
}

void cuteSimClusterCheckLaunch(CuteSimOp op) {
  if (!op.thread->cluster->run->launch->hasClusters)
    cuteSimFail(op, "$ in a launch without clusters is an illegal instruction "
                    "on a GPU; clusters of one block are enough: "
                    "known_cluster_size = array<i32: 1, 1, 1>, "
                    ".reqnctapercluster 1, 1, 1, or launch(cluster=(1, 1, 1))");
}

bool cuteSimClusterReaches(CuteSimOp op, int rank) {
  const CuteSimCluster *cluster = op.thread->cluster;
  const CuteSimBlock *block = &cluster->blocks[rank];
  if (!cluster->touches || block->numDone < block->numThreads)
    return true;
  cuteSimFind(op,
              "block ended: touches shared memory of block %d of the cluster, "
              "which has ended; let it wait at cute.cluster_arrive and "
              "cute.cluster_wait before it ends",
              rank);
  return false;
}

// Tells whether a thread knows of anything that a thread of a block has done,
// or that it has arrived at the cluster's barrier.
static bool hasBegun(const CuteSimThread *thread, const CuteSimBlock *block) {
  const CuteSimClock *clock = thread->clock, *met = thread->block->arrivals;
  for (int i = 0; i < block->numThreads; ++i) {
    uint32_t number = block->threads[i].number;
    if ((clock && clock->epochs[number]) || (met && met->epochs[number]))
      return true;
  }
  return false;
}

void cuteSimClusterTouch(CuteSimOp op, int rank) {
  const CuteSimCluster *cluster = op.thread->cluster;
  if (rank == op.thread->block->rank || !cluster->touches ||
      !cuteSimClusterReaches(op, rank))
    return;
  CuteSimTouch *touch = touchOf(cluster, rank, op.thread->number);
  if (!touch->site && !hasBegun(op.thread, &cluster->blocks[rank]))
    cuteSimFind(op,
                "block may not have begun: touches shared memory of block %d "
                "of the cluster; write cute.cluster_arrive and "
                "cute.cluster_wait at the beginning",
                rank);
  *touch = (CuteSimTouch){op.site, op.thread->epoch};
}

static bool isKnownTo(const CuteSimBlock *block, uint32_t thread,
                      uint32_t epoch) {
  for (int i = 0; i < block->numThreads; ++i)
    if (cuteSimClockKnows(&block->threads[i], thread, epoch))
      return true;
  return false;
}

// Names what orders the touch before the block's end: the thread may have
// arrived at the cluster's barrier already, by a relaxed arrival.
static const char *adviceFor(const CuteSimBlock *block, uint32_t thread,
                             uint32_t epoch) {
  const CuteSimClock *arrivals = block->arrivals;
  return arrivals && arrivals->epochs[thread] >= epoch
             ? "write cute.cluster_arrive without relaxed, which orders no "
               "access before the end of a block"
             : "let it wait at cute.cluster_arrive and cute.cluster_wait "
               "before it ends";
}

void cuteSimClusterBlockEnds(const CuteSimBlock *block) {
  const CuteSimCluster *cluster = block->cluster;
  cuteSimShadowBlockEnds(block);
  if (!cluster->touches)
    return;
  for (uint32_t i = 0; i < (size_t)cuteSimClusterGetThreads(cluster); ++i) {
    const CuteSimTouch *touch = touchOf(cluster, block->rank, i);
    if (touch->site && !isKnownTo(block, i, touch->epoch))
      cuteSimFind((CuteSimOp){&cluster->threads[i], touch->site},
                  "block may end: touches shared memory of block %d of the "
                  "cluster, which ends without having waited for that; %s",
                  block->rank, adviceFor(block, i, touch->epoch));
  }
}
