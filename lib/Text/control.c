#include "Text/infix_parts.h"
#include "Text/reader_parts.h"

enum { MAX_LEVEL = 512 }; // MLIR's parser recurses

typedef enum Kind { LOOP, THEN, ELSE } Kind;

// An open region, with the names of its statement's values and their types. An
// if learns its types from the first yield.
struct CuteControl {
  struct CuteControl *outer;
  Kind kind;
  size_t depth; // of brackets around the statement
  const char *at;
  size_t numNames, numTypes;
  CuteStringRef *names;
  size_t *counts;
  CuteType *types;
  bool hasTypes, hasYielded;
  size_t level;   // of open regions, including `else if`
  bool isChained; // the if of `else if`, which is the other branch of `outer`
};
typedef struct CuteControl Control;

bool cuteControlIsNext(CuteLexer lexer) {
  if (!strchr("if", cuteLexerPeek(&lexer)))
    return false;
  return (cuteInfixTakeWord(&lexer, "if") &&
          !strchr("=,}", cuteLexerPeek(&lexer))) || // {if}: an attribute
         (cuteInfixTakeWord(&lexer, "for") && cuteLexerPeek(&lexer) == '%');
}

//===-- Regions -----------------------------------------------------------===//

static size_t countValues(const Control *control) {
  size_t n = 0;
  for (size_t i = 0; i < control->numNames; ++i)
    n += control->counts[i];
  return n;
}

// Begins a region, whose statement has the names before it.
static Control *enter(CuteReader *reader, Kind kind, const char *at) {
  CuteArena *arena = cuteTaskGetArena();
  size_t n = reader->numDefined;
  Control *control = cuteArenaAllocate(arena, sizeof *control);
  *control =
      (Control){.outer = reader->control,
                .level = reader->control ? reader->control->level + 1 : 1,
                .kind = kind,
                .depth = reader->nesting.depth,
                .at = at,
                .numNames = n,
                .names = cuteArenaAllocate(arena, n * sizeof(CuteStringRef)),
                .counts = cuteArenaAllocate(arena, n * sizeof(size_t))};
  for (size_t i = 0; i < n; ++i) {
    control->names[i] = reader->defined[i];
    control->counts[i] = reader->definedCounts[i];
  }
  reader->numDefined = 0;
  return control;
}

static void defineResults(CuteReader *reader, const Control *control) {
  CuteDefinition *op =
      cuteValueTypesAddTypes(control->numTypes, control->types);
  size_t index = 0;
  for (size_t i = 0; i < control->numNames; ++i) {
    cuteDirectOpsDefine(reader, control->names[i]);
    cuteValueTypesSet(&reader->values, control->names[i], op, index);
    index += control->counts[i];
    cuteReaderTellOfValues(reader, control->names[i], control->counts[i]);
  }
}

static void pushType(Control *control, CuteType type) {
  CUTE_ARENA_PUSH(cuteTaskGetArena(), control->types, control->numTypes, type);
}

static void writeTypes(CuteReader *reader, const Control *control) {
  for (size_t i = 0; i < control->numTypes; ++i) {
    cuteStringAppend(&reader->map.output, i ? ", " : "");
    cuteReaderWriteType(reader, control->types[i], control->at);
  }
}

//===-- Statements --------------------------------------------------------===//

// Reads an expression, writes its ops before the statement, and names it.
static bool takeOperand(CuteReader *reader, CuteType expected,
                        CuteStringRef *name, CuteType *type) {
  if (!cuteInfixTakeTyped(reader, expected, name))
    return false;
  *type = cuteReaderResolve(
      reader, cuteValueTypesGet(&reader->values, reader->context, *name));
  return true;
}

