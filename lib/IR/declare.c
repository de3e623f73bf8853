// Reads the ops' declarations from the IRDL module.
#include "IR/dialect.h"
#include "Support/growing_array.h"
#include "Support/text.h"

#include <mlir-c/Dialect/IRDL.h>

#include <stdio.h>
#include <stdlib.h>

// A copy of a string attribute, empty if there is none.
static CuteStringRef copyString(CuteDialect *dialect, MlirAttribute attribute) {
  if (mlirAttributeIsNull(attribute))
    return (CuteStringRef){"", 0};
  MlirStringRef text = mlirStringAttrGetValue(attribute);
  return (CuteStringRef){
      cuteArenaCopyText(&dialect->strings, text.data, text.length),
      text.length};
}

static CuteStringRef copyStringOf(CuteDialect *dialect, MlirOperation op,
                                  const char *name) {
  return copyString(dialect, cuteMlirGetAttribute(op, name));
}

static bool fail(MlirOperation op, const char *message) {
  mlirEmitError(mlirOperationGetLocation(op), message);
  return false;
}

//===-- Operand and result constraints ------------------------------------===//

static CuteKindSet kindBit(CuteTypeKind kind) { return (CuteKindSet)1 << kind; }

// The kinds that the constraint defined by this op admits.
static CuteKindSet constraintKinds(MlirOperation constraint) {
  const CuteKindSet foreign = kindBit(CUTE_TYPE_FOREIGN);
  if (cuteMlirIs(constraint, "irdl.any"))
    return ~(CuteKindSet)0;
  if (cuteMlirIs(constraint, "irdl.any_of")) {
    CuteKindSet kinds = 0;
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(constraint); ++i)
      kinds |= constraintKinds(
          mlirOpResultGetOwner(mlirOperationGetOperand(constraint, i)));
    return kinds;
  }
  MlirAttribute reference = cuteMlirGetAttribute(constraint, "base_ref");
  if (mlirAttributeIsNull(reference))
    return foreign;
  CuteTypeKind kind;
  MlirStringRef leaf = mlirSymbolRefAttrGetLeafReference(reference);
  return cuteTypeKindFind(fromMlirString(leaf), &kind) ? kindBit(kind) : 0;
}

// "#irdl<variadicity_array[ variadic,  single]>" has no accessor in the C API.
static CuteVariadicity variadicityAt(const char *text, size_t index) {
  const char *at = strchr(text, '[');
  for (; at && index; --index)
    at = strchr(at + 1, ',');
  if (!at)
    return CUTE_SINGLE;
  at += strspn(at, "[, ");
  return !strncmp(at, "variadic", 8)   ? CUTE_VARIADIC
         : !strncmp(at, "optional", 8) ? CUTE_OPTIONAL
                                       : CUTE_SINGLE;
}

static bool isWordIn(CuteStringRef word, CuteStringRef list) {
  for (size_t i = 0; i + word.length <= list.length; ++i) {
    size_t end = i + word.length;
    if (!memcmp(list.data + i, word.data, word.length) &&
        (i == 0 || list.data[i - 1] == ' ') &&
        (end == list.length || list.data[end] == ' '))
      return true;
  }
  return false;
}

static bool readValues(CuteDialect *dialect, MlirOperation op,
                       CuteStringRef elided, CuteValueDecl *values,
                       size_t *count) {
  intptr_t n = mlirOperationGetNumOperands(op);
  if (n > CUTE_MAX_DECLARED)
    return fail(op, "more operands or results than the dialect has room for");
  MlirAttribute names = cuteMlirGetAttribute(op, "names");
  CuteString variadicity = {0};
  mlirAttributePrint(cuteMlirGetAttribute(op, "variadicity"),
                     cuteAppendMlirString, &variadicity);
  for (intptr_t i = 0; i < n; ++i) {
    CuteValueDecl *value = &values[i];
    value->name = copyString(dialect, mlirArrayAttrGetElement(names, i));
    value->kinds =
        constraintKinds(mlirOpResultGetOwner(mlirOperationGetOperand(op, i)));
    value->variadicity = variadicityAt(cuteStringGet(&variadicity), (size_t)i);
    value->elided = isWordIn(value->name, elided);
  }
  *count = (size_t)n;
  cuteStringDestroy(&variadicity);
  return true;
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

//===-- Splitting mixed groups --------------------------------------------===//

static MlirValue createAny(MlirOperation before) {
  MlirOperationState state = mlirOperationStateGet(
      cuteMlirString("irdl.any"), mlirOperationGetLocation(before));
  MlirType type = mlirValueGetType(mlirOperationGetOperand(before, 0));
  mlirOperationStateAddResults(&state, 1, &type);
  MlirOperation any = mlirOperationCreate(&state);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(before), before,
                                      any);
  return mlirOperationGetResult(any, 0);
}

// Replaces the one variadic value of irdl.operands or irdl.results by many of
// any type, whose names are numbered.
static void splitMixed(MlirOperation op) {
  MlirContext context = mlirOperationGetContext(op);
  MlirStringRef name = mlirStringAttrGetValue(
      mlirArrayAttrGetElement(cuteMlirGetAttribute(op, "names"), 0));
  MlirValue values[CUTE_NUM_MIXED];
  MlirAttribute names[CUTE_NUM_MIXED], variadicities[CUTE_NUM_MIXED];
  for (int i = 0; i < CUTE_NUM_MIXED; ++i) {
    char numbered[64];
    snprintf(numbered, sizeof numbered, "%.*s_%d", (int)name.length, name.data,
             i);
    values[i] = createAny(op);
    names[i] = mlirStringAttrGet(context, cuteMlirString(numbered));
    variadicities[i] =
        mlirIRDLVariadicityAttrGet(context, cuteMlirString("variadic"));
  }
  mlirOperationSetOperands(op, CUTE_NUM_MIXED, values);
  cuteMlirSetAttribute(op, "names",
                       mlirArrayAttrGet(context, CUTE_NUM_MIXED, names));
  cuteMlirSetAttribute(
      op, "variadicity",
      mlirIRDLVariadicityArrayAttrGet(context, CUTE_NUM_MIXED, variadicities));
}

