// Reads expressions: values, numbers, parentheses, functions and operators.
#include "Text/infix_parts.h"
#include "Text/reader_parts.h"

#include <ctype.h>

enum { MAX_DEPTH = 256, MAX_OPERANDS = 3 }; // of parentheses; of functions

// Reads operators of at least the precedence, and their operands.
static bool takeTerms(CuteReader *reader, int precedence, CuteInfixTerm *term);

//===-- Functions ---------------------------------------------------------===//

static bool isType(CuteStringRef name) {
  CuteElementType element;
  return cuteTextEquals(name, "index") ||
         (cuteElementTypeFind(name, &element) && *name.data != 'u');
}

// Reads f32, or f32s and f32u of integers with that sign.
static bool isConversion(CuteStringRef name, CuteInfixFunction *function) {
  char last = name.data[name.length - 1];
  if (!isType(name) && (last == 's' || last == 'u')) {
    function->sign = last;
    --name.length;
  }
  if (!isType(name))
    return false;
  function->name = name;
  return true;
}

// Takes `<afn, contract>`, if it is next.
static bool takeFlags(CuteLexer *lexer, CuteStringRef *flags) {
  CuteStringRef text;
  if (!cuteLexerTake(lexer, '<'))
    return true;
  flags->data = lexer->at;
  while (cuteLexerNext(lexer, &text) == CUTE_TOKEN_IDENTIFIER &&
         cuteLexerTake(lexer, ','))
    ;
  flags->length = (size_t)(lexer->at - flags->data);
  return cuteLexerTake(lexer, '>');
}

static bool takeName(CuteLexer *lexer, CuteInfixFunction *function) {
  CuteLexer after = *lexer;
  CuteStringRef *name = &function->name;
  function->op = cuteInfixTakeOperator(&after, &function->sign);
  if (function->op) {
    *lexer = after;
    return !function->op->precedence;
  }
  if (cuteLexerNext(lexer, name) != CUTE_TOKEN_IDENTIFIER)
    return false;
  function->isConversion = isConversion(*name, function);
  function->rows = cuteInfixFindRows(*name);
  return function->isConversion || function->rows ||
         ((cuteTextStartsWith(*name, "arith.") ||
           cuteTextStartsWith(*name, "math.")) &&
          takeFlags(lexer, &function->flags));
}

// Takes the function's name and the parenthesis after it.
static bool takeFunction(CuteLexer *lexer, CuteInfixFunction *function) {
  CuteLexer after = *lexer;
  *function = (CuteInfixFunction){0};
  if (!takeName(&after, function) || !cuteLexerTake(&after, '('))
    return false;
  *lexer = after;
  return true;
}

//===-- Terms and operators -----------------------------------------------===//

static const char *skip(const char *at, const char *end, int (*isIn)(int)) {
  while (at < end && isIn((unsigned char)*at))
    ++at;
  return at;
}

// The end of 12, 0x1F, 1.5 or 1.5e-3. The dots of 0..4 are none of it.
static const char *endOfNumber(const char *at, const char *end) {
  if (end - at > 1 && at[0] == '0' && at[1] == 'x')
    return skip(at + 2, end, isxdigit);
  at = skip(at, end, isdigit);
  if (end - at < 2 || *at != '.' || at[1] == '.')
    return at;
  at = skip(at + 1, end, isdigit);
  if (at == end || (*at != 'e' && *at != 'E'))
    return at;
  at += end - at > 1 && strchr("+-", at[1]) ? 2 : 1;
  return skip(at, end, isdigit);
}

// Takes a number, with a minus before it if there is one.
static bool takeNumber(CuteReader *reader, CuteInfixTerm *term) {
  CuteLexer *lexer = &reader->lexer;
  const char *start = lexer->at;
  lexer->at = endOfNumber(start + (*start == '-'), lexer->end);
  CuteStringRef text = {start, (size_t)(lexer->at - start)};
  if (!cuteReaderCheckToken(reader, CUTE_TOKEN_NUMBER, text))
    return false;
  const char *copy = cuteInfixPrint(reader, "%.*s", (int)text.length, start);
  *term = (CuteInfixTerm){.at = start, .text = copy};
  return lexer->at == lexer->end ||
         !(isalnum((unsigned char)*lexer->at) || *lexer->at == '_') ||
         cuteReaderFail(reader, start,
                        "'%s%c' is not a number; write one as 12, 0x1F, 1.5 or "
                        "1.5e-3",
                        copy, *lexer->at);
}

static bool failUnknown(CuteReader *reader, CuteStringRef name) {
  if (memchr(name.data, '-', name.length))
    return cuteReaderFail(reader, name.data,
                          "'%.*s' is not known here; names may have a '-' in "
                          "them: write a space before an operator",
                          CUTE_TEXT(name));
  return cuteReaderFailUnknownValue(reader, name, "");
}

