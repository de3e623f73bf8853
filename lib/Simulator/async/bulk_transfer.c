#include "Simulator/async/bulk_transfer.h"
#include "Simulator/async/mbarrier_operations.h"
#include "Simulator/async/mbarrier_phases.h"
#include "Simulator/async/pending.h"
#include "Simulator/checks/access.h"
#include "Simulator/checks/global_shadow.h"
#include "Simulator/checks/shadow.h"
#include "Simulator/machine/cluster_end.h"
#include "Simulator/machine/launch_run.h"
#include "Simulator/observe/observer.h"
#include "Support/growing_array.h"

enum { UNIT = 16, BOX_ALIGN = 128 };

//===-- Moving ------------------------------------------------------------===//

static void *at(uint64_t address) { return (void *)(uintptr_t)address; }

static void reduceRun(const CuteSimTransfer *t, uint64_t to, uint64_t from,
                      unsigned bytes) {
  unsigned each = t->type->bits * t->type->count / 8;
  for (unsigned i = 0; i < bytes; i += each) {
    uint64_t value = 0;
    memcpy(&value, at(from + i), each);
    cuteSimReduceAt(t->reduction, t->type, at(to + i), value, 0);
  }
}

static void moveRun(const CuteSimTransfer *t, uint64_t to, uint64_t from,
                    unsigned bytes) {
  if (t->type)
    reduceRun(t, to, from, bytes);
  else
    memcpy(at(to), at(from), bytes);
}

static void fillRun(const CuteSimTransfer *t, uint64_t to, unsigned bytes) {
  unsigned each = cuteSimTensorMapGetElementBytes(&t->map);
  for (unsigned i = 0; i < bytes; i += each)
    cuteSimTensorMapFill(&t->map, at(to + i));
}

// Shared memory has been written or read.
static void endRun(const CuteSimTransfer *t, uint64_t shared, unsigned bytes) {
  if (t->direction == CUTE_SIM_TO_GLOBAL)
    cuteSimShadowEndRead(t->op, shared, bytes, t->op.thread->epoch);
  else
    cuteSimShadowArrive(
        t->op, shared, bytes,
        t->word ? t->word
                : cuteSimShadowMakeWord(t->op.thread->number, t->epoch));
}

static bool isStore(const CuteSimTransfer *t) {
  return t->direction == CUTE_SIM_TO_GLOBAL;
}

// A store takes nothing from where the tensor has no element.
static bool isClipped(const CuteSimTransfer *t, uint64_t global) {
  return isStore(t) && !global;
}

static void visitRun(void *data, uint64_t shared, uint64_t global,
                     unsigned bytes) {
  const CuteSimTransfer *t = data;
  if (isClipped(t, global))
    return;
  endRun(t, shared, bytes);
  if (!global)
    fillRun(t, shared, bytes);
  else if (isStore(t))
    moveRun(t, global, shared, bytes);
  else
    moveRun(t, shared, global, bytes);
}

static uint64_t sharedSide(const CuteSimTransfer *t) {
  return t->direction == CUTE_SIM_TO_GLOBAL ? t->from : t->to;
}

static void visitBox(const CuteSimTransfer *t, CuteSimVisitRun *visit) {
  cuteSimTensorMapVisit(&t->map, t->coords, t->hasOffsets ? t->offsets : NULL,
                        sharedSide(t), visit, (void *)(uintptr_t)t);
}

static void move(const CuteSimTransfer *t) {
  if (t->map.sign)
    visitBox(t, visitRun);
  else {
    endRun(t, sharedSide(t), t->bytes);
    if (t->direction == CUTE_SIM_TO_BLOCK)
      cuteSimShadowEndRead(t->op, t->from, t->bytes, t->epoch);
    moveRun(t, t->to, t->from, t->read);
    memset(at(t->to + t->read), 0, t->bytes - t->read);
  }
}

// The barrier that counts the bytes of a block: its own, or of .cta_group::2
// that of the first or second of its pair, as the barrier's block is in its
// pair.
static uint64_t barrierOf(const CuteSimTransfer *t, int rank) {
  const CuteSimCluster *cluster = t->op.thread->cluster;
  if (t->isOfPair)
    rank = (rank & ~1) | (cuteSimClusterGetRank(cluster, t->barrier) & 1);
  return cuteSimClusterGetPlace(cluster, rank, t->barrier);
}

