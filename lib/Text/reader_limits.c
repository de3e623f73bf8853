// Keeps text from MLIR with which its parser and printer would not come to an
// end in a reasonable time, or at all.
#include "Text/reader.h"

enum {
  MAX_OPERATORS = 1024,    // MLIR recurses in affine expressions
  MAX_NUMBER = 1024,       // characters; reading a number is quadratic
  MAX_EXPANDED = 16777216, // tokens after expanding all aliases
  MAX_RESULT = 65535,      // MLIR makes a table of as many as %a#N says
  MAX_POSITION = 9,        // digits; see checkPositions
};

//===-- Operators ---------------------------------------------------------===//

static bool isOperator(CuteToken token, CuteStringRef text) {
  if (token == CUTE_TOKEN_PUNCTUATION)
    return *text.data == '+' || *text.data == '-' || *text.data == '*';
  return token == CUTE_TOKEN_IDENTIFIER &&
         (cuteTextEquals(text, "mod") || cuteTextEquals(text, "floordiv") ||
          cuteTextEquals(text, "ceildiv"));
}

static bool countOperator(CuteReader *reader, CuteToken token,
                          CuteStringRef text) {
  if (token == CUTE_TOKEN_ARROW ||
      (token == CUTE_TOKEN_PUNCTUATION && strchr(",:={}", *text.data)))
    reader->numOperators = 0;
  else if (isOperator(token, text))
    ++reader->numOperators;
  return reader->numOperators <= MAX_OPERATORS ||
         cuteReaderFail(reader, text.data,
                        "an expression of more than %d operators",
                        MAX_OPERATORS);
}

//===-- Aliases -----------------------------------------------------------===//

// !name or #name, without a dialect.
static bool mayBeAlias(CuteToken token, CuteStringRef text) {
  return (token == CUTE_TOKEN_TYPE || token == CUTE_TOKEN_ATTRIBUTE) &&
         !memchr(text.data, '.', text.length);
}

static const void *aliasKey(const CuteReader *reader, CuteStringRef name) {
  return mlirIdentifierGet(reader->dialect->mlir, toMlirString(name)).ptr;
}

// Counts the tokens that a token expands to.
static size_t weightOf(const CuteReader *reader, CuteToken token,
                       CuteStringRef text) {
  if (!reader->hasAliases || !mayBeAlias(token, text))
    return 1;
  size_t weight = (size_t)(uintptr_t)cutePointerMapGet(&reader->aliasWeights,
                                                       aliasKey(reader, text));
  return weight ? weight : 1;
}

// The token is the first of what follows a definition.
static bool beginsStatement(CuteToken token, CuteStringRef text,
                            CuteLexer after) {
  switch (token) {
  case CUTE_TOKEN_END:
  case CUTE_TOKEN_VALUE:
  case CUTE_TOKEN_STRING:
    return true;
  case CUTE_TOKEN_TYPE:
  case CUTE_TOKEN_ATTRIBUTE:
    return cuteLexerTake(&after, '=');
  case CUTE_TOKEN_IDENTIFIER:
    return memchr(text.data, '.', text.length) ||
           cuteTextEquals(text, "module");
  default:
    return false;
  }
}

// The weight of the text after the '=' of a definition.
static size_t weightOfValue(const CuteReader *reader, CuteLexer lexer) {
  size_t weight = 0;
  int depth = 0;
  CuteStringRef text;
  for (bool isFirst = true;; isFirst = false) {
    CuteToken token = cuteLexerNext(&lexer, &text);
    bool mayEnd = !isFirst && depth <= 0;
    if (token == CUTE_TOKEN_END ||
        (mayEnd && beginsStatement(token, text, lexer)))
      return weight;
    if (token == CUTE_TOKEN_PUNCTUATION)
      depth += strchr("([{<", *text.data)   ? 1
               : strchr(")]}>", *text.data) ? -1
                                            : 0;
    weight += weightOf(reader, token, text);
    if (weight > MAX_EXPANDED)
      return weight;
  }
}

static void noteDefinition(CuteReader *reader, CuteStringRef name,
                           CuteLexer after) {
  size_t weight = weightOfValue(reader, after);
  reader->hasAliases = true;
  cutePointerMapSet(&reader->aliasWeights, aliasKey(reader, name),
                    (void *)(uintptr_t)weight);
}

static bool countAlias(CuteReader *reader, CuteToken token,
                       CuteStringRef text) {
  if (!mayBeAlias(token, text))
    return true;
  CuteLexer after = {text.data + text.length, reader->lexer.end};
  if (!reader->nesting.depth && cuteLexerTake(&after, '=')) {
    noteDefinition(reader, text, after);
    return true;
  }
  size_t weight = weightOf(reader, token, text);
  reader->expanded += weight > 1 ? weight : 0;
  return reader->expanded <= MAX_EXPANDED ||
         cuteReaderFail(reader, text.data,
                        "aliases expand to more than %d tokens", MAX_EXPANDED);
}

