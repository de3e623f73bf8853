// Definitions, references and renaming of names; symbols and what can be done
// with them.
#include "Server/lsp.h"

static size_t offsetOf(const CuteLspDocument *document, const char *at) {
  return (size_t)(at - cuteStringGet(&document->text));
}

static json_t *rangeOf(const CuteLspDocument *document,
                       const CuteLspName *name) {
  size_t at = offsetOf(document, name->text.data);
  return cuteLspDocumentGetRange(document, at, at + name->text.length);
}

static json_t *locationOf(const CuteLspDocument *document,
                          const CuteLspName *name) {
  return json_pack("{s:s, s:o}", "uri", document->uri, "range",
                   rangeOf(document, name));
}

static const CuteLspName *definitionAt(const CuteLspDocument *document,
                                       const char *at) {
  return cuteLspIndexResolve(&document->index,
                             cuteLspIndexFind(&document->index, at));
}

json_t *cuteLspDefinition(CuteLspDocument *document, const char *at,
                          CUTE_UNUSED const json_t *params) {
  const CuteLspName *definition = definitionAt(document, at);
  return definition ? locationOf(document, definition) : NULL;
}

//===-- All of a name -----------------------------------------------------===//

// An array with what `make` gives for each name of the definition at a place;
// null if that is unknown.
static json_t *collect(const CuteLspDocument *document, const char *at,
                       json_t *(*make)(const CuteLspDocument *document,
                                       const CuteLspName *name,
                                       const json_t *params),
                       const json_t *params) {
  const CuteLspName *definition = definitionAt(document, at);
  json_t *all = definition ? json_array() : NULL;
  for (size_t i = 0; all && i < document->index.count; ++i) {
    const CuteLspName *name = &document->index.names[i];
    json_t *made = name->definition == definition->definition
                       ? make(document, name, params)
                       : NULL;
    if (made)
      json_array_append_new(all, made);
  }
  return all;
}

static bool isDefinition(const CuteLspDocument *document,
                         const CuteLspName *name) {
  return name->definition == name - document->index.names;
}

static json_t *makeReference(const CuteLspDocument *document,
                             const CuteLspName *name, const json_t *params) {
  bool isWanted =
      !isDefinition(document, name) ||
      json_is_true(json_object_get(json_object_get(params, "context"),
                                   "includeDeclaration"));
  return isWanted ? locationOf(document, name) : NULL;
}

json_t *cuteLspReferences(CuteLspDocument *document, const char *at,
                          const json_t *params) {
  return collect(document, at, makeReference, params);
}

static json_t *makeHighlight(const CuteLspDocument *document,
                             const CuteLspName *name,
                             CUTE_UNUSED const json_t *params) {
  enum { READ = 2, WRITE = 3 };
  return json_pack("{s:o, s:i}", "range", rangeOf(document, name), "kind",
                   isDefinition(document, name) ? WRITE : READ);
}

json_t *cuteLspHighlights(CuteLspDocument *document, const char *at,
                          const json_t *params) {
  return collect(document, at, makeHighlight, params);
}

json_t *cuteLspPrepareRename(CuteLspDocument *document, const char *at,
                             CUTE_UNUSED const json_t *params) {
  return definitionAt(document, at)
             ? rangeOf(document, cuteLspIndexFind(&document->index, at))
             : NULL;
}

static json_t *makeEdit(const CuteLspDocument *document,
                        const CuteLspName *name, const json_t *params) {
  const char *new = json_string_value(json_object_get(params, "newName"));
  char sigil = *name->text.data;
  CUTE_SCOPED(String) text = {0};
  if (*new != sigil)
    cuteStringAppendChar(&text, sigil);
  cuteStringAppend(&text, new);
  return json_pack("{s:o, s:s}", "range", rangeOf(document, name), "newText",
                   cuteStringGet(&text));
}

// Tells whether a text may be a name, with or without its first character.
static bool isName(const char *text) {
  static const char letters[] = CUTE_LETTERS "$.-";
  text += *text && strchr("%@!#", *text);
  return *text && !text[strspn(text, letters)];
}

// Tells whether another definition of the text, in a scope that shares a place
// with that of the name, has a name already.
static bool isTaken(const CuteLspDocument *document, const char *at,
                    const char *new) {
  const CuteLspName *one = definitionAt(document, at);
  for (size_t i = 0; one && i < document->index.count; ++i) {
    const CuteLspName *other = &document->index.names[i];
    const CuteLspName *first = other < one ? other : one;
    const CuteLspName *second = other < one ? one : other;
    if (other != one && isDefinition(document, other) &&
        *other->text.data == *one->text.data &&
        cuteTextEquals(
            (CuteStringRef){other->text.data + 1, other->text.length - 1},
            new + (*new == *one->text.data)) &&
        (!first->scopeEnd || second->text.data < first->scopeEnd))
      return true;
  }
  return false;
}

json_t *cuteLspRename(CuteLspDocument *document, const char *at,
                      const json_t *params) {
  const char *new = json_string_value(json_object_get(params, "newName"));
  json_t *edits = new &&isName(new) && !isTaken(document, at, new)
                      ? collect(document, at, makeEdit, params)
                      : NULL;
  return edits ? json_pack("{s:{s:o}}", "changes", document->uri, edits) : NULL;
}

//===-- Symbols -----------------------------------------------------------===//

static bool isSymbol(const CuteLspDocument *document, const CuteLspName *name) {
  return name->kind == CUTE_TOKEN_SYMBOL && isDefinition(document, name);
}

