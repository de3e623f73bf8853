#include "Jit/jit.h"
#include "Jit/llvm_errors.h"
#include "SimulatedDevice/translate/memory_description.h"
#include "SimulatedDevice/translate/ptx_module.h"
#include "Simulator/checks/access.h"
#include "Simulator/checks/run_checks.h"
#include "Simulator/machine/device_memory.h"
#include "Simulator/machine/launch_run.h"
#include "Simulator/machine/resources.h"
#include "Simulator/observe/observer.h"
#include "Simulator/ptx/device_printf.h"
#include "Simulator/ptx/operation_table.h"
#include "Simulator/tensorcore/block_tmem.h"
#include "Simulator/tensorcore/wgmma_checks.h"

#include <llvm-c/IRReader.h>

struct CuteSimProgram {
  CuteArena arena;
  CuteSimResources resources;
  LLVMContextRef context;
  CuteJit *jit;
  size_t localBytes;
  const CuteSimMemory *memory;
  CuteSimVariable *variables;
  size_t numVariables;
  bool observes, hasClusters;
  CuteSimStatistics statistics;
};

//===-- Reading -----------------------------------------------------------===//

static CuteStatus parse(LLVMContextRef context, const char *text,
                        LLVMModuleRef *module) {
  char *message = NULL;
  CUTE_SCOPED(String) ir = {0};
  if (cutePtxIsModule(text)) {
    CUTE_TRY(cutePtxModuleToIr(text, &ir));
    return parse(context, cuteStringGet(&ir), module);
  }
  LLVMMemoryBufferRef buffer =
      LLVMCreateMemoryBufferWithMemoryRangeCopy(text, strlen(text), "kernel");
  bool failed = LLVMParseIRInContext2(context, buffer, module, &message);
  LLVMDisposeMemoryBuffer(buffer);
  if (!failed)
    return NULL;
  CuteStatus status = cuteStatusCreate(
      "this is not LLVM IR, which the simulator runs and cutec --emit=llvm "
      "writes: %s",
      message ? message : "unknown");
  LLVMDisposeMessage(message);
  return status;
}

//===-- Symbols -----------------------------------------------------------===//

#define SYMBOL(name, function)                                                 \
  { name, (void *)(uintptr_t)function }

static const CuteJitSymbol fixed[] = {
    SYMBOL("cuteSimGetThread", cuteSimGetThread),
    SYMBOL("cuteSimAccess", cuteSimAccess),
    SYMBOL("cuteSimAccessEndAtomic", cuteSimAccessEndAtomic),
    SYMBOL("cuteSimFiniteLoad", cuteSimFiniteLoad),
    SYMBOL("cuteSimFiniteResult", cuteSimFiniteResult),
    SYMBOL("cuteSimRegisterDivide", cuteSimRegisterDivide),
    SYMBOL("cuteSimRegisterLoad", cuteSimRegisterLoad),
    SYMBOL("cuteSimRegisterUse", cuteSimRegisterUse),
    SYMBOL("cuteSimAccessRange", cuteSimAccessRange),
    SYMBOL("cuteSimAccessLocal", cuteSimAccessLocal),
    SYMBOL("cuteSimFindUnreachable", cuteSimFindUnreachable),
    SYMBOL("cuteSimObserveStep", cuteSimObserveStep),
    SYMBOL("cuteSimTick", cuteSimTick),
    SYMBOL("cuteSimWgmmaStart", cuteSimWgmmaStart),
    SYMBOL("cuteSimWgmmaUse", cuteSimWgmmaUse),
    SYMBOL("cuteSimTensorStart", cuteSimTensorStart),
    SYMBOL("cuteSimTensorUse", cuteSimTensorUse),
    SYMBOL("vprintf", cuteSimPrintf),
    SYMBOL("__assertfail", cuteSimPrintfAssertFail),
};

// With CUTE_SIM_QUICK in the environment, compiles in less time what runs
// slower.
static CuteStatus compile(CuteSimProgram *program, LLVMModuleRef module) {
  enum { FIXED = sizeof fixed / sizeof *fixed, MOST = FIXED + 256 };
  CuteJitSymbol symbols[MOST];
  size_t n = FIXED, numOfC;
  const CuteJitSymbol *ofC = cuteCSymbolsGet(&numOfC);
  memcpy(symbols, fixed, sizeof fixed);
  for (const CuteSimScalar *s = cuteSimScalars; s->intrinsic && n < MOST; ++s)
    symbols[n++] = (CuteJitSymbol){s->name, s->address};
  for (size_t i = 0; i < numOfC && n < MOST; ++i)
    if (!strncmp(ofC[i].name, "__", 2))
      symbols[n++] = ofC[i];
  return cuteJitCreate(
      module,
      (CuteJitOptions){.optLevel = getenv("CUTE_SIM_QUICK") ? 0 : 1,
                       .numSymbols = n,
                       .symbols = symbols,
                       .seesProcess = true},
      &program->jit);
}

