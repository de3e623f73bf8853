// Random terms and conditions of a few symbols, compared with their values for
// all values of the symbols: what is computed, what follows, and what isl, or a
// solution of an earlier question, says.
#include "Prove/isl_library.h"
#include "Prove/solve.h"

#include "check.h"

enum { SYMBOLS = 4, CASES = 2 * 2 * 3 * 4, DEPTH = 3 };

typedef struct Bench {
  CuteTerms terms;
  CuteSymbol *symbols[SYMBOLS];
  uint64_t random;
  bool isLinear; // no products, and no divisions by sizes
} Bench;

// A term or condition, and what it is in each case.
typedef struct Node {
  CuteTerm term;
  CuteCondition condition;
  int64_t values[CASES];
} Node;

static const CuteInterval ranges[SYMBOLS] = {{1, 2}, {0, 1}, {0, 2}, {-2, 1}};

static void begin(Bench *bench, uint64_t seed, bool isLinear) {
  static const CuteSymbolKind kinds[SYMBOLS] = {
      CUTE_SYMBOL_SIZE, CUTE_SYMBOL_BLOCK, CUTE_SYMBOL_THREAD,
      CUTE_SYMBOL_ROUND};
  *bench = (Bench){.random = seed, .isLinear = isLinear};
  cuteTermsInit(&bench->terms);
  for (int i = 0; i < SYMBOLS; ++i)
    bench->symbols[i] =
        cuteSymbolCreate(&bench->terms, kinds[i], "symbol", ranges[i]);
}

static int64_t pick(Bench *bench, int64_t low, int64_t high) {
  bench->random = bench->random * UINT64_C(6364136223846793005) + 1442695041;
  return low + (int64_t)((bench->random >> 33) % (uint64_t)(high - low + 1));
}

static int64_t valueOf(int symbol, int at) {
  for (int i = 0; i < symbol; ++i)
    at /= (int)(ranges[i].high - ranges[i].low + 1);
  return ranges[symbol].low +
         at % (ranges[symbol].high - ranges[symbol].low + 1);
}

static CuteValues valuesOf(Bench *bench, int at) {
  CuteValues values = cuteValuesCreate(&bench->terms);
  for (int i = 0; i < SYMBOLS; ++i)
    cuteValuesSet(&values, bench->symbols[i], valueOf(i, at));
  return values;
}

//===-- Random terms and conditions ---------------------------------------===//

static int64_t floorOf(int64_t a, int64_t b) {
  return a >= 0 ? a / b : -((-a + b - 1) / b);
}

static Node makeLeaf(Bench *bench) {
  Node leaf = {NULL};
  int symbol = (int)pick(bench, 0, SYMBOLS);
  int64_t constant = pick(bench, -4, 4);
  leaf.term = symbol == SYMBOLS ? cuteTermGetConstant(&bench->terms, constant)
                                : cuteTermGetSymbol(bench->symbols[symbol]);
  for (int i = 0; i < CASES; ++i)
    leaf.values[i] = symbol == SYMBOLS ? constant : valueOf(symbol, i);
  return leaf;
}

static Node makeCondition(Bench *bench, int depth);

