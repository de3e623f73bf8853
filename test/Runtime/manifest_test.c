#include "Runtime/argument.h"
#include "check_status.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char whole[] =
    "{\"version\": 1, \"file\": \"k.ptx\", \"kernels\": [{\"name\": \"k\","
    " \"static_shared_bytes\": 0, \"dynamic_shared_bytes\": 98304,"
    " \"block\": [128, 1, 1],"
    " \"grid\": [\"ceil_div(arg0.shape[0], 128)\", \"max(arg1, 2)*3-1\"],"
    " \"parameters\": ["
    "  {\"index\": 0, \"type\": \"T\", \"element\": \"f16\", \"align\": 16,"
    "   \"shape\": \"(?,(?,4))\", \"stride\": \"(?{i64 div=8},(1,?))\","
    "   \"passed_as\": ["
    "    {\"kind\": \"pointer\", \"role\": \"pointer\"},"
    "    {\"kind\": \"integer\", \"bits\": 32, \"role\": \"shape[0]\"},"
    "    {\"kind\": \"integer\", \"bits\": 32, \"role\": \"shape[1]\"},"
    "    {\"kind\": \"integer\", \"bits\": 64, \"role\": \"stride[0]\"},"
    "    {\"kind\": \"integer\", \"bits\": 32, \"role\": \"stride[2]\"}]},"
    "  {\"index\": 1, \"type\": \"i32\", \"passed_as\": ["
    "    {\"kind\": \"integer\", \"bits\": 32, \"role\": \"value\"}]},"
    "  {\"index\": 2, \"type\": \"f32\", \"passed_as\": ["
    "    {\"kind\": \"float\", \"bits\": 32, \"role\": \"value\"}]}]}]}";

static CuteStatus readText(const char *json, CuteManifest *manifest) {
  char path[] = "/tmp/cute-manifest-XXXXXX";
  int file = mkstemp(path);
  assert_true(file >= 0);
  assert_int_equal(write(file, json, strlen(json)), strlen(json));
  close(file);
  CuteStatus status = cuteManifestRead(manifest, path);
  unlink(path);
  return status;
}

static void parseNumbers(CuteArgument *argument, const char *text) {
  assertSucceeds(cuteArgumentParseNumbers(argument, text));
}

static CuteArgument tensorOf(CuteElementType element, size_t rank,
                             const int64_t *extents, const int64_t *strides) {
  CuteArgument argument = {
      .isTensor = true, .element = element, .rank = rank, .address = 0x7000};
  memcpy(argument.extents, extents, rank * sizeof *extents);
  memcpy(argument.strides, strides, rank * sizeof *strides);
  return argument;
}

static const int64_t extents[] = {300, 7, 4}, strides[] = {32, 1, 7};

static void bindsInTheOrderOfTheAbi(void **state) {
  (void)state;
  CuteManifest manifest;
  CuteKernel kernel;
  static CuteParameters p;
  CuteArgument arguments[3] = {tensorOf(CUTE_ELEMENT_F16, 3, extents, strides)};
  int64_t grid[3];
  CuteScope scope = {3, arguments, NULL};
  assertSucceeds(readText(whole, &manifest));
  assert_string_equal(manifest.path, "/tmp/k.ptx");
  assertSucceeds(cuteManifestFindKernel(&manifest, NULL, &kernel));
  assert_int_equal(kernel.dynamicShared, 98304);
  parseNumbers(&arguments[1], "5");
  parseNumbers(&arguments[2], "0.5");
  assertSucceeds(cuteKernelBind(&kernel, 3, arguments, &p));
  assertSucceeds(cuteScopeGetGrid(&kernel, &scope, grid));
  const uint64_t values[] = {0x7000, 300, 7, 32, 7, 5, 0x3f000000};
  const size_t offsets[] = {0, 8, 12, 16, 24, 28, 32};
  const unsigned bytes[] = {8, 4, 4, 8, 4, 4, 4};
  assert_int_equal(p.count, 7);
  assert_int_equal(p.size, 36);
  for (size_t i = 0; i < 7; ++i) {
    assert_int_equal(p.offsets[i], offsets[i]);
    assert_memory_equal(p.bytes + offsets[i], &values[i], bytes[i]);
  }
  assert_int_equal(grid[0], 3);
  assert_int_equal(grid[1], 14);
  assert_int_equal(grid[2], 1);
  cuteManifestDestroy(&manifest);
}

