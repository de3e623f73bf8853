// Prints operations: MLIR's text, with the ops and types of the dialect
// translated from the generic form to the pretty one, or with the ops'
// attributes as those of an op with properties.
#include "IR/dialect.h"
#include "Support/lexer.h"
#include "cute/Assembly.h"

typedef struct Printer {
  CuteDialect *dialect;
  bool generic;
  MlirStringCallback callback;
  void *userData;
  CuteString text; // of MLIR, not translated yet
  CuteLexer lexer;
  const char *copied; // the text before it has been written
  CuteString output;
} Printer;

static void flush(Printer *printer, const char *to) {
  cuteStringAppendBytes(&printer->output, printer->copied,
                        (size_t)(to - printer->copied));
  printer->copied = to;
}

static CuteType takeType(Printer *printer) {
  cuteLexerSkipTrivia(&printer->lexer);
  CuteLexer *lexer = &printer->lexer;
  size_t length;
  CuteType type = cuteTypeCacheParsePrefix(
      &printer->dialect->types, printer->dialect->context,
      (CuteStringRef){lexer->at, (size_t)(lexer->end - lexer->at)}, &length);
  lexer->at += length;
  return type;
}

static bool rewriteType(Printer *printer, const char *start) {
  CuteLexer saved = printer->lexer;
  printer->lexer.at = start;
  CuteType type = takeType(printer);
  if (!type) { // as it is: the IR may be invalid
    printer->lexer = saved;
    return false;
  }
  flush(printer, start);
  cuteAppendType(&printer->output, type, CUTE_FORM_PRETTY);
  printer->copied = printer->lexer.at;
  return true;
}

//===-- One op ------------------------------------------------------------===//

typedef struct NamedText {
  CuteStringRef name, value; // value is empty for a unit attribute
} NamedText;

enum { MAX_ATTRIBUTES = 32 };

typedef struct Parts {
  const CuteOpDecl *decl;
  CuteStringRef operands; // with their parentheses
  NamedText attributes[MAX_ATTRIBUTES];
  size_t numAttributes;
  size_t numTypes, numResults;
  CuteType *types, *results;
} Parts;

static CuteStringRef trimmed(const char *from, const char *to) {
  while (from < to && *from == ' ')
    ++from;
  while (to > from && to[-1] == ' ')
    --to;
  return (CuteStringRef){from, (size_t)(to - from)};
}

