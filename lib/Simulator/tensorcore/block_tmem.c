#include "Simulator/tensorcore/block_tmem.h"
#include "Simulator/async/mbarrier_operations.h"
#include "Simulator/async/pending.h"
#include "Simulator/checks/findings.h"
#include "Simulator/checks/shadow.h"
#include "Simulator/checks/vector_clock.h"
#include "Simulator/machine/launch_run.h"
#include "Support/arena.h"
#include "Support/growing_array.h"

#include <stdlib.h>
#include <string.h>

enum { UNITS = CUTE_SIM_TENSOR_COLUMNS / CUTE_SIM_TENSOR_UNIT };

CuteSimTensorMemory *cuteSimTensorMemoryGet(CuteSimThread *thread) {
  CuteSimTensorMemory **memory = &thread->block->tensorMemory;
  if (!*memory) {
    *memory = cuteAllocate(sizeof **memory);
    memset(*memory, 0, sizeof **memory);
    memset((*memory)->words, 0xff, sizeof((*memory)->words));
  }
  return *memory;
}

CuteSimTensorThread *cuteSimTensorThreadGet(CuteSimThread *thread) {
  return &cuteSimTensorMemoryGet(thread)->threads[thread->index];
}

void cuteSimTensorMemoryDestroy(CuteSimCluster *cluster) {
  for (int i = 0; i < cluster->numBlocks; ++i) {
    CuteSimTensorMemory **memory = &cluster->blocks[i].tensorMemory;
    for (int t = 0; *memory && t < CUTE_SIM_MAX_THREADS; ++t)
      cuteSimClockDrop((*memory)->threads[t].seen);
    if (*memory)
      free((*memory)->pipe.products);
    free(*memory);
    *memory = NULL;
  }
}

static bool checks(const CuteSimThread *thread) {
  return thread->block->cluster->run->options->checks;
}

static CuteSimTensorPipe *pipeOf(CuteSimThread *thread) {
  return &cuteSimTensorMemoryGet(thread)->pipe;
}

//===-- Addresses ---------------------------------------------------------===//

uint32_t *cuteSimTensorMemoryAt(CuteSimThread *thread, const CuteSimSite *site,
                                uint32_t lane, uint32_t column) {
  CuteSimTensorMemory *memory = cuteSimTensorMemoryGet(thread);
  if (lane < CUTE_SIM_TENSOR_LANES && column < CUTE_SIM_TENSOR_COLUMNS &&
      memory->allocated[column / CUTE_SIM_TENSOR_UNIT])
    return &memory->words[lane][column];
  cuteSimFind(thread, site,
              "out of bounds: %s gets to lane %u, column %u of tensor memory, "
              "which is not allocated",
              cuteSimSiteGetName(site), lane, column);
  return NULL;
}

static bool hasWord(const CuteSimTensorArea *area, uint32_t lane,
                    uint32_t column) {
  return column - area->column < area->columns &&
         cuteSimTensorAreaHas(area, lane);
}

//===-- Order of loads and stores -----------------------------------------===//

// Finds a load or store of a word that what the thread does there now does not
// come after: nobody has waited for it, no barrier is between, or no fences.
// False with a finding.
static bool isAfter(CuteSimThread *thread, const CuteSimSite *site,
                    const CuteSimTensorUse *use, CuteSimTensorMove move) {
  static const char *const names[] = {"load", "store"}, *kinds[] = {"ld", "st"};
  if (!use->when)
    return true;
  uint32_t number = cuteSimShadowThreadOf(use->when);
  CuteSimThread *other = &thread->block->cluster->threads[number];
  const CuteSimTensorThread *theirs = cuteSimTensorThreadGet(other);
  const CuteSimTensorMoves *moves = &theirs->moves[move];
  const CuteSimClock *seen = cuteSimTensorThreadGet(thread)->seen;
  bool isOther = other != thread;
  if (use->number > moves->waited)
    cuteSimFind(thread, site,
                "too early: uses tensor memory that a %s of thread %d may "
                "still be about; write cute.tmem_wait<\"%s\"> after the %s",
                names[move], other->index, kinds[move], names[move]);
  else if (isOther && !cuteSimShadowIsKnown(thread, use->when))
    cuteSimFind(thread, site,
                "race: uses tensor memory that no barrier orders after a %s of "
                "thread %d",
                names[move], other->index);
  else if (isOther && use->number > moves->fenced)
    cuteSimFind(thread, site,
                "order: thread %d has not fenced its %s of this tensor memory; "
                "write cute.tcgen05_fence<\"before\"> before the barrier",
                other->index, names[move]);
  else if (isOther && !cuteSimShadowIsIn(seen, use->when))
    cuteSimFind(thread, site,
                "order: no fence follows the barrier after a %s of thread %d; "
                "write cute.tcgen05_fence<\"after\"> before this",
                names[move], other->index);
  else
    return true;
  return false;
}

