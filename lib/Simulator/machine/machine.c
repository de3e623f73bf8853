#define _GNU_SOURCE
#include "Simulator/async/mbarrier_phases.h"
#include "Simulator/async/pending.h"
#include "Simulator/checks/shadow.h"
#include "Simulator/machine/cluster_end.h"
#include "Simulator/machine/launch_run.h"
#include "Simulator/observe/observer.h"
#include "Simulator/ptx/operation_table.h"
#include "Simulator/tensorcore/block_tmem.h"
#include "Support/arena.h"
#include "Support/clock.h"

#include <sys/mman.h>

static _Thread_local CuteSimCluster *machine;

CuteSimThread *cuteSimGetThread(void) {
  return machine ? machine->current : NULL;
}

CuteSimCluster *cuteSimGetCluster(void) { return machine; }

//===-- Switching ---------------------------------------------------------===//

uint32_t cuteSimRandom(CuteSimCluster *cluster, uint32_t n) {
  cluster->random ^= cluster->random << 13;
  cluster->random ^= cluster->random >> 7;
  cluster->random ^= cluster->random << 17;
  return (uint32_t)(cluster->random >> 32) % n;
}

static void pushReady(CuteSimCluster *cluster, const CuteSimThread *thread) {
  int at = (cluster->firstReady + cluster->numReady++) %
           cuteSimClusterGetThreads(cluster);
  cluster->ready[at] = (int)(thread - cluster->threads);
}

// The first that is ready, or any one where the schedule has a seed.
static CuteSimThread *popReady(CuteSimCluster *cluster) {
  int first = cluster->firstReady, n = cuteSimClusterGetThreads(cluster);
  if (cluster->seed) {
    uint32_t other = cuteSimRandom(cluster, (uint32_t)cluster->numReady);
    int *a = &cluster->ready[first];
    int *b = &cluster->ready[(first + (int)other) % n];
    int swapped = *a;
    *a = *b;
    *b = swapped;
  }
  cluster->firstReady = (first + 1) % n;
  --cluster->numReady;
  return &cluster->threads[cluster->ready[first]];
}

static void leave(CuteSimThread *thread) {
  CuteSimCluster *cluster = thread->cluster;
  cuteFiberSwitch(&thread->fiber, &cluster->scheduler);
}

void cuteSimYield(CuteSimThread *thread) {
  thread->isSpinning = true;
  pushReady(thread->cluster, thread);
  cuteSimObserveRest(thread);
  leave(thread);
}

void cuteSimWait(CuteSimOp op, const void *barrier) {
  op.thread->state = CUTE_SIM_WAITING;
  op.thread->waitsAt = op.site;
  op.thread->waitedAt = op.site ? op.site : op.thread->waitedAt;
  op.thread->waitsOn = barrier;
  cuteSimObserveRest(op.thread);
  leave(op.thread);
  op.thread->waitsOn = NULL;
}

void cuteSimWake(CuteSimThread *thread) {
  if (thread->state != CUTE_SIM_WAITING)
    return;
  thread->state = CUTE_SIM_READY;
  thread->waitsAt = NULL;
  thread->warp->busy |= 1u << thread->lane;
  pushReady(thread->cluster, thread);
}

void cuteSimFail(CuteSimOp op, const char *format, ...) {
  CuteSimCluster *cluster = op.thread->cluster;
  CuteFiber abandoned;
  va_list args;
  va_start(args, format);
  cuteSimFindV(op, NULL, CUTE_SIM_MISTAKE, format, args);
  va_end(args);
  atomic_store(&cluster->run->isOver, true);
  if (!cluster->current)
    longjmp(cluster->escape, 1);
  cuteFiberSwitch(&abandoned, &cluster->scheduler);
  abort();
}

void cuteSimFailUnknown(CuteSimOp op) {
  cuteSimFail(op, "the simulator does not know %s",
              cuteSimSiteGetName(op.site));
}

CuteStatus cuteSimUnknown(const CuteSimSite *site) {
  return cuteStatusCreate("the simulator does not know %s", site->name);
}