void cuteInfixSetType(CuteReader *reader, CuteStringRef name, CuteType type,
                      CuteIntTuple shape) {
  cuteValueTypesSet(&reader->values, name, cuteValueTypesAddTypes(1, &type), 0);
  cuteValueTypesSetShape(&reader->values, name, shape);
}

// Makes the term the value of that name.
static bool setValue(CuteReader *reader, const char *at, CuteStringRef name,
                     CuteInfixTerm *term) {
  CuteType type = cuteValueTypesGet(&reader->values, reader->context, name);
  if (!type)
    return failUnknown(reader, name);
  *term = (CuteInfixTerm){
      .at = at,
      .text = cuteArenaCopyText(cuteTaskGetArena(), name.data, name.length),
      .type = cuteReaderResolve(reader, type),
      .shape = cuteValueTypesGetShape(&reader->values, reader->context, name)};
  cuteDirectOpsUse(reader, cuteStringRef(term->text));
  return true;
}

// Takes an index in brackets after the value; the result has the name `result`,
// or a new one if that is empty.
static bool takeIndex(CuteReader *reader, CuteStringRef result,
                      CuteStringRef *name) {
  CuteReaderParts parts = {0};
  if (!cuteReaderTakeSlice(reader, &parts, true, name))
    return false;
  CuteReaderLiteral op = parts.literals[--parts.numLiterals];
  op.parts.literals = parts.literals;
  op.parts.numLiterals = parts.numLiterals;
  if (result.length) {
    cuteInfixSetType(
        reader, result, *op.parts.results,
        cuteValueTypesGetShape(&reader->values, reader->context, *name));
    op.name = *name = result;
  }
  return cuteReaderWriteBefore(reader, &op);
}

// Takes a value, or an op of the dialect, with the indices after it.
static bool takeValue(CuteReader *reader, CuteInfixTerm *term) {
  CuteLexer *lexer = &reader->lexer;
  const char *at = lexer->at;
  CuteStringRef name;
  if (cuteReaderIsOp(*lexer)) {
    if (!cuteReaderTakeNested(reader, &name))
      return false;
  } else {
    cuteReaderTakeName(lexer, &name);
    if (!cuteReaderCheckToken(reader, CUTE_TOKEN_VALUE, name))
      return false;
  }
  while (lexer->at < lexer->end && *lexer->at == '[')
    if (!takeIndex(reader, (CuteStringRef){0}, &name))
      return false;
  return setValue(reader, at, name, term);
}

static bool takeCall(CuteReader *reader, const CuteInfixFunction *function,
                     const char *at, CuteInfixTerm *term) {
  CuteInfixTerm args[MAX_OPERANDS];
  size_t n = 0;
  do {
    if (n == MAX_OPERANDS)
      return cuteReaderFail(reader, at, "a function takes at most %d operands",
                            MAX_OPERANDS);
    if (n)
      cuteInfixName(reader, &args[n - 1]);
    if (!takeTerms(reader, OR, &args[n++]))
      return false;
  } while (cuteLexerTake(&reader->lexer, ','));
  bool ok = cuteReaderExpect(reader, ')', "after the operands") &&
            cuteInfixCall(reader, function, at, n, args);
  *term = *args;
  return ok;
}

bool cuteInfixTakeWord(CuteLexer *lexer, const char *word) {
  CuteLexer after = *lexer;
  CuteStringRef text;
  if (cuteLexerNext(&after, &text) != CUTE_TOKEN_IDENTIFIER ||
      !cuteTextEquals(text, word))
    return false;
  *lexer = after;
  return true;
}

static bool takeTerm(CuteReader *reader, CuteInfixTerm *term) {
  CuteLexer *lexer = &reader->lexer;
  char next = cuteLexerPeek(lexer);
  const char *at = lexer->at, *second = at + (next == '-');
  CuteInfixFunction function;
  if (next && second < lexer->end && isdigit((unsigned char)*second))
    return takeNumber(reader, term);
  if (next == '%' || cuteReaderIsOp(*lexer))
    return takeValue(reader, term);
  if (cuteLexerTake(lexer, '-'))
    return takeTerms(reader, UNARY, term) && cuteInfixNegate(reader, at, term);
  if (cuteLexerTake(lexer, '('))
    return takeTerms(reader, OR, term) &&
           cuteReaderExpect(reader, ')', "after the expression");
  if (takeFunction(lexer, &function))
    return takeCall(reader, &function, at, term);
  *term = (CuteInfixTerm){.at = at, .text = next == 't' ? "true" : "false"};
  return cuteInfixTakeWord(lexer, term->text) ||
         cuteReaderFail(reader, at,
                        "expected a value such as %%x, a number, or a function "
                        "such as max(%%x, 0), f32(%%h) or math.exp2(%%x)");
}

