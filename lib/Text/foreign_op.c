#include "Text/foreign_op.h"
#include "Support/lexer.h"

//===-- Ops whose last colon or arrow is not followed by the results ------===//

typedef enum Rule {
  RULE_TYPE,    // the type in the row
  RULE_LAST,    // the last type of the list
  RULE_ELEMENT, // the element of the memref, tensor or vector in the list
  RULE_TRUTH,   // i1, in the shape of the list's first type
  RULE_SHUFFLE, // the list's first type with as many elements as the mask
  RULE_VALID,   // the list, and i1
  RULE_UNKNOWN, // the text does not tell
  RULE_SPELLED, // the list
} Rule;

static const struct {
  const char *prefix;
  Rule rule;
  const char *type;
} rows[] = {
#define RESULT(prefix, rule, type) {prefix, RULE_##rule, type},
#define NUMBERS(prefix, bracket, type)
#include "foreign_ops.def"
#undef RESULT
#undef NUMBERS
};

static Rule findRule(CuteStringRef statement, const char **type) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    if (!cuteTextStartsWith(statement, rows[i].prefix))
      continue;
    *type = rows[i].type;
    return rows[i].rule;
  }
  return RULE_SPELLED;
}

//===-- Where an op's types begin and where it ends -----------------------===//

// A position between two tokens of an op, outside brackets, with what the text
// before it says.
typedef struct Scan {
  CuteLexer lexer;
  size_t numTokens;  // brackets with their inside count as one
  bool open;         // the last one asks for more: , : = ->
  bool newLine;      // the next token is on another line than the last one
  const char *colon; // after the last colon
  const char *arrow; // after the last arrow
  const char *to;    // after the last `to` or `into` after the colon
} Scan;

static bool isTyped(const Scan *scan) { return scan->colon || scan->arrow; }

// "%a:2, %b ="
static bool isDefinition(CuteLexer lexer) {
  CuteStringRef text;
  do {
    if (cuteLexerNext(&lexer, &text) != CUTE_TOKEN_VALUE)
      return false;
    if (cuteLexerTake(&lexer, ':'))
      cuteLexerNext(&lexer, &text);
  } while (cuteLexerTake(&lexer, ','));
  return cuteLexerTake(&lexer, '=') && cuteLexerPeek(&lexer) != '=';
}

bool cuteForeignOpIsName(CuteStringRef word) {
  return memchr(word.data, '.', word.length) || cuteTextEquals(word, "call") ||
         cuteTextEquals(word, "return");
}

// Tells whether the word that is next begins another op.
static bool startsOp(const Scan *scan) {
  CuteLexer lexer = scan->lexer;
  CuteStringRef word;
  if (cuteLexerNext(&lexer, &word) != CUTE_TOKEN_IDENTIFIER)
    return false;
  if (cuteForeignOpIsName(word))
    return isTyped(scan) || scan->newLine;
  return isTyped(scan) && scan->newLine && !cuteTextEquals(word, "to") &&
         !cuteTextEquals(word, "into");
}

// Tells whether the op ends before the next token.
static bool isEnd(Scan *scan) {
  char next = cuteLexerPeek(&scan->lexer);
  if (scan->lexer.at == scan->lexer.end || next == '}')
    return true;
  if (!scan->numTokens || scan->open)
    return false;
  if (next == '{') // a region or, before the types, a dictionary
    return isTyped(scan);
  if (next == '%')
    return isTyped(scan) || (scan->newLine && isDefinition(scan->lexer));
  if (strchr("^\"@", next))
    return isTyped(scan) || (scan->newLine && next != '@');
  if (strchr("#!", next))
    return isTyped(scan) && scan->newLine;
  return startsOp(scan);
}

static void takeToken(Scan *scan) {
  CuteStringRef text;
  CuteToken token = cuteLexerNext(&scan->lexer, &text);
  bool isColon = token == CUTE_TOKEN_PUNCTUATION && *text.data == ':';
  if (token == CUTE_TOKEN_ARROW) {
    scan->arrow = scan->lexer.at;
  } else if (isColon) {
    scan->colon = scan->lexer.at;
    scan->to = NULL;
  } else if (scan->colon &&
             (cuteTextEquals(text, "to") || cuteTextEquals(text, "into"))) {
    scan->to = scan->lexer.at;
  }
  scan->open = token == CUTE_TOKEN_ARROW || isColon ||
               (token == CUTE_TOKEN_PUNCTUATION && strchr(",=", *text.data));
}

static bool step(Scan *scan) {
  const char *before = scan->lexer.at;
  cuteLexerSkipTrivia(&scan->lexer);
  scan->newLine = memchr(before, '\n', (size_t)(scan->lexer.at - before));
  if (isEnd(scan))
    return false;
  ++scan->numTokens;
  if (!strchr("([<{", *scan->lexer.at)) {
    takeToken(scan);
    return true;
  }
  scan->open = false;
  return cuteLexerSkipBracket(&scan->lexer);
}

// Finds where the list of types with the results begins; null if there is none.
static const char *findTypes(CuteStringRef statement) {
  Scan scan = {.lexer = {statement.data, statement.data + statement.length}};
  while (step(&scan))
    ;
  return scan.arrow ? scan.arrow : scan.to ? scan.to : scan.colon;
}

//===-- Types out of types ------------------------------------------------===//

