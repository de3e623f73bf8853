#include "IR/emit.h"
#include "IR/mlir.h"

#include <stdarg.h>

static void emit(MlirLocation location, CuteSeverity severity,
                 const char *format, va_list args) {
  CUTE_SCOPED(String) text = {0};
  cuteStringAppendFormatV(&text, format, args);
  cuteEmit(location, severity, cuteMlirText(&text), NULL);
}

void cuteEmitError(MlirLocation location, const char *format, ...) {
  va_list args;
  va_start(args, format);
  emit(location, CUTE_SEVERITY_ERROR, format, args);
  va_end(args);
}

void cuteEmitWarning(MlirLocation location, const char *format, ...) {
  va_list args;
  va_start(args, format);
  emit(location, CUTE_SEVERITY_WARNING, format, args);
  va_end(args);
}

void cuteEmitRemark(MlirLocation location, const char *format, ...) {
  va_list args;
  va_start(args, format);
  emit(location, CUTE_SEVERITY_REMARK, format, args);
  va_end(args);
}

void cuteEmitAtOp(MlirOperation op, CuteSeverity severity, const char *message,
                  const char *note) {
  MlirStringRef name = cuteMlirGetName(op);
  CUTE_SCOPED(String) text = {0};
  cuteStringAppendFormat(&text, "'%.*s' op %s", CUTE_TEXT(name), message);
  cuteEmit(mlirOperationGetLocation(op), severity, cuteMlirText(&text), note);
}

void cuteEmitOpError(MlirOperation op, const char *message) {
  cuteEmitAtOp(op, CUTE_SEVERITY_ERROR, message, NULL);
}
