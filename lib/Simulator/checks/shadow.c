#include "Simulator/checks/shadow.h"
#include "Simulator/checks/shadow_races.h"
#include "Simulator/checks/tensor_names.h"
#include "Simulator/machine/launch_run.h"
#include "Simulator/ptx/operation_table.h"
#include "Support/arena.h"
#include "Support/pointer_map.h"

// A thread and its epoch in one word; 0: nobody.
enum { EPOCH_BITS = 17, LAST_EPOCH = (1 << EPOCH_BITS) - 1 };

// The last accesses to a byte of shared memory.
typedef struct Cell {
  uint32_t writer, reader;
  uint16_t writeSite, readSite;
  uint32_t others;   // readers that the last one does not know of
  uint8_t numCopies; // that have started from it and not read it yet
  bool isComing;     // a copy to it has not arrived
  bool isStored;     // by a thread's own instruction
  bool isAtomic;     // what the writer did
} Cell;

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
  CuteSimReaders readers;
  const CuteSimSite *copy; // any that has started; null: none
  Overwrite overwrite;
} CuteSimShadow;

uint32_t cuteSimShadowMakeWord(uint32_t thread, uint32_t epoch) {
  return thread << EPOCH_BITS | (epoch < LAST_EPOCH ? epoch : LAST_EPOCH);
}

static uint32_t wordOf(const CuteSimThread *thread, uint32_t epoch) {
  return cuteSimShadowMakeWord(thread->number, epoch);
}

// Gives the word of who reads: the thread, or a product of its warpgroup.
static uint32_t readerOf(const CuteSimThread *thread) {
  uint32_t group = thread->committed + 1;
  return thread->isMultiplying ? cuteSimClockGetProducts(thread) << EPOCH_BITS |
                                     (group < LAST_EPOCH ? group : LAST_EPOCH)
                               : wordOf(thread, thread->epoch);
}

static uint32_t threadOf(uint32_t word) { return word >> EPOCH_BITS; }

uint32_t cuteSimShadowGetWord(const CuteSimThread *thread) {
  return wordOf(thread, thread->epoch);
}

uint32_t cuteSimShadowThreadOf(uint32_t word) { return threadOf(word); }

bool cuteSimShadowHas(const CuteSimThread *thread, CuteSimClockPart part,
                      uint32_t word) {
  return cuteSimClockHas(thread, part, threadOf(word), word & LAST_EPOCH);
}

bool cuteSimShadowIsKnown(const CuteSimThread *thread, uint32_t word) {
  return cuteSimClockKnows(thread, threadOf(word), word & LAST_EPOCH);
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
  cuteSimReadersReset(&shadow->readers);
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
  free(cluster->shadow->readers.data);
  free(cluster->shadow);
}

static CuteSimReader lastReader(const Cell *cell) {
  return (CuteSimReader){.word = cell->reader, .site = cell->readSite};
}

static CuteSimReader lastWriter(const Cell *cell) {
  return (CuteSimReader){.word = cell->writer, .site = cell->writeSite};
}

//===-- Writes of what is there already -----------------------------------===//

