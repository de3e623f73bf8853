#include "Simulator/checks/shadow_races.h"
#include "Simulator/async/mbarrier_operations.h"
#include "Simulator/checks/findings.h"
#include "Simulator/checks/shadow.h"
#include "Simulator/checks/tensor_names.h"
#include "Simulator/ptx/operation_table.h"

typedef struct Name {
  char text[64];
} Name;

// Names the thread of a word: "thread 3", "thread 3 of block 1 of the cluster".
static Name nameThread(const CuteSimThread *thread, uint32_t word) {
  int perBlock = thread->block->numThreads,
      number = (int)cuteSimShadowThreadOf(word);
  int rank = number / perBlock, index = number % perBlock;
  Name name = {"a copy"};
  if (cuteSimClockIsOfCopies(thread, cuteSimShadowThreadOf(word)))
    return name;
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
  uint32_t number = cuteSimShadowThreadOf(word);
  int perBlock = thread->block->numThreads;
  bool hasArrived = cuteSimShadowIsIn(thread->block->arrivals, word);
  if (cuteSimClockIsOfCopies(thread, number))
    return "a wait for its mbarrier (cute.mbarrier_wait, cute.consumer_wait)";
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

void cuteSimRaceFind(CuteSimOp op, size_t offset, const char *verb,
                     const char *otherVerb, CuteSimReader last) {
  const CuteSimSite *other = siteOf(op.site, last.site);
  cuteSimFindPair(op, other,
                  "race: %s shared memory at offset %zu%s, which %s %s on line "
                  "%u, with no barrier between them; write %s between them",
                  verb, offset, cuteSimNameShared(op.thread, offset).text,
                  nameThread(op.thread, last.word).text, otherVerb,
                  lineOf(other), orderFor(op.thread, last.word, other));
}

void cuteSimRaceFindReuse(CuteSimOp op, size_t offset, CuteSimReader reader) {
  const CuteSimSite *other = siteOf(op.site, reader.site);
  bool isBulk = op.site->words & CUTE_SIM_BULK;
  cuteSimFindPair(
      op, other,
      "reused too early: copies to shared memory at offset %zu%s, which %s "
      "read on line %u, perhaps after that; %s%s%s",
      offset, cuteSimNameShared(op.thread, offset).text,
      nameThread(op.thread, reader.word).text, lineOf(other),
      isBulk ? "let who reads arrive at an mbarrier (cute.consumer_release), "
               "and wait for it before the copy (cute.producer_acquire)"
             : "write ",
      isBulk ? "" : orderFor(op.thread, reader.word, other),
      isBulk ? "" : " between them");
}

// The verb, the place and the other access with its line; "%.0s" leaves out
// whose that is.
static const char *const early[] = {
    [CUTE_SIM_RACE_PENDING] =
        "too early: %s shared memory at offset %zu%s, to which a copy that %s "
        "started on line %u has not arrived; wait for it before",
    [CUTE_SIM_RACE_LEAVING] =
        "too early: %s shared memory at offset %zu%s, which a copy or product "
        "that %s started on line %u may still read; let it wait for that "
        "before",
    [CUTE_SIM_RACE_PRODUCT] =
        "too early: %s shared memory at offset %zu%s, which the product%.0s of "
        "line %u may still read; let its warpgroup wait for it "
        "(cute.warpgroup_wait) before the arrival or barrier that allows the "
        "write",
    [CUTE_SIM_RACE_LOAD] =
        "no proxy fence: the asynchronous proxy %s shared memory at offset "
        "%zu%s, which %s read on line %u; an arrival at an mbarrier does not "
        "wait for loads that are under way: write "
        "cute.fence_proxy<\"async.shared\"> between the read and the arrival",
    [CUTE_SIM_RACE_FENCE] =
        "no proxy fence: the asynchronous proxy %s shared memory at offset "
        "%zu%s, which %s wrote on line %u; write "
        "cute.fence_proxy<\"async.shared\"> between them, before the barrier",
    [CUTE_SIM_RACE_INIT] =
        "no proxy fence: the asynchronous proxy %s at the mbarrier at offset "
        "%zu%s, which %s initialized on line %u; write "
        "cute.fence_mbarrier_init after that, before the barrier",
};

void cuteSimRaceFindEarly(CuteSimOp op, CuteSimRaceKind kind, size_t offset,
                          const char *verb, CuteSimReader last) {
  const CuteSimSite *other = siteOf(op.site, last.site);
  cuteSimFindPair(op, other, early[kind], verb, offset,
                  cuteSimNameShared(op.thread, offset).text,
                  nameThread(op.thread, last.word).text, lineOf(other));
}
