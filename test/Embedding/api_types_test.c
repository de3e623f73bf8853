// Types as values of a program's own context: made by their parts, read from
// text, turned into MLIR's and back, all the same handle.
#include "embed.h"

static CuteLayout layout(CuteContext c, const char *text) {
  return cuteLayoutParse(c, cuteStringRef(text));
}

static CuteIntTuple tuple(CuteContext c, const char *text) {
  return cuteIntTupleParse(c, cuteStringRef(text), CUTE_SYNTAX_SHAPE);
}

static void appendPiece(CuteStringRef piece, void *userData) {
  appendText(mlirStringRefCreate(piece.data, piece.length), userData);
}

static const CuteMmaAtom *findMma(void) {
  return cuteMmaAtomFind(cuteStringRef("SM80_16x8x16_F32F16F16F32_TN"));
}

static const CuteCopyAtom *findCopy(const char *name) {
  return cuteCopyAtomFind(cuteStringRef(name));
}

static CuteTmaAtom makeTma(CuteContext c) {
  return cuteTmaAtomMake(c, findCopy("SM90_TMA_LOAD"), CUTE_ELEMENT_F16,
                         tuple(c, "(256,128)"), layout(c, "(64,64):(64,1)"),
                         cuteTileParse(c, cuteStringRef("[64:1;64:1]")), 1);
}

static CutePipeline makePipeline(void) {
  return (CutePipeline){.kind = CUTE_PIPE_TMA,
                        .agent = CUTE_AGENT_WARPGROUP,
                        .stages = 4,
                        .producers = 1,
                        .consumers = 2,
                        .bytes = 16384};
}

enum { MAX_TYPES = 32 };

// One type of each kind, made by its parts.
static size_t makeAll(CuteContext c, CuteType types[MAX_TYPES]) {
  const CuteTiledMma mma = {
      findMma(), layout(c, "(2,2,1):(1,2,0)"),
      cuteTileParse(c, cuteStringRef("[32:1;32:1;16:1]"))};
  const CuteTiledCopy copy = cuteTiledCopyGet(
      c, findCopy("UniversalCopy<uint128_t>"), CUTE_ELEMENT_F16,
      layout(c, "(16,8):(8,1)"), layout(c, "(1,8):(0,1)"));
  const CuteType all[] = {
      cuteTypeGetTuple(c, CUTE_TYPE_INT_TUPLE, tuple(c, "(4,?)")),
      cuteTypeGetTuple(c, CUTE_TYPE_SHAPE, tuple(c, "(4,(2,8))")),
      cuteTypeGetTuple(c, CUTE_TYPE_STRIDE, tuple(c, "(8,1)")),
      cuteTypeGetTuple(c, CUTE_TYPE_COORD, tuple(c, "(3,?)")),
      cuteTypeGetTile(c, cuteTileParse(c, cuteStringRef("[4:1;8:2]"))),
      cuteTypeGetLayout(c, layout(c, "(4,?):(1,4)")),
      cuteTypeGetLayout(c, cuteComposedLayoutParse(
                               c, cuteStringRef("S<2,3,3> o 0 o (8,8):(8,1)"))),
      cuteTypeGetSwizzle(c, (CuteSwizzle){3, 4, 3}),
      cuteTypeGetPointer(c, CUTE_ELEMENT_F32, CUTE_GMEM, 16),
      cuteTypeGetSwizzledPointer(c, CUTE_ELEMENT_F16, CUTE_SMEM, 1024,
                                 (CuteSwizzle){3, 4, 3}),
      cuteTypeGetTensor(c, CUTE_ELEMENT_F16, CUTE_GMEM, 16,
                        layout(c, "(?,?{div=8}):(?{i64 div=8},1)")),
      cuteTypeGetCoordTensor(c, tuple(c, "(0,0)"),
                             layout(c, "(128,64):(1@0,1@1)")),
      cuteTypeGetMmaAtom(c, findMma()),
      cuteTypeGetCopyAtom(c, findCopy("SM75_U32x4_LDSM_N"), CUTE_ELEMENT_F16),
      cuteTypeGetTiledMma(c, mma),
      cuteTypeGetTiledCopy(c, copy),
      cuteTypeGetTmaAtom(c, makeTma(c)),
      cuteTypeGetPipeline(c, makePipeline()),
      cuteTypeGetPipelineState(c, CUTE_ROLE_CONSUMER, 4),
      cuteTypeGetForeign(c, cuteStringRef("vector<4xf32>")),
  };
  memcpy(types, all, sizeof all);
  return sizeof all / sizeof *all;
}

