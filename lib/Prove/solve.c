#include "Prove/solve.h"

#include "Prove/isl_library.h"
#include "Support/growing_array.h"

#include <stdlib.h>
#include <string.h>

// The operations of isl for a question, the questions, and how many of them may
// take too long.
enum { MAX_OPERATIONS = 15000, MAX_QUESTIONS = 500, MAX_GIVEN_UP = 3 };

// A dimension of the sets: a symbol, of which all values are multiples of
// `scale`, or a product of several.
typedef struct Dimension {
  const CuteSymbol *symbol; // null: the product
  CuteMonomial product;
  int64_t scale;
} Dimension;

// A row says that a sum is at least 0, or 0: whether it is 0, the constant, and
// a coefficient for each dimension.
enum { IS_ZERO, CONSTANT, FIRST };

struct CuteSolver {
  CuteTerms *terms;
  isl_ctx *isl;
  Dimension *dimensions;
  size_t count, capacity;
  const char *reason;
  int64_t *rows;
  size_t numRows, rowCapacity;
  CuteCondition *splits; // of which either part may hold
  size_t numSplits, splitCapacity;
  int numQuestions, numGivenUp;
  bool isTooLarge; // a coefficient
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
  free(solver->rows);
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
  if (symbol->definition) {
    collectTerm(solver, symbol->definition);
    return;
  }
  for (size_t i = 0; i < solver->count; ++i)
    if (solver->dimensions[i].symbol == symbol)
      return;
  if (symbol->kind == CUTE_SYMBOL_OPAQUE && !solver->reason)
    solver->reason = symbol->name;
  CUTE_PUSH(
      solver->dimensions, solver->count, solver->capacity,
      ((Dimension){.symbol = symbol,
                   .scale = symbol->kind == CUTE_SYMBOL_SIZE ? symbol->divisor
                                                             : 1}));
  if (symbol->kind == CUTE_SYMBOL_QUOTIENT)
    collectTerm(solver, cuteTermMultiply(cuteTermGetSymbol(symbol), symbol->b));
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
            ((Dimension){.product = *m, .scale = 1}));
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

//===-- Rows --------------------------------------------------------------===//

static size_t sizeOfRow(const CuteSolver *solver) {
  return FIRST + solver->count;
}

// Begins a row of zeros. It is the last one until the next begins.
static void beginRow(CuteSolver *solver, bool isZero) {
  size_t size = sizeOfRow(solver);
  if (solver->rowCapacity < (solver->numRows + 1) * size) {
    solver->rowCapacity = 2 * (solver->numRows + 1) * size;
    solver->rows = cuteReallocate(solver->rows,
                                  solver->rowCapacity * sizeof *solver->rows);
  }
  int64_t *row = &solver->rows[solver->numRows++ * size];
  memset(row, 0, size * sizeof *row);
  row[IS_ZERO] = isZero;
}

static size_t columnOf(const CuteSolver *solver, const CuteMonomial *m) {
  for (size_t i = 0; i < solver->count; ++i) {
    const Dimension *d = &solver->dimensions[i];
    if (m->degree == 1 ? d->symbol == m->factors[0] : isProduct(d, m))
      return FIRST + i;
  }
  return CONSTANT;
}

static void addToRow(CuteSolver *solver, size_t column, int64_t a, int64_t b) {
  int64_t *cell =
      &solver->rows[(solver->numRows - 1) * sizeOfRow(solver) + column];
  solver->isTooLarge |= __builtin_mul_overflow(a, b, &a) ||
                        __builtin_add_overflow(*cell, a, cell);
}

// Adds factor * term to the last row.
static void addTerm(CuteSolver *solver, CuteTerm term, int64_t factor) {
  for (size_t i = 0; i < term->count; ++i) {
    const CuteMonomial *m = &term->monomials[i];
    int64_t by;
    if (__builtin_mul_overflow(m->coefficient, factor, &by)) {
      solver->isTooLarge = true;
      return;
    }
    if (m->degree == 1 && m->factors[0]->definition) {
      addTerm(solver, m->factors[0]->definition, by);
      continue;
    }
    size_t column = m->degree ? columnOf(solver, m) : CONSTANT;
    addToRow(solver, column, by,
             m->degree ? solver->dimensions[column - FIRST].scale : 1);
  }
}

