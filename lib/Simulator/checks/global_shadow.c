#include "Simulator/checks/earlier_grids.h"
#include "Simulator/checks/shadow.h"
#include "Simulator/checks/tensor_names.h"
#include "Simulator/machine/device_memory.h"
#include "Simulator/machine/launch_run.h"
#include "Simulator/machine/resources.h"
#include "Support/arena.h"
#include "Support/pointer_map.h"

enum {
  WORD = 4,
  PAGE = CUTE_SIM_SHADOW_PAGE,
  PAGE_WORDS = PAGE / WORD,
  SHARDS = 64
};

// The last access of a kind to a word.
typedef struct Last {
  uint32_t cluster; // its number plus one; 0: nobody
  uint32_t thread;  // and its epoch, as cuteSimShadowGetWord has them
  uint32_t time;    // atomic operations before it
  uint16_t site;
  uint8_t bytes; // a bit for each
  bool isAtomic;
  bool isBulk;   // by the asynchronous proxy
  bool isComing; // nobody has waited until it can be seen
} Last;

// The last writes and reads of a page of memory, and the first reads that they
// were not ordered after; null where there were none.
typedef struct CuteSimShadowPage {
  Last *writes, *reads, *otherReads;
  uint8_t *written; // of each word the bytes that were, perhaps atomically
  uint8_t *wasRead; // the same, in place of `reads` after the launch
} Page;

// Pages with one lock, as blocks run on several processors.
typedef struct Shard {
  pthread_mutex_t lock;
  CutePointerMap pages;
} Shard;

// The times of a cluster's last fence and atomic operation, of the last writes
// that it has released, and of the last operation that it has acquired from.
typedef struct Order {
  atomic_uint fenced, seen, released, acquired;
  bool acquires; // the last operation
} Order;

struct CuteSimGlobalShadow {
  CuteSimEarlier earlier;
  atomic_uint time; // atomic operations on global memory and fences so far
  Order *orders;    // of each cluster
  Shard shards[SHARDS];
};

CuteSimEarlier *cuteSimGlobalShadowGetEarlier(CuteSimGlobalShadow *shadow) {
  return &shadow->earlier;
}

//===-- Creation ----------------------------------------------------------===//

CuteSimGlobalShadow *cuteSimGlobalShadowCreate(int64_t numClusters) {
  if (numClusters >= UINT32_MAX)
    return NULL;
  Order *orders = calloc((size_t)numClusters, sizeof *orders);
  if (!orders)
    return NULL;
  CuteSimGlobalShadow *shadow = cuteAllocateZeros(1, sizeof *shadow);
  shadow->orders = orders;
  for (int i = 0; i < SHARDS; ++i)
    pthread_mutex_init(&shadow->shards[i].lock, NULL);
  return shadow;
}

static void destroyPage(Page *page) {
  free(page->writes);
  free(page->reads);
  free(page->otherReads);
  free(page->written);
  free(page->wasRead);
  free(page);
}

void cuteSimGlobalShadowDestroy(CuteSimGlobalShadow *shadow) {
  if (!shadow)
    return;
  for (int i = 0; i < SHARDS; ++i) {
    Shard *shard = &shadow->shards[i];
    size_t at = 0;
    for (Page *page; (page = cutePointerMapNext(&shard->pages, &at));)
      destroyPage(page);
    cutePointerMapDestroy(&shard->pages);
    pthread_mutex_destroy(&shard->lock);
  }
  free(shadow->orders);
  free(shadow);
}

// Keeps of a page what was written, and what was read where that is asked for.
static void settlePage(Page *page, bool keepsReads) {
  if (keepsReads && page->reads) {
    page->wasRead = cuteAllocate(PAGE_WORDS);
    for (size_t i = 0; i < PAGE_WORDS; ++i)
      page->wasRead[i] = page->reads[i].bytes;
  }
  free(page->writes);
  free(page->reads);
  free(page->otherReads);
  page->writes = page->reads = page->otherReads = NULL;
}

