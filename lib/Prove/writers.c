// Tells threads apart that write elements of global memory: elements of
// different blocks or rounds differ in a digit of a coordinate; elements of the
// same block and round are compared one by one.
#include "Prove/writes.h"

static bool has(const CuteIndices *all, const CuteSymbol *symbol) {
  for (size_t i = 0; i < all->count; ++i)
    if (cuteTermGetOnlySymbol(all->list[i]) == symbol)
      return true;
  return false;
}

// Tells whether stores of different blocks, or in different rounds, are to
// different elements if the digits are some: they determine each of these.
static bool hasAllDigits(CuteProver *prover, const CuteWrite *write) {
  CuteIndices all = cuteWriteResolve(prover, write);
  int64_t one;
  for (int i = 0; i < 3; ++i)
    if (!(prover->grid[i] && cuteTermIsConstant(prover->grid[i], &one) &&
          one == 1) &&
        !has(&all, prover->block[i]))
      return false;
  for (const CuteRound *r = write->reach->rounds; r; r = r->outer)
    if (!cuteWriteCounts(r) && !has(&all, r->symbol))
      return false;
  return true;
}

// Tells whether a number below `most` and the digits above it do not overlap.
static bool areDigits(const CuteAxis *axis, int64_t most) {
  for (size_t d = 0; d < axis->count; ++d) {
    const CuteDigit *digit = &axis->digits[d];
    if (digit->weight <= most)
      return false;
    if (digit->symbol->range.high >= CUTE_UNBOUNDED)
      return d + 1 == axis->count;
    most += digit->weight * digit->symbol->range.high;
  }
  return true;
}

// Why two threads of a block may write one element that is listed; null: none
// do, or never in one block.
static const char *findTwice(CuteWriteGroup *group) {
  const CuteElement *written = group->elements;
  CuteCondition a = NULL, b = NULL; // known to be exclusive
  for (size_t i = 1; i < group->numElements; ++i)
    for (size_t j = i;
         j-- > 0 && cuteElementsAreAlike(&written[i], &written[j]);) {
      CuteCondition x = written[j].block, y = written[i].block;
      if (written[i].thread == written[j].thread ||
          (a && ((x == a && y == b) || (x == b && y == a))))
        continue;
      if (!cuteSolverRefutes(group->claims->solver, cuteConditionAnd(x, y)))
        return "two threads of a block write one element";
      a = x;
      b = y;
    }
  return NULL;
}

// Why some tiles may have an element of two threads; null: they have none.
static const char *findOverlap(CuteWriteGroup *group) {
  for (size_t i = 0; i < group->count; ++i)
    if (!hasAllDigits(group->claims->prover, &group->writes[i]))
      return "blocks or rounds that no coordinate tells apart";
  for (size_t a = 0; a < group->writes[0].numAxes; ++a)
    if (!areDigits(&group->writes[0].axes[a], group->most[a]))
      return "tiles of blocks or rounds that overlap";
  return findTwice(group);
}

void cuteClaimOneWriter(CuteClaims *claims) {
  CuteVerdict *verdict = &claims->verdicts[CUTE_CLAIM_ONE_WRITER];
  cuteWritesCheck(claims, findOverlap);
  if (claims->mayStray && verdict->outcome == CUTE_OUTCOME_PROVED)
    cuteVerdictDoubt(verdict, claims->verdicts[CUTE_CLAIM_GLOBAL_BOUNDS].op,
                     CUTE_REASON_STRAYS);
}