// name [= value] up to a comma or the closing brace.
static bool takeNamed(CuteLexer *lexer, NamedText *named) {
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

static bool takeAttributes(CuteLexer *lexer, Parts *parts) {
  if (!cuteLexerTake(lexer, '{'))
    return true;
  while (!cuteLexerTake(lexer, '}')) {
    if (parts->numAttributes == MAX_ATTRIBUTES)
      return false;
    NamedText *named = &parts->attributes[parts->numAttributes];
    if (!takeNamed(lexer, named))
      return false;
    bool isSegments =
        ((parts->decl->mixedOperands || parts->decl->segmentedOperands) &&
         cuteTextEquals(named->name, "operandSegmentSizes")) ||
        (parts->decl->mixedResults &&
         cuteTextEquals(named->name, "resultSegmentSizes"));
    parts->numAttributes += !isSegments;
    cuteLexerTake(lexer, ',');
  }
  return true;
}

static bool takeTypes(Printer *printer, CuteType **types, size_t *count) {
  CuteArena *scratch = &printer->dialect->context->scratch;
  bool inParentheses = cuteLexerTake(&printer->lexer, '(');
  if (inParentheses && cuteLexerTake(&printer->lexer, ')'))
    return true;
  do {
    CuteType type = takeType(printer);
    if (!type)
      return false;
    *types = cuteArenaGrow(scratch, *types, *count, sizeof type);
    (*types)[(*count)++] = type;
  } while (inParentheses && cuteLexerTake(&printer->lexer, ','));
  return !inParentheses || cuteLexerTake(&printer->lexer, ')');
}

static bool takeParts(Printer *printer, Parts *parts) {
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

//===-- Writing -----------------------------------------------------------===//

static NamedText *findAttribute(Parts *parts, CuteStringRef name) {
  for (size_t i = 0; i < parts->numAttributes; ++i) {
    CuteStringRef found = parts->attributes[i].name;
    if (found.length == name.length &&
        !memcmp(found.data, name.data, name.length))
      return &parts->attributes[i];
  }
  return NULL;
}

// The value of an attribute in angle brackets: "4 : i32" as 4,
// "array<i32: 1, 0>" as [1, 0].
static void writeAngleValue(CuteString *output, const CuteAttributeDecl *decl,
                            const NamedText *named) {
  CuteStringRef value = named->value;
  const char *end;
  switch (decl->kind) {
  case CUTE_ATTRIBUTE_INT:
    end = memchr(value.data, ' ', value.length);
    cuteStringAppendBytes(output, value.data,
                          end ? (size_t)(end - value.data) : value.length);
    return;
  case CUTE_ATTRIBUTE_INTS:
    end = memchr(value.data, ':', value.length);
    cuteStringAppendChar(output, '[');
    if (end)
      cuteStringAppendBytes(output, end + 2,
                            (size_t)(value.data + value.length - end) - 3);
    cuteStringAppendChar(output, ']');
    return;
  case CUTE_ATTRIBUTE_UNIT:
    cuteStringAppendFormat(output, "{%.*s}", (int)decl->name.length,
                           decl->name.data);
    return;
  case CUTE_ATTRIBUTE_TYPE:
  case CUTE_ATTRIBUTE_STRING:
    cuteStringAppendBytes(output, value.data, value.length);
    return;
  }
}

static bool isDeclared(const CuteOpDecl *decl, CuteStringRef name) {
  for (size_t i = 0; i < decl->numAttributes; ++i)
    if (cuteTextIsSame(decl->attributes[i].name, name))
      return true;
  return false;
}

// False if attributes that the brackets need are missing.
static bool writeAngle(CuteString *output, Parts *parts) {
  const CuteOpDecl *decl = parts->decl;
  size_t present = 0;
  for (size_t i = 0; i < decl->numAttributes; ++i)
    present += findAttribute(parts, decl->attributes[i].name) != NULL;
  if (present != decl->numAttributes && (present || !decl->optionalAngle))
    return false;
  for (size_t i = 0; i < present; ++i) {
    NamedText *named = findAttribute(parts, decl->attributes[i].name);
    cuteStringAppend(output, i ? ", " : "<");
    writeAngleValue(output, &decl->attributes[i], named);
  }
  if (present)
    cuteStringAppendChar(output, '>');
  if (decl->spaceAfterAngle)
    cuteStringAppendChar(output, ' ');
  return true;
}

// Writes the attributes of the op, those that it declares or the others,
// between the brackets.
static void writeAttributes(CuteString *output, const Parts *parts,
                            bool isInherent, const char *open,
                            const char *close) {
  bool isEmpty = true;
  for (size_t i = 0; i < parts->numAttributes; ++i) {
    NamedText named = parts->attributes[i];
    if (isDeclared(parts->decl, named.name) != isInherent)
      continue;
    cuteStringAppendFormat(output, "%s%.*s", isEmpty ? open : ", ",
                           (int)named.name.length, named.name.data);
    if (named.value.length)
      cuteStringAppendFormat(output, " = %.*s", (int)named.value.length,
                             named.value.data);
    isEmpty = false;
  }
  if (!isEmpty)
    cuteStringAppend(output, close);
}

// Declared attributes are in the angle brackets.
static void writeDictionary(Printer *printer, const Parts *parts) {
  writeAttributes(&printer->output, parts, false, " {", "}");
}

static void writeType(CuteString *output, CuteType type,
                      const CuteValueDecl *values, size_t count, size_t index) {
  const CuteValueDecl *value =
      count ? &values[index < count ? index : count - 1] : NULL;
  size_t start = output->length;
  cuteAppendType(output, type, CUTE_FORM_PRETTY);
  char *angle = output->data ? strchr(output->data + start, '<') : NULL;
  if (!value || !value->elided || type->kind == CUTE_TYPE_FOREIGN || !angle)
    return;
  size_t prefix = (size_t)(angle - output->data) - start;
  memmove(output->data + start, angle, output->length - start - prefix + 1);
  output->length -= prefix;
}

static void writeTypeList(CuteString *output, size_t n, const CuteType *types,
                          const CuteValueDecl *values, size_t numValues,
                          bool inParentheses) {
  if (inParentheses)
    cuteStringAppendChar(output, '(');
  for (size_t i = 0; i < n; ++i) {
    if (i)
      cuteStringAppend(output, ", ");
    writeType(output, types[i], values, numValues, i);
  }
  if (inParentheses)
    cuteStringAppendChar(output, ')');
}

static void writeTypes(CuteString *output, const Parts *parts) {
  const CuteOpDecl *decl = parts->decl;
  if (decl->types == CUTE_TYPES_NONE ||
      (decl->types == CUTE_TYPES_OPERANDS && !parts->numTypes))
    return;
  cuteStringAppend(output, " : ");
  if (decl->types != CUTE_TYPES_RESULT)
    writeTypeList(
        output, parts->numTypes, parts->types, decl->operands,
        decl->numOperands,
        decl->types == CUTE_TYPES_FUNCTIONAL ||
            (decl->types == CUTE_TYPES_ARROW && parts->numTypes != 1));
  if (decl->types == CUTE_TYPES_OPERANDS)
    return;
  if (decl->types != CUTE_TYPES_RESULT)
    cuteStringAppend(output, " -> ");
  writeTypeList(output, parts->numResults, parts->results, decl->results,
                decl->numResults, parts->numResults != 1);
}

static void writeOp(Printer *printer, Parts *parts) {
  const CuteOpDecl *decl = parts->decl;
  CuteString *output = &printer->output;
  if (decl->hasOperandList)
    cuteStringAppendBytes(output, parts->operands.data, parts->operands.length);
  if (!decl->attrDictLast)
    writeDictionary(printer, parts);
  writeTypes(output, parts);
  if (decl->attrDictLast)
    writeDictionary(printer, parts);
}

// "cute.name"(...) at `start`; left as it is where it has not the form that the
// declaration says, which invalid IR may not have.
static void rewriteOp(Printer *printer, CuteStringRef name, const char *start) {
  const CuteOpDecl *decl = cuteDialectFindOp(printer->dialect, name);
  CuteLexer saved = printer->lexer;
  CuteArena *scratch = &printer->dialect->context->scratch;
  CuteArenaMark mark = cuteArenaGetMark(scratch);
  Parts parts = {.decl = decl};
  bool taken = decl && takeParts(printer, &parts);
  if (taken) {
    flush(printer, start);
    size_t length = printer->output.length;
    cuteStringAppendFormat(&printer->output, "cute.%.*s", (int)name.length,
                           name.data);
    taken = writeAngle(&printer->output, &parts);
    if (taken) {
      writeOp(printer, &parts);
      printer->copied = printer->lexer.at;
    } else {
      printer->output.length = length;
    }
  }
  if (!taken)
    printer->lexer = saved;
  cuteArenaReset(scratch, mark);
}

// The attributes behind "cute.name" in the generic form: those that the op
// declares as properties, <{...}>, and no sizes of segments.
static void rewriteAttributes(Printer *printer, CuteStringRef name) {
  Parts parts = {.decl = cuteDialectFindOp(printer->dialect, name)};
  CuteLexer lexer = printer->lexer;
  if (!parts.decl || !cuteLexerSkipBracket(&lexer))
    return;
  const char *start = lexer.at;
  if (cuteLexerPeek(&lexer) != '{' || !takeAttributes(&lexer, &parts))
    return;
  flush(printer, start);
  writeAttributes(&printer->output, &parts, true, " <{", "}>");
  writeAttributes(&printer->output, &parts, false, " {", "}");
  printer->copied = printer->lexer.at = lexer.at;
}

// Translates the first `length` bytes that wait.
static void rewrite(Printer *printer, size_t length) {
  CuteStringRef text;
  CuteToken token;
  const char *start = cuteStringGet(&printer->text);
  printer->lexer = (CuteLexer){start, start + length};
  printer->copied = start;
  while ((token = cuteLexerNext(&printer->lexer, &text)) != CUTE_TOKEN_END) {
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
  printer->callback(toMlirString(cuteStringGetRef(&printer->output)),
                    printer->userData);
  cuteStringClear(&printer->output);
}

// Text waits for this much more, and then for the end of a line: MLIR prints an
// op of this dialect on one.
enum { ENOUGH = 1 << 16 };

static void rewriteLines(Printer *printer) {
  CuteString *text = &printer->text;
  size_t length = text->length;
  while (length && text->data[length - 1] != '\n')
    --length;
  rewrite(printer, length);
  memmove(text->data, text->data + length, text->length - length + 1);
  text->length -= length;
}

static void takePiece(MlirStringRef piece, void *userData) {
  Printer *printer = userData;
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

void cuteOperationPrint(MlirOperation operation, CutePrintOptions options,
                        MlirStringCallback callback, void *userData) {
  CuteDialect *dialect = cuteDialectLock(mlirOperationGetContext(operation));
  MlirOpPrintingFlags flags = createFlags(options);
  if (options.stock || !dialect) {
    mlirOperationPrintWithFlags(operation, flags, callback, userData);
  } else {
    Printer printer = {.dialect = dialect,
                       .generic = options.generic,
                       .callback = callback,
                       .userData = userData};
    mlirOperationPrintWithFlags(operation, flags, takePiece, &printer);
    rewrite(&printer, printer.text.length);
    cuteStringDestroy(&printer.output);
    cuteStringDestroy(&printer.text);
  }
  mlirOpPrintingFlagsDestroy(flags);
  if (dialect)
    cuteDialectUnlock(dialect);
}
