#include "Prove/claims.h"

// Points that are not exact for a product.
enum { MAX_GUESSES = 1, MAX_COMPARED = 3 };

#define SHOWS_NOTHING "a run with the sizes of the counterexample shows nothing"

void cuteVerdictDoubt(CuteVerdict *verdict, MlirOperation op,
                      const char *reason) {
  if (verdict->outcome == CUTE_OUTCOME_REFUTED ||
      verdict->outcome == CUTE_OUTCOME_UNDECIDED)
    return;
  verdict->outcome = CUTE_OUTCOME_UNDECIDED;
  verdict->op = op;
  verdict->reason = reason;
}

void cuteVerdictClaim(CuteVerdict *verdict) {
  if (verdict->outcome == CUTE_OUTCOME_NONE)
    verdict->outcome = CUTE_OUTCOME_PROVED;
}

void cuteVerdictDoubtBlindSpots(CuteClaims *claims, CuteVerdict *verdict,
                                unsigned kinds) {
  const CuteProver *prover = claims->prover;
  for (size_t i = 0; i < prover->numBlindSpots; ++i)
    if (prover->blindSpots[i].touches & kinds)
      cuteVerdictDoubt(verdict, prover->blindSpots[i].op,
                       prover->blindSpots[i].reason);
}

//===-- Contracts ---------------------------------------------------------===//

// The difference that a contract says is at least 0, or is 0.
static CuteTerm roomOf(const CuteContract *c) {
  if (!c->small)
    return cuteTermModulo(cuteTermGetSymbol(c->large), c->more);
  return cuteTermAddConstant(cuteTermSubtract(cuteTermGetSymbol(c->large),
                                              cuteTermGetSymbol(c->small)),
                             -c->more);
}

static CuteCondition keeps(CuteContract contract) {
  CuteTerm room = roomOf(&contract);
  return contract.isEqual || !contract.small ? cuteConditionEqual(room)
                                             : cuteConditionAtLeast(room);
}

CuteCondition cuteClaimGetContracts(CuteClaims *claims) {
  CuteCondition all =
      cuteConditionAnd(claims->prover->launch, claims->prover->types);
  for (size_t i = 0; i < claims->numContracts; ++i)
    all = cuteConditionAnd(all, keeps(claims->contracts[i]));
  return all;
}

// Tells whether the symbol is an extent of a tensor or a number that is passed
// beside it.
static bool isExtent(const CuteSymbol *symbol) {
  return symbol->kind == CUTE_SYMBOL_SIZE && *symbol->name == 'a' &&
         !strstr(symbol->name, "stride");
}

// Lists the extents that a condition is about.
static const CuteSymbol **listExtents(CuteTerms *terms, CuteCondition condition,
                                      size_t *count) {
  const CuteSymbol **list =
      cuteArenaAllocate(&terms->arena, (terms->count + 1) * sizeof *list);
  const bool *isUsed = cuteConditionGetMarks(terms, condition).is;
  *count = 0;
  for (size_t i = 0; i < terms->count; ++i)
    if (isUsed[i] && isExtent(terms->symbols[i]))
      list[(*count)++] = terms->symbols[i];
  return list;
}

static bool isExtentOf(const CutePlace *place, const CuteSymbol *symbol) {
  for (size_t r = 0; r < place->rank; ++r)
    if (cuteTermGetOnlySymbol(place->shape[r]) == symbol)
      return true;
  return false;
}

// Adds a contract, or makes one of the same extents stricter.
void cuteClaimAddContract(CuteClaims *claims, CuteContract contract) {
  for (size_t i = 0; i < claims->numContracts; ++i) {
    CuteContract *c = &claims->contracts[i];
    if (c->large == contract.large && c->small == contract.small &&
        c->isEqual == contract.isEqual) {
      c->more = contract.more;
      return;
    }
  }
  if (claims->numContracts < CUTE_MAX_CONTRACTS)
    claims->contracts[claims->numContracts++] = contract;
}

bool cuteContractRulesOut(CuteClaims *claims, CuteCondition violation,
                          CuteContract contract) {
  return cuteSolverRefutes(claims->solver,
                           cuteConditionAnd(violation, keeps(contract)));
}

enum { MAX_MORE = 16, WHOLE_TILES = 4096 };

