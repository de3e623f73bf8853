// Reads ops of arith, math and vector as expressions.
#include "Text/infix_parts.h"
#include "Text/sugar.h"

//===-- Texts -------------------------------------------------------------===//

CuteSugarOperand *cuteSugarAddOperand(CuteArena *arena, CuteSugarLine *line,
                                      const char *before, CuteStringRef name) {
  size_t n = line->numOperands++;
  line->pieces = cuteArenaGrow(arena, line->pieces, n, sizeof *line->pieces);
  line->operands =
      cuteArenaGrow(arena, line->operands, n, sizeof *line->operands);
  line->pieces[n] = before;
  line->operands[n] = (CuteSugarOperand){.name = name, .takesNumber = true};
  return &line->operands[n];
}

void cuteSugarFinish(CuteArena *arena, CuteSugarLine *line, const char *after,
                     CuteSugarForm form) {
  size_t n = line->numOperands;
  line->pieces = cuteArenaGrow(arena, line->pieces, n, sizeof *line->pieces);
  line->pieces[n] = after;
  line->form = form;
}

static void finish(CuteArena *arena, CuteSugarLine *line, const char *after,
                   int precedence) {
  cuteSugarFinish(arena, line, after, CUTE_SUGAR_EXPRESSION);
  line->precedence = precedence;
}

//===-- Types -------------------------------------------------------------===//

// The element of vector<4xf32>; other types are themselves.
static CuteStringRef elementOf(CuteStringRef type) {
  CuteStringRef text = type;
  if (!cuteTextTake(&text, "vector<"))
    return type;
  while (text.length && strchr("0123456789x", *text.data))
    text = (CuteStringRef){text.data + 1, text.length - 1};
  text.length -= text.length != 0;
  return text;
}

static bool isIndex(CuteStringRef type) {
  return cuteTextEquals(elementOf(type), "index");
}

static bool isTruth(CuteStringRef type) {
  return cuteTextEquals(elementOf(type), "i1");
}

// Tells whether expressions take numbers of the type, and of which kind.
static bool isNumber(CuteStringRef type, bool *isFloat) {
  CuteElementType element;
  CuteStringRef name = elementOf(type);
  *isFloat = false;
  if (isIndex(type) || isTruth(type))
    return true;
  if (!cuteElementTypeFind(name, &element) || *name.data == 'u')
    return false;
  *isFloat = cuteElementTypeIsFloat(element);
  return true;
}

//===-- Parts of ops ------------------------------------------------------===//

// An op's text after its name: values, flags of fast math, and the type.
typedef struct Rest {
  size_t n;
  CuteStringRef names[3], flags, type;
} Rest;

// Reads `%a, %b fastmath<...> : type`; the type may be two with `to` or `,`.
static bool takeRest(CuteStringRef text, Rest *rest) {
  CuteLexer lexer = {text.data, text.data + text.length};
  *rest = (Rest){0};
  do {
    if (rest->n == 3 ||
        cuteLexerNext(&lexer, &rest->names[rest->n++]) != CUTE_TOKEN_VALUE)
      return false;
  } while (cuteLexerTake(&lexer, ','));
  if (cuteInfixTakeWord(&lexer, "fastmath")) {
    rest->flags.data = lexer.at;
    if (cuteLexerPeek(&lexer) != '<' || !cuteLexerSkipBracket(&lexer))
      return false;
    rest->flags.length = (size_t)(lexer.at - rest->flags.data);
  }
  if (!cuteLexerTake(&lexer, ':'))
    return false;
  cuteLexerSkipTrivia(&lexer);
  rest->type = (CuteStringRef){lexer.at, (size_t)(lexer.end - lexer.at)};
  return true;
}

static const char *copy(CuteArena *arena, CuteStringRef text) {
  return cuteArenaCopyText(arena, text.data, text.length);
}

// Writes `name(%a, %b)`.
static void setCall(CuteArena *arena, CuteSugarLine *line, const char *name,
                    const Rest *rest) {
  for (size_t i = 0; i < rest->n; ++i)
    cuteSugarAddOperand(arena, line,
                        i ? ", " : cuteArenaFormat(arena, "%s(", name),
                        rest->names[i])
        ->takesNumber = rest->n > 1;
  finish(arena, line, ")", UNARY);
}