//===-- Tokens ------------------------------------------------------------===//

static bool checkNumber(CuteReader *reader, CuteToken token,
                        CuteStringRef text) {
  return token != CUTE_TOKEN_NUMBER || text.length <= MAX_NUMBER ||
         cuteReaderFail(reader, text.data,
                        "a number of more than %d characters", MAX_NUMBER);
}

// %name#number
static bool checkResult(CuteReader *reader, CuteToken token,
                        CuteStringRef text) {
  const char *end = text.data + text.length;
  const char *at =
      token == CUTE_TOKEN_VALUE ? memchr(text.data, '#', text.length) : NULL;
  long number = 0;
  while (at && ++at < end && *at >= '0' && *at <= '9' && number <= MAX_RESULT)
    number = number * 10 + (*at - '0');
  return number <= MAX_RESULT ||
         cuteReaderFail(reader, text.data,
                        "results are numbered up to %d at most", MAX_RESULT);
}

// MLIR asks for the width of the elements' type, which index does not have.
static bool checkArray(CuteReader *reader, CuteToken token,
                       CuteStringRef text) {
  if (token != CUTE_TOKEN_IDENTIFIER || !cuteTextEquals(text, "array"))
    return true;
  CuteLexer after = {text.data + text.length, reader->lexer.end};
  if (!cuteLexerTake(&after, '<'))
    return true;
  CuteToken element = cuteLexerNext(&after, &text);
  return (element != CUTE_TOKEN_TYPE && !cuteTextEquals(text, "index")) ||
         cuteReaderFail(reader, text.data,
                        "an array's elements have an integer or float type, "
                        "written out as in array<i32: 1, 2>, not '%.*s'",
                        CUTE_TEXT(text));
}

// MLIR drops the attribute of a gpu.func without a word if its value has
// another type.
static bool checkSize(CuteReader *reader, CuteToken token, CuteStringRef text) {
  if (token != CUTE_TOKEN_IDENTIFIER || !cuteTextStartsWith(text, "known_") ||
      !(cuteTextEquals(text, "known_block_size") ||
        cuteTextEquals(text, "known_grid_size")))
    return true;
  CuteLexer after = {text.data + text.length, reader->lexer.end};
  CuteStringRef value;
  if (!cuteLexerTake(&after, '='))
    return true;
  CuteToken first = cuteLexerNext(&after, &value);
  bool ok = first == CUTE_TOKEN_ATTRIBUTE;
  if (!ok && cuteTextEquals(value, "array") && cuteLexerTake(&after, '<')) {
    cuteLexerNext(&after, &value);
    ok = cuteTextEquals(value, "i32");
  }
  return ok || cuteReaderFail(reader, value.data,
                              "%.*s must be three numbers, as array<i32: 128, "
                              "1, 1>",
                              CUTE_TEXT(text));
}

// Tells whether a list of positions in structs and arrays follows: of
// llvm.extractvalue and insertvalue, in brackets or as an attribute.
static bool beginsPositions(CuteStringRef text, CuteLexer after) {
  CuteStringRef array;
  if (cuteTextEquals(text, "position"))
    return cuteLexerTake(&after, '=') && cuteLexerNext(&after, &array) &&
           cuteTextEquals(array, "array");
  return cuteTextEquals(text, "llvm.extractvalue") ||
         cuteTextEquals(text, "llvm.insertvalue");
}

// MLIR cuts positions to 32 bits before it compares them, and crashes.
static bool checkPositions(CuteReader *reader, CuteToken token,
                           CuteStringRef text) {
  CuteLexer after = {text.data + text.length, reader->lexer.end};
  if (token != CUTE_TOKEN_IDENTIFIER || !beginsPositions(text, after))
    return true;
  do {
    token = cuteLexerNext(&after, &text);
    if (token == CUTE_TOKEN_NUMBER && text.length > MAX_POSITION)
      return cuteReaderFail(reader, text.data,
                            "a position has at most %d digits", MAX_POSITION);
  } while (token &&
           !(token == CUTE_TOKEN_PUNCTUATION && strchr("]>{}", *text.data)));
  return true;
}

bool cuteReaderCheckToken(CuteReader *reader, CuteToken token,
                          CuteStringRef text) {
  return countOperator(reader, token, text) &&
         checkNumber(reader, token, text) && checkResult(reader, token, text) &&
         checkArray(reader, token, text) && checkSize(reader, token, text) &&
         checkPositions(reader, token, text) && countAlias(reader, token, text);
}

bool cuteReaderCheckTokens(CuteReader *reader, CuteLexer lexer) {
  CuteStringRef text;
  for (CuteToken token; (token = cuteLexerNext(&lexer, &text));)
    if (!cuteReaderCheckToken(reader, token, text))
      return false;
  return true;
}
