#include "Tools/driver.h"

#include "Support/diagnostic_format.h"
#include "Support/growing_array.h"
#include "Support/say_error.h"
#include "Support/terminal.h"

#include "Jit/llvm_errors.h"
#include "cute/Passes.h"

#include <llvm/Config/llvm-config.h>

#include <errno.h>

MlirContext cuteDriverCreateContext(void) {
  cuteLlvmEndOnErrors();
  MlirContext context = cuteMlirContextCreate();
  if (mlirContextIsNull(context))
    cuteSayError("the cute dialect could not be loaded");
  return context;
}

const char cuteDriverVersion[] =
    CUTE_VERSION CUTE_REVISION ", LLVM/MLIR " LLVM_VERSION_STRING;

//===-- Diagnostics -------------------------------------------------------===//

bool cuteDriverIsError(CuteSeverity severity) {
  return !cuteDiagnosticGetKind((CuteSaidKind)severity);
}

bool cuteSourceRead(CuteSource *source, const char *path, FILE *said) {
  source->name = strcmp(path, "-") ? path : "<stdin>";
  bool ok = cuteFileTextOpen(&source->file, path);
  source->text = source->file.text;
  if (ok)
    return true;
  return cuteSayErrorOn(said, "cannot open input file '%s': %s", path,
                        strerror(errno));
}

void cuteSourceDestroy(CuteSource *source) {
  cuteFileTextClose(&source->file);
  cuteLinesDestroy(&source->lines);
}

static bool isUtf8(CuteStringRef line) {
  for (size_t i = 0; i < line.length;) {
    unsigned char c = (unsigned char)line.data[i++];
    int more = c < 0x80   ? 0
               : c < 0xC2 ? -1
               : c < 0xE0 ? 1
               : c < 0xF0 ? 2
               : c < 0xF5 ? 3
                          : -1;
    for (; more > 0 && i < line.length && (line.data[i] & 0xC0) == 0x80; ++i)
      --more;
    if (more)
      return false;
  }
  return true;
}

// Appends a line with `?` in place of what terminals would obey, and, where
// it is not UTF-8, of all that is not ASCII.
static void appendVisible(CuteString *text, CuteStringRef line) {
  bool isText = isUtf8(line);
  for (size_t i = 0; i < line.length; ++i) {
    unsigned char c = (unsigned char)line.data[i];
    bool isHidden = (c < ' ' && c != '\t') || c == 127 || (c > 127 && !isText);
    cuteStringAppendChar(text, isHidden ? '?' : (char)c);
  }
}

// The line with a caret below the column.
static void appendSourceLine(CuteString *text, CuteSource *source,
                             unsigned number, unsigned column) {
  if (!source->lines.count)
    cuteLinesInit(&source->lines, source->text);
  CuteStringRef line = cuteLinesGet(&source->lines, number - 1);
  if (!line.length)
    return;
  appendVisible(text, line);
  cuteStringAppendChar(text, '\n');
  for (unsigned i = 1; i < column && i <= line.length; ++i)
    cuteStringAppendChar(text, line.data[i - 1] == '\t' ? '\t' : ' ');
  cuteStringAppend(text, "^\n");
}

// Tells whether a diagnostic is a note at the place of the one before, whose
// line was shown then; keeps its place.
static bool isShown(CuteSource *source, CuteSeverity severity, unsigned line,
                    unsigned column) {
  bool isSame = source->line == line && source->column == column;
  source->line = line;
  source->column = column;
  return severity == CUTE_SEVERITY_NOTE && isSame;
}

void cuteDriverPrintDiagnostic(FILE *stream, const CuteDiagnostic *diagnostic,
                               CuteSource *source) {
  CUTE_SCOPED(String) text = {0};
  CutePosition at = cutePositionGet(diagnostic->location);
  if (stream == stderr &&
      cuteDiagnosticTake((CuteSaid){(CuteSaidKind)diagnostic->severity, at.file,
                                    at.line, at.column,
                                    fromMlirString(diagnostic->message)}))
    return;
  if (at.file.data)
    cuteStringAppendBytes(&text, at.file.data, at.file.length);
  if (at.line)
    cuteStringAppendFormat(&text, ":%u:%u", at.line, at.column);
  const char *severity = cuteDiagnosticGetName(
      cuteDiagnosticGetKind((CuteSaidKind)diagnostic->severity));
  cuteStringAppendFormat(&text, "%s%s%s:%s ", at.file.data ? ": " : "",
                         cuteTerminalBegin(stream, severity), severity,
                         cuteTerminalEnd(stream));
  cuteStringAppendBytes(&text, diagnostic->message.data,
                        diagnostic->message.length);
  cuteStringAppendChar(&text, '\n');
  if (at.line && cuteTextEquals(at.file, source->name) &&
      !isShown(source, diagnostic->severity, at.line, at.column))
    appendSourceLine(&text, source, at.line, at.column);
  fwrite(cuteStringGet(&text), 1, text.length, stream);
}

