#include "Text/type_alias.h"
#include "Support/growing_array.h"
#include "Text/source_map.h"

static size_t longestRun(CuteStringRef text, char c) {
  size_t longest = 0, run = 0;
  for (size_t i = 0; i < text.length; ++i) {
    run = text.data[i] == c ? run + 1 : 0;
    longest = run > longest ? run : longest;
  }
  return longest;
}

void cuteTypeAliasesInit(CuteTypeAliases *aliases, CuteStringRef source,
                         bool isClashing) {
  *aliases = (CuteTypeAliases){.numbers = cuteTaskMap()};
  cuteStringAppend(&aliases->prefix, "!_");
  for (size_t i = isClashing ? longestRun(source, '_') : 0; i > 0; --i)
    cuteStringAppendChar(&aliases->prefix, '_');
}

void cuteTypeAliasesDestroy(CuteTypeAliases *aliases) {
  cuteStringDestroy(&aliases->prefix);
  cuteStringDestroy(&aliases->definitions);
  free(aliases->sources);
}

bool cuteTypeAliasesClash(const CuteTypeAliases *aliases, CuteStringRef name) {
  return name.length >= aliases->prefix.length &&
         !memcmp(name.data, aliases->prefix.data, aliases->prefix.length);
}

static void appendName(const CuteTypeAliases *aliases, CuteString *text,
                       size_t number) {
  cuteStringAppendBytes(text, aliases->prefix.data, aliases->prefix.length);
  cuteStringAppendInt(text, (int64_t)number);
}

static size_t define(CuteTypeAliases *aliases, CuteType type, size_t source) {
  CUTE_PUSH(aliases->sources, aliases->count, aliases->capacity, source);
  appendName(aliases, &aliases->definitions, aliases->count);
  cuteStringAppend(&aliases->definitions, " = ");
  cuteAppendType(&aliases->definitions, type, CUTE_FORM_GENERIC);
  cuteStringAppendChar(&aliases->definitions, cuteSourceMapHeadEnd);
  cutePointerMapSet(&aliases->numbers, type, (void *)(uintptr_t)aliases->count);
  return aliases->count;
}

void cuteTypeAliasesAppend(CuteTypeAliases *aliases, CuteString *text,
                           CuteType type, size_t source) {
  if (type->kind == CUTE_TYPE_FOREIGN) {
    cuteAppendType(text, type, CUTE_FORM_GENERIC);
    return;
  }
  size_t number = (uintptr_t)cutePointerMapGet(&aliases->numbers, type);
  appendName(aliases, text, number ? number : define(aliases, type, source));
}
