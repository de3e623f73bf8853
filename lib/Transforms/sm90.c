// cute-sm90 and cute-sm100: a plain kernel becomes one for Hopper, by TMA,
// wgmma and roles, or for Blackwell, with products in tensor memory, or stays
// as it is where a step cannot be made (docs/passes.md).
#include "Transforms/sm90.h"

#include "Transforms/plain/plain_views.h"
#include "Transforms/products/to_wgmma.h"

enum {
  SHARED_BYTES = 227 * 1024, // that a block has on sm_90
  BARRIER_BYTES = 1024,      // at most, of pipelines
};

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
  CuteKernelEdit *const steps[] = {
      cuteTmaEdit, isTensor ? cuteTcgen05Edit : cuteWgmmaEdit,
      isTensor ? NULL : cuteTmaOperandsEdit, cuteSpecializeEdit};
  for (size_t i = 0; i < sizeof steps / sizeof *steps; ++i)
    if (steps[i] && !steps[i](kernel, data))
      return kernel->problem
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
                        "uses more shared memory than a block has");
}

static bool hasClusters(const CuteSchedule *schedule) {
  return schedule->cluster[0] > 1 || schedule->cluster[1] > 1;
}

// Has blocks of a cluster share loads, or multiply in pairs, if there shall be
// clusters.
static bool share(CuteKernel *kernel, const CuteSchedule *given) {
  CuteSchedule schedule;
  if (!cuteScheduleRead(kernel, given, &schedule))
    return false;
  if (!hasClusters(&schedule))
    return true;
  if (cuteMlirHasAttribute(kernel->function, "known_cluster_size"))
    return (schedule.arch ? cutePairEdit : cuteMulticastEdit)(kernel, NULL);
  return cuteKernelFail(kernel, kernel->function,
                        "has blocks with one tile each");
}

// A consumer for each warpgroup of rows. Blocks that cannot go from tile to
// tile have one each.
static bool cooperate(CuteKernel *kernel, void *data) {
  CuteSchedule schedule;
  if (!cuteScheduleRead(kernel, data, &schedule) || !runSteps(kernel, data))
    return false;
  if (!cutePersistEdit(kernel, data)) {
    if (((const CuteSchedule *)data)->persists ||
        (kernel->problem && hasClusters(&schedule)))
      return false;
    cuteProductsGuard(kernel);
    if (kernel->problem)
      cuteKernelNoteProblem(kernel, "blocks take one tile each");
    cuteScheduleSet(kernel, "persist", 2);
  } else if (!schedule.pingpong && !schedule.arch)
    cuteScheduleSet(kernel, "pingpong", 2);
  if (!cutePlainBranchGuard(kernel))
    return false;
  if (!schedule.arch && schedule.overlap != 2)
    cuteOverlapEdit(kernel, data);
  return !kernel->problem && share(kernel, data) && checkBytes(kernel);
}

// Two consumers with a tile each, by turns.
static bool alternate(CuteKernel *kernel, void *data) {
  return runSteps(kernel, data) && cutePersistEdit(kernel, data) &&
         cutePlainBranchGuard(kernel) && cutePingpongEdit(kernel, data) &&
         checkBytes(kernel) && share(kernel, data);
}

// The blocks of a cluster with a part of the rounds each.
static bool divide(CuteKernel *kernel, void *data) {
  bool ok = cuteSplitEdit(kernel, data) && runSteps(kernel, data) &&
            cuteSplitAddEdit(kernel, data) && checkBytes(kernel);
  if (ok) {
    cuteProductsGuard(kernel);
    cuteScheduleSet(kernel, "split", ((const CuteSchedule *)data)->split);
  }
  return ok;
}

// Consumers with a tile each, or with a part of each tile.
static bool divideTiles(CuteKernel *kernel, void *data) {
  CuteSchedule schedule, turns = *(const CuteSchedule *)data;
  if (cuteScheduleRead(kernel, data, &schedule) &&
      cutePingpongPays(kernel, &schedule)) {
    turns.warpgroups = turns.alternates = 1;
    if (cuteKernelTry(kernel, alternate, &turns))
      return true;
    cuteKernelNoteProblem(kernel, "no two warpgroups take turns on tiles");
  }
  return cooperate(kernel, data);
}

