#include "Simulator/checks/shadow.h"
#include "Simulator/checks/findings.h"
#include "Simulator/checks/tensor_names.h"
#include "Simulator/checks/vector_clock.h"
#include "Simulator/machine/launch_run.h"
#include "Simulator/machine/resources.h"
#include "Simulator/ptx/operation_table.h"
#include "Support/arena.h"
#include "Support/pointer_map.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A thread and its epoch in one word; 0: nobody.
enum { EPOCH_BITS = 17, LAST_EPOCH = (1 << EPOCH_BITS) - 1 };

// The last accesses to a byte of shared memory.
typedef struct Cell {
  uint32_t writer, reader;
  uint16_t writeSite, readSite;
  uint8_t pending; // a copy to it, or from it, has not arrived
  bool isStored;   // by a thread's own instruction
  bool isAtomic;   // what the writer did
} Cell;

enum { NOTHING, TO_HERE, FROM_HERE };

enum { MOST_OVERWRITTEN = 64 };

// A write that races with one before: a mistake if it changes what is there,
// which is seen at the next access in the cluster.
typedef struct Overwrite {
  CuteSimOp op; // without a thread: none
  Cell cell;
  const unsigned char *data;
  size_t bytes;
  unsigned char before[MOST_OVERWRITTEN];
} Overwrite;

typedef struct CuteSimShadow {
  size_t bytes; // of a block's shared memory
  Cell *cells;  // of all blocks
  Overwrite overwrite;
} CuteSimShadow;

static uint32_t wordOf(const CuteSimThread *thread, uint32_t epoch) {
  uint32_t least = epoch < LAST_EPOCH ? epoch : LAST_EPOCH;
  return (uint32_t)thread->number << EPOCH_BITS | least;
}

// Gives the word of who reads: the thread, or a product of its warpgroup.
static uint32_t readerOf(const CuteSimThread *thread) {
  uint32_t group = thread->committed + 1;
  return thread->isMultiplying ? cuteSimClockGetProducts(thread) << EPOCH_BITS |
                                     (group < LAST_EPOCH ? group : LAST_EPOCH)
                               : wordOf(thread, thread->epoch);
}

static uint32_t threadOf(uint32_t word) { return word >> EPOCH_BITS; }

static bool isKnown(const CuteSimThread *thread, uint32_t word) {
  return cuteSimClockKnows(thread, threadOf(word), word & LAST_EPOCH);
}

uint32_t cuteSimShadowGetWord(const CuteSimThread *thread) {
  return wordOf(thread, thread->epoch);
}

uint32_t cuteSimShadowThreadOf(uint32_t word) { return threadOf(word); }

bool cuteSimShadowIsKnown(const CuteSimThread *thread, uint32_t word) {
  return isKnown(thread, word);
}

bool cuteSimShadowIsIn(const CuteSimClock *clock, uint32_t word) {
  return clock && clock->epochs[threadOf(word)] >= (word & LAST_EPOCH);
}

//===-- Creation ----------------------------------------------------------===//

void cuteSimShadowCreate(CuteSimCluster *cluster) {
  CuteSimShadow *shadow = cuteAllocate(sizeof *shadow);
  const CuteSimLaunch *launch = cluster->run->launch;
  size_t bytes = launch->staticShared + launch->dynamicShared;
  *shadow = (CuteSimShadow){.bytes = bytes};
  if (cluster->checks) {
    shadow->cells =
        calloc((size_t)cluster->numBlocks * bytes + 1, sizeof(Cell));
    cluster->variables = calloc(1, sizeof *cluster->variables);
  }
  cluster->shadow = shadow;
}

void cuteSimShadowReset(CuteSimCluster *cluster) {
  CuteSimShadow *shadow = cluster->shadow;
  if (!shadow->cells)
    return;
  memset(shadow->cells, 0,
         (size_t)cluster->numBlocks * shadow->bytes * sizeof(Cell));
  cuteSimShadowForgetVariables(cluster);
  int n = cluster->numBlocks * cluster->blocks->numThreads;
  for (int i = 0; i < n; ++i) {
    CuteSimThread *thread = &cluster->threads[i];
    cuteSimClockDrop(thread->clock);
    thread->clock = NULL;
    thread->epoch = 1;
    thread->number = (uint32_t)i;
  }
}

