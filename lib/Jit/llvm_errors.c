#include "Jit/llvm_errors.h"
#include "Support/say_error.h"

#include <llvm-c/ErrorHandling.h>

#include <pthread.h>
#include <setjmp.h>

typedef struct Attempt {
  jmp_buf start;
  CuteString *reason;
} Attempt;

static _Thread_local Attempt *current;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int numUsers; // of the handler
static bool endsProcess;

// LLVM ends the process when this returns.
static void handleFatalError(const char *reason) {
  if (current) {
    cuteStringAppend(current->reason, reason);
    longjmp(current->start, 1);
  }
  if (!endsProcess) {
    fprintf(stderr, "LLVM ERROR: %s\n", reason);
    return;
  }
  cuteSayError("LLVM cannot generate code for this; the architecture may lack "
               "an instruction that it needs: %s",
               reason);
  _Exit(1);
}

static void use(int change) {
  pthread_mutex_lock(&lock);
  if (!numUsers)
    LLVMInstallFatalErrorHandler(handleFatalError);
  numUsers += change;
  if (!numUsers)
    LLVMResetFatalErrorHandler();
  pthread_mutex_unlock(&lock);
}

bool cuteLlvmTry(void (*function)(void *data), void *data, CuteString *reason) {
  Attempt attempt = {.reason = reason};
  use(1);
  current = &attempt;
  bool ok = !setjmp(attempt.start);
  if (ok)
    function(data);
  current = NULL;
  use(-1);
  return ok;
}

void cuteLlvmEndOnErrors(void) {
  if (endsProcess)
    return;
  endsProcess = true;
  use(1);
}

void cuteLlvmNoteError(LLVMDiagnosticInfoRef info, void *userData) {
  CuteString *errors = userData;
  if (LLVMGetDiagInfoSeverity(info) != LLVMDSError)
    return;
  char *text = LLVMGetDiagInfoDescription(info);
  cuteStringAppendFormat(errors, "%s%s", errors->length ? "; " : "", text);
  LLVMDisposeMessage(text);
}

CuteStatus cuteLlvmErrorTake(LLVMErrorRef error, const char *doing) {
  if (!error)
    return NULL;
  char *message = LLVMGetErrorMessage(error);
  CuteStatus status = cuteStatusCreate("%s: %s", doing, message);
  LLVMDisposeErrorMessage(message);
  return status;
}
