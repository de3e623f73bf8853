#include "Runtime/manifest.h"
#include "Runtime/expression.h"
#include "Support/arena.h"
#include "Support/string_builder.h"

#include <jansson.h>
#include <stdlib.h>

//===-- Reading -----------------------------------------------------------===//

// The directory of the manifest and the file name in it.
static char *siblingPath(const char *manifest, const char *file) {
  const char *slash = strrchr(manifest, '/');
  CuteString path = {0};
  if (slash && *file != '/')
    cuteStringAppendBytes(&path, manifest, (size_t)(slash + 1 - manifest));
  cuteStringAppend(&path, file);
  return path.data;
}

bool cuteManifestRead(CuteManifest *manifest, const char *path) {
  *manifest = (CuteManifest){0};
  json_error_t error;
  json_t *root = json_load_file(path, 0, &error);
  if (!root) {
    fprintf(stderr, "error: cannot read manifest '%s': %s\n", path, error.text);
    return false;
  }
  const char *file = json_string_value(json_object_get(root, "file"));
  json_int_t version = json_integer_value(json_object_get(root, "version"));
  if (!file || version != 1 ||
      !json_is_array(json_object_get(root, "kernels"))) {
    fprintf(stderr, "error: '%s' is no manifest of version 1 by cutec\n", path);
    json_decref(root);
    return false;
  }
  manifest->root = root;
  manifest->path = siblingPath(path, file);
  return true;
}

void cuteManifestDestroy(CuteManifest *manifest) {
  json_decref(manifest->root);
  free(manifest->path);
  *manifest = (CuteManifest){0};
}

static bool readKernel(const json_t *json, CuteKernel *kernel) {
  *kernel = (CuteKernel){
      .name = json_string_value(json_object_get(json, "name")),
      .parameters = json_object_get(json, "parameters"),
      .grid = json_object_get(json, "grid"),
      .staticShared =
          json_integer_value(json_object_get(json, "static_shared_bytes")),
      .dynamicShared =
          json_integer_value(json_object_get(json, "dynamic_shared_bytes"))};
  const json_t *block = json_object_get(json, "block");
  for (size_t i = 0; i < 3 && i < json_array_size(block); ++i)
    kernel->block[i] = json_integer_value(json_array_get(block, i));
  if (kernel->name && json_is_array(kernel->parameters))
    return true;
  fprintf(stderr, "error: the manifest describes a kernel incompletely\n");
  return false;
}

bool cuteManifestGetKernel(const CuteManifest *manifest, const char *name,
                           CuteKernel *kernel) {
  const json_t *kernels = json_object_get(manifest->root, "kernels");
  size_t n = json_array_size(kernels);
  if (!name && n == 1)
    return readKernel(json_array_get(kernels, 0), kernel);
  for (size_t i = 0; name && i < n; ++i) {
    if (!readKernel(json_array_get(kernels, i), kernel))
      return false;
    if (!strcmp(kernel->name, name))
      return true;
  }
  if (name)
    fprintf(stderr, "error: there is no kernel '%s'\n", name);
  else
    fprintf(stderr, "error: there are %zu kernels; choose one with --kernel\n",
            n);
  return false;
}

//===-- Arguments ---------------------------------------------------------===//

bool cuteArgumentParse(CuteArgument *argument, const char *text) {
  size_t n = strlen(text);
  *argument = (CuteArgument){.text = text};
  bool isTensor = strchr(text, '[') || (n > 4 && !strcmp(text + n - 4, ".npy"));
  return !isTensor || cuteArrayParse(&argument->array, text);
}

bool cuteArgumentIsFrom(const CuteArgument *argument, const char *generator) {
  const char *colon = strrchr(argument->text, ':');
  return argument->array.data && colon && !strcmp(colon + 1, generator);
}

//===-- Binding -----------------------------------------------------------===//

typedef struct Binding {
  const CuteKernel *kernel;
  size_t index; // of the parameter
  const json_t *parameter;
  CuteParameters *out;
} Binding;

static bool fail(const Binding *b, const char *what, const char *wanted) {
  fprintf(stderr, "error: argument %zu of '%s': %s%s (the parameter is %s)\n",
          b->index, b->kernel->name, what, wanted,
          json_string_value(json_object_get(b->parameter, "type")));
  return false;
}

