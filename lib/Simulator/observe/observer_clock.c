// The clock of a run that is observed, and its events.
#include "Simulator/observe/observer_state.h"

static double larger(double a, double b) { return a > b ? a : b; }

static bool traces(const CuteSimThread *thread) {
  const CuteSimObserver *observer = thread->cluster->observer;
  return observer && observer->traces;
}

// Products are events of the first warp of the warpgroup.
static void add(const CuteSimThread *thread, CuteSimEvent event) {
  enum { WARPS = 4 };
  CuteSimObserver *observer = thread->cluster->observer;
  event.block = thread->block->number;
  event.track = thread->index / CUTE_SIM_WARP;
  if (event.kind == CUTE_SIM_EVENT_PRODUCT)
    event.track -= event.track % WARPS;
  cuteSimTimelineAdd(&observer->trace, event);
}

//===-- Steps -------------------------------------------------------------===//

// Adds what a warp does, to the event before if that is of the same line.
static void addWork(const CuteSimThread *thread, uint32_t place, double start,
                    double end) {
  CuteSimTimeline *trace = &thread->cluster->observer->trace;
  size_t *latest = &thread->warp->latestEvent;
  CuteSimEvent *event = *latest ? &trace->data[*latest - 1] : NULL;
  if (event && event->place == place && event->end >= start) {
    event->end = end;
    return;
  }
  add(thread, (CuteSimEvent){.kind = CUTE_SIM_EVENT_WORK,
                             .place = place,
                             .start = start,
                             .end = end});
  *latest = trace->isFull ? 0 : trace->count;
}

static void addWait(const CuteSimThread *thread, double start, double end) {
  const CuteSimSite *site = thread->waitedAt;
  add(thread, (CuteSimEvent){.kind = CUTE_SIM_EVENT_WAIT,
                             .place = site ? site->place : 0,
                             .name = site ? site->name : "a lane",
                             .start = start,
                             .end = end});
}

void cuteSimObserverAdvance(CuteSimWarp *warp, uint32_t lanes,
                            const CuteSimStep *step) {
  const CuteSimThread *late = NULL;
  double time = warp->time;
  for (int i = 0; i < CUTE_SIM_WARP; ++i)
    if (lanes >> i & 1 && warp->threads[i].time > time) {
      late = &warp->threads[i];
      time = late->time;
    }
  if (late && late->waitedAt)
    addWait(late, warp->time, time);
  for (uint32_t i = 0; i < step->numWork; ++i) {
    const CuteSimWork *work = &step->work[i];
    addWork(warp->threads, work->place, time, time + work->steps);
    time += work->steps;
  }
  warp->time = time;
  CUTE_SIM_FOR_LANES(i, lanes)
    warp->threads[i].time = time;
}

//===-- Copies and products -----------------------------------------------===//

// Adds a copy, to one of the same line that a lane of the warp started in the
// same step.
static void addCopy(const CuteSimThread *thread, CuteSimEvent copy) {
  enum { RECENT = 64 };
  CuteSimTimeline *trace = &thread->cluster->observer->trace;
  for (size_t i = 1; i <= RECENT && i <= trace->count; ++i) {
    CuteSimEvent *e = &trace->data[trace->count - i];
    if (e->kind == CUTE_SIM_EVENT_COPY && e->place == copy.place &&
        e->start >= copy.start && e->block == thread->block->number &&
        e->track == thread->index / CUTE_SIM_WARP) {
      e->end = copy.end;
      e->number += copy.number;
      return;
    }
  }
  add(thread, copy);
}

double cuteSimObserveCopyStart(CuteSimOp op, uint64_t bytes) {
  CuteSimBlock *block = op.thread->block;
  if (!traces(op.thread))
    return 0;
  double first = op.thread->time + CUTE_SIM_COPY_LATENCY;
  block->copiesEnd =
      larger(block->copiesEnd, first) + (double)bytes / CUTE_SIM_COPY_BYTES;
  addCopy(op.thread, (CuteSimEvent){.kind = CUTE_SIM_EVENT_COPY,
                                    .place = op.site->place,
                                    .name = op.site->name,
                                    .number = (int64_t)bytes,
                                    .start = op.thread->time,
                                    .end = block->copiesEnd});
  return block->copiesEnd;
}

void cuteSimObserveProduct(CuteSimOp op, double operations) {
  CuteSimBlock *block = op.thread->block;
  if (!traces(op.thread))
    return;
  double start = larger(block->productsEnd, op.thread->time);
  block->productsEnd = start + operations / CUTE_SIM_WGMMA_OPERATIONS;
  op.thread->arrival = block->productsEnd;
  add(op.thread, (CuteSimEvent){.kind = CUTE_SIM_EVENT_PRODUCT,
                                .place = op.site->place,
                                .name = op.site->name,
                                .start = start,
                                .end = block->productsEnd});
}

void cuteSimObservePhase(const CuteSimThread *thread, uint64_t address,
                         double end) {
  const CuteSimCluster *cluster = thread->cluster;
  if (!traces(thread))
    return;
  int rank = cuteSimClusterGetRank(cluster, address);
  cuteSimTimelineAdd(
      &cluster->observer->trace,
      (CuteSimEvent){.kind = CUTE_SIM_EVENT_PHASE,
                     .block = cluster->blocks[rank].number,
                     .track = (int64_t)(address % CUTE_SIM_WINDOW),
                     .end = end});
}
