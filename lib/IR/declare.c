// Reads the ops' declarations.
#include "IR/irdl_reader.h"
#include "Support/growing_array.h"
#include "Support/text.h"

#include <stdlib.h>

static bool fail(MlirLocation location, CuteStringRef op, const char *message) {
  cuteEmitError(location, "declaration of '%.*s': %s", (int)op.length, op.data,
                message);
  return false;
}

//===-- Assembly ----------------------------------------------------------===//

static void skipSpaces(CuteStringRef *text) {
  while (cuteTextTake(text, " "))
    ;
}

static CuteStringRef takeName(CuteStringRef *text) {
  CuteStringRef name = {text->data, 0};
  while (name.length < text->length &&
         !strchr(" ,?>]}", text->data[name.length]))
    ++name.length;
  text->data += name.length;
  text->length -= name.length;
  return name;
}

static CuteAttributeDecl takeAttribute(CuteStringRef *text) {
  CuteAttributeDecl decl = {.kind = CUTE_ATTRIBUTE_INT};
  char close = '\0';
  if (cuteTextTake(text, "[")) {
    decl.kind = CUTE_ATTRIBUTE_INTS;
    close = ']';
  } else if (cuteTextTake(text, "{")) {
    decl.kind = CUTE_ATTRIBUTE_UNIT;
    close = '}';
  } else if (cuteTextTake(text, "type ")) {
    decl.kind = CUTE_ATTRIBUTE_TYPE;
  } else if (cuteTextTake(text, "string ")) {
    decl.kind = CUTE_ATTRIBUTE_STRING;
  }
  decl.name = takeName(text);
  if (close) {
    ++text->data;
    --text->length;
  }
  decl.optional = cuteTextTake(text, "?");
  return decl;
}

// <attributes>[?] [(operands)] [: types], see dialect/cute.irdl.mlir.
static bool readAssembly(CuteStringRef text, CuteOpDecl *decl) {
  if (cuteTextTake(&text, "<")) {
    while (!cuteTextTake(&text, ">")) {
      if (decl->numAttributes == CUTE_MAX_DECLARED || !text.length)
        return false;
      decl->attributes[decl->numAttributes++] = takeAttribute(&text);
      cuteTextTake(&text, ",");
      skipSpaces(&text);
    }
    decl->optionalAngle = cuteTextTake(&text, "?");
    decl->spaceAfterAngle = cuteTextTake(&text, " ");
  }
  decl->hasOperandList = cuteTextTake(&text, "(operands)");
  skipSpaces(&text);
  if (!cuteTextTake(&text, ":"))
    return text.length == 0;
  skipSpaces(&text);
  if (cuteTextTake(&text, "functional"))
    decl->types = CUTE_TYPES_FUNCTIONAL;
  else if (cuteTextTake(&text, "types -> types"))
    decl->types = CUTE_TYPES_ARROW;
  else if (cuteTextTake(&text, "types"))
    decl->types = CUTE_TYPES_OPERANDS;
  else if (cuteTextTake(&text, "result"))
    decl->types = CUTE_TYPES_RESULT;
  decl->attrDictLast = cuteTextTake(&text, " attr-dict");
  return text.length == 0;
}

//===-- Operations --------------------------------------------------------===//

static const CuteOpHooks *findHooks(CuteOpTable table, CuteStringRef name) {
  for (; *table; ++table)
    for (const CuteOpHooks *row = *table; row->name; ++row)
      if (*row->name == *name.data &&
          !strncmp(row->name, name.data, name.length) &&
          !row->name[name.length])
        return row;
  return NULL;
}

// Counts the optional ones.
static size_t numAbsent(const CuteValueDecl *values, size_t n) {
  size_t count = 0;
  for (size_t i = 0; i < n; ++i)
    count += values[i].variadicity != CUTE_SINGLE;
  return count;
}