static bool push(const Binding *b, uint64_t value, unsigned bytes) {
  if (b->out->count == CUTE_MAX_PARAMETERS)
    return fail(b, "too many parameters", "");
  b->out->values[b->out->count] = value;
  b->out->bytes[b->out->count++] = bytes;
  return true;
}

static bool fits(int64_t value, int64_t bits) {
  return bits >= 64 || (value >= -(INT64_C(1) << (bits - 1)) &&
                        value < INT64_C(1) << (bits - 1));
}

static bool pushInteger(const Binding *b, int64_t value, int64_t bits) {
  if (!fits(value, bits))
    return fail(b, "a size or stride does not fit its width", "");
  return push(b, (uint64_t)value, (unsigned)(bits / 8));
}

// One part "shape[i]" or "stride[i]" of a tensor.
static bool bindLeaf(const Binding *b, const CuteArray *array,
                     const json_t *part) {
  const char *role = json_string_value(json_object_get(part, "role"));
  bool isShape = role && !strncmp(role, "shape[", 6);
  bool isStride = role && !strncmp(role, "stride[", 7);
  size_t i = isShape || isStride ? strtoul(strchr(role, '[') + 1, NULL, 10)
                                 : CUTE_MAX_RANK;
  if (i >= array->rank)
    return fail(b, "the manifest names an unknown part", "");
  return pushInteger(b, isShape ? array->extents[i] : array->strides[i],
                     json_integer_value(json_object_get(part, "bits")));
}

// Leaf i of a text such as (?,(4,?{div=8})), with its divisor or value.
static bool checkLeaves(const Binding *b, const char *key,
                        const CuteArray *array, const int64_t *values) {
  const char *text = json_string_value(json_object_get(b->parameter, key));
  size_t i = 0;
  char *end = (char *)text;
  for (; text && *end; ++i) {
    end += strspn(end, "(), ");
    if (!*end)
      break;
    if (i == array->rank)
      return fail(b, "the rank must be that of ", text);
    bool isDynamic = *end == '?';
    const char *close = isDynamic && end[1] == '{' ? strchr(end, '}') : NULL;
    const char *div = close ? strstr(end, "div=") : NULL;
    int64_t divisor = div && div < close ? strtoll(div + 4, NULL, 10) : 1;
    int64_t wanted = 0;
    if (isDynamic)
      end = close ? (char *)close + 1 : end + 1;
    else
      wanted = strtoll(end, &end, 10);
    bool counts = !(*key == 's' && key[1] == 't') || array->extents[i] > 1;
    if (isDynamic ? values[i] % (divisor ? divisor : 1) != 0
                  : counts && values[i] != wanted)
      return fail(b, isDynamic ? "not divisible as " : "does not match ", text);
  }
  return i == array->rank ||
         fail(b, "the rank must be that of ", text ? text : "the parameter");
}

static bool bindTensor(const Binding *b, const CuteArgument *argument) {
  const CuteArray *array = &argument->array;
  const char *element =
      json_string_value(json_object_get(b->parameter, "element"));
  const json_t *parts = json_object_get(b->parameter, "passed_as");
  if (!element)
    return fail(b, "is no tensor parameter", "");
  if (strcmp(element, cuteElementTypeGetName(array->type)))
    return fail(b, "the element type must be ", element);
  if (!checkLeaves(b, "shape", array, array->extents) ||
      !checkLeaves(b, "stride", array, array->strides))
    return false;
  for (size_t i = 0; i < json_array_size(parts); ++i) {
    const json_t *part = json_array_get(parts, i);
    const char *kind = json_string_value(json_object_get(part, "kind"));
    if (kind && !strcmp(kind, "pointer") ? !push(b, argument->address, 8)
                                         : !bindLeaf(b, array, part))
      return false;
  }
  return true;
}

static bool bindFloat(const Binding *b, const char *text, int64_t bits,
                      const char **end) {
  char *after;
  double value = strtod(text, &after);
  float single = (float)value;
  uint64_t raw = 0;
  if (bits == 64)
    memcpy(&raw, &value, sizeof value);
  else if (bits == 32)
    memcpy(&raw, &single, sizeof single);
  else
    return fail(b, "floats of this width cannot be given", "");
  *end = after == text ? NULL : after;
  return push(b, raw, (unsigned)(bits / 8));
}

