// Functions of C that code on the host calls, and texts for them.
#include "Lowering/lowering.h"

#include <assert.h>
#include <mlir-c/Dialect/LLVM.h>

// The innermost op of that name around a block; a null op if there is none.
static MlirOperation findAround(MlirBlock block, const char *name) {
  return cuteMlirGetAround(mlirBlockGetParentOperation(block), name);
}

bool cuteLoweringIsOnHost(MlirBlock block) {
  return mlirOperationIsNull(findAround(block, "gpu.module")) &&
         mlirOperationIsNull(findAround(block, "gpu.launch"));
}

// The state of the module around, whose body begins at the builder; `other` for
// a module that is nested in the one being lowered.
static CuteHostModuleState *
hostModule(CuteLowering *l, CuteHostModuleState *other, CuteBuilder *atStart) {
  MlirOperation module = findAround(l->builder.block, "builtin.module");
  assert(!mlirOperationIsNull(module)); // what cute-to-base runs on
  CuteHostModuleState *known = &l->dialect->host;
  *other = (CuteHostModuleState){.module = module};
  *atStart =
      cuteBuilderAtStart(cuteMlirGetBody(module, 0), l->builder.location);
  return mlirOperationEqual(known->module, module) ? known : other;
}

//===-- Texts -------------------------------------------------------------===//

