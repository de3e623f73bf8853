// Writes single ops in the generic form.
#include "Text/reader_parts.h"

// Maps what is appended from here to the op as a whole again.
static void continueOp(CuteReader *reader, const CuteReaderParts *parts) {
  cuteSourceMapReplace(&reader->map, parts->start);
}

static void beginAttribute(CuteString *text, bool *isFirst) {
  cuteStringAppendChar(text, *isFirst ? '{' : ',');
  *isFirst = false;
}

static void appendAttribute(CuteString *text, const CuteAttribute *attribute) {
  CuteStringRef name = attribute->decl->name;
  cuteStringAppendBytes(text, name.data, name.length);
  switch (attribute->decl->kind) {
  case CUTE_ATTRIBUTE_INT:
    cuteStringAppend(text, " = ");
    cuteStringAppendInt(text, attribute->value);
    cuteStringAppend(text, " : i32");
    return;
  case CUTE_ATTRIBUTE_INTS:
    cuteStringAppend(text,
                     attribute->numInts ? " = array<i32: " : " = array<i32");
    for (size_t i = 0; i < attribute->numInts; ++i) {
      cuteStringAppend(text, i ? "," : "");
      cuteStringAppendInt(text, attribute->ints[i]);
    }
    cuteStringAppendChar(text, '>');
    return;
  case CUTE_ATTRIBUTE_UNIT:
    return;
  case CUTE_ATTRIBUTE_TYPE:
    cuteStringAppendFormat(text, " = %.*s", CUTE_TEXT(attribute->text));
    return;
  case CUTE_ATTRIBUTE_STRING:
    cuteStringAppendFormat(text, " = \"%.*s\"", CUTE_TEXT(attribute->text));
    return;
  }
}

static void appendSizes(CuteString *text, const char *name, size_t n,
                        const int32_t *sizes, bool *isFirst) {
  beginAttribute(text, isFirst);
  cuteStringAppend(text, name);
  cuteStringAppend(text, " = array<i32: ");
  for (size_t i = 0; i < n; ++i) {
    cuteStringAppend(text, i ? "," : "");
    cuteStringAppendInt(text, sizes[i]);
  }
  cuteStringAppendChar(text, '>');
}

// operandSegmentSizes: the lengths of runs of equal types.
static bool appendRuns(CuteReader *reader, const CuteReaderParts *parts,
                       const char *name, size_t n, const CuteType *types,
                       bool *isFirst) {
  int32_t sizes[CUTE_NUM_MIXED] = {0};
  size_t runs = 0;
  for (size_t i = 0; i < n; ++i) {
    if (!i || types[i] != types[i - 1])
      ++runs;
    if (runs > CUTE_NUM_MIXED)
      return cuteReaderFail(reader, parts->start,
                            "the types change more than %d times along the "
                            "list, which is the most that one op can hold",
                            CUTE_NUM_MIXED);
    ++sizes[runs - 1];
  }
  appendSizes(&reader->map.output, name, CUTE_NUM_MIXED, sizes, isFirst);
  return true;
}

static bool appendSegments(CuteReader *reader, const CuteReaderParts *parts,
                           bool *isFirst) {
  const char *operands = "operandSegmentSizes", *results = "resultSegmentSizes";
  const CuteOpDecl *decl = parts->decl;
  bool isNew = !cuteReaderHasNamed(parts, operands);
  if (decl->segmentedOperands && isNew) {
    int32_t sizes[CUTE_MAX_DECLARED];
    cuteOpDeclGetSegments(decl, parts->numTypes, sizes);
    appendSizes(&reader->map.output, operands, decl->numOperands, sizes,
                isFirst);
  }
  if (decl->mixedOperands && isNew &&
      !appendRuns(reader, parts, operands, parts->numTypes, parts->types,
                  isFirst))
    return false;
  return !decl->mixedResults || cuteReaderHasNamed(parts, results) ||
         appendRuns(reader, parts, results, parts->numResults, parts->results,
                    isFirst);
}

// More than spaces and comments.
static bool hasText(CuteStringRef inside) {
  if (!inside.length)
    return false;
  CuteLexer lexer = {inside.data, inside.data + inside.length};
  cuteLexerPeek(&lexer);
  return lexer.at != lexer.end;
}

static bool writeAttributes(CuteReader *reader, const CuteReaderParts *parts) {
  CuteString *text = &reader->map.output;
  bool isFirst = true, ok;
  for (size_t i = 0; i < parts->numAttributes; ++i) {
    beginAttribute(text, &isFirst);
    appendAttribute(text, &parts->attributes[i]);
  }
  ok = appendSegments(reader, parts, &isFirst);
  for (int d = 0; ok && d < 2; ++d) {
    if (!hasText(parts->dictionaries[d]))
      continue;
    beginAttribute(text, &isFirst);
    ok = cuteReaderRewriteDictionary(reader, parts->dictionaries[d]);
    continueOp(reader, parts);
  }
  if (!isFirst)
    cuteStringAppendChar(text, '}');
  return ok;
}

