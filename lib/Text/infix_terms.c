// Gives the terms of expressions types, and makes ops of them.
#include "Text/foreign_op.h"
#include "Text/infix_parts.h"
#include "Text/reader_parts.h"

#include <ctype.h>

//===-- Operators ---------------------------------------------------------===//

static const CuteInfixOperator operators[] = {
    {"or", OR, NULL, "arith.ori", "arith.ori"},
    {"and", AND, NULL, "arith.andi", "arith.andi"},
    {"==", COMPARISON, "arith.cmpf oeq,", "arith.cmpi eq,", "arith.cmpi eq,"},
    {"!=", COMPARISON, "arith.cmpf une,", "arith.cmpi ne,", "arith.cmpi ne,"},
    {"<<", SHIFT, NULL, "arith.shli", "arith.shli"},
    {">>", SHIFT, NULL, "arith.shrsi", "arith.shrui"},
    {"<=", COMPARISON, "arith.cmpf ole,", "arith.cmpi sle,", "arith.cmpi ule,"},
    {">=", COMPARISON, "arith.cmpf oge,", "arith.cmpi sge,", "arith.cmpi uge,"},
    {"<", COMPARISON, "arith.cmpf olt,", "arith.cmpi slt,", "arith.cmpi ult,"},
    {">", COMPARISON, "arith.cmpf ogt,", "arith.cmpi sgt,", "arith.cmpi ugt,"},
    {"|", BITS_OR, NULL, "arith.ori", "arith.ori"},
    {"xor", XOR, NULL, "arith.xori", "arith.xori"},
    {"&", BITS_AND, NULL, "arith.andi", "arith.andi"},
    {"+", SUM, "arith.addf", "arith.addi", "arith.addi"},
    {"-", SUM, "arith.subf", "arith.subi", "arith.subi"},
    {"*", PRODUCT, "arith.mulf", "arith.muli", "arith.muli"},
    {"/", PRODUCT, "arith.divf", "arith.divsi", "arith.divui"},
    {"mod", PRODUCT, "arith.remf", "arith.remsi", "arith.remui"},
    {"ceildiv", PRODUCT, NULL, "arith.ceildivsi", "arith.ceildivui"},
    {"floordiv", PRODUCT, NULL, "arith.floordivsi", "arith.divui"},
    {"min", 0, "arith.minimumf", "arith.minsi", "arith.minui"},
    {"max", 0, "arith.maximumf", "arith.maxsi", "arith.maxui"},
};

const CuteInfixOperator *cuteInfixGetOperators(size_t *count) {
  *count = sizeof operators / sizeof *operators;
  return operators;
}

const CuteInfixOperator *cuteInfixFind(const char *text) {
  const CuteInfixOperator *op = operators;
  while (strcmp(op->text, text))
    ++op;
  return op;
}

static bool hasSign(const CuteInfixOperator *op) {
  return strcmp(op->onSigned, op->onUnsigned) != 0;
}

static bool isInWord(CuteStringRef rest) {
  return rest.length && (isalnum((unsigned char)*rest.data) ||
                         *rest.data == '_' || *rest.data == '.');
}

// Takes the operator, with the letter s or u after it, if it is next; words end
// where names do.
static bool takeIf(const CuteInfixOperator *op, CuteLexer *lexer, char *sign) {
  CuteStringRef rest = {lexer->at, (size_t)(lexer->end - lexer->at)};
  if (!cuteTextTake(&rest, op->text) ||
      (*op->text == '-' && rest.length && *rest.data == '>'))
    return false;
  CuteStringRef second = {rest.data + 1, rest.length - 1};
  bool hasLetter = isInWord(rest);
  bool isSigned =
      hasLetter && strchr("su", *rest.data) && hasSign(op) && !isInWord(second);
  if (hasLetter && !isSigned && isalpha((unsigned char)*op->text))
    return false;
  *sign = isSigned ? *rest.data : '\0';
  lexer->at = rest.data + isSigned;
  return true;
}

const CuteInfixOperator *cuteInfixTakeOperator(CuteLexer *lexer, char *sign) {
  CuteLexer after = *lexer;
  cuteLexerSkipTrivia(&after);
  for (size_t i = 0; i < sizeof operators / sizeof *operators; ++i)
    if (takeIf(&operators[i], &after, sign)) {
      *lexer = after;
      return &operators[i];
    }
  return NULL;
}

//===-- Types -------------------------------------------------------------===//

typedef enum NumberKind { NO_NUMBER, INDEX, INTEGER, FLOAT } NumberKind;

