// A manifest in words: what `cute-run --list` prints.
#include "Runtime/manifest.h"

#include <jansson.h>

static const char *textOf(const json_t *object, const char *key) {
  const char *text = json_string_value(json_object_get(object, key));
  return text ? text : "?";
}

static void printPart(const json_t *part) {
  long long bits = json_integer_value(json_object_get(part, "bits"));
  char letter = strcmp(textOf(part, "kind"), "float") ? 'i' : 'f';
  if (bits)
    printf("%s: %c%lld", textOf(part, "role"), letter, bits);
  else
    printf("%s", textOf(part, "role"));
}

static void printParameter(const json_t *parameter) {
  printf("  arg%lld  %s  passed as ",
         (long long)json_integer_value(json_object_get(parameter, "index")),
         textOf(parameter, "type"));
  size_t i;
  json_t *part;
  json_array_foreach(json_object_get(parameter, "passed_as"), i, part) {
    printf("%s", i ? ", " : "");
    printPart(part);
  }
  putchar('\n');
}

static void printGrid(const json_t *grid) {
  size_t i;
  json_t *expression;
  printf("  grid (");
  json_array_foreach(grid, i, expression)
      printf("%s%s", i ? ", " : "",
             json_is_string(expression) ? json_string_value(expression) : "?");
  puts(")");
}

static void printKernel(const CuteKernel *kernel) {
  size_t i;
  json_t *parameter;
  printf("kernel %s\n", kernel->name);
  json_array_foreach(kernel->parameters, i, parameter)
      printParameter(parameter);
  if (kernel->block[0])
    printf("  block (%lld, %lld, %lld)\n", (long long)kernel->block[0],
           (long long)kernel->block[1], (long long)kernel->block[2]);
  if (json_array_size(kernel->grid))
    printGrid(kernel->grid);
  printf("  shared memory: %lld bytes static, %lld dynamic\n",
         (long long)kernel->staticShared, (long long)kernel->dynamicShared);
}

bool cuteManifestPrint(const CuteManifest *manifest) {
  size_t i;
  json_t *json;
  json_array_foreach(json_object_get(manifest->root, "kernels"), i, json) {
    CuteKernel kernel;
    if (!cuteManifestGetKernel(manifest,
                               json_string_value(json_object_get(json, "name")),
                               &kernel))
      return false;
    printKernel(&kernel);
  }
  return true;
}
