// The reference of the dialect in Markdown, from its declarations.
#include "IR/dialect.h"

typedef struct Document {
  CuteDialect *dialect;
  CuteString text;
} Document;

// Empty if there is no such attribute.
static CuteStringRef stringOf(MlirOperation op, const char *name) {
  MlirAttribute attribute = cuteMlirGetAttribute(op, name);
  return mlirAttributeIsNull(attribute)
             ? (CuteStringRef){"", 0}
             : fromMlirString(mlirStringAttrGetValue(attribute));
}

static void append(Document *document, CuteStringRef text) {
  cuteStringAppendBytes(&document->text, text.data, text.length);
}

static void appendParagraph(Document *document, MlirOperation op,
                            const char *attribute) {
  CuteStringRef text = stringOf(op, attribute);
  append(document, text);
  cuteStringAppend(&document->text, text.length ? "\n\n" : "");
}

static void appendExample(Document *document, MlirOperation op) {
  cuteStringAppend(&document->text, "```mlir\n");
  append(document, stringOf(op, "example"));
  cuteStringAppend(&document->text, "\n```\n\n");
}

//===-- Assembly ----------------------------------------------------------===//

static void appendAngle(CuteString *text, const CuteOpDecl *decl) {
  static const char *const formats[] = {
      [CUTE_ATTRIBUTE_INT] = "%.*s",        [CUTE_ATTRIBUTE_INTS] = "[%.*s]",
      [CUTE_ATTRIBUTE_UNIT] = "{%.*s}",     [CUTE_ATTRIBUTE_TYPE] = "%.*s",
      [CUTE_ATTRIBUTE_STRING] = "\"%.*s\"",
  };
  for (size_t i = 0; i < decl->numAttributes; ++i) {
    const CuteAttributeDecl *attribute = &decl->attributes[i];
    cuteStringAppend(text, !i ? "<" : attribute->optional ? "[, " : ", ");
    cuteStringAppendFormat(text, formats[attribute->kind],
                           (int)attribute->name.length, attribute->name.data);
  }
  for (size_t i = 1; i < decl->numAttributes; ++i)
    cuteStringAppend(text, decl->attributes[i].optional ? "]" : "");
  cuteStringAppend(text, decl->numAttributes ? ">" : "");
  cuteStringAppend(text, decl->spaceAfterAngle ? " " : "");
}

// %a, %b[, %optional], %many...
static void appendOperandNames(CuteString *text, const CuteOpDecl *decl) {
  for (size_t i = 0; i < decl->numOperands; ++i) {
    const CuteValueDecl *operand = &decl->operands[i];
    const char *format = operand->variadicity == CUTE_VARIADIC   ? "%s%%%.*s..."
                         : operand->variadicity == CUTE_OPTIONAL ? "[%s%%%.*s]"
                                                                 : "%s%%%.*s";
    cuteStringAppendFormat(text, format, i ? ", " : "",
                           (int)operand->name.length, operand->name.data);
  }
}

static void appendTypes(CuteString *text, const CuteValueDecl *values,
                        size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const char *format = values[i].variadicity == CUTE_VARIADIC   ? "%s%s..."
                         : values[i].variadicity == CUTE_OPTIONAL ? "[%s%s]"
                                                                  : "%s%s";
    cuteStringAppendFormat(text, format, i ? ", " : "",
                           values[i].elided ? "<\"...\">" : "T");
  }
}

static void appendSignature(CuteString *text, const CuteOpDecl *decl) {
  bool hasArrow =
      decl->types == CUTE_TYPES_ARROW || decl->types == CUTE_TYPES_FUNCTIONAL;
  bool hasBrackets =
      decl->types == CUTE_TYPES_FUNCTIONAL ||
      (decl->types == CUTE_TYPES_ARROW && decl->numOperands != 1);
  if (decl->types == CUTE_TYPES_NONE)
    return;
  cuteStringAppend(text, hasBrackets ? " : (" : " : ");
  if (decl->types != CUTE_TYPES_RESULT)
    appendTypes(text, decl->operands, decl->numOperands);
  cuteStringAppend(text, hasBrackets ? ")" : "");
  cuteStringAppend(text, hasArrow ? " -> " : "");
  if (hasArrow || decl->types == CUTE_TYPES_RESULT)
    appendTypes(text, decl->results, decl->numResults);
}

