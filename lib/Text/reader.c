// Translates source text to MLIR's generic form: finds the ops, types and
// definitions of values in it, and leaves everything else as it is.
#include "Support/growing_array.h"
#include "Text/infix.h"
#include "Text/reader_parts.h"

bool cuteReaderFail(CuteReader *reader, const char *at, const char *format,
                    ...) {
  if (reader->errorAt)
    return false;
  reader->errorAt = at;
  CUTE_APPEND_ARGUMENTS(&reader->error, format);
  return false;
}

void cuteReaderFlush(CuteReader *reader, const char *to) {
  cuteSourceMapCopy(&reader->map, reader->copied, to);
  reader->copied = to;
}

//===-- Types and attributes ----------------------------------------------===//

CuteType cuteReaderResolve(CuteReader *reader, CuteType type) {
  if (type->kind != CUTE_TYPE_FOREIGN || *type->foreign.data != '!')
    return type;
  CuteType alias =
      cuteValueTypesGet(&reader->aliases, reader->context, type->foreign);
  return alias ? alias : type;
}

CuteType cuteReaderTakeType(CuteReader *reader) {
  CuteLexer *lexer = &reader->lexer;
  cuteLexerSkipTrivia(lexer);
  const char *start = lexer->at;
  size_t length;
  CuteType type = cuteTypeCacheParsePrefix(
      &reader->dialect->types, reader->context,
      (CuteStringRef){start, (size_t)(lexer->end - start)}, &length);
  lexer->at += length;
  if (!type) {
    cuteReaderFail(reader, start, "%s", cuteContextGetError(reader->context));
    return NULL;
  }
  if (type->kind == CUTE_TYPE_FOREIGN &&
      !cuteReaderCheckTokens(reader, (CuteLexer){start, lexer->at}))
    return NULL;
  return cuteReaderResolve(reader, type);
}

void cuteReaderWriteType(CuteReader *reader, CuteType type, const char *at) {
  if (type->kind != CUTE_TYPE_FOREIGN)
    cuteDirectOpsNoteType(&reader->direct, type);
  cuteTypeAliasesAppend(&reader->names, &reader->map.output, type,
                        (size_t)(at - reader->map.source.data));
}

// Tells whether the text between <> may be that of an attribute or type which
// MLIR keeps as it is.
static bool isVerbatim(const CuteReader *reader) {
  return memchr(reader->nesting.open, '<', reader->nesting.depth);
}

// !cute.layout<"..."> in running text: an alias, or spelled canonically.
static bool rewriteType(CuteReader *reader, const char *start) {
  reader->lexer.at = start;
  CuteType type = cuteReaderTakeType(reader);
  if (!type)
    return false;
  cuteReaderFlush(reader, start);
  cuteSourceMapReplace(&reader->map, start);
  if (isVerbatim(reader))
    cuteAppendType(&reader->map.output, type, CUTE_FORM_GENERIC);
  else
    cuteReaderWriteType(reader, type, start);
  reader->copied = reader->lexer.at;
  return true;
}

// #cute.layout<"..."> likewise.
static bool rewriteAttribute(CuteReader *reader, const char *start) {
  CUTE_SCOPED(String) text = {0};
  size_t length;
  CuteStringRef rest = {start, (size_t)(reader->lexer.end - start)};
  if (!cuteAttributeParsePrefix(reader->context, rest, &length, &text))
    return cuteReaderFail(reader, start, "%s",
                          cuteContextGetError(reader->context));
  cuteReaderFlush(reader, start);
  cuteSourceMapReplace(&reader->map, start);
  cuteStringAppendBytes(&reader->map.output, cuteStringGet(&text), text.length);
  reader->copied = reader->lexer.at = start + length;
  return true;
}

