#include "Runtime/manifest.h"
#include "Support/file.h"
#include "Support/manifest_keys.h"

#include <jansson.h>
#include <unistd.h>

//===-- Manifests ---------------------------------------------------------===//

// The path of `file`, a plain name, beside the manifest.
static char *siblingPath(const char *manifest, const char *file) {
  const char *slash = strrchr(manifest, '/');
  CuteString path = {0};
  if (slash)
    cuteStringAppendBytes(&path, manifest, (size_t)(slash + 1 - manifest));
  cuteStringAppend(&path, file);
  return path.data;
}

static CuteStatus parse(CuteStringRef text, json_t **root) {
  json_error_t error;
  *root = json_loadb(text.data, text.length, 0, &error);
  return *root ? NULL : cuteStatusCreate("line %d: %s", error.line, error.text);
}

static CuteStatus parseFile(const char *path, json_t **root) {
  enum { MOST = 1 << 26 };
  CUTE_SCOPED(String) text = {0};
  CUTE_TRY(cuteFileRead(path, MOST, &text));
  return parse(cuteStringGetRef(&text), root);
}

// `path` says where the manifest comes from.
static CuteStatus check(const json_t *root, const char *path) {
  const char *file = json_string_value(json_object_get(root, CUTE_KEY_FILE));
  json_int_t version =
      json_integer_value(json_object_get(root, CUTE_KEY_VERSION));
  if (!file || version != CUTE_MANIFEST_VERSION ||
      !json_is_array(json_object_get(root, CUTE_KEY_KERNELS)))
    return cuteStatusCreate("'%s' is not a manifest of version %d by cutec",
                            path, CUTE_MANIFEST_VERSION);
  if (!*file || strchr(file, '/') || !strcmp(file, ".") || !strcmp(file, ".."))
    return cuteStatusCreate("'%s' names the file '%s'; it must be a plain name "
                            "beside the manifest",
                            path, file);
  return NULL;
}

// Says what the path of code may have been meant for, where the manifest's
// should be.
static const char *adviceFor(const char *path) {
  const char *dot = strrchr(path, '.');
  if (!dot)
    return "";
  if (!strcmp(dot, ".cubin"))
    return ", which is code; the manifest beside it ends in .json";
  return strcmp(dot, ".mlir") || access(path, F_OK)
             ? ""
             : ", which is source; compile it by cutec, or run it with "
               "--device=sim or --host=FUNCTION";
}

CuteStatus cuteManifestRead(CuteManifest *manifest, const char *path) {
  *manifest = (CuteManifest){0};
  CUTE_TRY(cuteStatusAnnotate(parseFile(path, &manifest->root),
                              "cannot read manifest '%s'%s", path,
                              adviceFor(path)));
  CuteStatus status = check(manifest->root, path);
  if (!status)
    manifest->path = siblingPath(path, json_string_value(json_object_get(
                                           manifest->root, CUTE_KEY_FILE)));
  else
    cuteManifestDestroy(manifest);
  return status;
}

CuteStatus cuteManifestParse(CuteManifest *manifest, const char *text) {
  *manifest = (CuteManifest){0};
  CUTE_TRY(cuteStatusAnnotate(parse(cuteStringRef(text), &manifest->root),
                              "cannot read the manifest"));
  CuteStatus status = check(manifest->root, "the text");
  if (status)
    cuteManifestDestroy(manifest);
  return status;
}

void cuteManifestDestroy(CuteManifest *manifest) {
  json_decref(manifest->root);
  free(manifest->path);
  *manifest = (CuteManifest){0};
}

//===-- Kernels -----------------------------------------------------------===//

static CuteStatus readNumber(const json_t *json, const char *what, int64_t most,
                             int64_t *value) {
  *value = json_integer_value(json);
  if (!json || json_is_null(json) ||
      (json_is_integer(json) && *value >= 0 && *value <= most))
    return NULL;
  return cuteStatusCreate("\"%s\" must be from 0 to %jd", what, most);
}

