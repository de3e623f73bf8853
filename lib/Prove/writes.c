#include "Prove/writes.h"

#include "Prove/intervals.h"

enum { MAX_STORES = 1024, MAX_ELEMENTS = 1 << 20 };
enum { MAX_COUNTED = 64 };

static int compareDigits(const void *a, const void *b) {
  const CuteDigit *x = a, *y = b;
  return (x->weight > y->weight) - (x->weight < y->weight);
}

bool cuteWriteIsCounted(const CuteSymbol *symbol) {
  return symbol->kind == CUTE_SYMBOL_ROUND && symbol->range.high < MAX_COUNTED;
}

bool cuteWriteCounts(const CuteRound *round) {
  return cuteWriteIsCounted(round->symbol);
}

// Tells whether a symbol of a coordinate is a block's index or a round's
// number, or a quotient or a rest of these, and of no thread.
static bool isIndex(CuteProver *prover, const CuteSymbol *s) {
  enum {
    INDICES = 1u << CUTE_SYMBOL_BLOCK | 1u << CUTE_SYMBOL_ROUND,
    KINDS = INDICES | 1u << CUTE_SYMBOL_FLOOR | 1u << CUTE_SYMBOL_MODULO
  };
  CuteMarks marks = cuteConditionGetTermMarks(cuteTermGetSymbol(s));
  bool any = false, is = KINDS >> s->kind & 1 && !marks.reason;
  for (size_t i = 0; is && i < prover->terms->count; ++i) {
    const CuteSymbol *other = prover->terms->symbols[i];
    any |= marks.is[i] && INDICES >> other->kind & 1;
    is = !marks.is[i] ||
         (other->kind != CUTE_SYMBOL_THREAD && !cuteWriteIsCounted(other));
  }
  return is && any;
}

enum {
  NOT_OF_BLOCK = 1u << CUTE_SYMBOL_THREAD | 1u << CUTE_SYMBOL_ROUND |
                 1u << CUTE_SYMBOL_OPAQUE,
  NOT_OF_LAUNCH = NOT_OF_BLOCK | 1u << CUTE_SYMBOL_BLOCK
};

// Splits a coordinate in bytes. False where it has other symbols.
static bool split(CuteProver *prover, CuteTerm bytes, int64_t size,
                  CuteAxis *axis) {
  CuteTerms *terms = prover->terms;
  CuteTerm term = cuteTermFloor(bytes, size);
  *axis = (CuteAxis){.whole = term,
                     .base = cuteTermGetConstant(terms, 0),
                     .local = cuteTermGetConstant(terms, 0)};
  for (size_t i = 0; i < term->count; ++i) {
    const CuteMonomial *m = &term->monomials[i];
    const CuteSymbol *s = m->degree ? m->factors[0] : NULL;
    CuteTerm one = cuteTermGetMonomial(terms, m);
    bool isDigit = s && isIndex(prover, s);
    bool isSize =
        s && !isDigit && cuteConditionTermIsFreeOf(one, NOT_OF_LAUNCH);
    CuteTerm *sum = isDigit || isSize ? &axis->base : &axis->local;
    *sum = cuteTermAdd(*sum, one);
    axis->hasSizes |= isSize;
    if (!isDigit)
      continue;
    if (m->degree != 1 || m->coefficient < 1 || axis->count == CUTE_MAX_DIGITS)
      return false;
    axis->digits[axis->count++] = (CuteDigit){s, m->coefficient};
  }
  int64_t low = cuteTermGetRange(axis->local).low,
          unit = cuteTermGetDivisor(axis->base);
  if (axis->hasSizes && low < 0 && low > -CUTE_UNBOUNDED) {
    low = cuteFloorDivide(low, unit) * unit;
    axis->base = cuteTermAddConstant(axis->base, low);
    axis->local = cuteTermAddConstant(axis->local, -low);
  }
  qsort(axis->digits, axis->count, sizeof *axis->digits, compareDigits);
  return true;
}

