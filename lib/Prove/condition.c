#include "Prove/condition.h"

#include "Support/hash.h"

static const struct CuteConditionImpl constants[] = {
    {.kind = CUTE_CONDITION_NEVER}, {.kind = CUTE_CONDITION_ALWAYS}};

CuteCondition cuteConditionGetConstant(bool holds) { return &constants[holds]; }

static struct CuteConditionImpl *create(CuteTerms *terms,
                                        struct CuteConditionImpl like) {
  struct CuteConditionImpl *condition =
      cuteArenaAllocate(&terms->arena, sizeof *condition);
  *condition = like;
  condition->terms = terms;
  condition->size =
      1 + (like.a ? like.a->size : 0) + (like.b ? like.b->size : 0);
  return condition;
}

static bool isSame(const void *item, const void *key) {
  const struct CuteConditionImpl *a = item, *b = key;
  return a->kind == b->kind && a->term == b->term && a->a == b->a &&
         a->b == b->b;
}

// The condition that is like this.
static CuteCondition intern(CuteTerms *terms, CuteConditionKind kind,
                            CuteTerm term, CuteCondition a, CuteCondition b) {
  struct CuteConditionImpl like = {.kind = kind, .term = term, .a = a, .b = b};
  uint64_t hash =
      cuteHashMix(cuteHashMix(cuteHashPointer(term), (uint64_t)(uintptr_t)a),
                  (uint64_t)(uintptr_t)b + kind);
  CuteHashSlot *slot =
      cuteHashTableFind(&terms->conditions, hash, &like, isSame);
  if (!slot->item)
    cuteHashTableFill(&terms->conditions, slot, hash, create(terms, like));
  return slot->item;
}

CuteCondition cuteConditionUnknown(CuteTerms *terms, const char *reason) {
  struct CuteConditionImpl like = {.kind = CUTE_CONDITION_UNKNOWN,
                                   .reason = reason};
  struct CuteConditionImpl *condition = create(terms, like);
  like.opposite = condition;
  condition->opposite = create(terms, like);
  return condition;
}

CuteCondition cuteConditionAtLeast(CuteTerm term) {
  CuteInterval range = cuteTermGetRange(term);
  if (range.low >= 0 || range.high < 0)
    return cuteConditionGetConstant(range.low >= 0);
  return intern(term->terms, CUTE_CONDITION_AT_LEAST, term, NULL, NULL);
}

CuteCondition cuteConditionEqual(CuteTerm term) {
  CuteInterval range = cuteTermGetRange(term);
  if (range.low > 0 || range.high < 0 || (!range.low && !range.high))
    return cuteConditionGetConstant(!range.low && !range.high);
  return intern(term->terms, CUTE_CONDITION_EQUAL, term, NULL, NULL);
}

CuteCondition cuteConditionIsAtMost(CuteTerm a, CuteTerm b) {
  return cuteConditionAtLeast(cuteTermSubtract(b, a));
}

CuteCondition cuteConditionIsLess(CuteTerm a, CuteTerm b) {
  return cuteConditionIsAtMost(cuteTermAddConstant(a, 1), b);
}

CuteCondition cuteConditionIsSame(CuteTerm a, CuteTerm b) {
  return cuteConditionEqual(cuteTermSubtract(a, b));
}

CuteCondition cuteConditionIsNumber(CuteTerm a, int64_t value) {
  return cuteConditionEqual(cuteTermAddConstant(a, -value));
}

CuteCondition cuteConditionIsIndex(CuteTerm at, CuteTerm end) {
  return cuteConditionAnd(cuteConditionAtLeast(at),
                          cuteConditionIsLess(at, end));
}

CuteCondition cuteConditionIsPositive(CuteTerm a) {
  const CuteSymbol *s = cuteTermGetOnlySymbol(a);
  return s && s->kind == CUTE_SYMBOL_CHOICE && !s->b->count
             ? s->condition
             : cuteConditionAtLeast(cuteTermAddConstant(a, -1));
}

static bool implies(CuteCondition condition, CuteCondition c) {
  if (c->kind == CUTE_CONDITION_BOTH)
    return cuteConditionImplies(condition, c->a) &&
           cuteConditionImplies(condition, c->b);
  if (c->kind == CUTE_CONDITION_EITHER &&
      (cuteConditionImplies(condition, c->a) ||
       cuteConditionImplies(condition, c->b)))
    return true;
  if (condition->kind == CUTE_CONDITION_BOTH)
    return cuteConditionImplies(condition->a, c) ||
           cuteConditionImplies(condition->b, c);
  return condition->kind == CUTE_CONDITION_AT_LEAST &&
         c->kind == CUTE_CONDITION_AT_LEAST &&
         cuteTermGetRange(cuteTermSubtract(c->term, condition->term)).low >= 0;
}