// The type of a number, or of a vector's elements.
typedef struct Number {
  NumberKind kind;
  unsigned bits; // 0 for index
} Number;

static CuteType elementOf(CuteReader *reader, CuteType type) {
  bool isVector = cuteTypeIsVector(type);
  return isVector ? cuteForeignTypeGetElement(reader->context, type) : type;
}

static Number numberOf(CuteReader *reader, CuteType type) {
  CuteElementType element;
  type = elementOf(reader, type);
  if (!cuteTypeIsKind(type, CUTE_TYPE_FOREIGN))
    return (Number){NO_NUMBER, 0};
  if (cuteTextEquals(type->foreign, "index"))
    return (Number){INDEX, 0};
  if (cuteTextEquals(type->foreign, "i1"))
    return (Number){INTEGER, 1};
  if (!cuteElementTypeFind(type->foreign, &element) ||
      *type->foreign.data == 'u')
    return (Number){NO_NUMBER, 0};
  return (Number){cuteElementTypeIsFloat(element) ? FLOAT : INTEGER,
                  cuteElementTypeGetBits(element)};
}

static CuteType truthOf(CuteReader *reader, CuteType type) {
  return cuteForeignTypeWithElement(reader->context, type, cuteStringRef("i1"));
}

// Texts of the scratch arena.
__attribute__((format(printf, 2, 3))) const char *
cuteInfixPrint(CuteReader *reader, const char *format, ...) {
  CuteString text = {0};
  CUTE_APPEND_ARGUMENTS(&text, format);
  return cuteArenaTakeString(&reader->context->scratch, &text);
}

const char *cuteInfixTextOf(CuteReader *reader, CuteType type) {
  CuteString text = {0};
  cuteAppendType(&text, type, CUTE_FORM_PRETTY);
  return cuteArenaTakeString(&reader->context->scratch, &text);
}

// Makes a scalar int_tuple a number: one without a type if it is static.
static bool convertScalar(CuteReader *reader, CuteInfixTerm *term) {
  CuteType type = term->type;
  if (!cuteTypeIsKind(type, CUTE_TYPE_INT_TUPLE) || isTuple(type->tuple))
    return true;
  if (isStatic(type->tuple)) {
    CuteString text = {0};
    cuteAppendTuple(&text, type->tuple);
    term->text = cuteArenaTakeString(&reader->context->scratch, &text);
    term->type = NULL;
    return true;
  }
  CuteStringRef name = cuteStringRef(term->text);
  if (!cuteReaderTakeScalar(reader, term->at, &name))
    return false;
  cuteDirectOpsUse(reader, name);
  term->text = name.data;
  term->type = cuteValueTypesGet(&reader->values, reader->context, name);
  return true;
}

// Tells whether the term is a number or a vector of numbers.
static bool checkNumber(CuteReader *reader, CuteInfixTerm *term) {
  return (convertScalar(reader, term) && !term->type) ||
         numberOf(reader, term->type).kind ||
         cuteReaderFail(reader, term->at,
                        "expressions take index, i1, i8 to i64, floats and "
                        "vectors of them, not %s",
                        cuteInfixTextOf(reader, term->type));
}

static bool failSign(CuteReader *reader, const char *at, const char *what,
                     CuteType type) {
  return cuteReaderFail(reader, at,
                        "'%s' of %s depends on the sign; write '%ss' for "
                        "signed integers, '%su' for unsigned ones",
                        what, cuteInfixTextOf(reader, type), what, what);
}

//===-- Ops ---------------------------------------------------------------===//

static void setOp(CuteInfixTerm *term, CuteType type, const char *text) {
  CuteIntTuple shape = cuteTypeIsVector(type) ? term->shape : NULL;
  *term = (CuteInfixTerm){term->at, text, type, true, shape};
}

void cuteInfixWrite(CuteReader *reader, const CuteInfixTerm *term,
                    const char *name) {
  cuteSourceMapBeginOp(&reader->map, term->at);
  cuteStringAppendFormat(&reader->map.output, "%s=%s ", name, term->text);
}

// Writes the term if it is an op, and gives it a name.
void cuteInfixName(CuteReader *reader, CuteInfixTerm *term) {
  if (!term->isOp)
    return;
  const char *name = cuteReaderNewName(reader).data;
  if (term->at == reader->expression)
    term->at = reader->statement;
  cuteInfixWrite(reader, term, name);
  term->isOp = false;
  term->text = name;
}

