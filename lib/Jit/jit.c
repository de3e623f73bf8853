#include "Jit/jit.h"
#include "Jit/llvm_errors.h"
#include "Support/arena.h"

#include <llvm-c/LLJIT.h>
#include <llvm-c/Orc.h>

#include <semaphore.h>

struct CuteJit {
  LLVMOrcLLJITRef jit;
  LLVMOrcJITDylibRef code; // not LLJIT's main one, which sees the process
  CuteString errors;       // that the session reports besides those it returns
};

// Takes the error.
static void noteError(void *data, LLVMErrorRef error) {
  CuteJit *jit = data;
  char *message = LLVMGetErrorMessage(error);
  cuteStringAppendFormat(&jit->errors, "%s%s", jit->errors.length ? "; " : "",
                         message);
  LLVMDisposeErrorMessage(message);
}

// Puts what the session said, which is more exact, after what was returned.
static CuteStatus fail(CuteJit *jit, LLVMErrorRef error, const char *doing) {
  CuteStatus status = cuteLlvmErrorTake(error, doing);
  if (status && jit->errors.length)
    status = cuteStatusAnnotate(status, "%s", cuteStringGet(&jit->errors));
  cuteStringClear(&jit->errors);
  return status;
}

//===-- Symbols -----------------------------------------------------------===//

static CuteStatus defineSymbols(CuteJit *jit, CuteJitOptions options) {
  if (!options.numSymbols)
    return NULL;
  CUTE_FREED LLVMOrcCSymbolMapPair *pairs =
      cuteAllocate(options.numSymbols * sizeof *pairs);
  for (size_t i = 0; i < options.numSymbols; ++i)
    pairs[i] = (LLVMOrcCSymbolMapPair){
        LLVMOrcLLJITMangleAndIntern(jit->jit, options.symbols[i].name),
        {(LLVMOrcExecutorAddress)(uintptr_t)options.symbols[i].address,
         {LLVMJITSymbolGenericFlagsExported, 0}}};
  LLVMOrcMaterializationUnitRef unit =
      LLVMOrcAbsoluteSymbols(pairs, options.numSymbols);
  LLVMErrorRef error = LLVMOrcJITDylibDefine(jit->code, unit);
  if (error)
    LLVMOrcDisposeMaterializationUnit(unit);
  return fail(jit, error, "defining symbols");
}

static CuteStatus addProcess(CuteJit *jit) {
  LLVMOrcDefinitionGeneratorRef generator;
  LLVMErrorRef error = LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess(
      &generator, LLVMOrcLLJITGetGlobalPrefix(jit->jit), NULL, NULL);
  if (!error)
    LLVMOrcJITDylibAddGenerator(jit->code, generator);
  return fail(jit, error, "looking into the process");
}

//===-- Creation ----------------------------------------------------------===//

// LLJIT's own IR compiler is not used, but it wants a target.
static CuteStatus createEmpty(CuteJit *jit) {
  CUTE_TRY(cuteHostInitialize());
  LLVMErrorRef error = LLVMOrcCreateLLJIT(&jit->jit, NULL);
  if (error)
    return cuteLlvmErrorTake(error, "starting LLVM's JIT");
  LLVMOrcExecutionSessionRef session =
      LLVMOrcLLJITGetExecutionSession(jit->jit);
  LLVMOrcExecutionSessionSetErrorReporter(session, noteError, jit);
  jit->code = LLVMOrcExecutionSessionCreateBareJITDylib(session, "code");
  return NULL;
}

static CuteStatus fill(CuteJit *jit, const void *object, size_t size,
                       CuteJitOptions options) {
  CUTE_TRY(createEmpty(jit));
  CUTE_TRY(defineSymbols(jit, options));
  if (options.seesProcess)
    CUTE_TRY(addProcess(jit));
  return fail(
      jit,
      LLVMOrcLLJITAddObjectFile(
          jit->jit, jit->code,
          LLVMCreateMemoryBufferWithMemoryRangeCopy(object, size, "object")),
      "adding the object");
}

CuteStatus cuteJitCreateFromObject(const void *object, size_t size,
                                   CuteJitOptions options, CuteJit **jit) {
  *jit = cuteAllocateZeros(1, sizeof **jit);
  CuteStatus status = fill(*jit, object, size, options);
  if (!status)
    return NULL;
  cuteJitDestroy(*jit);
  *jit = NULL;
  return status;
}

CuteStatus cuteJitCreate(LLVMModuleRef module, CuteJitOptions options,
                         CuteJit **jit) {
  *jit = NULL;
  if (LLVMGetNamedGlobal(module, "llvm.global_ctors"))
    return cuteStatusCreate("the module has global constructors, which are not "
                            "run");
  CUTE_SCOPED(String) object = {0};
  CUTE_TRY(cuteHostCodeEmit(module,
                            (CuteHostCodeOptions){.optLevel = options.optLevel},
                            &object, NULL));
  return cuteJitCreateFromObject(object.data, object.length, options, jit);
}

void cuteJitDestroy(CuteJit *jit) {
  if (!jit)
    return;
  if (jit->jit)
    LLVMConsumeError(LLVMOrcDisposeLLJIT(jit->jit));
  cuteStringDestroy(&jit->errors);
  free(jit);
}

//===-- Look-up -----------------------------------------------------------===//

typedef struct LookUp {
  LLVMErrorRef error;
  void *address;
  sem_t isDone;
} LookUp;

static void noteFound(LLVMErrorRef error, LLVMOrcCSymbolMapPairs found,
                      size_t count, void *data) {
  LookUp *lookUp = data;
  lookUp->error = error;
  if (!error && count)
    lookUp->address = (void *)(uintptr_t)found[0].Sym.Address;
  sem_post(&lookUp->isDone);
}

CuteStatus cuteJitLookUp(CuteJit *jit, const char *name, void **address) {
  LookUp lookUp = {0};
  sem_init(&lookUp.isDone, 0, 0);
  LLVMOrcCJITDylibSearchOrderElement order = {
      jit->code, LLVMOrcJITDylibLookupFlagsMatchExportedSymbolsOnly};
  LLVMOrcCLookupSetElement symbol = {
      LLVMOrcLLJITMangleAndIntern(jit->jit, name),
      LLVMOrcSymbolLookupFlagsRequiredSymbol};
  LLVMOrcExecutionSessionLookup(LLVMOrcLLJITGetExecutionSession(jit->jit),
                                LLVMOrcLookupKindStatic, &order, 1, &symbol, 1,
                                noteFound, &lookUp);
  while (sem_wait(&lookUp.isDone))
    ; // interrupted by a signal
  sem_destroy(&lookUp.isDone);
  *address = lookUp.address;
  return cuteStatusAnnotate(fail(jit, lookUp.error, "linking"),
                            "looking for '%s'", name);
}
