#include "Prove/intervals.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_PERIOD = 16, MAX_FIRST = 2, MAX_UNROLLED = 8, MAX_NODES = 2048 };

//===-- Rounds ------------------------------------------------------------===//

static bool isIn(const CuteReach *reach, const CuteRound *round) {
  for (const CuteRound *r = reach->rounds; r; r = r->outer)
    if (r == round)
      return true;
  return false;
}

static bool uses(CuteTerms *terms, CuteTerm term, const CuteSymbol *symbol) {
  return cuteConditionGetTermMarks(terms, term)[symbol->id];
}

// Tells whether rounds from `first` on touch the same if they are a multiple of
// a period apart.
static bool isPeriod(CuteProver *prover, const CuteRound *round, int64_t first,
                     int64_t period) {
  CuteTerms *terms = &prover->terms;
  size_t n = terms->count;
  CuteTerm *to = cuteTermsMakeTable(terms);
  to[round->symbol->id] = cuteTermAddConstant(
      terms,
      cuteTermScale(terms, cuteTermGetSymbol(terms, round->symbol), period),
      first);
  for (size_t i = 0; i < prover->numReaches; ++i) {
    const CuteReach *reach = &prover->reaches[i];
    if (reach->place->kind == CUTE_PLACE_SHARED && isIn(reach, round) &&
        uses(terms, reach->offset, round->symbol) &&
        uses(terms, cuteTermRename(terms, reach->offset, to, n), round->symbol))
      return false;
  }
  return true;
}

// A loop of a few rounds is followed for each; one without a period is taken
// for one that has all rounds alike, whose addresses are not known.
static void findPeriod(CuteProver *prover, CuteRound *round) {
  if (round->trips.low == round->trips.high && round->trips.low > 0 &&
      round->trips.high <= MAX_UNROLLED) {
    round->first = round->trips.high;
    return;
  }
  for (round->first = 0; round->first <= MAX_FIRST; ++round->first)
    for (round->period = 1; round->period <= MAX_PERIOD; ++round->period)
      if (isPeriod(prover, round, round->first, round->period))
        return;
  round->first = 0;
  round->period = 1;
}

//===-- Nodes -------------------------------------------------------------===//

// The innermost loop from one on that is cut.
static const CuteRound *cutFrom(const CuteRound *round) {
  while (round && !round->isCut)
    round = round->outer;
  return round;
}

static const CuteRound *loopOf(const CuteIntervals *intervals, size_t segment) {
  return cutFrom(intervals->prover->segments[segment]);
}

static size_t roundsOf(const CuteRound *round) {
  return (size_t)(round->first + round->period);
}

static size_t countNodes(const CuteRound *round) {
  size_t count = 1;
  for (; round && count <= MAX_NODES; round = cutFrom(round->outer))
    count *= roundsOf(round);
  return count;
}

int64_t cuteIntervalsGetRound(const CuteIntervals *intervals, size_t node,
                              const CuteRound *round) {
  size_t segment = intervals->owner[node];
  size_t number = node - intervals->first[segment];
  const CuteRound *r = loopOf(intervals, segment);
  for (; r != round; r = cutFrom(r->outer))
    number /= roundsOf(r);
  return (int64_t)(number % roundsOf(r));
}

// Finds the node that a step leads to from one. False where there is none: a
// loop ends after its last round, and has no other after that.
static bool follow(const CuteIntervals *intervals, const CuteStep *step,
                   size_t node, size_t *next) {
  const CuteRound *from = loopOf(intervals, step->from);
  const CuteRound *to = loopOf(intervals, step->to);
  size_t number = node - intervals->first[step->from];
  bool isLast = from && (int64_t)(number % roundsOf(from)) + 1 ==
                            from->first + from->period;
  bool ends = from && (from->period || isLast), is = true;
  if (step->kind == CUTE_STEP_BACK) {
    is = !isLast || from->period;
    number = isLast ? number + 1 - (size_t)from->period : number + 1;
  } else if (from != to && to && cutFrom(to->outer) == from) {
    number *= roundsOf(to);
  } else if (from != to) {
    is = ends;
    number /= roundsOf(from);
  }
  *next = intervals->first[step->to] + number;
  return is;
}

