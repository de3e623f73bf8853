// Loading the dialect, types from text and back, parsing and printing modules,
// diagnostics: as a program that embeds the library does it.
#include "embed.h"

#include <pthread.h>

#include <mlir-c/BuiltinTypes.h>
#include <mlir-c/Diagnostics.h>

static void loads(void **state) {
  (void)state;
  MlirContext context = createContext(true);
  assert_true(mlirContextIsRegisteredOperation(context, ref("cute.size")));
  // Again changes nothing: what exists stays valid.
  MlirType before = cuteTypeParseMlir(mlirLocationUnknownGet(context),
                                      ref("!cute.layout<\"4\">"));
  assert_true(mlirLogicalResultIsSuccess(cuteDialectLoad(context)));
  MlirType after = cuteTypeParseMlir(mlirLocationUnknownGet(context),
                                     ref("!cute.layout<\"4:1\">"));
  assert_true(mlirTypeEqual(before, after));
  destroyContext(context);
}

static void loadsIntoSeveralContexts(void **state) {
  (void)state;
  MlirContext contexts[3];
  for (int i = 0; i < 3; ++i)
    contexts[i] = createContext(true);
  destroyContext(contexts[1]);
  MlirModule module =
      parse(contexts[2], "%0 = cute.static : !cute.tile<\"4\">");
  assert_false(mlirModuleIsNull(module));
  mlirModuleDestroy(module);
  destroyContext(contexts[0]);
  destroyContext(contexts[2]);
  // Unloading what is not loaded is harmless.
  MlirContext empty = createContext(false);
  cuteDialectUnload(empty);
  destroyContext(empty);
}

// A new context may have the address of one that was destroyed without
// unloading.
static void survivesForgottenUnload(void **state) {
  (void)state;
  for (int i = 0; i < 4; ++i) {
    MlirContext context = createContext(true);
    MlirModule module = parse(context, "%0 = cute.static : !cute.tile<\"4\">");
    assert_false(mlirModuleIsNull(module));
    mlirModuleDestroy(module);
    mlirContextDestroy(context);
    MlirContext unloaded = createContext(false);
    assert_true(mlirModuleIsNull(parse(unloaded, "module {}")));
    mlirContextDestroy(unloaded);
  }
  destroyContext(createContext(true));
}

static void needsLoading(void **state) {
  (void)state;
  MlirContext context = createContext(false);
  assert_true(mlirModuleIsNull(parse(context, "module {}")));
  destroyContext(context);
}

static void readsAndPrintsTypes(void **state) {
  (void)state;
  MlirContext context = createContext(true);
  MlirLocation location = mlirLocationUnknownGet(context);
  static const char *const types[][3] = {
      // input, pretty, as MLIR prints it
      {"!cute.layout<\" ( 4 , 8 ) \">", "!cute.layout<\"(4,8):(1,4)\">",
       "!cute.layout<\"(4,8):(1,4)\">"},
      {"!cute.ptr<f16, gmem, align<16>>", "!cute.ptr<f16, gmem, align<16>>",
       "!cute.ptr<f16, \"gmem\", 16 : i64, \"\">"},
      {"!cute.tensor<f32, \"smem\", 4 : i64, \"4\">",
       "!cute.tensor<f32, smem, align<4>, \"4:1\">",
       "!cute.tensor<f32, \"smem\", 4 : i64, \"4:1\">"},
      {"i32", "i32", "i32"},
  };
  for (size_t i = 0; i < sizeof types / sizeof *types; ++i) {
    MlirType type = cuteTypeParseMlir(location, ref(types[i][0]));
    assert_false(mlirTypeIsNull(type));
    assert_true(
        mlirTypeEqual(type, cuteTypeParseMlir(location, ref(types[i][1]))));
    assert_true(
        mlirTypeEqual(type, cuteTypeParseMlir(location, ref(types[i][2]))));
    Text pretty = {0}, generic = {0};
    cuteTypePrintMlir(type, appendText, &pretty);
    mlirTypePrint(type, appendText, &generic);
    assert_string_equal(pretty.data, types[i][1]);
    assert_string_equal(generic.data, types[i][2]);
    free(pretty.data);
    free(generic.data);
  }
  destroyContext(context);
}

