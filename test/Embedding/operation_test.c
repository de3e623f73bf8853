// Creating operations: each op of the dialect again from its operands and
// attributes, and what is rejected. The ops come from the round trip tests,
// which have every op of the dialect (test/Ops/check_coverage.py).
#include "embed.h"

#include <cute/Operation.h>

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

#include <glob.h>

enum { MAX_PARTS = 128, MAX_OPS = 512 };

//===-- Again -------------------------------------------------------------===//

typedef struct Parts {
  MlirLocation location;
  MlirStringRef name;
  intptr_t numOperands, numAttributes, numResults;
  MlirValue operands[MAX_PARTS];
  MlirNamedAttribute attributes[MAX_PARTS];
  MlirType results[MAX_PARTS];
} Parts;

static void takeApart(MlirOperation op, Parts *parts) {
  parts->location = mlirOperationGetLocation(op);
  parts->name = mlirIdentifierStr(mlirOperationGetName(op));
  parts->numOperands = mlirOperationGetNumOperands(op);
  parts->numAttributes = mlirOperationGetNumAttributes(op);
  parts->numResults = mlirOperationGetNumResults(op);
  for (intptr_t i = 0; i < parts->numOperands; ++i)
    parts->operands[i] = mlirOperationGetOperand(op, i);
  for (intptr_t i = 0; i < parts->numAttributes; ++i)
    parts->attributes[i] = mlirOperationGetAttribute(op, i);
  for (intptr_t i = 0; i < parts->numResults; ++i)
    parts->results[i] = mlirValueGetType(mlirOperationGetResult(op, i));
}

static MlirOperation create(const Parts *parts, bool withResults) {
  return cuteOperationCreate(
      parts->location, parts->name, parts->numOperands, parts->operands,
      parts->numAttributes, parts->attributes,
      withResults ? parts->numResults : 0, withResults ? parts->results : NULL);
}

static void assertSame(MlirOperation a, MlirOperation b) {
  assert_false(mlirOperationIsNull(b));
  assert_true(mlirBlockIsNull(mlirOperationGetBlock(b)));
  assert_true(mlirStringRefEqual(mlirIdentifierStr(mlirOperationGetName(a)),
                                 mlirIdentifierStr(mlirOperationGetName(b))));
  assert_true(mlirLocationEqual(mlirOperationGetLocation(a),
                                mlirOperationGetLocation(b)));
  Parts from, to;
  takeApart(a, &from);
  takeApart(b, &to);
  assert_int_equal(from.numOperands, to.numOperands);
  assert_int_equal(from.numAttributes, to.numAttributes);
  assert_int_equal(from.numResults, to.numResults);
  for (intptr_t i = 0; i < from.numOperands; ++i)
    assert_true(mlirValueEqual(from.operands[i], to.operands[i]));
  for (intptr_t i = 0; i < from.numAttributes; ++i)
    assert_true(
        mlirAttributeEqual(from.attributes[i].attribute,
                           mlirOperationGetAttributeByName(
                               b, mlirIdentifierStr(from.attributes[i].name))));
  for (intptr_t i = 0; i < from.numResults; ++i)
    assert_true(mlirTypeEqual(from.results[i], to.results[i]));
}

typedef struct Seen {
  MlirContext context;
  size_t count;
  char names[MAX_OPS][64];
} Seen;

static void see(Seen *seen, MlirStringRef name) {
  assert_true(seen->count < MAX_OPS && name.length < 64);
  memcpy(seen->names[seen->count], name.data, name.length);
  seen->names[seen->count++][name.length] = '\0';
}

static bool isSeen(const Seen *seen, MlirStringRef name) {
  for (size_t i = 0; i < seen->count; ++i)
    if (mlirStringRefEqual(ref(seen->names[i] + strlen("cute.")), name))
      return true;
  return false;
}

// With other results than it infers.
static void assertChecksResults(Parts parts) {
  Text errors = {0};
  MlirContext context = mlirLocationGetContext(parts.location);
  cuteDiagnosticHandlerAttach(context, collect, &errors);
  parts.results[0] = mlirNoneTypeGet(context);
  parts.numResults += !parts.numResults;
  if (!mlirOperationIsNull(create(&parts, true)))
    fail_msg("%s takes any result", parts.name.data);
  assert_true(hasText(&errors, "' op "));
  cuteDiagnosticHandlerDetach(context);
  free(errors.data);
}

// Compares the inferred types with the types of an op's results.
static void compareTypes(intptr_t n, MlirType *types, void *userData) {
  MlirOperation *op = userData;
  assert_int_equal(n, mlirOperationGetNumResults(*op));
  for (intptr_t i = 0; i < n; ++i)
    assert_true(mlirTypeEqual(
        types[i], mlirValueGetType(mlirOperationGetResult(*op, i))));
  op->ptr = NULL;
}

