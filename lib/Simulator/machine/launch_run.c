#define _GNU_SOURCE
// A launch: its clusters, spread over the processors of the host.
#include "Simulator/machine/launch_run.h"
#include "Simulator/checks/earlier_grids.h"
#include "Simulator/checks/run_checks.h"
#include "Simulator/observe/observer.h"
#include "Support/arena.h"
#include "Support/clock.h"

#include <math.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MAX_WORKERS = 64 };

typedef struct Worker {
  CuteSimRun *run;
  char *windows;
  pthread_t thread;
} Worker;

static int64_t numBlocks(const unsigned extents[3]) {
  return (int64_t)extents[0] * extents[1] * extents[2];
}

// Takes the next block of a list, "0,17"; false at its end, and before anything
// but a number.
static bool takeBlock(const char **list, int64_t *block) {
  char *end;
  *block = strtoll(*list, &end, 10);
  if (end == *list || (*end && *end != ','))
    return false;
  *list = end + (*end == ',' && end[1]);
  return true;
}

// Tells whether a cluster is among those asked for by their blocks.
static bool isWanted(const CuteSimRun *run, int64_t cluster) {
  const char *list = run->options->blocks;
  const unsigned *grid = run->launch->grid, *of = run->launch->cluster;
  int64_t nx = grid[0] / of[0], ny = grid[1] / of[1];
  for (int64_t block; list && takeBlock(&list, &block);) {
    int64_t x = block % grid[0] / of[0], y = block / grid[0] % grid[1] / of[1];
    int64_t z = block / grid[0] / grid[1] / of[2];
    if (x + nx * (y + ny * z) == cluster)
      return true;
  }
  return !list;
}

// Fails if the text is not a list of blocks or names one outside the grid.
static CuteStatus checkBlocks(const CuteSimLaunch *launch, const char *blocks) {
  int64_t n = numBlocks(launch->grid);
  const char *list = blocks;
  for (int64_t block; list && takeBlock(&list, &block);)
    if (block < 0 || block >= n)
      return cuteStatusCreate("--blocks: there is no block %jd; the grid has "
                              "0 to %jd",
                              block, n - 1);
  if (blocks && (*list || !*blocks))
    return cuteStatusCreate("--blocks is a list of numbers, as 0,17, not '%s'",
                            blocks);
  if (blocks && launch->isCooperative)
    return cuteStatusCreate("the blocks of a cooperative launch wait for each "
                            "other: --blocks cannot leave some out");
  return NULL;
}

static void noteProgress(CuteSimRun *run) {
  pthread_mutex_lock(&run->lock);
  ++run->numDone;
  if (run->progress.terminal)
    cuteProgressShow(&run->progress, cuteNow(), run->numDone, run->numClusters);
  pthread_mutex_unlock(&run->lock);
}

static int64_t takeEnd(CuteSimRun *run, bool isLast) {
  pthread_mutex_lock(&run->lock);
  int64_t number = run->first == run->end ? -1
                   : isLast               ? --run->end
                                          : run->first++;
  pthread_mutex_unlock(&run->lock);
  return number;
}

int64_t cuteSimRunTake(CuteSimCluster *cluster, bool instead) {
  enum { REFUSALS = 8 };
  CuteSimRun *run = cluster->run;
  bool varies = instead && run->options->schedule;
  if (varies && !cuteSimRandom(cluster, REFUSALS))
    return -1;
  for (;;) {
    int64_t number = takeEnd(run, varies && cuteSimRandom(cluster, 2));
    bool isDone = number >= 0 && (instead || !isWanted(run, number));
    if (isDone)
      noteProgress(run);
    if (number < 0 || isWanted(run, number))
      return number;
  }
}

static atomic_int interruptions;

void cuteSimInterruptRuns(void) { atomic_fetch_add(&interruptions, 1); }

bool cuteSimRunIsInterrupted(const CuteSimRun *run) {
  return atomic_load_explicit(&interruptions, memory_order_relaxed) !=
         run->interruptions;
}

