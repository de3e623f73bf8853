// Registers that inline PTX declares outside of braces: the text after it, of
// the same function, knows them.
#include "ptx_machine.h"

#include <stdlib.h>

enum { WORDS = 1 << 15 };

static uint64_t words[WORDS];

static void begin(void) {
  static CuteSimPtxScope own;
  free(own.names);
  own = (CuteSimPtxScope){0};
  scope = &own;
  memset(words, 0xff, sizeof words);
}

// Runs text with its one result and one operand, and the scope's words after
// these.
static uint64_t runWith(const char *text, uint64_t operand) {
  uint64_t *address = words, values[] = {0, operand, 0};
  memcpy(&values[2], &address, sizeof address);
  run(text, "=r,r", values);
  return values[0];
}

static void valuesStay(void **unused) {
  (void)unused;
  begin();
  runWith(".reg .b32 sum; .reg .b64 pair<3>; mov.b32 sum, $1;"
          "mov.b64 pair0, 7; mov.b64 pair2, {$1, sum}; mov.u32 $0, 0;",
          5);
  assert_int_equal(scope->numWords, 4);
  assert_int_equal(runWith("add.u32 sum, sum, $1; mov.u32 $0, sum;", 10), 15);
  assert_int_equal(runWith("{ .reg .b32 h; mov.b64 {h, $0}, pair2; }", 0), 5);
  assert_int_equal(runWith("cvt.u32.u64 $0, pair0;", 0), 7);
  runWith(".reg .v2 .b32 v; mov.u32 v.y, 9; mov.u32 $0, 0;", 0);
  assert_int_equal(scope->numWords, 6);
  assert_int_equal(runWith("add.u32 $0, v.y, sum;", 0), 24);
}

static void bracesHide(void **unused) {
  (void)unused;
  begin();
  runWith(".reg .b32 x; mov.u32 x, 1; { .reg .b32 x, y; mov.u32 x, 2;"
          "mov.u32 $0, x; }",
          0);
  assert_int_equal(scope->numWords, 1);
  assert_int_equal(runWith("mov.u32 $0, x;", 0), 1);
}

// What was not written holds no number of another function.
static void unwritten(void **unused) {
  (void)unused;
  begin();
  assert_int_equal((uint32_t)runWith(".reg .b32 x; mov.u32 $0, x;", 0),
                   UINT32_MAX);
}

static void expectError(const char *text, const char *message) {
  CuteSimPtx *program;
  size_t before = scope->count;
  assertFails(parse(text, "=r,r", &program), message);
  assert_null(program);
  assert_int_equal(scope->count, before);
}

static void rejected(void **unused) {
  (void)unused;
  begin();
  expectError("mov.u32 $0, x;",
              "a register is not declared before its use, or a "
              "variable is of another module or has "
              "addresses in 'mov.u32 $0, x'");
  expectError("@p mov.u32 $0, 1;", "a predicate is not declared before");
  expectError(".reg .b32 x; .reg .pred x;", "a register is declared twice");
  expectError(".reg .b32 y; mov.u32 y, x;", "is not declared before its use");
  runWith("{ .reg .b32 x; } .reg .b32 z; mov.u32 $0, 0;", 0);
  expectError("mov.u32 $0, x;", "a register is not declared before its use");
  expectError(".reg .b32 z;", "a register is declared twice in '.reg .b32 z'");
  begin();
  expectError("mov.u32 $0, z;", "a register is not declared before its use");
  runWith(".reg .b32 many<20000>; mov.u32 $0, 0;", 0);
  expectError(".reg .b32 more<20000>;", "there are too many registers");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(valuesStay),
      cmocka_unit_test(bracesHide),
      cmocka_unit_test(unwritten),
      cmocka_unit_test(rejected),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
