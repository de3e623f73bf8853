// cute-to-host: what functions on the host ask of libcute-run becomes calls of
// it (docs/abi.md): launches of kernels and assertions that fail.
#include "Conversion/conversion.h"
#include "Support/host_abi.h"

#include <mlir-c/Dialect/LLVM.h>

// An attribute of a launch: the kernel's number in the module.
#define KERNEL_NUMBER "cute.kernel_number"

//===-- Numbers of kernels ------------------------------------------------===//

static bool numberLaunch(const CuteOps *kernels, MlirOperation launch) {
  MlirContext context = mlirOperationGetContext(launch);
  size_t i = 0;
  while (i < kernels->count && !cuteMlirIsLaunched(kernels->data[i], launch))
    ++i;
  if (i == kernels->count)
    return cuteEmitOpError(
        launch, "launches a function that is not a kernel of this module");
  cuteMlirSetAttribute(
      launch, KERNEL_NUMBER,
      mlirIntegerAttrGet(mlirIntegerTypeGet(context, 32), (int64_t)i));
  return true;
}

// Launches get the numbers of their kernels, in the order of the manifest.
// These go with their modules.
static bool takeKernels(MlirOperation root) {
  CuteOps modules = cuteOpsFind(root, "gpu.module"), kernels = {0};
  bool ok = true;
  CUTE_FOR_NESTED(op, root)
    if (cuteMlirIs(op, "gpu.func") && cuteMlirHasAttribute(op, "gpu.kernel"))
      cuteOpsPush(&kernels, op);
  CUTE_FOR_NESTED(op, root)
    if (ok && cuteMlirIs(op, "gpu.launch_func"))
      ok = numberLaunch(&kernels, op);
  for (size_t i = 0; ok && i < modules.count; ++i)
    mlirOperationDestroy(modules.data[i]);
  return ok;
}

bool cuteRunToHost(const CutePass *pass) {
  return takeKernels(pass->root) &&
         cuteConvertToBase(pass->dialect, pass->root, true);
}

//===-- Memory for a call -------------------------------------------------===//

// Stack memory for values of a type, in the function's first block, so that a
// loop takes it once.
static MlirValue allocate(CuteLowering *lowering, MlirType type, size_t count) {
  CuteBuilder b =
      cuteBuilderAtStart(lowering->entry, lowering->builder.location);
  MlirValue n = cuteBuildInt(&b, 64, (int64_t)count);
  MlirType pointer = cuteParsedType(&b, "!llvm.ptr");
  return CUTE_BUILD_VALUE(
      &b, "llvm.alloca", CUTE_OPERANDS(n), CUTE_RESULTS(pointer),
      CUTE_ATTRIBUTES({"elem_type", mlirTypeAttrGet(type)},
                      {"alignment", cuteIntAttr(&b, 64, 16)}));
}

// Entry i of an array of words.
static MlirValue wordAt(const CuteBuilder *b, MlirValue array, size_t i) {
  MlirType pointer = cuteParsedType(b, "!llvm.ptr");
  int32_t index = (int32_t)i;
  return CUTE_BUILD_VALUE(
      b, "llvm.getelementptr", CUTE_OPERANDS(array), CUTE_RESULTS(pointer),
      CUTE_ATTRIBUTES(
          {"elem_type", mlirTypeAttrGet(cuteIntType(b, 64))},
          {"rawConstantIndices", mlirDenseI32ArrayGet(b->context, 1, &index)}));
}

// An integer or index as 64 bits.
static MlirValue widen(const CuteBuilder *b, MlirValue value) {
  MlirType type = mlirValueGetType(value), i64 = cuteIntType(b, 64);
  if (mlirTypeIsAIndex(type))
    return cuteBuildUnary(b, "arith.index_cast", value, i64);
  return cuteBuildCast(b, "arith.extsi", value, i64);
}

//===-- Operands of a launch ----------------------------------------------===//

// Segments of gpu.launch_func's operands.
enum {
  TOKENS,
  SIZES,
  SHARED = SIZES + CUTE_HOST_SHARED,
  ARGUMENTS,
  STREAM,
  NUM_SEGMENTS
};

typedef struct Launch {
  MlirOperation op;
  int32_t starts[NUM_SEGMENTS + 1];
} Launch;

static Launch readLaunch(MlirOperation op) {
  Launch launch = {.op = op};
  MlirAttribute sizes = cuteMlirGetAttribute(op, "operandSegmentSizes");
  for (int i = 0; i < NUM_SEGMENTS; ++i)
    launch.starts[i + 1] =
        launch.starts[i] + mlirDenseI32ArrayGetElement(sizes, i);
  return launch;
}

