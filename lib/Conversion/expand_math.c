// cute-expand-math: functions of the math dialect in gpu.modules become
// arithmetic and instructions, where MLIR would call libdevice. What they
// become is in dialect/math.mlir and dialect/math_nvptx.mlir. Roundings that
// LLVM would leave out are in dialect/rounding.mlir. bf16 vectors become f32 by
// integers.
#include "Conversion/conversion.h"

extern const char cuteMathText[];      // dialect/math.mlir
extern const char cuteMathNvptxText[]; // dialect/math_nvptx.mlir
extern const char cuteRoundingText[];  // dialect/rounding.mlir

enum { NVPTX = 1, NUM_LIBRARIES = 3, MAX_VALUES = 4 };

typedef struct Expander {
  CuteDialect *dialect;
  MlirModule libraries[NUM_LIBRARIES]; // null until there is a use for them
} Expander;

//===-- Functions ---------------------------------------------------------===//

static void loadLibraries(Expander *expander) {
  static const char *const texts[] = {cuteMathText, cuteMathNvptxText,
                                      cuteRoundingText};
  for (size_t i = 0; i < NUM_LIBRARIES; ++i)
    if (mlirModuleIsNull(expander->libraries[i]))
      expander->libraries[i] = mlirModuleCreateParse(expander->dialect->mlir,
                                                     cuteMlirString(texts[i]));
}

// The function of that name, or a null operation. Libraries are searched from
// the first on, and in turn.
static MlirOperation findFrom(Expander *expander, size_t first,
                              MlirStringRef name) {
  loadLibraries(expander);
  for (size_t i = 0; i < NUM_LIBRARIES; ++i) {
    CUTE_FOR_OPS(
        op, mlirModuleGetBody(expander->libraries[(first + i) % NUM_LIBRARIES]))
      if (mlirStringRefEqual(cuteMlirGetSymbol(op), name))
        return op;
  }
  return (MlirOperation){NULL};
}

static MlirOperation findFunction(Expander *expander, MlirStringRef name) {
  return findFrom(expander, 0, name);
}

static MlirValue mapped(const CutePointerMap *map, MlirValue value) {
  return (MlirValue){cutePointerMapGet(map, value.ptr)};
}

static void inlineFunction(Expander *expander, const CuteBuilder *b,
                           MlirOperation function, const MlirValue *arguments,
                           MlirValue *results);

// Repeats an op of a function's body with its operands mapped.
static void inlineOp(Expander *expander, const CuteBuilder *b, MlirOperation op,
                     CutePointerMap *map) {
  MlirValue operands[MAX_VALUES], results[MAX_VALUES];
  intptr_t n = getNumOperands(op);
  for (intptr_t i = 0; i < n; ++i)
    operands[i] = mapped(map, getOperand(op, i));
  if (cuteMlirIs(op, "func.call")) {
    inlineFunction(
        expander, b,
        findFunction(expander, mlirFlatSymbolRefAttrGetValue(
                                   cuteMlirGetAttribute(op, "callee"))),
        operands, results);
  } else {
    MlirOperation copy = mlirOperationClone(op);
    mlirOperationSetOperands(copy, n, operands);
    mlirOperationSetLocation(copy, b->location);
    mlirBlockInsertOwnedOperationBefore(b->block, b->before, copy);
    for (intptr_t i = 0; i < getNumResults(op); ++i)
      results[i] = getResult(copy, i);
  }
  for (intptr_t i = 0; i < getNumResults(op); ++i)
    cutePointerMapSet(map, getResult(op, i).ptr, (void *)results[i].ptr);
}

// The body of a function, which is one block, for these arguments.
static void inlineFunction(Expander *expander, const CuteBuilder *b,
                           MlirOperation function, const MlirValue *arguments,
                           MlirValue *results) {
  CUTE_SCOPED(PointerMap) map = {0};
  MlirBlock body = cuteMlirGetBody(function, 0);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); ++i)
    cutePointerMapSet(&map, mlirBlockGetArgument(body, i).ptr,
                      (void *)arguments[i].ptr);
  MlirOperation op = mlirBlockGetFirstOperation(body);
  for (; !cuteMlirIs(op, "func.return"); op = mlirOperationGetNextInBlock(op))
    inlineOp(expander, b, op, &map);
  for (intptr_t i = 0; i < getNumOperands(op); ++i)
    results[i] = mapped(&map, getOperand(op, i));
}

