// The quick reader of the dialect's declaration against MLIR's parser.
#include "IR/irdl_reader.h"
#include "Support/text.h"

#include "check.h"

#include <mlir-c/Dialect/IRDL.h>

extern const char cuteDialectText[];

static MlirContext create(void) {
  MlirContext context = mlirContextCreateWithThreading(false);
  mlirDialectHandleLoadDialect(mlirGetDialectHandle__irdl__(), context);
  return context;
}

static void print(MlirModule module, CuteString *text) {
  mlirOperationPrint(mlirModuleGetOperation(module), cuteAppendMlirString,
                     text);
}

static void readsWhatMlirParses(void **state) {
  (void)state;
  MlirContext context = create();
  MlirModule parsed =
      mlirModuleCreateParse(context, cuteMlirString(cuteDialectText));
  MlirModule read = cuteIrdlRead(context, cuteStringRef(cuteDialectText),
                                 (CuteIrdlReading){.isDocumented = true});
  assert_false(mlirModuleIsNull(parsed) || mlirModuleIsNull(read));
  assert_true(mlirOperationVerify(mlirModuleGetOperation(read)));
  CuteString a = {0}, b = {0};
  print(parsed, &a);
  print(read, &b);
  assert_true(a.length > 50000);
  assert_string_equal(cuteStringGet(&a), cuteStringGet(&b));
  cuteStringDestroy(&a);
  cuteStringDestroy(&b);
  mlirModuleDestroy(parsed);
  mlirModuleDestroy(read);
  mlirContextDestroy(context);
}

static const char splitText[] =
    "irdl.dialect @a { irdl.type @t { } irdl.operation @b attributes { mixed = "
    "\"many\", arch = 90, example = \"a \\\"b\\\"\" } { %v = irdl.base @a::@t "
    "irdl.operands(many: variadic %v) irdl.results(one: optional %v) } }";

static bool takeSplit(const CuteIrdlOperation *op, MlirLocation location,
                      void *userData) {
  (void)location;
  ++*(int *)userData;
  assert_true(cuteTextEquals(op->name, "b"));
  assert_true(cuteTextEquals(cuteIrdlGetAttribute(op, "arch"), "90"));
  assert_int_equal(cuteIrdlGetAttribute(op, "arc").length, 0);
  assert_int_equal(op->operands.n, 1);
  assert_true(op->operands.isMixed && !op->results.isMixed);
  assert_int_equal(op->operands.values[0].variadicity, CUTE_VARIADIC);
  assert_int_equal(op->results.values[0].variadicity, CUTE_OPTIONAL);
  return *(int *)userData == 1;
}

// Gives what an operation declares, and splits its mixed group in the module,
// where the other attributes are left out.
static void givesDeclarations(void **state) {
  (void)state;
  MlirContext context = create();
  int calls = 0;
  CuteIrdlReading reading = {
      .splitsMixed = true, .take = takeSplit, .userData = &calls};
  MlirModule read = cuteIrdlRead(context, cuteStringRef(splitText), reading);
  assert_int_equal(calls, 1);
  CuteString text = {0};
  print(read, &text);
  assert_non_null(strstr(cuteStringGet(&text), "many_63: variadic"));
  assert_null(strstr(cuteStringGet(&text), "many: variadic"));
  assert_null(strstr(cuteStringGet(&text), "arch"));
  cuteStringDestroy(&text);
  mlirModuleDestroy(read);
  assert_true(mlirModuleIsNull(
      cuteIrdlRead(context, cuteStringRef(splitText), reading)));
  assert_int_equal(calls, 2);
  mlirContextDestroy(context);
}

static MlirLogicalResult count(MlirDiagnostic diagnostic, void *userData) {
  (void)diagnostic;
  ++*(int *)userData;
  return mlirLogicalResultSuccess();
}

static bool parses(MlirContext context, const char *text) {
  MlirModule module = mlirModuleCreateParse(context, cuteMlirString(text));
  bool ok = !mlirModuleIsNull(module);
  if (ok)
    mlirModuleDestroy(module);
  return ok;
}

// A module that is for loading has operations alone, without names of values;
// what is loaded of it and of the types before checks the same.
static void loadsTypesFirst(void **state) {
  (void)state;
  MlirContext context = create();
  MlirModule read = cuteIrdlRead(
      context,
      cuteStringRef(
          "irdl.dialect @a { irdl.type @t { } irdl.type @u { } irdl.operation "
          "@b {"
          " %v = irdl.base @a::@t %w = irdl.base @a::@t irdl.operands(one: %v) "
          "irdl.results(two: optional %w) } irdl.operation @c attributes { "
          "mixed = "
          "\"many\" } { %v = irdl.any irdl.operands(many: variadic %v) } }"),
      (CuteIrdlReading){.splitsMixed = true, .isLoaded = true});
  assert_false(mlirModuleIsNull(read));
  assert_true(mlirLogicalResultIsSuccess(mlirLoadIRDLDialects(read)));
  mlirModuleDestroy(read);
  int errors = 0;
  mlirContextAttachDiagnosticHandler(context, count, &errors, NULL);
  mlirContextSetAllowUnregisteredDialects(context, true);
  assert_true(parses(context, "%0 = \"x.t\"() : () -> !a.t "
                              "%1 = \"a.b\"(%0) : (!a.t) -> !a.t"));
  assert_int_equal(errors, 0);
  assert_false(parses(context, "%0 = \"x.u\"() : () -> !a.u "
                               "\"a.b\"(%0) : (!a.u) -> ()"));
  assert_false(parses(context, "\"a.b\"() : () -> ()"));
  assert_int_equal(errors, 2);
  mlirContextDestroy(context);
}

// Each text is cut short, or has what the declaration does not use.
static void rejectsOtherText(void **state) {
  (void)state;
  static const char *const texts[] = {
      "irdl.dialect @a {",
      "irdl.dialect @a { irdl.type @b { %v = irdl.all_of() } }",
      "irdl.dialect @a { irdl.type @b { irdl.parameters(v: %v) } }",
      "irdl.dialect @a attributes { b = 1.5 : f32 } { }",
      "irdl.dialect @a {irdl.operation @b {%v = irdl.any irdl.operands(v)}}",
      "irdl.dialect @a attributes \"b\" { }",
      "irdl.dialect { }",
      "irdl.dialect @a { } }",
      "func.func @f() { }"};
  MlirContext context = create();
  int errors = 0;
  MlirDiagnosticHandlerID id =
      mlirContextAttachDiagnosticHandler(context, count, &errors, NULL);
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
    assert_true(mlirModuleIsNull(
        cuteIrdlRead(context, cuteStringRef(texts[i]), (CuteIrdlReading){0})));
    assert_int_equal(errors, i + 1);
  }
  mlirContextDetachDiagnosticHandler(context, id);
  mlirContextDestroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(readsWhatMlirParses),
      cmocka_unit_test(givesDeclarations),
      cmocka_unit_test(loadsTypesFirst),
      cmocka_unit_test(rejectsOtherText),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
