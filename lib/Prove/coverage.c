// Tells whether every element of an output is written: tiles have no gaps and
// leave none between them, and each thread reaches its write of every element
// that exists.
#include "Prove/writes.h"

#define GAPS "tiles of blocks or rounds with gaps between"

enum {
  NOT_THREAD = 1u << CUTE_SYMBOL_SIZE | 1u << CUTE_SYMBOL_BLOCK |
               1u << CUTE_SYMBOL_ROUND | 1u << CUTE_SYMBOL_OPAQUE
};

//===-- Tiles -------------------------------------------------------------===//

// Tells whether no write before one is of the same blocks.
static bool isFirst(const CuteWrite *writes, size_t i) {
  size_t same = 0;
  while (writes[same].block != writes[i].block)
    ++same;
  return same == i;
}

//===-- Who gets there ----------------------------------------------------===//

static bool isOfCoordinates(const CuteWrite *write, const CuteSymbol *symbol) {
  bool is = false;
  for (size_t a = 0; !is && a < write->numAxes; ++a)
    is = cuteConditionGetTermMarks(write->axes[a].whole).is[symbol->id];
  return is;
}

// Makes blocks and rounds the first ones that no coordinate is of: each of them
// writes the same.
static CuteRenaming firstOfOthers(CuteProver *prover, const CuteWrite *write) {
  CuteRenaming to = cuteRenamingCreate(prover->terms);
  CuteTerm zero = cuteTermGetConstant(prover->terms, 0);
  for (int i = 0; i < 3; ++i)
    if (!isOfCoordinates(write, prover->block[i]))
      to.by[prover->block[i]->id] = zero;
  for (const CuteRound *r = write->reach->rounds; r; r = r->outer)
    if (!isOfCoordinates(write, r->symbol))
      to.by[r->symbol->id] = zero;
  return to;
}

// Adds the contract that an extent is one of whole tiles where that rules a
// violation out and the kernel does not test the extent, as one does that takes
// others, too. Tells whether it rules that out.
static bool needsWholeTiles(CuteWriteGroup *group, const CuteWrite *write,
                            CuteCondition violation, bool *isTested) {
  const bool *isMarked =
      cuteConditionGetMarks(group->claims->prover->terms, write->reach->path)
          .is;
  for (size_t a = 0; a < write->numAxes; ++a) {
    const CuteAxis *axis = &write->axes[a];
    CuteContract contract = {.large = cuteTermGetOnlySymbol(axis->bound)};
    if (!contract.large || !axis->count)
      continue;
    contract.more = axis->digits[axis->count - 1].weight;
    if (!cuteContractRulesOut(group->claims, violation, contract))
      continue;
    *isTested = isMarked[contract.large->id];
    if (!*isTested)
      cuteClaimAddContract(group->claims, contract);
    return true;
  }
  return false;
}

// Decides whether a violation may hold where others do, in threads that are to
// write. Gives the reason why that is not decided, or null.
static const char *decide(CuteWriteGroup *group, CuteVerdict *verdict,
                          const CuteWrite *write, CuteCondition where,
                          CuteCondition violation) {
  CuteClaims *claims = group->claims;
  CuteReach reach = *write->reach;
  bool isTested = false;
  reach.path = where;
  CuteCondition all = cuteConditionAnd(cuteClaimGetContracts(claims),
                                       cuteConditionAnd(where, violation));
  if (cuteSolverRefutes(claims->solver, all))
    return NULL;
  bool isRagged = needsWholeTiles(group, write, all, &isTested);
  if ((isRagged && !isTested) || !cuteClaimMayFail(claims, &reach, violation))
    return NULL;
  if (isRagged && verdict->outcome != CUTE_OUTCOME_REFUTED)
    cuteClaimAccuse(claims, verdict, &reach, violation, "never written");
  return isRagged ? NULL : "elements that no thread may write";
}

// Decides whether each conjunct of a path holds in all that are to write. Those
// of the thread alone say who is.
static const char *decideEach(CuteWriteGroup *group, CuteVerdict *verdict,
                              const CuteWrite *write, CuteCondition common,
                              CuteCondition path, CuteRenaming to) {
  if (path->kind == CUTE_CONDITION_BOTH) {
    const char *reason = decideEach(group, verdict, write, common, path->a, to);
    return reason ? reason
                  : decideEach(group, verdict, write, common, path->b, to);
  }
  if (cuteConditionIsFreeOf(path, NOT_THREAD) ||
      cuteConditionImplies(common, path))
    return NULL;
  path = cuteConditionRename(path, to);
  CuteCondition where = cuteWriteIsInTensor(
      write, cuteConditionIsFreeOf(path, 1u << CUTE_SYMBOL_THREAD |
                                             1u << CUTE_SYMBOL_ROUND |
                                             1u << CUTE_SYMBOL_OPAQUE));
  return cuteConditionImplies(where, path) ||
                 cuteConditionImplies(cuteWriteIsInTensor(write, false), path)
             ? NULL
             : decide(group, verdict, write, cuteConditionAnd(where, common),
                      cuteConditionNot(path));
}

