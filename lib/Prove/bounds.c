// Bounds and alignment of accesses.
#include "Prove/claims.h"

enum { MAX_NEEDS = 2 * CUTE_MAX_MODES + 2 };

// Lists what has to hold for an access.
typedef struct Needs {
  CuteCondition list[MAX_NEEDS];
  size_t count;
} Needs;

// Lists that 0 <= at <= last.
static void addRange(CuteTerm at, CuteTerm last, Needs *needs) {
  needs->list[needs->count++] = cuteConditionAtLeast(at);
  needs->list[needs->count++] = cuteConditionIsAtMost(at, last);
}

bool cuteCoordinatesFind(CuteProver *prover, const CutePlace *place,
                         CuteTerm offset, CuteCoordinates *result) {
  CuteTerms *terms = prover->terms;
  *result = (CuteCoordinates){.rest = cuteTermGetConstant(terms, 0)};
  if (!place->rank || place->rank > CUTE_MAX_MODES)
    return false;
  for (size_t r = 0; r < place->rank; ++r)
    if (cuteTermGetOnlySymbol(place->stride[r]))
      result->modes[r] = cuteTermGetConstant(terms, 0);
  for (size_t i = 0; i < offset->count; ++i) {
    CuteMonomial m = offset->monomials[i];
    CuteTerm *to = &result->rest;
    for (size_t r = 0; to == &result->rest && r < place->rank; ++r)
      if (result->modes[r] &&
          cuteMonomialDivide(&m, cuteTermGetOnlySymbol(place->stride[r])))
        to = &result->modes[r];
    *to = cuteTermAdd(*to, cuteTermGetMonomial(terms, &m));
  }
  return true;
}

//===-- Needs of tensors --------------------------------------------------===//

// The elements from the first to the last of the modes with static strides.
static CuteTerm extentOfRest(CuteProver *prover, const CutePlace *place,
                             const CuteCoordinates *c) {
  CuteTerms *terms = prover->terms;
  CuteTerm last = cuteTermGetConstant(terms, 0);
  for (size_t r = 0; r < place->rank; ++r)
    if (!c->modes[r])
      last = cuteTermAdd(
          last, cuteTermMultiply(cuteTermAddConstant(place->shape[r], -1),
                                 place->stride[r]));
  return last;
}

// Lists what an access to a tensor in global memory needs; false where its
// extents are not known.
static bool needsOfTensor(CuteProver *prover, const CuteReach *reach,
                          Needs *needs) {
  const CutePlace *place = reach->place;
  CuteCoordinates c;
  int64_t bits = place->rank ? cuteElementTypeGetBits(place->type->element) : 0;
  int64_t bytes = bits / 8;
  if (!place->rank || bits % 8 ||
      !cuteCoordinatesFind(prover, place, reach->offset, &c))
    return false;
  for (size_t r = 0; r < place->rank; ++r)
    if (c.modes[r])
      addRange(c.modes[r],
               cuteTermScale(cuteTermAddConstant(place->shape[r], -1), bytes),
               needs);
  CuteTerm last = cuteTermScale(extentOfRest(prover, place, &c), bytes);
  addRange(c.rest, cuteTermAddConstant(last, bytes - reach->bytes), needs);
  return true;
}

//===-- Alignment ---------------------------------------------------------===//

// Tells whether a conjunct says that a multiple of the divisor divides a
// symbol.
static bool saysMultiple(CuteCondition c, const CuteSymbol *symbol,
                         int64_t divisor) {
  if (c->kind == CUTE_CONDITION_BOTH)
    return saysMultiple(c->a, symbol, divisor) ||
           saysMultiple(c->b, symbol, divisor);
  bool is = false;
  for (int64_t d = divisor;
       c->kind == CUTE_CONDITION_EQUAL && !is && d <= 16 * divisor; d *= 2)
    is = c->term == cuteTermModulo(cuteTermGetSymbol(symbol), d);
  return is;
}

// Leaves multiples of the alignment out of an offset.
static CuteTerm unaligned(const CuteReach *reach) {
  CuteTerms *terms = reach->offset->terms;
  CuteTerm rest = cuteTermGetConstant(terms, 0);
  for (size_t i = 0; i < reach->offset->count; ++i) {
    const CuteMonomial *m = &reach->offset->monomials[i];
    int64_t known = m->coefficient;
    for (size_t f = 0; f < m->degree && known % reach->align; ++f) {
      if (m->factors[f]->kind == CUTE_SYMBOL_SIZE)
        known *= m->factors[f]->divisor;
      for (int64_t d = reach->align; known % reach->align && d > 1; d /= 2)
        known *= saysMultiple(reach->path, m->factors[f], d) ? d : 1;
    }
    if (known % reach->align)
      rest = cuteTermAdd(rest, cuteTermGetMonomial(terms, m));
  }
  return rest;
}

//===-- Claims ------------------------------------------------------------===//

