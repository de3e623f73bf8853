// Modules built operation by operation: kernels, loops, branches, functions on
// the host, and all that can be wrong.
#include "embed.h"

#define VALUES(...)                                                            \
  (intptr_t)(sizeof((MlirValue[]){__VA_ARGS__}) / sizeof(MlirValue)),          \
      (MlirValue[]) {                                                          \
    __VA_ARGS__                                                                \
  }

static CuteModuleBuilder *createBuilder(MlirContext context) {
  return cuteModuleBuilderCreate(mlirLocationUnknownGet(context));
}

static Text printModule(MlirModule module) {
  Text text = {0};
  cuteOperationPrint(mlirModuleGetOperation(module), (CutePrintOptions){0},
                     appendText, &text);
  return text;
}

// Opens a kernel with one tensor.
static MlirValue beginKernel(CuteModuleBuilder *b, const char *name) {
  MlirType tensor = cuteModuleBuilderGetType(
      b, "!cute.tensor<f32, gmem, align<4>, \"256:1\">");
  const CuteNewKernel kernel = {.name = name,
                                .numParameters = 1,
                                .parameters = &tensor,
                                .block = {256},
                                .grid = {"1"}};
  cuteModuleBuilderBeginKernel(b, &kernel);
  return cuteModuleBuilderGetArgument(b, 0);
}

static void buildsAKernel(void **state) {
  (void)state;
  MlirContext context = createContext(true);
  CuteModuleBuilder *b = createBuilder(context);
  MlirValue tensor = beginKernel(b, "twice");
  MlirValue thread = cuteModuleBuilderAdd(b, "cute.thread_idx", 0, NULL);
  MlirValue at = cuteModuleBuilderAddAs(b, "cute.make_coord",
                                        "!cute.coord<\"?\">", VALUES(thread));
  MlirValue value = cuteModuleBuilderAdd(b, "cute.load", VALUES(tensor, at));
  MlirValue sum = cuteModuleBuilderAdd(b, "arith.addf", VALUES(value, value));
  cuteModuleBuilderAdd(b, "cute.store", VALUES(sum, tensor, at));
  cuteModuleBuilderEnd(b, 0, NULL);
  MlirModule module = cuteModuleBuilderTake(b);
  assert_false(mlirModuleIsNull(module));
  cuteModuleBuilderDestroy(b);
  Text ptx = {0};
  const CuteCompileOptions options = {.size = sizeof options,
                                      .arch = "sm_80",
                                      .emit = CUTE_EMIT_PTX,
                                      .optLevel = 2};
  assert_true(mlirLogicalResultIsSuccess(
      cuteModuleCompile(module, &options, appendText, &ptx, NULL)));
  assert_true(hasText(&ptx, ".visible .entry twice("));
  assert_true(hasText(&ptx, ".maxntid 256"));
  assert_true(hasText(&ptx, "add.rn.f32"));
  mlirModuleDestroy(module);
  free(ptx.data);
  destroyContext(context);
}

static void buildsLoopsAndBranches(void **state) {
  (void)state;
  MlirContext context = createContext(true);
  CuteModuleBuilder *b = createBuilder(context);
  MlirType i32 = cuteModuleBuilderGetType(b, "i32");
  cuteModuleBuilderBeginFunction(b, "sum", 1, &i32, 1, &i32);
  MlirValue n = cuteModuleBuilderGetArgument(b, 0);
  MlirValue zero = cuteModuleBuilderAddInteger(b, "i32", 0);
  MlirValue one = cuteModuleBuilderAddInteger(b, "i32", 1);
  MlirValue i = cuteModuleBuilderBeginFor(b, zero, n, one, VALUES(zero));
  MlirValue before = cuteModuleBuilderGetArgument(b, 0);
  const MlirValue both[] = {before, i};
  const CuteNewOperation less = {.name = "arith.cmpi",
                                 .numOperands = 2,
                                 .operands = both,
                                 .attributes = "{predicate = 2 : i64}"};
  MlirOperation compare = cuteModuleBuilderAddOperation(b, &less);
  cuteModuleBuilderBeginIf(b, mlirOperationGetResult(compare, 0), 1, &i32);
  MlirValue sum = cuteModuleBuilderAdd(b, "arith.addi", 2, both);
  cuteModuleBuilderBeginElse(b, VALUES(sum));
  assert_false(mlirBlockEqual(cuteModuleBuilderGetBlock(b),
                              mlirOperationGetBlock(compare)));
  cuteModuleBuilderEnd(b, VALUES(before));
  cuteModuleBuilderEnd(b, VALUES(cuteModuleBuilderGetResult(b, 0)));
  cuteModuleBuilderEnd(b, VALUES(cuteModuleBuilderGetResult(b, 0)));
  beginKernel(b, "one");
  cuteModuleBuilderEnd(b, 0, NULL);
  beginKernel(b, "two");
  cuteModuleBuilderEnd(b, 0, NULL);
  MlirModule module = cuteModuleBuilderTake(b);
  cuteModuleBuilderDestroy(b);
  Text text = printModule(module);
  assert_true(hasText(&text, "iter_args("));
  assert_true(hasText(&text, "} else {"));
  assert_true(hasText(&text, "gpu.func @two"));
  assert_null(strstr(strstr(text.data, "gpu.module") + 1, "gpu.module"));
  free(text.data);
  mlirModuleDestroy(module);
  destroyContext(context);
}

