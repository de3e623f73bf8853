// cute-sm90 and cute-sm100: a plain kernel becomes one for Hopper, by TMA,
// wgmma and roles, or for Blackwell, with products in tensor memory, or stays
// as it is where a step cannot be made (docs/passes.md).
#include "Transforms/sm90.h"

#include "Transforms/tile_loop.h"
#include "Transforms/to_wgmma.h"

#include <stdio.h>

enum {
  SHARED_BYTES = 227 * 1024, // that a block has on sm_90
  BARRIER_BYTES = 1024,      // at most, of pipelines
};

// Has a remark say what a step that is left out needs.
static void noteProblem(CuteKernel *kernel, const char *what) {
  cuteKernelNote(kernel, kernel->location, "%s: %s", what,
                 cuteStringGet(&kernel->problem));
  cuteStringDestroy(&kernel->problem);
  kernel->problem = (CuteString){0};
}

// Tells whether warps multiply in the kernel, as they do on any architecture.
static bool hasWarpProducts(CuteKernel *kernel) {
  CUTE_FOR_NESTED(op, kernel->function) {
    CuteType mma = cuteDialectIsOp(kernel->dialect, op, CUTE_OP_GEMM)
                       ? cuteDialectGetOperandType(kernel->dialect, op, 0)
                       : NULL;
    if (mma && !strcmp(((const CuteMmaAtom *)mma->atom)->kind->name, "WARP"))
      return true;
  }
  return false;
}

// All steps that change what a block does, or none, and there is always a
// reason for none.
static bool runSteps(CuteKernel *kernel, void *data) {
  bool isTensor = ((const CuteSchedule *)data)->arch;
  CuteKernelEdit *const steps[] = {cuteTmaEdit,
                                   isTensor ? cuteTcgen05Edit : cuteWgmmaEdit,
                                   cuteSpecializeEdit};
  for (size_t i = 0; i < sizeof steps / sizeof *steps; ++i)
    if (steps[i](kernel, data) != CUTE_EDIT_DONE)
      return kernel->problem.length
                 ? false
                 : cuteKernelFail(kernel, kernel->function,
                                  "has no loop that copies tiles of its "
                                  "parameters to shared memory by cp.async, "
                                  "waits for them and multiplies them");
  return true;
}

static bool checkBytes(CuteKernel *kernel) {
  return cuteKernelGetSharedBytes(kernel) + BARRIER_BYTES <= SHARED_BYTES ||
         cuteKernelFail(kernel, kernel->function,
                        "has more shared memory than a block");
}

static bool hasClusters(const CuteSchedule *schedule) {
  return schedule->cluster[0] > 1 || schedule->cluster[1] > 1;
}

// Has blocks of a cluster share loads, if there shall be clusters.
static bool share(CuteKernel *kernel, const CuteSchedule *given) {
  CuteSchedule schedule;
  if (!cuteScheduleRead(kernel, given, &schedule))
    return false;
  if (!hasClusters(&schedule))
    return true;
  if (cuteMlirHasAttribute(kernel->function, "known_cluster_size"))
    return cuteMulticastEdit(kernel, NULL) == CUTE_EDIT_DONE;
  return cuteKernelFail(kernel, kernel->function,
                        "has blocks that take one tile each");
}

// A consumer for each warpgroup of rows. Blocks that cannot go from tile to
// tile have one each.
static CuteEditResult cooperate(CuteKernel *kernel, void *data) {
  CuteSchedule schedule;
  if (!cuteScheduleRead(kernel, data, &schedule) || !runSteps(kernel, data) ||
      !checkBytes(kernel))
    return CUTE_EDIT_NONE;
  if (cutePersistEdit(kernel, data) != CUTE_EDIT_DONE) {
    if (((const CuteSchedule *)data)->persists ||
        (kernel->problem.length && hasClusters(&schedule)))
      return CUTE_EDIT_NONE;
    cuteProductsGuard(kernel);
    if (kernel->problem.length)
      noteProblem(kernel, "blocks take one tile each");
    cuteScheduleSet(kernel, "persist", 2);
  } else if (!schedule.pingpong && !schedule.arch)
    cuteScheduleSet(kernel, "pingpong", 2);
  if (!schedule.arch && schedule.overlap != 2)
    cuteOverlapEdit(kernel, data);
  return kernel->problem.length || !share(kernel, data) ? CUTE_EDIT_NONE
                                                        : CUTE_EDIT_DONE;
}

// Two consumers with a tile each, by turns.
static CuteEditResult alternate(CuteKernel *kernel, void *data) {
  bool ok = runSteps(kernel, data) &&
            cutePersistEdit(kernel, data) == CUTE_EDIT_DONE &&
            cutePingpongEdit(kernel, data) == CUTE_EDIT_DONE &&
            checkBytes(kernel) && share(kernel, data);
  return ok ? CUTE_EDIT_DONE : CUTE_EDIT_NONE;
}

