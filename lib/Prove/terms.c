
#include "Prove/condition.h"
#include "Support/gcd.h"
#include "Support/growing_array.h"
#include "Support/hash.h"

void cuteTermsInit(CuteTerms *terms) { *terms = (CuteTerms){0}; }

void cuteTermsDestroy(CuteTerms *terms) {
  cuteArenaDestroy(&terms->arena);
  cuteHashTableDestroy(&terms->known);
  cuteHashTableDestroy(&terms->conditions);
  cuteHashTableDestroy(&terms->computed);
  free(terms->symbols);
}

//===-- Intervals ---------------------------------------------------------===//

static int64_t clamp(__int128 value) {
  return value > CUTE_UNBOUNDED    ? CUTE_UNBOUNDED
         : value < -CUTE_UNBOUNDED ? -CUTE_UNBOUNDED
                                   : (int64_t)value;
}

static bool isUnbounded(int64_t end) {
  return end == CUTE_UNBOUNDED || end == -CUTE_UNBOUNDED;
}

// Sums up with saturation at the ends of intervals.
static CuteInterval addIntervals(CuteInterval a, CuteInterval b) {
  bool isLow = isUnbounded(a.low) || isUnbounded(b.low);
  bool isHigh = isUnbounded(a.high) || isUnbounded(b.high);
  return (CuteInterval){
      isLow ? -CUTE_UNBOUNDED : clamp((__int128)a.low + b.low),
      isHigh ? CUTE_UNBOUNDED : clamp((__int128)a.high + b.high)};
}

static CuteInterval multiplyIntervals(CuteInterval a, CuteInterval b) {
  const int64_t x[2] = {a.low, a.high}, y[2] = {b.low, b.high};
  CuteInterval all = {CUTE_UNBOUNDED, -CUTE_UNBOUNDED};
  for (int i = 0; i < 4; ++i) {
    int64_t product = clamp((__int128)x[i / 2] * y[i % 2]);
    all.low = product < all.low ? product : all.low;
    all.high = product > all.high ? product : all.high;
  }
  return all;
}

//===-- Symbols -----------------------------------------------------------===//

CuteSymbol *cuteSymbolCreate(CuteTerms *terms, CuteSymbolKind kind,
                             const char *name, CuteInterval range) {
  CuteSymbol *symbol = cuteArenaAllocate(&terms->arena, sizeof *symbol);
  *symbol = (CuteSymbol){.terms = terms,
                         .kind = kind,
                         .id = terms->count,
                         .name = name,
                         .range = range,
                         .divisor = 1};
  CUTE_PUSH(terms->symbols, terms->count, terms->capacity, symbol);
  return symbol;
}

static bool isSameSymbol(const void *item, const void *key) {
  const CuteSymbol *a = item, *b = key;
  return a->kind == b->kind && a->divisor == b->divisor && a->a == b->a &&
         a->b == b->b && a->condition == b->condition;
}

CuteTerm cuteTermIntern(CuteSymbol like) {
  CuteTerms *terms = like.a->terms;
  like.divisor = like.divisor ? like.divisor : 1;
  uint64_t hash = cuteHashMix(
      cuteHashMix(cuteHashPointer(like.a), (uint64_t)(uintptr_t)like.b),
      (uint64_t)(uintptr_t)like.condition + like.kind);
  CuteHashSlot *slot =
      cuteHashTableFind(&terms->computed, hash, &like, isSameSymbol);
  if (!slot->item) {
    CuteSymbol *symbol =
        cuteSymbolCreate(terms, like.kind, like.name, like.range);
    like.id = symbol->id;
    like.terms = terms;
    *symbol = like;
    cuteHashTableFill(&terms->computed, slot, hash, symbol);
  }
  return cuteTermGetSymbol(slot->item);
}

//===-- Terms -------------------------------------------------------------===//

// Begins a term of up to so many monomials. It ends before the next begins.
static struct CuteTermImpl *begin(CuteTerms *terms, size_t count) {
  terms->mark = cuteArenaGetMark(&terms->arena);
  struct CuteTermImpl *term = cuteArenaAllocate(
      &terms->arena, sizeof *term + count * sizeof *term->monomials);
  term->terms = terms;
  term->count = 0;
  return term;
}

static bool isSameTerm(const void *item, const void *key) {
  const struct CuteTermImpl *a = item, *b = key;
  return a->count == b->count &&
         !memcmp(a->monomials, b->monomials, a->count * sizeof *a->monomials);
}

// Gives the term of these monomials that there is already, or this one.
static CuteTerm end(struct CuteTermImpl *term) {
  CuteTerms *terms = term->terms;
  uint64_t hash = cuteHashBytes((const char *)term->monomials,
                                term->count * sizeof *term->monomials);
  CuteHashSlot *slot = cuteHashTableFind(&terms->known, hash, term, isSameTerm);
  if (slot->item)
    cuteArenaReset(&terms->arena, terms->mark);
  else
    cuteHashTableFill(&terms->known, slot, hash, term);
  return slot->item;
}