// Decides whether the blocks, rounds and threads that are to write an element
// all do.
static const char *findMissing(CuteWriteGroup *group, CuteVerdict *verdict,
                               CuteCondition launch) {
  CuteProver *prover = group->claims->prover;
  const char *reason = NULL;
  for (size_t i = 0; !reason && i < group->count; ++i) {
    const CuteWrite *write = &group->writes[i];
    CuteRenaming to = firstOfOthers(prover, write);
    CuteCondition common = cuteConditionAnd(
        write->block, cuteWriteGetGuard(write->reach->path, NOT_THREAD));
    CuteCondition path = write->reach->path;
    CuteIndices all = cuteWriteResolve(prover, write);
    for (int d = 0; d < 3; ++d)
      if (all.isCounted[d])
        common = cuteConditionAnd(
            common, cuteConditionIsLess(cuteTermGetSymbol(prover->block[d]),
                                        cuteGridCount(prover, d)));
    if (isFirst(group->writes, i))
      path = cuteConditionAnd(launch, path);
    reason = decideEach(group, verdict, write, common, path, to);
  }
  return reason;
}

// Decides whether there are blocks and rounds enough for each axis.
static const char *findShort(CuteWriteGroup *group, CuteVerdict *verdict) {
  CuteTerms *terms = group->claims->prover->terms;
  const CuteWrite *write = &group->writes[0];
  const char *reason = NULL;
  for (size_t a = 0; !reason && a < write->numAxes; ++a) {
    const CuteAxis *axis = &write->axes[a];
    const CuteDigit *top = axis->count ? &axis->digits[axis->count - 1] : NULL;
    int64_t end = cuteWriteGetExtent(group, a);
    CuteTerm all = cuteTermGetConstant(terms, end);
    if (top && top->symbol->kind == CUTE_SYMBOL_MODULO)
      all = cuteTermScale(top->symbol->b, top->weight);
    else if (top && top->symbol->range.high >= CUTE_UNBOUNDED)
      continue;
    else if (top)
      all = cuteTermGetConstant(terms,
                                top->weight * (top->symbol->range.high + 1));
    reason = decide(group, verdict, write, write->guard,
                    cuteConditionIsLess(all, axis->bound));
  }
  return reason;
}

//===-- The claim ---------------------------------------------------------===//

// Why the tiles of some blocks may have gaps, or no block's condition holds.
static const char *findGapInTile(CuteWriteGroup *group, CuteVerdict *verdict) {
  CuteCondition none = cuteConditionGetConstant(true);
  int64_t hole[CUTE_MAX_MODES + 1];
  for (size_t i = 0; i < group->count; ++i)
    if (isFirst(group->writes, i) &&
        cuteWriteFindHole(group, group->writes[i].block, hole))
      return "a tile whose elements are not all written";
  for (size_t i = 0; i < group->numAll; ++i)
    if (isFirst(group->all, i))
      none = cuteConditionAnd(none, cuteConditionNot(group->all[i].block));
  return decide(group, verdict, &group->writes[0],
                cuteWriteIsInTensor(&group->writes[0], true), none);
}

// Why elements may not be written; null: all are, or that is decided.
static const char *findGap(CuteWriteGroup *group, CuteVerdict *verdict) {
  CuteProver *prover = group->claims->prover;
  const CuteWrite *first = &group->writes[0];
  CuteCondition launch = prover->launch;
  CuteIndices all = cuteWriteResolve(prover, first);
  for (int i = 0; i < 3; ++i)
    if (!prover->grid[i] && !all.isCounted[i])
      return CUTE_REASON_BLOCKS;
  if (!all.isWhole)
    return GAPS;
  for (size_t a = 0; a < first->numAxes; ++a)
    if (!first->axes[a].bound || first->axes[a].count > 1)
      return GAPS;
  prover->launch = cuteConditionGetConstant(true);
  const char *reason = findGapInTile(group, verdict);
  if (!reason)
    reason = findShort(group, verdict);
  if (!reason)
    reason = findMissing(group, verdict, launch);
  prover->launch = launch;
  return reason;
}

void cuteClaimCoverage(CuteClaims *claims) {
  cuteWritesCheck(claims, CUTE_CLAIM_COVERAGE, true, findGap);
}