// Lists what a claim needs of an access. Gives the reason where that is not
// known, or null.
static const char *listNeeds(CuteProver *prover, CuteClaim claim,
                             const CuteReach *reach, Needs *needs) {
  const CutePlace *place = reach->place;
  if (claim == CUTE_CLAIM_WRITTEN)
    needs->list[needs->count++] = reach->there;
  else if (claim == CUTE_CLAIM_ALIGNMENT && place->align % reach->align)
    return "the alignment of the memory is not in its type";
  else if (claim == CUTE_CLAIM_ALIGNMENT)
    needs->list[needs->count++] =
        cuteConditionEqual(cuteTermModulo(unaligned(reach), reach->align));
  else if (place->kind != CUTE_PLACE_GLOBAL)
    addRange(reach->offset,
             cuteTermGetConstant(prover->terms, place->bytes - reach->bytes),
             needs);
  else if (!needsOfTensor(prover, reach, needs))
    return "the extents of what it accesses are not known";
  return NULL;
}

// TMA bounds what it accesses in global memory itself.
static bool isAbout(CuteClaim claim, const CuteReach *reach) {
  CutePlaceKind kind = reach->place->kind;
  if (claim == CUTE_CLAIM_WRITTEN || reach->there)
    return claim == CUTE_CLAIM_WRITTEN && reach->there;
  return claim == CUTE_CLAIM_ALIGNMENT
             ? kind != CUTE_PLACE_REGISTER && reach->align > 1
             : (int)kind == (int)claim && (kind != CUTE_PLACE_GLOBAL ||
                                           reach->flight != CUTE_FLIGHT_BULK);
}

// Tells whether an access may fail for all that is proved; or says so, if the
// verdict has not been that yet.
static bool mayFail(CuteClaims *claims, CuteClaim claim, const CuteReach *reach,
                    bool isAccused) {
  CuteVerdict *verdict = &claims->verdicts[claim];
  Needs needs = {.count = 0};
  bool may = false;
  const char *reason = listNeeds(claims->prover, claim, reach, &needs);
  if (reason)
    cuteVerdictDoubt(verdict, reach->op, reason);
  for (size_t i = 0; i < needs.count && !may; ++i) {
    CuteCondition violation = cuteConditionNot(needs.list[i]);
    if (!isAccused)
      may = cuteClaimMayFail(claims, reach, violation);
    else if (verdict->outcome != CUTE_OUTCOME_REFUTED)
      cuteClaimAccuse(claims, verdict, reach, violation,
                      claim == CUTE_CLAIM_ALIGNMENT ? "misaligned"
                      : claim == CUTE_CLAIM_WRITTEN ? NULL
                                                    : "out of bounds");
  }
  return may;
}

enum { MAX_SUSPECTS = 16, MAX_ALIKE = 2 };

// Tells whether an access that is not proved to be in bounds may write an
// element of other coordinates.
static bool mayStray(CuteClaim claim, const CuteReach *reach) {
  return claim == CUTE_CLAIM_GLOBAL_BOUNDS && reach->isStore &&
         reach->place->rank > 1;
}

// Tells whether no more accesses of the op's line are worth looking at, after
// some that are not proved.
static bool isSuspected(const CuteReach *const *suspects, size_t count,
                        const CuteReach *reach) {
  size_t alike = 0;
  for (size_t i = 0; i < count; ++i)
    alike += mlirLocationEqual(mlirOperationGetLocation(suspects[i]->op),
                               mlirOperationGetLocation(reach->op));
  return alike == MAX_ALIKE || count == MAX_SUSPECTS;
}

void cuteClaimAccesses(CuteClaims *claims, CuteClaim claim) {
  enum { SHARED = 1u << CUTE_PLACE_SHARED, GLOBAL = 1u << CUTE_PLACE_GLOBAL };
  unsigned kinds = claim == CUTE_CLAIM_ALIGNMENT ? SHARED | GLOBAL
                   : claim == CUTE_CLAIM_WRITTEN ? 1u << CUTE_PLACE_REGISTER
                                                 : 1u << claim;
  CuteProver *prover = claims->prover;
  CuteVerdict *verdict = &claims->verdicts[claim];
  const CuteReach *suspects[MAX_SUSPECTS], *left = NULL;
  size_t count = 0;
  for (size_t i = 0; i < prover->numReaches; ++i) {
    const CuteReach *reach = &prover->reaches[i];
    if (claim == CUTE_CLAIM_WRITTEN &&
        reach->place->kind == CUTE_PLACE_REGISTER)
      cuteVerdictClaim(verdict);
    if (!isAbout(claim, reach))
      continue;
    cuteVerdictClaim(verdict);
    if (isSuspected(suspects, count, reach)) {
      left = reach;
      claims->mayStray |= mayStray(claim, reach);
    } else if (mayFail(claims, claim, reach, false)) {
      suspects[count++] = reach;
    }
  }
  for (size_t i = 0; i < count; ++i)
    mayFail(claims, claim, suspects[i], true);
  for (size_t i = 0; verdict->outcome > CUTE_OUTCOME_PROVED && i < count; ++i)
    claims->mayStray |= mayStray(claim, suspects[i]);
  if (left)
    cuteVerdictDoubt(verdict, left->op, "not all accesses were looked at");
  if (verdict->outcome != CUTE_OUTCOME_NONE || kinds == 1u << claim)
    cuteVerdictDoubtBlindSpots(claims, verdict, kinds);
}