static json_t *makeSymbol(const CuteLspDocument *document,
                          const CuteLspName *name) {
  enum { MODULE = 2, FUNCTION = 12 };
  bool isModule = cuteTextEquals(name->op, "gpu.module") ||
                  cuteTextEquals(name->op, "module");
  size_t begin = offsetOf(document, name->op.data);
  return json_pack(
      "{s:s%, s:s%, s:i, s:o, s:o, s:[]}", "name", name->text.data + 1,
      name->text.length - 1, "detail", name->op.data, name->op.length, "kind",
      isModule ? MODULE : FUNCTION, "range",
      cuteLspDocumentGetRange(document, begin, offsetOf(document, name->end)),
      "selectionRange", rangeOf(document, name), "children");
}

// Appends the symbols before `end` from number *i on, each with those in it.
static void appendSymbols(const CuteLspDocument *document, size_t *i,
                          const char *end, json_t *symbols) {
  const CuteLspIndex *index = &document->index;
  while (*i < index->count && index->names[*i].text.data < end) {
    const CuteLspName *name = &index->names[(*i)++];
    if (!isSymbol(document, name))
      continue;
    json_t *symbol = makeSymbol(document, name);
    json_array_append_new(symbols, symbol);
    appendSymbols(document, i, name->end, json_object_get(symbol, "children"));
  }
}

json_t *cuteLspSymbols(CuteLspDocument *document, CUTE_UNUSED const char *at,
                       CUTE_UNUSED const json_t *params) {
  json_t *symbols = json_array();
  size_t i = 0;
  appendSymbols(document, &i,
                cuteStringGet(&document->text) + document->text.length,
                symbols);
  return symbols;
}

//===-- Lenses ------------------------------------------------------------===//

// Appends the path of a file's URI, as a shell takes it.
static void appendPath(CuteString *text, const char *uri) {
  size_t scheme = strncmp(uri, "file://", 7) ? 0 : 7;
  CUTE_SCOPED(String) path = {0};
  for (const char *at = uri + scheme; *at; ++at) {
    unsigned byte = 0;
    int length = 0;
    sscanf(at, "%%%2x%n", &byte, &length);
    bool isByte = length == 3 && byte;
    cuteStringAppendChar(&path, isByte ? (char)byte : *at);
    at += isByte ? 2 : 0;
  }
  cuteStringAppendWord(text, "%s", cuteStringGet(&path));
}

// Takes the command.
static void appendLens(const CuteLspDocument *document, const CuteLspName *name,
                       const char *title, CuteString *command, json_t *lenses) {
  json_array_append_new(lenses,
                        json_pack("{s:o, s:{s:s, s:s, s:[s%]}}", "range",
                                  rangeOf(document, name), "command", "title",
                                  title, "command", "cute.run", "arguments",
                                  command->data, command->length));
  cuteStringDestroy(command);
}

// Tells whether a shell or a terminal takes no character of a line for more
// than a command's.
static bool isOneCommand(CuteStringRef line) {
  for (size_t i = 0; i < line.length; ++i)
    if ((unsigned char)line.data[i] < ' ' || strchr("$`\\!;|&<>", line.data[i]))
      return false;
  return true;
}

// The first line of a comment that is a command of cute-run, without the
// slashes; one of a stranger's file does nothing else.
static CuteStringRef findRun(const CuteLspDocument *document) {
  for (size_t i = 0; i < document->lines.count; ++i) {
    CuteStringRef line = cuteLinesGet(&document->lines, i);
    size_t n = strspn(line.data, "/ ");
    CuteStringRef run = {line.data + n, strcspn(line.data + n, "\r\n")};
    if (n < line.length && *line.data == '/' &&
        !strncmp(run.data, "cute-run ", 9) && isOneCommand(run))
      return run;
  }
  return (CuteStringRef){0};
}

// Appends a lens whose command has the architecture, if it takes one, and the
// file.
static void appendFileLens(const CuteLspDocument *document,
                           const CuteLspName *kernel, const char *title,
                           const char *command, json_t *lenses) {
  CuteString text = {0};
  cuteStringAppend(&text, command);
  if (strstr(command, "--arch="))
    cuteStringAppend(&text, cuteLspLintGetArch(document));
  appendPath(&text, document->uri);
  appendLens(document, kernel, title, &text, lenses);
}

static void appendLenses(const CuteLspDocument *document,
                         const CuteLspName *kernel, json_t *lenses) {
  CuteString simulation = {0};
  CuteStringRef run = findRun(document);
  appendFileLens(document, kernel, "PTX", "cutec -o - --arch=", lenses);
  appendFileLens(document, kernel, "parameters", "cute-run --list", lenses);
  appendFileLens(document, kernel, "prove", "cutec --prove", lenses);
  cuteStringAppendBytes(&simulation, run.data, run.length);
  if (run.length)
    appendLens(document, kernel, "simulate", &simulation, lenses);
}

json_t *cuteLspLenses(CuteLspDocument *document, CUTE_UNUSED const char *at,
                      CUTE_UNUSED const json_t *params) {
  json_t *lenses = json_array();
  for (size_t i = 0; i < document->index.count; ++i) {
    const CuteLspName *name = &document->index.names[i];
    if (isSymbol(document, name) && cuteTextEquals(name->op, "gpu.func"))
      appendLenses(document, name, lenses);
  }
  return lenses;
}