// Ends a run that takes longer than it may.
static void checkDeadline(CuteSimThread *thread) {
  CuteSimRun *run = thread->cluster->run;
  if (cuteNow() <= run->deadline)
    return;
  cuteSimFind((CuteSimOp){thread, NULL},
              "the kernel runs for longer than %g s; a loop may have no end, "
              "or --timeout=SECONDS gives it more time",
              run->options->timeout);
  atomic_store(&run->isOver, true);
}

void cuteSimTick(void) {
  CuteSimThread *thread = machine->current;
  if (++machine->ticks % CUTE_SIM_TICKS)
    return;
  checkDeadline(thread);
  if (cuteSimRunIsInterrupted(machine->run))
    atomic_store(&machine->run->isOver, true);
  cuteSimYield(thread);
}

//===-- Threads -----------------------------------------------------------===//

static _Noreturn void end(CuteSimThread *thread) {
  thread->state = CUTE_SIM_DONE;
  cuteSimPendingLeave(thread);
  cuteSimWarpLeave(thread);
  cuteSimBarriersLeave(thread);
  if (thread->block->numDone == thread->block->numThreads)
    cuteSimClusterBlockEnds(thread->block);
  cuteSimObserveRest(thread);
  leave(thread);
  abort();
}

static void runThread(void) {
  const CuteSimLaunch *launch = machine->run->launch;
  launch->kernel(launch->parameters);
  end(machine->current);
}

void cuteSimExit(CuteSimOp op, CUTE_UNUSED uint64_t *values) { end(op.thread); }

// Stacks begin at different lines of the cache.
static void start(CuteSimCluster *cluster, CuteSimThread *thread) {
  enum { COLORS = 31, LINE = 64 };
  int stack = cluster->freeStacks[--cluster->numFree];
  thread->stack = cluster->stacks + (size_t)stack * cluster->stackSize;
  cuteFiberPrepare(&thread->fiber, thread->stack,
                   cluster->stackSize - (size_t)(stack % COLORS * LINE),
                   runThread);
}

static void resume(CuteSimCluster *cluster, CuteSimThread *thread) {
  if (!thread->stack)
    start(cluster, thread);
  cluster->current = thread;
  thread->isSpinning = false;
  thread->warp->busy |= 1u << thread->lane;
  cuteFiberSwitch(&cluster->scheduler, &thread->fiber);
  if (thread->state == CUTE_SIM_DONE)
    cluster->freeStacks[cluster->numFree++] =
        (int)((size_t)(thread->stack - cluster->stacks) / cluster->stackSize);
}

// Lets a copy arrive; what fails in it ends the run.
static bool progress(CuteSimCluster *cluster) {
  cluster->current = NULL;
  cluster->isArriving = true;
  bool has = !setjmp(cluster->escape) && cuteSimPendingProgress(cluster);
  cluster->isArriving = false;
  return has;
}

// Runs all threads to their end, or until all are stuck. Copies arrive only
// when no thread can continue without them, or at any time if the schedule has
// a seed.
CuteSimTurn cuteSimClusterGoOn(CuteSimCluster *cluster, bool isAlone) {
  CuteSimRun *run = cluster->run;
  enum { EARLY = 64 };
  int spun = 0, idle = 0;
  bool hasMoved = false;
  machine = cluster;
  while (!atomic_load_explicit(&run->isOver, memory_order_relaxed)) {
    bool isStuck = spun > 2 * cluster->numReady;
    bool isEarly =
        cluster->seed && cluster->numPending && !cuteSimRandom(cluster, EARLY);
    if ((isStuck || isEarly) && progress(cluster))
      spun = idle = 0;
    else if (isStuck && !isAlone && cluster->numReady)
      return hasMoved ? CUTE_SIM_MOVED : CUTE_SIM_SPUN;
    if (!cluster->numReady)
      break;
    CuteSimThread *thread = popReady(cluster);
    resume(cluster, thread);
    hasMoved |= !thread->isSpinning;
    spun = thread->isSpinning ? spun + 1 : 0;
    idle = thread->isSpinning ? idle + 1 : 0;
    if (idle > CUTE_SIM_PATIENCE + cuteSimClusterGetThreads(cluster) * EARLY)
      break;
  }
  return CUTE_SIM_ENDED;
}