// Says that the overwrite is a race if it changed anything.
static void closeOverwrite(CuteSimShadow *shadow) {
  Overwrite *o = &shadow->overwrite;
  if (o->op.thread && memcmp(o->data, o->before, o->bytes))
    cuteSimRaceFind(o->op, (uint64_t)(uintptr_t)o->data % CUTE_SIM_WINDOW,
                    "writes", "wrote", lastWriter(&o->cell));
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

void cuteSimShadowBlockEnds(const CuteSimBlock *block) {
  const CuteSimShadow *shadow = block->cluster->shadow;
  size_t first = (size_t)block->rank * shadow->bytes, i = 0;
  while (shadow->cells && i < shadow->bytes &&
         !shadow->cells[first + i].isComing)
    ++i;
  if (!shadow->cells || i == shadow->bytes)
    return;
  const Cell *cell = &shadow->cells[first + i];
  CuteSimThread *thread = &block->cluster->threads[threadOf(cell->writer)];
  cuteSimFind((CuteSimOp){thread, siteOf(shadow->copy, cell->writeSite)},
              "block ended: the copy to its shared memory at offset %zu%s has "
              "not arrived; wait for it before the block ends",
              i, cuteSimNameShared(thread, i).text);
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
         cuteSimShadowHas(op.thread, CUTE_SIM_INITS, cell->writer);
}

// The last reader is now another one; a copy that has not read yet stays it.
// Who knows of a read of a thread's own knows what the thread does.
static void addReader(const CuteSimThread *thread, Cell *cell, uint32_t word,
                      uint16_t site) {
  CuteSimReaders *readers = &thread->cluster->shadow->readers;
  CuteSimReader next = {.word = word, .site = site};
  bool isOwn = word == wordOf(thread, thread->epoch);
  if (cell->others)
    cuteSimReadersForget(readers, &cell->others, isOwn ? thread : NULL, next);
  if (cell->numCopies) {
    cuteSimReadersAdd(readers, &cell->others, next);
    return;
  }
  if (cell->reader && threadOf(cell->reader) != threadOf(word) &&
      !(isOwn && cuteSimShadowIsKnown(thread, cell->reader)))
    cuteSimReadersAdd(readers, &cell->others, lastReader(cell));
  cell->reader = word;
  cell->readSite = site;
}

// Gives a reader that the thread does not know of, products before others;
// without one its word is 0.
static CuteSimReader unknownReader(const CuteSimThread *thread,
                                   const Cell *cell) {
  CuteSimReader found = lastReader(cell);
  if (!found.word || cuteSimShadowIsKnown(thread, found.word))
    found.word = 0;
  return cell->others ? cuteSimReadersFind(&thread->cluster->shadow->readers,
                                           cell->others, thread, found)
                      : found;
}

// Tells whether it found no mistake, as the next one does.
static bool checkRead(CuteSimOp op, size_t offset, const Cell *cell) {
  if (cell->isComing)
    cuteSimRaceFindEarly(op, CUTE_SIM_RACE_PENDING, offset, "reads",
                         lastWriter(cell));
  else if (!cell->writer)
    cuteSimFindKind(op, CUTE_SIM_NOTE,
                    "uninitialised: reads shared memory at offset %zu%s, which "
                    "no thread has written",
                    offset, cuteSimNameShared(op.thread, offset).text);
  else if (!cuteSimShadowIsKnown(op.thread, cell->writer) &&
           !isKnownInit(op, cell))
    cuteSimRaceFind(op, offset, "reads", "wrote", lastWriter(cell));
  else
    return true;
  return false;
}

static bool readCell(CuteSimOp op, size_t offset, Cell *cell, uint32_t now) {
  bool isClean = checkRead(op, offset, cell);
  addReader(op.thread, cell, now, op.site->number);
  return isClean;
}

// Does to cells what was done to the first, as long as they were what that was
// before; counts them with it, at most n.
static size_t repeat(Cell *cells, Cell before, size_t n) {
  size_t i = 1;
  while (i < n && !before.others && !cells->others &&
         !memcmp(&cells[i], &before, sizeof before))
    cells[i++] = *cells;
  return i;
}

// Checks the write of a byte and of `more` after it; of a copy, which arrives
// later, that is 0, and any other write before it is a mistake.
static bool checkWrite(CuteSimOp op, uint64_t address, size_t more,
                       const Cell *cell) {
  size_t offset = address % CUTE_SIM_WINDOW;
  CuteSimReader reader = unknownReader(op.thread, cell);
  if (cell->numCopies)
    cuteSimRaceFindEarly(op, CUTE_SIM_RACE_LEAVING, offset, "writes",
                         lastReader(cell));
  else if (cell->isComing)
    cuteSimRaceFindEarly(op, CUTE_SIM_RACE_PENDING, offset, "writes",
                         lastWriter(cell));
  else if (cuteSimClockIsOfProducts(op.thread, threadOf(reader.word)))
    cuteSimRaceFindEarly(op, CUTE_SIM_RACE_PRODUCT, offset, "writes", reader);
  else if (cell->writer && !cuteSimShadowIsKnown(op.thread, cell->writer) &&
           more)
    openOverwrite(op, address, more, cell);
  else if (cell->writer && !cuteSimShadowIsKnown(op.thread, cell->writer))
    cuteSimRaceFind(op, offset, "writes", "wrote", lastWriter(cell));
  else if (reader.word && !more)
    cuteSimRaceFindReuse(op, offset, reader);
  else if (reader.word)
    cuteSimRaceFind(op, offset, "writes", "read", reader);
  else
    return true;
  return false;
}

static void setWriter(const CuteSimSite *site, Cell *cell, uint32_t writer,
                      bool isComing) {
  cell->writer = writer;
  cell->writeSite = site->number;
  cell->isComing = isComing;
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
  CuteSimReader reader = {0};
  if (access != CUTE_SIM_ORDERED_READ)
    reader = unknownReader(op.thread, cell);
  if (cell->numCopies && access != CUTE_SIM_ORDERED_READ)
    cuteSimRaceFindEarly(op, CUTE_SIM_RACE_LEAVING, offset, "writes",
                         lastReader(cell));
  else if (cell->isComing)
    cuteSimRaceFindEarly(op, CUTE_SIM_RACE_PENDING, offset, verb,
                         lastWriter(cell));
  else if (!cell->writer && access == CUTE_SIM_ATOMIC)
    cuteSimFind(
        op,
        "uninitialised: changes shared memory at offset %zu%s, which no thread "
        "has written; set it before, and write gpu.barrier between them",
        offset, cuteSimNameShared(op.thread, offset).text);
  else if (cell->writer && !cell->isAtomic &&
           !cuteSimShadowIsKnown(op.thread, cell->writer))
    cuteSimRaceFind(op, offset, verb, "wrote", lastWriter(cell));
  else if (cuteSimClockIsOfProducts(op.thread, threadOf(reader.word)))
    cuteSimRaceFindEarly(op, CUTE_SIM_RACE_PRODUCT, offset, "writes", reader);
  else if (reader.word)
    cuteSimRaceFind(op, offset, verb, "read", reader);
}

static void accessOrdered(CuteSimOp op, uint64_t address, size_t bytes,
                          CuteSimAccess access) {
  Cell *cells = cellsOf(op.thread->cluster, address);
  for (size_t i = 0; i < bytes; ++i)
    checkOrdered(op, address % CUTE_SIM_WINDOW + i, &cells[i], access);
  cuteSimShadowComplete(op.thread->cluster, address);
  cuteSimShadowAcquire(op.thread, address, false);
  uint32_t now = wordOf(op.thread, op.thread->epoch);
  cuteSimShadowRelease(op.thread, address);
  for (size_t i = 0; i < bytes && access != CUTE_SIM_ORDERED_READ; ++i) {
    setWriter(op.site, &cells[i], now, false);
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
  for (size_t i = 0; i < bytes;) {
    Cell before = cells[i];
    bool isClean;
    if (access == CUTE_SIM_READ) {
      isClean = readCell(op, offset + i, &cells[i], now);
    } else {
      isClean = checkWrite(op, address + i, bytes - i, &cells[i]);
      setWriter(op.site, &cells[i], now, false);
      cells[i].isStored = true;
    }
    i += repeat(&cells[i], before, isClean ? bytes - i : 1);
  }
}

void cuteSimShadowTest(CuteSimOp op, uint64_t address) {
  Cell *cell = cellsOf(op.thread->cluster, address);
  checkRead(op, address % CUTE_SIM_WINDOW, cell);
  cell->reader = wordOf(op.thread, op.thread->epoch);
  cell->readSite = op.site->number;
}

bool cuteSimShadowIsRead(CuteSimOp op, uint64_t address, size_t bytes) {
  const Cell *cells = cellsOf(op.thread->cluster, address);
  bool isRead = false;
  for (size_t i = 0; i < bytes; ++i)
    isRead |= unknownReader(op.thread, &cells[i]).word;
  return isRead;
}

const CuteSimSite *cuteSimShadowGetWriter(CuteSimOp op, uint64_t address,
                                          const CuteSimThread **thread) {
  const CuteSimCluster *cluster = op.thread->cluster;
  bool isInside = cuteSimClusterGetRank(cluster, address) >= 0 &&
                  address % CUTE_SIM_WINDOW < cluster->shadow->bytes;
  const Cell *cell = isInside ? cellsOf(cluster, address) : NULL;
  uint32_t number = cell ? threadOf(cell->writer) : 0;
  bool isThread = number < (uint32_t)cuteSimClusterGetThreads(cluster);
  *thread = isThread ? &cluster->threads[number] : NULL;
  return cell && cell->writer ? siteOf(op.site, cell->writeSite) : NULL;
}

static bool isFenced(const CuteSimThread *thread, const Cell *cell) {
  return !cell->isStored || !cuteSimShadowIsKnown(thread, cell->writer) ||
         cuteSimShadowHas(thread, CUTE_SIM_FENCED, cell->writer);
}

void cuteSimShadowCheckInit(CuteSimOp op, uint64_t address) {
  const Cell *cell = cellsOf(op.thread->cluster, address);
  const CuteSimSite *other = cell ? siteOf(op.site, cell->writeSite) : NULL;
  if (!other || other->function != cuteSimMbarrierInitialize ||
      isFenced(op.thread, cell) || isKnownInit(op, cell))
    return;
  cuteSimRaceFindEarly(op, CUTE_SIM_RACE_INIT, address % CUTE_SIM_WINDOW,
                       "arrives", lastWriter(cell));
}

void cuteSimShadowCheckFence(CuteSimOp op, uint64_t address, size_t bytes) {
  const Cell *cells = cellsOf(op.thread->cluster, address);
  size_t offset = address % CUTE_SIM_WINDOW, i = 0;
  while (cells && i < bytes && isFenced(op.thread, &cells[i]))
    ++i;
  if (!cells || i == bytes)
    return;
  cuteSimRaceFindEarly(op, CUTE_SIM_RACE_FENCE, offset + i, "reads",
                       lastWriter(&cells[i]));
}

void cuteSimShadowStartRead(CuteSimOp op, uint64_t address, size_t bytes) {
  Cell *cells = cellsOf(op.thread->cluster, address);
  uint32_t now = wordOf(op.thread, op.thread->epoch);
  for (size_t i = 0; i < bytes;) {
    Cell before = cells[i];
    bool isClean = readCell(op, address % CUTE_SIM_WINDOW + i, &cells[i], now);
    if (cells[i].numCopies < UINT8_MAX)
      ++cells[i].numCopies;
    i += repeat(&cells[i], before, isClean ? bytes - i : 1);
  }
}

void cuteSimShadowEndRead(CuteSimOp op, uint64_t address, size_t bytes,
                          uint32_t epoch) {
  Cell *cells = cellsOf(op.thread->cluster, address);
  for (size_t i = 0; cells && i < bytes;) {
    Cell before = cells[i];
    if (before.numCopies) {
      --cells[i].numCopies;
      addReader(op.thread, &cells[i], wordOf(op.thread, epoch),
                op.site->number);
    }
    i += repeat(&cells[i], before, bytes - i);
  }
}

// Tells whether a load by a thread may be under way when the thread at hand
// starts a copy, though that knows of it: neither the thread nor anybody after
// it has fenced, and what it has released by is an arrival, which waits for
// none.
static bool isUnderWay(CuteSimOp op, CuteSimReader reader) {
  const CuteSimSite *site = reader.word ? siteOf(op.site, reader.site) : NULL;
  return site && site->words & CUTE_SIM_LEFT &&
         cuteSimShadowIsKnown(op.thread, reader.word) &&
         !cuteSimShadowHas(op.thread, CUTE_SIM_FENCED, reader.word) &&
         !cuteSimShadowHas(op.thread, CUTE_SIM_LOADS, reader.word);
}

// Checks the bytes that the asynchronous proxy writes against loads of threads.
static bool checkLoads(CuteSimOp op, size_t offset, const Cell *cell) {
  const CuteSimReaders *readers = &op.thread->cluster->shadow->readers;
  CuteSimReader reader = lastReader(cell);
  for (uint32_t i = cell->others; i && !isUnderWay(op, reader); i = reader.next)
    reader = readers->data[i];
  if (!isUnderWay(op, reader))
    return true;
  cuteSimRaceFindEarly(op, CUTE_SIM_RACE_LOAD, offset, "writes", reader);
  return false;
}

void cuteSimShadowStart(CuteSimOp op, uint64_t address, size_t bytes) {
  Cell *cells = cellsOf(op.thread->cluster, address);
  uint32_t now = wordOf(op.thread, op.thread->epoch);
  closeOverwrite(op.thread->cluster->shadow);
  op.thread->cluster->shadow->copy = op.site;
  for (size_t i = 0; i < bytes;) {
    Cell before = cells[i];
    bool isClean = checkWrite(op, address + i, 0, &cells[i]);
    if (op.site->words & CUTE_SIM_BULK)
      isClean &= checkLoads(op, address % CUTE_SIM_WINDOW + i, &cells[i]);
    setWriter(op.site, &cells[i], now, true);
    i += repeat(&cells[i], before, isClean ? bytes - i : 1);
  }
}

void cuteSimShadowArrive(CuteSimOp op, uint64_t address, size_t bytes,
                         uint32_t word) {
  Cell *cells = cellsOf(op.thread->cluster, address);
  closeOverwrite(op.thread->cluster->shadow);
  for (size_t i = 0; cells && i < bytes; ++i)
    setWriter(op.site, &cells[i], word, false);
}
