#include "Algebra/tiled.h"
#include "Algebra/trace.h"
#include "Calculator/language/expression_reader.h"
#include "Calculator/language/type_value.h"

typedef CuteExpressionReader Parser;
typedef CuteValueList Values;

static CuteValue parseChain(Parser *p);

//===-- Tokens ------------------------------------------------------------===//

// Skips comments of C++, too.
static void skipBlanks(Parser *p) {
  bool isComment = false;
  for (; p->at < p->end; ++p->at) {
    isComment = isComment ? *p->at != '\n'
                          : p->end - p->at > 1 && !memcmp(p->at, "//", 2);
    if (!isComment && !(*p->at && strchr(" \t\r\n", *p->at)))
      return;
  }
}

static bool peek(Parser *p, char c) {
  skipBlanks(p);
  return p->at < p->end && *p->at == c;
}

bool cuteExpressionTake(Parser *p, char c) {
  if (!peek(p, c))
    return false;
  ++p->at;
  return true;
}

CuteValue cuteExpressionFail(Parser *p, const char *wanted) {
  skipBlanks(p);
  p->errorAt = p->at;
  CuteStringRef found = cuteStringRefGetStart(
      (CuteStringRef){p->at, (size_t)(p->end - p->at)}, 12);
  if (p->at == p->end)
    cuteFail(p->context, "expected %s at the end", wanted);
  else
    cuteFail(p->context, "expected %s, found '%.*s'", wanted, CUTE_TEXT(found));
  return (CuteValue){0};
}

// The length of a letter, of a digit, or of `::` before a letter; else 0.
static size_t nameStep(const Parser *p, const char *at, bool isFirst) {
  if (at < p->end && (isLetter(*at) || (!isFirst && isDigit(*at))))
    return 1;
  bool isScope = !isFirst && p->end - at > 2 && at[0] == ':' && at[1] == ':' &&
                 isLetter(at[2]);
  return isScope ? 2 : 0;
}

// `_` alone is none.
CuteStringRef cuteExpressionPeekName(Parser *p) {
  skipBlanks(p);
  while (cuteExpressionTakeText(p, "cute::"))
    continue;
  const char *end = p->at;
  for (size_t n; (n = nameStep(p, end, end == p->at));)
    end += n;
  size_t n = (size_t)(end - p->at);
  bool isUnderscoreAlone = n == 1 && *p->at == '_';
  return (CuteStringRef){p->at, isUnderscoreAlone ? 0 : n};
}

//===-- Literals ----------------------------------------------------------===//

// A leaf of an int tuple, as far as its characters go.
static CuteValue parseLeaf(Parser *p) {
  skipBlanks(p);
  const char *start = p->at;
  if (cuteExpressionTake(p, '_')) {
    cuteExpressionTakeText(p, "{}");
    return cuteValueOfTuple(cuteIntTupleGetUnderscore(p->context));
  }
  if (p->at < p->end && *p->at == '-')
    ++p->at;
  while (p->at < p->end && (isDigit(*p->at) || *p->at == '?' || *p->at == '@'))
    ++p->at;
  if (p->at > start && p->at[-1] == '?' && p->at < p->end && *p->at == '{')
    while (p->at < p->end && p->at[-1] != '}')
      ++p->at;
  while (p->at < p->end && (isDigit(*p->at) || *p->at == '@'))
    ++p->at;
  if (p->at == start)
    return cuteExpressionFail(p,
                              "an integer, '?', '_', '(', a swizzle or a name");
  p->errorAt = start;
  return cuteValueOfTuple(cuteIntTupleParse(
      p->context, (CuteStringRef){start, (size_t)(p->at - start)},
      CUTE_SYNTAX_STRIDE));
}

bool cuteExpressionReadItem(Parser *p, char close, Values *values) {
  const char wanted[] = {'\'', close, '\'', '\0'};
  CuteValue value = parseChain(p);
  if (cuteValueFailed(value))
    return false;
  cuteValueListPush(p->context, values, value);
  if (cuteExpressionTake(p, ',') || peek(p, close))
    return true;
  bool closesOther = peek(p, ')') || peek(p, '>');
  cuteExpressionFail(p, closesOther    ? wanted
                        : close == ')' ? "',' or ')'"
                                       : "',' or '>'");
  return false;
}

bool cuteExpressionReadList(Parser *p, char close, Values *values) {
  while (!cuteExpressionTake(p, close))
    if (!cuteExpressionReadItem(p, close, values))
      return false;
  return true;
}