// Leaves out of the kernel's choices what cannot be done.
static void dropClusters(CuteKernel *kernel) {
  static const char *const names[] = {"split", "cluster_x", "cluster_y"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    cuteScheduleSet(kernel, names[i], 0);
}

// Has blocks multiply in pairs along a dimension of the grid.
static bool takePair(CuteKernel *kernel, CuteSchedule given, size_t side) {
  given.cluster[side] = 2;
  given.cluster[!side] = 0;
  return cuteKernelTry(kernel, cooperate, &given);
}

// Blocks in pairs along x or else along y, where the schedule does not choose,
// or one by one where there can be no pairs.
static bool takePairs(CuteKernel *kernel, CuteSchedule given,
                      const CuteSchedule *wanted) {
  int64_t x = wanted->cluster[0], y = wanted->cluster[1];
  bool isFree = !x && !y && wanted->persist != 2 && !cutePlainBranchIs(kernel);
  if (wanted->split > 1 || x > 2 || y > 2)
    cuteKernelNote(kernel, kernel->location,
                   "blocks form only pairs: products in tensor memory support "
                   "no larger clusters yet");
  dropClusters(kernel);
  for (size_t side = 0; side < 2; ++side) {
    if (!isFree && wanted->cluster[side] < 2)
      continue;
    if (takePair(kernel, given, side))
      return true;
    cuteKernelNoteProblem(kernel,
                          side ? "blocks do not multiply in pairs along y"
                               : "blocks do not multiply in pairs along x");
  }
  if (x == 1)
    cuteScheduleSet(kernel, "cluster_x", 1);
  given.cluster[0] = given.cluster[1] = 0;
  return cooperate(kernel, &given);
}

// The most that the schedule asks for and that the kernel allows.
static bool takeChoices(CuteKernel *kernel, CuteSchedule given) {
  CuteSchedule schedule;
  if (!cuteScheduleRead(kernel, &given, &schedule))
    return false;
  if (given.persists && (schedule.split > 1 || schedule.persist != 1))
    return cuteKernelFail(kernel, kernel->function,
                          "has a loop over tiles, whose blocks neither split K "
                          "nor have one tile each; a kernel without it can");
  if (cutePlainBranchIs(kernel) &&
      (schedule.split > 1 || hasClusters(&schedule))) {
    cuteKernelNote(kernel, kernel->location,
                   "blocks form no clusters: the products are below a branch, "
                   "to whose sides blocks may come differently");
    dropClusters(kernel);
    schedule.split = given.split = 0;
    memset(schedule.cluster, 0, sizeof schedule.cluster);
    memset(given.cluster, 0, sizeof given.cluster);
  }
  if (given.arch)
    return takePairs(kernel, given, &schedule);
  if (schedule.split > 1) {
    if (cuteKernelTry(kernel, divide, &schedule))
      return true;
    cuteKernelNoteProblem(kernel, "K is not split");
    dropClusters(kernel);
  }
  if (hasClusters(&schedule)) {
    if (cuteKernelTry(kernel, divideTiles, &given))
      return true;
    cuteKernelNoteProblem(kernel, "blocks form no clusters");
    dropClusters(kernel);
  }
  return divideTiles(kernel, &given);
}

static bool takeElements(CuteKernel *kernel, void *data) {
  return cutePlainElements(kernel) &&
         takeChoices(kernel, *(const CuteSchedule *)data);
}

static bool takeForm(CuteKernel *kernel, CuteSchedule given) {
  if (cutePlainElementsAre(kernel)) {
    if (cuteKernelTry(kernel, takeElements, &given))
      return true;
    cuteKernelNoteProblem(kernel,
                          "threads access elements of tiles one by one");
  }
  return takeChoices(kernel, given);
}

static bool edit(CuteKernel *kernel, void *data) {
  CuteSchedule given = *(const CuteSchedule *)data;
  if (!hasWarpProducts(kernel))
    return false;
  given.persists = cuteTileLoopTake(kernel);
  given.persist = given.persists;
  if (kernel->problem || !cutePlainVectors(kernel) || !takeForm(kernel, given))
    return false;
  cuteScheduleNote(kernel);
  return true;
}

static bool run(const CutePass *pass, const CuteArch *tensor,
                const char *name) {
  CuteSchedule schedule = {.splits = !tensor, .arch = tensor};
  char prefix[64];
  snprintf(prefix, sizeof prefix, "mma.sync and cp.async on %s", name);
  return cuteScheduleTakeOptions(pass, tensor ? "cute-sm100" : "cute-sm90",
                                 &schedule) &&
         cuteRunExpandTiles(pass) &&
         cuteKernelsEdit(pass, prefix, cutePlainBranchTake, edit, &schedule);
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