static void arrive(CuteSimCluster *cluster, void *data) {
  CuteSimTransfer t = *(const CuteSimTransfer *)data;
  uint64_t to = t.to, barrier = t.barrier;
  if (t.direction == CUTE_SIM_TO_BLOCK)
    cuteSimClusterReaches(t.op, t.op.thread->block->rank);
  for (int rank = 0; rank < cluster->numBlocks; ++rank) {
    if (t.blocks && !(t.blocks >> rank & 1))
      continue;
    if (t.blocks) {
      t.to = cuteSimClusterGetPlace(cluster, rank, to);
      barrier = barrierOf(&t, rank);
      cuteSimClusterReaches(t.op, rank);
    }
    t.word = cuteSimPhasesGetCopies(t.op.thread, barrier, t.epoch);
    move(&t);
    t.op.thread->arrival = t.arrival;
    cuteSimShadowPublish(t.op.thread, barrier, t.epoch);
    cuteSimMbarrierCompleteAt(t.op, barrier, t.bytes);
    if (!t.blocks)
      return;
  }
}

//===-- Checks ------------------------------------------------------------===//

static void checkShared(const CuteSimTransfer *t, uint64_t shared,
                        unsigned bytes, size_t align) {
  cuteSimAccessStart(t->op, shared, bytes, align,
                     isStore(t) ? CUTE_SIM_READ : CUTE_SIM_WRITE);
}

// The access of the global side.
static CuteSimAccess accessOf(const CuteSimTransfer *t) {
  if (!isStore(t))
    return CUTE_SIM_READ;
  return t->type ? CUTE_SIM_ATOMIC : CUTE_SIM_WRITE;
}

static void checkRun(void *data, uint64_t shared, uint64_t global,
                     unsigned bytes) {
  const CuteSimTransfer *t = data;
  if (isClipped(t, global))
    return;
  checkShared(t, shared, bytes, 1);
  if (global)
    cuteSimAccessCheck(t->op, global, bytes, 1, accessOf(t));
}

static void checkBox(const CuteSimTransfer *t) {
  uint64_t shared = sharedSide(t);
  if (shared % BOX_ALIGN)
    cuteSimFail(t->op,
                "$: the box is at 0x%jx in shared memory, which is not a "
                "multiple of %d bytes",
                shared, BOX_ALIGN);
  visitBox(t, checkRun);
}

static void checkRuns(const CuteSimTransfer *t) {
  if (t->bytes % UNIT)
    cuteSimFail(t->op, "$: %u bytes, which is not a multiple of %d", t->bytes,
                UNIT);
  if (!t->bytes)
    return;
  checkShared(t, sharedSide(t), t->bytes, UNIT);
  if (t->direction == CUTE_SIM_TO_BLOCK)
    cuteSimAccessStart(t->op, t->from, t->bytes, UNIT, CUTE_SIM_READ);
  else
    cuteSimAccessCheck(t->op, isStore(t) ? t->to : t->from, t->bytes, UNIT,
                       accessOf(t));
}

static void checkBlocks(const CuteSimTransfer *t) {
  const CuteSimCluster *cluster = t->op.thread->cluster;
  if (t->blocks >> cluster->numBlocks)
    cuteSimFail(t->op,
                "$: the mask 0x%x names blocks that the cluster of %d does "
                "not have",
                t->blocks, cluster->numBlocks);
}

static void checkPart(const CuteSimTransfer *t) {
  if (t->map.sign)
    checkBox(t);
  else
    checkRuns(t);
  if (t->barrier) {
    cuteSimMbarrierCheckAt(t->op, t->barrier);
    cuteSimShadowCheckInit(t->op, t->barrier);
  }
}

// All blocks that get the data.
static void check(const CuteSimTransfer *transfer) {
  const CuteSimCluster *cluster = transfer->op.thread->cluster;
  CuteSimTransfer t = *transfer;
  checkBlocks(&t);
  if (!t.blocks)
    checkPart(&t);
  for (int rank = 0; t.blocks && rank < cluster->numBlocks; ++rank) {
    if (!(t.blocks >> rank & 1))
      continue;
    t.to = cuteSimClusterGetPlace(cluster, rank, transfer->to);
    t.barrier = barrierOf(transfer, rank);
    checkPart(&t);
  }
}

//===-- Counting ----------------------------------------------------------===//

// Counts a run of bytes, which is read once if it goes to several blocks.
static void countRun(void *data, CUTE_UNUSED uint64_t shared, uint64_t global,
                     unsigned bytes) {
  const CuteSimTransfer *t = data;
  unsigned blocks = t->blocks ? (unsigned)__builtin_popcount(t->blocks) : 1;
  if (isClipped(t, global))
    return;
  cuteSimObserveCopied(
      t->op, isStore(t) ? CUTE_SIM_SHARED_READ : CUTE_SIM_SHARED_WRITE,
      bytes * blocks);
  if (global && t->direction != CUTE_SIM_TO_BLOCK)
    cuteSimObserveCopied(
        t->op, isStore(t) ? CUTE_SIM_GLOBAL_WRITE : CUTE_SIM_GLOBAL_READ,
        bytes);
}