bool cuteConditionImplies(CuteCondition condition, CuteCondition c) {
  if (condition == c || c->kind == CUTE_CONDITION_ALWAYS ||
      condition->kind == CUTE_CONDITION_NEVER)
    return true;
  if (!condition->terms || !c->terms)
    return false;
  uint64_t hash = cuteHashMix(cuteHashPointer(condition), (uintptr_t)c);
  CuteImplication *known =
      &c->terms->implications[hash % CUTE_MAX_IMPLICATIONS];
  if (known->condition != condition || known->c != c)
    *known = (CuteImplication){condition, c, implies(condition, c)};
  return known->is;
}

// Joins two conditions; the unit leaves the other one.
static CuteCondition join(CuteConditionKind kind, CuteConditionKind unit,
                          CuteCondition a, CuteCondition b) {
  bool isConstant = b->kind <= CUTE_CONDITION_ALWAYS && b->kind != unit;
  if (a->kind == unit || isConstant)
    return b;
  if (b->kind == unit || a->kind <= CUTE_CONDITION_ALWAYS || a == b)
    return a;
  return intern(a->terms, kind, NULL, a, b);
}

CuteCondition cuteConditionAnd(CuteCondition a, CuteCondition b) {
  return join(CUTE_CONDITION_BOTH, CUTE_CONDITION_ALWAYS, a, b);
}

CuteCondition cuteConditionOr(CuteCondition a, CuteCondition b) {
  return join(CUTE_CONDITION_EITHER, CUTE_CONDITION_NEVER, a, b);
}

// t < 0 is -t - 1 >= 0.
static CuteCondition isBelow(CuteTerm term) {
  return cuteConditionAtLeast(cuteTermAddConstant(cuteTermScale(term, -1), -1));
}

CuteCondition cuteConditionNot(CuteCondition a) {
  switch (a->kind) {
  case CUTE_CONDITION_NEVER:
  case CUTE_CONDITION_ALWAYS:
    return cuteConditionGetConstant(a->kind == CUTE_CONDITION_NEVER);
  case CUTE_CONDITION_AT_LEAST:
    return isBelow(a->term);
  case CUTE_CONDITION_EQUAL:
    return cuteConditionOr(
        isBelow(a->term),
        cuteConditionAtLeast(cuteTermAddConstant(a->term, -1)));
  case CUTE_CONDITION_BOTH:
    return cuteConditionOr(cuteConditionNot(a->a), cuteConditionNot(a->b));
  case CUTE_CONDITION_EITHER:
    return cuteConditionAnd(cuteConditionNot(a->a), cuteConditionNot(a->b));
  default:
    return a->opposite;
  }
}

CuteCondition cuteConditionEither(CuteCondition a, CuteCondition b) {
  if (cuteConditionImplies(a, b))
    return b;
  if (cuteConditionImplies(b, a))
    return a;
  return cuteConditionImplies(cuteConditionNot(a), b)
             ? cuteConditionGetConstant(true)
             : cuteConditionOr(a, b);
}

CuteCondition cuteConditionGiven(CuteCondition path, CuteCondition c) {
  if (c->kind == CUTE_CONDITION_BOTH)
    return cuteConditionAnd(cuteConditionGiven(path, c->a),
                            cuteConditionGiven(path, c->b));
  if (cuteConditionImplies(path, c))
    return cuteConditionGetConstant(true);
  if (c->kind == CUTE_CONDITION_EITHER)
    return cuteConditionEither(cuteConditionGiven(path, c->a),
                               cuteConditionGiven(path, c->b));
  return c->kind != CUTE_CONDITION_UNKNOWN &&
                 cuteConditionImplies(path, cuteConditionNot(c))
             ? cuteConditionGetConstant(false)
             : c;
}

static void markTerm(CuteTerm term, CuteMarks *marks);
static void mark(CuteCondition condition, CuteMarks *marks);

static void markSymbol(const CuteSymbol *s, CuteMarks *marks) {
  if (marks->is[s->id])
    return;
  marks->is[s->id] = true;
  if (s->kind == CUTE_SYMBOL_OPAQUE && !marks->reason)
    marks->reason = s->name;
  const CuteTerm terms[] = {s->definition ? NULL : s->a,
                            s->definition ? NULL : s->b, s->definition};
  for (int i = 0; i < 3; ++i)
    if (terms[i])
      markTerm(terms[i], marks);
  if (s->condition)
    mark(s->condition, marks);
}

