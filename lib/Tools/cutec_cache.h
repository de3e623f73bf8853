// Results of cutec on disk: --cache.
#pragma once

#include "Tools/cutec_code.h"

// A look into the cache for one input.
typedef struct CuteCutecCache {
  CuteCache *cache; // null: not used
  CuteString key;
} CuteCutecCache;

// Opens the cache that the options or $CUTE_CACHE name, unless the options ask
// for more than code, or for none.
CuteCutecCache cuteCutecCacheOpen(const CuteCutecOptions *options,
                                  const CuteSource *source, const char *file,
                                  const char *name);
void cuteCutecCacheClose(CuteCutecCache *cache);

// Fills the code with what was kept; false if there is nothing.
bool cuteCutecCacheFind(CuteCutecCache *cache, CuteCutecCode *code);

void cuteCutecCacheKeep(CuteCutecCache *cache, const CuteCutecCode *code);