// Finds how much larger an extent has to be, as the input of a filter. A guard
// that is missing is none: without it, whole tiles are in bounds at equal
// extents.
static bool findMore(CuteClaims *claims, CuteCondition violation,
                     CuteContract *contract) {
  CuteTerm small = cuteTermGetSymbol(contract->small);
  CuteCondition inTiles = cuteConditionAnd(
      violation, cuteConditionEqual(cuteTermModulo(small, WHOLE_TILES)));
  contract->more = MAX_MORE;
  if (!cuteContractRulesOut(claims, violation, *contract) ||
      cuteContractRulesOut(
          claims, inTiles,
          (CuteContract){contract->large, contract->small, true, 0}))
    return false;
  for (int64_t step = MAX_MORE / 2; step; step /= 2) {
    CuteContract less = *contract;
    less.more -= step;
    if (cuteContractRulesOut(claims, violation, less))
      *contract = less;
  }
  return true;
}

// Tells whether a contract rules the violation out and is none that no sizes
// keep, and makes it one.
static bool tryContract(CuteClaims *claims, CuteCondition violation,
                        CuteContract contract) {
  if (claims->numContracts == CUTE_MAX_CONTRACTS ||
      !(contract.more ? findMore(claims, violation, &contract)
                      : cuteContractRulesOut(claims, violation, contract)) ||
      cuteContractRulesOut(claims, cuteClaimGetContracts(claims), contract))
    return false;
  cuteClaimAddContract(claims, contract);
  return true;
}

// Finds a contract that rules the violation out: an extent of the accessed
// tensor is no less than another tensor's, or the same, or larger. If all of a
// kind together do not, none of them is asked about alone.
static bool findContract(CuteClaims *claims, const CuteReach *reach,
                         CuteCondition violation) {
  static const CuteContract kinds[] = {
      {.more = 0}, {.isEqual = true}, {.more = MAX_MORE}};
  size_t count;
  const CuteSymbol **used =
      listExtents(claims->prover->terms, violation, &count);
  CuteCondition all = violation;
  for (size_t k = 0; k < 2 * sizeof kinds / sizeof *kinds; ++k) {
    bool isAlone = k % 2;
    CuteContract contract = kinds[k / 2];
    if (isAlone &&
        (all == violation || !cuteSolverRefutes(claims->solver, all)))
      continue;
    all = violation;
    for (size_t i = 0; i < count * count; ++i) {
      contract.large = used[i / count];
      contract.small = used[i % count];
      if (!isExtentOf(reach->place, contract.large) ||
          isExtentOf(reach->place, contract.small))
        continue;
      if (isAlone && tryContract(claims, violation, contract))
        return true;
      all = cuteConditionAnd(all, keeps(contract));
    }
  }
  return false;
}

//===-- Accusations -------------------------------------------------------===//

// The blocks that a run at a point needs; 0: as many as the kernel says.
static int64_t blocksOf(CuteProver *prover, const CutePoint *point, int i) {
  CuteValues values = point->at;
  size_t id = prover->block[i]->id;
  int64_t blocks;
  if (!prover->isLaunched)
    return 0;
  return prover->grid[i] && cuteValuesGetTerm(&values, prover->grid[i], &blocks)
             ? blocks
         : cuteValuesHas(&values, id) ? values.values[id] + 1
                                      : 1;
}

// Runs the kernel with the sizes of a point: true if the simulator sees the
// mistake.
static bool show(CuteClaims *claims, CuteVerdict *verdict,
                 const CuteReach *reach, const CutePoint *point,
                 const char *expected) {
  CuteProver *prover = claims->prover;
  bool isCompared = verdict == &claims->verdicts[CUTE_CLAIM_SAME_WRITES];
  CuteWitness witness = {
      .op = reach->op,
      .isElsewhere = verdict == &claims->verdicts[CUTE_CLAIM_RACES],
      .checks = verdict == &claims->verdicts[CUTE_CLAIM_COVERAGE] || isCompared
                    ? "written"
                : verdict >= &claims->verdicts[CUTE_CLAIM_WRITTEN] ? "nan"
                                                                   : NULL,
      .expected = expected,
      .kernel = claims->isOnly ? NULL : prover->name,
      .argument = reach->place->kind == CUTE_PLACE_GLOBAL
                      ? (int64_t)reach->place->argument
                      : -1};
  for (int i = 0; i < 3; ++i)
    witness.grid[i] = blocksOf(prover, point, i);
  cuteStringClear(&verdict->command);
  cuteStringClear(&verdict->said);
  claims->numGuesses += point->reason != NULL;
  bool isShown =
      claims->confirm &&
      cuteWitnessAppendArguments(claims, point, &witness.arguments) &&
      claims->confirm(claims->confirmData, &witness, &verdict->command,
                      &verdict->said);
  cuteStringDestroy(&witness.arguments);
  return isShown;
}