//===-- Clusters ----------------------------------------------------------===//

static void setCoordinates(int32_t *x, int64_t i, const unsigned extents[3]) {
  x[0] = (int32_t)(i % extents[0]);
  x[1] = (int32_t)(i / extents[0] % extents[1]);
  x[2] = (int32_t)(i / extents[0] / extents[1]);
}

static void setExtents(int32_t *x, const unsigned extents[3]) {
  for (int i = 0; i < 3; ++i)
    x[i] = (int32_t)extents[i];
}

// The registers of block `rank` of cluster `number`.
static void setBlockRegisters(CuteSimBlock *block, const CuteSimLaunch *launch,
                              int64_t number) {
  int32_t *x = block->registers;
  unsigned clusters[3];
  for (int i = 0; i < 3; ++i)
    clusters[i] = launch->grid[i] / launch->cluster[i];
  setExtents(&x[CUTE_SIM_NTID_X], launch->block);
  setExtents(&x[CUTE_SIM_NCTAID_X], launch->grid);
  setExtents(&x[CUTE_SIM_NCLUSTERID_X], clusters);
  setExtents(&x[CUTE_SIM_CLUSTER_NCTAID_X], launch->cluster);
  setCoordinates(&x[CUTE_SIM_CLUSTERID_X], number, clusters);
  setCoordinates(&x[CUTE_SIM_CLUSTER_CTAID_X], block->rank, launch->cluster);
  for (int i = 0; i < 3; ++i)
    x[CUTE_SIM_CTAID_X + i] =
        x[CUTE_SIM_CLUSTERID_X + i] * (int32_t)launch->cluster[i] +
        x[CUTE_SIM_CLUSTER_CTAID_X + i];
  x[CUTE_SIM_CLUSTER_CTARANK] = block->rank;
  x[CUTE_SIM_CLUSTER_NCTARANK] = block->cluster->numBlocks;
  x[CUTE_SIM_NWARPID] = (block->numThreads + CUTE_SIM_WARP - 1) / CUTE_SIM_WARP;
  x[CUTE_SIM_NSMID] = x[CUTE_SIM_SMID] = 0;
  x[CUTE_SIM_DYNAMIC_SMEM_SIZE] = (int32_t)launch->dynamicShared;
  x[CUTE_SIM_TOTAL_SMEM_SIZE] =
      (int32_t)(launch->staticShared + launch->dynamicShared);
  x[CUTE_SIM_WARPSIZE] = CUTE_SIM_WARP;
  x[CUTE_SIM_ENVREG1] = (int32_t)(launch->meeting >> 32);
  x[CUTE_SIM_ENVREG2] = (int32_t)launch->meeting;
  block->number = x[CUTE_SIM_CTAID_X] +
                  (int64_t)launch->grid[0] *
                      (x[CUTE_SIM_CTAID_Y] +
                       (int64_t)launch->grid[1] * x[CUTE_SIM_CTAID_Z]);
}

static void setLane(int32_t *registers, int lane) {
  uint32_t bit = 1u << lane;
  registers[CUTE_SIM_LANEID] = lane;
  registers[CUTE_SIM_LANEMASK_EQ] = (int32_t)bit;
  registers[CUTE_SIM_LANEMASK_LT] = (int32_t)(bit - 1);
  registers[CUTE_SIM_LANEMASK_LE] = (int32_t)(bit | (bit - 1));
  registers[CUTE_SIM_LANEMASK_GT] = (int32_t) ~(bit | (bit - 1));
  registers[CUTE_SIM_LANEMASK_GE] = (int32_t) ~(bit - 1);
}