static CuteType takeType(CuteContext context, CuteLexer *lexer) {
  cuteLexerSkipTrivia(lexer);
  size_t length;
  CuteType type = cuteTypeParsePrefix(
      context, (CuteStringRef){lexer->at, (size_t)(lexer->end - lexer->at)},
      &length);
  lexer->at += length;
  return type;
}

// Finds where the element of memref<4x?xf32, ...> begins; null if there is
// none.
static const char *findElement(CuteType type) {
  CuteStringRef text =
      type->kind == CUTE_TYPE_FOREIGN ? type->foreign : (CuteStringRef){0};
  const char *at = text.length ? memchr(text.data, '<', text.length) : NULL;
  const char *end = text.data + text.length;
  if (!at)
    return NULL;
  for (const char *next = ++at;; at = ++next) {
    while (next < end && strchr("0123456789?*", *next))
      ++next;
    if (next == at || next == end || *next != 'x')
      return at;
  }
}

CuteType cuteForeignTypeGetElement(CuteContext context, CuteType type) {
  const char *at = findElement(type);
  if (!at)
    return NULL;
  CuteLexer lexer = {at, type->foreign.data + type->foreign.length};
  return takeType(context, &lexer);
}

// The type with the text "BEFORE ELEMENT>".
static CuteType withElement(CuteContext context, CuteStringRef before,
                            CuteStringRef element) {
  CUTE_SCOPED(String) text = {0};
  cuteStringAppendFormat(&text, "%.*s%.*s>", CUTE_TEXT(before),
                         CUTE_TEXT(element));
  return cuteTypeGetForeign(context, cuteStringRef(cuteStringGet(&text)));
}

CuteType cuteForeignTypeWithElement(CuteContext context, CuteType type,
                                    CuteStringRef element) {
  const char *at = findElement(type);
  if (!at)
    return cuteTypeGetForeign(context, element);
  size_t length = (size_t)(at - type->foreign.data);
  return withElement(context, (CuteStringRef){type->foreign.data, length},
                     element);
}

// vector<4xi1> of vector<4xf32>, and i1 of f32.
static CuteType truthOf(CuteContext context, CuteType type) {
  return cuteForeignTypeWithElement(context, type, cuteStringRef("i1"));
}

// vector<3xf32> of `%a, %b [0, 1, 2] :` and vector<4xf32>.
static CuteType shuffledOf(CuteContext context, CuteStringRef statement,
                           CuteType type) {
  const char *at = findElement(type);
  const char *mask = memchr(statement.data, '[', statement.length);
  const char *end = statement.data + statement.length;
  if (!at || !mask)
    return NULL;
  size_t n = 1;
  for (; mask < end && *mask != ']'; ++mask)
    n += *mask == ',';
  char before[32];
  snprintf(before, sizeof before, "vector<%zux", n);
  size_t length = (size_t)(type->foreign.data + type->foreign.length - at) - 1;
  return withElement(context, cuteStringRef(before),
                     (CuteStringRef){at, length});
}

static size_t give(CuteArena *arena, CuteType type, CuteType **types) {
  if (!type)
    return 0;
  *types = cuteArenaAllocate(arena, sizeof **types);
  **types = type;
  return 1;
}

//===-- Entry point -------------------------------------------------------===//

static size_t takeList(CuteContext context, CuteArena *arena, CuteLexer lexer,
                       CuteType **types) {
  size_t n = 0;
  cuteLexerTake(&lexer, '(');
  *types = NULL;
  do {
    CuteType type = takeType(context, &lexer);
    if (!type)
      break;
    CUTE_ARENA_PUSH(arena, *types, n, type);
  } while (cuteLexerTake(&lexer, ','));
  return n;
}

size_t cuteForeignOpGetTypes(CuteContext context, CuteArena *arena,
                             CuteStringRef statement, CuteType **types) {
  const char *implied = NULL;
  Rule rule = findRule(statement, &implied);
  if (rule == RULE_TYPE)
    return give(arena, cuteTypeGetForeign(context, cuteStringRef(implied)),
                types);
  const char *at = findTypes(statement);
  if (!at || rule == RULE_UNKNOWN)
    return 0;
  CuteLexer lexer = {at, statement.data + statement.length};
  size_t n = takeList(context, arena, lexer, types);
  if (!n || rule == RULE_SPELLED)
    return n;
  CuteType first = (*types)[0];
  switch (rule) {
  case RULE_ELEMENT:
    return give(arena, cuteForeignTypeGetElement(context, first), types);
  case RULE_TRUTH:
    return give(arena, truthOf(context, first), types);
  case RULE_SHUFFLE:
    return give(arena, shuffledOf(context, statement, first), types);
  case RULE_VALID:
    *types = cuteArenaGrow(arena, *types, n, sizeof **types);
    (*types)[n] = truthOf(context, first);
    return n + 1;
  default:
    return give(arena, (*types)[n - 1], types);
  }
}

CuteType cuteForeignOpGetOperandType(CuteContext context,
                                     CuteStringRef statement, size_t i) {
  Scan scan = {.lexer = {statement.data, statement.data + statement.length}};
  while (!scan.colon && step(&scan))
    ;
  CuteLexer lexer = {scan.colon, scan.lexer.end};
  CuteType type = NULL, next;
  if (!scan.colon)
    return NULL;
  cuteLexerTake(&lexer, '(');
  do {
    next = takeType(context, &lexer);
    type = next ? next : type;
  } while (next && i-- && cuteLexerTake(&lexer, ','));
  return type;
}
