// Tells threads apart that write elements of global memory.
//
// A coordinate that a store writes is a sum of multiples of block indices and
// round numbers, and of a number of the thread alone. Where each of these lies
// below what the next larger one is a multiple of, they are digits: elements of
// different blocks or rounds differ, and those of one are compared one by one.
#include "Prove/claims.h"
#include "Prove/coordinates.h"
#include "Prove/term_values.h"

#include <stdlib.h>

#define NOT_TILES "coordinates that are not tiles of blocks and threads"

enum { MAX_DIGITS = 8, MAX_STORES = 1024, MAX_ELEMENTS = 1 << 20 };
enum { MAX_GUARDS = 8, MAX_COUNTED = 64 };

// A symbol that a coordinate has multiples of.
typedef struct Digit {
  const CuteSymbol *symbol;
  int64_t weight;
} Digit;

// A coordinate, in elements: digits, and the rest.
typedef struct Place {
  Digit digits[MAX_DIGITS]; // by ascending weight
  size_t count;
  CuteTerm local;
} Place;

// A store's coordinates; the last is that of all static strides.
typedef struct Store {
  const CuteReach *reach;
  Place places[CUTE_MAX_MODES + 1];
  size_t numPlaces;
  int64_t elements;    // side by side in the last coordinate
  CuteCondition guard; // the condition on sizes alone under which it is
  CuteCondition block; // and on blocks
  size_t group;        // of those that may be in one launch
} Store;

typedef struct Written {
  int64_t at[CUTE_MAX_MODES + 1];
  int64_t thread;
  CuteCondition block;
} Written;

static int compareDigits(const void *a, const void *b) {
  const Digit *x = a, *y = b;
  return (x->weight > y->weight) - (x->weight < y->weight);
}

// Tells whether a symbol is the number of a round that is looked at, one of
// few.
static bool isCounted(const CuteSymbol *symbol) {
  return symbol->kind == CUTE_SYMBOL_ROUND && symbol->range.high < MAX_COUNTED;
}

// Splits a coordinate in bytes. False where it has other symbols.
static bool split(CuteProver *prover, CuteTerm bytes, int64_t size,
                  Place *place) {
  CuteTerms *terms = &prover->terms;
  CuteTerm term = cuteTermFloor(terms, bytes, size);
  *place = (Place){.local = cuteTermGetConstant(terms, 0)};
  for (size_t i = 0; i < term->count; ++i) {
    const CuteMonomial *m = &term->monomials[i];
    const CuteSymbol *s = m->degree ? m->factors[0] : NULL;
    if (!s || (s->kind != CUTE_SYMBOL_BLOCK && s->kind != CUTE_SYMBOL_ROUND) ||
        isCounted(s)) {
      place->local =
          cuteTermAdd(terms, place->local, cuteTermGetMonomial(terms, m));
      continue;
    }
    if (m->degree != 1 || m->coefficient < 1 || place->count == MAX_DIGITS)
      return false;
    place->digits[place->count++] = (Digit){s, m->coefficient};
  }
  qsort(place->digits, place->count, sizeof *place->digits, compareDigits);
  return true;
}

enum {
  NOT_OF_BLOCK = 1u << CUTE_SYMBOL_THREAD | 1u << CUTE_SYMBOL_ROUND |
                 1u << CUTE_SYMBOL_OPAQUE,
  NOT_OF_LAUNCH = NOT_OF_BLOCK | 1u << CUTE_SYMBOL_BLOCK
};

// The conjuncts of a path that are free of symbols of the kinds, so that they
// hold in all threads of a block or launch or in none.
static CuteCondition guardOf(CuteTerms *terms, CuteCondition path,
                             unsigned kinds) {
  if (path->kind == CUTE_CONDITION_BOTH)
    return cuteConditionAnd(terms, guardOf(terms, path->a, kinds),
                            guardOf(terms, path->b, kinds));
  return cuteConditionIsFreeOf(terms, path, kinds)
             ? path
             : cuteConditionGetConstant(true);
}

static bool describe(CuteProver *prover, const CuteReach *reach, Store *store) {
  CuteCoordinates c;
  *store = (Store){.reach = reach,
                   .guard = guardOf(&prover->terms, reach->path, NOT_OF_LAUNCH),
                   .block = guardOf(&prover->terms, reach->path, NOT_OF_BLOCK)};
  if (!reach->place->rank || reach->place->rank > CUTE_MAX_MODES ||
      cuteElementTypeGetBits(reach->place->type->element) % 8 ||
      !cuteCoordinatesFind(prover, reach->place, reach->offset, &c))
    return false;
  int64_t size = cuteElementTypeGetBits(reach->place->type->element) / 8;
  store->elements = reach->bytes / size;
  bool ok = reach->bytes % size == 0;
  for (size_t r = 0; ok && r < reach->place->rank; ++r)
    if (c.modes[r])
      ok = split(prover, c.modes[r], size, &store->places[store->numPlaces++]);
  return ok && split(prover, c.rest, size, &store->places[store->numPlaces++]);
}

//===-- Digits ------------------------------------------------------------===//