//===-- Vectors -----------------------------------------------------------===//

static MlirType elementOf(MlirType type) {
  return mlirTypeIsAVector(type) ? mlirShapedTypeGetElementType(type) : type;
}

static MlirValue extract(const CuteBuilder *b, MlirValue vector, int64_t i) {
  return mlirTypeIsAVector(mlirValueGetType(vector))
             ? cuteBuildVectorExtract(b, vector, i)
             : vector;
}

static bool isFlat(MlirType type) {
  return !mlirTypeIsAVector(type) ||
         (mlirShapedTypeGetRank(type) == 1 && !mlirVectorTypeIsScalable(type));
}

// Replaces an op by the function, element by element.
static void expandElements(Expander *expander, MlirOperation op,
                           MlirOperation function) {
  CuteBuilder b = cuteBuilderBefore(op);
  CuteArena *scratch = &expander->dialect->context->scratch;
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(scratch);
  intptr_t numOperands = getNumOperands(op);
  intptr_t numResults = getNumResults(op);
  MlirType type = cuteMlirGetResultType(op, 0);
  bool isVector = mlirTypeIsAVector(type);
  int64_t n = isVector ? mlirShapedTypeGetDimSize(type, 0) : 1;
  MlirValue *elements =
      cuteArenaAllocate(scratch, (size_t)(n * numResults) * sizeof *elements);
  for (int64_t i = 0; i < n; ++i) {
    MlirValue arguments[MAX_VALUES], results[MAX_VALUES];
    for (intptr_t j = 0; j < numOperands; ++j)
      arguments[j] = extract(&b, getOperand(op, j), i);
    inlineFunction(expander, &b, function, arguments, results);
    for (intptr_t j = 0; j < numResults; ++j)
      elements[j * n + i] = results[j];
  }
  for (intptr_t j = 0; j < numResults; ++j)
    cuteMlirReplace(op, j,
                    isVector
                        ? cuteBuildResult(&b, "vector.from_elements", (size_t)n,
                                          elements + j * n, type)
                        : elements[j]);
  mlirOperationDestroy(op);
}

//===-- Choosing ----------------------------------------------------------===//

// @NAME.TYPE.fast, if that is allowed, or @NAME.TYPE, by instructions of the
// device if there are some, or a null operation.
static MlirOperation chooseFunction(Expander *expander, MlirOperation op,
                                    const char *name, const char *type) {
  MlirOperation function = {NULL};
  CUTE_SCOPED(String) symbol = {0};
  cuteStringAppendFormat(&symbol, "%s.%s.fast", name, type);
  if (cuteMlirIsFast(op))
    function = findFunction(expander, cuteMlirText(&symbol));
  if (mlirOperationIsNull(function))
    function = findFrom(
        expander, NVPTX,
        mlirStringRefCreate(symbol.data, symbol.length - strlen(".fast")));
  return function;
}

// Ops on floats that LLVM has instructions for, and its intrinsics. MLIR would
// make calls of libdevice of some and comparisons of others.
static const struct {
  const char *name, *intrinsic;
} intrinsics[] = {
    {"math.absf", "llvm.fabs"},         {"math.ceil", "llvm.ceil"},
    {"math.copysign", "llvm.copysign"}, {"math.exp2", "llvm.exp2"},
    {"math.floor", "llvm.floor"},       {"math.fma", "llvm.fma"},
    {"math.round", "llvm.round"},       {"math.roundeven", "llvm.roundeven"},
    {"math.sqrt", "llvm.sqrt"},         {"math.trunc", "llvm.trunc"},
    {"arith.maximumf", "llvm.maximum"}, {"arith.maxnumf", "llvm.maxnum"},
    {"arith.minimumf", "llvm.minimum"}, {"arith.minnumf", "llvm.minnum"}};

static const char *intrinsicOf(MlirOperation op) {
  for (size_t i = 0; i < sizeof intrinsics / sizeof *intrinsics; ++i)
    if (cuteMlirIs(op, intrinsics[i].name))
      return intrinsics[i].intrinsic;
  return NULL;
}

