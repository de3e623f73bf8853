// LLVM's passes, ours, and the NVPTX back end.
#include "Codegen/codegen.h"
#include "Codegen/llvm_passes.h"
#include "Jit/llvm_errors.h"
#include "Jit/llvm_walk.h"
#include "Support/clock.h"
#include "Support/text.h"

#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>

static const char triple[] = "nvptx64-nvidia-cuda";

typedef struct Backend {
  LLVMTargetMachineRef machine;
  LLVMModuleRef module;
  CuteString errors; // of LLVM's diagnostics
} Backend;

// Takes the message.
static CuteStatus fail(char *message) {
  CuteStatus status = cuteStatusCreate("LLVM: %s", message);
  LLVMDisposeMessage(message);
  return status;
}

static CuteStatus failIfNoted(const Backend *backend) {
  return backend->errors.length
             ? cuteStatusCreate("LLVM: %s", cuteStringGet(&backend->errors))
             : NULL;
}

static LLVMCodeGenOptLevel codegenLevel(unsigned level) {
  return level == 0   ? LLVMCodeGenLevelNone
         : level == 1 ? LLVMCodeGenLevelLess
         : level == 2 ? LLVMCodeGenLevelDefault
                      : LLVMCodeGenLevelAggressive;
}

static CuteStatus createMachine(Backend *backend,
                                const CuteCodegenOptions *options) {
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
  LLVMTargetRef target;
  char *message = NULL;
  if (LLVMGetTargetFromTriple(triple, &target, &message))
    return fail(message);
  char features[16];
  snprintf(features, sizeof features, "+ptx%d", options->ptx);
  backend->machine = LLVMCreateTargetMachine(
      target, triple, options->arch, features, codegenLevel(options->optLevel),
      LLVMRelocDefault, LLVMCodeModelDefault);
  return NULL;
}

//===-- Passes ------------------------------------------------------------===//

static CuteStatus runPasses(Backend *backend, const char *passes) {
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef error =
      LLVMRunPasses(backend->module, passes, backend->machine, options);
  LLVMDisposePassBuilderOptions(options);
  CUTE_TRY(cuteLlvmErrorTake(error, "LLVM"));
  return failIfNoted(backend);
}

#define CLEAN_UP                                                               \
  "simplifycfg<bonus-inst-threshold=1;switch-range-to-icmp;keep-loops;"        \
  "speculate-blocks;simplify-cond-branch>"
#define COMBINE "instcombine<max-iterations=1;no-verify-fixpoint>"

// The passes of LLVM's O3 that kernels gain from: their code is one function,
// has been simplified while it was emitted, and its vectors are the hardware's.
// Left out are repetitions, passes on calls and globals, and vectorizers, whose
// vectors the back end needs long to take apart again.
static const char kernelPasses[] =
    "function<eager-inv>(nvvm-intr-range," CLEAN_UP
    ",sroa<modify-cfg>,early-cse,sccp," COMBINE "," CLEAN_UP
    "),cgscc(inline),globaldce,function<eager-inv>(loop-mssa(loop-rotate<"
    "header-duplication>,licm<allowspeculation>)," CLEAN_UP
    ",loop(indvars,loop-deletion,loop-unroll-full),sroa<modify-cfg>,early-cse,"
    "gvn,bdce,simplifycfg<bonus-inst-threshold=1;switch-range-to-icmp;switch-"
    "to-arithmetic;keep-loops;hoist-common-insts;sink-common-insts;speculate-"
    "blocks;simplify-cond-branch>," COMBINE
    ",loop-unroll<O3>,sroa<preserve-cfg>,infer-alignment,early-cse,loop-mssa("
    "licm<allowspeculation>),loop-sink,div-rem-pairs," CLEAN_UP ",adce)";

static const char *const pipelines[] = {"default<O0>", "default<O1>",
                                        kernelPasses, "default<O3>"};

// Passes of ours, by name, and LLVM's between them.
static const struct {
  const char *name;
  CuteLlvmPass *run;    // null for passes of LLVM
  const char *elements; // of these
} rows[] = {
#define CUTE_LLVM_PASS(name, function, summary) {name, function, NULL},
#define CUTE_LLVM_PIPELINE(elements) {"", NULL, elements},
#include "llvm_passes.def"
};

enum { NUM_ROWS = sizeof rows / sizeof *rows };

bool cuteCodegenHasPass(CuteStringRef name) {
  size_t i = 0;
  while (i < NUM_ROWS && (!rows[i].run || !cuteTextEquals(name, rows[i].name)))
    ++i;
  return i < NUM_ROWS;
}

