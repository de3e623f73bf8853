// cute-to-llvm: lowered gpu.modules become llvm and nvvm by MLIR's passes; and
// base-prepare and one-shot-convert-to-llvm, which do that for what
// cute-to-base leaves. Each of these passes visits every op; passes with
// nothing to do are left out.
#include "Conversion/conversion.h"
#include "Lowering/tensor_maps.h"

// The kinds of ops that a module has.
typedef struct Found {
  bool toExpand, scf, vector, math, casts;
  bool loops;  // ops that may be
  bool gpu;    // gpu.modules and what launches kernels
  bool others; // of dialects that are not named here
} Found;

// Ops of arith that have no counterpart in llvm.
static bool isToExpand(MlirStringRef name) {
  return CUTE_TEXT_IS_ANY(
      name, "arith.ceildivsi", "arith.ceildivui", "arith.floordivsi",
      "arith.maximumf", "arith.minimumf", "arith.maxnumf", "arith.minnumf",
      "arith.scaling_extf", "arith.scaling_truncf", "arith.flush_denormals");
}

// Tells whether an op is of a dialect that convert-to-llvm alone converts.
static bool isCommon(MlirStringRef name) {
  return CUTE_BEGINS_WITH_ANY(name, "llvm.", "arith.", "func.", "scf.", "cf.",
                              "builtin.", "math.", "ub.");
}

static void look(Found *found, MlirStringRef name) {
  found->loops |= CUTE_BEGINS_WITH_ANY(name, "scf.", "affine.");
  found->gpu |= cuteMlirStartsWith(name, "gpu.");
  found->others |= !isCommon(name);
  found->toExpand |= isToExpand(name);
  found->scf |= cuteMlirStartsWith(name, "scf.");
  found->math |= cuteMlirStartsWith(name, "math.");
  found->casts |=
      cuteMlirStartsWith(name, "builtin.unrealized_conversion_cast");
}

// Tells whether convert-gpu-to-nvvm converts an op of vector as it is.
static bool isPlainVectorOp(MlirOperation op) {
  if (cuteMlirIs(op, "vector.extract"))
    return mlirShapedTypeGetRank(cuteMlirGetOperandType(op, 0)) == 1;
  return CUTE_IS_ANY(op, "vector.broadcast", "vector.from_elements") &&
         !mlirTypeIsAVector(cuteMlirGetOperandType(op, 0)) &&
         mlirShapedTypeGetRank(cuteMlirGetResultType(op, 0)) == 1;
}

static Found lookAt(MlirOperation root) {
  Found found = {0};
  CUTE_SCOPED(PointerMap) names = {0}; // that have been looked at
  CUTE_FOR_NESTED(op, root) {
    MlirIdentifier name = mlirOperationGetName(op);
    if (!cutePointerMapGet(&names, name.ptr))
      look(&found, mlirIdentifierStr(name));
    cutePointerMapSet(&names, name.ptr, &names);
    found.vector |= cuteMlirStartsWith(mlirIdentifierStr(name), "vector.") &&
                    !isPlainVectorOp(op);
  }
  return found;
}

// Tells whether the op is a function or the like, and no code.
static bool isDeclaration(MlirOperation op) {
  return CUTE_IS_ANY(op, "llvm.mlir.global_ctors", "llvm.mlir.global_dtors",
                     "llvm.module_flags", "llvm.linker_options") ||
         cuteMlirHasAttribute(op, "sym_name");
}

// Code in the body of a module would be translated to instructions of no block,
// or become blocks there: MLIR crashes on both.
static bool checkBody(CUTE_UNUSED CuteDialect *dialect,
                      MlirOperation gpuModule) {
  MlirBlock body = cuteMlirGetBody(gpuModule, 0);
  MlirOperation op = mlirBlockIsNull(body) ? (MlirOperation){NULL}
                                           : mlirBlockGetFirstOperation(body);
  while (!mlirOperationIsNull(op) && isDeclaration(op))
    op = mlirOperationGetNextInBlock(op);
  return mlirOperationIsNull(op) ||
         cuteEmitOpError(op, "is in the body of a gpu.module, which takes "
                             "functions and declarations only");
}

static bool runPasses(MlirOperation root, const CuteString *passes) {
  MlirPassManager manager = mlirPassManagerCreateOnOperation(
      mlirOperationGetContext(root), cuteMlirGetName(root));
  mlirPassManagerEnableVerifier(manager, false);
  CUTE_SCOPED(String) message = {0};
  bool ok = mlirLogicalResultIsSuccess(mlirOpPassManagerAddPipeline(
                mlirPassManagerGetAsOpPassManager(manager),
                cuteMlirText(passes), cuteAppendMlirString, &message)) &&
            mlirLogicalResultIsSuccess(mlirPassManagerRunOnOp(manager, root));
  if (message.length)
    mlirEmitError(mlirOperationGetLocation(root), cuteStringGet(&message));
  mlirPassManagerDestroy(manager);
  return ok;
}

//===-- Tensor maps -------------------------------------------------------===//

// A tensor map is passed by value in constant memory. MLIR's passes keep no
// such attributes of parameters, so that they come last.
static MlirAttribute mapAttributes(const CuteBuilder *b) {
  const CuteNamedAttribute attributes[] = {
      {"llvm.align", cuteIntAttr(b, 64, 64)},
      {"llvm.byval",
       mlirTypeAttrGet(cuteParsedType(b, "!llvm.array<16 x i64>"))},
      {"nvvm.grid_constant", mlirUnitAttrGet(b->context)}};
  MlirNamedAttribute named[3];
  for (int i = 0; i < 3; ++i)
    named[i] = mlirNamedAttributeGet(
        mlirIdentifierGet(b->context, cuteMlirString(attributes[i].name)),
        attributes[i].value);
  return mlirDictionaryAttrGet(b->context, 3, named);
}

