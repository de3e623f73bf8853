#include "Simulator/checks/earlier_grids.h"
#include "Simulator/checks/shadow.h"
#include "Simulator/checks/tensor_names.h"
#include "Simulator/machine/launch_run.h"
#include "Simulator/ptx/operation_table.h"

static CuteSimEarlier *earlierOf(CuteSimGlobalShadow *shadow) {
  return cuteSimGlobalShadowGetEarlier(shadow);
}

void cuteSimEarlierForget(CuteSimGlobalShadow **earlier) {
  while (*earlier) {
    CuteSimGlobalShadow *before = earlierOf(*earlier)->before;
    cuteSimGlobalShadowDestroy(*earlier);
    *earlier = before;
  }
}

void cuteSimEarlierTake(const CuteSimLaunch *launch,
                        CuteSimGlobalShadow *shadow) {
  if (!shadow || !launch->mayOverlap)
    cuteSimEarlierForget(launch->earlier);
  if (shadow)
    earlierOf(shadow)->before = *launch->earlier;
  *launch->earlier = NULL;
}

CuteSimGlobalShadow *cuteSimEarlierKeep(CuteSimGlobalShadow *shadow) {
  if (!shadow)
    return NULL;
  CuteSimEarlier *earlier = earlierOf(shadow);
  if (earlier->hasWaited)
    cuteSimEarlierForget(&earlier->before);
  cuteSimGlobalShadowSettle(shadow, earlier->launchesDependents);
  return shadow;
}

void cuteSimGridOrder(CuteSimOp op, CUTE_UNUSED uint64_t *values) {
  CuteSimGlobalShadow *shadow = op.thread->cluster->run->globalShadow;
  if (!shadow)
    return;
  if (strstr(op.site->name, "wait")) {
    op.thread->awaited = cuteSimShadowGetWord(op.thread) + 1;
    atomic_store(&earlierOf(shadow)->hasWaited, true);
  } else {
    atomic_store(&earlierOf(shadow)->launchesDependents, true);
  }
}

// Tells whether a thread has waited, or knows of one in its cluster that has.
static bool hasAwaited(CuteSimThread *thread) {
  CuteSimCluster *cluster = thread->cluster;
  int n = cuteSimClusterGetThreads(cluster);
  for (int i = 0; i < n && !thread->awaited; ++i) {
    const CuteSimThread *other = &cluster->threads[i];
    if (other->awaited && cuteSimShadowIsKnown(thread, other->awaited - 1))
      thread->awaited = cuteSimShadowGetWord(thread) + 1;
  }
  return thread->awaited;
}

static CuteSimTouched touchedAt(CuteSimGlobalShadow *shadow, uint64_t address) {
  const CuteSimShadowPage *page = cuteSimGlobalShadowFindPage(shadow, address);
  return page ? cuteSimGlobalShadowGetTouched(page, address)
              : CUTE_SIM_UNTOUCHED;
}

void cuteSimEarlierCheck(CuteSimOp op, uint64_t address, size_t bytes,
                         CuteSimAccess access) {
  CuteSimGlobalShadow *before =
      earlierOf(op.thread->cluster->run->globalShadow)->before;
  bool reads = access == CUTE_SIM_READ || access == CUTE_SIM_ORDERED_READ;
  if (op.thread->awaited)
    return;
  for (; before; before = earlierOf(before)->before)
    for (uint64_t at = address; at < address + bytes; ++at) {
      CuteSimTouched was = touchedAt(before, at);
      bool isEarly = reads ? was == CUTE_SIM_IS_WRITTEN
                           : was && earlierOf(before)->launchesDependents;
      if (!isEarly || hasAwaited(op.thread))
        continue;
      cuteSimFind(
          op,
          "too early: %s global memory%s, which a kernel before this one %s, "
          "that may not have ended, as this one may begin before (use_pdl, "
          "cute.pdl); write cute.griddepcontrol_wait before the access",
          cuteSimAccessGetVerb(access), cuteSimNameGlobal(op.thread, at).text,
          was == CUTE_SIM_IS_WRITTEN ? "writes" : "reads");
      return;
    }
}
