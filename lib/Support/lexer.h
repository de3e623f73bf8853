// Tokens of MLIR's assembly, as far as the text layer needs them.
#pragma once

#include "Support/text.h"

typedef struct CuteLexer {
  const char *at, *end;
} CuteLexer;

typedef enum CuteToken {
  CUTE_TOKEN_END,
  CUTE_TOKEN_STRING,     // "..." with its quotes
  CUTE_TOKEN_VALUE,      // %name or %name#2
  CUTE_TOKEN_TYPE,       // !name, without parameters
  CUTE_TOKEN_ATTRIBUTE,  // #name, without parameters
  CUTE_TOKEN_SYMBOL,     // @name or @"name"
  CUTE_TOKEN_BLOCK,      // ^name
  CUTE_TOKEN_IDENTIFIER, // name.with.dots
  CUTE_TOKEN_NUMBER,     // digits and what clings to them: 4x8xf16
  CUTE_TOKEN_ARROW,      // ->
  CUTE_TOKEN_PUNCTUATION // one other character
} CuteToken;

// Skips white space and comments.
void cuteLexerSkipTrivia(CuteLexer *lexer);

// Skips trivia, takes one token and sets `text` to it.
CuteToken cuteLexerNext(CuteLexer *lexer, CuteStringRef *text);

// The next character after trivia, '\0' at the end. Takes nothing.
char cuteLexerPeek(CuteLexer *lexer);

// Takes the character if it is next.
bool cuteLexerTake(CuteLexer *lexer, char c);

// Takes letters, digits and `_` after trivia; empty if there are none.
CuteStringRef cuteLexerTakeWord(CuteLexer *lexer);

// Tells whether the value before is in a list of definitions, whose rest is
// next:
// `:2, %b =`.
bool cuteLexerIsInDefinitions(CuteLexer lexer);

// Brackets nest this deep at most: MLIR's parser recurses.
enum { CUTE_MAX_NESTING = 1024 };

// The brackets around a place.
typedef struct CuteNesting {
  size_t depth;
  char open[CUTE_MAX_NESTING];
} CuteNesting;

// Enters or leaves a bracket; other characters do nothing. What closes nothing
// is ignored, and a < that an outer bracket closes was a comparison: d0 <= 3.
// False where brackets nest too deep.
bool cuteNestingUpdate(CuteNesting *nesting, char c);

// Skips from the opening bracket that is next to after the one that closes it.
// False at the end of the text, and where brackets nest too deep.
bool cuteLexerSkipBracket(CuteLexer *lexer);
