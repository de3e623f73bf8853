// Bank conflicts of shared memory and sectors of global memory.
#include "Lint/lint.h"
#include "Transforms/memory/swizzle_search.h"

//===-- Costs -------------------------------------------------------------===//

// Sectors of all requests of all warps together, as the caches see them.
static CuteCost costOfAllRequests(const CuteAccess *a, int64_t threads) {
  CUTE_SCOPED(Arena) arena = {0};
  size_t most = a->numRequests * (size_t)threads;
  int64_t *addresses = cuteArenaAllocate(&arena, most * sizeof *addresses);
  bool *active = cuteArenaAllocate(&arena, most);
  CuteRequest all = {0, a->bytes, addresses, active};
  for (size_t i = 0; i < a->numRequests; ++i)
    for (int64_t t = 0; t < threads; ++t) {
      active[all.n] = a->active[t];
      addresses[all.n++] = a->byte[i][t];
    }
  return cuteCostOfSectors(&all);
}

// The cheapest of all samples, so that made up numbers are not to blame.
static CuteCost costOf(const CuteLint *lint, size_t i, bool together) {
  CuteCost best = {0, 0};
  for (int sample = 0; sample < lint->kernel.numSamples; ++sample) {
    if (lint->kernel.accesses[sample].count != lint->kernel.accesses[0].count)
      continue;
    const CuteAccess *a = &lint->kernel.accesses[sample].accesses[i];
    int64_t threads = lint->kernel.follow[sample].threads.count;
    CuteCost cost = together ? costOfAllRequests(a, threads)
                             : cuteAccessGetCost(a, threads, a->byte);
    if (!sample || cost.taken * best.least < best.taken * cost.least)
      best = cost;
  }
  return best;
}

//===-- Messages ----------------------------------------------------------===//

// 4 or 1.5
static void appendRatio(CuteString *text, CuteCost cost) {
  int64_t tenths = (cost.taken * 10 + cost.least / 2) / cost.least;
  cuteStringAppendInt(text, tenths / 10);
  if (tenths % 10)
    cuteStringAppendFormat(text, ".%d", (int)(tenths % 10));
}

static const char *verbOf(const CuteAccess *a) {
  return a->isStore ? "writes" : "reads";
}

// "16 bytes a thread; 4 warps, 2 requests each"
static void appendRequests(CuteString *text, const CuteLint *lint,
                           const CuteAccess *a) {
  int64_t warps =
      (lint->kernel.follow[0].threads.count + CUTE_WARP - 1) / CUTE_WARP;
  cuteStringAppendFormat(text, "%d byte%s a thread; %jd warp%s, %zu request%s",
                         a->bytes, a->bytes == 1 ? "" : "s", warps,
                         warps == 1 ? "" : "s", a->numRequests,
                         a->numRequests == 1 ? "" : "s");
  if (warps > 1)
    cuteStringAppend(text, " each");
}

// Tells whether an earlier warning was of the same memory, and had the advice.
static bool isAdvised(CuteLint *lint, const CuteAccess *a) {
  bool isAdvised = cutePointerMapGet(&lint->advised, a->root.ptr);
  cutePointerMapSet(&lint->advised, a->root.ptr, lint);
  return isAdvised;
}

static void warnOfBanks(CuteLint *lint, const CuteAccess *a, CuteCost cost) {
  CUTE_SCOPED(String) text = {0}, note = {0};
  appendRatio(&text, cost);
  cuteStringAppend(&text, "-way bank conflicts; ");
  appendRequests(&text, lint, a);
  if (!isAdvised(lint, a))
    cuteSwizzleAdvise(&lint->kernel, a, &note);
  cuteLintEmit(lint, a->op, CUTE_SEVERITY_WARNING,
               note.length ? cuteStringGet(&note) : NULL,
               "%s %s shared memory in %jd wavefronts where %jd would do "
               "(%s)",
               a->what, verbOf(a), cost.taken, cost.least,
               cuteStringGet(&text));
}

// The command that draws which thread has what of a tiled copy's tile.
static void appendDrawing(CuteString *note, const CuteLint *lint,
                          const CuteAccess *a) {
  CuteContext c = lint->kernel.context;
  CuteType copy =
      a->part ? cuteDialectGetOperandType(lint->kernel.dialect, a->part->op, 0)
              : NULL;
  if (!cuteTypeIsKind(copy, CUTE_TYPE_TILED_COPY) ||
      copy->tile->kind != TILE_TUPLE)
    return;
  cuteStringAppend(
      note,
      "; to draw which thread has which element: cute-layout show --tv='");
  for (size_t i = 0; i < copy->tile->rank; ++i) {
    CuteTile mode = copy->tile->elements[i];
    cuteStringAppend(note, i ? "," : "(");
    if (mode->kind == TILE_LAYOUT)
      cuteAppendTuple(note, cuteLayoutGetSize(c, mode->layout));
  }
  cuteStringAppend(note, ")' '");
  cuteAppendLayout(note, copy->layout);
  cuteStringAppendChar(note, '\'');
}

static void tellOfSectors(CuteLint *lint, const CuteAccess *a, CuteCost cost,
                          bool isTraffic) {
  CUTE_SCOPED(String) text = {0}, note = {0};
  appendRatio(&text, cost);
  cuteStringAppend(&text, " times as many; ");
  appendRequests(&text, lint, a);
  cuteStringAppend(
      &note,
      isTraffic
          ? "threads with neighbouring numbers should access neighbouring "
            "addresses: let the thread layout run along the mode of stride 1"
          : "other requests use the rest of the sectors, in the cache; wider "
            "accesses, or threads side by side, need fewer requests");
  appendDrawing(&note, lint, a);
  cuteLintEmit(
      lint, a->op, isTraffic ? CUTE_SEVERITY_WARNING : CUTE_SEVERITY_REMARK,
      cuteStringGet(&note),
      "%s %s %jd sectors of global memory where %jd would do (%s)", a->what,
      verbOf(a), cost.taken, cost.least, cuteStringGet(&text));
}

// A quarter more than needed is much.
static bool isMuch(CuteCost cost) {
  return cost.least && cost.taken * 4 >= cost.least * 5;
}

// Warns of sectors. Predicated accesses are fine where the cache makes up for
// it: they are for what is left at the end.
static void lintSectors(CuteLint *lint, size_t i) {
  const CuteAccess *a = &lint->kernel.accesses[0].accesses[i];
  CuteCost cost = costOf(lint, i, false);
  if (!isMuch(cost))
    return;
  bool isTraffic = isMuch(costOf(lint, i, true));
  if (isTraffic || !a->isConditional)
    tellOfSectors(lint, a, cost, isTraffic);
}

static void tellListener(const CuteLint *lint, const CuteAccess *a,
                         CuteCost cost) {
  CUTE_SCOPED(String) text = {0};
  if (cost.taken > cost.least)
    appendRatio(&text, cost);
  cuteStringAppend(&text, cost.taken > cost.least ? "-way bank conflicts"
                                                  : "no bank conflicts");
  lint->listen(lint->listenData, a->op, cost.taken * 1000 / cost.least,
               cuteStringGet(&text));
}

void cuteLintConflicts(CuteLint *lint, size_t i) {
  const CuteAccess *a = &lint->kernel.accesses[0].accesses[i];
  if (a->space == CUTE_GMEM) {
    lintSectors(lint, i);
    return;
  }
  CuteCost cost = costOf(lint, i, false);
  if (lint->listen && cost.least)
    tellListener(lint, a, cost);
  if (cost.taken > cost.least)
    warnOfBanks(lint, a, cost);
}