//===-- Programs ----------------------------------------------------------===//

static CuteStatus translate(CuteSimProgram *program, LLVMModuleRef module,
                            CuteSimProgramOptions options) {
  LLVMContextRef context = program->context;
  CuteTranslation t = {.module = module,
                       .context = context,
                       .layout = LLVMGetModuleDataLayout(module),
                       .arena = &program->arena,
                       .resources = &program->resources,
                       .checks = options.checks,
                       .seeksNan = options.seeksNan,
                       .statistics =
                           program->observes ? &program->statistics : NULL,
                       .i64 = LLVMInt64TypeInContext(context),
                       .i32 = LLVMInt32TypeInContext(context),
                       .pointer = LLVMPointerTypeInContext(context, 0),
                       .nothing = LLVMVoidTypeInContext(context)};
  CuteStatus status = cuteTranslate(&t);
  program->variables = t.variables;
  program->numVariables = t.numVariables;
  CUTE_TRY(status);
  program->localBytes =
      (options.checks ? 2 : 1) * t.localBytes; // marks beside it
  program->memory = t.memory;
  return NULL;
}

static CuteStatus initialize(CuteSimProgram *program) {
  for (size_t i = 0; i < program->numVariables; ++i) {
    const CuteSimVariable *v = &program->variables[i];
    void *initial;
    CUTE_TRY(cuteJitLookUp(program->jit, v->initial, &initial));
    memcpy((void *)(uintptr_t)v->address, initial, v->bytes);
  }
  return NULL;
}

typedef struct Job {
  CuteSimProgram *program;
  const char *text;
  CuteSimProgramOptions options;
  CuteStatus status;
} Job;

static void load(void *data) {
  Job *job = data;
  LLVMModuleRef module = NULL;
  job->status = parse(job->program->context, job->text, &module);
  if (!job->status)
    job->status = translate(job->program, module, job->options);
  if (!job->status)
    job->status = compile(job->program, module);
  if (!job->status)
    job->status = initialize(job->program);
  if (module)
    LLVMDisposeModule(module);
}

CuteStatus cuteSimProgramCreate(const char *text, CuteSimProgramOptions options,
                                CuteSimProgram **result) {
  CuteSimProgram *program = cuteAllocate(sizeof *program);
  *program =
      (CuteSimProgram){.context = LLVMContextCreate(),
                       .observes = options.isObserved,
                       .hasClusters = strstr(text, "\"nvvm.cluster_dim\"") ||
                                      strstr(text, ".reqnctapercluster")};
  cuteSimResourcesCreate(&program->resources);
  Job job = {program, text, options, NULL};
  CUTE_SCOPED(String) reason = {0};
  if (!cuteLlvmTry(load, &job, &reason)) {
    job.status = cuteStatusCreate("LLVM: %s", cuteStringGet(&reason));
    program->context = NULL; // must not be used any more
  }
  *result = program;
  if (job.status) {
    cuteSimProgramDestroy(program);
    *result = NULL;
  }
  return job.status;
}

void cuteSimProgramDestroy(CuteSimProgram *program) {
  if (!program)
    return;
  cuteJitDestroy(program->jit);
  for (size_t i = 0; i < program->numVariables; ++i)
    cuteSimMemoryRelease(program->variables[i].address);
  if (program->context)
    LLVMContextDispose(program->context);
  cuteSimResourcesDestroy(&program->resources);
  cuteSimStatisticsDestroy(&program->statistics);
  cuteArenaDestroy(&program->arena);
  free(program);
}

// Finds "cute.WHAT.NAME" of a kernel.
static CuteStatus lookUp(CuteSimProgram *program, const char *what,
                         const char *name, void **address) {
  return cuteJitLookUp(
      program->jit, cuteArenaFormat(&program->arena, "cute.%s.%s", what, name),
      address);
}

CuteStatus cuteSimProgramFind(CuteSimProgram *program, const char *name,
                              CuteSimKernel **result) {
  CuteSimKernel *kernel = cuteArenaAllocate(&program->arena, sizeof *kernel);
  void *address = NULL, *numParameters = NULL, *shared = NULL;
  *result = kernel;
  CUTE_TRY(lookUp(program, "entry", name, &address));
  CUTE_TRY(lookUp(program, "parameters", name, &numParameters));
  CUTE_TRY(lookUp(program, "shared", name, &shared));
  *kernel = (CuteSimKernel){
      .name = cuteArenaCopyText(&program->arena, name, strlen(name)),
      .statistics = program->observes ? &program->statistics : NULL,
      .memory = cuteSimMemoryOfKernel(program->memory, name),
      .resources = &program->resources,
      .localBytes = program->localBytes,
      .numParameters = *(const uint32_t *)numParameters,
      .staticShared = *(const uint32_t *)shared,
      .hasClusters = program->hasClusters};
  memcpy(&kernel->run, &address, sizeof address);
  return NULL;
}
