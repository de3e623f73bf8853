#include "Support/lexer.h"

static bool isName(char c) {
  return isLetter(c) || isDigit(c) || c == '$' || c == '.';
}
static bool isSpace(char c) {
  return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

void cuteLexerSkipTrivia(CuteLexer *lexer) {
  for (;;) {
    const char *at = lexer->at, *end = lexer->end;
    while (at < end && isSpace(*at))
      ++at;
    lexer->at = at;
    if (lexer->end - lexer->at < 2 || lexer->at[0] != '/' ||
        lexer->at[1] != '/')
      return;
    const char *newline =
        memchr(lexer->at, '\n', (size_t)(lexer->end - lexer->at));
    lexer->at = newline ? newline : lexer->end;
  }
}

char cuteLexerPeek(CuteLexer *lexer) {
  cuteLexerSkipTrivia(lexer);
  return lexer->at < lexer->end ? *lexer->at : '\0';
}

bool cuteLexerTake(CuteLexer *lexer, char c) {
  if (lexer->at == lexer->end || cuteLexerPeek(lexer) != c ||
      lexer->at == lexer->end)
    return false;
  ++lexer->at;
  return true;
}

CuteStringRef cuteLexerTakeWord(CuteLexer *lexer) {
  cuteLexerSkipTrivia(lexer);
  const char *start = lexer->at;
  while (lexer->at < lexer->end &&
         (isLetter(*lexer->at) || isDigit(*lexer->at)))
    ++lexer->at;
  return (CuteStringRef){start, (size_t)(lexer->at - start)};
}

static void skipNames(CuteLexer *lexer, bool withDash) {
  const char *at = lexer->at, *end = lexer->end;
  while (at < end && (isName(*at) || (withDash && *at == '-')))
    ++at;
  lexer->at = at;
}

// Skips from the opening quote to after the closing one, or to the end of the
// line.
static void skipString(CuteLexer *lexer) {
  static const bool stops[256] = {['"'] = true, ['\\'] = true, ['\n'] = true};
  const char *at = lexer->at + 1, *end = lexer->end;
  for (;;) {
    while (at < end && !stops[(unsigned char)*at])
      ++at;
    if (at == end || *at == '\n')
      break;
    if (*at++ == '"')
      break;
    if (at < end && *at != '\n')
      ++at;
  }
  lexer->at = at;
}

static CuteToken lexPunctuation(CuteLexer *lexer) {
  char c = *lexer->at++;
  switch (c) {
  case '%':
    skipNames(lexer, true);
    if (lexer->end - lexer->at > 1 && *lexer->at == '#' &&
        isDigit(lexer->at[1])) {
      ++lexer->at;
      skipNames(lexer, false);
    }
    return CUTE_TOKEN_VALUE;
  case '!':
    skipNames(lexer, false);
    return CUTE_TOKEN_TYPE;
  case '#':
    skipNames(lexer, true);
    return CUTE_TOKEN_ATTRIBUTE;
  case '^':
    skipNames(lexer, true);
    return CUTE_TOKEN_BLOCK;
  case '@':
    if (lexer->at < lexer->end && *lexer->at == '"')
      skipString(lexer);
    else
      skipNames(lexer, false);
    return CUTE_TOKEN_SYMBOL;
  case '-':
    if (lexer->at < lexer->end && *lexer->at == '>') {
      ++lexer->at;
      return CUTE_TOKEN_ARROW;
    }
    return CUTE_TOKEN_PUNCTUATION;
  default:
    return CUTE_TOKEN_PUNCTUATION;
  }
}

CuteToken cuteLexerNext(CuteLexer *lexer, CuteStringRef *text) {
  cuteLexerSkipTrivia(lexer);
  const char *start = lexer->at;
  CuteToken token = CUTE_TOKEN_END;
  if (start == lexer->end) {
    // The end.
  } else if (*start == '"') {
    token = CUTE_TOKEN_STRING;
    skipString(lexer);
  } else if (isLetter(*start)) {
    token = CUTE_TOKEN_IDENTIFIER;
    skipNames(lexer, false);
  } else if (isDigit(*start)) {
    token = CUTE_TOKEN_NUMBER;
    skipNames(lexer, false);
  } else {
    token = lexPunctuation(lexer);
  }
  *text = (CuteStringRef){start, (size_t)(lexer->at - start)};
  return token;
}

bool cuteLexerIsInDefinitions(CuteLexer lexer) {
  CuteStringRef text;
  do {
    if (cuteLexerTake(&lexer, ':') &&
        cuteLexerNext(&lexer, &text) != CUTE_TOKEN_NUMBER)
      return false;
  } while (cuteLexerTake(&lexer, ',') &&
           cuteLexerNext(&lexer, &text) == CUTE_TOKEN_VALUE);
  return cuteLexerTake(&lexer, '=');
}

//===-- Brackets ----------------------------------------------------------===//

static char openingOf(char c) {
  switch (c) {
  case ')':
    return '(';
  case ']':
    return '[';
  case '}':
    return '{';
  case '>':
    return '<';
  default:
    return '\0';
  }
}

bool cuteNestingUpdate(CuteNesting *nesting, char c) {
  if (c && strchr("([{<", c)) {
    if (nesting->depth == CUTE_MAX_NESTING)
      return false;
    nesting->open[nesting->depth++] = c;
    return true;
  }
  char opening = openingOf(c);
  size_t depth = nesting->depth;
  while (opening && depth && nesting->open[depth - 1] == '<' && opening != '<')
    --depth;
  if (opening && depth && nesting->open[depth - 1] == opening)
    nesting->depth = depth - 1;
  return true;
}

bool cuteLexerSkipBracket(CuteLexer *lexer) {
  CuteNesting nesting;
  nesting.depth = 0;
  do {
    CuteStringRef text;
    CuteToken token = cuteLexerNext(lexer, &text);
    if (token == CUTE_TOKEN_END)
      return false;
    if (token == CUTE_TOKEN_PUNCTUATION &&
        !cuteNestingUpdate(&nesting, *text.data))
      return false;
  } while (nesting.depth);
  return true;
}
