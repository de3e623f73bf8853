// Operands and copies in tensor memory beside what CuTe C++ gives (see
// test/data/README.md).
#include "../blackwell_rows.h"
#include "Algebra/tiled.h"

static void append(CuteStringRef piece, void *text) {
  cuteStringAppendBytes(text, piece.data, piece.length);
}

static void assertLayout(CuteContext c, CuteLayout layout, const char *text) {
  CuteString printed = {0};
  if (!layout)
    fail_msg("%s: %s", text, cuteContextGetError(c));
  cuteAppendLayout(&printed, layout);
  assert_string_equal(cuteStringGet(&printed), text);
  cuteStringDestroy(&printed);
}

// CuTe counts metadata in bits for each element of A: one, 2 for 32-bit
// elements, half a bit for 4-bit ones.
static CuteLayout inUnits(CuteContext c, const CuteMmaAtom *atom,
                          CuteMmaOperand operand, CuteLayout layout) {
  if (operand != CUTE_OPERAND_E || !layout)
    return layout;
  return cuteLayoutRecast(
      c, layout, 1,
      (unsigned)(atom->k / cuteMmaAtomGetExtent(atom, operand, 1)));
}

static void fragments(void **state) {
  (void)state;
  FILE *file = open_data("tmem_fragments.tsv");
  CuteContext c = cuteContextCreate();
  char line[MAX_LINE];
  const char *f[MAX_FIELDS];
  int rows = 0;
  for (; next(file, line, f); ++rows) {
    CuteMmaOperand operand;
    assert_true(cuteMmaOperandFind(cuteStringRef(f[1]), &operand));
    const CuteMmaAtom *atom = cuteMmaAtomFind(cuteStringRef(f[0]));
    CuteIntTuple rest =
        cuteIntTupleParse(c, cuteStringRef(f[2]), CUTE_SYNTAX_SHAPE);
    CuteLayout layout = inUnits(
        c, atom, operand, cuteMmaAtomGetTmemLayout(c, atom, operand, rest));
    if (operand < CUTE_OPERAND_SFA)
      assertLayout(c, layout, f[3]);
    else
      assert_ptr_equal(
          cuteLayoutCoalesce(c, layout, NULL),
          cuteLayoutCoalesce(c, cuteLayoutParse(c, cuteStringRef(f[3])), NULL));
  }
  fclose(file);
  cuteContextDestroy(c);
  assert_true(rows > 1000);
}

// The part of tensor memory that a thread moves: "thread lane column layout".
static void assertPart(CuteContext c, CuteTiledCopy copy, CuteLayout data,
                       const char *text) {
  char *end;
  int64_t thread = strtol(text, &end, 10), lane = strtol(end, &end, 10),
          column = strtol(end, &end, 10);
  int64_t bits = cuteElementTypeGetBits(copy.element);
  CutePartition part = cuteTiledCopyPartition(
      c, copy,
      copy.atom->kind->from & CUTE_IN_TMEM ? CUTE_SOURCE : CUTE_DESTINATION,
      data, staticInt(c, thread));
  assertLayout(c, part.layout, end + 1);
  assert_int_equal(part.offset->value * bits / 32,
                   lane * (INT64_C(1) << 16) + column);
}

static void copies(void **state) {
  (void)state;
  FILE *file = open_data("tmem_copies.tsv");
  CuteContext c = cuteContextCreate();
  char line[MAX_LINE];
  const char *f[MAX_FIELDS];
  int rows = 0;
  for (; next(file, line, f); ++rows) {
    CuteElementType element;
    assert_true(cuteElementTypeFind(cuteStringRef(f[1]), &element));
    CuteLayout data = cuteLayoutParse(c, cuteStringRef(f[2]));
    CuteTiledCopy copy = cuteTiledCopyGetTmem(
        c, cuteCopyAtomFind(cuteStringRef(f[0])), element, data);
    assertLayout(c, copy.layoutTV, f[4]);
    CuteString tiler = {0};
    cuteTilePrint(copy.tiler, append, &tiler);
    assert_string_equal(cuteStringGet(&tiler), f[3]);
    cuteStringDestroy(&tiler);
    for (int i = 5; i < 8; ++i)
      assertPart(c, copy, data, f[i]);
  }
  fclose(file);
  cuteContextDestroy(c);
  assert_true(rows > 100);
}

// Where the elements of the widest atom of half of a warp's lanes lie.
static void place(void **state) {
  (void)state;
  CuteContext c = cuteContextCreate();
  CuteLayout layout = cuteTiledCopyGetTmemPlace(
      c, cuteCopyAtomFind(cuteStringRef("SM100_TMEM_LOAD_16dp256b4x")),
      CUTE_ELEMENT_F32);
  for (int lane = 0; lane < 16; ++lane)
    for (int column = 0; column < 32; ++column) {
      CuteIntTuple at =
          cuteLayoutEval(c, layout, staticInt(c, column + 32 * lane));
      assert_int_equal(at->value, lane * (INT64_C(1) << 16) + column);
    }
  assert_int_equal(cuteLayoutGetSize(c, layout)->value, 16 * 32);
  cuteContextDestroy(c);
}

static void rejected(void **state) {
  (void)state;
  CuteContext c = cuteContextCreate();
  const CuteMmaAtom *atom = cuteMmaAtomFind(
      cuteStringRef("SM100_MMA_F16BF16_SS<half_t,half_t,float,128,256,K,K>"));
  CuteIntTuple rest =
      cuteIntTupleParse(c, cuteStringRef("(1,?)"), CUTE_SYNTAX_SHAPE);
  assert_null(cuteMmaAtomGetTmemLayout(c, atom, CUTE_OPERAND_B, rest));
  assert_non_null(
      strstr(cuteContextGetError(c), "has no operand B in tensor memory"));
  assert_null(cuteMmaAtomGetTmemLayout(c, atom, CUTE_OPERAND_C, rest));
  assert_non_null(strstr(cuteContextGetError(c), "not (1,?)"));
  atom = cuteMmaAtomFind(cuteStringRef(
      "SM100_MMA_F16BF16_SS_SPARSE<half_t,half_t,float,64,64,K,K>"));
  rest = cuteIntTupleParse(c, cuteStringRef("(1,1)"), CUTE_SYNTAX_SHAPE);
  assert_null(cuteMmaAtomGetTmemLayout(c, atom, CUTE_OPERAND_E, rest));
  assert_non_null(strstr(cuteContextGetError(c), "the metadata of 64 rows"));
  CuteLayout data = cuteLayoutParse(c, cuteStringRef("(128,64):(65536,1)"));
  CuteTiledCopy copy = cuteTiledCopyGetTmem(
      c, cuteCopyAtomFind(cuteStringRef("SM75_U32x4_LDSM_N")), CUTE_ELEMENT_F32,
      data);
  assert_null(copy.layoutTV);
  assert_non_null(strstr(cuteContextGetError(c),
                         "SM75_U32x4_LDSM_N does not move tensor memory"));
  data = cuteLayoutParse(c, cuteStringRef("(64,64):(65536,1)"));
  copy = cuteTiledCopyGetTmem(
      c, cuteCopyAtomFind(cuteStringRef("SM100_TMEM_LOAD_32dp32b8x")),
      CUTE_ELEMENT_F32, data);
  assert_null(copy.layoutTV);
  cuteContextDestroy(c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fragments), cmocka_unit_test(copies),
      cmocka_unit_test(place), cmocka_unit_test(rejected)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
