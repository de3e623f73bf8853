#include "Transforms/roles.h"

#include <stdlib.h>

// Registers of a thread by the number of warpgroups beside the producer's.
static const struct {
  int producer, consumer;
} registers[] = {[2] = {40, 232}, [3] = {32, 160}};

// The last op of a block that is this one of the dialect or contains it.
static MlirOperation findLast(CuteDialect *dialect, MlirBlock block,
                              CuteOpId id) {
  MlirOperation last = {NULL};
  CUTE_FOR_OPS(op, block) {
    CuteOpList list = cuteOpListCollect(dialect, op);
    for (size_t i = 0; i < list.count; ++i)
      if (list.decls[i]->id == id)
        last = op;
    cuteOpListDestroy(&list);
  }
  return last;
}

bool cuteRolesContain(CuteDialect *dialect, MlirBlock block, CuteOpId id) {
  return !mlirOperationIsNull(findLast(dialect, block, id));
}

MlirOperation cuteRolesFindLastRelease(CuteDialect *dialect, MlirBlock block) {
  return findLast(dialect, block, CUTE_OP_CONSUMER_RELEASE);
}

// The block of an op below the branch that only one thread comes to: it is in
// two branches more.
static MlirBlock findElected(MlirOperation op, MlirOperation branch) {
  MlirBlock block = {NULL};
  for (; !mlirOperationIsNull(op); op = mlirOperationGetParentOperation(op)) {
    MlirOperation third = op;
    for (int i = 0; i < 3 && !mlirOperationIsNull(third); ++i)
      third = mlirOperationGetParentOperation(third);
    if (!mlirOperationIsNull(third) && mlirOperationEqual(third, branch))
      block = mlirOperationGetBlock(op);
  }
  return block;
}

// The innermost block with all loops around the loads.
static MlirBlock findLoads(CuteKernel *kernel, MlirOperation branch) {
  CuteOps fills = cuteKernelFindOps(kernel, CUTE_OP_PRODUCER_BARRIER);
  MlirBlock block = {NULL};
  for (size_t i = 0; i < fills.count && mlirBlockIsNull(block); ++i)
    block = findElected(mlirOperationGetParentOperation(fills.data[i]), branch);
  free(fills.data);
  return block;
}

bool cuteRolesFind(CuteKernel *kernel, CuteRoles *roles) {
  CUTE_FOR_OPS(op, kernel->block) {
    if (!cuteMlirIs(op, "scf.if") || mlirOperationGetNumRegions(op) != 2)
      continue;
    MlirBlock other = cuteMlirGetBody(op, 1);
    MlirBlock loads = findLoads(kernel, op);
    if (mlirBlockIsNull(other) || mlirBlockIsNull(loads) ||
        !cuteRolesContain(kernel->dialect, other, CUTE_OP_CONSUMER_WAIT))
      continue;
    *roles = (CuteRoles){op, loads, other};
    return true;
  }
  return false;
}

static void setRegisters(CuteRebuild *r, MlirBlock block, const char *action,
                         int64_t n) {
  CuteBuilder at = cuteBuilderAtStart(
      block, mlirOperationGetLocation(mlirBlockGetParentOperation(block)));
  CuteNamedAttribute attributes[] = {
      {"action", mlirStringAttrGet(at.context, cuteMlirString(action))},
      {"n", cuteIntAttr(&at, 32, n)}};
  r->builder = &at;
  cuteRebuildCreate(r, CUTE_OP_SET_REGISTERS, 0, NULL, 2, attributes);
}

void cuteRolesSetRegisters(CuteRebuild *r, MlirBlock producer,
                           MlirBlock consumer, int64_t warpgroups) {
  setRegisters(r, producer, "decrease", registers[warpgroups].producer);
  setRegisters(r, consumer, "increase", registers[warpgroups].consumer);
}