// !name = type
static bool takeAlias(CuteReader *reader, CuteStringRef name) {
  if (!reader->isClashing && !reader->hasFailed &&
      cuteTypeAliasesClash(&reader->names, name)) {
    reader->isClashing = true;
    return false;
  }
  cuteLexerTake(&reader->lexer, '=');
  cuteLexerSkipTrivia(&reader->lexer);
  const char *start = reader->lexer.at;
  CuteType type = cuteReaderTakeType(reader);
  if (!type)
    return false;
  cuteValueTypesSet(&reader->aliases, name, cuteValueTypesAddTypes(1, &type),
                    0);
  if (type->kind != CUTE_TYPE_FOREIGN)
    return rewriteType(reader, start);
  reader->lexer.at = start; // it may contain types of the dialect
  return true;
}

//===-- Definitions -------------------------------------------------------===//

static void pushDefined(CuteReader *reader, CuteStringRef name, size_t count) {
  size_t n = reader->numDefined, capacity = reader->definedCapacity;
  CUTE_RESERVE(reader->defined, n, capacity, 1);
  CUTE_RESERVE(reader->definedCounts, n, reader->definedCapacity, 1);
  reader->defined[reader->numDefined] = name;
  reader->definedCounts[reader->numDefined++] = count;
}

static size_t parseCount(CuteStringRef text) {
  size_t count = 0;
  for (size_t i = 0; i < text.length && count < 1000000; ++i)
    count = count * 10 + (size_t)(text.data[i] - '0');
  return count;
}

// "%a" {", %b"} "=", each with an optional ":2": collects the names.
static bool takeDefinitionList(CuteReader *reader, CuteStringRef first) {
  CuteLexer lexer = reader->lexer;
  CuteStringRef name = first, text;
  reader->numDefined = 0;
  for (;;) {
    size_t count = 1;
    if (cuteLexerTake(&lexer, ':')) {
      if (cuteLexerNext(&lexer, &text) != CUTE_TOKEN_NUMBER)
        return false;
      count = parseCount(text);
    }
    pushDefined(reader, name, count);
    if (!cuteLexerTake(&lexer, ','))
      break;
    if (cuteLexerNext(&lexer, &name) != CUTE_TOKEN_VALUE)
      return false;
  }
  if (!cuteLexerTake(&lexer, '=') || cuteLexerPeek(&lexer) == '=')
    return false;
  reader->lexer = lexer;
  return true;
}

// Remembers the values that "%a, %b =" names, unless an op of this dialect
// follows, which defines them itself.
static void defineResults(CuteReader *reader) {
  CuteLexer lexer = reader->lexer;
  cuteLexerSkipTrivia(&lexer);
  CuteStringRef rest = {lexer.at, (size_t)(lexer.end - lexer.at)};
  if (cuteTextStartsWith(rest, "cute.") || cuteTextStartsWith(rest, "\"cute."))
    return;
  for (size_t i = 0; i < reader->numDefined; ++i)
    cuteDirectOpsDefine(reader, reader->defined[i]);
  CuteStringRef text;
  if (cuteLexerPeek(&lexer) == '%') {
    cuteLexerNext(&lexer, &text);
    CuteStringRef name = reader->defined[reader->numDefined - 1];
    cuteValueTypesSetAlias(&reader->values, name, text);
    cuteReaderTellOfValues(reader, name, 1);
  } else {
    CuteDefinition *op = cuteValueTypesAddForeign(rest);
    size_t index = 0;
    for (size_t i = 0; i < reader->numDefined; ++i) {
      cuteValueTypesSet(&reader->values, reader->defined[i], op, index);
      index += reader->definedCounts[i];
      cuteReaderTellOfValues(reader, reader->defined[i],
                             reader->definedCounts[i]);
    }
  }
  reader->numDefined = 0;
}

// "%name: type" in an argument list.
static void takeArgument(CuteReader *reader, CuteStringRef name) {
  CuteLexer saved = reader->lexer;
  if (!cuteLexerTake(&reader->lexer, ':'))
    return;
  char next = cuteLexerPeek(&reader->lexer);
  if (next && !strchr("0123456789:", next)) {
    CuteStringRef rest = {reader->lexer.at,
                          (size_t)(reader->lexer.end - reader->lexer.at)};
    cuteValueTypesSet(&reader->values, name, cuteValueTypesAddArgument(rest),
                      0);
    cuteReaderTellOfValues(reader, name, 1);
    cuteDirectOpsUse(reader, name);
    cuteDirectOpsDefine(reader, name);
  }
  reader->lexer = saved;
}

