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

// Tells whether expressions take numbers of the type, and their kind.
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

// `NAME %a, %b fastmath<...> : T`, and after it ` to U` or `, U`.
typedef struct Op {
  CuteStringRef name; // of a comparison with its kind: "arith.cmpi slt,"
  size_t n;
  CuteStringRef values[3], flags, type, to; // `to` is empty without U
  bool isFloat;                             // of numbers of the type
} Op;

// False for an op of another form, and for one that is not of numbers.
static bool takeOp(CuteStringRef text, Op *op) {
  const char *first = memchr(text.data, '%', text.length);
  if (!first || first == text.data)
    return false;
  CuteLexer lexer = {first, text.data + text.length};
  *op = (Op){.name = {text.data, (size_t)(first - text.data) - 1}};
  do {
    if (op->n == 3 ||
        cuteLexerNext(&lexer, &op->values[op->n++]) != CUTE_TOKEN_VALUE)
      return false;
  } while (cuteLexerTake(&lexer, ','));
  if (cuteInfixTakeWord(&lexer, "fastmath")) {
    op->flags.data = lexer.at;
    if (cuteLexerPeek(&lexer) != '<' || !cuteLexerSkipBracket(&lexer))
      return false;
    op->flags.length = (size_t)(lexer.at - op->flags.data);
  }
  if (!cuteLexerTake(&lexer, ':'))
    return false;
  cuteLexerSkipTrivia(&lexer);
  op->to = (CuteStringRef){lexer.at, (size_t)(lexer.end - lexer.at)};
  op->type = cuteTextTakePart(&op->to, ' ');
  bool isList = op->type.length && op->type.data[op->type.length - 1] == ',';
  op->type.length -= isList;
  return (isList || !op->to.length || cuteTextTake(&op->to, "to ")) &&
         isNumber(op->type, &op->isFloat);
}

static const char *copy(CuteArena *arena, CuteStringRef text) {
  return cuteArenaCopyText(arena, text.data, text.length);
}

// Writes `name(%a, %b)`.
static void setCall(CuteArena *arena, CuteSugarLine *line, const char *name,
                    const Op *op) {
  for (size_t i = 0; i < op->n; ++i)
    cuteSugarAddOperand(arena, line,
                        i ? ", " : cuteArenaFormat(arena, "%s(", name),
                        op->values[i])
        ->takesNumber = op->n > 1;
  finish(arena, line, ")", UNARY);
}

// Writes the one operand, no number, after a text.
static void setUnary(CuteArena *arena, CuteSugarLine *line, const char *before,
                     const Op *op, int precedence) {
  CuteSugarOperand *operand =
      cuteSugarAddOperand(arena, line, before, op->values[0]);
  operand->precedence = precedence;
  operand->takesNumber = false;
}

//===-- Operators ---------------------------------------------------------===//

static const char *signOf(const CuteInfixOperator *row, bool isUnsigned,
                          CuteStringRef type) {
  bool hasSign = row->onSigned && strcmp(row->onSigned, row->onUnsigned) != 0;
  if (!hasSign || (!isUnsigned && isIndex(type)))
    return "";
  return isUnsigned ? "u" : "s";
}

// Writes `%a + %b`.
static void setInfix(CuteArena *arena, CuteSugarLine *line,
                     const CuteInfixOperator *row, const char *sign,
                     const Op *op) {
  const char *between = cuteArenaFormat(arena, " %s%s ", row->text, sign);
  cuteSugarAddOperand(arena, line, "", op->values[0])->precedence =
      row->precedence;
  cuteSugarAddOperand(arena, line, between, op->values[1])->precedence =
      row->precedence + 1;
  finish(arena, line, "", row->precedence);
}

static bool readOperator(CuteArena *arena, const Op *op,
                         const CuteInfixOperator *row, CuteSugarLine *line) {
  const char *const names[] = {row->onFloats, row->onSigned, row->onUnsigned};
  size_t i = 0;
  while (i < 3 && !(names[i] && cuteTextEquals(op->name, names[i])))
    ++i;
  bool isOfTruths = row->precedence && row->precedence <= AND;
  if (i == 3 || op->n != 2 || op->flags.length || op->to.length ||
      op->isFloat != !i || (isOfTruths && !isTruth(op->type)))
    return false;
  const char *sign = i ? signOf(row, i == 2, op->type) : "";
  line->type = copy(arena, op->type);
  if (row->precedence)
    setInfix(arena, line, row, sign, op);
  else
    setCall(arena, line, cuteArenaFormat(arena, "%s%s", row->text, sign), op);
  return true;
}

//===-- Functions ---------------------------------------------------------===//

// arith.extf %a : f16 to f32
static bool readConversion(CuteArena *arena, const Op *op,
                           CuteSugarLine *line) {
  CuteStringRef name = op->name, element = elementOf(op->to);
  bool isFloat;
  char sign;
  if (!cuteTextTake(&name, "arith.") || !cuteInfixIsConversion(name, &sign) ||
      op->n != 1 || op->flags.length || !isNumber(op->to, &isFloat) ||
      isTruth(op->to))
    return false;
  bool hasIndex = isIndex(op->type) || isIndex(op->to);
  setCall(arena, line,
          cuteArenaFormat(arena, "%.*s%.1s", CUTE_TEXT(element),
                          hasIndex && sign == 's' ? "" : &sign),
          op);
  return true;
}

// vector.broadcast %a : f32 to vector<4xf32>
static bool readBroadcast(CuteArena *arena, const Op *op, CuteSugarLine *line) {
  if (!cuteTextEquals(op->name, "vector.broadcast") || op->n != 1 ||
      !cuteTextIsSame(op->type, elementOf(op->to)) ||
      cuteTextIsSame(op->type, op->to))
    return false;
  setUnary(arena, line, "", op, UNARY + 1);
  finish(arena, line, cuteArenaFormat(arena, " : %s", copy(arena, op->to)), 0);
  return true;
}

static bool readNegation(CuteArena *arena, const Op *op, CuteSugarLine *line) {
  if (!cuteTextEquals(op->name, "arith.negf") || op->flags.length)
    return false;
  setUnary(arena, line, "-", op, UNARY);
  finish(arena, line, "", UNARY);
  return true;
}

// math.exp2 %a fastmath<afn> : f32
static bool readFunction(CuteArena *arena, const Op *op, CuteSugarLine *line) {
  bool isSelect = cuteTextEquals(op->name, "arith.select"), isFloat;
  CuteStringRef type = isSelect && op->to.length ? op->to : op->type;
  if (!(cuteTextStartsWith(op->name, "arith.") ||
        cuteTextStartsWith(op->name, "math.")) ||
      op->n != cuteInfixCountOperands(op->name) || !isNumber(type, &isFloat) ||
      (!isSelect && op->to.length))
    return false;
  line->type = copy(arena, type);
  setCall(arena, line,
          cuteArenaFormat(arena, "%s%s", copy(arena, op->name),
                          op->flags.length ? copy(arena, op->flags) : ""),
          op);
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
                         CUTE_TEXT(exponent));
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
  size_t n;
  const CuteInfixOperator *operators = cuteInfixGetOperators(&n);
  Op op;
  if (readNumber(arena, line->body, line))
    return true;
  if (!takeOp(line->body, &op))
    return false;
  for (size_t i = 0; i < n; ++i)
    if (readOperator(arena, &op, &operators[i], line))
      return true;
  return readConversion(arena, &op, line) || readBroadcast(arena, &op, line) ||
         readNegation(arena, &op, line) || readFunction(arena, &op, line);
}