// The intrinsic for the op on floats of a type, or null. For exp2 there is a
// function in f64 and of f32 where that may approximate, and narrow floats are
// widened where not.
static const char *findIntrinsic(MlirOperation op, MlirType element) {
  bool isFunction = cuteMlirIs(op, "math.exp2") &&
                    (mlirTypeIsAF64(element) ||
                     cuteMlirIsFast(op) == mlirTypeIsAF32(element));
  return isFunction ? NULL : intrinsicOf(op);
}

static void replaceByIntrinsic(MlirOperation op, const char *intrinsic) {
  CuteBuilder b = cuteBuilderBefore(op);
  size_t n = (size_t)getNumOperands(op);
  MlirValue operands[MAX_VALUES];
  MlirType type = cuteMlirGetResultType(op, 0);
  for (size_t i = 0; i < n; ++i)
    operands[i] = getOperand(op, (intptr_t)i);
  MlirValue result = cuteBuildIntrinsic(&b, intrinsic, n, operands, type);
  if (cuteMlirIsFast(op))
    cuteMlirSetAttribute(mlirOpResultGetOwner(result), "fastmathFlags",
                         cuteParsedAttr(&b, "#llvm.fastmath<afn>"));
  cuteMlirReplace(op, 0, result);
  mlirOperationDestroy(op);
}

// |x| of integers: the larger of x and -x.
static void replaceAbs(MlirOperation op) {
  CuteBuilder b = cuteBuilderBefore(op);
  MlirValue x = getOperand(op, 0);
  MlirType type = mlirValueGetType(x);
  MlirValue zero = cuteBuildResult(&b, "llvm.mlir.zero", 0, NULL, type);
  MlirValue minus = subi(&b, zero, x);
  cuteMlirReplace(op, 0, cuteBuildBinary(&b, "arith.maxsi", x, minus));
  mlirOperationDestroy(op);
}

static bool failExpand(MlirOperation op) {
  MlirType element = elementOf(cuteMlirGetOperandType(op, 0));
  const char *hint =
      mlirTypeIsAF64(element) ? "compute in f32 (arith.truncf), or " : "";
  CUTE_SCOPED(String) type = {0};
  mlirTypePrint(cuteMlirGetResultType(op, 0), cuteAppendMlirString, &type);
  return CUTE_ERROR_AT(
      op,
      "'%s' op on %s has no instruction on the device and no expansion, and "
      "libdevice is not used; %swrite it with other functions of arith and "
      "math, on scalars or vectors of rank 1",
      cuteMlirGetName(op).data, cuteStringGet(&type), hint);
}

static bool failRounding(MlirOperation op, const char *mode) {
  CUTE_SCOPED(String) type = {0};
  mlirTypePrint(cuteMlirGetResultType(op, 0), cuteAppendMlirString, &type);
  return CUTE_ERROR_AT(
      op,
      "'arith.truncf' op rounds %s from f32 to f16 or bf16 and from f64 to "
      "f16, bf16 or f32, scalars or vectors of rank 1; not to %s",
      mode, cuteStringGet(&type));
}

//===-- Conversions -------------------------------------------------------===//

// Names by the numbers of arith::RoundingMode.
static const char *const roundings[] = {"to_nearest_even", "downward", "upward",
                                        "toward_zero", "to_nearest_away"};

// The rounding mode that an arith.truncf names; 0 if it names none.
static int64_t roundingOf(MlirOperation op) {
  return cuteMlirGetInteger(op, "roundingmode");
}

// Conversions that LLVM has not, or rounds otherwise. The mode to the nearest
// even is that of an op without one, which LLVM takes more of.
// bf16 to f32, two of a vector at a time: each is the upper half of a word.
static bool widensHalves(MlirOperation op) {
  MlirType from = {NULL};
  return cuteMlirIs(op, "arith.extf") &&
         mlirTypeIsAVector(from = cuteMlirGetOperandType(op, 0)) &&
         mlirTypeIsABF16(elementOf(from)) && isFlat(from) &&
         mlirShapedTypeGetDimSize(from, 0) % 2 == 0 &&
         mlirTypeIsAF32(elementOf(cuteMlirGetResultType(op, 0)));
}

