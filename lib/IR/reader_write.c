// Writes single ops in the generic form.
#include "IR/reader_parts.h"

static void writeText(CuteReader *reader, const CuteReaderParts *parts,
                      const char *text) {
  cuteSourceMapReplace(&reader->map, parts->start, cuteStringRef(text));
}

static void appendAttribute(CuteString *text, const CuteAttribute *attribute) {
  CuteStringRef name = attribute->decl->name;
  cuteStringAppendFormat(text, "%.*s", (int)name.length, name.data);
  switch (attribute->decl->kind) {
  case CUTE_ATTRIBUTE_INT:
    cuteStringAppendFormat(text, " = %lld : i32", (long long)attribute->value);
    return;
  case CUTE_ATTRIBUTE_INTS:
    cuteStringAppend(text,
                     attribute->numInts ? " = array<i32: " : " = array<i32");
    for (size_t i = 0; i < attribute->numInts; ++i)
      cuteStringAppendFormat(text, "%s%d", i ? ", " : "", attribute->ints[i]);
    cuteStringAppendChar(text, '>');
    return;
  case CUTE_ATTRIBUTE_UNIT:
    return;
  case CUTE_ATTRIBUTE_TYPE:
    cuteStringAppendFormat(text, " = %.*s", (int)attribute->text.length,
                           attribute->text.data);
    return;
  case CUTE_ATTRIBUTE_STRING:
    cuteStringAppendFormat(text, " = \"%.*s\"", (int)attribute->text.length,
                           attribute->text.data);
    return;
  }
}

// operandSegmentSizes: the lengths of runs of equal types.
static bool appendSegments(CuteReader *reader, const CuteReaderParts *parts,
                           const char *name, size_t n, const CuteType *types,
                           CuteString *text) {
  size_t sizes[CUTE_NUM_MIXED] = {0}, runs = 0;
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
  cuteStringAppendFormat(text, "%s%s = array<i32: ", text->length ? ", " : "",
                         name);
  for (size_t i = 0; i < CUTE_NUM_MIXED; ++i)
    cuteStringAppendFormat(text, "%s%zu", i ? ", " : "", sizes[i]);
  cuteStringAppendChar(text, '>');
  return true;
}

static bool writeAttributes(CuteReader *reader, const CuteReaderParts *parts) {
  CuteString text = {0};
  bool ok = true;
  for (size_t i = 0; i < parts->numAttributes; ++i) {
    if (i)
      cuteStringAppend(&text, ", ");
    appendAttribute(&text, &parts->attributes[i]);
  }
  if (parts->decl->mixedOperands &&
      !cuteReaderHasNamed(parts, "operandSegmentSizes"))
    ok = appendSegments(reader, parts, "operandSegmentSizes", parts->numTypes,
                        parts->types, &text);
  if (ok && parts->decl->mixedResults &&
      !cuteReaderHasNamed(parts, "resultSegmentSizes"))
    ok = appendSegments(reader, parts, "resultSegmentSizes", parts->numResults,
                        parts->results, &text);
  bool isEmpty = !text.length;
  writeText(reader, parts, "{");
  writeText(reader, parts, cuteStringGet(&text));
  cuteStringDestroy(&text);
  for (int d = 0; ok && d < 2; ++d) {
    CuteStringRef inside = parts->dictionaries[d];
    CuteLexer lexer = {inside.data, inside.data + inside.length};
    if (!inside.length || (cuteLexerPeek(&lexer), lexer.at == lexer.end))
      continue;
    if (!isEmpty)
      writeText(reader, parts, ", ");
    isEmpty = false;
    ok = cuteReaderRewriteDictionary(reader, inside);
  }
  writeText(reader, parts, "} : (");
  return ok;
}

static void writeTypes(CuteReader *reader, const CuteReaderParts *parts,
                       size_t n, const CuteType *types) {
  CuteString text = {0};
  for (size_t i = 0; i < n; ++i) {
    if (i)
      cuteStringAppend(&text, ", ");
    cuteAppendType(&text, types[i], CUTE_FORM_GENERIC);
  }
  writeText(reader, parts, cuteStringGet(&text));
  cuteStringDestroy(&text);
}

bool cuteReaderWriteOp(CuteReader *reader, const CuteReaderParts *parts) {
  cuteReaderFlush(reader, parts->start);
  writeText(reader, parts, "\"cute.");
  cuteSourceMapReplace(&reader->map, parts->start, parts->decl->name);
  writeText(reader, parts, "\"(");
  for (size_t i = 0; i < parts->numOperands; ++i) {
    CuteStringRef name = parts->operands[i];
    if (i)
      writeText(reader, parts, ", ");
    cuteSourceMapCopy(&reader->map, name.data, name.data + name.length);
  }
  writeText(reader, parts, ") ");
  if (!writeAttributes(reader, parts))
    return false;
  writeTypes(reader, parts, parts->numTypes, parts->types);
  writeText(reader, parts, ") -> (");
  writeTypes(reader, parts, parts->numResults, parts->results);
  writeText(reader, parts, ")");
  reader->copied = reader->lexer.at;
  return true;
}
