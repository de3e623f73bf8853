// Names of atoms, element types, copies and tiles in shared memory. MMA atoms
// are in mma_atom_test.c.
#include "algebra_test_util.h"
#include "cute/Atom.h"

static void rowsAreFoundByName(void **state) {
  (void)state;
  assert_true(cuteMmaAtomGetNum() > 0 && cuteCopyAtomGetNum() > 0);
  for (size_t i = 0; i < cuteMmaAtomGetNum(); ++i) {
    const CuteMmaAtom *atom = cuteMmaAtomGet(i);
    assert_ptr_equal(cuteMmaAtomFind(cuteStringRef(atom->name)), atom);
    CuteStringRef part = {atom->name, strlen(atom->name) - 1};
    assert_ptr_not_equal(cuteMmaAtomFind(part), atom);
  }
  for (size_t i = 0; i < cuteCopyAtomGetNum(); ++i) {
    const CuteCopyAtom *atom = cuteCopyAtomGet(i);
    assert_ptr_equal(cuteCopyAtomFind(cuteStringRef(atom->name)), atom);
  }
  assert_null(cuteMmaAtomFind(cuteStringRef("")));
  assert_null(cuteMmaAtomFind(cuteStringRef("SM80")));
  assert_null(cuteCopyAtomFind(cuteStringRef("")));
  assert_null(cuteCopyAtomFind(cuteStringRef("UniversalCopy")));
  assert_null(cuteCopyAtomFind(cuteStringRef("UniversalCopy<")));
  assert_null(cuteCopyAtomFind(cuteStringRef("SM80_CP_ASYNC_CACHEALWAYS")));
  const CuteCopyAtom *global =
      cuteCopyAtomFind(cuteStringRef("SM80_CP_ASYNC_CACHEGLOBAL"));
  assert_non_null(global);
  assert_string_equal(global->name, "SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>");
}

static void namesAsCppSpellsThem(void **state) {
  (void)state;
  static const char *const mma[][2] = {
      {"SM90_64x64x16_F16F16F16_SS<GMMA::Major::K, GMMA::Major::MN>",
       "SM90_64x64x16_F16F16F16_SS<K,MN>"},
      {"cute::SM90_64x256x8_F32TF32TF32_SS_TN<>",
       "SM90_64x256x8_F32TF32TF32_SS_TN"},
      {"SM120::BLOCKSCALED::SPARSE::SM120_SPARSE_16x8x128_TN_VS<"
       "cutlass::float_e2m1_t, cutlass::float_e2m1_t, float, "
       "cutlass::float_ue4m3_t, 32>",
       "SM120_SPARSE_16x8x128_TN_VS<float_e2m1_t,float_e2m1_t,float,"
       "float_ue4m3_t,32>"},
      {"UniversalFMA<float>", "UniversalFMA<float,float,float,float>"},
      {"UniversalFMA<double, double>",
       "UniversalFMA<double,double,double,double>"},
  };
  static const char *const copies[][2] = {
      {"UniversalCopy<half_t>", "UniversalCopy<uint16_t>"},
      {"UniversalCopy<cute::uint4_t>", "UniversalCopy<uint4_t>"},
      {"UniversalCopy<cutlass::complex<double>>", "UniversalCopy<uint128_t>"},
      {"SM80_CP_ASYNC_CACHEALWAYS<float>",
       "SM80_CP_ASYNC_CACHEALWAYS<uint32_t>"},
  };
  for (size_t i = 0; i < sizeof mma / sizeof *mma; ++i) {
    const CuteMmaAtom *atom = cuteMmaAtomFind(cuteStringRef(mma[i][0]));
    assert_string_equal(atom ? atom->name : "", mma[i][1]);
  }
  for (size_t i = 0; i < sizeof copies / sizeof *copies; ++i) {
    const CuteCopyAtom *atom = cuteCopyAtomFind(cuteStringRef(copies[i][0]));
    assert_string_equal(atom ? atom->name : "", copies[i][1]);
  }
}

