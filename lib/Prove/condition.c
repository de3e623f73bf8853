#include "Prove/condition.h"

#include <string.h>

static const struct CuteConditionImpl constants[] = {
    {.kind = CUTE_CONDITION_NEVER}, {.kind = CUTE_CONDITION_ALWAYS}};

CuteCondition cuteConditionGetConstant(bool holds) { return &constants[holds]; }

static CuteCondition create(CuteTerms *terms, struct CuteConditionImpl like) {
  struct CuteConditionImpl *condition =
      cuteArenaAllocate(&terms->arena, sizeof *condition);
  *condition = like;
  condition->terms = terms;
  return condition;
}

CuteCondition cuteConditionUnknown(CuteTerms *terms, const char *reason) {
  return create(terms, (struct CuteConditionImpl){
                           .kind = CUTE_CONDITION_UNKNOWN, .reason = reason});
}

CuteCondition cuteConditionAtLeast(CuteTerm term) {
  CuteInterval range = cuteTermGetRange(term);
  if (range.low >= 0 || range.high < 0)
    return cuteConditionGetConstant(range.low >= 0);
  return create(term->terms,
                (struct CuteConditionImpl){.kind = CUTE_CONDITION_AT_LEAST,
                                           .term = term});
}

CuteCondition cuteConditionEqual(CuteTerm term) {
  CuteInterval range = cuteTermGetRange(term);
  if (range.low > 0 || range.high < 0 || (!range.low && !range.high))
    return cuteConditionGetConstant(!range.low && !range.high);
  return create(term->terms, (struct CuteConditionImpl){
                                 .kind = CUTE_CONDITION_EQUAL, .term = term});
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

bool cuteConditionsAreSame(CuteCondition a, CuteCondition b) {
  return a == b || (a->kind == CUTE_CONDITION_BOTH && b->kind == a->kind &&
                    cuteConditionsAreSame(a->a, b->a) &&
                    cuteConditionsAreSame(a->b, b->b));
}

CuteCondition cuteConditionAnd(CuteCondition a, CuteCondition b) {
  if (a->kind == CUTE_CONDITION_ALWAYS || b->kind == CUTE_CONDITION_NEVER)
    return b;
  if (b->kind == CUTE_CONDITION_ALWAYS || a->kind == CUTE_CONDITION_NEVER ||
      a == b)
    return a;
  return create(a->terms, (struct CuteConditionImpl){
                              .kind = CUTE_CONDITION_BOTH, .a = a, .b = b});
}

CuteCondition cuteConditionOr(CuteCondition a, CuteCondition b) {
  if (a->kind == CUTE_CONDITION_NEVER || b->kind == CUTE_CONDITION_ALWAYS)
    return b;
  if (b->kind == CUTE_CONDITION_NEVER || a->kind == CUTE_CONDITION_ALWAYS ||
      a == b)
    return a;
  return create(a->terms, (struct CuteConditionImpl){
                              .kind = CUTE_CONDITION_EITHER, .a = a, .b = b});
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
    return a;
  }
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

bool cuteConditionIsFreeOf(CuteCondition condition, unsigned kinds) {
  CuteTerms *terms = condition->terms;
  if (!terms)
    return true;
  const bool *isMarked = cuteConditionGetMarks(terms, condition);
  bool is = !hasUnknown(condition);
  for (size_t i = 0; is && i < terms->count; ++i) {
    const CuteSymbol *s = terms->symbols[i];
    is = !isMarked[i] || (!(kinds >> s->kind & 1) &&
                          (!s->condition || !hasUnknown(s->condition)));
  }
  return is;
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
