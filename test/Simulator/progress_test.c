// The bar of a run's progress, at times that are made up.
#include "Simulator/progress.h"
#include "check.h"

#include <stdlib.h>
#include <string.h>

static char *text;
static size_t length;

static CuteSimProgress begin(void) {
  CuteSimProgress progress = {.terminal = open_memstream(&text, &length),
                              .start = 5000};
  assert_non_null(progress.terminal);
  return progress;
}

static void end(CuteSimProgress *progress) {
  fclose(progress->terminal);
  free(text);
}

static void shortRunsShowNothing(void **state) {
  (void)state;
  CuteSimProgress progress = begin();
  cuteSimProgressShow(&progress, 5999, 9, 10);
  cuteSimProgressShow(&progress, 7000, 0, 10);
  cuteSimProgressEnd(&progress);
  fflush(progress.terminal);
  assert_int_equal(length, 0);
  end(&progress);
}

static void timeLeftIsInProportion(void **state) {
  (void)state;
  CuteSimProgress progress = begin();
  cuteSimProgressShow(&progress, 9000, 1, 4);
  cuteSimProgressShow(&progress, 9100, 2, 4); // too soon
  assert_string_equal(text,
                      "\r[#######                       ]  25%, 12 s left ");
  cuteSimProgressShow(&progress, 11000, 3, 4);
  assert_non_null(
      strstr(text, "\r[######################        ]  75%, 2 s left "));
  assert_null(strstr(text, "50%"));
  size_t before = length;
  cuteSimProgressEnd(&progress);
  assert_true(length > before && text[length - 1] == '\r');
  end(&progress);
}

static void nothingOffATerminal(void **state) {
  (void)state;
  CuteSimProgress progress = {.start = 1};
  cuteSimProgressShow(&progress, 1e6, 1, 2);
  cuteSimProgressEnd(&progress);
  assert_true(progress.shown <= 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shortRunsShowNothing),
      cmocka_unit_test(timeLeftIsInProportion),
      cmocka_unit_test(nothingOffATerminal),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