//===-- Operators ---------------------------------------------------------===//

static const char *signOf(const CuteInfixOperator *op, bool isUnsigned,
                          CuteStringRef type) {
  bool hasSign = op->onSigned && strcmp(op->onSigned, op->onUnsigned) != 0;
  if (!hasSign || (!isUnsigned && isIndex(type)))
    return "";
  return isUnsigned ? "u" : "s";
}

// Writes `%a + %b`, or `not %a` where b is true.
static void setInfix(CuteArena *arena, CuteSugarLine *line,
                     const CuteInfixOperator *op, const char *sign,
                     const Rest *rest) {
  const char *between = cuteArenaFormat(arena, " %s%s ", op->text, sign);
  cuteSugarAddOperand(arena, line, "", rest->names[0])->precedence =
      op->precedence;
  cuteSugarAddOperand(arena, line, between, rest->names[1])->precedence =
      op->precedence + 1;
  finish(arena, line, "", op->precedence);
}

// Tells whether the op is the operator's for values of the type.
static bool isChosen(const CuteInfixOperator *op, const char *chosen,
                     CuteStringRef body, CuteStringRef *rest) {
  *rest = body;
  return chosen && cuteTextTake(rest, chosen) && rest->length &&
         *rest->data == ' ' && op;
}

static bool readOperator(CuteArena *arena, CuteStringRef body,
                         CuteSugarLine *line, const CuteInfixOperator *op) {
  const char *chosen[] = {op->onFloats, op->onSigned, op->onUnsigned};
  CuteStringRef text;
  Rest rest;
  bool isFloat;
  for (size_t i = 0; i < 3; ++i) {
    if (!isChosen(op, chosen[i], body, &text))
      continue;
    if (!takeRest(text, &rest) || rest.n != 2 || rest.flags.length ||
        !isNumber(rest.type, &isFloat) || isFloat != !i)
      return false;
    if (op->precedence && op->precedence <= AND && !isTruth(rest.type))
      return false;
    const char *sign = i ? signOf(op, i == 2, rest.type) : "";
    line->type = copy(arena, rest.type);
    if (op->precedence)
      setInfix(arena, line, op, sign, &rest);
    else
      setCall(arena, line, cuteArenaFormat(arena, "%s%s", op->text, sign),
              &rest);
    return true;
  }
  return false;
}

//===-- Functions ---------------------------------------------------------===//

// arith.extf %a : f16 to f32
static bool readConversion(CuteArena *arena, CuteStringRef body,
                           CuteSugarLine *line) {
  CuteStringRef text = body, name;
  Rest rest;
  if (!cuteTextTake(&text, "arith."))
    return false;
  name = cuteTextTakePart(&text, ' ');
  char sign;
  if (!cuteInfixIsConversion(name, &sign) || !takeRest(text, &rest) ||
      rest.n != 1 || rest.flags.length)
    return false;
  CuteStringRef from = cuteTextTakePart(&rest.type, ' '), to = rest.type;
  bool isFloat, isFloatToo;
  if (!cuteTextTake(&to, "to ") || !isNumber(from, &isFloat) ||
      !isNumber(to, &isFloatToo) || isTruth(to))
    return false;
  bool hasIndex = isIndex(from) || isIndex(to);
  CuteStringRef element = elementOf(to);
  setCall(arena, line,
          cuteArenaFormat(arena, "%.*s%.1s", (int)element.length, element.data,
                          hasIndex && sign == 's' ? "" : &sign),
          &rest);
  return true;
}

// vector.broadcast %a : f32 to vector<4xf32>
static bool readBroadcast(CuteArena *arena, CuteStringRef body,
                          CuteSugarLine *line) {
  CuteStringRef text = body;
  Rest rest;
  bool isFloat;
  if (!cuteTextTake(&text, "vector.broadcast ") || !takeRest(text, &rest))
    return false;
  CuteStringRef from = cuteTextTakePart(&rest.type, ' '), to = rest.type;
  if (!cuteTextTake(&to, "to ") || !isNumber(from, &isFloat) ||
      !cuteTextIsSame(from, elementOf(to)) || cuteTextIsSame(from, to))
    return false;
  CuteSugarOperand *operand =
      cuteSugarAddOperand(arena, line, "", rest.names[0]);
  operand->precedence = UNARY + 1;
  operand->takesNumber = false;
  finish(arena, line, cuteArenaFormat(arena, " : %s", copy(arena, to)), 0);
  return true;
}