// Marks those whose types print as parameters alone.
static void readValues(const CuteIrdlOperation *op, const CuteIrdlValues *read,
                       CuteValueDecl *values, size_t *count) {
  CuteStringRef elided = cuteIrdlGetAttribute(op, "elide");
  *count = read->n;
  for (size_t i = 0; i < read->n; ++i) {
    values[i] = read->values[i];
    values[i].elided = cuteTextHasWord(elided, values[i].name);
  }
}

static bool readTraits(const CuteIrdlOperation *op, MlirLocation location,
                       CuteOpDecl *decl) {
  CuteStringRef arch = cuteIrdlGetAttribute(op, "arch");
  CuteOpTraitTexts texts = {.effects = cuteIrdlGetAttribute(op, "effects"),
                            .access = cuteIrdlGetAttribute(op, "access"),
                            .view = cuteIrdlGetAttribute(op, "view"),
                            .partition = cuteIrdlGetAttribute(op, "partition"),
                            .suffix = cuteIrdlGetAttribute(op, "arch_suffix"),
                            .arch = atoi(arch.data)};
  CuteString message = {0};
  bool ok = cuteOpTraitsRead(decl, texts, &message);
  if (!ok)
    fail(location, op->name, cuteStringGet(&message));
  cuteStringDestroy(&message);
  return ok;
}

static bool readOperation(const CuteIrdlOperation *op, MlirLocation location,
                          void *userData) {
  CuteDialect *dialect = userData;
  CUTE_RESERVE(dialect->ops, dialect->numOps, dialect->opCapacity, 1);
  CuteOpDecl *decl = &dialect->ops[dialect->numOps++];
  *decl = (CuteOpDecl){.name = op->name,
                       .group = cuteIrdlGetAttribute(op, "group"),
                       .summary = cuteIrdlGetAttribute(op, "summary"),
                       .mixedOperands = op->operands.isMixed,
                       .mixedResults = op->results.isMixed,
                       .hooks = findHooks(dialect->table, op->name)};
  if (!decl->hooks)
    return fail(location, op->name, "there is no row of lib/Ops for it");
  if (!readAssembly(cuteIrdlGetAttribute(op, "assembly"), decl))
    return fail(location, op->name, "malformed assembly attribute");
  readValues(op, &op->operands, decl->operands, &decl->numOperands);
  readValues(op, &op->results, decl->results, &decl->numResults);
  decl->segmentedOperands = numAbsent(decl->operands, decl->numOperands) > 1;
  return readTraits(op, location, decl);
}

static int compareDecls(const void *first, const void *second) {
  CuteStringRef a = ((const CuteOpDecl *)first)->name;
  CuteStringRef b = ((const CuteOpDecl *)second)->name;
  size_t n = a.length < b.length ? a.length : b.length;
  int order = memcmp(a.data, b.data, n);
  return order ? order : (a.length > b.length) - (a.length < b.length);
}

// Ids are in the order of the names, as the sorted declarations.
static bool giveIds(CuteDialect *dialect) {
  bool ok = dialect->numOps == CUTE_NUM_OPS;
  for (size_t i = 0; i < CUTE_NUM_OPS && ok; ++i) {
    dialect->ops[i].id = (CuteOpId)i;
    ok = cuteTextEquals(dialect->ops[i].name,
                        cuteOpIdGetName((CuteOpId)i) + strlen("cute."));
  }
  if (!ok)
    mlirEmitError(mlirLocationUnknownGet(dialect->mlir),
                  "other operations than the library was built for");
  return ok;
}

MlirModule cuteDialectDeclare(CuteDialect *dialect, CuteStringRef text) {
  MlirModule irdl = cuteIrdlRead(dialect->mlir, text,
                                 (CuteIrdlReading){.splitsMixed = true,
                                                   .isLoaded = true,
                                                   .take = readOperation,
                                                   .userData = dialect});
  if (mlirModuleIsNull(irdl))
    return irdl;
  qsort(dialect->ops, dialect->numOps, sizeof *dialect->ops, compareDecls);
  if (giveIds(dialect))
    return irdl;
  mlirModuleDestroy(irdl);
  return (MlirModule){NULL};
}