void cuteSimGlobalShadowSettle(CuteSimGlobalShadow *shadow, bool keepsReads) {
  free(shadow->orders);
  shadow->orders = NULL;
  for (int i = 0; i < SHARDS; ++i) {
    size_t at = 0;
    for (Page *page;
         (page = cutePointerMapNext(&shadow->shards[i].pages, &at));)
      settlePage(page, keepsReads);
  }
}

//===-- Messages ----------------------------------------------------------===//

// The later one of the two accesses of a race.
typedef struct Accessor {
  CuteSimOp op;
  uint64_t address;
  const char *verb;
} Accessor;

static const char *adviceFor(const Accessor *a, const Last *last) {
  const CuteSimBlock *block = a->op.thread->block;
  int other = (int)cuteSimShadowThreadOf(last->thread);
  const Order *orders = block->cluster->run->globalShadow->orders;
  if (last->cluster != block->cluster->number + 1 &&
      orders[last->cluster - 1].seen > last->time &&
      orders[block->cluster->number].seen > last->time)
    return "atomic operations lie between them that are relaxed: make them "
           "acq_rel, or write a fence of the device before the one and after "
           "the other";
  if (last->cluster != block->cluster->number + 1)
    return "blocks run in any order: let one of them do both, use an atomic "
           "operation, or start another kernel between them";
  return other / block->numThreads == block->rank
             ? "write gpu.barrier between them"
             : "write cute.cluster_arrive and cute.cluster_wait between them";
}

static void describe(const Accessor *a, const Last *last, char *text,
                     size_t size) {
  const CuteSimBlock *block = a->op.thread->block;
  int perBlock = block->numThreads;
  int other = (int)cuteSimShadowThreadOf(last->thread);
  int64_t cluster = (int64_t)last->cluster - 1;
  if (block->cluster->numBlocks > 1)
    snprintf(text, size, "thread %d of block %d of cluster %jd",
             other % perBlock, other / perBlock, cluster);
  else if (cluster != block->cluster->number)
    snprintf(text, size, "thread %d of block number %jd", other, cluster);
  else
    snprintf(text, size, "thread %d", other);
}

static const CuteSimSite *siteOf(const Accessor *a, const Last *last) {
  return cuteSimResourcesGetSite(a->op.site->resources, last->site);
}

// Finds a race with the last access, which read or wrote; null: with a write of
// the same statement, whose threads may well write one value.
static void findRace(const Accessor *a, const Last *last, const char *verb) {
  const CuteSimSite *other = siteOf(a, last);
  uint64_t start = 0;
  size_t bytes = 0;
  char who[96];
  cuteSimMemoryFind(a->address, &start, &bytes);
  describe(a, last, who, sizeof who);
  if (!verb) {
    cuteSimFindKind(
        a->op, CUTE_SIM_NOTE,
        "written twice: writes global memory at byte %ju of an allocation of "
        "%zu bytes%s, as %s does; which value stays is not known",
        a->address - start, bytes,
        cuteSimNameGlobal(a->op.thread, a->address).text, who);
    return;
  }
  cuteSimFindPair(
      a->op, other,
      "race: %s global memory at byte %ju of an allocation of %zu bytes%s, "
      "which %s %s on line %u, and nothing orders the two; %s",
      a->verb, (a->address - start), bytes,
      cuteSimNameGlobal(a->op.thread, a->address).text, who, verb,
      other ? other->line : 0, adviceFor(a, last));
}

//===-- Accesses ----------------------------------------------------------===//

// Tells whether nothing orders an access after the last one. A volatile or
// relaxed read returns nothing older than what was seen.
static bool isUnordered(const CuteSimThread *thread, const Last *last,
                        uint8_t bytes, bool isVolatile) {
  const CuteSimCluster *cluster = thread->cluster;
  const Order *orders = cluster->run->globalShadow->orders;
  const Order *own = &orders[cluster->number];
  if (!last->cluster || !(last->bytes & bytes))
    return false;
  if (last->cluster == cluster->number + 1)
    return !cuteSimShadowIsKnown(thread, last->thread);
  return atomic_load(&orders[last->cluster - 1].released) <= last->time ||
         atomic_load(isVolatile ? &own->seen : &own->acquired) <= last->time;
}