static CuteStatus countClusters(void *data, int64_t *value) {
  *value = *(int64_t *)data;
  return NULL;
}

static void evaluatesArguments(void **state) {
  (void)state;
  CuteArgument arguments[2] = {tensorOf(CUTE_ELEMENT_F16, 2, extents, strides)};
  int64_t value, clusters = 66;
  CuteLaunchFacts facts = {132, countClusters, &clusters};
  CuteScope scope = {2, arguments, NULL};
  parseNumbers(&arguments[1], "5");
  assertSucceeds(cuteScopeEvaluate(
      &scope, "4 * arg0.shape[0] * arg0.shape[1] - arg1", &value));
  assert_int_equal(value, 4 * 300 * 7 - 5);
  assertSucceeds(cuteScopeEvaluate(&scope, "arg0.stride[0] * 2", &value));
  assert_int_equal(value, 64);
  static const char *const bad[] = {
      "arg0.shape[2]", "arg2",        "arg1.shape[0]",   "arg0",
      "2 *",           "shape[0]",    "1 / 0",           "a(1)",
      "arg0.size[0]",  "arg",         "arg0.shape[1e9]", "arg0.shape[0.5]",
      "1e300",         "2e18 * 1000", "active_clusters", "multiprocessors"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i)
    assertFails(cuteScopeEvaluate(&scope, bad[i], &value), "");
  scope.facts = &facts;
  assertSucceeds(cuteScopeEvaluate(&scope,
                                   "min(arg0.shape[0], active_clusters*2) + "
                                   "max(multiprocessors, 8)",
                                   &value));
  assert_int_equal(value, 132 + 132);
}

static void rejectsWhatDoesNotFit(void **state) {
  (void)state;
  static const struct {
    int64_t extents[4], strides[4];
    size_t rank;
    const char *first, *second, *message;
  } bad[] = {
      {{300, 7, 5}, {40, 1, 7}, 3, "5", "0.5", "does not match (?,(?,4))"},
      {{300, 7, 4},
       {36, 1, 7},
       3,
       "5",
       "0.5",
       "stride[0] is 36, but must be a multiple of 8 elements of f16 (16 "
       "bytes), as (?{"},
      {{300, 7, 4}, {32, 2, 7}, 3, "5", "0.5", "does not match (?{"},
      {{300, 28}, {32, 1}, 2, "5", "0.5", "the rank must match"},
      {{300, 7, 4, 1}, {32, 1, 7, 1}, 4, "5", "0.5", "the rank must match"},
      {{300, 7, 4}, {32, 1, 7}, 3, "0.5", "0.5", "value must be an integer"},
      {{300, 7, 4}, {32, 1, 7}, 3, "5", "", "a number for each of 1 parts"},
      {{300, 7, 4}, {32, 1, 7}, 3, "5 6", "1", "has 2 numbers for 1 parts"},
      {{300, 7, 4}, {32, 1, 7}, 3, "3000000000", "1", "does not fit into 32"},
  };
  CuteManifest manifest;
  CuteKernel kernel;
  static CuteParameters p;
  assertSucceeds(readText(whole, &manifest));
  assertSucceeds(cuteManifestFindKernel(&manifest, "k", &kernel));
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    CuteArgument arguments[3] = {tensorOf(CUTE_ELEMENT_F16, bad[i].rank,
                                          bad[i].extents, bad[i].strides)};
    parseNumbers(&arguments[1], bad[i].first);
    parseNumbers(&arguments[2], bad[i].second);
    assertFails(cuteKernelBind(&kernel, 3, arguments, &p), bad[i].message);
    arguments[0] = tensorOf(CUTE_ELEMENT_F32, 3, extents, strides);
    assertFails(cuteKernelBind(&kernel, 3, arguments, &p),
                "the element type must be f16");
    arguments[1] = arguments[0];
    assertFails(cuteKernelBind(&kernel, 3, arguments, &p), "");
  }
  assertFails(cuteKernelBind(&kernel, 0, NULL, &p), "takes 3 arguments, not 0");
  assertFails(cuteManifestFindKernel(&manifest, "other", &kernel),
              "there is no kernel 'other'");
  cuteManifestDestroy(&manifest);
}

