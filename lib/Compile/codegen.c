// LLVM: translation, optimization and the NVPTX back end.
#include "Compile/address_runs.h"
#include "Compile/addresses.h"
#include "Compile/compile.h"
#include "Compile/conditions.h"
#include "Compile/float_bits.h"
#include "Compile/loop_counters.h"
#include "Compile/to_llvm_ir.h"
#include "Compile/unwritten_registers.h"
#include "Compile/zero_fill.h"
#include "Jit/llvm_errors.h"

#include <llvm-c/Core.h>
#include <llvm-c/Linker.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include <stdio.h>

static const char triple[] = "nvptx64-nvidia-cuda";

//===-- Code generation of one LLVM module --------------------------------===//

typedef struct Backend {
  MlirLocation location;
  LLVMContextRef context;
  LLVMTargetMachineRef machine;
  LLVMModuleRef module;
  bool failed;
} Backend;

static void handleDiagnostic(LLVMDiagnosticInfoRef info, void *userData) {
  Backend *backend = userData;
  if (LLVMGetDiagInfoSeverity(info) != LLVMDSError)
    return;
  char *text = LLVMGetDiagInfoDescription(info);
  cuteEmitError(backend->location, "LLVM: %s", text);
  LLVMDisposeMessage(text);
  backend->failed = true;
}

static LLVMCodeGenOptLevel codegenLevel(unsigned level) {
  return level == 0   ? LLVMCodeGenLevelNone
         : level == 1 ? LLVMCodeGenLevelLess
         : level == 2 ? LLVMCodeGenLevelDefault
                      : LLVMCodeGenLevelAggressive;
}

static bool createMachine(Backend *backend, const CuteArch *arch,
                          unsigned level) {
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
  LLVMTargetRef target;
  char *message = NULL;
  if (LLVMGetTargetFromTriple(triple, &target, &message)) {
    cuteEmitError(backend->location, "LLVM: %s", message);
    LLVMDisposeMessage(message);
    return false;
  }
  char features[16];
  snprintf(features, sizeof features, "+ptx%d", arch->ptx);
  backend->machine = LLVMCreateTargetMachine(
      target, triple, arch->name, features, codegenLevel(level),
      LLVMRelocDefault, LLVMCodeModelDefault);
  return true;
}

static bool runPasses(Backend *backend, const char *passes) {
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef error =
      LLVMRunPasses(backend->module, passes, backend->machine, options);
  LLVMDisposePassBuilderOptions(options);
  if (error) {
    char *message = LLVMGetErrorMessage(error);
    cuteEmitError(backend->location, "LLVM: %s", message);
    LLVMDisposeErrorMessage(message);
  }
  return !error && !backend->failed;
}

#define CLEAN_UP                                                               \
  "simplifycfg<bonus-inst-threshold=1;switch-range-to-icmp;keep-loops;"        \
  "speculate-blocks;simplify-cond-branch>"
#define COMBINE "instcombine<max-iterations=1;no-verify-fixpoint>"

// The passes of LLVM's O3 that kernels gain from: their code is one function,
// has been simplified while it was emitted, and its vectors are those of the
// hardware. Left out are repetitions, passes on calls and globals, and
// vectorizers, whose vectors the back end needs long to take apart again.
static const char kernelPasses[] =
    "function<eager-inv>(nvvm-intr-range," CLEAN_UP
    ",sroa<modify-cfg>,early-cse,sccp," COMBINE "," CLEAN_UP "),"
    "cgscc(inline),globaldce,"
    "function<eager-inv>("
    "loop-mssa(loop-rotate<header-duplication>,"
    "licm<allowspeculation>)," CLEAN_UP
    ",loop(indvars,loop-deletion,loop-unroll-full),"
    "sroa<modify-cfg>,early-cse,gvn,bdce,"
    "simplifycfg<bonus-inst-threshold=1;switch-range-to-icmp;"
    "switch-to-arithmetic;keep-loops;hoist-common-insts;sink-common-insts;"
    "speculate-blocks;simplify-cond-branch>," COMBINE
    ",loop-unroll<O3>,sroa<preserve-cfg>,infer-alignment,early-cse,"
    "loop-mssa(licm<allowspeculation>),loop-sink,div-rem-pairs," CLEAN_UP
    ",adce)";

static const char *const pipelines[] = {"default<O0>", "default<O1>",
                                        kernelPasses, "default<O3>"};

// Sums of offsets are put together again, and common factors found in them.
static bool optimize(Backend *backend, unsigned level) {
  const char *passes = pipelines[level > 3 ? 3 : level];
  if (!runPasses(backend, passes) || !level)
    return !backend->failed;
  cuteMergeAddresses(backend->module);
  cuteNarrowAddresses(backend->module);
  cuteZeroFillIgnoreSources(backend->module);
  if (!runPasses(backend, "function(reassociate,early-cse)"))
    return false;
  cutePackConditions(backend->module);
  cuteHideFloatBits(backend->module);
  cuteHideLoopCounters(backend->module);
  cuteSplitAddressRuns(backend->module);
  return true;
}

static bool emitPtx(Backend *backend, CuteString *output) {
  char *message = NULL;
  LLVMMemoryBufferRef buffer;
  if (LLVMTargetMachineEmitToMemoryBuffer(backend->machine, backend->module,
                                          LLVMAssemblyFile, &message,
                                          &buffer)) {
    cuteEmitError(backend->location, "LLVM: %s", message);
    LLVMDisposeMessage(message);
    return false;
  }
  cuteStringAppendBytes(output, LLVMGetBufferStart(buffer),
                        LLVMGetBufferSize(buffer));
  LLVMDisposeMemoryBuffer(buffer);
  return !backend->failed;
}