// Finds what an access does too early after a write that comes before it: a
// bulk copy to the word has not been waited for, or one from it sees no plain
// write without a proxy fence.
static void checkWritten(const Accessor *a, const Last *write, Last now) {
  const CuteSimThread *thread = a->op.thread;
  const CuteSimSite *other = siteOf(a, write);
  bool isOfCluster = write->cluster == now.cluster;
  if (!(write->bytes & now.bytes))
    return;
  if (write->isComing)
    cuteSimFindPair(a->op, other,
                    "too early: %s global memory%s, where the copy of line %u "
                    "may not be seen yet; let the thread that started it wait "
                    "for it (cute.cp_async_bulk_wait<0>, which does not end at "
                    "the read of shared memory), and write a barrier between",
                    a->verb, cuteSimNameGlobal(a->op.thread, a->address).text,
                    other ? other->line : 0);
  else if (now.isBulk && isOfCluster && !write->isBulk && !write->isAtomic &&
           !thread->cluster->hasFencedGlobal &&
           !cuteSimShadowHas(thread, CUTE_SIM_FENCED, write->thread))
    cuteSimFindPair(
        a->op, other,
        "no proxy fence: the asynchronous proxy %s global memory%s, to which "
        "thread %u wrote on line %u; write cute.fence_proxy<\"async\"> between "
        "them, before the barrier",
        a->verb, cuteSimNameGlobal(a->op.thread, a->address).text,
        cuteSimShadowThreadOf(write->thread) %
            (unsigned)thread->block->numThreads,
        other ? other->line : 0);
}

static Last *lastsOf(Last **lasts) {
  if (!*lasts)
    *lasts = cuteAllocateZeros(PAGE_WORDS, sizeof **lasts);
  return *lasts;
}

static void markWritten(Page *page, size_t word, uint8_t bytes) {
  if (!page->written)
    page->written = cuteAllocateZeros(PAGE_WORDS, 1);
  page->written[word] |= bytes;
}

// Notes that the thread read plainly what it swaps now.
static void guess(const Accessor *a, const Last *last, const Last *now) {
  if (last->cluster == now->cluster &&
      cuteSimShadowThreadOf(last->thread) == cuteSimShadowThreadOf(now->thread))
    cuteSimFindGuess(a->op.thread->cluster->run,
                     (CuteSimGuess){siteOf(a, last), a->op.site});
}

// Finds reads of the word before a write or an atomic change of it.
static void checkReads(const Accessor *a, const Page *page, size_t word,
                       const Last *now, bool swaps) {
  const Last *const reads[] = {page->reads, page->otherReads};
  for (int i = 0; i < 2; ++i) {
    const Last *last = reads[i] ? &reads[i][word] : NULL;
    if (last && isUnordered(a->op.thread, last, now->bytes, false))
      findRace(a, last, "read");
    if (last && swaps)
      guess(a, last, now);
  }
}

static void write(const Accessor *a, Page *page, size_t word, Last now) {
  const Last *write = page->writes ? &page->writes[word] : NULL;
  bool isSame = write && cuteSimFindIsOfPlace(siteOf(a, write), a->op.site);
  if (write && isUnordered(a->op.thread, write, now.bytes, false))
    findRace(a, write, isSame ? NULL : "wrote");
  else if (write && write->isComing)
    checkWritten(a, write, now);
  checkReads(a, page, word, &now, false);
  markWritten(page, word, now.bytes);
  lastsOf(&page->writes)[word] = now;
}

