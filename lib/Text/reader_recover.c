// Reads on after an error, from the next statement, so that a text has all its
// errors reported at once.
#include "Text/infix_parts.h"
#include "Text/reader_parts.h"

enum { MAX_ERRORS = 20 };

// The type of what a wrong statement defines.
static CuteType unknownType(CuteReader *reader) {
  return cuteTypeGetForeign(reader->context, cuteStringRef("<unknown>"));
}

void cuteReaderEmitError(CuteReader *reader) {
  unsigned line, column;
  cuteSourceMapLocate(&reader->map, reader->errorAt, &line, &column);
  cuteEmit(mlirLocationFileLineColGet(reader->dialect->mlir, reader->map.name,
                                      line, column),
           CUTE_SEVERITY_ERROR, cuteMlirText(&reader->error), NULL);
}

//===-- The next statement ------------------------------------------------===//

bool cuteReaderIsFirstOnLine(const CuteReader *reader, const char *at) {
  const char *begin = reader->map.source.data;
  while (at > begin && (at[-1] == ' ' || at[-1] == '\t'))
    --at;
  return at == begin || at[-1] == '\n';
}

// Tells whether a token that has been taken begins a statement or ends a
// region.
static bool beginsStatement(const CuteReader *reader, CuteToken token,
                            CuteStringRef text) {
  CuteLexer after = reader->lexer;
  char next = cuteLexerPeek(&after);
  switch (token) {
  case CUTE_TOKEN_VALUE:
    return cuteLexerIsInDefinitions(after) ||
           cuteReaderIsStore(reader, text, 'x');
  case CUTE_TOKEN_IDENTIFIER:
    return (memchr(text.data, '.', text.length) && next != '=' &&
            next != ',') ||
           cuteTextEquals(text, "return") || cuteTextEquals(text, "module") ||
           cuteTextEquals(text, "for") || cuteTextEquals(text, "if") ||
           cuteTextEquals(text, "yield");
  case CUTE_TOKEN_STRING:
    return next == '(';
  default:
    return token == CUTE_TOKEN_BLOCK || *text.data == '}';
  }
}

// Moves on to the statement after the error in the one whose reading stopped at
// a token. Regions that it opens or closes count; other brackets end with it.
static void skipStatement(CuteReader *reader, const char *start) {
  CuteNesting *nesting = &reader->nesting;
  size_t depth = nesting->depth;
  CuteLexer *lexer = &reader->lexer;
  CuteStringRef text;
  CuteToken token;
  for (lexer->at = start;;) {
    const char *before = lexer->at;
    token = cuteLexerNext(lexer, &text);
    if (token == CUTE_TOKEN_END)
      return;
    if (text.data > start && text.data >= reader->errorAt &&
        cuteReaderIsFirstOnLine(reader, text.data) &&
        beginsStatement(reader, token, text)) {
      lexer->at = before;
      break;
    }
    if (token == CUTE_TOKEN_PUNCTUATION &&
        !cuteNestingUpdate(nesting, *text.data))
      return;
    depth = nesting->depth < depth ? nesting->depth : depth;
  }
  while (nesting->depth > depth && nesting->open[nesting->depth - 1] != '{')
    --nesting->depth;
}

// Tells whether the name before the lexer is a loop's variable or what it
// carries.
static bool isOfLoop(CuteLexer lexer) {
  return cuteInfixTakeWord(&lexer, "in") ||
         (cuteLexerTake(&lexer, '=') && *lexer.at != '=');
}

// Tells whether a text uses a value that an earlier wrong statement defines.
static bool usesUnknown(CuteReader *reader, CuteLexer lexer) {
  CuteType unknown = unknownType(reader);
  CuteStringRef text, whole = {0}, thread;
  CuteToken token;
  while ((token = cuteLexerNext(&lexer, &text)) != CUTE_TOKEN_END) {
    if (token != CUTE_TOKEN_VALUE || isOfLoop(lexer))
      continue;
    if (cuteValueTypesGetSlice(&reader->values, text, &whole, &thread))
      text = whole;
    if (cuteValueTypesGet(&reader->values, reader->context, text) == unknown)
      return true;
  }
  return false;
}

// Defines a wrong statement's results, and names in it that nothing defines: a
// loop's variables, and the name that the error is about.
static void defineUnknown(CuteReader *reader, CuteLexer lexer) {
  CuteType unknown = unknownType(reader);
  CuteDefinition *op = cuteValueTypesAddTypes(1, &unknown);
  CuteStringRef text;
  CuteToken token;
  for (size_t i = 0; i < reader->numDefined; ++i)
    cuteValueTypesSet(&reader->values, reader->defined[i], op, 0);
  reader->numDefined = 0;
  while ((token = cuteLexerNext(&lexer, &text)) != CUTE_TOKEN_END)
    if (token == CUTE_TOKEN_VALUE &&
        !cuteValueTypesHas(&reader->values, text, NULL))
      cuteValueTypesSet(&reader->values, text, op, 0);
}

bool cuteReaderRecover(CuteReader *reader, const char *start) {
  if (reader->isFatal || reader->numErrors == MAX_ERRORS || !reader->errorAt)
    return false;
  reader->hasFailed = true;
  skipStatement(reader, start);
  CuteLexer statement = {start, reader->lexer.at};
  if (!usesUnknown(reader, statement)) {
    cuteReaderEmitError(reader);
    ++reader->numErrors;
  }
  defineUnknown(reader, statement);
  reader->errorAt = NULL;
  cuteStringClear(&reader->error);
  return true;
}
