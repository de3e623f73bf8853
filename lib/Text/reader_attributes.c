// Reads the attributes of single ops: in angle brackets, and in a dictionary.
#include "Support/growing_array.h"
#include "Text/reader_parts.h"

bool cuteReaderExpect(CuteReader *reader, char c, const char *where) {
  if (cuteLexerTake(&reader->lexer, c))
    return true;
  cuteLexerSkipTrivia(&reader->lexer);
  return cuteReaderFail(reader, reader->lexer.at, "expected '%c' %s", c, where);
}

//===-- Aliases -----------------------------------------------------------===//

void cuteReaderAddAttribute(CuteReader *reader, CuteStringRef name,
                            const char *value) {
  size_t n = reader->numAttributes, capacity = reader->attributeCapacity;
  CUTE_RESERVE(reader->attributeNames, n, capacity, 1);
  CUTE_RESERVE(reader->attributeValues, n, reader->attributeCapacity, 1);
  ++reader->numAttributes;
  reader->attributeNames[n] = name;
  reader->attributeValues[n] = value;
}

// An alias of an alias is one that came before.
static const char *findAttribute(const CuteReader *reader, CuteStringRef name) {
  const char *value = NULL;
  for (size_t i = reader->numAttributes; i-- > 0;) {
    if (!cuteTextIsSame(reader->attributeNames[i], name))
      continue;
    value = reader->attributeValues[i];
    CuteLexer lexer = {value, reader->lexer.end};
    if (cuteLexerPeek(&lexer) != '#')
      return value;
    cuteLexerNext(&lexer, &name);
  }
  return value;
}

static bool takeWord(CuteReader *reader, const char *word) {
  CuteLexer lexer = reader->lexer;
  CuteStringRef text;
  cuteLexerNext(&lexer, &text);
  if (!cuteTextEquals(text, word))
    return false;
  reader->lexer = lexer;
  return true;
}

//===-- Attributes in angle brackets --------------------------------------===//

static bool takeInt(CuteReader *reader, int64_t *value) {
  CuteLexer *lexer = &reader->lexer;
  bool isNegative = cuteLexerTake(lexer, '-');
  cuteLexerSkipTrivia(lexer);
  const char *at = lexer->at;
  CuteStringRef text;
  bool ok = cuteLexerNext(lexer, &text) == CUTE_TOKEN_NUMBER &&
            cuteTextGetInteger(text, value) && *value <= INT32_MAX;
  if (ok && isNegative)
    *value = -*value;
  return ok || cuteReaderFail(reader, at, "expected a 32-bit integer");
}

// Mode numbers up to the closing bracket, which stays.
static bool takeList(CuteReader *reader, char close, CuteAttribute *attribute) {
  int32_t *ints = NULL;
  size_t n = 0;
  while (cuteLexerPeek(&reader->lexer) != close) {
    int64_t value;
    if ((n && !cuteReaderExpect(reader, ',', "between mode numbers")) ||
        !takeInt(reader, &value))
      return false;
    CUTE_ARENA_PUSH(&reader->context->scratch, ints, n, (int32_t)value);
  }
  attribute->ints = ints;
  attribute->numInts = n;
  return true;
}

// In brackets, which may be left out where there is nothing else: <1, 0>.
static bool takeInts(CuteReader *reader, bool isAlone,
                     CuteAttribute *attribute) {
  char next = cuteLexerPeek(&reader->lexer);
  if (isAlone && next != '[' && next != '>')
    return takeList(reader, '>', attribute);
  return cuteReaderExpect(reader, '[', "before the mode numbers") &&
         takeList(reader, ']', attribute) &&
         cuteReaderExpect(reader, ']', "after the mode numbers");
}

// {name}, {name = unit}, or {}, which leaves no declaration.
static bool takeUnit(CuteReader *reader, CuteAttribute *attribute) {
  CuteStringRef name = attribute->decl->name, text;
  if (!cuteReaderExpect(reader, '{', "before a flag"))
    return false;
  if (cuteLexerTake(&reader->lexer, '}')) {
    attribute->decl = NULL;
    return true;
  }
  cuteLexerSkipTrivia(&reader->lexer);
  const char *at = reader->lexer.at;
  cuteLexerNext(&reader->lexer, &text);
  if (!cuteTextIsSame(text, name))
    return cuteReaderFail(reader, at, "expected '%.*s'", CUTE_TEXT(name));
  if (cuteLexerTake(&reader->lexer, '=') && !takeWord(reader, "unit"))
    return cuteReaderFail(reader, reader->lexer.at, "expected 'unit'");
  return cuteReaderExpect(reader, '}', "after a flag");
}