// Takes `carry(%s = %s0, ...)`, and appends it as MLIR writes it.
static bool takeCarried(CuteReader *reader, Control *control,
                        CuteString *text) {
  CuteStringRef name, value;
  CuteType type;
  if (!cuteInfixTakeWord(&reader->lexer, "carry"))
    return true;
  if (!cuteReaderExpect(reader, '(', "after carry"))
    return false;
  do {
    cuteLexerSkipTrivia(&reader->lexer);
    const char *at = reader->lexer.at;
    if (cuteLexerNext(&reader->lexer, &name) != CUTE_TOKEN_VALUE ||
        !cuteLexerTake(&reader->lexer, '='))
      return cuteReaderFail(reader, at,
                            "carry names values and where they begin: "
                            "carry(%%s = %%zero)");
    if (!takeOperand(reader, NULL, &value, &type))
      return false;
    cuteStringAppendFormat(text, "%s%.*s = %.*s",
                           control->numTypes ? ", " : " iter_args(",
                           CUTE_TEXT(name), CUTE_TEXT(value));
    pushType(control, type);
    cuteInfixDefine(
        reader, name, type,
        cuteValueTypesGetShape(&reader->values, reader->context, value));
  } while (cuteLexerTake(&reader->lexer, ','));
  cuteStringAppend(text, ") -> (");
  return cuteReaderExpect(reader, ')', "after the values that are carried");
}

// scf.for counts upwards, and a loop whose step is 0 would not end.
static bool takeStep(CuteReader *reader, CuteInfixTerm *term) {
  if (!cuteInfixTakeTerm(reader, term))
    return false;
  return term->type || strtoll(term->text, NULL, 0) > 0 ||
         cuteReaderFail(reader, term->at,
                        "the step of a loop is positive, not %s", term->text);
}

// Reads `0..%n step 2`; numbers alone are i32.
static bool takeRange(CuteReader *reader, CuteInfixTerm terms[3]) {
  CuteType i32 = cuteTypeGetForeign(reader->context, cuteStringRef("i32"));
  CuteLexer *lexer = &reader->lexer;
  terms[2] = (CuteInfixTerm){.at = lexer->at, .text = "1"};
  if (!cuteInfixTakeTerm(reader, &terms[0]))
    return false;
  if (!cuteLexerTake(lexer, '.') || !cuteLexerTake(lexer, '.'))
    return cuteReaderFail(reader, lexer->at,
                          "expected '..', as in for %%i in 0..%%n");
  if (!cuteInfixTakeTerm(reader, &terms[1]) ||
      (cuteInfixTakeWord(lexer, "step") && !takeStep(reader, &terms[2])))
    return false;
  return cuteInfixUnify(reader, "..", 3, terms, i32);
}

static bool checkRange(CuteReader *reader, const CuteInfixTerm *term,
                       const Control *control) {
  CuteStringRef type = term->type->foreign;
  if (*type.data != 'i')
    return cuteReaderFail(reader, term->at,
                          "a loop is over index or integers, not %.*s",
                          CUTE_TEXT(type));
  size_t wanted = countValues(control);
  return !control->numNames || wanted == control->numTypes ||
         cuteReaderFail(reader, control->at,
                        "%zu names for what the loop carries, %zu", wanted,
                        control->numTypes);
}

static bool expectBrace(CuteReader *reader) {
  return cuteLexerPeek(&reader->lexer) == '{' ||
         cuteReaderFail(reader, reader->lexer.at,
                        "expected '{': loops and branches are in braces");
}

// for %i in 0..%n step 2 carry(%s = %s0) {
static bool takeLoop(CuteReader *reader, const char *at) {
  Control *control = enter(reader, LOOP, at);
  CuteStringRef name;
  CuteInfixTerm terms[3];
  CUTE_SCOPED(String) carried = {0};
  CuteString *output = &reader->map.output;
  cuteReaderFlush(reader, reader->statement);
  cuteLexerNext(&reader->lexer, &name);
  bool ok = (cuteInfixTakeWord(&reader->lexer, "in") ||
             cuteReaderFail(reader, reader->lexer.at,
                            "expected 'in', as in for %%i in 0..%%n")) &&
            takeRange(reader, terms) &&
            takeCarried(reader, control, &carried) &&
            checkRange(reader, terms, control) && expectBrace(reader);
  if (ok) {
    CuteStringRef type = terms->type->foreign;
    cuteInfixDefine(reader, name, terms->type, NULL);
    cuteReaderFlush(reader, at);
    cuteSourceMapBeginOp(&reader->map, at);
    cuteStringAppendFormat(output, "scf.for %.*s = %s to %s step %s%s",
                           CUTE_TEXT(name), terms[0].text, terms[1].text,
                           terms[2].text, cuteStringGet(&carried));
    writeTypes(reader, control);
    cuteStringAppendFormat(output, "%s : %.*s ", control->numTypes ? ")" : "",
                           CUTE_TEXT(type));
    control->hasTypes = true;
    reader->copied = reader->lexer.at;
    reader->control = control;
  }
  return ok;
}

