// MLIR types and operations as types and ops of the dialect, and back.
#include "IR/dialect.h"
#include "Support/lexer.h"

//===-- Types -------------------------------------------------------------===//

static bool isDialectText(const CuteString *text) {
  return text->length > 6 && !memcmp(text->data, "!cute.", 6);
}

// Equal types must be one type, so only the canonical spelling is a type.
static CuteType checkSpelling(CuteContext context, CuteType type,
                              const CuteString *text) {
  CUTE_SCOPED(String) canonical = {0};
  cuteAppendType(&canonical, type, CUTE_FORM_GENERIC);
  if (!cuteTextIsSame(cuteStringGetRef(&canonical), cuteStringGetRef(text)))
    // Without its '!', which would have the diagnostic spell it canonically.
    type = cuteFail(context, "type '%s' is not in canonical spelling; write %s",
                    cuteStringGet(text) + 1, cuteStringGet(&canonical));
  return type;
}

// A type of another dialect, with types of this one inside.
static CuteType checkForeign(CuteContext context, const CuteString *text) {
  CuteLexer lexer = {text->data, text->data + text->length};
  CuteStringRef token;
  for (CuteToken kind; (kind = cuteLexerNext(&lexer, &token));) {
    if (kind != CUTE_TOKEN_TYPE || !cuteTextStartsWith(token, "!cute."))
      continue;
    size_t length;
    CuteStringRef rest = {token.data, (size_t)(lexer.end - token.data)};
    CuteType type = cuteTypeParsePrefix(context, rest, &length);
    CUTE_SCOPED(String) inside = {0};
    cuteStringAppendBytes(&inside, token.data, length);
    type = type ? checkSpelling(context, type, &inside) : NULL;
    if (!type)
      return NULL;
    lexer.at = token.data + length;
  }
  return cuteTypeGetForeign(context, cuteStringGetRef(text));
}

CuteType cuteDialectGetType(CuteDialect *dialect, MlirType type) {
  CuteType found = cutePointerMapGet(&dialect->toCute, type.ptr);
  if (found)
    return found;
  CUTE_SCOPED(String) text = {0};
  mlirTypePrint(type, cuteAppendMlirString, &text);
  CuteContext context = dialect->context;
  if (isDialectText(&text)) {
    size_t length; // another spelling where the type ends before the text
    found = cuteTypeCacheParsePrefix(&dialect->types, context,
                                     cuteStringGetRef(&text), &length);
    found = found ? checkSpelling(context, found, &text) : NULL;
  } else {
    found = checkForeign(context, &text);
  }
  if (found)
    cutePointerMapSet(&dialect->toCute, type.ptr, (void *)(uintptr_t)found);
  return found;
}

void cuteDialectKnowType(CuteDialect *dialect, CuteType type, MlirType mlir) {
  void *pointer = (void *)(uintptr_t)mlir.ptr;
  cutePointerMapSet(&dialect->toMlir, type, pointer);
  cutePointerMapSet(&dialect->toCute, pointer, (void *)(uintptr_t)type);
}

// Bound types are many and needed once: only those are kept that they are
// bound from.
MlirType cuteDialectGetMlirType(CuteDialect *dialect, CuteType type) {
  MlirType found = (MlirType){cutePointerMapGet(&dialect->toMlir, type)};
  if (!mlirTypeIsNull(found))
    return found;
  CuteType declared = cuteTypeUnbind(dialect->context, type);
  if (declared != type)
    return cuteDialectGetMlirType(dialect, declared);
  CUTE_SCOPED(String) text = {0};
  cuteAppendType(&text, declared, CUTE_FORM_GENERIC);
  MlirType result = mlirTypeParseGet(dialect->mlir, cuteMlirText(&text));
  if (mlirTypeIsNull(result)) {
    cuteFail(dialect->context, "'%s' is not a type", cuteStringGet(&text));
  } else {
    cuteDialectKnowType(dialect, declared, result);
  }
  return result;
}

MlirType cuteTypeParseMlir(MlirLocation location, MlirStringRef text) {
  MlirType result = {NULL};
  CUTE_LOCKED *dialect = cuteDialectLockAt(location);
  if (!dialect)
    return result;
  CuteType type = cuteTypeParse(dialect->context, fromMlirString(text));
  if (type)
    result = cuteDialectGetMlirType(dialect, type);
  if (mlirTypeIsNull(result))
    mlirEmitError(location, cuteContextGetError(dialect->context));
  return result;
}

MlirType cuteTypeToMlir(MlirLocation location, CuteType type) {
  if (!type)
    return (MlirType){NULL};
  CUTE_SCOPED(String) text = {0};
  cuteAppendType(&text, type, CUTE_FORM_GENERIC);
  return cuteTypeParseMlir(location, cuteMlirText(&text));
}

CuteType cuteTypeFromMlir(CuteContext context, MlirType type) {
  if (mlirTypeIsNull(type))
    return cuteFail(context, "the MLIR type is null");
  CUTE_SCOPED(String) text = {0};
  mlirTypePrint(type, cuteAppendMlirString, &text);
  size_t length; // another spelling where the type ends before the text
  CuteType result =
      isDialectText(&text)
          ? cuteTypeParsePrefix(context, cuteStringGetRef(&text), &length)
          : checkForeign(context, &text);
  if (result && isDialectText(&text))
    result = checkSpelling(context, result, &text);
  return result;
}

void cuteTypePrintMlir(MlirType type, MlirStringCallback callback,
                       void *userData) {
  CUTE_LOCKED *dialect = cuteDialectLock(mlirTypeGetContext(type));
  CuteType found = dialect ? cuteDialectGetType(dialect, type) : NULL;
  if (found) {
    CUTE_SCOPED(String) text = {0};
    cuteAppendType(&text, found, CUTE_FORM_PRETTY);
    callback(cuteMlirText(&text), userData);
  } else {
    mlirTypePrint(type, callback, userData);
  }
}

