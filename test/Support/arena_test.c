// Arenas: aligned, distinct, filled memory that dies at its mark.
#include "Support/arena.h"
#include "check.h"

#include <stdalign.h>
#include <string.h>

enum { COUNT = 2000 };

// Blocks of many sizes keep what was written to them.
static void blocksAreAlignedAndDistinct(void **state) {
  (void)state;
  CuteArena arena = {0};
  unsigned char *blocks[COUNT];
  for (size_t i = 0; i < COUNT; ++i) {
    blocks[i] = cuteArenaAllocate(&arena, i % 97 * (i % 13) + 1);
    assert_non_null(blocks[i]);
    assert_int_equal((uintptr_t)blocks[i] % alignof(max_align_t), 0);
    memset(blocks[i], (int)(i % 251), i % 97 * (i % 13) + 1);
  }
  for (size_t i = 0; i < COUNT; ++i)
    for (size_t k = 0; k < i % 97 * (i % 13) + 1; ++k)
      assert_int_equal(blocks[i][k], i % 251);
  cuteArenaDestroy(&arena);
  assert_int_equal(arena.bytes, 0);
}

static void nothingHasAnAddress(void **state) {
  (void)state;
  CuteArena arena = {0};
  void *first = cuteArenaAllocate(&arena, 0);
  assert_non_null(first);
  assert_ptr_not_equal(first, cuteArenaAllocate(&arena, 0));
  cuteArenaDestroy(&arena);
}

// A block that a reset gave back is the next that is needed.
static void resetKeepsABlock(void **state) {
  (void)state;
  CuteArena arena = {0};
  cuteArenaAllocate(&arena, 4000);
  CuteArenaMark mark = cuteArenaGetMark(&arena);
  void *first = cuteArenaAllocate(&arena, 5000);
  for (int i = 0; i < 10; ++i) {
    cuteArenaReset(&arena, mark);
    assert_ptr_equal(cuteArenaAllocate(&arena, 5000), first);
  }
  cuteArenaReset(&arena, mark);
  memset(cuteArenaAllocate(&arena, 1 << 20), 1, 1 << 20); // too large for it
  assert_ptr_equal(cuteArenaAllocate(&arena, 5000), first);
  cuteArenaDestroy(&arena);
}

static void largeBlocks(void **state) {
  (void)state;
  CuteArena arena = {0};
  char *small = cuteArenaAllocate(&arena, 8);
  memcpy(small, "1234567", 8);
  char *large = cuteArenaAllocate(&arena, 10 << 20);
  memset(large, 7, 10 << 20);
  char *after = cuteArenaAllocate(&arena, 8);
  memcpy(after, "7654321", 8);
  assert_string_equal(small, "1234567");
  assert_int_equal(large[(10 << 20) - 1], 7);
  assert_true(arena.bytes >= 10 << 20);
  cuteArenaDestroy(&arena);
}

// What is older than the mark survives; the memory after it is used again.
static void resetGoesBackToTheMark(void **state) {
  (void)state;
  CuteArena arena = {0};
  for (int round = 0; round < 3; ++round) {
    char *kept = cuteArenaCopyText(&arena, "kept for ever", 4);
    CuteArenaMark mark = cuteArenaGetMark(&arena);
    size_t bytes = arena.bytes;
    void *first = cuteArenaAllocate(&arena, 100);
    for (int i = 0; i < 1000; ++i)
      memset(cuteArenaAllocate(&arena, 1000), i, 1000);
    cuteArenaReset(&arena, mark);
    assert_int_equal(arena.bytes, bytes);
    assert_string_equal(kept, "kept");
    assert_ptr_equal(cuteArenaAllocate(&arena, 100), first);
    assert_string_equal(kept, "kept");
  }
  cuteArenaDestroy(&arena);
}

static void marksNest(void **state) {
  (void)state;
  CuteArena arena = {0};
  CuteArenaMark empty = cuteArenaGetMark(&arena);
  char *outer = cuteArenaCopyText(&arena, "outer", 5);
  CuteArenaMark mark = cuteArenaGetMark(&arena);
  for (int i = 0; i < 100; ++i) {
    CuteArenaMark inner = cuteArenaGetMark(&arena);
    memset(cuteArenaAllocate(&arena, 5000), i, 5000);
    cuteArenaReset(&arena, inner);
  }
  cuteArenaReset(&arena, mark);
  assert_string_equal(outer, "outer");
  cuteArenaReset(&arena, empty);
  assert_int_equal(arena.bytes, 0);
  // A mark of the empty arena can be gone back to again and again.
  for (int i = 0; i < 100; ++i) {
    memset(cuteArenaAllocate(&arena, 100000), i, 100000);
    cuteArenaReset(&arena, empty);
  }
  cuteArenaDestroy(&arena);
}

static void copiesText(void **state) {
  (void)state;
  CuteArena arena = {0};
  const char *text = cuteArenaCopyText(&arena, "a\0b", 3);
  assert_memory_equal(text, "a\0b", 4);
  assert_string_equal(cuteArenaCopyText(&arena, "", 0), "");
  cuteArenaDestroy(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(blocksAreAlignedAndDistinct),
      cmocka_unit_test(nothingHasAnAddress),
      cmocka_unit_test(resetKeepsABlock),
      cmocka_unit_test(largeBlocks),
      cmocka_unit_test(resetGoesBackToTheMark),
      cmocka_unit_test(marksNest),
      cmocka_unit_test(copiesText),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
