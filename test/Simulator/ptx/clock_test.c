// Clocks count nanoseconds of the host, and their halves agree with the whole.
#include "Simulator/ptx/operation_table.h"
#include "check.h"

#include <time.h>

static uint64_t hostNow(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static uint64_t readClock(const char *name) {
  CuteSimSite site = {.name = name};
  uint64_t value = 0;
  cuteSimClockRead((CuteSimOp){NULL, &site}, &value);
  return value;
}

static void countsNanoseconds(void **state) {
  (void)state;
  uint64_t before = hostNow(), time = readClock("%globaltimer");
  assert_in_range(time, before, hostNow());
}

static void hasHalves(void **state) {
  (void)state;
  const char *names[] = {"%clock_hi", "%globaltimer_hi", "%globaltimer.hi"};
  for (int i = 0; i < 3; ++i) {
    uint64_t before = hostNow() >> 32, high = readClock(names[i]);
    assert_in_range(high, before, hostNow() >> 32);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(countsNanoseconds),
      cmocka_unit_test(hasHalves),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
