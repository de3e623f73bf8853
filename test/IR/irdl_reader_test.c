// The quick reader of the dialect's declaration against MLIR's parser.
#include "IR/irdl_reader.h"

#include "check.h"

#include <mlir-c/Dialect/IRDL.h>

extern const char cuteDialectText[];

static MlirContext create(void) {
  MlirContext context = mlirContextCreateWithThreading(false);
  mlirDialectHandleLoadDialect(mlirGetDialectHandle__irdl__(), context);
  return context;
}

static MlirWalkResult removeDocumentation(MlirOperation op, void *userData) {
  (void)userData;
  mlirOperationRemoveAttributeByName(op, cuteMlirString("description"));
  mlirOperationRemoveAttributeByName(op, cuteMlirString("example"));
  return MlirWalkResultAdvance;
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
  MlirModule read = cuteIrdlRead(context, cuteStringRef(cuteDialectText));
  assert_false(mlirModuleIsNull(parsed) || mlirModuleIsNull(read));
  assert_true(mlirOperationVerify(mlirModuleGetOperation(read)));
  mlirOperationWalk(mlirModuleGetOperation(parsed), removeDocumentation, NULL,
                    MlirWalkPreOrder);
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

static MlirLogicalResult count(MlirDiagnostic diagnostic, void *userData) {
  (void)diagnostic;
  ++*(int *)userData;
  return mlirLogicalResultSuccess();
}

// Each text is cut short, or has what the declaration does not use.
static void rejectsOtherText(void **state) {
  (void)state;
  static const char *const texts[] = {
      "irdl.dialect @a {",
      "irdl.dialect @a { irdl.type @b { %v = irdl.all_of() } }",
      "irdl.dialect @a { irdl.type @b { irdl.parameters(v: %v) } }",
      "irdl.dialect @a attributes { b = 1.5 : f32 } { }",
      "irdl.dialect @a { irdl.operation @b { %v = irdl.any irdl.operands(v) } "
      "}",
      "irdl.dialect @a attributes \"b\" { }",
      "irdl.dialect { }",
      "irdl.dialect @a { } }",
      "func.func @f() { }"};
  MlirContext context = create();
  int errors = 0;
  MlirDiagnosticHandlerID id =
      mlirContextAttachDiagnosticHandler(context, count, &errors, NULL);
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
    assert_true(
        mlirModuleIsNull(cuteIrdlRead(context, cuteStringRef(texts[i]))));
    assert_int_equal(errors, i + 1);
  }
  mlirContextDetachDiagnosticHandler(context, id);
  mlirContextDestroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(readsWhatMlirParses),
      cmocka_unit_test(rejectsOtherText),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