// if %p {
static bool takeBranch(CuteReader *reader, Control *control, const char *at) {
  CuteStringRef name;
  CuteType type;
  CuteType i1 = cuteTypeGetForeign(reader->context, cuteStringRef("i1"));
  if (!takeOperand(reader, i1, &name, &type))
    return false;
  if (type != i1)
    return cuteReaderFail(reader, at,
                          "the condition of an if is of type i1, not %s",
                          cuteInfixTextOf(reader, type));
  cuteReaderFlush(reader, at);
  cuteSourceMapBeginOp(&reader->map, at);
  if (control->isChained && control->numNames)
    cuteStringAppendFormat(&reader->map.output,
                           "%s:%zu = ", control->names->data, *control->counts);
  cuteStringAppendFormat(&reader->map.output,
                         control->numNames ? "\"scf.if\"(%.*s) ("
                                           : "scf.if %.*s ",
                         CUTE_TEXT(name));
  control->hasTypes |= !control->numNames;
  reader->copied = reader->lexer.at;
  reader->control = control;
  return expectBrace(reader);
}

// yield %x, %y
static bool takeYield(CuteReader *reader, const char *at) {
  Control *control = reader->control;
  CUTE_SCOPED(String) values = {0};
  size_t n = 0;
  bool ok = true;
  control->hasYielded = true;
  do {
    CuteStringRef name;
    CuteType type, expected = n < control->numTypes ? control->types[n] : NULL;
    ok = takeOperand(reader, expected, &name, &type);
    if (!ok)
      break;
    if (expected && expected != type)
      ok = cuteReaderFail(
          reader, at, "value %zu is of type %s, not %s as before", n,
          cuteInfixTextOf(reader, type), cuteInfixTextOf(reader, expected));
    if (!control->hasTypes)
      pushType(control, type);
    cuteStringAppendFormat(&values, "%s%.*s", n++ ? ", " : "", CUTE_TEXT(name));
  } while (ok && cuteLexerTake(&reader->lexer, ','));
  size_t wanted = control->hasTypes ? control->numTypes : countValues(control);
  if (ok && n != wanted)
    ok = cuteReaderFail(reader, at, "yield gives %zu of %zu values", n, wanted);
  if (!ok)
    return false;
  control->hasTypes = true;
  cuteSourceMapBeginOp(&reader->map, at);
  cuteStringAppendFormat(&reader->map.output,
                         "scf.yield %s : ", cuteStringGet(&values));
  writeTypes(reader, control);
  reader->copied = reader->lexer.at;
  return true;
}

bool cuteControlTake(CuteReader *reader, CuteStringRef word, char previous) {
  CuteLexer lexer = {word.data, reader->lexer.end};
  const Control *control = reader->control;
  bool isYield = cuteTextEquals(word, "yield") && control &&
                 control->depth + 1 == reader->nesting.depth;
  if (!isYield && !cuteControlIsNext(lexer))
    return true;
  if (!reader->numDefined && !(previous && strchr("{}", previous)) &&
      !cuteReaderIsFirstOnLine(reader, word.data))
    return true;
  CuteArenaMark mark = cuteArenaGetMark(&reader->context->scratch);
  size_t numDefined = reader->numDefined;
  reader->statement = numDefined ? reader->defined[0].data : word.data;
  bool ok = isYield ? takeYield(reader, word.data)
            : *word.data == 'i'
                ? takeBranch(reader, enter(reader, THEN, word.data), word.data)
                : takeLoop(reader, word.data);
  reader->numDefined = ok ? 0 : numDefined;
  cuteArenaReset(&reader->context->scratch, mark);
  return ok;
}