static CuteValue tilerOf(Parser *p, const Values *values) {
  size_t n = values->count;
  CuteTile *tiles = cuteScratch(p->context, 2 * n * sizeof *tiles);
  for (size_t i = 0; i < n; ++i) {
    CuteValue part = cuteValueToTilerElement(p->context, values->data[i]);
    if (cuteValueFailed(part))
      return part;
    tiles[i] = part.tile;
    tiles[n + i] = part.compactTile;
  }
  return cuteValueOfTile(cuteTileGetTuple(p->context, n, tiles),
                         cuteTileGetTuple(p->context, n, tiles + n));
}

CuteValue cuteExpressionGetTuple(Parser *p, const Values *values) {
  size_t n = values->count;
  CuteIntTuple *elements = cuteScratch(p->context, (n + 1) * sizeof *elements);
  for (size_t i = 0; i < n; ++i) {
    if (values->data[i].kind != CUTE_VALUE_TUPLE)
      return tilerOf(p, values);
    elements[i] = values->data[i].tuple;
  }
  return cuteValueOfTuple(cuteIntTupleGetTuple(p->context, n, elements));
}

// A tile in the text form of its type: [4:1;_;(2,2)].
static CuteValue parseTile(Parser *p) {
  const char *start = p->at;
  int depth = 0;
  do {
    if (p->at == p->end)
      return cuteExpressionFail(p, "']' after a tile");
    depth += *p->at == '[' ? 1 : *p->at == ']' ? -1 : 0;
    ++p->at;
  } while (depth);
  p->errorAt = start;
  CuteTile tile = cuteTileParse(
      p->context, (CuteStringRef){start, (size_t)(p->at - start)});
  return cuteValueOfTile(tile, tile);
}

static CuteValue parseTuple(Parser *p) {
  if (!cuteExpressionTake(p, '('))
    return parseLeaf(p);
  Values values = {0};
  return cuteExpressionReadList(p, ')', &values)
             ? cuteExpressionGetTuple(p, &values)
             : (CuteValue){0};
}

// !cute.layout<"(4,8):(8,1)">
static CuteValue parseType(Parser *p) {
  CuteStringRef text = {p->at, (size_t)(p->end - p->at)};
  p->errorAt = p->at;
  if (!cuteTextStartsWith(text, "!cute"))
    return cuteExpressionFail(p, "a type, !cute.NAME<...>");
  CuteType type = cuteTypeParsePrefix(p->context, text, &text.length);
  p->at += text.length;
  return type ? cuteValueOfType(p->context, type) : (CuteValue){0};
}

// A stride at an extent of 1 leads nowhere, so that one whose path crosses
// another's does not matter, as in CuTe C++.
CuteValue cuteExpressionGetLayout(Parser *p, CuteValue shape,
                                  CuteValue stride) {
  CuteContext c = p->context;
  if (shape.kind != CUTE_VALUE_TUPLE || stride.kind != CUTE_VALUE_TUPLE)
    return cuteExpressionFail(p, "int tuples on both sides of ':'");
  CuteLayout layout = cuteLayoutGet(c, shape.tuple, stride.tuple);
  if (!layout && stride.tuple->flags & HAS_BASIS &&
      cuteIntTupleIsCongruent(shape.tuple, stride.tuple))
    layout = cuteZeroUnitStrides(
        c, cuteInternUncheckedLayout(c, (Mode){shape.tuple, stride.tuple}));
  return cuteValueOfLayout(layout);
}

//===-- Names and calls ---------------------------------------------------===//

CuteValue cuteExpressionApply(Parser *p, CuteStringRef name,
                              const Values *values) {
  p->errorAt = name.data;
  return cuteCalcApply(p->context, name, values->count, values->data);
}

// Applies an operation to values and those up to the closing parenthesis.
static CuteValue applyOperation(Parser *p, CuteStringRef name, Values *values) {
  return cuteExpressionReadList(p, ')', values)
             ? cuteExpressionApply(p, name, values)
             : (CuteValue){0};
}

// The name with the template argument list that follows it, if one does.
static CuteStringRef withTemplate(const Parser *p, CuteStringRef name) {
  const char *end = name.data + name.length;
  int depth = 0;
  for (const char *at = end; at < p->end && (depth || at == end); ++at) {
    depth += (*at == '<') - (*at == '>');
    if (!depth)
      return (CuteStringRef){name.data,
                             (size_t)(at - name.data) + (*at == '>')};
  }
  return name;
}

// An atom or element type; a failed value if it is none. The name grows over
// the template argument list of an atom.
static CuteValue findHardware(Parser *p, CuteStringRef *name) {
  CuteStringRef whole = withTemplate(p, *name);
  CuteValue value = cuteValueOfHardware(p->context, whole);
  if (cuteValueFailed(value))
    return cuteValueOfHardware(p->context, *name);
  *name = whole;
  return value;
}