static void appendAssembly(CuteString *text, const CuteOpDecl *decl) {
  cuteStringAppendFormat(text, "- Assembly: `cute.%.*s", (int)decl->name.length,
                         decl->name.data);
  appendAngle(text, decl);
  if (decl->hasOperandList) {
    cuteStringAppendChar(text, '(');
    appendOperandNames(text, decl);
    cuteStringAppendChar(text, ')');
  }
  appendSignature(text, decl);
  cuteStringAppendChar(text, '`');
  cuteStringAppend(text,
                   decl->optionalAngle ? "; `<...>` may be left out\n" : "\n");
}

//===-- Operands, attributes, results -------------------------------------===//

static void appendKinds(CuteString *text, CuteKindSet kinds) {
  if (!(CuteKindSet)~kinds) {
    cuteStringAppend(text, "any type");
    return;
  }
  bool isFirst = true;
  for (int kind = 0; kind <= CUTE_TYPE_FOREIGN; ++kind) {
    if (!(kinds & (CuteKindSet)1 << kind))
      continue;
    cuteStringAppend(text, isFirst ? "" : ", ");
    cuteStringAppend(text, kind == CUTE_TYPE_FOREIGN
                               ? "builtin integer or float"
                               : cuteTypeKindGetName((CuteTypeKind)kind));
    isFirst = false;
  }
}

static void appendValues(CuteString *text, const char *role,
                         const CuteValueDecl *values, size_t count) {
  static const char *const notes[] = {"", " (optional)", " (any number)"};
  for (size_t i = 0; i < count; ++i) {
    cuteStringAppendFormat(text, "- %s `%.*s`%s: ", role,
                           (int)values[i].name.length, values[i].name.data,
                           notes[values[i].variadicity]);
    appendKinds(text, values[i].kinds);
    cuteStringAppendChar(text, '\n');
  }
}

static void appendAttributes(CuteString *text, const CuteOpDecl *decl) {
  static const char *const kinds[] = {
      [CUTE_ATTRIBUTE_INT] = "`i32`",
      [CUTE_ATTRIBUTE_INTS] = "`array<i32: ...>`",
      [CUTE_ATTRIBUTE_UNIT] = "`unit`",
      [CUTE_ATTRIBUTE_TYPE] = "a type",
      [CUTE_ATTRIBUTE_STRING] = "a string",
  };
  for (size_t i = 0; i < decl->numAttributes; ++i)
    cuteStringAppendFormat(
        text, "- Attribute `%.*s`%s: %s\n",
        (int)decl->attributes[i].name.length, decl->attributes[i].name.data,
        decl->optionalAngle || decl->attributes[i].optional ? " (optional)"
                                                            : "",
        kinds[decl->attributes[i].kind]);
}

static void appendOperation(Document *document, MlirOperation op) {
  CuteString *text = &document->text;
  const CuteOpDecl *decl =
      cuteDialectFindOp(document->dialect, stringOf(op, "sym_name"));
  CuteStringRef effects = stringOf(op, "effects");
  cuteStringAppendFormat(text, "### `cute.%.*s`\n\n", (int)decl->name.length,
                         decl->name.data);
  appendParagraph(document, op, "summary");
  appendParagraph(document, op, "description");
  appendExample(document, op);
  appendAssembly(text, decl);
  appendValues(text, "Operand", decl->operands, decl->numOperands);
  appendAttributes(text, decl);
  appendValues(text,
               decl->hooks->declaresResults ? "Result, as written,"
                                            : "Result, inferred,",
               decl->results, decl->numResults);
  if (effects.length)
    cuteStringAppendFormat(text, "- Effects: %.*s\n", (int)effects.length,
                           effects.data);
  cuteStringAppendChar(text, '\n');
}

//===-- Types -------------------------------------------------------------===//

static const char *parameterKind(MlirOperation constraint) {
  CuteStringRef base = stringOf(constraint, "base_name");
  return cuteTextEquals(base, "#builtin.string")    ? "string"
         : cuteTextEquals(base, "#builtin.integer") ? "`i64`"
                                                    : "type";
}

