#include "Text/value_types.h"

#include "Support/hash.h"
#include "Support/lexer.h"
#include "Text/foreign_op.h"

// The definition of some values. Text that has not been looked at is that of
// another dialect's op, from its name on, or of an argument's type.
struct CuteDefinition {
  CuteStringRef text;
  bool isArgument;
  size_t numTypes;
  CuteType *types;
  CuteStringRef statement; // of an op of another dialect
  bool hasShape;           // whether `shape` has been looked for
  CuteIntTuple shape;
};

typedef struct CuteValueEntry {
  CuteStringRef name;
  CuteDefinition *definition;
  size_t index;        // of the first value of this name among the definition's
  CuteStringRef alias; // another value of the same type
  CuteStringRef thread; // of the part of the alias that is named
  CuteIntTuple shape;   // of a vector; null if it is not known
} Entry;

void cuteValueTypesInit(CuteValueTypes *values) {
  *values = (CuteValueTypes){.entries = {.arena = cuteTaskGetArena()}};
}

static bool isNamed(const void *item, const void *name) {
  return cuteTextIsSame(((const Entry *)item)->name,
                        *(const CuteStringRef *)name);
}

static Entry *find(CuteValueTypes *values, CuteStringRef name) {
  uint64_t hash = cuteHashBytes(name.data, name.length);
  return cuteHashTableFind(&values->entries, hash, &name, isNamed)->item;
}

static Entry *define(CuteValueTypes *values, CuteStringRef name) {
  uint64_t hash = cuteHashBytes(name.data, name.length);
  CuteHashSlot *slot =
      cuteHashTableFind(&values->entries, hash, &name, isNamed);
  if (!slot->item)
    cuteHashTableFill(&values->entries, slot, hash,
                      cuteTaskAllocate(sizeof(Entry)));
  Entry *entry = slot->item;
  *entry = (Entry){.name = name};
  return entry;
}

static CuteDefinition *addDefinition(CuteDefinition definition) {
  CuteDefinition *copy = cuteTaskAllocate(sizeof *copy);
  *copy = definition;
  return copy;
}

CuteDefinition *cuteValueTypesAddTypes(size_t n, const CuteType *types) {
  CuteType *copy = cuteTaskAllocate(n * sizeof *copy);
  if (n)
    memcpy(copy, types, n * sizeof *copy);
  return addDefinition((CuteDefinition){.numTypes = n, .types = copy});
}

CuteDefinition *cuteValueTypesAddForeign(CuteStringRef statement) {
  return addDefinition(
      (CuteDefinition){.text = statement, .statement = statement});
}

CuteDefinition *cuteValueTypesAddArgument(CuteStringRef text) {
  return addDefinition((CuteDefinition){.text = text, .isArgument = true});
}

void cuteValueTypesSet(CuteValueTypes *values, CuteStringRef name,
                       CuteDefinition *definition, size_t index) {
  Entry *entry = define(values, name);
  entry->definition = definition;
  entry->index = index;
}

void cuteValueTypesSetAlias(CuteValueTypes *values, CuteStringRef name,
                            CuteStringRef other) {
  define(values, name)->alias = other;
}

void cuteValueTypesSetSlice(CuteValueTypes *values, CuteStringRef name,
                            CuteStringRef whole, CuteStringRef thread) {
  Entry *entry = define(values, name);
  entry->alias = whole;
  entry->thread = thread;
}

bool cuteValueTypesGetSlice(CuteValueTypes *values, CuteStringRef name,
                            CuteStringRef *whole, CuteStringRef *thread) {
  Entry *entry = find(values, name);
  if (!entry || !entry->thread.length)
    return false;
  *whole = entry->alias;
  *thread = entry->thread;
  return true;
}

// A definition's types are looked for once.
static void resolve(CuteContext context, CuteDefinition *definition) {
  CuteStringRef text = definition->text;
  if (!text.length)
    return;
  definition->text.length = 0;
  if (!definition->isArgument) {
    definition->numTypes = cuteForeignOpGetTypes(context, cuteTaskGetArena(),
                                                 text, &definition->types);
    return;
  }
  size_t length;
  CuteType type = cuteTypeParsePrefix(context, text, &length);
  if (!type)
    return;
  definition->types = cuteTaskAllocate(sizeof type);
  *definition->types = type;
  definition->numTypes = 1;
}

