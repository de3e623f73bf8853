// Two threads, each with a context of its own, apply every operation to the
// same operands at the same time and get the same answers. Under
// ThreadSanitizer (PRESET=tsan ./dev check) this shows that contexts share
// nothing.
#include "Calculator/language/calculator.h"
#include "check.h"

#include <pthread.h>
#include <string.h>

enum { ROUNDS = 3 };

// Operands for each letter of a row. Not all fit every operation: messages are
// answers, too.
static const char *const operands[][2] = {
    {"L", "(4,8):(8,1)"},
    {"L", "S<2,3,3> o 0 o (8,8):(8,1)"},
    {"P", "(2,4)"},
    {"P", "(2:1,4:1)"},
    {"T", "(4,8)"},
    {"T", "(_,2)"},
    {"T", "3"},
    {"I", "2"},
    {"I", "1"},
    {"S", "S<2,3,3>"},
    {"X", "(4,8):(8,1)"},
    {"X", "(?,(3,4))"},
    {"Y", "(4,8):(8,1)"},
    {"Y", "(?,(3,4))"},
    {"Y", "[4:1;_]"},
    {"H", "(4,8):(8,1)"},
    {"H", "(?,(3,4))"},
    {"E", "f16"},
    {"A", "SM80_16x8x16_F32F16F16F32_TN"},
    {"C", "make_copy_atom(UniversalCopy<uint32_t>, f16)"},
    {"M", "make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,1,1))"},
    {"K", "make_tiled_copy(make_copy_atom(UniversalCopy<uint32_t>, f16), "
          "(8,4):(4,1), (1,2))"},
    {"V", "(4,8):(1,4)"},
    {"V", "S<1,2,3>"},
};

// What does not come from operands of the table.
static const char *const programs[] = {
    "UniversalCopy<uint128_t>",
    "SM80_16x8x16_F32F16F16F32_TN",
    "f16",
    "let A = (4,8):(8,1); A(2,3)",
    "(4,8):(8,1) o (2,2):(1,4)",
    "coalesce((4",
    "nothing(1)",
};

typedef struct Worker {
  CuteContext context;
  CuteString answers;
} Worker;

static void answer(Worker *w, const char *text) {
  CuteCalculator *calculator = cuteCalculatorCreate(w->context);
  size_t at;
  CuteValue value =
      cuteCalculatorEvaluate(calculator, cuteStringRef(text), &at);
  cuteStringAppendFormat(&w->answers, "%s = ", text);
  if (cuteValueFailed(value))
    cuteStringAppend(&w->answers, cuteContextGetError(w->context));
  else
    cuteAppendValue(&w->answers, value);
  cuteStringAppendChar(&w->answers, '\n');
  cuteCalculatorDestroy(calculator);
}

// The operation on operands that begin at a place of the table.
static void answerOperation(Worker *w, const CuteCalcOperation *row,
                            size_t start) {
  CuteString text = {0};
  const size_t n = sizeof operands / sizeof *operands;
  cuteStringAppendFormat(&text, "%s(", row->name);
  for (size_t i = 0; row->operands[i]; ++i) {
    size_t k = start;
    while (operands[k % n][0][0] != row->operands[i])
      ++k;
    cuteStringAppendFormat(&text, "%s%s", i ? ", " : "", operands[k % n][1]);
  }
  cuteStringAppendChar(&text, ')');
  answer(w, cuteStringGet(&text));
  cuteStringDestroy(&text);
}

static void *work(void *data) {
  Worker *w = data;
  w->context = cuteContextCreate();
  const CuteCalcOperation *row;
  for (size_t round = 0; round < ROUNDS; ++round) {
    for (size_t i = 0; (row = cuteCalcGet(i)); ++i)
      answerOperation(w, row, round);
    for (size_t i = 0; i < sizeof programs / sizeof *programs; ++i)
      answer(w, programs[i]);
  }
  cuteContextDestroy(w->context);
  return NULL;
}

static void contextsAreIndependent(void **state) {
  (void)state;
  Worker workers[2] = {0};
  pthread_t threads[2];
  for (size_t i = 0; i < 2; ++i)
    assert_int_equal(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
  for (size_t i = 0; i < 2; ++i)
    assert_int_equal(pthread_join(threads[i], NULL), 0);
  assert_string_equal(cuteStringGet(&workers[0].answers),
                      cuteStringGet(&workers[1].answers));
  assert_non_null(strstr(cuteStringGet(&workers[0].answers),
                         "coalesce((4,8):(8,1)) = (4,8):(8,1)\n"));
  for (size_t i = 0; i < 2; ++i)
    cuteStringDestroy(&workers[i].answers);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(contextsAreIndependent)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
