#include "Support/formula.h"
#include "Support/arena.h"

#include <ctype.h>

typedef struct Parser {
  const char *text, *at;
  int depth;
  size_t nodes;
  CuteStatus failure;
} Parser;

enum { MAX_DEPTH = 64 };

static CuteFormula *make(Parser *parser, CuteFormulaKind kind, CuteFormula *a,
                         CuteFormula *b) {
  CuteFormula *e = cuteAllocate(sizeof *e);
  ++parser->nodes;
  *e = (CuteFormula){.kind = kind, .children = {a, b}};
  e->numChildren = (size_t)(a != NULL) + (b != NULL);
  return e;
}

void cuteFormulaDestroy(CuteFormula *formula) {
  if (!formula)
    return;
  for (size_t i = 0; i < formula->numChildren; ++i)
    cuteFormulaDestroy(formula->children[i]);
  free(formula);
}

static CuteFormula *fail(Parser *parser, const char *message) {
  if (!parser->failure)
    parser->failure =
        cuteStatusCreate("%s at column %td of '%.60s'", message,
                         parser->at - parser->text + 1, parser->text);
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

static CuteFormula *parseSum(Parser *parser);

// Children up to the closing bracket, separated by commas.
static bool parseChildren(Parser *parser, CuteFormula *parent, char close) {
  do {
    if (parent->numChildren == CUTE_MAX_CHILDREN)
      return fail(parser, "too many operands");
    CuteFormula *child = parseSum(parser);
    if (!child)
      return false;
    parent->children[parent->numChildren++] = child;
  } while (take(parser, ','));
  return take(parser, close) ||
         fail(parser, "expected ',' or the end of a list");
}

// The one child after those in brackets.
static bool parseBody(Parser *parser, CuteFormula *parent) {
  size_t n = parent->numChildren;
  return parseChildren(parser, parent, ')') &&
         (parent->numChildren == n + 1 ||
          fail(parser, "a reduction has one operand"));
}

static CuteFormula *parseName(Parser *parser) {
  CuteFormula *e = make(parser, CUTE_FORMULA_NAME, NULL, NULL);
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
    e->kind = bracket == '[' ? CUTE_FORMULA_ACCESS : CUTE_FORMULA_CALL;
    ++parser->at;
    ok = parseChildren(parser, e, bracket == '[' ? ']' : ')');
  }
  if (ok && e->kind == CUTE_FORMULA_ACCESS && *parser->at == '(') {
    e->kind = CUTE_FORMULA_REDUCE;
    ++parser->at;
    ok = parseBody(parser, e);
  }
  if (ok)
    return e;
  cuteFormulaDestroy(e);
  return NULL;
}

static CuteFormula *parseFactor(Parser *parser) {
  if (parser->depth == MAX_DEPTH)
    return fail(parser, "nested too deeply");
  if (parser->nodes >= CUTE_MAX_FORMULA_NODES)
    return fail(parser, "too many operands");
  if (take(parser, '-')) {
    ++parser->depth;
    CuteFormula *a = parseFactor(parser);
    --parser->depth;
    return a ? make(parser, CUTE_FORMULA_NEGATE, a, NULL) : NULL;
  }
  if (take(parser, '(')) {
    CuteFormula *a = parseSum(parser);
    if (a && take(parser, ')'))
      return a;
    cuteFormulaDestroy(a);
    return a ? fail(parser, "expected ')'") : NULL;
  }
  if (isdigit((unsigned char)*parser->at) || *parser->at == '.') {
    char *end;
    double number = strtod(parser->at, &end);
    if (end == parser->at)
      return fail(parser, "expected a number");
    CuteFormula *e = make(parser, CUTE_FORMULA_NUMBER, NULL, NULL);
    e->number = number;
    parser->at = end;
    return e;
  }
  return isalpha((unsigned char)*parser->at) ? parseName(parser)
                                             : fail(parser, "expected a value");
}

// One or more operands, joined from the left by one of the operators.
static CuteFormula *parseChain(Parser *parser, CuteFormula *operand(Parser *),
                               const char *operators,
                               const CuteFormulaKind *kinds) {
  CuteFormula *left = operand(parser);
  while (left) {
    size_t i = 0;
    while (operators[i] && !take(parser, operators[i]))
      ++i;
    if (!operators[i])
      return left;
    CuteFormula *right = operand(parser);
    if (!right)
      break;
    left = make(parser, kinds[i], left, right);
  }
  cuteFormulaDestroy(left);
  return NULL;
}

static CuteFormula *parseProduct(Parser *parser) {
  static const CuteFormulaKind kinds[] = {
      CUTE_FORMULA_MULTIPLY, CUTE_FORMULA_DIVIDE, CUTE_FORMULA_REMAINDER};
  return parseChain(parser, parseFactor, "*/%", kinds);
}

static CuteFormula *parseSum(Parser *parser) {
  static const CuteFormulaKind kinds[] = {CUTE_FORMULA_ADD,
                                          CUTE_FORMULA_SUBTRACT};
  if (parser->depth == MAX_DEPTH)
    return fail(parser, "nested too deeply");
  ++parser->depth;
  CuteFormula *result = parseChain(parser, parseProduct, "+-", kinds);
  --parser->depth;
  return result;
}

