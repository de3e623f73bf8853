// Bars on terminals: not in the first second, then a few times a second.
#include "check.h"

#include "Support/progress.h"

#include <stdlib.h>
#include <string.h>

static void showsTimeLeft(void **state) {
  (void)state;
  char *text = NULL;
  size_t length = 0;
  CuteProgress progress = {.terminal = open_memstream(&text, &length),
                           .start = 5000};
  cuteProgressShow(&progress, 5900, 10, 100);
  fflush(progress.terminal);
  assert_int_equal(length, 0);
  cuteProgressShow(&progress, 7000, 20, 100);
  assert_string_equal(text,
                      "\r[######                        ]  20%, 8 s left ");
  size_t before = length;
  cuteProgressShow(&progress, 7100, 21, 100);
  fflush(progress.terminal);
  assert_int_equal(length, before);
  cuteProgressShow(&progress, 9000, 100, 100);
  assert_non_null(strstr(text, "] 100%, 0 s left "));
  cuteProgressEnd(&progress);
  assert_int_equal(text[length - 1], '\r');
  fclose(progress.terminal);
  free(text);
}

static void showsNothingElsewhere(void **state) {
  (void)state;
  CuteProgress progress = {.terminal = NULL};
  cuteProgressShow(&progress, 1e6, 1, 2);
  cuteProgressEnd(&progress);
  assert_true(progress.shown <= 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(showsTimeLeft),
      cmocka_unit_test(showsNothingElsewhere),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