static Node makeTerm(Bench *bench, int depth) {
  if (!depth)
    return makeLeaf(bench);
  Node a = makeTerm(bench, depth - 1), b = makeTerm(bench, depth - 1);
  Node result = {NULL};
  int64_t by = pick(bench, 1, 5),
          what = pick(bench, 0, bench->isLinear ? 5 : 8);
  CuteTerm size = cuteTermGetSymbol(bench->symbols[0]);
  if (what == 5) {
    Node c = makeCondition(bench, 0);
    result.term = cuteTermChoose(c.condition, a.term, b.term);
    for (int i = 0; i < CASES; ++i)
      result.values[i] = c.values[i] ? a.values[i] : b.values[i];
    return result;
  }
  result.term = what == 0   ? cuteTermAdd(a.term, b.term)
                : what == 1 ? cuteTermSubtract(a.term, b.term)
                : what == 2 ? cuteTermScale(a.term, by - 3)
                : what == 3 ? cuteTermFloor(a.term, by)
                : what == 4 ? cuteTermModulo(a.term, by)
                : what == 6 ? cuteTermMultiply(a.term, b.term)
                : what == 7 ? cuteTermQuotient(a.term, size)
                            : cuteTermRest(a.term, size);
  for (int i = 0; i < CASES; ++i) {
    int64_t x = a.values[i], y = b.values[i];
    int64_t divisor = what < 5 ? by : valueOf(0, i);
    int64_t floor = floorOf(x, divisor);
    result.values[i] = what == 0                ? x + y
                       : what == 1              ? x - y
                       : what == 2              ? x * (by - 3)
                       : what == 6              ? x * y
                       : what == 3 || what == 7 ? floor
                                                : x - floor * divisor;
  }
  return result;
}

static Node makeCondition(Bench *bench, int depth) {
  Node a = depth ? makeCondition(bench, depth - 1)
                 : makeTerm(bench, 1 + (int)pick(bench, 0, 3) / 3);
  Node b = depth ? makeCondition(bench, depth - 1) : makeTerm(bench, 1);
  Node result = {NULL};
  int64_t what = pick(bench, 0, 2);
  if (depth)
    result.condition = what == 0   ? cuteConditionAnd(a.condition, b.condition)
                       : what == 1 ? cuteConditionOr(a.condition, b.condition)
                                   : cuteConditionNot(a.condition);
  else
    result.condition = what == 0   ? cuteConditionIsLess(a.term, b.term)
                       : what == 1 ? cuteConditionIsSame(a.term, b.term)
                                   : cuteConditionIsAtMost(a.term, b.term);
  for (int i = 0; i < CASES; ++i) {
    int64_t x = a.values[i], y = b.values[i];
    result.values[i] = depth ? (what == 0   ? x && y
                                : what == 1 ? x || y
                                            : !x)
                             : (what == 0   ? x < y
                                : what == 1 ? x == y
                                            : x <= y);
  }
  return result;
}

//===-- What they are -----------------------------------------------------===//

static void termsHaveTheirValues(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Bench bench;
    begin(&bench, seed, false);
    Node a = makeTerm(&bench, DEPTH), b = makeTerm(&bench, DEPTH - 1);
    CuteInterval range = cuteTermGetRange(a.term);
    int64_t divisor = cuteTermGetDivisor(a.term), value;
    bool isKnown = !cuteConditionGetTermMarks(a.term).reason;
    for (int i = 0; i < CASES; ++i) {
      CuteValues values = valuesOf(&bench, i);
      assert_int_equal(cuteValuesGetTerm(&values, a.term, &value), isKnown);
      assert_true(!isKnown || value == a.values[i]);
      assert_true(range.low <= a.values[i] && a.values[i] <= range.high);
      assert_true(divisor ? a.values[i] % divisor == 0 : !a.values[i]);
    }
    CuteTerm sum = cuteTermAdd(a.term, b.term);
    assert_ptr_equal(sum, cuteTermAdd(b.term, a.term));
    assert_ptr_equal(cuteTermSubtract(sum, b.term), a.term);
    assert_ptr_equal(cuteTermScale(sum, 2), cuteTermAdd(sum, sum));
    cuteTermsDestroy(&bench.terms);
  }
}

// Conditions that follow from others, and what is left of one where another
// holds.
static void implicationsHold(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 5; ++seed) {
    Bench bench;
    Node nodes[9];
    begin(&bench, seed, false);
    for (int i = 0; i < 9; ++i)
      nodes[i] = makeCondition(&bench, i % 3);
    for (int i = 0; i < 9 * 9; ++i) {
      const Node *a = &nodes[i / 9], *b = &nodes[i % 9];
      bool implies = cuteConditionImplies(a->condition, b->condition), holds;
      CuteCondition given = cuteConditionGiven(a->condition, b->condition);
      CuteCondition either = cuteConditionEither(a->condition, b->condition);
      for (int k = 0; k < CASES; ++k) {
        CuteValues values = valuesOf(&bench, k);
        assert_true(!implies || !a->values[k] || b->values[k]);
        if (a->values[k] && cuteValuesGetCondition(&values, given, &holds))
          assert_int_equal(holds, b->values[k]);
        if (cuteValuesGetCondition(&values, either, &holds))
          assert_int_equal(holds, a->values[k] || b->values[k]);
      }
    }
    cuteTermsDestroy(&bench.terms);
  }
}