static bool readNegation(CuteArena *arena, CuteStringRef body,
                         CuteSugarLine *line) {
  CuteStringRef text = body;
  Rest rest;
  bool isFloat;
  if (!cuteTextTake(&text, "arith.negf ") || !takeRest(text, &rest) ||
      rest.flags.length || !isNumber(rest.type, &isFloat))
    return false;
  CuteSugarOperand *operand =
      cuteSugarAddOperand(arena, line, "-", rest.names[0]);
  operand->precedence = UNARY;
  operand->takesNumber = false;
  finish(arena, line, "", UNARY);
  return true;
}

// math.exp2 %a fastmath<afn> : f32
static bool readFunction(CuteArena *arena, CuteStringRef body,
                         CuteSugarLine *line) {
  CuteStringRef text = body, name = cuteTextTakePart(&text, ' ');
  Rest rest;
  bool isFloat, isSelect = cuteTextEquals(name, "arith.select");
  if (!(cuteTextStartsWith(name, "arith.") ||
        cuteTextStartsWith(name, "math.")) ||
      !takeRest(text, &rest) || rest.n != cuteInfixCountOperands(name))
    return false;
  if (isSelect && memchr(rest.type.data, ',', rest.type.length)) {
    cuteTextTakePart(&rest.type, ',');
    cuteTextTake(&rest.type, " ");
  }
  if (!isNumber(rest.type, &isFloat))
    return false;
  line->type = copy(arena, rest.type);
  setCall(arena, line,
          cuteArenaFormat(arena, "%s%s", copy(arena, name),
                          rest.flags.length ? copy(arena, rest.flags) : ""),
          &rest);
  if (isSelect)
    line->operands->takesNumber = false;
  return true;
}

//===-- Numbers -----------------------------------------------------------===//

// 1.000000e+00 as 1.0
static const char *shorten(CuteArena *arena, CuteStringRef number) {
  const char *e = memchr(number.data, 'e', number.length);
  if (!e || !memchr(number.data, '.', number.length))
    return copy(arena, number);
  size_t length = (size_t)(e - number.data), n = length;
  while (number.data[n - 1] == '0' && number.data[n - 2] != '.')
    --n;
  CuteStringRef exponent = {e, number.length - length};
  if (cuteTextEquals(exponent, "e+00"))
    exponent.length = 0;
  return cuteArenaFormat(arena, "%.*s%.*s", (int)n, number.data,
                         (int)exponent.length, exponent.data);
}

// arith.constant 1 : i32, arith.constant dense<0.0> : vector<4xf32>
static bool readNumber(CuteArena *arena, CuteStringRef body,
                       CuteSugarLine *line) {
  CuteStringRef text = body, type = cuteStringRef("i1");
  bool isFloat;
  if (!cuteTextTake(&text, "arith.constant "))
    return false;
  bool isWord = cuteTextEquals(text, "true") || cuteTextEquals(text, "false");
  if (!isWord) {
    CuteStringRef value = cuteTextTakePart(&text, ' ');
    if (!cuteTextTake(&text, ": "))
      return false;
    type = text;
    text = value;
    if (cuteTextTake(&text, "dense<"))
      text.length -= text.length != 0;
  }
  bool isSplat = text.length && strchr("-0123456789tf", *text.data) &&
                 !memchr(text.data, '"', text.length);
  if (!isSplat || !isNumber(type, &isFloat))
    return false;
  finish(arena, line, shorten(arena, text), UNARY);
  line->type = copy(arena, type);
  line->form = CUTE_SUGAR_NUMBER;
  return true;
}

bool cuteSugarReadExpression(CuteArena *arena, CuteSugarLine *line) {
  CuteStringRef body = line->body;
  size_t n;
  const CuteInfixOperator *operators = cuteInfixGetOperators(&n);
  for (size_t i = 0; i < n; ++i)
    if (readOperator(arena, body, line, &operators[i]))
      return true;
  return readNumber(arena, body, line) || readConversion(arena, body, line) ||
         readBroadcast(arena, body, line) || readNegation(arena, body, line) ||
         readFunction(arena, body, line);
}
