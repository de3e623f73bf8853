#include "Compile/kernel_checks.h"
#include "Conversion/conversion.h"
#include "Lowering/tensor_maps.h"

//===-- Texts -------------------------------------------------------------===//

static const char *keepRef(CuteArena *arena, MlirStringRef text) {
  return cuteArenaCopyText(arena, text.data, text.length);
}

static const char *keepTuple(CuteArena *arena, CuteIntTuple tuple) {
  CuteString text = {0};
  cuteAppendTuple(&text, tuple);
  return cuteArenaTakeString(arena, &text);
}

//===-- Parameters --------------------------------------------------------===//

enum { MAX_PARTS = 256 };

static bool addParts(CuteDialect *dialect, MlirType type, CuteArena *arena,
                     CuteKernelParameter *parameter) {
  CuteParameterPart list[MAX_PARTS];
  if (!cuteValueParts(dialect, type, MAX_PARTS, list, &parameter->numParts))
    return false;
  CuteKernelPart *parts =
      cuteArenaAllocate(arena, (parameter->numParts + 1) * sizeof *parts);
  for (size_t i = 0; i < parameter->numParts; ++i)
    parts[i] = (CuteKernelPart){
        .kind = list[i].kind,
        .bits = list[i].bits,
        .role = cuteArenaCopyText(arena, list[i].role, strlen(list[i].role))};
  parameter->parts = parts;
  return true;
}

static bool describeParameter(CuteDialect *dialect, MlirValue argument,
                              CuteArena *arena,
                              CuteKernelParameter *parameter) {
  CuteType type = cuteDialectGetValueType(dialect, argument);
  if (!type)
    return false;
  CuteString text = {0};
  cuteAppendType(&text, type, CUTE_FORM_PRETTY);
  *parameter =
      (CuteKernelParameter){.type = cuteArenaTakeString(arena, &text),
                            .isTensor = type->kind == CUTE_TYPE_TENSOR};
  if (!addParts(dialect, mlirValueGetType(argument), arena, parameter))
    return false;
  if (!parameter->isTensor)
    return true;
  parameter->element = cuteElementTypeGetName(type->element);
  parameter->align = type->align;
  parameter->shape = keepTuple(arena, type->layout->shape);
  parameter->stride = keepTuple(arena, type->layout->stride);
  return true;
}

// The hidden parameters follow the others.
static bool describeParameters(CuteDialect *dialect, MlirOperation function,
                               CuteArena *arena, CuteKernelInfo *kernel) {
  MlirBlock entry = cuteMlirGetBody(function, 0);
  size_t n =
      mlirBlockIsNull(entry) ? 0 : (size_t)mlirBlockGetNumArguments(entry);
  CUTE_SCOPED(TensorMapList) maps;
  bool ok = cuteTensorMapListCollect(dialect, function, &maps);
  CuteKernelParameter *list =
      cuteArenaAllocate(arena, (n + maps.count + 1) * sizeof *list);
  for (size_t i = 0; ok && i < n; ++i)
    ok = describeParameter(dialect, mlirBlockGetArgument(entry, (intptr_t)i),
                           arena, &list[i]) ||
         cuteEmitOpError(function, "%s", cuteContextGetError(dialect->context));
  for (size_t i = 0; ok && i < maps.count; ++i) {
    CuteKernelPart *part = cuteArenaAllocate(arena, sizeof *part);
    *part = (CuteKernelPart){.kind = CUTE_PART_TENSOR_MAP,
                             .role = "value",
                             .tensor = maps.data[i].argument};
    list[n + i] = (CuteKernelParameter){
        .isHidden = true, .type = "", .numParts = 1, .parts = part};
  }
  kernel->parameters = list;
  kernel->numParameters = n + maps.count;
  return ok;
}

//===-- Kernels -----------------------------------------------------------===//