static CuteValue failUnknownName(Parser *p, CuteStringRef name) {
  CUTE_SCOPED(String) suggestion = {0};
  cuteCalcAppendSuggestion(&suggestion, p->calculator, name);
  p->errorAt = name.data;
  cuteFail(p->context,
           suggestion.length ? "'%.*s' is neither a variable nor an atom%s"
                             : "'%.*s' is neither a variable nor an atom; "
                               "operations need operands in parentheses%s",
           CUTE_TEXT(name), cuteStringGet(&suggestion));
  return (CuteValue){0};
}

static CuteValue parseNamed(Parser *p, CuteStringRef name) {
  CuteValue variable, cxx;
  p->at += name.length;
  if (cuteExpressionReadCxx(p, name, &cxx))
    return cxx;
  if (cuteCalculatorFindVariable(p->calculator, name, &variable))
    return variable;
  CuteValue hardware = findHardware(p, &name);
  if (!cuteValueFailed(hardware)) {
    p->at = name.data + name.length;
    return hardware;
  }
  Values values = {0};
  if (cuteExpressionTake(p, '('))
    return applyOperation(p, name, &values);
  return failUnknownName(p, name);
}

// Takes what (x)(coord) calls: parentheses around one layout make a tiler
// elsewhere, which cannot be called.
static CuteValue withoutParentheses(CuteValue function) {
  CuteTile tile = function.kind == CUTE_VALUE_TILE ? function.tile : NULL;
  if (!tile || cuteTileGetLeaf(tile) || cuteTileGetRank(tile) != 1)
    return function;
  CuteLayout layout = cuteTileGetLeaf(cuteTileGetElement(tile, 0));
  return layout ? cuteValueOfLayout(layout) : function;
}

// Evaluates a layout at a coordinate, or slices it where that has `_`.
static CuteValue callValue(Parser *p, CuteValue function, const char *start) {
  Values values = {0};
  if (!cuteExpressionReadList(p, ')', &values))
    return (CuteValue){0};
  CuteValue coord =
      values.count == 1 ? values.data[0] : cuteExpressionGetTuple(p, &values);
  p->errorAt = start;
  if (cuteValueFailed(coord))
    return coord;
  if (function.kind == CUTE_VALUE_SWIZZLE) {
    CuteValue operands[] = {function, coord};
    return cuteCalcApply(p->context, cuteStringRef("apply"), 2, operands);
  }
  CuteValue layout = cuteValueConvert(p->context, withoutParentheses(function),
                                      CUTE_VALUE_LAYOUT, "a call");
  coord = cuteValueConvert(p->context, coord, CUTE_VALUE_TUPLE,
                           "a layout's coordinate");
  if (cuteValueFailed(layout) || cuteValueFailed(coord))
    return (CuteValue){0};
  if (coord.tuple->flags & HAS_UNDERSCORE)
    return cuteValueOfPart(
        CUTE_VALUE_PART,
        cuteLayoutSliceAndOffset(p->context, layout.layout, coord.tuple));
  return cuteValueOfTuple(
      cuteLayoutEval(p->context, layout.layout, coord.tuple));
}

// value.NAME(operands) is NAME(value, operands); the point has been taken.
static CuteValue callMember(Parser *p, CuteValue value) {
  CuteStringRef name = cuteExpressionPeekName(p);
  if (!name.length)
    return cuteExpressionFail(p, "an operation's name after '.'");
  p->at += name.length;
  if (!cuteExpressionTake(p, '('))
    return cuteExpressionFail(p, "'(' after an operation's name");
  Values values = {0};
  cuteValueListPush(p->context, &values, value);
  return applyOperation(p, name, &values);
}

static CuteValue parsePrimary(Parser *p) {
  CuteStringRef name = cuteExpressionPeekName(p);
  if (!name.length)
    return peek(p, '[')   ? parseTile(p)
           : peek(p, '!') ? parseType(p)
                          : parseTuple(p);
  CuteValue value = parseNamed(p, name);
  cuteExpressionTakeText(p, "{}");
  return value;
}

// primary [ ":" primary ]
static CuteValue parseLayout(Parser *p) {
  CuteValue shape = parsePrimary(p);
  if (cuteValueFailed(shape) || !cuteExpressionTake(p, ':'))
    return shape;
  CuteValue stride = parsePrimary(p);
  return cuteValueFailed(stride) ? stride
                                 : cuteExpressionGetLayout(p, shape, stride);
}