// Without an op the results are the same.
static void assertInfers(const Parts *parts, MlirOperation op) {
  MlirType operands[MAX_PARTS];
  for (intptr_t i = 0; i < parts->numOperands; ++i)
    operands[i] = mlirValueGetType(parts->operands[i]);
  assert_true(mlirLogicalResultIsSuccess(cuteOperationInfer(
      parts->location, parts->name, parts->numOperands, operands,
      parts->numAttributes, parts->attributes, compareTypes, &op)));
  assert_null(op.ptr);
}

static MlirWalkResult createAgain(MlirOperation op, void *userData) {
  Seen *seen = userData;
  Parts parts;
  takeApart(op, &parts);
  if (strncmp(parts.name.data, "cute.", 5))
    return MlirWalkResultAdvance;
  if (!isSeen(seen,
              (MlirStringRef){parts.name.data + 5, parts.name.length - 5}))
    see(seen, parts.name);
  bool declares = cuteOperationDeclaresResults(seen->context, parts.name);
  MlirOperation again = create(&parts, declares);
  assertSame(op, again);
  mlirOperationDestroy(again);
  if (!declares)
    assertInfers(&parts, op);
  again = create(&parts, true);
  assertSame(op, again);
  mlirOperationDestroy(again);
  assertChecksResults(parts);
  return MlirWalkResultAdvance;
}

static void createsEveryOp(void **state) {
  (void)state;
  Seen seen = {.context = createContext(true)};
  glob_t files;
  assert_int_equal(
      glob(CUTE_TEST_DIR "/Ops/*/roundtrip*.mlir", 0, NULL, &files), 0);
  for (size_t i = 0; i < files.gl_pathc; ++i) {
    MlirModule module =
        cuteModuleParseFile(seen.context, ref(files.gl_pathv[i]));
    assert_false(mlirModuleIsNull(module));
    mlirOperationWalk(mlirModuleGetOperation(module), createAgain, &seen,
                      MlirWalkPreOrder);
    mlirModuleDestroy(module);
  }
  globfree(&files);
  intptr_t n = cuteDialectGetNumOps(seen.context);
  assert_int_equal(seen.count, n);
  for (intptr_t i = 0; i < n; ++i)
    assert_true(isSeen(&seen, cuteDialectGetOpName(seen.context, i)));
  assert_int_equal(cuteDialectGetOpName(seen.context, n).length, 0);
  assert_int_equal(cuteDialectGetOpName(seen.context, -1).length, 0);
  destroyContext(seen.context);
}

//===-- In a program ------------------------------------------------------===//

static MlirType typeOf(MlirContext context, const char *text) {
  return cuteTypeParseMlir(mlirLocationUnknownGet(context), ref(text));
}

static MlirNamedAttribute named(MlirContext context, const char *name,
                                const char *value) {
  return mlirNamedAttributeGet(mlirIdentifierGet(context, ref(name)),
                               mlirAttributeParseGet(context, ref(value)));
}

// The result of an op at the end of the module.
static MlirValue append(MlirModule module, MlirOperation op) {
  assert_false(mlirOperationIsNull(op));
  mlirBlockAppendOwnedOperation(mlirModuleGetBody(module), op);
  return mlirOperationGetResult(op, 0);
}

static void buildsAModule(void **state) {
  (void)state;
  MlirContext context = createContext(true);
  MlirLocation at = mlirLocationUnknownGet(context);
  MlirModule module = mlirModuleCreateEmpty(at);
  MlirType layout = typeOf(context, "!cute.layout<\"(4,(2,8))\">");
  MlirValue a = append(module, cuteOperationCreate(at, ref("static"), 0, NULL,
                                                   0, NULL, 1, &layout));
  MlirNamedAttribute attributes[] = {named(context, "mode", "array<i32: 1, 1>"),
                                     named(context, "note", "\"mine\"")};
  MlirValue b = append(module, cuteOperationCreate(at, ref("cute.get"), 1, &a,
                                                   2, attributes, 0, NULL));
  MlirValue operands[] = {a, b};
  append(module, cuteOperationCreate(at, ref("composition"), 2, operands, 0,
                                     NULL, 0, NULL));
  assert_true(mlirLogicalResultIsSuccess(
      cuteOperationVerify(mlirModuleGetOperation(module))));
  assert_true(mlirOperationVerify(mlirModuleGetOperation(module)));
  Text text = {0};
  cuteOperationPrint(mlirModuleGetOperation(module), (CutePrintOptions){0},
                     appendText, &text);
  assert_true(hasText(&text, "%1 = cute.get<[1, 1]> (%0) {note = \"mine\"} : "
                             "!cute.layout<\"(4,(2,8)):(1,(4,8))\"> -> "
                             "!cute.layout<\"8:8\">"));
  assert_true(hasText(&text, "cute.composition(%0, %1)"));
  free(text.data);
  mlirModuleDestroy(module);
  destroyContext(context);
}