static bool setConstant(CuteReader *reader, CuteInfixTerm *term,
                        CuteType type) {
  const char *text = term->text, *name = cuteInfixTextOf(reader, type);
  Number number = numberOf(reader, type);
  bool isWord = isalpha((unsigned char)*text), isWhole = !strchr(text, '.');
  if (isWord ? number.bits != 1 : !isWhole && number.kind != FLOAT)
    return cuteReaderFail(reader, term->at, "'%s' cannot be of type %s", text,
                          name);
  if (number.kind == FLOAT && isWhole && !strchr(text, 'x'))
    text = cuteInfixPrint(reader, "%s.0", text);
  bool isVector = cuteTypeIsVector(type), isTruth = isWord && !isVector;
  setOp(term, type,
        cuteInfixPrint(reader, "arith.constant %s%s%s%s%s",
                       isVector ? "dense<" : "", text, isVector ? ">" : "",
                       isTruth ? "" : " : ", isTruth ? "" : name));
  return true;
}

// Makes the term one of the type: gives it to a number, and broadcasts an
// element to a vector.
bool cuteInfixConvert(CuteReader *reader, CuteInfixTerm *term, CuteType type) {
  const char *name = cuteInfixTextOf(reader, type);
  if (term->type == type)
    return true;
  if (!numberOf(reader, type).kind)
    return cuteReaderFail(reader, term->at, "a number cannot be of type %s",
                          name);
  if (!term->type)
    return setConstant(reader, term, type);
  const char *own = cuteInfixTextOf(reader, term->type);
  if (!cuteTypeIsVector(type) || elementOf(reader, type) != term->type)
    return cuteReaderFail(reader, term->at, "this is of type %s, not %s", own,
                          name);
  cuteInfixName(reader, term);
  setOp(term, type,
        cuteInfixPrint(reader, "vector.broadcast %s : %s to %s", term->text,
                       own, name));
  return true;
}

bool cuteInfixUnify(CuteReader *reader, const char *what, size_t n,
                    CuteInfixTerm *terms, CuteType ofNumbers) {
  CuteType type = NULL;
  for (size_t i = 0; i < n; ++i) {
    if (!checkNumber(reader, &terms[i]))
      return false;
    CuteType own = terms[i].type;
    if (own && (!type || !cuteTypeIsVector(type)))
      type = own;
  }
  type = type ? type : ofNumbers;
  if (!type)
    return cuteReaderFail(reader, terms->at,
                          "the operands of '%s' are numbers without a type; "
                          "give one its type, as in i32(1) or f32(1.0)",
                          what);
  CuteType element = elementOf(reader, type);
  for (size_t i = 0; i < n; ++i) {
    CuteType own = terms[i].type;
    if (own && own != type && own != element)
      return cuteReaderFail(
          reader, terms[i].at, "'%s' of %s and %s; convert one, as by %s(...)",
          what, cuteInfixTextOf(reader, own), cuteInfixTextOf(reader, type),
          cuteInfixTextOf(reader, element));
    if (!cuteInfixConvert(reader, &terms[i], type))
      return false;
    cuteInfixName(reader, &terms[i]);
    terms->shape = terms->shape ? terms->shape : terms[i].shape;
  }
  return true;
}

// The op for numbers of the type; null with an error. Index is signed unless
// the text says otherwise.
static const char *choose(CuteReader *reader, const CuteInfixOperator *op,
                          char sign, const char *at, CuteType type) {
  Number number = numberOf(reader, type);
  bool isFloat = number.kind == FLOAT;
  const char *chosen = isFloat       ? op->onFloats
                       : sign == 'u' ? op->onUnsigned
                                     : op->onSigned;
  if (!chosen || (isFloat && sign))
    cuteReaderFail(reader, at, "'%s%.1s' takes integers, not %s", op->text,
                   &sign, cuteInfixTextOf(reader, type));
  else if (op->precedence <= AND && op->precedence && number.bits != 1)
    cuteReaderFail(reader, at,
                   "'%s' takes i1, not %s; write '%s' for the bits of integers",
                   op->text, cuteInfixTextOf(reader, type),
                   op->precedence == OR ? "|" : "&");
  else if (number.kind == INTEGER && hasSign(op) && !sign)
    failSign(reader, at, op->text, type);
  else
    return chosen;
  return NULL;
}

