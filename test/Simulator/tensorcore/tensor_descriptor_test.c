// Where tcgen05.mma finds the units of an operand, beside the layouts of the
// tiles that matrix descriptors describe.
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "Algebra/algebra.h"
#include "Simulator/tensorcore/wgmma_descriptor.h"

// The code of the swizzle in bits 61 to 63 (PTX ISA, "Shared memory
// descriptor").
static uint64_t codeOf(const CuteSmemAtom *atom) {
  static const unsigned codes[] = {0, 6, 4, 2};
  return atom->isWide ? 1 : codes[atom->swizzleBits];
}

// All tiles that a descriptor has, of elements of 32 bits at offset 1024.
static void offsets(void **state) {
  (void)state;
  CuteContext c = cuteContextCreate();
  for (size_t i = 0; i < cuteSmemAtomGetNum(); ++i) {
    const CuteSmemAtom *atom = cuteSmemAtomGet(i);
    CuteLayout layout = cuteSmemAtomGetLayout(c, atom, 32);
    CuteSwizzle s = cuteSmemAtomGetByteSwizzle(atom);
    int units = 1 << (s.bits + s.base - 4), rows = 1 << s.shift;
    CuteSimDescriptor d;
    assert_null(cuteSimDescriptorDecodeTensor(
        1024 >> 4 | UINT64_C(1) << 46 | codeOf(atom) << 61, false, &d));
    for (int row = 0; row < rows; ++row)
      for (int unit = 0; unit < units; ++unit) {
        int at = atom->major == CUTE_MAJOR_MN ? row * units * 4 + unit * 4
                                              : row + unit * 4 * rows;
        int64_t index = cuteLayoutEval(c, layout, staticInt(c, at))->value;
        assert_int_equal(cuteSimDescriptorGetOffset(
                             &d, atom->major, (uint32_t)row, (uint32_t)unit),
                         1024 + index * 4);
      }
  }
  cuteContextDestroy(c);
}

static void wrong(void **state) {
  (void)state;
  CuteSimDescriptor d;
  assert_string_equal(cuteSimDescriptorDecodeTensor(0, false, &d),
                      "a matrix descriptor without the version 1 of tcgen05 in "
                      "bits 46 to 48");
  assert_string_equal(cuteSimDescriptorDecodeTensor(
                          UINT64_C(1) << 46 | UINT64_C(3) << 61, false, &d),
                      "a matrix descriptor with an unknown swizzle");
  uint64_t goesOn = UINT64_C(1) << 46 | UINT64_C(1) << 52;
  assert_non_null(
      cuteSimDescriptorDecodeTensor(goesOn | UINT64_C(2) << 61, false, &d));
  assert_non_null(
      cuteSimDescriptorDecodeTensor(goesOn | UINT64_C(4) << 61, true, &d));
}

// Rows that begin 96 bytes late in 128 go on in the tile at 4096.
static void ring(void **state) {
  (void)state;
  CuteSimDescriptor d;
  assert_null(cuteSimDescriptorDecodeTensor(
      (1024 + 96) >> 4 | UINT64_C(4096) >> 4 << 16 | UINT64_C(64) << 32 |
          UINT64_C(1) << 46 | UINT64_C(1) << 52 | UINT64_C(2) << 61,
      true, &d));
  CuteSimDescriptor next = d;
  next.start = 4096;
  next.isLeadingAddress = false;
  for (uint32_t row = 0; row < 16; ++row) {
    uint32_t swizzled = (6 ^ row % 8) * 16;
    assert_int_equal(cuteSimDescriptorGetOffset(&d, CUTE_MAJOR_K, row, 0),
                     1024 + row * 128 + swizzled);
    assert_int_equal(cuteSimDescriptorGetOffset(&d, CUTE_MAJOR_K, row, 2),
                     cuteSimDescriptorGetOffset(&next, CUTE_MAJOR_K, row, 0));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(offsets),
                                     cmocka_unit_test(wrong),
                                     cmocka_unit_test(ring)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