bool cuteValueTypesHas(const CuteValueTypes *values, CuteStringRef name,
                       CuteSuggestion *suggestion) {
  const char *number = memchr(name.data, '#', name.length);
  if (number)
    name.length = (size_t)(number - name.data);
  uint64_t hash = cuteHashBytes(name.data, name.length);
  if (cuteHashTableGet(&values->entries, hash, &name, isNamed))
    return true;
  for (size_t i = 0; suggestion && i < values->entries.capacity; ++i) {
    const Entry *entry = values->entries.slots[i].item;
    if (entry)
      cuteSuggestionOffer(suggestion, (CuteStringRef){entry->name.data + 1,
                                                      entry->name.length - 1});
  }
  return false;
}

CuteStringRef cuteValueSplit(CuteStringRef name, size_t *number) {
  CuteStringRef value = cuteTextTakePart(&name, '#');
  int64_t index;
  *number = !name.length ? 0
            : cuteTextGetInteger(name, &index) && index < CUTE_MANY_VALUES
                ? (size_t)index
                : CUTE_MANY_VALUES;
  return value;
}

CuteType cuteValueTypesGet(CuteValueTypes *values, CuteContext context,
                           CuteStringRef name) {
  size_t index;
  name = cuteValueSplit(name, &index);
  for (int steps = 0; steps < 64; ++steps) {
    Entry *entry = find(values, name);
    if (!entry)
      return NULL;
    if (entry->alias.length) {
      name = entry->alias;
      continue;
    }
    resolve(context, entry->definition);
    index += entry->index;
    return index < entry->definition->numTypes ? entry->definition->types[index]
                                               : NULL;
  }
  return NULL;
}

//===-- Shapes of vectors -------------------------------------------------===//

// Chains of ops are followed this far, and their operands so many tokens.
enum { MAX_STEPS = 4096, MAX_TOKENS = 64 };

void cuteValueTypesSetShape(CuteValueTypes *values, CuteStringRef name,
                            CuteIntTuple shape) {
  Entry *entry = find(values, name);
  if (entry)
    entry->shape = shape;
}

// The number of elements of a vector of rank 1, 0 for other types.
static int64_t sizeOfVector(CuteType type) {
  CuteStringRef text = type ? type->foreign : (CuteStringRef){0};
  int64_t size;
  return cuteTypeIsKind(type, CUTE_TYPE_FOREIGN) &&
                 cuteTextTake(&text, "vector<") &&
                 cuteTextGetInteger(cuteTextTakePart(&text, 'x'), &size) &&
                 text.length && size <= INT32_MAX
             ? size
             : 0;
}

static CuteIntTuple shapeOf(CuteValueTypes *values, CuteContext context,
                            CuteStringRef name, int steps);

// The shape of the first operand whose shape is known.
static CuteIntTuple shapeOfOperands(CuteValueTypes *values, CuteContext context,
                                    CuteStringRef statement, int steps) {
  CuteLexer lexer = {statement.data, statement.data + statement.length};
  CuteIntTuple shape = NULL;
  CuteStringRef text;
  for (int i = 0; i < MAX_TOKENS && !shape; ++i) {
    CuteToken token = cuteLexerNext(&lexer, &text);
    if (token == CUTE_TOKEN_END || *text.data == ':')
      break;
    if (token == CUTE_TOKEN_VALUE)
      shape = shapeOf(values, context, text, steps);
  }
  return shape;
}

// Ops of arith and math work element by element.
static CuteIntTuple shapeOfResult(CuteValueTypes *values, CuteContext context,
                                  CuteStringRef name,
                                  CuteDefinition *definition, int steps) {
  CuteStringRef statement = definition->statement;
  if (definition->hasShape || !(cuteTextStartsWith(statement, "arith.") ||
                                cuteTextStartsWith(statement, "math.")))
    return definition->shape;
  definition->hasShape = true;
  CuteIntTuple shape = shapeOfOperands(values, context, statement, steps);
  CuteIntTuple size = shape ? cuteIntTupleProduct(context, shape) : NULL;
  if (size &&
      size->value == sizeOfVector(cuteValueTypesGet(values, context, name)))
    definition->shape = shape;
  return definition->shape;
}

static CuteIntTuple shapeOf(CuteValueTypes *values, CuteContext context,
                            CuteStringRef name, int steps) {
  Entry *entry = find(values, name);
  while (entry && entry->alias.length && steps++ < MAX_STEPS)
    entry = find(values, entry->alias);
  if (!entry || steps >= MAX_STEPS || entry->alias.length)
    return NULL;
  return entry->shape || entry->index
             ? entry->shape
             : shapeOfResult(values, context, entry->name, entry->definition,
                             steps + 1);
}

CuteIntTuple cuteValueTypesGetShape(CuteValueTypes *values, CuteContext context,
                                    CuteStringRef name) {
  return shapeOf(values, context, name, 0);
}