static bool hasDigit(const Store *store, const CuteSymbol *symbol) {
  for (size_t p = 0; p < store->numPlaces; ++p)
    for (size_t d = 0; d < store->places[p].count; ++d)
      if (store->places[p].digits[d].symbol == symbol)
        return true;
  return false;
}

// Tells whether stores of different blocks, or in different rounds, are to
// different elements if the digits are some: each is in a coordinate.
static bool hasAllDigits(const CuteProver *prover, const Store *store) {
  int64_t one;
  for (int i = 0; i < 3; ++i)
    if (!(prover->grid[i] && cuteTermIsConstant(prover->grid[i], &one) &&
          one == 1) &&
        !hasDigit(store, prover->block[i]))
      return false;
  for (const CuteRound *r = store->reach->rounds; r; r = r->outer)
    if (!r->symbol || (!isCounted(r->symbol) && !hasDigit(store, r->symbol)))
      return false;
  return true;
}

// Tells whether a number below `most` and the digits above it do not overlap.
static bool areDigits(const Place *place, int64_t most) {
  for (size_t d = 0; d < place->count; ++d) {
    const Digit *digit = &place->digits[d];
    if (digit->weight <= most)
      return false;
    if (digit->symbol->range.high >= CUTE_UNBOUNDED)
      return d + 1 == place->count;
    most += digit->weight * digit->symbol->range.high;
  }
  return true;
}

static bool haveSameDigits(const Store *a, const Store *b) {
  bool same = a->numPlaces == b->numPlaces;
  for (size_t p = 0; same && p < a->numPlaces; ++p) {
    same = a->places[p].count == b->places[p].count;
    for (size_t d = 0; same && d < a->places[p].count; ++d)
      same = a->places[p].digits[d].symbol == b->places[p].digits[d].symbol &&
             a->places[p].digits[d].weight == b->places[p].digits[d].weight;
  }
  return same;
}

//===-- Elements ----------------------------------------------------------===//

static int compareWritten(const void *a, const void *b) {
  return memcmp(((const Written *)a)->at, ((const Written *)b)->at,
                sizeof((const Written *)a)->at);
}

static int64_t countRounds(const CuteReach *reach) {
  int64_t count = 1;
  for (const CuteRound *r = reach->rounds; r && count < MAX_ELEMENTS;
       r = r->outer)
    count *= isCounted(r->symbol) ? r->symbol->range.high + 1 : 1;
  return count;
}

static void setRounds(CuteValues *values, const CuteReach *reach,
                      int64_t number) {
  for (const CuteRound *r = reach->rounds; r; r = r->outer)
    if (isCounted(r->symbol)) {
      cuteValuesSet(values, r->symbol, number % (r->symbol->range.high + 1));
      number /= r->symbol->range.high + 1;
    }
}

// Notes what a store writes in all threads that may get to it. False where a
// coordinate is not of the thread alone.
static bool addElements(CuteProver *prover, CuteValues *values,
                        const Store *store, Written *written, size_t *count,
                        int64_t *most) {
  const int64_t *size = prover->blockSize;
  int64_t threads = size[0] * size[1] * size[2];
  for (int64_t i = 0; i < threads * countRounds(store->reach); ++i) {
    Written at = {.thread = i % threads, .block = store->block};
    cuteValuesClear(values);
    cuteValuesSetThread(values, prover->thread, size, i % threads);
    setRounds(values, store->reach, i / threads);
    if (!cuteValuesMayHold(values, store->reach->path))
      continue;
    for (size_t p = 0; p < store->numPlaces; ++p)
      if (!cuteValuesGetTerm(values, store->places[p].local, &at.at[p]) ||
          at.at[p] < 0)
        return false;
    for (int64_t e = 0; e < store->elements; ++e) {
      if (*count == MAX_ELEMENTS)
        return false;
      for (size_t p = 0; p < store->numPlaces; ++p)
        most[p] = at.at[p] > most[p] ? at.at[p] : most[p];
      written[(*count)++] = at;
      ++at.at[store->numPlaces - 1];
    }
  }
  return true;
}

static bool isSame(CuteCondition a, CuteCondition b) {
  return a == b || (a->kind == CUTE_CONDITION_BOTH && b->kind == a->kind &&
                    isSame(a->a, b->a) && isSame(a->b, b->b));
}

// Tells whether two conditions never hold together.
static bool areExclusive(CuteClaims *claims, CuteCondition a, CuteCondition b) {
  return !isSame(a, b) &&
         cuteSolverRefutes(claims->solver,
                           cuteConditionAnd(&claims->prover->terms, a, b));
}

// Why two threads of a block may write one element that is listed; null: none
// do, or never in one block.
static const char *findTwice(CuteClaims *claims, Written *written,
                             size_t count) {
  CuteCondition a = NULL, b = NULL; // known to be exclusive
  qsort(written, count, sizeof *written, compareWritten);
  for (size_t i = 1; i < count; ++i)
    for (size_t j = i; j-- > 0 && !compareWritten(&written[i], &written[j]);) {
      CuteCondition x = written[j].block, y = written[i].block;
      if (written[i].thread == written[j].thread ||
          (a &&
           ((isSame(x, a) && isSame(y, b)) || (isSame(x, b) && isSame(y, a)))))
        continue;
      if (!areExclusive(claims, x, y))
        return "two threads of a block write one element";
      a = x;
      b = y;
    }
  return NULL;
}

