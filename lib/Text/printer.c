// Prints operations: MLIR's text, with the ops and types of the dialect
// translated from the generic form to the pretty one, or with the ops'
// attributes as properties.
#include "Text/printer.h"
#include "Text/sugar.h"
#include "cute/Assembly.h"

static void flush(CutePrinter *printer, const char *to) {
  cuteStringAppendBytes(&printer->output, printer->copied,
                        (size_t)(to - printer->copied));
  printer->copied = to;
}

static CuteType takeType(CutePrinter *printer) {
  cuteLexerSkipTrivia(&printer->lexer);
  CuteLexer *lexer = &printer->lexer;
  size_t length;
  CuteType type = cuteTypeCacheParsePrefix(
      &printer->dialect->types, printer->dialect->context,
      (CuteStringRef){lexer->at, (size_t)(lexer->end - lexer->at)}, &length);
  lexer->at += length;
  return type;
}

static bool rewriteType(CutePrinter *printer, const char *start) {
  CuteLexer saved = printer->lexer;
  printer->lexer.at = start;
  CuteType type = takeType(printer);
  if (!type) { // as it is: the IR may be invalid
    printer->lexer = saved;
    return false;
  }
  flush(printer, start);
  cutePrinterWriteType(printer, type);
  printer->copied = printer->lexer.at;
  return true;
}

//===-- One op ------------------------------------------------------------===//

static CuteStringRef trimmed(const char *from, const char *to) {
  while (from < to && *from == ' ')
    ++from;
  while (to > from && to[-1] == ' ')
    --to;
  return (CuteStringRef){from, (size_t)(to - from)};
}

// name [= value] up to a comma or the closing brace.
static bool takeNamed(CuteLexer *lexer, CuteNamedText *named) {
  CuteToken token = cuteLexerNext(lexer, &named->name);
  if (token != CUTE_TOKEN_IDENTIFIER && token != CUTE_TOKEN_STRING)
    return false;
  named->value = (CuteStringRef){NULL, 0};
  if (!cuteLexerTake(lexer, '='))
    return true;
  const char *start = lexer->at;
  for (char next; (next = cuteLexerPeek(lexer)) != ',' && next != '}';) {
    CuteStringRef text;
    if (strchr("([{<", next) ? !cuteLexerSkipBracket(lexer)
                             : cuteLexerNext(lexer, &text) == CUTE_TOKEN_END)
      return false;
  }
  named->value = trimmed(start, lexer->at);
  return true;
}

static bool takeAttributes(CuteLexer *lexer, CutePrinterParts *parts) {
  if (!cuteLexerTake(lexer, '{'))
    return true;
  while (!cuteLexerTake(lexer, '}')) {
    CuteNamedText named;
    if (!takeNamed(lexer, &named) || !cutePrinterAddAttribute(parts, named))
      return false;
    cuteLexerTake(lexer, ',');
  }
  return true;
}

static bool takeTypes(CutePrinter *printer, CuteType **types, size_t *count) {
  CuteArena *scratch = &printer->dialect->context->scratch;
  bool inParentheses = cuteLexerTake(&printer->lexer, '(');
  if (inParentheses && cuteLexerTake(&printer->lexer, ')'))
    return true;
  do {
    CuteType type = takeType(printer);
    if (!type)
      return false;
    CUTE_ARENA_PUSH(scratch, *types, *count, type);
  } while (inParentheses && cuteLexerTake(&printer->lexer, ','));
  return !inParentheses || cuteLexerTake(&printer->lexer, ')');
}

static bool takeParts(CutePrinter *printer, CutePrinterParts *parts) {
  CuteLexer *lexer = &printer->lexer;
  const char *start = lexer->at;
  CuteStringRef text;
  if (cuteLexerPeek(lexer) != '(' || !cuteLexerSkipBracket(lexer))
    return false;
  parts->operands = (CuteStringRef){start, (size_t)(lexer->at - start)};
  return takeAttributes(lexer, parts) && cuteLexerTake(lexer, ':') &&
         takeTypes(printer, &parts->types, &parts->numTypes) &&
         cuteLexerNext(lexer, &text) == CUTE_TOKEN_ARROW &&
         takeTypes(printer, &parts->results, &parts->numResults);
}

