// The stable sort: sorted, a permutation, and equal keys keep their order.
#include "Support/sort.h"
#include "check.h"

typedef struct Item {
  int key;
  unsigned place;
  char padding[5]; // an odd size
} Item;

static int compareKeys(const void *first, const void *second) {
  const Item *a = first, *b = second;
  return (a->key > b->key) - (a->key < b->key);
}

static void sortsAndKeepsOrder(void **state) {
  (void)state;
  enum { MOST = 300 };
  Item items[MOST], scratch[MOST];
  unsigned random = 12345;
  for (unsigned n = 0; n < MOST; ++n)
    for (int range = 1; range <= 1000; range *= 10) {
      long sum = 0;
      for (unsigned i = 0; i < n; ++i) {
        random = random * 1103515245 + 12345;
        items[i] = (Item){(int)(random >> 16) % range - range / 2, i, {0}};
        sum += items[i].key;
      }
      cuteStableSort(items, scratch, n, sizeof *items, compareKeys);
      for (unsigned i = 0; i < n; ++i) {
        sum -= items[i].key;
        if (!i)
          continue;
        assert_true(items[i - 1].key <= items[i].key);
        assert_true(items[i - 1].key < items[i].key ||
                    items[i - 1].place < items[i].place);
      }
      assert_int_equal(sum, 0);
    }
}

static int compareBytes(const void *first, const void *second) {
  return *(const unsigned char *)first - *(const unsigned char *)second;
}

static void sortsBytes(void **state) {
  (void)state;
  char text[] = "stablesort", scratch[sizeof text];
  cuteStableSort(text, scratch, sizeof text - 1, 1, compareBytes);
  assert_string_equal(text, "abelorsstt");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sortsAndKeepsOrder),
      cmocka_unit_test(sortsBytes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
