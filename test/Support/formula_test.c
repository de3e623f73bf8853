// Formulas: values, trees, and what they reject.
#include "Support/arena.h"
#include "Support/formula.h"
#include "Support/string_builder.h"
#include "check_status.h"

#include <stdlib.h>

// x is 10, and a[i] is i + 1.
static CuteStatus lookUp(const CuteFormula *access, void *data,
                         int64_t *value) {
  (void)data;
  if (access->kind == CUTE_FORMULA_NAME && !strcmp(access->name, "x")) {
    *value = 10;
    return NULL;
  }
  if (access->kind == CUTE_FORMULA_ACCESS && !strcmp(access->name, "a") &&
      cuteFormulaGetInteger(access->children[0], value)) {
    ++*value;
    return NULL;
  }
  return cuteStatusCreate("'%s' is unknown", access->name);
}

static CuteStatus evaluate(const char *text, int64_t *value) {
  CuteFormula *formula;
  CUTE_TRY(cuteFormulaParse(text, &formula));
  CuteStatus status = cuteFormulaEvaluate(formula, lookUp, NULL, value);
  cuteFormulaDestroy(formula);
  return status;
}

static void evaluatesIntegers(void **state) {
  (void)state;
  static const struct {
    const char *text;
    int64_t value;
  } rows[] = {{"1 + 2 * 3", 7},
              {"(1 + 2) * 3", 9},
              {"10 - 2 - 3", 5},
              {"-7 / 2", -3},
              {"1 + 17 % 5 * 2", 5},
              {"-7 % 4", -3},
              {"ceil_div(7, 2)", 4},
              {"ceil_div(-7, 2)", -3},
              {"min(x, 3) + max(x, 3)", 13},
              {"a[4] * -x", -50},
              {"--x", 10},
              {"1e3", 1000},
              {"9007199254740992", INT64_C(1) << 53}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    int64_t value;
    assertSucceeds(evaluate(rows[i].text, &value));
    assert_int_equal(value, rows[i].value);
  }
}

static void rejectsWhatIsUndefined(void **state) {
  (void)state;
  static const char *const rows[][2] = {
      {"1 / 0", "division by zero"},
      {"1 % 0", "division by zero"},
      {"ceil_div(1, 0)", "division by zero"},
      {"9007199254740992 * 9007199254740992", "integer overflow"},
      {"0.5", "0.5 is not an integer of at most 53 bits"},
      {"1e300", "1e+300 is not an integer"},
      {"y", "'y' is unknown"},
      {"min(1)", "unknown function 'min' with 1 operands"},
      {"exp(1, 2)", "unknown function 'exp' with 2 operands"},
      {"sum[k](x)", "unknown function 'sum'"},
      {"", "expected a value at column 1"},
      {".", "expected a number at column 1"},
      {"1 +", "expected a value at column 4"},
      {"1 2", "expected an operator at column 3"},
      {"(1", "expected ')'"},
      {"a[1", "expected ',' or the end of a list"},
      {"1 = 2 = 3", "expected an operator"},
      {"abcdefghijklmnopqrstuvwxyzabcdefghijklm", "name too long"},
      {"f(1,2,3,4,5,6,7,8,9)", "too many operands"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    int64_t value;
    assertFails(evaluate(rows[i][0], &value), rows[i][1]);
  }
}

// `n` times `piece`, after and before other text.
static char *repeat(const char *before, const char *piece, size_t n,
                    const char *after) {
  CuteString text = {0};
  cuteStringAppend(&text, before);
  for (size_t i = 0; i < n; ++i)
    cuteStringAppend(&text, piece);
  cuteStringAppend(&text, after);
  return text.data;
}

static void staysWithinLimits(void **state) {
  (void)state;
  static const struct {
    const char *before, *piece, *after;
    size_t good, bad;
  } rows[] = {{"1", "+1", "", 2000, 200000},
              {"1", "*1", "", 2000, 200000},
              {"", "(", "1", 0, 100000},
              {"", "-", "1", 60, 100000},
              {"1", "-min(1,1)", "", 500, 200000}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    int64_t value;
    char *good =
        repeat(rows[i].before, rows[i].piece, rows[i].good, rows[i].after);
    char *bad =
        repeat(rows[i].before, rows[i].piece, rows[i].bad, rows[i].after);
    assertSucceeds(evaluate(good, &value));
    assertFails(evaluate(bad, &value), "too");
    free(good);
    free(bad);
  }
}

static void bothSidesOfAnEquation(void **state) {
  (void)state;
  CuteFormula *formula;
  assertSucceeds(cuteFormulaParse("C[m,n] = sum[k](A[m,k])", &formula));
  assert_int_equal(formula->kind, CUTE_FORMULA_CALL);
  assert_string_equal(formula->name, "=");
  assert_int_equal(formula->children[0]->kind, CUTE_FORMULA_ACCESS);
  assert_int_equal(formula->children[0]->numChildren, 2);
  assert_int_equal(formula->children[1]->kind, CUTE_FORMULA_REDUCE);
  assert_int_equal(formula->children[1]->numChildren, 2);
  cuteFormulaDestroy(formula);
  assertFails(cuteFormulaParse("C[m] =", &formula), "expected a value");
  assert_null(formula);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(evaluatesIntegers),
      cmocka_unit_test(rejectsWhatIsUndefined),
      cmocka_unit_test(staysWithinLimits),
      cmocka_unit_test(bothSidesOfAnEquation),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
