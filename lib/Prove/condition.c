#include "Prove/condition.h"

#include <string.h>

static const struct CuteConditionImpl constants[] = {
    {.kind = CUTE_CONDITION_NEVER}, {.kind = CUTE_CONDITION_ALWAYS}};

CuteCondition cuteConditionGetConstant(bool holds) { return &constants[holds]; }

static CuteCondition create(CuteTerms *terms, struct CuteConditionImpl like) {
  struct CuteConditionImpl *condition =
      cuteArenaAllocate(&terms->arena, sizeof *condition);
  *condition = like;
  return condition;
}

CuteCondition cuteConditionUnknown(CuteTerms *terms, const char *reason) {
  return create(terms, (struct CuteConditionImpl){
                           .kind = CUTE_CONDITION_UNKNOWN, .reason = reason});
}

CuteCondition cuteConditionAtLeast(CuteTerms *terms, CuteTerm term) {
  CuteInterval range = cuteTermGetRange(term);
  if (range.low >= 0 || range.high < 0)
    return cuteConditionGetConstant(range.low >= 0);
  return create(terms, (struct CuteConditionImpl){
                           .kind = CUTE_CONDITION_AT_LEAST, .term = term});
}

CuteCondition cuteConditionEqual(CuteTerms *terms, CuteTerm term) {
  CuteInterval range = cuteTermGetRange(term);
  if (range.low > 0 || range.high < 0 || (!range.low && !range.high))
    return cuteConditionGetConstant(!range.low && !range.high);
  return create(terms, (struct CuteConditionImpl){.kind = CUTE_CONDITION_EQUAL,
                                                  .term = term});
}

CuteCondition cuteConditionIsAtMost(CuteTerms *terms, CuteTerm a, CuteTerm b) {
  return cuteConditionAtLeast(terms, cuteTermSubtract(terms, b, a));
}

CuteCondition cuteConditionIsLess(CuteTerms *terms, CuteTerm a, CuteTerm b) {
  return cuteConditionIsAtMost(terms, cuteTermAddConstant(terms, a, 1), b);
}

CuteCondition cuteConditionIsSame(CuteTerms *terms, CuteTerm a, CuteTerm b) {
  return cuteConditionEqual(terms, cuteTermSubtract(terms, a, b));
}

CuteCondition cuteConditionIsNumber(CuteTerms *terms, CuteTerm a,
                                    int64_t value) {
  return cuteConditionEqual(terms, cuteTermAddConstant(terms, a, -value));
}

CuteCondition cuteConditionAnd(CuteTerms *terms, CuteCondition a,
                               CuteCondition b) {
  if (a->kind == CUTE_CONDITION_ALWAYS || b->kind == CUTE_CONDITION_NEVER)
    return b;
  if (b->kind == CUTE_CONDITION_ALWAYS || a->kind == CUTE_CONDITION_NEVER ||
      a == b)
    return a;
  return create(terms, (struct CuteConditionImpl){
                           .kind = CUTE_CONDITION_BOTH, .a = a, .b = b});
}

CuteCondition cuteConditionOr(CuteTerms *terms, CuteCondition a,
                              CuteCondition b) {
  if (a->kind == CUTE_CONDITION_NEVER || b->kind == CUTE_CONDITION_ALWAYS)
    return b;
  if (b->kind == CUTE_CONDITION_NEVER || a->kind == CUTE_CONDITION_ALWAYS ||
      a == b)
    return a;
  return create(terms, (struct CuteConditionImpl){
                           .kind = CUTE_CONDITION_EITHER, .a = a, .b = b});
}

// t < 0 is -t - 1 >= 0.
static CuteCondition isBelow(CuteTerms *terms, CuteTerm term) {
  return cuteConditionAtLeast(
      terms, cuteTermAddConstant(terms, cuteTermScale(terms, term, -1), -1));
}

CuteCondition cuteConditionNot(CuteTerms *terms, CuteCondition a) {
  switch (a->kind) {
  case CUTE_CONDITION_NEVER:
  case CUTE_CONDITION_ALWAYS:
    return cuteConditionGetConstant(a->kind == CUTE_CONDITION_NEVER);
  case CUTE_CONDITION_AT_LEAST:
    return isBelow(terms, a->term);
  case CUTE_CONDITION_EQUAL:
    return cuteConditionOr(
        terms, isBelow(terms, a->term),
        cuteConditionAtLeast(terms, cuteTermAddConstant(terms, a->term, -1)));
  case CUTE_CONDITION_BOTH:
    return cuteConditionOr(terms, cuteConditionNot(terms, a->a),
                           cuteConditionNot(terms, a->b));
  case CUTE_CONDITION_EITHER:
    return cuteConditionAnd(terms, cuteConditionNot(terms, a->a),
                            cuteConditionNot(terms, a->b));
  default:
    return a;
  }
}