static void namesOfNothing(void **state) {
  (void)state;
  static const char *const bad[] = {"SM90_64x64x16_F16F16F16_SS",
                                    "SM90_64x64x16_F16F16F16_SS<K>",
                                    "SM90_64x64x16_F16F16F16_RS<MN,K>",
                                    "SM90_64x12x16_F16F16F16_SS<K,K>",
                                    "SM90_64x40x32_S32S8S8_SS_TN",
                                    "UniversalFMA<>",
                                    "UniversalFMA<float",
                                    "UniversalFMA<bool>",
                                    "UniversalFMA<int,int,int,int,int>",
                                    "UniversalCopy<bool>",
                                    "SM80_CP_ASYNC_CACHEGLOBAL<float>",
                                    "<>",
                                    "DefaultCopy<"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    assert_null(cuteMmaAtomFind(cuteStringRef(bad[i])));
    assert_null(cuteCopyAtomFind(cuteStringRef(bad[i])));
  }
  char longName[300];
  memset(longName, 'x', sizeof longName);
  CuteStringRef ref = {longName, sizeof longName};
  assert_null(cuteMmaAtomFind(ref));
  assert_null(cuteCopyAtomFind(ref));
  assert_null(cuteSmemAtomFind(ref));
  assert_null(cuteMmaAtomFind((CuteStringRef){"DefaultCopy\0x", 13}));
}

static void elementTypes(void **state) {
  (void)state;
  for (int i = 0; i < CUTE_NUM_ELEMENT_TYPES; ++i) {
    CuteElementType type = (CuteElementType)i, found;
    CuteStringRef name = cuteStringRef(cuteElementTypeGetName(type));
    assert_true(cuteElementTypeFindAny(name, &found));
    assert_int_equal(found, type);
    bool isTensorElement = cuteElementTypeIsTensorElement(type);
    assert_int_equal(cuteElementTypeFind(name, &found), isTensorElement);
    unsigned bits = cuteElementTypeGetBits(type);
    assert_true(bits >= 1 && bits <= 192);
    assert_int_equal(cuteElementTypeIsFloat(type), *name.data == 'f' ||
                                                       *name.data == 'b' ||
                                                       *name.data == 't');
    if (isTensorElement)
      assert_true(bits <= 128 && !(bits & (bits - 1)));
  }
  CuteElementType found;
  static const char *const bad[] = {"", "f", "f17", "f16 ", "F16", "i3"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    assert_false(cuteElementTypeFind(cuteStringRef(bad[i]), &found));
    assert_false(cuteElementTypeFindAny(cuteStringRef(bad[i]), &found));
  }
  assert_false(cuteElementTypeFind(cuteStringRef("half_t"), &found));
  assert_true(cuteElementTypeFindAny(cuteStringRef("cute::half_t"), &found));
  assert_int_equal(found, CUTE_ELEMENT_F16);
}

//===-- Tiles in shared memory --------------------------------------------===//

// The contiguous mode has 16 bytes << swizzle bits; the swizzle exchanges its
// pieces of 16 bytes within each of 8 rows. Wide: 32 bytes, 4 rows.
static void smemAtoms(void **state) {
  (void)state;
  assert_int_equal(cuteSmemAtomGetNum(), 9);
  for (size_t i = 0; i < cuteSmemAtomGetNum(); ++i)
    for (unsigned bits = 1; bits <= 128; bits *= 2) {
      const CuteSmemAtom *atom = cuteSmemAtomGet(i);
      assert_ptr_equal(cuteSmemAtomFind(cuteStringRef(atom->name)), atom);
      CuteLayout plain = cuteSmemAtomGetPlainLayout(context, atom, bits);
      CuteLayout swizzled = cuteSmemAtomGetLayout(context, atom, bits);
      int64_t piece = (atom->isWide ? 256 : 128) / bits;
      int64_t row = piece << atom->swizzleBits, rows = atom->isWide ? 4 : 8;
      int64_t n = sizeOf(swizzled);
      bool isMn = atom->major == CUTE_MAJOR_MN;
      assertLaw(n == rows * row && isBijective(plain), plain, swizzled, bits);
      for (int64_t c = 0; c < n; ++c) {
        int64_t along = isMn ? c % row : c / rows;
        int64_t other = isMn ? c / row : c % rows;
        int64_t swap = atom->swizzleBits
                           ? (other * row + along) / piece / rows %
                                 (INT64_C(1) << atom->swizzleBits)
                           : 0;
        int64_t wanted =
            other * row + ((along / piece) ^ swap) * piece + along % piece;
        assertLaw(indexAt(plain, c) == other * row + along, plain, NULL, c);
        assertLaw(indexAt(swizzled, c) == wanted, swizzled, plain, c);
      }
    }
  const CuteSmemAtom *atom =
      cuteSmemAtomFind(cuteStringRef("Layout_K_SW128_Atom_Bits"));
  assert_string_equal(atom->name, "Layout_K_SW128_Atom");
  assertFails(cuteSmemAtomGetLayout(context, atom, 192), "not 192");
  assertFails(cuteSmemAtomGetPlainLayout(context, atom, 0), "not 0");
  assert_null(cuteSmemAtomFind(cuteStringRef("Layout_K_SW256_Atom")));
}