// term == 0, or term >= 0.
static void addRow(CuteSolver *solver, bool isZero, CuteTerm term) {
  beginRow(solver, isZero);
  addTerm(solver, term, 1);
}

// low <= term <= high, where those are bounds.
static void addBounds(CuteSolver *solver, CuteTerm term, int64_t low,
                      int64_t high) {
  if (low > -CUTE_UNBOUNDED)
    addRow(solver, false, cuteTermAddConstant(term, -low));
  if (high < CUTE_UNBOUNDED)
    addRow(solver, false, cuteTermAddConstant(cuteTermScale(term, -1), high));
}

// Adds the conjuncts that are convex; the others become splits.
static void addCondition(CuteSolver *solver, CuteCondition c) {
  if (c->kind == CUTE_CONDITION_BOTH) {
    addCondition(solver, c->a);
    addCondition(solver, c->b);
  } else if (c->kind == CUTE_CONDITION_EITHER) {
    CUTE_PUSH(solver->splits, solver->numSplits, solver->splitCapacity, c);
  } else if (c->term) {
    addRow(solver, c->kind == CUTE_CONDITION_EQUAL, c->term);
  } else if (c->kind == CUTE_CONDITION_NEVER) {
    addRow(solver, false, cuteTermGetConstant(solver->terms, -1));
  }
}

// The range of a symbol, and what its definition says.
static void constrain(CuteSolver *solver, const CuteSymbol *s) {
  CuteTerm self = cuteTermGetSymbol(s);
  addBounds(solver, self, s->range.low, s->range.high);
  if (s->kind == CUTE_SYMBOL_FLOOR)
    addBounds(solver, cuteTermSubtract(s->a, cuteTermScale(self, s->divisor)),
              0, s->divisor - 1);
  if (s->kind == CUTE_SYMBOL_CHOICE)
    addCondition(
        solver,
        cuteConditionOr(
            cuteConditionAnd(s->condition, cuteConditionIsSame(self, s->a)),
            cuteConditionAnd(cuteConditionNot(s->condition),
                             cuteConditionIsSame(self, s->b))));
  if (s->kind != CUTE_SYMBOL_QUOTIENT)
    return;
  CuteTerm rest = cuteTermSubtract(s->a, cuteTermMultiply(self, s->b));
  addRow(solver, false, rest);
  addRow(solver, false, cuteTermAddConstant(cuteTermSubtract(s->b, rest), -1));
}

// Begins a question.
static void build(CuteSolver *solver, CuteCondition condition) {
  solver->count = solver->numSplits = solver->numRows = 0;
  solver->isTooLarge = false;
  solver->reason = NULL;
  collectCondition(solver, condition);
  ++solver->numQuestions;
  if (solver->count)
    qsort(solver->dimensions, solver->count, sizeof *solver->dimensions,
          compareDimensions);
  cuteIsl.ctx_reset_operations(solver->isl);
  cuteIsl.ctx_reset_error(solver->isl);
  addCondition(solver, condition);
  for (size_t i = 0; i < solver->count; ++i) {
    const CuteSymbol *s = solver->dimensions[i].symbol;
    if (s)
      constrain(solver, s);
  }
}

//===-- Sets --------------------------------------------------------------===//