void cuteDriverPrintAll(FILE *stream, const CuteDiagnostic *diagnostic,
                        size_t numNotes, const CuteDiagnostic *notes,
                        CuteSource *source) {
  cuteDriverPrintDiagnostic(stream, diagnostic, source);
  for (size_t i = 0; i < numNotes; ++i)
    cuteDriverPrintDiagnostic(stream, &notes[i], source);
}

//===-- Files in the process ----------------------------------------------===//

typedef struct Reading {
  CuteSource source;
  FILE *said; // diagnostics
} Reading;

static void note(const CuteDiagnostic *diagnostic, size_t numNotes,
                 const CuteDiagnostic *notes, void *userData) {
  Reading *r = userData;
  cuteDriverPrintAll(r->said, diagnostic, numNotes, notes, &r->source);
}

static bool runPasses(MlirModule module, const char *arch, const char *passes,
                      CuteString *error) {
  MlirOperation op = mlirModuleGetOperation(module);
  return !passes ||
         (mlirLogicalResultIsSuccess(cutePipelineRunFor(
              op, cuteMlirString(passes), arch, cuteAppendMlirString, error)) &&
          mlirLogicalResultIsSuccess(cuteOperationVerify(op)));
}

CuteStatus cuteDriverCompileFile(MlirContext context, const char *path,
                                 const char *arch, const char *passes,
                                 CuteDriverCompile *compile, void *data) {
  CUTE_FREED char *said = NULL;
  CUTE_SCOPED(String) error = {0};
  size_t length = 0;
  Reading r = {.said = open_memstream(&said, &length)};
  MlirModule module = {NULL};
  if (r.said && !mlirContextIsNull(context) &&
      cuteSourceRead(&r.source, path, r.said)) {
    cuteDiagnosticHandlerAttach(context, note, &r);
    module = cuteModuleParse(context, toMlirString(r.source.text),
                             cuteMlirString(r.source.name));
  }
  bool ok = !mlirModuleIsNull(module) &&
            runPasses(module, arch, passes, &error) &&
            compile(module, &r.source, r.said, data);
  if (!mlirModuleIsNull(module))
    mlirModuleDestroy(module);
  cuteMlirContextDestroy(context);
  cuteSourceDestroy(&r.source);
  if (r.said)
    fclose(r.said);
  while (length && said[length - 1] == '\n')
    said[--length] = '\0';
  return ok ? NULL
            : cuteStatusCreate("%s cannot be compiled:%s%s%s%s", path,
                               length ? "\n" : "", length ? said : "",
                               error.length ? "\n" : "", cuteStringGet(&error));
}

//===-- Arguments and files -----------------------------------------------===//

CuteStatus cuteDriverTakeParameter(CuteDriverParameters *parameters,
                                   const char *text) {
  const char *equals = strchr(text, '=');
  if (!equals || equals == text)
    return cuteStatusCreate("-D needs a parameter's name and value, as in "
                            "-D BM=128");
  CuteParameter parameter = {mlirStringRefCreate(text, (size_t)(equals - text)),
                             cuteMlirString(equals + 1)};
  CUTE_PUSH(parameters->list, parameters->count, parameters->capacity,
            parameter);
  return NULL;
}

void cuteDriverAppend(MlirStringRef piece, void *output) {
  cuteOutputFileAppend(output, fromMlirString(piece));
}

bool cuteDriverCannotWrite(const char *path, int error) {
  return strcmp(path, "-")
             ? cuteSayError("cannot write '%s': %s", path, strerror(error))
             : cuteSayError("cannot write standard output: %s",
                            strerror(error));
}

bool cuteDriverMayReplace(const char *output, const char *input,
                          const char *advice) {
  if (!cuteOutputFileIsInput(output, input))
    return true;
  return cuteSayError("'%s' is the input, which is not replaced; %s", output,
                      advice);
}
