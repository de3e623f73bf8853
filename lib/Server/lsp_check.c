// Diagnostics of the reader, the verifier, the laws and the lint.
#include "Server/lsp.h"

#include "Lint/lint.h"
#include "Support/growing_array.h"
#include "Text/parse.h"
#include "Tools/driver.h"

enum { CHECKS_OF_CONTEXT = 64 }; // types that are no more stay in a context

//===-- Diagnostics -------------------------------------------------------===//

// The token that begins at an offset, or the character there.
static json_t *rangeAt(const CuteLspDocument *document, size_t offset) {
  const char *text = cuteStringGet(&document->text);
  CuteLexer lexer = {text + offset, text + document->text.length};
  CuteStringRef token = {0};
  cuteLexerNext(&lexer, &token);
  size_t end = token.data == text + offset && token.length
                   ? offset + token.length
                   : offset;
  return cuteLspDocumentGetRange(document, offset, end);
}

// The range of a location: the file's first character if it is elsewhere.
static json_t *rangeOf(const CuteLspDocument *document, MlirLocation location) {
  CuteStringRef file;
  unsigned line, column;
  bool isHere = cuteDriverGetPosition(location, &file, &line, &column) &&
                cuteTextEquals(file, document->uri);
  return rangeAt(document,
                 isHere ? cuteLspDocumentLocate(document, line, column) : 0);
}

// The text, with ? in place of what is not ASCII where it is not UTF-8:
// messages cut names.
static json_t *textOf(MlirStringRef text) {
  json_t *value = json_stringn(text.data, text.length);
  if (value)
    return value;
  CUTE_SCOPED(String) plain = {0};
  for (size_t i = 0; i < text.length; ++i)
    cuteStringAppendChar(&plain, text.data[i] & 0x80 ? '?' : text.data[i]);
  value = json_stringn(cuteStringGet(&plain), plain.length);
  return value;
}

static json_t *relatedTo(const CuteLspDocument *document,
                         const CuteDiagnostic *note) {
  return json_pack("{s:{s:s, s:o}, s:o}", "location", "uri", document->uri,
                   "range", rangeOf(document, note->location), "message",
                   textOf(note->message));
}

// Adds notes as related information, or as lines of the message.
static void addNotes(const CuteLspDocument *document, json_t *object,
                     MlirStringRef message, size_t numNotes,
                     const CuteDiagnostic *notes) {
  CUTE_SCOPED(String) text = {0};
  json_auto_t *related = json_array();
  cuteStringAppendBytes(&text, message.data, message.length);
  for (size_t i = 0; i < numNotes; ++i)
    if (document->server->hasRelated)
      json_array_append_new(related, relatedTo(document, &notes[i]));
    else
      cuteStringAppendFormat(&text, "\nnote: %.*s",
                             CUTE_TEXT(notes[i].message));
  json_object_set_new(object, "message", textOf(cuteMlirText(&text)));
  if (json_array_size(related))
    json_object_set(object, "relatedInformation", related);
}

static void handleDiagnostic(const CuteDiagnostic *diagnostic, size_t numNotes,
                             const CuteDiagnostic *notes, void *userData) {
  CuteLspDocument *document = userData;
  json_t *object = json_pack(
      "{s:o, s:i, s:s}", "range", rangeOf(document, diagnostic->location),
      "severity", (int)diagnostic->severity + 1, "source", "cute");
  addNotes(document, object, diagnostic->message, numNotes, notes);
  json_array_append_new(document->diagnostics, object);
}

//===-- Checks ------------------------------------------------------------===//

// The architecture, with all its features, that has instructions for all ops.
static const char *neededArch(const CuteLspDocument *document) {
  int need = 0;
  const char *name = CUTE_DEFAULT_ARCH;
  CuteDialect *dialect = cuteDialectFind(document->context);
  CUTE_FOR_NESTED(op, mlirModuleGetOperation(document->module)) {
    const CuteOpDecl *decl = cuteDialectGetDecl(dialect, op);
    if (decl && decl->traits.arch > need)
      need = decl->traits.arch;
  }
  for (size_t i = 0; i < cuteArchGetNum(); ++i)
    if (cuteArchGet(i)->number == need)
      name = cuteArchGet(i)->name;
  return cuteArchFind(name)->number < cuteArchFind(CUTE_DEFAULT_ARCH)->number
             ? CUTE_DEFAULT_ARCH
             : name;
}

