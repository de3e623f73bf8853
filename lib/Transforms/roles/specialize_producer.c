// The role of a thread that loads or multiplies for all: a copy of each loop
// with nothing but that, and of what it does outside of loops.
#include "Transforms/edit/loop_carry.h"
#include "Transforms/roles/specialize.h"

//===-- States ------------------------------------------------------------===//

// Tells whether an item takes a stage by this state.
static bool isTakenBy(CuteParting *parting, const CutePart *part, size_t item,
                      MlirValue state) {
  CuteDialect *dialect = parting->kernel->dialect;
  MlirOperation fetch = part->fetches.data[item];
  return cuteOpListHasOn(dialect, fetch, CUTE_OP_PRODUCER_ACQUIRE, 1, state) ||
         cuteOpListHasOn(dialect, fetch, CUTE_OP_CONSUMER_WAIT, 1, state);
}

size_t cutePartingFindFills(CuteParting *parting, const CutePart *part,
                            size_t item, intptr_t *fills) {
  MlirOperation loop = part->items.data[item];
  size_t count = 0;
  for (intptr_t i = 0; i < getNumResults(loop); ++i)
    if (count < CUTE_MAX_FILLS &&
        isTakenBy(parting, part, item, cuteLoopGetArgument(loop, i)))
      fills[count++] = i;
  return count;
}

//===-- The scope ---------------------------------------------------------===//

static bool isWithin(MlirBlock outer, MlirBlock inner) {
  while (!mlirBlockEqual(outer, inner)) {
    MlirOperation parent = mlirBlockGetParentOperation(inner);
    if (mlirOperationIsNull(parent) || cuteMlirIs(parent, "gpu.func"))
      return false;
    inner = mlirOperationGetBlock(parent);
  }
  return true;
}

// Checks that all that an op within the producer uses is there.
static bool checkScope(CuteParting *parting, MlirBlock producer,
                       MlirOperation op) {
  CuteKernel *kernel = parting->kernel;
  CUTE_FOR_OPERANDS(operand, op) {
    MlirOperation owner = cuteMlirGetOwner(operand);
    MlirBlock block = mlirOperationIsNull(owner)
                          ? mlirBlockArgumentGetOwner(operand)
                          : mlirOperationGetBlock(owner);
    if (!isWithin(producer, block) &&
        (!mlirBlockEqual(block, kernel->block) ||
         (!mlirOperationIsNull(owner) &&
          !cutePointerMapGet(&parting->setup, owner.ptr))))
      return cuteKernelFail(kernel, mlirOperationIsNull(owner) ? op : owner,
                            "computes something a load depends on, but the "
                            "thread that loads cannot compute it");
  }
  return true;
}

// Checks that all that the producer uses is there.
static bool checkProducer(CuteParting *parting, MlirBlock block) {
  CUTE_FOR_OPS(outer, block)
    CUTE_FOR_NESTED(op, outer)
      if (!checkScope(parting, block, op))
        return false;
  return true;
}

//===-- Building ----------------------------------------------------------===//

static void rebuildLoads(CuteRebuild *r, MlirOperation fetch) {
  CUTE_FOR_OPS_BEFORE(op, mlirBlockGetTerminator(cuteMlirGetBody(fetch, 0)))
    cuteRebuildOp(r, op);
}

// An empty loop like an old one that carries the states alone.
static MlirOperation createLoop(CuteRebuild *r, MlirOperation old, size_t n,
                                const intptr_t *fills) {
  MlirValue operands[3 + CUTE_MAX_FILLS];
  for (size_t i = 0; i < 3 + n; ++i) {
    intptr_t from = i < 3 ? (intptr_t)i : 3 + fills[i - 3];
    operands[i] = cuteRebuildGet(r, getOperand(old, from));
  }
  MlirOperation loop = cuteLoopCreate(&r->builder, 3 + n, operands,
                                      cuteMlirGetAttribute(old, "unsignedCmp"));
  cuteLoopKeepRolled(loop);
  return loop;
}

