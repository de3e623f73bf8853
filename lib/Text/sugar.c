// Prints sugar: finds which values have names, and which are parts of other
// statements.
#include "Text/sugar.h"
#include "Support/hash.h"
#include "Text/foreign_op.h"
#include "Text/infix_parts.h"

enum { LONGEST = 60, MAX_PENDING = 16 }; // of expressions within others

// A value of the text.
typedef struct Value {
  CuteStringRef name;
  CuteSugarLine *line; // of a number or an expression; may be null
  size_t uses;
  bool needsName, isKnown; // its type, to the reader
  CuteType type;           // of an MMA, or of what a vector is loaded from
  const char *text;        // of an expression that is part of what follows
} Value;

typedef struct Sugar {
  CuteDialect *dialect;
  CuteArena arena;
  CuteHashTable values; // the latest of each name
  size_t numLines;
  CuteSugarLine *lines;
  Value **defined; // of each line
  size_t depth;    // of regions
  CuteSugarForm regions[CUTE_MAX_NESTING];
  size_t numMmas; // that can be seen
  Value **mmas;
  // Expressions that are waiting to be parts of a statement.
  size_t numPending;
  Value *pending[MAX_PENDING];
  CuteString *output;
} Sugar;

//===-- Values ------------------------------------------------------------===//

static bool isNamed(const void *item, const void *name) {
  return cuteTextIsSame(((const Value *)item)->name,
                        *(const CuteStringRef *)name);
}

static Value *find(Sugar *sugar, CuteStringRef name) {
  const char *hash = memchr(name.data, '#', name.length);
  if (hash)
    name.length = (size_t)(hash - name.data);
  return cuteHashTableGet(&sugar->values, cuteHashBytes(name.data, name.length),
                          &name, isNamed);
}

static void enter(Sugar *sugar, Value *value) {
  uint64_t hash = cuteHashBytes(value->name.data, value->name.length);
  CuteHashSlot *slot =
      cuteHashTableFind(&sugar->values, hash, &value->name, isNamed);
  if (slot->item)
    slot->item = value;
  else
    cuteHashTableFill(&sugar->values, slot, hash, value);
}

static Value *define(Sugar *sugar, CuteStringRef name, bool isKnown) {
  Value *value = cuteArenaAllocate(&sugar->arena, sizeof *value);
  *value = (Value){.name = name, .isKnown = isKnown};
  enter(sugar, value);
  return value;
}

// Calls define for each name of `%0:2` or `%a, %b`; gives the first.
static Value *defineResults(Sugar *sugar, CuteStringRef results, bool isKnown) {
  CuteLexer lexer = {results.data, results.data + results.length};
  CuteStringRef text;
  Value *first = NULL;
  CuteToken token;
  while ((token = cuteLexerNext(&lexer, &text)) != CUTE_TOKEN_END) {
    Value *value =
        token == CUTE_TOKEN_VALUE ? define(sugar, text, isKnown) : NULL;
    first = first ? first : value;
  }
  return first;
}

//===-- Reading -----------------------------------------------------------===//

// Takes `%0:2 = ` off the body.
static void takeResults(CuteSugarLine *line) {
  CuteLexer lexer = {line->body.data, line->body.data + line->body.length};
  CuteStringRef text;
  CuteToken token;
  while ((token = cuteLexerNext(&lexer, &text)) != CUTE_TOKEN_END) {
    if (token == CUTE_TOKEN_PUNCTUATION && *text.data == '=') {
      line->results = (CuteStringRef){
          line->body.data, (size_t)(text.data - line->body.data) - 1};
      cuteLexerSkipTrivia(&lexer);
      line->body = (CuteStringRef){lexer.at, (size_t)(lexer.end - lexer.at)};
      return;
    }
    if (token != CUTE_TOKEN_VALUE && token != CUTE_TOKEN_NUMBER &&
        !(token == CUTE_TOKEN_PUNCTUATION && strchr(",:", *text.data)))
      return;
  }
}

// Notes the region that the line opens or closes.
static void followRegions(Sugar *sugar, const CuteSugarLine *line) {
  CuteStringRef body = line->body;
  bool closes = body.length && *body.data == '}';
  bool opens = body.length && body.data[body.length - 1] == '{';
  CuteSugarForm form = line->form;
  if (closes && sugar->depth)
    form = sugar->regions[--sugar->depth];
  if (opens && sugar->depth < CUTE_MAX_NESTING)
    sugar->regions[sugar->depth++] = form;
}

