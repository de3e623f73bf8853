// The manifest beside compiled code: what a launcher has to know.
#include "Compile/compile.h"
#include "Compile/host_signatures.h"
#include "Compile/manifest_build.h"
#include "Conversion/conversion.h"
#include "Lowering/tensor_maps.h"
#include "Support/manifest_keys.h"

#include <jansson.h>
#include <mlir-c/Dialect/LLVM.h>
#include <stdlib.h>
#include <string.h>

static json_t *jsonText(MlirStringRef text) {
  return json_stringn(text.data, text.length);
}

//===-- Parameters --------------------------------------------------------===//

enum { MAX_PARTS = 256 };

static json_t *jsonPart(const CuteParameterPart *part) {
  if (part->isPointer)
    return json_pack("{s:s, s:s}", CUTE_KEY_KIND, CUTE_KIND_POINTER,
                     CUTE_KEY_ROLE, part->role);
  return json_pack("{s:s, s:i, s:s}", CUTE_KEY_KIND, CUTE_KIND_INTEGER,
                   CUTE_KEY_BITS, (int)part->bits, CUTE_KEY_ROLE, part->role);
}

// A parameter of another dialect; opaque ones a launcher cannot know.
static json_t *jsonForeign(MlirType type) {
  const char *kind = mlirTypeIsAFloat(type) ? CUTE_KIND_FLOAT
                     : mlirTypeIsAInteger(type) || mlirTypeIsAIndex(type)
                         ? CUTE_KIND_INTEGER
                     : mlirTypeIsALLVMPointerType(type) ? CUTE_KIND_POINTER
                                                        : CUTE_KIND_OPAQUE;
  int bits = mlirTypeIsAInteger(type) ? (int)mlirIntegerTypeGetWidth(type)
             : mlirTypeIsAFloat(type) ? (int)mlirFloatTypeGetWidth(type)
                                      : 64;
  return json_pack("{s:s, s:i, s:s}", CUTE_KEY_KIND, kind, CUTE_KEY_BITS, bits,
                   CUTE_KEY_ROLE, "value");
}

static json_t *jsonParameter(CuteDialect *dialect, MlirValue argument,
                             intptr_t index) {
  CuteType type = cuteDialectGetType(dialect, mlirValueGetType(argument));
  if (!type)
    return NULL;
  CuteString text = {0};
  cuteAppendType(&text, type, CUTE_FORM_PRETTY);
  json_t *parts = json_array();
  if (type->kind == CUTE_TYPE_FOREIGN) {
    json_array_append_new(parts, jsonForeign(mlirValueGetType(argument)));
  } else {
    CuteParameterPart list[MAX_PARTS];
    size_t n = cuteParameterParts(type, MAX_PARTS, list);
    for (size_t i = 0; i < n && i < MAX_PARTS; ++i)
      json_array_append_new(parts, jsonPart(&list[i]));
  }
  json_t *parameter =
      json_pack("{s:i, s:s, s:o}", CUTE_KEY_INDEX, (int)index, CUTE_KEY_TYPE,
                cuteStringGet(&text), CUTE_KEY_PASSED_AS, parts);
  if (type->kind == CUTE_TYPE_TENSOR) {
    CuteString shape = {0}, stride = {0};
    cuteAppendTuple(&shape, type->layout->shape);
    cuteAppendTuple(&stride, type->layout->stride);
    json_object_set_new(
        parameter, CUTE_KEY_ELEMENT,
        json_string(cuteElementTypeGetName((CuteElementType)type->element)));
    json_object_set_new(parameter, CUTE_KEY_ALIGN, json_integer(type->align));
    json_object_set_new(parameter, CUTE_KEY_SHAPE, json_string(shape.data));
    json_object_set_new(parameter, CUTE_KEY_STRIDE, json_string(stride.data));
    cuteStringDestroy(&shape);
    cuteStringDestroy(&stride);
  }
  cuteStringDestroy(&text);
  return parameter;
}

//===-- Tensor maps -------------------------------------------------------===//

// A static leaf as it is, a dynamic one as an expression of the argument.
static void appendLeaf(CuteString *text, CuteIntTuple leaf, intptr_t argument,
                       const char *role, size_t i) {
  if (isStatic(leaf))
    cuteStringAppendFormat(text, "%lld", (long long)leaf->value);
  else
    cuteStringAppendFormat(text, "arg%ld.%s[%zu]", (long)argument, role, i);
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
    cuteStringAppendFormat(&stride, " * %u", bytes);
  }
  json_array_append_new(strides, takeText(&stride));
}