static bool takeNot(CuteReader *reader, const char *at, CuteInfixTerm *term) {
  CuteInfixTerm yes = {.at = at, .text = "true"};
  if (!takeTerms(reader, NOT, term))
    return false;
  cuteInfixName(reader, term);
  return cuteInfixCombine(reader, cuteInfixFind("xor"), '\0', at, term, &yes);
}

// Takes operators of at least the precedence, and their operands, after a term.
static bool takeOperators(CuteReader *reader, int precedence,
                          CuteInfixTerm *term) {
  CuteLexer *lexer = &reader->lexer;
  for (;;) {
    CuteLexer after = *lexer;
    CuteInfixTerm right;
    char sign;
    cuteLexerSkipTrivia(&after);
    const char *at = after.at;
    const CuteInfixOperator *op = cuteInfixTakeOperator(&after, &sign);
    if (!op || op->precedence < precedence)
      return true;
    *lexer = after;
    cuteInfixName(reader, term);
    if (!takeTerms(reader, op->precedence + 1, &right) ||
        !cuteInfixCombine(reader, op, sign, at, term, &right))
      return false;
  }
}

static bool takeTerms(CuteReader *reader, int precedence, CuteInfixTerm *term) {
  CuteLexer *lexer = &reader->lexer;
  cuteLexerSkipTrivia(lexer);
  const char *at = lexer->at;
  if (reader->depth == MAX_DEPTH)
    return cuteReaderFail(reader, at, "expressions nest more than %d deep",
                          MAX_DEPTH);
  ++reader->depth;
  bool ok = (precedence <= NOT && cuteInfixTakeWord(lexer, "not")
                 ? takeNot(reader, at, term)
                 : takeTerm(reader, term)) &&
            takeOperators(reader, precedence, term);
  --reader->depth;
  return ok;
}

//===-- Entry points ------------------------------------------------------===//

bool cuteInfixContinues(CuteLexer lexer) {
  char sign;
  const CuteInfixOperator *op = cuteInfixTakeOperator(&lexer, &sign);
  return op && op->precedence;
}

bool cuteInfixIsNext(CuteLexer lexer) {
  CuteInfixFunction function;
  char next = cuteLexerPeek(&lexer);
  const char *at = lexer.at + (next == '-');
  if (at < lexer.end && isdigit((unsigned char)*at))
    return memchr(at, '.', (size_t)(endOfNumber(at, lexer.end) - at));
  return cuteReaderIsOp(lexer) || cuteInfixTakeWord(&lexer, "not") ||
         cuteInfixTakeWord(&lexer, "true") ||
         cuteInfixTakeWord(&lexer, "false") || takeFunction(&lexer, &function);
}

// Tells whether the name at the place is a loop's variable, as in
// scf.for unsigned %i = %a to %b.
static bool isVariable(const CuteReader *reader, const char *at) {
  static const char *const words[] = {".for", "unsigned"};
  const char *begin = reader->map.source.data;
  while (at > begin && strchr(" \t\r\n", at[-1]))
    --at;
  for (size_t i = 0; i < 2; ++i) {
    size_t n = strlen(words[i]);
    if ((size_t)(at - begin) >= n && !memcmp(at - n, words[i], n))
      return true;
  }
  return false;
}

bool cuteInfixIsDefinition(const CuteReader *reader, char previous) {
  CuteLexer lexer = reader->lexer;
  size_t depth = reader->nesting.depth;
  if (strchr("(,", previous ? previous : 'x') ||
      (depth && reader->nesting.open[depth - 1] != '{') ||
      cuteReaderIsOp(lexer) || isVariable(reader, reader->defined[0].data))
    return false;
  char next = cuteLexerPeek(&lexer);
  return (next && strchr("%(-0123456789", next)) || cuteInfixIsNext(lexer);
}

void cuteInfixDefine(CuteReader *reader, CuteStringRef name, CuteType type,
                     CuteIntTuple shape) {
  cuteDirectOpsDefine(reader, name);
  cuteInfixSetType(reader, name, type, shape);
  cuteReaderTellOfValues(reader, name, 1);
}

