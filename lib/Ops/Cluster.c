// Blocks of a cluster, the thread that acts for a warp, and grids that depend
// on each other.
#include "Ops/lower_ops.h"

static bool inferRank(CuteOp *op) { return cuteOpReturnForeign(op, "i32"); }

bool cuteClusterCheckRank(CuteOp *op, size_t i) {
  return cuteOpCheckIndex(op, cuteOpGetIndex(op, i), 0, 15,
                          "the rank of a block in its cluster is 0 to 15");
}

static bool inferMapa(CuteOp *op) {
  CuteType type = op->operands[0];
  if (!cuteClusterCheckRank(op, 1))
    return false;
  if (type->space == CUTE_SMEM)
    return cuteOpPushResult(op, cuteTypeInSpace(op->context, type, CUTE_DSMEM));
  return cuteFail(op->context, "blocks of a cluster share only smem, not %s",
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

static bool lowerArrive(CuteLowering *l) {
  bool isRelaxed = cuteOpGetAttribute(l->op, "relaxed");
  CUTE_BUILD(&l->builder,
             isRelaxed ? "nvvm.cluster.arrive.relaxed" : "nvvm.cluster.arrive");
  return true;
}

static bool lowerMapa(CuteLowering *l) {
  if (!cuteOpInfer(l->op))
    return false;
  const CuteLowered *own = cuteLoweringGetLowered(l, 0);
  CuteIntTuple rank = cuteOpGetIndex(l->op, 1);
  CuteLowered other = {.type = l->op->results[0],
                       .pointer = cuteClusterMapToRank(l, own->pointer, rank),
                       .start = own->start};
  return cuteLoweringReturnLowered(l, other);
}

static bool lowerDependency(CuteLowering *l) {
  const CuteBuilder *b = &l->builder;
  CUTE_BUILD(
      b, "nvvm.griddepcontrol",
      CUTE_ATTRIBUTES({"kind", cuteParsedAttr(b, l->op->decl->hooks->target)}));
  return true;
}

const CuteOpHooks cuteClusterOps[] = {
    CUTE_HOOKS("cluster_arrive", cuteOpInferNothing, lowerArrive),
    CUTE_HOOKS("cluster_wait", cuteOpInferNothing, cuteLowerToTarget,
               "nvvm.cluster.wait"),
    CUTE_HOOKS("block_rank_in_cluster", inferRank, cuteLowerToTarget,
               "nvvm.read.ptx.sreg.cluster.ctarank"),
    CUTE_HOOKS("mapa", inferMapa, lowerMapa),
    CUTE_HOOKS("elect_one", inferElect, cuteLowerToTarget, "nvvm.elect.sync"),
    CUTE_HOOKS("griddepcontrol_wait", cuteOpInferNothing, lowerDependency,
               "#nvvm<grid_dep_action wait>"),
    CUTE_HOOKS("griddepcontrol_launch_dependents", cuteOpInferNothing,
               lowerDependency, "#nvvm<grid_dep_action launch_dependents>"),
    {.name = NULL},
};
