// Writes single ops of the dialect in the pretty form.
#include "Text/printer.h"

static void appendRef(CuteString *text, CuteStringRef piece) {
  cuteStringAppendBytes(text, piece.data, piece.length);
}

//===-- Attributes --------------------------------------------------------===//

static const CuteNamedText *findAttribute(const CutePrinterParts *parts,
                                          CuteStringRef name) {
  for (size_t i = 0; i < parts->numAttributes; ++i)
    if (cuteTextIsSame(parts->attributes[i].name, name))
      return &parts->attributes[i];
  return NULL;
}

bool cutePrinterAddAttribute(CutePrinterParts *parts, CuteNamedText named) {
  const CuteOpDecl *decl = parts->decl;
  bool isSegments =
      ((decl->mixedOperands || decl->segmentedOperands) &&
       cuteTextEquals(named.name, "operandSegmentSizes")) ||
      (decl->mixedResults && cuteTextEquals(named.name, "resultSegmentSizes"));
  if (isSegments)
    return true;
  if (parts->numAttributes == CUTE_PRINTER_MAX_ATTRIBUTES)
    return false;
  parts->attributes[parts->numAttributes++] = named;
  return true;
}

// The value of an attribute in angle brackets: "4 : i32" as 4,
// "array<i32: 1, 0>" as [1, 0].
static void writeAngleValue(CuteString *output, const CuteAttributeDecl *decl,
                            CuteStringRef value) {
  const char *end;
  switch (decl->kind) {
  case CUTE_ATTRIBUTE_INT:
    end = memchr(value.data, ' ', value.length);
    cuteStringAppendBytes(output, value.data,
                          end ? (size_t)(end - value.data) : value.length);
    return;
  case CUTE_ATTRIBUTE_INTS:
    end = memchr(value.data, ':', value.length);
    cuteStringAppendChar(output, '[');
    if (end)
      cuteStringAppendBytes(output, end + 2,
                            (size_t)(value.data + value.length - end) - 3);
    cuteStringAppendChar(output, ']');
    return;
  case CUTE_ATTRIBUTE_UNIT:
    cuteStringAppendChar(output, '{');
    appendRef(output, decl->name);
    cuteStringAppendChar(output, '}');
    return;
  case CUTE_ATTRIBUTE_TYPE:
  case CUTE_ATTRIBUTE_STRING:
    appendRef(output, value);
    return;
  }
}

static bool isDeclared(const CuteOpDecl *decl, CuteStringRef name) {
  for (size_t i = 0; i < decl->numAttributes; ++i)
    if (cuteTextIsSame(decl->attributes[i].name, name))
      return true;
  return false;
}

// Tells whether the brackets can hold the first `present` attributes: all, a
// prefix if the next is optional, or none if all are.
static bool fitsAngle(const CutePrinterParts *parts, size_t present) {
  const CuteOpDecl *decl = parts->decl;
  for (size_t i = 0; i < present; ++i)
    if (!findAttribute(parts, decl->attributes[i].name))
      return false;
  return present == decl->numAttributes || decl->attributes[present].optional ||
         (!present && decl->optionalAngle);
}

// False if attributes that the brackets need are missing.
static bool writeAngle(CuteString *output, const CutePrinterParts *parts) {
  const CuteOpDecl *decl = parts->decl;
  size_t present = 0;
  for (size_t i = 0; i < decl->numAttributes; ++i)
    present += findAttribute(parts, decl->attributes[i].name) != NULL;
  if (!fitsAngle(parts, present))
    return false;
  for (size_t i = 0; i < present; ++i) {
    cuteStringAppend(output, i ? ", " : "<");
    writeAngleValue(output, &decl->attributes[i],
                    findAttribute(parts, decl->attributes[i].name)->value);
  }
  if (present)
    cuteStringAppendChar(output, '>');
  if (decl->spaceAfterAngle)
    cuteStringAppendChar(output, ' ');
  return true;
}

void cutePrinterWriteAttributes(CuteString *output,
                                const CutePrinterParts *parts, bool isInherent,
                                const char *open, const char *close) {
  bool isEmpty = true;
  for (size_t i = 0; i < parts->numAttributes; ++i) {
    CuteNamedText named = parts->attributes[i];
    if (isDeclared(parts->decl, named.name) != isInherent)
      continue;
    cuteStringAppend(output, isEmpty ? open : ", ");
    appendRef(output, named.name);
    if (named.value.length) {
      cuteStringAppend(output, " = ");
      appendRef(output, named.value);
    }
    isEmpty = false;
  }
  if (!isEmpty)
    cuteStringAppend(output, close);
}