static void count(const CuteSimTransfer *t) {
  if (!t->op.thread->cluster->observer)
    return;
  if (t->map.sign)
    visitBox(t, countRun);
  else
    countRun((void *)(uintptr_t)t, sharedSide(t), 1, t->bytes);
}

//===-- Starting ----------------------------------------------------------===//

// With a seed, some arrive at once.
void cuteSimTransferStart(const CuteSimTransfer *transfer) {
  CuteSimCluster *cluster = transfer->op.thread->cluster;
  CuteSimTransfer t = *transfer;
  t.read = t.bytes;
  check(&t);
  count(&t);
  t.epoch = t.op.thread->epoch;
  t.arrival = cuteSimObserveCopyStart(t.op, t.bytes);
  if (t.barrier) {
    ++t.op.thread->epoch;
    cuteSimPendingStart(cluster, arrive, &t, sizeof t);
    return;
  }
  t.isRead = cluster->seed && cuteSimRandom(cluster, 2);
  if (t.isRead)
    move(&t);
  cuteSimQueueAdd(CUTE_SIM_STORES, t);
}

//===-- Queues ------------------------------------------------------------===//

void cuteSimQueueAdd(CuteSimQueueKind kind, CuteSimTransfer transfer) {
  CuteSimQueue *queue = cuteSimQueueGet(transfer.op.thread, kind);
  transfer.group = queue->groups;
  CUTE_PUSH(queue->data, queue->count, queue->capacity, transfer);
}

static void finishCopies(CuteSimThread *thread, int64_t end, uint32_t epoch) {
  CuteSimQueue *queue = cuteSimQueueGet(thread, CUTE_SIM_COPIES);
  size_t left = 0;
  for (size_t i = 0; i < queue->count; ++i) {
    CuteSimTransfer *t = &queue->data[i];
    if (t->group >= end && !(t->epoch && t->epoch <= epoch)) {
      queue->data[left++] = *t;
      continue;
    }
    t->epoch = t->epoch ? t->epoch : thread->epoch;
    move(t);
    cuteSimObserveArrival(thread, t->arrival);
  }
  queue->count = left;
}

void cuteSimCopiesWait(CuteSimThread *thread, int64_t end) {
  finishCopies(thread, end, 0);
}

void cuteSimCopiesArrive(CuteSimThread *thread, uint32_t epoch) {
  finishCopies(thread, INT64_MIN, epoch);
}

uint32_t cuteSimCopiesTrack(CuteSimThread *thread) {
  CuteSimQueue *queue = cuteSimQueueGet(thread, CUTE_SIM_COPIES);
  for (size_t i = 0; i < queue->count; ++i)
    if (!queue->data[i].epoch)
      queue->data[i].epoch = thread->epoch;
  return thread->epoch++;
}

static void seeRun(void *data, CUTE_UNUSED uint64_t shared, uint64_t global,
                   unsigned bytes) {
  const CuteSimTransfer *t = data;
  if (global)
    cuteSimGlobalShadowArrive(t->op, global, bytes);
}

static void see(const CuteSimTransfer *t) {
  if (t->map.sign)
    visitBox(t, seeRun);
  else
    cuteSimGlobalShadowArrive(t->op, t->to, t->bytes);
}

void cuteSimStoresWait(CuteSimThread *thread, int64_t end, bool onlyRead) {
  CuteSimQueue *queue = cuteSimQueueGet(thread, CUTE_SIM_STORES);
  size_t left = 0;
  for (size_t i = 0; i < queue->count; ++i) {
    CuteSimTransfer *t = &queue->data[i];
    bool isWaitedFor = t->group < end;
    if (isWaitedFor && !t->isRead) {
      move(t);
      cuteSimObserveArrival(thread, t->arrival);
      t->isRead = true;
    }
    if (isWaitedFor && !onlyRead)
      see(t);
    else
      queue->data[left++] = *t;
  }
  queue->count = left;
}

void cuteSimStoresLeave(CuteSimThread *thread) {
  const CuteSimQueue *stores = cuteSimQueueGet(thread, CUTE_SIM_STORES);
  size_t read = 0;
  while (read < stores->count && stores->data[read].isRead)
    ++read;
  if (read < stores->count && thread->cluster->checks)
    cuteSimFindKind(
        (CuteSimOp){thread, stores->data[read].op.site}, CUTE_SIM_NOTE,
        "the thread ends while its store may still read shared memory, which "
        "the PTX ISA does not say to outlive the block; let it wait "
        "(cute.cp_async_bulk_wait_read<0>) before it ends");
  cuteSimStoresWait(thread, INT64_MAX, true);
}
