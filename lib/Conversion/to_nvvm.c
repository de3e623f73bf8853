// cute-to-nvvm: functions in gpu.modules lose all values of the dialect. Layout
// algebra on dynamic values becomes arith, memory llvm, atoms nvvm.
#include "Conversion/conversion.h"
#include "Ops/lowering.h"

#include <mlir-c/Dialect/LLVM.h>

//===-- Parameters --------------------------------------------------------===//

enum { MAX_PARTS = 256 };

// Adds block arguments for the parts of a parameter before argument `index` and
// binds its value to them. Returns how many were added.
static size_t expandParameter(CuteLowering *lowering, MlirBlock entry,
                              intptr_t index, CuteType type) {
  CuteContext c = lowering->context;
  CuteParameterPart parts[MAX_PARTS];
  size_t n = cuteParameterParts(type, MAX_PARTS, parts);
  if (n > MAX_PARTS) {
    cuteFail(c, "parameter %lld has more than %d parts", (long long)index,
             MAX_PARTS);
    return 0;
  }
  MlirValue original = mlirBlockGetArgument(entry, index);
  MlirLocation location = mlirValueGetLocation(original);
  CuteLowered lowered = {.type = type};
  CuteIntTuple leaves[MAX_PARTS], declared[MAX_PARTS];
  size_t numLeaves = 0;
  cuteTypeGetDynamicLeaves(type, declared);
  for (size_t i = 0; i < n; ++i) {
    MlirType partType =
        parts[i].isPointer
            ? cuteLoweringPointerType(lowering, cuteTypeGetMemory(type))
            : mlirIntegerTypeGet(lowering->dialect->mlir, parts[i].bits);
    MlirValue argument =
        mlirBlockInsertArgument(entry, index + (intptr_t)i, partType, location);
    if (parts[i].isPointer) {
      lowered.pointer = argument;
    } else {
      leaves[numLeaves] =
          cuteLoweringGetLeaf(lowering, argument, declared[numLeaves]->value);
      ++numLeaves;
    }
  }
  lowered.type = cuteTypeBind(c, type, leaves);
  cuteLoweringSet(lowering, original, lowered);
  return n;
}

// Alignment of a pointer parameter, which the address arithmetic can rely on.
static void setPointerAttributes(CuteLowering *lowering, size_t index,
                                 int64_t align, MlirAttribute *attributes) {
  MlirContext context = lowering->dialect->mlir;
  MlirNamedAttribute named = mlirNamedAttributeGet(
      mlirIdentifierGet(context, mlirStringRefCreateFromCString("llvm.align")),
      mlirIntegerAttrGet(mlirIntegerTypeGet(context, 64), align));
  attributes[index] = mlirDictionaryAttrGet(context, 1, &named);
}

static bool rewriteSignature(CuteLowering *lowering, MlirBlock entry) {
  CuteDialect *dialect = lowering->dialect;
  MlirContext context = dialect->mlir;
  MlirAttribute none = mlirDictionaryAttrGet(context, 0, NULL);
  MlirType types[MAX_PARTS];
  MlirAttribute attributes[MAX_PARTS];
  size_t total = 0;
  bool changed = false;
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(entry);) {
    MlirValue argument = mlirBlockGetArgument(entry, i);
    CuteType type = cuteDialectGetType(dialect, mlirValueGetType(argument));
    size_t n = 1;
    if (!type)
      return false;
    bool expands = type->kind != CUTE_TYPE_FOREIGN;
    if (expands) {
      CuteParameterPart parts[1];
      n = cuteParameterParts(type, 1, parts);
      if (n + total > MAX_PARTS ||
          expandParameter(lowering, entry, i, type) != n)
        return cuteFail(lowering->context,
                        "the kernel has more than %d parameters", MAX_PARTS);
    }
    for (size_t j = 0; j < n; ++j) {
      attributes[total] = none;
      types[total] =
          mlirValueGetType(mlirBlockGetArgument(entry, i + (intptr_t)j));
      if (expands && j == 0 && type->align)
        setPointerAttributes(lowering, total, type->align, attributes);
      ++total;
    }
    i += (intptr_t)n + expands; // the old argument goes in the end
    changed |= expands;
  }
  if (!changed)
    return true;
  MlirType function =
      mlirFunctionTypeGet(context, (intptr_t)total, types, 0, NULL);
  mlirOperationSetAttributeByName(
      lowering->function, mlirStringRefCreateFromCString("function_type"),
      mlirTypeAttrGet(function));
  mlirOperationSetAttributeByName(
      lowering->function, mlirStringRefCreateFromCString("arg_attrs"),
      mlirArrayAttrGet(context, (intptr_t)total, attributes));
  return true;
}

//===-- Shared memory -----------------------------------------------------===//

static MlirOperation parentModule(MlirOperation function) {
  return mlirOperationGetParentOperation(function);
}

