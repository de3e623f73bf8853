// Printing integers at run time, in kernels and on the host.
#include "Lowering/lowering.h"

#include <assert.h>

// The innermost op of that name around a block; a null op if there is none.
static MlirOperation findAround(MlirBlock block, const char *name) {
  MlirOperation op = mlirBlockGetParentOperation(block);
  while (!mlirOperationIsNull(op) && !cuteMlirIs(op, name))
    op = mlirOperationGetParentOperation(op);
  return op;
}

static bool isDevice(MlirBlock block) {
  return !mlirOperationIsNull(findAround(block, "gpu.module")) ||
         !mlirOperationIsNull(findAround(block, "gpu.launch"));
}

static void printOnDevice(const CuteBuilder *b, const CuteString *format,
                          size_t n, const MlirValue *values) {
  CuteNamedAttribute attribute = {
      "format",
      mlirStringAttrGet(b->context,
                        mlirStringRefCreate(format->data, format->length))};
  cuteBuild(b, (CuteOpSpec){.name = "gpu.printf",
                            .numOperands = n,
                            .operands = values,
                            .numAttributes = 1,
                            .attributes = &attribute});
}

//===-- The C library's printf --------------------------------------------===//

static MlirAttribute stringAttr(const CuteBuilder *b, const char *text,
                                size_t length) {
  return mlirStringAttrGet(b->context, mlirStringRefCreate(text, length));
}

// Declares a function of the C library if the module has none of the name.
// False if that means another thing.
static bool declareFunction(CuteContext c, const CuteBuilder *b,
                            MlirOperation module, const char *name,
                            MlirAttribute type) {
  MlirSymbolTable symbols = mlirSymbolTableCreate(module);
  MlirOperation found = mlirSymbolTableLookup(symbols, cuteMlirString(name));
  mlirSymbolTableDestroy(symbols);
  if (mlirOperationIsNull(found)) {
    CuteNamedAttribute attributes[] = {
        {"sym_name", stringAttr(b, name, strlen(name))},
        {"function_type", type},
        {"linkage", cuteParsedAttr(b, "#llvm.linkage<external>")}};
    cuteBuild(b, (CuteOpSpec){.name = "llvm.func",
                              .numAttributes = 3,
                              .attributes = attributes,
                              .numRegions = 1,
                              .withoutBlocks = true});
    return true;
  }
  if (cuteMlirIs(found, "llvm.func") &&
      mlirAttributeEqual(type, cuteMlirGetAttribute(found, "function_type")))
    return true;
  CuteString text = {0};
  mlirAttributePrint(type, cuteAppendMlirString, &text);
  cuteFail(c, "the module's symbol '%s' is not the C library's function, %s",
           name, cuteStringGet(&text));
  cuteStringDestroy(&text);
  return false;
}

// The numbers of formats that the module's symbols leave begin here.
static size_t countFormats(MlirOperation module) {
  static const char prefix[] = "printfFormat_";
  MlirStringRef symbol = mlirSymbolTableGetSymbolAttributeName();
  size_t count = 0, n = sizeof prefix - 1;
  MlirOperation op = mlirBlockGetFirstOperation(
      mlirRegionGetFirstBlock(mlirOperationGetRegion(module, 0)));
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    MlirAttribute attribute = mlirOperationGetAttributeByName(op, symbol);
    if (mlirAttributeIsNull(attribute) || !mlirAttributeIsAString(attribute))
      continue;
    MlirStringRef name = mlirStringAttrGetValue(attribute);
    if (!cuteMlirStartsWith(name, prefix))
      continue;
    size_t number = 0;
    for (size_t i = n; i < name.length && number < SIZE_MAX / 20; ++i)
      number = number * 10 + (size_t)(name.data[i] - '0') % 10;
    count = number >= count ? number + 1 : count;
  }
  return count;
}