static void read(const Accessor *a, Page *page, size_t word, Last now) {
  const Last *write = page->writes ? &page->writes[word] : NULL;
  Last *last = &lastsOf(&page->reads)[word];
  Last *first = page->otherReads ? &page->otherReads[word] : NULL;
  if (write && isUnordered(a->op.thread, write, now.bytes, false))
    findRace(a, write, "wrote");
  else if (write)
    checkWritten(a, write, now);
  if (isUnordered(a->op.thread, last, UINT8_MAX, false) &&
      !(first && isUnordered(a->op.thread, first, UINT8_MAX, false)))
    lastsOf(&page->otherReads)[word] = *last;
  *last = now;
}

// An atomic access is ordered with other threads' plain accesses only if
// something earlier orders them.
static void change(const Accessor *a, Page *page, size_t word, Last now,
                   CuteSimAccess access) {
  const Last *write = page->writes ? &page->writes[word] : NULL;
  if (write && !write->isAtomic &&
      isUnordered(a->op.thread, write, now.bytes,
                  access == CUTE_SIM_ORDERED_READ))
    findRace(a, write, "wrote");
  else if (write && !write->isAtomic)
    checkWritten(a, write, now);
  if (access == CUTE_SIM_ORDERED_READ)
    return;
  checkReads(a, page, word, &now, cuteSimSiteIsSwap(a->op.site));
  markWritten(page, word, now.bytes);
  now.isAtomic = true;
  lastsOf(&page->writes)[word] = now;
}

// The bytes of a word that are from `address` on and before `end`.
static uint8_t bytesIn(uint64_t address, uint64_t end) {
  unsigned first = (unsigned)(address % WORD);
  uint64_t left = end - (address - first);
  unsigned past = left < WORD ? (unsigned)left : WORD;
  return (uint8_t)((1u << past) - (1u << first));
}

static Page *pageOf(Shard *shard, uint64_t address) {
  const void *key = (const void *)(uintptr_t)(address / PAGE + 1);
  Page *page = cutePointerMapGet(&shard->pages, key);
  if (!page)
    cutePointerMapSet(&shard->pages, key,
                      page = cuteAllocateZeros(1, sizeof *page));
  return page;
}

// Accesses of the bytes [a->address, end), which are of one page.
static void accessPage(CuteSimGlobalShadow *shadow, Accessor *a, uint64_t end,
                       CuteSimAccess access) {
  Shard *shard = &shadow->shards[a->address / PAGE % SHARDS];
  const CuteSimThread *thread = a->op.thread;
  bool isBulk = a->op.site->words & CUTE_SIM_BULK;
  Last now = {.cluster = (uint32_t)thread->cluster->number + 1,
              .thread = cuteSimShadowGetWord(thread),
              .time = atomic_load(&shadow->time),
              .site = a->op.site->number,
              .isBulk = isBulk,
              .isComing = isBulk && access != CUTE_SIM_READ};
  pthread_mutex_lock(&shard->lock);
  Page *page = pageOf(shard, a->address);
  while (a->address < end) {
    size_t word = a->address % PAGE / WORD;
    now.bytes = bytesIn(a->address, end);
    if (cuteSimAccessIsOrdered(access))
      change(a, page, word, now, access);
    else
      (access == CUTE_SIM_WRITE ? write : read)(a, page, word, now);
    a->address += WORD - a->address % WORD;
  }
  pthread_mutex_unlock(&shard->lock);
}

static void countAtomic(CuteSimGlobalShadow *shadow,
                        const CuteSimCluster *cluster, uint32_t words) {
  Order *order = &shadow->orders[cluster->number];
  uint32_t now = atomic_fetch_add(&shadow->time, 1) + 1;
  order->acquires = words & CUTE_SIM_ACQUIRES;
  atomic_store(&order->seen, now);
  atomic_store(&order->released, words & CUTE_SIM_RELEASES ? now
                                 : order->fenced > order->released
                                     ? order->fenced
                                     : order->released);
  if (order->acquires)
    atomic_store(&order->acquired, now);
}

void cuteSimGlobalShadowFence(const CuteSimCluster *cluster) {
  CuteSimGlobalShadow *shadow = cluster->run->globalShadow;
  if (!shadow)
    return;
  Order *order = &shadow->orders[cluster->number];
  atomic_store(&order->fenced, atomic_fetch_add(&shadow->time, 1) + 1);
  atomic_store(&order->acquired, order->seen);
}