// Marks what a line that stays uses, and defines arguments: `%a: type`.
static void readOther(Sugar *sugar, const CuteSugarLine *line) {
  CuteLexer lexer = {line->body.data, line->body.data + line->body.length};
  CuteStringRef text;
  CuteToken token;
  while ((token = cuteLexerNext(&lexer, &text)) != CUTE_TOKEN_END) {
    if (token != CUTE_TOKEN_VALUE)
      continue;
    Value *value = find(sugar, text);
    if (value) {
      value->needsName = true;
      ++value->uses;
    }
    if (cuteLexerPeek(&lexer) == ':')
      define(sugar, text, true);
  }
}

static bool isNumber(const Value *value) {
  return value && value->line && value->line->form == CUTE_SUGAR_NUMBER;
}

// Tells whether all operands that may be numbers are, up to the n-th.
static bool areNumbers(Sugar *sugar, const CuteSugarLine *line, size_t n) {
  size_t count = 0;
  for (size_t i = 0; i < line->numOperands && i < n; ++i) {
    const CuteSugarOperand *operand = &line->operands[i];
    if (operand->takesNumber && !isNumber(find(sugar, operand->name)))
      return false;
    count += operand->takesNumber;
  }
  return count;
}

// Gives a number a name where nothing else says the type.
static void nameNumbers(Sugar *sugar, CuteSugarLine *line) {
  bool isFor = line->form == CUTE_SUGAR_FOR;
  size_t last = isFor ? 3 : line->numOperands;
  if ((isFor && !strcmp(line->type, "i32")) ||
      (!isFor && line->form != CUTE_SUGAR_EXPRESSION) ||
      !areNumbers(sugar, line, last))
    return;
  for (size_t i = 0; i < last; ++i)
    if (line->operands[i].takesNumber) {
      line->operands[i].takesNumber = false;
      return;
    }
}

static void readUses(Sugar *sugar, CuteSugarLine *line) {
  bool isKnown = true;
  nameNumbers(sugar, line);
  for (size_t i = 0; i < line->numOperands; ++i) {
    Value *value = find(sugar, line->operands[i].name);
    isKnown &= value && value->isKnown;
    if (!value)
      continue;
    ++value->uses;
    value->needsName |= isNumber(value) && !line->operands[i].takesNumber;
  }
  size_t n = line->numOperands;
  if (line->types && !isKnown)
    line->pieces[n] =
        cuteArenaFormat(&sugar->arena, "%s%s", line->pieces[n], line->types);
  bool isSingle = line->results.length &&
                  !memchr(line->results.data, ',', line->results.length) &&
                  !memchr(line->results.data, ':', line->results.length);
  if (line->isOwn && isSingle) {
    line->form = CUTE_SUGAR_EXPRESSION;
    line->precedence = isKnown || !line->types ? UNARY : 0;
  }
}

// Notes a type that functions of rows need; expressions have an operand's.
static void readType(Sugar *sugar, const CuteSugarLine *line, Value *value) {
  const char *text = NULL;
  size_t length;
  if (line->types && cuteTextStartsWith(line->body, "cute.load_vector("))
    text = strchr(line->types, '(') + 1;
  if (line->types && cuteTextStartsWith(line->body, "cute.make_tiled_mma("))
    text = strstr(line->types, "-> ") + 3;
  if (text)
    value->type = cuteTypeParsePrefix(sugar->dialect->context,
                                      cuteStringRef(text), &length);
  for (size_t i = 0; !line->isOwn && !value->type && i < line->numOperands;
       ++i) {
    const Value *operand = find(sugar, line->operands[i].name);
    value->type = operand ? operand->type : NULL;
  }
}

static bool isKnownOp(Sugar *sugar, const CuteSugarLine *line) {
  CuteType *types;
  return line->form != CUTE_SUGAR_OTHER ||
         cuteTextStartsWith(line->body, "cute.") ||
         cuteForeignOpGetTypes(sugar->dialect->context, &sugar->arena,
                               line->body, &types);
}

static void readLine(Sugar *sugar, size_t i) {
  CuteSugarLine *line = &sugar->lines[i], was;
  takeResults(line);
  was = *line;
  bool isInControl =
      sugar->depth && (sugar->regions[sugar->depth - 1] == CUTE_SUGAR_FOR ||
                       sugar->regions[sugar->depth - 1] == CUTE_SUGAR_IF);
  if (!(line->results.length && cuteSugarReadExpression(&sugar->arena, line))) {
    *line = was;
    if (!cuteSugarReadStatement(sugar->dialect, &sugar->arena, isInControl,
                                line))
      *line = was;
  }
  if (line->form == CUTE_SUGAR_OTHER)
    readOther(sugar, line);
  else
    readUses(sugar, line);
  followRegions(sugar, line);
  for (size_t k = 0; k < line->numNames; ++k)
    define(sugar, line->names[k], true);
  sugar->defined[i] =
      defineResults(sugar, line->results, isKnownOp(sugar, line));
  if (sugar->defined[i] &&
      (line->form == CUTE_SUGAR_NUMBER || line->form == CUTE_SUGAR_EXPRESSION))
    sugar->defined[i]->line = line;
  if (sugar->defined[i] && line->form == CUTE_SUGAR_EXPRESSION)
    readType(sugar, line, sugar->defined[i]);
}