// LLVM would move an upper half down before it moves it up.
static void widenHalves(CuteDialect *dialect, MlirOperation op) {
  CuteBuilder b = cuteBuilderBefore(op);
  MlirType type = cuteMlirGetResultType(op, 0), f32 = elementOf(type);
  int64_t n = mlirShapedTypeGetDimSize(type, 0), numWords = n / 2;
  MlirValue words =
      cuteBuildUnary(&b, "vector.bitcast", getOperand(op, 0),
                     mlirVectorTypeGet(1, &numWords, cuteIntType(&b, 32)));
  CuteArena *scratch = &dialect->context->scratch;
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(scratch);
  MlirValue *elements =
      cuteArenaAllocate(scratch, (size_t)n * sizeof *elements);
  for (int64_t i = 0; i < n; ++i) {
    MlirValue word = cuteBuildVectorExtract(&b, words, i / 2);
    word = i % 2 ? andiWith(&b, word, -65536) : shliWith(&b, word, 16);
    elements[i] = cuteBuildUnary(&b, "arith.bitcast", word, f32);
  }
  cuteMlirReplace(
      op, 0,
      cuteBuildResult(&b, "vector.from_elements", (size_t)n, elements, type));
  mlirOperationDestroy(op);
}

static bool isConversion(CuteDialect *dialect, MlirOperation op) {
  bool rounds = cuteMlirIs(op, "arith.truncf");
  if (rounds && !roundingOf(op))
    mlirOperationRemoveAttributeByName(op, cuteMlirString("roundingmode"));
  return (rounds && roundingOf(op)) || widensHalves(op) ||
         cuteConvertsSmallFloats(dialect, op);
}

// @truncf.MODE.FROM.TO where a mode is named.
static bool expandConversion(Expander *expander, MlirOperation op) {
  MlirType types[] = {elementOf(cuteMlirGetOperandType(op, 0)),
                      elementOf(cuteMlirGetResultType(op, 0))};
  int64_t mode = roundingOf(op);
  if (widensHalves(op)) {
    widenHalves(expander->dialect, op);
    return true;
  }
  if (!mode && !cuteExpandSmallFloats(expander->dialect, op))
    return failExpand(op);
  if (!mode) {
    mlirOperationDestroy(op);
    return true;
  }
  CUTE_SCOPED(String) symbol = {0};
  cuteStringAppendFormat(&symbol, "truncf.%s", roundings[mode]);
  for (size_t i = 0; i < 2; ++i) {
    cuteStringAppend(&symbol, ".");
    mlirTypePrint(types[i], cuteAppendMlirString, &symbol);
  }
  MlirOperation function = findFunction(expander, cuteMlirText(&symbol));
  if (mlirOperationIsNull(function) || !isFlat(cuteMlirGetResultType(op, 0)))
    return failRounding(op, roundings[mode]);
  expandElements(expander, op, function);
  return true;
}

//===-- Narrow floats -----------------------------------------------------===//

static MlirType withElement(MlirType type, MlirType element) {
  int64_t n = mlirTypeIsAVector(type) ? mlirShapedTypeGetDimSize(type, 0) : 0;
  return n ? mlirVectorTypeGet(1, &n, element) : element;
}

// Replaces an op on f16 or bf16 by the same on f32, which is returned.
static MlirOperation widen(MlirOperation op) {
  CuteBuilder b = cuteBuilderBefore(op);
  MlirType narrow = cuteMlirGetResultType(op, 0);
  MlirType wide =
      withElement(cuteMlirGetOperandType(op, 0), mlirF32TypeGet(b.context));
  MlirValue operands[MAX_VALUES];
  MlirType types[] = {wide, wide};
  bool isTest = mlirTypeIsAInteger(elementOf(narrow)); // as of isnan
  if (isTest)
    types[0] = narrow;
  size_t numOperands = (size_t)getNumOperands(op);
  size_t numResults = (size_t)getNumResults(op);
  for (size_t i = 0; i < numOperands; ++i)
    operands[i] =
        cuteBuildUnary(&b, "arith.extf", getOperand(op, (intptr_t)i), wide);
  MlirOperation result = CUTE_BUILD(
      &b, cuteMlirGetName(op).data, .numOperands = numOperands,
      .operands = operands, .numResults = numResults, .results = types,
      CUTE_ATTRIBUTES({"fastmath", cuteMlirGetAttribute(op, "fastmath")}));
  for (size_t i = 0; i < numResults; ++i) {
    MlirValue value = getResult(result, (intptr_t)i);
    cuteMlirReplace(op, (intptr_t)i,
                    isTest ? value
                           : cuteBuildUnary(&b, "arith.truncf", value, narrow));
  }
  mlirOperationDestroy(op);
  return result;
}