static void printsAndReadsAllKinds(void **state) {
  (void)state;
  CuteContext c = cuteContextCreate();
  CuteType types[MAX_TYPES];
  size_t n = makeAll(c, types), length;
  assert_int_equal(n, CUTE_NUM_TYPE_KINDS + 2); // two pointers, one foreign
  for (size_t i = 0; i < n; ++i)
    for (int form = CUTE_FORM_PRETTY; form <= CUTE_FORM_GENERIC; ++form) {
      assert_non_null(types[i]);
      Text text = {0};
      cuteTypePrint(types[i], (CuteTypeForm)form, appendPiece, &text);
      assert_ptr_equal(cuteTypeParse(c, cuteStringRef(text.data)), types[i]);
      appendText(ref(", i32"), &text);
      assert_ptr_equal(
          cuteTypeParsePrefix(c, cuteStringRef(text.data), &length), types[i]);
      assert_int_equal(length, text.length - 5);
      free(text.data);
    }
  cuteContextDestroy(c);
}

static void goesToMlirAndBack(void **state) {
  (void)state;
  MlirContext context = createContext(true);
  MlirLocation location = mlirLocationUnknownGet(context);
  CuteContext c = cuteContextCreate(), other = cuteContextCreate();
  CuteType types[MAX_TYPES], others[MAX_TYPES];
  size_t n = makeAll(c, types);
  makeAll(other, others);
  for (size_t i = 0; i < n; ++i) {
    MlirType type = cuteTypeToMlir(location, types[i]);
    assert_false(mlirTypeIsNull(type));
    assert_ptr_equal(cuteTypeFromMlir(c, type), types[i]);
    assert_ptr_equal(cuteTypeFromMlir(other, type), others[i]);
    assert_true(mlirTypeEqual(cuteTypeToMlir(location, others[i]), type));
  }
  cuteContextDestroy(other);
  cuteContextDestroy(c);
  destroyContext(context);
}

static void refusesOtherTypes(void **state) {
  (void)state;
  MlirContext context = createContext(true);
  MlirLocation location = mlirLocationUnknownGet(context);
  Text text = {0};
  cuteDiagnosticHandlerAttach(context, collect, &text);
  CuteContext c = cuteContextCreate();
  assert_true(mlirTypeIsNull(cuteTypeToMlir(location, NULL)));
  assert_null(text.data);
  CuteType unknown = cuteTypeGetForeign(c, cuteStringRef("!none.such"));
  assert_true(mlirTypeIsNull(cuteTypeToMlir(location, unknown)));
  assert_true(hasText(&text, "'!none.such' is not a type"));
  // IRDL takes any text for a parameter.
  MlirType odd = mlirTypeParseGet(context, ref("!cute.layout<\"4\">"));
  assert_null(cuteTypeFromMlir(c, odd));
  assert_string_equal(cuteContextGetError(c),
                      "type 'cute.layout<\"4\">' is not in canonical spelling; "
                      "write !cute.layout<\"4:1\">");
  assert_null(cuteTypeFromMlir(c, (MlirType){NULL}));
  assert_string_equal(cuteContextGetError(c), "the MLIR type is null");
  MlirType inside = mlirTypeParseGet(context, ref("tuple<!cute.shape<\"(\">>"));
  assert_false(mlirTypeIsNull(inside));
  assert_null(cuteTypeFromMlir(c, inside));
  cuteDiagnosticHandlerDetach(context);
  cuteContextDestroy(c);
  free(text.data);
  destroyContext(context);
}

