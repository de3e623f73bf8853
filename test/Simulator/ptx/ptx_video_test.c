// Inline PTX on halves and bytes: with their signs, saturated, and summed up.
#include "ptx_machine.h"

static void is(uint32_t wanted, const char *mnemonic, uint32_t a, uint32_t b) {
  char text[128];
  uint64_t values[] = {0, a, b, 9};
  snprintf(text, sizeof text, "%s $0, $1, $2, $3;", mnemonic);
  run(text, "=r,r,r,r", values);
  assert_int_equal((uint32_t)values[0], wanted);
}

enum { A = 0x80ff7f01, B = 0x02030405 };

static void differences(void **unused) {
  (void)unused;
  is(0x7efc7b04, "vabsdiff4.u32.u32.u32", A, B);
  is(0x7e + 0xfc + 0x7b + 0x04 + 9, "vabsdiff4.u32.u32.u32.add", A, B);
  is(0x82047b04, "vabsdiff4.s32.s32.s32", A, B);
  is(0x7f047b04, "vabsdiff4.s32.s32.s32.sat", A, B);
  is(0x7efc7afc, "vabsdiff2.u32.u32.u32", A, B);
  is(0x7efc7bfc, "vsub4.u32.u32.u32", A, B);
  is(0x7efc7b00, "vsub4.u32.u32.u32.sat", A, B);
  is(0x80fc7bfc, "vsub4.s32.s32.s32.sat", A, B);
  is(0x7efc7afc, "vsub2.u32.u32.u32", A, B);
}

static void sums(void **unused) {
  (void)unused;
  is(0x82028306, "vadd4.u32.u32.u32", A, B);
  is(0x82ff8306, "vadd4.u32.u32.u32.sat", A, B);
  is(0x82027f06, "vadd4.s32.s32.s32.sat", A, B);
  is(0x00028306, "vadd4.u32.s32.s32.sat", A, B);
  is((uint32_t)(-126 + 2 + 131 + 6 + 9), "vadd4.s32.s32.s32.add", A, B);
  is(0x80020000, "vadd2.u32.u32.u32", 0x80ffffff, 0xff030001);
  is(0x41814203, "vavrg4.u32.u32.u32", A, B);
  is(0xc1014203, "vavrg4.s32.s32.s32", A, B);
  is(0xc1814183, "vavrg2.s32.s32.s32", 0x80ff7f01, 0x02030405);
  is(0x00010000, "vavrg2.s32.s32.s32", 0xffff0000, 0x00020000);
}

static void extremes(void **unused) {
  (void)unused;
  is(0x02030401, "vmin4.u32.u32.u32", A, B);
  is(0x80ff0401, "vmin4.s32.s32.s32", A, B);
  is(0x80ff7f05, "vmax4.u32.u32.u32", A, B);
  is(0x02037f05, "vmax4.s32.s32.s32", A, B);
  is(0x02037f01, "vmax2.s32.s32.s32", A, B);
  is(0x80ff0405, "vmin2.s32.s32.s32", A, B);
}

// Forms that are not known.
static void rejected(void **unused) {
  static const char *const texts[] = {"vadd4.u32 $0, $1, $2, $3;",
                                      "vadd4.u32.u32.s32 $0, $1, $2, $3;",
                                      "vadd4.u64.u32.u32 $0, $1, $2, $3;",
                                      "vadd4.u32.u16.u16 $0, $1, $2, $3;",
                                      "vadd4.f32.u32.u32 $0, $1, $2, $3;",
                                      "vadd4.u32.f32.f32 $0, $1, $2, $3;",
                                      "vadd4.u32.u32.u32.hi $0, $1, $2, $3;",
                                      "vset4.u32.u32.eq $0, $1, $2, $3;",
                                      "sub.add.u32 $0, $1, $2;"};
  (void)unused;
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
    CuteSimPtx *program = NULL;
    CuteStatus status =
        cuteSimPtxParse(cuteStringRef(texts[i]), "=r,r,r,r",
                        (CuteSimPtxOperations){0}, NULL, &program);
    assert_non_null(status);
    assert_non_null(strstr(cuteStatusGetMessage(status), "is not interpreted"));
    cuteStatusDestroy(status);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(differences),
      cmocka_unit_test(sums),
      cmocka_unit_test(extremes),
      cmocka_unit_test(rejected),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