static bool isGiven(const Launch *launch, int segment) {
  return launch->starts[segment + 1] > launch->starts[segment];
}

static MlirValue operandOf(const Launch *launch, int segment) {
  return getOperand(launch->op, launch->starts[segment]);
}

// The values that a kernel takes for an operand, as docs/abi.md has them.
static bool pushParts(CuteLowering *lowering, MlirValue operand,
                      MlirValue *values, size_t *count) {
  CuteContext c = lowering->context;
  if (!cuteDialectHasType(lowering->dialect, mlirValueGetType(operand))) {
    values[(*count)++] = operand;
    return true;
  }
  const CuteLowered *lowered = cuteLoweringGet(lowering, operand);
  if (!lowered)
    return cuteFail(c, "an operand is defined by an operation that cannot be "
                       "lowered");
  if (cuteTypeHasPointer(lowered->type))
    values[(*count)++] = cuteLoweringGetBytePointer(lowering, *lowered);
  size_t n = cuteTypeGetNumDynamic(lowered->type);
  CuteIntTuple *leaves = cuteScratch(c, (n + 1) * sizeof *leaves);
  cuteTypeGetDynamicLeaves(lowered->type, leaves);
  for (size_t i = 0; i < n; ++i)
    values[(*count)++] = cuteLoweringGetInteger(lowering, leaves[i], 0);
  return !lowering->failed;
}

static size_t countParts(CuteLowering *lowering, const Launch *launch) {
  size_t n = 0;
  for (int32_t i = launch->starts[ARGUMENTS]; i < launch->starts[STREAM]; ++i) {
    MlirType type = cuteMlirGetOperandType(launch->op, i);
    CuteType found = cuteDialectGetType(lowering->dialect, type);
    n += found && found->kind != CUTE_TYPE_FOREIGN
             ? cuteTypeGetNumDynamic(found) + 1
             : 1;
  }
  return n;
}

// An array of pointers to the kernel's parameters.
static bool storeArguments(CuteLowering *lowering, const Launch *launch,
                           MlirValue *array) {
  const CuteBuilder *b = &lowering->builder;
  size_t count = 0;
  MlirValue *values = cuteScratch(
      lowering->context, (countParts(lowering, launch) + 1) * sizeof *values);
  for (int32_t i = launch->starts[ARGUMENTS]; i < launch->starts[STREAM]; ++i)
    if (!pushParts(lowering, getOperand(launch->op, i), values, &count))
      return false;
  *array = allocate(lowering, cuteIntType(b, 64), count + 1);
  for (size_t i = 0; i < count; ++i) {
    MlirType type = mlirValueGetType(values[i]);
    bool isIndex = mlirTypeIsAIndex(type);
    MlirValue place =
        allocate(lowering, isIndex ? cuteIntType(b, 64) : type, 1);
    cuteLoweringStore(lowering, isIndex ? widen(b, values[i]) : values[i],
                      place, 1);
    cuteLoweringStore(lowering, place, wordAt(b, *array, i), 8);
  }
  return true;
}

//===-- Launches ----------------------------------------------------------===//

static int64_t flagsOf(const Launch *launch) {
  static const struct {
    const char *name;
    int64_t flag;
  } rows[] = {{"cute.pdl", CUTE_HOST_PDL},
              {"cute.cooperative", CUTE_HOST_COOPERATIVE},
              {"cute.persistent", CUTE_HOST_PERSISTENT}};
  int64_t flags = 0;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    if (cuteMlirHasAttribute(launch->op, rows[i].name))
      flags |= rows[i].flag;
  return flags;
}

// A stream is a pointer or an integer of 64 bits.
static MlirValue streamOf(const CuteBuilder *b, const Launch *launch) {
  if (!isGiven(launch, STREAM))
    return cuteBuildInt(b, 64, 0);
  MlirValue stream = operandOf(launch, STREAM);
  return mlirTypeIsAInteger(mlirValueGetType(stream))
             ? widen(b, stream)
             : cuteBuildUnary(b, "llvm.ptrtoint", stream, cuteIntType(b, 64));
}

