// Hovers: types of values with their pictures and explanations, and the
// reference. Inlay hints: types that were left out, and costs.
#include "Server/lsp.h"

#include "Tools/driver.h"
#include "cute/Calculator.h"

enum {
  MAX_PICTURE = 8000, // characters
  MAX_HINT = 40,
};

//===-- Pictures ----------------------------------------------------------===//

// Leaves out the lines between rows.
static void appendPicture(CuteStringRef picture, void *text) {
  if (picture.length > 2 * MAX_PICTURE)
    return;
  const char *at = picture.data, *end = at + picture.length;
  cuteStringAppend(text, "\n```text\n");
  for (size_t n; at < end; at += n) {
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    n = newline ? (size_t)(newline - at) + 1 : (size_t)(end - at);
    if (at[strspn(at, " ")] != '+')
      cuteStringAppendBytes(text, at, n);
  }
  cuteStringAppend(text, "```\n");
}

// Draws what a type holds, where that is static and small enough.
static void appendDrawing(CuteContext context, const CuteString *type,
                          CuteString *text) {
  CuteCalculator *calculator = cuteCalculatorCreate(context);
  cuteCalculatorDraw(calculator, cuteStringGetRef(type),
                     (CuteDrawing){.format = CUTE_PICTURE_TEXT}, NULL,
                     appendPicture, text);
  cuteCalculatorDestroy(calculator);
}

//===-- Explanations ------------------------------------------------------===//

static void keepRemark(const CuteDiagnostic *diagnostic,
                       CUTE_UNUSED size_t numNotes,
                       CUTE_UNUSED const CuteDiagnostic *notes,
                       void *userData) {
  cuteStringAppendBytes(userData, diagnostic->message.data,
                        diagnostic->message.length);
}

static bool isThere(const CuteLspDocument *document, const char *at,
                    MlirOperation op) {
  CutePosition position = cutePositionOf(op);
  return position.file.data &&
         cuteLspDocumentLocate(document, position.line, position.column) ==
             (size_t)(at - cuteStringGet(&document->text));
}

// Appends how the op, whose name is there, came to its result.
static void appendExplanation(const CuteLspDocument *document, const char *at,
                              CuteString *text) {
  CUTE_SCOPED(String) explanation = {0};
  if (mlirModuleIsNull(document->module))
    return;
  cuteDiagnosticHandlerAttach(document->context, keepRemark, &explanation);
  CUTE_FOR_NESTED(op, mlirModuleGetOperation(document->module))
    if (!explanation.length && isThere(document, at, op))
      cuteOperationExplain(op, 0);
  cuteDiagnosticHandlerDetach(document->context);
  if (explanation.length)
    cuteStringAppendFormat(text, "\n```text\n%s\n```\n",
                           cuteStringGet(&explanation));
}

//===-- The reference -----------------------------------------------------===//

typedef struct Section {
  CuteStringRef name;
  CuteString *text;
} Section;

static void cutSection(CuteStringRef page, void *userData) {
  const Section *section = userData;
  CUTE_SCOPED(String) heading = {0};
  cuteStringAppendFormat(&heading, "\n### `%.*s`\n", CUTE_TEXT(section->name));
  const char *begin = strstr(page.data, cuteStringGet(&heading));
  const char *next = begin ? strstr(begin + heading.length, "\n#") : NULL;
  if (begin) {
    begin += heading.length;
    cuteStringAppendBytes(section->text, begin,
                          next ? (size_t)(next - begin) : strlen(begin));
  }
}

// Appends the section of the dialect's reference about `cute.size` or
// `!cute.layout`; false where there is none.
static bool appendDocumentation(const CuteLspDocument *document,
                                CuteStringRef name, CuteString *text) {
  size_t before = text->length;
  Section section = {name, text};
  cuteDialectPrintDocumentation(document->context, cutSection, &section);
  return text->length > before;
}

//===-- Hovers ------------------------------------------------------------===//