//===-- The pass ----------------------------------------------------------===//

// The function's name has that of the type, which is "" where there is none.
static bool expandByFunction(Expander *expander, MlirOperation op,
                             const char *type) {
  const char *name = strchr(cuteMlirGetName(op).data, '.') + 1;
  MlirOperation function = chooseFunction(expander, op, name, type);
  if (mlirOperationIsNull(function))
    return failExpand(op);
  expandElements(expander, op, function);
  return true;
}

static const char *integerName(MlirType type) {
  unsigned width = mlirTypeIsAInteger(type) ? mlirIntegerTypeGetWidth(type) : 0;
  return width == 32 ? "i32" : width == 64 ? "i64" : "";
}

static bool expandMath(Expander *expander, MlirOperation op) {
  if (isConversion(expander->dialect, op))
    return expandConversion(expander, op);
  MlirType type = cuteMlirGetOperandType(op, 0);
  MlirType element = elementOf(type);
  if (cuteMlirIs(op, "math.absi") && isFlat(type)) {
    replaceAbs(op);
    return true;
  }
  if (!isFlat(type))
    return failExpand(op);
  if (!mlirTypeIsAFloat(element))
    return expandByFunction(expander, op, integerName(element));
  const char *intrinsic = findIntrinsic(op, element);
  if (intrinsic) {
    replaceByIntrinsic(op, intrinsic);
    return true;
  }
  if (mlirTypeIsAF16(element) || mlirTypeIsABF16(element))
    return expandMath(expander, widen(op));
  return expandByFunction(expander, op,
                          mlirTypeIsAF32(element)   ? "f32"
                          : mlirTypeIsAF64(element) ? "f64"
                                                    : "");
}

// Ops of math that MLIR would lower to calls of libdevice, and all ops of
// arith.
static bool isToExpand(CuteDialect *dialect, MlirOperation op) {
  if (CUTE_IS_ANY(op, "math.ctlz", "math.ctpop", "math.cttz"))
    return false;
  return intrinsicOf(op) || !strncmp(cuteMlirGetName(op).data, "math.", 5) ||
         cuteMlirIs(op, "arith.remf") || isConversion(dialect, op);
}

bool cuteMathIsLong(MlirOperation op) {
  MlirType type =
      getNumOperands(op) ? cuteMlirGetOperandType(op, 0) : (MlirType){NULL};
  if (strncmp(cuteMlirGetName(op).data, "math.", 5) ||
      !mlirTypeIsAFloat(elementOf(type)) || findIntrinsic(op, elementOf(type)))
    return false;
  return !cuteMlirIsFast(op) ||
         !CUTE_IS_ANY(op, "math.exp", "math.exp2", "math.rsqrt", "math.log",
                      "math.log2");
}

// Replaces all ops to be expanded now; their expansions may have
// to be expanded, too. Sets the number of ops replaced.
static bool expandRound(Expander *expander, MlirOperation module,
                        size_t *count) {
  CuteOps found = {0};
  CUTE_FOR_NESTED(op, module)
    if (isToExpand(expander->dialect, op))
      cuteOpsPush(&found, op);
  bool ok = true;
  for (size_t i = 0; ok && i < found.count; ++i)
    ok = expandMath(expander, found.data[i]);
  *count = found.count;
  return ok;
}

static bool expandModule(CuteDialect *dialect, MlirOperation module) {
  Expander expander = {.dialect = dialect};
  size_t count = 1;
  bool ok = true;
  while (ok && count)
    ok = expandRound(&expander, module, &count);
  for (size_t i = 0; i < NUM_LIBRARIES; ++i)
    if (!mlirModuleIsNull(expander.libraries[i]))
      mlirModuleDestroy(expander.libraries[i]);
  return ok;
}

bool cuteRunExpandMath(const CutePass *pass) {
  pass->dialect->arch = cutePassGetArch(pass);
  bool ok = cuteFunctionForEach(pass->dialect, pass->root, "gpu.module",
                                expandModule);
  pass->dialect->arch = NULL;
  return ok;
}