static void hasParts(void **state) {
  (void)state;
  CuteContext c = cuteContextCreate();
  CuteType types[MAX_TYPES], pointer = NULL;
  size_t n = makeAll(c, types);
  for (size_t i = 0; i < n; ++i) {
    CuteTypeKind kind;
    const char *name = cuteTypeKindGetName(cuteTypeGetKind(types[i]));
    if (cuteTypeGetKind(types[i]) == CUTE_TYPE_FOREIGN)
      continue;
    assert_true(cuteTypeKindFind(cuteStringRef(name), &kind));
    assert_int_equal(kind, cuteTypeGetKind(types[i]));
    pointer = kind == CUTE_TYPE_PTR ? types[i] : pointer;
  }
  CuteSwizzle swizzle = cuteTypeGetSwizzleValue(pointer);
  assert_int_equal(swizzle.bits, 3);
  assert_int_equal(cuteTypeGetElement(pointer), CUTE_ELEMENT_F16);
  assert_int_equal(cuteTypeGetSpace(pointer), CUTE_SMEM);
  assert_int_equal(cuteTypeGetAlign(pointer), 1024);
  assert_false(cuteTypeKindFind(cuteStringRef("none"), &(CuteTypeKind){0}));
  assert_ptr_equal(cuteTypeGetIntTuple(types[0]), tuple(c, "(4,?)"));
  assert_int_equal(cuteTypeGetNumDynamic(types[0]), 1);
  assert_false(cuteTypeIsStatic(types[0]));
  assert_true(cuteTypeIsStatic(types[1]));
  assert_ptr_equal(cuteTypeGetTileValue(types[4]),
                   cuteTileParse(c, cuteStringRef("[4:1;8:2]")));
  assert_ptr_equal(cuteTypeGetLayoutValue(types[5]), layout(c, "(4,?):(1,4)"));
  assert_ptr_equal(cuteTypeGetMmaAtomValue(types[12]), findMma());
  assert_ptr_equal(cuteTypeGetTiledMmaValue(types[14]).atomLayout,
                   layout(c, "(2,2,1):(1,2,0)"));
  assert_ptr_equal(cuteTypeGetTiledCopyValue(types[13]).atom,
                   findCopy("SM75_U32x4_LDSM_N"));
  assert_ptr_equal(cuteTypeGetTmaAtomValue(types[16]).box, makeTma(c).box);
  assert_null(cuteTypeGetTmaAtomValue(types[0]).values);
  assert_int_equal(cuteTypeGetPipelineValue(types[17]).bytes, 16384);
  assert_int_equal(cuteTypeGetPipelineRole(types[18]), CUTE_ROLE_CONSUMER);
  assert_int_equal(cuteTypeGetForeignText(types[19]).length, 13);
  cuteContextDestroy(c);
}

static void readsParameters(void **state) {
  (void)state;
  CuteContext c = cuteContextCreate();
  size_t length;
  CuteType type = cuteTypeParseParameters(
      c, CUTE_TYPE_PTR, cuteStringRef("<f16, gmem, align<16>> to"), &length);
  assert_ptr_equal(type,
                   cuteTypeGetPointer(c, CUTE_ELEMENT_F16, CUTE_GMEM, 16));
  assert_int_equal(length, 22);
  assert_null(
      cuteTypeParse(c, cuteStringRef("!cute.ptr<f16, gmem, align<3>>")));
  assert_non_null(strstr(cuteContextGetError(c), "power of two"));
  cuteContextDestroy(c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(printsAndReadsAllKinds),
      cmocka_unit_test(goesToMlirAndBack),
      cmocka_unit_test(refusesOtherTypes),
      cmocka_unit_test(hasParts),

      cmocka_unit_test(readsParameters),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