void cuteSimShadowDestroy(CuteSimCluster *cluster) {
  cuteSimShadowReset(cluster);
  free(cluster->variables);
  free(cluster->shadow->cells);
  free(cluster->shadow);
}

//===-- Messages ----------------------------------------------------------===//

static const CuteSimSite *siteOf(const CuteSimSite *site, uint16_t number) {
  return cuteSimResourcesGetSite(site->resources, number);
}

static unsigned lineOf(const CuteSimSite *site) {
  return site ? site->line : 0;
}

typedef struct Name {
  char text[64];
} Name;

static Name nameOf(const CuteSimThread *thread, uint32_t word) {
  int perBlock = thread->block->numThreads, number = (int)threadOf(word);
  int rank = number / perBlock, index = number % perBlock;
  Name name;
  int n = snprintf(name.text, sizeof name.text, "thread %d", index);
  if (rank != thread->block->rank)
    snprintf(name.text + n, sizeof name.text - (size_t)n,
             " of block %d of the cluster", rank);
  return name;
}

// Names what orders an access of another thread, by its word and site, before
// that of the thread. Both are of one warp only if they are of one block, whose
// first thread begins a warp.
static const char *orderFor(const CuteSimThread *thread, uint32_t word,
                            const CuteSimSite *other) {
  uint32_t number = threadOf(word);
  int perBlock = thread->block->numThreads;
  const CuteSimClock *arrivals = thread->block->arrivals;
  bool hasArrived = arrivals && arrivals->epochs[number] >= (word & LAST_EPOCH);
  if (hasArrived && other && other->function == cuteSimMbarrierInitialize)
    return "cute.fence_mbarrier_init after the last mbarrier_init";
  if (hasArrived)
    return "cute.cluster_arrive without relaxed, which says nothing of memory,";
  if ((int)number / perBlock != thread->block->rank)
    return "cute.cluster_arrive and cute.cluster_wait";
  return (int)number % perBlock / CUTE_SIM_WARP == thread->index / CUTE_SIM_WARP
             ? "gpu.barrier (cute.warp_sync, if only lanes of one warp share "
               "it)"
             : "gpu.barrier";
}

// A write comes to where products may still read.
static void findProduct(CuteSimOp op, size_t offset, const Cell *cell) {
  const CuteSimSite *other = siteOf(op.site, cell->readSite);
  cuteSimFindPair(
      op, other,
      "too early: writes shared memory at offset %zu%s, which the product of "
      "line %u may still read; let its warpgroup wait for it "
      "(cute.warpgroup_wait) before the arrival or barrier that allows the "
      "write",
      offset, cuteSimNameShared(op.thread, offset).text, lineOf(other));
}

static void findRace(CuteSimOp op, size_t offset, const char *verb,
                     const char *otherVerb, uint32_t word, uint16_t number) {
  const CuteSimSite *other = siteOf(op.site, number);
  cuteSimFindPair(op, other,
                  "race: %s shared memory at offset %zu%s, which %s %s on line "
                  "%u, with no barrier between them; write %s between them",
                  verb, offset, cuteSimNameShared(op.thread, offset).text,
                  nameOf(op.thread, word).text, otherVerb, lineOf(other),
                  orderFor(op.thread, word, other));
}

// A copy comes to where somebody may still read.
static void findReuse(CuteSimOp op, size_t offset, uint32_t word,
                      uint16_t number) {
  const CuteSimSite *other = siteOf(op.site, number);
  bool isBulk = op.site->words & CUTE_SIM_BULK;
  cuteSimFindPair(
      op, other,
      "reused too early: copies to shared memory at offset %zu%s, which %s "
      "read on line %u, perhaps after that; %s%s%s",
      offset, cuteSimNameShared(op.thread, offset).text,
      nameOf(op.thread, word).text, lineOf(other),
      isBulk ? "let who reads arrive at an mbarrier (cute.consumer_release), "
               "and wait for it before the copy (cute.producer_acquire)"
             : "write ",
      isBulk ? "" : orderFor(op.thread, word, other),
      isBulk ? "" : " between them");
}

