// Races in shared memory: what threads touch in one interval between barriers
// is compared byte by byte. Reads before writes: what threads read is compared
// with what was written on all ways there.
//
// All that is not known adds to what may happen: a condition may hold, a loop
// may have no round, and other barriers order nothing.
#include "Prove/claims.h"
#include "Prove/pipelines.h"
#include "Support/growing_array.h"

enum { NOBODY, MAX_WORK = 1 << 29, MAX_ROUNDS = 1024 };

// An access in the rounds of a node.
typedef struct Touch {
  const CuteReach *reach;
  size_t node;
  CuteTerm offset;
  CuteCondition path, used; // a read that is not used needs no write
  CuteCondition
      sure;        // of a write that was done when its node was left; or null
  int64_t barrier; // of a load of TMA: where its mbarrier is; -1: not known
} Touch;

typedef struct Races {
  CuteClaims *claims;
  CuteIntervals intervals;
  CutePipelines pipelines;
  Touch *touches;
  size_t numTouches, touchCapacity;
  CuteVerdict *verdict;
  const char *expected; // of the simulator
  CuteValues values;
  int64_t threads;
  int *writers; // of each byte: a thread's number plus one
  bool hasWriters;
  int64_t work;
} Races;

//===-- What threads touch ------------------------------------------------===//

// Numbers who accesses: an engine that copies, and a warp that reads or writes
// a matrix, are others than the thread. Atomic operations do not race with each
// other.
static int whoIs(const Races *races, const CuteReach *reach, int64_t thread) {
  int64_t kind = reach->isAtomic ? CUTE_NUM_FLIGHTS + 1
                 : cuteMlirIs(reach->op, "nvvm.ldmatrix") ||
                         cuteMlirIs(reach->op, "nvvm.stmatrix")
                     ? CUTE_NUM_FLIGHTS
                     : (int64_t)reach->flight;
  bool isOne = reach->isAtomic || reach->flight == CUTE_FLIGHT_WGMMA;
  return (int)(kind * races->threads + (isOne ? 0 : thread) + 1);
}

// Tells whether a node has all rounds of a loop, one without barriers.
static bool isInNode(const CuteRound *round) { return !round->isCut; }

static const char race[] =
    "two threads may touch one element with no barrier between";

static const char unwritten[] =
    "shared memory that no thread may have written before, or under another "
    "condition";

// Says what a visit of bytes does: a write that is sure to be done, and a read
// after it, have conditions and bytes of their own.
typedef enum Visit { TOUCH, STORE, WRITE, READ } Visit;

// Touches bytes, or notes who writes them. Gives the reason where somebody else
// does, or nobody before a read; or null.
static const char *touchBytes(Races *races, Visit visit, int64_t bytes, int who,
                              int64_t address) {
  races->hasWriters |= visit == STORE || visit == WRITE;
  for (int *writer = &races->writers[address]; bytes-- > 0; ++writer) {
    if (visit == READ && *writer == NOBODY)
      return unwritten;
    if (visit <= STORE && *writer != NOBODY && *writer != who)
      return race;
    if (visit == STORE || visit == WRITE)
      *writer = who;
  }
  return NULL;
}

// Touches all that the threads of a role do in all rounds of loops that are
// not cut; what a warpgroup does is done once. Gives the reason why that is not
// known, or what touches give. An address that is out of bounds, which is
// proved not to be, is one whose condition does not hold.
static const char *visitAll(Races *races, const Touch *touch, size_t role,
                            Visit visit, CuteCondition sure) {
  const CuteProver *prover = races->claims->prover;
  const CuteReach *reach = touch->reach;
  int64_t rounds =
              cuteIntervalsCountRounds(reach->rounds, isInNode, MAX_ROUNDS),
          address;
  const char *reason = rounds ? NULL : "a loop with many rounds";
  int64_t group = -1; // whose product was visited last
  for (int64_t i = 0; !reason && i < rounds * races->threads; ++i) {
    int64_t thread = i % races->threads;
    if (races->intervals.roles.ofThread[thread] != (int)role ||
        group == i / CUTE_WARPGROUP)
      continue;
    cuteIntervalsSetCase(&races->values, prover, reach->rounds, isInNode, i);
    races->work += reach->bytes;
    bool holds = false;
    if (visit == WRITE
            ? !cuteValuesGetCondition(&races->values, sure, &holds) || !holds
            : !cuteValuesMayHold(&races->values, touch->path) ||
                  (visit == READ &&
                   !cuteValuesMayHold(&races->values, touch->used)))
      continue;
    if (reach->flight == CUTE_FLIGHT_WGMMA)
      group = i / CUTE_WARPGROUP;
    if (races->work > MAX_WORK)
      reason = "the search takes too long";
    else if (!cuteValuesGetTerm(&races->values, touch->offset, &address))
      reason = "an address that is not of the thread and a ring alone";
    else if (address >= 0 && address + reach->bytes <= reach->place->bytes)
      reason =
          touchBytes(races, visit, reach->bytes, whoIs(races, reach, thread),
                     reach->place->start + address);
  }
  return reason;
}

