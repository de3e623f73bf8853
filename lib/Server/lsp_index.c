// Follows the scopes of a text by its tokens, whether or not it parses. A value
// belongs to the innermost region around its definition; one that a loop or a
// function defines before its region, to that region.
#include "Server/lsp.h"

#include "Support/growing_array.h"
#include "Support/hash.h"

enum { BUCKETS = 4096 };

// A visible definition; the latest of a bucket comes first.
typedef struct Visible {
  int name, next;
  unsigned bucket;
} Visible;

typedef struct Scope {
  size_t numVisible; // outside
  bool hasNames;     // it is a region, not a dictionary
  int symbol;        // whose region it is
} Scope;

typedef struct Builder {
  CuteLspIndex *index;
  CuteLexer lexer;
  CuteNesting nesting;
  int heads[BUCKETS];
  size_t numVisible, visibleCapacity;
  Visible *visible;
  size_t numScopes, scopeCapacity;
  Scope *scopes;
  size_t numPending, pendingCapacity;
  int *pending;           // definitions that belong to the region to come
  int symbol;             // which that region may be of
  CuteStringRef previous; // the token before
  CuteToken previousKind;
  bool isList;  // in `%a, %b =`
  bool isBlock; // in `^bb0(...):`
} Builder;

//===-- Names that can be seen --------------------------------------------===//

static unsigned bucketOf(CuteStringRef text) {
  return (unsigned)(cuteHashBytes(text.data, text.length) % BUCKETS);
}

static void declare(Builder *b, int name) {
  unsigned bucket = bucketOf(b->index->names[name].text);
  CUTE_PUSH(b->visible, b->numVisible, b->visibleCapacity,
            (Visible){name, b->heads[bucket], bucket});
  b->heads[bucket] = (int)b->numVisible - 1;
  b->index->names[name].definition = name;
}

static int lookUp(const Builder *b, CuteStringRef text) {
  int i = b->heads[bucketOf(text)];
  while (i >= 0 &&
         !cuteTextIsSame(b->index->names[b->visible[i].name].text, text))
    i = b->visible[i].next;
  return i < 0 ? CUTE_LSP_NOWHERE : b->visible[i].name;
}

static void postpone(Builder *b, int name) {
  b->index->names[name].definition = name;
  CUTE_PUSH(b->pending, b->numPending, b->pendingCapacity, name);
}

//===-- Scopes ------------------------------------------------------------===//

static void openScope(Builder *b) {
  CUTE_PUSH(b->scopes, b->numScopes, b->scopeCapacity,
            (Scope){b->numVisible, false, b->symbol});
  for (size_t i = 0; i < b->numPending; ++i)
    declare(b, b->pending[i]);
  b->numPending = 0;
  b->symbol = CUTE_LSP_NOWHERE;
}

// Values that were defined before a dictionary belong to the region after it.
static void closeScope(Builder *b, const char *at) {
  if (!b->numScopes)
    return;
  Scope scope = b->scopes[--b->numScopes];
  while (b->numVisible > scope.numVisible) {
    Visible last = b->visible[--b->numVisible];
    b->heads[last.bucket] = last.next;
    b->index->names[last.name].scopeEnd = at;
    if (!scope.hasNames)
      postpone(b, last.name);
  }
  if (!scope.hasNames)
    b->symbol = scope.symbol;
  else if (scope.symbol >= 0)
    b->index->names[scope.symbol].end = at + 1;
  if (scope.hasNames && b->numScopes)
    b->scopes[b->numScopes - 1].hasNames = true;
}

//===-- Names -------------------------------------------------------------===//

static bool isInParentheses(const Builder *b) {
  size_t depth = b->nesting.depth;
  return depth && b->nesting.open[depth - 1] == '(';
}

// Tells whether a token is the first of a line or region.
static bool beginsStatement(const Builder *b, const char *at) {
  const char *before = b->previous.data + b->previous.length;
  return !b->previous.length || memchr(before, '\n', (size_t)(at - before)) ||
         strchr("{}", *b->previous.data);
}

static void takeValue(Builder *b, int name) {
  CuteStringRef text = b->index->names[name].text;
  CuteLexer after = b->lexer;
  char next = cuteLexerPeek(&after);
  b->isList |= !isInParentheses(b) && beginsStatement(b, text.data) &&
               cuteLexerIsInDefinitions(after);
  bool isArgument = isInParentheses(b) && next == ':' && lookUp(b, text) < 0;
  if (b->isList || (isArgument && b->isBlock))
    declare(b, name);
  else if (isArgument || next == '=')
    postpone(b, name);
  else
    b->index->names[name].definition = lookUp(b, text);
}