static void appendType(CuteDialect *dialect, const char *name, CuteType type,
                       CuteString *text) {
  CUTE_SCOPED(String) printed = {0};
  cuteAppendType(&printed, type, CUTE_FORM_PRETTY);
  cuteStringAppendFormat(text, "```mlir\n%s%s%s\n```\n", name,
                         *name ? " : " : "", cuteStringGet(&printed));
  if (type->kind != CUTE_TYPE_FOREIGN)
    appendDrawing(dialect->context, &printed, text);
}

// The name of the op whose results begin with this definition.
static const char *findOp(const CuteLspDocument *document,
                          const CuteLspName *definition) {
  const char *text = cuteStringGet(&document->text);
  CuteLexer lexer = {definition->text.data, text + document->text.length};
  CuteStringRef token;
  CuteToken kind;
  do
    kind = cuteLexerNext(&lexer, &token);
  while (kind != CUTE_TOKEN_END && *token.data != '=');
  cuteLexerNext(&lexer, &token);
  return token.data;
}

static void hoverValue(const CuteLspDocument *document, CuteDialect *dialect,
                       const CuteLspName *name, CuteString *text) {
  const CuteLspName *definition = cuteLspIndexResolve(&document->index, name);
  CUTE_SCOPED(String) spelled = {0};
  if (!definition || name->number >= CUTE_LSP_TYPES ||
      !definition->types[name->number])
    return;
  cuteStringAppendBytes(&spelled, name->text.data, name->text.length);
  if (name->number)
    cuteStringAppendFormat(&spelled, "#%zu", name->number);
  appendType(dialect, cuteStringGet(&spelled), definition->types[name->number],
             text);
  appendExplanation(document, findOp(document, definition), text);
}

// A type, or an alias of one.
static void hoverType(const CuteLspDocument *document, CuteDialect *dialect,
                      const CuteLspName *name, CuteString *text) {
  const CuteLspName *definition = cuteLspIndexResolve(&document->index, name);
  const char *end = cuteStringGet(&document->text) + document->text.length;
  CuteLexer lexer = {name->text.data, end};
  size_t length;
  if (definition) {
    lexer.at = definition->end;
    cuteLexerTake(&lexer, '=');
    cuteLexerSkipTrivia(&lexer);
  }
  CuteType type = cuteTypeParsePrefix(
      dialect->context, (CuteStringRef){lexer.at, (size_t)(end - lexer.at)},
      &length);
  if (type)
    appendType(dialect, "", type, text);
  appendDocumentation(document, name->text, text);
}

// The word that a place is in: the name of an op.
static CuteStringRef wordAt(const CuteLspDocument *document, const char *at) {
  static const char letters[] = CUTE_LETTERS ".";
  const char *begin = cuteStringGet(&document->text);
  while (at > begin && strchr(letters, at[-1]))
    --at;
  return (CuteStringRef){at, strspn(at, letters)};
}

static void hoverOp(const CuteLspDocument *document, const char *at,
                    CuteString *text) {
  CuteStringRef word = wordAt(document, at);
  if (!word.length || !appendDocumentation(document, word, text))
    return;
  appendExplanation(document, word.data, text);
}

json_t *cuteLspHover(CuteLspDocument *document, const char *at,
                     CUTE_UNUSED const json_t *params) {
  CuteDialect *dialect = cuteDialectLock(document->context);
  const CuteLspName *name = cuteLspIndexFind(&document->index, at);
  CUTE_SCOPED(String) text = {0};
  if (name && name->kind == CUTE_TOKEN_VALUE)
    hoverValue(document, dialect, name, &text);
  else if (name && name->kind == CUTE_TOKEN_TYPE)
    hoverType(document, dialect, name, &text);
  else
    hoverOp(document, at, &text);
  cuteDialectUnlock(dialect);
  return text.length ? json_pack("{s:{s:s, s:s}}", "contents", "kind",
                                 "markdown", "value", cuteStringGet(&text))
                     : NULL;
}

//===-- Inlay hints -------------------------------------------------------===//

