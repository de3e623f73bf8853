// Takes ops that are made directly, and finds which values they use.
#include "Support/growing_array.h"
#include "Support/hash.h"
#include "Text/direct_parts.h"

void cuteDirectOpsDestroy(CuteDirectOps *direct) {
  cuteArenaDestroy(&direct->arena);
  cuteHashTableDestroy(&direct->names);
  cutePointerMapDestroy(&direct->typeNumbers);
  free(direct->runs);
  free(direct->types);
  free(direct->mlirTypes);
}

//===-- Names -------------------------------------------------------------===//

static bool isNamed(const void *item, const void *name) {
  return cuteTextIsSame(((const Name *)item)->name,
                        *(const CuteStringRef *)name);
}

static CuteHashSlot *find(CuteDirectOps *direct, CuteStringRef name,
                          uint64_t *hash) {
  *hash = cuteHashBytes(name.data, name.length);
  return cuteHashTableFind(&direct->names, *hash, &name, isNamed);
}

static size_t innermostBrace(const CuteNesting *nesting) {
  size_t depth = nesting->depth;
  while (depth && nesting->open[depth - 1] != '{')
    --depth;
  return depth;
}

// Tells whether the region of the definition is open.
static bool isVisible(const CuteReader *reader, const Name *name) {
  size_t depth = name->depth;
  return !depth || (depth <= reader->nesting.depth &&
                    reader->nesting.open[depth - 1] == '{' &&
                    reader->direct.braces[depth] == name->brace);
}

static void exportName(Name *name) {
  if (!name->run || name->isExported)
    return;
  name->isExported = true;
  name->nextExported = name->run->exported;
  name->run->exported = name;
}

// Puts a new definition in place of the latest one. MLIR is to see both
// where both may be visible: it says that a name is taken.
static Name *define(CuteReader *reader, CuteStringRef text) {
  CuteDirectOps *direct = &reader->direct;
  uint64_t hash;
  CuteHashSlot *slot = find(direct, text, &hash);
  Name *before = slot->item;
  Name *name = cuteArenaAllocate(&direct->arena, sizeof *name);
  size_t depth = innermostBrace(&reader->nesting);
  *name = (Name){
      .name = text, .depth = depth, .brace = depth ? direct->braces[depth] : 0};
  if (before)
    slot->item = name;
  else
    cuteHashTableFill(&direct->names, slot, hash, name);
  if (before && isVisible(reader, before))
    exportName(before);
  return name;
}

static Name *lookUp(CuteReader *reader, CuteStringRef text, size_t *number) {
  uint64_t hash;
  CuteStringRef name = cuteValueSplit(text, number);
  Name *found = find(&reader->direct, name, &hash)->item;
  return found ? found : define(reader, name);
}

void cuteDirectOpsUse(CuteReader *reader, CuteStringRef name) {
  size_t number;
  Name *found = lookUp(reader, name, &number);
  if (isVisible(reader, found))
    exportName(found);
}

void cuteDirectOpsDefine(CuteReader *reader, CuteStringRef name) {
  define(reader, name);
}

void cuteDirectOpsEnter(CuteReader *reader) {
  CuteDirectOps *direct = &reader->direct;
  direct->braces[reader->nesting.depth] = ++direct->numBraces;
}

bool cuteDirectOpsClash(CuteStringRef name) {
  return cuteTextEquals(name, CUTE_DIRECT_NUMBER);
}

//===-- Taking ops --------------------------------------------------------===//

static bool isTrivia(CuteLexer lexer) {
  cuteLexerSkipTrivia(&lexer);
  return lexer.at == lexer.end;
}

static bool isLocated(CuteLexer lexer) {
  CuteStringRef text;
  return cuteLexerPeek(&lexer) == 'l' &&
         cuteLexerNext(&lexer, &text) == CUTE_TOKEN_IDENTIFIER &&
         cuteTextEquals(text, "loc");
}

static bool mayHave(const CuteAttribute *attribute) {
  CuteElementType element;
  switch (attribute->decl->kind) {
  case CUTE_ATTRIBUTE_TYPE:
    return cuteElementTypeFind(attribute->text, &element);
  case CUTE_ATTRIBUTE_STRING:
    return !memchr(attribute->text.data, '\\', attribute->text.length);
  default:
    return true;
  }
}