static void split(Sugar *sugar, CuteStringRef text) {
  for (CuteStringRef rest = text; rest.length;) {
    CuteStringRef body = cuteTextTakePart(&rest, '\n');
    size_t indent = 0;
    while (indent < body.length && body.data[indent] == ' ')
      ++indent;
    CUTE_ARENA_PUSH(
        &sugar->arena, sugar->lines, sugar->numLines,
        (CuteSugarLine){.body = {body.data + indent, body.length - indent},
                        .indent = indent});
  }
  sugar->defined =
      cuteArenaAllocate(&sugar->arena, sugar->numLines * sizeof(Value *));
}

//===-- Writing -----------------------------------------------------------===//

static void writeLine(Sugar *sugar, const CuteSugarLine *line,
                      const char *text) {
  CuteString *output = sugar->output;
  for (size_t i = 0; i < line->indent; ++i)
    cuteStringAppendChar(output, ' ');
  cuteStringAppendBytes(output, line->results.data, line->results.length);
  cuteStringAppend(output, line->results.length ? " = " : "");
  cuteStringAppend(output, text);
  cuteStringAppendChar(output, '\n');
}

static void flush(Sugar *sugar) {
  for (size_t i = 0; i < sugar->numPending; ++i) {
    Value *value = sugar->pending[i];
    writeLine(sugar, value->line, value->text);
    value->text = NULL;
  }
  sugar->numPending = 0;
}

// Tells whether the expression can be the operand as it is or in parentheses.
static bool mayBe(const CuteSugarLine *line, const CuteSugarOperand *operand,
                  const Value *value) {
  bool isLow = value->line->precedence < operand->precedence;
  return !line->isOwn || (!isLow && !strchr("(-", *value->text));
}

// Takes the operands that wait off the pending expressions: they are the last
// ones, in the order of the statement. Otherwise all get names.
static void takePending(Sugar *sugar, const CuteSugarLine *line) {
  size_t n = 0, first;
  Value *wanted[MAX_PENDING];
  bool fits = true;
  for (size_t i = 0; i < line->numOperands; ++i) {
    Value *value = find(sugar, line->operands[i].name);
    if (!value || !value->text)
      continue;
    fits &= n < MAX_PENDING && mayBe(line, &line->operands[i], value);
    if (fits)
      wanted[n++] = value;
  }
  fits &= n <= sugar->numPending;
  first = sugar->numPending - n;
  for (size_t i = 0; fits && i < n; ++i)
    fits = sugar->pending[first + i] == wanted[i];
  if (fits)
    sugar->numPending = first;
  else
    flush(sugar);
}

static void appendOperand(Sugar *sugar, const CuteSugarOperand *operand,
                          CuteString *text) {
  const Value *value = find(sugar, operand->name);
  if (value && isNumber(value) && !value->needsName) {
    cuteStringAppend(text, value->line->pieces[0]);
    if (operand->type)
      cuteStringAppendFormat(text, " : %s", operand->type);
  } else if (value && value->text) {
    bool isLow = value->line->precedence < operand->precedence;
    cuteStringAppendFormat(text, isLow ? "(%s)" : "%s", value->text);
  } else {
    cuteStringAppendBytes(text, operand->name.data, operand->name.length);
  }
}

// The step of a loop is left out if it is 1.
static bool isLeftOut(Sugar *sugar, const CuteSugarLine *line, size_t i) {
  const Value *value = find(sugar, line->operands[i].name);
  return line->form == CUTE_SUGAR_FOR && i == 2 && isNumber(value) &&
         !value->needsName && !strcmp(value->line->pieces[0], "1");
}

static const char *textOf(Sugar *sugar, const CuteSugarLine *line) {
  CuteString text = {0};
  for (size_t i = 0; i < line->numOperands; ++i) {
    if (isLeftOut(sugar, line, i))
      continue;
    cuteStringAppend(&text, line->pieces[i]);
    appendOperand(sugar, &line->operands[i], &text);
  }
  cuteStringAppend(&text, line->pieces[line->numOperands]);
  return cuteArenaTakeString(&sugar->arena, &text);
}