// Numbers in order, as in 42, 0.5 or (4,8).
static bool bindNumbers(const Binding *b, const char *text) {
  const json_t *parts = json_object_get(b->parameter, "passed_as");
  for (size_t i = 0; i < json_array_size(parts); ++i) {
    const json_t *part = json_array_get(parts, i);
    const char *kind = json_string_value(json_object_get(part, "kind"));
    int64_t bits = json_integer_value(json_object_get(part, "bits"));
    text += strspn(text, "(), :");
    const char *end = NULL;
    if (kind && !strcmp(kind, "float")) {
      if (!bindFloat(b, text, bits, &end))
        return false;
    } else if (kind && !strcmp(kind, "integer")) {
      int64_t value = strtoll(text, (char **)&end, 10);
      end = end == text ? NULL : end;
      if (end && !pushInteger(b, value, bits))
        return false;
    }
    if (!end)
      return fail(b, "needs a number for each part: ", text);
    text = end;
  }
  text += strspn(text, "() ");
  return !*text || fail(b, "has more numbers than parts: ", text);
}

bool cuteKernelBind(const CuteKernel *kernel, size_t n,
                    const CuteArgument *arguments, CuteParameters *parameters) {
  size_t wanted = json_array_size(kernel->parameters);
  *parameters = (CuteParameters){0};
  if (n != wanted) {
    fprintf(stderr, "error: kernel '%s' takes %zu arguments, not %zu\n",
            kernel->name, wanted, n);
    return false;
  }
  for (size_t i = 0; i < n; ++i) {
    Binding b = {kernel, i, json_array_get(kernel->parameters, i), parameters};
    bool ok = arguments[i].array.data ? bindTensor(&b, &arguments[i])
                                      : bindNumbers(&b, arguments[i].text);
    if (!ok)
      return false;
  }
  return true;
}

//===-- Expressions of arguments ------------------------------------------===//

typedef struct Scope {
  size_t n;
  const CuteArgument *arguments;
} Scope;

// argI.shape[J], or argI for integers.
static bool lookUp(const CuteExpression *e, void *data, int64_t *value) {
  const Scope *scope = data;
  char *after = NULL;
  size_t i =
      strncmp(e->name, "arg", 3) ? scope->n : strtoul(e->name + 3, &after, 10);
  if (i < scope->n && e->kind == CUTE_EXPRESSION_NAME && !*after &&
      scope->arguments[i].text) {
    *value = strtoll(scope->arguments[i].text, NULL, 10);
    return true;
  }
  if (i < scope->n && e->kind == CUTE_EXPRESSION_ACCESS &&
      !strcmp(after, ".shape") && e->numChildren == 1 &&
      e->children[0]->kind == CUTE_EXPRESSION_NUMBER) {
    size_t mode = (size_t)e->children[0]->number;
    const CuteArray *array = &scope->arguments[i].array;
    if (array->data && mode < array->rank) {
      *value = array->extents[mode];
      return true;
    }
  }
  fprintf(stderr, "error: '%s' is unknown; write arg0.shape[1]\n", e->name);
  return false;
}

bool cuteArgumentsEvaluate(const char *text, size_t n,
                           const CuteArgument *arguments, int64_t *value) {
  Scope scope = {n, arguments};
  CuteExpression *e = cuteExpressionParse(text);
  bool ok = e && cuteExpressionEvaluate(e, lookUp, &scope, value);
  cuteExpressionDestroy(e);
  return ok;
}

bool cuteKernelGetGrid(const CuteKernel *kernel, size_t n,
                       const CuteArgument *arguments, int64_t grid[3]) {
  grid[0] = grid[1] = grid[2] = 1;
  if (!json_is_array(kernel->grid)) {
    fprintf(stderr, "error: the manifest has no grid; give one with --grid\n");
    return false;
  }
  for (size_t i = 0; i < 3 && i < json_array_size(kernel->grid); ++i) {
    const char *text = json_string_value(json_array_get(kernel->grid, i));
    if (!text || !cuteArgumentsEvaluate(text, n, arguments, &grid[i]))
      return false;
  }
  return true;
}
