// The stable sort: sorted, a permutation, and equal keys keep their order; the
// sort of numbers.
#include "Support/sort.h"
#include "check.h"

#include <stdlib.h>
#include <string.h>

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

static int compareNumbers(const void *first, const void *second) {
  const int64_t *a = first, *b = second;
  return (*a > *b) - (*a < *b);
}

// Numbers of each size and sign, against qsort.
static void sortsNumbers(void **state) {
  (void)state;
  enum { MOST = 300 };
  int64_t numbers[MOST], expected[MOST];
  uint64_t random = 12345;
  for (size_t n = 0; n < MOST; ++n)
    for (int bits = 1; bits <= 64; bits += 7) {
      for (size_t i = 0; i < n; ++i) {
        random = random * 6364136223846793005 + 1442695040888963407;
        numbers[i] = (int64_t)random >> (64 - bits);
      }
      memcpy(expected, numbers, sizeof numbers);
      cuteSortNumbers(numbers, n);
      qsort(expected, n, sizeof *expected, compareNumbers);
      assert_memory_equal(numbers, expected, n * sizeof *numbers);
    }
  int64_t ends[] = {INT64_MAX, 0, -1, INT64_MIN, 1};
  cuteSortNumbers(ends, 5);
  assert_true(ends[0] == INT64_MIN && ends[1] == -1 && ends[4] == INT64_MAX);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sortsAndKeepsOrder),
      cmocka_unit_test(sortsBytes),
      cmocka_unit_test(sortsNumbers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