bool cuteConditionImplies(CuteTerms *terms, CuteCondition condition,
                          CuteTerm term) {
  if (cuteTermGetRange(term).low >= 0)
    return true;
  if (condition->kind == CUTE_CONDITION_BOTH)
    return cuteConditionImplies(terms, condition->a, term) ||
           cuteConditionImplies(terms, condition->b, term);
  return condition->kind == CUTE_CONDITION_AT_LEAST &&
         cuteTermGetRange(cuteTermSubtract(terms, term, condition->term)).low >=
             0;
}

static void markTerm(CuteTerm term, bool *isMarked);
static void mark(CuteCondition condition, bool *isMarked);

static void markSymbol(const CuteSymbol *symbol, bool *isMarked) {
  if (isMarked[symbol->id])
    return;
  isMarked[symbol->id] = true;
  if (symbol->a)
    markTerm(symbol->a, isMarked);
  if (symbol->b)
    markTerm(symbol->b, isMarked);
  if (symbol->condition)
    mark(symbol->condition, isMarked);
}

static void markTerm(CuteTerm term, bool *isMarked) {
  for (size_t i = 0; i < term->count; ++i)
    for (size_t f = 0; f < term->monomials[i].degree; ++f)
      markSymbol(term->monomials[i].factors[f], isMarked);
}

static void mark(CuteCondition condition, bool *isMarked) {
  if (condition->term)
    markTerm(condition->term, isMarked);
  if (condition->a)
    mark(condition->a, isMarked);
  if (condition->b)
    mark(condition->b, isMarked);
}

static bool *noMarks(CuteTerms *terms) {
  bool *isMarked = cuteArenaAllocate(&terms->arena, terms->count + 1);
  memset(isMarked, 0, terms->count + 1);
  return isMarked;
}

bool *cuteConditionGetMarks(CuteTerms *terms, CuteCondition condition) {
  bool *isMarked = noMarks(terms);
  mark(condition, isMarked);
  return isMarked;
}

bool *cuteConditionGetTermMarks(CuteTerms *terms, CuteTerm term) {
  bool *isMarked = noMarks(terms);
  markTerm(term, isMarked);
  return isMarked;
}

static bool hasUnknown(CuteCondition c) {
  return c->kind == CUTE_CONDITION_UNKNOWN || (c->a && hasUnknown(c->a)) ||
         (c->b && hasUnknown(c->b));
}

bool cuteConditionIsFreeOf(CuteTerms *terms, CuteCondition condition,
                           unsigned kinds) {
  const bool *isMarked = cuteConditionGetMarks(terms, condition);
  bool is = !hasUnknown(condition);
  for (size_t i = 0; is && i < terms->count; ++i) {
    const CuteSymbol *s = terms->symbols[i];
    is = !isMarked[i] || (!(kinds >> s->kind & 1) &&
                          (!s->condition || !hasUnknown(s->condition)));
  }
  return is;
}

static bool isAbout(CuteTerms *terms, CuteCondition condition,
                    const bool *isMarked) {
  const bool *own = cuteConditionGetMarks(terms, condition);
  bool is = false;
  for (size_t i = 0; !is && i < terms->count; ++i)
    is = own[i] && isMarked[i];
  return is;
}

CuteCondition cuteConditionSlice(CuteTerms *terms, CuteCondition condition,
                                 const bool *isMarked) {
  if (condition->kind == CUTE_CONDITION_BOTH)
    return cuteConditionAnd(terms,
                            cuteConditionSlice(terms, condition->a, isMarked),
                            cuteConditionSlice(terms, condition->b, isMarked));
  return isAbout(terms, condition, isMarked) ? condition
                                             : cuteConditionGetConstant(true);
}

CuteCondition cuteConditionRename(CuteTerms *terms, CuteCondition c,
                                  const CuteTerm *to, size_t count) {
  CuteTerm term = c->term ? cuteTermRename(terms, c->term, to, count) : NULL;
  CuteCondition a = c->a ? cuteConditionRename(terms, c->a, to, count) : NULL;
  CuteCondition b = c->b ? cuteConditionRename(terms, c->b, to, count) : NULL;
  return c->kind == CUTE_CONDITION_AT_LEAST ? cuteConditionAtLeast(terms, term)
         : c->kind == CUTE_CONDITION_EQUAL  ? cuteConditionEqual(terms, term)
         : c->kind == CUTE_CONDITION_BOTH   ? cuteConditionAnd(terms, a, b)
         : c->kind == CUTE_CONDITION_EITHER ? cuteConditionOr(terms, a, b)
                                            : c;
}
