#include "Runtime/map_recipe.h"
#include "Support/arena.h"
#include "Support/manifest_parts.h"

//===-- Parameters --------------------------------------------------------===//

// Finds the part of an argument that has this role; its number counts all
// parameters. Null if there is none.
static const json_t *findPart(const CuteKernel *kernel, size_t argument,
                              const char *role, size_t *number) {
  const json_t *parameter, *part;
  size_t i, k, argumentsSeen = 0;
  *number = 0;
  json_array_foreach(kernel->parameters, i, parameter) {
    bool isWanted = !isHidden(parameter) && argumentsSeen++ == argument;
    json_array_foreach(partsOf(parameter), k, part) {
      if (isWanted && !strcmp(textOf(part, CUTE_KEY_ROLE), role))
        return part;
      ++*number;
    }
  }
  return NULL;
}

//===-- Formulas ----------------------------------------------------------===//

// Reads argN.shape[I] or argN.stride[I], and perhaps a factor after it.
static CuteStatus readNumber(const CuteKernel *kernel, const json_t *json,
                             CuteMapNumber *number) {
  const char *text = json_string_value(json);
  *number = (CuteMapNumber){.factor = 1};
  if (!text || !strstr(text, "arg"))
    return NULL;
  size_t argument, leaf;
  char kind[8], role[40];
  long long factor = 1;
  int end = 0, more = 0;
  if (sscanf(text, "arg%zu.%7[a-z][%zu]%n", &argument, kind, &leaf, &end) < 3 ||
      !end ||
      (text[end] && (sscanf(text + end, " * %lld%n", &factor, &more) < 1 ||
                     text[end + more])))
    return cuteStatusCreate("the formula '%s' of a tensor map is unknown here",
                            text);
  snprintf(role, sizeof role, "%s[%zu]", kind, leaf);
  const json_t *part = findPart(kernel, argument, role, &number->parameter);
  if (!part)
    return cuteStatusCreate("'%s' is not a parameter of '%s'", text,
                            kernel->name);
  number->isFetched = true;
  number->factor = factor;
  number->isWide =
      json_integer_value(json_object_get(part, CUTE_KEY_BITS)) == 64;
  return NULL;
}

static CuteStatus readNumbers(const CuteKernel *kernel, const json_t *list,
                              size_t n, CuteMapNumber *numbers) {
  for (size_t i = 0; i < n; ++i)
    CUTE_TRY(readNumber(kernel, json_array_get(list, i), &numbers[i]));
  return NULL;
}

// Reads the constant parts by evaluating with tensors of ones as arguments.
static CuteStatus readRecipe(const CuteKernel *kernel, const json_t *part,
                             CuteMapRecipe *recipe) {
  size_t n = cuteKernelGetNumArguments(kernel);
  CUTE_FREED CuteArgument *ones = cuteAllocate((n + 1) * sizeof *ones);
  memset(ones, 0, n * sizeof *ones);
  for (size_t i = 0; i < n; ++i) {
    ones[i].isTensor = true;
    ones[i].rank = CUTE_MAX_ARGUMENT_RANK;
    for (size_t k = 0; k < CUTE_MAX_ARGUMENT_RANK; ++k)
      ones[i].extents[k] = ones[i].strides[k] = 1;
  }
  CuteScope scope = {n, ones, NULL};
  const CuteArgument *tensor = NULL;
  CuteStatus status = cuteScopeFindTensor(&scope, part, &tensor);
  if (!status)
    status = cuteScopeReadMap(&scope, part, tensor, &recipe->map);
  size_t argument = tensor ? (size_t)(tensor - ones) : 0;
  CUTE_TRY(status);
  if (!findPart(kernel, argument, "pointer", &recipe->pointer))
    return cuteStatusCreate("argument %zu of '%s' has no pointer", argument,
                            kernel->name);
  CUTE_TRY(readNumbers(kernel, json_object_get(part, CUTE_KEY_DIMS),
                       recipe->map.rank, recipe->dims));
  return readNumbers(kernel, json_object_get(part, CUTE_KEY_STRIDES),
                     recipe->map.rank - 1, recipe->strides);
}

static size_t countMaps(const CuteKernel *kernel, size_t *numParameters) {
  const json_t *parameter;
  size_t i, n = 0;
  *numParameters = 0;
  json_array_foreach(kernel->parameters, i, parameter) *
      (isHidden(parameter) ? &n : numParameters) +=
      json_array_size(partsOf(parameter));
  return n;
}

CuteStatus cuteMapRecipesRead(const CuteKernel *kernel, size_t *numParameters,
                              size_t *numMaps, CuteMapRecipe **maps) {
  const json_t *parameter, *part;
  size_t i, k, next = 0;
  *numMaps = countMaps(kernel, numParameters);
  *maps = NULL;
  if (*numMaps > CUTE_MAX_TENSOR_MAPS ||
      *numMaps + *numParameters > CUTE_MAX_PARAMETERS)
    return cuteStatusCreate("'%s' has too many parameters", kernel->name);
  if (!*numMaps)
    return NULL;
  *maps = cuteAllocate(*numMaps * sizeof **maps);
  json_array_foreach(kernel->parameters, i, parameter) {
    if (isHidden(parameter))
      json_array_foreach(partsOf(parameter), k, part)
          CUTE_TRY(readRecipe(kernel, part, &(*maps)[next++]));
  }
  return NULL;
}

//===-- Launches ----------------------------------------------------------===//

static int64_t fetch(CuteMapNumber number, void *const *parameters) {
  int64_t wide;
  int32_t narrow;
  if (number.isWide)
    memcpy(&wide, parameters[number.parameter], sizeof wide);
  else
    memcpy(&narrow, parameters[number.parameter], sizeof narrow);
  int64_t product;
  return __builtin_mul_overflow(number.isWide ? wide : narrow, number.factor,
                                &product)
             ? -1 // which no map can have
             : product;
}

void cuteMapRecipeFollow(const CuteMapRecipe *recipe, void *const *parameters,
                         CuteTensorMap *map) {
  *map = recipe->map;
  memcpy(&map->address, parameters[recipe->pointer], sizeof map->address);
  for (size_t i = 0; i < map->rank; ++i)
    if (recipe->dims[i].isFetched)
      map->dims[i] = fetch(recipe->dims[i], parameters);
  for (size_t i = 0; i + 1 < map->rank; ++i)
    if (recipe->strides[i].isFetched)
      map->strides[i] = fetch(recipe->strides[i], parameters);
}
