// Two threads that read and compile in one context.
// REQUIRES: full
#include "embed.h"

#include <pthread.h>

enum { SHARED_ROUNDS = 12 };

// Reads and compiles in a context that another thread uses, too.
static void *compileShared(void *userData) {
  MlirContext context = *(MlirContext *)userData;
  CuteCompileOptions options = {.size = sizeof options,
                                .arch = "sm_80",
                                .emit = CUTE_EMIT_PTX,
                                .optLevel = 3};
  for (int i = 0; i < 2; ++i) {
    Text code = {0};
    MlirModule module =
        parse(context, "gpu.module @m { gpu.func @k(%a: i32) kernel {"
                       " gpu.return } }");
    assert_true(mlirLogicalResultIsSuccess(
        cuteModuleCompile(module, &options, appendText, &code, NULL)));
    assert_true(hasText(&code, ".entry k"));
    mlirModuleDestroy(module);
    free(code.data);
  }
  return NULL;
}

// A pipeline loads no dialect while another thread parses: each round begins
// with a context that has loaded none.
static void sharesAContext(void **state) {
  (void)state;
  for (int round = 0; round < SHARED_ROUNDS; ++round) {
    MlirContext context = cuteMlirContextCreate();
    pthread_t threads[2];
    for (int i = 0; i < 2; ++i)
      assert_int_equal(
          pthread_create(&threads[i], NULL, compileShared, &context), 0);
    for (int i = 0; i < 2; ++i)
      pthread_join(threads[i], NULL);
    cuteMlirContextDestroy(context);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sharesAContext)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
