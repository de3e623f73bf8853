#include "IR/emit.h"
#include "IR/mlir.h"

bool cuteEmitError(MlirLocation location, const char *format, ...) {
  CUTE_SCOPED(String) text = {0};
  CUTE_APPEND_ARGUMENTS(&text, format);
  cuteEmit(location, CUTE_SEVERITY_ERROR, cuteMlirText(&text), NULL);
  return false;
}

void cuteEmitWarning(MlirLocation location, const char *format, ...) {
  CUTE_SCOPED(String) text = {0};
  CUTE_APPEND_ARGUMENTS(&text, format);
  cuteEmit(location, CUTE_SEVERITY_WARNING, cuteMlirText(&text), NULL);
}

void cuteEmitRemark(MlirLocation location, const char *format, ...) {
  CUTE_SCOPED(String) text = {0};
  CUTE_APPEND_ARGUMENTS(&text, format);
  cuteEmit(location, CUTE_SEVERITY_REMARK, cuteMlirText(&text), NULL);
}

bool cuteEmitStatus(MlirLocation location, CuteStatus status) {
  if (status)
    cuteEmitError(location, "%s", cuteStatusGetMessage(status));
  return cuteStatusConsume(status);
}

void cuteEmitAtOp(MlirOperation op, CuteSeverity severity, const char *message,
                  const char *note) {
  MlirStringRef name = cuteMlirGetName(op);
  CUTE_SCOPED(String) text = {0};
  cuteStringAppendFormat(&text, "'%.*s' op %s", CUTE_TEXT(name), message);
  cuteEmit(mlirOperationGetLocation(op), severity, cuteMlirText(&text), note);
}

bool cuteEmitOpError(MlirOperation op, const char *format, ...) {
  CUTE_SCOPED(String) text = {0};
  CUTE_APPEND_ARGUMENTS(&text, format);
  cuteEmitAtOp(op, CUTE_SEVERITY_ERROR, cuteStringGet(&text), NULL);
  return false;
}
