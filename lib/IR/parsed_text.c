// Types and attributes that code names by their text, each parsed once.
#include "IR/builder.h"
#include "Support/hash.h"

static const void *parse(MlirContext context, const char *text, bool isType) {
  return isType ? mlirTypeParseGet(context, cuteMlirString(text)).ptr
                : mlirAttributeParseGet(context, cuteMlirString(text)).ptr;
}

// A text that has been parsed, as a type or as an attribute.
typedef struct Parsed {
  const char *text;
  bool isType;
  const void *result;
} Parsed;

static bool isParsed(const void *item, const void *key) {
  const Parsed *a = item, *b = key;
  return a->isType == b->isType && !strcmp(a->text, b->text);
}

// Parses each text once: code repeats what it needs.
static const void *parsed(MlirContext context, const char *text, bool isType) {
  CUTE_LOCKED *dialect = cuteDialectLock(context);
  if (!dialect)
    return parse(context, text, isType);
  Parsed key = {text, isType, NULL};
  size_t length = strlen(text);
  uint64_t hash = cuteHashBytes(text, length) + isType;
  CuteHashSlot *slot =
      cuteHashTableFind(&dialect->parsed, hash, &key, isParsed);
  if (slot->item) {
    key = *(const Parsed *)slot->item;
  } else if ((key.result = parse(context, text, isType))) {
    Parsed *kept = cuteArenaAllocate(&dialect->parsedTexts, sizeof *kept);
    key.text = cuteArenaCopyText(&dialect->parsedTexts, text, length);
    *kept = key;
    cuteHashTableFill(&dialect->parsed, slot, hash, kept);
  }
  return key.result;
}

MlirType cuteParsedType(const CuteBuilder *builder, const char *text) {
  return (MlirType){parsed(builder->context, text, true)};
}

MlirAttribute cuteParsedAttr(const CuteBuilder *builder, const char *text) {
  return (MlirAttribute){parsed(builder->context, text, false)};
}
