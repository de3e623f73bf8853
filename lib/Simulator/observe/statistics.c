#include "Simulator/observe/statistics.h"
#include "Support/arena.h"
#include "Support/growing_array.h"

void cuteSimStatisticsDestroy(CuteSimStatistics *s) {
  free(s->places);
  free(s->counts);
  free(s->trace.data);
}

// Instructions of a line follow each other.
uint32_t cuteSimStatisticsAddPlace(CuteSimStatistics *s, const char *file,
                                   unsigned line) {
  if (!file || !line)
    return 0;
  for (size_t i = s->numPlaces; i-- > 0;)
    if (s->places[i].line == line && !strcmp(s->places[i].file, file))
      return (uint32_t)i + 1;
  CUTE_PUSH(s->places, s->numPlaces, s->capacity, (CuteSimPlace){file, line});
  return (uint32_t)s->numPlaces;
}

CuteSimCounts *cuteSimCountsCreate(const CuteSimStatistics *s) {
  return cuteAllocateZeros(s->numPlaces + 1, sizeof(CuteSimCounts));
}

static bool isWorse(CuteCost a, CuteCost b) {
  return !b.least || a.taken * b.least > b.taken * a.least;
}

static CuteCost costOf(CuteSimTraffic traffic, const CuteSimRequest *request) {
  bool active[CUTE_SIM_REQUEST_LANES];
  for (int i = 0; i < CUTE_SIM_REQUEST_LANES; ++i)
    active[i] = request->lanes >> i & 1;
  CuteRequest r = {CUTE_SIM_REQUEST_LANES, request->bytes, request->addresses,
                   active};
  return traffic <= CUTE_SIM_SHARED_WRITE ? cuteCostOfBanks(&r)
                                          : cuteCostOfSectors(&r);
}

void cuteSimCountsAddRequest(CuteSimCounts *counts, CuteSimTraffic traffic,
                             const CuteSimRequest *request) {
  CuteSimTrafficCounts *t = &counts->traffic[traffic];
  CuteCost cost = costOf(traffic, request);
  ++t->requests;
  t->bytes += __builtin_popcount(request->lanes) * (int64_t)request->bytes;
  t->cost.taken += cost.taken;
  t->cost.least += cost.least;
  if (isWorse(cost, t->worstCost)) {
    t->worstCost = cost;
    t->worst = *request;
  }
}

void cuteSimCountsAdd(CuteSimCounts *to, const CuteSimCounts *from) {
  to->instructions += from->instructions;
  to->operations += from->operations;
  for (int i = 0; i < CUTE_SIM_TRAFFICS; ++i) {
    CuteSimTrafficCounts *a = &to->traffic[i];
    const CuteSimTrafficCounts *b = &from->traffic[i];
    a->requests += b->requests;
    a->bytes += b->bytes;
    a->copied += b->copied;
    a->cost.taken += b->cost.taken;
    a->cost.least += b->cost.least;
    if (b->requests && isWorse(b->worstCost, a->worstCost)) {
      a->worstCost = b->worstCost;
      a->worst = b->worst;
    }
  }
}

//===-- Timelines ---------------------------------------------------------===//

enum { MOST = 1 << 20 };

void cuteSimTimelineAdd(CuteSimTimeline *trace, CuteSimEvent event) {
  if (trace->count < MOST)
    CUTE_PUSH(trace->data, trace->count, trace->capacity, event);
  else
    trace->isFull = true;
}

void cuteSimTimelineJoin(CuteSimTimeline *trace, const CuteSimTimeline *other) {
  for (size_t i = 0; i < other->count; ++i)
    cuteSimTimelineAdd(trace, other->data[i]);
  trace->isFull |= other->isFull;
}
