// Expressions that are operands of another dialect's op, `return %x + 1 : i32`:
// their ops are written before its statement (docs/expressions.md).
#include "Text/foreign_op.h"
#include "Text/infix.h"
#include "Text/reader_parts.h"

typedef struct CuteForeignOperand {
  const char *start, *end;
  CuteStringRef name;
} Operand;

static const struct {
  const char *prefix;
  char bracket;
  const char *type;
} rows[] = {
#define RESULT(prefix, rule, type)
#define NUMBERS(prefix, bracket, type) {prefix, bracket, type},
#include "foreign_ops.def"
#undef RESULT
#undef NUMBERS
};

enum { NUM_ROWS = sizeof rows / sizeof *rows };

// A place in an op, with what brackets it is in.
typedef struct Scan {
  CuteReader *reader;
  CuteStringRef op; // from its name on
  size_t row;       // NUM_ROWS if it has none, and more before it is known
  CuteNesting nesting;
  size_t commas[2];   // outside of brackets, and in the last ones
  CuteStringRef word; // the last token outside of brackets
  char before;        // the character that the last token begins with
} Scan;

// Finds the op's row, once it matters.
static size_t rowOf(Scan *scan) {
  if (scan->row > NUM_ROWS)
    for (scan->row = 0; scan->row < NUM_ROWS; ++scan->row)
      if (cuteTextStartsWith(scan->op, rows[scan->row].prefix))
        break;
  return scan->row;
}

static CuteType typeOfNumber(Scan *scan) {
  size_t depth = scan->nesting.depth;
  char bracket = depth ? scan->nesting.open[0] : '\0';
  size_t row = depth > 1 ? NUM_ROWS : rowOf(scan);
  if (row == NUM_ROWS || rows[row].bracket != bracket)
    return NULL;
  const char *type = rows[row].type;
  if (type && bracket == '(' && !cuteTextEquals(scan->word, "in"))
    return NULL;
  CuteContext context = scan->reader->context;
  if (type)
    return cuteTypeGetForeign(context, cuteStringRef(type));
  CuteType listed =
      cuteForeignOpGetOperandType(context, scan->op, scan->commas[depth]);
  return listed ? cuteReaderResolve(scan->reader, listed) : NULL;
}

// Tells whether an operator is next that no op has after an operand.
static bool continues(CuteLexer lexer) {
  char next = cuteLexerPeek(&lexer);
  if (!next || strchr(",:(){}[]%@", next))
    return false;
  bool isDouble = lexer.end - lexer.at > 1 && lexer.at[1] == next;
  return (!strchr("<>", next) || isDouble) && cuteInfixContinues(lexer);
}

static bool isNumber(const char *at, const char *end) {
  at += at < end && *at == '-';
  return at < end && *at >= '0' && *at <= '9';
}

// Tells whether an expression is next, not just a value or a bracket, and which
// type it has if it is a number.
static bool isExpression(Scan *scan, CuteType *type) {
  CuteLexer lexer = scan->reader->lexer, after = lexer;
  CuteStringRef text;
  *type = NULL;
  if (memchr(scan->nesting.open, '{', scan->nesting.depth) ||
      memchr(scan->nesting.open, '<', scan->nesting.depth)) // of a type
    return false;
  if (isNumber(lexer.at, lexer.end))
    return (*type = typeOfNumber(scan)) != NULL;
  CuteToken token = cuteLexerNext(&after, &text);
  bool isOne = cuteTextEquals(text, "-")
                   ? cuteLexerPeek(&after) == '%'
                   : token == CUTE_TOKEN_VALUE && continues(after);
  if (token == CUTE_TOKEN_IDENTIFIER && scan->before != '=')
    isOne = cuteReaderIsOp(lexer) ||
            (strchr("(<", cuteLexerPeek(&after)) &&
             !cuteTextEquals(text, "not") && cuteInfixIsNext(lexer));
  return isOne && (rowOf(scan) == NUM_ROWS || rows[rowOf(scan)].bracket != ' ');
}

