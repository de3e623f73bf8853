// Races in shared memory: what threads touch in one interval between barriers
// is compared byte by byte.
//
// All that is not known adds to what may happen: a condition may hold, a loop
// may have no round, and other barriers order nothing.
#include "Prove/claims.h"
#include "Prove/intervals.h"
#include "Prove/term_values.h"
#include "Support/growing_array.h"

#include <stdlib.h>

enum { NOBODY, SEVERAL = -1, MAX_WORK = 1 << 26, MAX_ROUNDS = 1024 };

// An access in the rounds of a node.
typedef struct Touch {
  const CuteReach *reach;
  size_t node;
  CuteTerm offset;
  CuteCondition path;
} Touch;

typedef struct Races {
  CuteClaims *claims;
  CuteIntervals intervals;
  Touch *touches;
  size_t numTouches, touchCapacity;
  CuteVerdict *verdict;
  CuteValues values;
  int64_t threads;
  int *writers; // of each byte: a thread's number plus one
  int64_t work;
} Races;

// Touches what a thread does: its number plus one, and the address in bytes.
typedef const char *Visit(Races *races, int64_t bytes, int who,
                          int64_t address);

//===-- What threads touch ------------------------------------------------===//

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

// Counts the rounds of the loops without barriers that the reach is in; 0 where
// there are too many.
static int64_t countRounds(const CuteReach *reach) {
  int64_t count = 1;
  for (const CuteRound *r = reach->rounds; r; r = r->outer)
    if (r->symbol && !r->isCut)
      count = r->symbol->range.high < MAX_ROUNDS
                  ? count * (r->symbol->range.high + 1)
                  : MAX_ROUNDS + 1;
  return count <= MAX_ROUNDS ? count : 0;
}

static void setRounds(Races *races, const CuteReach *reach, int64_t number) {
  for (const CuteRound *r = reach->rounds; r; r = r->outer)
    if (r->symbol && !r->isCut) {
      cuteValuesSet(&races->values, r->symbol,
                    number % (r->symbol->range.high + 1));
      number /= r->symbol->range.high + 1;
    }
}

// Visits all that threads touch in all rounds of loops that are not cut. Gives
// the reason why that is not known, or what a visit gives. An address that is
// out of bounds, which is proved not to be, is one whose condition does not
// hold.
static const char *visitAll(Races *races, const Touch *touch, Visit *visit) {
  const CuteProver *prover = races->claims->prover;
  const CuteReach *reach = touch->reach;
  int64_t rounds = countRounds(reach), address;
  const char *reason = rounds ? NULL : "a loop with many rounds";
  for (int64_t i = 0; !reason && i < rounds * races->threads; ++i) {
    cuteValuesClear(&races->values);
    cuteValuesSetThread(&races->values, prover->thread, prover->blockSize,
                        i % races->threads);
    setRounds(races, reach, i / races->threads);
    races->work += reach->bytes;
    if (!cuteValuesMayHold(&races->values, touch->path))
      continue;
    if (races->work > MAX_WORK)
      reason = "the search takes too long";
    else if (!cuteValuesGetTerm(&races->values, touch->offset, &address))
      reason = "an address that is not of the thread and a ring alone";
    else if (address >= 0 && address + reach->bytes <= reach->place->bytes)
      reason =
          visit(races, reach->bytes, whoIs(races, reach, i % races->threads),
                reach->place->start + address);
  }
  return reason;
}

#define RACE "two threads may touch one element with no barrier between"

static const char *addWriter(Races *races, int64_t bytes, int who,
                             int64_t address) {
  for (int64_t b = address; b < address + bytes; ++b) {
    races->writers[b] =
        races->writers[b] == NOBODY || races->writers[b] == who ? who : SEVERAL;
    if (races->writers[b] == SEVERAL)
      return RACE;
  }
  return NULL;
}

static const char *testWriter(Races *races, int64_t bytes, int who,
                              int64_t address) {
  for (int64_t b = address; b < address + bytes; ++b)
    if (races->writers[b] != NOBODY && races->writers[b] != who)
      return RACE;
  return NULL;
}

//===-- Accesses in nodes -------------------------------------------------===//

static bool isOfShared(const CuteReach *reach) {
  return reach->place->kind == CUTE_PLACE_SHARED;
}

// Replaces the numbers of cut loops' rounds: one round that a node is in by its
// number, those a period apart by all of them.
static const CuteTerm *roundsOfNode(Races *races, const CuteReach *reach,
                                    size_t node) {
  CuteTerms *terms = &races->claims->prover->terms;
  CuteTerm *to = cuteTermsMakeTable(terms);
  for (const CuteRound *r = reach->rounds; r; r = r->outer) {
    if (!r->isCut)
      continue;
    int64_t number = cuteIntervalsGetRound(&races->intervals, node, r);
    to[r->symbol->id] = cuteTermAddConstant(
        terms,
        cuteTermScale(terms, cuteTermGetSymbol(terms, r->symbol),
                      number < r->first ? 0 : r->period),
        number);
  }
  return to;
}

