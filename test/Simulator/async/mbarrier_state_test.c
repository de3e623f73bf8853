// Random operations on a barrier against counters, and what is wrong with it.
#include "Simulator/async/mbarrier_state.h"
#include "check.h"

#include <string.h>

static uint64_t state = 1;

static int randomBelow(int n) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (int)((state >> 33) % (uint64_t)n);
}

// Counters without an encoding.
typedef struct Plain {
  int64_t phase, expected, arrived, expectedBytes, cameBytes;
} Plain;

static void advance(Plain *p) {
  if (p->arrived != p->expected || p->expectedBytes != p->cameBytes)
    return;
  *p = (Plain){.phase = p->phase + 1, .expected = p->expected};
}

static void step(CuteSimMbarrier *b, Plain *p) {
  int kind = randomBelow(4), bytes = 16 * randomBelow(100);
  if (kind == 0 || (kind == 3 && p->expectedBytes == p->cameBytes)) {
    assert_null(cuteSimMbarrierArrival(b, 1, false));
    ++p->arrived;
  } else if (kind == 1) {
    assert_null(cuteSimMbarrierExpect(b, (uint64_t)bytes));
    p->expectedBytes += bytes;
  } else if (kind == 2) {
    assert_null(cuteSimMbarrierComplete(b, (uint64_t)bytes));
    p->cameBytes += bytes;
  } else {
    int64_t left = p->expectedBytes - p->cameBytes;
    assert_null(left > 0 ? cuteSimMbarrierComplete(b, (uint64_t)left)
                         : cuteSimMbarrierExpect(b, (uint64_t)-left));
    *(left > 0 ? &p->cameBytes : &p->expectedBytes) += left > 0 ? left : -left;
  }
  advance(p);
}

static void phases(void **unused) {
  (void)unused;
  for (int round = 0; round < 200; ++round) {
    CuteSimMbarrier b = {0};
    Plain p = {.expected = 1 + randomBelow(40)};
    assert_null(cuteSimMbarrierInit(&b, (uint64_t)p.expected));
    for (int i = 0; i < 500; ++i) {
      if (p.arrived == p.expected) { // bytes are what is left
        int64_t left = p.expectedBytes - p.cameBytes;
        assert_null(left > 0 ? cuteSimMbarrierComplete(&b, (uint64_t)left)
                             : cuteSimMbarrierExpect(&b, (uint64_t)-left));
        p.cameBytes = p.expectedBytes;
        advance(&p);
      } else {
        step(&b, &p);
      }
      b = cuteSimMbarrierDecode(cuteSimMbarrierEncode(b));
      assert_true(b.isValid);
      assert_int_equal(b.phase, p.phase % 2);
      assert_int_equal(b.pending, p.expected - p.arrived);
      assert_int_equal(b.bytes, p.expectedBytes - p.cameBytes);
      assert_int_equal(cuteSimMbarrierIsComplete(b, 0), p.phase % 2 == 1);
      assert_int_equal(cuteSimMbarrierIsComplete(b, 1), p.phase % 2 == 0);
    }
  }
}

static void arrivalsThatDrop(void **unused) {
  (void)unused;
  CuteSimMbarrier b;
  assert_null(cuteSimMbarrierInit(&b, 3));
  assert_null(cuteSimMbarrierArrival(&b, 1, true));
  assert_null(cuteSimMbarrierArrival(&b, 2, false));
  assert_int_equal(b.phase, 1);
  assert_int_equal(b.pending, 2);
}

static void expectMessage(const char *found, const char *wanted) {
  assert_non_null(found);
  assert_non_null(strstr(found, wanted));
}

static void misuse(void **unused) {
  (void)unused;
  CuteSimMbarrier b = cuteSimMbarrierDecode(0);
  assert_false(b.isValid);
  assert_false(cuteSimMbarrierDecode(UINT64_MAX).isValid);
  assert_int_equal(cuteSimMbarrierEncode(b), 0);
  expectMessage(cuteSimMbarrierArrival(&b, 1, false), "there is no barrier");
  expectMessage(cuteSimMbarrierExpect(&b, 1), "there is no barrier");
  expectMessage(cuteSimMbarrierComplete(&b, 1), "there is no barrier");
  expectMessage(cuteSimMbarrierInit(&b, 0), "1 to 1048575 arrivals");
  expectMessage(cuteSimMbarrierInit(&b, 1 << 20), "1 to 1048575 arrivals");
  assert_null(cuteSimMbarrierInit(&b, 1));
  expectMessage(cuteSimMbarrierArrival(&b, 2, false), "more threads arrive");
  expectMessage(cuteSimMbarrierExpect(&b, 1 << 20), "at most 1048575 bytes");
  assert_null(cuteSimMbarrierExpect(&b, (1 << 20) - 1));
  expectMessage(cuteSimMbarrierExpect(&b, 1), "at most 1048575 bytes");
  assert_null(cuteSimMbarrierInit(&b, 1));
  assert_null(cuteSimMbarrierComplete(&b, (1 << 20) - 1));
  expectMessage(cuteSimMbarrierComplete(&b, 16), "more than a phase expects");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(phases),
      cmocka_unit_test(arrivalsThatDrop),
      cmocka_unit_test(misuse),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