// A manifest whose kernel has these entries.
static CuteStatus readKernel(const char *entries, CuteManifest *manifest,
                             CuteKernel *kernel) {
  char json[2048];
  snprintf(json, sizeof json,
           "{\"version\": 1, \"file\": \"a\", \"kernels\": [{\"name\": \"k\","
           " %s}]}",
           entries);
  assertSucceeds(readText(json, manifest));
  return cuteManifestFindKernel(manifest, NULL, kernel);
}

static void rejectsBadManifests(void **state) {
  (void)state;
  static const char *const bad[] = {
      "",
      "[]",
      "{",
      "{\"version\": 2, \"file\": \"a\", \"kernels\": []}",
      "{\"version\": 1, \"kernels\": []}",
      "{\"version\": 1, \"file\": \"/etc/passwd\", \"kernels\": []}",
      "{\"version\": 1, \"file\": \"../a\", \"kernels\": []}",
      "{\"version\": 1, \"file\": \"..\", \"kernels\": []}",
      "{\"version\": 1, \"file\": \"\", \"kernels\": []}"};
  CuteManifest manifest;
  CuteKernel kernel;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i)
    assertFails(readText(bad[i], &manifest), "");
  assertFails(cuteManifestRead(&manifest, "/dev/zero"),
              "is not a regular file");
  assertSucceeds(readText("{\"version\": 1, \"file\": \"a\", \"kernels\": []}",
                          &manifest));
  assertFails(cuteManifestFindKernel(&manifest, NULL, &kernel),
              "there are 0 kernels");
  cuteManifestDestroy(&manifest);
  static const char *const kernels[] = {
      "\"block\": [1, 2, 3]", "\"parameters\": [], \"block\": [-1, 1, 1]",
      "\"parameters\": [], \"block\": [\"1\", 1, 1]",
      "\"parameters\": [], \"cluster\": [0, 1, 1]",
      "\"parameters\": [], \"dynamic_shared_bytes\": 4294967296"};
  for (size_t i = 0; i < sizeof kernels / sizeof *kernels; ++i) {
    assertFails(readKernel(kernels[i], &manifest, &kernel), "");
    cuteManifestDestroy(&manifest);
  }
}

static void rejectsPartsOfOtherWidths(void **state) {
  (void)state;
  static CuteParameters p;
  CuteManifest manifest;
  CuteKernel kernel;
  CuteArgument argument;
  parseNumbers(&argument, "1");
  static const char *const bits[] = {"0", "-1", "1", "12", "65", "128"};
  for (size_t i = 0; i < sizeof bits / sizeof *bits; ++i) {
    char entries[256];
    snprintf(entries, sizeof entries,
             "\"parameters\": [{\"type\": \"i32\", \"passed_as\": [{\"kind\": "
             "\"integer\", \"bits\": %s, \"role\": \"value\"}]}]",
             bits[i]);
    assertSucceeds(readKernel(entries, &manifest, &kernel));
    assertFails(cuteKernelBind(&kernel, 1, &argument, &p),
                "it must have 8, 16, 32 or 64");
    cuteManifestDestroy(&manifest);
  }
}