static bool takeText(CuteReader *reader, CuteAttribute *attribute) {
  cuteLexerSkipTrivia(&reader->lexer);
  const char *at = reader->lexer.at;
  if (attribute->decl->kind == CUTE_ATTRIBUTE_TYPE) {
    if (!cuteReaderTakeType(reader))
      return false;
    attribute->text = (CuteStringRef){at, (size_t)(reader->lexer.at - at)};
    return true;
  }
  CuteStringRef text;
  if (cuteLexerNext(&reader->lexer, &text) != CUTE_TOKEN_STRING)
    return cuteReaderFail(reader, at, "expected a string");
  attribute->text = (CuteStringRef){text.data + 1, text.length - 2};
  return true;
}

static bool takeAttribute(CuteReader *reader, bool isAlone,
                          CuteAttribute *attribute) {
  switch (attribute->decl->kind) {
  case CUTE_ATTRIBUTE_INT:
    return takeInt(reader, &attribute->value);
  case CUTE_ATTRIBUTE_INTS:
    return takeInts(reader, isAlone, attribute);
  case CUTE_ATTRIBUTE_UNIT:
    return takeUnit(reader, attribute);
  case CUTE_ATTRIBUTE_TYPE:
  case CUTE_ATTRIBUTE_STRING:
    return takeText(reader, attribute);
  }
  return false;
}

// Counts the strings up to the closing bracket.
static size_t countStrings(CuteLexer lexer) {
  CuteStringRef text;
  size_t n = 0;
  for (CuteToken token; (token = cuteLexerNext(&lexer, &text)) &&
                        (token == CUTE_TOKEN_STRING || *text.data == ',');)
    n += token == CUTE_TOKEN_STRING;
  return n;
}

bool cuteReaderTakeAngle(CuteReader *reader, CuteReaderParts *parts) {
  const CuteOpDecl *decl = parts->decl;
  if (!decl->numAttributes)
    return true;
  if (cuteLexerPeek(&reader->lexer) != '<') {
    // Without brackets the attributes may be in the dictionary.
    return true;
  }
  cuteLexerTake(&reader->lexer, '<');
  for (size_t i = 0; i < decl->numAttributes; ++i) {
    if (decl->attributes[i].optional && cuteLexerPeek(&reader->lexer) == '>')
      break;
    CuteAttribute *attribute = &parts->attributes[parts->numAttributes++];
    *attribute = (CuteAttribute){.decl = &decl->attributes[i]};
    if (cuteReaderMayLeaveOut(decl, i) &&
        countStrings(reader->lexer) < decl->numAttributes - i) {
      parts->leftOut = attribute;
      continue;
    }
    if ((i - (parts->leftOut != NULL) &&
         !cuteReaderExpect(reader, ',', "between attributes")) ||
        !takeAttribute(reader, decl->numAttributes == 1, attribute))
      return false;
    parts->numAttributes -= !attribute->decl;
  }
  parts->numKnown = parts->numAttributes;
  return cuteReaderExpect(reader, '>', "after the attributes");
}

//===-- Dictionaries ------------------------------------------------------===//

bool cuteReaderTakeDictionary(CuteReader *reader, CuteStringRef *inside) {
  if (cuteLexerPeek(&reader->lexer) != '{')
    return true;
  CuteLexer *lexer = &reader->lexer;
  const char *start = lexer->at;
  if (!cuteLexerSkipBracket(lexer))
    return cuteReaderFail(reader, start,
                          lexer->at == lexer->end
                              ? "'{' is not closed"
                              : "brackets nest too deep in this dictionary");
  *inside = (CuteStringRef){start + 1, (size_t)(lexer->at - start) - 2};
  return true;
}

// array<i32: 1, 0>
static bool takeArray(CuteReader *reader, CuteAttribute *attribute) {
  CuteLexer *lexer = &reader->lexer;
  if (!takeWord(reader, "array") || !cuteLexerTake(lexer, '<') ||
      !takeWord(reader, "i32"))
    return cuteReaderFail(reader, lexer->at, "expected array<i32: ...>");
  return (!cuteLexerTake(lexer, ':') || takeList(reader, '>', attribute)) &&
         cuteReaderExpect(reader, '>', "after the mode numbers");
}