// Sets, in the place of a box, the corners between which the filter's first
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
    json_array_append_new(box, json_integer(extents[i]));
    json_array_append_new(steps, json_integer(1));
  }
  char tensor[32];
  snprintf(tensor, sizeof tensor, "arg%ld", (long)map->argument);
  json_t *json = json_pack(
      "{s:s, s:i, s:i, s:s, s:s, s:o, s:o, s:o, s:o, s:s, s:s, s:s, s:s}",
      CUTE_KEY_KIND, CUTE_KIND_TENSOR_MAP, CUTE_KEY_BYTES,
      CUTE_TENSOR_MAP_BYTES, CUTE_KEY_ALIGN, CUTE_TENSOR_MAP_ALIGN,
      CUTE_KEY_TENSOR, tensor, CUTE_KEY_ELEMENT,
      cuteElementTypeGetName(mapElement(&map->tma)), CUTE_KEY_DIMS, dims,
      CUTE_KEY_STRIDES, strides, CUTE_KEY_BOX, box, CUTE_KEY_ELEMENT_STRIDES,
      steps, CUTE_KEY_INTERLEAVE, cuteMapInterleaves[CUTE_MAP_INTERLEAVE_NONE],
      CUTE_KEY_SWIZZLE, cuteMapSwizzles[map->tma.swizzle.bits], CUTE_KEY_L2,
      cuteMapPromotions[CUTE_MAP_PROMOTION_256B], CUTE_KEY_OOB,
      cuteMapFills[CUTE_MAP_FILL_ZERO]);
  if (map->tma.atom->isIm2col)
    setIm2col(json, &map->im2col, extents);
  return json;
}

// Adds the hidden parameters, whose numbers follow the others'.
static bool addTensorMaps(CuteDialect *dialect, MlirOperation function,
                          json_t *parameters) {
  CuteTensorMapList maps;
  bool ok = cuteTensorMapListCollect(dialect, function, &maps);
  for (size_t i = 0; ok && i < maps.count; ++i) {
    json_t *part = jsonTensorMap(dialect->context, &maps.data[i]);
    json_array_append_new(parameters, json_pack("{s:b, s:[o]}", CUTE_KEY_HIDDEN,
                                                1, CUTE_KEY_PASSED_AS, part));
  }
  cuteTensorMapListDestroy(&maps);
  return ok;
}

//===-- Kernels -----------------------------------------------------------===//

// known_block_size or known_cluster_size; null where it is not known.
static json_t *jsonSizes(MlirOperation function, const char *name) {
  MlirAttribute sizes = cuteMlirGetAttribute(function, name);
  if (mlirAttributeIsNull(sizes))
    return json_null();
  json_t *result = json_array();
  for (intptr_t i = 0; i < mlirDenseArrayGetNumElements(sizes); ++i)
    json_array_append_new(result,
                          json_integer(mlirDenseI32ArrayGetElement(sizes, i)));
  return result;
}

// cute.grid: formulas over the parameters, for launchers.
static json_t *jsonGrid(MlirOperation function) {
  MlirAttribute grid = cuteMlirGetAttribute(function, "cute.grid");
  if (mlirAttributeIsNull(grid))
    return json_null();
  json_t *result = json_array();
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(grid); ++i)
    json_array_append_new(result, jsonText(mlirStringAttrGetValue(
                                      mlirArrayAttrGetElement(grid, i))));
  return result;
}