// Replaces a quotient and a rest by what is divided, by the same in all blocks
// and rounds.
static bool joinQuotient(CuteIndices *all) {
  for (size_t k = 0; k < all->count * all->count; ++k) {
    size_t i = k / all->count, j = k % all->count;
    const CuteSymbol *q = cuteTermGetOnlySymbol(all->list[i]);
    const CuteSymbol *r = cuteTermGetOnlySymbol(all->list[j]);
    if (!q || q->kind != CUTE_SYMBOL_FLOOR || !r ||
        r->kind != CUTE_SYMBOL_MODULO || q->a != r->a || q->b != r->b ||
        !cuteConditionTermIsFreeOf(q->b, NOT_OF_LAUNCH))
      continue;
    all->list[i] = q->a;
    all->list[j] = all->list[--all->count];
    return true;
  }
  return false;
}

// Replaces a sum by a block and a round of steps of the grid. Other sums stay.
static void splitSums(CuteProver *prover, const CuteRound *rounds,
                      CuteIndices *all) {
  for (size_t i = 0; i < all->count; ++i)
    for (const CuteRound *r = rounds; r; r = r->outer)
      for (int d = 0; d < 3; ++d) {
        CuteTerm block = cuteTermGetSymbol(prover->block[d]);
        CuteTerm round = cuteTermGetSymbol(r->symbol);
        if ((!prover->grid[d] && !prover->count[d]) ||
            all->list[i] !=
                cuteTermAdd(block,
                            cuteTermMultiply(round, cuteGridCount(prover, d))))
          continue;
        all->list[i] = block;
        all->list[all->count++] = round;
      }
}

CuteIndices cuteWriteResolve(CuteProver *prover, const CuteWrite *write) {
  CuteIndices all = {.count = 0};
  for (size_t p = 0; p < write->numAxes; ++p)
    for (size_t d = 0; d < write->axes[p].count; ++d)
      if (all.count < CUTE_MAX_DIGITS)
        all.list[all.count++] =
            cuteTermGetSymbol(write->axes[p].digits[d].symbol);
  while (joinQuotient(&all))
    ;
  splitSums(prover, write->reach->rounds, &all);
  return all;
}

CuteCondition cuteWriteGetGuard(CuteCondition path, unsigned kinds) {
  if (path->kind == CUTE_CONDITION_BOTH)
    return cuteConditionAnd(cuteWriteGetGuard(path->a, kinds),
                            cuteWriteGetGuard(path->b, kinds));
  return cuteConditionIsFreeOf(path, kinds) ? path
                                            : cuteConditionGetConstant(true);
}

CuteCondition cuteWriteHas(const CuteWrite *write, const CuteTerm *x) {
  CuteCondition all = cuteConditionGetConstant(true);
  for (size_t a = 0; a < write->numAxes; ++a)
    all =
        cuteConditionAnd(all, cuteConditionIsIndex(x[a], write->axes[a].bound));
  return all;
}