//===-- Attributes --------------------------------------------------------===//

static void readInts(CuteContext context, MlirAttribute from,
                     CuteAttribute *attribute) {
  size_t n = (size_t)mlirDenseArrayGetNumElements(from);
  int32_t *ints = cuteScratch(context, n * sizeof *ints);
  for (size_t i = 0; i < n; ++i)
    ints[i] = mlirDenseI32ArrayGetElement(from, (intptr_t)i);
  attribute->ints = ints;
  attribute->numInts = n;
}

static bool isInt32(MlirAttribute attribute) {
  MlirType type = mlirAttributeGetType(attribute);
  return mlirAttributeIsAInteger(attribute) && mlirTypeIsAInteger(type) &&
         mlirIntegerTypeIsSignless(type) && mlirIntegerTypeGetWidth(type) == 32;
}

static CuteStringRef printType(CuteContext context, MlirAttribute from) {
  CUTE_SCOPED(String) text = {0};
  mlirTypePrint(mlirTypeAttrGetValue(from), cuteAppendMlirString, &text);
  CuteStringRef copy = {
      cuteArenaCopyText(&context->scratch, cuteStringGet(&text), text.length),
      text.length};
  return copy;
}

// False if the attribute is of another kind than declared.
static bool readAttribute(CuteContext context, MlirAttribute from,
                          CuteAttribute *attribute) {
  switch (attribute->decl->kind) {
  case CUTE_ATTRIBUTE_INT:
    if (!isInt32(from))
      return false;
    attribute->value = mlirIntegerAttrGetValueInt(from);
    return true;
  case CUTE_ATTRIBUTE_INTS:
    if (!mlirAttributeIsADenseI32Array(from))
      return false;
    readInts(context, from, attribute);
    return true;
  case CUTE_ATTRIBUTE_UNIT:
    return mlirAttributeIsAUnit(from);
  case CUTE_ATTRIBUTE_TYPE:
    if (!mlirAttributeIsAType(from))
      return false;
    attribute->text = printType(context, from);
    return true;
  case CUTE_ATTRIBUTE_STRING:
    if (!mlirAttributeIsAString(from))
      return false;
    attribute->text = fromMlirString(mlirStringAttrGetValue(from));
    return true;
  }
  return false;
}

// `values` has an attribute, or null, for each that is declared.
static void readAttributes(CuteDialect *dialect, const MlirAttribute *values,
                           CuteOp *op) {
  const CuteOpDecl *decl = op->decl;
  CuteAttribute *attributes =
      cuteScratch(dialect->context, decl->numAttributes * sizeof *attributes);
  for (size_t i = 0; i < decl->numAttributes; ++i) {
    if (mlirAttributeIsNull(values[i]))
      continue;
    CuteAttribute *read = &attributes[op->numAttributes++];
    *read = (CuteAttribute){.decl = &decl->attributes[i]};
    read->malformed = !readAttribute(dialect->context, values[i], read);
  }
  op->attributes = attributes;
}

//===-- Operations --------------------------------------------------------===//

CuteOp cuteDialectGetOp(CuteDialect *dialect, const CuteOpDecl *decl,
                        MlirOperation from) {
  CuteArena *scratch = &dialect->context->scratch;
  CuteOp op = {.context = dialect->context, .decl = decl};
  op.numOperands = (size_t)getNumOperands(from);
  op.numWritten = (size_t)getNumResults(from);
  CuteType *types = cuteArenaAllocate(
      scratch, (op.numOperands + op.numWritten) * sizeof *types);
  for (size_t i = 0; i < op.numOperands; ++i)
    types[i] = cuteDialectGetOperandType(dialect, from, (intptr_t)i);
  for (size_t i = 0; i < op.numWritten; ++i)
    types[op.numOperands + i] =
        cuteDialectGetResultType(dialect, from, (intptr_t)i);
  op.operands = types;
  op.written = types + op.numOperands;
  MlirAttribute values[CUTE_MAX_DECLARED];
  for (size_t i = 0; i < decl->numAttributes; ++i)
    values[i] = mlirOperationGetAttributeByName(
        from, toMlirString(decl->attributes[i].name));
  readAttributes(dialect, values, &op);
  return op;
}

CuteOp cuteDialectMakeOp(CuteDialect *dialect, const CuteOpDecl *decl,
                         size_t numOperands, const MlirType *operands,
                         size_t numAttributes,
                         const MlirNamedAttribute *attributes) {
  CuteOp op = {
      .context = dialect->context, .decl = decl, .numOperands = numOperands};
  CuteType *types =
      cuteScratch(dialect->context, (numOperands + 1) * sizeof *types);
  for (size_t i = 0; i < numOperands; ++i)
    types[i] = cuteDialectGetType(dialect, operands[i]);
  op.operands = types;
  MlirAttribute values[CUTE_MAX_DECLARED] = {{NULL}};
  for (size_t i = 0; i < decl->numAttributes; ++i)
    for (size_t k = 0; k < numAttributes; ++k)
      if (mlirStringRefEqual(mlirIdentifierStr(attributes[k].name),
                             toMlirString(decl->attributes[i].name)))
        values[i] = attributes[k].attribute;
  readAttributes(dialect, values, &op);
  return op;
}

bool cuteDialectHasType(CuteDialect *dialect, MlirType type) {
  CuteType found = cuteDialectGetType(dialect, type);
  return found && found->kind != CUTE_TYPE_FOREIGN;
}