// Takes the first term, which may be an op of the dialect that has been read,
// and what follows.
static bool takeDefined(CuteReader *reader, CuteStringRef name,
                        CuteReaderParts *first, CuteInfixTerm *term) {
  if (reader->numDefined != 1 || reader->definedCounts[0] != 1)
    return cuteReaderFail(reader, name.data, "an expression has one value");
  CuteStringRef value;
  if (first ? !cuteReaderFinishNested(reader, first, &value) ||
                  !setValue(reader, first->start, value, term) ||
                  !takeOperators(reader, OR, term)
            : !takeTerms(reader, OR, term))
    return false;
  bool isTyped = cuteLexerTake(&reader->lexer, ':');
  if (!isTyped && !term->type)
    return cuteReaderFail(reader, term->at,
                          "the number has no type; write it after the number, "
                          "as in 1 : i32");
  CuteType type = isTyped ? cuteReaderTakeType(reader) : term->type;
  if (!type || !cuteInfixConvert(reader, term, type))
    return false;
  return term->isOp || cuteTextEquals(name, term->text) ||
         cuteReaderFail(reader, term->at,
                        "'%.*s' would be another name of '%s'; use that",
                        CUTE_TEXT(name), term->text);
}

// Tells whether the definition is of a value with an index in brackets, and
// nothing else.
static bool isElement(const CuteReader *reader) {
  CuteLexer lexer = reader->lexer;
  CuteStringRef text;
  if (reader->numDefined != 1 || reader->definedCounts[0] != 1 ||
      cuteLexerNext(&lexer, &text) != CUTE_TOKEN_VALUE ||
      lexer.at == lexer.end || *lexer.at != '[' ||
      !cuteLexerSkipBracket(&lexer) || cuteInfixContinues(lexer))
    return false;
  char next = cuteLexerPeek(&lexer);
  return next != '[' && next != ':';
}

bool cuteInfixTakeDefinition(CuteReader *reader, CuteReaderParts *first) {
  CuteStringRef name = reader->defined[0], value;
  CuteArenaMark mark = cuteArenaGetMark(&reader->context->scratch);
  CuteInfixTerm term;
  cuteReaderFlush(reader, name.data);
  cuteLexerSkipTrivia(&reader->lexer);
  reader->statement = name.data;
  reader->expression = first ? first->start : reader->lexer.at;
  bool isAlone = !first && isElement(reader);
  if (isAlone)
    cuteLexerNext(&reader->lexer, &value);
  bool ok = isAlone ? takeIndex(reader, name, &value)
                    : takeDefined(reader, name, first, &term);
  if (ok && !isAlone && term.isOp) {
    term.at = reader->expression;
    cuteSourceMapCopy(&reader->map, name.data, name.data + name.length);
    cuteInfixWrite(reader, &term, "");
    cuteInfixDefine(reader, name, term.type, term.shape);
  } else if (ok) {
    cuteReaderTellOfValues(reader, name, 1);
  }
  if (ok) {
    reader->copied = reader->lexer.at;
    reader->numDefined = 0;
  }
  cuteArenaReset(&reader->context->scratch, mark);
  return ok;
}

bool cuteInfixTakeTerm(CuteReader *reader, CuteInfixTerm *term) {
  if (!takeTerms(reader, OR, term))
    return false;
  cuteInfixName(reader, term);
  return true;
}

static bool isVector(CuteType type) { return type && cuteTypeIsVector(type); }

// Gives the term the type, unless that is null, and a name. A truth is an i1.
static bool nameTerm(CuteReader *reader, CuteInfixTerm *term, CuteType type,
                     CuteStringRef *name) {
  if (!term->type && isalpha((unsigned char)*term->text) && !isVector(type))
    type = cuteTypeGetForeign(reader->context, cuteStringRef("i1"));
  if (!term->type && !type)
    return cuteReaderFail(reader, term->at,
                          "the number has no type; write it as in i32(1) or "
                          "f32(1.0)");
  if (type && !cuteInfixConvert(reader, term, type))
    return false;
  bool isNew = term->isOp;
  cuteInfixName(reader, term);
  *name = cuteStringRef(term->text);
  if (isNew)
    cuteInfixSetType(reader, *name, term->type, term->shape);
  return true;
}

bool cuteInfixTake(CuteReader *reader, CuteType expected, CuteStringRef *name) {
  CuteInfixTerm term;
  cuteReaderFlush(reader, reader->statement);
  return takeTerms(reader, OR, &term) &&
         nameTerm(reader, &term, term.type ? NULL : expected, name);
}

bool cuteInfixTakeTyped(CuteReader *reader, CuteType expected,
                        CuteStringRef *name) {
  CuteInfixTerm term;
  cuteReaderFlush(reader, reader->statement);
  if (!takeTerms(reader, OR, &term))
    return false;
  CuteType type = term.type ? NULL : expected;
  if (cuteLexerTake(&reader->lexer, ':') &&
      !(type = cuteReaderTakeType(reader)))
    return false;
  return nameTerm(reader, &term, type, name);
}