static void resetThread(CuteSimBlock *block, int i,
                        const CuteSimLaunch *launch) {
  CuteSimThread *thread = &block->threads[i];
  setCoordinates(&thread->registers[CUTE_SIM_TID_X], i, launch->block);
  setLane(thread->registers, i % CUTE_SIM_WARP);
  thread->registers[CUTE_SIM_WARPID] = i / CUTE_SIM_WARP;
  thread->block = block;
  thread->cluster = block->cluster;
  thread->sharedBase = block->shared;
  thread->warp = &block->warps[i / CUTE_SIM_WARP];
  thread->stack = NULL;
  thread->state = CUTE_SIM_READY;
  thread->isLooking = thread->isSpinning = false;
  thread->waitsAt = NULL;
  thread->waitsOn = NULL;
  thread->clusterPhase = 0;
  thread->hasFenced = false;
  thread->awaited = 0;
  thread->committed = thread->waited = 0;
  thread->step = 0;
  thread->epoch += !thread->epoch; // 0 is no epoch
  thread->time = thread->arrival = 0;
  thread->waitedAt = NULL;
  thread->index = i;
  thread->lane = i % CUTE_SIM_WARP;
}

static void resetWarp(CuteSimBlock *block, int i) {
  CuteSimWarp *warp = &block->warps[i];
  int first = i * CUTE_SIM_WARP, lanes = block->numThreads - first;
  warp->threads = &block->threads[first];
  warp->lanes = lanes >= CUTE_SIM_WARP ? ~0u : (1u << lanes) - 1;
  warp->busy = warp->lanes;
  warp->parked = warp->done = 0;
  warp->steps = 0;
  warp->time = 0;
  warp->latestEvent = 0;
  for (int g = 0; g < CUTE_SIM_WARP; ++g)
    warp->groups[g].site = NULL;
}

static void resetBlock(CuteSimBlock *block, int64_t number) {
  const CuteSimLaunch *launch = block->cluster->run->launch;
  enum { POISON = 0xff }; // NaNs of any type
  block->numDone = 0;
  block->refusedAt = NULL;
  block->copiesEnd = block->productsEnd = 0;
  memset(block->shared, POISON, launch->staticShared + launch->dynamicShared);
  memset(block->barriers, 0, sizeof block->barriers);
  memset(block->maxRegisters, 0, sizeof block->maxRegisters);
  block->maxRegistersAt = NULL;
  for (size_t i = 0; i < sizeof block->warpgroups / sizeof *block->warpgroups;
       ++i)
    block->warpgroups[i].arrived = 0, block->warpgroups[i].numSums = 0;
  setBlockRegisters(block, launch, number);
  for (int i = 0; i * CUTE_SIM_WARP < block->numThreads; ++i)
    resetWarp(block, i);
  for (int i = 0; i < block->numThreads; ++i)
    resetThread(block, i, launch);
}

// Barriers at which threads still wait have clocks.
static void dropClocks(CuteSimCluster *cluster) {
  cuteSimClockDrop(cluster->barrier.clock);
  cuteSimClockDrop(cluster->lastClock);
  cuteSimClockDrop(cluster->arrivals);
  cuteSimClockDrop(cluster->lastArrivals);
  cluster->lastClock = cluster->barrier.clock = NULL;
  cluster->arrivals = cluster->lastArrivals = NULL;
  for (int i = 0; i < cuteSimClusterGetThreads(cluster); ++i) {
    cuteSimClockDrop(cluster->threads[i].fenced);
    cuteSimClockDrop(cluster->threads[i].seen);
    cluster->threads[i].fenced = cluster->threads[i].seen = NULL;
  }
  for (int b = 0; b < cluster->numBlocks; ++b) {
    cuteSimClockDrop(cluster->blocks[b].arrivals);
    cluster->blocks[b].arrivals = NULL;
    for (int i = 0; i < CUTE_SIM_BARRIERS; ++i) {
      cuteSimClockDrop(cluster->blocks[b].barriers[i].clock);
      cluster->blocks[b].barriers[i].clock = NULL;
    }
  }
}