static void readsHopper(void **state) {
  (void)state;
  static const char entries[] =
      "\"block\": [384, 1, 1], \"cluster\": [2, 1, 1], \"pdl\": true,"
      "\"grid\": [\"2\"], \"parameters\": ["
      "{\"type\": \"T\", \"element\": \"f16\", \"shape\": \"(?,?)\","
      " \"stride\": \"(?,1)\", \"passed_as\": [{\"kind\": \"pointer\"},"
      "  {\"kind\": \"tensor_map\", \"bytes\": 128, \"align\": 64,"
      "   \"tensor\": \"arg0\", \"element\": \"f16\","
      "   \"dims\": [\"arg0.shape[1]\", \"arg0.shape[0]\"],"
      "   \"strides\": [\"arg0.stride[0] * 2\"], \"box\": [64, 128],"
      "   \"element_strides\": [1, 1], \"interleave\": \"none\","
      "   \"swizzle\": \"128B\", \"l2\": \"256B\", \"oob\": \"zero\"}]},"
      "{\"hidden\": true, \"passed_as\": [{\"kind\": \"tensor_map\","
      "   \"tensor\": \"arg0\", \"dims\": [\"arg0.shape[1]\"],"
      "   \"strides\": [], \"box\": [\"8 * 4\"]}]},"
      "{\"type\": \"i32\", \"passed_as\":"
      "  [{\"kind\": \"integer\", \"bits\": 32, \"role\": \"value\"}]}]";
  static CuteParameters p;
  CuteManifest manifest;
  CuteKernel kernel;
  CuteArgument arguments[2] = {
      tensorOf(CUTE_ELEMENT_F16, 2, (int64_t[]){100, 72}, (int64_t[]){80, 1})};
  parseNumbers(&arguments[1], "42");
  assertSucceeds(readKernel(entries, &manifest, &kernel));
  assert_int_equal(kernel.cluster[0], 2);
  assert_int_equal(kernel.cluster[1], 1);
  assert_true(kernel.mayOverlap);
  assert_int_equal(cuteKernelGetNumArguments(&kernel), 2);
  assertSucceeds(cuteKernelBind(&kernel, 2, arguments, &p));
  const size_t offsets[] = {0, 64, 192, 320};
  assert_int_equal(p.count, 4);
  for (size_t i = 0; i < 4; ++i)
    assert_int_equal(p.offsets[i], offsets[i]);
  assert_int_equal(p.size, 324);
  assert_int_equal(p.numMaps, 2);
  const CuteTensorMap *map = &p.maps[0];
  assertSucceeds(cuteTensorMapCheck(map));
  assert_int_equal(map->rank, 2);
  assert_int_equal(map->address, 0x7000);
  assert_int_equal(map->dims[0], 72);
  assert_int_equal(map->dims[1], 100);
  assert_int_equal(map->strides[0], 160);
  assert_int_equal(map->box[1], 128);
  assert_int_equal(map->swizzle, CUTE_MAP_SWIZZLE_128B);
  assert_int_equal(map->promotion, CUTE_MAP_PROMOTION_256B);
  assert_int_equal(p.mapOffsets[1], 192);
  assert_int_equal(p.maps[1].rank, 1);
  assert_int_equal(p.maps[1].box[0], 32);
  assertSucceeds(cuteTensorMapCheck(&p.maps[1]));
  const CuteDevicePointer other = 0x9000;
  assertSucceeds(cuteParametersSetAddresses(&p, &kernel, 1, &other));
  assert_memory_equal(p.bytes, &other, sizeof other);
  assert_int_equal(p.maps[0].address, 0x9000);
  assert_int_equal(p.maps[1].address, 0x9000);
  assertFails(cuteParametersSetAddresses(&p, &kernel, 0, NULL),
              "kernel 'k' takes the addresses of 1 tensors, not of 0");
  cuteManifestDestroy(&manifest);
}

static void putsAddressesInPlace(void **state) {
  (void)state;
  static const char entries[] =
      "\"parameters\": [{\"type\": \"i32\", \"passed_as\":"
      "  [{\"kind\": \"integer\", \"bits\": 32, \"role\": \"value\"}]},"
      " {\"type\": \"!llvm.ptr\", \"passed_as\": [{\"kind\": \"pointer\"}]},"
      " {\"type\": \"T\", \"element\": \"f16\", \"shape\": \"(?)\","
      "  \"stride\": \"(1)\", \"align\": 16, \"passed_as\":"
      "  [{\"kind\": \"integer\", \"bits\": 32, \"role\": \"shape[0]\"},"
      "   {\"kind\": \"pointer\"}]}]";
  static CuteParameters p;
  CuteManifest manifest;
  CuteKernel kernel;
  const int64_t extent = 5, stride = 1;
  CuteArgument arguments[3] = {{0},
                               tensorOf(CUTE_ELEMENT_F16, 1, &extent, &stride),
                               tensorOf(CUTE_ELEMENT_F16, 1, &extent, &stride)};
  parseNumbers(&arguments[0], "42");
  assertSucceeds(readKernel(entries, &manifest, &kernel));
  assertSucceeds(cuteKernelBind(&kernel, 3, arguments, &p));
  CuteDevicePointer other[] = {0x8001, 0x9010};
  assertSucceeds(cuteParametersSetAddresses(&p, &kernel, 2, other));
  assert_memory_equal(p.bytes + p.offsets[1], &other[0], 8);
  assert_memory_equal(p.bytes + p.offsets[3], &other[1], 8);
  assert_int_equal(p.bytes[0], 42);
  assert_int_equal(p.bytes[p.offsets[2]], 5);
  other[1] = 0x9008;
  assertFails(cuteParametersSetAddresses(&p, &kernel, 2, other),
              "argument 2 of 'k' (T): the address must be a multiple of 16 "
              "bytes, not 0x9008");
  assertFails(cuteParametersSetAddresses(&p, &kernel, 3, other),
              "takes the addresses of 2 tensors, not of 3");
  cuteManifestDestroy(&manifest);
}