// Tells whether the line after a name spells a type.
static bool isSpelled(CuteStringRef rest) {
  if (rest.length && *rest.data == ':')
    return true;
  for (size_t i = 0; i + 2 < rest.length; ++i)
    if (!strncmp(rest.data + i, " : ", 3) || !strncmp(rest.data + i, "->", 2))
      return true;
  return false;
}

// Appends how many registers of a thread hold a fragment's elements, except
// predicates, which take no register bits.
static void appendRegisters(const CuteLspDocument *document, CuteType type,
                            CuteString *label) {
  if (!cuteTypeIsKind(type, CUTE_TYPE_TENSOR) || type->space != CUTE_RMEM ||
      type->element == CUTE_ELEMENT_I1)
    return;
  CUTE_LOCKED *dialect = cuteDialectLock(document->context);
  CuteIntTuple size = cuteLayoutGetSize(dialect->context, type->layout);
  int64_t bits = cuteElementTypeGetBits(type->element);
  if (size && isStatic(size) &&
      !__builtin_mul_overflow(size->value, bits, &bits))
    cuteStringAppendFormat(label, ", %jd register%s", (bits + 31) / 32,
                           bits > 32 ? "s" : "");
}

static json_t *hintOf(const CuteLspDocument *document,
                      const CuteLspName *name) {
  CUTE_SCOPED(String) label = {0}, whole = {0};
  cuteAppendType(&whole, name->types[0], CUTE_FORM_PRETTY);
  CuteStringRef shown = cuteStringGetRef(&whole);
  if (!cuteTextTake(&shown, "!cute."))
    cuteTextTake(&shown, "!");
  CuteStringRef start = cuteStringRefGetStart(shown, MAX_HINT);
  cuteStringAppendFormat(&label, ": %.*s%s", CUTE_TEXT(start),
                         start.length < shown.length ? "\u2026" : "");
  appendRegisters(document, name->types[0], &label);
  return json_pack("{s:o, s:s, s:i, s:s}", "position",
                   cuteLspDocumentGetPosition(
                       document, (size_t)(name->text.data + name->text.length -
                                          cuteStringGet(&document->text))),
                   "label", cuteStringGet(&label), "kind", 1, "tooltip",
                   cuteStringGet(&whole));
}

// Appends a hint at the end of the line, if that is in the range.
static void appendCost(const CuteLspDocument *document, size_t lineNumber,
                       const CuteString *text, const char *from, const char *to,
                       json_t *hints) {
  CuteStringRef line = cuteLinesGet(&document->lines, lineNumber);
  const char *end = line.data + line.length;
  if (line.data >= from && end <= to)
    json_array_append_new(
        hints,
        json_pack("{s:o, s:s, s:b}", "position",
                  cuteLspDocumentGetPosition(
                      document, (size_t)(end - cuteStringGet(&document->text))),
                  "label", cuteStringGet(text), "paddingLeft", 1));
}

json_t *cuteLspInlayHints(CuteLspDocument *document, CUTE_UNUSED const char *at,
                          const json_t *params) {
  const json_t *range = json_object_get(params, "range");
  const char *text = cuteStringGet(&document->text);
  const char *from = text + cuteLspDocumentGetOffset(
                                document, json_object_get(range, "start"));
  const char *to =
      text + cuteLspDocumentGetOffset(document, json_object_get(range, "end"));
  json_t *hints = json_array();
  for (size_t i = 0; i < document->index.count; ++i) {
    const CuteLspName *name = &document->index.names[i];
    const char *end = name->text.data + name->text.length;
    if (name->text.data >= from && end <= to && name->definition == (int)i &&
        name->types[0] && !isSpelled((CuteStringRef){end, strcspn(end, "\n")}))
      json_array_append_new(hints, hintOf(document, name));
  }
  for (size_t i = 0; document->isLinted && i < document->numKernels; ++i) {
    const CuteLspKernel *kernel = &document->kernels[i];
    for (size_t k = 0; k < kernel->numCosts; ++k)
      appendCost(document, kernel->line + (size_t)kernel->costs[k].line,
                 &kernel->costs[k].text, from, to, hints);
  }
  return hints;
}