//===-- Rejected ----------------------------------------------------------===//

typedef struct Rejected {
  const char *name;
  int numOperands; // of: a shape, a layout, null
  int operands[2];
  const char *attribute, *value; // null: none
  int times;                     // that it is given
  const char *result;            // null: to be inferred
  const char *error;
} Rejected;

static const Rejected rejected[] = {
    {.name = "no_such_op",
     .error = "0 3:4: 'cute.no_such_op' op does not exist"},
    {.name = "cute.", .error = "0 3:4: 'cute.' op does not exist"},
    {.name = "size", .error = "'cute.size' op expected 1 operand, found 0"},
    {.name = "size",
     .numOperands = 2,
     .error = "'cute.size' op expected 1 operand, found 2"},
    {.name = "size",
     .numOperands = 1,
     .operands = {2},
     .error = "'cute.size' op operand #0 is null"},
    {.name = "get_stride",
     .numOperands = 1,
     .error = "'cute.get_stride' op operand #0 (x) must be layout, not "
              "!cute.shape"},
    {.name = "composition",
     .numOperands = 2,
     .operands = {1, 1},
     .error = "'cute.composition' op composition: "},
    {.name = "select",
     .numOperands = 1,
     .error = "'cute.select' op requires attribute 'mode'"},
    {.name = "select",
     .numOperands = 1,
     .attribute = "mode",
     .value = "1 : i32",
     .times = 1,
     .error = "'cute.select' op attribute 'mode' must be an array such as"},
    {.name = "select",
     .numOperands = 1,
     .attribute = "mode",
     .value = "array<i32: 7>",
     .times = 1,
     .error = "'cute.select' op select: mode 7 is not in [0, 2)"},
    {.name = "select",
     .numOperands = 1,
     .attribute = "mode",
     .value = "array<i32: 0>",
     .times = 2,
     .error = "'cute.select' op attribute 'mode' is given twice"},
    {.name = "static",
     .error = "'cute.static' op cannot infer its result type; say which"},
    {.name = "static",
     .result = "!cute.shape<\"?\">",
     .error = "'cute.static' op "},
    {.name = "make_shape",
     .result = "!cute.shape<\"?\">",
     .error = "'cute.make_shape' op "},
    {.name = "size",
     .numOperands = 1,
     .result = "!cute.int_tuple<\"5\">",
     .error = "'cute.size' op inferred result type !cute.int_tuple<\"32\"> "
              "differs from the written !cute.int_tuple<\"5\">"},
};

static void assertRejects(MlirContext context, const MlirValue *values,
                          const Rejected *row) {
  MlirValue operands[2];
  for (int i = 0; i < row->numOperands; ++i)
    operands[i] = values[row->operands[i]];
  MlirNamedAttribute attributes[2];
  for (int i = 0; i < row->times; ++i)
    attributes[i] = named(context, row->attribute, row->value);
  MlirType result = typeOf(context, row->result ? row->result : "i32");
  Text errors = {0};
  cuteDiagnosticHandlerAttach(context, collect, &errors);
  assert_true(mlirOperationIsNull(cuteOperationCreate(
      mlirLocationFileLineColGet(context, ref("f"), 3, 4), ref(row->name),
      row->numOperands, operands, row->times, attributes, row->result ? 1 : 0,
      row->result ? &result : NULL)));
  cuteDiagnosticHandlerDetach(context);
  if (!hasText(&errors, row->error))
    fail_msg("%s: %s", row->error, errors.data ? errors.data : "no error");
  free(errors.data);
}

