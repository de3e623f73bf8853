// cute-to-nvvm: functions in gpu.modules lose all values of the dialect. Layout
// algebra on dynamic values becomes arith, memory llvm, atoms nvvm.
#include "Conversion/conversion.h"
#include "Ops/lowering.h"

#include <mlir-c/Dialect/LLVM.h>

#include <stdlib.h>

static bool nameIs(MlirOperation op, const char *name) {
  return mlirStringRefEqual(mlirIdentifierStr(mlirOperationGetName(op)),
                            mlirStringRefCreateFromCString(name));
}

static bool isDialectType(CuteDialect *dialect, MlirType type) {
  CuteType found = cuteDialectGetType(dialect, type);
  return found && found->kind != CUTE_TYPE_FOREIGN;
}

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
            ? cuteLoweringPointerType(lowering, (CuteSpace)type->space)
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

static void eraseOldArguments(CuteLowering *lowering, MlirBlock entry) {
  for (intptr_t i = mlirBlockGetNumArguments(entry); i-- > 0;)
    if (isDialectType(lowering->dialect,
                      mlirValueGetType(mlirBlockGetArgument(entry, i))))
      mlirBlockEraseArgument(entry, (unsigned)i);
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
  MlirOperationState state = mlirOperationStateGet(
      mlirStringRefCreateFromCString("llvm.mlir.global"), location);
  MlirRegion region = mlirRegionCreate();
  mlirOperationStateAddOwnedRegions(&state, 1, &region);
  for (size_t i = 0; i < sizeof attributes / sizeof *attributes; ++i) {
    MlirNamedAttribute named = mlirNamedAttributeGet(
        mlirIdentifierGet(context,
                          mlirStringRefCreateFromCString(attributes[i].name)),
        attributes[i].value);
    mlirOperationStateAddAttributes(&state, 1, &named);
  }
  mlirBlockInsertOwnedOperation(body, 0, mlirOperationCreate(&state));
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

static bool planShared(CuteLowering *lowering, MlirBlock entry) {
  CuteSharedPlan plan;
  if (!cuteSharedPlanMake(lowering->dialect, lowering->function,
                          &lowering->sharedOffsets, &plan))
    return false;
  if (plan.bytes)
    lowering->sharedBase = declareShared(lowering, entry, plan);
  return true;
}

//===-- Ops ---------------------------------------------------------------===//

static bool lowerOp(CuteLowering *lowering, const CuteOpDecl *decl,
                    MlirOperation source) {
  CuteContext c = lowering->context;
  CuteArenaMark mark = cuteArenaGetMark(&c->scratch);
  lowering->builder = cuteBuilderBefore(source);
  CuteOp op = cuteLoweringBind(lowering, decl, source);
  CuteLowerFunction *lower =
      decl->hooks->lower ? decl->hooks->lower : cuteLowerByInference;
  bool ok = true;
  for (size_t i = 0; i < op.numOperands; ++i)
    ok &= op.operands[i] != NULL;
  ok = ok && lower(lowering, &op, source);
  if (!ok)
    cuteEmitOpError(source, cuteContextGetError(c));
  cuteArenaReset(&c->scratch, mark);
  return ok;
}

// Ops of other dialects must not touch values of this one.
static bool checkForeign(CuteLowering *lowering, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetOperand(op, i));
    if (!isDialectType(lowering->dialect, type))
      continue;
    MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
    CuteString text = {0};
    cuteStringAppendFormat(
        &text,
        "'%.*s' op takes a value of the cute dialect, which cannot be lowered; "
        "pass its integers (cute.get_scalars) or use the tensor directly",
        (int)name.length, name.data);
    mlirEmitError(mlirOperationGetLocation(op), cuteStringGet(&text));
    cuteStringDestroy(&text);
    return false;
  }
  return true;
}

static bool lowerRegions(CuteLowering *lowering, MlirOperation parent);

