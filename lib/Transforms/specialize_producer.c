// The role of the thread that loads: a copy of each loop with nothing but the
// loads, and of loads outside of loops.
#include "Transforms/loop_carry.h"
#include "Transforms/specialize.h"

#include <stdlib.h>

//===-- States ------------------------------------------------------------===//

// Tells whether the loads of an item acquire a stage by this state.
static bool isAcquiredBy(CuteParting *parting, size_t item, MlirValue state) {
  CuteOpList list =
      cuteOpListCollect(parting->kernel->dialect, parting->fetches.data[item]);
  bool is = false;
  for (size_t i = 0; i < list.count; ++i)
    is |= list.decls[i]->id == CUTE_OP_PRODUCER_ACQUIRE &&
          mlirValueEqual(mlirOperationGetOperand(list.ops[i], 1), state);
  cuteOpListDestroy(&list);
  return is;
}

size_t cutePartingFindFills(CuteParting *parting, size_t item,
                            intptr_t *fills) {
  MlirOperation loop = parting->items.data[item];
  size_t count = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(loop); ++i)
    if (count < CUTE_MAX_FILLS &&
        isAcquiredBy(parting, item, cuteLoopGetArgument(loop, i)))
      fills[count++] = i;
  return count;
}

//===-- The scope ---------------------------------------------------------===//

// Checks that all that an op within the producer uses is there.
typedef struct Scope {
  CuteParting *parting;
  MlirBlock block; // the producer's
} Scope;

static bool isWithin(MlirBlock outer, MlirBlock inner) {
  while (!mlirBlockEqual(outer, inner)) {
    MlirOperation parent = mlirBlockGetParentOperation(inner);
    if (mlirOperationIsNull(parent) || cuteMlirIs(parent, "gpu.func"))
      return false;
    inner = mlirOperationGetBlock(parent);
  }
  return true;
}

static MlirWalkResult checkScope(MlirOperation op, void *userData) {
  Scope *scope = userData;
  CuteKernel *kernel = scope->parting->kernel;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    MlirOperation owner = cuteValueGetOp(operand);
    MlirBlock block = mlirOperationIsNull(owner)
                          ? mlirBlockArgumentGetOwner(operand)
                          : mlirOperationGetBlock(owner);
    if (isWithin(scope->block, block) ||
        (mlirBlockEqual(block, kernel->block) &&
         (mlirOperationIsNull(owner) ||
          cutePointerMapGet(&scope->parting->setup, owner.ptr))))
      continue;
    cuteKernelFail(kernel, mlirOperationIsNull(owner) ? op : owner,
                   "computes what a load depends on, but cannot be done by "
                   "the thread that loads");
    return MlirWalkResultInterrupt;
  }
  return MlirWalkResultAdvance;
}

// Checks that all that the producer uses is there.
static bool checkProducer(CuteParting *parting, MlirBlock block) {
  Scope scope = {parting, block};
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op) && !parting->kernel->problem.length;
       op = mlirOperationGetNextInBlock(op))
    mlirOperationWalk(op, checkScope, &scope, MlirWalkPreOrder);
  return !parting->kernel->problem.length;
}

//===-- Building ----------------------------------------------------------===//

static void rebuildLoads(CuteRebuild *r, MlirOperation fetch) {
  MlirBlock loads = mlirRegionGetFirstBlock(mlirOperationGetRegion(fetch, 0));
  MlirOperation end = mlirBlockGetTerminator(loads);
  for (MlirOperation op = mlirBlockGetFirstOperation(loads);
       !mlirOperationEqual(op, end); op = mlirOperationGetNextInBlock(op))
    cuteRebuildOp(r, op);
}

