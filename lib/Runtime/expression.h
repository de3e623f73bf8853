// Arithmetic expressions over named values: launch grids such as
// ceil_div(arg2.shape[0], 128), and references such as A[m,k] * B[n,k].
#ifndef CUTE_RUNTIME_EXPRESSION_H
#define CUTE_RUNTIME_EXPRESSION_H

#include "cute/Support.h"

typedef enum CuteExpressionKind {
  CUTE_EXPRESSION_NUMBER,
  CUTE_EXPRESSION_NAME,   // name
  CUTE_EXPRESSION_ACCESS, // name[children]
  CUTE_EXPRESSION_CALL,   // name(children)
  CUTE_EXPRESSION_REDUCE, // name[children but the last](the last child)
  CUTE_EXPRESSION_ADD,
  CUTE_EXPRESSION_SUBTRACT,
  CUTE_EXPRESSION_MULTIPLY,
  CUTE_EXPRESSION_DIVIDE,
  CUTE_EXPRESSION_NEGATE,
} CuteExpressionKind;

enum { CUTE_MAX_CHILDREN = 8 };

typedef struct CuteExpression {
  CuteExpressionKind kind;
  double number;
  char name[32]; // letters, digits, '_' and '.'
  size_t numChildren;
  struct CuteExpression *children[CUTE_MAX_CHILDREN];
} CuteExpression;

// Parses a whole text, or null with a message on standard error. An expression
// with `=` is the list of its two sides, a CALL of "=".
CuteExpression *cuteExpressionParse(const char *text);
void cuteExpressionDestroy(CuteExpression *expression);

// The value of names and accesses in integer expressions.
typedef bool CuteIntegerLookup(const CuteExpression *access, void *data,
                               int64_t *value);

// Evaluates with + - * /, ceil_div, min and max. False, with a message, where
// an operation is not defined or overflows.
bool cuteExpressionEvaluate(const CuteExpression *expression,
                            CuteIntegerLookup *lookup, void *data,
                            int64_t *value);

#endif
