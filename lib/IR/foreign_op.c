#include "IR/foreign_op.h"
#include "IR/lexer.h"

//===-- Ops whose last colon or arrow is not followed by the results ------===//

typedef enum Rule {
  RULE_TYPE,    // the type in the row
  RULE_LAST,    // the last type of the list
  RULE_ELEMENT, // the element of the memref or tensor in the list
  RULE_SPELLED, // the list
} Rule;

// The first row that the op's text begins with counts.
static const struct {
  const char *prefix;
  Rule rule;
  const char *type;
} rows[] = {
    {"arith.cmp", RULE_TYPE, "i1"},
    {"arith.constant true", RULE_TYPE, "i1"},
    {"arith.constant false", RULE_TYPE, "i1"},
    {"arith.select ", RULE_LAST, NULL},
    {"affine.apply", RULE_TYPE, "index"},
    {"affine.load ", RULE_ELEMENT, NULL},
    {"affine.max", RULE_TYPE, "index"},
    {"affine.min", RULE_TYPE, "index"},
    {"gpu.block_dim", RULE_TYPE, "index"},
    {"gpu.block_id", RULE_TYPE, "index"},
    {"gpu.cluster_", RULE_TYPE, "index"},
    {"gpu.global_id", RULE_TYPE, "index"},
    {"gpu.grid_dim", RULE_TYPE, "index"},
    {"gpu.lane_id", RULE_TYPE, "index"},
    {"gpu.thread_id", RULE_TYPE, "index"},
    {"gpu.warp_id", RULE_TYPE, "index"},
    {"index.bool", RULE_TYPE, "i1"},
    {"index.cast", RULE_SPELLED, NULL},
    {"index.cmp", RULE_TYPE, "i1"},
    {"index.", RULE_TYPE, "index"},
    {"llvm.fcmp", RULE_TYPE, "i1"},
    {"llvm.icmp", RULE_TYPE, "i1"},
    {"memref.dim", RULE_TYPE, "index"},
    {"memref.load ", RULE_ELEMENT, NULL},
    {"tensor.dim", RULE_TYPE, "index"},
    {"tensor.extract ", RULE_ELEMENT, NULL},
    {"vector.load ", RULE_LAST, NULL},
    {"vector.transfer_read ", RULE_LAST, NULL},
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
  const char *colon; // behind the last colon
  const char *arrow; // behind the last arrow
  const char *to;    // behind the last `to` or `into` after the colon
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

static bool isOpName(CuteStringRef word) {
  return memchr(word.data, '.', word.length) || cuteTextEquals(word, "call") ||
         cuteTextEquals(word, "return");
}

// Whether the word that is next begins another op.
static bool startsOp(const Scan *scan) {
  CuteLexer lexer = scan->lexer;
  CuteStringRef word;
  if (cuteLexerNext(&lexer, &word) != CUTE_TOKEN_IDENTIFIER)
    return false;
  if (isOpName(word))
    return isTyped(scan) || scan->newLine;
  return isTyped(scan) && scan->newLine && !cuteTextEquals(word, "to") &&
         !cuteTextEquals(word, "into");
}

// Whether the op ends before the next token.
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

// Where the list of types with the results begins; null if there is none.
static const char *findTypes(CuteStringRef statement) {
  Scan scan = {.lexer = {statement.data, statement.data + statement.length}};
  while (step(&scan))
    ;
  return scan.arrow ? scan.arrow : scan.to ? scan.to : scan.colon;
}

//===-- Entry point -------------------------------------------------------===//

static CuteType takeType(CuteContext context, CuteLexer *lexer) {
  cuteLexerSkipTrivia(lexer);
  size_t length;
  CuteType type = cuteTypeParsePrefix(
      context, (CuteStringRef){lexer->at, (size_t)(lexer->end - lexer->at)},
      &length);
  lexer->at += length;
  return type;
}

// The element type of memref<4x?xf32, ...>.
static CuteType elementOf(CuteContext context, CuteType type) {
  CuteStringRef text =
      type->kind == CUTE_TYPE_FOREIGN ? type->foreign : (CuteStringRef){0};
  const char *angle = text.length ? memchr(text.data, '<', text.length) : NULL;
  if (!angle)
    return NULL;
  CuteLexer lexer = {angle + 1, text.data + text.length};
  for (;;) {
    const char *at = lexer.at;
    while (at < lexer.end && strchr("0123456789?*", *at))
      ++at;
    if (at == lexer.at || at == lexer.end || *at != 'x')
      return takeType(context, &lexer);
    lexer.at = at + 1;
  }
}

static size_t give(CuteArena *arena, CuteType type, CuteType **types) {
  if (!type)
    return 0;
  *types = cuteArenaAllocate(arena, sizeof **types);
  **types = type;
  return 1;
}

size_t cuteForeignOpGetTypes(CuteContext context, CuteArena *arena,
                             CuteStringRef statement, CuteType **types) {
  const char *implied = NULL;
  Rule rule = findRule(statement, &implied);
  if (rule == RULE_TYPE)
    return give(arena, cuteTypeGetForeign(context, cuteStringRef(implied)),
                types);
  const char *at = findTypes(statement);
  if (!at)
    return 0;
  CuteLexer lexer = {at, statement.data + statement.length};
  cuteLexerTake(&lexer, '(');
  *types = NULL;
  size_t n = 0;
  do {
    CuteType type = takeType(context, &lexer);
    if (!type)
      break;
    *types = cuteArenaGrow(arena, *types, n, sizeof **types);
    (*types)[n++] = type;
  } while (cuteLexerTake(&lexer, ','));
  if (n && rule == RULE_LAST)
    return give(arena, (*types)[n - 1], types);
  return n && rule == RULE_ELEMENT
             ? give(arena, elementOf(context, (*types)[0]), types)
             : n;
}