// The numbers of formats that the module's symbols leave begin here.
static size_t countFormats(MlirOperation module) {
  static const char prefix[] = "printfFormat_";
  MlirStringRef symbol = mlirSymbolTableGetSymbolAttributeName();
  size_t count = 0, n = sizeof prefix - 1;
  CUTE_FOR_OPS(op, cuteMlirGetBody(module, 0)) {
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
  CUTE_SCOPED(String) type = {0}, name = {0};
  cuteStringAppendFormat(&type, "!llvm.array<%zu x i8>", format->length + 1);
  cuteStringAppendFormat(&name, "printfFormat_%zu", number);
  MlirStringRef value = {format->data, format->length + 1};
  CUTE_BUILD(
      b, "llvm.mlir.global",
      CUTE_ATTRIBUTES(
          {"sym_name", mlirStringAttrGet(b->context, cuteMlirText(&name))},
          {"global_type", mlirTypeAttrGet(cuteParsedType(b, type.data))},
          {"linkage", cuteParsedAttr(b, "#llvm.linkage<internal>")},
          {"constant", mlirUnitAttrGet(b->context)},
          {"value", mlirStringAttrGet(b->context, value)},
          {"addr_space", cuteIntAttr(b, 32, 0)}),
      .numRegions = 1, .withoutBlocks = true);
  return mlirFlatSymbolRefAttrGet(b->context, cuteMlirText(&name));
}

static MlirValue addressOf(const CuteBuilder *b, MlirAttribute symbol) {
  MlirType pointer = cuteParsedType(b, "!llvm.ptr");
  return CUTE_BUILD_VALUE(b, "llvm.mlir.addressof", CUTE_RESULTS(pointer),
                          CUTE_ATTRIBUTES({"global_name", symbol}));
}

// The first byte of the constant, which has this many. Indices are values, as
// MLIR's builder of the op has them.
static MlirValue beginOf(const CuteBuilder *b, MlirAttribute symbol,
                         size_t length) {
  MlirType pointer = cuteParsedType(b, "!llvm.ptr");
  MlirValue address = addressOf(b, symbol), index = cuteBuildConstant(b, 64, 0);
  int32_t indices[] = {INT32_MIN, INT32_MIN};
  CUTE_SCOPED(String) type = {0};
  cuteStringAppendFormat(&type, "!llvm.array<%zu x i8>", length);
  return CUTE_BUILD_VALUE(
      b, "llvm.getelementptr", CUTE_OPERANDS(address, index, index),
      CUTE_RESULTS(pointer),
      CUTE_ATTRIBUTES(
          {"elem_type", mlirTypeAttrGet(cuteParsedType(b, type.data))},
          {"rawConstantIndices",
           mlirDenseI32ArrayGet(b->context, 2, indices)}));
}

MlirValue cuteLoweringGetHostText(CuteLowering *lowering,
                                  const CuteString *text) {
  CuteHostModuleState other;
  CuteBuilder atStart;
  CuteHostModuleState *host = hostModule(lowering, &other, &atStart);
  if (!host->areTextsCounted)
    host->numTexts = countFormats(host->module);
  host->areTextsCounted = true;
  MlirAttribute name = declareFormat(&atStart, host->numTexts++, text);
  return beginOf(&lowering->builder, name, text->length + 1);
}

//===-- Calls -------------------------------------------------------------===//

// Declares the function if the module has none. False if the name means
// another thing.
static bool declare(CuteContext c, const CuteBuilder *b, MlirOperation module,
                    const char *name, MlirType type) {
  MlirAttribute typeAttr = mlirTypeAttrGet(type);
  MlirSymbolTable symbols = mlirSymbolTableCreate(module);
  MlirOperation found = mlirSymbolTableLookup(symbols, cuteMlirString(name));
  mlirSymbolTableDestroy(symbols);
  if (mlirOperationIsNull(found)) {
    CUTE_BUILD(
        b, "llvm.func",
        CUTE_ATTRIBUTES(
            {"sym_name", mlirStringAttrGet(b->context, cuteMlirString(name))},
            {"function_type", typeAttr},
            {"linkage", cuteParsedAttr(b, "#llvm.linkage<external>")}),
        .numRegions = 1, .withoutBlocks = true);
    return true;
  }
  if (cuteMlirIs(found, "llvm.func") &&
      mlirAttributeEqual(typeAttr,
                         cuteMlirGetAttribute(found, "function_type")))
    return true;
  CuteString text = {0};
  mlirTypePrint(type, cuteAppendMlirString, &text);
  return cuteFail(
      c, "the module's symbol '%s' is not the C function of that name, %s",
      name, cuteArenaTakeString(&c->scratch, &text));
}

static bool isDeclared(CuteHostModuleState *host, const char *name) {
  for (size_t i = 0; i < CUTE_MAX_HOST_CALLS; ++i) {
    if (host->declared[i] == name)
      return true;
    if (!host->declared[i]) {
      host->declared[i] = name;
      break;
    }
  }
  return false;
}

bool cuteLoweringCallHost(CuteLowering *lowering, const char *name,
                          const char *type, size_t n, const MlirValue *values) {
  CuteHostModuleState other;
  CuteBuilder atStart;
  CuteHostModuleState *host = hostModule(lowering, &other, &atStart);
  const CuteBuilder *b = &lowering->builder;
  MlirType function = cuteParsedType(b, type);
  if (!isDeclared(host, name) &&
      !declare(lowering->context, &atStart, host->module, name, function))
    return false;
  MlirType result = mlirLLVMFunctionTypeGetReturnType(function);
  bool isVoid = mlirTypeEqual(result, mlirLLVMVoidTypeGet(b->context));
  bool isVariadic = strstr(type, "...");
  int32_t segments[] = {(int32_t)n, 0};
  CUTE_BUILD(b, "llvm.call", .numOperands = n, .operands = values,
             .numResults = isVoid ? 0 : 1, .results = &result,
             CUTE_ATTRIBUTES(
                 {"callee",
                  mlirFlatSymbolRefAttrGet(b->context, cuteMlirString(name))},
                 {"operandSegmentSizes",
                  mlirDenseI32ArrayGet(b->context, 2, segments)},
                 {"op_bundle_sizes", mlirDenseI32ArrayGet(b->context, 0, NULL)},
                 {"var_callee_type", isVariadic ? mlirTypeAttrGet(function)
                                                : (MlirAttribute){NULL}}));
  return true;
}