// The loop with nothing but the loads; the values that replace its results are
// added to `results`.
static bool buildLoop(CuteParting *parting, const CutePart *part,
                      CuteRebuild *r, size_t item, CuteRebuild *results) {
  MlirOperation old = part->items.data[item];
  intptr_t fills[CUTE_MAX_FILLS];
  size_t n = cutePartingFindFills(parting, part, item, fills);
  if (!n && !part->adds)
    return cuteKernelFail(
        parting->kernel, part->fetches.data[item],
        "fills a stage that no pipeline state of the loop counts");
  MlirOperation loop = createLoop(r, old, n, fills);
  MlirBlock body = cuteLoopGetBody(loop);
  r->builder = cuteBuilderAtStart(body, r->builder.location);
  cuteRebuildSet(r, mlirBlockGetArgument(cuteLoopGetBody(old), 0),
                 mlirBlockGetArgument(body, 0));
  for (size_t i = 0; i < n; ++i)
    cuteRebuildSet(r, cuteLoopGetArgument(old, fills[i]),
                   cuteLoopGetArgument(loop, (intptr_t)i));
  rebuildLoads(r, part->fetches.data[item]);
  MlirValue next[CUTE_MAX_FILLS];
  for (size_t i = 0; i < n; ++i) {
    next[i] = cuteEmit1(r, CUTE_OP_PIPELINE_ADVANCE,
                        cuteLoopGetArgument(loop, (intptr_t)i));
    cuteRebuildSet(results, getResult(old, fills[i]),
                   getResult(loop, (intptr_t)i));
  }
  CUTE_BUILD(&r->builder, "scf.yield", .numOperands = n, .operands = next);
  return true;
}

// The results of the loops before item `count` for another item.
static void takeResults(const CutePart *part, CuteRebuild *r, size_t count,
                        CuteRebuild *results) {
  for (size_t i = 0; i < count; ++i)
    for (intptr_t j = 0; j < getNumResults(part->items.data[i]); ++j) {
      MlirValue old = getResult(part->items.data[i], j);
      MlirValue new = cuteRebuildGet(results, old);
      if (!mlirValueEqual(old, new))
        cuteRebuildSet(r, old, new);
    }
}

// Tells whether an op begins a state of sums, which one item takes and another
// one gives.
static bool isState(CuteDialect *dialect, MlirOperation op) {
  return cuteDialectIsOp(dialect, op, CUTE_OP_MAKE_PIPELINE_STATE) &&
         cuteTypeGetPipelineValue(cuteDialectGetOperandType(dialect, op, 0))
                 .kind == CUTE_PIPE_TENSOR;
}

// Begins these states once for all items; unneeded ones are dead.
static void beginStates(CuteParting *parting, CuteBuilder *b,
                        CuteRebuild *states) {
  CuteKernel *kernel = parting->kernel;
  CuteRebuild r = {
      .dialect = kernel->dialect, .builder = *b, .moves = &parting->moves};
  CUTE_FOR_OPS(op, kernel->block) {
    if (!isState(kernel->dialect, op))
      continue;
    MlirValue old = getResult(op, 0);
    cuteRebuildSet(states, old, cuteRebuildGet(&r, old));
  }
}

// Maps the states to the ones that beginStates made.
static void takeStates(CuteParting *parting, CuteRebuild *r,
                       CuteRebuild *states) {
  CUTE_FOR_OPS(op, parting->kernel->block) {
    if (!isState(r->dialect, op))
      continue;
    MlirValue old = getResult(op, 0);
    cuteRebuildSet(r, old, cuteRebuildGet(states, old));
  }
}

bool cutePartingBuildProducer(CuteParting *parting, const CutePart *part,
                              CuteBuilder *b) {
  CuteKernel *kernel = parting->kernel;
  CuteRebuild results = {.dialect = kernel->dialect};
  CuteRebuild states = results;
  beginStates(parting, b, &states);
  for (size_t i = 0; !kernel->problem && i < part->items.count; ++i) {
    CuteRebuild r = {
        .dialect = kernel->dialect, .builder = *b, .moves = &parting->moves};
    takeStates(parting, &r, &states);
    takeResults(part, &r, i, &results);
    if (cuteMlirIs(part->items.data[i], "scf.for"))
      buildLoop(parting, part, &r, i, &results);
    else
      rebuildLoads(&r, part->fetches.data[i]);
    if (r.failed)
      cuteKernelFailOp(kernel, part->fetches.data[i]);
  }
  return !kernel->problem && checkProducer(parting, b->block);
}
