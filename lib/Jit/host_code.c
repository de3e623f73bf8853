#include "Jit/jit.h"
#include "Jit/llvm_errors.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include <pthread.h>

typedef struct HostJob {
  LLVMModuleRef module;
  CuteHostCodeOptions options;
  CuteString *output;
  CuteString errors; // of LLVM's diagnostics
  LLVMTargetMachineRef machine;
  CuteStatus status;
} HostJob;

// Takes the message.
static CuteStatus fail(const char *doing, char *message) {
  CuteStatus status =
      cuteStatusCreate("%s: %s", doing, message ? message : "unknown");
  LLVMDisposeMessage(message);
  return status;
}

//===-- The host ----------------------------------------------------------===//

static bool hasHost;

static void initializeHost(void) {
  hasHost = !LLVMInitializeNativeTarget() &&
            !LLVMInitializeNativeAsmPrinter() &&
            !LLVMInitializeNativeAsmParser();
}

CuteStatus cuteHostInitialize(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, initializeHost);
  return hasHost ? NULL
                 : cuteStatusCreate("LLVM was built without a back end for "
                                    "the host");
}

// Null with a status.
static LLVMTargetMachineRef createMachine(const HostJob *job,
                                          CuteStatus *status) {
  static const LLVMCodeGenOptLevel levels[] = {
      LLVMCodeGenLevelNone, LLVMCodeGenLevelLess, LLVMCodeGenLevelDefault,
      LLVMCodeGenLevelAggressive};
  bool isAny = job->options.isForAnyHost;
  char *triple = LLVMGetDefaultTargetTriple(), *message = NULL;
  char *cpu = isAny ? LLVMCreateMessage("") : LLVMGetHostCPUName();
  char *features = isAny ? LLVMCreateMessage("") : LLVMGetHostCPUFeatures();
  LLVMTargetRef target;
  LLVMTargetMachineRef machine = NULL;
  unsigned level = job->options.optLevel;
  if (LLVMGetTargetFromTriple(triple, &target, &message))
    *status = fail("finding the host's back end", message);
  else
    machine = LLVMCreateTargetMachine(target, triple, cpu, features,
                                      levels[level > 3 ? 3 : level],
                                      LLVMRelocPIC, LLVMCodeModelDefault);
  LLVMDisposeMessage(triple);
  LLVMDisposeMessage(cpu);
  LLVMDisposeMessage(features);
  return machine;
}

//===-- Code --------------------------------------------------------------===//

static CuteStatus prepare(HostJob *job) {
  char *message = NULL;
  LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(job->machine);
  char *triple = LLVMGetTargetMachineTriple(job->machine);
  LLVMSetTarget(job->module, triple);
  LLVMSetModuleDataLayout(job->module, layout);
  LLVMDisposeMessage(triple);
  LLVMDisposeTargetData(layout);
  if (LLVMVerifyModule(job->module, LLVMReturnStatusAction, &message))
    return fail("verifying the module", message);
  LLVMDisposeMessage(message);
  return NULL;
}

static CuteStatus optimize(HostJob *job) {
  unsigned level = job->options.optLevel;
  char passes[16];
  snprintf(passes, sizeof passes, "default<O%u>", level > 3 ? 3 : level);
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef error =
      LLVMRunPasses(job->module, passes, job->machine, options);
  LLVMDisposePassBuilderOptions(options);
  return cuteLlvmErrorTake(error, "optimizing");
}

static CuteStatus emit(HostJob *job) {
  char *message = NULL;
  LLVMMemoryBufferRef buffer;
  if (LLVMTargetMachineEmitToMemoryBuffer(
          job->machine, job->module,
          job->options.isForAssembly ? LLVMAssemblyFile : LLVMObjectFile,
          &message, &buffer))
    return fail("generating code", message);
  cuteStringAppendBytes(job->output, LLVMGetBufferStart(buffer),
                        LLVMGetBufferSize(buffer));
  LLVMDisposeMemoryBuffer(buffer);
  if (job->errors.length)
    return cuteStatusCreate("generating code: %s", cuteStringGet(&job->errors));
  return NULL;
}

static void runJob(void *data) {
  HostJob *job = data;
  job->status = cuteHostInitialize();
  if (!job->status)
    job->machine = createMachine(job, &job->status);
  if (!job->status)
    job->status = prepare(job);
  if (!job->status)
    job->status = optimize(job);
  if (!job->status)
    job->status = emit(job);
  if (job->machine)
    LLVMDisposeTargetMachine(job->machine);
}

CuteStatus cuteHostCodeEmit(LLVMModuleRef module, CuteHostCodeOptions options,
                            CuteString *output, bool *isLost) {
  HostJob job = {.module = module, .options = options, .output = output};
  CUTE_SCOPED(String) reason = {0};
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMContextSetDiagnosticHandler(context, cuteLlvmNoteError, &job.errors);
  bool ok = cuteLlvmTry(runJob, &job, &reason);
  if (isLost)
    *isLost = !ok;
  if (ok)
    LLVMContextSetDiagnosticHandler(context, NULL, NULL);
  else
    job.status = cuteStatusCreate("LLVM cannot generate code for the host: %s",
                                  cuteStringGet(&reason));
  cuteStringDestroy(&job.errors);
  return job.status;
}
