// All op groups, and loading of the dialect with them.
#include "IR/dialect.h"
#include "Ops/ops.h"

static const CuteOpHooks *const opTable[] = {
#define CUTE_OP_GROUP(group) cute##group##Ops,
#include "op_groups.def"
#undef CUTE_OP_GROUP
    NULL};

MlirLogicalResult cuteDialectLoad(MlirContext context) {
  return cuteDialectLoadOps(context, opTable);
}
