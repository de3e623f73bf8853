// .xorsign.abs of min and max on random floats: the magnitude of one operand,
// with the sign of their product.
#include "ptx_machine.h"

#include <math.h>

static void magnitudes(void **unused) {
  (void)unused;
  for (int i = 0; i < 500; ++i) {
    uint64_t values[] = {0, nextRandom() & UINT32_MAX,
                         nextRandom() & UINT32_MAX};
    bool isMax = i % 2;
    float x[3];
    for (int k = 1; k < 3; ++k) {
      uint32_t bits = (uint32_t)values[k];
      memcpy(&x[k], &bits, sizeof bits);
    }
    run(isMax ? "max.xorsign.abs.f32 $0, $1, $2;"
              : "min.xorsign.abs.f32 $0, $1, $2;",
        "=r,r,r", values);
    float a = fabsf(x[1]), b = fabsf(x[2]);
    float wanted = copysignf(isMax ? fmaxf(a, b) : fminf(a, b),
                             signbit(x[1]) == signbit(x[2]) ? 1.0f : -1.0f);
    uint32_t found = (uint32_t)values[0], bits;
    memcpy(&bits, &wanted, sizeof bits);
    if (!isnan(wanted))
      assert_int_equal(found, bits);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(magnitudes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
