// Barriers that threads wait at for others that never come.
#include "Lint/lint.h"

static int64_t countThreads(const bool *there, int64_t threads) {
  int64_t count = 0;
  for (int64_t t = 0; t < threads; ++t)
    count += there[t];
  return count;
}

//===-- Of the block ------------------------------------------------------===//

// Tells whether another branch of a choice around the op has a barrier, too.
static bool isMatched(MlirOperation op) {
  for (MlirOperation outer = mlirOperationGetParentOperation(op);
       !mlirOperationIsNull(outer);
       op = outer, outer = mlirOperationGetParentOperation(outer)) {
    MlirRegion own = mlirBlockGetParentRegion(mlirOperationGetBlock(op));
    for (intptr_t i = 0; i < mlirOperationGetNumRegions(outer); ++i) {
      MlirRegion other = mlirOperationGetRegion(outer, i);
      MlirBlock block = mlirRegionGetFirstBlock(other);
      if (mlirRegionEqual(own, other) || mlirBlockIsNull(block))
        continue;
      CUTE_FOR_OPS(inner, block)
        CUTE_FOR_NESTED(in, inner)
          if (cuteMlirIs(in, "gpu.barrier") || cuteMlirIs(in, "nvvm.barrier0"))
            return true;
    }
  }
  return false;
}

static void checkOfBlock(CuteLint *lint, const CuteOrderPoint *point,
                         int64_t threads) {
  int64_t there = countThreads(point->active, threads);
  if (there && there < threads && !isMatched(point->op))
    cuteLintEmit(lint, point->op, CUTE_SEVERITY_WARNING,
                 "take it out of the condition, or let those threads meet at "
                 "a barrier of their own (cute.named_barrier_sync)",
                 "needs all threads of the block, but only %jd of %jd reach "
                 "it, and wait for the others",
                 there, threads);
}

//===-- With a number -----------------------------------------------------===//

enum { NUM_BARRIERS = 16 };

// The threads that get to each barrier, wherever that is, and how many it is
// for, where that is the same everywhere.
typedef struct Named {
  bool there[NUM_BARRIERS][CUTE_MAX_THREADS];
  int64_t participants[NUM_BARRIERS]; // 0: nobody gets there; -1: it varies
} Named;

// The number of a barrier in a thread, 0 if none has it.
static int64_t barrierOf(const CuteOrderPoint *point, int64_t t) {
  int64_t id = point->active[t] ? point->barrier->values[t] : 0;
  return id > 0 && id < NUM_BARRIERS ? id : 0;
}

static void addPoint(Named *named, const CuteOrderPoint *point,
                     int64_t threads) {
  for (int64_t t = 0; t < threads; ++t) {
    int64_t id = barrierOf(point, t), n = point->participants->values[t];
    int64_t *known = &named->participants[id];
    named->there[id][t] = true;
    *known = *known && *known != n ? -1 : n;
  }
}

// Finds all named barriers; false if the numbers of one are not known.
static bool findNamed(Named *named, const CuteLint *lint, int64_t threads) {
  const CuteOrder *order = &lint->kernel.order;
  for (size_t i = 0; i < order->count; ++i) {
    const CuteOrderPoint *point = &order->points[i];
    if (point->kind != CUTE_ORDER_NAMED)
      continue;
    if (!point->barrier || !point->participants || point->barrier->isSampled ||
        point->participants->isSampled)
      return false;
    addPoint(named, point, threads);
  }
  return true;
}

static void checkNamed(CuteLint *lint, const Named *named,
                       const CuteOrderPoint *point, int64_t threads) {
  for (int64_t id = 1; id < NUM_BARRIERS; ++id) {
    int64_t n = named->participants[id], here = 0;
    for (int64_t t = 0; t < threads; ++t)
      here += barrierOf(point, t) == id;
    int64_t ever = countThreads(named->there[id], threads);
    if (!here || n <= 0)
      continue;
    if (ever < n)
      cuteLintEmit(lint, point->op, CUTE_SEVERITY_WARNING,
                   "the number counts threads that wait and threads that only "
                   "arrive (cute.named_barrier_arrive)",
                   "barrier %jd is for %jd threads, but only %jd of the block "
                   "ever reach it: they wait forever",
                   id, n, ever);
    if (here > n && point->isCertain)
      cuteLintEmit(lint, point->op, CUTE_SEVERITY_WARNING,
                   "each group of threads takes a barrier of its own, with "
                   "another number",
                   "barrier %jd is for %jd threads, but %jd reach it, and "
                   "nothing says which of them meet",
                   id, n, here);
  }
}

void cuteLintBarriers(CuteLint *lint) {
  const CuteOrder *order = &lint->kernel.order;
  int64_t threads = lint->kernel.follow[0].threads.count;
  CUTE_FREED Named *named = cuteAllocateZeros(1, sizeof *named);
  bool isKnown = lint->kernel.isBlockKnown && findNamed(named, lint, threads);
  for (size_t i = 0; i < order->count; ++i) {
    const CuteOrderPoint *point = &order->points[i];
    if (point->kind == CUTE_ORDER_BARRIER)
      checkOfBlock(lint, point, threads);
    if (point->kind == CUTE_ORDER_NAMED && isKnown)
      checkNamed(lint, named, point, threads);
  }
}
