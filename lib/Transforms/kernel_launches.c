// The launches of a kernel in its module, and what a changed kernel changes in
// them.
#include "Transforms/kernel_edit.h"

static CuteOps launchesOf(const CuteKernel *kernel) {
  MlirOperation root = kernel->function;
  MlirStringRef name =
      mlirStringAttrGetValue(cuteMlirGetAttribute(root, "sym_name"));
  CuteOps found = {0};
  for (MlirOperation up = root; !mlirOperationIsNull(up);
       up = mlirOperationGetParentOperation(up))
    root = up;
  CUTE_FOR_NESTED(op, root) {
    MlirAttribute launched = cuteMlirGetAttribute(op, "kernel");
    if (cuteMlirIs(op, "gpu.launch_func") && !mlirAttributeIsNull(launched) &&
        mlirAttributeIsASymbolRef(launched) &&
        mlirStringRefEqual(mlirSymbolRefAttrGetLeafReference(launched), name))
      cuteOpsPush(&found, op);
  }
  return found;
}

bool cuteKernelCheckLaunches(CuteKernel *kernel) {
  CUTE_SCOPED(Ops) launches = launchesOf(kernel);
  if (launches.count)
    cuteKernelFail(kernel, launches.data[0],
                   "launches the kernel with a grid of its own; a launcher "
                   "that reads the manifest takes the new one");
  return !kernel->problem.length;
}

static MlirValue constantLike(const CuteBuilder *b, MlirValue like,
                              int64_t number) {
  MlirType type = mlirValueGetType(like);
  CuteNamedAttribute value = {"value", mlirIntegerAttrGet(type, number)};
  return mlirOperationGetResult(
      cuteBuild(b, (CuteOpSpec){.name = "arith.constant",
                                CUTE_RESULTS(type),
                                .numAttributes = 1,
                                .attributes = &value}),
      0);
}

void cuteKernelUpdateLaunches(const CuteKernel *kernel) {
  enum { GRID = 3 }; // extents, before those of the block
  CUTE_SCOPED(Ops) launches = launchesOf(kernel);
  for (size_t i = 0; i < launches.count; ++i) {
    MlirOperation op = launches.data[i];
    CuteBuilder b = cuteBuilderBefore(op);
    MlirAttribute segments = cuteMlirGetAttribute(op, "operandSegmentSizes");
    intptr_t place = mlirDenseI32ArrayGetElement(segments, 0) + GRID;
    MlirValue old = mlirOperationGetOperand(op, place);
    mlirOperationSetOperand(op, place, constantLike(&b, old, kernel->threads));
  }
}
