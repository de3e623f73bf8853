// The atoms of sm_100 beside what CuTe C++ says of them, and names of families
// that are wrong. The rows of test/data/blackwell are CUTLASS's traits, printed
// by a host program (see the README there).
#include "../blackwell_rows.h"
#include "Hardware/atom_name.h"
#include "Hardware/mma_family.h"

static void mmaAtoms(void **state) {
  (void)state;
  FILE *file = open_data("mma_atoms.tsv");
  char line[MAX_LINE];
  const char *f[MAX_FIELDS];
  int rows = 0;
  for (; next(file, line, f); ++rows) {
    const CuteMmaAtom *atom = cuteMmaAtomFind(cuteStringRef(f[0]));
    assert_non_null(atom);
    assert_string_equal(atom->name, f[0]);
    assert_string_equal(atom->instruction, f[1]);
    assert_int_equal(atom->descriptor, strtoul(f[2], NULL, 16));
    assert_string_equal(atom->kind->thrId, f[3]);
    assert_string_equal(atom->layoutA, f[4]);
    assert_string_equal(atom->layoutB, f[5]);
    assert_string_equal(atom->layoutC, f[6]);
    assert_ptr_equal(atom, cuteMmaAtomFind(cuteStringRef(atom->name)));
  }
  fclose(file);
  assert_true(rows > 500);
}

static void copyAtoms(void **state) {
  (void)state;
  FILE *file = open_data("copy_atoms.tsv");
  char line[MAX_LINE];
  const char *f[MAX_FIELDS];
  int rows = 0;
  for (; next(file, line, f); ++rows) {
    const CuteCopyAtom *atom = cuteCopyAtomFind(cuteStringRef(f[0]));
    assert_non_null(atom);
    assert_memory_equal(atom->instruction, f[1], strlen(atom->instruction));
    assert_string_equal(atom->kind->thrId, f[2]);
    assert_string_equal(atom->source, f[3]);
    assert_string_equal(atom->destination, f[4]);
    assert_string_equal(atom->reference, f[5]);
    assert_string_equal(atom->tmem ? atom->tmem : "-", f[6]);
  }
  fclose(file);
  assert_true(rows > 100);
}

