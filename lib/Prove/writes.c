#include "Prove/writes.h"

#include "Prove/intervals.h"

#define NOT_TILES "coordinates that are not tiles of blocks and threads"

enum { MAX_STORES = 1024, MAX_ELEMENTS = 1 << 20, MAX_GUARDS = 8 };
enum { MAX_COUNTED = 64 };

static int compareDigits(const void *a, const void *b) {
  const CuteDigit *x = a, *y = b;
  return (x->weight > y->weight) - (x->weight < y->weight);
}

static bool isCounted(const CuteSymbol *symbol) {
  return symbol->kind == CUTE_SYMBOL_ROUND && symbol->range.high < MAX_COUNTED;
}

bool cuteWriteCounts(const CuteRound *round) {
  return round->symbol && isCounted(round->symbol);
}

// Splits a coordinate in bytes. False where it has other symbols.
static bool split(CuteProver *prover, CuteTerm bytes, int64_t size,
                  CuteAxis *axis) {
  CuteTerms *terms = &prover->terms;
  CuteTerm term = cuteTermFloor(bytes, size);
  *axis = (CuteAxis){.whole = term, .local = cuteTermGetConstant(terms, 0)};
  for (size_t i = 0; i < term->count; ++i) {
    const CuteMonomial *m = &term->monomials[i];
    const CuteSymbol *s = m->degree ? m->factors[0] : NULL;
    if (!s || (s->kind != CUTE_SYMBOL_BLOCK && s->kind != CUTE_SYMBOL_ROUND) ||
        isCounted(s)) {
      axis->local = cuteTermAdd(axis->local, cuteTermGetMonomial(terms, m));
      continue;
    }
    if (m->degree != 1 || m->coefficient < 1 || axis->count == CUTE_MAX_DIGITS)
      return false;
    axis->digits[axis->count++] = (CuteDigit){s, m->coefficient};
  }
  qsort(axis->digits, axis->count, sizeof *axis->digits, compareDigits);
  return true;
}

enum {
  NOT_OF_BLOCK = 1u << CUTE_SYMBOL_THREAD | 1u << CUTE_SYMBOL_ROUND |
                 1u << CUTE_SYMBOL_OPAQUE,
  NOT_OF_LAUNCH = NOT_OF_BLOCK | 1u << CUTE_SYMBOL_BLOCK
};

CuteCondition cuteWriteGetGuard(CuteCondition path, unsigned kinds) {
  if (path->kind == CUTE_CONDITION_BOTH)
    return cuteConditionAnd(cuteWriteGetGuard(path->a, kinds),
                            cuteWriteGetGuard(path->b, kinds));
  return cuteConditionIsFreeOf(path, kinds) ? path
                                            : cuteConditionGetConstant(true);
}

// The elements of modes with static strides, where they lie side by side.
static CuteTerm boundOfRest(CuteTerms *terms, const CutePlace *place,
                            const CuteCoordinates *c) {
  CuteTerm bound = cuteTermGetConstant(terms, 1);
  int64_t next = 1, stride, extent, left = 0;
  for (size_t r = 0; r < place->rank; ++r)
    left += !c->modes[r] &&
            !(cuteTermIsConstant(place->shape[r], &extent) && extent == 1);
  for (size_t r = 0; r < place->rank && next; ++r) {
    bool isStatic = cuteTermIsConstant(place->shape[r], &extent);
    if (c->modes[r] || (isStatic && extent == 1) ||
        !cuteTermIsConstant(place->stride[r], &stride) || stride != next)
      continue;
    bound = cuteTermMultiply(bound, place->shape[r]);
    next = isStatic ? next * extent : 0;
    --left;
    r = SIZE_MAX;
  }
  return left ? NULL : bound;
}

