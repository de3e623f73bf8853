// Races in shared memory. The kernel is cut into segments at barriers that all
// threads reach; two accesses may be in one interval between barriers if one's
// segment leads to the other's without a barrier. Of these, what each thread
// touches is compared byte by byte.
//
// All that is not known adds to what may happen: a condition may hold, a loop
// may have no round, and other barriers order nothing.
#include "Prove/claims.h"
#include "Prove/term_values.h"

#include <stdlib.h>

enum { NOBODY, SEVERAL = -1, MAX_WORK = 1 << 26, MAX_ROUNDS = 1024 };

typedef struct Races {
  CuteClaims *claims;
  CuteVerdict *verdict;
  CuteValues values;
  int64_t threads;
  int *writers; // of each byte: a thread's number plus one
  int64_t work;
} Races;

// Touches what a thread does: its number plus one, and the address in bytes.
typedef const char *Visit(Races *races, const CuteReach *reach, int who,
                          int64_t address);

//===-- What threads touch ------------------------------------------------===//

// Tells whether a condition may hold.
static bool mayHold(CuteValues *values, CuteCondition c) {
  bool holds;
  return c->kind == CUTE_CONDITION_BOTH
             ? mayHold(values, c->a) && mayHold(values, c->b)
             : !cuteValuesGetCondition(values, c, &holds) || holds;
}

// The engine of cp.async, and a warp that reads or writes a matrix, are others
// than the thread. Atomic operations do not race with each other.
static int whoIs(const Races *races, const CuteReach *reach, int64_t thread) {
  if (reach->isAtomic)
    return (int)(3 * races->threads + 1);
  int64_t kind = reach->isAsync ? 1
                 : cuteMlirIs(reach->op, "nvvm.ldmatrix") ||
                         cuteMlirIs(reach->op, "nvvm.stmatrix")
                     ? 2
                     : 0;
  return (int)(kind * races->threads + thread + 1);
}

static void setThread(Races *races, int64_t t) {
  const CuteProver *prover = races->claims->prover;
  for (int i = 0; i < 3; ++i) {
    cuteValuesSet(&races->values, prover->thread[i], t % prover->blockSize[i]);
    t /= prover->blockSize[i];
  }
}

// Counts the rounds of the loops without barriers that the reach is in; 0 where
// there are too many.
static int64_t countRounds(const CuteReach *reach) {
  int64_t count = 1;
  for (const CuteRound *r = reach->rounds; r; r = r->outer)
    if (r->symbol && !r->hasBarrier)
      count = r->symbol->range.high < MAX_ROUNDS
                  ? count * (r->symbol->range.high + 1)
                  : MAX_ROUNDS + 1;
  return count <= MAX_ROUNDS ? count : 0;
}

static void setRounds(Races *races, const CuteReach *reach, int64_t number) {
  for (const CuteRound *r = reach->rounds; r; r = r->outer)
    if (r->symbol && !r->hasBarrier) {
      cuteValuesSet(&races->values, r->symbol,
                    number % (r->symbol->range.high + 1));
      number /= r->symbol->range.high + 1;
    }
}

// Visits all that threads touch in all rounds that no barrier separates. Gives
// the reason why that is not known, or what a visit gives. An address that is
// out of bounds, which is proved not to be, is one whose condition does not
// hold.
static const char *visitAll(Races *races, const CuteReach *reach,
                            Visit *visit) {
  int64_t rounds = countRounds(reach), address;
  const char *reason = rounds ? NULL : "a loop with many rounds";
  for (int64_t i = 0; !reason && i < rounds * races->threads; ++i) {
    cuteValuesClear(&races->values);
    setThread(races, i % races->threads);
    setRounds(races, reach, i / races->threads);
    races->work += reach->bytes;
    if (!mayHold(&races->values, reach->path))
      continue;
    if (races->work > MAX_WORK)
      reason = "the search takes too long";
    else if (!cuteValuesGetTerm(&races->values, reach->offset, &address))
      reason = "an address that is not of the thread alone, as in a ring";
    else if (address >= 0 && address + reach->bytes <= reach->place->bytes)
      reason = visit(races, reach, whoIs(races, reach, i % races->threads),
                     reach->place->start + address);
  }
  return reason;
}

#define RACE "two threads may touch one element with no barrier between"

static const char *addWriter(Races *races, const CuteReach *reach, int who,
                             int64_t address) {
  for (int64_t b = address; b < address + reach->bytes; ++b) {
    races->writers[b] =
        races->writers[b] == NOBODY || races->writers[b] == who ? who : SEVERAL;
    if (races->writers[b] == SEVERAL)
      return RACE;
  }
  return NULL;
}

static const char *testWriter(Races *races, const CuteReach *reach, int who,
                              int64_t address) {
  for (int64_t b = address; b < address + reach->bytes; ++b)
    if (races->writers[b] != NOBODY && races->writers[b] != who)
      return RACE;
  return NULL;
}

//===-- Segments ----------------------------------------------------------===//