CuteTerm cuteTermGetConstant(CuteTerms *terms, int64_t value) {
  return value
             ? cuteTermGetMonomial(terms, &(CuteMonomial){.coefficient = value})
             : end(begin(terms, 0));
}

CuteTerm cuteTermGetSymbol(const CuteSymbol *symbol) {
  return cuteTermGetMonomial(symbol->terms, &(CuteMonomial){1, 1, {symbol}});
}

CuteTerm cuteTermGetMonomial(CuteTerms *terms, const CuteMonomial *m) {
  struct CuteTermImpl *term = begin(terms, 1);
  term->monomials[term->count++] = *m;
  return end(term);
}

CuteTerm cuteTermGetUnknown(CuteTerms *terms, const char *reason) {
  return cuteTermGetSymbol(
      cuteSymbolCreate(terms, CUTE_SYMBOL_OPAQUE, reason,
                       (CuteInterval){-CUTE_UNBOUNDED, CUTE_UNBOUNDED}));
}

const CuteSymbol *cuteTermGetOnlySymbol(CuteTerm term) {
  const CuteMonomial *m = term->monomials;
  return term->count == 1 && m->degree == 1 && m->coefficient == 1
             ? m->factors[0]
             : NULL;
}

bool cuteTermIsConstant(CuteTerm term, int64_t *value) {
  *value = term->count ? term->monomials[0].coefficient : 0;
  return !term->count || (term->count == 1 && !term->monomials[0].degree);
}

static int compareMonomials(const CuteMonomial *a, const CuteMonomial *b) {
  if (a->degree != b->degree)
    return a->degree < b->degree ? -1 : 1;
  for (size_t i = 0; i < a->degree; ++i)
    if (a->factors[i] != b->factors[i])
      return a->factors[i]->id < b->factors[i]->id ? -1 : 1;
  return 0;
}

// a + factor * b.
static CuteTerm addScaled(CuteTerm a, CuteTerm b, int64_t factor) {
  struct CuteTermImpl *sum = begin(a->terms, a->count + b->count);
  bool isWide = false; // a coefficient has more than 64 bits
  for (size_t i = 0, j = 0; i < a->count || j < b->count;) {
    const CuteMonomial *x = &a->monomials[i], *y = &b->monomials[j];
    int order = i == a->count ? 1 : j == b->count ? -1 : compareMonomials(x, y);
    CuteMonomial m = order <= 0 ? *x : *y;
    int64_t scaled = 0;
    m.coefficient = order <= 0 ? m.coefficient : 0;
    isWide |= order >= 0 &&
              (__builtin_mul_overflow(y->coefficient, factor, &scaled) ||
               __builtin_add_overflow(m.coefficient, scaled, &m.coefficient));
    if (m.coefficient)
      sum->monomials[sum->count++] = m;
    i += order <= 0;
    j += order >= 0;
  }
  return isWide ? cuteTermGetUnknown(a->terms, "a number of more than 64 bits")
                : end(sum);
}

CuteTerm cuteTermAdd(CuteTerm a, CuteTerm b) { return addScaled(a, b, 1); }

CuteTerm cuteTermSubtract(CuteTerm a, CuteTerm b) {
  return addScaled(a, b, -1);
}

CuteTerm cuteTermScale(CuteTerm a, int64_t factor) {
  return addScaled(cuteTermGetConstant(a->terms, 0), a, factor);
}

CuteTerm cuteTermAddConstant(CuteTerm a, int64_t value) {
  return cuteTermAdd(a, cuteTermGetConstant(a->terms, value));
}

bool cuteMonomialMultiply(CuteMonomial *product, const CuteMonomial *b) {
  const CuteMonomial a[] = {*product};
  if (a->degree + b->degree > CUTE_MAX_DEGREE ||
      __builtin_mul_overflow(a->coefficient, b->coefficient,
                             &product->coefficient))
    return false;
  for (size_t f = 0; f < b->degree; ++f) {
    size_t at = product->degree++;
    for (; at && product->factors[at - 1]->id > b->factors[f]->id; --at)
      product->factors[at] = product->factors[at - 1];
    product->factors[at] = b->factors[f];
  }
  return true;
}

CuteTerm cuteTermMultiply(CuteTerm a, CuteTerm b) {
  CuteTerm sum = cuteTermGetConstant(a->terms, 0);
  for (size_t i = 0; i < a->count; ++i)
    for (size_t j = 0; j < b->count; ++j) {
      CuteMonomial one = a->monomials[i];
      if (!cuteMonomialMultiply(&one, &b->monomials[j]))
        return cuteTermGetUnknown(a->terms, "a product of many sizes");
      sum = cuteTermAdd(sum, cuteTermGetMonomial(a->terms, &one));
    }
  return sum;
}

