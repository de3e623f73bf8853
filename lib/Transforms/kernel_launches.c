// The launches of a kernel in its module, and what a changed kernel changes in
// them.
#include "Transforms/kernel_edit.h"

#include <stdlib.h>

typedef struct Launches {
  MlirStringRef kernel;
  CuteOps found;
} Launches;

static MlirWalkResult findLaunch(MlirOperation op, void *userData) {
  Launches *launches = userData;
  MlirAttribute kernel = cuteMlirGetAttribute(op, "kernel");
  if (cuteMlirIs(op, "gpu.launch_func") && !mlirAttributeIsNull(kernel) &&
      mlirAttributeIsASymbolRef(kernel) &&
      mlirStringRefEqual(mlirSymbolRefAttrGetLeafReference(kernel),
                         launches->kernel))
    cuteOpsPush(&launches->found, op);
  return MlirWalkResultAdvance;
}

static CuteOps launchesOf(const CuteKernel *kernel) {
  MlirOperation root = kernel->function;
  Launches launches = {
      .kernel = mlirStringAttrGetValue(cuteMlirGetAttribute(root, "sym_name"))};
  for (MlirOperation up = root; !mlirOperationIsNull(up);
       up = mlirOperationGetParentOperation(up))
    root = up;
  mlirOperationWalk(root, findLaunch, &launches, MlirWalkPreOrder);
  return launches.found;
}

bool cuteKernelCheckLaunches(CuteKernel *kernel) {
  CuteOps launches = launchesOf(kernel);
  if (launches.count)
    cuteKernelFail(kernel, launches.data[0],
                   "launches the kernel with a grid of its own; a launcher "
                   "that reads the manifest takes the new one");
  free(launches.data);
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
  CuteOps launches = launchesOf(kernel);
  for (size_t i = 0; i < launches.count; ++i) {
    MlirOperation op = launches.data[i];
    CuteBuilder b = cuteBuilderBefore(op);
    MlirAttribute segments = cuteMlirGetAttribute(op, "operandSegmentSizes");
    intptr_t place = mlirDenseI32ArrayGetElement(segments, 0) + GRID;
    MlirValue old = mlirOperationGetOperand(op, place);
    mlirOperationSetOperand(op, place, constantLike(&b, old, kernel->threads));
  }
  free(launches.data);
}
