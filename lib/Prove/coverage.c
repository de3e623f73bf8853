// Tells whether every element of an output is written: each has a block and a
// round whose threads write it.
#include "Prove/writes.h"

// An output, and the verdict on it.
typedef struct Output {
  CuteClaims *claims;
  CuteVerdict *verdict;
  CuteTouches touches;
} Output;

// Adds the contract that an extent is one of whole tiles where that rules a
// violation out and the kernel does not test the extent, as one does that takes
// others, too. Tells whether it rules that out.
static bool needsWholeTiles(Output *output, CuteCondition violation,
                            bool *isTested) {
  CuteClaims *claims = output->claims;
  for (size_t g = 0; g < output->touches.numGroups; ++g) {
    const CuteWrite *write = &output->touches.groups[g].writes[0];
    for (size_t a = 0; a < write->numAxes; ++a) {
      const CuteAxis *axis = &write->axes[a];
      CuteContract contract = {.large = cuteTermGetOnlySymbol(axis->bound)};
      if (!contract.large || !axis->count)
        continue;
      contract.more = axis->digits[axis->count - 1].weight;
      if (!cuteContractRulesOut(claims, violation, contract))
        continue;
      *isTested =
          cuteConditionGetMarks(claims->prover->terms, write->reach->path)
              .is[contract.large->id];
      if (!*isTested)
        cuteClaimAddContract(claims, contract);
      return true;
    }
  }
  return false;
}

// Chooses a side of the first disjunction among the conjuncts.
static CuteCondition chooseSide(CuteCondition c, bool isSecond, bool *any) {
  if (!*any && c->kind == CUTE_CONDITION_BOTH) {
    CuteCondition a = chooseSide(c->a, isSecond, any);
    return cuteConditionAnd(a, chooseSide(c->b, isSecond, any));
  }
  if (*any || c->kind != CUTE_CONDITION_EITHER)
    return c;
  *any = true;
  return isSecond ? c->b : c->a;
}

// Decides whether an element may be missed. Gives the reason why that is not
// decided, or null.
static const char *decide(Output *output, CuteCondition missed) {
  CuteClaims *claims = output->claims;
  CuteReach reach = *output->touches.list[0].reach;
  bool isTested = false, any = false;
  reach.path = cuteConditionGetConstant(true);
  cuteSolverRest(claims->solver);
  CuteCondition all = cuteConditionAnd(cuteClaimGetContracts(claims), missed);
  if (cuteSolverRefutes(claims->solver, all))
    return NULL;
  bool isRagged = needsWholeTiles(output, all, &isTested);
  if ((isRagged && !isTested) ||
      (!isRagged && !cuteClaimMayFail(claims, &reach, missed)))
    return NULL;
  CuteCondition first = chooseSide(missed, false, &any);
  const char *reason = any && !isRagged ? decide(output, first) : NULL;
  any = false;
  if (!isRagged && first != missed)
    return reason ? reason : decide(output, chooseSide(missed, true, &any));
  if (isRagged && output->verdict->outcome != CUTE_OUTCOME_REFUTED)
    cuteClaimAccuse(claims, output->verdict, &reach, missed, "never written");
  return isRagged ? NULL : "elements that no thread may write";
}

// Finds why elements of the tensor may not be written; null: all are, or that
// is decided.
static const char *findMissing(Output *output) {
  CuteProver *prover = output->claims->prover;
  const CuteTouches *touches = &output->touches;
  const CuteWrite *write = &touches->list[0];
  CuteTouched element = {.where = cuteClaimGetContracts(output->claims)};
  int64_t hole[CUTE_MAX_MODES + 1];
  for (int i = 0; i < 3; ++i)
    if (!prover->grid[i] && !prover->count[i])
      return CUTE_REASON_BLOCKS;
  for (size_t a = 0; a < write->numAxes; ++a)
    element.x[a] = cuteTermGetSymbol(
        cuteSymbolCreate(prover->terms, CUTE_SYMBOL_OPAQUE, NULL,
                         (CuteInterval){0, CUTE_UNBOUNDED}));
  element.where =
      cuteConditionAnd(element.where, cuteWriteHas(write, element.x));
  if (cuteTouchesFind(output->claims, touches, &element))
    return NULL;
  for (size_t g = 0; g < touches->numGroups; ++g)
    if (cuteWriteFindHole(&touches->groups[g],
                          touches->groups[g].writes[0].block, hole))
      return "a tile whose elements are not all written";
  return element.reason ? element.reason : decide(output, element.missed);
}

void cuteClaimCoverage(CuteClaims *claims) {
  const CuteProver *prover = claims->prover;
  Output output = {.claims = claims,
                   .verdict = &claims->verdicts[CUTE_CLAIM_COVERAGE]};
  for (size_t i = 0; i < prover->numPlaces; ++i) {
    if (prover->places[i]->kind != CUTE_PLACE_GLOBAL)
      continue;
    CuteTouches *touches = &output.touches;
    *touches = cuteTouchesList(claims, prover->places[i]->argument, true);
    if (touches->count || touches->reason)
      cuteVerdictClaim(output.verdict);
    const char *reason = touches->reason;
    MlirOperation op = touches->op;
    if (!reason && touches->count) {
      op = touches->list[0].reach->op;
      reason = findMissing(&output);
    }
    if (reason)
      cuteVerdictDoubt(output.verdict, op, reason);
    cuteTouchesDestroy(touches);
  }
  cuteVerdictDoubtBlindSpots(claims, output.verdict,
                             1u << CUTE_PLACE_GLOBAL | 1u << CUTE_PLACE_MAP);
}
