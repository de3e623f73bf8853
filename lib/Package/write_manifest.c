// The manifest beside compiled code: what a launcher has to know.
#include "Compile/kernel_checks.h"
#include "Compile/options.h"
#include "Lowering/tensor_maps.h"
#include "Package/package.h"
#include "Support/manifest_keys.h"

//===-- Parameters --------------------------------------------------------===//

// Tensor maps are described below.
static json_t *jsonPart(const CuteKernelPart *part, bool isForeign) {
  static const char *const kinds[] = {
      [CUTE_PART_POINTER] = CUTE_KIND_POINTER,
      [CUTE_PART_INTEGER] = CUTE_KIND_INTEGER,
      [CUTE_PART_FLOAT] = CUTE_KIND_FLOAT,
      [CUTE_PART_OPAQUE] = CUTE_KIND_OPAQUE,
  };
  const char *kind = kinds[part->kind];
  if (part->kind == CUTE_PART_POINTER && !isForeign)
    return json_pack("{s:s, s:s}", CUTE_KEY_KIND, kind, CUTE_KEY_ROLE,
                     part->role);
  return json_pack("{s:s, s:i, s:s}", CUTE_KEY_KIND, kind, CUTE_KEY_BITS,
                   (int)part->bits, CUTE_KEY_ROLE, part->role);
}

static json_t *jsonParameter(const CuteKernelParameter *parameter,
                             size_t index) {
  bool isForeign =
      parameter->numParts == 1 && !strcmp(parameter->parts->role, "value");
  json_t *parts = json_array();
  for (size_t i = 0; i < parameter->numParts; ++i)
    json_array_append_new(parts, jsonPart(&parameter->parts[i], isForeign));
  json_t *json =
      json_pack("{s:i, s:s, s:o}", CUTE_KEY_INDEX, (int)index, CUTE_KEY_TYPE,
                parameter->type, CUTE_KEY_PASSED_AS, parts);
  if (!parameter->isTensor)
    return json;
  json_object_set_new(json, CUTE_KEY_ELEMENT, json_string(parameter->element));
  json_object_set_new(json, CUTE_KEY_ALIGN, json_integer(parameter->align));
  json_object_set_new(json, CUTE_KEY_SHAPE, json_string(parameter->shape));
  json_object_set_new(json, CUTE_KEY_STRIDE, json_string(parameter->stride));
  return json;
}

//===-- Tensor maps -------------------------------------------------------===//

// A static leaf as it is, a dynamic one as an expression of the argument.
static void appendLeaf(CuteString *text, CuteIntTuple leaf, intptr_t argument,
                       const char *role, size_t i) {
  if (isStatic(leaf))
    cuteStringAppendFormat(text, "%jd", leaf->value);
  else
    cuteStringAppendFormat(text, "arg%jd.%s[%zu]", argument, role, i);
}

static json_t *takeText(CuteString *text) {
  json_t *value = json_string(cuteStringGet(text));
  cuteStringDestroy(text);
  return value;
}

// Extents and, in bytes, the strides of all axes but the first. An axis of
// extent 1 is never stepped along, but the driver wants a multiple of 16.
static void appendAxis(CuteContext c, const CuteTensorMapParameter *map,
                       size_t leaf, bool isFirst, json_t *dims,
                       json_t *strides) {
  CuteLayout layout = map->tensor->layout;
  int packed = map->tma.atom->packedBits;
  unsigned bytes = cuteElementTypeGetBits(map->tma.element) / 8;
  Modes leaves = {0};
  CuteArenaMark mark = cuteArenaGetMark(&c->scratch);
  modesPushLeaves(c, &leaves, layoutMode(layout));
  Mode mode = leaves.data[leaf];
  cuteArenaReset(&c->scratch, mark);
  CuteString dim = {0}, stride = {0};
  appendLeaf(&dim, mode.shape, map->argument, "shape", leaf);
  json_array_append_new(dims, takeText(&dim));
  if (isFirst)
    return;
  if (isStaticValue(mode.shape, 1) && !isDynamic(mode.stride)) {
    cuteStringAppend(&stride, "16");
  } else {
    appendLeaf(&stride, mode.stride, map->argument, "stride", leaf);
    cuteStringAppendFormat(&stride, packed ? " * %u / 8" : " * %u",
                           packed ? (unsigned)packed : bytes);
  }
  json_array_append_new(strides, takeText(&stride));
}

// Sets, in place of a box, the corners between which the filter's first
// pixel goes, from the innermost spatial mode on, and its steps.
static void setIm2col(json_t *map, const CuteIm2col *im2col,
                      const int64_t *box) {
  json_t *lower = json_array(), *upper = json_array();
  json_t *steps = json_object_get(map, CUTE_KEY_ELEMENT_STRIDES);
  for (size_t i = im2col->rank; i-- > 0;) {
    int64_t reach = im2col->dilation[i] * (im2col->filter[i] - 1);
    json_array_append_new(lower, json_integer(-im2col->lower[i]));
    json_array_append_new(upper, json_integer(im2col->upper[i] - reach));
    json_array_set_new(steps, im2col->rank - i, json_integer(im2col->steps[i]));
  }
  json_object_del(map, CUTE_KEY_BOX);
  json_object_set_new(map, CUTE_KEY_LOWER_CORNER, lower);
  json_object_set_new(map, CUTE_KEY_UPPER_CORNER, upper);
  json_object_set_new(map, CUTE_KEY_CHANNELS, json_integer(box[0]));
  json_object_set_new(map, CUTE_KEY_PIXELS, json_integer(box[1]));
}

