// Inline PTX: sums with carry on random values against wide integers of C,
// classes of floats, vector registers, and what is left to the machine.
#include "ptx_machine.h"

#include <math.h>

typedef unsigned __int128 Wide;

static Wide wide(const uint64_t *words, unsigned bits) {
  Wide value = 0;
  for (unsigned i = 0; i < 128 / bits; ++i)
    value |= (Wide)words[i] << i * bits;
  return value;
}

// Often all ones, so that carries go on.
static uint64_t nextWord(void) {
  return nextRandom() % 3 ? nextRandom() : nextRandom() % 2 ? UINT64_MAX : 0;
}

static void carries(void **unused) {
  (void)unused;
  for (int i = 0; i < 200; ++i) {
    uint64_t four[12] = {0}, two[6] = {0}, product[6] = {0};
    for (int k = 4; k < 12; ++k)
      four[k] = (uint32_t)nextWord();
    Wide a = wide(four + 4, 32), b = wide(four + 8, 32);
    run("add.cc.u32 $0, $4, $8; addc.cc.u32 $1, $5, $9; addc.cc.s32 $2, $6, "
        "$10; addc.u32 $3, $7, $11;",
        "=r,=r,=r,=r,r,r,r,r,r,r,r,r", four);
    assert_true(wide(four, 32) == a + b);
    run("sub.cc.u32 $0, $4, $8; subc.cc.u32 $1, $5, $9; subc.cc.s32 $2, $6, "
        "$10; subc.u32 $3, $7, $11;",
        "=r,=r,=r,=r,r,r,r,r,r,r,r,r", four);
    assert_true(wide(four, 32) == a - b);
    for (int k = 2; k < 6; ++k)
      two[k] = product[k] = nextWord();
    run("sub.cc.u64 $0, $2, $4; subc.u64 $1, $3, $5; add.cc.u64 $0, $0, $4; "
        "addc.u64 $1, $1, $5;",
        "=l,=l,l,l,l,l", two);
    assert_true(two[0] == two[2] && two[1] == two[3]);
    run("mad.lo.cc.u64 $0, $2, $3, $4; madc.hi.u64 $1, $2, $3, $5;",
        "=l,=l,l,l,l,l", product);
    assert_true(wide(product, 64) ==
                (Wide)product[2] * product[3] + wide(product + 4, 64));
  }
}

static void classesOfFloats(void **unused) {
  (void)unused;
  static const struct {
    double value;
    const char *classes; // finite, infinite, number, NaN, normal, subnormal
  } rows[] = {{1, "101010"},         {-0.0, "101000"},     {INFINITY, "011000"},
              {-NAN, "000100"},      {0x1p-126, "101010"}, {0x1p-130, "101001"},
              {-0x1p-149, "101001"}, {-3e38, "101010"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    float single = (float)rows[i].value;
    uint32_t code;
    memcpy(&code, &single, sizeof code);
    uint64_t values[] = {0, 0, 0, 0, 0, 0, code};
    run("{.reg .pred p; testp.finite.f32 p, $6; selp.b32 $0, 1, 0, p; "
        "testp.infinite.f32 p, $6; selp.b32 $1, 1, 0, p; "
        "testp.number.f32 p, $6; selp.b32 $2, 1, 0, p; "
        "testp.notanumber.f32 p, $6; selp.b32 $3, 1, 0, p; "
        "testp.normal.f32 p, $6; selp.b32 $4, 1, 0, p; "
        "testp.subnormal.f32 p, $6; selp.b32 $5, 1, 0, p;}",
        "=r,=r,=r,=r,=r,=r,f", values);
    for (int k = 0; k < 6; ++k)
      assert_int_equal(values[k], rows[i].classes[k] == '1');
  }
  double small = 0x1p-1030;
  uint64_t values[] = {0, 0};
  memcpy(&values[1], &small, sizeof small);
  run("{.reg .pred p; testp.subnormal.f64 p, $1; selp.b32 $0, 1, 0, p;}",
      "=r,d", values);
  assert_int_equal(values[0], 1);
}

// What is no instruction on registers is left to the machine.
static void leftToTheMachine(void **unused) {
  (void)unused;
  static const char *const texts[] = {
      "add.cc.f32 $0, $0, $0;",        "add.cc.u16 $0, $0, $0;",
      "add.sat.cc.s32 $0, $0, $0;",    "min.cc.u32 $0, $0, $0;",
      "madc.wide.u32 $0, $0, $0, $0;", "testp.large.f32 $0, $0;",
      "testp.finite.u32 $0, $0;",      "testp.f32 $0, $0;",
      "testp.finite.f16 $0, $0;",      "testp.finite $0, $0;"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
    CuteSimPtx *program;
    assertSucceeds(parse(texts[i], "=r", &program));
    assert_int_equal(numFound, 1);
    cuteSimPtxDestroy(program);
  }
}

// Vectors are registers of their own, and operands and results as a whole.
static void vectorRegisters(void **unused) {
  (void)unused;
  uint64_t values[] = {0, 0, 3, 4};
  run("{ .reg .v2 .u32 v, w; mov.u32 v.x, $2; mov.u32 v.y, $3; "
      "mov.b64 {w.y, w.x}, 0x700000005; add.u32 $0, v.x, w.x; "
      "sub.u32 $1, v.y, w.y; }",
      "=r,=r,r,r", values);
  assert_int_equal(values[0], 10);
  assert_int_equal((uint32_t)values[1], (uint32_t)-1);
  run("{ .reg .v4.b32 v; mov.u32 v.x, $0; mov.u32 v.w, $0; .reg .v2 .b32 w; "
      "mov.u32 w.x, $2; mov.u32 w.y, $3; mov.b64 $0, w; mov.u32 $1, v.w; }",
      "=l,=r,r,r", values);
  assert_int_equal(values[0], UINT64_C(0x400000003));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(vectorRegisters),
      cmocka_unit_test(carries),
      cmocka_unit_test(classesOfFloats),
      cmocka_unit_test(leftToTheMachine),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
