// Printing integers at run time, in kernels and on the host.
#include "Ops/lowering.h"

#include <assert.h>

static bool nameIs(MlirOperation op, const char *name) {
  return mlirStringRefEqual(mlirIdentifierStr(mlirOperationGetName(op)),
                            mlirStringRefCreateFromCString(name));
}

// The innermost op of that name around a block; a null op if there is none.
static MlirOperation findAround(MlirBlock block, const char *name) {
  MlirOperation op = mlirBlockGetParentOperation(block);
  while (!mlirOperationIsNull(op) && !nameIs(op, name))
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

// Declares printf if the module has none. False if the name means another
// thing.
static bool declarePrintf(CuteContext c, const CuteBuilder *b,
                          MlirSymbolTable symbols, MlirAttribute type) {
  MlirOperation found =
      mlirSymbolTableLookup(symbols, mlirStringRefCreateFromCString("printf"));
  if (mlirOperationIsNull(found)) {
    CuteNamedAttribute attributes[] = {
        {"sym_name", stringAttr(b, "printf", 6)},
        {"function_type", type},
        {"linkage", cuteParsedAttr(b, "#llvm.linkage<external>")}};
    cuteBuild(b, (CuteOpSpec){.name = "llvm.func",
                              .numAttributes = 3,
                              .attributes = attributes,
                              .numRegions = 1,
                              .withoutBlocks = true});
    return true;
  }
  if (nameIs(found, "llvm.func") &&
      mlirAttributeEqual(
          type, mlirOperationGetAttributeByName(
                    found, mlirStringRefCreateFromCString("function_type"))))
    return true;
  cuteFail(c, "the module's symbol 'printf' is not the C library's function, "
              "llvm.func @printf(!llvm.ptr, ...) -> i32");
  return false;
}

// A constant with the format and a NUL, printfFormat_N. Returns its name.
static MlirAttribute declareFormat(const CuteBuilder *b,
                                   MlirSymbolTable symbols,
                                   const CuteString *format) {
  CuteString type = {0}, name = {0};
  cuteStringAppendFormat(&type, "!llvm.array<%zu x i8>", format->length + 1);
  MlirOperation taken;
  for (size_t i = 0; !i || !mlirOperationIsNull(taken); ++i) {
    cuteStringClear(&name);
    cuteStringAppendFormat(&name, "printfFormat_%zu", i);
    taken = mlirSymbolTableLookup(symbols,
                                  mlirStringRefCreate(name.data, name.length));
  }
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

static void callPrintf(CuteLowering *lowering, MlirAttribute format,
                       MlirAttribute type, size_t n, const MlirValue *values) {
  const CuteBuilder *b = &lowering->builder;
  MlirType pointer = cuteParsedType(b, "!llvm.ptr");
  CuteNamedAttribute name = {"global_name", format};
  MlirValue *operands = cuteArenaAllocate(&lowering->context->scratch,
                                          (n + 1) * sizeof *operands);
  operands[0] = cuteBuildValue(b, (CuteOpSpec){.name = "llvm.mlir.addressof",
                                               .numResults = 1,
                                               .results = &pointer,
                                               .numAttributes = 1,
                                               .attributes = &name});
  for (size_t i = 0; i < n; ++i)
    operands[i + 1] = values[i];
  MlirType result = cuteIntType(b, 32);
  int32_t segments[] = {(int32_t)n + 1, 0};
  CuteNamedAttribute attributes[] = {
      {"callee", mlirFlatSymbolRefAttrGet(
                     b->context, mlirStringRefCreateFromCString("printf"))},
      {"var_callee_type", type},
      {"operandSegmentSizes", mlirDenseI32ArrayGet(b->context, 2, segments)},
      {"op_bundle_sizes", mlirDenseI32ArrayGet(b->context, 0, NULL)}};
  cuteBuild(b, (CuteOpSpec){.name = "llvm.call",
                            .numOperands = n + 1,
                            .operands = operands,
                            .numResults = 1,
                            .results = &result,
                            .numAttributes = 4,
                            .attributes = attributes});
}

static bool printOnHost(CuteLowering *lowering, const CuteString *format,
                        size_t n, const MlirValue *values) {
  const CuteBuilder *b = &lowering->builder;
  MlirOperation module = findAround(b->block, "builtin.module");
  assert(!mlirOperationIsNull(module)); // what cute-to-base runs on
  MlirAttribute type =
      mlirTypeAttrGet(cuteParsedType(b, "!llvm.func<i32 (ptr, ...)>"));
  CuteBuilder atStart = cuteBuilderAtStart(
      mlirRegionGetFirstBlock(mlirOperationGetRegion(module, 0)), b->location);
  MlirSymbolTable symbols = mlirSymbolTableCreate(module);
  bool ok = declarePrintf(lowering->context, &atStart, symbols, type);
  if (ok)
    callPrintf(lowering, declareFormat(&atStart, symbols, format), type, n,
               values);
  mlirSymbolTableDestroy(symbols);
  return ok;
}

bool cuteLoweringPrintf(CuteLowering *lowering, const CuteString *format,
                        size_t n, const MlirValue *values) {
  if (!isDevice(lowering->builder.block))
    return printOnHost(lowering, format, n, values);
  printOnDevice(&lowering->builder, format, n, values);
  return true;
}