// Tells whether a symbol is one that an op defines, by the word before it, or
// what is after its dot.
static bool isDefinedSymbol(const Builder *b) {
  static const char words[] = "func module global private public nested";
  const char *dot = memchr(b->previous.data, '.', b->previous.length);
  CuteStringRef word = b->previous;
  if (dot)
    word =
        (CuteStringRef){dot + 1, (size_t)(word.data + word.length - dot - 1)};
  return b->previousKind == CUTE_TOKEN_IDENTIFIER &&
         cuteTextHasWord(cuteStringRef(words), word);
}

static void takeSymbol(Builder *b, int name) {
  CuteLspName *symbol = &b->index->names[name];
  bool isAlias = symbol->kind != CUTE_TOKEN_SYMBOL;
  CuteLexer after = b->lexer;
  if (isAlias ? cuteLexerPeek(&after) == '=' : isDefinedSymbol(b)) {
    symbol->definition = name;
    symbol->op = b->previous;
    symbol->end = b->lexer.at;
    b->symbol = isAlias ? b->symbol : name;
  }
}

//===-- All ---------------------------------------------------------------===//

static void takeName(Builder *b, CuteToken kind, CuteStringRef text) {
  CuteLspName name = {kind, text, .definition = CUTE_LSP_NOWHERE,
                      .end = text.data + text.length};
  const char *number = memchr(text.data, '#', text.length);
  if (kind == CUTE_TOKEN_VALUE && number) {
    name.number = (size_t)strtoul(number + 1, NULL, 10);
    name.text.length = (size_t)(number - text.data);
  }
  CUTE_PUSH(b->index->names, b->index->count, b->index->capacity, name);
  int i = (int)b->index->count - 1;
  if (kind == CUTE_TOKEN_VALUE)
    takeValue(b, i);
  else
    takeSymbol(b, i);
  if (b->numScopes && (kind == CUTE_TOKEN_VALUE || b->symbol == i))
    b->scopes[b->numScopes - 1].hasNames = true;
}

static void takePunctuation(Builder *b, const char *at) {
  cuteNestingUpdate(&b->nesting, *at);
  if (*at == '{')
    openScope(b);
  else if (*at == '}')
    closeScope(b, at);
  b->isList &= *at != '=';
  b->isBlock &= *at != ':' || isInParentheses(b);
}

static void takeToken(Builder *b, CuteToken kind, CuteStringRef text) {
  switch (kind) {
  case CUTE_TOKEN_VALUE:
  case CUTE_TOKEN_SYMBOL:
  case CUTE_TOKEN_TYPE:
  case CUTE_TOKEN_ATTRIBUTE:
    takeName(b, kind, text);
    break;
  case CUTE_TOKEN_BLOCK:
    b->isBlock = beginsStatement(b, text.data);
    break;
  case CUTE_TOKEN_PUNCTUATION:
    takePunctuation(b, text.data);
    break;
  default:
    break;
  }
  b->previous = text;
  b->previousKind = kind;
}

// Symbols and aliases may be used before they are defined.
static void resolveSymbols(Builder *b) {
  CuteLspName *names = b->index->names;
  for (int i = 0; i < (int)b->index->count; ++i)
    if (names[i].kind != CUTE_TOKEN_VALUE && names[i].definition == i)
      declare(b, i);
  for (int i = 0; i < (int)b->index->count; ++i)
    if (names[i].kind != CUTE_TOKEN_VALUE && names[i].definition < 0)
      names[i].definition = lookUp(b, names[i].text);
}

void cuteLspIndexBuild(CuteLspIndex *index, CuteStringRef text) {
  CUTE_FREED Builder *b = cuteAllocate(sizeof *b);
  *b = (Builder){.index = index,
                 .lexer = {text.data, text.data + text.length},
                 .symbol = CUTE_LSP_NOWHERE};
  memset(b->heads, -1, sizeof b->heads);
  CuteStringRef token;
  CuteToken kind;
  while ((kind = cuteLexerNext(&b->lexer, &token)) != CUTE_TOKEN_END)
    takeToken(b, kind, token);
  while (b->numScopes)
    closeScope(b, b->lexer.end);
  resolveSymbols(b);
  free(b->visible);
  free(b->scopes);
  free(b->pending);
}

void cuteLspIndexDestroy(CuteLspIndex *index) {
  free(index->names);
  *index = (CuteLspIndex){0};
}

CuteLspName *cuteLspIndexFind(const CuteLspIndex *index, const char *at) {
  size_t low = 0, high = index->count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (index->names[middle].text.data <= at)
      low = middle + 1;
    else
      high = middle;
  }
  CuteLspName *name = low ? &index->names[low - 1] : NULL;
  return name && at <= name->text.data + name->text.length ? name : NULL;
}

CuteLspName *cuteLspIndexResolve(const CuteLspIndex *index,
                                 const CuteLspName *name) {
  return name && name->definition >= 0 ? &index->names[name->definition] : NULL;
}
