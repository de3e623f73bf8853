#include "Prove/condition.h"

CuteValues cuteValuesCreate(CuteTerms *terms) {
  CuteValues values = {.count = terms->count, .stamp = 1};
  values.values = cuteArenaAllocate(&terms->arena,
                                    values.count * sizeof *values.values + 1);
  values.stamps = cuteArenaAllocate(&terms->arena,
                                    values.count * sizeof *values.stamps + 1);
  memset(values.stamps, 0, values.count * sizeof *values.stamps);
  return values;
}

void cuteValuesSet(CuteValues *values, const CuteSymbol *symbol,
                   int64_t value) {
  values->values[symbol->id] = value;
  values->stamps[symbol->id] = values->stamp;
}

static bool compute(CuteValues *values, const CuteSymbol *s, int64_t *value) {
  int64_t a, b;
  bool holds;
  switch (s->kind) {
  case CUTE_SYMBOL_MODULO:
  case CUTE_SYMBOL_XOR:
    return cuteValuesGetTerm(values, s->definition, value);
  case CUTE_SYMBOL_FLOOR:
    if (!cuteValuesGetTerm(values, s->a, &a) ||
        !cuteValuesGetTerm(values, s->b, &b) || b < 1)
      return false;
    *value = cuteFloorDivide(a, b);
    return true;
  case CUTE_SYMBOL_CHOICE:
    return cuteValuesGetCondition(values, s->condition, &holds) &&
           cuteValuesGetTerm(values, holds ? s->a : s->b, value);
  default:
    return false;
  }
}

static bool evaluate(CuteValues *values, const CuteSymbol *s, int64_t *value) {
  if (s->id >= values->count)
    return false;
  if (values->stamps[s->id] != values->stamp) {
    if (!compute(values, s, value))
      return false;
    cuteValuesSet(values, s, *value);
  }
  *value = values->values[s->id];
  return true;
}

bool cuteValuesGetMonomial(CuteValues *values, const CuteMonomial *m,
                           int64_t *value) {
  int64_t factor;
  *value = m->coefficient;
  for (size_t f = 0; f < m->degree; ++f)
    if (!evaluate(values, m->factors[f], &factor) ||
        __builtin_mul_overflow(*value, factor, value))
      return false;
  return true;
}

bool cuteValuesGetTerm(CuteValues *values, CuteTerm term, int64_t *value) {
  int64_t sum = 0, product;
  for (size_t i = 0; i < term->count; ++i)
    if (!cuteValuesGetMonomial(values, &term->monomials[i], &product) ||
        __builtin_add_overflow(sum, product, &sum))
      return false;
  *value = sum;
  return true;
}

bool cuteValuesMayHold(CuteValues *values, CuteCondition c) {
  bool holds;
  return c->kind == CUTE_CONDITION_BOTH
             ? cuteValuesMayHold(values, c->a) &&
                   cuteValuesMayHold(values, c->b)
             : !cuteValuesGetCondition(values, c, &holds) || holds;
}

bool cuteValuesGetCondition(CuteValues *values, CuteCondition c, bool *holds) {
  int64_t value = 0;
  bool other = false;
  switch (c->kind) {
  case CUTE_CONDITION_NEVER:
  case CUTE_CONDITION_ALWAYS:
    *holds = c->kind == CUTE_CONDITION_ALWAYS;
    return true;
  case CUTE_CONDITION_AT_LEAST:
  case CUTE_CONDITION_EQUAL:
    if (!cuteValuesGetTerm(values, c->term, &value))
      return false;
    *holds = c->kind == CUTE_CONDITION_EQUAL ? !value : value >= 0;
    return true;
  case CUTE_CONDITION_BOTH:
  case CUTE_CONDITION_EITHER:
    if (!cuteValuesGetCondition(values, c->a, holds) ||
        !cuteValuesGetCondition(values, c->b, &other))
      return false;
    *holds = c->kind == CUTE_CONDITION_BOTH ? *holds && other : *holds || other;
    return true;
  default:
    return false;
  }
}