// The element type of a map. The device adds integers of 64 bits, and combines
// their bits, as unsigned ones alone; the result is that of signed ones.
static CuteElementType mapElement(const CuteTmaAtom *tma) {
  const char *reduction = tma->atom->reduction;
  bool isOfBits =
      reduction && strcmp(reduction, "min") && strcmp(reduction, "max");
  return isOfBits && tma->element == CUTE_ELEMENT_I64 ? CUTE_ELEMENT_UI64
                                                      : tma->element;
}

static json_t *jsonTensorMap(CuteContext c, const CuteTensorMapParameter *map) {
  size_t axes[CUTE_MAX_TMA_RANK];
  int64_t extents[CUTE_MAX_TMA_RANK] = {1, 1, 1, 1, 1};
  CuteIntTuple shape = map->tensor->layout->shape;
  size_t rank = cuteTmaAtomGetAxes(c, map->tma, shape, axes);
  cuteTmaAtomGetBox(map->tma, extents);
  json_t *dims = json_array(), *strides = json_array(), *box = json_array(),
         *steps = json_array();
  for (size_t i = 0; i < rank; ++i) {
    appendAxis(c, map, axes[i], i == 0, dims, strides);
    int64_t step = cuteTmaAtomGetStep(map->tma, i);
    json_array_append_new(box, json_integer((extents[i] - 1) * step + 1));
    json_array_append_new(steps, json_integer(step));
  }
  char tensor[32];
  CuteSwizzle bytes = map->tma.swizzle;
  int swizzle = bytes.base == 5 ? CUTE_MAP_SWIZZLE_128B_ATOM_32B : bytes.bits;
  snprintf(tensor, sizeof tensor, "arg%jd", map->argument);
  json_t *json = json_pack(
      "{s:s, s:i, s:i, s:s, s:s, s:o, s:o, s:o, s:o, s:s, s:s, s:s, s:s}",
      CUTE_KEY_KIND, CUTE_KIND_TENSOR_MAP, CUTE_KEY_BYTES,
      CUTE_TENSOR_MAP_BYTES, CUTE_KEY_ALIGN, CUTE_TENSOR_MAP_ALIGN,
      CUTE_KEY_TENSOR, tensor, CUTE_KEY_ELEMENT,
      cuteElementTypeGetName(mapElement(&map->tma)), CUTE_KEY_DIMS, dims,
      CUTE_KEY_STRIDES, strides, CUTE_KEY_BOX, box, CUTE_KEY_ELEMENT_STRIDES,
      steps, CUTE_KEY_INTERLEAVE, cuteMapInterleaves[CUTE_MAP_INTERLEAVE_NONE],
      CUTE_KEY_SWIZZLE, cuteMapSwizzles[swizzle], CUTE_KEY_L2,
      cuteMapPromotions[CUTE_MAP_PROMOTION_256B], CUTE_KEY_OOB,
      cuteMapFills[CUTE_MAP_FILL_ZERO]);
  if (map->tma.atom->packedBits)
    json_object_set_new(json, CUTE_KEY_PACKED,
                        json_integer(map->tma.atom->packedBits));
  if (map->tma.atom->isIm2col)
    setIm2col(json, &map->im2col, extents);
  return json;
}

// Adds the hidden parameters, whose numbers follow the others'.
static bool addTensorMaps(CuteDialect *dialect, MlirOperation function,
                          json_t *parameters) {
  CUTE_SCOPED(TensorMapList) maps;
  bool ok = cuteTensorMapListCollect(dialect, function, &maps);
  for (size_t i = 0; ok && i < maps.count; ++i) {
    json_t *part = jsonTensorMap(dialect->context, &maps.data[i]);
    json_array_append_new(parameters, json_pack("{s:b, s:[o]}", CUTE_KEY_HIDDEN,
                                                1, CUTE_KEY_PASSED_AS, part));
  }
  return ok;
}

//===-- Kernels -----------------------------------------------------------===//

// Nothing where they are not known.
static json_t *knownSizes(const int64_t sizes[3]) {
  return sizes[0] ? json_pack("[III]", (json_int_t)sizes[0],
                              (json_int_t)sizes[1], (json_int_t)sizes[2])
                  : NULL;
}

// Formulas over the parameters, for launchers.
static json_t *jsonGrid(const CuteKernelInfo *kernel) {
  if (!kernel->gridRank)
    return json_null();
  json_t *result = json_array();
  for (size_t i = 0; i < kernel->gridRank; ++i)
    json_array_append_new(result, json_string(kernel->grid[i]));
  return result;
}

