// Writes what shows a failure to compile again: a module with its command.
#include "Compile/options.h"
#include "IR/emit.h"
#include "IR/mlir.h"
#include "Support/output_file.h"

#include "cute/Assembly.h"

// In the order of CuteEmit.
static const char *const kinds[] = {"mlir", "nvvm", "llvm", "ptx", "cubin"};

static void appendCommand(const CuteCompileOptions *options, CuteString *text) {
  cuteStringAppendFormat(text,
                         "// cutec " CUTE_VERSION " failed on this:\n"
                         "// cutec '%s' --arch='%s' --emit=%s -O%u%s",
                         options->reproducer,
                         options->arch ? options->arch : "",
                         kinds[options->emit], options->optLevel,
                         options->lineInfo ? " --line-info" : "");
  if (options->ptxas)
    cuteStringAppendFormat(text, " --ptxas='%s'", options->ptxas);
  if (options->skip)
    cuteStringAppendFormat(text, " --skip='%s'", options->skip);
  cuteStringAppend(text, "\n");
}

bool cuteReproducerWrite(MlirModule module, const CuteCompileOptions *options) {
  MlirOperation op = mlirModuleGetOperation(module);
  CUTE_SCOPED(String) text = {0};
  appendCommand(options, &text);
  cuteOperationPrint(op, (CutePrintOptions){0}, cuteAppendMlirString, &text);
  int error = cuteOutputFileWrite(options->reproducer, cuteStringGetRef(&text));
  return !error || CUTE_ERROR_AT(op, "cannot write '%s': %s",
                                 options->reproducer, strerror(error));
}
