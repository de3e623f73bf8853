#include "Runtime/manifest.h"
#include "check.h"

#include <stdlib.h>
#include <unistd.h>

static const char text[] =
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

static CuteManifest readText(const char *json) {
  char path[] = "/tmp/cute-manifest-XXXXXX";
  int file = mkstemp(path);
  assert_true(file >= 0);
  assert_int_equal(write(file, json, strlen(json)), strlen(json));
  close(file);
  CuteManifest manifest;
  bool ok = cuteManifestRead(&manifest, path);
  unlink(path);
  if (!ok)
    manifest.root = NULL;
  return manifest;
}

static bool bind(const CuteKernel *kernel, const char *tensor, const char *i,
                 const char *f, CuteParameters *parameters, int64_t grid[3]) {
  CuteArgument arguments[3] = {{.address = 0x7000}, {.text = i}, {.text = f}};
  assert_true(cuteArrayParse(&arguments[0].array, tensor));
  bool ok = cuteKernelBind(kernel, 3, arguments, parameters) &&
            cuteKernelGetGrid(kernel, 3, arguments, grid);
  cuteArrayDestroy(&arguments[0].array);
  return ok;
}

static void bindsInTheOrderOfTheAbi(void **state) {
  (void)state;
  CuteManifest manifest = readText(text);
  CuteKernel kernel;
  CuteParameters p;
  int64_t grid[3];
  assert_non_null(manifest.root);
  assert_string_equal(manifest.path, "/tmp/k.ptx");
  assert_true(cuteManifestGetKernel(&manifest, NULL, &kernel));
  assert_int_equal(kernel.dynamicShared, 98304);
  assert_true(bind(&kernel, "f16[(300,7,4):(32,1,7)]", "5", "0.5", &p, grid));
  const uint64_t values[] = {0x7000, 300, 7, 32, 7, 5, 0x3f000000};
  const unsigned bytes[] = {8, 4, 4, 8, 4, 4, 4};
  assert_int_equal(p.count, 7);
  for (size_t i = 0; i < 7; ++i) {
    assert_int_equal(p.values[i], values[i]);
    assert_int_equal(p.bytes[i], bytes[i]);
  }
  assert_int_equal(grid[0], 3);
  assert_int_equal(grid[1], 14);
  assert_int_equal(grid[2], 1);
  cuteManifestDestroy(&manifest);
}

static void evaluatesArguments(void **state) {
  (void)state;
  CuteArgument arguments[2] = {{.address = 0}, {.text = "5"}};
  int64_t value;
  assert_true(cuteArrayParse(&arguments[0].array, "f16[300x7]"));
  assert_true(cuteArgumentsEvaluate("4 * arg0.shape[0] * arg0.shape[1] - arg1",
                                    2, arguments, &value));
  assert_int_equal(value, 4 * 300 * 7 - 5);
  static const char *const bad[] = {"arg0.shape[2]", "arg2", "arg1.shape[0]",
                                    "arg0",          "2 *",  "shape[0]",
                                    "1 / 0",         "a(1)", "arg0.size[0]"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i)
    assert_false(cuteArgumentsEvaluate(bad[i], 2, arguments, &value));
  cuteArrayDestroy(&arguments[0].array);
}

static void rejectsWhatDoesNotFit(void **state) {
  (void)state;
  CuteManifest manifest = readText(text);
  CuteKernel kernel;
  CuteParameters p;
  int64_t grid[3];
  assert_true(cuteManifestGetKernel(&manifest, "k", &kernel));
  static const char *const bad[][3] = {
      {"f32[(300,7,4):(32,1,7)]", "5", "0.5"},  // element type
      {"f16[(300,7,5):(40,1,7)]", "5", "0.5"},  // static extent
      {"f16[(300,7,4):(36,1,7)]", "5", "0.5"},  // divisibility
      {"f16[(300,7,4):(32,2,7)]", "5", "0.5"},  // static stride
      {"f16[(300,28):(32,1)]", "5", "0.5"},     // rank
      {"f16[(1,1,1,1):(8,1,1,1)]", "5", "0.5"}, // rank
      {"f16[(300,7,4):(32,1,7)]", "x", "0.5"},
      {"f16[(300,7,4):(32,1,7)]", "5", ""},
      {"f16[(300,7,4):(32,1,7)]", "5 6", "1"},
      {"f16[(300,7,4):(32,1,7)]", "3000000000", "1"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i)
    assert_false(bind(&kernel, bad[i][0], bad[i][1], bad[i][2], &p, grid));
  assert_false(cuteKernelBind(&kernel, 0, NULL, &p));
  assert_false(cuteManifestGetKernel(&manifest, "other", &kernel));
  cuteManifestDestroy(&manifest);
}

static void rejectsBadManifests(void **state) {
  (void)state;
  static const char *const bad[] = {
      "", "[]", "{", "{\"version\": 2, \"file\": \"a\", \"kernels\": []}",
      "{\"version\": 1, \"kernels\": []}"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i)
    assert_null(readText(bad[i]).root);
  CuteManifest empty =
      readText("{\"version\": 1, \"file\": \"a\", \"kernels\": []}");
  CuteKernel kernel;
  assert_false(cuteManifestGetKernel(&empty, NULL, &kernel));
  cuteManifestDestroy(&empty);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bindsInTheOrderOfTheAbi),
      cmocka_unit_test(evaluatesArguments),
      cmocka_unit_test(rejectsWhatDoesNotFit),
      cmocka_unit_test(rejectsBadManifests),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
