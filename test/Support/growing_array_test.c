// Arrays that grow keep what is in them.
#include "Support/growing_array.h"
#include "check.h"

#include <stdlib.h>

static void growing(void **state) {
  (void)state;
  int *data = NULL;
  size_t count = 0, capacity = 0;
  for (int i = 0; i < 1000; ++i) {
    CUTE_PUSH(data, count, capacity, i);
    assert_true(count <= capacity && capacity < 2 * count + 16);
  }
  assert_int_equal(count, 1000);
  for (int i = 0; i < 1000; ++i)
    assert_int_equal(data[i], i);
  free(data);
}

static void reserving(void **state) {
  (void)state;
  char *data = NULL;
  size_t capacity = 0;
  CUTE_RESERVE(data, 0, capacity, 100);
  assert_true(capacity >= 100);
  char *before = data;
  size_t room = capacity;
  CUTE_RESERVE(data, 50, capacity, 50);
  assert_ptr_equal(data, before);
  assert_int_equal(capacity, room);
  free(data);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(growing),
                                     cmocka_unit_test(reserving)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