// Makes *left the op of both terms.
bool cuteInfixCombine(CuteReader *reader, const CuteInfixOperator *op,
                      char sign, const char *at, CuteInfixTerm *left,
                      const CuteInfixTerm *right) {
  CuteInfixTerm terms[2] = {*left, *right};
  if (!cuteInfixUnify(reader, op->text, 2, terms, NULL))
    return false;
  CuteType type = terms->type;
  const char *chosen = choose(reader, op, sign, at, type);
  if (!chosen)
    return false;
  *left = (CuteInfixTerm){.at = at, .shape = terms->shape};
  setOp(left, op->precedence == COMPARISON ? truthOf(reader, type) : type,
        cuteInfixPrint(reader, "%s %s, %s : %s", chosen, terms[0].text,
                       terms[1].text, cuteInfixTextOf(reader, type)));
  return true;
}

bool cuteInfixNegate(CuteReader *reader, const char *at, CuteInfixTerm *term) {
  cuteInfixName(reader, term);
  if (!checkNumber(reader, term))
    return false;
  if (!term->type || numberOf(reader, term->type).kind != FLOAT) {
    CuteInfixTerm zero = {.at = at, .text = "0"};
    bool ok =
        cuteInfixCombine(reader, cuteInfixFind("-"), '\0', at, &zero, term);
    *term = zero;
    return ok;
  }
  term->at = at;
  setOp(term, term->type,
        cuteInfixPrint(reader, "arith.negf %s : %s", term->text,
                       cuteInfixTextOf(reader, term->type)));
  return true;
}

//===-- Functions ---------------------------------------------------------===//

// Ops between kinds of numbers, to more bits or to fewer where that matters.
// Index counts as signed.
static const struct {
  NumberKind from, to;
  int growth;
  CuteInfixOperator op;
} conversions[] = {
    {FLOAT, FLOAT, 1, {.onSigned = "extf", "extf"}},
    {FLOAT, FLOAT, -1, {.onSigned = "truncf", "truncf"}},
    {INTEGER, INTEGER, 1, {.onSigned = "extsi", "extui"}},
    {INTEGER, INTEGER, -1, {.onSigned = "trunci", "trunci"}},
    {INTEGER, FLOAT, 0, {.onSigned = "sitofp", "uitofp"}},
    {FLOAT, INTEGER, 0, {.onSigned = "fptosi", "fptoui"}},
    {INTEGER, INDEX, 0, {.onSigned = "index_cast", "index_castui"}},
    {INDEX, INTEGER, 0, {.onSigned = "index_cast", "index_castui"}},
};

static const CuteInfixOperator *findConversion(Number from, Number to) {
  int growth = (to.bits > from.bits) - (to.bits < from.bits);
  for (size_t i = 0; i < sizeof conversions / sizeof *conversions; ++i)
    if (conversions[i].from == from.kind && conversions[i].to == to.kind &&
        (!conversions[i].growth || conversions[i].growth == growth))
      return &conversions[i].op;
  return NULL;
}

bool cuteInfixIsConversion(CuteStringRef name, char *sign) {
  for (size_t i = 0; i < sizeof conversions / sizeof *conversions; ++i) {
    const CuteInfixOperator *op = &conversions[i].op;
    bool isSigned = cuteTextEquals(name, op->onSigned);
    if (!isSigned && !cuteTextEquals(name, op->onUnsigned))
      continue;
    *sign = hasSign(op) ? isSigned ? 's' : 'u' : '\0';
    return true;
  }
  return false;
}

static bool cast(CuteReader *reader, const CuteInfixFunction *function,
                 const char *at, CuteInfixTerm *term) {
  CuteType to = cuteTypeGetForeign(reader->context, function->name);
  bool isScalar = cuteTypeIsKind(term->type, CUTE_TYPE_INT_TUPLE);
  if (!checkNumber(reader, term))
    return false;
  CuteType from = term->type;
  if (!from || (from == to && isScalar))
    return cuteInfixConvert(reader, term, to);
  Number numbers[] = {numberOf(reader, from), numberOf(reader, to)};
  const CuteInfixOperator *op = findConversion(numbers[0], numbers[1]);
  const char *name = cuteInfixTextOf(reader, to);
  if (!op)
    return cuteReaderFail(reader, at,
                          elementOf(reader, from) == to
                              ? "'%s(...)' of %s converts nothing"
                              : "no op converts to %s from %s; convert to "
                                "another type between, such as i32 or f32",
                          name, cuteInfixTextOf(reader, from));
  if (hasSign(op) && !function->sign && numbers[0].kind != INDEX &&
      numbers[1].kind != INDEX)
    return failSign(reader, at, name, from);
  CuteType type =
      cuteForeignTypeWithElement(reader->context, from, function->name);
  cuteInfixName(reader, term);
  term->at = at;
  setOp(term, type,
        cuteInfixPrint(reader, "arith.%s %s : %s to %s",
                       function->sign == 'u' ? op->onUnsigned : op->onSigned,
                       term->text, cuteInfixTextOf(reader, from),
                       cuteInfixTextOf(reader, type)));
  return true;
}

