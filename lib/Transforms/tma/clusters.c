#include "Transforms/tma/clusters.h"

#include "Transforms/edit/block_index.h"

CuteCluster cuteClusterOf(const int64_t extents[2]) {
  int64_t x = extents[0] ? extents[0] : 1, y = extents[1] ? extents[1] : 1;
  return (CuteCluster){x * y, {x, y}};
}

CuteCluster cuteClusterGet(CuteKernel *kernel) {
  int64_t n[3], one[] = {1, 1};
  bool ok =
      cuteMlirGetSizes(kernel->function, "known_cluster_size", n) && n[2] == 1;
  return cuteClusterOf(ok ? n : one);
}

bool cuteClusterCheckFlow(CuteKernel *kernel, MlirBlock role) {
  CUTE_FOR_OPS(outer, role)
    CUTE_FOR_NESTED(op, outer) {
      intptr_t n = cuteMlirIs(op, "scf.for") ? 3 : cuteMlirIs(op, "scf.if");
      for (intptr_t i = 0; i < n; ++i)
        if (cuteBlockIndexIsOf(kernel->dialect, getOperand(op, i),
                               CUTE_IN_CLUSTER, CUTE_ANY_DIMENSION))
          cuteKernelFail(kernel, op,
                         "depends on the rank of the block in its cluster, but "
                         "blocks that share loads must all reach them");
    }
  return !kernel->problem;
}

static void emitMeeting(CuteRebuild *r, MlirOperation before, bool isRelaxed) {
  r->builder = cuteBuilderBefore(before);
  CuteNamedAttribute relaxed = {"relaxed", mlirUnitAttrGet(r->builder.context)};
  cuteRebuildCreate(r, CUTE_OP_CLUSTER_ARRIVE, 0, NULL, isRelaxed, &relaxed);
  cuteEmitDo(r, CUTE_OP_CLUSTER_WAIT, 0, NULL);
}

void cuteClusterEmitMeetings(CuteKernel *kernel, CuteRebuild *r,
                             MlirOperation ready, bool isRelaxed) {
  emitMeeting(r, ready, isRelaxed);
  mlirOperationDestroy(ready);
  emitMeeting(r, mlirBlockGetTerminator(kernel->block), false);
}
