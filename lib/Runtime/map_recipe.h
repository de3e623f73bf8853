// Tensor maps of kernel parameters in memory: the manifest's formulas, read
// once, so that a launch only fetches numbers.
#pragma once

#include "Runtime/argument.h"

// A number that is `factor` times an integer parameter.
typedef struct CuteMapNumber {
  bool isFetched; // or else stays what the map has
  size_t parameter;
  bool isWide; // 64 bits, not 32
  int64_t factor;
} CuteMapNumber;

typedef struct CuteMapRecipe {
  CuteTensorMap map; // except what is fetched
  size_t pointer;    // the parameter
  CuteMapNumber dims[CUTE_MAX_MAP_RANK], strides[CUTE_MAX_MAP_RANK - 1];
} CuteMapRecipe;

// Counts the parameters of a kernel without its hidden tensor maps, which must
// be the last, and reads these, into memory that is the caller's to free.
// Fails for formulas of other forms than compiled modules have:
// "arg0.stride[1] * 2".
CuteStatus cuteMapRecipesRead(const CuteKernel *kernel, size_t *numParameters,
                              size_t *numMaps, CuteMapRecipe **maps);

// Gives the map of parameters, by pointers to each.
void cuteMapRecipeFollow(const CuteMapRecipe *recipe, void *const *parameters,
                         CuteTensorMap *map);
