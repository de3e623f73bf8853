#include "Prove/intervals.h"

#include "Support/growing_array.h"

enum { MAX_PERIOD = 16, MAX_FIRST = 2, MAX_UNROLLED = 8, MAX_NODES = 2048 };

//===-- Rounds ------------------------------------------------------------===//

int64_t cuteIntervalsCountRounds(const CuteRound *rounds,
                                 CuteRoundCounts *counts, int64_t most) {
  int64_t count = 1;
  for (; rounds && count; rounds = rounds->outer)
    if (counts(rounds)) {
      int64_t own = rounds->symbol->range.high;
      count = own < most && count * (own + 1) <= most ? count * (own + 1) : 0;
    }
  return count;
}

void cuteIntervalsSetCase(CuteValues *values, const CuteProver *prover,
                          const CuteRound *rounds, CuteRoundCounts *counts,
                          int64_t number) {
  ++values->stamp;
  for (int i = 0; i < 3; ++i) {
    cuteValuesSet(values, prover->thread[i], number % prover->blockSize[i]);
    number /= prover->blockSize[i];
  }
  for (; rounds; rounds = rounds->outer)
    if (counts(rounds)) {
      cuteValuesSet(values, rounds->symbol,
                    number % (rounds->symbol->range.high + 1));
      number /= rounds->symbol->range.high + 1;
    }
}

static bool isIn(const CuteRound *rounds, const CuteRound *round) {
  for (; rounds && rounds != round; rounds = rounds->outer)
    ;
  return rounds;
}

// Tells whether a term is the same after the renaming if that is of a period.
static bool isPeriodic(CuteTerm term, const CuteSymbol *round,
                       CuteRenaming to) {
  return !term || !cuteConditionGetTermMarks(term).is[round->id] ||
         !cuteConditionGetTermMarks(cuteTermRename(term, to)).is[round->id];
}