// An empty loop like an old one that carries the states alone.
static MlirOperation createLoop(CuteRebuild *r, MlirOperation old, size_t n,
                                const intptr_t *fills) {
  CuteBuilder *b = r->builder;
  MlirValue operands[3 + CUTE_MAX_FILLS];
  MlirType types[3 + CUTE_MAX_FILLS];
  for (size_t i = 0; i < 3 + n; ++i) {
    intptr_t from = i < 3 ? (intptr_t)i : 3 + fills[i - 3];
    operands[i] = cuteRebuildGet(r, mlirOperationGetOperand(old, from));
    types[i] = mlirValueGetType(operands[i]);
  }
  CuteNamedAttribute attributes[] = {
      {"cute.unroll", mlirStringAttrGet(b->context, cuteMlirString("none"))},
      {"unsignedCmp", cuteMlirGetAttribute(old, "unsignedCmp")}};
  MlirOperation loop = cuteBuild(b, (CuteOpSpec){.name = "scf.for",
                                                 .numOperands = 3 + n,
                                                 .operands = operands,
                                                 .numResults = n,
                                                 .results = types + 3,
                                                 .numAttributes = 2,
                                                 .attributes = attributes,
                                                 .numRegions = 1,
                                                 .withoutBlocks = true});
  MlirBlock body = mlirBlockCreate(1, types, &b->location);
  for (size_t i = 0; i < n; ++i)
    mlirBlockAddArgument(body, types[3 + i], b->location);
  mlirRegionAppendOwnedBlock(mlirOperationGetRegion(loop, 0), body);
  return loop;
}

// The loop with nothing but the loads; what stands for its results is added to
// `results`.
static bool buildLoop(CuteParting *parting, CuteRebuild *r, size_t item,
                      CuteRebuild *results) {
  MlirOperation old = parting->items.data[item];
  intptr_t fills[CUTE_MAX_FILLS];
  size_t n = cutePartingFindFills(parting, item, fills);
  if (!n)
    return cuteKernelFail(parting->kernel, parting->fetches.data[item],
                          "fills a stage that no state of the loop counts");
  MlirOperation loop = createLoop(r, old, n, fills);
  MlirBlock body = cuteLoopGetBody(loop);
  CuteBuilder inside = cuteBuilderAtStart(body, r->builder->location);
  r->builder = &inside;
  cuteRebuildSet(r, mlirBlockGetArgument(cuteLoopGetBody(old), 0),
                 mlirBlockGetArgument(body, 0));
  for (size_t i = 0; i < n; ++i)
    cuteRebuildSet(r, cuteLoopGetArgument(old, fills[i]),
                   cuteLoopGetArgument(loop, (intptr_t)i));
  rebuildLoads(r, parting->fetches.data[item]);
  MlirValue next[CUTE_MAX_FILLS];
  for (size_t i = 0; i < n; ++i) {
    next[i] = cuteEmit1(r, CUTE_OP_PIPELINE_ADVANCE,
                        cuteLoopGetArgument(loop, (intptr_t)i));
    cuteRebuildSet(results, mlirOperationGetResult(old, fills[i]),
                   mlirOperationGetResult(loop, (intptr_t)i));
  }
  cuteBuild(
      &inside,
      (CuteOpSpec){.name = "scf.yield", .numOperands = n, .operands = next});
  return true;
}

// The results of the loops before item `count` for another item.
static void takeResults(CuteParting *parting, CuteRebuild *r, size_t count,
                        CuteRebuild *results) {
  for (size_t i = 0; i < count; ++i)
    for (intptr_t j = 0; j < mlirOperationGetNumResults(parting->items.data[i]);
         ++j) {
      MlirValue old = mlirOperationGetResult(parting->items.data[i], j);
      MlirValue new = cuteRebuildGet(results, old);
      if (!mlirValueEqual(old, new))
        cuteRebuildSet(r, old, new);
    }
}

bool cutePartingBuildProducer(CuteParting *parting, CuteBuilder *b) {
  CuteKernel *kernel = parting->kernel;
  CutePointerMap none = {0};
  CuteRebuild results = {.dialect = kernel->dialect, .moves = &none};
  for (size_t i = 0; !kernel->problem.length && i < parting->items.count; ++i) {
    CuteRebuild r = {
        .dialect = kernel->dialect, .builder = b, .moves = &parting->moves};
    takeResults(parting, &r, i, &results);
    if (cuteMlirIs(parting->items.data[i], "scf.for"))
      buildLoop(parting, &r, i, &results);
    else
      rebuildLoads(&r, parting->fetches.data[i]);
    if (r.failed)
      cuteKernelFailOp(kernel, parting->fetches.data[i]);
    cuteRebuildDestroy(&r);
  }
  cuteRebuildDestroy(&results);
  return !kernel->problem.length && checkProducer(parting, b->block);
}