// MLIR checks what an op that declares its results has.
static bool hasDeclaredResults(const CuteReaderParts *parts) {
  const CuteOpDecl *decl = parts->decl;
  for (size_t i = 0; i < decl->numResults && i < parts->numResults; ++i)
    if (!(decl->results[i].kinds & (CuteKindSet)1 << parts->results[i]->kind))
      return false;
  return true;
}

bool cuteDirectOpsAllow(CuteReader *reader, const CuteReaderParts *parts) {
  bool isAllowed = !reader->map.isExact &&
                   isTrivia((CuteLexer){parts->dictionaries[0].data,
                                        parts->dictionaries[0].data +
                                            parts->dictionaries[0].length}) &&
                   isTrivia((CuteLexer){parts->dictionaries[1].data,
                                        parts->dictionaries[1].data +
                                            parts->dictionaries[1].length}) &&
                   !isLocated(reader->lexer) && hasDeclaredResults(parts);
  for (size_t i = 0; isAllowed && i < parts->numAttributes; ++i)
    isAllowed = mayHave(&parts->attributes[i]);
  for (size_t i = 0; isAllowed && i < parts->numLiterals; ++i)
    isAllowed = cuteDirectOpsAllow(reader, &parts->literals[i].parts);
  return isAllowed;
}

static MlirAttribute attributeOf(CuteDialect *dialect,
                                 const CuteAttribute *attribute) {
  MlirContext context = dialect->mlir;
  switch (attribute->decl->kind) {
  case CUTE_ATTRIBUTE_INT:
    return mlirIntegerAttrGet(mlirIntegerTypeGet(context, 32),
                              attribute->value);
  case CUTE_ATTRIBUTE_INTS:
    return mlirDenseI32ArrayGet(context, (intptr_t)attribute->numInts,
                                attribute->ints);
  case CUTE_ATTRIBUTE_UNIT:
    return mlirUnitAttrGet(context);
  case CUTE_ATTRIBUTE_TYPE:
    return mlirTypeAttrGet(
        mlirTypeParseGet(context, toMlirString(attribute->text)));
  case CUTE_ATTRIBUTE_STRING:
    return mlirStringAttrGet(context, toMlirString(attribute->text));
  }
  return (MlirAttribute){NULL};
}

static void takeAttributes(CuteReader *reader, const CuteReaderParts *parts,
                           DirectOp *op) {
  CuteArena *arena = &reader->direct.arena;
  size_t n = op->numAttributes = parts->numAttributes;
  op->attributes = cuteArenaAllocate(arena, n * sizeof *op->attributes);
  for (size_t i = 0; i < n; ++i) {
    const CuteAttribute *attribute = &parts->attributes[i];
    CuteStringRef name = attribute->decl->name;
    op->attributes[i] =
        (CuteNamedAttribute){cuteArenaCopyText(arena, name.data, name.length),
                             attributeOf(reader->dialect, attribute)};
  }
}

void cuteDirectOpsNoteType(CuteDirectOps *direct, CuteType type) {
  if (cutePointerMapGet(&direct->typeNumbers, type))
    return;
  CUTE_PUSH(direct->types, direct->numTypes, direct->typeCapacity, type);
  cutePointerMapSet(&direct->typeNumbers, type,
                    (void *)(uintptr_t)direct->numTypes);
}

static ValueRef addOutside(CuteReader *reader, CuteDirectRun *run,
                           CuteStringRef text, CuteType type) {
  uint32_t number = (uint32_t)run->numOutside;
  CUTE_ARENA_PUSH(&reader->direct.arena, run->outside, run->numOutside,
                  (Outside){text, type});
  return (ValueRef){CUTE_DIRECT_OUTSIDE, number};
}

// A value of the run, whose type has to be that which the op says, or of other
// ops.
static ValueRef refer(CuteReader *reader, CuteDirectRun *run,
                      CuteStringRef text, CuteType type) {
  size_t number;
  Name *name = lookUp(reader, text, &number);
  if (name->run == run && number < name->count) {
    ValueRef ref = {name->op, name->first + (uint32_t)number};
    reader->map.isOutOfStep |= run->ops[ref.op].results[ref.index] != type;
    return ref;
  }
  if (isVisible(reader, name))
    exportName(name);
  bool isWhole = name->name.length == text.length;
  if (isWhole && name->user == run && name->usedAs == type)
    return (ValueRef){CUTE_DIRECT_OUTSIDE, name->index};
  ValueRef ref = addOutside(reader, run, text, type);
  if (isWhole) {
    name->user = run;
    name->usedAs = type;
    name->index = ref.index;
  }
  return ref;
}

