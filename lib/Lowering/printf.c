// Printing integers at run time, in kernels and on the host.
#include "Lowering/lowering.h"

static void printOnDevice(const CuteBuilder *b, const CuteString *format,
                          size_t n, const MlirValue *values) {
  CUTE_BUILD(
      b, "gpu.printf", .numOperands = n, .operands = values,
      CUTE_ATTRIBUTES(
          {"format", mlirStringAttrGet(b->context, cuteMlirText(format))}));
}

// Calls a function that takes what printf does.
static bool callWithFormat(CuteLowering *l, const char *name, const char *type,
                           const CuteString *format, size_t n,
                           const MlirValue *values) {
  MlirValue *operands = cuteScratch(l->context, (n + 1) * sizeof *operands);
  for (size_t i = 0; i < n; ++i)
    operands[i + 1] = values[i];
  operands[0] = cuteLoweringGetHostText(l, format);
  return cuteLoweringCallHost(l, name, type, n + 1, operands);
}

bool cuteLoweringPrintf(CuteLowering *lowering, const CuteString *format,
                        size_t n, const MlirValue *values) {
  if (cuteLoweringIsOnHost(lowering->builder.block))
    return callWithFormat(lowering, "printf", "!llvm.func<i32 (ptr, ...)>",
                          format, n, values);
  printOnDevice(&lowering->builder, format, n, values);
  return true;
}

// Calls fflush(NULL): what was printed is seen before the program ends.
static bool flushOnHost(CuteLowering *l) {
  MlirValue all = cuteBuildResult(&l->builder, "llvm.mlir.zero", 0, NULL,
                                  cuteParsedType(&l->builder, "!llvm.ptr"));
  return cuteLoweringCallHost(l, "fflush", "!llvm.func<i32 (ptr)>", 1, &all);
}

static bool printAndTrap(CuteLowering *l, const CuteString *format, size_t n,
                         const MlirValue *values, bool isOnHost) {
  CUTE_SCOPED(String) line = {0};
  cuteStringAppendFormat(&line, "%s\n", cuteStringGet(format));
  bool ok =
      cuteLoweringPrintf(l, &line, n, values) && (!isOnHost || flushOnHost(l));
  CUTE_BUILD(&l->builder, "llvm.intr.trap");
  return ok;
}

bool cuteLoweringFail(CuteLowering *lowering, const CuteString *format,
                      size_t n, const MlirValue *values) {
  bool isOnHost = cuteLoweringIsOnHost(lowering->builder.block);
  return isOnHost && lowering->dialect->host.callsRuntime
             ? callWithFormat(lowering, "cuteHostFail",
                              "!llvm.func<void (ptr, ...)>", format, n, values)
             : printAndTrap(lowering, format, n, values, isOnHost);
}

void cuteLoweringAppendPlace(CuteString *text, MlirLocation location) {
  if (!mlirLocationIsAFileLineColRange(location)) {
    mlirLocationPrint(location, cuteAppendMlirString, text);
    return;
  }
  MlirStringRef file =
      mlirIdentifierStr(mlirLocationFileLineColRangeGetFilename(location));
  cuteStringAppendFormat(text, "%.*s:%d:%d", CUTE_TEXT(file),
                         mlirLocationFileLineColRangeGetStartLine(location),
                         mlirLocationFileLineColRangeGetStartColumn(location));
}