static CuteValue parseTerm(Parser *p) {
  skipBlanks(p);
  const char *start = p->at;
  if (++p->depth > CUTE_MAX_DEPTH) {
    p->errorAt = p->at;
    return cuteValueOfTuple(
        cuteFail(p->context, "nested more than %d deep", CUTE_MAX_DEPTH));
  }
  CuteValue value = parseLayout(p);
  for (bool isMember; !cuteValueFailed(value);) {
    isMember = cuteExpressionTake(p, '.');
    if (!isMember && !cuteExpressionTake(p, '('))
      break;
    value = isMember ? callMember(p, value) : callValue(p, value, start);
  }
  --p->depth;
  return value;
}

//===-- Chains and statements ---------------------------------------------===//

// An o, or the sign for it in mathematics.
static bool takeCompose(Parser *p) {
  static const char sign[] = "\u2218";
  size_t n = sizeof sign - 1;
  if (cuteTextEquals(cuteExpressionPeekName(p), "o"))
    n = 1;
  else if ((size_t)(p->end - p->at) < n || memcmp(p->at, sign, n))
    return false;
  p->at += n;
  return true;
}

static CuteValue compose(Parser *p, CuteValue a, CuteValue b) {
  CuteValue operands[] = {a, b};
  return cuteCalcApply(p->context, cuteStringRef("composition"), 2, operands);
}

// A o offset o B where the middle is an int tuple; otherwise composition from
// the left. An offset before a layout alone is a part of a tensor.
static CuteValue composeAll(Parser *p, const Values *v) {
  CuteValue result = v->data[0];
  size_t i = 1;
  bool hasOffset = v->count > 2 && v->data[1].kind == CUTE_VALUE_TUPLE &&
                   result.kind != CUTE_VALUE_TUPLE;
  if (hasOffset) {
    result = cuteCalcApply(p->context, cuteStringRef("make_composed_layout"), 3,
                           v->data);
    i = 3;
  }
  for (; i < v->count && !cuteValueFailed(result); ++i)
    result = compose(p, result, v->data[i]);
  return result;
}

static CuteValue parseChain(Parser *p) {
  skipBlanks(p);
  const char *start = p->at;
  Values terms = {0};
  do {
    CuteValue term = parseTerm(p);
    if (cuteValueFailed(term))
      return term;
    cuteValueListPush(p->context, &terms, term);
  } while (takeCompose(p));
  if (terms.count > 1)
    p->errorAt = start;
  return composeAll(p, &terms);
}

// Reports which variable names which value from here on.
static void explainVariable(CuteContext c, CuteStringRef name,
                            CuteValue value) {
  CUTE_SCOPED(String) text = {0}, variable = {0};
  cuteStringAppendBytes(&variable, name.data, name.length);
  cuteAppendValue(&text, value);
  trace(c, CUTE_TRACE_VARIABLE, cuteStringGet(&variable), cuteStringGet(&text));
}

static CuteValue parseStatement(Parser *p) {
  bool isLet = cuteTextEquals(cuteExpressionPeekName(p), "let");
  if (isLet)
    p->at += strlen("let");
  else if (!cuteExpressionTakeDeclaration(p))
    return parseChain(p);
  CuteStringRef name = cuteExpressionPeekName(p);
  if (!name.length || cuteTextEquals(name, "o") || cuteTextEquals(name, "let"))
    return cuteExpressionFail(p, "a name after 'let' (not 'o' or 'let')");
  p->at += name.length;
  if (!cuteExpressionTake(p, '='))
    return cuteExpressionFail(p, "'='");
  CuteValue value = parseChain(p);
  if (cuteValueFailed(value))
    return value;
  cuteCalculatorSetVariable(p->calculator, name, value);
  if (isTraced(p->context))
    explainVariable(p->context, name, value);
  return value;
}

//===-- Entry points ------------------------------------------------------===//

CuteValue cuteCalculatorEvaluate(CuteCalculator *calculator, CuteStringRef text,
                                 size_t *errorAt) {
  CuteContext c = calculator->context;
  Parser p = {.calculator = calculator,
              .context = c,
              .begin = text.data,
              .at = text.data,
              .end = text.data + text.length,
              .errorAt = text.data};
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&c->scratch);
  CuteValue value;
  bool more;
  do {
    value = parseStatement(&p);
    more = cuteExpressionTake(&p, ';');
    skipBlanks(&p);
  } while (!cuteValueFailed(value) && more && p.at < p.end);
  if (!cuteValueFailed(value) && p.at < p.end)
    value = cuteExpressionFail(&p, "';', 'o' or the end");
  *errorAt = (size_t)(p.errorAt - p.begin);
  return value;
}