//===-- Copies ------------------------------------------------------------===//

// Each of the n first indices at least once, and no other.
static bool covers(CuteLayout layout, int64_t n) {
  char *seen = calloc((size_t)n, 1);
  bool inside = true;
  for (int64_t c = 0; c < sizeOf(layout); ++c) {
    int64_t index = indexAt(layout, c);
    inside = inside && index >= 0 && index < n;
    if (inside)
      seen[index] = 1;
  }
  bool all = inside && !memchr(seen, 0, (size_t)n);
  free(seen);
  return all;
}

// A warp's registers hold each bit of tensor memory once, and its lanes share
// that side; ValID has a place for each bit, where no other is.
static void checkTmem(const CuteCopyAtom *atom) {
  bool isLoad = atom->kind->from == CUTE_IN_TMEM;
  CuteLayout registers = layout(isLoad ? atom->destination : atom->source);
  CuteLayout place = layout(atom->tmem);
  if (sizeOf(cuteCopyAtomGetThrId(context, atom)) != 32)
    return;
  assertLaw(isBijective(registers), registers, place, 0);
  assertLaw(sizeOf(registers) == 32 * atom->bits, registers, place, atom->bits);
  assertLaw(sizeOf(place) == sizeOf(registers), registers, place, 0);
}

// Both sides cover the data, the reference each bit once. Sources of
// small ldmatrix and destinations of small stmatrix repeat their rows.
static void copiesMoveEveryBit(void **state) {
  (void)state;
  for (size_t i = 0; i < cuteCopyAtomGetNum(); ++i) {
    const CuteCopyAtom *atom = cuteCopyAtomGet(i);
    if (atom->kind->isTmem) {
      checkTmem(atom);
      continue;
    }
    CuteLayout source = layout(atom->source);
    CuteLayout destination = layout(atom->destination);
    CuteLayout reference = layout(atom->reference);
    bool isOneElement = atom->kind->isElementwise || atom->kind->isTma;
    int64_t bits = isOneElement ? 1 : atom->bits;
    int64_t threads = sizeOf(cuteCopyAtomGetThrId(context, atom));
    assertLaw(isBijective(reference), reference, source, i);
    assertLaw(sizeOf(reference) == threads * bits, reference, source, bits);
    assertLaw(covers(source, threads * bits), source, reference, i);
    assertLaw(covers(destination, threads * bits), destination, reference, i);
    assertLaw(sizeOf(modeOf(source, 0)) == threads, source, reference, i);
    assertLaw(sizeOf(modeOf(destination, 0)) == threads, destination, source,
              i);
    bool isLoad = atom->kind->isMatrix && atom->kind->to == CUTE_IN_RMEM;
    assert_ptr_equal(reference, isLoad ? destination : source);
  }
}

static bool mnemonicHas(const CuteCopyAtom *atom, const char *part) {
  return strstr(atom->instruction, part);
}

// The fields of a row say what its instruction does.
static void copyFieldsAgreeWithInstructions(void **state) {
  (void)state;
  for (size_t i = 0; i < cuteCopyAtomGetNum(); ++i) {
    const CuteCopyAtom *atom = cuteCopyAtomGet(i);
    const CuteCopyKind *kind = atom->kind;
    char l2[16];
    snprintf(l2, sizeof l2, ".L2::%dB", atom->prefetchBytes);
    bool isAsync =
        mnemonicHas(atom, "cp.async.") || mnemonicHas(atom, "async.bulk");
    assert_int_equal(kind->isAsync, isAsync);
    assert_int_equal(atom->transposes, mnemonicHas(atom, ".trans"));
    assert_int_equal(atom->bypassesL1, isAsync && mnemonicHas(atom, ".cg."));
    assert_int_equal(isAsync && atom->prefetchBytes,
                     isAsync && mnemonicHas(atom, l2));
    assert_int_equal(atom->zeroFill, strstr(atom->name, "_ZFILL") != NULL);
    assert_int_equal(kind->isMatrix, mnemonicHas(atom, "stmatrix") ||
                                         mnemonicHas(atom, "ldmatrix"));
    assert_int_equal(kind->adds, !strncmp(atom->instruction, "red.", 4));
    if (mnemonicHas(atom, ".shared."))
      assert_true((kind->from | kind->to) & CUTE_IN_SMEM);
    if (mnemonicHas(atom, ".global"))
      assert_true((kind->from | kind->to) & CUTE_IN_GMEM);
    if (kind->adds && atom->element != CUTE_ELEMENT_I32)
      assert_true(mnemonicHas(atom, cuteElementTypeGetName(atom->element)));
  }
}