// An atomic operation orders what is around it, in its cluster as if all were
// on one address: what is before it if it releases, or after a fence; what is
// after it if it acquires, or after the next fence.
static void synchronize(CuteSimGlobalShadow *shadow, CuteSimThread *thread,
                        uint32_t words) {
  enum { ADDRESS = 1 };
  CuteSimCluster *cluster = thread->cluster;
  cuteSimShadowComplete(cluster, ADDRESS);
  cuteSimShadowAcquire(thread, ADDRESS, !(words & CUTE_SIM_ACQUIRES));
  if (words & CUTE_SIM_RELEASES || thread->hasFenced)
    cuteSimShadowRelease(thread, ADDRESS);
  countAtomic(shadow, cluster, words);
}

void cuteSimGlobalShadowEndAtomic(CuteSimCluster *cluster) {
  CuteSimGlobalShadow *shadow = cluster->run->globalShadow;
  if (shadow)
    countAtomic(shadow, cluster,
                shadow->orders[cluster->number].acquires ? CUTE_SIM_ACQUIRES
                                                         : 0);
}

void cuteSimGlobalShadowAccess(CuteSimOp op, uint64_t address, size_t bytes,
                               CuteSimAccess access) {
  CuteSimGlobalShadow *shadow = op.thread->cluster->run->globalShadow;
  if (!shadow)
    return;
  if (shadow->earlier.before)
    cuteSimEarlierCheck(op, address, bytes, access);
  Accessor a = {op, address, cuteSimAccessGetVerb(access)};
  for (uint64_t end = address + bytes; a.address < end;) {
    uint64_t pageEnd = a.address - a.address % PAGE + PAGE;
    accessPage(shadow, &a, pageEnd < end ? pageEnd : end, access);
  }
  if (cuteSimAccessIsOrdered(access))
    synchronize(shadow, op.thread, op.site->words);
}

void cuteSimGlobalShadowArrive(CuteSimOp op, uint64_t address, size_t bytes) {
  CuteSimGlobalShadow *shadow = op.thread->cluster->run->globalShadow;
  uint32_t now = cuteSimShadowGetWord(op.thread);
  for (uint64_t at = address; shadow && at < address + bytes;
       at += WORD - at % WORD) {
    Shard *shard = &shadow->shards[at / PAGE % SHARDS];
    pthread_mutex_lock(&shard->lock);
    Last *write = &lastsOf(&pageOf(shard, at)->writes)[at % PAGE / WORD];
    if (write->isComing &&
        write->cluster == (uint32_t)op.thread->cluster->number + 1 &&
        cuteSimShadowThreadOf(write->thread) == op.thread->number) {
      write->isComing = false;
      write->thread = now;
      write->time = atomic_load(&shadow->time);
    }
    pthread_mutex_unlock(&shard->lock);
  }
}

//===-- What was touched --------------------------------------------------===//

const CuteSimShadowPage *
cuteSimGlobalShadowFindPage(const CuteSimGlobalShadow *shadow,
                            uint64_t address) {
  const Shard *shard = &shadow->shards[address / PAGE % SHARDS];
  return cutePointerMapGet(&shard->pages,
                           (const void *)(uintptr_t)(address / PAGE + 1));
}

CuteSimTouched cuteSimGlobalShadowGetTouched(const CuteSimShadowPage *page,
                                             uint64_t address) {
  size_t word = address % PAGE / WORD;
  unsigned byte = 1u << address % WORD;
  bool isRead = page->wasRead ? page->wasRead[word] & byte
                              : page->reads && page->reads[word].bytes & byte;
  return page->written && page->written[word] & byte ? CUTE_SIM_IS_WRITTEN
         : isRead                                    ? CUTE_SIM_IS_READ
                                                     : CUTE_SIM_UNTOUCHED;
}
