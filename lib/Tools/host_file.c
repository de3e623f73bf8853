// Functions on the host from a file, for programs that know nothing of MLIR.
#include "Compile/options.h"
#include "Tools/driver.h"

typedef struct HostFile {
  CuteHostFileOptions options;
  CuteHostModule *module;
} HostFile;

static bool create(MlirModule module, CUTE_UNUSED const CuteSource *source,
                   CUTE_UNUSED FILE *said, void *data) {
  HostFile *file = data;
  const CuteHostFileOptions *options = &file->options;
  const CuteCompileOptions kernels = {
      .size = sizeof kernels,
      .arch = options->arch,
      .emit = options->isSimulated ? CUTE_EMIT_LLVM : CUTE_EMIT_PTX,
      .optLevel = 2,
      .lineInfo = options->isSimulated};
  const CuteHostOptions host = {.size = sizeof host,
                                .kernels = &kernels,
                                .optLevel = 2,
                                .numSymbols = options->numSymbols,
                                .symbols = options->symbols};
  file->module = cuteHostModuleCreate(module, &host);
  return file->module;
}

CuteStatus cuteHostModuleCreateFromFile(const char *path,
                                        const CuteHostFileOptions *given,
                                        CuteHostModule **module) {
  HostFile file = {.module = NULL};
  *module = NULL;
  CUTE_TRY(cuteOptionsRead(&file.options, sizeof file.options, given));
  CuteStatus status =
      cuteDriverCompileFile(cuteMlirContextCreate(), path, file.options.arch,
                            file.options.passes, create, &file);
  *module = file.module;
  return status;
}
