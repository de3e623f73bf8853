// Threads without a part, parts without a thread, and what several threads
// write.
#include "Lint/lint.h"
#include "Support/sort.h"

//===-- Threads and parts -------------------------------------------------===//

// The parts of one partition that are taken, by all accesses to them.
typedef struct Taken {
  const CuteThreadPart *part;
  MlirOperation op; // the first access
  bool *isTaken;
  int64_t outside; // threads that have none
  struct Taken *next;
} Taken;

// The tiled copy, tiled MMA or layout.
static MlirValue dividerValue(const CuteLint *lint, MlirOperation op) {
  const CuteOpDecl *decl = cuteDialectGetDecl(lint->kernel.dialect, op);
  return getOperand(op, decl->traits.divider);
}

static const char *dividerOf(const CuteLint *lint, MlirOperation op) {
  CuteType type =
      cuteDialectGetValueType(lint->kernel.dialect, dividerValue(lint, op));
  return cuteTypeIsKind(type, CUTE_TYPE_TILED_COPY)  ? "tiled copy"
         : cuteTypeIsKind(type, CUTE_TYPE_TILED_MMA) ? "tiled MMA"
                                                     : "thread layout";
}

static Taken *findTaken(CuteArena *arena, Taken **all, const CuteAccess *a) {
  Taken **at = all;
  for (; *at; at = &(*at)->next)
    if (mlirOperationEqual((*at)->part->op, a->part->op) &&
        (*at)->part->threads == a->part->threads)
      return *at;
  size_t n = (size_t)a->part->threads;
  *at = cuteArenaAllocate(arena, sizeof **at);
  **at = (Taken){a->part, a->op, cuteArenaAllocate(arena, n), 0, NULL};
  memset((*at)->isTaken, 0, n);
  return *at;
}

static void take(Taken *taken, const CuteAccess *a, int64_t threads) {
  int64_t outside = 0;
  for (int64_t t = 0; t < threads; ++t) {
    int64_t index = a->part->index->values[t];
    if (!a->active[t])
      continue;
    if (index >= 0 && index < a->part->threads)
      taken->isTaken[index] = true;
    else
      ++outside;
  }
  taken->outside = outside > taken->outside ? outside : taken->outside;
}

// False if there is nothing to tell.
static bool tellOfThreads(CuteLint *lint, const Taken *taken, int64_t threads) {
  const char *divider = dividerOf(lint, taken->part->op);
  int64_t size = taken->part->threads, missing = 0, first = -1;
  for (int64_t i = size; i-- > 0;)
    if (!taken->isTaken[i]) {
      ++missing;
      first = i;
    }
  if (taken->outside)
    cuteLintEmit(lint, taken->op, CUTE_SEVERITY_WARNING,
                 "make the block as large as that, or let the others do "
                 "something else (scf.if)",
                 "%jd of the block's %jd threads have no part of the %s, which "
                 "has %jd; they access elements of other threads, or none",
                 taken->outside, threads, divider, size);
  if (missing)
    cuteLintEmit(lint, taken->op, CUTE_SEVERITY_WARNING,
                 "their elements are left out; make the block as large as the "
                 "number of threads that the work is divided among",
                 "%jd of the %jd parts of the %s belong to none of the block's "
                 "%jd threads; the first is thread %jd's",
                 missing, size, divider, threads, first);
  return taken->outside || missing;
}

void cuteLintThreads(CuteLint *lint) {
  if (!lint->kernel.isBlockKnown)
    return;
  CUTE_SCOPED(Arena) arena = {0};
  Taken *all = NULL;
  int64_t threads = lint->kernel.follow[0].threads.count;
  for (size_t i = 0; i < lint->kernel.accesses[0].count; ++i) {
    const CuteAccess *a = &lint->kernel.accesses[0].accesses[i];
    if (a->part)
      take(findTaken(&arena, &all, a), a, threads);
  }
  for (const Taken *taken = all; taken; taken = taken->next) {
    MlirValue divider = dividerValue(lint, taken->part->op);
    if (!cutePointerMapGet(&lint->advised, divider.ptr) &&
        tellOfThreads(lint, taken, threads))
      cutePointerMapSet(&lint->advised, divider.ptr, lint);
  }
}

//===-- Written twice -----------------------------------------------------===//

// Counts the accesses of all threads to addresses that had one before; the
// number of all accesses goes to `all`.
static int64_t countAgain(const CuteAccess *a, int64_t threads, int64_t *all) {
  size_t most = a->numRequests * (size_t)threads, n = 0;
  CUTE_FREED int64_t *addresses =
      cuteAllocate((most ? most : 1) * sizeof *addresses);
  for (size_t i = 0; i < a->numRequests; ++i)
    for (int64_t t = 0; t < threads; ++t)
      if (a->active[t] && t % CUTE_WARP < a->participants)
        addresses[n++] = a->byte[i][t];
  cuteSortNumbers(addresses, n);
  int64_t again = 0;
  for (size_t i = 1; i < n; ++i)
    again += addresses[i] == addresses[i - 1];
  *all = (int64_t)n;
  return again;
}

// The least of all samples.
static int64_t againIn(const CuteLint *lint, size_t i, int64_t *all) {
  int64_t least = INT64_MAX;
  for (int sample = 0; sample < lint->kernel.numSamples; ++sample) {
    if (lint->kernel.accesses[sample].count != lint->kernel.accesses[0].count)
      continue;
    int64_t again = countAgain(&lint->kernel.accesses[sample].accesses[i],
                               lint->kernel.follow[sample].threads.count, all);
    least = again < least ? again : least;
  }
  return least;
}

void cuteLintWrites(CuteLint *lint, size_t i) {
  const CuteAccess *a = &lint->kernel.accesses[0].accesses[i];
  int bits = (int)cuteElementTypeGetBits(a->type->element);
  if (!lint->kernel.isBlockKnown || !a->isStore || a->isReduction ||
      a->isConditional || bits < 8)
    return;
  int64_t all = 0, again = againIn(lint, i, &all);
  if (again)
    cuteLintEmit(
        lint, a->op, CUTE_SEVERITY_WARNING,
        "threads that write one address race, and all writes but one are "
        "wasted; let one thread write (scf.if), or divide the tile among all",
        "%jd of the block's %jd writes of %d byte%s to %s go to "
        "addresses that another of them writes, too",
        again, all, a->bytes, a->bytes == 1 ? "" : "s", a->what);
}