static json_t *jsonKernel(const CuteKernelInfo *kernel, json_t *parameters) {
  return json_pack(
      "{s:s, s:o, s:I, s:I, s:o, s:o, s:o*, s:o*, s:o*}", CUTE_KEY_NAME,
      kernel->name, CUTE_KEY_PARAMETERS, parameters, CUTE_KEY_STATIC_SHARED,
      (json_int_t)kernel->staticShared, CUTE_KEY_DYNAMIC_SHARED,
      (json_int_t)kernel->dynamicShared, CUTE_KEY_BLOCK,
      kernel->block[0] ? knownSizes(kernel->block) : json_null(), CUTE_KEY_GRID,
      jsonGrid(kernel), CUTE_KEY_CLUSTER, knownSizes(kernel->cluster),
      CUTE_KEY_PREFERRED_CLUSTER, knownSizes(kernel->preferredCluster),
      CUTE_KEY_PDL, kernel->mayOverlap ? json_true() : NULL);
}

static json_t *describeKernel(CuteDialect *dialect, MlirOperation function) {
  CuteKernelInfo kernel;
  json_t *parameters = json_array(), *json = NULL;
  bool ok = cuteKernelDescribe(dialect, function, cuteTaskGetArena(), &kernel);
  for (size_t i = 0; ok && i < kernel.numParameters; ++i)
    if (!kernel.parameters[i].isHidden)
      json_array_append_new(parameters,
                            jsonParameter(&kernel.parameters[i], i));
  if (ok && addTensorMaps(dialect, function, parameters)) {
    json = jsonKernel(&kernel, parameters);
    if (!json)
      CUTE_ERROR_AT(function,
                    "the manifest cannot be written: a text of this kernel is "
                    "not UTF-8");
  } else {
    json_decref(parameters);
  }
  return json;
}

static bool isKernel(MlirOperation op) {
  return cuteMlirIs(op, "gpu.func") && cuteMlirHasAttribute(op, "gpu.kernel");
}

static bool isHostFunction(MlirOperation op) {
  return cuteHostSignatureHas(op) &&
         !cuteMlirIs(mlirOperationGetParentOperation(op), "gpu.module");
}

// Takes the kernels that were described, all if `ok`; null with a diagnostic.
static json_t *finish(MlirModule module, const char *arch, const char *file,
                      json_t *kernels, bool ok) {
  json_t *root =
      json_pack("{s:i, s:s, s:s, s:o}", CUTE_KEY_VERSION, CUTE_MANIFEST_VERSION,
                CUTE_KEY_FILE, file, CUTE_KEY_ARCH, arch ? arch : "",
                CUTE_KEY_KERNELS, kernels);
  if (!root && ok) // jansson takes UTF-8 only
    CUTE_ERROR_AT(mlirModuleGetOperation(module),
                  "the manifest cannot be written: a text in it is not UTF-8");
  if (ok)
    return root;
  json_decref(root);
  return NULL;
}

enum { PREFERS_CLUSTERS = 100 }; // XX of the first sm_XX

static json_t *describe(MlirModule module, bool (*isListed)(MlirOperation op),
                        const char *arch, const char *file) {
  CUTE_LOCKED *dialect = cuteDialectLock(mlirModuleGetContext(module));
  if (!dialect)
    return NULL;
  json_t *kernels = json_array();
  const CuteArch *target = arch ? cuteArchFind(arch) : NULL;
  bool ok = true;
  CUTE_FOR_NESTED(op, mlirModuleGetOperation(module)) {
    if (!isListed(op))
      continue;
    json_t *kernel = describeKernel(dialect, op);
    ok &= kernel != NULL;
    if (!target || target->number < PREFERS_CLUSTERS)
      json_object_del(kernel, CUTE_KEY_PREFERRED_CLUSTER);
    if (kernel)
      json_array_append_new(kernels, kernel);
  }
  return finish(module, arch, file, kernels, ok);
}

json_t *cuteManifestBuild(MlirModule module, CuteCompileOptions options,
                          const char *file) {
  bool ok = !mlirModuleIsNull(module) && cuteCheckKernels(module);
  return ok ? describe(module, isKernel, options.arch, file) : NULL;
}

// Takes the manifest; false if it is null.
static bool print(json_t *root, MlirStringCallback callback, void *userData) {
  if (!root)
    return false;
  char *text = json_dumps(root, JSON_INDENT(2));
  callback(cuteMlirString(text), userData);
  callback(cuteMlirString("\n"), userData);
  free(text);
  json_decref(root);
  return true;
}

MlirLogicalResult cuteModulePrintManifest(MlirModule module,
                                          const CuteCompileOptions *given,
                                          const char *file,
                                          MlirStringCallback callback,
                                          void *userData) {
  CuteCompileOptions options;
  if (mlirModuleIsNull(module) ||
      !cuteCompileOptionsRead(&options, given, module))
    return mlirLogicalResultFailure();
  return print(cuteManifestBuild(module, options, file), callback, userData)
             ? mlirLogicalResultSuccess()
             : mlirLogicalResultFailure();
}

bool cuteManifestDescribeFunctions(MlirModule module, CuteString *text) {
  return print(describe(module, isHostFunction, "host", "memory"),
               cuteAppendMlirString, text);
}
