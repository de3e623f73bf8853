// What declarations of ops may say, and what is wrong in one is told.
#include "IR/op.h"
#include "check.h"

#define KIND(name) ((CuteKindSet)1 << CUTE_TYPE_##name)

// An op with operands of many kinds, and a tensor as its result.
static CuteOpDecl makeDecl(void) {
  return (CuteOpDecl){
      .name = cuteStringRef("op"),
      .numOperands = 7,
      .operands = {{cuteStringRef("copy"), KIND(TILED_COPY), CUTE_SINGLE, 0},
                   {cuteStringRef("source"), KIND(TENSOR), CUTE_SINGLE, 0},
                   {cuteStringRef("destination"), KIND(TENSOR), CUTE_SINGLE, 0},
                   {cuteStringRef("index"), KIND(INT_TUPLE), CUTE_SINGLE, 0},
                   {cuteStringRef("at"), KIND(COORD), CUTE_SINGLE, 0},
                   {cuteStringRef("many"), KIND(TENSOR), CUTE_VARIADIC, 0},
                   {cuteStringRef("predicate"), KIND(TENSOR), CUTE_OPTIONAL,
                    0}},
      .numResults = 1,
      .results = {{cuteStringRef("result"), KIND(TENSOR), CUTE_SINGLE, 0}}};
}

static CuteOpTraitTexts textsOf(const char *effects, const char *access,
                                const char *view, const char *partition) {
  return (CuteOpTraitTexts){.effects = cuteStringRef(effects),
                            .access = cuteStringRef(access),
                            .view = cuteStringRef(view),
                            .partition = cuteStringRef(partition)};
}

static CuteOpTraits read(const char *effects, const char *access) {
  CuteOpDecl decl = makeDecl();
  CuteString message = {0};
  bool ok = cuteOpTraitsRead(&decl, textsOf(effects, access, "", ""), &message);
  assert_string_equal(cuteStringGet(&message), "");
  assert_true(ok);
  cuteStringDestroy(&message);
  return decl.traits;
}

static void checkWrong(CuteOpTraitTexts texts, const char *wanted) {
  CuteOpDecl decl = makeDecl();
  CuteString message = {0};
  assert_false(cuteOpTraitsRead(&decl, texts, &message));
  assert_string_equal(cuteStringGet(&message), wanted);
  cuteStringDestroy(&message);
}

static void pure(void **state) {
  (void)state;
  CuteOpTraits traits = read("", "");
  assert_true(traits.isPure);
  assert_int_equal(traits.effect, CUTE_EFFECT_NONE);
  assert_int_equal(traits.written, CUTE_NO_OPERAND);
  assert_int_equal(traits.view, CUTE_NO_OPERAND);
}

static void copies(void **state) {
  (void)state;
  CuteOpTraits traits =
      read("copies source destination, if predicate, by copy", "atom");
  assert_false(traits.isPure);
  assert_int_equal(traits.effect, CUTE_EFFECT_ACCESS);
  assert_int_equal(traits.source, 1);
  assert_int_equal(traits.written, 2);
  assert_int_equal(traits.predicate, 6);
  assert_int_equal(traits.by, 0);
  assert_int_equal(traits.access, CUTE_ACCESS_ATOM);
  for (int i = 0; i < 7; ++i)
    assert_int_equal(cuteOpTraitsReads(&traits, i), i == 1 || i == 6);
}

static void tensors(void **state) {
  (void)state;
  CuteOpTraits traits = read("reads source, if predicate", "vectors");
  assert_int_equal(cuteOpTraitsGetTensor(&traits), 1);
  traits = read("reads source destination, writes destination", "");
  assert_int_equal(cuteOpTraitsGetTensor(&traits), 2);
  assert_true(cuteOpTraitsReads(&traits, 2));
  traits = read("writes source", "at at");
  assert_int_equal(traits.coord, 4);
  assert_int_equal(read("prints", "").effect, CUTE_EFFECT_ACCESS);
}

