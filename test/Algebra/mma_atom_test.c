// MMA atoms: the rows agree with the fragments that the PTX ISA draws, and
// cover their tiles.
// REQUIRES: full
// TURN: 1 of 2
#include "algebra_test_util.h"
#include "cute/Atom.h"

//===-- Laws --------------------------------------------------------------===//

static bool isSharedOperand(const CuteMmaAtom *atom, CuteMmaOperand operand) {
  CuteMmaSource source = operand == CUTE_OPERAND_A   ? atom->sourceA
                         : operand == CUTE_OPERAND_B ? atom->sourceB
                                                     : CUTE_MMA_REGISTERS;
  return source != CUTE_MMA_REGISTERS;
}

// Every index of the tile once; an operand in shared memory has the whole tile
// for every thread.
static void checkOperand(const CuteMmaAtom *atom, CuteMmaOperand operand) {
  CuteLayout tv = cuteMmaAtomGetLayout(context, atom, operand);
  int64_t tile = cuteMmaAtomGetExtent(atom, operand, 0) *
                 cuteMmaAtomGetExtent(atom, operand, 1);
  int64_t threads = sizeOf(cuteMmaAtomGetThrId(context, atom));
  made(tv, atom->name);
  assertLaw(sizeOf(modeOf(tv, 0)) == threads, tv, NULL, threads);
  CuteLayout values = modeOf(tv, 1);
  if (isSharedOperand(atom, operand))
    assertLaw(sizeOf(values) == tile && isBijective(values), tv, values, tile);
  else
    assertLaw(sizeOf(tv) == tile && isBijective(tv), tv, values, tile);
}

static void layoutsCoverTheTile(void **state) {
  (void)state;
  assert_true(cuteMmaAtomGetNum() > 1000);
  // Families repeat their layouts.
  enum { MAX_SEEN = 512 };
  const char *seen[MAX_SEEN][3];
  size_t numSeen = 0;
  for (size_t i = 0; i < cuteMmaAtomGetNum(); ++i) {
    const CuteMmaAtom *atom = cuteMmaAtomGet(i);
    size_t j = 0;
    while (j < numSeen && (strcmp(seen[j][0], atom->layoutA) ||
                           strcmp(seen[j][1], atom->layoutB) ||
                           strcmp(seen[j][2], atom->layoutC)))
      ++j;
    if (j < numSeen)
      continue;
    assert_true(numSeen < MAX_SEEN);
    const char *layouts[] = {atom->layoutA, atom->layoutB, atom->layoutC};
    memcpy(seen[numSeen++], layouts, sizeof layouts);
    for (int operand = CUTE_OPERAND_A; operand <= CUTE_OPERAND_C; ++operand)
      checkOperand(atom, (CuteMmaOperand)operand);
  }
}

// The name has M, N, K and D, A, B (C is in the name of mma.sync only), and so
// has the instruction.
static void namesAndInstructionsAgree(void **state) {
  (void)state;
  for (size_t i = 0; i < cuteMmaAtomGetNum(); ++i) {
    const CuteMmaAtom *atom = cuteMmaAtomGet(i);
    char shape[32], name[32];
    snprintf(shape, sizeof shape, ".m%dn%dk%d.", atom->m, atom->n, atom->k);
    snprintf(name, sizeof name, "_%dx%dx%d_", atom->m, atom->n, atom->k);
    bool isTile = strstr(atom->instruction, "mma");
    if (isTile != (strstr(atom->name, name) != NULL) ||
        isTile != (strstr(atom->instruction, shape) != NULL))
      fail_msg("%s: %s", atom->name, atom->instruction);
    int arch = 0;
    bool hasArch = sscanf(atom->name, "SM%d_", &arch) == 1;
    assert_int_equal(hasArch, atom->name[0] == 'S');
    if (!hasArch) // fma.rn.bf16 and conversions of 8-bit floats
      arch = atom->d == CUTE_ELEMENT_BF16 ? 80
             : atom->a == CUTE_ELEMENT_F8E4M3 || atom->a == CUTE_ELEMENT_F8E5M2
                 ? 89
                 : 0;
    assert_int_equal(arch, atom->arch);
    bool isShared = isSharedOperand(atom, CUTE_OPERAND_B);
    assert_int_equal(isShared, strstr(atom->instruction, "wgmma") != NULL);
    assert_int_equal(isSharedOperand(atom, CUTE_OPERAND_A),
                     strstr(atom->name, "_SS") != NULL);
  }
}

static bool has(const CuteMmaAtom *atom, const char *part) {
  return strstr(atom->instruction, part);
}

// The fields of a row say what its instruction and its name do.
static void fieldsAgreeWithInstructions(void **state) {
  (void)state;
  for (size_t i = 0; i < cuteMmaAtomGetNum(); ++i) {
    const CuteMmaAtom *atom = cuteMmaAtomGet(i);
    bool isColumnA = has(atom, ".col.row.") || has(atom, ".col.col.");
    bool isRowB = has(atom, ".col.row.") || has(atom, ".row.row.");
    assert_int_equal(atom->majorA == CUTE_MAJOR_MN,
                     isColumnA || strstr(atom->name, "<MN,") != NULL);
    assert_int_equal(atom->majorB == CUTE_MAJOR_MN,
                     isRowB || strstr(atom->name, ",MN>") != NULL);
    assert_int_equal(atom->saturates, has(atom, ".satfinite"));
    assert_int_equal(atom->bitOp, has(atom, ".and.popc")   ? CUTE_BITS_AND
                                  : has(atom, ".xor.popc") ? CUTE_BITS_XOR
                                                           : CUTE_BITS_NONE);
    assert_int_equal(atom->spreads, has(atom, "f8f6f4"));
    bool isKind = !strncmp(atom->kind->name, "SPARSE", strlen("SPARSE"));
    assert_int_equal(isKind, has(atom, "sp::ordered_metadata"));
    isKind = !strcmp(atom->kind->name, "WARPGROUP");
    assert_int_equal(isKind, has(atom, "wgmma."));
    isKind = !strcmp(atom->kind->name, "FMA");
    assert_int_equal(isKind, atom->m * atom->n * atom->k == 1);
  }
}