//===-- Accesses in nodes -------------------------------------------------===//

static void addTouches(Races *races, const CuteReach *reach) {
  const CuteIntervals *all = &races->intervals;
  for (size_t node = 0; node < all->count; ++node) {
    if (all->owner[node] != reach->segment)
      continue;
    CuteRenaming to = cuteIntervalsGetRounds(all, node);
    Touch touch = {.reach = reach,
                   .node = node,
                   .offset = cuteTermRename(reach->offset, to),
                   .path = cuteConditionRename(reach->path, to),
                   .used = cuteConditionRename(
                       reach->used ? reach->used : reach->path, to),
                   .barrier = -1};
    if (reach->barrier &&
        !cuteTermIsConstant(cuteTermRename(reach->barrier, to), &touch.barrier))
      touch.barrier = -1;
    CUTE_PUSH(races->touches, races->numTouches, races->touchCapacity, touch);
  }
}

//===-- Accusations -------------------------------------------------------===//

// The condition that loops are in the round that a node is for, or a period
// later, when all has been touched that the node may touch.
static CuteCondition isInRounds(Races *races, const Touch *touch,
                                bool isLater) {
  CuteCondition all = cuteConditionGetConstant(true);
  for (const CuteRound *r = touch->reach->rounds; r; r = r->outer) {
    if (!r->isCut)
      continue;
    int64_t number = cuteIntervalsGetRound(&races->intervals, touch->node, r);
    all = cuteConditionAnd(
        all, cuteConditionIsNumber(cuteTermGetSymbol(r->symbol),
                                   number + (isLater ? r->period : 0)));
  }
  return all;
}

// The condition that TMA copies whole tiles of its tensors.
static CuteCondition areTiles(const CuteProver *prover) {
  enum { TILE = 128 };
  CuteCondition all = cuteConditionGetConstant(true);
  for (size_t i = 0; i < prover->numPlaces; ++i) {
    const CutePlace *p = prover->places[i];
    p = p->kind == CUTE_PLACE_MAP ? cuteWalkFindArgument(prover, p->argument)
                                  : NULL;
    for (size_t r = 0; p && r < p->rank; ++r)
      all = cuteConditionAnd(
          all, cuteConditionAtLeast(cuteTermAddConstant(p->shape[r], -TILE)));
  }
  return all;
}

// Says that a touch may race: refuted, if a run of the simulator shows it.
static void accuse(Races *races, const Touch *touch, const char *reason,
                   bool mayBeShown) {
  CuteVerdict *verdict = races->verdict;
  CuteCondition tiles = areTiles(races->claims->prover),
                any = cuteConditionGetConstant(true);
  CuteCondition now = isInRounds(races, touch, false);
  CuteCondition later = isInRounds(races, touch, true);
  const CuteCondition tries[] = {now, later, cuteConditionAnd(later, tiles),
                                 any};
  for (int i = 0; mayBeShown && i < 4; ++i) {
    if (verdict->outcome != CUTE_OUTCOME_PROVED)
      return;
    cuteClaimAccuse(races->claims, verdict, touch->reach, tries[i],
                    races->expected);
    if (verdict->outcome == CUTE_OUTCOME_UNDECIDED)
      verdict->outcome = CUTE_OUTCOME_PROVED;
  }
  cuteVerdictDoubt(verdict, touch->reach->op, reason);
}

// Visits what is touched, or stored, at a place, and accuses what may race.
// Tells whether there is something.
static bool visitPlace(Races *races, size_t place, Visit visit) {
  const CutePipelines *p = &races->pipelines;
  size_t at = place % p->places, n = races->intervals.count, role = at / n;
  bool any = false;
  for (size_t i = 0; i < races->numTouches; ++i) {
    const Touch *touch = &races->touches[i];
    if (touch->node != at % n || (visit == STORE && !touch->reach->isStore) ||
        (touch->reach->flight != CUTE_FLIGHT_NONE) != (place >= p->places) ||
        !cuteIntervalsHasNode(&races->intervals, role, touch->node))
      continue;
    any = true;
    const char *reason = visitAll(races, touch, role, visit, NULL);
    if (reason)
      accuse(races, touch, reason, reason == race);
  }
  return any;
}

static void forgetWriters(Races *races) {
  size_t bytes = (size_t)races->claims->prover->sharedBytes;
  if (races->hasWriters)
    memset(races->writers, 0, bytes * sizeof *races->writers);
  races->hasWriters = false;
}