const char *cuteLspCheckGetArch(const CuteLspDocument *document) {
  const char *at = strstr(cuteStringGet(&document->text), "--arch=");
  CUTE_SCOPED(String) name = {0};
  const CuteArch *arch = NULL;
  if (at) {
    at += strlen("--arch=");
    cuteStringAppendBytes(&name, at,
                          strspn(at, "abcdefghijklmnopqrstuvwxyz_0123456789"));
    arch = cuteArchFind(cuteStringGet(&name));
  }
  return document->server->arch ? document->server->arch
         : arch                 ? arch->name
                                : neededArch(document);
}

void cuteLspCheckClearCosts(CuteLspDocument *document) {
  while (document->numCosts)
    cuteStringDestroy(&document->costs[--document->numCosts].text);
}

static void noteCost(void *userData, MlirOperation op, int64_t weight,
                     const char *text) {
  CuteLspDocument *document = userData;
  CuteStringRef file;
  unsigned line, column;
  if (!cuteDriverGetPosition(mlirOperationGetLocation(op), &file, &line,
                             &column) ||
      !cuteTextEquals(file, document->uri))
    return;
  size_t i = 0;
  while (i < document->numCosts && document->costs[i].line != line)
    ++i;
  if (i == document->numCosts)
    CUTE_PUSH(document->costs, document->numCosts, document->costCapacity,
              ((CuteLspCost){.line = line, .weight = -1}));
  CuteLspCost *cost = &document->costs[i];
  if (cost->weight >= weight)
    return;
  cost->weight = weight;
  cuteStringClear(&cost->text);
  cuteStringAppend(&cost->text, text);
}

static void lint(CuteLspDocument *document) {
  MlirOperation op = mlirModuleGetOperation(document->module);
  cuteOperationCheckLaws(op, CUTE_LAWS_WARN);
  if (!document->server->lints)
    return;
  const CuteArch *arch = cuteArchFind(cuteLspCheckGetArch(document));
  CUTE_LOCKED *dialect = cuteDialectLock(document->context);
  cuteLintRun(dialect, op, arch, noteCost, document);
}

static void renewContext(CuteLspDocument *document) {
  if (!mlirModuleIsNull(document->module))
    mlirModuleDestroy(document->module);
  document->module = (MlirModule){NULL};
  if (document->numChecks++ % CHECKS_OF_CONTEXT)
    return;
  cuteMlirContextDestroy(document->context);
  document->context = cuteDriverCreateContext();
}

static void noteType(void *userData, unsigned line, unsigned column,
                     size_t index, CuteType type) {
  const CuteLspDocument *document = userData;
  CuteLspName *name = cuteLspIndexFind(
      &document->index, cuteStringGet(&document->text) +
                            cuteLspDocumentLocate(document, line, column));
  if (name && index < CUTE_LSP_TYPES)
    name->types[index] = type;
}

static void check(CuteLspDocument *document) {
  document->isChecked = true;
  renewContext(document);
  cuteLspIndexDestroy(&document->index);
  cuteLspIndexBuild(&document->index, cuteStringGetRef(&document->text));
  json_array_clear(document->diagnostics);
  cuteLspCheckClearCosts(document);
  if (mlirContextIsNull(document->context))
    return;
  cuteDiagnosticHandlerAttach(document->context, handleDiagnostic, document);
  document->module =
      cuteModuleParseFrom(document->context, cuteMlirText(&document->text),
                          cuteMlirString(document->uri),
                          (CuteParseOptions){.firstLine = 1,
                                             .notesLaws = true,
                                             .listen = noteType,
                                             .listenData = document},
                          NULL);
  if (!mlirModuleIsNull(document->module))
    lint(document);
  cuteDiagnosticHandlerDetach(document->context);
}

void cuteLspCheckAndPublish(CuteLspDocument *document) {
  if (document->isChecked)
    return;
  check(document);
  json_t *params = json_pack("{s:s, s:O}", "uri", document->uri, "diagnostics",
                             document->diagnostics);
  if (document->version)
    json_object_set(params, "version", document->version);
  cuteLspNotify("textDocument/publishDiagnostics", params);
}