static void rejectsTypes(void **state) {
  (void)state;
  MlirContext context = createContext(true);
  MlirLocation location = mlirLocationFileLineColGet(context, ref("f"), 3, 4);
  static const char *const types[][2] = {
      {"!cute.layout<\"0:1\">", "0 3:4: layout: an extent must be a positive"},
      {"!cute.layot<\"4\">", "0 3:4: no type is named '!cute.layot'"},
      {"!cute.layout<\"4\"> x", "0 3:4: unexpected text after the type"},
      {"!cute.layout<\"4", "0 3:4: expected '\"'"},
      {"", "0 3:4: expected a type"},
  };
  for (size_t i = 0; i < sizeof types / sizeof *types; ++i) {
    Text errors = {0};
    cuteDiagnosticHandlerAttach(context, collect, &errors);
    assert_true(mlirTypeIsNull(cuteTypeParseMlir(location, ref(types[i][0]))));
    assert_true(hasText(&errors, types[i][1]));
    cuteDiagnosticHandlerDetach(context);
    free(errors.data);
  }
  destroyContext(context);
}

static void parsesAndPrintsModules(void **state) {
  (void)state;
  MlirContext context = createContext(true);
  MlirModule module = parse(context, "%s = cute.static : !cute.shape<\"(4,5)\">"
                                     "\n%n = cute.size(%s)");
  assert_false(mlirModuleIsNull(module));
  MlirOperation op = mlirModuleGetOperation(module);
  assert_true(mlirLogicalResultIsSuccess(cuteOperationVerify(op)));
  Text pretty = {0}, generic = {0};
  cuteOperationPrint(op, (CutePrintOptions){0}, appendText, &pretty);
  cuteOperationPrint(op, (CutePrintOptions){.generic = true}, appendText,
                     &generic);
  assert_true(hasText(&pretty, "cute.size (%0) : (!cute.shape<\"(4,5)\">) -> "
                               "!cute.int_tuple<\"20\">"));
  assert_true(hasText(&generic, "\"cute.size\"(%0)"));
  // Either text gives the same module again, also without the final NUL.
  for (int i = 0; i < 2; ++i) {
    Text *text = i ? &generic : &pretty, again = {0};
    char *copy = malloc(text->length);
    memcpy(copy, text->data, text->length);
    MlirModule other = cuteModuleParse(
        context, mlirStringRefCreate(copy, text->length), ref("copy"));
    assert_false(mlirModuleIsNull(other));
    cuteOperationPrint(mlirModuleGetOperation(other), (CutePrintOptions){0},
                       appendText, &again);
    assert_string_equal(again.data, pretty.data);
    mlirModuleDestroy(other);
    free(copy);
    free(again.data);
  }
  free(pretty.data);
  free(generic.data);
  mlirModuleDestroy(module);
  destroyContext(context);
}

static void reportsMalformedModules(void **state) {
  (void)state;
  MlirContext context = createContext(true);
  static const char *const modules[][2] = {
      {"%0 = cute.stat : !cute.tile<\"4\">", "0 1:6: unknown operation"},
      {"\n  func.func @f(", "0 2:"},
      {"\n\n%0 = cute.static : !cute.tile<\"4:\">", "0 3:20: expected"},
      {"%s = cute.static : !cute.shape<\"4\">\n"
       "  %n = cute.size(%s) : (!cute.shape<\"4\">) -> !cute.int_tuple<\"5\">",
       "0 2:8: 'cute.size' op inferred result type"},
      // The note belongs to the error.
      {"%s = cute.static : !cute.shape<\"4\">\n"
       "%s = cute.static : !cute.shape<\"5\">",
       "redefinition of SSA value '%s'\n3 1:1: previously defined here"},
  };
  for (size_t i = 0; i < sizeof modules / sizeof *modules; ++i) {
    Text errors = {0};
    cuteDiagnosticHandlerAttach(context, collect, &errors);
    assert_true(mlirModuleIsNull(parse(context, modules[i][0])));
    assert_true(hasText(&errors, modules[i][1]));
    cuteDiagnosticHandlerDetach(context);
    free(errors.data);
  }
  MlirModule empty = parse(context, "");
  assert_false(mlirModuleIsNull(empty));
  mlirModuleDestroy(empty);
  destroyContext(context);
}