// A constant with the format and a NUL, printfFormat_N. Returns its name.
static MlirAttribute declareFormat(const CuteBuilder *b, size_t number,
                                   const CuteString *format) {
  CuteString type = {0}, name = {0};
  cuteStringAppendFormat(&type, "!llvm.array<%zu x i8>", format->length + 1);
  cuteStringAppendFormat(&name, "printfFormat_%zu", number);
  CuteNamedAttribute attributes[] = {
      {"sym_name", stringAttr(b, name.data, name.length)},
      {"global_type", mlirTypeAttrGet(cuteParsedType(b, type.data))},
      {"linkage", cuteParsedAttr(b, "#llvm.linkage<internal>")},
      {"constant", mlirUnitAttrGet(b->context)},
      {"value", stringAttr(b, format->data, format->length + 1)},
      {"addr_space", cuteIntAttr(b, 32, 0)}};
  cuteBuild(b, (CuteOpSpec){.name = "llvm.mlir.global",
                            .numAttributes = 6,
                            .attributes = attributes,
                            .numRegions = 1,
                            .withoutBlocks = true});
  MlirAttribute symbol = mlirFlatSymbolRefAttrGet(
      b->context, mlirStringRefCreate(name.data, name.length));
  cuteStringDestroy(&type);
  cuteStringDestroy(&name);
  return symbol;
}

static MlirValue addressOf(const CuteBuilder *b, MlirAttribute symbol) {
  MlirType pointer = cuteParsedType(b, "!llvm.ptr");
  CuteNamedAttribute name = {"global_name", symbol};
  return cuteBuildValue(b, (CuteOpSpec){.name = "llvm.mlir.addressof",
                                        .numResults = 1,
                                        .results = &pointer,
                                        .numAttributes = 1,
                                        .attributes = &name});
}

static MlirValue zero(const CuteBuilder *b) {
  MlirType type = cuteIntType(b, 64);
  CuteNamedAttribute value = {"value", mlirIntegerAttrGet(type, 0)};
  return cuteBuildValue(b, (CuteOpSpec){.name = "llvm.mlir.constant",
                                        .numResults = 1,
                                        .results = &type,
                                        .numAttributes = 1,
                                        .attributes = &value});
}

// The first byte of the constant, which has this many. Indices are values, as
// MLIR's builder of the op has them.
static MlirValue beginOf(const CuteBuilder *b, MlirAttribute symbol,
                         size_t length) {
  MlirType pointer = cuteParsedType(b, "!llvm.ptr");
  MlirValue address = addressOf(b, symbol), index = zero(b);
  MlirValue operands[] = {address, index, index};
  int32_t indices[] = {INT32_MIN, INT32_MIN};
  CuteString type = {0};
  cuteStringAppendFormat(&type, "!llvm.array<%zu x i8>", length);
  CuteNamedAttribute attributes[] = {
      {"elem_type", mlirTypeAttrGet(cuteParsedType(b, type.data))},
      {"rawConstantIndices", mlirDenseI32ArrayGet(b->context, 2, indices)}};
  cuteStringDestroy(&type);
  return cuteBuildValue(b, (CuteOpSpec){.name = "llvm.getelementptr",
                                        .numOperands = 3,
                                        .operands = operands,
                                        .numResults = 1,
                                        .results = &pointer,
                                        .numAttributes = 2,
                                        .attributes = attributes});
}

// Calls a function that gives an i32; the type is that of one with `...`.
static void callFunction(const CuteBuilder *b, const char *name,
                         MlirAttribute type, size_t n,
                         const MlirValue *operands) {
  MlirType result = cuteIntType(b, 32);
  int32_t segments[] = {(int32_t)n, 0};
  CuteNamedAttribute attributes[] = {
      {"callee", mlirFlatSymbolRefAttrGet(b->context, cuteMlirString(name))},
      {"operandSegmentSizes", mlirDenseI32ArrayGet(b->context, 2, segments)},
      {"op_bundle_sizes", mlirDenseI32ArrayGet(b->context, 0, NULL)},
      {"var_callee_type", type}};
  cuteBuild(b, (CuteOpSpec){.name = "llvm.call",
                            .numOperands = n,
                            .operands = operands,
                            .numResults = 1,
                            .results = &result,
                            .numAttributes = mlirAttributeIsNull(type) ? 3 : 4,
                            .attributes = attributes});
}

