// Which loop is the main one, and what it consists of.
#include "Compile/listing.h"
#include "check.h"

static void checkMix(const char *code, bool isSass, const char *kernel,
                     const char *wanted) {
  CuteMix mix;
  CuteString text = {0};
  if (cuteListingCountLoop(cuteStringRef(code), isSass, kernel, &mix)) {
    cuteStringAppendFormat(&text, "%d:", mix.total);
    for (size_t i = 0; i < mix.numRows; ++i)
      cuteStringAppendFormat(&text, " %d %.*s", mix.rows[i].count,
                             (int)mix.rows[i].name.length,
                             mix.rows[i].name.data);
  }
  assert_string_equal(cuteStringGet(&text), wanted);
  cuteStringDestroy(&text);
}

static const char ptx[] = ".visible .entry other(\n"
                          ")\n"
                          "{\n"
                          "$L__BB0_1:\n"
                          "\tadd.s32 %r1, %r2, 1;\n"
                          "\tbra \t$L__BB0_1;\n"
                          "}\n"
                          ".visible .entry k(\n"
                          "\t.param .u64 k_param_0\n"
                          ")\n"
                          ".maxntid 32, 1, 1\n"
                          "{\n"
                          "\t.reg .b32 %r<4>;\n"
                          "// %bb.0:\n"
                          "$L__BB1_1: // outer\n"
                          "\tld.global.v4.b32 {%r1, %r2}, [%rd1];\n"
                          "$L__BB1_2:\n"
                          "\t@!%p1 mma.sync.aligned.m16n8k16 {%f1}, {%f2};\n"
                          "\tadd.s32 %r1, %r2, 1;\n"
                          "\tadd.s64 %r1, %r2, 1;\n"
                          "\t@%p1 bra \t$L__BB1_2;\n"
                          "\t@%p2 bra.uni \t$L__BB1_1;\n"
                          "$L__BB1_3:\n"
                          "\tst.shared.b32 [%r1], %r2;\n"
                          "\tst.shared.b32 [%r1], %r2;\n"
                          "\tst.shared.b32 [%r1], %r2;\n"
                          "\tst.shared.b32 [%r1], %r2;\n"
                          "\tst.shared.b32 [%r1], %r2;\n"
                          "\t@%p1 bra \t$L__BB1_3;\n"
                          "\t@%p1 bra \t$L__BB1_4;\n"
                          "$L__BB1_4:\n"
                          "\tret;\n"
                          "}\n";

// Inline PTX begins a line, with a kind that has colons.
static const char kinds[] =
    ".visible .entry k(\n"
    ")\n"
    "{\n"
    "$L__BB0_1:\n"
    "\t// begin inline asm\n"
    "mma.sync.aligned.kind::mxf4.block_scale.m16n8k64 {%f1}, {%r2};\n"
    "\t// end inline asm\n"
    "\t@%p1 bra \t$L__BB0_1;\n"
    "\tret;\n"
    "}\n";

// The store at the end is under a condition: two branches begin another round.
static const char twice[] = ".visible .entry k(\n"
                            ")\n"
                            "{\n"
                            "$L__BB0_1:\n"
                            "\tadd.s32 %r1, %r2, 1;\n"
                            "\t@%p1 bra \t$L__BB0_1;\n"
                            "\tst.global.b32 [%r1], %r2;\n"
                            "\tbra.uni \t$L__BB0_1;\n"
                            "}\n";

// Inline assembly has several statements in a line, waits beside copies.
static const char copies[] =
    ".visible .entry k(\n"
    ")\n"
    "{\n"
    "$L__BB0_1:\n"
    "\t{ .reg .pred %none; not.pred %none, %p1; cp.async.cg.shared.global "
    "[%r1], [%r2], 16, %none; }\n"
    "\t// add.s32 %r1; sub.s32 %r2;\n"
    "\tcp.async.commit_group;\n"
    "\tcp.async.wait_all;\n"
    "\t@%p1 bra \t$L__BB0_1;\n"
    "}\n";

static void loopsOfPtx(void **state) {
  (void)state;
  checkMix(kinds, false, "k", "2: 1 mma.sync 1 bra");
  checkMix(ptx, false, "k", "4: 2 add 1 mma.sync 1 bra");
  checkMix(ptx, false, "other", "2: 1 add 1 bra");
  checkMix(ptx, false, "oth", "");
  checkMix(copies, false, "k",
           "5: 1 not 1 cp.async 1 cp.async.commit_group 1 cp.async.wait_all 1 "
           "bra");
  checkMix(twice, false, "k", "4: 2 bra 1 add 1 st.global");
  checkMix("", false, "k", "");
}

static const char sass[] =
    "\t.section\t.text.k,\"ax\",@progbits\n"
    ".text.k:\n"
    "        /*0000*/                   MOV R1, c[0x0][0x28] ;\n"
    ".L_x_1:\n"
    "        /*0010*/              @!P0 LDG.E R2, [R4] ;\n"
    "        /*0020*/                   FADD.FTZ R2, R2, 1 ;\n"
    "        /*0030*/                   FADD R2, R2, 1 ;\n"
    "        /*0040*/               @P0 BRA `(.L_x_1) ;\n"
    "        /*0050*/                   EXIT ;\n"
    ".L_x_2:\n"
    "        /*0060*/                   BRA `(.L_x_2);\n"
    "        /*0070*/                   NOP;\n"
    "\t.section\t.text.none,\"ax\",@progbits\n"
    "        /*0000*/                   EXIT ;\n"
    ".L_x_3:\n"
    "        /*0010*/                   BRA `(.L_x_3);\n";

static void loopsOfSass(void **state) {
  (void)state;
  checkMix(sass, true, "k", "4: 2 FADD 1 LDG 1 BRA");
  checkMix(sass, true, "none", "");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(loopsOfPtx),
      cmocka_unit_test(loopsOfSass),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
