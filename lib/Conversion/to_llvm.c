// cute-to-llvm: lowered gpu.modules become llvm and nvvm by MLIR's passes. Each
// of them looks at every op; those that have nothing to do are left out.
#include "Conversion/conversion.h"

#include <mlir-c/Pass.h>

// What there is in the gpu.modules.
typedef struct Found {
  bool toExpand, scf, vector, math, casts;
} Found;

static bool startsWith(MlirStringRef name, const char *prefix) {
  size_t n = strlen(prefix);
  return name.length >= n && !memcmp(name.data, prefix, n);
}

// Ops of arith that have no counterpart in llvm.
static bool isToExpand(MlirStringRef name) {
  static const char *const suffixes[] = {
      "ceildivsi",      "ceildivui",      "floordivsi", "maximumf",
      "minimumf",       "maxnumf",        "minnumf",    "scaling_extf",
      "scaling_truncf", "flush_denormals"};
  for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; ++i)
    if (name.length == 6 + strlen(suffixes[i]) &&
        !memcmp(name.data + 6, suffixes[i], name.length - 6))
      return true;
  return false;
}

static MlirWalkResult look(MlirOperation op, void *userData) {
  Found *found = userData;
  MlirStringRef name = cuteMlirGetName(op);
  found->toExpand |= startsWith(name, "arith.") && isToExpand(name);
  found->scf |= startsWith(name, "scf.");
  found->vector |= startsWith(name, "vector.");
  found->math |= startsWith(name, "math.");
  found->casts |= startsWith(name, "builtin.unrealized_conversion_cast");
  return MlirWalkResultAdvance;
}

static Found lookAt(MlirOperation root) {
  Found found = {0};
  mlirOperationWalk(root, look, &found, MlirWalkPreOrder);
  return found;
}

static bool runPasses(MlirOperation root, const CuteString *passes) {
  MlirPassManager manager = mlirPassManagerCreateOnOperation(
      mlirOperationGetContext(root), cuteMlirGetName(root));
  mlirPassManagerEnableVerifier(manager, false);
  CuteString message = {0};
  bool ok = mlirLogicalResultIsSuccess(mlirOpPassManagerAddPipeline(
                mlirPassManagerGetAsOpPassManager(manager),
                toMlirString(cuteStringGetRef(passes)), cuteAppendMlirString,
                &message)) &&
            mlirLogicalResultIsSuccess(mlirPassManagerRunOnOp(manager, root));
  if (message.length)
    mlirEmitError(mlirOperationGetLocation(root), cuteStringGet(&message));
  cuteStringDestroy(&message);
  mlirPassManagerDestroy(manager);
  return ok;
}

bool cuteRunToLlvm(CuteDialect *dialect, MlirOperation root,
                   const CutePassOptions *options) {
  (void)dialect, (void)options;
  Found found = lookAt(root);
  CuteString passes = {0};
  cuteStringAppendFormat(
      &passes, "gpu.module(%s%s%sconvert-gpu-to-nvvm{index-bitwidth=64}%s)",
      found.toExpand ? "arith-expand," : "",
      found.scf ? "convert-scf-to-cf," : "",
      found.vector ? "convert-vector-to-llvm," : "",
      found.math ? ",convert-math-to-llvm" : "");
  bool ok = runPasses(root, &passes);
  cuteStringDestroy(&passes);
  if (!ok || !lookAt(root).casts)
    return ok;
  cuteStringAppend(&passes, "gpu.module(reconcile-unrealized-casts)");
  ok = runPasses(root, &passes);
  cuteStringDestroy(&passes);
  return ok;
}