//===-- Translation -------------------------------------------------------===//

// "cute.name"(...) at `start`; left as it is where it has not the form that the
// declaration says, which invalid IR may not have.
static void rewriteOp(CutePrinter *printer, CuteStringRef name,
                      const char *start) {
  const CuteOpDecl *decl = cuteDialectFindOp(printer->dialect, name);
  CuteLexer saved = printer->lexer;
  CuteArena *scratch = &printer->dialect->context->scratch;
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(scratch);
  CutePrinterParts parts = {.decl = decl};
  bool taken = decl && takeParts(printer, &parts);
  if (taken) {
    flush(printer, start);
    taken = cutePrinterWriteOp(printer, &parts);
  }
  if (taken)
    printer->copied = printer->lexer.at;
  else
    printer->lexer = saved;
}

// The attributes after "cute.name" in the generic form: declared ones as
// properties, <{...}>, and no sizes of segments.
static void rewriteAttributes(CutePrinter *printer, CuteStringRef name) {
  CutePrinterParts parts = {.decl = cuteDialectFindOp(printer->dialect, name)};
  CuteLexer lexer = printer->lexer;
  if (!parts.decl || !cuteLexerSkipBracket(&lexer))
    return;
  const char *start = lexer.at;
  if (cuteLexerPeek(&lexer) != '{' || !takeAttributes(&lexer, &parts))
    return;
  flush(printer, start);
  cutePrinterWriteAttributes(&printer->output, &parts, true, " <{", "}>");
  cutePrinterWriteAttributes(&printer->output, &parts, false, " {", "}");
  printer->copied = printer->lexer.at = lexer.at;
}

// Tells whether the text may have something to translate.
static bool mayBeOwn(CuteStringRef text) {
  static const char name[] = "cute.";
  const char *at = text.data, *end = at + text.length;
  while (at < end && (at = memchr(at, '.', (size_t)(end - at)))) {
    size_t before = (size_t)(at - text.data);
    if (before >= 4 && !memcmp(at - 4, name, 5))
      return true;
    ++at;
  }
  return false;
}

// Takes the next token that there may be something to do about: in the generic
// form only a string, such as the name of an op.
static CuteToken nextToken(CutePrinter *printer, CuteStringRef *text) {
  CuteLexer *lexer = &printer->lexer;
  if (printer->generic) {
    const char *quote =
        memchr(lexer->at, '"', (size_t)(lexer->end - lexer->at));
    lexer->at = quote ? quote : lexer->end;
  }
  return cuteLexerNext(lexer, text);
}

void cutePrinterTranslate(CutePrinter *printer, size_t length) {
  CuteStringRef text = {cuteStringGet(&printer->text), length};
  if (!mayBeOwn(text)) {
    cuteStringAppendBytes(&printer->output, text.data, length);
    return;
  }
  CuteToken token;
  const char *start = cuteStringGet(&printer->text);
  printer->lexer = (CuteLexer){start, start + length};
  printer->copied = start;
  while ((token = nextToken(printer, &text)) != CUTE_TOKEN_END) {
    bool isType =
        token == CUTE_TOKEN_TYPE && cuteTextStartsWith(text, "!cute.");
    bool isOp = token == CUTE_TOKEN_STRING &&
                cuteTextStartsWith(text, "\"cute.") && text.length > 7 &&
                cuteLexerPeek(&printer->lexer) == '(';
    CuteStringRef name = {text.data + 6, isOp ? text.length - 7 : 0};
    if (isOp && printer->generic)
      rewriteAttributes(printer, name);
    else if (isOp)
      rewriteOp(printer, name, text.data);
    else if (isType && !printer->generic)
      rewriteType(printer, text.data);
  }
  flush(printer, printer->lexer.end);
}

void cutePrinterEmit(CutePrinter *printer) {
  printer->callback(cuteMlirText(&printer->output), printer->userData);
  cuteStringClear(&printer->output);
}

// Text waits for this much more, and then for the end of a line: MLIR prints an
// op of this dialect on one.
enum { ENOUGH = 1 << 16 };