static void passMapsByValue(MlirOperation op) {
  intptr_t count = (intptr_t)cuteMlirGetInteger(op, CUTE_TENSOR_MAPS);
  if (!count)
    return;
  CuteBuilder b = cuteBuilderBefore(op);
  MlirAttribute given = cuteMlirGetAttribute(op, "arg_attrs");
  intptr_t n = mlirBlockGetNumArguments(cuteMlirGetBody(op, 0));
  MlirAttribute none = mlirDictionaryAttrGet(b.context, 0, NULL);
  CUTE_FREED MlirAttribute *all = cuteReallocate(NULL, (size_t)n * sizeof *all);
  for (intptr_t i = 0; i < n; ++i)
    all[i] = i >= n - count               ? mapAttributes(&b)
             : mlirAttributeIsNull(given) ? none
                                          : mlirArrayAttrGetElement(given, i);
  cuteMlirSetAttribute(op, "arg_attrs", mlirArrayAttrGet(b.context, n, all));
  mlirOperationRemoveAttributeByName(op, cuteMlirString(CUTE_TENSOR_MAPS));
}

// Tells whether LLVM IR is made of ops of that name, or a diagnostic of others
// is the cause.
static bool isTranslated(MlirStringRef name) {
  return CUTE_BEGINS_WITH_ANY(name, "llvm.", "nvvm.", "gpu.", "builtin.");
}

static bool checkRest(CUTE_UNUSED CuteDialect *dialect, MlirOperation module) {
  CUTE_FOR_NESTED(op, module)
    if (!isTranslated(cuteMlirGetName(op)))
      return cuteEmitOpError(
          op, "is not compiled for a GPU; ops of arith, math, scf, cf, func, "
              "gpu, nvvm and llvm are, most of vector, and the dialect's");
  return true;
}

static bool branchInFunction(CUTE_UNUSED CuteDialect *dialect,
                             MlirOperation function) {
  cuteBranchInsteadOfIf(function);
  return true;
}

static bool branchInModule(CuteDialect *dialect, MlirOperation module) {
  return cuteFunctionForEach(dialect, module, "gpu.func", branchInFunction) &&
         cuteFunctionForEach(dialect, module, "func.func", branchInFunction);
}

// Adds a pass if it has something to do.
static void addPass(CuteString *passes, bool isNeeded, const char *pass) {
  if (!isNeeded)
    return;
  cuteStringAppend(passes, passes->length ? "," : "");
  cuteStringAppend(passes, pass);
}

static bool reconcileCasts(MlirOperation root) {
  CUTE_SCOPED(String) passes = {0};
  cuteStringAppend(&passes, "reconcile-unrealized-casts");
  return !lookAt(root).casts || runPasses(root, &passes);
}

bool cuteRunToLlvm(const CutePass *pass) {
  if (!cuteFunctionForEach(pass->dialect, pass->root, "gpu.module", checkBody))
    return false;
  Found found = lookAt(pass->root);
  if (found.scf)
    cuteFunctionForEach(pass->dialect, pass->root, "gpu.module",
                        branchInModule);
  CUTE_SCOPED(String) passes = {0};
  cuteStringAppendFormat(
      &passes, "gpu.module(%s%s%sconvert-gpu-to-nvvm{index-bitwidth=64}%s)",
      found.toExpand ? "arith-expand," : "",
      found.scf ? "convert-scf-to-cf," : "",
      found.vector ? "convert-vector-to-llvm," : "",
      found.math ? ",convert-math-to-llvm" : "");
  if (!runPasses(pass->root, &passes))
    return false;
  CUTE_FOR_NESTED(op, pass->root)
    passMapsByValue(op);
  return cuteFunctionForEach(pass->dialect, pass->root, "gpu.module",
                             checkRest) &&
         reconcileCasts(pass->root);
}

bool cuteRunBasePrepare(const CutePass *pass) {
  CUTE_SCOPED(String) passes = {0};
  addPass(&passes, true, "canonicalize,cse");
  addPass(&passes, lookAt(pass->root).loops, "loop-invariant-code-motion");
  return runPasses(pass->root, &passes) && reconcileCasts(pass->root);
}

bool cuteRunBaseToLlvm(const CutePass *pass) {
  Found found = lookAt(pass->root);
  CUTE_SCOPED(String) passes = {0};
  addPass(&passes, found.toExpand, "arith-expand");
  addPass(&passes, found.scf, "convert-scf-to-cf");
  addPass(&passes, found.gpu,
          "gpu.module(convert-gpu-to-nvvm{index-bitwidth=64},convert-math-to-"
          "llvm)");
  bool ok = !passes.length || runPasses(pass->root, &passes);
  cuteStringClear(&passes);
  if (ok && !found.gpu) {
    cuteConvertPlainOps(pass->root);
    addPass(&passes, found.math && lookAt(pass->root).math,
            "convert-math-to-llvm,convert-math-to-libm");
  }
  addPass(&passes, found.others, "gpu-to-llvm");
  addPass(&passes, true, "convert-to-llvm");
  return ok && runPasses(pass->root, &passes) && reconcileCasts(pass->root);
}
