#include "Compile/kernel_list.h"
#include "Compile/kernel_checks.h"
#include "Conversion/conversion.h"
#include "Lowering/tensor_maps.h"

#include <mlir-c/Dialect/LLVM.h>

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

static CuteKernelPart *newParts(CuteArena *arena, size_t n) {
  return cuteArenaAllocate(arena, (n + 1) * sizeof(CuteKernelPart));
}

// The part of another dialect's type; opaque ones a launcher cannot know.
static CuteKernelPart foreignPart(MlirType type) {
  bool isInteger = mlirTypeIsAInteger(type) || mlirTypeIsAIndex(type);
  CuteKernelPart part = {.kind = mlirTypeIsAFloat(type) ? CUTE_PART_FLOAT
                                 : isInteger            ? CUTE_PART_INTEGER
                                 : mlirTypeIsALLVMPointerType(type)
                                     ? CUTE_PART_POINTER
                                     : CUTE_PART_OPAQUE,
                         .bits = cuteMlirGetBits(type),
                         .role = "value"};
  if (!part.bits || part.kind == CUTE_PART_OPAQUE)
    part.bits = 64;
  return part;
}

static void addParts(CuteArena *arena, CuteType type,
                     CuteKernelParameter *parameter) {
  CuteParameterPart list[MAX_PARTS];
  size_t n = cuteParameterParts(type, MAX_PARTS, list);
  n = n < MAX_PARTS ? n : MAX_PARTS;
  CuteKernelPart *parts = newParts(arena, n);
  for (size_t i = 0; i < n; ++i)
    parts[i] = (CuteKernelPart){
        .kind = list[i].isPointer ? CUTE_PART_POINTER : CUTE_PART_INTEGER,
        .bits = list[i].bits,
        .role = cuteArenaCopyText(arena, list[i].role, strlen(list[i].role))};
  parameter->parts = parts;
  parameter->numParts = n;
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
  if (type->kind == CUTE_TYPE_FOREIGN) {
    CuteKernelPart *part = newParts(arena, 1);
    *part = foreignPart(mlirValueGetType(argument));
    parameter->parts = part;
    parameter->numParts = 1;
    return true;
  }
  addParts(arena, type, parameter);
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
                           arena, &list[i]);
  for (size_t i = 0; ok && i < maps.count; ++i) {
    CuteKernelPart *part = newParts(arena, 1);
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
  cuteArenaInit(&list->arena);
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