static void allocations(void **state) {
  (void)state;
  CuteOpTraits traits = read("allocates rmem", "");
  assert_true(traits.allocates);
  assert_int_equal(traits.effect, CUTE_EFFECT_REGISTERS);
  traits = read("allocates smem", "");
  assert_int_equal(traits.space, CUTE_SMEM);
  assert_int_equal(traits.effect, CUTE_EFFECT_UNKNOWN);
  traits = read("makes rmem", "");
  assert_false(traits.allocates || traits.isPure);
  assert_int_equal(traits.effect, CUTE_EFFECT_NONE);
}

// Passes move commits and waits of cp.async; of other groups and of barriers
// they know nothing yet.
static void asynchronous(void **state) {
  (void)state;
  assert_int_equal(read("commits cp_async", "").effect, CUTE_EFFECT_COMMIT);
  assert_int_equal(read("waits cp_async", "").effect, CUTE_EFFECT_WAIT);
  CuteOpTraits traits = read("waits wgmma", "");
  assert_int_equal(traits.effect, CUTE_EFFECT_UNKNOWN);
  assert_int_equal(traits.groupUse, CUTE_GROUP_WAITS);
  assert_int_equal(traits.group, CUTE_GROUP_WGMMA);
  traits = read("copies source destination, issues bulk", "");
  assert_int_equal(traits.effect, CUTE_EFFECT_UNKNOWN);
  traits = read("tracks cp_async, arrives destination", "");
  assert_int_equal(traits.effect, CUTE_EFFECT_UNKNOWN);
  assert_int_equal(traits.groupUse, CUTE_GROUP_TRACKS);
  assert_int_equal(traits.barrierUse, CUTE_BARRIER_ARRIVES);
  assert_int_equal(traits.barrier, 2);
}

static void partitions(void **state) {
  (void)state;
  CuteOpDecl decl = makeDecl();
  CuteString message = {0};
  assert_true(cuteOpTraitsRead(&decl, textsOf("", "", "source", "copy index"),
                               &message));
  assert_int_equal(decl.traits.view, 1);
  assert_int_equal(decl.traits.divider, 0);
  assert_int_equal(decl.traits.thread, 3);
}

static void wrongWords(void **state) {
  (void)state;
  checkWrong(textsOf("read", "", "", ""), "'read' is no effect");
  checkWrong(textsOf("reads sauce", "", "", ""),
             "'sauce' is no operand of the op");
  checkWrong(textsOf("reads", "", "", ""), "'' is no operand of the op");
  checkWrong(textsOf("writes source destination", "", "", ""),
             "' destination' is more than the effect takes");
  checkWrong(textsOf("allocates gmem", "", "", ""),
             "'gmem' is no space that an op can allocate in");
  checkWrong(textsOf("waits tma", "", "", ""),
             "'tma' is no group: cp_async, bulk or wgmma");
  checkWrong(textsOf("reads source", "word", "", ""), "'word' is no access");
  checkWrong((CuteOpTraitTexts){.arch = 1000}, "no architecture is sm_1000");
}

static void wrongRoles(void **state) {
  (void)state;
  checkWrong(textsOf("reads index", "", "", ""),
             "'index' is of no kind that can have this role");
  checkWrong(textsOf("reads source, if index", "", "", ""),
             "'index' is of no kind that can have this role");
  checkWrong(textsOf("reads many", "", "", ""),
             "'many' is many operands, which cannot have a role");
  checkWrong(textsOf("writes source, writes destination", "", "", ""),
             "'destination' has a role that another operand has already");
  checkWrong(textsOf("copies source destination", "atom", "", ""),
             "'atom' is for a copy by an operand");
  checkWrong(textsOf("prints", "runs", "", ""),
             "'runs' is for an op that reads or writes a tensor");
  checkWrong(textsOf("reads source", "at source", "", ""),
             "'source' is of no kind that can have this role");
  checkWrong(textsOf("", "", "index", ""),
             "'index' is of no kind that can have this role");
  checkWrong(textsOf("", "", "", "copy index"),
             "'copy' divides no operand that the result is a view of");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pure),         cmocka_unit_test(copies),
      cmocka_unit_test(tensors),      cmocka_unit_test(allocations),
      cmocka_unit_test(asynchronous), cmocka_unit_test(partitions),
      cmocka_unit_test(wrongWords),   cmocka_unit_test(wrongRoles)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
