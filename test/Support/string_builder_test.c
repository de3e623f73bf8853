// String builders: what was appended, in order, always ended by a NUL.
#include "Support/string_builder.h"
#include "check.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

static void appendsInOrder(void **state) {
  (void)state;
  CuteString string = {0};
  assert_string_equal(cuteStringGet(&string), "");
  assert_int_equal(cuteStringGetRef(&string).length, 0);
  cuteStringAppend(&string, "a");
  cuteStringAppend(&string, "");
  cuteStringAppendChar(&string, 'b');
  cuteStringAppendBytes(&string, "cde", 2);
  cuteStringAppendInt(&string, -42);
  cuteStringAppendFormat(&string, "[%s|%03d]", "x", 7);
  cuteStringAppendFormat(&string, "%s", "");
  assert_string_equal(cuteStringGet(&string), "abcd-42[x|007]");
  assert_int_equal(cuteStringGetRef(&string).length, 14);
  cuteStringClear(&string);
  assert_string_equal(cuteStringGet(&string), "");
  cuteStringAppendBytes(&string, "a\0b", 3);
  assert_int_equal(cuteStringGetRef(&string).length, 3);
  assert_memory_equal(cuteStringGetRef(&string).data, "a\0b", 4);
  cuteStringDestroy(&string);
  assert_string_equal(cuteStringGet(&string), "");
  cuteStringClear(&string);
  cuteStringDestroy(&string);
}

static void printsEveryInteger(void **state) {
  (void)state;
  static const int64_t values[] = {
      0, 1, -1, 9, 10, -10, 99, INT_MAX, INT_MIN, INT64_MAX, INT64_MIN};
  for (size_t i = 0; i < sizeof values / sizeof *values; ++i) {
    CuteString string = {0};
    cuteStringAppendInt(&string, values[i]);
    assert_true(strtoll(cuteStringGet(&string), NULL, 10) == values[i]);
    char text[32];
    snprintf(text, sizeof text, "%lld", (long long)values[i]);
    assert_string_equal(cuteStringGet(&string), text);
    cuteStringDestroy(&string);
  }
}

static void grows(void **state) {
  (void)state;
  CuteString string = {0};
  for (int i = 0; i < 100000; ++i)
    cuteStringAppendFormat(&string, "%d,", i % 10);
  assert_int_equal(string.length, 200000);
  for (size_t i = 0; i < 100000; ++i) {
    assert_int_equal(string.data[2 * i], '0' + (int)(i % 10));
    assert_int_equal(string.data[2 * i + 1], ',');
  }
  assert_int_equal(string.data[200000], 0);
  char *large = malloc(300001);
  memset(large, 'x', 300000);
  large[300000] = '\0';
  cuteStringAppendFormat(&string, "%s", large);
  assert_int_equal(string.length, 500000);
  assert_int_equal(strlen(cuteStringGet(&string)), 500000);
  free(large);
  cuteStringDestroy(&string);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(appendsInOrder),
      cmocka_unit_test(printsEveryInteger),
      cmocka_unit_test(grows),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
