// A module, compiled as far as asked.
#include "Compile/assemble.h"
#include "Compile/describe_memory.h"
#include "Compile/kept_code.h"
#include "Compile/kernel_checks.h"
#include "Compile/options.h"
#include "Compile/pass_registry.h"
#include "Compile/translate_kernels.h"
#include "Compile/upstream.h"
#include "Lint/async.h"
#include "Support/clock.h"

#include "cute/Assembly.h"

void cutePassReport(MlirStringRef message, void *userData) {
  const MlirLocation *location = userData;
  cuteEmitError(*location, "pipeline: %.*s", CUTE_TEXT(message));
}

// Places in the source stay with the code only where functions have a scope. Of
// this kind they are lines alone: ptxas compiles what has more without
// optimizing it.
static const char scopes[] =
    ",ensure-debug-info-scope-on-llvm-func{emission-kind=DebugDirectivesOnly}";

static bool lower(MlirModule module, const CuteArch *arch,
                  const CuteCompileOptions *options, CuteCompileTimes *times) {
  double start = cuteNow();
  MlirOperation op = mlirModuleGetOperation(module);
  MlirLocation location = mlirOperationGetLocation(op);
  CUTE_SCOPED(String) pipeline = {0};
  cuteStringAppendFormat(&pipeline, "cute-lower-to-llvm{arch=%s}%s", arch->name,
                         options->lineInfo ? scopes : "");
  bool ok = mlirLogicalResultIsSuccess(
      cutePipelineRunWithout(op, cuteMlirText(&pipeline), options->observer,
                             NULL, options->skip, cutePassReport, &location));
  times->lower = cuteNow() - start;
  return ok;
}

// Checks what kernels start and wait for later.
static bool checkAsync(MlirModule module, const CuteArch *arch) {
  CUTE_LOCKED *dialect = cuteDialectLock(mlirModuleGetContext(module));
  bool ok = true;
  if (!dialect)
    return false;
  CUTE_FOR_NESTED(op, mlirModuleGetOperation(module)) {
    if (!cuteMlirIs(op, "gpu.func"))
      continue;
    if (cuteAsyncIsUsed(dialect, op))
      cuteAsyncNameSums(dialect, op);
    ok &= cuteAsyncCheck(dialect, op, arch);
  }
  return ok;
}

static bool compileFor(MlirModule module, const CuteArch *arch,
                       CuteCompileOptions options,
                       const CuteProductPlaces *places, CuteString *output,
                       CuteCompileTimes *times) {
  MlirOperation op = mlirModuleGetOperation(module);
  int ptx = 0;
  if (options.emit != CUTE_EMIT_MLIR &&
      (!cutePassesCheckNames(mlirOperationGetLocation(op), options.skip) ||
       !cuteCheckKernels(module) || !cuteCheckLimits(module, arch, &ptx) ||
       !checkAsync(module, arch) ||
       (options.emit == CUTE_EMIT_LLVM && options.lineInfo &&
        !cuteDescribeMemory(module)) ||
       !lower(module, arch, &options, times)))
    return false;
  CuteArch withAtoms = *arch;
  withAtoms.ptx = ptx > arch->ptx ? ptx : arch->ptx;
  if (options.emit <= CUTE_EMIT_NVVM) {
    cuteOperationPrint(op, (CutePrintOptions){0}, cuteAppendMlirString, output);
    return true;
  }
  if (options.emit != CUTE_EMIT_CUBIN)
    return cuteTranslateKernels(module, &withAtoms, &options, output, times);
  CUTE_SCOPED(String) code = {0};
  bool ok = cuteTranslateKernels(module, &withAtoms, &options, &code, times);
  double start = cuteNow();
  ok = ok && cuteAssemble(mlirOperationGetLocation(op), places, arch,
                          options.ptxas, &code, output, NULL);
  times->assemble = cuteNow() - start;
  return ok;
}

static bool compile(MlirModule module, CuteCompileOptions options,
                    CuteString *output, CuteCompileTimes *times) {
  const CuteArch *arch = cuteArchFind(options.arch);
  if (!arch)
    return CUTE_ERROR_AT(
        mlirModuleGetOperation(module), "unknown architecture '%s'; %s",
        options.arch ? options.arch : "", cuteArchCheck(options.arch));
  cuteUpstreamLoadDialects(mlirModuleGetContext(module));
  CUTE_SCOPED(ProductPlaces) places;
  cuteProductPlacesCollect(&places, module);
  return compileFor(module, arch, options, &places, output, times);
}

MlirLogicalResult cuteModuleCompile(MlirModule module,
                                    const CuteCompileOptions *given,
                                    MlirStringCallback callback, void *userData,
                                    CuteCompileTimes *times) {
  CuteCompileTimes unused;
  CuteCompileOptions options;
  times = times ? times : &unused;
  *times = (CuteCompileTimes){0};
  if (mlirModuleIsNull(module) ||
      !cuteCompileOptionsRead(&options, given, module))
    return mlirLogicalResultFailure();
  CUTE_SCOPED(String) output = {0};
  CuteKeptCode kept;
  bool ok = cuteKeptCodeFind(&kept, module, &options, &output);
  if (!ok) {
    ok = (!options.reproducer || cuteReproducerWrite(module, &options)) &&
         compile(module, options, &output, times);
    if (ok && options.reproducer)
      remove(options.reproducer);
  }
  cuteKeptCodeEnd(&kept, ok ? &output : NULL);
  if (ok && callback)
    callback(cuteMlirText(&output), userData);
  return ok ? mlirLogicalResultSuccess() : mlirLogicalResultFailure();
}