// Why some stores with the same digits may write one element in two threads;
// null: they do not.
static const char *findOverlap(CuteClaims *claims, const Store *stores,
                               size_t n) {
  CuteProver *prover = claims->prover;
  CuteValues values = cuteValuesCreate(&prover->terms);
  int64_t most[CUTE_MAX_MODES + 1] = {0};
  size_t count = 0;
  for (size_t i = 0; i < n; ++i)
    if (!haveSameDigits(&stores[i], &stores[0]))
      return "stores whose tiles differ";
    else if (!hasAllDigits(prover, &stores[i]))
      return "blocks or rounds that no coordinate tells apart";
  const char *reason = NULL;
  Written *written = cuteAllocate(MAX_ELEMENTS * sizeof *written);
  for (size_t i = 0; !reason && i < n; ++i)
    if (!addElements(prover, &values, &stores[i], written, &count, most))
      reason = NOT_TILES;
  for (size_t p = 0; !reason && p < stores[0].numPlaces; ++p)
    if (!areDigits(&stores[0].places[p], most[p]))
      reason = "tiles of blocks or rounds that overlap";
  if (!reason)
    reason = findTwice(claims, written, count);
  free(written);
  return reason;
}

//===-- The claim ---------------------------------------------------------===//

// Makes one group of those of two guards that may be in one launch.
static void join(Store *stores, size_t n, size_t group, size_t other) {
  for (size_t i = 0; i < n; ++i)
    if (stores[i].group == other)
      stores[i].group = group;
}

static void findGroups(CuteClaims *claims, Store *stores, size_t n) {
  size_t first[MAX_GUARDS], count = 0;
  for (size_t i = 0; i < n; ++i) {
    size_t g = 0;
    while (g < count && !isSame(stores[first[g]].guard, stores[i].guard))
      ++g;
    if (g == MAX_GUARDS) { // one group
      for (size_t j = 0; j < n; ++j)
        stores[j].group = 0;
      return;
    }
    if (g == count)
      first[count++] = i;
    stores[i].group = first[g];
  }
  for (size_t g = 0; g < count; ++g)
    for (size_t h = 0; h < g; ++h)
      if (!areExclusive(claims, stores[first[g]].guard, stores[first[h]].guard))
        join(stores, n, stores[first[h]].group, stores[first[g]].group);
}

// Checks the stores to one tensor, those together that may be in one launch.
static void checkTensor(CuteClaims *claims, Store *stores, size_t n) {
  Store *group = cuteAllocate(n * sizeof *group);
  findGroups(claims, stores, n);
  for (size_t g = 0; g < n; ++g) {
    size_t count = 0;
    for (size_t i = 0; i < n; ++i)
      if (stores[i].group == g)
        group[count++] = stores[i];
    const char *reason = count ? findOverlap(claims, group, count) : NULL;
    if (reason)
      cuteVerdictDoubt(&claims->verdicts[CUTE_CLAIM_ONE_WRITER],
                       group[0].reach->op, reason);
  }
  free(group);
}

static void claimTensor(CuteClaims *claims, CutePlace *place, Store *stores) {
  CuteProver *prover = claims->prover;
  CuteVerdict *verdict = &claims->verdicts[CUTE_CLAIM_ONE_WRITER];
  size_t n = 0;
  for (size_t i = 0; i < prover->numReaches; ++i) {
    const CuteReach *reach = &prover->reaches[i];
    if (reach->place != place || !reach->isStore || reach->isAtomic)
      continue;
    if (verdict->outcome == CUTE_OUTCOME_NONE)
      verdict->outcome = CUTE_OUTCOME_PROVED;
    if (n == MAX_STORES || !describe(prover, reach, &stores[n])) {
      cuteVerdictDoubt(verdict, reach->op, NOT_TILES);
      return;
    }
    ++n;
  }
  if (n)
    checkTensor(claims, stores, n);
}

void cuteClaimOneWriter(CuteClaims *claims) {
  CuteProver *prover = claims->prover;
  CuteVerdict *verdict = &claims->verdicts[CUTE_CLAIM_ONE_WRITER];
  Store *stores = cuteAllocate(MAX_STORES * sizeof *stores);
  cuteSolverRest(claims->solver);
  for (size_t i = 0; i < prover->numPlaces; ++i)
    if (prover->places[i]->kind == CUTE_PLACE_GLOBAL)
      claimTensor(claims, prover->places[i], stores);
  for (size_t i = 0; i < prover->numBlindSpots; ++i)
    if (prover->blindSpots[i].touches[CUTE_PLACE_GLOBAL] ||
        prover->blindSpots[i].storesTiles)
      cuteVerdictDoubt(verdict, prover->blindSpots[i].op,
                       prover->blindSpots[i].reason);
  free(stores);
}