//===-- Fragments ---------------------------------------------------------===//

// Rows and columns in a tile for value i of thread t. A register has 32 bits,
// or one wider value: `packed` values in all. Warps of a warpgroup take 16 rows
// each. Beside floats of 8 bits, floats of 4 bits have a byte each.
static int64_t row(int64_t t, int64_t i, int64_t packed, bool isTall) {
  return t % 32 / 4 + t / 32 * 16 + (isTall ? i / packed % 2 * 8 : 0);
}

static int64_t column(int64_t t, int64_t i, int64_t packed, bool isTall) {
  int64_t fours = i / packed / (isTall ? 2 : 1);
  return t % 4 * packed + i % packed + fours * 4 * packed;
}

// Operands A and C have 8 rows more in every second register, unless the tile
// is 8 rows high; C has two values in a row.
static void checkFragment(const CuteMmaAtom *atom, CuteMmaOperand operand) {
  if (isSharedOperand(atom, operand))
    return;
  CuteElementType element = operand == CUTE_OPERAND_A ? atom->a : atom->b;
  bool isSpread = element == CUTE_ELEMENT_F4E2M1 && atom->spreads;
  unsigned bits = isSpread ? 8 : cuteElementTypeGetBits(element);
  int64_t packed = operand == CUTE_OPERAND_C ? 2 : bits < 32 ? 32 / bits : 1;
  bool isTall = atom->m > 8 && operand != CUTE_OPERAND_B;
  int64_t rows = operand == CUTE_OPERAND_B ? atom->n : atom->m;
  CuteLayout tv = cuteMmaAtomGetLayout(context, atom, operand);
  int64_t threads = sizeOf(modeOf(tv, 0)), values = sizeOf(modeOf(tv, 1));
  for (int64_t t = 0; t < threads; ++t)
    for (int64_t i = 0; i < values; ++i)
      assertLaw(indexAt(tv, t + threads * i) ==
                    row(t, i, packed, isTall) +
                        rows * column(t, i, packed, isTall),
                tv, tv, i);
}

static void fragments(void **state) {
  (void)state;
  size_t checked = 0;
  for (size_t i = 0; i < cuteMmaAtomGetNum(); ++i) {
    const CuteMmaAtom *atom = cuteMmaAtomGet(i);
    bool isGmma = isSharedOperand(atom, CUTE_OPERAND_B);
    bool isWarp = atom->arch >= 75 && !isGmma && atom->m > 1;
    if (!isWarp && !(isGmma && (atom->n == 8 || atom->n == 24)))
      continue;
    ++checked;
    for (int operand = CUTE_OPERAND_A; operand <= CUTE_OPERAND_C; ++operand)
      checkFragment(atom, (CuteMmaOperand)operand);
  }
  assert_true(checked > 100);
}

// mma.m8n8k4 of sm_70: 8 threads, lanes 0-3 and 16-19 (PTX ISA, "m8n8k4").
static void quadPairs(void **state) {
  (void)state;
  size_t checked = 0;
  for (size_t i = 0; i < cuteMmaAtomGetNum(); ++i) {
    const CuteMmaAtom *atom = cuteMmaAtomGet(i);
    if (atom->arch != 70)
      continue;
    CuteLayout a = cuteMmaAtomGetLayout(context, atom, CUTE_OPERAND_A);
    CuteLayout b = cuteMmaAtomGetLayout(context, atom, CUTE_OPERAND_B);
    CuteLayout c = cuteMmaAtomGetLayout(context, atom, CUTE_OPERAND_C);
    size_t length = strlen(atom->name);
    bool isRowA = atom->name[length - 2] == 'T';
    bool isColumnB = atom->name[length - 1] == 'N';
    bool isF32 = atom->c == CUTE_ELEMENT_F32;
    assert_ptr_equal(cuteMmaAtomGetThrId(context, atom),
                     layout("(4,2):(1,16)"));
    for (int64_t t = 0; t < 8; ++t) {
      for (int64_t v = 0; v < 4; ++v) {
        int64_t contiguous = v + t / 4 * 4 + 8 * (t % 4), across = t + 8 * v;
        assertLaw(indexAt(a, t + 8 * v) == (isRowA ? across : contiguous), a, b,
                  t);
        assertLaw(indexAt(b, t + 8 * v) == (isColumnB ? across : contiguous), b,
                  a, t);
      }
      for (int64_t v = 0; v < 8; ++v) {
        int64_t m = isF32 ? t % 2 + (v & 2) + t / 4 * 4 : t;
        int64_t n = isF32 ? (v & 4) + (t & 2) + v % 2 : v;
        assertLaw(indexAt(c, t + 8 * v) == m + 8 * n, c, a, t);
      }
    }
    ++checked;
  }
  assert_int_equal(checked, 8);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(layoutsCoverTheTile),
      cmocka_unit_test(namesAndInstructionsAgree),
      cmocka_unit_test(fieldsAgreeWithInstructions),
      cmocka_unit_test(fragments),
      cmocka_unit_test(quadPairs),
  };
  return RUN_TESTS(tests);
}