static void readsFiles(void **state) {
  (void)state;
  MlirContext context = createContext(true);
  Text errors = {0};
  cuteDiagnosticHandlerAttach(context, collect, &errors);
  assert_true(
      mlirModuleIsNull(cuteModuleParseFile(context, ref("/nowhere/x.mlir"))));
  assert_true(hasText(&errors, "cannot open input file '/nowhere/x.mlir'"));
  cuteDiagnosticHandlerDetach(context);
  free(errors.data);
  char path[] = "/tmp/cute-embed-XXXXXX";
  FILE *file = fdopen(mkstemp(path), "w");
  assert_non_null(file);
  fputs("%0 = cute.static : !cute.tile<\"4\">\n", file);
  fclose(file);
  MlirModule module = cuteModuleParseFile(context, ref(path));
  remove(path);
  assert_false(mlirModuleIsNull(module));
  mlirModuleDestroy(module);
  destroyContext(context);
}

static void emitsAllSeverities(void **state) {
  (void)state;
  MlirContext context = createContext(true);
  MlirLocation location = mlirLocationFileLineColGet(context, ref("f"), 3, 4);
  Text text = {0}, later = {0};
  cuteDiagnosticHandlerAttach(context, collect, &text);
  cuteEmit(location, CUTE_SEVERITY_WARNING, ref("careful"), "because");
  cuteEmit(location, CUTE_SEVERITY_REMARK, ref("by the way"), NULL);
  // The next handler takes over.
  cuteDiagnosticHandlerAttach(context, collect, &later);
  cuteEmit(location, CUTE_SEVERITY_ERROR, ref("wrong"), NULL);
  assert_string_equal(text.data, "1 3:4: careful\n3 3:4: because\n"
                                 "2 3:4: by the way\n");
  assert_string_equal(later.data, "0 3:4: wrong\n");
  cuteDiagnosticHandlerDetach(context);
  cuteDiagnosticHandlerDetach(context);
  cuteEmit(location, CUTE_SEVERITY_REMARK, ref("unheard"), NULL);
  assert_string_equal(later.data, "0 3:4: wrong\n");
  free(text.data);
  free(later.data);
  destroyContext(context);
}

static void checksLaws(void **state) {
  (void)state;
  MlirContext context = createContext(true);
  MlirModule module =
      parse(context, "%a = cute.static : !cute.layout<\"(2,2,2):(3,3,1)\">\n"
                     "%r = cute.left_inverse(%a) : "
                     "!cute.layout<\"(2,2,2):(3,3,1)\"> -> "
                     "!cute.layout<\"(3,2):(4,2)\">");
  assert_false(mlirModuleIsNull(module));
  MlirOperation op = mlirModuleGetOperation(module);
  const struct {
    CuteLawPolicy policy;
    bool succeeds;
    const char *begin; // of the message
  } cases[] = {
      {CUTE_LAWS_IGNORE, true, NULL},
      {CUTE_LAWS_WARN, true, "1 2:6: 'cute.left_inverse' op left_inverse: "},
      {CUTE_LAWS_STRICT, false, "0 2:6: 'cute.left_inverse' op left_inverse: "},
      {CUTE_LAWS_WARN, true, "1 2:6: 'cute.left_inverse' op left_inverse: "},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    Text said = {0};
    cuteDiagnosticHandlerAttach(context, collect, &said);
    assert_int_equal(
        mlirLogicalResultIsSuccess(cuteOperationCheckLaws(op, cases[i].policy)),
        cases[i].succeeds);
    cuteDiagnosticHandlerDetach(context);
    if (cases[i].begin)
      assert_memory_equal(said.data, cases[i].begin, strlen(cases[i].begin));
    else
      assert_null(said.data);
    free(said.data);
    // Verification does not ask for laws.
    assert_true(mlirLogicalResultIsSuccess(cuteOperationVerify(op)));
  }
  mlirModuleDestroy(module);
  destroyContext(context);
}