static void readGrid(MlirOperation function, CuteArena *arena,
                     CuteKernelInfo *kernel) {
  MlirAttribute grid = cuteMlirGetAttribute(function, "cute.grid");
  if (mlirAttributeIsNull(grid))
    return;
  for (intptr_t i = 0; i < 3 && i < mlirArrayAttrGetNumElements(grid); ++i)
    kernel->grid[kernel->gridRank++] = keepRef(
        arena, mlirStringAttrGetValue(mlirArrayAttrGetElement(grid, i)));
}

static void readTensorMemory(CuteDialect *dialect, MlirOperation function,
                             CuteKernelInfo *kernel) {
  CUTE_FOR_NESTED(op, function) {
    if (!cuteDialectIsOp(dialect, op, CUTE_OP_TMEM_ALLOC))
      continue;
    kernel->tensorColumns += cuteMlirGetInteger(op, "columns");
    kernel->tensorBlocks = cuteMlirGetInteger(op, "ctas");
  }
}

bool cuteKernelDescribe(CuteDialect *dialect, MlirOperation function,
                        CuteArena *arena, CuteKernelInfo *kernel) {
  CuteSharedPlan plan;
  if (!cuteSharedPlanMake(dialect, function, NULL, &plan))
    return false;
  *kernel = (CuteKernelInfo){
      .name = keepRef(arena, cuteMlirGetSymbol(function)),
      .staticShared = plan.isDynamic ? 0 : plan.bytes,
      .dynamicShared = plan.isDynamic ? plan.bytes : 0,
      .mayOverlap = cuteMlirHasAttribute(function, "cute.pdl")};
  MlirAttribute roles = cuteMlirGetAttribute(function, "cute.roles");
  if (!mlirAttributeIsNull(roles) && mlirAttributeIsAString(roles))
    kernel->roles = keepRef(arena, mlirStringAttrGetValue(roles));
  cuteMlirGetSizes(function, "known_block_size", kernel->block);
  cuteMlirGetSizes(function, "known_cluster_size", kernel->cluster);
  cuteMlirGetSizes(function, "cute.fallback_cluster", kernel->cluster);
  cuteMlirGetSizes(function, "cute.preferred_cluster",
                   kernel->preferredCluster);
  readGrid(function, arena, kernel);
  readTensorMemory(dialect, function, kernel);
  return describeParameters(dialect, function, arena, kernel);
}

//===-- Lists -------------------------------------------------------------===//

struct CuteKernelList {
  CuteArena arena;
  CuteKernelInfo *data; // in the arena
  size_t count;
};

// Describes the kernels of a module. False with a diagnostic.
static bool describe(CuteDialect *dialect, MlirOperation module,
                     CuteKernelList *list) {
  bool ok = true;
  CUTE_FOR_NESTED(op, module) {
    if (!cuteMlirIs(op, "gpu.func") || !cuteMlirHasAttribute(op, "gpu.kernel"))
      continue;
    list->data = cuteArenaGrow(&list->arena, list->data, list->count,
                               sizeof *list->data);
    if (cuteKernelDescribe(dialect, op, &list->arena, &list->data[list->count]))
      ++list->count;
    else
      ok = false;
  }
  return ok;
}

CuteKernelList *cuteKernelListCreate(MlirModule module) {
  CUTE_LOCKED *dialect = !mlirModuleIsNull(module) && cuteCheckKernels(module)
                             ? cuteDialectLock(mlirModuleGetContext(module))
                             : NULL;
  if (!dialect)
    return NULL;
  CuteKernelList *list = cuteAllocate(sizeof *list);
  *list = (CuteKernelList){.count = 0};
  bool ok = describe(dialect, mlirModuleGetOperation(module), list);
  if (ok)
    return list;
  cuteKernelListDestroy(list);
  return NULL;
}

void cuteKernelListDestroy(CuteKernelList *list) {
  if (!list)
    return;
  cuteArenaDestroy(&list->arena);
  free(list);
}

size_t cuteKernelListGetNum(const CuteKernelList *list) { return list->count; }

const CuteKernelInfo *cuteKernelListGet(const CuteKernelList *list, size_t i) {
  return i < list->count ? &list->data[i] : NULL;
}
