// What is asked of the traits of an op.
#include "IR/op.h"
#include "check.h"

static const CuteOpTraits *traitsOf(CuteOpId id) {
  return &cuteOpDeclGet(id)->traits;
}

// A copy reads its source and its predicate; the tensor of other ops is what
// they write, or else what they read.
static void tensors(void **state) {
  (void)state;
  const CuteOpTraits *copy = traitsOf(CUTE_OP_COPY_IF);
  for (int i = 0; i < CUTE_MAX_DECLARED; ++i)
    assert_int_equal(cuteOpTraitsReads(copy, i),
                     i == copy->source || i == copy->predicate);
  assert_int_equal(cuteOpTraitsGetTensor(traitsOf(CUTE_OP_LOAD)), 0);
  const CuteOpTraits *axpby = traitsOf(CUTE_OP_AXPBY);
  assert_int_equal(cuteOpTraitsGetTensor(axpby), axpby->written);
  assert_int_equal(cuteOpTraitsGetTensor(traitsOf(CUTE_OP_SIZE)),
                   CUTE_NO_OPERAND);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(tensors)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