static const CuteSimTensorProduct *findUser(CuteSimTensorPipe *pipe,
                                            uint32_t lane, uint32_t column,
                                            CuteSimTensorMove move) {
  for (size_t i = pipe->numDone; i < pipe->numProducts; ++i) {
    const CuteSimTensorProduct *p = &pipe->products[i];
    int n = move == CUTE_SIM_TENSOR_STORE ? p->numAreas : p->numAreas > 0;
    for (int area = 0; area < n; ++area)
      if (hasWord(&p->areas[area], lane, column))
        return p;
  }
  return NULL;
}

static void checkMove(CuteSimThread *thread, const CuteSimSite *site,
                      uint32_t lane, uint32_t column, CuteSimTensorMove move) {
  CuteSimTensorMemory *memory = cuteSimTensorMemoryGet(thread);
  bool isStore = move == CUTE_SIM_TENSOR_STORE;
  const CuteSimTensorUse *store =
      &memory->uses[CUTE_SIM_TENSOR_STORE][lane][column];
  const CuteSimTensorProduct *user =
      findUser(pipeOf(thread), lane, column, move);
  if (user)
    cuteSimFindPair(thread, site, user->site,
                    "too early: %s lane %u, column %u of tensor memory, which "
                    "the product of line %u may still %s; commit it to an "
                    "mbarrier and wait for that before",
                    isStore ? "writes" : "reads", lane, column,
                    user->site->line,
                    hasWord(&user->areas[0], lane, column) ? "write" : "read");
  else if (memory->writer[lane][column] >
           cuteSimTensorThreadGet(thread)->products)
    cuteSimFind(thread, site,
                "order: nothing makes the access to lane %u, column %u of "
                "tensor memory come after the product that was waited for; "
                "write cute.tcgen05_fence<\"after\"> between",
                lane, column);
  else if (!isStore && !memory->isWritten[lane][column])
    cuteSimFindNote(thread, site,
                    "uninitialised: reads lane %u, column %u of tensor memory, "
                    "which nothing was written to",
                    lane, column);
  else if (isAfter(thread, site, store, CUTE_SIM_TENSOR_STORE) && isStore)
    isAfter(thread, site, &memory->uses[CUTE_SIM_TENSOR_LOAD][lane][column],
            CUTE_SIM_TENSOR_LOAD);
}

void cuteSimTensorMemoryCheck(CuteSimThread *thread, const CuteSimSite *site,
                              uint32_t lane, uint32_t column,
                              CuteSimTensorMove move) {
  CuteSimTensorMemory *memory = cuteSimTensorMemoryGet(thread);
  if (!checks(thread))
    return;
  checkMove(thread, site, lane, column, move);
  memory->uses[move][lane][column] = (CuteSimTensorUse){
      .when = cuteSimShadowGetWord(thread),
      .number = cuteSimTensorThreadGet(thread)->moves[move].started};
}