//===-- What is solved ----------------------------------------------------===//

static bool canHold(const Node *node) {
  bool can = false;
  for (int i = 0; i < CASES; ++i)
    can |= node->values[i] != 0;
  return can;
}

// Asks one solver many questions. A condition that holds somewhere is never
// refuted; a linear one that holds nowhere is, whatever was asked before.
static void askAll(bool isLinear) {
  int refuted = 0, possible = 0;
  for (uint64_t seed = 0; seed < 3; ++seed) {
    Bench bench;
    begin(&bench, seed, isLinear);
    CuteSolver *solver = cuteSolverCreate(&bench.terms);
    for (int i = 0; i < 40; ++i) {
      Node node = makeCondition(&bench, i % 8 ? 1 : 2);
      bool can = canHold(&node);
      cuteSolverRest(solver);
      bool is = cuteSolverRefutes(solver, node.condition), holds = false;
      assert_false(is && can);
      if (isLinear)
        assert_int_equal(is, !can);
      CutePoint point = cuteSolve(solver, node.condition, false);
      if (isLinear && can && point.answer == CUTE_ANSWER_POSSIBLE &&
          cuteValuesGetCondition(&point.at, node.condition, &holds))
        assert_true(holds);
      refuted += is;
      possible += can;
    }
    cuteSolverDestroy(solver);
    cuteTermsDestroy(&bench.terms);
  }
  assert_true(refuted >= 20 && possible >= 20);
}

static void linearConditionsAreDecided(void **state) {
  (void)state;
  askAll(true);
}

static void productsAreNeverRefutedWrongly(void **state) {
  (void)state;
  askAll(false);
}

// Asks whether a difference is each of some numbers, and at least that, where a
// condition holds. A solution of one question is close to one of the next.
static void closeQuestionsAreToldApart(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Bench bench;
    begin(&bench, seed, true);
    CuteSolver *solver = cuteSolverCreate(&bench.terms);
    Node a = makeTerm(&bench, 2), b = makeTerm(&bench, 1);
    Node where = makeCondition(&bench, 0);
    CuteTerm difference = cuteTermSubtract(a.term, b.term);
    for (int64_t n = -6; n <= 6; ++n) {
      bool isEver = false, isMore = false;
      for (int i = 0; i < CASES; ++i) {
        isEver |= where.values[i] && a.values[i] - b.values[i] == n;
        isMore |= where.values[i] && a.values[i] - b.values[i] >= n;
      }
      CuteCondition same = cuteConditionIsNumber(difference, n);
      CuteCondition more =
          cuteConditionAtLeast(cuteTermAddConstant(difference, -n));
      assert_int_equal(
          cuteSolverRefutes(solver, cuteConditionAnd(where.condition, same)),
          !isEver);
      assert_int_equal(
          cuteSolverRefutes(solver, cuteConditionAnd(where.condition, more)),
          !isMore);
    }
    cuteSolverDestroy(solver);
    cuteTermsDestroy(&bench.terms);
  }
}

static int openIsl(void **state) {
  (void)state;
  return cuteIslOpen() ? -1 : 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(termsHaveTheirValues),
      cmocka_unit_test(implicationsHold),
      cmocka_unit_test(linearConditionsAreDecided),
      cmocka_unit_test(productsAreNeverRefutedWrongly),
      cmocka_unit_test(closeQuestionsAreToldApart)};
  return cmocka_run_group_tests(tests, openIsl, NULL);
}