static void findPending(CuteSimOp op, size_t offset, const char *verb,
                        const Cell *cell) {
  const CuteSimSite *other = siteOf(op.site, cell->writeSite);
  cuteSimFindPair(
      op, other,
      "too early: %s shared memory at offset %zu%s, to which a copy "
      "that %s started on line %u has not arrived; wait for it "
      "before",
      verb, offset, cuteSimNameShared(op.thread, offset).text,
      nameOf(op.thread, cell->writer).text, lineOf(other));
}

static void findRead(CuteSimOp op, size_t offset, const Cell *cell) {
  const CuteSimSite *other = siteOf(op.site, cell->readSite);
  cuteSimFindPair(op, other,
                  "too early: writes shared memory at offset %zu%s, which a "
                  "copy or product that %s started on line %u may still read; "
                  "let it wait for that "
                  "before",
                  offset, cuteSimNameShared(op.thread, offset).text,
                  nameOf(op.thread, cell->reader).text, lineOf(other));
}

//===-- Writes of what is there already -----------------------------------===//

// Says that the overwrite is a race if it changed anything.
static void closeOverwrite(CuteSimShadow *shadow) {
  Overwrite *o = &shadow->overwrite;
  if (o->op.thread && memcmp(o->data, o->before, o->bytes))
    findRace(o->op, (uint64_t)(uintptr_t)o->data % CUTE_SIM_WINDOW, "writes",
             "wrote", o->cell.writer, o->cell.writeSite);
  o->op.thread = NULL;
}

static void openOverwrite(CuteSimOp op, uint64_t address, size_t bytes,
                          const Cell *cell) {
  Overwrite *o = &op.thread->cluster->shadow->overwrite;
  if (o->op.thread)
    return;
  *o =
      (Overwrite){.op = op,
                  .cell = *cell,
                  .data = (const unsigned char *)(uintptr_t)address,
                  .bytes = bytes < MOST_OVERWRITTEN ? bytes : MOST_OVERWRITTEN};
  memcpy(o->before, o->data, o->bytes);
}

void cuteSimShadowEnd(CuteSimCluster *cluster) {
  if (cluster->shadow->cells)
    closeOverwrite(cluster->shadow);
}

//===-- Accesses ----------------------------------------------------------===//

// The cells from an address on; null without checks.
static Cell *cellsOf(const CuteSimCluster *cluster, uint64_t address) {
  CuteSimShadow *shadow = cluster->shadow;
  size_t block = (size_t)cuteSimClusterGetRank(cluster, address);
  return shadow->cells
             ? &shadow->cells[block * shadow->bytes + address % CUTE_SIM_WINDOW]
             : NULL;
}

// Tells whether a fence.mbarrier_init has told of the mbarrier that was
// initialized here.
static bool isKnownInit(CuteSimOp op, const Cell *cell) {
  const CuteSimSite *other = siteOf(op.site, cell->writeSite);
  return other && other->function == cuteSimMbarrierInitialize &&
         cuteSimClockKnowsInit(op.thread, threadOf(cell->writer),
                               cell->writer & LAST_EPOCH);
}

static void readCell(CuteSimOp op, size_t offset, Cell *cell, uint32_t now) {
  if (cell->pending == TO_HERE)
    findPending(op, offset, "reads", cell);
  else if (!cell->writer)
    cuteSimFindKind(
        op, CUTE_SIM_NOTE,
        "uninitialised: reads shared memory at offset %zu%s, which no "
        "thread has written",
        offset, cuteSimNameShared(op.thread, offset).text);
  else if (!isKnown(op.thread, cell->writer) && !isKnownInit(op, cell))
    findRace(op, offset, "reads", "wrote", cell->writer, cell->writeSite);
  if (cell->pending == FROM_HERE)
    return;
  cell->reader = now;
  cell->readSite = op.site->number;
}

static bool isReadByProduct(const CuteSimThread *thread, const Cell *cell) {
  return cell->reader && !isKnown(thread, cell->reader) &&
         cuteSimClockIsOfProducts(thread, threadOf(cell->reader));
}

