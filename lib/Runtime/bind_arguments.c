// Binds arguments to the parameters of a kernel.
#include "Runtime/argument.h"
#include "Support/manifest_parts.h"

#include <stdlib.h>

typedef struct Binding {
  const CuteKernel *kernel;
  const json_t *parameter;
  const CuteScope *scope;
  CuteParameters *out;
} Binding;

//===-- Places ------------------------------------------------------------===//

// Room for the next parameter.
static CuteStatus reserve(CuteParameters *out, size_t bytes, size_t align,
                          unsigned char **place) {
  size_t offset = (out->size + align - 1) / align * align;
  if (out->count == CUTE_MAX_PARAMETERS ||
      offset + bytes > CUTE_MAX_PARAMETER_BYTES)
    return cuteStatusCreate("too many parameters");
  out->offsets[out->count++] = offset;
  out->size = offset + bytes;
  *place = out->bytes + offset;
  return NULL;
}

// Little-endian, as the GPU is.
static CuteStatus push(CuteParameters *out, uint64_t value, size_t bytes) {
  unsigned char *place = NULL;
  CUTE_TRY(reserve(out, bytes, bytes, &place));
  memcpy(place, &value, bytes);
  return NULL;
}

static CuteStatus bitsOf(const json_t *part, int64_t *bits) {
  *bits = json_integer_value(json_object_get(part, CUTE_KEY_BITS));
  if (*bits == 8 || *bits == 16 || *bits == 32 || *bits == 64)
    return NULL;
  return cuteStatusCreate(
      "the manifest has a part of %jd bits; it must have 8, 16, 32 or 64",
      *bits);
}

static CuteStatus pushInteger(const Binding *b, const json_t *part,
                              int64_t value) {
  int64_t bits;
  CUTE_TRY(bitsOf(part, &bits));
  int64_t reach = bits == 64 ? 0 : INT64_C(1) << (bits - 1);
  if (reach && (value < -reach || value >= reach))
    return cuteStatusCreate("%s is %jd, which does not fit into %jd bits",
                            textOf(part, CUTE_KEY_ROLE), value, bits);
  return push(b->out, (uint64_t)value, (size_t)bits / 8);
}

static CuteStatus pushFloat(const Binding *b, const json_t *part,
                            double value) {
  int64_t bits;
  float single = (float)value;
  uint64_t raw = 0;
  CUTE_TRY(bitsOf(part, &bits));
  if (bits < 32)
    return cuteStatusCreate("floats of %jd bits cannot be given", bits);
  if (bits == 64)
    memcpy(&raw, &value, sizeof value);
  else
    memcpy(&raw, &single, sizeof single);
  return push(b->out, raw, (size_t)bits / 8);
}

//===-- Tensor maps -------------------------------------------------------===//

static CuteStatus readList(const CuteScope *scope, const json_t *part,
                           const char *key, size_t n, int64_t *values) {
  const json_t *list = json_object_get(part, key);
  if (json_array_size(list) != n)
    return cuteStatusCreate("\"%s\" must have %zu entries, not %zu", key, n,
                            json_array_size(list));
  for (size_t i = 0; i < n; ++i)
    CUTE_TRY(cuteStatusAnnotate(
        cuteScopeEvaluateJson(scope, json_array_get(list, i), &values[i]),
        "\"%s\"", key));
  return NULL;
}

// The number of a word; 0 if the part does not say.
static CuteStatus readWord(const json_t *part, const char *key, size_t n,
                           const char *const *words, int *number) {
  const json_t *json = json_object_get(part, key);
  *number = 0;
  for (size_t i = 0; json && i < n; ++i)
    if (!strcmp(textOf(part, key), words[i])) {
      *number = (int)i;
      return NULL;
    }
  return json ? cuteStatusCreate("\"%s\" is unknown: '%s'", key,
                                 textOf(part, key))
              : NULL;
}