void cuteSimTensorMemoryEnd(CuteSimCluster *cluster) {
  for (int i = 0; i < cluster->numBlocks; ++i) {
    const CuteSimTensorMemory *memory = cluster->blocks[i].tensorMemory;
    for (int unit = 0; memory && unit < UNITS; ++unit)
      if (memory->allocated[unit]) {
        cuteSimFind(cluster->blocks[i].threads, memory->allocatedAt,
                    "tensor memory that is allocated here is not freed when "
                    "the kernel ends; write cute.tmem_dealloc");
        break;
      }
    if (memory && memory->pipe.numDone < memory->pipe.numProducts)
      cuteSimFind(cluster->blocks[i].threads,
                  memory->pipe.products[memory->pipe.numDone].site,
                  "the product may still be under way when the kernel ends: "
                  "no cute.tcgen05_commit follows it");
  }
}

//===-- Products ----------------------------------------------------------===//

// Checks that a word has a value, or gets one from a product before.
static bool checkValue(const CuteSimTensorProduct *p, bool isSum, uint32_t lane,
                       uint32_t column) {
  CuteSimTensorPipe *pipe = pipeOf(p->thread);
  if (cuteSimTensorMemoryGet(p->thread)->isWritten[lane][column] ||
      findUser(pipe, lane, column, CUTE_SIM_TENSOR_LOAD))
    return true;
  if (isSum)
    cuteSimFind(p->thread, p->site,
                "uninitialised: adds to sums in tensor memory that nothing was "
                "written to; let the first product not add to them");
  else
    cuteSimFind(p->thread, p->site,
                "uninitialised: takes lane %u, column %u of tensor memory, "
                "which nothing was written to",
                lane, column);
  return false;
}

static bool checkWord(const CuteSimTensorProduct *p, bool isRead, uint32_t lane,
                      uint32_t column) {
  CuteSimTensorMemory *memory = cuteSimTensorMemoryGet(p->thread);
  if (!cuteSimTensorMemoryAt(p->thread, p->site, lane, column))
    return false;
  if (!checks(p->thread))
    return true;
  CuteSimTensorUse *uses[] = {
      &memory->uses[CUTE_SIM_TENSOR_LOAD][lane][column],
      &memory->uses[CUTE_SIM_TENSOR_STORE][lane][column]};
  for (int move = isRead; move < CUTE_SIM_TENSOR_MOVES; ++move) {
    if (!isAfter(p->thread, p->site, uses[move], (CuteSimTensorMove)move))
      return false;
    if (!isRead)
      *uses[move] = (CuteSimTensorUse){0};
  }
  return !(isRead || p->addsC) || checkValue(p, !isRead, lane, column);
}

void cuteSimTensorProductCheck(const CuteSimTensorProduct *p) {
  for (int i = 0; i < p->numAreas; ++i) {
    const CuteSimTensorArea *area = &p->areas[i];
    for (uint32_t lane = 0; lane < CUTE_SIM_TENSOR_LANES; ++lane)
      for (uint32_t j = 0;
           cuteSimTensorAreaHas(area, lane) && j < area->columns; ++j)
        if (!checkWord(p, i > 0, lane, area->column + j))
          return;
  }
}

// Does the products up to the end of the block's next group, in order, as late
// as that may be.
static void arrive(CuteSimCluster *cluster, void *data) {
  CuteSimTensorPipe *pipe = *(CuteSimTensorPipe **)data;
  (void)cluster;
  while (pipe->numDone < pipe->numProducts) {
    const CuteSimTensorProduct *p = &pipe->products[pipe->numDone++];
    if (p->execute) {
      p->execute(p);
      continue;
    }
    cuteSimShadowPublish(p->thread, p->barrier, p->epoch);
    cuteSimMbarrierArriveAt(p->thread, p->site, p->barrier);
    return;
  }
}

void cuteSimTensorPipeStart(const CuteSimTensorProduct *product) {
  CuteSimTensorPipe *pipe = pipeOf(product->thread);
  CUTE_PUSH(pipe->products, pipe->numProducts, pipe->capacity, *product);
  if (!product->execute)
    cuteSimPendingStart(product->thread->block->cluster, arrive, &pipe,
                        sizeof pipe);
}
