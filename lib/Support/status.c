#include "Support/status.h"
#include "Support/arena.h"

struct CuteFailure {
  CuteString message;
};

static CuteStatus make(void) {
  CuteStatus status = cuteAllocate(sizeof *status);
  *status = (struct CuteFailure){{0}};
  return status;
}

CuteStatus cuteStatusCreate(const char *format, ...) {
  CuteStatus status = make();
  CUTE_APPEND_ARGUMENTS(&status->message, format);
  return status;
}

CuteStatus cuteStatusAnnotate(CuteStatus status, const char *format, ...) {
  if (!status)
    return NULL;
  CuteStatus outer = make();
  CUTE_APPEND_ARGUMENTS(&outer->message, format);
  cuteStringAppendFormat(&outer->message, ": %s", cuteStatusGetMessage(status));
  cuteStatusDestroy(status);
  return outer;
}

void cuteStatusDestroy(CuteStatus status) {
  if (status)
    cuteStringDestroy(&status->message);
  free(status);
}

const char *cuteStatusGetMessage(CuteStatus status) {
  return cuteStringGet(&status->message);
}

bool cuteStatusConsume(CuteStatus status) {
  cuteStatusDestroy(status);
  return !status;
}
