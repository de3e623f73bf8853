// Pointer maps: what was stored last under a key is found again.
#include "Support/hash.h"
#include "Support/pointer_map.h"
#include "check.h"

enum { COUNT = 5000 };

static char keys[COUNT], values[COUNT];

static void findsWhatWasStored(void **state) {
  (void)state;
  CutePointerMap map = {0};
  assert_null(cutePointerMapGet(&map, &keys[0]));
  for (size_t i = 0; i < COUNT; ++i) {
    assert_null(cutePointerMapGet(&map, &keys[i]));
    cutePointerMapSet(&map, &keys[i], &values[i]);
  }
  assert_int_equal(map.table.count, COUNT);
  for (size_t i = 0; i < COUNT; ++i)
    assert_ptr_equal(cutePointerMapGet(&map, &keys[i]), &values[i]);
  cutePointerMapDestroy(&map);
  assert_null(cutePointerMapGet(&map, &keys[0]));
}

static void replacesAndClears(void **state) {
  (void)state;
  CutePointerMap map = {0};
  cutePointerMapClear(&map);
  for (int round = 0; round < 2; ++round) {
    for (size_t i = 0; i < 100; ++i)
      cutePointerMapSet(&map, &keys[i], &values[i]);
    for (size_t i = 0; i < 100; ++i)
      cutePointerMapSet(&map, &keys[i], &values[99 - i]);
    assert_int_equal(map.table.count, 100);
    for (size_t i = 0; i < 100; ++i)
      assert_ptr_equal(cutePointerMapGet(&map, &keys[i]), &values[99 - i]);
    cutePointerMapClear(&map);
    assert_int_equal(map.table.count, 0);
    assert_null(cutePointerMapGet(&map, &keys[5]));
  }
  cutePointerMapSet(&map, &keys[0], NULL);
  assert_null(cutePointerMapGet(&map, &keys[0]));
  cutePointerMapDestroy(&map);
}

// A null value leaves other keys' values where they are, and is not visited.
static void storesNull(void **state) {
  (void)state;
  CutePointerMap map = {0};
  size_t at = 0, visited = 0;
  assert_null(cutePointerMapNext(&map, &at));
  for (size_t i = 0; i < COUNT; ++i)
    cutePointerMapSet(&map, &keys[i], &values[i]);
  for (size_t i = 0; i < COUNT; i += 3)
    cutePointerMapSet(&map, &keys[i], NULL);
  assert_int_equal(map.table.count, COUNT);
  for (size_t i = 0; i < COUNT; ++i)
    assert_ptr_equal(cutePointerMapGet(&map, &keys[i]),
                     i % 3 ? &values[i] : NULL);
  for (char *value; (value = cutePointerMapNext(&map, &at)); ++visited) {
    assert_int_equal(*value, 0);
    *value = 1;
  }
  assert_int_equal(visited, COUNT - (COUNT + 2) / 3);
  for (size_t i = 0; i < COUNT; ++i)
    assert_int_equal(values[i], i % 3 != 0);
  memset(values, 0, sizeof values);
  cutePointerMapDestroy(&map);
}

// Neighbouring keys do not fall on few hashes.
static void hashesSpread(void **state) {
  (void)state;
  size_t hits[64] = {0};
  for (size_t i = 0; i < 64000; ++i)
    ++hits[cuteHashPointer((const void *)(uintptr_t)(0x10000 + 16 * i)) % 64];
  for (size_t i = 0; i < 64; ++i)
    assert_true(hits[i] > 500 && hits[i] < 2000);
  assert_true(cuteHashBytes("ab", 2) != cuteHashBytes("ba", 2));
  assert_true(cuteHashBytes("", 0) != cuteHashBytes("\0", 1));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(findsWhatWasStored),
      cmocka_unit_test(replacesAndClears),
      cmocka_unit_test(storesNull),
      cmocka_unit_test(hashesSpread),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