// Checks the write of a byte and of `more` after it; of a copy, which arrives
// later, that is 0, and any other write before it is a mistake.
static void checkWrite(CuteSimOp op, uint64_t address, size_t more,
                       const Cell *cell) {
  size_t offset = address % CUTE_SIM_WINDOW;
  if (cell->pending == FROM_HERE)
    findRead(op, offset, cell);
  else if (cell->pending == TO_HERE)
    findPending(op, offset, "writes", cell);
  else if (isReadByProduct(op.thread, cell))
    findProduct(op, offset, cell);
  else if (cell->writer && !isKnown(op.thread, cell->writer) && more)
    openOverwrite(op, address, more, cell);
  else if (cell->writer && !isKnown(op.thread, cell->writer))
    findRace(op, offset, "writes", "wrote", cell->writer, cell->writeSite);
  else if (cell->reader && !isKnown(op.thread, cell->reader) && !more)
    findReuse(op, offset, cell->reader, cell->readSite);
  else if (cell->reader && !isKnown(op.thread, cell->reader))
    findRace(op, offset, "writes", "read", cell->reader, cell->readSite);
}

static void setWriter(const CuteSimSite *site, Cell *cell, uint32_t writer,
                      uint8_t pending) {
  cell->writer = writer;
  cell->writeSite = site->number;
  cell->pending = pending;
  cell->isStored = cell->isAtomic = false;
}

// Checks an atomic access against plain ones of other threads. What the address
// orders comes after it.
static void checkOrdered(CuteSimOp op, size_t offset, const Cell *cell,
                         CuteSimAccess access) {
  const char *verb = cuteSimAccessGetVerb(access);
  if (threadOf(cell->reader) == op.thread->number && cell->reader &&
      cuteSimSiteIsSwap(op.site))
    cuteSimFindGuess(op.thread->cluster->run,
                     (CuteSimGuess){siteOf(op.site, cell->readSite), op.site});
  if (cell->pending == FROM_HERE && access != CUTE_SIM_ORDERED_READ)
    findRead(op, offset, cell);
  else if (cell->pending == TO_HERE)
    findPending(op, offset, verb, cell);
  else if (!cell->writer && access == CUTE_SIM_ATOMIC)
    cuteSimFind(op,
                "uninitialised: changes shared memory at offset %zu%s, which "
                "no thread has written; set it before, and write gpu.barrier "
                "between them",
                offset, cuteSimNameShared(op.thread, offset).text);
  else if (cell->writer && !cell->isAtomic && !isKnown(op.thread, cell->writer))
    findRace(op, offset, verb, "wrote", cell->writer, cell->writeSite);
  else if (access != CUTE_SIM_ORDERED_READ && isReadByProduct(op.thread, cell))
    findProduct(op, offset, cell);
  else if (cell->reader && access != CUTE_SIM_ORDERED_READ &&
           !isKnown(op.thread, cell->reader))
    findRace(op, offset, verb, "read", cell->reader, cell->readSite);
}

static void accessOrdered(CuteSimOp op, uint64_t address, size_t bytes,
                          CuteSimAccess access) {
  Cell *cells = cellsOf(op.thread->cluster, address);
  for (size_t i = 0; i < bytes; ++i)
    checkOrdered(op, address % CUTE_SIM_WINDOW + i, &cells[i], access);
  cuteSimShadowComplete(op.thread->cluster, address);
  cuteSimShadowAcquire(op.thread, address);
  uint32_t now = wordOf(op.thread, op.thread->epoch);
  cuteSimShadowRelease(op.thread, address);
  for (size_t i = 0; i < bytes && access != CUTE_SIM_ORDERED_READ; ++i) {
    setWriter(op.site, &cells[i], now, NOTHING);
    cells[i].isAtomic = true;
  }
}

void cuteSimShadowAccess(CuteSimOp op, uint64_t address, size_t bytes,
                         CuteSimAccess access) {
  Cell *cells = cellsOf(op.thread->cluster, address);
  uint32_t now = readerOf(op.thread);
  size_t offset = address % CUTE_SIM_WINDOW;
  closeOverwrite(op.thread->cluster->shadow);
  if (cuteSimAccessIsOrdered(access)) {
    accessOrdered(op, address, bytes, access);
    return;
  }
  for (size_t i = 0; i < bytes; ++i) {
    if (access == CUTE_SIM_READ) {
      readCell(op, offset + i, &cells[i], now);
    } else {
      checkWrite(op, address + i, bytes - i, &cells[i]);
      setWriter(op.site, &cells[i], now, NOTHING);
      cells[i].isStored = true;
    }
  }
}