static void *work(void *data) {
  Worker *worker = data;
  CuteSimRun *run = worker->run;
  CuteSimCluster cluster;
  void *stack = cuteSimGuardEnter();
  cuteSimClusterCreate(&cluster, run, worker->windows);
  while (!atomic_load(&run->isOver) && !cuteSimRunIsInterrupted(run)) {
    int64_t number = cuteSimRunTake(&cluster, false);
    if (number < 0)
      break;
    cuteSimClusterBegin(&cluster, number);
    cuteSimClusterGoOn(&cluster, true);
    cuteSimClusterEnd(&cluster);
    noteProgress(run);
  }
  pthread_mutex_lock(&run->lock);
  cuteSimObserverDestroy(&cluster);
  pthread_mutex_unlock(&run->lock);
  cuteSimClusterDestroy(&cluster);
  cuteSimGuardLeave(stack);
  return NULL;
}

static int countWorkers(const CuteSimRun *run) {
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  int64_t n = processors > MAX_WORKERS ? MAX_WORKERS : processors;
  return (int)(n < run->numClusters ? n : run->numClusters);
}

static void runWorkers(CuteSimRun *run, char *windows) {
  Worker workers[MAX_WORKERS];
  int64_t perCluster = numBlocks(run->launch->cluster);
  int n = countWorkers(run), started = 1;
  for (int i = 0; i < n; ++i)
    workers[i] = (Worker){
        .run = run, .windows = windows + i * perCluster * CUTE_SIM_WINDOW};
  while (started < n && !pthread_create(&workers[started].thread, NULL, work,
                                        &workers[started]))
    ++started;
  work(&workers[0]);
  for (int i = 1; i < started; ++i)
    pthread_join(workers[i].thread, NULL);
}

//===-- All clusters at once ----------------------------------------------===//

// Runs clusters in turn until all have ended or none makes progress.
static void takeTurns(const CuteSimRun *run, CuteSimCluster *clusters) {
  enum { PATIENCE = 1 << 14 };
  bool goesOn = true;
  for (int idle = 0; goesOn && idle < PATIENCE && !atomic_load(&run->isOver);
       ++idle) {
    goesOn = false;
    for (int64_t i = 0; i < run->numClusters; ++i) {
      CuteSimTurn turn = cuteSimClusterGoOn(&clusters[i], false);
      goesOn |= turn != CUTE_SIM_ENDED;
      idle = turn == CUTE_SIM_MOVED ? 0 : idle;
    }
  }
}

// The blocks of a cooperative launch wait for each other: one thread of the
// host runs them all.
static void runTogether(CuteSimRun *run, char *windows) {
  int64_t perCluster = numBlocks(run->launch->cluster), n = run->numClusters;
  CUTE_FREED CuteSimCluster *clusters =
      cuteAllocate((size_t)n * sizeof *clusters);
  void *stack = cuteSimGuardEnter();
  for (int64_t i = 0; i < n; ++i) {
    cuteSimClusterCreate(&clusters[i], run,
                         windows + i * perCluster * CUTE_SIM_WINDOW);
    cuteSimClusterBegin(&clusters[i], i);
  }
  takeTurns(run, clusters);
  for (int64_t i = 0; i < n; ++i) {
    cuteSimClusterEnd(&clusters[i]);
    cuteSimObserverDestroy(&clusters[i]);
    cuteSimClusterDestroy(&clusters[i]);
  }
  cuteSimGuardLeave(stack);
}

//===-- Shared memory -----------------------------------------------------===//

