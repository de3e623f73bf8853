#include "Run/run.h"
#include "Support/manifest_parts.h"

#include <stdio.h>

// Text of a manifest, which anybody may have written.
static void printText(const char *text) {
  for (; *text; ++text)
    if ((unsigned char)*text < ' ' || *text == 0x7f)
      printf("\\x%02x", (unsigned char)*text);
    else
      putchar(*text);
}

static void printKey(const json_t *object, const char *key) {
  const char *text = json_string_value(json_object_get(object, key));
  printText(text ? text : "?");
}

// A formula or a number, or a list of them in parentheses.
static void printFormula(const json_t *json) {
  size_t i;
  const json_t *entry;
  if (json_is_integer(json))
    printf("%lld", json_integer_value(json));
  else if (!json_is_array(json))
    printText(json_is_string(json) ? json_string_value(json) : "?");
  if (!json_is_array(json))
    return;
  putchar('(');
  json_array_foreach(json, i, entry) {
    printf("%s", i ? ", " : "");
    printFormula(entry);
  }
  putchar(')');
}

// Prints a map in the order of the manifest's keys.
static void printMap(const json_t *map) {
  static const char *const keys[] = {
      CUTE_KEY_DIMS,         CUTE_KEY_STRIDES,
      CUTE_KEY_BOX,          CUTE_KEY_LOWER_CORNER,
      CUTE_KEY_UPPER_CORNER, CUTE_KEY_CHANNELS,
      CUTE_KEY_PIXELS,       CUTE_KEY_ELEMENT_STRIDES,
      CUTE_KEY_INTERLEAVE,   CUTE_KEY_SWIZZLE,
      CUTE_KEY_L2,           CUTE_KEY_OOB};
  printf("tensor map of ");
  printKey(map, CUTE_KEY_TENSOR);
  for (size_t i = 0; i < sizeof keys / sizeof *keys; ++i) {
    const json_t *value = json_object_get(map, keys[i]);
    if (!value)
      continue;
    printf(" %s ", keys[i]);
    printFormula(value);
  }
}

static void printPart(const json_t *part) {
  long long bits = json_integer_value(json_object_get(part, CUTE_KEY_BITS));
  if (isKind(part, CUTE_KIND_TENSOR_MAP)) {
    printMap(part);
    return;
  }
  printKey(part, CUTE_KEY_ROLE);
  if (bits)
    printf(": %c%lld", isKind(part, CUTE_KIND_FLOAT) ? 'f' : 'i', bits);
}

static void printParameter(const json_t *parameter) {
  const json_t *parts = json_object_get(parameter, CUTE_KEY_PASSED_AS), *part;
  size_t i;
  if (json_is_true(json_object_get(parameter, CUTE_KEY_HIDDEN))) {
    printf("  hidden  ");
  } else {
    printf("  arg%lld  ",
           json_integer_value(json_object_get(parameter, CUTE_KEY_INDEX)));
    printKey(parameter, CUTE_KEY_TYPE);
    printf("  passed as ");
  }
  json_array_foreach(parts, i, part) {
    printf("%s", i ? ", " : "");
    printPart(part);
  }
  putchar('\n');
}

static void printExtents(const char *what, const int64_t extents[3]) {
  printf("  %s (%jd, %jd, %jd)\n", what, extents[0], extents[1], extents[2]);
}

static void printKernel(const CuteKernel *kernel) {
  size_t i;
  const json_t *parameter;
  const int64_t *cluster = kernel->cluster;
  printf("kernel ");
  printText(kernel->name);
  putchar('\n');
  json_array_foreach(kernel->parameters, i, parameter)
      printParameter(parameter);
  if (kernel->block[0])
    printExtents("block", kernel->block);
  if (cluster[0] * cluster[1] * cluster[2] > 1)
    printExtents("cluster", cluster);
  if (json_array_size(kernel->grid)) {
    printf("  grid ");
    printFormula(kernel->grid);
    putchar('\n');
  }
  if (kernel->mayOverlap)
    puts("  may start before the kernel before it ends");
  printf("  shared memory: %jd bytes static, %jd dynamic\n",
         kernel->staticShared, kernel->dynamicShared);
}

CuteStatus cuteDescribeManifest(const CuteManifest *manifest) {
  for (size_t i = 0; i < cuteManifestGetSize(manifest); ++i) {
    CuteKernel kernel;
    CUTE_TRY(cuteManifestGetKernel(manifest, i, &kernel));
    printKernel(&kernel);
  }
  return NULL;
}

//===-- Comparisons -------------------------------------------------------===//

void cuteDescribeComparison(size_t index, const CuteComparison *c,
                            const CuteSample *sample, const CuteArray *array) {
  printf("argument %zu: relative error %.2e (max|error|/max|reference|), "
         "%.2e (Frobenius)",
         index, c->maxError, c->frobenius);
  if (sample)
    printf(" of %jd of %jd elements", cuteSampleGetSize(sample),
           cuteArrayGetSize(array));
  putchar('\n');
}

CuteStatus cuteDescribeDifference(size_t index, const CuteComparison *c) {
  if (c->unwritten && !c->notNumbers)
    return cuteStatusCreate(
        "argument %zu: %jd elements outside the sample are not numbers", index,
        c->unwritten);
  return cuteStatusCreate(
      "argument %zu differs from the reference: element %jd is %g, not %g; "
      "%jd elements are not numbers",
      index, c->worst, c->found, c->wanted, c->notNumbers);
}