static void addTouches(Races *races, const CuteReach *reach) {
  CuteTerms *terms = &races->claims->prover->terms;
  size_t n = terms->count;
  const CuteIntervals *all = &races->intervals;
  for (size_t node = 0; node < all->count; ++node) {
    if (all->owner[node] != reach->segment)
      continue;
    const CuteTerm *to = roundsOfNode(races, reach, node);
    Touch touch = {reach, node, cuteTermRename(terms, reach->offset, to, n),
                   cuteConditionRename(terms, reach->path, to, n)};
    CUTE_PUSH(races->touches, races->numTouches, races->touchCapacity, touch);
  }
}

//===-- The claim ---------------------------------------------------------===//

// The condition that loops are in the round that a node is for, or a period
// later, when all has been touched that the node may touch.
static CuteCondition isInRounds(Races *races, const Touch *touch,
                                bool isLater) {
  CuteTerms *terms = &races->claims->prover->terms;
  CuteCondition all = cuteConditionGetConstant(true);
  for (const CuteRound *r = touch->reach->rounds; r; r = r->outer) {
    if (!r->isCut)
      continue;
    int64_t number = cuteIntervalsGetRound(&races->intervals, touch->node, r);
    all = cuteConditionAnd(
        terms, all,
        cuteConditionIsNumber(terms, cuteTermGetSymbol(terms, r->symbol),
                              number + (isLater ? r->period : 0)));
  }
  return all;
}

// Says that a touch may race: refuted, if a run of the simulator shows it.
static void accuse(Races *races, const Touch *touch, bool isAsync,
                   const char *reason) {
  CuteVerdict *verdict = races->verdict;
  bool isRace = !strcmp(reason, RACE);
  for (int later = 0; isRace && later < 2; ++later) {
    if (verdict->outcome != CUTE_OUTCOME_PROVED)
      return;
    cuteClaimAccuse(races->claims, verdict, touch->reach,
                    cuteConditionGetConstant(true),
                    isInRounds(races, touch, later), "shared memory at offset");
    if (verdict->outcome == CUTE_OUTCOME_UNDECIDED)
      verdict->outcome = CUTE_OUTCOME_PROVED;
  }
  cuteVerdictDoubt(
      verdict, touch->reach->op,
      isRace && isAsync ? "copies by cp.async that may be in flight" : reason);
}

// Compares what is written in a node, by cp.async or by others, with what is
// touched in those that are near it.
static void checkNode(Races *races, size_t node, bool isAsync) {
  const CuteProver *prover = races->claims->prover;
  bool *isNear = cuteAllocate(races->intervals.count), any = false;
  memset(races->writers, 0,
         (size_t)prover->sharedBytes * sizeof *races->writers);
  for (int pass = 0; pass < 2 && (!pass || any); ++pass) {
    if (pass)
      cuteIntervalsMarkNear(&races->intervals, node, isAsync, isNear);
    for (size_t i = 0; i < races->numTouches; ++i) {
      const Touch *touch = &races->touches[i];
      bool isWriter = touch->node == node && touch->reach->isStore &&
                      touch->reach->isAsync == isAsync;
      if (!(pass ? isNear[touch->node] : isWriter))
        continue;
      any = true;
      const char *reason =
          visitAll(races, touch, pass ? testWriter : addWriter);
      if (reason)
        accuse(races, touch, isAsync, reason);
    }
  }
  free(isNear);
}

static void checkAll(Races *races) {
  CuteProver *prover = races->claims->prover;
  const char *reason = cuteIntervalsMake(&races->intervals, prover);
  for (size_t i = 0; !reason && i < prover->numReaches; ++i)
    if (isOfShared(&prover->reaches[i]))
      addTouches(races, &prover->reaches[i]);
  if (reason)
    cuteVerdictDoubt(races->verdict, prover->kernel, reason);
  races->values = cuteValuesCreate(&prover->terms);
  for (size_t i = 0; i < 2 * races->intervals.count; ++i)
    if (races->verdict->outcome == CUTE_OUTCOME_PROVED)
      checkNode(races, i / 2, i % 2);
  cuteIntervalsDestroy(&races->intervals);
  free(races->touches);
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
  if (verdict->outcome != CUTE_OUTCOME_PROVED)
    return;
  Races races = {.claims = claims,
                 .verdict = verdict,
                 .threads = prover->blockSize[0] * prover->blockSize[1] *
                            prover->blockSize[2],
                 .writers = cuteAllocate((size_t)prover->sharedBytes *
                                         sizeof *races.writers)};
  checkAll(&races);
  free(races.writers);
}