// [x, y, z]; without a list, or of what it leaves out, `otherwise`.
static CuteStatus readExtents(const json_t *kernel, const char *key,
                              int64_t otherwise, int64_t extents[3]) {
  const json_t *json = json_object_get(kernel, key);
  for (size_t i = 0; i < 3; ++i) {
    const json_t *extent = json_array_get(json, i);
    extents[i] = otherwise;
    if (!extent)
      continue;
    CUTE_TRY(readNumber(extent, key, UINT16_MAX, &extents[i]));
    if (!extents[i])
      return cuteStatusCreate("\"%s\" must be at least 1", key);
  }
  return NULL;
}

static CuteStatus readKernel(const json_t *json, CuteKernel *kernel) {
  *kernel = (CuteKernel){
      .name = json_string_value(json_object_get(json, CUTE_KEY_NAME)),
      .parameters = json_object_get(json, CUTE_KEY_PARAMETERS),
      .grid = json_object_get(json, CUTE_KEY_GRID),
      .mayOverlap = json_is_true(json_object_get(json, CUTE_KEY_PDL)),
      .isCooperative =
          json_is_true(json_object_get(json, CUTE_KEY_COOPERATIVE))};
  if (!kernel->name || !json_is_array(kernel->parameters))
    return cuteStatusCreate("the manifest describes a kernel incompletely");
  CUTE_TRY(readNumber(json_object_get(json, CUTE_KEY_STATIC_SHARED),
                      CUTE_KEY_STATIC_SHARED, INT32_MAX,
                      &kernel->staticShared));
  CUTE_TRY(readNumber(json_object_get(json, CUTE_KEY_DYNAMIC_SHARED),
                      CUTE_KEY_DYNAMIC_SHARED, INT32_MAX,
                      &kernel->dynamicShared));
  CUTE_TRY(readExtents(json, CUTE_KEY_BLOCK, 0, kernel->block));
  CUTE_TRY(readExtents(json, CUTE_KEY_PREFERRED_CLUSTER, 1,
                       kernel->preferredCluster));
  return readExtents(json, CUTE_KEY_CLUSTER, 1, kernel->cluster);
}

static const json_t *kernelsOf(const CuteManifest *manifest) {
  return json_object_get(manifest->root, CUTE_KEY_KERNELS);
}

size_t cuteManifestGetSize(const CuteManifest *manifest) {
  return json_array_size(kernelsOf(manifest));
}

CuteStatus cuteManifestGetKernel(const CuteManifest *manifest, size_t index,
                                 CuteKernel *kernel) {
  return readKernel(json_array_get(kernelsOf(manifest), index), kernel);
}

CuteStatus cuteManifestFindKernel(const CuteManifest *manifest,
                                  const char *name, CuteKernel *kernel) {
  size_t n = cuteManifestGetSize(manifest);
  if (!name && n == 1)
    return cuteManifestGetKernel(manifest, 0, kernel);
  if (!name)
    return cuteStatusCreate("there are %zu kernels; choose one with --kernel",
                            n);
  for (size_t i = 0; i < n; ++i) {
    CUTE_TRY(cuteManifestGetKernel(manifest, i, kernel));
    if (!strcmp(kernel->name, name))
      return NULL;
  }
  return cuteStatusCreate("there is no kernel '%s'", name);
}

const json_t *cuteKernelGetParameter(const CuteKernel *kernel,
                                     size_t argument) {
  size_t i, seen = 0;
  const json_t *parameter;
  json_array_foreach(
      kernel->parameters, i,
      parameter) if (!json_is_true(json_object_get(parameter,
                                                   CUTE_KEY_HIDDEN)) &&
                     seen++ == argument) return parameter;
  return NULL;
}

size_t cuteKernelGetNumArguments(const CuteKernel *kernel) {
  size_t n = 0;
  while (cuteKernelGetParameter(kernel, n))
    ++n;
  return n;
}