int64_t cuteMonomialGetScale(const CuteMonomial *m) {
  return m->degree == 1 && m->factors[0]->kind == CUTE_SYMBOL_SIZE
             ? m->factors[0]->divisor
             : 1;
}

bool cuteMonomialDivide(CuteMonomial *m, const CuteSymbol *by) {
  for (size_t f = 0; f < m->degree; ++f)
    if (m->factors[f] == by) {
      --m->degree;
      memmove(&m->factors[f], &m->factors[f + 1],
              (m->degree - f) * sizeof *m->factors);
      m->factors[m->degree] = NULL;
      return true;
    }
  return false;
}

//===-- Divisions ---------------------------------------------------------===//

// The term with each coefficient divided and rounded down.
static CuteTerm divideEach(CuteTerm a, int64_t divisor) {
  struct CuteTermImpl *q = begin(a->terms, a->count);
  for (size_t i = 0; i < a->count; ++i) {
    CuteMonomial m = a->monomials[i];
    m.coefficient = cuteFloorDivide(m.coefficient, divisor);
    if (m.coefficient)
      q->monomials[q->count++] = m;
  }
  return end(q);
}

// floor((g x + c) / (g d)) is floor((x + floor(c / g)) / d).
static CuteTerm cancel(CuteTerm a, int64_t *divisor) {
  int64_t g = *divisor;
  for (size_t i = 0; i < a->count; ++i)
    if (a->monomials[i].degree)
      g = (int64_t)cuteGcd(g, a->monomials[i].coefficient);
  if (g <= 1)
    return a;
  *divisor /= g;
  return divideEach(a, g);
}

CuteTerm cuteTermFloor(CuteTerm a, int64_t divisor) {
  CuteTerm whole = divideEach(a, divisor);
  CuteTerm rest = cancel(addScaled(a, whole, -divisor), &divisor);
  if (divisor == 1)
    return cuteTermAdd(whole, rest);
  CuteInterval range = cuteTermGetRange(rest);
  if (!isUnbounded(range.low))
    range.low = cuteFloorDivide(range.low, divisor);
  if (!isUnbounded(range.high))
    range.high = cuteFloorDivide(range.high, divisor);
  if (range.low == range.high)
    return cuteTermAddConstant(whole, range.low);
  const CuteSymbol *inner = cuteTermGetOnlySymbol(rest);
  int64_t product;
  if (inner && inner->kind == CUTE_SYMBOL_FLOOR &&
      cuteTermIsConstant(inner->b, &product) &&
      !__builtin_mul_overflow(product, divisor, &product))
    return cuteTermAdd(whole, cuteTermFloor(inner->a, product));
  return cuteTermAdd(whole, cuteTermIntern((CuteSymbol){
                                .kind = CUTE_SYMBOL_FLOOR,
                                .range = range,
                                .a = rest,
                                .b = cuteTermGetConstant(a->terms, divisor)}));
}

static CuteTerm nameRest(CuteTerm a, CuteTerm b, CuteTerm definition) {
  int64_t high = cuteTermGetRange(b).high;
  return cuteTermIntern(
      (CuteSymbol){.kind = CUTE_SYMBOL_MODULO,
                   .range = {0, isUnbounded(high) ? high : high - 1},
                   .a = a,
                   .b = b,
                   .definition = definition});
}

CuteTerm cuteTermModulo(CuteTerm a, int64_t divisor) {
  CuteTerm floor = cuteTermFloor(a, divisor);
  CuteTerm definition = addScaled(a, floor, -divisor);
  CuteInterval range = cuteTermGetRange(definition);
  if (range.low >= 0 && range.high < divisor)
    return definition;
  return nameRest(addScaled(a, divideEach(a, divisor), -divisor),
                  cuteTermGetConstant(a->terms, divisor), definition);
}

// Tells whether a number is a rest of a division by b.
static bool isRest(CuteTerm a, CuteTerm b) {
  const CuteSymbol *s = cuteTermGetOnlySymbol(a);
  return s && s->kind == CUTE_SYMBOL_MODULO && s->b == b;
}

CuteTerm cuteTermQuotient(CuteTerm a, CuteTerm b) {
  int64_t value;
  if (isRest(a, b))
    return cuteTermGetConstant(a->terms, 0);
  if (cuteTermIsConstant(b, &value))
    return value >= 1 ? cuteTermFloor(a, value)
                      : cuteTermGetUnknown(a->terms, "a division by 0");
  CuteInterval range = cuteTermGetRange(a);
  return cuteTermIntern(
      (CuteSymbol){.kind = CUTE_SYMBOL_FLOOR,
                   .range = {range.low >= 0 ? 0 : range.low,
                             range.high >= 0 ? range.high : 0},
                   .a = a,
                   .b = b});
}

