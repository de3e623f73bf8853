// Atoms: the rows agree with the fragments that the PTX ISA draws.
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

static void elementTypes(void **state) {
  (void)state;
  for (int i = 0; i < CUTE_NUM_ELEMENT_TYPES; ++i) {
    CuteElementType type = (CuteElementType)i, found;
    const char *name = cuteElementTypeGetName(type);
    assert_true(cuteElementTypeFind(cuteStringRef(name), &found));
    assert_int_equal(found, type);
    unsigned bits = cuteElementTypeGetBits(type);
    assert_true(bits >= 4 && bits <= 64 && !(bits & (bits - 1)));
    assert_int_equal(cuteElementTypeIsFloat(type), name[0] != 'i');
  }
  CuteElementType found;
  static const char *const bad[] = {"", "f", "f17", "f16 ", "F16", "i3"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i)
    assert_false(cuteElementTypeFind(cuteStringRef(bad[i]), &found));
}

//===-- mma.m16n8k8 and mma.m16n8k16 --------------------------------------===//

// Row and column of value i of a lane in the 16 x k tile of A, the 8 x k tile
// of B and the 16 x 8 tile of C; column-major indices.
static int64_t indexOfA(int64_t lane, int64_t i) {
  return lane / 4 + 8 * (i / 2 % 2) + 16 * (lane % 4 * 2 + i % 2 + i / 4 * 8);
}

static int64_t indexOfB(int64_t lane, int64_t i) {
  return lane / 4 + 8 * (lane % 4 * 2 + i % 2 + i / 2 * 8);
}

static int64_t indexOfC(int64_t lane, int64_t i) {
  return lane / 4 + 8 * (i / 2) + 16 * (lane % 4 * 2 + i % 2);
}

typedef int64_t Fragment(int64_t lane, int64_t i);

static void checkFragment(const char *text, int64_t values, Fragment *index) {
  CuteLayout a = layout(text);
  assertLaw(sizeOf(a) == 32 * values && isBijective(a), a, a, values);
  for (int64_t lane = 0; lane < 32; ++lane)
    for (int64_t i = 0; i < values; ++i)
      assertLaw(indexAt(a, lane + 32 * i) == index(lane, i), a, a, lane);
}

static void mmaFragments(void **state) {
  (void)state;
  for (size_t i = 0; i < cuteMmaAtomGetNum(); ++i) {
    const CuteMmaAtom *atom = cuteMmaAtomGet(i);
    if (atom->m != 16 || atom->n != 8)
      continue;
    checkFragment(atom->layoutA, 16 * atom->k / 32, indexOfA);
    checkFragment(atom->layoutB, 8 * atom->k / 32, indexOfB);
    checkFragment(atom->layoutC, 4, indexOfC);
    char shape[32];
    snprintf(shape, sizeof shape, "m%dn%dk%d.row.col", atom->m, atom->n,
             atom->k);
    assert_non_null(strstr(atom->instruction, shape));
    assert_ptr_equal(layout(atom->thrId), layout("32:1"));
    // Results first: d.a.b.c, as the mnemonic ends.
    char types[64];
    snprintf(types, sizeof types, ".%s.%s.%s.%s",
             cuteElementTypeGetName(atom->d), cuteElementTypeGetName(atom->a),
             cuteElementTypeGetName(atom->b), cuteElementTypeGetName(atom->c));
    assert_non_null(strstr(atom->instruction, types));
  }
}

//===-- Copies ------------------------------------------------------------===//

// Every bit once, on each side; sources of small ldmatrix repeat their rows.
static void copiesMoveEveryBit(void **state) {
  (void)state;
  for (size_t i = 0; i < cuteCopyAtomGetNum(); ++i) {
    const CuteCopyAtom *atom = cuteCopyAtomGet(i);
    CuteLayout destination = layout(atom->destination);
    assertLaw(isBijective(destination), destination, destination, i);
    assert_int_equal(sizeOf(destination),
                     sizeOf(layout(atom->thrId)) * atom->bits);
    assert_ptr_equal(layout(atom->reference), destination);
    if (atom->kind != CUTE_COPY_LDMATRIX)
      assert_ptr_equal(layout(atom->source), destination);
    else
      assertTuple(cuteLayoutGetCosize(context, layout(atom->source)),
                  tupleText(cuteLayoutGetSize(context, destination)));
  }
}

// Lane l gives the address of row l % 8 of matrix l / 8, 128 bits; register r
// of a lane gets two b16 of matrix r: of row lane / 4, or of column lane / 4
// if transposed.
static void ldmatrix(void **state) {
  (void)state;
  for (size_t i = 0; i < cuteCopyAtomGetNum(); ++i) {
    const CuteCopyAtom *atom = cuteCopyAtomGet(i);
    if (atom->kind != CUTE_COPY_LDMATRIX)
      continue;
    bool transposes = strstr(atom->instruction, ".trans");
    int64_t matrices = atom->bits / 32;
    CuteLayout from = layout(atom->source), to = layout(atom->destination);
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
      cmocka_unit_test(elementTypes),
      cmocka_unit_test(mmaFragments),
      cmocka_unit_test(copiesMoveEveryBit),
      cmocka_unit_test(ldmatrix),
      cmocka_unit_test(layoutsInElements),
  };
  return RUN_TESTS(tests);
}