bool cuteClaimMayFail(CuteClaims *claims, const CuteReach *reach,
                      CuteCondition goal) {
  CuteCondition all =
      cuteConditionAnd(cuteClaimGetContracts(claims), reach->path);
  return !cuteSolverRefutes(claims->solver, cuteConditionAnd(all, goal)) &&
         !findContract(claims, reach,
                       cuteConditionAnd(cuteConditionAnd(claims->prover->launch,
                                                         claims->prover->types),
                                        cuteConditionAnd(reach->path, goal)));
}

// The condition that extents of the same mode are the same in all tensors, as
// they mostly are.
static CuteCondition areAlike(CuteTerms *terms, CuteCondition condition) {
  size_t n;
  const CuteSymbol **used = listExtents(terms, condition, &n);
  CuteCondition all = cuteConditionGetConstant(true);
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < i; ++j)
      if (cuteWitnessIsAlike(used[i], used[j]))
        all = cuteConditionAnd(
            all, keeps((CuteContract){used[i], used[j], true, 0}));
  return all;
}

void cuteClaimAccuse(CuteClaims *claims, CuteVerdict *verdict,
                     const CuteReach *reach, CuteCondition goal,
                     const char *expected) {
  CuteTerms *terms = claims->prover->terms;
  CuteCondition all = cuteConditionAnd(cuteClaimGetContracts(claims),
                                       cuteConditionAnd(reach->path, goal));
  CuteMarks marks = cuteConditionGetMarks(terms, all);
  const char *unknown = marks.reason;
  bool isCompared = verdict == &claims->verdicts[CUTE_CLAIM_SAME_WRITES];
  for (int i = 0; i < 3 && !unknown; ++i)
    if (claims->prover->count[i] && marks.is[claims->prover->count[i]->id] &&
        !isCompared)
      unknown = CUTE_REASON_LAUNCH;
  if (unknown) {
    if (!cuteSolverRefutes(claims->solver, all))
      cuteVerdictDoubt(verdict, reach->op, unknown);
    return;
  }
  bool isExact =
      claims->numGuesses >= (isCompared ? MAX_COMPARED : MAX_GUESSES);
  CutePoint point = cuteSolve(
      claims->solver, cuteConditionAnd(all, areAlike(terms, all)), isExact);
  if (point.answer != CUTE_ANSWER_POSSIBLE)
    point = cuteSolve(claims->solver, all, isExact);
  if (point.answer == CUTE_ANSWER_NEVER)
    return;
  if (point.at.count && show(claims, verdict, reach, &point, expected)) {
    verdict->outcome = CUTE_OUTCOME_REFUTED;
    verdict->op = reach->op;
    verdict->point = point;
    return;
  }
  cuteVerdictDoubt(verdict, reach->op,
                   point.reason ? point.reason : SHOWS_NOTHING);
}

//===-- All ---------------------------------------------------------------===//

// Rows of a matrix do not overlap: a dynamic stride is no less than the extent
// of the mode whose stride is 1.
static void addStrideContracts(CuteProver *prover) {
  for (size_t i = 0; i < prover->numPlaces; ++i) {
    const CutePlace *p = prover->places[i];
    for (size_t r = 0; r < p->rank; ++r)
      for (size_t s = 0; s < p->rank; ++s) {
        int64_t stride;
        if (cuteTermIsConstant(p->stride[s], &stride) && stride == 1 &&
            !cuteTermIsConstant(p->stride[r], &stride))
          prover->types = cuteConditionAnd(
              prover->types, cuteConditionIsAtMost(p->shape[s], p->stride[r]));
      }
  }
}

void cuteClaimsDecide(CuteClaims *claims) {
  static void (*const decide[CUTE_NUM_CLAIMS])(CuteClaims *) = {
      [CUTE_CLAIM_ONE_WRITER] = cuteClaimOneWriter,
      [CUTE_CLAIM_COVERAGE] = cuteClaimCoverage,
      [CUTE_CLAIM_RACES] = cuteClaimRaces,
      [CUTE_CLAIM_READS] = cuteClaimReads,
  };
  addStrideContracts(claims->prover);
  for (int i = 0; i < CUTE_NUM_CLAIMS; ++i) {
    cuteSolverRest(claims->solver);
    if (decide[i])
      decide[i](claims);
    else if (i >= CUTE_CLAIM_SAME_WRITES)
      cuteClaimFootprint(claims, (CuteClaim)i);
    else
      cuteClaimAccesses(claims, (CuteClaim)i);
    claims->verdicts[i].contracts = claims->numContracts;
  }
}

void cuteClaimsDestroy(CuteClaims *claims) {
  for (size_t i = 0; i < CUTE_NUM_CLAIMS; ++i) {
    cuteStringDestroy(&claims->verdicts[i].command);
    cuteStringDestroy(&claims->verdicts[i].said);
  }
}