//===-- Ways --------------------------------------------------------------===//

// The state of a copy: so many commits after it, or waited for. An access that
// is complete is in the last one.
enum { MAX_COMMITS = 8, ARRIVED, NUM_STATES };

// The state after a step; NUM_STATES where that ends the interval.
static int after(const CuteStep *step, int state) {
  if (state == ARRIVED)
    return step->kind == CUTE_STEP_BARRIER ? NUM_STATES : ARRIVED;
  if (step->kind == CUTE_STEP_COMMIT)
    return state < MAX_COMMITS ? state + 1 : state;
  return step->kind == CUTE_STEP_WAIT && state > step->groups ? ARRIVED : state;
}

static void spread(const CuteIntervals *intervals, size_t node, int state,
                   bool *isSeen) {
  const CuteProver *prover = intervals->prover;
  if (isSeen[node * NUM_STATES + (size_t)state])
    return;
  isSeen[node * NUM_STATES + (size_t)state] = true;
  for (size_t i = 0; i < prover->numSteps; ++i) {
    const CuteStep *step = &prover->steps[i];
    size_t next;
    if (step->from == intervals->owner[node] &&
        after(step, state) != NUM_STATES &&
        follow(intervals, step, node, &next))
      spread(intervals, next, after(step, state), isSeen);
  }
}

// Marks the nodes that one leads to before the interval ends.
static void markReached(const CuteIntervals *intervals, size_t node, int state,
                        bool *isReached) {
  bool *isSeen = cuteAllocate(intervals->count * NUM_STATES);
  memset(isSeen, 0, intervals->count * NUM_STATES);
  spread(intervals, node, state, isSeen);
  for (size_t i = 0; i < intervals->count * NUM_STATES; ++i)
    isReached[i / NUM_STATES] |= isSeen[i];
  free(isSeen);
}

void cuteIntervalsMarkNear(const CuteIntervals *intervals, size_t node,
                           bool isInFlight, bool *isNear) {
  size_t n = intervals->count;
  for (size_t i = 0; i < n; ++i)
    isNear[i] = intervals->isNext[i * n + node];
  markReached(intervals, node, isInFlight ? 0 : ARRIVED, isNear);
}

const char *cuteIntervalsMake(CuteIntervals *intervals, CuteProver *prover) {
  size_t segments = prover->numSegments, count = 0;
  *intervals = (CuteIntervals){
      .prover = prover,
      .first = cuteAllocate((segments + 1) * sizeof *intervals->first),
      .owner = cuteAllocate(MAX_NODES * sizeof *intervals->owner)};
  for (size_t s = 0; s < segments; ++s)
    for (CuteRound *r = prover->segments[s]; r; r = r->outer)
      if (r->isCut && !r->first && !r->period)
        findPeriod(prover, r);
  for (size_t s = 0; s < segments; ++s) {
    size_t nodes = countNodes(loopOf(intervals, s));
    if (count + nodes > MAX_NODES)
      return "loops with many different rounds";
    intervals->first[s] = count;
    for (size_t i = 0; i < nodes; ++i)
      intervals->owner[count++] = s;
  }
  intervals->count = count;
  intervals->isNext = cuteAllocate(count * count + 1);
  memset(intervals->isNext, 0, count * count);
  for (size_t i = 0; i < count; ++i)
    markReached(intervals, i, ARRIVED, intervals->isNext + i * count);
  return NULL;
}

void cuteIntervalsDestroy(CuteIntervals *intervals) {
  free(intervals->first);
  free(intervals->owner);
  free(intervals->isNext);
}