// Calls printf with the format and the values.
static void callPrintf(CuteLowering *lowering, MlirValue format,
                       MlirAttribute type, size_t n, const MlirValue *values) {
  MlirValue *operands = cuteArenaAllocate(&lowering->context->scratch,
                                          (n + 1) * sizeof *operands);
  operands[0] = format;
  for (size_t i = 0; i < n; ++i)
    operands[i + 1] = values[i];
  callFunction(&lowering->builder, "printf", type, n + 1, operands);
}

static bool printInModule(CuteLowering *lowering, CuteHostPrintf *host,
                          const CuteString *format, size_t n,
                          const MlirValue *values) {
  const CuteBuilder *b = &lowering->builder;
  MlirAttribute type =
      mlirTypeAttrGet(cuteParsedType(b, "!llvm.func<i32 (ptr, ...)>"));
  CuteBuilder atStart = cuteBuilderAtStart(
      mlirRegionGetFirstBlock(mlirOperationGetRegion(host->module, 0)),
      b->location);
  if (!host->isDeclared) {
    if (!declareFunction(lowering->context, &atStart, host->module, "printf",
                         type))
      return false;
    host->isDeclared = true;
    host->numFormats = countFormats(host->module);
  }
  MlirAttribute name = declareFormat(&atStart, host->numFormats++, format);
  MlirValue begin = beginOf(b, name, format->length + 1);
  callPrintf(lowering, begin, type, n, values);
  return true;
}

static bool printOnHost(CuteLowering *lowering, const CuteString *format,
                        size_t n, const MlirValue *values) {
  MlirOperation module = findAround(lowering->builder.block, "builtin.module");
  assert(!mlirOperationIsNull(module)); // what cute-to-base runs on
  CuteHostPrintf other = {.module = module};
  CuteHostPrintf *known = &lowering->dialect->hostPrintf;
  bool isKnown = mlirOperationEqual(known->module, module);
  return printInModule(lowering, isKnown ? known : &other, format, n, values);
}

bool cuteLoweringPrintf(CuteLowering *lowering, const CuteString *format,
                        size_t n, const MlirValue *values) {
  if (!isDevice(lowering->builder.block))
    return printOnHost(lowering, format, n, values);
  printOnDevice(&lowering->builder, format, n, values);
  return true;
}

// Calls fflush(NULL): what was printed is seen before the program ends.
static bool flushOnHost(CuteLowering *lowering) {
  const CuteBuilder *b = &lowering->builder;
  MlirOperation module = findAround(b->block, "builtin.module");
  CuteBuilder atStart = cuteBuilderAtStart(
      mlirRegionGetFirstBlock(mlirOperationGetRegion(module, 0)), b->location);
  MlirAttribute type =
      mlirTypeAttrGet(cuteParsedType(b, "!llvm.func<i32 (ptr)>"));
  if (!declareFunction(lowering->context, &atStart, module, "fflush", type))
    return false;
  MlirValue all = cuteBuildResult(b, "llvm.mlir.zero", 0, NULL,
                                  cuteParsedType(b, "!llvm.ptr"));
  callFunction(b, "fflush", (MlirAttribute){NULL}, 1, &all);
  return true;
}

bool cuteLoweringTrap(CuteLowering *lowering) {
  if (!isDevice(lowering->builder.block) && !flushOnHost(lowering))
    return false;
  cuteBuild(&lowering->builder, (CuteOpSpec){.name = "llvm.intr.trap"});
  return true;
}