// Addresses of shared memory: windows of the host's below 4 GiB, so that 32
// bits hold them, as PTX has it. Each begins at a multiple of its size, so that
// the low bits of an address are the offset, as descriptors have it.
static CuteStatus mapWindows(int64_t count, char **windows) {
  enum { FIRST = 1 << 28 };
  size_t bytes = (size_t)count * CUTE_SIM_WINDOW;
  for (uint64_t at = FIRST; at + bytes <= CUTE_SIM_NO_BLOCKS; at += FIRST) {
    void *memory =
        mmap((void *)(uintptr_t)at, bytes, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE,
             -1, 0);
    *windows = memory;
    if (memory == (void *)(uintptr_t)at)
      return NULL;
    if (memory != MAP_FAILED)
      munmap(memory, bytes);
  }
  return cuteStatusCreate(
      "no %zu bytes of addresses below 4 GiB are free for shared memory",
      bytes);
}

//===-- Launches ----------------------------------------------------------===//

static void noteLaunch(const CuteSimLaunch *launch) {
  CuteSimStatistics *statistics = launch->statistics;
  if (!statistics)
    return;
  if (!statistics->counts)
    statistics->counts = cuteSimCountsCreate(statistics);
  ++statistics->launches;
  memcpy(statistics->grid, launch->grid, sizeof launch->grid);
  memcpy(statistics->block, launch->block, sizeof launch->block);
  memcpy(statistics->cluster, launch->cluster, sizeof launch->cluster);
  statistics->sharedBytes = launch->staticShared + launch->dynamicShared;
}

// Fails where the thread that was to stop has not.
static CuteStatus checkBreak(const CuteSimRun *run) {
  const CuteSimBreak *at = &run->options->breakAt;
  if (run->numBreaks >= at->hits)
    return NULL;
  return cuteStatusCreate(
      "thread %jd of block %jd reaches the breakpoint %jd times, not %jd; "
      "the grid has blocks 0 to %jd, a block threads 0 to %jd",
      at->thread, at->block, run->numBreaks, at->hits,
      numBlocks(run->launch->grid) - 1, numBlocks(run->launch->block) - 1);
}

CuteStatus cuteSimRun(const CuteSimLaunch *launch,
                      const CuteSimOptions *options, CuteString *notes) {
  double limit = options->timeout > 0 ? options->timeout * 1e3 : INFINITY;
  int64_t perCluster = numBlocks(launch->cluster);
  CuteSimRun run = {
      .launch = launch,
      .options = options,
      .numClusters = numBlocks(launch->grid) / perCluster,
      .end = launch->isCooperative ? 0 : numBlocks(launch->grid) / perCluster,
      .deadline = cuteNow() + limit,
      .interruptions = atomic_load(&interruptions)};
  char *windows = NULL;
  int64_t atOnce = launch->isCooperative ? run.numClusters : countWorkers(&run);
  CUTE_TRY(checkBlocks(launch, options->blocks));
  CUTE_TRY(mapWindows(atOnce * perCluster, &windows));
  pthread_mutex_init(&run.lock, NULL);
  if (options->checks)
    run.globalShadow = cuteSimGlobalShadowCreate(run.numClusters);
  if (launch->earlier)
    cuteSimEarlierTake(launch, run.globalShadow);
  noteLaunch(launch);
  run.progress = cuteProgressBegin(cuteNow());
  cuteSimGuardBegin();
  (launch->isCooperative ? runTogether : runWorkers)(&run, windows);
  cuteSimGuardEnd();
  if (cuteSimRunIsInterrupted(&run))
    atomic_store(&run.isOver, true);
  if (!atomic_load(&run.isOver))
    cuteSimUntouchedNote(&run);
  cuteProgressEnd(&run.progress);
  if (launch->statistics)
    launch->statistics->isCutOff |= atomic_load(&run.isOver);
  if (launch->earlier)
    *launch->earlier = cuteSimEarlierKeep(run.globalShadow);
  else
    cuteSimGlobalShadowDestroy(run.globalShadow);
  pthread_mutex_destroy(&run.lock);
  munmap(windows, (size_t)(atOnce * perCluster) * CUTE_SIM_WINDOW);
  CuteStatus status = cuteSimFindingsTake(&run.findings, notes);
  if (!status && cuteSimRunIsInterrupted(&run))
    return cuteStatusCreate("the run was interrupted");
  return status ? status : checkBreak(&run);
}