static json_t *jsonKernel(CuteDialect *dialect, MlirOperation function) {
  CuteSharedPlan plan;
  if (!cuteSharedPlanMake(dialect, function, NULL, &plan))
    return NULL;
  MlirBlock entry =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  json_t *parameters = json_array();
  for (intptr_t i = 0;
       !mlirBlockIsNull(entry) && i < mlirBlockGetNumArguments(entry); ++i)
    json_array_append_new(
        parameters, jsonParameter(dialect, mlirBlockGetArgument(entry, i), i));
  if (!addTensorMaps(dialect, function, parameters)) {
    json_decref(parameters);
    return NULL;
  }
  json_int_t bytes = plan.bytes;
  json_t *kernel =
      json_pack("{s:o, s:o, s:I, s:I, s:o, s:o}", CUTE_KEY_NAME,
                jsonText(mlirStringAttrGetValue(
                    cuteMlirGetAttribute(function, "sym_name"))),
                CUTE_KEY_PARAMETERS, parameters, CUTE_KEY_STATIC_SHARED,
                plan.isDynamic ? (json_int_t)0 : bytes, CUTE_KEY_DYNAMIC_SHARED,
                plan.isDynamic ? bytes : (json_int_t)0, CUTE_KEY_BLOCK,
                jsonSizes(function, "known_block_size"), CUTE_KEY_GRID,
                jsonGrid(function));
  if (!kernel)
    cuteEmitError(mlirOperationGetLocation(function),
                  "the manifest cannot be written: a text of this kernel is "
                  "not UTF-8");
  json_t *cluster = jsonSizes(function, "known_cluster_size");
  if (kernel && !json_is_null(cluster))
    json_object_set(kernel, CUTE_KEY_CLUSTER, cluster);
  if (kernel && cuteMlirHasAttribute(function, "cute.pdl"))
    json_object_set_new(kernel, CUTE_KEY_PDL, json_true());
  json_decref(cluster);
  return kernel;
}

typedef struct Collection {
  CuteDialect *dialect;
  json_t *kernels;
  bool failed;
} Collection;

static MlirWalkResult add(Collection *collection, MlirOperation op) {
  json_t *kernel = jsonKernel(collection->dialect, op);
  collection->failed |= !kernel;
  if (kernel)
    json_array_append_new(collection->kernels, kernel);
  return MlirWalkResultSkip;
}

static MlirWalkResult addKernel(MlirOperation op, void *userData) {
  if (!cuteMlirIs(op, "gpu.func"))
    return MlirWalkResultAdvance;
  return cuteMlirHasAttribute(op, "gpu.kernel") ? add(userData, op)
                                                : MlirWalkResultSkip;
}

static MlirWalkResult addHostFunction(MlirOperation op, void *userData) {
  if (cuteMlirIs(op, "gpu.module"))
    return MlirWalkResultSkip;
  return cuteHostSignatureHas(op) ? add(userData, op) : MlirWalkResultAdvance;
}

// Takes what was collected; null with a diagnostic.
static json_t *finish(MlirModule module, const char *arch, const char *file,
                      Collection collection) {
  json_t *root =
      json_pack("{s:i, s:s, s:s, s:o}", CUTE_KEY_VERSION, CUTE_MANIFEST_VERSION,
                CUTE_KEY_FILE, file, CUTE_KEY_ARCH, arch ? arch : "",
                CUTE_KEY_KERNELS, collection.kernels);
  if (!root && !collection.failed) // jansson takes UTF-8 only
    cuteEmitError(mlirOperationGetLocation(mlirModuleGetOperation(module)),
                  "the manifest cannot be written: a text in it is not UTF-8");
  if (!collection.failed)
    return root;
  json_decref(root);
  return NULL;
}

static json_t *describe(MlirModule module, MlirOperationWalkCallback visit,
                        const char *arch, const char *file) {
  CuteDialect *dialect = cuteDialectLock(mlirModuleGetContext(module));
  if (!dialect)
    return NULL;
  Collection collection = {dialect, json_array(), false};
  mlirOperationWalk(mlirModuleGetOperation(module), visit, &collection,
                    MlirWalkPreOrder);
  cuteDialectUnlock(dialect);
  return finish(module, arch, file, collection);
}

json_t *cuteManifestBuild(MlirModule module, CuteCompileOptions options,
                          const char *file) {
  bool ok = !mlirModuleIsNull(module) && cuteCheckKernels(module);
  return ok ? describe(module, addKernel, options.arch, file) : NULL;
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
                                          CuteCompileOptions options,
                                          const char *file,
                                          MlirStringCallback callback,
                                          void *userData) {
  return print(cuteManifestBuild(module, options, file), callback, userData)
             ? mlirLogicalResultSuccess()
             : mlirLogicalResultFailure();
}

bool cuteManifestDescribeFunctions(MlirModule module, CuteString *text) {
  return print(describe(module, addHostFunction, "host", "memory"),
               cuteAppendMlirString, text);
}
