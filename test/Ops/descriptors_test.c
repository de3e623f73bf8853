// Matrix descriptors of tcgen05.mma and the tiles in shared memory that they
// describe, beside what CuTe C++ gives (see test/data/README.md).
#include "../blackwell_rows.h"
#include "Ops/descriptors.h"

static void descriptors(void **state) {
  (void)state;
  FILE *file = open_data("descriptors.tsv");
  CuteContext c = cuteContextCreate();
  char line[MAX_LINE];
  const char *f[MAX_FIELDS];
  int rows = 0;
  for (; next(file, line, f); ++rows) {
    const CuteSmemAtom *atom = cuteSmemAtomFind(cuteStringRef(f[0]));
    CuteElementType element;
    assert_non_null(atom);
    assert_true(cuteElementTypeFind(cuteStringRef(f[1]), &element));
    CuteLayout tile = cuteLayoutParse(c, cuteStringRef(f[2]));
    CuteLayout whole =
        cuteSmemAtomGetLayout(c, atom, cuteElementTypeGetBits(element));
    CuteLayout part =
        atom->swizzleBits
            ? cuteLayoutComposeSwizzle(c, cuteLayoutGetSwizzle(whole),
                                       staticInt(c, 0), tile)
            : tile;
    CuteType tensor = cuteTypeGetTensor(c, element, CUTE_SMEM, 1024, part);
    CuteDescriptor descriptor;
    if (!cuteDescriptorMatch(c, atom->major, tensor, tile, &descriptor))
      fail_msg("%s of %s: no descriptor for %s", f[0], f[1], f[2]);
    assert_ptr_equal(descriptor.pattern, atom);
    if (cuteDescriptorEncode(true, descriptor) != strtoull(f[3], NULL, 16))
      fail_msg("%s of %s, %s: 0x%016llx instead of %s", f[0], f[1], f[2],
               (unsigned long long)cuteDescriptorEncode(true, descriptor),
               f[3]);
  }
  fclose(file);
  cuteContextDestroy(c);
  assert_true(rows > 300);
}

static void tiles(void **state) {
  (void)state;
  FILE *file = open_data("smem_atoms.tsv");
  CuteContext c = cuteContextCreate();
  char line[MAX_LINE], swizzle[32];
  const char *f[MAX_FIELDS];
  int rows = 0;
  for (; next(file, line, f); ++rows) {
    const CuteSmemAtom *atom = cuteSmemAtomFind(cuteStringRef(f[0]));
    assert_non_null(atom);
    CuteSwizzle s = cuteSmemAtomGetByteSwizzle(atom);
    snprintf(swizzle, sizeof swizzle, "Sw<%d,%d,%d>", s.bits, s.base, s.shift);
    assert_string_equal(swizzle, f[2]);
    assert_ptr_equal(
        cuteSmemAtomGetPlainLayout(c, atom, (unsigned)strtoul(f[1], NULL, 10)),
        cuteLayoutParse(c, cuteStringRef(f[3])));
  }
  fclose(file);
  cuteContextDestroy(c);
  assert_true(rows > 30);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(descriptors),
                                     cmocka_unit_test(tiles)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