static CuteStatus readWords(const json_t *part, CuteTensorMap *map) {
  int interleave, swizzle, promotion, fill;
  CUTE_TRY(readWord(part, CUTE_KEY_INTERLEAVE, CUTE_NUM_MAP_INTERLEAVES,
                    cuteMapInterleaves, &interleave));
  CUTE_TRY(readWord(part, CUTE_KEY_SWIZZLE, CUTE_NUM_MAP_SWIZZLES,
                    cuteMapSwizzles, &swizzle));
  CUTE_TRY(readWord(part, CUTE_KEY_L2, CUTE_NUM_MAP_PROMOTIONS,
                    cuteMapPromotions, &promotion));
  CUTE_TRY(
      readWord(part, CUTE_KEY_OOB, CUTE_NUM_MAP_FILLS, cuteMapFills, &fill));
  map->interleave = (CuteMapInterleave)interleave;
  map->swizzle = (CuteMapSwizzle)swizzle;
  map->promotion = (CuteMapPromotion)promotion;
  map->fill = (CuteMapFill)fill;
  return NULL;
}

static CuteStatus readBox(const CuteScope *scope, const json_t *part,
                          CuteTensorMap *map) {
  map->isIm2col = json_object_get(part, CUTE_KEY_LOWER_CORNER);
  if (!map->isIm2col)
    return readList(scope, part, CUTE_KEY_BOX, map->rank, map->box);
  if (map->rank < 3)
    return cuteTensorMapCheck(map);
  CUTE_TRY(
      readList(scope, part, CUTE_KEY_LOWER_CORNER, map->rank - 2, map->lower));
  CUTE_TRY(
      readList(scope, part, CUTE_KEY_UPPER_CORNER, map->rank - 2, map->upper));
  CUTE_TRY(cuteScopeEvaluateJson(
      scope, json_object_get(part, CUTE_KEY_CHANNELS), &map->channels));
  return cuteScopeEvaluateJson(scope, json_object_get(part, CUTE_KEY_PIXELS),
                               &map->pixels);
}

CuteStatus cuteScopeReadMap(const CuteScope *scope, const json_t *part,
                            const CuteArgument *tensor, CuteTensorMap *map) {
  const json_t *element = json_object_get(part, CUTE_KEY_ELEMENT);
  *map = (CuteTensorMap){
      .tensor = textOf(part, CUTE_KEY_TENSOR),
      .element = tensor->element,
      .rank = json_array_size(json_object_get(part, CUTE_KEY_DIMS)),
      .address = tensor->address};
  if (element &&
      !cuteElementTypeFind(cuteStringRef(textOf(part, CUTE_KEY_ELEMENT)),
                           &map->element))
    return cuteStatusCreate("\"element\" is unknown: '%s'",
                            textOf(part, CUTE_KEY_ELEMENT));
  map->packedBits =
      (int)json_integer_value(json_object_get(part, CUTE_KEY_PACKED));
  if (!map->rank || map->rank > CUTE_MAX_MAP_RANK)
    return cuteTensorMapCheck(map);
  for (size_t i = 0; i < map->rank; ++i)
    map->elementStrides[i] = 1;
  CUTE_TRY(readWords(part, map));
  CUTE_TRY(readList(scope, part, CUTE_KEY_DIMS, map->rank, map->dims));
  CUTE_TRY(
      readList(scope, part, CUTE_KEY_STRIDES, map->rank - 1, map->strides));
  if (json_object_get(part, CUTE_KEY_ELEMENT_STRIDES))
    CUTE_TRY(readList(scope, part, CUTE_KEY_ELEMENT_STRIDES, map->rank,
                      map->elementStrides));
  return readBox(scope, part, map);
}

CuteStatus cuteScopeFindTensor(const CuteScope *scope, const json_t *part,
                               const CuteArgument **tensor) {
  const char *name = textOf(part, CUTE_KEY_TENSOR);
  char *end = (char *)name;
  size_t i = strncmp(name, "arg", 3) ? 0 : strtoul(name + 3, &end, 10);
  if (end <= name + 3 || *end || i >= scope->numArguments ||
      !scope->arguments[i].isTensor)
    return cuteStatusCreate("\"tensor\" names no tensor: '%s'", name);
  *tensor = &scope->arguments[i];
  return NULL;
}

