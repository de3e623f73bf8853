// Operations on values in memory against C.
#include "Simulator/ptx/reduction.h"
#include "check.h"

#include <math.h>
#include <string.h>

static uint64_t reduce(const char *name, const char *type, uint64_t old,
                       uint64_t operand, uint64_t swap) {
  CuteSimReduction reduction;
  assert_true(cuteSimReductionFind(cuteStringRef(name), &reduction));
  return cuteSimReduce(reduction, cutePtxFindType(cuteStringRef(type)), old,
                       operand, swap);
}

static uint32_t bitsOf(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static void integers(void **unused) {
  (void)unused;
  uint64_t random = 7;
  for (int i = 0; i < 1000; ++i) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    uint32_t a = (uint32_t)(random >> 32), b = (uint32_t)(random >> 13);
    int32_t x = (int32_t)a, y = (int32_t)b;
    assert_int_equal(reduce("add", "u32", a, b, 0), a + b);
    assert_int_equal(reduce("add", "u64", random, b, 0), random + b);
    assert_int_equal(reduce("min", "s32", a, b, 0), x < y ? a : b);
    assert_int_equal(reduce("max", "u32", a, b, 0), a > b ? a : b);
    assert_int_equal(reduce("and", "b32", a, b, 0), a & b);
    assert_int_equal(reduce("or", "b32", a, b, 0), a | b);
    assert_int_equal(reduce("xor", "b64", random, b, 0), random ^ b);
    assert_int_equal(reduce("inc", "u32", a, b, 0), a >= b ? 0 : a + 1);
    assert_int_equal(reduce("dec", "u32", a, b, 0),
                     a == 0 || a > b ? b : a - 1);
    assert_int_equal(reduce("exch", "b32", a, b, 0), b);
    assert_int_equal(reduce("cas", "b32", a, b, 5), a);
    assert_int_equal(reduce("cas", "b32", a, a, 5), 5);
  }
}

static void floats(void **unused) {
  (void)unused;
  assert_int_equal(reduce("add", "f32", bitsOf(1.25f), bitsOf(0.1f), 0),
                   bitsOf(1.25f + 0.1f));
  assert_int_equal(reduce("add", "f16x2", 0x3c004000, 0x3c003c00, 0),
                   0x40004200);
  assert_int_equal(reduce("add", "bf16", 0x3f80, 0x3f80, 0), 0x4000);
  assert_int_equal(reduce("max", "f16", 0x3c00, 0xbc00, 0), 0x3c00);
  assert_int_equal(reduce("min", "bf16", 0x3f80, 0xbf80, 0), 0xbf80);
}

static void namesThatAreNone(void **unused) {
  (void)unused;
  CuteSimReduction reduction;
  assert_false(cuteSimReductionFind(cuteStringRef("mul"), &reduction));
  assert_false(cuteSimReductionFind(cuteStringRef(""), &reduction));
}

static void placesInMemory(void **unused) {
  (void)unused;
  uint64_t memory[2] = {0x1122334455667788, 0};
  unsigned char *bytes = (unsigned char *)memory;
  CuteSimReduction add = CUTE_SIM_REDUCE_ADD;
  assert_int_equal(cuteSimReduceAt(add, cutePtxFindType(cuteStringRef("u32")),
                                   bytes, 0x10000000, 0),
                   0x55667788);
  assert_int_equal(memory[0], 0x1122334465667788);
  assert_int_equal(cuteSimReduceAt(add, cutePtxFindType(cuteStringRef("f16")),
                                   bytes + 8, 0x3c00, 0),
                   0);
  assert_int_equal(memory[1], 0x3c00);
  assert_int_equal(cuteSimReduceAt(CUTE_SIM_REDUCE_COMPARE,
                                   cutePtxFindType(cuteStringRef("b64")), bytes,
                                   memory[0], 7),
                   0x1122334465667788);
  assert_int_equal(memory[0], 7);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(integers),
      cmocka_unit_test(floats),
      cmocka_unit_test(placesInMemory),
      cmocka_unit_test(namesThatAreNone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
