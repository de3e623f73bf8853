#include "Transforms/roles/roles.h"
#include "Transforms/plain/plain_views.h"

// Registers of a thread by the number of warpgroups beside the producer's, and
// with products in tensor memory, to start which takes more than to load.
static const struct {
  int producer, consumer;
} registers[] = {[2] = {24, 240}, [3] = {32, 160}}, withProducts = {72, 216};

MlirOperation cuteRolesFindReady(CuteKernel *kernel, MlirOperation end) {
  MlirOperation ready = {NULL};
  bool isMade = false;
  CUTE_FOR_OPS_UNTIL(op, mlirBlockGetFirstOperation(kernel->block), end) {
    if (cuteOpListHas(kernel->dialect, op, CUTE_OP_INIT_PIPELINE)) {
      isMade = true;
      ready = (MlirOperation){NULL};
    }
    if (isMade && mlirOperationIsNull(ready) && cuteMlirIs(op, "gpu.barrier"))
      ready = op;
  }
  if (mlirOperationIsNull(ready))
    cuteKernelFail(kernel, end, "needs a gpu.barrier after init_pipeline");
  return ready;
}

// Tells whether an op of a block, or one below it, is this one.
static bool contains(CuteDialect *dialect, MlirBlock block, CuteOpId id) {
  bool found = false;
  CUTE_FOR_OPS(op, block)
    found |= cuteOpListHas(dialect, op, id);
  return found;
}

MlirOperation cuteRolesFindLastRelease(CuteDialect *dialect, MlirBlock block) {
  MlirOperation last = {NULL};
  CUTE_FOR_OPS(op, block)
    if (cuteOpListHas(dialect, op, CUTE_OP_CONSUMER_RELEASE))
      last = op;
  return last;
}

bool cuteRolesIsTail(CuteDialect *dialect, MlirOperation op) {
  bool isBarrier = cuteDialectIsOp(dialect, op, CUTE_OP_NAMED_BARRIER_SYNC);
  if (isBarrier)
    op = mlirOperationGetNextInBlock(op);
  return cuteMlirIs(op, "scf.if") &&
         (cuteOpListHas(dialect, op, CUTE_OP_TMEM_DEALLOC) ||
          (!isBarrier && cuteOpListHas(dialect, op, CUTE_OP_PRODUCER_TAIL)));
}

// Tells whether an op stays where all blocks come to it: what does follows the
// last tile, or is on another condition, or needs a result.
static bool mustStay(CuteDialect *dialect, MlirOperation op,
                     MlirOperation branch) {
  if (cuteRolesIsTail(dialect, op) ||
      cuteMlirHasAttribute(op, cutePlainCondition))
    return true;
  MlirBlock block = mlirOperationGetBlock(op);
  CUTE_FOR_RESULTS(result, op)
    CUTE_FOR_USES(use, result)
      if (!mlirOperationEqual(
              cuteMlirGetAncestor(block, mlirOpOperandGetOwner(use)), branch))
        return true;
  return false;
}

