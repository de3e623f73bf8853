// Lowered gpu.modules to one LLVM module, and its code.
#include "Compile/translate_kernels.h"
#include "Codegen/codegen.h"
#include "Compile/upstream.h"
#include "IR/dialect.h"
#include "Jit/llvm_errors.h"
#include "Jit/llvm_walk.h"
#include "Support/clock.h"

#include <llvm-c/Linker.h>
#include <mlir-c/Target/LLVMIR.h>

//===-- Functions of the device -------------------------------------------===//

static bool isKernel(LLVMValueRef function) {
  return LLVMGetFunctionCallConv(function) == LLVMPTXKernelCallConv;
}

static bool hasKernel(LLVMModuleRef module) {
  LLVMValueRef f = LLVMGetFirstFunction(module);
  while (f && !isKernel(f))
    f = LLVMGetNextFunction(f);
  return f;
}

// Nothing but kernels is called from elsewhere, so that a function is gone when
// all calls of it are inlined, and its name is its module's. Not to be called
// without a kernel, where functions are what is wanted.
static void hideFunctions(LLVMModuleRef module) {
  CUTE_FOR_LLVM(Function, f, module)
    if (LLVMGetFirstBasicBlock(f) && !isKernel(f))
      LLVMSetLinkage(f, LLVMInternalLinkage);
}

static void warnOfNoKernel(MlirOperation op) {
  cuteEmit(mlirOperationGetLocation(op), CUTE_SEVERITY_WARNING,
           mlirStringRefCreateFromCString(
               "the module has no kernel to launch; write 'kernel' after the "
               "parameters of a gpu.func"),
           NULL);
}

//===-- Translation -------------------------------------------------------===//

// Outlives a fatal error of LLVM, after which the handler stays.
static _Thread_local bool isSaid;

static MlirLogicalResult noteError(MlirDiagnostic diagnostic,
                                   CUTE_UNUSED void *userData) {
  isSaid |= mlirDiagnosticGetSeverity(diagnostic) == MlirDiagnosticError;
  return mlirLogicalResultFailure(); // and on to the next handler
}

LLVMModuleRef cuteTranslateModule(MlirOperation module,
                                  LLVMContextRef context) {
  MlirContext mlir = mlirOperationGetContext(module);
  isSaid = false;
  cuteUpstreamAddTranslations(mlir);
  MlirDiagnosticHandlerID id =
      mlirContextAttachDiagnosticHandler(mlir, noteError, NULL, NULL);
  LLVMModuleRef result = mlirTranslateModuleToLLVMIR(module, context);
  mlirContextDetachDiagnosticHandler(mlir, id);
  if (!result && !isSaid)
    CUTE_ERROR_AT(module, "LLVM rejects the lowered module");
  return result;
}

typedef struct Job {
  MlirModule module;
  CuteCodegenOptions options;
  CuteString *output;
  CuteCompileTimes *times;
  LLVMContextRef context;
  CuteStatus status;
  bool isTranslated;
} Job;

// All gpu.modules, linked into one LLVM module; null with a diagnostic.
static LLVMModuleRef translate(MlirModule module, LLVMContextRef context) {
  LLVMModuleRef all = NULL;
  CUTE_FOR_OPS(op, mlirModuleGetBody(module)) {
    if (!cuteMlirIs(op, "gpu.module"))
      continue;
    LLVMModuleRef part = cuteTranslateModule(op, context);
    if (!part || !cuteForeignCodeLink(op, part))
      return NULL;
    if (hasKernel(part))
      hideFunctions(part);
    else
      warnOfNoKernel(op);
    if (!all)
      all = part;
    else if (LLVMLinkModules2(all, part))
      return NULL;
  }
  if (!all)
    CUTE_ERROR_AT(mlirModuleGetOperation(module),
                  "the module has no gpu.module to compile");
  return all;
}

static void runJob(void *data) {
  Job *job = data;
  double start = cuteNow();
  LLVMModuleRef module = translate(job->module, job->context);
  job->isTranslated = module;
  job->times->translate = cuteNow() - start;
  CuteCodegenTimes times = {0};
  if (module) {
    job->status = cuteCodegenEmit(module, job->options, job->output, &times);
    LLVMDisposeModule(module);
  }
  job->times->optimize = times.optimize;
  job->times->codegen = times.emit;
  LLVMContextDispose(job->context);
}

bool cuteTranslateKernels(MlirModule module, const CuteArch *arch,
                          const CuteCompileOptions *options, CuteString *output,
                          CuteCompileTimes *times) {
  MlirLocation location =
      mlirOperationGetLocation(mlirModuleGetOperation(module));
  Job job = {.module = module,
             .options = {.arch = arch->name,
                         .ptx = arch->ptx,
                         .optLevel = options->optLevel,
                         .marksUnwritten = options->marksUnwritten,
                         .isIr = options->emit == CUTE_EMIT_LLVM,
                         .skip = options->skip},
             .output = output,
             .times = times,
             .context = LLVMContextCreate()};
  CUTE_SCOPED(String) reason = {0};
  bool ok = cuteLlvmTry(runJob, &job, &reason);
  if (!ok)
    cuteEmitError(location,
                  "LLVM cannot generate code for this; %s may lack an "
                  "instruction that it needs: %s",
                  arch->name, cuteStringGet(&reason));
  return cuteEmitStatus(location, job.status) && ok && job.isTranslated;
}