static CuteStatus pushMap(const Binding *b, const json_t *part) {
  const CuteArgument *tensor = NULL;
  CuteParameters *out = b->out;
  unsigned char *place = NULL;
  if (out->numMaps == CUTE_MAX_TENSOR_MAPS)
    return cuteStatusCreate("more than %d tensor maps", CUTE_MAX_TENSOR_MAPS);
  CUTE_TRY(cuteScopeFindTensor(b->scope, part, &tensor));
  CUTE_TRY(cuteStatusAnnotate(
      cuteScopeReadMap(b->scope, part, tensor, &out->maps[out->numMaps]),
      "the tensor map of %s", textOf(part, CUTE_KEY_TENSOR)));
  CUTE_TRY(reserve(out, CUTE_TENSOR_MAP_BYTES, CUTE_TENSOR_MAP_ALIGN, &place));
  memset(place, 0, CUTE_TENSOR_MAP_BYTES);
  out->mapArguments[out->numMaps] = (size_t)(tensor - b->scope->arguments);
  out->mapOffsets[out->numMaps++] = (size_t)(place - out->bytes);
  return NULL;
}

//===-- Tensors -----------------------------------------------------------===//

// One part "shape[i]" or "stride[i]" of a tensor.
static CuteStatus pushLeaf(const Binding *b, const CuteArgument *argument,
                           const json_t *part) {
  const char *role = textOf(part, CUTE_KEY_ROLE);
  bool isShape = !strncmp(role, "shape[", 6);
  bool isStride = !strncmp(role, "stride[", 7);
  size_t i = isShape || isStride ? strtoul(strchr(role, '[') + 1, NULL, 10)
                                 : CUTE_MAX_ARGUMENT_RANK;
  if (i >= argument->rank)
    return cuteStatusCreate("the manifest names an unknown part");
  return pushInteger(b, part,
                     isShape ? argument->extents[i] : argument->strides[i]);
}

// Says which extent or stride is not a multiple of the kernel's divisor.
static CuteStatus failDivisor(const char *key, const CuteArgument *argument,
                              size_t i, int64_t value, int64_t divisor,
                              const char *text) {
  int64_t bits = divisor * cuteElementTypeGetBits(argument->element);
  char bytes[32] = "";
  if (!strcmp(key, CUTE_KEY_STRIDE) && bits % 8 == 0)
    snprintf(bytes, sizeof bytes, " (%jd bytes)", bits / 8);
  return cuteStatusCreate("%s[%zu] is %jd, but must be a multiple of %jd "
                          "elements of %s%s, as %s says",
                          key, i, value, divisor,
                          cuteElementTypeGetName(argument->element), bytes,
                          text);
}

// Leaf i of a text such as (?,(4,?{div=8})), with its divisor or value.
static CuteStatus checkLeaves(const Binding *b, const char *key,
                              const CuteArgument *argument,
                              const int64_t *values) {
  const char *text = textOf(b->parameter, key);
  bool isStride = !strcmp(key, CUTE_KEY_STRIDE);
  char *end = (char *)text;
  size_t i = 0;
  for (end += strspn(end, "(), "); *end; end += strspn(end, "(), "), ++i) {
    if (i == argument->rank)
      return cuteStatusCreate("the rank must match %s", text);
    if (*end != '?') { // a stride of one element is never used
      int64_t wanted = strtoll(end, &end, 10);
      if (values[i] != wanted && !(isStride && argument->extents[i] <= 1))
        return cuteStatusCreate("does not match %s", text);
      continue;
    }
    char *close = end[1] == '{' ? strchr(end, '}') : NULL;
    const char *div = close ? strstr(end, "div=") : NULL;
    int64_t divisor = div && div < close ? strtoll(div + 4, NULL, 10) : 1;
    end = close ? close + 1 : end + 1;
    if (divisor > 1 && values[i] % divisor)
      return failDivisor(key, argument, i, values[i], divisor, text);
  }
  return i == argument->rank ? NULL
                             : cuteStatusCreate("the rank must match %s", text);
}