static void writeTypes(CuteReader *reader, const CuteReaderParts *parts,
                       size_t n, const CuteType *types) {
  for (size_t i = 0; i < n; ++i) {
    if (i)
      cuteStringAppendChar(&reader->map.output, ',');
    cuteReaderWriteType(reader, types[i], parts->start);
  }
}

bool cuteReaderIsInSource(const CuteReader *reader, CuteStringRef name) {
  CuteStringRef source = reader->map.source;
  return name.data >= source.data && name.data < source.data + source.length;
}

// Operands have no locations, but errors have positions.
static void writeOperand(CuteReader *reader, const CuteReaderParts *parts,
                         CuteStringRef name) {
  if (!reader->map.isExact || !cuteReaderIsInSource(reader, name)) {
    cuteStringAppendBytes(&reader->map.output, name.data, name.length);
    return;
  }
  cuteSourceMapCopy(&reader->map, name.data, name.data + name.length);
  continueOp(reader, parts);
}

static void writeOperands(CuteReader *reader, const CuteReaderParts *parts) {
  for (size_t i = 0; i < parts->numOperands; ++i) {
    if (i)
      cuteStringAppendChar(&reader->map.output, ',');
    writeOperand(reader, parts, parts->operands[i]);
  }
}

static bool writeGeneric(CuteReader *reader, const CuteReaderParts *parts) {
  CuteString *output = &reader->map.output;
  cuteStringAppend(output, "\"cute.");
  cuteStringAppendBytes(output, parts->decl->name.data,
                        parts->decl->name.length);
  cuteStringAppend(output, "\"(");
  writeOperands(reader, parts);
  cuteStringAppendChar(output, ')');
  if (!writeAttributes(reader, parts))
    return false;
  cuteStringAppend(output, ":(");
  writeTypes(reader, parts, parts->numTypes, parts->types);
  cuteStringAppend(output, ")->(");
  writeTypes(reader, parts, parts->numResults, parts->results);
  cuteStringAppendChar(output, ')');
  return true;
}

// Writes "%x=" and the op.
static bool writeNamed(CuteReader *reader, const CuteReaderLiteral *literal) {
  cuteSourceMapBeginOp(&reader->map, literal->parts.start);
  cuteStringAppendBytes(&reader->map.output, literal->name.data,
                        literal->name.length);
  cuteStringAppendChar(&reader->map.output, '=');
  bool ok = writeGeneric(reader, &literal->parts);
  cuteStringAppendChar(&reader->map.output, ' ');
  return ok;
}

// Writes the ops of literals before the statement.
static bool writeLiterals(CuteReader *reader, const CuteReaderParts *parts) {
  const char *statement = reader->statement;
  cuteReaderFlush(reader, statement);
  for (size_t i = 0; i < parts->numLiterals; ++i) {
    parts->literals[i].parts.start = statement;
    if (!writeNamed(reader, &parts->literals[i]))
      return false;
  }
  return true;
}

// Notes which names an op has that MLIR's parser gets.
static void useNames(CuteReader *reader, const CuteReaderParts *parts) {
  for (size_t i = 0; i < parts->numLiterals; ++i)
    useNames(reader, &parts->literals[i].parts);
  for (size_t i = 0; i < parts->numOperands; ++i)
    cuteDirectOpsUse(reader, parts->operands[i]);
}

static void takeDirectly(CuteReader *reader, const CuteReaderParts *parts,
                         size_t numNames, const CuteStringRef *names,
                         const size_t *counts) {
  const char *statement = reader->statement;
  for (size_t i = 0; i < parts->numLiterals; ++i) {
    CuteReaderLiteral *literal = &parts->literals[i];
    literal->parts.start = statement;
    cuteDirectOpsTake(reader, &literal->parts, 1, &literal->name, NULL,
                      statement);
  }
  cuteDirectOpsTake(reader, parts, numNames, names, counts, statement);
}

bool cuteReaderWriteOp(CuteReader *reader, const CuteReaderParts *parts) {
  if (cuteDirectOpsAllow(reader, parts)) {
    takeDirectly(reader, parts, reader->numDefined, reader->defined,
                 reader->definedCounts);
    return true;
  }
  useNames(reader, parts);
  for (size_t i = 0; i < reader->numDefined; ++i)
    cuteDirectOpsDefine(reader, reader->defined[i]);
  if (parts->numLiterals && !writeLiterals(reader, parts))
    return false;
  cuteReaderFlush(reader, parts->start);
  cuteSourceMapBeginOp(&reader->map, parts->start);
  if (!writeGeneric(reader, parts))
    return false;
  reader->copied = reader->lexer.at;
  return true;
}

bool cuteReaderWriteBefore(CuteReader *reader, const CuteReaderLiteral *op) {
  bool ok = true;
  cuteReaderFlush(reader, reader->statement);
  if (cuteDirectOpsAllow(reader, &op->parts)) {
    takeDirectly(reader, &op->parts, 1, &op->name, NULL);
  } else {
    useNames(reader, &op->parts);
    cuteDirectOpsDefine(reader, op->name);
    ok = writeLiterals(reader, &op->parts) && writeNamed(reader, op);
  }
  reader->copied = reader->statement;
  return ok;
}
