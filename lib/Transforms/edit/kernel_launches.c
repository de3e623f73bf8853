// The launches of a kernel in its module, and what a changed kernel changes in
// them.
#include "Transforms/edit/kernel_edit.h"

static CuteOps launchesOf(const CuteKernel *kernel) {
  MlirOperation root = kernel->function;
  CuteOps found = {0};
  for (MlirOperation up = root; !mlirOperationIsNull(up);
       up = mlirOperationGetParentOperation(up))
    root = up;
  CUTE_FOR_NESTED(op, root)
    if (cuteMlirIs(op, "gpu.launch_func") &&
        cuteMlirIsLaunched(kernel->function, op))
      cuteOpsPush(&found, op);
  return found;
}

bool cuteKernelCheckLaunches(CuteKernel *kernel) {
  CuteOps launches = launchesOf(kernel);
  if (launches.count)
    cuteKernelFail(kernel, launches.data[0],
                   "launches the kernel with a grid of its own; a launcher "
                   "that reads the manifest takes the new one");
  return !kernel->problem;
}

//===-- Grids that blocks go through --------------------------------------===//

#define PERSISTENT "cute.persistent" // on the kernel and its launches

enum { GRID = 3 }; // extents, before the block's

// The places of a launch's operands, by operandSegmentSizes.
typedef enum Segment { TOKENS, CLUSTER = 7, ARGUMENTS = 11 } Segment;

static int32_t sizeOf(MlirOperation launch, Segment segment) {
  return mlirDenseI32ArrayGetElement(
      cuteMlirGetAttribute(launch, "operandSegmentSizes"), segment);
}

static intptr_t startOf(MlirOperation launch, Segment segment) {
  intptr_t start = 0;
  for (int i = 0; i < (int)segment; ++i)
    start += sizeOf(launch, (Segment)i);
  return start;
}

static bool isOne(MlirValue extent) {
  int64_t number;
  return cuteMlirIsConstant(extent, &number) && number == 1;
}

bool cuteKernelReadLaunches(CuteKernel *kernel, size_t *dimensions) {
  CuteOps launches = launchesOf(kernel);
  *dimensions = 0;
  CUTE_FOR_LIST(op, launches) {
    if (sizeOf(op, CLUSTER))
      return cuteKernelFail(
          kernel, op, "launches the kernel with a cluster size of its own");
    intptr_t start = startOf(op, TOKENS + 1);
    size_t n = GRID;
    while (n > 1 && isOne(getOperand(op, start + (intptr_t)n - 1)))
      --n;
    if (n > *dimensions)
      *dimensions = n;
  }
  return true;
}

void cuteKernelAddGrid(CuteKernel *kernel, size_t n, MlirValue *extents) {
  MlirContext context = mlirOperationGetContext(kernel->function);
  MlirType i32 = mlirIntegerTypeGet(context, 32);
  MlirType old = mlirTypeAttrGetValue(
      cuteMlirGetAttribute(kernel->function, "function_type"));
  intptr_t count = mlirFunctionTypeGetNumInputs(old);
  MlirType *types = cuteTaskAllocate(((size_t)count + n) * sizeof *types);
  for (intptr_t i = 0; i < count; ++i)
    types[i] = mlirFunctionTypeGetInput(old, i);
  for (size_t i = 0; i < n; ++i) {
    types[count + (intptr_t)i] = i32;
    extents[i] =
        mlirBlockInsertArgument(kernel->block, count + (intptr_t)i, i32,
                                mlirOperationGetLocation(kernel->function));
  }
  MlirType type =
      mlirFunctionTypeGet(context, count + (intptr_t)n, types, 0, NULL);
  cuteMlirSetAttribute(kernel->function, "function_type",
                       mlirTypeAttrGet(type));
  cuteMlirSetAttribute(kernel->function, PERSISTENT,
                       mlirIntegerAttrGet(i32, (int64_t)n));
}

static MlirValue asI32(const CuteBuilder *b, MlirValue value) {
  MlirType i32 = cuteIntType(b, 32);
  return mlirTypeIsAIndex(mlirValueGetType(value))
             ? cuteBuildUnary(b, "arith.index_cast", value, i32)
             : cuteBuildCast(b, "arith.trunci", value, i32);
}

// Gives the kernel the first extents of the grid behind its arguments.
static void passGrid(MlirOperation launch, size_t n) {
  CuteBuilder b = cuteBuilderBefore(launch);
  intptr_t count = getNumOperands(launch);
  intptr_t grid = startOf(launch, TOKENS + 1);
  intptr_t end = startOf(launch, ARGUMENTS + 1);
  MlirValue *operands =
      cuteTaskAllocate(((size_t)count + n) * sizeof *operands);
  for (intptr_t i = 0; i < count; ++i)
    operands[i < end ? i : i + (intptr_t)n] = getOperand(launch, i);
  for (size_t i = 0; i < n; ++i)
    operands[end + (intptr_t)i] = asI32(&b, operands[grid + (intptr_t)i]);
  MlirAttribute old = cuteMlirGetAttribute(launch, "operandSegmentSizes");
  int32_t sizes[ARGUMENTS + 2];
  for (int i = 0; i < ARGUMENTS + 2; ++i)
    sizes[i] = mlirDenseI32ArrayGetElement(old, i);
  sizes[ARGUMENTS] += (int32_t)n;
  mlirOperationSetOperands(launch, count + (intptr_t)n, operands);
  cuteMlirSetAttribute(launch, "operandSegmentSizes",
                       mlirDenseI32ArrayGet(b.context, ARGUMENTS + 2, sizes));
  cuteMlirSetAttribute(launch, PERSISTENT, mlirUnitAttrGet(b.context));
}

//===-- Changes of a launch -----------------------------------------------===//

static void setThreads(MlirOperation launch, int64_t threads) {
  CuteBuilder b = cuteBuilderBefore(launch);
  intptr_t place = startOf(launch, TOKENS + 1) + GRID;
  MlirValue old = getOperand(launch, place);
  mlirOperationSetOperand(launch, place,
                          cuteBuildNumber(&b, mlirValueGetType(old), threads));
}

void cuteKernelUpdateLaunches(const CuteKernel *kernel, bool hasNewThreads) {
  CuteOps launches = launchesOf(kernel);
  int64_t grid = cuteMlirGetInteger(kernel->function, PERSISTENT);
  CUTE_FOR_LIST(op, launches) {
    if (hasNewThreads)
      setThreads(op, kernel->threads);
    if (grid && !cuteMlirHasAttribute(op, PERSISTENT))
      passGrid(op, (size_t)grid);
  }
}