// In a pair of lanes that differ in bit 0 (or bit 2), the two registers of each
// are a matrix of 2 by 2, which is transposed.
static void shuffles(void **state) {
  (void)state;
  static const struct {
    const char *name;
    int64_t partner;
  } cases[] = {{"SM50_Shuffle_U32_2x2Trans_XOR1", 1},
               {"SM50_Shuffle_U32_2x2Trans_XOR4", 4}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    const CuteCopyAtom *atom = cuteCopyAtomFind(cuteStringRef(cases[i].name));
    CuteLayout from = layout(atom->source), to = layout(atom->destination);
    for (int64_t lane = 0; lane < 32; ++lane)
      for (int64_t bit = 0; bit < 64; ++bit) {
        bool isSecond = lane & cases[i].partner;
        int64_t other =
            bit / 32 ? lane | cases[i].partner : lane & ~cases[i].partner;
        assertLaw(indexAt(to, lane + 32 * bit) ==
                      indexAt(from, other + 32 * (bit % 32 + 32 * isSecond)),
                  from, to, lane);
      }
  }
}

// ldmatrix and stmatrix: lane l gives the address of row l % 8 of matrix l / 8,
// 128 bits; register r of a lane has two b16 of matrix r: of row lane / 4, or
// of column lane / 4 if transposed.
static void matrixRows(void **state) {
  (void)state;
  for (size_t i = 0; i < cuteCopyAtomGetNum(); ++i) {
    const CuteCopyAtom *atom = cuteCopyAtomGet(i);
    if (!atom->kind->isMatrix || atom->feature == CUTE_FEATURE_BYTES)
      continue;
    bool isStore = atom->kind->to == CUTE_IN_SMEM;
    bool transposes = atom->transposes;
    int64_t matrices = atom->bits / 32;
    CuteLayout from = layout(isStore ? atom->destination : atom->source);
    CuteLayout to = layout(isStore ? atom->source : atom->destination);
    for (int64_t lane = 0; lane < 32; ++lane) {
      for (int64_t bit = 0; bit < 128; ++bit)
        assertLaw(indexAt(from, lane + 32 * bit) ==
                      lane % (8 * matrices) * 128 + bit,
                  from, to, lane);
      for (int64_t bit = 0; bit < atom->bits; ++bit) {
        int64_t half = bit / 16 % 2, row = lane / 4, column = lane % 4 * 2;
        int64_t at =
            transposes ? (column + half) * 8 + row : row * 8 + column + half;
        assertLaw(indexAt(to, lane + 32 * bit) ==
                      bit / 32 * 1024 + at * 16 + bit % 16,
                  from, to, lane);
      }
    }
  }
}

static void layoutsInElements(void **state) {
  (void)state;
  const CuteCopyAtom *atom =
      cuteCopyAtomFind(cuteStringRef("SM75_U32x4_LDSM_N"));
  assertLayout(
      cuteCopyAtomGetLayout(context, atom, CUTE_ELEMENT_F16, CUTE_DESTINATION),
      "(32,(2,4)):(2,(1,64))");
  assertLayout(
      cuteCopyAtomGetLayout(context, atom, CUTE_ELEMENT_F16, CUTE_SOURCE),
      "(32,8):(8,1)");
  assertLayout(
      cuteCopyAtomGetLayout(context, atom, CUTE_ELEMENT_I8, CUTE_REFERENCE),
      "(32,(4,4)):(4,(1,128))");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rowsAreFoundByName),
      cmocka_unit_test(namesAsCppSpellsThem),
      cmocka_unit_test(namesOfNothing),
      cmocka_unit_test(elementTypes),
      cmocka_unit_test(smemAtoms),
      cmocka_unit_test(copiesMoveEveryBit),
      cmocka_unit_test(copyFieldsAgreeWithInstructions),
      cmocka_unit_test(shuffles),
      cmocka_unit_test(matrixRows),
      cmocka_unit_test(layoutsInElements),
  };
  return RUN_TESTS(tests);
}