static void keepsLocations(void **state) {
  (void)state;
  MlirContext context = createContext(true);
  Text said = {0};
  cuteDiagnosticHandlerAttach(context, collect, &said);
  CuteModuleBuilder *b = createBuilder(context);
  cuteModuleBuilderSetLocation(
      b, mlirLocationFileLineColGet(context, ref("made.c"), 7, 3));
  beginKernel(b, "wrong");
  cuteModuleBuilderAdd(b, "cute.composition",
                       VALUES(cuteModuleBuilderGetArgument(b, 0)));
  assert_true(cuteModuleBuilderHasFailed(b));
  assert_true(hasText(&said, "0 7:3: 'cute.composition' op"));
  cuteModuleBuilderDestroy(b);
  cuteModuleBuilderDestroy(NULL);
  cuteDiagnosticHandlerDetach(context);
  free(said.data);
  destroyContext(context);
}

//===-- What is wrong -----------------------------------------------------===//

static void addsNothingKnown(CuteModuleBuilder *b) {
  cuteModuleBuilderAdd(b, "arith.no_such", 0, NULL);
}
static void addsOfNoDialect(CuteModuleBuilder *b) {
  cuteModuleBuilderAdd(b, "none.such", 0, NULL);
}
static void addsNoCute(CuteModuleBuilder *b) {
  cuteModuleBuilderAdd(b, "cute.no_such", 0, NULL);
}
static void addsOfNull(CuteModuleBuilder *b) {
  cuteModuleBuilderAdd(b, "arith.addi", VALUES({NULL}, {NULL}));
}
static void addsUnverified(CuteModuleBuilder *b) {
  MlirValue narrow = cuteModuleBuilderAddInteger(b, "i32", 1);
  MlirValue wide = cuteModuleBuilderAddInteger(b, "i64", 1);
  cuteModuleBuilderAdd(b, "arith.addi", VALUES(narrow, wide));
}
static void readsNoType(CuteModuleBuilder *b) {
  cuteModuleBuilderAddAs(b, "cute.static", "!cute.layout<\"(4\">", 0, NULL);
}
static void readsNoAttributes(CuteModuleBuilder *b) {
  const CuteNewOperation operation = {.name = "gpu.barrier",
                                      .attributes = "7 : i32"};
  cuteModuleBuilderAddOperation(b, &operation);
}
static void takesNullTypes(CuteModuleBuilder *b) {
  const MlirType type = {NULL};
  const CuteNewOperation operation = {
      .name = "arith.constant", .numResults = 1, .results = &type};
  cuteModuleBuilderAddOperation(b, &operation);
}
static void namesNoKernel(CuteModuleBuilder *b) {
  const CuteNewKernel kernel = {.block = {32}};
  cuteModuleBuilderBeginKernel(b, &kernel);
}
static void namesNoFunction(CuteModuleBuilder *b) {
  cuteModuleBuilderBeginFunction(b, NULL, 0, NULL, 0, NULL);
}
static void namesNoOperation(CuteModuleBuilder *b) {
  cuteModuleBuilderAdd(b, NULL, 0, NULL);
}
static void takesOthersValues(CuteModuleBuilder *b) {
  MlirContext context = createContext(true);
  CuteModuleBuilder *other =
      cuteModuleBuilderCreate(mlirLocationUnknownGet(context));
  MlirValue one = cuteModuleBuilderAddInteger(other, "i32", 1);
  cuteModuleBuilderAdd(b, "arith.addi", VALUES(one, one));
  cuteModuleBuilderDestroy(other);
  destroyContext(context);
}
static void takesOthersTypes(CuteModuleBuilder *b) {
  MlirContext context = createContext(true);
  MlirType type = cuteTypeParseMlir(mlirLocationUnknownGet(context),
                                    ref("!cute.layout<\"4:1\">"));
  cuteModuleBuilderBeginFunction(b, "f", 1, &type, 0, NULL);
  destroyContext(context);
}
static void endsTooMuch(CuteModuleBuilder *b) {
  cuteModuleBuilderEnd(b, 0, NULL);
}
static void endsTooLittle(CuteModuleBuilder *b) { beginKernel(b, "open"); }
static void nestsKernels(CuteModuleBuilder *b) {
  beginKernel(b, "outer");
  beginKernel(b, "inner");
}
static void elseWithoutIf(CuteModuleBuilder *b) {
  cuteModuleBuilderBeginElse(b, 0, NULL);
}
static void elseTwice(CuteModuleBuilder *b) {
  cuteModuleBuilderBeginIf(b, cuteModuleBuilderAddInteger(b, "i1", 1), 0, NULL);
  cuteModuleBuilderBeginElse(b, 0, NULL);
  cuteModuleBuilderBeginElse(b, 0, NULL);
}
static void asksForArguments(CuteModuleBuilder *b) {
  beginKernel(b, "few");
  cuteModuleBuilderGetArgument(b, 1);
}
static void asksForResults(CuteModuleBuilder *b) {
  cuteModuleBuilderGetResult(b, 0);
}
static void yieldsNothing(CuteModuleBuilder *b) {
  MlirValue n = cuteModuleBuilderAddInteger(b, "i32", 1);
  cuteModuleBuilderBeginFor(b, n, n, n, VALUES(n));
  cuteModuleBuilderEnd(b, 0, NULL);
}
static void takesTwice(CuteModuleBuilder *b) {
  mlirModuleDestroy(cuteModuleBuilderTake(b));
}