// Tells whether rounds from `first` on do the same if they are a multiple of a
// period apart.
static bool isPeriod(CuteProver *prover, const CuteRound *round, int64_t first,
                     int64_t period) {
  CuteTerms *terms = prover->terms;
  const CuteSymbol *number = round->symbol;
  CuteRenaming to = cuteRenamingCreate(terms);
  to.by[number->id] = cuteTermAddConstant(
      cuteTermScale(cuteTermGetSymbol(number), period), first);
  bool is = true;
  for (size_t i = 0; is && i < prover->numReaches; ++i) {
    const CuteReach *reach = &prover->reaches[i];
    if (reach->place->kind == CUTE_PLACE_SHARED && isIn(reach->rounds, round))
      is = isPeriodic(reach->offset, number, to) &&
           isPeriodic(reach->barrier, number, to);
  }
  for (size_t i = 0; is && i < prover->numSteps; ++i) {
    const CuteStep *step = &prover->steps[i];
    if (isIn(prover->segments[step->from].rounds, round))
      is = isPeriodic(step->barrier, number, to) &&
           isPeriodic(step->parity, number, to);
  }
  return is;
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
  return cutFrom(intervals->prover->segments[segment].rounds);
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

CuteRenaming cuteIntervalsGetRounds(const CuteIntervals *intervals,
                                    size_t node) {
  CuteTerms *terms = intervals->prover->terms;
  CuteRenaming to = cuteRenamingCreate(terms);
  for (const CuteRound *r = loopOf(intervals, intervals->owner[node]); r;
       r = cutFrom(r->outer)) {
    int64_t number = cuteIntervalsGetRound(intervals, node, r);
    to.by[r->symbol->id] =
        cuteTermAddConstant(cuteTermScale(cuteTermGetSymbol(r->symbol),
                                          number < r->first ? 0 : r->period),
                            number);
  }
  return to;
}

//===-- Roles -------------------------------------------------------------===//

enum {
  NOT_OF_THREAD =
      1u << CUTE_SYMBOL_SIZE | 1u << CUTE_SYMBOL_BLOCK | 1u << CUTE_SYMBOL_ROUND
};

bool cuteIntervalsPart(CuteCondition c) {
  unsigned opaque = 1u << CUTE_SYMBOL_OPAQUE;
  if (c->kind == CUTE_CONDITION_BOTH || c->kind == CUTE_CONDITION_EITHER)
    return cuteIntervalsPart(c->a) && cuteIntervalsPart(c->b);
  return cuteConditionIsFreeOf(c, opaque | 1u << CUTE_SYMBOL_THREAD) ||
         cuteConditionIsFreeOf(c, opaque | NOT_OF_THREAD);
}

// Hashes the comparisons of a condition that hold in the thread whose values
// are set; the others are the same in all threads.
static uint64_t signatureOf(CuteValues *values, CuteCondition c) {
  bool holds = false;
  uint64_t hash = 7;
  if (c->kind == CUTE_CONDITION_BOTH || c->kind == CUTE_CONDITION_EITHER)
    hash = signatureOf(values, c->a) * 31 + signatureOf(values, c->b);
  else if (cuteValuesGetCondition(values, c, &holds))
    hash = holds ? 11 : 13;
  return hash * UINT64_C(0x9E3779B97F4A7C15) >> 7;
}

static void *allocate(CuteProver *prover, size_t bytes) {
  return cuteArenaAllocate(&prover->terms->arena, bytes);
}

// Finds the roles by the conditions of segments. False where there are many.
static bool partThreads(CuteThreadRoles *roles, CuteProver *prover,
                        CuteValues *values) {
  int64_t threads = cuteProverCountThreads(prover);
  size_t n = prover->numSegments;
  uint64_t signatures[CUTE_MAX_ROLES];
  *roles = (CuteThreadRoles){
      .ofThread = allocate(prover, (size_t)threads * sizeof *roles->ofThread)};
  for (int64_t t = 0; t < threads; ++t) {
    uint64_t signature = 0;
    size_t r = 0;
    cuteIntervalsSetCase(values, prover, NULL, NULL, t);
    for (size_t s = 0; s < n; ++s)
      signature =
          signature * 1000003 + signatureOf(values, prover->segments[s].path);
    while (r < roles->count && signatures[r] != signature)
      ++r;
    if (r == CUTE_MAX_ROLES)
      return false;
    if (r == roles->count) {
      signatures[r] = signature;
      roles->firstThread[r] = t;
      ++roles->count;
    }
    roles->ofThread[t] = (int)r;
    ++roles->sizes[r];
  }
  return true;
}

// Finds the roles, and the nodes that each of them may get to. False where
// there are many.
static bool findRoles(CuteIntervals *intervals) {
  CuteProver *prover = intervals->prover;
  CuteTerms *terms = prover->terms;
  CuteCondition *paths = allocate(prover, MAX_NODES * sizeof *paths);
  for (size_t i = 0; i < intervals->count; ++i)
    paths[i] = cuteConditionRename(prover->segments[intervals->owner[i]].path,
                                   cuteIntervalsGetRounds(intervals, i));
  CuteValues values = cuteValuesCreate(terms);
  bool ok = partThreads(&intervals->roles, prover, &values);
  for (size_t r = 0; r < intervals->roles.count; ++r) {
    cuteIntervalsSetCase(&values, prover, NULL, NULL,
                         intervals->roles.firstThread[r]);
    for (size_t i = 0; i < intervals->count; ++i)
      intervals->hasNode[r * intervals->count + i] =
          cuteValuesMayHold(&values, paths[i]);
  }
  return ok;
}

//===-- Edges -------------------------------------------------------------===//

// A term in the rounds of a node; -1 if it is not constant.
static int64_t evaluate(const CuteIntervals *intervals, CuteTerm term,
                        size_t node) {
  int64_t value = -1;
  bool isKnown =
      term && cuteTermIsConstant(
                  cuteTermRename(term, cuteIntervalsGetRounds(intervals, node)),
                  &value);
  return isKnown ? value : -1;
}

static void addEdges(CuteIntervals *intervals, size_t node) {
  const CuteProver *prover = intervals->prover;
  for (size_t i = 0; i < prover->numSteps; ++i) {
    const CuteStep *step = &prover->steps[i];
    CuteEdge edge = {.from = node, .step = step};
    if (step->from != intervals->owner[node] ||
        !follow(intervals, step, node, &edge.to))
      continue;
    edge.barrier = evaluate(intervals, step->barrier, node);
    edge.parity = evaluate(intervals, step->parity, node);
    CUTE_PUSH(intervals->edges, intervals->numEdges, intervals->edgeCapacity,
              edge);
  }
}

//===-- All ---------------------------------------------------------------===//

static bool addNodes(CuteIntervals *intervals) {
  CuteProver *prover = intervals->prover;
  for (size_t s = 0; s < prover->numSegments; ++s) {
    for (CuteRound *r = prover->segments[s].rounds; r; r = r->outer)
      if (r->isCut && !r->first && !r->period)
        findPeriod(prover, r);
    size_t nodes = countNodes(loopOf(intervals, s));
    if (intervals->count + nodes > MAX_NODES)
      return false;
    intervals->first[s] = intervals->count;
    for (size_t i = 0; i < nodes; ++i)
      intervals->owner[intervals->count++] = s;
  }
  return true;
}

const char *cuteIntervalsMake(CuteIntervals *intervals, CuteProver *prover) {
  *intervals = (CuteIntervals){
      .prover = prover,
      .first = allocate(prover, (prover->numSegments + 1) * sizeof(size_t)),
      .owner = allocate(prover, MAX_NODES * sizeof(size_t)),
      .firstEdge = allocate(prover, (MAX_NODES + 1) * sizeof(size_t)),
      .hasNode = allocate(prover, CUTE_MAX_ROLES * MAX_NODES)};
  if (!addNodes(intervals))
    return "loops with many different rounds";
  if (!findRoles(intervals))
    return "threads that take many ways through the kernel";
  for (size_t i = 0; i < intervals->count; ++i) {
    intervals->firstEdge[i] = intervals->numEdges;
    addEdges(intervals, i);
  }
  intervals->firstEdge[intervals->count] = intervals->numEdges;
  return NULL;
}