typedef struct Count {
  int ofMlir, ofCute, ofTypes, other;
} Count;

static void count(const CuteDiagnostic *diagnostic, size_t numNotes,
                  const CuteDiagnostic *notes, void *userData) {
  (void)numNotes, (void)notes;
  Count *count = userData;
  Text text = {0};
  appendText(diagnostic->message, &text);
  if (hasText(&text, "of MLIR: !cute.layout<\"(?,(4,?)):(?{div=4},(1,8))\">"))
    ++count->ofMlir;
  else if (hasText(&text, "of cute"))
    ++count->ofCute;
  else if (hasText(&text, "extent"))
    ++count->ofTypes;
  else
    ++count->other;
  free(text.data);
}

enum { NUM_REPORTS = 2000 };

static void *reportByMlir(void *context) {
  MlirLocation location = mlirLocationUnknownGet(*(MlirContext *)context);
  for (int i = 0; i < NUM_REPORTS; ++i)
    mlirEmitError(location, "of MLIR: "
                            "!cute.layout<\"(?,(4,?)):(?{div=4},(1,8))\">");
  return NULL;
}

static void *reportByCute(void *context) {
  MlirLocation location = mlirLocationUnknownGet(*(MlirContext *)context);
  for (int i = 0; i < NUM_REPORTS; ++i)
    cuteEmit(location, CUTE_SEVERITY_REMARK, ref("of cute"), NULL);
  return NULL;
}

static void *parseTypes(void *context) {
  MlirLocation location = mlirLocationUnknownGet(*(MlirContext *)context);
  char text[80];
  for (int i = 0; i < NUM_REPORTS; ++i) {
    snprintf(text, sizeof text,
             "!cute.composed_layout<\"%d:1 o ? o ((2,?),4):((1,2),8)\">",
             i + 1);
    assert_false(mlirTypeIsNull(cuteTypeParseMlir(location, ref(text))));
    assert_true(mlirTypeIsNull(
        cuteTypeParseMlir(location, ref("!cute.layout<\"0:1\">"))));
  }
  return NULL;
}

// MLIR calls handlers under a lock, and errors of types are emitted under that
// of the dialect: the order in which both are taken must not matter.
static void reportsFromSeveralThreads(void **state) {
  (void)state;
  MlirContext context = createContext(true);
  Count counts = {0};
  cuteDiagnosticHandlerAttach(context, count, &counts);
  void *(*const jobs[])(void *) = {reportByMlir, reportByCute, parseTypes,
                                   parseTypes};
  pthread_t threads[4];
  for (int i = 0; i < 4; ++i)
    assert_int_equal(pthread_create(&threads[i], NULL, jobs[i], &context), 0);
  for (int i = 0; i < 4; ++i)
    pthread_join(threads[i], NULL);
  cuteDiagnosticHandlerAttach(context, NULL, NULL);
  assert_int_equal(counts.ofMlir, NUM_REPORTS);
  assert_int_equal(counts.ofCute, NUM_REPORTS);
  assert_int_equal(counts.ofTypes, 2 * NUM_REPORTS);
  assert_int_equal(counts.other, 0);
  destroyContext(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(loads),
      cmocka_unit_test(loadsIntoSeveralContexts),
      cmocka_unit_test(survivesForgottenUnload),
      cmocka_unit_test(needsLoading),
      cmocka_unit_test(readsAndPrintsTypes),
      cmocka_unit_test(rejectsTypes),
      cmocka_unit_test(parsesAndPrintsModules),
      cmocka_unit_test(reportsMalformedModules),
      cmocka_unit_test(readsFiles),
      cmocka_unit_test(emitsAllSeverities),
      cmocka_unit_test(checksLaws),
      cmocka_unit_test(reportsFromSeveralThreads),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
