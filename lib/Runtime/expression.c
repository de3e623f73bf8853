#include "Runtime/expression.h"
#include "Support/arena.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Parser {
  const char *text, *at;
  int depth;
} Parser;

enum { MAX_DEPTH = 64 };

static CuteExpression *make(CuteExpressionKind kind, CuteExpression *a,
                            CuteExpression *b) {
  CuteExpression *e = cuteAllocate(sizeof *e);
  *e = (CuteExpression){.kind = kind, .children = {a, b}};
  e->numChildren = (size_t)(a != NULL) + (b != NULL);
  return e;
}

void cuteExpressionDestroy(CuteExpression *expression) {
  if (!expression)
    return;
  for (size_t i = 0; i < expression->numChildren; ++i)
    cuteExpressionDestroy(expression->children[i]);
  free(expression);
}

static CuteExpression *fail(const Parser *parser, const char *message) {
  fprintf(stderr, "error: %s at column %d of '%.60s'\n", message,
          (int)(parser->at - parser->text) + 1, parser->text);
  return NULL;
}

static bool take(Parser *parser, char c) {
  parser->at += strspn(parser->at, " \t");
  if (*parser->at != c)
    return false;
  ++parser->at;
  return true;
}

//===-- Parsing -----------------------------------------------------------===//

static CuteExpression *parseSum(Parser *parser);

// Children up to the closing bracket, separated by commas.
static bool parseChildren(Parser *parser, CuteExpression *parent, char close) {
  do {
    if (parent->numChildren == CUTE_MAX_CHILDREN)
      return fail(parser, "too many operands");
    CuteExpression *child = parseSum(parser);
    if (!child)
      return false;
    parent->children[parent->numChildren++] = child;
  } while (take(parser, ','));
  return take(parser, close) ||
         fail(parser, "expected ',' or the end of a list");
}

// The one child behind those in brackets.
static bool parseBody(Parser *parser, CuteExpression *parent) {
  size_t n = parent->numChildren;
  return parseChildren(parser, parent, ')') &&
         (parent->numChildren == n + 1 ||
          fail(parser, "a reduction has one operand"));
}

static CuteExpression *parseName(Parser *parser) {
  CuteExpression *e = make(CUTE_EXPRESSION_NAME, NULL, NULL);
  size_t n = 0;
  while (isalnum((unsigned char)parser->at[n]) || parser->at[n] == '_' ||
         parser->at[n] == '.')
    ++n;
  bool ok = n < sizeof e->name;
  if (!ok)
    fail(parser, "name too long");
  memcpy(e->name, parser->at, ok ? n : 0);
  parser->at += n;
  char bracket = *parser->at;
  if (ok && (bracket == '[' || bracket == '(')) {
    e->kind = bracket == '[' ? CUTE_EXPRESSION_ACCESS : CUTE_EXPRESSION_CALL;
    ++parser->at;
    ok = parseChildren(parser, e, bracket == '[' ? ']' : ')');
  }
  if (ok && e->kind == CUTE_EXPRESSION_ACCESS && *parser->at == '(') {
    e->kind = CUTE_EXPRESSION_REDUCE;
    ++parser->at;
    ok = parseBody(parser, e);
  }
  if (ok)
    return e;
  cuteExpressionDestroy(e);
  return NULL;
}

static CuteExpression *parseFactor(Parser *parser) {
  if (parser->depth == MAX_DEPTH)
    return fail(parser, "nested too deeply");
  if (take(parser, '-')) {
    ++parser->depth;
    CuteExpression *a = parseFactor(parser);
    --parser->depth;
    return a ? make(CUTE_EXPRESSION_NEGATE, a, NULL) : NULL;
  }
  if (take(parser, '(')) {
    CuteExpression *a = parseSum(parser);
    if (a && take(parser, ')'))
      return a;
    cuteExpressionDestroy(a);
    return a ? fail(parser, "expected ')'") : NULL;
  }
  if (isdigit((unsigned char)*parser->at) || *parser->at == '.') {
    CuteExpression *e = make(CUTE_EXPRESSION_NUMBER, NULL, NULL);
    char *end;
    e->number = strtod(parser->at, &end);
    parser->at = end;
    return e;
  }
  return isalpha((unsigned char)*parser->at) ? parseName(parser)
                                             : fail(parser, "expected a value");
}