static void rejects(void **state) {
  (void)state;
  MlirContext context = createContext(true);
  MlirModule module =
      parse(context, "%0 = cute.static : !cute.shape<\"(4,8)\">\n"
                     "%1 = cute.static : !cute.layout<\"(7,3):(3,1)\">\n");
  MlirOperation first = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  MlirValue values[] = {
      mlirOperationGetResult(first, 0),
      mlirOperationGetResult(mlirOperationGetNextInBlock(first), 0),
      {NULL}};
  for (size_t i = 0; i < sizeof rejected / sizeof *rejected; ++i)
    assertRejects(context, values, &rejected[i]);
  MlirType null = {NULL};
  Text errors = {0};
  cuteDiagnosticHandlerAttach(context, collect, &errors);
  assert_true(mlirOperationIsNull(
      cuteOperationCreate(mlirLocationUnknownGet(context), ref("static"), 0,
                          NULL, 0, NULL, 1, &null)));
  assert_true(hasText(&errors, "result type #0 is null"));
  MlirContext other = createContext(true);
  MlirType layout = cuteTypeParseMlir(mlirLocationUnknownGet(other),
                                      ref("!cute.layout<\"4:1\">"));
  assert_true(mlirOperationIsNull(
      cuteOperationCreate(mlirLocationUnknownGet(context), ref("static"), 0,
                          NULL, 0, NULL, 1, &layout)));
  assert_true(hasText(&errors, "result type #0 belongs to another MLIR"));
  cuteDiagnosticHandlerAttach(other, collect, &errors);
  assert_true(mlirOperationIsNull(
      cuteOperationCreate(mlirLocationUnknownGet(other), ref("size"), 1, values,
                          0, NULL, 0, NULL)));
  assert_true(hasText(&errors, "operand #0 belongs to another MLIR context"));
  destroyContext(other);
  cuteDiagnosticHandlerDetach(context);
  free(errors.data);
  mlirModuleDestroy(module);
  destroyContext(context);
}

static void knowsWhatOnlyComputes(void **state) {
  (void)state;
  static const char *const computes[] = {"size", "cute.composition", "slice",
                                         "make_tensor", "partition_s"};
  static const char *const acts[] = {
      "load",      "store",           "copy",          "gemm", "alloc_smem",
      "print",     "mbarrier_arrive", "make_fragment", "sync", "no_such_op",
      "elect_sync"};
  MlirContext context = createContext(true);
  for (size_t i = 0; i < sizeof computes / sizeof *computes; ++i)
    assert_true(cuteOperationOnlyComputes(context, ref(computes[i])));
  for (size_t i = 0; i < sizeof acts / sizeof *acts; ++i)
    assert_false(cuteOperationOnlyComputes(context, ref(acts[i])));
  destroyContext(context);
}

static void countTypes(intptr_t n, MlirType *types, void *userData) {
  (void)types;
  *(intptr_t *)userData += n;
}

// The composition (6,4):(1,8) o 4:4, which no layout is, under a policy.
static bool composes(MlirContext context, CuteLawPolicy policy,
                     Text *reported) {
  const char *const texts[] = {"!cute.layout<\"(6,4):(1,8)\">",
                               "!cute.layout<\"4:4\">"};
  MlirType types[2];
  intptr_t n = 0;
  for (int i = 0; i < 2; ++i)
    types[i] = mlirTypeParseGet(context, ref(texts[i]));
  cuteDialectSetLawPolicy(context, policy);
  cuteDiagnosticHandlerAttach(context, collect, reported);
  MlirLogicalResult done =
      cuteOperationInfer(mlirLocationUnknownGet(context), ref("composition"), 2,
                         types, 0, NULL, countTypes, &n);
  cuteDiagnosticHandlerDetach(context);
  assert_int_equal(n, mlirLogicalResultIsSuccess(done));
  return mlirLogicalResultIsSuccess(done);
}

static void checksLawsIfAsked(void **state) {
  (void)state;
  MlirContext context = createContext(true);
  Text none = {0}, warnings = {0}, errors = {0};
  assert_true(composes(context, CUTE_LAWS_IGNORE, &none));
  assert_null(none.data);
  assert_true(composes(context, CUTE_LAWS_WARN, &warnings));
  assert_true(hasText(&warnings, "R(c) = A(B(c)) fails"));
  assert_false(composes(context, CUTE_LAWS_STRICT, &errors));
  assert_true(hasText(&errors, "R(c) = A(B(c)) fails"));
  free(warnings.data);
  free(errors.data);
  destroyContext(context);
}

static void needsLoading(void **state) {
  (void)state;
  MlirContext context = createContext(false);
  assert_int_equal(cuteDialectGetNumOps(context), 0);
  assert_int_equal(cuteDialectGetOpName(context, 0).length, 0);
  assert_false(cuteOperationDeclaresResults(context, ref("static")));
  assert_false(cuteOperationOnlyComputes(context, ref("size")));
  assert_true(mlirOperationIsNull(
      cuteOperationCreate(mlirLocationUnknownGet(context), ref("static"), 0,
                          NULL, 0, NULL, 0, NULL)));
  cuteDialectSetLawPolicy(context, CUTE_LAWS_WARN);
  destroyContext(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(createsEveryOp),
      cmocka_unit_test(buildsAModule),
      cmocka_unit_test(rejects),
      cmocka_unit_test(knowsWhatOnlyComputes),
      cmocka_unit_test(checksLawsIfAsked),
      cmocka_unit_test(needsLoading),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
