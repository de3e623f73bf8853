// Hash tables: an item is found by its hash and by what it says.
#include "Support/hash.h"
#include "Support/hash_table.h"
#include "check.h"

enum { COUNT = 3000 };

static int items[COUNT];

static bool isEqual(const void *item, const void *key) {
  return *(const int *)item == *(const int *)key;
}

// Items 0 to COUNT; each `many` items share a hash.
static CuteHashTable filled(int many) {
  CuteHashTable table = {0};
  for (int i = 0; i < COUNT; ++i) {
    uint64_t hash = cuteHashMix(7, (uint64_t)(i / many));
    items[i] = i;
    CuteHashSlot *slot = cuteHashTableFind(&table, hash, &i, isEqual);
    assert_null(slot->item);
    cuteHashTableFill(&table, slot, hash, &items[i]);
  }
  return table;
}

static void findsItemsOfOneHash(void **state) {
  (void)state;
  for (int many = 1; many <= 100; many *= 10) {
    CuteHashTable table = filled(many);
    assert_int_equal(table.count, COUNT);
    for (int i = 0; i < COUNT; ++i) {
      uint64_t hash = cuteHashMix(7, (uint64_t)(i / many));
      assert_ptr_equal(cuteHashTableFind(&table, hash, &i, isEqual)->item,
                       &items[i]);
      assert_null(cuteHashTableFind(&table, hash + 1, &i, isEqual)->item);
      assert_ptr_equal(cuteHashTableGet(&table, hash, &i, isEqual), &items[i]);
      assert_null(cuteHashTableGet(&table, hash + 1, &i, isEqual));
    }
    cuteHashTableDestroy(&table);
  }
}

static void isEmptyAfterDestruction(void **state) {
  (void)state;
  CuteHashTable table = filled(1);
  cuteHashTableDestroy(&table);
  assert_int_equal(table.count, 0);
  assert_null(cuteHashTableGet(&table, cuteHashMix(7, 0), &items[0], isEqual));
  assert_null(
      cuteHashTableFind(&table, cuteHashMix(7, 0), &items[0], isEqual)->item);
  cuteHashTableDestroy(&table);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(findsItemsOfOneHash),
      cmocka_unit_test(isEmptyAfterDestruction),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
