// Failures as values: messages, annotations, what is taken.
#include "Support/status.h"
#include "check_status.h"

static CuteStatus passOn(CuteStatus status, int *reached) {
  CUTE_TRY(status);
  *reached = 1;
  return NULL;
}

static void tellsTheOuterFirst(void **state) {
  (void)state;
  CuteStatus status = cuteStatusCreate("%d of %s", 3, "those");
  assert_string_equal(cuteStatusGetMessage(status), "3 of those");
  status = cuteStatusAnnotate(status, "reading '%s'", "a");
  status = cuteStatusAnnotate(status, "starting");
  assert_string_equal(cuteStatusGetMessage(status),
                      "starting: reading 'a': 3 of those");
  assert_false(cuteStatusConsume(status));
  assert_null(cuteStatusAnnotate(NULL, "nothing"));
  assert_true(cuteStatusConsume(NULL));
}

static void leavesWhereItFails(void **state) {
  (void)state;
  int reached = 0;
  assertFails(passOn(cuteStatusCreate("no"), &reached), "no");
  assert_int_equal(reached, 0);
  assertSucceeds(passOn(NULL, &reached));
  assert_int_equal(reached, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tellsTheOuterFirst),
      cmocka_unit_test(leavesWhereItFails),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