//===-- Types -------------------------------------------------------------===//

// The same types come again and again: each is spelled once.
static CuteStringRef spell(CutePrinter *printer, CuteType type) {
  if (type->kind == CUTE_TYPE_FOREIGN)
    return type->foreign;
  const CuteStringRef *known = cutePointerMapGet(&printer->types, type);
  if (known)
    return *known;
  CUTE_SCOPED(String) text = {0};
  cuteAppendType(&text, type, CUTE_FORM_PRETTY);
  CuteStringRef *spelled = cuteArenaAllocate(&printer->texts, sizeof *spelled);
  spelled->length = text.length;
  spelled->data = cuteArenaCopyText(&printer->texts, text.data, text.length);
  cutePointerMapSet(&printer->types, type, spelled);
  return *spelled;
}

void cutePrinterWriteType(CutePrinter *printer, CuteType type) {
  appendRef(&printer->output, spell(printer, type));
}

// One of the types that the op declares: maybe its parameters alone.
static void writeType(CutePrinter *printer, CuteType type,
                      const CuteValueDecl *values, size_t count, size_t index) {
  const CuteValueDecl *value =
      count ? &values[index < count ? index : count - 1] : NULL;
  CuteStringRef text = spell(printer, type);
  bool isElided =
      value && value->elided && type->kind != CUTE_TYPE_FOREIGN && text.length;
  const char *angle = isElided ? memchr(text.data, '<', text.length) : NULL;
  if (angle)
    text = (CuteStringRef){angle, text.length - (size_t)(angle - text.data)};
  appendRef(&printer->output, text);
}

static void writeTypeList(CutePrinter *printer, size_t n, const CuteType *types,
                          const CuteValueDecl *values, size_t numValues,
                          bool inParentheses) {
  CuteString *output = &printer->output;
  if (inParentheses)
    cuteStringAppendChar(output, '(');
  for (size_t i = 0; i < n; ++i) {
    if (i)
      cuteStringAppend(output, ", ");
    writeType(printer, types[i], values, numValues, i);
  }
  if (inParentheses)
    cuteStringAppendChar(output, ')');
}

static void writeTypes(CutePrinter *printer, const CutePrinterParts *parts) {
  const CuteOpDecl *decl = parts->decl;
  CuteString *output = &printer->output;
  if (decl->types == CUTE_TYPES_NONE ||
      (decl->types == CUTE_TYPES_OPERANDS && !parts->numTypes))
    return;
  cuteStringAppend(output, " : ");
  if (decl->types != CUTE_TYPES_RESULT)
    writeTypeList(
        printer, parts->numTypes, parts->types, decl->operands,
        decl->numOperands,
        decl->types == CUTE_TYPES_FUNCTIONAL ||
            (decl->types == CUTE_TYPES_ARROW && parts->numTypes != 1));
  if (decl->types == CUTE_TYPES_OPERANDS)
    return;
  if (decl->types != CUTE_TYPES_RESULT)
    cuteStringAppend(output, " -> ");
  writeTypeList(printer, parts->numResults, parts->results, decl->results,
                decl->numResults, parts->numResults != 1);
}

//===-- Ops ---------------------------------------------------------------===//

// Declared attributes are in the angle brackets.
static void writeDictionary(CuteString *output, const CutePrinterParts *parts) {
  cutePrinterWriteAttributes(output, parts, false, " {", "}");
}

bool cutePrinterWriteOp(CutePrinter *printer, const CutePrinterParts *parts) {
  const CuteOpDecl *decl = parts->decl;
  CuteString *output = &printer->output;
  size_t length = output->length;
  cuteStringAppend(output, "cute.");
  appendRef(output, decl->name);
  if (!writeAngle(output, parts)) {
    output->length = length;
    return false;
  }
  if (decl->hasOperandList)
    appendRef(output, parts->operands);
  if (!decl->attrDictLast)
    writeDictionary(output, parts);
  writeTypes(printer, parts);
  if (decl->attrDictLast)
    writeDictionary(output, parts);
  return true;
}
