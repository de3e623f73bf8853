// Types by the text that they were read from: code repeats its types, and an
// entry is found faster than a type is parsed.
#pragma once

#include "IR/type.h"

typedef struct CuteTypeCache {
  CuteArena arena;
  CuteHashTable entries;
} CuteTypeCache;

void cuteTypeCacheInit(CuteTypeCache *cache);
void cuteTypeCacheDestroy(CuteTypeCache *cache);

// Forgets all if that gives back much memory.
void cuteTypeCacheTrim(CuteTypeCache *cache);

// cuteTypeParsePrefix and cuteTypeParseParameters: the same results, kept.
CuteType cuteTypeCacheParsePrefix(CuteTypeCache *cache, CuteContext context,
                                  CuteStringRef text, size_t *length);
CuteType cuteTypeCacheParseParameters(CuteTypeCache *cache, CuteContext context,
                                      CuteTypeKind kind, CuteStringRef text,
                                      size_t *length);