CuteTerm cuteTermCeilQuotient(CuteTerm a, CuteTerm b) {
  return cuteTermQuotient(cuteTermAddConstant(cuteTermAdd(a, b), -1), b);
}

CuteTerm cuteTermRest(CuteTerm a, CuteTerm b) {
  int64_t value;
  if (isRest(a, b))
    return a;
  if (cuteTermIsConstant(b, &value) && value >= 1)
    return cuteTermModulo(a, value);
  return nameRest(
      a, b, cuteTermSubtract(a, cuteTermMultiply(cuteTermQuotient(a, b), b)));
}

CuteTerm cuteTermChoose(CuteCondition condition, CuteTerm a, CuteTerm b) {
  if (condition->kind == CUTE_CONDITION_ALWAYS || a == b)
    return a;
  if (condition->kind == CUTE_CONDITION_NEVER)
    return b;
  CuteInterval x = cuteTermGetRange(a), y = cuteTermGetRange(b);
  return cuteTermIntern(
      (CuteSymbol){.kind = CUTE_SYMBOL_CHOICE,
                   .range = {x.low < y.low ? x.low : y.low,
                             x.high > y.high ? x.high : y.high},
                   .a = a,
                   .b = b,
                   .condition = condition});
}

//===-- Facts -------------------------------------------------------------===//

static CuteInterval rangeOf(const CuteMonomial *m) {
  CuteInterval product = {m->coefficient, m->coefficient};
  for (size_t f = 0; f < m->degree; ++f)
    product = multiplyIntervals(product, m->factors[f]->range);
  return product;
}

CuteInterval cuteTermGetRange(CuteTerm term) {
  CuteInterval sum = {0, 0};
  for (size_t i = 0; i < term->count; ++i)
    sum = addIntervals(sum, rangeOf(&term->monomials[i]));
  return sum;
}

static int64_t divisorOf(const CuteSymbol *symbol) {
  if (symbol->kind == CUTE_SYMBOL_SIZE || symbol->kind == CUTE_SYMBOL_XOR)
    return symbol->divisor;
  if (symbol->kind == CUTE_SYMBOL_MODULO)
    return (int64_t)cuteGcd(cuteTermGetDivisor(symbol->b),
                            cuteTermGetDivisor(symbol->a));
  if (symbol->kind != CUTE_SYMBOL_CHOICE)
    return 1;
  return (int64_t)cuteGcd(cuteTermGetDivisor(symbol->a),
                          cuteTermGetDivisor(symbol->b));
}

int64_t cuteTermGetDivisor(CuteTerm term) {
  int64_t all = 0;
  for (size_t i = 0; i < term->count; ++i) {
    const CuteMonomial *m = &term->monomials[i];
    int64_t product = m->coefficient < 0 ? -m->coefficient : m->coefficient;
    for (size_t f = 0; f < m->degree; ++f)
      product = clamp((__int128)product * divisorOf(m->factors[f]));
    all = (int64_t)cuteGcd(all, product);
  }
  return all;
}

CuteRenaming cuteRenamingCreate(CuteTerms *terms) {
  CuteTerm *to = cuteArenaAllocate(&terms->arena, terms->count * sizeof *to);
  memset(to, 0, terms->count * sizeof *to);
  return (CuteRenaming){to, terms->count};
}

static CuteTerm renameSymbol(const CuteSymbol *s, CuteRenaming to) {
  if (s->id < to.count && to.by[s->id])
    return to.by[s->id];
  CuteTerm a = s->a ? cuteTermRename(s->a, to) : NULL;
  CuteTerm b = s->b ? cuteTermRename(s->b, to) : NULL;
  switch (s->kind) {
  case CUTE_SYMBOL_FLOOR:
    return cuteTermQuotient(a, b);
  case CUTE_SYMBOL_MODULO:
    return cuteTermRest(a, b);
  case CUTE_SYMBOL_XOR:
    return cuteTermXorBits(a, b);
  case CUTE_SYMBOL_CHOICE:
    return cuteTermChoose(cuteConditionRename(s->condition, to), a, b);
  default:
    return cuteTermGetSymbol(s);
  }
}

CuteTerm cuteTermRename(CuteTerm term, CuteRenaming to) {
  CuteTerm sum = cuteTermGetConstant(term->terms, 0);
  for (size_t i = 0; i < term->count; ++i) {
    const CuteMonomial *m = &term->monomials[i];
    CuteTerm product = cuteTermGetConstant(term->terms, m->coefficient);
    for (size_t f = 0; f < m->degree; ++f)
      product = cuteTermMultiply(product, renameSymbol(m->factors[f], to));
    sum = cuteTermAdd(sum, product);
  }
  return sum;
}
