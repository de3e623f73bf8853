// Diagnostics of the reader, the verifier and the laws.
#include "Server/lsp.h"

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
  CutePosition at = cutePositionGet(location);
  bool isHere = cuteTextEquals(at.file, document->uri);
  return rangeAt(document,
                 isHere ? cuteLspDocumentLocate(document, at.line, at.column)
                        : 0);
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
  document->isLinted = false;
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
  if (!mlirModuleIsNull(document->module)) {
    cuteOperationCheckLaws(mlirModuleGetOperation(document->module),
                           CUTE_LAWS_WARN);
    cuteLspLint(document);
  }
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