//===-- Operations --------------------------------------------------------===//

static const CuteOpHooks *findHooks(CuteOpTable table, CuteStringRef name) {
  for (; *table; ++table)
    for (const CuteOpHooks *row = *table; row->name; ++row)
      if (strlen(row->name) == name.length &&
          !memcmp(row->name, name.data, name.length))
        return row;
  return NULL;
}

// Counts those that may be absent.
static size_t numAbsent(const CuteValueDecl *values, size_t n) {
  size_t count = 0;
  for (size_t i = 0; i < n; ++i)
    count += values[i].variadicity != CUTE_SINGLE;
  return count;
}

static bool readBody(CuteDialect *dialect, MlirOperation op, CuteOpDecl *decl) {
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
  CuteStringRef elided = copyStringOf(dialect, op, "elide");
  CuteStringRef mixed = copyStringOf(dialect, op, "mixed");
  MlirOperation child = mlirBlockGetFirstOperation(body);
  for (; !mlirOperationIsNull(child);
       child = mlirOperationGetNextInBlock(child)) {
    bool isOperands = cuteMlirIs(child, "irdl.operands");
    if (!isOperands && !cuteMlirIs(child, "irdl.results"))
      continue;
    CuteValueDecl *values = isOperands ? decl->operands : decl->results;
    size_t *count = isOperands ? &decl->numOperands : &decl->numResults;
    if (!readValues(dialect, child, elided, values, count))
      return false;
    if (isOperands)
      decl->segmentedOperands = numAbsent(values, *count) > 1;
    if (*count != 1 || !mixed.length || !isWordIn(values[0].name, mixed))
      continue;
    splitMixed(child);
    *(isOperands ? &decl->mixedOperands : &decl->mixedResults) = true;
  }
  return true;
}

static bool readTraits(CuteDialect *dialect, MlirOperation op,
                       CuteOpDecl *decl) {
  MlirAttribute arch = cuteMlirGetAttribute(op, "arch");
  CuteOpTraitTexts texts = {
      .effects = copyStringOf(dialect, op, "effects"),
      .access = copyStringOf(dialect, op, "access"),
      .view = copyStringOf(dialect, op, "view"),
      .partition = copyStringOf(dialect, op, "partition"),
      .suffix = copyStringOf(dialect, op, "arch_suffix"),
      .arch = mlirAttributeIsNull(arch) ? 0 : mlirIntegerAttrGetValueInt(arch)};
  CuteString message = {0};
  bool ok = cuteOpTraitsRead(decl, texts, &message);
  if (!ok)
    fail(op, cuteStringGet(&message));
  cuteStringDestroy(&message);
  return ok;
}

static bool readOperation(CuteDialect *dialect, MlirOperation op,
                          CuteOpTable table, CuteOpDecl *decl) {
  *decl = (CuteOpDecl){.name = copyStringOf(dialect, op, "sym_name"),
                       .group = copyStringOf(dialect, op, "group"),
                       .summary = copyStringOf(dialect, op, "summary")};
  decl->hooks = findHooks(table, decl->name);
  if (!decl->hooks)
    return fail(op, "no row of lib/Ops for this operation");
  if (!readAssembly(copyStringOf(dialect, op, "assembly"), decl))
    return fail(op, "malformed assembly attribute");
  return readBody(dialect, op, decl) && readTraits(dialect, op, decl);
}

static int compareDecls(const void *first, const void *second) {
  CuteStringRef a = ((const CuteOpDecl *)first)->name;
  CuteStringRef b = ((const CuteOpDecl *)second)->name;
  size_t n = a.length < b.length ? a.length : b.length;
  int order = memcmp(a.data, b.data, n);
  return order ? order : (a.length > b.length) - (a.length < b.length);
}

static const char *const idNames[] = {
#define CUTE_OP(id, name) "cute." name,
#include "op_ids.def"
#undef CUTE_OP
};

const char *cuteOpIdGetName(CuteOpId id) { return idNames[id]; }

// Ids are in the order of the names, as the sorted declarations.
static bool giveIds(CuteDialect *dialect, MlirOperation definition) {
  if (dialect->numOps != CUTE_NUM_OPS)
    return fail(definition, "other operations than the library was built for");
  for (size_t i = 0; i < CUTE_NUM_OPS; ++i) {
    dialect->ops[i].id = (CuteOpId)i;
    if (!cuteTextEquals(dialect->ops[i].name, idNames[i] + strlen("cute.")))
      return fail(definition,
                  "other operations than the library was built for");
  }
  return true;
}

bool cuteDialectDeclare(CuteDialect *dialect, MlirModule irdl,
                        CuteOpTable table) {
  MlirOperation definition =
      mlirBlockGetFirstOperation(mlirModuleGetBody(irdl));
  MlirBlock body =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(definition, 0));
  size_t capacity = 0;
  MlirOperation op = mlirBlockGetFirstOperation(body);
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    if (!cuteMlirIs(op, "irdl.operation"))
      continue;
    CUTE_RESERVE(dialect->ops, dialect->numOps, capacity, 1);
    if (!readOperation(dialect, op, table, &dialect->ops[dialect->numOps]))
      return false;
    ++dialect->numOps;
  }
  qsort(dialect->ops, dialect->numOps, sizeof *dialect->ops, compareDecls);
  return giveIds(dialect, definition);
}
