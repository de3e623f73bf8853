// Functions that list architectures, atoms, passes and the dialect's own texts;
// and functions that tools and bindings use, called by a program.
#include "embed.h"

#include <cute/Jit.h>

static CuteLayout layout(CuteContext c, const char *text) {
  return cuteLayoutParse(c, cuteStringRef(text));
}

static CuteIntTuple shape(CuteContext c, const char *text) {
  return cuteIntTupleParse(c, cuteStringRef(text), CUTE_SYNTAX_SHAPE);
}

static int64_t valueAt(CuteContext c, CuteLayout of, const char *coord) {
  return cuteIntTupleGetValue(cuteLayoutEval(
      c, of, cuteIntTupleParse(c, cuteStringRef(coord), CUTE_SYNTAX_COORD)));
}

static void appendPiece(CuteStringRef piece, void *userData) {
  appendText(mlirStringRefCreate(piece.data, piece.length), userData);
}

//===-- Hardware ----------------------------------------------------------===//

static void listsArchitectures(void **state) {
  (void)state;
  size_t n = cuteArchGetNum();
  assert_true(n > 10);
  for (size_t i = 0; i < n; ++i) {
    const CuteArch *arch = cuteArchGet(i);
    assert_ptr_equal(cuteArchFind(arch->name), arch);
    assert_null(cuteArchCheck(arch->name));
    assert_true(arch->sharedKib >= arch->staticKib);
  }
  assert_null(cuteArchGet(n));
  assert_null(cuteArchFind("sm_1"));
  assert_null(cuteArchFind(NULL));
  const CuteArch *hopper = cuteArchFind("sm_90a");
  assert_int_equal(hopper->number, 90);
  assert_true(hopper->hasWgmma && hopper->suffix == 'a');
}

static void describesAtoms(void **state) {
  (void)state;
  CuteContext c = cuteContextCreate();
  const CuteMmaAtom *mma =
      cuteMmaAtomFind(cuteStringRef("SM80_16x8x16_F32F16F16F32_TN"));
  assert_int_equal(cuteMmaAtomGetElement(mma, CUTE_OPERAND_B),
                   CUTE_ELEMENT_F16);
  assert_int_equal(cuteMmaAtomGetElement(mma, CUTE_OPERAND_C),
                   CUTE_ELEMENT_F32);
  assert_null(cuteMmaAtomGetLayoutText(mma, CUTE_OPERAND_E));
  assert_ptr_equal(layout(c, cuteMmaAtomGetLayoutText(mma, CUTE_OPERAND_A)),
                   cuteMmaAtomGetLayout(c, mma, CUTE_OPERAND_A));
  const CuteCopyAtom *ldmatrix =
      cuteCopyAtomFind(cuteStringRef("SM75_U16x8_LDSM_T"));
  assert_true(cuteCopyAtomCheckElement(c, ldmatrix, CUTE_ELEMENT_F16));
  assert_false(cuteCopyAtomCheckElement(c, ldmatrix, CUTE_ELEMENT_F32));
  assert_true(*cuteContextGetError(c));
  CuteSwizzle swizzle = cuteSmemAtomGetByteSwizzle(
      cuteSmemAtomFind(cuteStringRef("Layout_K_SW128_Atom")));
  assert_int_equal(swizzle.bits, 3);
  assert_int_equal(swizzle.base, 4);
  assert_int_equal(swizzle.shift, 3);
  cuteContextDestroy(c);
}

static void partitionsTiles(void **state) {
  (void)state;
  CuteContext c = cuteContextCreate();
  CuteTiledMma mma = {
      cuteMmaAtomFind(cuteStringRef("SM80_16x8x16_F32F16F16F32_TN")),
      layout(c, "(2,1,2):(1,0,2)"), cuteTileParse(c, cuteStringRef("[_;_;_]"))};
  CuteIntTuple coord = cuteTiledMmaGetThreadCoord(
      c, mma, cuteIntTupleParse(c, cuteStringRef("101"), CUTE_SYNTAX_COORD));
  assert_ptr_equal(coord, cuteIntTupleParse(c, cuteStringRef("(5,1,0,1)"),
                                            CUTE_SYNTAX_COORD));
  // Threads along K have the same part of C.
  CuteLayout c0 = cuteTiledMmaGetSharedLayoutTV(c, mma, CUTE_OPERAND_C);
  assert_int_equal(valueAt(c, c0, "(69,3)"), valueAt(c, c0, "(5,3)"));
  CuteTiledCopy copy = cuteTiledCopyGet(
      c, cuteCopyAtomFind(cuteStringRef("UniversalCopy<uint128_t>")),
      CUTE_ELEMENT_F16, layout(c, "(16,8):(8,1)"), layout(c, "(1,8):(0,1)"));
  CuteLayout tv = cuteTiledCopyGetLayoutTV(c, copy, CUTE_SOURCE);
  assert_int_equal(valueAt(c, tv, "(9,3)"), 1 + 16 * (8 + 3));
  cuteContextDestroy(c);
}

