// Describes what a kernel's memory holds, for who runs the module and speaks of it:
// an attribute of its function in LLVM IR, "cute.memory".
#include "Compile/compile.h"
#include "Conversion/conversion.h"
#include "Lowering/lowering.h"
#include "Lowering/shared_plan.h"

static void appendTypeLine(CuteString *text, CuteType type) {
  cuteAppendType(text, type, CUTE_FORM_PRETTY);
  cuteStringAppend(text, "\n");
}

// "argument N PART TYPE": a tensor, whose pointer is that part of all that the
// kernel's arguments become.
static void appendArguments(CuteDialect *dialect, MlirBlock entry,
                            CuteString *text) {
  size_t part = 0;
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(entry); ++i) {
    CuteType type = cuteDialectGetType(
        dialect, mlirValueGetType(mlirBlockGetArgument(entry, i)));
    if (type && type->kind == CUTE_TYPE_TENSOR) {
      cuteStringAppendFormat(text, "argument %ld %zu ", (long)i, part);
      appendTypeLine(text, type);
    }
    part += !type || type->kind == CUTE_TYPE_FOREIGN
                ? 1
                : cuteParameterParts(type, 0, NULL);
  }
}

static long lineOf(MlirOperation op) {
  MlirLocation location = mlirOperationGetLocation(op);
  return mlirLocationIsAFileLineColRange(location)
             ? (long)mlirLocationFileLineColRangeGetStartLine(location)
             : 0;
}

// "shared OFFSET LINE TYPE": an allocation of shared memory.
static bool appendShared(CuteDialect *dialect, MlirOperation function,
                         CuteString *text) {
  CutePointerMap offsets = {0};
  CuteSharedPlan plan;
  bool ok = cuteSharedPlanMake(dialect, function, &offsets, &plan);
  CuteOpList list = cuteOpListCollect(dialect, function);
  for (size_t i = 0; ok && i < list.count; ++i) {
    void *found = cutePointerMapGet(&offsets, list.ops[i].ptr);
    if (!found)
      continue;
    cuteStringAppendFormat(text, "shared %zu %ld ", (size_t)found - 1,
                           lineOf(list.ops[i]));
    appendTypeLine(
        text,
        cuteDialectGetType(
            dialect, mlirValueGetType(mlirOperationGetResult(list.ops[i], 0))));
  }
  cuteOpListDestroy(&list);
  cutePointerMapDestroy(&offsets);
  return ok;
}

// Attributes of LLVM that MLIR does not know are its `passthrough`.
static void setAttribute(MlirOperation function, const CuteString *text) {
  MlirContext context = mlirOperationGetContext(function);
  MlirAttribute pair[] = {
      mlirStringAttrGet(context, cuteMlirString("cute.memory")),
      mlirStringAttrGet(context, cuteMlirText(text))};
  MlirAttribute entry = mlirArrayAttrGet(context, 2, pair);
  mlirOperationSetAttributeByName(function, cuteMlirString("passthrough"),
                                  mlirArrayAttrGet(context, 1, &entry));
}

typedef struct Describing {
  CuteDialect *dialect;
  bool ok;
} Describing;

static MlirWalkResult describe(MlirOperation function, void *userData) {
  Describing *d = userData;
  if (!cuteMlirIs(function, "gpu.func"))
    return MlirWalkResultAdvance;
  MlirBlock entry =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  bool isTaken = !mlirAttributeIsNull(
      mlirOperationGetAttributeByName(function, cuteMlirString("passthrough")));
  CuteString text = {0};
  if (!mlirBlockIsNull(entry) && !isTaken) {
    appendArguments(d->dialect, entry, &text);
    d->ok &= appendShared(d->dialect, function, &text);
    setAttribute(function, &text);
  }
  cuteStringDestroy(&text);
  return MlirWalkResultSkip;
}

bool cuteDescribeMemory(MlirModule module) {
  Describing d = {cuteDialectLock(mlirModuleGetContext(module)), true};
  if (!d.dialect)
    return false;
  mlirOperationWalk(mlirModuleGetOperation(module), describe, &d,
                    MlirWalkPreOrder);
  cuteDialectUnlock(d.dialect);
  return d.ok;
}