static void markTerm(CuteTerm term, CuteMarks *marks) {
  for (size_t i = 0; i < term->count; ++i)
    for (size_t f = 0; f < term->monomials[i].degree; ++f)
      markSymbol(term->monomials[i].factors[f], marks);
}

static void mark(CuteCondition c, CuteMarks *marks) {
  if (c->term)
    markTerm(c->term, marks);
  if (c->a)
    mark(c->a, marks);
  if (c->b)
    mark(c->b, marks);
  if (c->kind == CUTE_CONDITION_UNKNOWN && !marks->reason)
    marks->reason = c->reason;
}

static CuteMarks noMarks(CuteTerms *terms) {
  CuteMarks marks = {cuteArenaAllocate(&terms->arena, terms->count + 1), NULL};
  memset(marks.is, 0, terms->count + 1);
  return marks;
}

CuteMarks cuteConditionGetMarks(CuteTerms *terms, CuteCondition condition) {
  CuteMarks marks = noMarks(terms);
  mark(condition, &marks);
  return marks;
}

CuteMarks cuteConditionGetTermMarks(CuteTerm term) {
  CuteMarks marks = noMarks(term->terms);
  markTerm(term, &marks);
  return marks;
}

static bool areFreeOf(const CuteTerms *terms, CuteMarks marks, unsigned kinds) {
  bool are = !marks.reason;
  for (size_t i = 0; are && i < terms->count; ++i)
    are = !marks.is[i] || !(kinds >> terms->symbols[i]->kind & 1);
  return are;
}

bool cuteConditionIsFreeOf(CuteCondition c, unsigned kinds) {
  return !c->terms ||
         areFreeOf(c->terms, cuteConditionGetMarks(c->terms, c), kinds);
}

bool cuteConditionTermIsFreeOf(CuteTerm term, unsigned kinds) {
  return areFreeOf(term->terms, cuteConditionGetTermMarks(term), kinds);
}

CuteCondition cuteConditionRename(CuteCondition c, CuteRenaming to) {
  CuteTerm term = c->term ? cuteTermRename(c->term, to) : NULL;
  CuteCondition a = c->a ? cuteConditionRename(c->a, to) : NULL;
  CuteCondition b = c->b ? cuteConditionRename(c->b, to) : NULL;
  return c->kind == CUTE_CONDITION_AT_LEAST ? cuteConditionAtLeast(term)
         : c->kind == CUTE_CONDITION_EQUAL  ? cuteConditionEqual(term)
         : c->kind == CUTE_CONDITION_BOTH   ? cuteConditionAnd(a, b)
         : c->kind == CUTE_CONDITION_EITHER ? cuteConditionOr(a, b)
                                            : c;
}

CuteCondition cuteConditionFactor(CuteTerm term) {
  CuteTerms *terms = term->terms;
  CuteTerm rest = term, by = NULL, quotient = cuteTermGetConstant(terms, 0);
  for (size_t i = 0; i < term->count; ++i) {
    const CuteMonomial *m = &term->monomials[i];
    if (m->degree == 1 && m->factors[0]->definition)
      rest = cuteTermAdd(
          rest,
          cuteTermScale(cuteTermSubtract(m->factors[0]->definition,
                                         cuteTermGetSymbol(m->factors[0])),
                        m->coefficient));
  }
  term = rest;
  for (size_t f = 0; f < 2 && !by && term->count; ++f) {
    const CuteMonomial *last = &term->monomials[term->count - 1];
    const CuteSymbol *s = last->degree == 2 ? last->factors[f] : NULL;
    for (size_t i = 0; s && s->range.low >= 1 && i < term->count; ++i) {
      CuteMonomial m = term->monomials[i];
      if (m.degree == 2 && cuteMonomialDivide(&m, s)) {
        by = cuteTermGetSymbol(s);
        quotient = cuteTermAdd(quotient, cuteTermGetMonomial(terms, &m));
      }
    }
  }
  if (!by || quotient->count < 2)
    return cuteConditionGetConstant(true);
  rest = cuteTermSubtract(term, cuteTermMultiply(quotient, by));
  return cuteConditionOr(cuteConditionAtLeast(quotient),
                         cuteConditionIsAtMost(by, rest));
}
