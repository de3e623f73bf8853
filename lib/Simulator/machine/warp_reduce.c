// Reductions over the lanes of a warp (PTX ISA, "redux.sync").
#include "Simulator/machine/machine.h"
#include "Simulator/ptx/operation_table.h"
#include "Simulator/ptx/reduction.h"

#include <string.h>

// "redux.sync.add.s32" of PTX; LLVM has "redux.sync.umax", and add, and, or and
// xor without a type.
static CuteSimReduction reductionOf(const CuteSimSite *site,
                                    const char **type) {
  const char *name = strstr(site->name, "redux.sync.") + strlen("redux.sync.");
  CuteSimReduction reduction = CUTE_SIM_REDUCE_ADD;
  bool isUnsigned = *name == 'u' || strstr(name, ".u32");
  size_t length = strcspn(name, ".");
  if (length == 4) // umin, umax
    ++name, --length;
  cuteSimReductionFind((CuteStringRef){name, length}, &reduction);
  *type = isUnsigned ? "u32" : "s32";
  return reduction;
}

static void reduceLanes(CuteSimGroup *group) {
  const char *name;
  CuteSimReduction reduction = reductionOf(group->site, &name);
  const CutePtxType *type = cutePtxFindType(cuteStringRef(name));
  int first = __builtin_ctz(group->arrived);
  uint64_t result = group->values[first][1];
  for (int i = first + 1; i < CUTE_SIM_WARP; ++i)
    if (group->arrived >> i & 1)
      result = cuteSimReduce(reduction, type, result, group->values[i][1], 0);
  for (int i = first; i < CUTE_SIM_WARP; ++i)
    if (group->arrived >> i & 1)
      group->values[i][0] = result & UINT32_MAX;
}

void cuteSimRedux(CuteSimOp op, uint64_t *values) {
  if (op.site->words & CUTE_SIM_FLOAT)
    cuteSimFailUnknown(op);
  cuteSimTogether(op, values, (uint32_t)values[2], reduceLanes);
}