// Each fails once, with its message, and gives no module.
static void saysWhatIsWrong(void **state) {
  (void)state;
  static const struct {
    void (*build)(CuteModuleBuilder *builder);
    const char *message;
  } wrong[] = {
      {addsNothingKnown, "there is no operation 'arith.no_such'"},
      {addsOfNoDialect, "operation 'none.such' belongs to no known dialect"},
      {addsNoCute, "'cute.no_such' op does not exist"},
      {addsOfNull, "an operand is null"},
      {addsUnverified, "requires the same type"},
      {readsNoType, "expected"},
      {readsNoAttributes, "attributes are not a dictionary"},
      {takesNullTypes, "a type is null"},
      {namesNoKernel, "a kernel or function needs a name"},
      {namesNoFunction, "a kernel or function needs a name"},
      {namesNoOperation, "an operation needs a name"},
      {takesOthersValues, "an operand belongs to another MLIR context"},
      {takesOthersTypes, "a type belongs to another MLIR context"},
      {endsTooMuch, "nothing is open"},
      {endsTooLittle, "is not ended"},
      {nestsKernels, "within another one"},
      {elseWithoutIf, "no first branch is open"},
      {elseTwice, "no first branch is open"},
      {asksForArguments, "there is no such argument"},
      {asksForResults, "there is no such result"},
      {yieldsNothing, "yield"},
      {takesTwice, "was taken before"},
  };
  MlirContext context = createContext(true);
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    Text said = {0};
    cuteDiagnosticHandlerAttach(context, collect, &said);
    CuteModuleBuilder *b = createBuilder(context);
    wrong[i].build(b);
    assert_true(mlirModuleIsNull(cuteModuleBuilderTake(b)));
    if (!hasText(&said, wrong[i].message))
      fail_msg("'%s' is not in '%s'", wrong[i].message, said.data);
    size_t length = said.length;
    cuteModuleBuilderAdd(b, "arith.no_such", 0, NULL);
    assert_int_equal(said.length, length);
    cuteModuleBuilderDestroy(b);
    cuteDiagnosticHandlerDetach(context);
    free(said.data);
  }
  destroyContext(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(buildsAKernel),
      cmocka_unit_test(buildsLoopsAndBranches),
      cmocka_unit_test(keepsLocations),
      cmocka_unit_test(saysWhatIsWrong),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