static MlirValue declareShared(CuteLowering *lowering, MlirBlock entry,
                               CuteSharedPlan plan) {
  MlirContext context = lowering->dialect->mlir;
  MlirLocation location = mlirOperationGetLocation(lowering->function);
  MlirStringRef function =
      mlirStringAttrGetValue(mlirOperationGetAttributeByName(
          lowering->function, mlirSymbolTableGetSymbolAttributeName()));
  CuteString name = {0}, type = {0};
  cuteStringAppendFormat(&name, "%.*s_smem", (int)function.length,
                         function.data);
  cuteStringAppendFormat(&type, "!llvm.array<%lld x i8>",
                         plan.isDynamic ? 0LL : (long long)plan.bytes);
  MlirBlock body = mlirRegionGetFirstBlock(
      mlirOperationGetRegion(parentModule(lowering->function), 0));
  CuteBuilder b = cuteBuilderAtStart(body, location);
  MlirAttribute symbol =
      mlirStringAttrGet(context, mlirStringRefCreate(name.data, name.length));
  CuteNamedAttribute attributes[] = {
      {"sym_name", symbol},
      {"global_type", mlirTypeAttrGet(cuteParsedType(&b, type.data))},
      {"linkage",
       cuteParsedAttr(&b, plan.isDynamic ? "#llvm.linkage<external>"
                                         : "#llvm.linkage<internal>")},
      {"addr_space", cuteIntAttr(&b, 32, 3)},
      {"alignment", cuteIntAttr(&b, 64, plan.align)}};
  cuteBuild(
      &b, (CuteOpSpec){.name = "llvm.mlir.global",
                       .numAttributes = sizeof attributes / sizeof *attributes,
                       .attributes = attributes,
                       .numRegions = 1,
                       .withoutBlocks = true});
  CuteBuilder inFunction = cuteBuilderAtStart(entry, location);
  MlirType pointer = cuteLoweringPointerType(lowering, CUTE_SMEM);
  CuteNamedAttribute global = {
      "global_name", mlirFlatSymbolRefAttrGet(
                         context, mlirStringRefCreate(name.data, name.length))};
  MlirValue base =
      cuteBuildValue(&inFunction, (CuteOpSpec){.name = "llvm.mlir.addressof",
                                               .numResults = 1,
                                               .results = &pointer,
                                               .numAttributes = 1,
                                               .attributes = &global});
  cuteStringDestroy(&name);
  cuteStringDestroy(&type);
  return base;
}

static bool planShared(CuteLowering *lowering) {
  CuteSharedPlan plan;
  if (!cuteSharedPlanMake(lowering->dialect, lowering->function,
                          &lowering->sharedOffsets, &plan))
    return false;
  if (plan.bytes)
    lowering->sharedBase = declareShared(lowering, lowering->entry, plan);
  return true;
}

//===-- Functions ---------------------------------------------------------===//

// Whether the function has what a kernel cannot, or what is not lowered here.
static bool checkFunction(MlirOperation function, MlirBlock entry) {
  MlirType type = mlirTypeAttrGetValue(mlirOperationGetAttributeByName(
      function, mlirStringRefCreateFromCString("function_type")));
  const char *wrong = NULL;
  if (mlirFunctionTypeGetNumResults(type))
    wrong = "with parameters of the cute dialect cannot return values; store "
            "them in a tensor";
  else if (mlirFunctionTypeGetNumInputs(type) !=
           mlirBlockGetNumArguments(entry))
    wrong = "with parameters of the cute dialect cannot have workgroup or "
            "private attributions; use cute.alloc_smem and cute.make_fragment";
  if (wrong)
    cuteEmitOpError(function, wrong);
  return !wrong;
}

static bool hasCuteParameters(CuteDialect *dialect, MlirBlock entry) {
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(entry); ++i)
    if (cuteIsDialectType(dialect,
                          mlirValueGetType(mlirBlockGetArgument(entry, i))))
      return true;
  return false;
}

static bool prepareKernel(CuteLowering *lowering) {
  if (!planShared(lowering))
    return false;
  bool ok = rewriteSignature(lowering, lowering->entry);
  if (!ok)
    cuteEmitOpError(lowering->function, cuteContextGetError(lowering->context));
  return ok;
}

bool cuteLowerKernel(CuteDialect *dialect, MlirOperation function) {
  static const CuteFunctionLowering kernel = {.prepare = prepareKernel,
                                              .tracksDivisors = true};
  MlirBlock entry =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  if (mlirBlockIsNull(entry))
    return true;
  if (hasCuteParameters(dialect, entry) && !checkFunction(function, entry))
    return false;
  return cuteLowerFunction(dialect, function, &kernel);
}

static bool lowerGpuModule(CuteDialect *dialect, MlirOperation module) {
  return cuteForEach(dialect, module, "func.func", cuteConvertFunction) &&
         cuteForEach(dialect, module, "gpu.func", cuteLowerKernel);
}

bool cuteRunToNvvm(CuteDialect *dialect, MlirOperation root,
                   const CutePassOptions *options) {
  (void)options;
  return cuteForEach(dialect, root, "gpu.module", lowerGpuModule);
}
