// Reads expressions: values, numbers, parentheses, functions and operators.
#include "Text/infix_parts.h"
#include "Text/reader_parts.h"

#include <ctype.h>

enum { MAX_DEPTH = 256, MAX_OPERANDS = 3 }; // of parentheses; of functions

// Reads operators of at least the precedence, and their operands.
static bool takeTerms(CuteReader *reader, int precedence, size_t depth,
                      CuteInfixTerm *term);

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
  return function->isConversion || ((cuteTextStartsWith(*name, "arith.") ||
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
                        "'%s%c' is no number; write one as 12, 0x1F, 1.5 or "
                        "1.5e-3",
                        copy, *lexer->at);
}

// The length of %a in %a..%b.
static size_t lengthOfName(CuteStringRef text) {
  for (size_t i = 1; i < text.length; ++i)
    if (text.data[i] == '.' && text.data[i - 1] == '.')
      return i - 1;
  return text.length;
}

static bool takeValue(CuteReader *reader, CuteInfixTerm *term) {
  CuteStringRef name;
  cuteLexerNext(&reader->lexer, &name);
  name.length = lengthOfName(name);
  reader->lexer.at = name.data + name.length;
  if (!cuteReaderCheckToken(reader, CUTE_TOKEN_VALUE, name))
    return false;
  CuteType type = cuteValueTypesGet(&reader->values, reader->context, name);
  int length = (int)name.length;
  if (!type)
    return cuteReaderFail(reader, name.data,
                          memchr(name.data, '-', name.length)
                              ? "the type of '%.*s' is not known here; names "
                                "may have a '-' in them: write a space before "
                                "an operator"
                              : "the type of '%.*s' is not known here",
                          length, name.data);
  if (reader->lexer.at < reader->lexer.end && *reader->lexer.at == '[')
    return cuteReaderFail(reader, reader->lexer.at,
                          "an expression has no slices; name it before: %%s = "
                          "cute.slice_vector<\"(_,0)\"> (%.*s)",
                          length, name.data);
  cuteDirectOpsUse(reader, name);
  *term = (CuteInfixTerm){
      .at = name.data,
      .text = cuteArenaCopyText(&reader->values.arena, name.data, name.length),
      .type = cuteReaderResolve(reader, type),
      .shape = cuteValueTypesGetShape(&reader->values, reader->context, name)};
  return true;
}