static CuteStatus runOurs(Backend *backend, LLVMBuilderRef builder,
                          const char *skip) {
  for (size_t i = 0; i < NUM_ROWS; ++i)
    if (!rows[i].run)
      CUTE_TRY(runPasses(backend, rows[i].elements));
    else if (!cuteTextListHas(cuteStringRef(skip), cuteStringRef(rows[i].name)))
      rows[i].run(backend->module, builder);
  return NULL;
}

static CuteStatus optimize(Backend *backend,
                           const CuteCodegenOptions *options) {
  unsigned level = options->optLevel;
  CUTE_TRY(runPasses(backend, pipelines[level > 3 ? 3 : level]));
  if (!level)
    return NULL;
  LLVMBuilderRef builder =
      LLVMCreateBuilderInContext(LLVMGetModuleContext(backend->module));
  CuteStatus status =
      runOurs(backend, builder, options->skip ? options->skip : "");
  LLVMDisposeBuilder(builder);
  return status;
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

static void makeConvergent(LLVMContextRef context, LLVMValueRef instruction) {
  static const char name[] = "convergent";
  LLVMAddCallSiteAttribute(
      instruction, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
      LLVMCreateEnumAttribute(
          context, LLVMGetEnumAttributeKindForName(name, strlen(name)), 0));
}

// No pass may move such a call to where only some of the threads are.
static void makeInlineConvergent(LLVMModuleRef module) {
  for (LLVMValueRef i = cuteLlvmFirstInstruction(module); i;
       i = cuteLlvmNextInstruction(i))
    if (isWarpWide(i))
      makeConvergent(LLVMGetModuleContext(module), i);
}

// Marks functions so that no pass reads memory where the program does not: the
// simulator, which runs LLVM IR, would find races of such reads.
static void markReads(LLVMModuleRef module, bool isMarked) {
  static const char name[] = "sanitize_thread";
  LLVMContextRef context = LLVMGetModuleContext(module);
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  LLVMAttributeRef mark = LLVMCreateEnumAttribute(context, kind, 0);
  LLVMAttributeIndex all = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
  CUTE_FOR_LLVM(Function, f, module)
    if (isMarked)
      LLVMAddAttributeAtIndex(f, all, mark);
    else
      LLVMRemoveEnumAttributeAtIndex(f, all, kind);
}

//===-- Output ------------------------------------------------------------===//

static CuteStatus emitPtx(Backend *backend, CuteString *output) {
  char *message = NULL;
  LLVMMemoryBufferRef buffer;
  if (LLVMTargetMachineEmitToMemoryBuffer(backend->machine, backend->module,
                                          LLVMAssemblyFile, &message, &buffer))
    return fail(message);
  cuteStringAppendBytes(output, LLVMGetBufferStart(buffer),
                        LLVMGetBufferSize(buffer));
  LLVMDisposeMemoryBuffer(buffer);
  return failIfNoted(backend);
}

static void printIr(LLVMModuleRef module, CuteString *output) {
  char *text = LLVMPrintModuleToString(module);
  cuteStringAppend(output, text);
  LLVMDisposeMessage(text);
}

static void setTarget(Backend *backend) {
  LLVMSetTarget(backend->module, triple);
  LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(backend->machine);
  LLVMSetModuleDataLayout(backend->module, layout);
  LLVMDisposeTargetData(layout);
}

static CuteStatus generate(Backend *backend, const CuteCodegenOptions *options,
                           CuteString *output, CuteCodegenTimes *times) {
  CUTE_TRY(createMachine(backend, options));
  setTarget(backend);
  makeInlineConvergent(backend->module);
  if (options->marksUnwritten)
    cuteMarkUnwritten(backend->module);
  double start = cuteNow();
  markReads(backend->module, options->isIr);
  CUTE_TRY(optimize(backend, options));
  markReads(backend->module, false);
  double optimized = cuteNow();
  times->optimize = optimized - start;
  if (options->isIr) {
    printIr(backend->module, output);
    return NULL;
  }
  CuteStatus status = emitPtx(backend, output);
  times->emit = cuteNow() - optimized;
  return status;
}

CuteStatus cuteCodegenEmit(LLVMModuleRef module, CuteCodegenOptions options,
                           CuteString *output, CuteCodegenTimes *times) {
  Backend backend = {.module = module};
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMContextSetDiagnosticHandler(context, cuteLlvmNoteError, &backend.errors);
  CuteStatus status = generate(&backend, &options, output, times);
  LLVMContextSetDiagnosticHandler(context, NULL, NULL);
  cuteStringDestroy(&backend.errors);
  if (backend.machine)
    LLVMDisposeTargetMachine(backend.machine);
  return status;
}
