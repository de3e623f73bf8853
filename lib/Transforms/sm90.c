// cute-sm90: a plain kernel becomes one for Hopper, by TMA, wgmma and roles, or
// stays as it is where a step cannot be made (docs/passes.md).
#include "Transforms/sm90.h"

#include "Transforms/to_wgmma.h"
#include "Transforms/transforms.h"

#include <stdlib.h>

enum {
  SHARED_BYTES = 227 * 1024, // that a block has on sm_90
  BARRIER_BYTES = 1024,      // at most, of pipelines
};

// Tells whether warps multiply in the kernel, as they do on any architecture.
static bool hasWarpProducts(CuteKernel *kernel) {
  CuteOps gemms = cuteKernelFindOps(kernel, CUTE_OP_GEMM);
  bool has = false;
  for (size_t i = 0; i < gemms.count; ++i) {
    CuteType mma = cuteDialectGetType(
        kernel->dialect,
        mlirValueGetType(mlirOperationGetOperand(gemms.data[i], 0)));
    has |= mma && !strcmp(((const CuteMmaAtom *)mma->atom)->kind->name, "WARP");
  }
  free(gemms.data);
  return has;
}

// All steps that change what a block does, or none, and there is always a
// reason for none. Blocks that cannot go from tile to tile have one each.
static CuteEditResult edit(CuteKernel *kernel, void *data) {
  CuteKernelEdit *const steps[] = {cuteTmaEdit, cuteWgmmaEdit,
                                   cuteSpecializeEdit};
  if (!hasWarpProducts(kernel))
    return CUTE_EDIT_NONE;
  for (size_t i = 0; i < sizeof steps / sizeof *steps; ++i) {
    if (steps[i](kernel, data) == CUTE_EDIT_DONE)
      continue;
    if (!kernel->problem.length)
      cuteKernelFail(kernel, kernel->function,
                     "has no loop that copies tiles of its parameters to "
                     "shared memory by cp.async, waits for them and multiplies "
                     "them");
    return CUTE_EDIT_NONE;
  }
  if (cuteKernelGetSharedBytes(kernel) + BARRIER_BYTES > SHARED_BYTES) {
    cuteKernelFail(kernel, kernel->function,
                   "has more shared memory than a block");
    return CUTE_EDIT_NONE;
  }
  if (cutePersistEdit(kernel, data) == CUTE_EDIT_DONE)
    return CUTE_EDIT_DONE;
  cuteProductsGuard(kernel);
  if (kernel->problem.length) {
    cuteKernelNote(kernel, kernel->location, "blocks take one tile each: %s",
                   cuteStringGet(&kernel->problem));
    cuteStringDestroy(&kernel->problem);
    kernel->problem = (CuteString){0};
  }
  return CUTE_EDIT_DONE;
}

bool cuteRunSm90(CuteDialect *dialect, MlirOperation root,
                 const CutePassOptions *options) {
  if (strcmp(cutePassOptionGet(options, "arch", ""), "sm_90a"))
    return true;
  CuteSchedule schedule = {.splits = true};
  if (!cuteRunExpandTiles(dialect, root, options))
    return false;
  cuteKernelsEdit(dialect, root, "mma.sync and cp.async on sm_90a", edit,
                  &schedule);
  return true;
}
