#include "Prove/solve.h"

#include "Prove/isl_library.h"
#include "Support/growing_array.h"

// The operations of isl for a question, the questions, how many of them may
// take too long, the products in one, and rows that are multiplied.
enum {
  MAX_OPERATIONS = 6000,
  MAX_QUESTIONS = 500,
  MAX_GIVEN_UP = 3,
  MAX_PRODUCTS = 96,
  MAX_MULTIPLIED = 400
};

// A row says that a sum is at least 0, or 0: whether it is 0, the constant, and
// a coefficient for each column.
enum { IS_ZERO, CONSTANT, FIRST };

struct CuteSolver {
  CuteTerms *terms;
  isl_ctx *isl;
  CuteMonomial *columns;         // symbols without a definition, then products
  size_t count, capacity, width; // of a row
  const char *reason;
  int64_t *rows;
  size_t numRows, rowCapacity;
  CuteCondition *splits; // disjunctions
  size_t numSplits, splitCapacity;
  int numQuestions, numGivenUp;
  bool isTooLarge; // a coefficient
  CuteModels models;
};

CuteSolver *cuteSolverCreate(CuteTerms *terms) {
  CuteSolver *solver = cuteAllocate(sizeof *solver);
  *solver = (CuteSolver){.terms = terms, .isl = cuteIsl.ctx_alloc()};
  cuteIsl.options_set_on_error(solver->isl, CUTE_ISL_CONTINUE);
  cuteIsl.ctx_set_max_operations(solver->isl, MAX_OPERATIONS);
  return solver;
}

void cuteSolverDestroy(CuteSolver *solver) {
  cuteModelsDestroy(&solver->models);
  cuteIsl.ctx_free(solver->isl);
  free(solver->columns);
  free(solver->rows);
  free(solver->splits);
  free(solver);
}

void cuteSolverRest(CuteSolver *solver) {
  solver->numQuestions = solver->numGivenUp = 0;
}

//===-- Rows --------------------------------------------------------------===//

// The number of a column; how many there are if it is none.
static size_t findColumn(const CuteSolver *solver, const CuteMonomial *m) {
  size_t i = 0;
  while (i < solver->count &&
         memcmp(solver->columns[i].factors, m->factors, sizeof m->factors) != 0)
    ++i;
  return i;
}

// The column of symbols, of products a new one where there is none yet.
static size_t columnOf(CuteSolver *solver, const CuteMonomial *m) {
  size_t i = findColumn(solver, m);
  if (i < solver->count)
    return FIRST + i;
  if (!solver->reason)
    solver->reason = CUTE_REASON_PRODUCT;
  solver->isTooLarge |= FIRST + solver->count == solver->width;
  if (solver->isTooLarge)
    return CONSTANT;
  CUTE_PUSH(solver->columns, solver->count, solver->capacity, *m);
  return FIRST + solver->count - 1;
}

// Begins a row of zeros. It is the last one until the next begins.
static void beginRow(CuteSolver *solver, bool isZero) {
  size_t size = solver->width;
  CUTE_RESERVE(solver->rows, solver->numRows * size, solver->rowCapacity, size);
  int64_t *row = &solver->rows[solver->numRows++ * size];
  memset(row, 0, size * sizeof *row);
  row[IS_ZERO] = isZero;
}

static void addToRow(CuteSolver *solver, size_t column, int64_t a, int64_t b) {
  int64_t *cell = &solver->rows[(solver->numRows - 1) * solver->width + column];
  solver->isTooLarge |= __builtin_mul_overflow(a, b, &a) ||
                        __builtin_add_overflow(*cell, a, cell) ||
                        *cell != (int)*cell;
}