static bool isInside(const CuteReader *reader, char bracket) {
  size_t depth = reader->nesting.depth;
  return depth && reader->nesting.open[depth - 1] == bracket;
}

static void notePassedSlice(CuteReader *reader, CuteStringRef name) {
  CuteStringRef whole, thread;
  if (!reader->passedSlice.length &&
      cuteValueTypesGetSlice(&reader->values, name, &whole, &thread))
    reader->passedSlice = name;
}

// Tells whether the next text is a coordinate with _ in brackets.
static bool isSliced(CuteLexer lexer) {
  CuteStringRef text;
  if (lexer.at == lexer.end || *lexer.at != '[')
    return false;
  for (cuteLexerTake(&lexer, '['); cuteLexerPeek(&lexer) != ']';) {
    CuteToken token = cuteLexerNext(&lexer, &text);
    if (token == CUTE_TOKEN_IDENTIFIER && cuteTextEquals(text, "_"))
      return true;
    if (token == CUTE_TOKEN_END || *text.data == '[')
      return false;
  }
  return false;
}

// A value that is an operand of another dialect's op.
static bool takeOperand(CuteReader *reader, CuteStringRef name) {
  cuteDirectOpsUse(reader, name);
  notePassedSlice(reader, name);
  return !isSliced(reader->lexer) ||
         cuteReaderFail(reader, reader->lexer.at,
                        "a slice in brackets is an operand of the dialect's "
                        "ops; name it before others: %%s = "
                        "cute.slice_vector<\"(_,0)\"> (%.*s), or cute.slice "
                        "of a tensor",
                        CUTE_TEXT(name));
}

// Tells whether the token is on one line after the name of an op, as the
// names of ops to match are: pdl.operation "cute.size"(...).
static bool isOpsOperand(const CuteReader *reader, const char *at,
                         char previous) {
  const char *begin = reader->map.source.data;
  while (at > begin && (at[-1] == ' ' || at[-1] == '\t'))
    --at;
  return previous == '.' && at > begin && at[-1] != '\n';
}

static bool takeValue(CuteReader *reader, CuteStringRef name, char previous) {
  if (previous == '(' || previous == ',') {
    if (isInside(reader, '('))
      takeArgument(reader, name);
    if (cuteLexerPeek(&reader->lexer) != '=')
      return takeOperand(reader, name);
  }
  if (takeDefinitionList(reader, name)) {
    if (!isOpsOperand(reader, name.data, previous) &&
        cuteInfixIsDefinition(reader, previous))
      return cuteInfixTakeDefinition(reader, NULL);
    if (cuteControlIsNext(reader->lexer))
      return true;
    bool isAny = reader->numDefined;
    defineResults(reader);
    return !isAny || reader->numDefined ||
           cuteReaderTakeForeign(reader, name.data);
  }
  reader->numDefined = 0;
  return cuteReaderIsStore(reader, name, previous)
             ? cuteReaderTakeStore(reader, name)
             : takeOperand(reader, name);
}

//===-- Ops ---------------------------------------------------------------===//

// Tells whether a name alone is a unit attribute, as in a dictionary. Some ops
// are their names alone, too: they are in the braces of a region, without a
// comma before them.
static bool isUnitAttribute(const CuteOpDecl *decl, char next, char previous) {
  if (next != '}' && next != '\0')
    return false;
  bool isOp = decl && (!decl->numAttributes || decl->optionalAngle) &&
              !decl->hasOperandList && decl->types == CUTE_TYPES_NONE;
  return previous == ',' || (previous == '{' && !isOp);
}

