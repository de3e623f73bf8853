#include "Prove/solve.h"

#include "Prove/isl_library.h"
#include "Support/growing_array.h"

#include <stdlib.h>
#include <string.h>

// The operations of isl for a question, the questions, and how many of them may
// take too long.
enum { MAX_OPERATIONS = 15000, MAX_QUESTIONS = 500, MAX_GIVEN_UP = 3 };

// A dimension of the sets: a symbol, or a product of several.
typedef struct Dimension {
  const CuteSymbol *symbol; // null: the product
  CuteMonomial product;
} Dimension;

// A choice between two alternatives: of a condition, or of a symbol's value.
typedef struct Split {
  CuteCondition condition;
  const CuteSymbol *choice;
} Split;

struct CuteSolver {
  CuteTerms *terms;
  isl_ctx *isl;
  Dimension *dimensions;
  size_t count, capacity;
  const char *reason;
  isl_local_space *space;
  Split *splits;
  size_t numSplits, splitCapacity;
  int numQuestions, numGivenUp;
};

CuteSolver *cuteSolverCreate(CuteTerms *terms) {
  CuteSolver *solver = cuteAllocate(sizeof *solver);
  *solver = (CuteSolver){.terms = terms, .isl = cuteIsl.ctx_alloc()};
  cuteIsl.options_set_on_error(solver->isl, CUTE_ISL_CONTINUE);
  cuteIsl.ctx_set_max_operations(solver->isl, MAX_OPERATIONS);
  return solver;
}

void cuteSolverDestroy(CuteSolver *solver) {
  cuteIsl.ctx_free(solver->isl);
  free(solver->dimensions);
  free(solver->splits);
  free(solver);
}

void cuteSolverRest(CuteSolver *solver) {
  solver->numQuestions = solver->numGivenUp = 0;
}

//===-- Dimensions --------------------------------------------------------===//

static void collectTerm(CuteSolver *solver, CuteTerm term);
static void collectCondition(CuteSolver *solver, CuteCondition condition);

static void collectSymbol(CuteSolver *solver, const CuteSymbol *symbol) {
  if (symbol->kind == CUTE_SYMBOL_FLOOR || symbol->definition) {
    collectTerm(solver, symbol->definition ? symbol->definition : symbol->a);
    return;
  }
  for (size_t i = 0; i < solver->count; ++i)
    if (solver->dimensions[i].symbol == symbol)
      return;
  if (symbol->kind == CUTE_SYMBOL_OPAQUE && !solver->reason)
    solver->reason = symbol->name;
  CUTE_PUSH(solver->dimensions, solver->count, solver->capacity,
            (Dimension){.symbol = symbol});
  if (symbol->kind == CUTE_SYMBOL_QUOTIENT)
    collectTerm(solver,
                cuteTermMultiply(solver->terms,
                                 cuteTermGetSymbol(solver->terms, symbol),
                                 symbol->b));
  if (symbol->a)
    collectTerm(solver, symbol->a);
  if (symbol->b)
    collectTerm(solver, symbol->b);
  if (symbol->condition)
    collectCondition(solver, symbol->condition);
}

static bool isProduct(const Dimension *d, const CuteMonomial *m) {
  return !d->symbol && d->product.degree == m->degree &&
         !memcmp(d->product.factors, m->factors,
                 m->degree * sizeof *m->factors);
}

static void collectProduct(CuteSolver *solver, const CuteMonomial *m) {
  for (size_t i = 0; i < solver->count; ++i)
    if (isProduct(&solver->dimensions[i], m))
      return;
  if (!solver->reason)
    solver->reason = CUTE_REASON_PRODUCT;
  CUTE_PUSH(solver->dimensions, solver->count, solver->capacity,
            (Dimension){.product = *m});
}

static void collectTerm(CuteSolver *solver, CuteTerm term) {
  for (size_t i = 0; i < term->count; ++i) {
    const CuteMonomial *m = &term->monomials[i];
    for (size_t f = 0; f < m->degree; ++f)
      collectSymbol(solver, m->factors[f]);
    if (m->degree > 1)
      collectProduct(solver, m);
  }
}

