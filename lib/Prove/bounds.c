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

// Lists that 0 <= at <= last, and that other coordinates than one are the first
// or the last ones where that shows best that it is not.
static void addRange(CuteProver *prover, const CutePlace *place,
                     const CuteCoordinates *c, size_t mode, CuteTerm at,
                     CuteTerm last, Needs *needs) {
  addNeed(needs, at, atEnd(prover, place, c, mode, true));
  addNeed(needs, cuteTermSubtract(&prover->terms, last, at),
          atEnd(prover, place, c, mode, false));
}

// Lists what an access to a tensor in global memory needs; false where its
// extents are not known.
static bool needsOfTensor(CuteProver *prover, const CuteReach *reach,
                          Needs *needs) {
  CuteTerms *terms = &prover->terms;
  const CutePlace *place = reach->place;
  CuteCoordinates c;
  int64_t bits = place->rank ? cuteElementTypeGetBits(place->type->element) : 0;
  int64_t bytes = bits / 8;
  if (!place->rank || bits % 8 ||
      !cuteCoordinatesFind(prover, place, reach->offset, &c))
    return false;
  CuteTerm at[CUTE_MAX_MODES];
  for (size_t r = 0; r < place->rank; ++r) {
    at[r] = c.modes[r];
    c.modes[r] = at[r] ? cuteTermFloor(terms, at[r], bytes) : NULL;
  }
  for (size_t r = 0; r < place->rank; ++r)
    if (at[r])
      addRange(prover, place, &c, r, at[r],
               cuteTermScale(terms,
                             cuteTermAddConstant(terms, place->shape[r], -1),
                             bytes),
               needs);
  CuteTerm last = cuteTermScale(terms, extentOfRest(prover, place, &c), bytes);
  addRange(prover, place, &c, SIZE_MAX, c.rest,
           cuteTermAddConstant(terms, last, bytes - reach->bytes), needs);
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

// Tells whether an access may be out of bounds for all that is proved; or says
// so, if the verdict has not been that yet.
static bool mayLeave(CuteClaims *claims, CuteVerdict *verdict,
                     const CuteReach *reach, bool isAccused) {
  CuteTerms *terms = &claims->prover->terms;
  Needs needs = {.count = 0};
  bool may = false;
  if (!needsOf(claims->prover, reach, &needs))
    cuteVerdictDoubt(verdict, reach->op,
                     "the extents of what it accesses are not known");
  for (size_t i = 0; i < needs.count; ++i) {
    const Need *need = &needs.list[i];
    CuteCondition violation =
        cuteConditionNot(terms, cuteConditionAtLeast(terms, need->term));
    if (cuteClaimIsImplied(claims, reach->path, need->term))
      continue;
    if (!isAccused)
      may |= cuteClaimMayFail(claims, reach, violation);
    else if (verdict->outcome != CUTE_OUTCOME_REFUTED)
      cuteClaimAccuse(claims, verdict, reach, violation, need->preferred,
                      "out of bounds");
  }
  return may;
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
    bool isClipped = reach->flight == CUTE_FLIGHT_BULK;
    if (reach->place->kind != kind || (kind == CUTE_PLACE_GLOBAL && isClipped))
      continue;
    if (verdict->outcome == CUTE_OUTCOME_NONE)
      verdict->outcome = CUTE_OUTCOME_PROVED;
    if (isSuspected(&suspects, reach))
      left = reach;
    else if (mayLeave(claims, verdict, reach, false))
      suspects.list[suspects.count++] = reach;
  }
  for (size_t i = 0; i < suspects.count; ++i)
    mayLeave(claims, verdict, suspects.list[i], true);
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
    if (verdict->outcome != CUTE_OUTCOME_NONE &&
        (prover->blindSpots[i].touches[CUTE_PLACE_SHARED] ||
         prover->blindSpots[i].touches[CUTE_PLACE_GLOBAL]))
      cuteVerdictDoubt(verdict, prover->blindSpots[i].op,
                       prover->blindSpots[i].reason);
}