// cute.name: an op, or the name of an attribute.
static bool takeIdentifier(CuteReader *reader, CuteStringRef text,
                           char previous) {
  char next = cuteLexerPeek(&reader->lexer);
  reader->map.isOutOfStep |= cuteDirectOpsClash(text);
  if (next == '=' || next == ',')
    return true;
  CuteStringRef name = {text.data + 5, text.length - 5};
  const CuteOpDecl *decl = cuteDialectFindOp(reader->dialect, name);
  if (isUnitAttribute(decl, next, previous)) {
    if (!reader->unitAt && previous == '{')
      reader->unitAt = text.data;
    return true;
  }
  if (decl)
    return cuteReaderTakeOp(reader, decl, text.data);
  if (cuteReaderIsGetSlice(name) && (reader->numDefined || next == '('))
    return cuteReaderTakeGetSlice(reader, text.data);
  if (reader->numDefined || next == '(' || next == '<' || next == ':')
    return cuteReaderFailUnknownOp(reader, name, text.data);
  return true;
}

// Tells whether a string is the name of a file in a location, and one that MLIR
// gives to the text.
static bool isNameOfParsed(CuteReader *reader, CuteStringRef text) {
  CuteStringRef inside = {text.data + 1, text.length - 2};
  return cuteLexerPeek(&reader->lexer) == ':' &&
         (cuteTextEquals(inside, "-") ||
          mlirStringRefEqual(toMlirString(inside), reader->map.name));
}

// "cute.name"( in the generic form, or a string like any other.
static bool takeString(CuteReader *reader, CuteStringRef text, char previous) {
  if (isNameOfParsed(reader, text)) {
    cuteReaderFlush(reader, text.data + 1);
    cuteStringAppendFormat(&reader->map.output, "\\%02X", cuteSourceMapEscape);
    return true;
  }
  reader->map.isOutOfStep |=
      cuteDirectOpsClash((CuteStringRef){text.data + 1, text.length - 2});
  if (!cuteTextStartsWith(text, "\"cute.") || text.length < 8 ||
      cuteLexerPeek(&reader->lexer) != '(' ||
      isOpsOperand(reader, text.data, previous))
    return true;
  CuteStringRef name = {text.data + 6, text.length - 7};
  const CuteOpDecl *decl = cuteDialectFindOp(reader->dialect, name);
  return decl ? cuteReaderTakeGenericOp(reader, decl, text.data)
              : cuteReaderFailUnknownOp(reader, name, text.data);
}

// !cute.layout or !cute<, or the same with #.
static bool isOfDialect(CuteReader *reader, CuteStringRef text) {
  CuteStringRef name = {text.data + 1, text.length - 1};
  return cuteTextStartsWith(name, "cute.") ||
         (cuteTextEquals(name, "cute") && cuteLexerPeek(&reader->lexer) == '<');
}

static bool takeTypeToken(CuteReader *reader, CuteStringRef text) {
  if (isOfDialect(reader, text))
    return rewriteType(reader, text.data);
  if (!memchr(text.data, '.', text.length) &&
      cuteLexerPeek(&reader->lexer) == '=')
    return takeAlias(reader, text);
  return true;
}

static bool takeAttributeToken(CuteReader *reader, CuteStringRef text) {
  if (isOfDialect(reader, text))
    return rewriteAttribute(reader, text.data);
  CuteLexer lexer = reader->lexer;
  if (cuteLexerTake(&lexer, '='))
    cuteReaderAddAttribute(reader, text, lexer.at);
  return true;
}

static bool takeBracket(CuteReader *reader, const char *at) {
  size_t before = reader->nesting.depth;
  if (!cuteNestingUpdate(&reader->nesting, *at))
    return cuteReaderFail(reader, at, "brackets nest more than %d deep",
                          CUTE_MAX_NESTING);
  if (reader->nesting.depth > before)
    cuteDirectOpsEnter(reader);
  return *at != '}' || cuteControlLeave(reader);
}

