// All op groups, and loading of the dialect with them.
#include "IR/dialect.h"
#include "Ops/ops.h"

static const CuteOpHooks *const opTable[] = {
    cuteConstantsOps,     cutePrintOps,      cuteConstructionOps,
    cuteAccessOps,        cuteIndexOps,      cuteTupleArithmeticOps,
    cuteLayoutAlgebraOps, cuteModesOps,      cuteTilingOps,
    cuteTensorOps,        cutePointerOps,    cuteStructOps,
    cuteMemoryOps,        cutePredicateOps,  cuteVectorOps,
    cuteAtomicOps,        cutePartitionOps,  cuteMmaOps,
    cuteCopyOps,          cutePlainCopyOps,  cuteTiledOps,
    cuteTmemOps,          cuteThreadOps,     cuteMbarrierOps,
    cuteClusterOps,       cuteWarpgroupOps,  cutePipelineOps,
    cuteTmaOps,           cuteCollectiveOps, NULL,
};

MlirLogicalResult cuteDialectLoad(MlirContext context) {
  return cuteDialectLoadOps(context, opTable);
}