// Marks the segments that one leads to without a barrier; what is in flight
// passes barriers before which nothing waits for it.
static void markReached(const CuteProver *prover, size_t from, bool isInFlight,
                        bool *isReached) {
  isReached[from] = true;
  for (size_t i = 0; i < prover->numSteps; ++i) {
    const CuteStep *s = &prover->steps[i];
    bool passes = !s->isBarrier || (isInFlight && !prover->waits[from]);
    if (s->from == from && passes && !isReached[s->to])
      markReached(prover, s->to, isInFlight, isReached);
  }
}

// Marks the segments that may be in one interval with what is written in one:
// those that it leads to, and those that lead to it.
static void markNear(const CuteProver *prover, size_t segment, bool isInFlight,
                     bool *isNear) {
  size_t n = prover->numSegments;
  bool *isReached = cuteAllocate(n);
  memset(isNear, 0, n);
  markReached(prover, segment, isInFlight, isNear);
  for (size_t i = 0; i < n; ++i) {
    memset(isReached, 0, n);
    markReached(prover, i, false, isReached);
    isNear[i] |= isReached[segment];
  }
  free(isReached);
}

static bool isOfShared(const CuteReach *reach) {
  return reach->place->kind == CUTE_PLACE_SHARED;
}

// The condition that the loops that have barriers are in a second round.
static CuteCondition inSecondRound(CuteTerms *terms, const CuteReach *reach) {
  CuteCondition all = cuteConditionGetConstant(true);
  for (const CuteRound *r = reach->rounds; r; r = r->outer)
    if (r->hasBarrier && r->symbol)
      all = cuteConditionAnd(
          terms, all,
          cuteConditionIsNumber(terms, cuteTermGetSymbol(terms, r->symbol), 1));
  return all;
}

// Says that a reach may race: refuted, if a run of the simulator shows it.
static void accuse(Races *races, const CuteReach *reach, bool isAsync,
                   const char *reason) {
  CuteVerdict *verdict = races->verdict;
  if (verdict->outcome != CUTE_OUTCOME_PROVED)
    return;
  if (!strcmp(reason, RACE))
    cuteClaimAccuse(races->claims, verdict, reach,
                    cuteConditionGetConstant(true),
                    inSecondRound(&races->claims->prover->terms, reach),
                    "shared memory at offset");
  if (verdict->outcome == CUTE_OUTCOME_REFUTED)
    return;
  verdict->outcome = CUTE_OUTCOME_PROVED;
  cuteVerdictDoubt(verdict, reach->op,
                   isAsync ? "copies by cp.async that may be in flight"
                           : reason);
}

// Compares what is written in a segment, by cp.async or by others, with what is
// touched in those that are near it.
static void checkSegment(Races *races, size_t segment, bool isAsync) {
  const CuteProver *prover = races->claims->prover;
  bool *isNear = cuteAllocate(prover->numSegments);
  memset(races->writers, 0,
         (size_t)prover->sharedBytes * sizeof *races->writers);
  markNear(prover, segment, isAsync, isNear);
  for (int pass = 0; pass < 2; ++pass)
    for (size_t i = 0; i < prover->numReaches; ++i) {
      const CuteReach *reach = &prover->reaches[i];
      bool isWriter = reach->segment == segment && reach->isStore &&
                      reach->isAsync == isAsync;
      if (!isOfShared(reach) || !(pass ? isNear[reach->segment] : isWriter))
        continue;
      const char *reason =
          visitAll(races, reach, pass ? testWriter : addWriter);
      if (reason)
        accuse(races, reach, isAsync, reason);
    }
  free(isNear);
}

void cuteClaimRaces(CuteClaims *claims) {
  CuteProver *prover = claims->prover;
  CuteVerdict *verdict = &claims->verdicts[CUTE_CLAIM_RACES];
  for (size_t i = 0; i < prover->numReaches; ++i)
    if (isOfShared(&prover->reaches[i]))
      verdict->outcome = CUTE_OUTCOME_PROVED;
  const CuteVerdict *bounds = &claims->verdicts[CUTE_CLAIM_SHARED_BOUNDS];
  cuteVerdictDoubtBlindSpots(claims, verdict, CUTE_PLACE_SHARED);
  if (verdict->outcome == CUTE_OUTCOME_PROVED &&
      bounds->outcome != CUTE_OUTCOME_PROVED)
    cuteVerdictDoubt(verdict, bounds->op,
                     "an access that may be out of bounds");
  Races races = {.claims = claims,
                 .verdict = verdict,
                 .values = cuteValuesCreate(&prover->terms),
                 .threads = prover->blockSize[0] * prover->blockSize[1] *
                            prover->blockSize[2],
                 .writers = cuteAllocate((size_t)prover->sharedBytes *
                                         sizeof *races.writers)};
  for (size_t i = 0; i < 2 * prover->numSegments; ++i)
    if (verdict->outcome == CUTE_OUTCOME_PROVED)
      checkSegment(&races, i / 2, i % 2);
  free(races.writers);
}