static isl_mat *matrixOf(const CuteSolver *solver, bool isZero) {
  size_t size = sizeOfRow(solver), n = 0;
  for (size_t i = 0; i < solver->numRows; ++i)
    n += solver->rows[i * size] == isZero;
  isl_mat *matrix =
      cuteIsl.mat_alloc(solver->isl, (unsigned)n, (unsigned)(size - CONSTANT));
  n = 0;
  for (size_t i = 0; i < solver->numRows; ++i) {
    const int64_t *row = &solver->rows[i * size];
    for (size_t j = CONSTANT; row[IS_ZERO] == isZero && j < size; ++j)
      matrix = cuteIsl.mat_set_element_val(
          matrix, (int)n, (int)(j - CONSTANT),
          cuteIsl.val_int_from_si(solver->isl, row[j]));
    n += row[IS_ZERO] == isZero;
  }
  return matrix;
}

static isl_basic_set *setOf(const CuteSolver *solver) {
  return cuteIsl.basic_set_from_constraint_matrices(
      cuteIsl.space_set_alloc(solver->isl, 0, (unsigned)solver->count),
      matrixOf(solver, true), matrixOf(solver, false), CUTE_ISL_CONSTANT,
      CUTE_ISL_PARAMETER, CUTE_ISL_SET, CUTE_ISL_DIV);
}

// Tells whether the rows have no solution: 1; 0 if they have one; -1 where that
// takes too long.
static int isEmpty(const CuteSolver *solver) {
  isl_basic_set *set = solver->isTooLarge ? NULL : setOf(solver);
  int is = cuteIsl.basic_set_is_empty(set);
  cuteIsl.basic_set_free(set);
  return is;
}

// The same with all splits from `at` on; rows that have a solution stay.
static int search(CuteSolver *solver, size_t at) {
  int is = isEmpty(solver);
  size_t rows = solver->numRows, splits = solver->numSplits;
  if (is || at == splits)
    return is;
  for (int i = 0; i < 2 && (!i || is == 1); ++i) {
    solver->numRows = rows;
    solver->numSplits = splits;
    addCondition(solver, i ? solver->splits[at]->b : solver->splits[at]->a);
    is = search(solver, at + 1);
  }
  return is;
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
    result->values[symbol->id] =
        valueOf(point, i) * solver->dimensions[i].scale;
    result->isUsed[symbol->id] = true;
  }
}

// Searches, unless it has been asked too much: 1 if there is no solution.
static int ask(CuteSolver *solver, CuteCondition condition) {
  solver->reason = NULL;
  if (condition->kind == CUTE_CONDITION_NEVER)
    return 1;
  if (solver->numQuestions >= MAX_QUESTIONS ||
      solver->numGivenUp >= MAX_GIVEN_UP)
    return -1;
  build(solver, condition);
  int is = search(solver, 0);
  solver->numGivenUp += is < 0;
  return is;
}

// The least point, which begins at 0 where numbers may be negative, or any.
static isl_point *findPoint(CuteSolver *solver) {
  size_t rows = solver->numRows;
  for (size_t i = 0; i < solver->count; ++i) {
    beginRow(solver, false);
    addToRow(solver, FIRST + i, 1, 1);
  }
  if (isEmpty(solver))
    solver->numRows = rows;
  isl_point *point =
      cuteIsl.set_sample_point(cuteIsl.basic_set_lexmin(setOf(solver)));
  return point ? point : cuteIsl.basic_set_sample_point(setOf(solver));
}

CutePoint cuteSolve(CuteSolver *solver, CuteCondition condition) {
  int is = ask(solver, condition);
  CutePoint result = {.answer =
                          is == 1 ? CUTE_ANSWER_NEVER : CUTE_ANSWER_UNDECIDED,
                      .reason = solver->reason};
  isl_point *point = is ? NULL : findPoint(solver);
  if (point && cuteIsl.point_is_void(point) == 0) {
    result.answer = CUTE_ANSWER_POSSIBLE;
    take(solver, point, &result);
  }
  cuteIsl.point_free(point);
  if (result.answer == CUTE_ANSWER_UNDECIDED && !result.reason)
    result.reason = "the search takes too long";
  return result;
}

bool cuteSolverRefutes(CuteSolver *solver, CuteCondition condition) {
  return ask(solver, condition) == 1;
}
