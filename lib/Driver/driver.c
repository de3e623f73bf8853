#include "Driver/driver.h"

#include <mlir-c/RegisterEverything.h>

#include <errno.h>
#include <stdlib.h>

MlirContext cuteDriverCreateContext(bool threading) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, threading);
  mlirDialectRegistryDestroy(registry);
  mlirRegisterAllLLVMTranslations(context);
  if (mlirLogicalResultIsSuccess(cuteDialectLoad(context)))
    return context;
  fprintf(stderr, "error: the cute dialect could not be loaded\n");
  mlirContextDestroy(context);
  return (MlirContext){NULL};
}

void cuteDriverDestroyContext(MlirContext context) {
  cuteDialectUnload(context);
  mlirContextDestroy(context);
}

//===-- Diagnostics -------------------------------------------------------===//

bool cuteDriverGetPosition(MlirLocation location, CuteStringRef *file,
                           unsigned *line, unsigned *column) {
  if (mlirLocationIsAFileLineColRange(location)) {
    *file = fromMlirString(
        mlirIdentifierStr(mlirLocationFileLineColRangeGetFilename(location)));
    *line = (unsigned)mlirLocationFileLineColRangeGetStartLine(location);
    *column = (unsigned)mlirLocationFileLineColRangeGetStartColumn(location);
    return true;
  }
  if (mlirLocationIsAName(location))
    return cuteDriverGetPosition(mlirLocationNameGetChildLoc(location), file,
                                 line, column);
  if (mlirLocationIsACallSite(location))
    return cuteDriverGetPosition(mlirLocationCallSiteGetCallee(location), file,
                                 line, column);
  unsigned n = mlirLocationIsAFused(location)
                   ? mlirLocationFusedGetNumLocations(location)
                   : 0;
  if (!n)
    return false;
  MlirLocation *parts = cuteAllocate(n * sizeof *parts);
  mlirLocationFusedGetLocations(location, parts);
  bool found = false;
  for (unsigned i = 0; i < n && !found; ++i)
    found = cuteDriverGetPosition(parts[i], file, line, column);
  free(parts);
  return found;
}

static const char *severityName(CuteSeverity severity) {
  static const char *const names[] = {"error", "warning", "remark", "note"};
  return names[severity];
}

static void printSourceLine(FILE *stream, const CuteString *text, unsigned line,
                            unsigned column) {
  const char *at = cuteStringGet(text), *end = at + text->length;
  for (; line > 1 && at < end; --line) {
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    at = newline ? newline + 1 : end;
  }
  const char *newline = memchr(at, '\n', (size_t)(end - at));
  size_t length = (size_t)((newline ? newline : end) - at);
  if (!length)
    return;
  fprintf(stream, "%.*s\n", (int)length, at);
  for (unsigned i = 1; i < column && i <= length; ++i)
    fputc(at[i - 1] == '\t' ? '\t' : ' ', stream);
  fputs("^\n", stream);
}

void cuteDriverPrintDiagnostic(FILE *stream, const CuteDiagnostic *diagnostic,
                               const char *name, const CuteString *text) {
  CuteStringRef file;
  unsigned line = 0, column = 0;
  bool located =
      cuteDriverGetPosition(diagnostic->location, &file, &line, &column);
  if (located && line)
    fprintf(stream, "%.*s:%u:%u: ", (int)file.length, file.data, line, column);
  else if (located)
    fprintf(stream, "%.*s: ", (int)file.length, file.data);
  fprintf(stream, "%s: %.*s\n", severityName(diagnostic->severity),
          (int)diagnostic->message.length, diagnostic->message.data);
  if (located && line && text && cuteTextIs(file, name))
    printSourceLine(stream, text, line, column);
}

//===-- Arguments and files -----------------------------------------------===//

bool cuteDriverOption(const char *argument, const char *name,
                      const char **value) {
  if (*argument != '-')
    return false;
  argument += argument[1] == '-' ? 2 : 1;
  size_t n = strlen(name);
  if (strncmp(argument, name, n) || (argument[n] && argument[n] != '='))
    return false;
  *value = argument[n] ? argument + n + 1 : "";
  return true;
}

bool cuteDriverWrite(const char *path, const CuteString *text) {
  FILE *file = strcmp(path, "-") ? fopen(path, "wb") : stdout;
  bool ok = file &&
            fwrite(cuteStringGet(text), 1, text->length, file) == text->length;
  if (file)
    ok &= !(file == stdout ? fflush(file) : fclose(file));
  if (!ok)
    fprintf(stderr, "error: cannot write '%s': %s\n", path, strerror(errno));
  return ok;
}
