// Bounds and alignment of accesses.
#include "Prove/claims.h"
#include "Prove/coordinates.h"

// Something that has to be at least 0, and where it is not, what else shows it.
typedef struct Need {
  CuteTerm term;
  CuteCondition preferred;
} Need;

enum { MAX_NEEDS = 2 * CUTE_MAX_MODES + 2 };

typedef struct Needs {
  Need list[MAX_NEEDS];
  size_t count;
} Needs;

static void addNeed(Needs *needs, CuteTerm term, CuteCondition preferred) {
  if (needs->count < MAX_NEEDS)
    needs->list[needs->count++] = (Need){term, preferred};
}

//===-- Needs of tensors --------------------------------------------------===//

// The elements from the first to the last of the modes with static strides.
static CuteTerm extentOfRest(CuteProver *prover, const CutePlace *place,
                             const CuteCoordinates *c) {
  CuteTerms *terms = &prover->terms;
  CuteTerm last = cuteTermGetConstant(terms, 0);
  for (size_t r = 0; r < place->rank; ++r)
    if (!c->modes[r])
      last = cuteTermAdd(
          terms, last,
          cuteTermMultiply(terms,
                           cuteTermAddConstant(terms, place->shape[r], -1),
                           place->stride[r]));
  return last;
}

// The condition that coordinates other than one of a mode are the last ones, or
// the first ones.
static CuteCondition atEnd(CuteProver *prover, const CutePlace *place,
                           const CuteCoordinates *c, size_t but, bool isFirst) {
  CuteTerms *terms = &prover->terms;
  CuteCondition all = cuteConditionGetConstant(true);
  for (size_t r = 0; r < place->rank; ++r)
    if (r != but && c->modes[r]) {
      CuteTerm end = isFirst ? cuteTermGetConstant(terms, 0)
                             : cuteTermAddConstant(terms, place->shape[r], -1);
      all = cuteConditionAnd(terms, all,
                             cuteConditionIsSame(terms, c->modes[r], end));
    }
  return all;
}

static int64_t elementBits(const CutePlace *place) {
  return cuteElementTypeGetBits(place->type->element);
}

// Lists what an access to a tensor in global memory needs; false where its
// extents are not known.
static bool needsOfTensor(CuteProver *prover, const CuteReach *reach,
                          Needs *needs) {
  CuteTerms *terms = &prover->terms;
  const CutePlace *place = reach->place;
  CuteCoordinates c;
  if (!place->rank || elementBits(place) % 8 ||
      !cuteCoordinatesFind(prover, place, reach->offset, &c))
    return false;
  int64_t bytes = elementBits(place) / 8;
  for (size_t r = 0; r < place->rank; ++r) {
    if (!c.modes[r])
      continue;
    CuteTerm at = c.modes[r];
    c.modes[r] = cuteTermFloor(terms, at, bytes);
    addNeed(needs, at, cuteConditionGetConstant(true));
    addNeed(needs,
            cuteTermSubtract(
                terms,
                cuteTermScale(terms,
                              cuteTermAddConstant(terms, place->shape[r], -1),
                              bytes),
                at),
            cuteConditionGetConstant(true));
  }
  for (size_t n = 0, r = 0; r < place->rank; ++r)
    if (c.modes[r]) {
      needs->list[n++].preferred = atEnd(prover, place, &c, r, true);
      needs->list[n++].preferred = atEnd(prover, place, &c, r, false);
    }
  CuteTerm last = extentOfRest(prover, place, &c);
  CuteTerm room = cuteTermAddConstant(
      terms, cuteTermSubtract(terms, cuteTermScale(terms, last, bytes), c.rest),
      bytes - reach->bytes);
  addNeed(needs, c.rest, atEnd(prover, place, &c, SIZE_MAX, true));
  addNeed(needs, room, atEnd(prover, place, &c, SIZE_MAX, false));
  return true;
}

