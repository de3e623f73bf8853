#include "IR/value_types.h"

#include "Support/hash.h"

#include <stdlib.h>

typedef struct CuteValueEntry {
  CuteStringRef name;
  uint64_t hash;
  size_t numTypes; // of a known definition
  const CuteType *types;
  CuteStringRef statement; // of a foreign one, from its op name on
  size_t index;
  CuteStringRef alias;
} Entry;

void cuteValueTypesInit(CuteValueTypes *values) {
  *values = (CuteValueTypes){0};
  cuteArenaInit(&values->arena);
}

void cuteValueTypesDestroy(CuteValueTypes *values) {
  free(values->slots);
  cuteArenaDestroy(&values->arena);
}

static void grow(CuteValueTypes *values) {
  size_t capacity = values->capacity ? values->capacity * 2 : 256;
  Entry **slots = cuteAllocate(capacity * sizeof *slots);
  memset(slots, 0, capacity * sizeof *slots);
  for (size_t i = 0; i < values->capacity; ++i) {
    Entry *entry = values->slots[i];
    if (!entry)
      continue;
    size_t slot = (size_t)entry->hash & (capacity - 1);
    while (slots[slot])
      slot = (slot + 1) & (capacity - 1);
    slots[slot] = entry;
  }
  free(values->slots);
  values->slots = slots;
  values->capacity = capacity;
}

static Entry **findSlot(CuteValueTypes *values, CuteStringRef name,
                        uint64_t hash) {
  size_t slot = (size_t)hash & (values->capacity - 1);
  for (; values->slots[slot]; slot = (slot + 1) & (values->capacity - 1)) {
    Entry *entry = values->slots[slot];
    if (entry->hash == hash && entry->name.length == name.length &&
        !memcmp(entry->name.data, name.data, name.length))
      break;
  }
  return &values->slots[slot];
}

static Entry *define(CuteValueTypes *values, CuteStringRef name) {
  if (values->count * 4 >= values->capacity * 3)
    grow(values);
  uint64_t hash = cuteHashBytes(name.data, name.length);
  Entry **slot = findSlot(values, name, hash);
  if (!*slot) {
    *slot = cuteArenaAllocate(&values->arena, sizeof **slot);
    ++values->count;
  }
  **slot = (Entry){.name = name, .hash = hash};
  return *slot;
}

void cuteValueTypesSet(CuteValueTypes *values, CuteStringRef name, size_t n,
                       const CuteType *types) {
  CuteType *copy = cuteArenaAllocate(&values->arena, n * sizeof *copy);
  if (n)
    memcpy(copy, types, n * sizeof *copy);
  Entry *entry = define(values, name);
  entry->numTypes = n;
  entry->types = copy;
}

void cuteValueTypesSetForeign(CuteValueTypes *values, CuteStringRef name,
                              CuteStringRef statement, size_t index) {
  Entry *entry = define(values, name);
  entry->statement = statement;
  entry->index = index;
}

void cuteValueTypesSetAlias(CuteValueTypes *values, CuteStringRef name,
                            CuteStringRef other) {
  define(values, name)->alias = other;
}

//===-- Types of other dialects' ops --------------------------------------===//

// Ops whose result type their assembly does not spell.
static const struct {
  const char *prefix, *type;
} implicitTypes[] = {
    {"arith.cmp", "i1"},           {"gpu.thread_id", "index"},
    {"gpu.block_id", "index"},     {"gpu.block_dim", "index"},
    {"gpu.grid_dim", "index"},     {"gpu.lane_id", "index"},
    {"gpu.global_id", "index"},    {"gpu.warp_id", "index"},
    {"arith.constant true", "i1"}, {"arith.constant false", "i1"},
};

// Where the last colon, arrow or `to` outside brackets leaves off.
typedef struct TypeText {
  const char *colon, *arrow, *to;
} TypeText;

// Scans the statement: to a line end behind which a new one may begin, or to
// the region of the op.
static TypeText scanStatement(CuteStringRef statement, CuteLexer *end) {
  CuteLexer lexer = {statement.data, statement.data + statement.length};
  TypeText found = {NULL, NULL, NULL};
  CuteStringRef text;
  for (bool isFirst = true;; isFirst = false) {
    const char *before = lexer.at;
    cuteLexerSkipTrivia(&lexer);
    bool newLine =
        !isFirst && memchr(before, '\n', (size_t)(lexer.at - before));
    char next = cuteLexerPeek(&lexer);
    if (lexer.at == lexer.end || (newLine && !strchr(":->,(", next)))
      break;
    if (strchr("([<", next)) {
      if (!cuteLexerSkipBracket(&lexer))
        break;
      continue;
    }
    if (next == '{' || next == '}')
      break;
    CuteToken token = cuteLexerNext(&lexer, &text);
    if (token == CUTE_TOKEN_ARROW)
      found.arrow = lexer.at;
    else if (token == CUTE_TOKEN_PUNCTUATION && next == ':' && !found.arrow)
      found.colon = lexer.at;
    else if (token == CUTE_TOKEN_IDENTIFIER && cuteTextEquals(text, "to"))
      found.to = lexer.at;
  }
  *end = lexer;
  return found;
}

static CuteType parseNth(CuteContext context, CuteLexer lexer, size_t index) {
  cuteLexerTake(&lexer, '(');
  for (;; --index) {
    cuteLexerSkipTrivia(&lexer);
    size_t length;
    CuteType type = cuteTypeParsePrefix(
        context, (CuteStringRef){lexer.at, (size_t)(lexer.end - lexer.at)},
        &length);
    lexer.at += length;
    if (!type || !index)
      return type;
    if (!cuteLexerTake(&lexer, ','))
      return NULL;
  }
}

static CuteType foreignType(CuteContext context, const Entry *entry) {
  for (size_t i = 0; i < sizeof implicitTypes / sizeof *implicitTypes; ++i)
    if (cuteTextStartsWith(entry->statement, implicitTypes[i].prefix))
      return cuteTypeGetForeign(context, cuteStringRef(implicitTypes[i].type));
  CuteLexer end;
  TypeText found = scanStatement(entry->statement, &end);
  const char *at = found.arrow ? found.arrow
                   : found.to  ? found.to
                               : found.colon;
  return at ? parseNth(context, (CuteLexer){at, end.end},
                       found.arrow ? entry->index : 0)
            : NULL;
}

CuteType cuteValueTypesGet(CuteValueTypes *values, CuteContext context,
                           CuteStringRef name) {
  size_t index = 0;
  const char *number = memchr(name.data, '#', name.length);
  if (number) {
    for (const char *c = number + 1; c < name.data + name.length; ++c)
      index = index * 10 + (size_t)(*c - '0');
    name.length = (size_t)(number - name.data);
  }
  for (int steps = 0; values->count && steps < 64; ++steps) {
    Entry *entry =
        *findSlot(values, name, cuteHashBytes(name.data, name.length));
    if (!entry)
      return NULL;
    if (entry->alias.length) {
      name = entry->alias;
      continue;
    }
    if (!entry->statement.length)
      return index < entry->numTypes ? entry->types[index] : NULL;
    entry->index += index;
    CuteType type = foreignType(context, entry);
    entry->index -= index;
    return type;
  }
  return NULL;
}