static void readsImages(void **state) {
  (void)state;
  CuteContext c = cuteContextCreate();
  const CuteIm2col im2col = {.rank = 2,
                             .filter = {3, 3},
                             .steps = {1, 1},
                             .lower = {1, 1},
                             .upper = {1, 1},
                             .dilation = {1, 1}};
  CuteLayout matrix =
      cuteTmaIm2colGetMatrix(c, &im2col, shape(c, "(2,8,8,64)"));
  assert_non_null(matrix);
  assert_int_equal(cuteIntTupleGetValue(cuteLayoutGetSize(c, matrix)),
                   2 * 8 * 8 * 64 * 9);
  assert_non_null(cuteTmaIm2colGetOrigin(c, &im2col));
  assert_null(cuteTmaIm2colGetMatrix(c, &im2col, shape(c, "(2,8)")));
  CuteTmaAtom tma = cuteTmaAtomMakeIm2col(
      c, cuteCopyAtomFind(cuteStringRef("SM90_TMA_LOAD_IM2COL")),
      CUTE_ELEMENT_F16, 2, layout(c, "(64,64):(64,1)"));
  assert_true(cuteTmaAtomCheck(c, tma));
  tma.values = layout(c, "7:1");
  assert_false(cuteTmaAtomCheck(c, tma));
  cuteContextDestroy(c);
}

static void namesPipelines(void **state) {
  (void)state;
  assert_string_equal(cutePipelineKindGetName(CUTE_PIPE_TMA_STORE),
                      "tma_store");
  assert_string_equal(cutePipelineAgentGetName(CUTE_AGENT_WARP), "warp");
  assert_string_equal(cutePipelineRoleGetName(CUTE_ROLE_ORDER), "order");
}

static void putsLayoutsTogether(void **state) {
  (void)state;
  CuteContext c = cuteContextCreate();
  const CuteLayout modes[] = {layout(c, "4:1"), layout(c, "(2,3):(4,8)")};
  assert_ptr_equal(cuteLayoutConcatenate(c, 2, modes),
                   layout(c, "(4,(2,3)):(1,(4,8))"));
  assert_ptr_equal(cuteLayoutGetCoshape(c, layout(c, "(4,2):(1@0,1@1)")),
                   shape(c, "(4,2)"));
  CuteStringRef tile = cuteStringRef("[4:0;8:1]");
  assert_ptr_equal(cuteTileParseUnchecked(c, tile), cuteTileParse(c, tile));
  CuteTile two = cuteTileParse(c, tile);
  CuteTile one = cuteTileParse(c, cuteStringRef("2:1"));
  assert_non_null(one);
  CuteTile three = cuteTileAppendToRank(c, two, 3, one);
  assert_ptr_equal(three, cuteTileParse(c, cuteStringRef("[4:0;8:1;2:1]")));
  assert_ptr_equal(cuteTilePrependToRank(c, two, 3, one),
                   cuteTileParse(c, cuteStringRef("[2:1;4:0;8:1]")));
  assert_ptr_equal(cuteTileAppendToRank(c, two, 2, one), two);
  assert_ptr_equal(cuteTileGroup(c, three, 0, 2),
                   cuteTileParse(c, cuteStringRef("[[4:0;8:1];2:1]")));
  assert_null(cuteTileGroup(c, three, 2, 9));
  cuteContextDestroy(c);
}

//===-- The dialect -------------------------------------------------------===//

static void printsItself(void **state) {
  (void)state;
  MlirContext context = createContext(true);
  Text irdl = {0}, page = {0};
  cuteDialectPrintIRDL(context, appendPiece, &irdl);
  assert_true(hasText(&irdl, "irdl.operation @composition"));
  cuteDialectPrintDocumentation(context, appendPiece, &page);
  assert_true(hasText(&page, "cute.composition"));
  free(irdl.data);
  free(page.data);
  destroyContext(context);
}

static void explainsOperations(void **state) {
  (void)state;
  MlirContext context = createContext(true);
  Text text = {0};
  cuteDiagnosticHandlerAttach(context, collect, &text);
  MlirModule module =
      parse(context, "%l = cute.static : !cute.layout<\"(2,4):(1,2)\">\n"
                     "%c = cute.coalesce(%l)");
  cuteOperationExplain(mlirModuleGetOperation(module), 1);
  assert_true(hasText(&text, "continues where 2:1 ends"));
  mlirModuleDestroy(module);
  cuteDiagnosticHandlerDetach(context);
  free(text.data);
  destroyContext(context);
}