static void rewriteLines(CutePrinter *printer) {
  CuteString *text = &printer->text;
  size_t length = text->length;
  while (length && text->data[length - 1] != '\n')
    --length;
  cutePrinterTranslate(printer, length);
  cutePrinterEmit(printer);
  memmove(text->data, text->data + length, text->length - length + 1);
  text->length -= length;
}

static void takePiece(MlirStringRef piece, void *userData) {
  CutePrinter *printer = userData;
  cuteStringAppendBytes(&printer->text, piece.data, piece.length);
  bool endsLine = piece.length && piece.data[piece.length - 1] == '\n';
  if (endsLine && printer->text.length >= ENOUGH)
    rewriteLines(printer);
}

//===-- Entry point -------------------------------------------------------===//

static MlirOpPrintingFlags createFlags(CutePrintOptions options) {
  MlirOpPrintingFlags flags = mlirOpPrintingFlagsCreate();
  if (options.generic || options.stock)
    mlirOpPrintingFlagsPrintGenericOpForm(flags);
  if (options.debugInfo || options.prettyDebugInfo)
    mlirOpPrintingFlagsEnableDebugInfo(flags, true, options.prettyDebugInfo);
  if (options.localScope)
    mlirOpPrintingFlagsUseLocalScope(flags);
  if (options.skipRegions)
    mlirOpPrintingFlagsSkipRegions(flags);
  if (options.elideElements)
    mlirOpPrintingFlagsElideLargeElementsAttrs(flags, options.elideElements);
  if (options.elideResources)
    mlirOpPrintingFlagsElideLargeResourceString(flags, options.elideResources);
  if (options.namesFromLocations)
    mlirOpPrintingFlagsPrintNameLocAsPrefix(flags);
  if (options.assumeVerified)
    mlirOpPrintingFlagsAssumeVerified(flags);
  return flags;
}

// Tells whether the options leave the text of functions and of the dialect's
// ops as cutePrinterWalk prints it.
static bool isPlain(CutePrintOptions options) {
  return options.assumeVerified && !options.generic && !options.debugInfo &&
         !options.prettyDebugInfo && !options.skipRegions &&
         !options.elideElements && !options.elideResources &&
         !options.namesFromLocations;
}

static void printTranslated(CutePrinter *printer, MlirOperation operation,
                            CutePrintOptions options,
                            MlirOpPrintingFlags flags) {
  if (!isPlain(options) || !cutePrinterWalk(printer, operation, flags)) {
    mlirOperationPrintWithFlags(operation, flags, takePiece, printer);
    cutePrinterTranslate(printer, printer->text.length);
    cutePrinterEmit(printer);
  }
  cuteArenaDestroy(&printer->texts);
  cutePointerMapDestroy(&printer->types);
  cuteStringDestroy(&printer->output);
  cuteStringDestroy(&printer->text);
}

static void printSugar(CutePrinter *printer, MlirOperation operation,
                       CutePrintOptions options, MlirOpPrintingFlags flags) {
  CUTE_SCOPED(String) text = {0}, sugar = {0};
  MlirStringCallback callback = printer->callback;
  void *userData = printer->userData;
  printer->callback = cuteAppendMlirString;
  printer->userData = &text;
  printTranslated(printer, operation, options, flags);
  cuteSugarAppend(printer->dialect, cuteStringGetRef(&text), &sugar);
  callback(cuteMlirText(&sugar), userData);
}

void cuteOperationPrint(MlirOperation operation, CutePrintOptions options,
                        MlirStringCallback callback, void *userData) {
  if (!callback)
    return;
  CuteDialect *dialect = cuteDialectLock(mlirOperationGetContext(operation));
  MlirOpPrintingFlags flags = createFlags(options);
  CutePrinter printer = {.dialect = dialect,
                         .generic = options.generic,
                         .callback = callback,
                         .userData = userData};
  if (options.stock || !dialect)
    mlirOperationPrintWithFlags(operation, flags, callback, userData);
  else if (options.sugar && !options.generic && !options.debugInfo)
    printSugar(&printer, operation, options, flags);
  else
    printTranslated(&printer, operation, options, flags);
  mlirOpPrintingFlagsDestroy(flags);
  if (dialect)
    cuteDialectUnlock(dialect);
}