// Compares what is written at a place with all that may be at the same time.
static void checkPlace(Races *races, size_t place) {
  const CutePipelines *p = &races->pipelines;
  forgetWriters(races);
  if (!visitPlace(races, place, STORE))
    return;
  for (size_t i = 0; i < 2 * p->places; ++i)
    if (p->isAtOnce[place * 2 * p->places + i])
      visitPlace(races, i, TOUCH);
}

//===-- Reads before writes -----------------------------------------------===//

// Tells whether an access needs what was there before. Other atomic operations
// are at mbarriers, or write what tcgen05.alloc gives.
static bool reads(const CuteReach *reach) {
  return !reach->isStore || cuteMlirIs(reach->op, "llvm.atomicrmw") ||
         !strncmp(cuteWalkGetAssembly(reach->op), "red.", 4);
}

// Finds the condition under which threads have written when a node was first
// got to.
static CuteCondition findSure(Races *races, const Touch *touch) {
  const CuteProver *prover = races->claims->prover;
  CuteRenaming to = cuteIntervalsGetRounds(&races->intervals, touch->node);
  for (const CuteRound *r = touch->reach->rounds; r; r = r->outer)
    if (r->isCut)
      to.by[r->symbol->id] = cuteTermGetConstant(
          touch->offset->terms,
          cuteIntervalsGetRound(&races->intervals, touch->node, r));
  return cuteConditionGiven(
      cuteConditionRename(prover->segments[touch->reach->segment].path, to),
      cuteConditionRename(touch->reach->path, to));
}

// Notes what was written before a role gets to a node.
static void noteWritten(Races *races, size_t role, size_t node) {
  const CuteIntervals *all = &races->intervals;
  forgetWriters(races);
  for (size_t i = 0; i < all->roles.count * races->numTouches; ++i) {
    Touch *write = &races->touches[i % races->numTouches];
    size_t r = i / races->numTouches;
    size_t flown = write->reach->flight ? races->pipelines.places : 0;
    if (!write->reach->isStore || reads(write->reach) ||
        !cutePipelinesIsBefore(&races->pipelines,
                               flown + r * all->count + write->node,
                               role * all->count + node))
      continue;
    if (!write->sure)
      write->sure = findSure(races, write);
    visitAll(races, write, r, WRITE, write->sure);
  }
}

// Checks that what the threads of a role read in a node was written.
static void checkReads(Races *races, size_t role, size_t node) {
  bool isNoted = false;
  for (size_t i = 0; i < races->numTouches; ++i) {
    const Touch *read = &races->touches[i];
    if (read->node != node || !reads(read->reach))
      continue;
    cuteVerdictClaim(races->verdict);
    if (races->verdict->outcome != CUTE_OUTCOME_PROVED)
      return;
    if (!isNoted)
      noteWritten(races, role, node);
    isNoted = true;
    const char *reason = visitAll(races, read, role, READ, NULL);
    if (reason)
      accuse(races, read, reason, reason == unwritten);
  }
}

static void checkAllReads(Races *races) {
  races->verdict = &races->claims->verdicts[CUTE_CLAIM_READS];
  races->expected = "uninitialised: reads shared memory";
  races->work = 0;
  for (size_t r = 0; r < races->intervals.roles.count; ++r)
    for (size_t node = 0; node < races->intervals.count; ++node)
      if (cuteIntervalsHasNode(&races->intervals, r, node))
        checkReads(races, r, node);
}

// Counts the threads of a role that may get to an access.
static int64_t countThreads(Races *races, const Touch *touch, size_t role) {
  int64_t count = 0;
  for (int64_t t = 0; t < races->threads; ++t) {
    cuteIntervalsSetCase(&races->values, races->claims->prover, NULL, NULL, t);
    count += races->intervals.roles.ofThread[t] == (int)role &&
             cuteValuesMayHold(&races->values, touch->path);
  }
  return count;
}

// Lists what is started in nodes and not done at once, and sets where something
// is.
static CuteStart *listStarts(Races *races, bool *isTouched, size_t *count) {
  size_t capacity = 0;
  CuteStart *starts = NULL;
  for (size_t r = 0; r < races->intervals.roles.count; ++r)
    for (size_t i = 0; i < races->numTouches; ++i) {
      const Touch *touch = &races->touches[i];
      const CuteReach *reach = touch->reach;
      if (!cuteIntervalsHasNode(&races->intervals, r, touch->node))
        continue;
      if (!reach->flight)
        isTouched[r * races->intervals.count + touch->node] = true;
      int64_t threads = reach->flight ? countThreads(races, touch, r) : 0;
      CuteStart start = {r,
                         touch->node,
                         reach->flight,
                         touch->barrier,
                         threads * reach->bytes,
                         reach->op};
      if (threads)
        CUTE_PUSH(starts, *count, capacity, start);
    }
  return starts;
}