void cuteSimClusterBegin(CuteSimCluster *cluster, int64_t number) {
  int n = cuteSimClusterGetThreads(cluster);
  cluster->number = number;
  cluster->ticks = 0;
  cluster->firstReady = 0;
  cluster->numReady = n;
  dropClocks(cluster);
  cuteSimClusterForgetTouches(cluster);
  cluster->barrier = (CuteSimBarrier){0};
  cluster->seed = cluster->run->options->schedule;
  cluster->random = cluster->seed * 0x9e3779b97f4a7c15 +
                    (uint64_t)number * 0xd1342543de82ef95 + 88172645463325252;
  for (int b = 0; b < cluster->numBlocks; ++b)
    resetBlock(&cluster->blocks[b], number);
  cluster->numFree = n;
  for (int i = 0; i < n; ++i) {
    cluster->ready[i] = i;
    cluster->freeStacks[i] = n - 1 - i;
  }
  cuteSimPendingReset(cluster);
  cuteSimShadowReset(cluster);
  cuteSimPhasesReset(cluster);
  cuteSimTensorMemoryDestroy(cluster);
  checkDeadline(cluster->threads);
}

void cuteSimClusterEnd(CuteSimCluster *cluster) {
  machine = cluster;
  if (!atomic_load(&cluster->run->isOver))
    cuteSimFindStuck(cluster);
  while (!atomic_load(&cluster->run->isOver) && progress(cluster))
    ;
  if (!atomic_load(&cluster->run->isOver))
    cuteSimPhasesEnd(cluster);
  if (!atomic_load(&cluster->run->isOver))
    cuteSimTensorMemoryEnd(cluster);
  cuteSimShadowEnd(cluster);
  cuteSimObserverFlush(cluster);
  machine = NULL;
}

//===-- Making and ending -------------------------------------------------===//

static void *map(size_t bytes) {
  void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    abort();
  return memory;
}

// Local memory for each thread beside what functions need anyway, and a page
// below it that nobody may touch.
static void createStacks(CuteSimCluster *cluster, size_t n) {
  enum { PAGE = 1 << 12, PLAIN = 1 << 18 };
  size_t local = cluster->run->launch->localBytes;
  cluster->stackSize = PLAIN + (local + PAGE - 1) / PAGE * PAGE;
  cluster->stackBytes = n * cluster->stackSize;
  cluster->stacks = map(cluster->stackBytes);
  for (size_t i = 0; i < n; ++i)
    mprotect(cluster->stacks + i * cluster->stackSize, PAGE, PROT_NONE);
}

void cuteSimClusterCreate(CuteSimCluster *cluster, CuteSimRun *run,
                          char *windows) {
  const CuteSimLaunch *launch = run->launch;
  const unsigned *c = launch->cluster, *b = launch->block;
  *cluster = (CuteSimCluster){.run = run,
                              .checks = run->options->checks,
                              .numBlocks = (int)(c[0] * c[1] * c[2]),
                              .windows = windows};
  int perBlock = (int)(b[0] * b[1] * b[2]);
  size_t n = (size_t)(cluster->numBlocks * perBlock);
  cluster->blocks = calloc((size_t)cluster->numBlocks, sizeof(CuteSimBlock));
  cluster->threads = calloc(n, sizeof(CuteSimThread));
  cluster->ready = cuteAllocate(n * sizeof(int));
  cluster->freeStacks = cuteAllocate(n * sizeof(int));
  createStacks(cluster, n);
  for (int i = 0; i < cluster->numBlocks; ++i)
    cluster->blocks[i] =
        (CuteSimBlock){.cluster = cluster,
                       .shared = windows + (size_t)i * CUTE_SIM_WINDOW,
                       .rank = i,
                       .numThreads = perBlock,
                       .threads = &cluster->threads[i * perBlock]};
  cuteSimPendingCreate(cluster);
  cuteSimObserverCreate(cluster);
  cuteSimShadowCreate(cluster);
  cuteSimPhasesCreate(cluster);
}

void cuteSimClusterDestroy(CuteSimCluster *cluster) {
  cuteSimPendingDestroy(cluster);
  dropClocks(cluster);
  cuteSimShadowDestroy(cluster);
  cuteSimPhasesDestroy(cluster);
  cuteSimTensorMemoryDestroy(cluster);
  cuteSimClusterDropTouches(cluster);
  munmap(cluster->stacks, cluster->stackBytes);
  free(cluster->freeStacks);
  free(cluster->ready);
  free(cluster->threads);
  free(cluster->blocks);
}