static bool needsOf(CuteProver *prover, const CuteReach *reach, Needs *needs) {
  CuteTerms *terms = &prover->terms;
  if (reach->place->kind == CUTE_PLACE_GLOBAL)
    return needsOfTensor(prover, reach, needs);
  CuteTerm room =
      cuteTermAddConstant(terms, cuteTermScale(terms, reach->offset, -1),
                          reach->place->bytes - reach->bytes);
  int64_t after =
      prover->sharedBytes - reach->place->start - reach->place->bytes;
  addNeed(needs, reach->offset, cuteConditionGetConstant(true));
  addNeed(needs, room,
          reach->place->kind == CUTE_PLACE_SHARED
              ? cuteConditionNot(
                    terms, cuteConditionAtLeast(
                               terms, cuteTermAddConstant(terms, room, after)))
              : cuteConditionGetConstant(true));
  return true;
}

//===-- Claims ------------------------------------------------------------===//

// The condition under which a need of an access fails; null: never.
static CuteCondition violationOf(CuteClaims *claims, const CuteReach *reach,
                                 CuteTerm need) {
  CuteTerms *terms = &claims->prover->terms;
  if (cuteClaimIsImplied(claims, reach->path, need))
    return NULL;
  return cuteConditionNot(terms, cuteConditionAtLeast(terms, need));
}

// Tells whether an access may be out of bounds for all that is proved.
static bool mayLeave(CuteClaims *claims, CuteVerdict *verdict,
                     const CuteReach *reach) {
  Needs needs = {.count = 0};
  bool may = false;
  if (!needsOf(claims->prover, reach, &needs))
    cuteVerdictDoubt(verdict, reach->op,
                     "the extents of what it accesses are not known");
  for (size_t i = 0; i < needs.count; ++i) {
    CuteCondition violation = violationOf(claims, reach, needs.list[i].term);
    may |= violation && cuteClaimMayFail(claims, reach, violation);
  }
  return may;
}

static void accuse(CuteClaims *claims, CuteVerdict *verdict,
                   const CuteReach *reach) {
  Needs needs = {.count = 0};
  needsOf(claims->prover, reach, &needs);
  for (size_t i = 0;
       i < needs.count && verdict->outcome != CUTE_OUTCOME_REFUTED; ++i) {
    CuteCondition violation = violationOf(claims, reach, needs.list[i].term);
    if (violation)
      cuteClaimAccuse(claims, verdict, reach, violation,
                      needs.list[i].preferred, "out of bounds");
  }
}

// Accesses that are not proved, a few of each op as it was written.
enum { MAX_SUSPECTS = 16, MAX_ALIKE = 2 };

typedef struct Suspects {
  const CuteReach *list[MAX_SUSPECTS];
  size_t count;
} Suspects;

// Tells whether no more accesses of the op's line are worth looking at.
static bool isSuspected(const Suspects *suspects, const CuteReach *reach) {
  size_t alike = 0;
  for (size_t i = 0; i < suspects->count; ++i)
    alike += mlirLocationEqual(mlirOperationGetLocation(suspects->list[i]->op),
                               mlirOperationGetLocation(reach->op));
  return alike == MAX_ALIKE || suspects->count == MAX_SUSPECTS;
}

void cuteClaimBounds(CuteClaims *claims, CuteClaim claim, CutePlaceKind kind) {
  CuteProver *prover = claims->prover;
  CuteVerdict *verdict = &claims->verdicts[claim];
  Suspects suspects = {.count = 0};
  const CuteReach *left = NULL;
  cuteSolverRest(claims->solver);
  for (size_t i = 0; i < prover->numReaches; ++i) {
    const CuteReach *reach = &prover->reaches[i];
    if (reach->place->kind != kind)
      continue;
    if (verdict->outcome == CUTE_OUTCOME_NONE)
      verdict->outcome = CUTE_OUTCOME_PROVED;
    if (isSuspected(&suspects, reach))
      left = reach;
    else if (mayLeave(claims, verdict, reach))
      suspects.list[suspects.count++] = reach;
  }
  for (size_t i = 0; i < suspects.count; ++i)
    if (verdict->outcome != CUTE_OUTCOME_REFUTED)
      accuse(claims, verdict, suspects.list[i]);
  if (left)
    cuteVerdictDoubt(verdict, left->op, "not all accesses were looked at");
  cuteVerdictDoubtBlindSpots(claims, verdict, kind);
}