static void writeStatement(Sugar *sugar, CuteSugarLine *line, Value *value) {
  takePending(sugar, line);
  const char *text = textOf(sugar, line);
  bool isPart = line->form == CUTE_SUGAR_EXPRESSION && line->precedence &&
                value->uses == 1 && !value->needsName &&
                strlen(text) <= LONGEST && sugar->numPending < MAX_PENDING;
  for (size_t i = 0; i < line->numOperands; ++i) {
    Value *operand = find(sugar, line->operands[i].name);
    if (operand)
      operand->text = NULL;
  }
  if (isPart) {
    value->text = text;
    sugar->pending[sugar->numPending++] = value;
    return;
  }
  flush(sugar);
  writeLine(sugar, line, text);
}

// Makes an op and the next, numbers apart, a function of rows of an MMA.
static void setRows(Sugar *sugar, const CuteInfixRows *rows, CuteStringRef mma,
                    const CuteSugarLine *first, CuteSugarLine *line) {
  CuteArena *arena = &sugar->arena;
  CuteSugarOperand begin = first->operands[1];
  const Value *number = find(sugar, begin.name);
  line->numOperands = 0;
  cuteSugarAddOperand(arena, line, cuteArenaFormat(arena, "%s(", rows->name),
                      mma);
  cuteSugarAddOperand(arena, line, ", ", first->operands[0].name);
  if (!isNumber(number) || strcmp(number->line->type, "f32") ||
      strcmp(number->line->pieces[0], rows->begin))
    cuteSugarAddOperand(arena, line, ", ", begin.name);
  cuteSugarFinish(arena, line, ")", CUTE_SUGAR_EXPRESSION);
}

// Writes the function for the lines that it expands to, if they begin here.
static bool takeRows(Sugar *sugar, size_t i) {
  CuteSugarLine *first = &sugar->lines[i], *line = first + 1;
  const Value *mine = sugar->defined[i], *vector;
  if (!cuteTextStartsWith(first->body, "cute.reduce_vector<") || !mine ||
      mine->uses != 1)
    return false;
  while (line->form == CUTE_SUGAR_NUMBER)
    ++line;
  vector = find(sugar, first->operands->name);
  if (!cuteTextStartsWith(line->body, "cute.warp_reduce<") ||
      !cuteTextIsSame(line->operands->name, mine->name) || !vector ||
      !vector->isKnown || !cuteTypeIsKind(vector->type, CUTE_TYPE_TENSOR))
    return false;
  for (size_t m = sugar->numMmas; m-- > 0;) {
    const Value *mma = sugar->mmas[m];
    const CuteInfixRows *rows = cuteInfixMatchRows(
        sugar->dialect->context, mma->type, vector->type->layout->shape,
        first->body, line->body);
    if (rows) {
      setRows(sugar, rows, mma->name, first, line);
      return true;
    }
  }
  return false;
}

// Notes an MMA that has a name for the lines of its region.
static void followMmas(Sugar *sugar, const CuteSugarLine *line, Value *value) {
  while (sugar->numMmas &&
         sugar->mmas[sugar->numMmas - 1]->line->indent > line->indent)
    --sugar->numMmas;
  if (value && value->uses != 1 &&
      cuteTypeIsKind(value->type, CUTE_TYPE_TILED_MMA))
    CUTE_ARENA_PUSH(&sugar->arena, sugar->mmas, sugar->numMmas, value);
}

static void writeOne(Sugar *sugar, size_t i) {
  CuteSugarLine *line = &sugar->lines[i];
  Value *value = sugar->defined[i];
  followMmas(sugar, line, value);
  if (takeRows(sugar, i))
    return;
  if (line->form == CUTE_SUGAR_NUMBER) {
    if (value->needsName || !value->uses)
      writeLine(sugar, line,
                cuteArenaFormat(&sugar->arena, "%s : %s", line->pieces[0],
                                line->type));
  } else if (line->form == CUTE_SUGAR_OTHER) {
    flush(sugar);
    writeLine(
        sugar, line,
        cuteArenaCopyText(&sugar->arena, line->body.data, line->body.length));
  } else {
    writeStatement(sugar, line, value);
  }
}

void cuteSugarAppend(CuteDialect *dialect, CuteStringRef text,
                     CuteString *output) {
  Sugar *sugar = cuteAllocate(sizeof *sugar);
  *sugar = (Sugar){.dialect = dialect, .output = output};
  split(sugar, text);
  for (size_t i = 0; i < sugar->numLines; ++i)
    readLine(sugar, i);
  cuteHashTableClear(&sugar->values);
  for (size_t i = 0; i < sugar->numLines; ++i) {
    writeOne(sugar, i);
    for (size_t k = 0; k < sugar->lines[i].numNames; ++k)
      define(sugar, sugar->lines[i].names[k], true);
    if (sugar->defined[i])
      enter(sugar, sugar->defined[i]);
  }
  flush(sugar);
  cuteHashTableDestroy(&sugar->values);
  cuteArenaDestroy(&sugar->arena);
  free(sugar);
}