// SUM, or SUM = SUM.
static CuteFormula *parseEquation(Parser *parser) {
  CuteFormula *left = parseSum(parser);
  if (!left || !take(parser, '='))
    return left;
  CuteFormula *right = parseSum(parser);
  if (!right) {
    cuteFormulaDestroy(left);
    return NULL;
  }
  CuteFormula *both = make(parser, CUTE_FORMULA_CALL, left, right);
  both->name[0] = '=';
  return both;
}

CuteStatus cuteFormulaParse(const char *text, CuteFormula **formula) {
  Parser parser = {.text = text, .at = text};
  *formula = parseEquation(&parser);
  if (*formula && !take(&parser, '\0')) {
    fail(&parser, "expected an operator");
    cuteFormulaDestroy(*formula);
    *formula = NULL;
  }
  return parser.failure;
}

//===-- Integers ----------------------------------------------------------===//

static int64_t ceilDiv(int64_t a, int64_t b) {
  int64_t quotient = a / b;
  return quotient + (a % b != 0 && (a < 0) == (b < 0));
}

static bool apply(const CuteFormula *e, int64_t a, int64_t b, int64_t *value) {
  bool isCall = e->kind == CUTE_FORMULA_CALL;
  bool divides = e->kind == CUTE_FORMULA_DIVIDE ||
                 e->kind == CUTE_FORMULA_REMAINDER ||
                 (isCall && !strcmp(e->name, "ceil_div"));
  if (divides && (!b || (b == -1 && a == INT64_MIN)))
    return false;
  if (isCall)
    *value = divides                   ? ceilDiv(a, b)
             : !strcmp(e->name, "min") ? (a < b ? a : b)
                                       : (a > b ? a : b);
  else if (divides)
    *value = e->kind == CUTE_FORMULA_DIVIDE ? a / b : a % b;
  else if (e->kind == CUTE_FORMULA_ADD)
    return !__builtin_add_overflow(a, b, value);
  else if (e->kind == CUTE_FORMULA_MULTIPLY)
    return !__builtin_mul_overflow(a, b, value);
  else
    return !__builtin_sub_overflow(a, b, value);
  return true;
}

static bool isKnownCall(const CuteFormula *e) {
  if (e->kind == CUTE_FORMULA_REDUCE)
    return false;
  return e->kind != CUTE_FORMULA_CALL || !strcmp(e->name, "ceil_div") ||
         !strcmp(e->name, "min") || !strcmp(e->name, "max");
}

bool cuteFormulaGetInteger(const CuteFormula *number, int64_t *value) {
  double d = number->number;
  if (!(d >= -0x1p53 && d <= 0x1p53) || d != (double)(int64_t)d)
    return false;
  *value = (int64_t)d;
  return true;
}

static size_t numOperandsOf(const CuteFormula *e) {
  return e->kind == CUTE_FORMULA_NEGATE ? 1 : 2;
}

static CuteStatus checkCall(const CuteFormula *e) {
  if (e->numChildren == numOperandsOf(e) && isKnownCall(e))
    return NULL;
  return cuteStatusCreate("unknown function '%s' with %zu operands", e->name,
                          e->numChildren);
}

static CuteStatus evaluateCall(const CuteFormula *e, CuteFormulaLookup *lookup,
                               void *data, int64_t *value) {
  int64_t operands[2] = {0, 0};
  size_t wanted = numOperandsOf(e);
  CUTE_TRY(checkCall(e));
  for (size_t i = 0; i < wanted; ++i) // -a is 0 - a
    CUTE_TRY(cuteFormulaEvaluate(e->children[i], lookup, data,
                                 &operands[2 - wanted + i]));
  if (apply(e, operands[0], operands[1], value))
    return NULL;
  return cuteStatusCreate("integer overflow or division by zero");
}

CuteStatus cuteFormulaEvaluate(const CuteFormula *formula,
                               CuteFormulaLookup *lookup, void *data,
                               int64_t *value) {
  CuteFormulaKind kind = formula->kind;
  if (kind == CUTE_FORMULA_NAME || kind == CUTE_FORMULA_ACCESS)
    return lookup(formula, data, value);
  if (kind != CUTE_FORMULA_NUMBER)
    return evaluateCall(formula, lookup, data, value);
  if (cuteFormulaGetInteger(formula, value))
    return NULL;
  return cuteStatusCreate("%g is not an integer of at most 53 bits",
                          formula->number);
}

CuteStatus cuteFormulaCheck(const CuteFormula *formula,
                            CuteFormulaLookup *lookup, void *data) {
  int64_t unused;
  if (formula->kind <= CUTE_FORMULA_ACCESS)
    return cuteFormulaEvaluate(formula, lookup, data, &unused);
  CUTE_TRY(checkCall(formula));
  for (size_t i = 0; i < formula->numChildren; ++i)
    CUTE_TRY(cuteFormulaCheck(formula->children[i], lookup, data));
  return NULL;
}