//===-- Alignment ---------------------------------------------------------===//

// Tells whether a conjunct says that the symbol is a multiple of a divisor.
static bool saysMultiple(CuteTerms *terms, CuteCondition c,
                         const CuteSymbol *symbol, int64_t divisor) {
  if (c->kind == CUTE_CONDITION_BOTH)
    return saysMultiple(terms, c->a, symbol, divisor) ||
           saysMultiple(terms, c->b, symbol, divisor);
  if (c->kind != CUTE_CONDITION_EQUAL)
    return false;
  CuteTerm term = cuteTermGetSymbol(terms, symbol);
  for (int64_t d = divisor; d <= 16 * divisor; d *= 2)
    if (cuteTermIsEqual(c->term, cuteTermModulo(terms, term, d)))
      return true;
  return false;
}

static bool isMultiple(CuteTerms *terms, const CuteReach *reach,
                       const CuteMonomial *m, int64_t align) {
  int64_t known = m->coefficient;
  for (size_t f = 0; f < m->degree && known % align; ++f) {
    if (m->factors[f]->kind == CUTE_SYMBOL_SIZE)
      known *= m->factors[f]->divisor;
    for (int64_t d = align; known % align && d > 1; d /= 2)
      if (saysMultiple(terms, reach->path, m->factors[f], d))
        known *= d;
  }
  return known % align == 0;
}

// Leaves multiples of the alignment out of an offset.
static CuteTerm unaligned(CuteTerms *terms, const CuteReach *reach) {
  CuteTerm rest = cuteTermGetConstant(terms, 0);
  for (size_t i = 0; i < reach->offset->count; ++i) {
    const CuteMonomial *m = &reach->offset->monomials[i];
    if (!isMultiple(terms, reach, m, reach->align))
      rest = cuteTermAdd(terms, rest, cuteTermGetMonomial(terms, m));
  }
  return rest;
}

static void checkAlignment(CuteClaims *claims, CuteVerdict *verdict,
                           const CuteReach *reach) {
  CuteTerms *terms = &claims->prover->terms;
  if (reach->place->align % reach->align) {
    cuteVerdictDoubt(verdict, reach->op,
                     "the alignment of the memory is not in its type");
    return;
  }
  CuteTerm rest = cuteTermModulo(terms, unaligned(terms, reach), reach->align);
  CuteCondition fails =
      cuteConditionAtLeast(terms, cuteTermAddConstant(terms, rest, -1));
  if (rest->count && cuteClaimMayFail(claims, reach, fails))
    cuteClaimAccuse(claims, verdict, reach, fails,
                    cuteConditionGetConstant(true), "misaligned");
}

void cuteClaimAlignment(CuteClaims *claims) {
  CuteProver *prover = claims->prover;
  int numSuspects = 0;
  cuteSolverRest(claims->solver);
  CuteVerdict *verdict = &claims->verdicts[CUTE_CLAIM_ALIGNMENT];
  for (size_t i = 0; i < prover->numReaches; ++i) {
    const CuteReach *reach = &prover->reaches[i];
    if (reach->place->kind == CUTE_PLACE_REGISTER || reach->align <= 1 ||
        verdict->outcome == CUTE_OUTCOME_REFUTED)
      continue;
    if (verdict->outcome == CUTE_OUTCOME_NONE)
      verdict->outcome = CUTE_OUTCOME_PROVED;
    if (numSuspects < MAX_SUSPECTS)
      checkAlignment(claims, verdict, reach);
    numSuspects += verdict->outcome == CUTE_OUTCOME_UNDECIDED;
  }
  for (size_t i = 0; i < prover->numBlindSpots; ++i)
    if (verdict->outcome != CUTE_OUTCOME_NONE)
      cuteVerdictDoubt(verdict, prover->blindSpots[i].op,
                       prover->blindSpots[i].reason);
}