size_t cuteInfixCountOperands(CuteStringRef name) {
  static const struct {
    const char *prefix;
    size_t count;
  } rows[] = {
      {"arith.negf", 1},     {"arith.select", 3}, {"arith.cmp", 0},
      {"arith.constant", 0}, {"arith.ext", 0},    {"arith.trunc", 0},
      {"arith.fpto", 0},     {"arith.index_", 0}, {"arith.bitcast", 0},
      {"arith.sitofp", 0},   {"arith.uitofp", 0}, {"arith.addui_", 0},
      {"arith.mulsi_", 0},   {"arith.mului_", 0}, {"arith.scaling_", 0},
      {"arith.convertf", 0}, {"arith.", 2},       {"math.atan2", 2},
      {"math.copysign", 2},  {"math.powf", 2},    {"math.ipowi", 2},
      {"math.fma", 3},       {"math.sincos", 0},  {"math.fpowi", 0},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    if (cuteTextStartsWith(name, rows[i].prefix))
      return rows[i].count;
  return 1;
}

// The type of select's condition as its text has it: nothing for i1.
static const char *conditionOf(CuteReader *reader, CuteInfixTerm *condition,
                               CuteType type) {
  CuteType truth = truthOf(reader, type), i1 = elementOf(reader, truth);
  if (!condition->type && !cuteInfixConvert(reader, condition, i1))
    return NULL;
  if (condition->type != truth && condition->type != i1)
    cuteReaderFail(reader, condition->at, "the condition is of type %s, not %s",
                   cuteInfixTextOf(reader, condition->type),
                   cuteInfixTextOf(reader, truth));
  else if (condition->type != i1)
    return cuteInfixPrint(reader, "%s, ", cuteInfixTextOf(reader, truth));
  else
    return "";
  return NULL;
}

static bool checkCount(CuteReader *reader, const char *name, size_t wanted,
                       const char *at, size_t n) {
  if (!wanted)
    return cuteReaderFail(reader, at,
                          "'%s' is not a function; write an operator, a "
                          "conversion such as f32(%%x), or the op by itself",
                          name);
  return n == wanted ||
         cuteReaderFail(reader, at, "%s takes %zu operand%s, not %zu", name,
                        wanted, wanted == 1 ? "" : "s", n);
}

// Makes *args the op of arith or math; the first operand of select is apart.
static bool call(CuteReader *reader, const CuteInfixFunction *function,
                 const char *at, size_t n, CuteInfixTerm *args) {
  CuteStringRef flags = function->flags;
  const char *name = cuteInfixPrint(reader, "%.*s", CUTE_TEXT(function->name));
  bool isSelect = !strcmp(name, "arith.select");
  if (!checkCount(reader, name, cuteInfixCountOperands(function->name), at,
                  n) ||
      !cuteInfixUnify(reader, name, n - isSelect, args + isSelect, NULL))
    return false;
  CuteType type = args[n - 1].type;
  const char *first = isSelect ? conditionOf(reader, args, type) : "";
  if (!first)
    return false;
  cuteInfixName(reader, args);
  const char *operands = args->text;
  for (size_t i = 1; i < n; ++i)
    operands = cuteInfixPrint(reader, "%s, %s", operands, args[i].text);
  if (flags.length)
    operands =
        cuteInfixPrint(reader, "%s fastmath<%.*s>", operands, CUTE_TEXT(flags));
  bool isTruth = cuteTextStartsWith(function->name, "math.is");
  args->shape = args[isSelect].shape;
  args->at = at;
  setOp(args, isTruth ? truthOf(reader, type) : type,
        cuteInfixPrint(reader, "%s %s : %s%s", name, operands, first,
                       cuteInfixTextOf(reader, type)));
  return true;
}

bool cuteInfixCall(CuteReader *reader, const CuteInfixFunction *function,
                   const char *at, size_t n, CuteInfixTerm *args) {
  if (function->op)
    return checkCount(reader, function->op->text, 2, at, n) &&
           cuteInfixCombine(reader, function->op, function->sign, at, args,
                            args + 1);
  if (function->rows)
    return cuteInfixReduceRows(reader, function->rows, at, n, args);
  if (function->isConversion)
    return checkCount(reader, "a conversion", 1, at, n) &&
           cast(reader, function, at, args);
  return call(reader, function, at, n, args);
}