//===-- Ends of branches --------------------------------------------------===//

// Begins the if after `else`, as all that the other branch of the one before
// has. Its values have a name of their own.
static bool takeElseIf(CuteReader *reader, Control *before) {
  cuteLexerSkipTrivia(&reader->lexer);
  const char *at = reader->lexer.at;
  size_t count = countValues(before);
  CuteStringRef name;
  cuteLexerNext(&reader->lexer, &name);
  cuteReaderFlush(reader, at);
  cuteStringAppend(&reader->map.output, "{ ");
  if (before->numNames) {
    reader->defined[0] = cuteReaderNewName(reader);
    reader->definedCounts[0] = count;
    reader->numDefined = 1;
  }
  Control *control = enter(reader, THEN, at);
  control->isChained = true;
  control->hasTypes = before->hasTypes;
  control->numTypes = before->numTypes;
  control->types = before->types;
  reader->statement = at;
  return (control->level <= MAX_LEVEL ||
          cuteReaderFail(reader, at,
                         "branches and loops nest more than %d deep",
                         MAX_LEVEL)) &&
         takeBranch(reader, control, at);
}

// Writes what is after the last brace of a statement, and defines its values.
static void finish(CuteReader *reader, const Control *control) {
  CuteString *output = &reader->map.output;
  if (control->kind == ELSE && control->numNames) {
    cuteReaderFlush(reader, reader->lexer.at);
    cuteStringAppend(output, ") : (i1) -> (");
    writeTypes(reader, control);
    cuteStringAppendChar(output, ')');
  }
  defineResults(reader, control);
  reader->control = control->outer;
  if (!control->isChained)
    return;
  cuteReaderFlush(reader, reader->lexer.at);
  for (size_t i = 0; i < control->numTypes; ++i)
    cuteStringAppendFormat(output, "%s%s#%zu", i ? ", " : " scf.yield ",
                           control->names->data, i);
  cuteStringAppend(output, control->numTypes ? " : " : "");
  writeTypes(reader, control);
  cuteStringAppend(output, " }");
  finish(reader, control->outer);
}

// Continues with the other branch, if there is one.
static bool takeElse(CuteReader *reader, Control *control, const char *at) {
  bool hasElse = cuteInfixTakeWord(&reader->lexer, "else");
  if (!hasElse && control->numNames && !reader->hasFailed)
    return cuteReaderFail(reader, at, "an if with values has an else, too");
  if (!hasElse) {
    finish(reader, control);
    return true;
  }
  control->kind = ELSE;
  control->hasYielded = false;
  if (control->numNames) {
    cuteReaderFlush(reader, at);
    cuteStringAppend(&reader->map.output, ", ");
    reader->copied = reader->lexer.at;
  }
  CuteLexer after = reader->lexer;
  return cuteInfixTakeWord(&after, "if") ? takeElseIf(reader, control)
                                         : expectBrace(reader);
}

bool cuteControlLeave(CuteReader *reader) {
  Control *control = reader->control;
  const char *at = reader->lexer.at;
  while (control && control->depth > reader->nesting.depth)
    control = control->outer;
  reader->control = control;
  if (!control || control->depth != reader->nesting.depth)
    return true;
  bool hasValues =
      control->kind == LOOP ? control->numTypes : control->numNames;
  if (hasValues && !control->hasYielded && !reader->hasFailed)
    return cuteReaderFail(reader, at - 1,
                          "a loop that carries values and an if with values "
                          "end with yield");
  if (control->kind == THEN)
    return takeElse(reader, control, at);
  finish(reader, control);
  return true;
}