static void collectCondition(CuteSolver *solver, CuteCondition c) {
  if (c->term)
    collectTerm(solver, c->term);
  if (c->a)
    collectCondition(solver, c->a);
  if (c->b)
    collectCondition(solver, c->b);
  if (c->kind == CUTE_CONDITION_UNKNOWN && !solver->reason)
    solver->reason = c->reason;
}

static int rankOf(const Dimension *d) {
  return d->symbol ? (int)d->symbol->kind : CUTE_SYMBOL_CHOICE + 1;
}

static int compareDimensions(const void *a, const void *b) {
  const Dimension *x = a, *y = b;
  if (rankOf(x) != rankOf(y))
    return rankOf(x) < rankOf(y) ? -1 : 1;
  return x->symbol && y->symbol && x->symbol->id != y->symbol->id
             ? (x->symbol->id < y->symbol->id ? -1 : 1)
             : 0;
}

//===-- Sets --------------------------------------------------------------===//

static isl_aff *affOf(CuteSolver *solver, CuteTerm term);

static isl_aff *affOfDimension(CuteSolver *solver, size_t i) {
  return cuteIsl.aff_var_on_domain(cuteIsl.local_space_copy(solver->space),
                                   CUTE_ISL_SET, (unsigned)i);
}

static isl_aff *affOfMonomial(CuteSolver *solver, const CuteMonomial *m) {
  const CuteSymbol *s = m->factors[0];
  if (m->degree == 1 && s->kind == CUTE_SYMBOL_FLOOR)
    return cuteIsl.aff_floor(cuteIsl.aff_scale_down_val(
        affOf(solver, s->a), cuteIsl.val_int_from_si(solver->isl, s->divisor)));
  if (m->degree == 1 && s->definition)
    return affOf(solver, s->definition);
  for (size_t i = 0; i < solver->count; ++i) {
    const Dimension *d = &solver->dimensions[i];
    if (m->degree == 1 ? d->symbol == s : isProduct(d, m))
      return affOfDimension(solver, i);
  }
  return NULL;
}

static isl_aff *affOf(CuteSolver *solver, CuteTerm term) {
  isl_aff *sum =
      cuteIsl.aff_zero_on_domain(cuteIsl.local_space_copy(solver->space));
  for (size_t i = 0; i < term->count; ++i) {
    const CuteMonomial *m = &term->monomials[i];
    isl_val *by = cuteIsl.val_int_from_si(solver->isl, m->coefficient);
    if (!m->degree)
      sum = cuteIsl.aff_add_constant_val(sum, by);
    else
      sum = cuteIsl.aff_add(
          sum, cuteIsl.aff_scale_val(affOfMonomial(solver, m), by));
  }
  return sum;
}

static isl_set *universe(CuteSolver *solver) {
  return cuteIsl.set_universe(cuteIsl.local_space_get_space(solver->space));
}

static isl_set *nonnegative(CuteSolver *solver, CuteTerm term) {
  return cuteIsl.pw_aff_nonneg_set(
      cuteIsl.pw_aff_from_aff(affOf(solver, term)));
}

static isl_set *zero(isl_aff *aff) {
  return cuteIsl.set_from_basic_set(cuteIsl.aff_zero_basic_set(aff));
}

static isl_set *setOf(CuteSolver *solver, CuteCondition c) {
  switch (c->kind) {
  case CUTE_CONDITION_NEVER:
    return cuteIsl.set_empty(cuteIsl.local_space_get_space(solver->space));
  case CUTE_CONDITION_AT_LEAST:
    return nonnegative(solver, c->term);
  case CUTE_CONDITION_EQUAL:
    return zero(affOf(solver, c->term));
  case CUTE_CONDITION_BOTH:
    return cuteIsl.set_intersect(setOf(solver, c->a), setOf(solver, c->b));
  case CUTE_CONDITION_EITHER:
    return cuteIsl.set_union(setOf(solver, c->a), setOf(solver, c->b));
  default:
    return universe(solver);
  }
}

