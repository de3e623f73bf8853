#include "IR/type_cache.h"

#include "Support/hash.h"

#include <stdlib.h>

// A cache that grows beyond these begins anew.
enum { MAX_ENTRIES = 1 << 16, MAX_BYTES = 1 << 24 };

// Spelled at length, or by the parameters of one kind.
enum { AT_LENGTH = CUTE_NUM_TYPE_KINDS };

typedef struct CuteTypeCacheEntry {
  uint64_t hash;
  CuteStringRef text;
  CuteType type; // null: free
  int form;      // AT_LENGTH or a kind
} Entry;

void cuteTypeCacheInit(CuteTypeCache *cache) {
  *cache = (CuteTypeCache){0};
  cuteArenaInit(&cache->texts);
}

void cuteTypeCacheDestroy(CuteTypeCache *cache) {
  cuteArenaDestroy(&cache->texts);
  free(cache->entries);
  cuteTypeCacheInit(cache);
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

static Entry *findEntry(const CuteTypeCache *cache, Entry wanted) {
  size_t slot = (size_t)wanted.hash & (cache->capacity - 1);
  for (;; slot = (slot + 1) & (cache->capacity - 1)) {
    Entry *entry = &cache->entries[slot];
    if (!entry->type ||
        (entry->hash == wanted.hash && entry->form == wanted.form &&
         entry->text.length == wanted.text.length &&
         !memcmp(entry->text.data, wanted.text.data, wanted.text.length)))
      return entry;
  }
}

static void grow(CuteTypeCache *cache) {
  CuteTypeCache old = *cache;
  cache->capacity = old.capacity ? old.capacity * 2 : 1024;
  cache->entries = cuteAllocate(cache->capacity * sizeof(Entry));
  memset(cache->entries, 0, cache->capacity * sizeof(Entry));
  for (size_t i = 0; i < old.capacity; ++i)
    if (old.entries[i].type)
      *findEntry(cache, old.entries[i]) = old.entries[i];
  free(old.entries);
}

static void add(CuteTypeCache *cache, Entry entry) {
  if (cache->count == MAX_ENTRIES || cache->texts.bytes > MAX_BYTES)
    cuteTypeCacheDestroy(cache);
  if (cache->count * 4 >= cache->capacity * 3)
    grow(cache);
  entry.text.data =
      cuteArenaCopyText(&cache->texts, entry.text.data, entry.text.length);
  *findEntry(cache, entry) = entry;
  ++cache->count;
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
  entry.hash =
      cuteHashMix(cuteHashBytes(text.data, entry.text.length), (uint64_t)form);
  Entry *found = cache->count ? findEntry(cache, entry) : NULL;
  if (found && found->type) {
    *length = found->text.length;
    return found->type;
  }
  entry.type = parse(context, form, text, length);
  if (entry.type && *length == entry.text.length)
    add(cache, entry);
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