static bool takeCall(CuteReader *reader, const CuteInfixFunction *function,
                     const char *at, size_t depth, CuteInfixTerm *term) {
  CuteInfixTerm args[MAX_OPERANDS];
  size_t n = 0;
  do {
    if (n == MAX_OPERANDS)
      return cuteReaderFail(reader, at, "a function takes at most %d operands",
                            MAX_OPERANDS);
    if (n)
      cuteInfixName(reader, &args[n - 1]);
    if (!takeTerms(reader, OR, depth + 1, &args[n++]))
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

static bool takeTerm(CuteReader *reader, size_t depth, CuteInfixTerm *term) {
  CuteLexer *lexer = &reader->lexer;
  char next = cuteLexerPeek(lexer);
  const char *at = lexer->at, *second = at + (next == '-');
  CuteInfixFunction function;
  if (depth > MAX_DEPTH)
    return cuteReaderFail(reader, at, "expressions nest more than %d deep",
                          MAX_DEPTH);
  if (next && second < lexer->end && isdigit((unsigned char)*second))
    return takeNumber(reader, term);
  if (next == '%')
    return takeValue(reader, term);
  if (cuteLexerTake(lexer, '-'))
    return takeTerm(reader, depth + 1, term) &&
           cuteInfixNegate(reader, at, term);
  if (cuteLexerTake(lexer, '('))
    return takeTerms(reader, OR, depth + 1, term) &&
           cuteReaderExpect(reader, ')', "after the expression");
  if (takeFunction(lexer, &function))
    return takeCall(reader, &function, at, depth, term);
  *term = (CuteInfixTerm){.at = at, .text = next == 't' ? "true" : "false"};
  return cuteInfixTakeWord(lexer, term->text) ||
         cuteReaderFail(reader, at,
                        "expected a value such as %%x, a number, or a function "
                        "such as max(%%x, 0), f32(%%h) or math.exp2(%%x)");
}

static bool takeNot(CuteReader *reader, const char *at, size_t depth,
                    CuteInfixTerm *term) {
  CuteInfixTerm yes = {.at = at, .text = "true"};
  if (!takeTerms(reader, NOT, depth + 1, term))
    return false;
  cuteInfixName(reader, term);
  return cuteInfixCombine(reader, cuteInfixFind("xor"), '\0', at, term, &yes);
}

static bool takeTerms(CuteReader *reader, int precedence, size_t depth,
                      CuteInfixTerm *term) {
  CuteLexer *lexer = &reader->lexer;
  cuteLexerSkipTrivia(lexer);
  const char *at = lexer->at;
  bool ok = precedence <= NOT && cuteInfixTakeWord(lexer, "not")
                ? takeNot(reader, at, depth, term)
                : takeTerm(reader, depth, term);
  while (ok) {
    CuteLexer after = *lexer;
    CuteInfixTerm right;
    char sign;
    cuteLexerSkipTrivia(&after);
    at = after.at;
    const CuteInfixOperator *op = cuteInfixTakeOperator(&after, &sign);
    if (!op || op->precedence < precedence)
      break;
    *lexer = after;
    cuteInfixName(reader, term);
    ok = takeTerms(reader, op->precedence + 1, depth + 1, &right) &&
         cuteInfixCombine(reader, op, sign, at, term, &right);
  }
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
  return cuteInfixTakeWord(&lexer, "not") || takeFunction(&lexer, &function);
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
      isVariable(reader, reader->defined[0].data))
    return false;
  char next = cuteLexerPeek(&lexer);
  return (next && strchr("%(-0123456789", next)) || cuteInfixIsNext(lexer) ||
         cuteInfixTakeWord(&lexer, "true") ||
         cuteInfixTakeWord(&lexer, "false");
}

static void setType(CuteReader *reader, CuteStringRef name, CuteType type,
                    CuteIntTuple shape) {
  cuteValueTypesSet(&reader->values, name,
                    cuteValueTypesAddTypes(&reader->values, 1, &type), 0);
  cuteValueTypesSetShape(&reader->values, name, shape);
}

void cuteInfixDefine(CuteReader *reader, CuteStringRef name, CuteType type,
                     CuteIntTuple shape) {
  cuteDirectOpsDefine(reader, name);
  setType(reader, name, type, shape);
  cuteReaderTellOfValues(reader, name, 1);
}

static bool takeDefined(CuteReader *reader, CuteStringRef name,
                        CuteInfixTerm *term) {
  if (reader->numDefined != 1 || reader->definedCounts[0] != 1)
    return cuteReaderFail(reader, name.data, "an expression has one value");
  if (!takeTerms(reader, OR, 0, term))
    return false;
  bool isTyped = cuteLexerTake(&reader->lexer, ':');
  if (!isTyped && !term->type)
    return cuteReaderFail(reader, term->at,
                          "the number has no type; write it after the number, "
                          "as in 1 : i32");
  CuteType type = isTyped ? cuteReaderTakeType(reader) : term->type;
  if (!type || !cuteInfixConvert(reader, term, type))
    return false;
  return term->isOp ||
         cuteReaderFail(reader, term->at,
                        "'%.*s' would be another name of '%s'; use that",
                        (int)name.length, name.data, term->text);
}

bool cuteInfixTakeDefinition(CuteReader *reader) {
  CuteStringRef name = reader->defined[0];
  CuteArenaMark mark = cuteArenaGetMark(&reader->context->scratch);
  CuteInfixTerm term;
  cuteReaderFlush(reader, name.data);
  cuteLexerSkipTrivia(&reader->lexer);
  reader->statement = name.data;
  reader->expression = reader->lexer.at;
  bool ok = takeDefined(reader, name, &term);
  if (ok) {
    term.at = reader->expression;
    cuteSourceMapCopy(&reader->map, name.data, name.data + name.length);
    cuteInfixWrite(reader, &term, "");
    cuteInfixDefine(reader, name, term.type, term.shape);
    reader->copied = reader->lexer.at;
    reader->numDefined = 0;
  }
  cuteArenaReset(&reader->context->scratch, mark);
  return ok;
}

bool cuteInfixTakeTerm(CuteReader *reader, CuteInfixTerm *term) {
  if (!takeTerms(reader, OR, 0, term))
    return false;
  cuteInfixName(reader, term);
  return true;
}

bool cuteInfixTake(CuteReader *reader, CuteType expected, CuteStringRef *name) {
  CuteInfixTerm term;
  cuteReaderFlush(reader, reader->statement);
  if (!takeTerms(reader, OR, 0, &term))
    return false;
  if (!term.type && !expected)
    return cuteReaderFail(reader, term.at,
                          "the number has no type; write it as in i32(1) or "
                          "f32(1.0)");
  if (!term.type && !cuteInfixConvert(reader, &term, expected))
    return false;
  bool isNew = term.isOp;
  cuteInfixName(reader, &term);
  *name = cuteStringRef(term.text);
  if (isNew)
    setType(reader, *name, term.type, term.shape);
  return true;
}