static bool describe(CuteProver *prover, const CuteReach *reach,
                     CuteWrite *write) {
  CuteCoordinates c;
  *write = (CuteWrite){.reach = reach,
                       .guard = cuteWriteGetGuard(reach->path, NOT_OF_LAUNCH),
                       .block = cuteWriteGetGuard(reach->path, NOT_OF_BLOCK)};
  if (!reach->place->rank || reach->place->rank > CUTE_MAX_MODES ||
      cuteElementTypeGetBits(reach->place->type->element) % 8 ||
      !cuteCoordinatesFind(prover, reach->place, reach->offset, &c))
    return false;
  int64_t size = cuteElementTypeGetBits(reach->place->type->element) / 8;
  write->elements = reach->bytes / size;
  bool ok = reach->bytes % size == 0;
  for (size_t r = 0; ok && r < reach->place->rank; ++r)
    if (c.modes[r]) {
      CuteAxis *axis = &write->axes[write->numAxes++];
      ok = split(prover, c.modes[r], size, axis);
      axis->bound = reach->place->shape[r];
    }
  CuteAxis *last = &write->axes[write->numAxes++];
  ok = ok && split(prover, c.rest, size, last);
  last->bound = boundOfRest(&prover->terms, reach->place, &c);
  return ok;
}

//===-- Elements ----------------------------------------------------------===//

static int compareElements(const void *a, const void *b) {
  return memcmp(((const CuteElement *)a)->at, ((const CuteElement *)b)->at,
                sizeof((const CuteElement *)a)->at);
}

bool cuteElementsAreAlike(const CuteElement *a, const CuteElement *b) {
  return !compareElements(a, b);
}

// Notes what a store writes in all threads that may get to it. False where a
// coordinate is not of the thread alone.
static bool addElements(CuteProver *prover, CuteValues *values,
                        const CuteWrite *write, CuteElement *written,
                        size_t *count, int64_t *most) {
  int64_t threads = cuteProverCountThreads(prover);
  int64_t rounds = cuteIntervalsCountRounds(write->reach->rounds,
                                            cuteWriteCounts, MAX_ELEMENTS);
  for (int64_t i = 0; i < threads * rounds; ++i) {
    CuteElement at = {.thread = i % threads, .block = write->block};
    cuteIntervalsSetCase(values, prover, write->reach->rounds, cuteWriteCounts,
                         i);
    if (!cuteValuesMayHold(values, write->reach->path))
      continue;
    for (size_t p = 0; p < write->numAxes; ++p)
      if (!cuteValuesGetTerm(values, write->axes[p].local, &at.at[p]) ||
          at.at[p] < 0)
        return false;
    for (int64_t e = 0; e < write->elements; ++e) {
      if (*count == MAX_ELEMENTS)
        return false;
      for (size_t p = 0; p < write->numAxes; ++p)
        most[p] = at.at[p] > most[p] ? at.at[p] : most[p];
      written[(*count)++] = at;
      ++at.at[write->numAxes - 1];
    }
  }
  return true;
}

static bool areAlike(const CuteWrite *a, const CuteWrite *b) {
  bool same = a->numAxes == b->numAxes;
  for (size_t p = 0; same && p < a->numAxes; ++p) {
    same = a->axes[p].count == b->axes[p].count;
    for (size_t d = 0; same && d < a->axes[p].count; ++d)
      same = a->axes[p].digits[d].symbol == b->axes[p].digits[d].symbol &&
             a->axes[p].digits[d].weight == b->axes[p].digits[d].weight;
  }
  return same;
}

// Lists the elements of a group. Gives the reason why that is not possible, or
// null.
static const char *listElements(CuteWriteGroup *group) {
  CuteProver *prover = group->claims->prover;
  CuteValues values = cuteValuesCreate(&prover->terms);
  group->elements = cuteAllocate(MAX_ELEMENTS * sizeof *group->elements);
  for (size_t i = 0; i < group->count; ++i)
    if (!areAlike(&group->writes[i], &group->writes[0]))
      return "stores whose tiles differ";
    else if (!addElements(prover, &values, &group->writes[i], group->elements,
                          &group->numElements, group->most))
      return NOT_TILES;
  qsort(group->elements, group->numElements, sizeof *group->elements,
        compareElements);
  return NULL;
}