// A word other than an op of the dialect: a statement begins with it, or not.
static bool takeWord(CuteReader *reader, CuteStringRef text, char previous) {
  CuteLexer after = reader->lexer;
  bool isFirst = (previous && strchr("{}", previous)) ||
                 cuteReaderIsFirstOnLine(reader, text.data);
  reader->lexer.at = text.data;
  if (isFirst && !cuteReaderTakeForeign(reader, text.data))
    return false;
  reader->lexer = after;
  return cuteControlTake(reader, text, previous);
}

static bool takeToken(CuteReader *reader, CuteToken token, CuteStringRef text,
                      char previous) {
  switch (token) {
  case CUTE_TOKEN_VALUE:
    return takeValue(reader, text, previous);
  case CUTE_TOKEN_TYPE:
    return takeTypeToken(reader, text);
  case CUTE_TOKEN_ATTRIBUTE:
    return takeAttributeToken(reader, text);
  case CUTE_TOKEN_STRING:
    return takeString(reader, text, previous);
  case CUTE_TOKEN_IDENTIFIER:
    return cuteTextStartsWith(text, "cute.")
               ? takeIdentifier(reader, text, previous)
               : takeWord(reader, text, previous);
  case CUTE_TOKEN_PUNCTUATION:
    return takeBracket(reader, text.data);
  default:
    return true;
  }
}

// Punctuation is its own kind, '.' a word that may be an op's name of another
// dialect and have a string after it, 'x' for the rest.
static char classOf(CuteToken token, CuteStringRef text) {
  if (token == CUTE_TOKEN_PUNCTUATION)
    return *text.data;
  bool isName = token == CUTE_TOKEN_IDENTIFIER &&
                !cuteTextStartsWith(text, "cute.") &&
                (memchr(text.data, '.', text.length) ||
                 cuteTextEquals(text, "operation"));
  return isName ? '.' : 'x';
}

// Notes whether the text is one module: outside of all brackets there is
// nothing else.
static void noteOutside(CuteReader *reader, CuteToken token, CuteStringRef text,
                        char previous) {
  if (token == CUTE_TOKEN_STRING || token == CUTE_TOKEN_VALUE)
    reader->hasMore = true;
  if (token != CUTE_TOKEN_IDENTIFIER || previous == '=')
    return;
  if (!reader->hasModule && (cuteTextEquals(text, "module") ||
                             cuteTextEquals(text, "builtin.module")))
    reader->hasModule = true;
  else if (!cuteTextEquals(text, "attributes") && !cuteTextEquals(text, "loc"))
    reader->hasMore = true;
}

// `previous` is the class of the token before the text. On failure *failed is
// the token where that was.
static bool rewriteAfter(CuteReader *reader, char previous,
                         const char **failed) {
  for (;;) {
    size_t depth = reader->nesting.depth;
    CuteStringRef text;
    CuteToken token = cuteLexerNext(&reader->lexer, &text);
    if (token == CUTE_TOKEN_END)
      return true;
    if (cuteReaderReplaceForeign(reader, text.data)) {
      previous = 'x';
      continue;
    }
    if (!reader->nesting.depth)
      noteOutside(reader, token, text, previous);
    reader->isFatal = !cuteReaderCheckToken(reader, token, text);
    if (reader->isFatal || !takeToken(reader, token, text, previous)) {
      reader->nesting.depth = depth;
      *failed = text.data;
      return false;
    }
    previous = classOf(token, text);
  }
}

bool cuteReaderRewrite(CuteReader *reader) {
  const char *failed;
  while (!rewriteAfter(reader, '\0', &failed))
    if (!cuteReaderRecover(reader, failed))
      return false;
  return !reader->hasFailed;
}

bool cuteReaderRewriteDictionary(CuteReader *reader, CuteStringRef inside) {
  CuteLexer saved = reader->lexer;
  const char *copied = reader->copied;
  reader->lexer = (CuteLexer){inside.data, inside.data + inside.length};
  reader->copied = inside.data;
  const char *failed;
  bool ok = rewriteAfter(reader, ',', &failed);
  cuteReaderFlush(reader, inside.data + inside.length);
  reader->lexer = saved;
  reader->copied = copied;
  return ok;
}
