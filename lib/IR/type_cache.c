#include "IR/dialect.h"

#include "Support/hash.h"

// A cache that grows beyond these begins anew.
enum { MAX_ENTRIES = 1 << 16, MAX_BYTES = 1 << 24 };

// Spelled at length, or by the parameters of one kind.
enum { AT_LENGTH = CUTE_NUM_TYPE_KINDS };

typedef struct CuteTypeCacheEntry {
  CuteStringRef text;
  CuteType type;
  int form; // AT_LENGTH or a kind
} Entry;

void cuteTypeCacheDestroy(CuteTypeCache *cache) {
  cuteArenaDestroy(&cache->arena);
  cuteHashTableDestroy(&cache->entries);
}

void cuteTypeCacheTrim(CuteTypeCache *cache) {
  enum { MUCH = 1 << 20 };
  if (cache->arena.bytes > MUCH)
    cuteTypeCacheDestroy(cache);
}

// The length of the text up to the bracket that closes the first one, 0 if
// there is none. Where that is not the length of the type, as with comments, it
// is not found in the cache.
static size_t closedLength(CuteStringRef text) {
  const char *at = text.data, *end = at + text.length;
  for (size_t depth = 0; at < end; ++at) {
    if (*at == '"')
      at = memchr(at + 1, '"', (size_t)(end - at) - 1);
    else if (*at == '<')
      ++depth;
    else if (*at == '>' && --depth == 0)
      return (size_t)(at + 1 - text.data);
    if (!at || !depth)
      return 0;
  }
  return 0;
}

static bool isOf(const void *item, const void *wanted) {
  const Entry *entry = item, *key = wanted;
  return entry->form == key->form && cuteTextIsSame(entry->text, key->text);
}

static void add(CuteTypeCache *cache, uint64_t hash, const Entry *entry) {
  if (cache->entries.count == MAX_ENTRIES || cache->arena.bytes > MAX_BYTES)
    cuteTypeCacheDestroy(cache);
  CuteHashSlot *slot = cuteHashTableFind(&cache->entries, hash, entry, isOf);
  Entry *copy = cuteArenaAllocate(&cache->arena, sizeof *copy);
  *copy = *entry;
  copy->text.data =
      cuteArenaCopyText(&cache->arena, entry->text.data, entry->text.length);
  cuteHashTableFill(&cache->entries, slot, hash, copy);
}

static CuteType parse(CuteContext context, int form, CuteStringRef text,
                      size_t *length) {
  return form == AT_LENGTH ? cuteTypeParsePrefix(context, text, length)
                           : cuteTypeParseParameters(
                                 context, (CuteTypeKind)form, text, length);
}

// `before` is the length of the text before the first bracket.
static CuteType get(CuteTypeCache *cache, CuteContext context, int form,
                    CuteStringRef text, size_t before, size_t *length) {
  size_t closed =
      closedLength((CuteStringRef){text.data + before, text.length - before});
  if (!closed)
    return parse(context, form, text, length);
  Entry entry = {.text = {text.data, before + closed}, .form = form};
  uint64_t hash =
      cuteHashMix(cuteHashBytes(text.data, entry.text.length), (uint64_t)form);
  const Entry *found =
      cuteHashTableFind(&cache->entries, hash, &entry, isOf)->item;
  if (found) {
    *length = found->text.length;
    return found->type;
  }
  entry.type = parse(context, form, text, length);
  if (entry.type && *length == entry.text.length)
    add(cache, hash, &entry);
  return entry.type;
}

CuteType cuteTypeCacheParsePrefix(CuteTypeCache *cache, CuteContext context,
                                  CuteStringRef text, size_t *length) {
  static const char prefix[] = "!cute.";
  size_t at = sizeof prefix - 1;
  if (text.length < at || memcmp(text.data, prefix, at))
    return cuteTypeParsePrefix(context, text, length);
  while (at < text.length && (text.data[at] == '_' ||
                              (text.data[at] >= 'a' && text.data[at] <= 'z')))
    ++at;
  return get(cache, context, AT_LENGTH, text, at, length);
}

CuteType cuteTypeCacheParseParameters(CuteTypeCache *cache, CuteContext context,
                                      CuteTypeKind kind, CuteStringRef text,
                                      size_t *length) {
  return get(cache, context, (int)kind, text, 0, length);
}