static void printIr(Backend *backend, CuteString *output) {
  char *text = LLVMPrintModuleToString(backend->module);
  cuteStringAppend(output, text);
  LLVMDisposeMessage(text);
}

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
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
       f = LLVMGetNextFunction(f))
    if (LLVMGetFirstBasicBlock(f) && !isKernel(f))
      LLVMSetLinkage(f, LLVMInternalLinkage);
}

//===-- Translation -------------------------------------------------------===//

static bool isGpuModule(MlirOperation op) {
  return cuteMlirIs(op, "gpu.module");
}

static void warnOfNoKernel(MlirOperation op) {
  cuteEmit(mlirOperationGetLocation(op), CUTE_SEVERITY_WARNING,
           mlirStringRefCreateFromCString(
               "no function of the module is a kernel, which could be "
               "launched; write 'kernel' after the parameters of one"),
           NULL);
}

// All gpu.modules, linked into one LLVM module.
static bool translate(MlirModule module, Backend *backend) {
  MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    if (!isGpuModule(op))
      continue;
    LLVMModuleRef part = cuteModuleToLlvmIr(op, backend->context);
    if (!part)
      return false;
    if (hasKernel(part))
      hideFunctions(part);
    else
      warnOfNoKernel(op);
    if (!backend->module)
      backend->module = part;
    else if (LLVMLinkModules2(backend->module, part))
      return false;
  }
  if (!backend->module)
    cuteEmitError(backend->location, "the module has no gpu.module to compile");
  return backend->module;
}

//===-- Inline PTX --------------------------------------------------------===//

// Tells whether the threads of a warp execute the call together, as mma.sync,
// or wait for others.
static bool isWarpWide(LLVMValueRef instruction) {
  static const char *const marks[] = {".sync.", "bar.sync", "bar.arrive",
                                      "mbarrier."};
  LLVMValueRef callee =
      LLVMIsACallInst(instruction) ? LLVMGetCalledValue(instruction) : NULL;
  if (!callee || !LLVMIsAInlineAsm(callee))
    return false;
  size_t length;
  const char *text = LLVMGetInlineAsmAsmString(callee, &length);
  bool found = false;
  for (size_t i = 0; i < sizeof marks / sizeof *marks; ++i)
    found |= strstr(text, marks[i]) != NULL;
  return found;
}

static void makeConvergent(Backend *backend, LLVMValueRef instruction) {
  static const char name[] = "convergent";
  LLVMAddCallSiteAttribute(
      instruction, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
      LLVMCreateEnumAttribute(
          backend->context, LLVMGetEnumAttributeKindForName(name, strlen(name)),
          0));
}

// No pass may move such a call to where only some of the threads are.
static void makeInlineConvergent(Backend *backend) {
  for (LLVMValueRef f = LLVMGetFirstFunction(backend->module); f;
       f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b;
         b = LLVMGetNextBasicBlock(b))
      for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
           i = LLVMGetNextInstruction(i))
        if (isWarpWide(i))
          makeConvergent(backend, i);
}

static void setTarget(Backend *backend) {
  LLVMSetTarget(backend->module, triple);
  LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(backend->machine);
  LLVMSetModuleDataLayout(backend->module, layout);
  LLVMDisposeTargetData(layout);
}

static bool generate(MlirModule module, Backend *backend,
                     CuteCompileOptions options, CuteString *output,
                     CuteCompileTimes *times) {
  double start = cuteNow();
  if (!translate(module, backend))
    return false;
  setTarget(backend);
  makeInlineConvergent(backend);
  if (options.marksUnwritten)
    cuteMarkUnwritten(backend->module);
  double translated = cuteNow();
  times->translate = translated - start;
  if (!optimize(backend, options.optLevel))
    return false;
  double optimized = cuteNow();
  times->optimize = optimized - translated;
  if (options.emit == CUTE_EMIT_LLVM) {
    printIr(backend, output);
    return true;
  }
  bool ok = emitPtx(backend, output);
  times->codegen = cuteNow() - optimized;
  return ok;
}

typedef struct Job {
  MlirModule module;
  CuteCompileOptions options;
  Backend *backend;
  const CuteArch *arch;
  CuteString *output;
  CuteCompileTimes *times;
  bool ok;
} Job;

static void runJob(void *data) {
  Job *job = data;
  Backend *backend = job->backend;
  job->ok =
      createMachine(backend, job->arch, job->options.optLevel) &&
      generate(job->module, backend, job->options, job->output, job->times);
  if (backend->module)
    LLVMDisposeModule(backend->module);
  if (backend->machine)
    LLVMDisposeTargetMachine(backend->machine);
  LLVMContextDispose(backend->context);
}

bool cuteCodegenModule(MlirModule module, const CuteArch *arch,
                       CuteCompileOptions options, CuteString *output,
                       CuteCompileTimes *times) {
  Backend backend = {
      .location = mlirOperationGetLocation(mlirModuleGetOperation(module)),
      .context = LLVMContextCreate()};
  LLVMContextSetDiagnosticHandler(backend.context, handleDiagnostic, &backend);
  Job job = {module, options, &backend, arch, output, times, false};
  CuteString reason = {0};
  if (!cuteLlvmTry(runJob, &job, &reason))
    cuteEmitError(backend.location,
                  "LLVM cannot generate code for this, perhaps for want of an "
                  "instruction that %s does not have: %s",
                  arch->name, cuteStringGet(&reason));
  cuteStringDestroy(&reason);
  return job.ok;
}