// The words of the launch, in the order of CuteHostWord.
static MlirValue storeShape(CuteLowering *lowering, const Launch *launch) {
  const CuteBuilder *b = &lowering->builder;
  MlirValue array = allocate(lowering, cuteIntType(b, 64), CUTE_HOST_WORDS);
  for (int i = 0; i <= CUTE_HOST_SHARED; ++i) {
    MlirValue word = isGiven(launch, SIZES + i)
                         ? widen(b, operandOf(launch, SIZES + i))
                         : cuteBuildInt(b, 64, 0);
    cuteLoweringStore(lowering, word, wordAt(b, array, (size_t)i), 8);
  }
  cuteLoweringStore(lowering, cuteBuildInt(b, 64, flagsOf(launch)),
                    wordAt(b, array, CUTE_HOST_FLAGS), 8);
  cuteLoweringStore(lowering, streamOf(b, launch),
                    wordAt(b, array, CUTE_HOST_STREAM), 8);
  return array;
}

static bool checkLaunch(CuteContext c, const Launch *launch) {
  if (isGiven(launch, TOKENS) || getNumResults(launch->op))
    return cuteFail(c,
                    "waits for a token or gives one; give a stream, as in "
                    "gpu.launch_func <%%stream : !llvm.ptr> @module::@kernel");
  if (!isGiven(launch, STREAM))
    return true;
  MlirType type = mlirValueGetType(operandOf(launch, STREAM));
  return mlirTypeIsALLVMPointerType(type) ||
         (mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) == 64) ||
         cuteFail(c, "takes an i64 or !llvm.ptr as its stream");
}

static bool lowerLaunch(CuteLowering *lowering, MlirOperation op) {
  const CuteBuilder *b = &lowering->builder;
  Launch launch = readLaunch(op);
  MlirAttribute number = cuteMlirGetAttribute(op, KERNEL_NUMBER);
  MlirValue arguments;
  if (!checkLaunch(lowering->context, &launch) ||
      !storeArguments(lowering, &launch, &arguments))
    return false;
  MlirValue operands[] = {
      cuteBuildInt(b, 32, mlirIntegerAttrGetValueInt(number)),
      storeShape(lowering, &launch), arguments};
  return cuteLoweringCallHost(lowering, "cuteHostLaunch",
                              "!llvm.func<void (i32, ptr, ptr)>", 3, operands);
}

//===-- Assertions --------------------------------------------------------===//

// Appends text as a format that prints it.
static void appendEscaped(CuteString *format, MlirStringRef text) {
  for (size_t i = 0; i < text.length; ++i)
    cuteStringAppend(format,
                     text.data[i] == '%' ? "%%" : (char[]){text.data[i], '\0'});
}

bool cuteFailOnHost(CuteLowering *lowering, MlirValue condition,
                    const CuteString *text) {
  CuteBuilder before = lowering->builder;
  lowering->builder = cuteBuildIf(&before, condition);
  bool ok = cuteLoweringFail(lowering, text, 0, NULL);
  lowering->builder = before;
  return ok;
}

static bool lowerAssertion(CuteLowering *lowering, MlirOperation op) {
  CUTE_SCOPED(String) text = {0};
  MlirStringRef message =
      mlirStringAttrGetValue(cuteMlirGetAttribute(op, "msg"));
  cuteLoweringAppendPlace(&text, mlirOperationGetLocation(op));
  cuteStringAppend(&text, ": assertion failed: ");
  appendEscaped(&text, message);
  const CuteBuilder *b = &lowering->builder;
  MlirValue yes = cuteBuildInt(b, 1, 1);
  return cuteFailOnHost(lowering, xori(b, getOperand(op, 0), yes), &text);
}

//===-- All ---------------------------------------------------------------===//

// LLVM has no conversions from and to floats of 8 bits and less on a host.
static bool lowerConversion(CuteLowering *lowering, MlirOperation op) {
  return cuteExpandSmallFloats(lowering->dialect, op) ||
         cuteFail(lowering->context, "needs a scalar or a vector of one mode");
}

static bool (*lowerFor(CuteDialect *dialect, MlirOperation op))(CuteLowering *,
                                                                MlirOperation) {
  if (!dialect->host.callsRuntime)
    return NULL;
  return cuteMlirIs(op, "gpu.launch_func")      ? lowerLaunch
         : cuteMlirIs(op, "cf.assert")          ? lowerAssertion
         : cuteConvertsSmallFloats(dialect, op) ? lowerConversion
                                                : NULL;
}

bool cuteIsHostRequest(CuteDialect *dialect, MlirOperation op) {
  return lowerFor(dialect, op);
}

bool cuteLowerHostRequest(CuteLowering *lowering, MlirOperation op) {
  CuteContext c = lowering->context;
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&c->scratch);
  lowering->builder = cuteBuilderBefore(op);
  bool ok = lowerFor(lowering->dialect, op)(lowering, op);
  if (ok)
    mlirOperationDestroy(op);
  else
    cuteEmitOpError(op, "%s", cuteContextGetError(c));
  return ok;
}