static void readsBytecode(void **state) {
  (void)state;
  MlirContext context = createContext(true);
  MlirModule module =
      parse(context, "%l = cute.static : !cute.layout<\"(2,4):(1,2)\">");
  Text bytes = {0};
  mlirOperationWriteBytecode(mlirModuleGetOperation(module), appendText,
                             &bytes);
  mlirModuleDestroy(module);
  MlirModule read = cuteModuleParseBytecode(
      context, mlirStringRefCreate(bytes.data, bytes.length), ref("bytes"));
  assert_false(mlirModuleIsNull(read));
  mlirModuleDestroy(read);
  free(bytes.data);
  destroyContext(context);
}

static void takesParameters(void **state) {
  (void)state;
  MlirContext context = createContext(true);
  static const char text[] = "module attributes {cute.parameters = {N = 4}} {\n"
                             "  %l = cute.static : !cute.shape<\"$N\">\n}\n";
  const CuteParameter parameter = {ref("N"), ref("24")};
  MlirModule module =
      cuteModuleParseWith(context, ref(text), ref("memory"), 1, &parameter);
  Text printed = {0};
  cuteOperationPrint(mlirModuleGetOperation(module), (CutePrintOptions){0},
                     appendText, &printed);
  assert_true(hasText(&printed, "!cute.shape<\"24\">"));
  mlirModuleDestroy(module);
  free(printed.data);
  destroyContext(context);
}

static void listsOptionsOfPasses(void **state) {
  (void)state;
  bool found = false;
  for (size_t i = 0; i < cutePassOptionGetNum(); ++i) {
    CutePassOptionInfo option = cutePassOptionGetInfo(i);
    bool isOfPass = false;
    for (size_t k = 0; k < cutePassGetNum(); ++k)
      isOfPass |= !strcmp(cutePassGet(k).argument, option.pass);
    assert_true(isOfPass && *option.summary);
    found |= !strcmp(option.name, "stages");
  }
  assert_true(found);
}

//===-- Tools -------------------------------------------------------------===//

static void runsTools(void **state) {
  (void)state;
  char name[] = "cute-opt", option[] = "-o", path[] = "/dev/null";
  char none[] = "/none/such.mlir";
  char *compile[] = {name, none, NULL},
       *opt[] = {name, none, option, path, NULL};
  assert_int_equal(cutecMain(2, compile), 1);
  assert_int_equal(cuteOptMain(4, opt), 1);
  assert_int_equal(cuteLspMain(2, (char *[]){"cute-lsp", "--none", NULL}), 1);
}

static void simulatesTheDriver(void **state) {
  (void)state;
  assert_non_null(cuteSimulatorFind("cuInit"));
  assert_null(cuteSimulatorFind("cuNoSuchFunction"));
  cuteSimulatorInterrupt(); // of no run
}

static void compilesFilesForTheHost(void **state) {
  (void)state;
  char path[] = "/tmp/cute-api-XXXXXX";
  int fd = mkstemp(path);
  FILE *file = fdopen(fd, "w");
  fputs("func.func @answer() -> i64 {\n"
        "  %c = arith.constant 42 : i64\n  return %c : i64\n}\n",
        file);
  fclose(file);
  const CuteHostFileOptions options = {.size = sizeof options, .arch = "sm_80"};
  CuteHostModule *module = NULL;
  assert_null(cuteHostModuleCreateFromFile(path, &options, &module));
  assert_non_null(cuteHostModuleFind(module, "answer"));
  assert_null(cuteHostModuleFind(module, "question"));
  cuteHostModuleDestroy(module);
  remove(path);
  CuteStatus status = cuteHostModuleCreateFromFile(path, &options, &module);
  assert_non_null(status);
  assert_non_null(strstr(cuteStatusGetMessage(status), path));
  cuteStatusDestroy(status);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(listsArchitectures),
      cmocka_unit_test(describesAtoms),
      cmocka_unit_test(partitionsTiles),
      cmocka_unit_test(readsImages),
      cmocka_unit_test(namesPipelines),
      cmocka_unit_test(putsLayoutsTogether),
      cmocka_unit_test(printsItself),
      cmocka_unit_test(explainsOperations),
      cmocka_unit_test(readsBytecode),
      cmocka_unit_test(takesParameters),
      cmocka_unit_test(listsOptionsOfPasses),
      cmocka_unit_test(runsTools),
      cmocka_unit_test(simulatesTheDriver),
      cmocka_unit_test(compilesFilesForTheHost),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