static CuteStatus pushAddress(const Binding *b, const CuteArgument *argument) {
  CUTE_TRY(push(b->out, argument->address, sizeof argument->address));
  b->out->tensors[b->out->numTensors - 1].offset =
      b->out->offsets[b->out->count - 1];
  return NULL;
}

// Memory for a parameter that is a pointer alone.
static CuteStatus bindPointer(const Binding *b, const CuteArgument *argument) {
  const json_t *parts = json_object_get(b->parameter, CUTE_KEY_PASSED_AS);
  if (json_array_size(parts) != 1 ||
      !isKind(json_array_get(parts, 0), CUTE_KIND_POINTER))
    return cuteStatusCreate("is not a tensor parameter");
  return pushAddress(b, argument);
}

static CuteStatus checkAddress(int64_t align, uint64_t address) {
  if (align < 2 || address % (uint64_t)align == 0)
    return NULL;
  return cuteStatusCreate(
      "the address must be a multiple of %jd bytes, not 0x%jx", align, address);
}

static CuteStatus bindTensor(const Binding *b, const CuteArgument *argument) {
  const char *element = textOf(b->parameter, CUTE_KEY_ELEMENT);
  const json_t *parts = json_object_get(b->parameter, CUTE_KEY_PASSED_AS),
               *part;
  int64_t align =
      json_integer_value(json_object_get(b->parameter, CUTE_KEY_ALIGN));
  size_t i;
  if (b->out->numTensors == CUTE_MAX_PARAMETERS)
    return cuteStatusCreate("too many parameters");
  b->out->tensors[b->out->numTensors++] = (CuteBoundTensor){
      (size_t)(argument - b->scope->arguments), CUTE_NO_OFFSET, align};
  if (!*element)
    return bindPointer(b, argument);
  if (strcmp(element, cuteElementTypeGetName(argument->element)))
    return cuteStatusCreate("the element type must be %s", element);
  CUTE_TRY(checkAddress(align, argument->address));
  CUTE_TRY(checkLeaves(b, CUTE_KEY_SHAPE, argument, argument->extents));
  CUTE_TRY(checkLeaves(b, CUTE_KEY_STRIDE, argument, argument->strides));
  json_array_foreach(parts, i, part) {
    if (isKind(part, CUTE_KIND_POINTER))
      CUTE_TRY(pushAddress(b, argument));
    else if (isKind(part, CUTE_KIND_TENSOR_MAP))
      CUTE_TRY(pushMap(b, part));
    else
      CUTE_TRY(pushLeaf(b, argument, part));
  }
  return NULL;
}

//===-- Others ------------------------------------------------------------===//

static CuteStatus bindNumbers(const Binding *b, const CuteArgument *argument) {
  const json_t *parts = json_object_get(b->parameter, CUTE_KEY_PASSED_AS),
               *part;
  size_t i;
  json_array_foreach(parts, i, part) {
    const CuteNumber *number = &argument->numbers[i];
    bool isFloat = isKind(part, CUTE_KIND_FLOAT);
    if (i >= argument->numNumbers)
      return cuteStatusCreate("needs a number for each of %zu parts, not %zu",
                              json_array_size(parts), argument->numNumbers);
    bool isNull = isKind(part, CUTE_KIND_POINTER) && number->isInteger &&
                  !number->integer;
    if (isNull) {
      CUTE_TRY(push(b->out, 0, sizeof(uint64_t)));
      continue;
    }
    if (!isFloat && !isKind(part, CUTE_KIND_INTEGER))
      return cuteStatusCreate("%s cannot be given by a number",
                              textOf(part, CUTE_KEY_ROLE));
    if (!isFloat && !number->isInteger)
      return cuteStatusCreate("%s must be an integer, not %g",
                              textOf(part, CUTE_KEY_ROLE), number->real);
    CUTE_TRY(isFloat ? pushFloat(b, part, number->real)
                     : pushInteger(b, part, number->integer));
    b->out->count -= i && !strcmp(textOf(part, CUTE_KEY_ROLE), CUTE_ROLE_WORD);
  }
  return i == argument->numNumbers
             ? NULL
             : cuteStatusCreate("has %zu numbers for %zu parts",
                                argument->numNumbers, i);
}