static void takeOperands(CuteReader *reader, CuteDirectRun *run,
                         const CuteReaderParts *parts, DirectOp *op) {
  op->numOperands = parts->numOperands;
  op->operands = cuteArenaAllocate(&reader->direct.arena,
                                   parts->numOperands * sizeof *op->operands);
  for (size_t i = 0; i < parts->numOperands; ++i)
    op->operands[i] = refer(reader, run, parts->operands[i], parts->types[i]);
}

static void takeResults(CuteReader *reader, const CuteReaderParts *parts,
                        DirectOp *op) {
  size_t n = op->numResults = parts->numResults;
  CuteType *results =
      cuteArenaAllocate(&reader->direct.arena, n * sizeof *results);
  for (size_t i = 0; i < n; ++i) {
    results[i] = parts->results[i];
    cuteDirectOpsNoteType(&reader->direct, results[i]);
  }
  op->results = results;
}

static MlirLocation locate(CuteReader *reader, const char *at) {
  unsigned line, column;
  cuteSourceMapLocate(&reader->map, at, &line, &column);
  return mlirLocationFileLineColGet(reader->dialect->mlir, reader->map.name,
                                    line, column);
}

static bool isBlank(const CuteString *text, size_t from) {
  while (from < text->length && strchr(" \t\r\n", text->data[from]))
    ++from;
  return from == text->length;
}

// The run that continues at the statement, or a new one.
static CuteDirectRun *runAt(CuteReader *reader, const char *statement) {
  CuteDirectOps *direct = &reader->direct;
  CuteDirectRun *run =
      direct->numRuns ? direct->runs[direct->numRuns - 1] : NULL;
  if (run && isTrivia((CuteLexer){reader->copied, statement}) &&
      isBlank(&reader->map.output, run->at))
    return run;
  cuteReaderFlush(reader, statement);
  cuteSourceMapLeaveHole(&reader->map);
  run = cuteArenaAllocate(&direct->arena, sizeof *run);
  *run = (CuteDirectRun){.at = reader->map.output.length, .start = statement};
  CUTE_PUSH(direct->runs, direct->numRuns, direct->runCapacity, run);
  return run;
}

// Gives the results of the latest op their names.
static void nameResults(CuteReader *reader, CuteDirectRun *run, size_t numNames,
                        const CuteStringRef *names, const size_t *counts) {
  const DirectOp *op = &run->ops[run->numOps - 1];
  size_t first = 0, sum = 0;
  for (size_t i = 0; i < numNames; ++i)
    sum += counts ? counts[i] : 1;
  reader->map.isOutOfStep |= numNames && sum != op->numResults;
  for (size_t i = 0; i < numNames && sum == op->numResults; ++i) {
    uint64_t hash;
    const Name *before = find(&reader->direct, names[i], &hash)->item;
    bool isTaken = before && isVisible(reader, before);
    Name *name = define(reader, names[i]);
    name->run = run;
    name->op = (uint32_t)run->numOps - 1;
    name->first = (uint32_t)first;
    name->count = counts ? counts[i] : 1;
    first += name->count;
    if (isTaken)
      exportName(name);
  }
}

void cuteDirectOpsTake(CuteReader *reader, const CuteReaderParts *parts,
                       size_t numNames, const CuteStringRef *names,
                       const size_t *counts, const char *statement) {
  CuteDirectRun *run = runAt(reader, statement);
  DirectOp op = {.decl = parts->decl, .location = locate(reader, parts->start)};
  takeAttributes(reader, parts, &op);
  takeOperands(reader, run, parts, &op);
  takeResults(reader, parts, &op);
  CUTE_ARENA_PUSH(&reader->direct.arena, run->ops, run->numOps, op);
  nameResults(reader, run, numNames, names, counts);
  reader->copied = reader->lexer.at;
}