const CuteSimSite *cuteSimShadowGetWriter(CuteSimOp op, uint64_t address) {
  const Cell *cell = cellsOf(op.thread->cluster, address);
  return cell->writer ? siteOf(op.site, cell->writeSite) : NULL;
}

static bool isFenced(const CuteSimThread *thread, const Cell *cell) {
  return !cell->isStored || !isKnown(thread, cell->writer) ||
         cuteSimClockHasFenced(thread, threadOf(cell->writer),
                               cell->writer & LAST_EPOCH);
}

void cuteSimShadowCheckInit(CuteSimOp op, uint64_t address) {
  const Cell *cell = cellsOf(op.thread->cluster, address);
  const CuteSimSite *other = cell ? siteOf(op.site, cell->writeSite) : NULL;
  if (!other || other->function != cuteSimMbarrierInitialize ||
      isFenced(op.thread, cell) || isKnownInit(op, cell))
    return;
  cuteSimFindPair(op, other,
                  "no proxy fence: the copy arrives at the mbarrier at offset "
                  "%zu%s, which %s initialized on line %u; write "
                  "cute.fence_mbarrier_init after that, before the barrier",
                  (size_t)(address % CUTE_SIM_WINDOW),
                  cuteSimNameShared(op.thread, address % CUTE_SIM_WINDOW).text,
                  nameOf(op.thread, cell->writer).text, lineOf(other));
}

void cuteSimShadowCheckFence(CuteSimOp op, uint64_t address, size_t bytes) {
  const Cell *cells = cellsOf(op.thread->cluster, address);
  size_t offset = address % CUTE_SIM_WINDOW, i = 0;
  while (cells && i < bytes && isFenced(op.thread, &cells[i]))
    ++i;
  if (!cells || i == bytes)
    return;
  const CuteSimSite *other = siteOf(op.site, cells[i].writeSite);
  cuteSimFindPair(op, other,
                  "no proxy fence: the asynchronous proxy reads shared memory "
                  "at offset %zu%s, which %s wrote on line %u; write "
                  "cute.fence_proxy<\"async.shared\"> between them, before the "
                  "barrier",
                  offset + i, cuteSimNameShared(op.thread, offset + i).text,
                  nameOf(op.thread, cells[i].writer).text, lineOf(other));
}

void cuteSimShadowStartRead(CuteSimOp op, uint64_t address, size_t bytes) {
  Cell *cells = cellsOf(op.thread->cluster, address);
  uint32_t now = wordOf(op.thread, op.thread->epoch);
  for (size_t i = 0; i < bytes; ++i) {
    readCell(op, address % CUTE_SIM_WINDOW + i, &cells[i], now);
    if (cells[i].pending == NOTHING)
      cells[i].pending = FROM_HERE;
  }
}

void cuteSimShadowEndRead(CuteSimOp op, uint64_t address, size_t bytes,
                          uint32_t epoch) {
  Cell *cells = cellsOf(op.thread->cluster, address);
  for (size_t i = 0; cells && i < bytes; ++i)
    if (cells[i].pending == FROM_HERE) {
      cells[i].pending = NOTHING;
      cells[i].reader = wordOf(op.thread, epoch);
      cells[i].readSite = op.site->number;
    }
}

void cuteSimShadowStart(CuteSimOp op, uint64_t address, size_t bytes) {
  Cell *cells = cellsOf(op.thread->cluster, address);
  uint32_t now = wordOf(op.thread, op.thread->epoch);
  closeOverwrite(op.thread->cluster->shadow);
  for (size_t i = 0; i < bytes; ++i) {
    checkWrite(op, address + i, 0, &cells[i]);
    setWriter(op.site, &cells[i], now, TO_HERE);
  }
}

void cuteSimShadowArrive(CuteSimOp op, uint64_t address, size_t bytes,
                         uint32_t epoch) {
  Cell *cells = cellsOf(op.thread->cluster, address);
  closeOverwrite(op.thread->cluster->shadow);
  for (size_t i = 0; cells && i < bytes; ++i)
    setWriter(op.site, &cells[i], wordOf(op.thread, epoch), NOTHING);
}