static bool lowerBlock(CuteLowering *lowering, MlirBlock block) {
  MlirOperation op = mlirBlockGetFirstOperation(block);
  while (!mlirOperationIsNull(op)) {
    MlirOperation next = mlirOperationGetNextInBlock(op);
    const CuteOpDecl *decl = cuteDialectGetDecl(lowering->dialect, op);
    bool ok = decl ? lowerOp(lowering, decl, op)
                   : checkForeign(lowering, op) && lowerRegions(lowering, op);
    if (!ok)
      return false;
    op = next;
  }
  return true;
}

static bool lowerRegions(CuteLowering *lowering, MlirOperation parent) {
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(parent); ++r) {
    MlirBlock block =
        mlirRegionGetFirstBlock(mlirOperationGetRegion(parent, r));
    for (; !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
      if (!lowerBlock(lowering, block))
        return false;
  }
  return true;
}

static void eraseLowered(CuteLowering *lowering) {
  CuteOpList list = cuteOpListCollect(lowering->dialect, lowering->function);
  for (size_t i = list.count; i-- > 0;)
    mlirOperationDestroy(list.ops[i]);
  cuteOpListDestroy(&list);
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
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(entry); ++i) {
    CuteType type = cuteDialectGetType(
        dialect, mlirValueGetType(mlirBlockGetArgument(entry, i)));
    if (type && type->kind != CUTE_TYPE_FOREIGN)
      return true;
  }
  return false;
}

static bool lowerFunction(CuteDialect *dialect, MlirOperation function) {
  MlirBlock entry =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  if (mlirBlockIsNull(entry))
    return true;
  if (hasCuteParameters(dialect, entry) && !checkFunction(function, entry))
    return false;
  CuteLowering lowering;
  cuteLoweringInit(&lowering, dialect, function);
  lowering.entry = entry;
  lowering.builder =
      cuteBuilderAtStart(entry, mlirOperationGetLocation(function));
  const CuteLeafArithmetic *before;
  void *beforeData;
  cuteContextSetArithmetic(dialect->context, &cuteEmittingArithmetic, &lowering,
                           &before, &beforeData);
  bool tracked = cuteContextTrackDivisors(dialect->context, true);
  bool ok = planShared(&lowering, entry);
  if (ok && !rewriteSignature(&lowering, entry)) {
    cuteEmitOpError(function, cuteContextGetError(dialect->context));
    ok = false;
  }
  ok = ok && lowerRegions(&lowering, function);
  cuteContextTrackDivisors(dialect->context, tracked);
  cuteContextSetArithmetic(dialect->context, before, beforeData, NULL, NULL);
  if (ok) {
    eraseLowered(&lowering);
    eraseOldArguments(&lowering, entry);
  }
  cuteLoweringDestroy(&lowering);
  return ok;
}

typedef struct Functions {
  MlirOperation *ops;
  size_t count, capacity;
} Functions;

static MlirWalkResult collectFunction(MlirOperation op, void *userData) {
  Functions *functions = userData;
  if (!nameIs(op, "gpu.func"))
    return MlirWalkResultAdvance;
  if (functions->count == functions->capacity) {
    functions->capacity = functions->capacity ? functions->capacity * 2 : 8;
    functions->ops = cuteReallocate(functions->ops, functions->capacity *
                                                        sizeof *functions->ops);
  }
  functions->ops[functions->count++] = op;
  return MlirWalkResultSkip;
}

bool cuteRunToNvvm(CuteDialect *dialect, MlirOperation root,
                   const CutePassOptions *options) {
  (void)options;
  Functions functions = {0};
  mlirOperationWalk(root, collectFunction, &functions, MlirWalkPreOrder);
  bool ok = true;
  for (size_t i = 0; ok && i < functions.count; ++i)
    ok = lowerFunction(dialect, functions.ops[i]);
  free(functions.ops);
  return ok;
}