// Searches what may be at once. Gives the reason why not all is known, or null.
static const char *searchAll(Races *races) {
  const char *reason = NULL;
  for (size_t r = 0; !reason && r <= races->intervals.roles.count; ++r)
    reason = cutePipelinesSearch(&races->pipelines, r);
  return reason;
}

// Says where a search failed, or refutes it.
static void accuseSearch(Races *races, const char *reason) {
  MlirOperation op = races->pipelines.op;
  for (size_t i = 0; i < races->numTouches; ++i)
    if (mlirOperationEqual(races->touches[i].reach->op, op) &&
        races->verdict->outcome == CUTE_OUTCOME_PROVED)
      accuse(races, &races->touches[i], reason, true);
  cuteVerdictDoubt(races->verdict, op, reason);
}

enum { MAX_PLACES = 3072 };

static void checkRoles(Races *races) {
  CutePipelines *p = &races->pipelines;
  size_t roles = races->intervals.roles.count;
  size_t places = races->intervals.count * roles;
  if (places > MAX_PLACES) {
    cuteVerdictDoubt(races->verdict, races->claims->prover->kernel,
                     "loops with many different rounds");
    return;
  }
  CUTE_FREED bool *isAtOnce = cuteAllocateZeros(4 * places, places);
  CUTE_FREED bool *isTouched = cuteAllocateZeros(places, 1);
  size_t words = (2 * places + 63) / 64;
  CUTE_FREED uint64_t *before = cuteAllocate(places * words * sizeof *before);
  memset(before, 0xff, places * words * sizeof *before);
  *p = (CutePipelines){.intervals = &races->intervals,
                       .places = places,
                       .isAtOnce = isAtOnce,
                       .before = before,
                       .words = words,
                       .isTouched = isTouched};
  CUTE_FREED CuteStart *starts = listStarts(races, isTouched, &p->numStarts);
  p->starts = starts;
  const char *reason = searchAll(races);
  for (size_t i = 0; i < 2 * places; ++i)
    if (races->verdict->outcome == CUTE_OUTCOME_PROVED)
      checkPlace(races, i);
  if (reason)
    accuseSearch(races, reason);
  if (races->verdict->outcome == CUTE_OUTCOME_PROVED)
    checkAllReads(races);
}

//===-- The claim ---------------------------------------------------------===//

static void checkAll(Races *races) {
  CuteProver *prover = races->claims->prover;
  const char *reason = cuteIntervalsMake(&races->intervals, prover);
  for (size_t i = 0; !reason && i < prover->numReaches; ++i)
    if (prover->reaches[i].place->kind == CUTE_PLACE_SHARED)
      addTouches(races, &prover->reaches[i]);
  races->values = cuteValuesCreate(prover->terms);
  if (reason)
    cuteVerdictDoubt(races->verdict, prover->kernel, reason);
  else
    checkRoles(races);
  free(races->intervals.edges);
  free(races->touches);
}

void cuteClaimRaces(CuteClaims *claims) {
  CuteProver *prover = claims->prover;
  CuteVerdict *verdict = &claims->verdicts[CUTE_CLAIM_RACES];
  for (size_t i = 0; i < prover->numReaches; ++i)
    if (prover->reaches[i].place->kind == CUTE_PLACE_SHARED)
      verdict->outcome = CUTE_OUTCOME_PROVED;
  const CuteVerdict *bounds = &claims->verdicts[CUTE_CLAIM_SHARED_BOUNDS];
  cuteVerdictDoubtBlindSpots(claims, verdict, 1u << CUTE_PLACE_SHARED);
  if (verdict->outcome == CUTE_OUTCOME_PROVED &&
      bounds->outcome != CUTE_OUTCOME_PROVED)
    cuteVerdictDoubt(verdict, bounds->op, CUTE_REASON_STRAYS);
  if (verdict->outcome != CUTE_OUTCOME_PROVED)
    return;
  CUTE_FREED int *writers =
      cuteAllocate((size_t)prover->sharedBytes * sizeof *writers);
  Races races = {.claims = claims,
                 .verdict = verdict,
                 .expected = "shared memory at offset",
                 .hasWriters = true,
                 .threads = cuteProverCountThreads(prover),
                 .writers = writers};
  checkAll(&races);
}

void cuteClaimReads(CuteClaims *claims) {
  const CuteVerdict *races = &claims->verdicts[CUTE_CLAIM_RACES];
  if (races->outcome > CUTE_OUTCOME_PROVED)
    cuteVerdictDoubt(&claims->verdicts[CUTE_CLAIM_READS], races->op,
                     races->reason ? races->reason : "two threads race");
}