void cuteRolesGuardRest(CuteKernel *kernel, MlirBlock block,
                        MlirValue isThere) {
  CuteOps rest = {0};
  MlirOperation yield = mlirBlockGetTerminator(block);
  CUTE_FOR_OPS_UNTIL(op,
                     mlirOperationGetNextInBlock(
                         cuteRolesFindLastRelease(kernel->dialect, block)),
                     yield)
    cuteOpsPush(&rest, op);
  CuteBuilder b = cuteBuilderBefore(yield);
  MlirBlock body = cuteBuildIf(&b, isThere).block;
  MlirOperation branch = mlirBlockGetParentOperation(body);
  while (rest.count--)
    if (!mustStay(kernel->dialect, rest.data[rest.count], branch))
      mlirOperationMoveBefore(rest.data[rest.count],
                              mlirBlockGetFirstOperation(body));
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

// The innermost block with all loops around what one thread below the branch
// does by such an op.
static MlirBlock findThread(CuteKernel *kernel, MlirOperation branch,
                            CuteOpId id) {
  MlirBlock block = {NULL};
  CUTE_FOR_NESTED(op, kernel->function)
    if (mlirBlockIsNull(block) && cuteDialectIsOp(kernel->dialect, op, id))
      block = findElected(mlirOperationGetParentOperation(op), branch);
  return block;
}

bool cuteRolesFind(CuteKernel *kernel, CuteRoles *roles) {
  CUTE_FOR_OPS(op, kernel->block) {
    if (!cuteMlirIs(op, "scf.if") || mlirOperationGetNumRegions(op) != 2)
      continue;
    MlirBlock other = cuteMlirGetBody(op, 1);
    MlirBlock loads = findThread(kernel, op, CUTE_OP_PRODUCER_BARRIER);
    if (mlirBlockIsNull(other) || mlirBlockIsNull(loads) ||
        !contains(kernel->dialect, other, CUTE_OP_CONSUMER_WAIT))
      continue;
    MlirBlock products = findThread(kernel, op, CUTE_OP_GEMM);
    if (mlirBlockIsNull(products))
      products = findThread(kernel, op, CUTE_OP_NAMED_BARRIER_ARRIVE);
    *roles = (CuteRoles){op, loads, products, other};
    return true;
  }
  return false;
}

// Tells whether stages of a pipeline continue from tile to tile.
static bool isCarried(CuteDialect *dialect, MlirValue pipeline) {
  CutePipelineKind kind =
      cuteTypeGetPipelineValue(cuteDialectGetValueType(dialect, pipeline)).kind;
  return kind == CUTE_PIPE_TMA || kind == CUTE_PIPE_TENSOR;
}

CuteOps cuteRolesFindStates(CuteKernel *kernel, MlirBlock block) {
  CuteDialect *dialect = kernel->dialect;
  CuteOps states = {0};
  if (mlirBlockIsNull(block))
    return states;
  CUTE_FOR_OPS(op, block)
    if (cuteDialectIsOp(dialect, op, CUTE_OP_MAKE_PIPELINE_STATE) &&
        isCarried(dialect, getOperand(op, 0)))
      cuteOpsPush(&states, op);
  return states;
}

bool cuteRolesCheckStates(CuteKernel *kernel, const CuteRoles *roles) {
  MlirBlock blocks[] = {roles->producer, roles->products, roles->consumer};
  CuteOps pipelines = cuteKernelFindOps(kernel, CUTE_OP_MAKE_PIPELINE_TMA);
  CuteOps others = cuteKernelFindOps(kernel, CUTE_OP_MAKE_PIPELINE_ASYNC);
  size_t count = pipelines.count + others.count, found = 0;
  bool ok = true;
  CUTE_FOR_LIST(op, others)
    ok &= isCarried(kernel->dialect, getResult(op, 0));
  for (size_t i = 0; ok && i < 3; ++i) {
    CuteOps states = cuteRolesFindStates(kernel, blocks[i]);
    found += states.count;
    for (size_t j = 0; ok && j < states.count; ++j)
      for (size_t k = 0; k < j; ++k)
        ok &= !mlirValueEqual(getOperand(states.data[j], 0),
                              getOperand(states.data[k], 0));
  }
  ok &= found == 2 * count;
  return ok ||
         cuteKernelFail(
             kernel, roles->branch,
             "has roles that do not begin each pipeline with a single state");
}

static void setRegisters(CuteRebuild *r, MlirBlock block, const char *action,
                         int64_t n) {
  r->builder = cuteBuilderAtStart(
      block, mlirOperationGetLocation(mlirBlockGetParentOperation(block)));
  cuteRebuildCreate(r, CUTE_OP_SET_REGISTERS, 0, NULL,
                    CUTE_NAMED({"action", cuteStringAttr(&r->builder, action)},
                               {"n", cuteIntAttr(&r->builder, 32, n)}));
}

void cuteRolesSetRegisters(CuteRebuild *r, MlirBlock producer,
                           MlirBlock consumer, int64_t warpgroups,
                           bool multiplies) {
  setRegisters(r, producer, "decrease",
               multiplies ? withProducts.producer
                          : registers[warpgroups].producer);
  setRegisters(r, consumer, "increase",
               multiplies ? withProducts.consumer
                          : registers[warpgroups].consumer);
}

void cuteRolesSay(CuteKernel *kernel, int64_t warps, bool byTurns,
                  bool multiplies) {
  CUTE_SCOPED(String) text = {0};
  cuteStringAppendFormat(&text, "warps 0 to %jd compute%s, warp %jd loads",
                         warps - 1, byTurns ? " by turns of 4" : "", warps);
  if (multiplies)
    cuteStringAppendFormat(&text, ", warp %jd multiplies", warps + 1);
  cuteMlirSetAttribute(
      kernel->function, "cute.roles",
      mlirStringAttrGet(mlirOperationGetContext(kernel->function),
                        cuteMlirText(&text)));
}
