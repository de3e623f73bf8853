// The rows of dialect/hardware/arch.def.
#include "Hardware/arch.h"
#include "cute/Arch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void everyRowIsFound(void **state) {
  (void)state;
  const char *message = cuteArchCheck("sm_1");
  assert_non_null(message);
  for (size_t i = 0; i < cuteArchGetNum(); ++i) {
    const CuteArch *arch = cuteArchGet(i);
    char name[24], listed[32];
    snprintf(name, sizeof name, "sm_%d%.1s", arch->number, &arch->suffix);
    snprintf(listed, sizeof listed, " %s", name);
    assert_string_equal(arch->name, name);
    assert_ptr_equal(cuteArchFind(name), arch);
    assert_null(cuteArchCheck(name));
    const char *at = strstr(message, listed);
    assert_non_null(at);
    assert_int_equal(i == 0 || cuteArchGet(i - 1)->number <= arch->number, 1);
  }
  assert_null(cuteArchFind("sm_1"));
  assert_null(cuteArchFind("sm_9"));
  assert_null(cuteArchFind("sm_90b"));
  assert_null(cuteArchFind(""));
  assert_non_null(cuteArchFind(CUTE_DEFAULT_ARCH));
}

static void limitsAgree(void **state) {
  (void)state;
  int most = 0;
  for (size_t i = 0; i < cuteArchGetNum(); ++i) {
    const CuteArch *a = cuteArchGet(i);
    assert_true(a->ptx >= 80);
    assert_true(a->staticKib <= a->sharedKib);
    assert_true(a->sharedKib + a->reservedKib <= a->totalSharedKib);
    assert_true(a->maxThreads <= a->warps * 32);
    assert_true(a->maxThreads == CUTE_BLOCK_THREADS);
    assert_true(a->hasTma == (a->number >= 90));
    assert_true(a->hasTma == (a->clusterSize > 0));
    assert_true(!a->hasWgmma || (a->suffix == 'a' && a->hasTma));
    assert_true(!a->hasTcgen05 || (a->suffix && a->hasTma && !a->hasWgmma));
    most = a->sharedKib > most ? a->sharedKib : most;
  }
  assert_int_equal(cuteArchGetMostSharedKib(), most);
}

static void needs(void **state) {
  (void)state;
  static const struct {
    const char *arch;
    int number;
    char suffix;
    bool has;
  } cases[] = {
      {"sm_80", 80, '\0', true},    {"sm_80", 86, '\0', false},
      {"sm_90a", 80, '\0', true},   {"sm_90a", 90, 'a', true},
      {"sm_90", 90, 'a', false},    {"sm_100a", 90, 'a', false},
      {"sm_120a", 120, 'f', true},  {"sm_120f", 120, 'f', true},
      {"sm_121f", 120, 'f', true},  {"sm_121a", 120, 'f', true},
      {"sm_120", 120, 'f', false},  {"sm_121", 120, 'f', false},
      {"sm_103a", 100, 'f', true},  {"sm_100a", 103, 'f', false},
      {"sm_120a", 100, 'f', false}, {"sm_70", 0, '\0', true},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    assert_int_equal(cuteArchHas(cuteArchFind(cases[i].arch), cases[i].number,
                                 cases[i].suffix),
                     cases[i].has);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(everyRowIsFound),
      cmocka_unit_test(limitsAgree),
      cmocka_unit_test(needs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