CuteCondition cuteWriteIsInTensor(const CuteWrite *write) {
  CuteTerm at[CUTE_MAX_MODES + 1];
  for (size_t a = 0; a < write->numAxes; ++a)
    at[a] = write->axes[a].whole;
  return cuteWriteHas(write, at);
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

// The elements of a box side by side in modes with static strides; 0: there are
// others, or TMA may clip more of these modes than the one whose stride is 1.
static int64_t findAlong(const CutePlace *place, const CuteBox *box) {
  int64_t along = 1, left = 0, extent, stride;
  for (size_t r = 0; r < place->rank; ++r)
    if (cuteTermIsConstant(place->stride[r], &stride)) {
      CuteInterval range = cuteTermGetRange(box->at[r]);
      left += box->extents[r] > 1;
      if (stride != 1 &&
          (!cuteTermIsConstant(place->shape[r], &extent) || range.low < 0 ||
           range.high > extent - box->extents[r]))
        return 0;
    }
  for (size_t r = 0; r < place->rank; ++r)
    if (cuteTermIsConstant(place->stride[r], &stride) && stride == along &&
        box->extents[r] > 1) {
      along *= box->extents[r];
      --left;
      r = SIZE_MAX;
    }
  return left ? 0 : along;
}

bool cuteWriteDescribe(CuteProver *prover, const CuteReach *reach,
                       CuteWrite *write) {
  CuteCoordinates c;
  *write = (CuteWrite){.reach = reach,
                       .guard = cuteWriteGetGuard(reach->path, NOT_OF_LAUNCH),
                       .block = cuteWriteGetGuard(reach->path, NOT_OF_BLOCK)};
  const CutePlace *place = reach->place;
  int64_t bits = place->rank ? cuteElementTypeGetBits(place->type->element) : 0;
  int64_t size = bits / 8;
  const CuteBox *box = reach->box;
  CuteTerm at = reach->offset;
  if (!size || bits % 8 || place->rank > CUTE_MAX_MODES || reach->bytes % size)
    return false;
  int64_t along = box ? findAlong(place, box) : reach->bytes / size;
  for (size_t r = 0; box && r < place->rank; ++r)
    at = cuteTermAdd(
        at,
        cuteTermScale(cuteTermMultiply(place->stride[r], box->at[r]), size));
  bool ok = along && cuteCoordinatesFind(prover, place, at, &c);
  for (size_t r = 0; ok && r < place->rank; ++r)
    if (c.modes[r]) {
      CuteAxis *axis = &write->axes[write->numAxes];
      write->extents[write->numAxes++] = box ? box->extents[r] : 1;
      ok = split(prover, c.modes[r], size, axis);
      axis->bound = place->shape[r];
    }
  write->extents[write->numAxes] = along;
  CuteAxis *last = &write->axes[write->numAxes++];
  ok = ok && split(prover, c.rest, size, last);
  if (ok)
    last->bound = boundOfRest(prover->terms, place, &c);
  if (ok && last->bound)
    write->block = cuteConditionGiven(cuteWriteIsInTensor(write), write->block);
  return ok;
}

//===-- Elements ----------------------------------------------------------===//

static int compareElements(const void *a, const void *b) {
  const int64_t *x = ((const CuteElement *)a)->at,
                *y = ((const CuteElement *)b)->at;
  size_t i = 0;
  while (i < CUTE_MAX_MODES && x[i] == y[i])
    ++i;
  return (x[i] > y[i]) - (x[i] < y[i]);
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
  int64_t volume = 1;
  for (size_t p = 0; p < write->numAxes; ++p)
    volume *= write->extents[p];
  int64_t rounds = cuteIntervalsCountRounds(write->reach->rounds,
                                            cuteWriteCounts, MAX_ELEMENTS);
  for (int64_t i = 0; i < threads * rounds; i += write->isOfOne ? threads : 1) {
    CuteElement at = {.thread = i % threads, .block = write->block};
    cuteIntervalsSetCase(values, prover, write->reach->rounds, cuteWriteCounts,
                         i);
    if (!cuteValuesMayHold(values, write->reach->path))
      continue;
    for (size_t p = 0; p < write->numAxes; ++p)
      if (!cuteValuesGetTerm(values, write->axes[p].local, &at.at[p]) ||
          at.at[p] < 0)
        return false;
    for (int64_t e = 0; e < volume; ++e) {
      if (*count == MAX_ELEMENTS)
        return false;
      CuteElement *next = &written[(*count)++];
      *next = at;
      for (size_t p = write->numAxes, rest = (size_t)e; p-- > 0;) {
        next->at[p] += (int64_t)rest % write->extents[p];
        rest /= (size_t)write->extents[p];
        most[p] = next->at[p] > most[p] ? next->at[p] : most[p];
      }
    }
  }
  return true;
}

bool cuteWritesAreAlike(const CuteWrite *a, const CuteWrite *b) {
  bool are = a->numAxes == b->numAxes;
  for (size_t p = 0; are && p < a->numAxes; ++p)
    are = a->axes[p].base == b->axes[p].base;
  return are;
}

const char *cuteWriteListElements(CuteWriteGroup *group) {
  CuteProver *prover = group->claims->prover;
  CuteValues values = cuteValuesCreate(prover->terms);
  group->elements = cuteAllocate(MAX_ELEMENTS * sizeof *group->elements);
  for (size_t i = 0; i < group->count; ++i)
    if (!cuteWritesAreAlike(&group->writes[i], &group->writes[0]))
      return "stores whose tiles differ";
    else if (!addElements(prover, &values, &group->writes[i], group->elements,
                          &group->numElements, group->most))
      return CUTE_REASON_NOT_TILES;
  qsort(group->elements, group->numElements, sizeof *group->elements,
        compareElements);
  return NULL;
}

bool cuteWriteFindHole(const CuteWriteGroup *group, CuteCondition block,
                       int64_t *hole) {
  const CuteElement *last = NULL;
  size_t axes = group->writes[0].numAxes, a = 1;
  memset(hole, 0, axes * sizeof *hole);
  for (size_t i = 0; i < group->numElements; ++i) {
    const CuteElement *e = &group->elements[i];
    if (e->block != block || (last && cuteElementsAreAlike(last, e)))
      continue;
    if (memcmp(e->at, hole, axes * sizeof *hole) != 0)
      return true;
    last = e;
    for (a = axes; a && ++hole[a - 1] == cuteWriteGetExtent(group, a - 1); --a)
      hole[a - 1] = 0;
  }
  return a;
}

//===-- Groups ------------------------------------------------------------===//

// Merges two groups, whose guards may both hold in one launch.
static void join(CuteWrite *writes, size_t n, size_t group, size_t other) {
  for (size_t i = 0; i < n; ++i)
    if (writes[i].group == other)
      writes[i].group = group;
}

static void findGroups(CuteClaims *claims, CuteWrite *writes, size_t n) {
  CUTE_FREED size_t *first = cuteAllocate(n * sizeof *first);
  size_t count = 0;
  for (size_t i = 0; i < n; ++i) {
    size_t g = 0;
    while (g < count && writes[first[g]].guard != writes[i].guard)
      ++g;
    if (g == count)
      first[count++] = i;
    writes[i].group = first[g];
  }
  for (size_t g = 0; g < count; ++g)
    for (size_t h = 0; h < g; ++h)
      if (!cuteSolverRefutes(
              claims->solver,
              cuteConditionAnd(writes[first[g]].guard, writes[first[h]].guard)))
        join(writes, n, writes[first[h]].group, writes[first[g]].group);
}

// Checks the tiles of one tensor, those together that may be in one launch.
static void checkTensor(CuteClaims *claims, CuteVerdict *verdict,
                        CuteWrite *writes, size_t n, CuteCheckWrites *check) {
  CUTE_FREED CuteWrite *some = cuteAllocate(n * sizeof *some);
  findGroups(claims, writes, n);
  for (size_t g = 0; g < n; ++g) {
    CuteWriteGroup group = {.claims = claims, .writes = some};
    for (size_t i = 0; i < n; ++i)
      if (writes[i].group == g)
        some[group.count++] = writes[i];
    if (!group.count)
      continue;
    const char *reason = cuteWriteListElements(&group);
    if (!reason)
      reason = check(&group);
    if (reason)
      cuteVerdictDoubt(verdict, some[0].reach->op, reason);
    free(group.elements);
  }
}

static void checkPlace(CuteClaims *claims, CuteVerdict *verdict,
                       const CutePlace *place, CuteCheckWrites *check) {
  CuteProver *prover = claims->prover;
  CUTE_FREED CuteWrite *writes = cuteAllocate(MAX_STORES * sizeof *writes);
  MlirOperation other = {NULL};
  size_t n = 0;
  for (size_t i = 0; i < prover->numReaches; ++i) {
    const CuteReach *reach = &prover->reaches[i];
    if (reach->place != place || !reach->isStore || reach->isAtomic)
      continue;
    cuteVerdictClaim(verdict);
    bool isTile =
        n < MAX_STORES && cuteWriteDescribe(prover, reach, &writes[n]);
    for (size_t a = 0; isTile && a < writes[n].numAxes; ++a)
      isTile = !writes[n].axes[a].hasSizes;
    if (!isTile)
      other = reach->op;
    else
      ++n;
  }
  if (!mlirOperationIsNull(other))
    cuteVerdictDoubt(verdict, other, CUTE_REASON_NOT_TILES);
  else if (n)
    checkTensor(claims, verdict, writes, n, check);
}

void cuteWritesCheck(CuteClaims *claims, CuteCheckWrites *check) {
  CuteProver *prover = claims->prover;
  CuteVerdict *verdict = &claims->verdicts[CUTE_CLAIM_ONE_WRITER];
  for (size_t i = 0; i < prover->numPlaces; ++i)
    if (prover->places[i]->kind == CUTE_PLACE_GLOBAL)
      checkPlace(claims, verdict, prover->places[i], check);
  cuteVerdictDoubtBlindSpots(claims, verdict,
                             1u << CUTE_PLACE_GLOBAL | 1u << CUTE_PLACE_MAP);
}