//===-- Groups ------------------------------------------------------------===//

// Merges two groups, whose guards may both hold in one launch.
static void join(CuteWrite *writes, size_t n, size_t group, size_t other) {
  for (size_t i = 0; i < n; ++i)
    if (writes[i].group == other)
      writes[i].group = group;
}

static void findGroups(CuteClaims *claims, CuteWrite *writes, size_t n) {
  size_t first[MAX_GUARDS], count = 0;
  for (size_t i = 0; i < n; ++i) {
    size_t g = 0;
    while (g < count &&
           !cuteConditionsAreSame(writes[first[g]].guard, writes[i].guard))
      ++g;
    if (g == MAX_GUARDS) { // one group
      for (size_t j = 0; j < n; ++j)
        writes[j].group = 0;
      return;
    }
    if (g == count)
      first[count++] = i;
    writes[i].group = first[g];
  }
  for (size_t g = 0; g < count; ++g)
    for (size_t h = 0; h < g; ++h)
      if (!cuteClaimExcludes(claims, writes[first[g]].guard,
                             writes[first[h]].guard))
        join(writes, n, writes[first[h]].group, writes[first[g]].group);
}

// Checks the tiles of one tensor, those together that may be in one launch.
static void checkTensor(CuteClaims *claims, CuteVerdict *verdict,
                        CuteWrite *writes, size_t n, CuteCheckWrites *check) {
  CUTE_FREED CuteWrite *some = cuteAllocate(n * sizeof *some);
  findGroups(claims, writes, n);
  for (size_t g = 0; g < n; ++g) {
    CuteWriteGroup group = {
        .claims = claims, .writes = some, .all = writes, .numAll = n};
    for (size_t i = 0; i < n; ++i)
      if (writes[i].group == g)
        some[group.count++] = writes[i];
    if (!group.count)
      continue;
    const char *reason = listElements(&group);
    if (!reason)
      reason = check(&group, verdict);
    if (reason)
      cuteVerdictDoubt(verdict, some[0].reach->op, reason);
    free(group.elements);
  }
}

static void checkPlace(CuteClaims *claims, CuteVerdict *verdict,
                       const CutePlace *place, bool withAtomics,
                       CuteCheckWrites *check) {
  CuteProver *prover = claims->prover;
  CUTE_FREED CuteWrite *writes = cuteAllocate(MAX_STORES * sizeof *writes);
  MlirOperation other = {NULL};
  size_t n = 0;
  for (size_t i = 0; i < prover->numReaches; ++i) {
    const CuteReach *reach = &prover->reaches[i];
    if (reach->place != place || !reach->isStore ||
        (reach->isAtomic && !withAtomics))
      continue;
    cuteVerdictClaim(verdict);
    if (n == MAX_STORES || !describe(prover, reach, &writes[n]))
      other = reach->op;
    else
      ++n;
  }
  if (!mlirOperationIsNull(other))
    cuteVerdictDoubt(verdict, other, NOT_TILES);
  else if (n)
    checkTensor(claims, verdict, writes, n, check);
}

void cuteWritesCheck(CuteClaims *claims, CuteClaim claim, bool withAtomics,
                     CuteCheckWrites *check) {
  CuteProver *prover = claims->prover;
  CuteVerdict *verdict = &claims->verdicts[claim];
  for (size_t i = 0; i < prover->numPlaces; ++i)
    if (prover->places[i]->kind == CUTE_PLACE_GLOBAL)
      checkPlace(claims, verdict, prover->places[i], withAtomics, check);
  cuteVerdictDoubtBlindSpots(claims, verdict,
                             1u << CUTE_PLACE_GLOBAL | 1u << CUTE_PLACE_MAP);
}