// Binds a hidden tensor map with these entries to a tensor of f16, 100x72.
static CuteStatus bindMap(const char *entries, CuteParameters *p) {
  char json[1024];
  CuteManifest manifest;
  CuteKernel kernel;
  CuteArgument argument =
      tensorOf(CUTE_ELEMENT_F16, 2, (int64_t[]){100, 72}, (int64_t[]){80, 1});
  snprintf(json, sizeof json,
           "\"parameters\": [{\"type\": \"T\", \"element\": \"f16\","
           " \"shape\": \"(?,?)\", \"stride\": \"(?,1)\", \"passed_as\": []},"
           " {\"hidden\": true, \"passed_as\": [{\"kind\": \"tensor_map\","
           "  %s}]}]",
           entries);
  assertSucceeds(readKernel(json, &manifest, &kernel));
  CuteStatus status = cuteKernelBind(&kernel, 1, &argument, p);
  cuteManifestDestroy(&manifest);
  return status;
}

static void rejectsBadMaps(void **state) {
  (void)state;
  static CuteParameters p;
  static const char *const bad[][2] = {
      {"\"dims\": [1], \"strides\": [], \"box\": [16]", "names no tensor: ''"},
      {"\"tensor\": \"arg1\", \"dims\": [1]", "names no tensor: 'arg1'"},
      {"\"tensor\": \"arg\", \"dims\": [1]", "names no tensor: 'arg'"},
      {"\"tensor\": \"arg0\"", "the tensor map of arg0: the rank is 0"},
      {"\"tensor\": \"arg0\", \"dims\": [1,1,1,1,1,1]", "the rank is 6"},
      {"\"tensor\": \"arg0\", \"dims\": [1, 1], \"strides\": []",
       "\"strides\" must have 1 entries, not 0"},
      {"\"tensor\": \"arg0\", \"dims\": [1], \"strides\": [], \"box\": []",
       "\"box\" must have 1 entries"},
      {"\"tensor\": \"arg0\", \"dims\": [\"arg0.shape[2]\"]",
       "\"dims\": 'arg0.shape' is unknown"},
      {"\"tensor\": \"arg0\", \"dims\": [1.5]", "expected a formula"},
      {"\"tensor\": \"arg0\", \"dims\": [1], \"swizzle\": \"96B\"",
       "\"swizzle\" is unknown: '96B'"},
      {"\"tensor\": \"arg0\", \"dims\": [1], \"element\": \"f17\"",
       "\"element\" is unknown: 'f17'"},
      {"\"tensor\": \"arg0\", \"dims\": [1], \"strides\": [],"
       " \"lower_corner\": []",
       "the rank is 1; it must be from 3 to 5 for im2col"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i)
    assertFails(bindMap(bad[i][0], &p), bad[i][1]);
  assertSucceeds(bindMap("\"tensor\": \"arg0\", \"dims\": [64, 9, 9, 2],"
                         " \"strides\": [128, 1152, 10368],"
                         " \"lower_corner\": [-1, -1],"
                         " \"upper_corner\": [\"0 - 1\", 1],"
                         " \"channels_per_pixel\": 64,"
                         " \"pixels_per_column\": \"arg0.shape[0]\"",
                         &p));
  assertSucceeds(cuteTensorMapCheck(p.maps));
  assert_true(p.maps->isIm2col);
  assert_int_equal(p.maps->lower[1], -1);
  assert_int_equal(p.maps->upper[0], -1);
  assert_int_equal(p.maps->pixels, 100);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bindsInTheOrderOfTheAbi),
      cmocka_unit_test(evaluatesArguments),
      cmocka_unit_test(rejectsWhatDoesNotFit),
      cmocka_unit_test(rejectsBadManifests),
      cmocka_unit_test(rejectsPartsOfOtherWidths),
      cmocka_unit_test(readsHopper),
      cmocka_unit_test(putsAddressesInPlace),
      cmocka_unit_test(rejectsBadMaps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
