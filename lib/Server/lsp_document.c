// Texts that the editor has open, and positions in them: lines from 0, and
// columns in units of UTF-16, unless the editor takes bytes.
#include "Server/lsp.h"

#include "cute/MlirContext.h"

CuteLspDocument *cuteLspDocumentCreate(CuteLspServer *server, const char *uri) {
  CuteLspDocument *document = cuteAllocate(sizeof *document);
  *document = (CuteLspDocument){.server = server, .diagnostics = json_array()};
  CuteString copy = {0};
  cuteStringAppend(&copy, uri);
  cuteStringAppendChar(&copy, '\0');
  document->uri = copy.data;
  return document;
}

void cuteLspDocumentDestroy(CuteLspDocument *document) {
  if (!mlirModuleIsNull(document->module))
    mlirModuleDestroy(document->module);
  cuteMlirContextDestroy(document->context);
  cuteLspIndexDestroy(&document->index);
  cuteLinesDestroy(&document->lines);
  cuteStringDestroy(&document->text);
  cuteLspLintClear(document);
  json_decref(document->diagnostics);
  json_decref(document->version);
  free(document->uri);
  free(document);
}

//===-- Positions ---------------------------------------------------------===//

static bool isContinuation(char c) { return (c & 0xC0) == 0x80; }

// The units of a character that begins or continues with this byte.
static size_t unitsOf(const CuteLspDocument *document, char c) {
  if (document->server->isUtf8)
    return 1;
  return isContinuation(c) ? 0 : (unsigned char)c >= 0xF0 ? 2 : 1;
}

size_t cuteLspDocumentGetOffset(const CuteLspDocument *document,
                                const json_t *position) {
  json_int_t line = json_integer_value(json_object_get(position, "line"));
  json_int_t units = json_integer_value(json_object_get(position, "character"));
  if (line < 0 || (size_t)line >= document->lines.count)
    return document->text.length;
  CuteStringRef text = cuteLinesGet(&document->lines, (size_t)line);
  size_t at = 0;
  for (; at < text.length && units > 0; ++at)
    units -= (json_int_t)unitsOf(document, text.data[at]);
  while (at < text.length && isContinuation(text.data[at]))
    ++at;
  return (size_t)(text.data - cuteStringGet(&document->text)) + at;
}

size_t cuteLspDocumentLocate(const CuteLspDocument *document, unsigned line,
                             unsigned column) {
  if (!line || line > document->lines.count)
    return document->text.length;
  CuteStringRef text = cuteLinesGet(&document->lines, line - 1);
  size_t at = column ? column - 1 : 0;
  return document->lines.starts[line - 1] +
         (at < text.length ? at : text.length);
}

json_t *cuteLspDocumentGetPosition(const CuteLspDocument *document,
                                   size_t offset) {
  size_t line = cuteLinesFind(&document->lines, offset), units = 0;
  const char *text = cuteStringGet(&document->text);
  for (size_t i = document->lines.starts[line]; i < offset; ++i)
    units += unitsOf(document, text[i]);
  return json_pack("{s:I, s:I}", "line", (json_int_t)line, "character",
                   (json_int_t)units);
}

json_t *cuteLspDocumentGetRange(const CuteLspDocument *document, size_t from,
                                size_t to) {
  return json_pack("{s:o, s:o}", "start",
                   cuteLspDocumentGetPosition(document, from), "end",
                   cuteLspDocumentGetPosition(document, to));
}

//===-- Changes -----------------------------------------------------------===//

static void change(CuteLspDocument *document, const json_t *changed) {
  const json_t *range = json_object_get(changed, "range");
  const json_t *new = json_object_get(changed, "text");
  size_t from = 0, to = document->text.length;
  if (range) {
    from = cuteLspDocumentGetOffset(document, json_object_get(range, "start"));
    to = cuteLspDocumentGetOffset(document, json_object_get(range, "end"));
  }
  to = to < from ? from : to;
  CuteString text = {0};
  const char *old = cuteStringGet(&document->text);
  cuteStringAppendBytes(&text, old, from);
  if (json_is_string(new))
    cuteStringAppendBytes(&text, json_string_value(new),
                          json_string_length(new));
  cuteStringAppendBytes(&text, old + to, document->text.length - to);
  cuteStringDestroy(&document->text);
  document->text = text;
  cuteLinesDestroy(&document->lines);
  document->lines = (CuteLines){0};
  cuteLinesInit(&document->lines, cuteStringGetRef(&document->text));
  document->isChecked = false;
}

void cuteLspDocumentChange(CuteLspDocument *document, const json_t *changes) {
  for (size_t i = 0; i < json_array_size(changes); ++i)
    change(document, json_array_get(changes, i));
}
