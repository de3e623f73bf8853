#include "Text/expansion.h"

#include "Support/formula.h"
#include "Support/growing_array.h"
#include "Support/lexer.h"

#include <ctype.h>
#include <errno.h>

typedef enum ParameterKind {
  PARAMETER_INTEGER,
  PARAMETER_BOOL,
  PARAMETER_TYPE,
  PARAMETER_STRING,
} ParameterKind;

static const char *const kindNames[] = {"an integer", "true or false",
                                        "an element type", "a string"};

typedef struct Parameter {
  CuteStringRef name;  // in the source
  CuteStringRef value; // there, too; empty: none
  ParameterKind kind;
  int64_t integer;
  CuteString text; // without the quotes of a string
} Parameter;

typedef struct Expander {
  CuteExpansion *result;
  CuteStringRef source;
  Parameter *parameters;
  size_t count, capacity, numDeclared;
  const char *declaration; // null: none
  CuteString *out;
  unsigned line;          // of out and source alike, from 1
  size_t lineStart;       // in out
  const char *sourceLine; // in the source
} Expander;

void cuteExpansionDestroy(CuteExpansion *expansion) {
  cuteStringDestroy(&expansion->text);
  cuteStringDestroy(&expansion->error);
  free(expansion->shifts);
}

static bool fail(Expander *e, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static bool fail(Expander *e, const char *at, const char *format, ...) {
  CUTE_APPEND_ARGUMENTS(&e->result->error, format);
  e->result->errorAt = (size_t)(at - e->source.data);
  return false;
}

static bool isInName(char c) { return isalnum((unsigned char)c) || c == '_'; }

//===-- Values ------------------------------------------------------------===//

static Parameter *find(const Expander *e, CuteStringRef name) {
  for (size_t i = 0; i < e->numDeclared; ++i)
    if (cuteTextIsSame(e->parameters[i].name, name))
      return &e->parameters[i];
  return NULL;
}

static bool failUnknown(Expander *e, const char *at, CuteStringRef name) {
  CUTE_SCOPED(String) known = {0};
  for (size_t i = 0; i < e->count; ++i)
    cuteStringAppendFormat(&known, "%s%.*s", i ? ", " : "",
                           CUTE_TEXT(e->parameters[i].name));
  fail(e, at,
       "there is no parameter '%.*s' here; declared in this order are: %s",
       (int)(name.length > 100 ? 100 : name.length), name.data,
       cuteStringGet(&known));
  return false;
}

static bool readInteger(CuteStringRef text, int64_t *value) {
  char copy[32], *end;
  if (!text.length || text.length >= sizeof copy)
    return false;
  memcpy(copy, text.data, text.length);
  copy[text.length] = '\0';
  errno = 0;
  *value = strtoll(copy, &end, 10);
  bool isNumber = isdigit((unsigned char)copy[*copy == '-']);
  return isNumber && end == copy + text.length && !errno;
}

static bool isString(CuteStringRef text) {
  for (size_t i = 0; i < text.length; ++i)
    if (text.data[i] == '"' || text.data[i] == '\\' ||
        (unsigned char)text.data[i] < ' ')
      return false;
  return true;
}

static bool isOfKind(Parameter *p, ParameterKind kind, CuteStringRef text) {
  CuteElementType element;
  switch (kind) {
  case PARAMETER_INTEGER:
    return readInteger(text, &p->integer);
  case PARAMETER_BOOL:
    return cuteTextEquals(text, "true") || cuteTextEquals(text, "false");
  case PARAMETER_TYPE:
    return cuteElementTypeFind(text, &element);
  case PARAMETER_STRING:
    return isString(text);
  }
  return false;
}

static void setValue(Parameter *p, ParameterKind kind, CuteStringRef text) {
  p->kind = kind;
  cuteStringClear(&p->text);
  cuteStringAppendBytes(&p->text, text.data, text.length);
}

// Sets the value that is declared: its text as written in the module, where
// an integer may have a type after it.
static bool setDeclared(Expander *e, Parameter *p, CuteStringRef text) {
  bool isQuoted = text.length > 1 && *text.data == '"';
  const char *colon = isQuoted ? NULL : memchr(text.data, ':', text.length);
  CuteStringRef bare = text;
  if (isQuoted)
    bare = (CuteStringRef){text.data + 1, text.length - 2};
  else if (colon)
    bare.length = (size_t)(colon - text.data);
  while (!isQuoted && bare.length && bare.data[bare.length - 1] == ' ')
    --bare.length;
  ParameterKind first = isQuoted ? PARAMETER_STRING : PARAMETER_INTEGER;
  ParameterKind last = isQuoted ? PARAMETER_STRING
                       : colon  ? PARAMETER_INTEGER
                                : PARAMETER_TYPE;
  for (ParameterKind kind = first; kind <= last; ++kind)
    if (isOfKind(p, kind, bare)) {
      setValue(p, kind, bare);
      return true;
    }
  return fail(e, p->value.data,
              "the value of parameter '%.*s' is an integer, true or false, an "
              "element type or a string",
              CUTE_TEXT(p->name));
}

// Sets the value that is given, of the kind that is declared; any, where only a
// name is.
static bool setGiven(Expander *e, Parameter *p, CuteStringRef text) {
  ParameterKind first = p->value.length ? p->kind : PARAMETER_INTEGER;
  ParameterKind last = p->value.length ? p->kind : PARAMETER_STRING;
  for (ParameterKind kind = first; kind <= last; ++kind)
    if (isOfKind(p, kind, text)) {
      setValue(p, kind, text);
      return true;
    }
  return fail(e, p->name.data, "parameter '%.*s' is %s, which '%.*s' is not",
              CUTE_TEXT(p->name), kindNames[last],
              (int)(text.length > 100 ? 100 : text.length), text.data);
}

//===-- Uses --------------------------------------------------------------===//

// Looks up a name in a formula.
static CuteStatus lookUp(const CuteFormula *access, void *data,
                         int64_t *value) {
  const Parameter *p = find(data, cuteStringRef(access->name));
  if (access->kind != CUTE_FORMULA_NAME || !p)
    return cuteStatusCreate("there is no parameter '%s' here", access->name);
  if (p->kind != PARAMETER_INTEGER)
    return cuteStatusCreate("parameter '%s' is %s", access->name,
                            kindNames[p->kind]);
  *value = p->integer;
  return NULL;
}

static bool appendFormula(Expander *e, const char *at, CuteStringRef text,
                          CuteString *out) {
  CUTE_SCOPED(String) copy = {0};
  CuteFormula *formula = NULL;
  int64_t value = 0;
  cuteStringAppendBytes(&copy, text.data, text.length);
  CuteStatus status = cuteFormulaParse(cuteStringGet(&copy), &formula);
  if (!status)
    status = cuteFormulaEvaluate(formula, lookUp, e, &value);
  if (status)
    fail(e, at, "%s", cuteStatusGetMessage(status));
  else
    cuteStringAppendInt(out, value);
  bool ok = !status;
  cuteStatusDestroy(status);
  cuteFormulaDestroy(formula);
  return ok;
}

static void appendParameter(const Parameter *p, bool isQuoted,
                            CuteString *out) {
  const char *quote = isQuoted && p->kind == PARAMETER_STRING ? "\"" : "";
  cuteStringAppendFormat(out, "%s%s%s", quote, cuteStringGet(&p->text), quote);
}

// The length of a use that begins at the $, or 0, and what is between braces or
// the name.
static size_t takeUse(CuteStringRef source, const char *at,
                      CuteStringRef *inside) {
  const char *end = source.data + source.length, *first = at + 1;
  bool hasBraces = first < end && *first == '{';
  if (hasBraces) {
    const char *close = memchr(first, '}', (size_t)(end - first));
    const char *colon =
        close ? memchr(first, ':', (size_t)(close - first)) : NULL;
    if (!close || colon || memchr(first, '\n', (size_t)(close - first)))
      return 0;
    *inside = (CuteStringRef){first + 1, (size_t)(close - first) - 1};
    return (size_t)(close + 1 - at);
  }
  bool isInWord = at > source.data + 1 &&
                  (isInName(at[-1]) || (at[-1] == '.' && at[-2] != '.'));
  if (first == end || isInWord || !isalpha((unsigned char)*first))
    return 0;
  const char *last = first;
  while (last < end && isInName(*last))
    ++last;
  *inside = (CuteStringRef){first, (size_t)(last - first)};
  return (size_t)(last - at);
}

static bool appendUse(Expander *e, const char *at, CuteStringRef inside,
                      bool isInString, CuteString *out) {
  bool isName = inside.length && isalpha((unsigned char)*inside.data);
  for (size_t i = 0; i < inside.length; ++i)
    isName &= isInName(inside.data[i]);
  if (!isName)
    return appendFormula(e, at, inside, out);
  const Parameter *p = find(e, inside);
  if (!p)
    return failUnknown(e, at, inside);
  appendParameter(p, !isInString, out);
  return true;
}

//===-- Texts -------------------------------------------------------------===//

static void append(Expander *e, const char *from, const char *to) {
  size_t start = e->out->length;
  cuteStringAppendBytes(e->out, from, (size_t)(to - from));
  for (const char *at = from;
       at < to && (at = memchr(at, '\n', (size_t)(to - at)));) {
    ++e->line;
    ++at;
    e->lineStart = start + (size_t)(at - from);
    e->sourceLine = at;
  }
}

// Notes that source[from, to) is in the output from `start` to its end.
static void noteShift(Expander *e, size_t start, const char *from,
                      const char *to) {
  CuteExpansion *r = e->result;
  CuteColumnShift shift = {
      .line = e->line,
      .column = (unsigned)(start - e->lineStart) + 1,
      .length = (unsigned)(e->out->length - start),
      .sourceColumn = (unsigned)(from - e->sourceLine) + 1,
      .sourceLength = (unsigned)(to - from),
  };
  CUTE_PUSH(r->shifts, r->numShifts, r->shiftCapacity, shift);
}

static const char *endOfLine(const char *at, const char *end) {
  const char *newline = memchr(at, '\n', (size_t)(end - at));
  return newline ? newline : end;
}

// Returns where a comment ends, or where the rest of its line begins that is
// part of the text: a comment //$name with a parameter that is not 0 or false.
// What hides the rest becomes spaces, from where the text is copied to on.
static const char *takeComment(Expander *e, const char **copied, const char *at,
                               const char *to) {
  CuteStringRef name;
  size_t length =
      at + 2 < to && at[2] == '$' ? takeUse(e->source, at + 2, &name) : 0;
  const Parameter *p = length ? find(e, name) : NULL;
  if (!p || p->kind > PARAMETER_BOOL ||
      cuteTextEquals(cuteStringGetRef(&p->text), "0") ||
      cuteTextEquals(cuteStringGetRef(&p->text), "false"))
    return endOfLine(at, to);
  append(e, *copied, at);
  for (*copied = at + 2 + length; at < *copied; ++at)
    cuteStringAppendChar(e->out, ' ');
  return *copied;
}

// Appends source[from, to) with values for parameters, except in comments.
static bool expandPiece(Expander *e, const char *from, const char *to,
                        bool notes) {
  bool isInString = false;
  const char *copied = from;
  for (const char *at = from; at < to;) {
    CuteStringRef inside;
    bool isPair = at + 1 < to &&
                  ((isInString && *at == '\\') || (*at == '$' && at[1] == '$'));
    size_t length = *at == '$' && !isPair ? takeUse(e->source, at, &inside) : 0;
    if (length) {
      append(e, copied, at);
      size_t start = e->out->length;
      if (!appendUse(e, at, inside, isInString, e->out))
        return false;
      copied = at + length;
      if (notes)
        noteShift(e, start, at, copied);
      at = copied;
      continue;
    }
    if (!isInString && *at == '/' && at + 1 < to && at[1] == '/') {
      at = takeComment(e, &copied, at, to);
      continue;
    }
    isInString ^= *at == '"';
    at += isPair ? 2 : 1;
  }
  append(e, copied, to);
  return true;
}

//===-- Declarations ------------------------------------------------------===//

static bool checkName(Expander *e, CuteToken token, CuteStringRef name) {
  bool ok = token == CUTE_TOKEN_IDENTIFIER && name.length < 32 &&
            isalpha((unsigned char)*name.data);
  for (size_t i = 0; ok && i < name.length; ++i)
    ok = isInName(name.data[i]);
  if (!ok)
    return fail(e, name.data,
                "a parameter's name has at most 31 letters, digits and "
                "underscores, a letter first");
  for (size_t i = 0; i < e->count; ++i)
    if (cuteTextIsSame(e->parameters[i].name, name))
      return fail(e, name.data, "parameter '%.*s' is declared twice",
                  CUTE_TEXT(name));
  return true;
}

// Takes a value: what there is up to a comma or the closing brace.
static CuteStringRef takeDeclaredValue(CuteLexer *lexer) {
  cuteLexerSkipTrivia(lexer);
  const char *start = lexer->at, *last = start;
  CuteStringRef text;
  for (char next; (next = cuteLexerPeek(lexer)) && next != ',' && next != '}';
       last = lexer->at)
    if (!strchr("([{<", next) || !cuteLexerSkipBracket(lexer))
      cuteLexerNext(lexer, &text);
  return (CuteStringRef){start, (size_t)(last - start)};
}

// Reads "{name = value, name}", without the brace before it.
static bool takeDeclarations(Expander *e, CuteLexer lexer) {
  while (!cuteLexerTake(&lexer, '}')) {
    if (e->count && !cuteLexerTake(&lexer, ','))
      return fail(e, lexer.at, "expected ',' or '}' after a parameter");
    CuteStringRef name = {0}, value = {0};
    CuteToken token = cuteLexerNext(&lexer, &name);
    if (!checkName(e, token, name))
      return false;
    if (cuteLexerTake(&lexer, '=')) {
      value = takeDeclaredValue(&lexer);
      if (!value.length)
        return fail(e, name.data, "parameter '%.*s' needs a value after '='",
                    CUTE_TEXT(name));
    }
    CUTE_PUSH(e->parameters, e->count, e->capacity,
              ((Parameter){.name = name, .value = value}));
  }
  return true;
}

// Finds cute.parameters = {...}.
static bool findDeclarations(Expander *e) {
  CuteLexer lexer = {e->source.data, e->source.data + e->source.length};
  CuteStringRef text;
  for (CuteToken token; (token = cuteLexerNext(&lexer, &text));) {
    if (token != CUTE_TOKEN_IDENTIFIER ||
        !cuteTextEquals(text, "cute.parameters") || !cuteLexerTake(&lexer, '='))
      continue;
    if (e->declaration)
      return fail(e, text.data, "a text declares its parameters in one place");
    e->declaration = text.data;
    if (!cuteLexerTake(&lexer, '{'))
      return fail(e, lexer.at, "expected '{' before the parameters");
    if (!takeDeclarations(e, lexer))
      return false;
  }
  return true;
}

static const CuteParameter *findGiven(size_t n, const CuteParameter *values,
                                      CuteStringRef name) {
  for (size_t i = n; i-- > 0;)
    if (cuteTextIsSame(
            name, (CuteStringRef){values[i].name.data, values[i].name.length}))
      return &values[i];
  return NULL;
}

static bool evaluateDeclared(Expander *e, Parameter *p) {
  CUTE_SCOPED(String) text = {0};
  Expander inner = *e;
  inner.out = &text;
  return expandPiece(&inner, p->value.data, p->value.data + p->value.length,
                     false) &&
         setDeclared(e, p, cuteStringGetRef(&text));
}

// Gives each parameter its value, in order: a declared value may use those
// before it.
static bool evaluate(Expander *e, size_t n, const CuteParameter *values) {
  for (size_t i = 0; i < e->count; ++i, ++e->numDeclared) {
    Parameter *p = &e->parameters[i];
    const CuteParameter *given = findGiven(n, values, p->name);
    if (!given && !p->value.length)
      return fail(
          e, p->name.data,
          "parameter '%.*s' has no value; give it one, as by -D %.*s=...",
          CUTE_TEXT(p->name), CUTE_TEXT(p->name));
    if ((p->value.length && !evaluateDeclared(e, p)) ||
        (given &&
         !setGiven(e, p,
                   (CuteStringRef){given->value.data, given->value.length})))
      return false;
  }
  for (size_t i = 0; i < n; ++i) {
    CuteStringRef name = {values[i].name.data, values[i].name.length};
    if (!find(e, name))
      return failUnknown(e, e->declaration, name);
  }
  return true;
}

//===-- The whole text ----------------------------------------------------===//

// Appends a declaration with the value in force.
static void writeDeclaration(Expander *e, const Parameter *p) {
  const char *nameEnd = p->name.data + p->name.length;
  const char *from = p->value.length ? p->value.data : nameEnd;
  const char *to = from + p->value.length;
  append(e, p->name.data, from);
  size_t start = e->out->length;
  cuteStringAppend(e->out, p->value.length ? "" : " = ");
  appendParameter(p, true, e->out);
  const char *colon = p->value.length && *p->value.data != '"'
                          ? memchr(from, ':', p->value.length)
                          : NULL;
  if (colon) {
    cuteStringAppendChar(e->out, ' ');
    cuteStringAppendBytes(e->out, colon, (size_t)(to - colon));
  }
  noteShift(e, start, from, to);
}

static bool expandAll(Expander *e) {
  const char *at = e->source.data, *end = at + e->source.length;
  for (size_t i = 0; i < e->count; ++i) {
    const Parameter *p = &e->parameters[i];
    if (!expandPiece(e, at, p->name.data, true))
      return false;
    writeDeclaration(e, p);
    at = p->value.length ? p->value.data + p->value.length
                         : p->name.data + p->name.length;
  }
  return expandPiece(e, at, end, true);
}

bool cuteExpansionExpand(CuteExpansion *expansion, CuteStringRef source,
                         size_t numValues, const CuteParameter *values) {
  Expander e = {.result = expansion,
                .source = source,
                .out = &expansion->text,
                .line = 1,
                .sourceLine = source.data};
  bool ok = !source.length ||
            !cuteTextHas(source, cuteStringRef("cute.parameters")) ||
            findDeclarations(&e);
  if (ok && !e.declaration && numValues)
    ok = fail(&e, source.data,
              "'%.*s' cannot be given a value: the text declares no parameters "
              "(cute.parameters = {%.*s = ...} among a module's attributes)",
              CUTE_TEXT(values->name), CUTE_TEXT(values->name));
  expansion->isNeeded = e.declaration;
  ok = ok &&
       (!e.declaration || (evaluate(&e, numValues, values) && expandAll(&e)));
  for (size_t i = 0; i < e.count; ++i)
    cuteStringDestroy(&e.parameters[i].text);
  free(e.parameters);
  return ok;
}
