// Translates source text to MLIR's generic form: finds the ops, types and
// definitions of values in it, and leaves everything else as it is.
#include "IR/reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

bool cuteReaderFail(CuteReader *reader, const char *at, const char *format,
                    ...) {
  if (reader->errorAt)
    return false;
  char text[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  reader->errorAt = at;
  cuteStringAppend(&reader->error, text);
  return false;
}

void cuteReaderFlush(CuteReader *reader, const char *to) {
  cuteSourceMapCopy(&reader->map, reader->copied, to);
  reader->copied = to;
}

//===-- Types and attributes ----------------------------------------------===//

CuteType cuteReaderTakeType(CuteReader *reader) {
  CuteLexer *lexer = &reader->lexer;
  cuteLexerSkipTrivia(lexer);
  const char *start = lexer->at;
  size_t length;
  CuteType type = cuteTypeParsePrefix(
      reader->context, (CuteStringRef){start, (size_t)(lexer->end - start)},
      &length);
  lexer->at += length;
  if (!type) {
    cuteReaderFail(reader, start, "%s", cuteContextGetError(reader->context));
    return NULL;
  }
  if (type->kind == CUTE_TYPE_FOREIGN && *start == '!') {
    CuteType alias =
        cuteValueTypesGet(&reader->aliases, reader->context, type->foreign);
    type = alias ? alias : type;
  }
  return type;
}

// !cute.layout<"..."> in running text: replaced where it is not canonical.
static bool rewriteType(CuteReader *reader, const char *start) {
  reader->lexer.at = start;
  CuteType type = cuteReaderTakeType(reader);
  if (!type)
    return false;
  CuteString text = {0};
  cuteAppendType(&text, type, CUTE_FORM_GENERIC);
  size_t length = (size_t)(reader->lexer.at - start);
  if (length != text.length || memcmp(start, text.data, length)) {
    cuteReaderFlush(reader, start);
    cuteSourceMapReplace(&reader->map, start, cuteStringGetRef(&text));
    reader->copied = reader->lexer.at;
  }
  cuteStringDestroy(&text);
  return true;
}

// !name = type
static bool takeAlias(CuteReader *reader, CuteStringRef name) {
  cuteLexerTake(&reader->lexer, '=');
  cuteLexerSkipTrivia(&reader->lexer);
  const char *start = reader->lexer.at;
  CuteType type = cuteReaderTakeType(reader);
  if (!type)
    return false;
  cuteValueTypesSet(&reader->aliases, name, 1, &type);
  return type->kind == CUTE_TYPE_FOREIGN || rewriteType(reader, start);
}

//===-- Definitions -------------------------------------------------------===//

static void pushDefined(CuteReader *reader, CuteStringRef name, size_t count) {
  if (reader->numDefined == reader->definedCapacity) {
    size_t capacity = reader->definedCapacity ? reader->definedCapacity * 2 : 8;
    reader->defined =
        cuteReallocate(reader->defined, capacity * sizeof *reader->defined);
    reader->definedCounts = cuteReallocate(
        reader->definedCounts, capacity * sizeof *reader->definedCounts);
    reader->definedCapacity = capacity;
  }
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

static bool isPrefix(CuteLexer lexer, const char *prefix) {
  cuteLexerSkipTrivia(&lexer);
  return cuteTextStartsWith(
      (CuteStringRef){lexer.at, (size_t)(lexer.end - lexer.at)}, prefix);
}

// Behind "%a, %b =": remembers what the names stand for, unless an op of this
// dialect follows, which will say so itself.
static void defineResults(CuteReader *reader) {
  CuteLexer lexer = reader->lexer;
  if (isPrefix(lexer, "cute.") || isPrefix(lexer, "\"cute."))
    return;
  CuteStringRef text;
  if (cuteLexerPeek(&lexer) == '%') {
    cuteLexerNext(&lexer, &text);
    cuteValueTypesSetAlias(&reader->values,
                           reader->defined[reader->numDefined - 1], text);
  } else {
    CuteStringRef rest = {lexer.at, (size_t)(lexer.end - lexer.at)};
    size_t index = 0;
    for (size_t i = 0; i < reader->numDefined; ++i) {
      cuteValueTypesSetForeign(&reader->values, reader->defined[i], rest,
                               index);
      index += reader->definedCounts[i];
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
    size_t length;
    CuteType type = cuteTypeParsePrefix(
        reader->context,
        (CuteStringRef){reader->lexer.at,
                        (size_t)(reader->lexer.end - reader->lexer.at)},
        &length);
    if (type && type->kind == CUTE_TYPE_FOREIGN) {
      CuteType alias =
          cuteValueTypesGet(&reader->aliases, reader->context, type->foreign);
      type = alias ? alias : type;
    }
    if (type)
      cuteValueTypesSet(&reader->values, name, 1, &type);
  }
  reader->lexer = saved;
}

static void takeValue(CuteReader *reader, CuteStringRef name, char previous) {
  if (previous == '(' || previous == ',') {
    takeArgument(reader, name);
    if (cuteLexerPeek(&reader->lexer) != '=')
      return;
  }
  if (takeDefinitionList(reader, name))
    defineResults(reader);
  else
    reader->numDefined = 0;
}

//===-- Ops ---------------------------------------------------------------===//

// cute.name: an op, or the name of an attribute.
static bool takeIdentifier(CuteReader *reader, CuteStringRef text) {
  char next = cuteLexerPeek(&reader->lexer);
  if (next == '=' || next == ',')
    return true;
  CuteStringRef name = {text.data + 5, text.length - 5};
  const CuteOpDecl *decl = cuteDialectFindOp(reader->dialect, name);
  if (decl)
    return cuteReaderTakeOp(reader, decl, text.data);
  if (reader->numDefined || next == '(' || next == '<' || next == ':')
    return cuteReaderFailUnknownOp(reader, name, text.data);
  return true;
}

// "cute.name"( in the generic form, or a string like any other.
static bool takeString(CuteReader *reader, CuteStringRef text) {
  if (cuteTextEquals(text, "\"-\"") && cuteLexerPeek(&reader->lexer) == ':') {
    cuteReaderFlush(reader, text.data);
    cuteSourceMapReplace(&reader->map, text.data, cuteStringRef("\"\\02-\""));
    reader->copied = text.data + text.length;
    return true;
  }
  if (!cuteTextStartsWith(text, "\"cute.") || text.length < 8 ||
      cuteLexerPeek(&reader->lexer) != '(')
    return true;
  CuteStringRef name = {text.data + 6, text.length - 7};
  const CuteOpDecl *decl = cuteDialectFindOp(reader->dialect, name);
  return decl ? cuteReaderTakeGenericOp(reader, decl, text.data)
              : cuteReaderFailUnknownOp(reader, name, text.data);
}

static bool takeTypeToken(CuteReader *reader, CuteStringRef text) {
  if (cuteTextStartsWith(text, "!cute."))
    return rewriteType(reader, text.data);
  if (!memchr(text.data, '.', text.length) &&
      cuteLexerPeek(&reader->lexer) == '=')
    return takeAlias(reader, text);
  return true;
}

bool cuteReaderRewrite(CuteReader *reader) {
  char previous = '\0';
  for (;;) {
    CuteStringRef text;
    CuteToken token = cuteLexerNext(&reader->lexer, &text);
    bool ok = true;
    if (token == CUTE_TOKEN_END)
      return true;
    if (token == CUTE_TOKEN_VALUE)
      takeValue(reader, text, previous);
    else if (token == CUTE_TOKEN_TYPE)
      ok = takeTypeToken(reader, text);
    else if (token == CUTE_TOKEN_STRING)
      ok = takeString(reader, text);
    else if (token == CUTE_TOKEN_IDENTIFIER &&
             cuteTextStartsWith(text, "cute."))
      ok = takeIdentifier(reader, text);
    if (!ok)
      return false;
    previous = token == CUTE_TOKEN_PUNCTUATION ? *text.data : 'x';
  }
}

//===-- Suggestions -------------------------------------------------------===//

static size_t editDistance(CuteStringRef a, CuteStringRef b) {
  enum { LONGEST = 40 };
  size_t row[LONGEST + 1];
  if (a.length > LONGEST || b.length > LONGEST)
    return LONGEST;
  for (size_t j = 0; j <= b.length; ++j)
    row[j] = j;
  for (size_t i = 1; i <= a.length; ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.length; ++j) {
      size_t replace = diagonal + (a.data[i - 1] != b.data[j - 1]);
      size_t least = row[j] < row[j - 1] ? row[j] : row[j - 1];
      diagonal = row[j];
      row[j] = replace < least + 1 ? replace : least + 1;
    }
  }
  return row[b.length];
}

bool cuteReaderFailUnknownOp(CuteReader *reader, CuteStringRef name,
                             const char *at) {
  const CuteOpDecl *best = NULL;
  size_t least = name.length / 3 + 2;
  for (size_t i = 0; i < reader->dialect->numOps; ++i) {
    size_t distance = editDistance(name, reader->dialect->ops[i].name);
    if (distance >= least)
      continue;
    least = distance;
    best = &reader->dialect->ops[i];
  }
  int length = (int)(name.length > 100 ? 100 : name.length);
  if (!best)
    return cuteReaderFail(reader, at, "unknown operation 'cute.%.*s'", length,
                          name.data);
  return cuteReaderFail(
      reader, at, "unknown operation 'cute.%.*s'; did you mean 'cute.%.*s'?",
      length, name.data, (int)best->name.length, best->name.data);
}