// The range and divisor of a symbol, and 0 <= a - q b < b for a quotient q.
static isl_set *constrain(CuteSolver *solver, isl_set *set, const CuteSymbol *s,
                          unsigned i) {
  CuteTerms *terms = solver->terms;
  if (s->range.low > -CUTE_UNBOUNDED)
    set = cuteIsl.set_lower_bound_val(
        set, CUTE_ISL_SET, i,
        cuteIsl.val_int_from_si(solver->isl, s->range.low));
  if (s->range.high < CUTE_UNBOUNDED)
    set = cuteIsl.set_upper_bound_val(
        set, CUTE_ISL_SET, i,
        cuteIsl.val_int_from_si(solver->isl, s->range.high));
  if (s->kind == CUTE_SYMBOL_SIZE && s->divisor > 1)
    set = cuteIsl.set_intersect(
        set, zero(cuteIsl.aff_mod_val(
                 affOfDimension(solver, i),
                 cuteIsl.val_int_from_si(solver->isl, s->divisor))));
  if (s->kind != CUTE_SYMBOL_QUOTIENT)
    return set;
  CuteTerm rest = cuteTermSubtract(
      terms, s->a, cuteTermMultiply(terms, cuteTermGetSymbol(terms, s), s->b));
  CuteTerm room =
      cuteTermAddConstant(terms, cuteTermSubtract(terms, s->b, rest), -1);
  set = cuteIsl.set_intersect(set, nonnegative(solver, rest));
  return cuteIsl.set_intersect(set, nonnegative(solver, room));
}

static void addSplit(CuteSolver *solver, Split split) {
  CUTE_PUSH(solver->splits, solver->numSplits, solver->splitCapacity, split);
}

// Intersects with the conjuncts that are convex, and keeps the others.
static isl_set *intersect(CuteSolver *solver, isl_set *set, CuteCondition c) {
  if (c->kind == CUTE_CONDITION_BOTH)
    return intersect(solver, intersect(solver, set, c->a), c->b);
  if (c->kind == CUTE_CONDITION_EITHER) {
    addSplit(solver, (Split){.condition = c});
    return set;
  }
  return cuteIsl.set_intersect(set, setOf(solver, c));
}

// The convex part of a condition; the rest becomes splits.
static isl_set *build(CuteSolver *solver, CuteCondition condition) {
  solver->count = solver->numSplits = 0;
  collectCondition(solver, condition);
  ++solver->numQuestions;
  if (solver->count)
    qsort(solver->dimensions, solver->count, sizeof *solver->dimensions,
          compareDimensions);
  cuteIsl.ctx_reset_operations(solver->isl);
  cuteIsl.ctx_reset_error(solver->isl);
  solver->space = cuteIsl.local_space_from_space(
      cuteIsl.space_set_alloc(solver->isl, 0, (unsigned)solver->count));
  isl_set *set = universe(solver);
  for (size_t i = 0; i < solver->count; ++i)
    if (solver->dimensions[i].symbol)
      set = constrain(solver, set, solver->dimensions[i].symbol, (unsigned)i);
  set = intersect(solver, set, condition);
  for (size_t i = 0; i < solver->count; ++i) {
    const CuteSymbol *s = solver->dimensions[i].symbol;
    if (s && s->kind == CUTE_SYMBOL_CHOICE)
      addSplit(solver, (Split){.choice = s});
  }
  return set;
}

// One of the two alternatives of a split.
static isl_set *alternative(CuteSolver *solver, Split split, bool isFirst) {
  const CuteSymbol *s = split.choice;
  if (!s)
    return setOf(solver, isFirst ? split.condition->a : split.condition->b);
  CuteCondition taken =
      isFirst ? s->condition : cuteConditionNot(solver->terms, s->condition);
  CuteTerm is =
      cuteTermSubtract(solver->terms, cuteTermGetSymbol(solver->terms, s),
                       isFirst ? s->a : s->b);
  return cuteIsl.set_intersect(setOf(solver, taken), zero(affOf(solver, is)));
}