// Adds factor * term to the last row.
static void addTerm(CuteSolver *solver, CuteTerm term, int64_t factor) {
  for (size_t i = 0; i < term->count && !solver->isTooLarge; ++i) {
    const CuteMonomial *m = &term->monomials[i];
    int64_t by;
    solver->isTooLarge |= __builtin_mul_overflow(m->coefficient, factor, &by);
    if (m->degree == 1 && m->factors[0]->definition)
      addTerm(solver, m->factors[0]->definition, by);
    else
      addToRow(solver, m->degree ? columnOf(solver, m) : CONSTANT, by,
               cuteMonomialGetScale(m));
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

// A product is only a column to isl. Adds what a - b * c >= 0 or b * c - a > 0
// say of floor(a / b): that it is at least c, or below.
static void addQuotients(CuteSolver *solver, CuteTerm term) {
  bool hasProduct = false;
  for (size_t i = 0; i < term->count; ++i)
    hasProduct |= term->monomials[i].degree == 2;
  for (size_t i = 0; hasProduct && i < solver->count; ++i) {
    const CuteSymbol *s = solver->columns[i].factors[0];
    const CuteSymbol *b =
        s->kind == CUTE_SYMBOL_FLOOR ? cuteTermGetOnlySymbol(s->b) : NULL;
    for (int isBelow = 0; b && isBelow < 2; ++isBelow) {
      CuteTerm product = isBelow
                             ? cuteTermAddConstant(cuteTermAdd(term, s->a), 1)
                             : cuteTermSubtract(s->a, term);
      CuteMonomial m = {.coefficient = 0};
      if (product->count == 1)
        m = product->monomials[0];
      if (cuteMonomialDivide(&m, b)) {
        CuteTerm room = cuteTermSubtract(cuteTermGetSymbol(s),
                                         cuteTermGetMonomial(s->terms, &m));
        addRow(solver, false,
               isBelow ? cuteTermAddConstant(cuteTermScale(room, -1), -1)
                       : room);
      }
    }
  }
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
    if (c->kind == CUTE_CONDITION_AT_LEAST) {
      addQuotients(solver, c->term);
      addCondition(solver, cuteConditionFactor(c->term));
    }
  } else if (c->kind == CUTE_CONDITION_NEVER) {
    addRow(solver, false, cuteTermGetConstant(solver->terms, -1));
  }
}

// The range of a symbol, and what its definition says.
static void constrain(CuteSolver *solver, const CuteSymbol *s) {
  CuteTerm self = cuteTermGetSymbol(s);
  addBounds(solver, self, s->range.low, s->range.high);
  if (s->kind == CUTE_SYMBOL_CHOICE)
    addCondition(
        solver,
        cuteConditionOr(
            cuteConditionAnd(s->condition, cuteConditionIsSame(self, s->a)),
            cuteConditionAnd(cuteConditionNot(s->condition),
                             cuteConditionIsSame(self, s->b))));
  if (s->kind != CUTE_SYMBOL_FLOOR)
    return;
  CuteTerm rest = cuteTermSubtract(s->a, cuteTermMultiply(self, s->b));
  addRow(solver, false, rest);
  addRow(solver, false, cuteTermAddConstant(cuteTermSubtract(s->b, rest), -1));
  if (cuteTermGetRange(s->b).low < 1)
    addBounds(solver, s->b, 1, CUTE_UNBOUNDED);
}

// Begins a question.
static void build(CuteSolver *solver, CuteCondition condition) {
  CuteTerms *terms = solver->terms;
  CuteMarks marks = cuteConditionGetMarks(terms, condition);
  solver->count = solver->numSplits = solver->numRows = 0;
  solver->isTooLarge = false;
  solver->reason = marks.reason;
  ++solver->numQuestions;
  for (int kind = 0; kind <= CUTE_SYMBOL_CHOICE; ++kind)
    for (size_t i = 0; i < terms->count; ++i) {
      const CuteSymbol *s = terms->symbols[i];
      if (marks.is[i] && (int)s->kind == kind && !s->definition)
        CUTE_PUSH(solver->columns, solver->count, solver->capacity,
                  ((CuteMonomial){1, 1, {s}}));
    }
  size_t symbols = solver->count;
  solver->width = FIRST + symbols + MAX_PRODUCTS;
  cuteIsl.ctx_reset_operations(solver->isl);
  cuteIsl.ctx_reset_error(solver->isl);
  addCondition(solver, condition);
  for (size_t i = 0; i < symbols; ++i)
    constrain(solver, solver->columns[i].factors[0]);
  for (size_t i = symbols; i < solver->count; ++i) {
    CuteMonomial m = solver->columns[i];
    m.coefficient = 1;
    CuteTerm product = cuteTermGetMonomial(terms, &m);
    CuteInterval range = cuteTermGetRange(product);
    addBounds(solver, product, range.low, range.high);
  }
}

//===-- Products ----------------------------------------------------------===//

// The columns that rows are multiplied of, and which of them are factors of
// another column.
typedef struct Factors {
  size_t count;
  bool *meet; // [column * count + other]
} Factors;

// Notes the columns that a product is one of.
static void findFactors(const CuteSolver *solver, Factors *factors) {
  memset(factors->meet, 0, factors->count * factors->count);
  for (size_t i = 0; i < solver->count; ++i)
    for (size_t f = 0;
         solver->columns[i].degree > 1 && f < solver->columns[i].degree; ++f) {
      CuteMonomial rest = solver->columns[i];
      CuteMonomial one = {.degree = 1, .factors = {rest.factors[f]}};
      cuteMonomialDivide(&rest, rest.factors[f]);
      size_t u = findColumn(solver, &one), v = findColumn(solver, &rest);
      if (u < factors->count && v < factors->count)
        factors->meet[u * factors->count + v] =
            factors->meet[v * factors->count + u] = true;
    }
}

// Tells whether a column of a row meets one of another row.
static bool doMeet(const Factors *factors, const int64_t *a, const int64_t *b) {
  for (size_t i = 0; i < factors->count; ++i)
    for (size_t j = 0; a[i] && j < factors->count; ++j)
      if (b[j] && factors->meet[i * factors->count + j])
        return true;
  return false;
}

// Tells whether few columns of a row are no factors, which are no sizes and
// nothing unknown.
static bool mayMultiply(const CuteSolver *solver, const Factors *factors,
                        size_t at) {
  enum { MOST = 3 };
  const int64_t *row = &solver->rows[at * solver->width + FIRST];
  int others = 0, most = solver->rows[at * solver->width + IS_ZERO] ? MOST : 1;
  for (size_t i = 0; i < factors->count; ++i) {
    CuteSymbolKind kind = solver->columns[i].factors[0]->kind;
    bool isLoose = kind == CUTE_SYMBOL_SIZE || kind == CUTE_SYMBOL_OPAQUE;
    if (row[i] &&
        !memchr(&factors->meet[i * factors->count], true, factors->count))
      others += solver->columns[i].degree == 1 && isLoose ? MOST + 1 : 1;
  }
  return others <= most;
}

// Multiplies a row by another one; not large numbers, or many factors.
static void multiply(CuteSolver *solver, size_t count, size_t row,
                     const int64_t *by) {
  size_t rows = solver->numRows, width = solver->width;
  static const CuteMonomial one = {.degree = 0};
  beginRow(solver, solver->rows[row * width + IS_ZERO]);
  for (size_t i = 0; i <= count; ++i)
    for (size_t j = 0; j <= count && !solver->isTooLarge; ++j) {
      int64_t x = solver->rows[row * width + CONSTANT + i], y = by[j];
      CuteMonomial m = i ? solver->columns[i - 1] : one;
      const CuteMonomial *b = j ? &solver->columns[j - 1] : &one;
      if (!x || !y)
        continue;
      x /= i && j ? cuteMonomialGetScale(&m) : 1;
      y /= i && j ? cuteMonomialGetScale(b) : 1;
      solver->isTooLarge = !cuteMonomialMultiply(&m, b);
      if (!solver->isTooLarge)
        addToRow(solver, m.degree ? columnOf(solver, &m) : CONSTANT, x, y);
    }
  if (solver->isTooLarge)
    solver->numRows = rows;
  solver->isTooLarge = false;
}

// Adds products of rows some of whose columns meet: of two that are not
// negative, or of one that is 0 and a column.
static void addProducts(CuteSolver *solver, const Factors *factors,
                        const size_t *list, size_t n, bool areZero) {
  size_t count = factors->count, width = solver->width;
  CUTE_FREED int64_t *by = cuteAllocate((count + 1) * sizeof *by);
  size_t most = solver->numRows + MAX_MULTIPLIED;
  for (size_t i = 0; i < n; ++i) {
    size_t row = list[i] * width;
    if (solver->rows[row + IS_ZERO] != areZero)
      continue;
    size_t others = areZero ? count : i + 1;
    for (size_t j = 0; j < others && solver->numRows < most; ++j) {
      memset(by, 0, (count + 1) * sizeof *by);
      if (areZero)
        by[1 + j] = cuteMonomialGetScale(&solver->columns[j]);
      else if (!solver->rows[list[j] * width + IS_ZERO])
        memcpy(by, &solver->rows[list[j] * width + CONSTANT],
               (count + 1) * sizeof *by);
      if (doMeet(factors, &solver->rows[row + FIRST], by + 1))
        multiply(solver, count, list[i], by);
    }
  }
}

// To isl, a product is only a column. Adds what follows for it from rows that
// its factors are in.
static void relateProducts(CuteSolver *solver) {
  size_t rows = solver->numRows;
  Factors factors = {.count = solver->count};
  bool any = false;
  for (size_t i = 0; i < solver->count; ++i)
    any |= solver->columns[i].degree > 1;
  CUTE_FREED bool *meet = cuteAllocate(factors.count * factors.count + 1);
  CUTE_FREED size_t *list = cuteAllocate((rows + 1) * sizeof *list);
  factors.meet = meet;
  if (!any)
    return;
  for (int stage = 0; stage < 3; ++stage) {
    size_t n = 0;
    findFactors(solver, &factors);
    for (size_t i = 0; i < rows; ++i)
      if (mayMultiply(solver, &factors, i))
        list[n++] = i;
    addProducts(solver, &factors, list, n, stage != 1);
  }
}

//===-- Sets --------------------------------------------------------------===//

static isl_mat *matrixOf(const CuteSolver *solver, bool isZero) {
  size_t size = FIRST + solver->count, width = solver->width, n = 0;
  for (size_t i = 0; i < solver->numRows; ++i)
    n += solver->rows[i * width] == isZero;
  isl_mat *matrix =
      cuteIsl.mat_alloc(solver->isl, (unsigned)n, (unsigned)(size - CONSTANT));
  n = 0;
  for (size_t i = 0; i < solver->numRows; ++i) {
    const int64_t *row = &solver->rows[i * width];
    for (size_t j = CONSTANT; row[IS_ZERO] == isZero && j < size; ++j)
      matrix = cuteIsl.mat_set_element_si(matrix, (int)n, (int)(j - CONSTANT),
                                          (int)row[j]);
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

static int64_t valueAt(const CuteSolver *solver, isl_point *point, size_t i) {
  isl_val *value =
      cuteIsl.point_get_coordinate_val(point, CUTE_ISL_SET, (int)i);
  int64_t number =
      cuteIsl.val_get_num_si(value) * cuteMonomialGetScale(&solver->columns[i]);
  cuteIsl.val_free(value);
  return number;
}

// Tells whether a model solves all rows; `values` has room for the columns.
static bool solves(const CuteSolver *solver, CuteModel *model,
                   int64_t *values) {
  bool does = cuteModelGetAll(model, solver->terms, solver->columns,
                              solver->count, values);
  for (size_t i = 0; does && i < solver->numRows; ++i) {
    const int64_t *row = &solver->rows[i * solver->width];
    __int128 sum = row[CONSTANT];
    for (size_t j = 0; j < solver->count; ++j)
      sum += (__int128)row[FIRST + j] * values[j];
    does = row[IS_ZERO] ? sum == 0 : sum >= 0;
  }
  return does;
}

// Tells whether the rows have no solution: 1; 0 if they have one; -1 where that
// takes too long.
static int isEmpty(CuteSolver *solver) {
  CUTE_FREED int64_t *values =
      cuteAllocate((solver->count + 1) * sizeof *values);
  if (solver->isTooLarge)
    return -1;
  for (size_t i = 0; i < solver->models.count; ++i)
    if (solves(solver, &solver->models.list[i], values)) {
      cuteModelsUse(&solver->models, i);
      return 0;
    }
  isl_point *point = cuteIsl.basic_set_sample_point(setOf(solver));
  int is = point ? cuteIsl.point_is_void(point) : -1;
  for (size_t i = 0; !is && i < solver->count; ++i)
    values[i] = valueAt(solver, point, i);
  if (!is)
    cuteModelsAdd(&solver->models, solver->terms, solver->columns,
                  solver->count, values);
  cuteIsl.point_free(point);
  return is;
}

// The same with all splits from `at` on; rows that have a solution stay.
static int search(CuteSolver *solver, size_t at) {
  int is = isEmpty(solver);
  size_t rows = solver->numRows, splits = solver->numSplits;
  if (is == 0 && at == splits) {
    relateProducts(solver);
    is = solver->numRows > rows ? isEmpty(solver) : is;
  }
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

// Searches, within the limit of questions: 1 if there is no solution.
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

CutePoint cuteSolve(CuteSolver *solver, CuteCondition condition, bool isExact) {
  int is = ask(solver, condition);
  CutePoint result = {.answer =
                          is == 1 ? CUTE_ANSWER_NEVER : CUTE_ANSWER_UNDECIDED,
                      .reason = solver->reason};
  bool isLeft = !is && isExact && solver->reason;
  isl_point *point = is || isLeft ? NULL : findPoint(solver);
  if (isLeft)
    result.answer = CUTE_ANSWER_POSSIBLE;
  if (point && cuteIsl.point_is_void(point) == 0) {
    result.answer = CUTE_ANSWER_POSSIBLE;
    result.at = cuteValuesCreate(solver->terms);
  }
  for (size_t i = 0; i < solver->count && result.at.count; ++i)
    if (solver->columns[i].degree == 1)
      cuteValuesSet(&result.at, solver->columns[i].factors[0],
                    valueAt(solver, point, i));
  cuteIsl.point_free(point);
  if (result.answer == CUTE_ANSWER_UNDECIDED && !result.reason)
    result.reason = "the search takes too long";
  return result;
}

bool cuteSolverRefutes(CuteSolver *solver, CuteCondition condition) {
  return ask(solver, condition) == 1;
}
