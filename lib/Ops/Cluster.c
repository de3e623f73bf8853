// Blocks of a cluster, the thread that acts for a warp, and grids that depend
// on each other.
#include "Ops/cluster.h"
#include "Lowering/lowering.h"

static bool inferRank(CuteOp *op) { return cuteOpReturnForeign(op, "i32"); }

bool cuteClusterCheckRank(CuteOp *op, size_t i) {
  CuteIntTuple rank = cuteOpGetIndex(op, i);
  if (!rank)
    return false;
  if (!isStatic(rank) || (rank->value >= 0 && rank->value < 16))
    return true;
  return cuteFail(op->context,
                  "the rank of a block in its cluster is 0 to 15, not %lld",
                  (long long)rank->value);
}

static bool inferMapa(CuteOp *op) {
  CuteType type = op->operands[0];
  if (!cuteClusterCheckRank(op, 1))
    return false;
  if (type->space == CUTE_SMEM)
    return cuteOpPushResult(op, cuteTypeInSpace(op->context, type, CUTE_DSMEM));
  return cuteFail(op->context,
                  "blocks of a cluster share what is in smem alone, unlike %s",
                  cuteTypeText(op->context, type));
}

static bool inferElect(CuteOp *op) { return cuteOpReturnForeign(op, "i1"); }

//===-- Lowering ----------------------------------------------------------===//

MlirValue cuteClusterMapToRank(CuteLowering *lowering, MlirValue pointer,
                               CuteIntTuple rank) {
  MlirType remote = cuteLoweringPointerType(lowering, CUTE_DSMEM);
  MlirValue operands[] = {pointer, cuteLoweringGetInteger(lowering, rank, 32)};
  return cuteBuildResult(&lowering->builder, "nvvm.mapa", 2, operands, remote);
}

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
  cuteLoweringReplace(source, 0,
                      cuteBuildResult(&lowering->builder, name, 0, NULL, type));
  return true;
}

static bool lowerRank(CuteLowering *lowering, CuteOp *op,
                      MlirOperation source) {
  (void)op;
  return replaceBy(lowering, source, "nvvm.read.ptx.sreg.cluster.ctarank", 32);
}

static bool lowerMapa(CuteLowering *lowering, CuteOp *op,
                      MlirOperation source) {
  if (!cuteOpInfer(op))
    return false;
  const CuteLowered *own =
      cuteLoweringGet(lowering, mlirOperationGetOperand(source, 0));
  CuteIntTuple rank = cuteOpGetIndex(op, 1);
  CuteLowered other = {.type = op->results[0],
                       .pointer =
                           cuteClusterMapToRank(lowering, own->pointer, rank),
                       .start = own->start};
  cuteLoweringSet(lowering, mlirOperationGetResult(source, 0), other);
  return true;
}

static bool lowerElect(CuteLowering *lowering, CuteOp *op,
                       MlirOperation source) {
  (void)op;
  return replaceBy(lowering, source, "nvvm.elect.sync", 1);
}

static bool buildDependency(CuteLowering *lowering, const char *kind) {
  cuteBuild(
      &lowering->builder,
      (CuteOpSpec){
          .name = "nvvm.griddepcontrol",
          CUTE_ATTRIBUTES({"kind", cuteParsedAttr(&lowering->builder, kind)})});
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
    {.name = "cluster_arrive",
     .infer = cuteOpInferNothing,
     .lower = lowerArrive},
    {.name = "cluster_wait", .infer = cuteOpInferNothing, .lower = lowerWait},
    {.name = "block_rank_in_cluster", .infer = inferRank, .lower = lowerRank},
    {.name = "mapa", .infer = inferMapa, .lower = lowerMapa},
    {.name = "elect_one", .infer = inferElect, .lower = lowerElect},
    {.name = "griddepcontrol_wait",
     .infer = cuteOpInferNothing,
     .lower = lowerGridWait},
    {.name = "griddepcontrol_launch_dependents",
     .infer = cuteOpInferNothing,
     .lower = lowerGridLaunch},
    {.name = NULL},
};