// Takes the expression, and writes its ops.
static bool takeExpression(Scan *scan, CuteType type) {
  CuteReader *reader = scan->reader;
  Operand operand = {.start = reader->lexer.at};
  CuteArenaMark mark = cuteArenaGetMark(&reader->context->scratch);
  bool ok = cuteInfixTake(reader, type, &operand.name);
  cuteArenaReset(&reader->context->scratch, mark);
  operand.end = reader->lexer.at;
  scan->before = 'x';
  if (ok)
    CUTE_ARENA_PUSH(cuteTaskGetArena(), reader->foreign, reader->numForeign,
                    operand);
  return ok;
}

static bool takeToken(Scan *scan) {
  CuteStringRef text;
  size_t depth = scan->nesting.depth;
  CuteLexer *lexer = &scan->reader->lexer;
  CuteToken token = cuteLexerNext(lexer, &text);
  bool isMark = token == CUTE_TOKEN_PUNCTUATION;
  if (isMark && *text.data == ':' && lexer->at < lexer->end &&
      *lexer->at == ':') // @module::@kernel
    ++lexer->at;
  if (isMark && *text.data == ',')
    ++scan->commas[depth > 0];
  if (isMark && !cuteNestingUpdate(&scan->nesting, *text.data))
    return false;
  if (scan->nesting.depth > depth)
    scan->commas[1] = 0;
  else if (!depth)
    scan->word = text;
  scan->before = *text.data;
  return token != CUTE_TOKEN_END;
}

// Tells whether the op's operands end before what is next.
static bool isEnd(Scan *scan) {
  CuteLexer *lexer = &scan->reader->lexer;
  const char *before = lexer->at;
  CuteStringRef text;
  char next = cuteLexerPeek(lexer);
  if (lexer->at == lexer->end)
    return true;
  if (scan->nesting.depth)
    return false;
  if (strchr("{}:", next))
    return next != ':' || lexer->at + 1 == lexer->end || lexer->at[1] != ':';
  CuteLexer after = *lexer;
  return memchr(before, '\n', (size_t)(lexer->at - before)) &&
         (cuteLexerNext(&after, &text) != CUTE_TOKEN_IDENTIFIER ||
          cuteForeignOpIsName(text) || cuteTextEquals(text, "yield") ||
          cuteControlIsNext(*lexer));
}

// Tells whether the name before is that of an attribute.
static bool isAttribute(CuteLexer after) {
  return strchr("=,", cuteLexerPeek(&after)) != NULL;
}

bool cuteReaderTakeForeign(CuteReader *reader, const char *statement) {
  CuteLexer start = reader->lexer, after = start;
  CuteStringRef name;
  cuteLexerSkipTrivia(&start);
  if (cuteLexerNext(&after, &name) != CUTE_TOKEN_IDENTIFIER ||
      !cuteForeignOpIsName(name) || cuteTextStartsWith(name, "cute.") ||
      isAttribute(after) || reader->copied > statement)
    return true;
  Scan scan;
  scan.reader = reader;
  scan.op = (CuteStringRef){start.at, (size_t)(start.end - start.at)};
  scan.row = NUM_ROWS + 1;
  scan.nesting.depth = scan.commas[0] = scan.commas[1] = 0;
  scan.word = name;
  scan.before = *name.data;
  const char *outer = reader->statement;
  CuteType type;
  bool ok = true;
  reader->numForeign = reader->nextForeign = 0;
  reader->foreign = NULL;
  reader->lexer = after;
  while (ok && !isEnd(&scan)) {
    reader->statement = statement;
    reader->expression = NULL;
    if (isExpression(&scan, &type))
      ok = takeExpression(&scan, type);
    else if (!takeToken(&scan))
      break;
  }
  reader->statement = outer;
  if (ok)
    reader->lexer = start;
  return ok;
}

bool cuteReaderReplaceForeign(CuteReader *reader, const char *at) {
  if (reader->nextForeign == reader->numForeign ||
      reader->foreign[reader->nextForeign].start != at)
    return false;
  Operand operand = reader->foreign[reader->nextForeign++];
  cuteReaderFlush(reader, at);
  cuteSourceMapReplace(&reader->map, at);
  cuteStringAppendBytes(&reader->map.output, operand.name.data,
                        operand.name.length);
  reader->copied = reader->lexer.at = operand.end;
  return true;
}