static void appendParameters(Document *document, MlirOperation type) {
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(type, 0));
  MlirOperation op = mlirBlockGetFirstOperation(body);
  while (!mlirOperationIsNull(op) && !cuteMlirIs(op, "irdl.parameters"))
    op = mlirOperationGetNextInBlock(op);
  if (mlirOperationIsNull(op))
    return;
  MlirAttribute names = cuteMlirGetAttribute(op, "names");
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    CuteStringRef name = fromMlirString(
        mlirStringAttrGetValue(mlirArrayAttrGetElement(names, i)));
    cuteStringAppendFormat(
        &document->text, "- Parameter `%.*s`: %s\n", (int)name.length,
        name.data,
        parameterKind(mlirOpResultGetOwner(mlirOperationGetOperand(op, i))));
  }
  cuteStringAppendChar(&document->text, '\n');
}

static void appendType(Document *document, MlirOperation op) {
  CuteStringRef name = stringOf(op, "sym_name");
  cuteStringAppendFormat(&document->text, "### `!cute.%.*s`\n\n",
                         (int)name.length, name.data);
  appendParagraph(document, op, "summary");
  appendParagraph(document, op, "description");
  appendExample(document, op);
  appendParameters(document, op);
}

//===-- All ---------------------------------------------------------------===//

// "LayoutAlgebra" as "Layout algebra".
static void appendTitle(CuteString *text, CuteStringRef group) {
  for (size_t i = 0; i < group.length; ++i) {
    char c = group.data[i];
    bool begins = i && c >= 'A' && c <= 'Z';
    cuteStringAppend(text, begins ? " " : "");
    cuteStringAppendChar(text, begins ? (char)(c - 'A' + 'a') : c);
  }
}

static void appendGroup(Document *document, CuteStringRef group) {
  CuteString *text = &document->text;
  int length = (int)group.length;
  cuteStringAppend(text, "## ");
  appendTitle(text, group);
  cuteStringAppendFormat(text,
                         "\n\nCode in [lib/Ops/%.*s.c](../lib/Ops/%.*s.c), "
                         "tests in [test/Ops/%.*s](../test/Ops/%.*s).\n\n",
                         length, group.data, length, group.data, length,
                         group.data, length, group.data);
}

// A line for each group, or "Types", with links to what is in it.
static void appendIndex(Document *document, MlirBlock body) {
  CuteString *text = &document->text;
  CuteStringRef group = {"", 0};
  MlirOperation op = mlirBlockGetFirstOperation(body);
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    CuteStringRef name = stringOf(op, "sym_name");
    CuteStringRef next = cuteMlirIs(op, "irdl.type") ? cuteStringRef("Types")
                                                     : stringOf(op, "group");
    if (cuteTextIsSame(group, next)) {
      cuteStringAppend(text, ", ");
    } else {
      cuteStringAppend(text, group.length ? "\n- " : "- ");
      appendTitle(text, next);
      cuteStringAppend(text, ": ");
    }
    group = next;
    cuteStringAppendFormat(text, "[%.*s](#cute%.*s)", (int)name.length,
                           name.data, (int)name.length, name.data);
  }
  cuteStringAppend(text, "\n\n");
}

static void appendDialect(Document *document, MlirOperation definition) {
  cuteStringAppend(&document->text, "# The cute dialect\n\n");
  appendParagraph(document, definition, "description");
  MlirBlock body =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(definition, 0));
  appendIndex(document, body);
  cuteStringAppend(&document->text, "## Types\n\n");
  CuteStringRef group = {"", 0};
  MlirOperation op = mlirBlockGetFirstOperation(body);
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    if (cuteMlirIs(op, "irdl.type"))
      appendType(document, op);
    if (!cuteMlirIs(op, "irdl.operation"))
      continue;
    CuteStringRef next = stringOf(op, "group");
    if (!cuteTextIsSame(group, next))
      appendGroup(document, next);
    group = next;
    appendOperation(document, op);
  }
}

void cuteDialectPrintDocumentation(MlirContext context,
                                   CuteStringCallback callback,
                                   void *userData) {
  CuteDialect *dialect = cuteDialectLock(context);
  if (!dialect)
    return;
  Document document = {.dialect = dialect};
  MlirModule irdl =
      mlirModuleCreateParse(context, toMlirString(cuteDialectGetIrdl(dialect)));
  appendDialect(&document, mlirBlockGetFirstOperation(mlirModuleGetBody(irdl)));
  if (document.text.length) // the last blank line
    --document.text.length;
  callback(cuteStringGetRef(&document.text), userData);
  mlirModuleDestroy(irdl);
  cuteStringDestroy(&document.text);
  cuteDialectUnlock(dialect);
}