// Parameters that no argument is given for: tensor maps.
static CuteStatus bindHidden(const Binding *b) {
  const json_t *parts = json_object_get(b->parameter, CUTE_KEY_PASSED_AS),
               *part;
  size_t i;
  json_array_foreach(parts, i, part) {
    if (!isKind(part, CUTE_KIND_TENSOR_MAP))
      return cuteStatusCreate("'%s': a hidden parameter must be a tensor_map",
                              b->kernel->name);
    CUTE_TRY(cuteStatusAnnotate(pushMap(b, part), "'%s'", b->kernel->name));
  }
  return NULL;
}

// Adds which argument it is that fails.
static CuteStatus annotate(CuteStatus status, const CuteKernel *kernel,
                           size_t i) {
  if (!status)
    return NULL;
  return cuteStatusAnnotate(
      status, "argument %zu of '%s' (%s)", i, kernel->name,
      textOf(cuteKernelGetParameter(kernel, i), CUTE_KEY_TYPE));
}

static CuteStatus bindArgument(const Binding *b, size_t i) {
  const CuteArgument *argument = &b->scope->arguments[i];
  return annotate(argument->isTensor ? bindTensor(b, argument)
                                     : bindNumbers(b, argument),
                  b->kernel, i);
}

CuteStatus cuteKernelBind(const CuteKernel *kernel, size_t n,
                          const CuteArgument *arguments,
                          CuteParameters *parameters) {
  size_t wanted = cuteKernelGetNumArguments(kernel), i, next = 0;
  CuteScope scope = {n, arguments, NULL};
  const json_t *parameter;
  parameters->count = parameters->size = parameters->numMaps = 0;
  parameters->numTensors = 0;
  if (n != wanted)
    return cuteStatusCreate("kernel '%s' takes %zu arguments, not %zu",
                            kernel->name, wanted, n);
  json_array_foreach(kernel->parameters, i, parameter) {
    Binding b = {kernel, parameter, &scope, parameters};
    bool isHidden = json_is_true(json_object_get(parameter, CUTE_KEY_HIDDEN));
    CUTE_TRY(isHidden ? bindHidden(&b) : bindArgument(&b, next++));
  }
  return NULL;
}

//===-- Other addresses ---------------------------------------------------===//

CuteStatus cuteParametersSetAddresses(CuteParameters *parameters,
                                      const CuteKernel *kernel, size_t n,
                                      const CuteDevicePointer *addresses) {
  if (n != parameters->numTensors)
    return cuteStatusCreate(
        "kernel '%s' takes the addresses of %zu tensors, not of %zu",
        kernel->name, parameters->numTensors, n);
  for (size_t i = 0; i < n; ++i) {
    const CuteBoundTensor *tensor = &parameters->tensors[i];
    CUTE_TRY(annotate(checkAddress(tensor->align, addresses[i]), kernel,
                      tensor->argument));
    if (tensor->offset != CUTE_NO_OFFSET)
      memcpy(parameters->bytes + tensor->offset, &addresses[i],
             sizeof *addresses);
    for (size_t map = 0; map < parameters->numMaps; ++map)
      if (parameters->mapArguments[map] == tensor->argument)
        parameters->maps[map].address = addresses[i];
  }
  return NULL;
}