// The blocks of a cluster with a part of the rounds each.
static CuteEditResult divide(CuteKernel *kernel, void *data) {
  bool ok =
      cuteSplitEdit(kernel, data) == CUTE_EDIT_DONE && runSteps(kernel, data) &&
      cuteSplitAddEdit(kernel, data) == CUTE_EDIT_DONE && checkBytes(kernel);
  if (ok) {
    cuteProductsGuard(kernel);
    cuteScheduleSet(kernel, "split", ((const CuteSchedule *)data)->split);
  }
  return ok ? CUTE_EDIT_DONE : CUTE_EDIT_NONE;
}

// Consumers with a tile each, or with a part of each tile.
static CuteEditResult divideTiles(CuteKernel *kernel, void *data) {
  CuteSchedule schedule, turns = *(const CuteSchedule *)data;
  if (cuteScheduleRead(kernel, data, &schedule) &&
      cutePingpongPays(kernel, &schedule)) {
    turns.warpgroups = turns.alternates = 1;
    if (cuteKernelTry(kernel, alternate, &turns) == CUTE_EDIT_DONE)
      return CUTE_EDIT_DONE;
    noteProblem(kernel, "no two warpgroups take turns on tiles");
  }
  return cooperate(kernel, data);
}

// Leaves out of the kernel's choices what cannot be done.
static void dropClusters(CuteKernel *kernel) {
  static const char *const names[] = {"split", "cluster_x", "cluster_y"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    cuteScheduleSet(kernel, names[i], 0);
}

// The most that the schedule asks for and that the kernel allows.
static CuteEditResult takeChoices(CuteKernel *kernel, CuteSchedule given) {
  CuteSchedule schedule;
  if (!cuteScheduleRead(kernel, &given, &schedule))
    return CUTE_EDIT_NONE;
  if (given.persists && (schedule.split > 1 || schedule.persist != 1)) {
    cuteKernelFail(kernel, kernel->function,
                   "has a loop over tiles, whose blocks neither split K nor "
                   "have one tile each; a kernel without it can");
    return CUTE_EDIT_NONE;
  }
  if (given.arch) {
    if (schedule.split > 1 || hasClusters(&schedule))
      cuteKernelNote(kernel, kernel->location,
                     "blocks form no clusters, which products in tensor memory "
                     "do not know of yet");
    dropClusters(kernel);
    return cooperate(kernel, &given);
  }
  if (schedule.split > 1) {
    schedule.sumBytes = cuteSplitCountBytes(kernel);
    if (cuteKernelTry(kernel, divide, &schedule) == CUTE_EDIT_DONE)
      return CUTE_EDIT_DONE;
    noteProblem(kernel, "K is not split");
    dropClusters(kernel);
  }
  if (hasClusters(&schedule)) {
    if (cuteKernelTry(kernel, divideTiles, &given) == CUTE_EDIT_DONE)
      return CUTE_EDIT_DONE;
    noteProblem(kernel, "blocks form no clusters");
    dropClusters(kernel);
  }
  return divideTiles(kernel, &given);
}

static CuteEditResult edit(CuteKernel *kernel, void *data) {
  CuteSchedule given = *(const CuteSchedule *)data;
  if (!hasWarpProducts(kernel))
    return CUTE_EDIT_NONE;
  given.persists = cuteTileLoopTake(kernel);
  given.persist = given.persists;
  if (kernel->problem.length || takeChoices(kernel, given) != CUTE_EDIT_DONE)
    return CUTE_EDIT_NONE;
  cuteScheduleNote(kernel);
  return CUTE_EDIT_DONE;
}

static bool run(const CutePass *pass, const CuteArch *tensor,
                const char *name) {
  CuteSchedule schedule = {.splits = !tensor, .arch = tensor};
  char prefix[64];
  snprintf(prefix, sizeof prefix, "mma.sync and cp.async on %s", name);
  if (!cuteRunExpandTiles(pass))
    return false;
  cuteKernelsEdit(pass, prefix, edit, &schedule);
  return true;
}

bool cuteRunSm90(const CutePass *pass) {
  const char *name = cutePassGetOption(pass, "arch", "");
  return strcmp(name, "sm_90a") || run(pass, NULL, name);
}

bool cuteRunSm100(const CutePass *pass) {
  const char *name = cutePassGetOption(pass, "arch", "");
  const CuteArch *arch = cuteArchFind(name);
  return !arch || !cuteArchHasFeature(arch, CUTE_FEATURE_TCGEN05) ||
         run(pass, arch, name);
}