// One or more operands, joined from the left by one of two operators.
static CuteExpression *parseChain(Parser *parser,
                                  CuteExpression *operand(Parser *),
                                  const char *operators,
                                  const CuteExpressionKind *kinds) {
  CuteExpression *left = operand(parser);
  while (left) {
    size_t i = take(parser, operators[0])   ? 0
               : take(parser, operators[1]) ? 1
                                            : 2;
    if (i == 2)
      return left;
    CuteExpression *right = operand(parser);
    if (!right)
      break;
    left = make(kinds[i], left, right);
  }
  cuteExpressionDestroy(left);
  return NULL;
}

static CuteExpression *parseProduct(Parser *parser) {
  static const CuteExpressionKind kinds[] = {CUTE_EXPRESSION_MULTIPLY,
                                             CUTE_EXPRESSION_DIVIDE};
  return parseChain(parser, parseFactor, "*/", kinds);
}

static CuteExpression *parseSum(Parser *parser) {
  static const CuteExpressionKind kinds[] = {CUTE_EXPRESSION_ADD,
                                             CUTE_EXPRESSION_SUBTRACT};
  if (parser->depth == MAX_DEPTH)
    return fail(parser, "nested too deeply");
  ++parser->depth;
  CuteExpression *result = parseChain(parser, parseProduct, "+-", kinds);
  --parser->depth;
  return result;
}

CuteExpression *cuteExpressionParse(const char *text) {
  Parser parser = {text, text, 0};
  CuteExpression *result = parseSum(&parser);
  if (result && take(&parser, '=')) {
    CuteExpression *right = parseSum(&parser);
    CuteExpression *both = make(CUTE_EXPRESSION_CALL, result, right);
    both->name[0] = '=';
    result = both;
    if (!right) {
      cuteExpressionDestroy(result);
      return NULL;
    }
  }
  if (result && !take(&parser, '\0')) {
    fail(&parser, "expected an operator");
    cuteExpressionDestroy(result);
    return NULL;
  }
  return result;
}

//===-- Integers ----------------------------------------------------------===//

static int64_t ceilDiv(int64_t a, int64_t b) {
  int64_t quotient = a / b;
  return quotient + (a % b != 0 && (a < 0) == (b < 0));
}

static bool apply(const CuteExpression *e, int64_t a, int64_t b,
                  int64_t *value) {
  bool isCall = e->kind == CUTE_EXPRESSION_CALL;
  bool divides = e->kind == CUTE_EXPRESSION_DIVIDE ||
                 (isCall && !strcmp(e->name, "ceil_div"));
  if (divides && (!b || (b == -1 && a == INT64_MIN)))
    return false;
  if (isCall)
    *value = divides                   ? ceilDiv(a, b)
             : !strcmp(e->name, "min") ? (a < b ? a : b)
                                       : (a > b ? a : b);
  else if (divides)
    *value = a / b;
  else if (e->kind == CUTE_EXPRESSION_ADD)
    return !__builtin_add_overflow(a, b, value);
  else if (e->kind == CUTE_EXPRESSION_MULTIPLY)
    return !__builtin_mul_overflow(a, b, value);
  else
    return !__builtin_sub_overflow(a, b, value);
  return true;
}

static bool isKnownCall(const CuteExpression *e) {
  if (e->kind == CUTE_EXPRESSION_REDUCE)
    return false;
  return e->kind != CUTE_EXPRESSION_CALL || !strcmp(e->name, "ceil_div") ||
         !strcmp(e->name, "min") || !strcmp(e->name, "max");
}

bool cuteExpressionEvaluate(const CuteExpression *expression,
                            CuteIntegerLookup *lookup, void *data,
                            int64_t *value) {
  const CuteExpression *e = expression;
  int64_t operands[2] = {0, 0};
  if (e->kind == CUTE_EXPRESSION_NUMBER) {
    *value = (int64_t)e->number;
    return true;
  }
  if (e->kind == CUTE_EXPRESSION_NAME || e->kind == CUTE_EXPRESSION_ACCESS)
    return lookup(e, data, value);
  size_t wanted = e->kind == CUTE_EXPRESSION_NEGATE ? 1 : 2;
  if (e->numChildren != wanted || !isKnownCall(e)) {
    fprintf(stderr, "error: unknown function '%s' with %zu operands\n", e->name,
            e->numChildren);
    return false;
  }
  for (size_t i = 0; i < wanted; ++i) // -a is 0 - a
    if (!cuteExpressionEvaluate(e->children[i], lookup, data,
                                &operands[2 - wanted + i]))
      return false;
  if (apply(e, operands[0], operands[1], value))
    return true;
  fprintf(stderr, "error: integer overflow or division by zero\n");
  return false;
}