// Namespaces and enumerators of C++ are left out, as are marks of elements that
// are padded to bytes in shared memory.
static void spellings(void **state) {
  (void)state;
  static const char *const rows[][2] = {
      {"cute::SM100_MMA_F16BF16_SS<cutlass::half_t, cutlass::half_t, float, "
       "128, 256, UMMA::Major::K, UMMA::Major::MN, UMMA::ScaleIn::One, "
       "UMMA::ScaleIn::One>",
       "SM100_MMA_F16BF16_SS<half_t,half_t,float,128,256,K,MN>"},
      {"SM100_MMA_S8_SS<int8_t,int8_t,int32_t,64,32,UMMA::Major::K,"
       "UMMA::Major::K,UMMA::Saturate::True>",
       "SM100_MMA_S8_SS<int8_t,int8_t,int,64,32,K,K,1>"},
      {"SM100_MMA_F16BF16_TS<half_t,half_t,float,64,32,K,K,One,Neg,False>",
       "SM100_MMA_F16BF16_TS<half_t,half_t,float,64,32,K,K,One,Neg>"},
      {"SM100_MMA_F8F6F4_SS<cutlass::detail::float_e2m1_unpacksmem_t,"
       "float_e4m3_t,float,64,32,K,K>",
       "SM100_MMA_F8F6F4_SS<float_e2m1_t,float_e4m3_t,float,64,32,K,K>"},
      {"SM103::SM103_MXF4_ULTRA_SS_VS<float_e2m1_t,float_e2m1_t,float,"
       "float_ue8m0_t,128,64,16,K,K>",
       "SM103_MXF4_ULTRA_SS_VS<float_e2m1_t,float_e2m1_t,float,float_ue8m0_t,"
       "128,64,16,K,K>"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    const CuteMmaAtom *atom = cuteMmaAtomFind(cuteStringRef(rows[i][0]));
    assert_non_null(atom);
    assert_string_equal(atom->name, rows[i][1]);
    assert_true(cuteMmaAtomIsTensor(atom));
  }
}

// Each shape of .ws, whose descriptor is that of other products.
static void stationary(void **state) {
  (void)state;
  for (int m = 32; m <= 128; m *= 2)
    for (int n = 64; n <= 256; n *= 2) {
      char name[CUTE_MAX_ATOM_NAME];
      snprintf(name, sizeof name,
               "SM100_MMA_F16BF16_WS_SS<half_t,half_t,float,%d,%d,K,K>", m, n);
      const CuteMmaAtom *atom = cuteMmaAtomFind(cuteStringRef(name));
      assert_non_null(atom);
      assert_string_equal(atom->instruction,
                          "tcgen05.mma.ws.cta_group::1.kind::f16");
      assert_int_equal(atom->descriptor, m / 16 << 24 | n / 8 << 17 | 1 << 4);
    }
}

static void rejected(void **state) {
  (void)state;
  static const char *const rows[][2] = {
      {"SM100_MMA_F16BF16_SS<half_t,half_t,float,128,260,K,K>",
       "N is a multiple of 8 up to 256, not 260"},
      {"SM100_MMA_F16BF16_SS<half_t,half_t,float,128,0,K,K>",
       "N is a multiple of 8 up to 256, not 0"},
      {"SM100_MMA_F16BF16_TS<half_t,half_t,float,128,24,K,K>",
       "N is a multiple of 16 up to 256, not 24"},
      {"SM100_MMA_F8F6F4_SS<float_e4m3_t,float_e4m3_t,float,64,24,K,MN>",
       "N is a multiple of 16 up to 256, not 24"},
      {"SM100_MMA_F16BF16_SS<half_t,half_t,float,32,64,K,K>",
       "M is 64 or 128, not 32"},
      {"SM100_MMA_F16BF16_SS<float,half_t,float,128,64,K,K>",
       "'float' is not a type for it: A is one of half_t, bfloat16_t"},
      {"SM100_MMA_F16BF16_SS<half_t,half_t,float,x,64,K,K>",
       "'x' is not a number: M and N follow types"},
      {"SM100_MMA_F16BF16_SS<half_t,half_t,float>",
       "a number is missing: M and N follow the types"},
      {"SM100_MMA_F16BF16_SS<half_t,half_t,float,128,64,row,K>",
       "'row' is not a major: valid are K and MN"},
      {"SM100_MMA_F16BF16_SS<half_t,half_t,float,128,64,K,K,two>",
       "'two' comes after the majors: valid are One and Neg"},
      {"SM100_MMA_F16BF16_SS<half_t,half_t,float,128,64,K,K,One,One,1>",
       "'1' is too much: the arguments end there"},
      {"SM100_MMA_F16BF16_SS_SCALED<half_t,half_t,float,128,64,K,K,16>",
       "C is shifted by too much: valid are 0 to 15"},
      {"SM100_MMA_F16BF16_TS<half_t,half_t,float,128,64,MN,K>",
       "A in tensor memory has K contiguous"},
      {"SM100_MMA_MXF4_SS<float_e2m1_t,float_e2m1_t,float,float_ue8m0_t,128,"
       "64,32,K,MN>",
       "each operand has K contiguous"},
      {"SM100_MMA_MXF4_SS<float_e2m1_t,float_e2m1_t,float,float_ue4m3_t,128,"
       "64,32,K,K>",
       "a scale factor is for 16 elements, or for 32 with float_ue8m0_t, not "
       "for 32"},
      {"SM100_MMA_F16BF16_WS_SS<half_t,half_t,float,256,64,K,K>",
       "M is 32, 64 or 128, not 256"},
      {"SM100_MMA_F16BF16_WS_SS<half_t,half_t,float,32,192,K,K>",
       "N is 64, 128 or 256, not 192"},
      {"SM100_MMA_F16BF16_SS",
       "'' is not a type for it: A is one of half_t, bfloat16_t"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    char problem[256];
    assert_null(cuteMmaAtomFind(cuteStringRef(rows[i][0])));
    assert_true(cuteMmaFamilyExplain(cuteStringRef(rows[i][0]), problem,
                                     sizeof problem));
    assert_string_equal(problem, rows[i][1]);
  }
  char problem[256];
  assert_false(cuteMmaFamilyExplain(cuteStringRef("SM100_MMA_NONE<half_t>"),
                                    problem, sizeof problem));
}

// An atom of tcgen05.mma belongs to a row, and every row has a kind of PTX.
static void families(void **state) {
  (void)state;
  const CuteMmaAtom *atom = cuteMmaAtomFind(
      cuteStringRef("SM100_MMA_S8_SS<int8_t,int8_t,int32_t,128,64,K,K>"));
  bool isFound = false;
  for (size_t i = 0; i < cuteMmaFamilyGetNum(); ++i) {
    const CuteMmaFamily *family = cuteMmaFamilyGet(i);
    isFound |= family == atom->family && !strcmp(family->kind, "i8");
    assert_true(*family->kind && (family->ctas == 1 || family->ctas == 2));
  }
  assert_true(isFound);
}

// PTX ISA, "tcgen05.mma": integers are multiplied by sm_100a and sm_110a, and
// by no later or other architecture; sm_120a has no tensor memory.
static void features(void **state) {
  (void)state;
  static const struct {
    const char *arch;
    bool hasTensorMemory, hasIntegers;
  } rows[] = {{"sm_90a", false, false}, {"sm_100", false, false},
              {"sm_100a", true, true},  {"sm_100f", true, false},
              {"sm_103a", true, false}, {"sm_110a", true, true},
              {"sm_120a", false, false}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    const CuteArch *arch = cuteArchFind(rows[i].arch);
    assert_int_equal(cuteArchHasFeature(arch, CUTE_FEATURE_TCGEN05),
                     rows[i].hasTensorMemory);
    assert_int_equal(cuteArchHasFeature(arch, CUTE_FEATURE_TCGEN05_INTEGER),
                     rows[i].hasIntegers);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(mmaAtoms),  cmocka_unit_test(copyAtoms),
      cmocka_unit_test(families),  cmocka_unit_test(features),
      cmocka_unit_test(spellings), cmocka_unit_test(stationary),
      cmocka_unit_test(rejected)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