static bool takeSpelledValue(CuteReader *reader, CuteAttribute *attribute) {
  CuteLexer *lexer = &reader->lexer;
  CuteStringRef text;
  switch (attribute->decl->kind) {
  case CUTE_ATTRIBUTE_INTS:
    return takeArray(reader, attribute);
  case CUTE_ATTRIBUTE_UNIT:
    return takeWord(reader, "unit") ||
           cuteReaderFail(reader, lexer->at, "expected 'unit'");
  case CUTE_ATTRIBUTE_INT:
    if (!takeInt(reader, &attribute->value))
      return false;
    if (cuteLexerTake(lexer, ':'))
      cuteLexerNext(lexer, &text); // the type; verification looks at it
    return true;
  case CUTE_ATTRIBUTE_TYPE:
  case CUTE_ATTRIBUTE_STRING:
    return takeText(reader, attribute);
  }
  return false;
}

// Takes what follows the = of an inherent attribute: the value, or an alias.
static bool takeNamedValue(CuteReader *reader, CuteAttribute *attribute) {
  if (cuteLexerPeek(&reader->lexer) != '#')
    return takeSpelledValue(reader, attribute);
  CuteStringRef name;
  cuteLexerNext(&reader->lexer, &name);
  CuteLexer saved = reader->lexer;
  const char *value = findAttribute(reader, name);
  if (!value)
    return cuteReaderFail(reader, name.data, "undefined attribute alias '%.*s'",
                          CUTE_TEXT(name));
  reader->lexer =
      (CuteLexer){value, reader->map.source.data + reader->map.source.length};
  bool ok = takeSpelledValue(reader, attribute);
  reader->lexer = saved;
  if (!ok)
    reader->errorAt = name.data;
  return ok;
}

// The declaration of an attribute that is not known yet, or null.
static const CuteAttributeDecl *findUnknown(const CuteReaderParts *parts,
                                            CuteStringRef name) {
  const CuteOpDecl *decl = parts->decl;
  for (size_t i = 0; i < parts->numKnown; ++i)
    if (cuteTextIsSame(parts->attributes[i].decl->name, name))
      return NULL;
  for (size_t i = 0; i < decl->numAttributes; ++i)
    if (cuteTextIsSame(decl->attributes[i].name, name))
      return &decl->attributes[i];
  return NULL;
}

static void skipValue(CuteLexer *lexer) {
  CuteStringRef text;
  while (cuteLexerPeek(lexer) != ',' && lexer->at < lexer->end)
    if (!strchr("([{<", *lexer->at) || !cuteLexerSkipBracket(lexer))
      cuteLexerNext(lexer, &text);
}

// A name, quoted or not, without its quotes.
static CuteStringRef takeName(CuteLexer *lexer) {
  CuteStringRef name;
  if (cuteLexerNext(lexer, &name) == CUTE_TOKEN_STRING && name.length > 1)
    name = (CuteStringRef){name.data + 1, name.length - 2};
  return name;
}

bool cuteReaderHasNamed(const CuteReaderParts *parts, const char *name) {
  for (int d = 0; d < 2; ++d) {
    CuteStringRef inside = parts->dictionaries[d];
    if (!inside.length)
      continue;
    CuteLexer lexer = {inside.data, inside.data + inside.length};
    while (cuteLexerPeek(&lexer)) {
      if (cuteTextEquals(takeName(&lexer), name))
        return true;
      skipValue(&lexer);
      cuteLexerTake(&lexer, ',');
    }
  }
  return false;
}

// name [= value], in the dictionary that the lexer ends with.
static bool takeNamed(CuteReader *reader, CuteReaderParts *parts) {
  CuteLexer *lexer = &reader->lexer;
  CuteStringRef name = takeName(lexer);
  const CuteAttributeDecl *decl = findUnknown(parts, name);
  if (decl) {
    CuteAttribute *attribute = &parts->attributes[parts->numKnown++];
    *attribute = (CuteAttribute){.decl = decl};
    if (cuteLexerTake(lexer, '=') ? !takeNamedValue(reader, attribute)
                                  : decl->kind != CUTE_ATTRIBUTE_UNIT)
      return cuteReaderFail(reader, name.data, "attribute '%.*s' needs a value",
                            CUTE_TEXT(name));
  } else {
    skipValue(lexer);
  }
  const char *at = lexer->at;
  return cuteLexerTake(lexer, ',') || cuteLexerPeek(lexer) == '\0' ||
         cuteReaderFail(reader, at, "expected ',' between attributes");
}

bool cuteReaderTakeNamed(CuteReader *reader, CuteReaderParts *parts) {
  CuteLexer saved = reader->lexer;
  bool ok = true;
  for (int d = 0; ok && d < 2; ++d) {
    CuteStringRef inside = parts->dictionaries[d];
    if (!inside.length)
      continue;
    reader->lexer = (CuteLexer){inside.data, inside.data + inside.length};
    while (ok && cuteLexerPeek(&reader->lexer))
      ok = takeNamed(reader, parts);
  }
  reader->lexer = saved;
  return ok;
}
