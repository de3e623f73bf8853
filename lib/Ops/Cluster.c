// Blocks of a cluster, the thread that acts for a warp, and grids that depend
// on each other.
#include "Lowering/lowering.h"
#include "Ops/ops.h"

static bool inferNothing(CuteOp *op) {
  (void)op;
  return true;
}

static bool inferRank(CuteOp *op) { return cuteOpReturnForeign(op, "i32"); }
static bool inferElect(CuteOp *op) { return cuteOpReturnForeign(op, "i1"); }

//===-- Lowering ----------------------------------------------------------===//

static bool buildPlain(CuteLowering *lowering, const char *name) {
  cuteBuild(&lowering->builder, (CuteOpSpec){.name = name});
  return true;
}

static bool lowerArrive(CuteLowering *lowering, CuteOp *op,
                        MlirOperation source) {
  (void)source;
  return buildPlain(lowering, cuteOpGetAttribute(op, "relaxed")
                                  ? "nvvm.cluster.arrive.relaxed"
                                  : "nvvm.cluster.arrive");
}

static bool lowerWait(CuteLowering *lowering, CuteOp *op,
                      MlirOperation source) {
  (void)op, (void)source;
  return buildPlain(lowering, "nvvm.cluster.wait");
}

static bool replaceBy(CuteLowering *lowering, MlirOperation source,
                      const char *name, unsigned width) {
  MlirType type = cuteIntType(&lowering->builder, width);
  cuteLoweringReplace(
      source, 0,
      cuteBuildValue(
          &lowering->builder,
          (CuteOpSpec){.name = name, .numResults = 1, .results = &type}));
  return true;
}

static bool lowerRank(CuteLowering *lowering, CuteOp *op,
                      MlirOperation source) {
  (void)op;
  return replaceBy(lowering, source, "nvvm.read.ptx.sreg.cluster.ctarank", 32);
}

static bool lowerElect(CuteLowering *lowering, CuteOp *op,
                       MlirOperation source) {
  (void)op;
  return replaceBy(lowering, source, "nvvm.elect.sync", 1);
}

static bool buildDependency(CuteLowering *lowering, const char *kind) {
  CuteNamedAttribute attribute = {"kind",
                                  cuteParsedAttr(&lowering->builder, kind)};
  cuteBuild(&lowering->builder, (CuteOpSpec){.name = "nvvm.griddepcontrol",
                                             .numAttributes = 1,
                                             .attributes = &attribute});
  return true;
}

static bool lowerGridWait(CuteLowering *lowering, CuteOp *op,
                          MlirOperation source) {
  (void)op, (void)source;
  return buildDependency(lowering, "#nvvm<grid_dep_action wait>");
}

static bool lowerGridLaunch(CuteLowering *lowering, CuteOp *op,
                            MlirOperation source) {
  (void)op, (void)source;
  return buildDependency(lowering, "#nvvm<grid_dep_action launch_dependents>");
}

const CuteOpHooks cuteClusterOps[] = {
    {.name = "cluster_arrive", .infer = inferNothing, .lower = lowerArrive},
    {.name = "cluster_wait", .infer = inferNothing, .lower = lowerWait},
    {.name = "block_rank_in_cluster", .infer = inferRank, .lower = lowerRank},
    {.name = "elect_one", .infer = inferElect, .lower = lowerElect},
    {.name = "griddepcontrol_wait",
     .infer = inferNothing,
     .lower = lowerGridWait},
    {.name = "griddepcontrol_launch_dependents",
     .infer = inferNothing,
     .lower = lowerGridLaunch},
    {.name = NULL},
};