// Tells whether a set is empty with all splits from `at` on: 1; 0 with a part
// that is not in *found; -1 where that takes too long.
static int search(CuteSolver *solver, isl_set *set, size_t at,
                  isl_set **found) {
  int isEmpty = cuteIsl.set_is_empty(set);
  if (isEmpty) {
    cuteIsl.set_free(set);
    return isEmpty;
  }
  if (at == solver->numSplits) {
    *found = set;
    return 0;
  }
  for (int i = 0; i < 2 && (!i || isEmpty == 1); ++i)
    isEmpty = search(
        solver,
        cuteIsl.set_intersect(cuteIsl.set_copy(set),
                              alternative(solver, solver->splits[at], !i)),
        at + 1, found);
  cuteIsl.set_free(set);
  return isEmpty;
}

//===-- Answers -----------------------------------------------------------===//

static int64_t valueOf(isl_point *point, size_t i) {
  isl_val *value =
      cuteIsl.point_get_coordinate_val(point, CUTE_ISL_SET, (int)i);
  int64_t result = cuteIsl.val_get_num_si(value);
  cuteIsl.val_free(value);
  return result;
}

static void take(CuteSolver *solver, isl_point *point, CutePoint *result) {
  CuteArena *arena = &solver->terms->arena;
  result->count = solver->terms->count;
  result->values =
      cuteArenaAllocate(arena, result->count * sizeof *result->values);
  result->isUsed = cuteArenaAllocate(arena, result->count);
  memset(result->values, 0, result->count * sizeof *result->values);
  memset(result->isUsed, 0, result->count);
  for (size_t i = 0; i < solver->count; ++i) {
    const CuteSymbol *symbol = solver->dimensions[i].symbol;
    if (!symbol)
      continue;
    result->values[symbol->id] = valueOf(point, i);
    result->isUsed[symbol->id] = true;
  }
}

// The smallest point where numbers may be negative begins at 0.
static isl_set *startAtZero(CuteSolver *solver, isl_set *set) {
  isl_set *some = cuteIsl.set_copy(set);
  for (size_t i = 0; i < solver->count; ++i)
    some = cuteIsl.set_lower_bound_val(some, CUTE_ISL_SET, (unsigned)i,
                                       cuteIsl.val_int_from_si(solver->isl, 0));
  if (cuteIsl.set_is_empty(some) == 0) {
    cuteIsl.set_free(set);
    return some;
  }
  cuteIsl.set_free(some);
  return set;
}

// Searches, unless it has been asked too much: 1 if there is no solution.
static int ask(CuteSolver *solver, CuteCondition condition, isl_set **found) {
  if (condition->kind == CUTE_CONDITION_NEVER)
    return 1;
  solver->reason = NULL;
  if (solver->numQuestions >= MAX_QUESTIONS ||
      solver->numGivenUp >= MAX_GIVEN_UP)
    return -1;
  int isEmpty = search(solver, build(solver, condition), 0, found);
  solver->numGivenUp += isEmpty < 0;
  cuteIsl.local_space_free(solver->space);
  return isEmpty;
}

// The least point of a set, or any.
static isl_point *pointOf(CuteSolver *solver, isl_set *set) {
  isl_set *least =
      cuteIsl.set_lexmin(startAtZero(solver, cuteIsl.set_copy(set)));
  return cuteIsl.set_sample_point(least ? least : cuteIsl.set_copy(set));
}

CutePoint cuteSolve(CuteSolver *solver, CuteCondition condition) {
  isl_set *set = NULL;
  int isEmpty = ask(solver, condition, &set);
  CutePoint result = {.answer = isEmpty == 1 ? CUTE_ANSWER_NEVER
                                             : CUTE_ANSWER_UNDECIDED,
                      .reason = solver->reason};
  isl_point *point = isEmpty ? NULL : pointOf(solver, set);
  if (point && cuteIsl.point_is_void(point) == 0) {
    result.answer = CUTE_ANSWER_POSSIBLE;
    take(solver, point, &result);
  }
  cuteIsl.point_free(point);
  cuteIsl.set_free(set);
  if (result.answer == CUTE_ANSWER_UNDECIDED && !result.reason)
    result.reason = "the search takes too long";
  return result;
}

bool cuteSolverRefutes(CuteSolver *solver, CuteCondition condition) {
  isl_set *set = NULL;
  int isEmpty = ask(solver, condition, &set);
  cuteIsl.set_free(set);
  return isEmpty == 1;
}
