// A module's text with expressions, `for` and `if` in place of ops of arith,
// math, vector and scf, and without types that follow (docs/expressions.md):
// private to the printer.
#pragma once

#include "IR/dialect.h"
#include "Support/lexer.h"

// A place for a value in the text of a statement.
typedef struct CuteSugarOperand {
  CuteStringRef name;
  int precedence;   // the least that an expression has without parentheses
  bool takesNumber; // otherwise a number has a name
  const char *type; // a number is `1 : i32`; may be null
} CuteSugarOperand;

typedef enum CuteSugarForm {
  CUTE_SUGAR_OTHER, // as it is
  CUTE_SUGAR_NUMBER,
  CUTE_SUGAR_EXPRESSION, // one result
  CUTE_SUGAR_FOR,
  CUTE_SUGAR_IF,
  CUTE_SUGAR_STATEMENT,
} CuteSugarForm;

// A statement: pieces of text with operands between them.
typedef struct CuteSugarLine {
  CuteStringRef body; // without indentation and results
  size_t indent;
  CuteStringRef results; // %3, or %3:2 or %a, %b
  CuteSugarForm form;
  size_t numOperands;
  CuteSugarOperand *operands;
  const char **pieces; // one more than operands
  int precedence;      // of an expression; 0 if it cannot be a term
  bool isOwn;          // an op of the dialect
  const char *type;    // of a number, or of an expression's operands
  const char *types;   // of an op of the dialect; they may be left out
  size_t numNames;     // that a loop defines
  CuteStringRef *names;
} CuteSugarLine;

// Reads an op of the dialect, a loop, a branch, or, in one of these, a yield.
bool cuteSugarReadStatement(CuteDialect *dialect, CuteArena *arena,
                            bool isInControl, CuteSugarLine *line);

// Reads an op of arith, math or vector.
bool cuteSugarReadExpression(CuteArena *arena, CuteSugarLine *line);

// Ends the statement.
void cuteSugarFinish(CuteArena *arena, CuteSugarLine *line, const char *after,
                     CuteSugarForm form);

// Appends an operand, after the piece of text.
CuteSugarOperand *cuteSugarAddOperand(CuteArena *arena, CuteSugarLine *line,
                                      const char *before, CuteStringRef name);

// Appends the module's text, in the pretty form, as sugar.
void cuteSugarAppend(CuteDialect *dialect, CuteStringRef text,
                     CuteString *output);
