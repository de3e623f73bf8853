// Rejects what no architecture can do, before LLVM and ptxas fail at it.
#include "Compile/kernel_checks.h"
#include "Support/suggest.h"

#include <ctype.h>

typedef struct Check {
  CuteDialect *dialect;
  CutePointerMap exported; // MlirIdentifier -> the function of that name
  bool hasKernels;         // of the gpu.module that is looked at
  bool failed;
} Check;

#define FAIL(check, op, ...)                                                   \
  ((check)->failed |= !CUTE_ERROR_AT(op, __VA_ARGS__))

static CuteStringRef nameOf(MlirOperation op) {
  MlirAttribute name = cuteMlirGetAttribute(op, "sym_name");
  return mlirAttributeIsNull(name)
             ? (CuteStringRef){"", 0}
             : fromMlirString(mlirStringAttrGetValue(name));
}

static bool isKernel(MlirOperation function) {
  return cuteMlirHasAttribute(function, "gpu.kernel");
}

//===-- Names -------------------------------------------------------------===//

// PTX ISA, "Identifiers".
static const char *problemOfName(CuteStringRef name) {
  if (!name.length)
    return "the function's name is empty; PTX needs one of letters, digits, "
           "'_' and '$'";
  if (cuteTextStartsWith(name, "llvm."))
    return "the function's name begins with 'llvm.', as only the names of "
           "LLVM's intrinsics do";
  if (isdigit((unsigned char)*name.data))
    return "the function's name begins with a digit; names in PTX begin with "
           "a letter, '_' or '$'";
  for (size_t i = 0; i < name.length; ++i) {
    unsigned char c = (unsigned char)name.data[i];
    if (c >= 128 || !(isalnum(c) || c == '_' || c == '$' || c == '.'))
      return "the function's name has a character that PTX does not have in "
             "names; use letters, digits, '_' and '$'";
  }
  return NULL;
}

static void checkName(Check *check, MlirOperation function) {
  const char *problem = problemOfName(nameOf(function));
  if (problem)
    FAIL(check, function, "%s", problem);
}

// All gpu.modules become one output, from which kernels are called by name;
// other functions are hidden in it unless a module has nothing else.
static void checkUnique(Check *check, MlirOperation function) {
  CuteStringRef name = nameOf(function);
  const void *key =
      mlirIdentifierGet(mlirOperationGetContext(function), toMlirString(name))
          .ptr;
  MlirOperation before = {cutePointerMapGet(&check->exported, key)};
  if (mlirOperationIsNull(before)) {
    cutePointerMapSet(&check->exported, key, function.ptr);
    return;
  }
  CuteStringRef module = nameOf(mlirOperationGetParentOperation(before));
  FAIL(
      check, function,
      "gpu.module @%.*s has a kernel or function @%.*s, too; rename one, since "
      "all gpu.modules become one output",
      CUTE_TEXT(module), CUTE_TEXT(name));
}

//===-- Types -------------------------------------------------------------===//

static MlirType elementOf(MlirType type) {
  if (mlirTypeIsAShaped(type))
    return elementOf(mlirShapedTypeGetElementType(type));
  if (mlirTypeIsAComplex(type))
    return elementOf(mlirComplexTypeGetElementType(type));
  return type;
}

// f80 and f128 are functions of a library that the device does not have.
static void checkValue(Check *check, MlirOperation op, MlirValue value) {
  MlirType type = elementOf(mlirValueGetType(value));
  if (!mlirTypeIsAFloat(type) || mlirFloatTypeGetWidth(type) <= 64)
    return;
  CUTE_SCOPED(String) text = {0};
  mlirTypePrint(type, cuteAppendMlirString, &text);
  check->failed |= !cuteEmitOpError(
      op,
      "has a value of type %s, which GPUs do not compute with; use f64 or f32",
      cuteStringGet(&text));
}

static void checkValues(Check *check, MlirOperation op) {
  CUTE_FOR_RESULTS(result, op)
    checkValue(check, op, result);
  CUTE_FOR_INNER_BLOCKS(block, op)
    for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i)
      checkValue(check, op, mlirBlockGetArgument(block, i));
}

//===-- Attributes --------------------------------------------------------===//

// Rejects an attribute that nothing reads, but whose name is nearly that of one
// by which the author of a kernel says something, without cute.
static void checkAttribute(Check *check, MlirOperation op, CuteStringRef name) {
  static const char *const known[] = {"unroll",      "stages",     "grid",
                                      "cooperative", "parameters", "pdl"};
  CuteSuggestion suggestion = cuteSuggestionBegin(name);
  for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
    cuteSuggestionOffer(&suggestion, cuteStringRef(known[i]));
  if (!suggestion.best.length || !suggestion.distance)
    return;
  check->failed |= !cuteEmitOpError(
      op, "has an attribute cute.%.*s; did you mean 'cute.%.*s'?",
      CUTE_TEXT(name), CUTE_TEXT(suggestion.best));
}

static void checkAttributes(Check *check, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumAttributes(op); ++i) {
    CuteStringRef name = fromMlirString(
        mlirIdentifierStr(mlirOperationGetAttribute(op, i).name));
    if (cuteTextStartsWith(name, "cute."))
      checkAttribute(check, op,
                     (CuteStringRef){name.data + 5, name.length - 5});
  }
}

//===-- Modules -----------------------------------------------------------===//

static void checkFunction(Check *check, MlirOperation function) {
  checkName(check, function);
  if (isKernel(function) || !check->hasKernels)
    checkUnique(check, function);
  if (isKernel(function))
    check->failed |= !cuteCheckLaunch(check->dialect, function);
}

static void forEachFunction(Check *check, MlirOperation gpuModule,
                            void (*function)(Check *, MlirOperation)) {
  MlirBlock body = cuteMlirGetBody(gpuModule, 0);
  if (mlirBlockIsNull(body))
    return;
  CUTE_FOR_OPS(op, body)
    if (cuteMlirIs(op, "gpu.func"))
      function(check, op);
}

static void noteKernel(Check *check, MlirOperation function) {
  check->hasKernels |= isKernel(function);
}

bool cuteCheckKernels(MlirModule module) {
  Check check = {.dialect = cuteDialectLockAt(
                     mlirOperationGetLocation(mlirModuleGetOperation(module)))};
  if (!check.dialect)
    return false;
  CUTE_FOR_OPS(op, mlirModuleGetBody(module)) {
    if (!cuteMlirIs(op, "gpu.module"))
      continue;
    check.hasKernels = false;
    forEachFunction(&check, op, noteKernel);
    forEachFunction(&check, op, checkFunction);
    CUTE_FOR_NESTED(inner, op) {
      checkValues(&check, inner);
      checkAttributes(&check, inner);
      check.failed |= !cuteCheckCounters(check.dialect, inner);
      check.failed |= !cuteCheckAsmConstraints(inner);
    }
  }
  cuteDialectUnlock(check.dialect);
  cutePointerMapDestroy(&check.exported);
  return !check.failed;
}
