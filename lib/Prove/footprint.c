// Compares what two kernels touch of a tensor.
#include "Prove/writes.h"

typedef struct Comparison {
  CuteClaims *claims; // of the kernel after its passes
  CuteVerdict *verdict;
  CuteTouched element;
} Comparison;

// Chooses an element of a tile, and notes the condition under which it is
// touched.
static void choose(Comparison *c, const CuteWriteGroup *group) {
  CuteProver *prover = group->claims->prover;
  const CuteWrite *write = &group->writes[0];
  c->element.where = cuteConditionAnd(
      cuteClaimGetContracts(c->claims),
      cuteConditionAnd(prover->launch,
                       cuteConditionAnd(prover->types, write->block)));
  for (size_t a = 0; a < write->numAxes; ++a) {
    int64_t extent = cuteWriteGetExtent(group, a);
    c->element.x[a] = write->axes[a].base;
    if (extent > 1)
      c->element.x[a] = cuteTermAdd(c->element.x[a],
                                    cuteTermGetSymbol(cuteSymbolCreate(
                                        prover->terms, CUTE_SYMBOL_OPAQUE, NULL,
                                        (CuteInterval){0, extent - 1})));
  }
  c->element.where =
      cuteConditionAnd(c->element.where, cuteWriteHas(write, c->element.x));
}

// Accuses the kernel of not writing the element: at the least sizes, or where
// products are in the way, at some sizes.
static void accuse(Comparison *c, const CuteReach *like) {
  static const int64_t sizes[] = {0, 1, 136};
  CuteTerms *terms = c->claims->prover->terms;
  CuteReach reach = *like;
  size_t most = reach.place->rank > 2 ? 2 : 3;
  reach.path = cuteConditionGetConstant(true);
  for (size_t i = 0; i < most && c->verdict->outcome != CUTE_OUTCOME_REFUTED;
       ++i) {
    cuteSolverRest(c->claims->solver);
    c->verdict->outcome = CUTE_OUTCOME_PROVED;
    CuteRenaming to = cuteRenamingCreate(terms);
    CuteCondition pinned = cuteConditionGetConstant(true);
    const bool *isUsed = cuteConditionGetMarks(terms, c->element.accused).is;
    for (size_t s = 0; sizes[i] && s < to.count; ++s) {
      const CuteSymbol *symbol = terms->symbols[s];
      if (!isUsed[s] || symbol->kind != CUTE_SYMBOL_SIZE ||
          !strstr(symbol->name, ".shape"))
        continue;
      int64_t tiles = (sizes[i] + symbol->divisor - 1) / symbol->divisor;
      to.by[s] = cuteTermGetConstant(terms, tiles * symbol->divisor);
      pinned = cuteConditionAnd(
          pinned, cuteConditionIsSame(cuteTermGetSymbol(symbol), to.by[s]));
    }
    cuteClaimAccuse(
        c->claims, c->verdict, &reach,
        cuteConditionAnd(pinned, cuteConditionRename(c->element.accused, to)),
        "never written");
  }
}

// Tells whether it is known, or a symbol, how many blocks there are.
static bool hasGrid(const CuteProver *p) {
  return (p->grid[0] || p->count[0]) && (p->grid[1] || p->count[1]) &&
         (p->grid[2] || p->count[2]);
}

// Decides whether the kernel `by` touches all that the other one does. A run
// shows elements that are not written.
static void compare(Comparison *c, const CuteTouches *of, const CuteTouches *by,
                    bool isShown) {
  const CuteTouches *unknown = of->reason ? of : by;
  if (unknown->reason)
    cuteVerdictDoubt(c->verdict, unknown->op, unknown->reason);
  for (size_t i = 0; !unknown->reason && i < of->numGroups; ++i) {
    MlirOperation op = of->groups[i].writes[0].reach->op;
    c->element.reason = NULL;
    choose(c, &of->groups[i]);
    if (!hasGrid(by->claims->prover))
      cuteVerdictDoubt(c->verdict, op, CUTE_REASON_BLOCKS);
    else if (!cuteTouchesFind(c->claims, by, &c->element)) {
      if (isShown && by->count && !c->element.reason &&
          c->verdict->outcome < CUTE_OUTCOME_REFUTED)
        accuse(c, by->list[0].reach);
      cuteVerdictDoubt(c->verdict, op,
                       c->element.reason
                           ? c->element.reason
                           : "elements that only one of the kernels may touch");
    }
  }
}

static void compareTensor(Comparison *c, CuteClaims *before, size_t argument,
                          bool isStore) {
  CuteTouches now = cuteTouchesList(c->claims, argument, isStore);
  CuteTouches then = cuteTouchesList(before, argument, isStore);
  if (now.count || then.count || now.reason || then.reason)
    cuteVerdictClaim(c->verdict);
  if (isStore)
    compare(c, &then, &now, true);
  compare(c, &now, &then, false);
  cuteTouchesDestroy(&now);
  cuteTouchesDestroy(&then);
}

void cuteClaimFootprint(CuteClaims *claims, CuteClaim claim) {
  bool isStore = claim == CUTE_CLAIM_SAME_WRITES;
  Comparison c = {.claims = claims, .verdict = &claims->verdicts[claim]};
  CuteClaims before = *claims;
  const CuteProver *plain = before.prover = claims->plain;
  if (!plain)
    return;
  for (size_t i = 0; i < plain->numPlaces; ++i)
    if (plain->places[i]->kind == CUTE_PLACE_GLOBAL)
      compareTensor(&c, &before, plain->places[i]->argument, isStore);
  unsigned kinds = 1u << CUTE_PLACE_GLOBAL |
                   1u << (isStore ? CUTE_PLACE_MAP : CUTE_PLACE_NONE);
  cuteVerdictDoubtBlindSpots(claims, c.verdict, kinds);
  if (isStore)
    cuteVerdictDoubtBlindSpots(&before, c.verdict, kinds);
}
