// cute-specialize: gives the loads of a loop, which one of its threads starts,
// a separate warp, which runs ahead (docs/passes.md):
//
//   allocations, tensor maps, barriers
//   if the last warpgroup:  one thread: for each tile: acquire, load, commit
//   else:                   the kernel without the loads
//
// The block gets one more warpgroup, the last. Each role computes what it
// needs.
#include "IR/loops.h"
#include "Transforms/kernel_edit.h"
#include "Transforms/loop_carry.h"
#include "Transforms/roles.h"
#include "Transforms/sm90.h"
#include "Transforms/transforms.h"

#include <stdlib.h>

enum {
  WARP = 32,
  WARPGROUP = 128,
  MOST_THREADS = 384,
  BARRIER = 1, // of the consumers
};

typedef struct Roles {
  CuteKernel *kernel;
  MlirOperation loop;   // whose tiles are loaded
  MlirOperation fetch;  // the scf.if in it that loads them
  MlirOperation ready;  // the gpu.barrier after which pipelines may be used
  CutePointerMap setup; // ops of the block that both roles are behind
  CutePointerMap moves; // ops that a role may have copies of
} Roles;

//===-- Matching ----------------------------------------------------------===//

static bool contains(CuteDialect *dialect, MlirOperation op, CuteOpId id) {
  CuteOpList list = cuteOpListCollect(dialect, op);
  bool found = false;
  for (size_t i = 0; i < list.count; ++i)
    found |= list.decls[i]->id == id;
  cuteOpListDestroy(&list);
  return found;
}

// Finds the loop whose body has an scf.if that fills a stage by TMA.
static bool findFetch(Roles *roles) {
  CuteDialect *dialect = roles->kernel->dialect;
  CuteOps fills = cuteKernelFindOps(roles->kernel, CUTE_OP_PRODUCER_BARRIER);
  for (size_t i = 0; i < fills.count; ++i) {
    MlirOperation branch = mlirOperationGetParentOperation(fills.data[i]);
    MlirOperation loop = mlirOperationGetParentOperation(branch);
    if (!cuteMlirIs(branch, "scf.if") || !cuteMlirIs(loop, "scf.for") ||
        !mlirBlockEqual(mlirOperationGetBlock(loop), roles->kernel->block) ||
        contains(dialect, branch, CUTE_OP_CONSUMER_WAIT))
      continue;
    if (!mlirOperationIsNull(roles->loop))
      cuteKernelFail(roles->kernel, loop, "is the second loop of loads");
    roles->loop = loop;
    roles->fetch = branch;
  }
  free(fills.data);
  return !mlirOperationIsNull(roles->loop) && !roles->kernel->problem.length;
}

// Finds the barrier after the pipelines' barriers have been made.
static bool findReady(Roles *roles) {
  CuteDialect *dialect = roles->kernel->dialect;
  bool made = false;
  for (MlirOperation op = mlirBlockGetFirstOperation(roles->kernel->block);
       !mlirOperationEqual(op, roles->loop);
       op = mlirOperationGetNextInBlock(op)) {
    if (contains(dialect, op, CUTE_OP_INIT_PIPELINE)) {
      made = true;
      roles->ready = (MlirOperation){NULL};
    }
    if (made && mlirOperationIsNull(roles->ready) &&
        cuteMlirIs(op, "gpu.barrier"))
      roles->ready = op;
  }
  return !mlirOperationIsNull(roles->ready) ||
         cuteKernelFail(roles->kernel, roles->loop,
                        "uses a pipeline without a gpu.barrier after its "
                        "barriers are made");
}

static void addSetup(Roles *roles, MlirOperation op);

static MlirWalkResult addOperands(MlirOperation op, void *userData) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirOperation owner = cuteValueGetOp(mlirOperationGetOperand(op, i));
    if (!mlirOperationIsNull(owner))
      addSetup(userData, owner);
  }
  return MlirWalkResultAdvance;
}

// Adds an op of the block and all that it depends on.
static void addSetup(Roles *roles, MlirOperation op) {
  if (!mlirBlockEqual(mlirOperationGetBlock(op), roles->kernel->block) ||
      cutePointerMapGet(&roles->setup, op.ptr))
    return;
  cutePointerMapSet(&roles->setup, op.ptr, op.ptr);
  mlirOperationWalk(op, addOperands, roles, MlirWalkPreOrder);
}

static bool isSetup(CuteDialect *dialect, MlirOperation op) {
  const CuteOpDecl *decl = cuteDialectGetDecl(dialect, op);
  return cuteMlirIs(op, "gpu.shuffle") ||
         contains(dialect, op, CUTE_OP_INIT_PIPELINE) ||
         (decl && (decl->id == CUTE_OP_ALLOC_SMEM ||
                   decl->id == CUTE_OP_MAKE_TMA_ATOM ||
                   decl->id == CUTE_OP_MAKE_PIPELINE_TMA ||
                   decl->id == CUTE_OP_MAKE_PIPELINE_TMA_STORE));
}

static void findSetup(Roles *roles) {
  for (MlirOperation op = mlirBlockGetFirstOperation(roles->kernel->block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if (isSetup(roles->kernel->dialect, op))
      addSetup(roles, op);
  cutePointerMapSet(&roles->setup, roles->ready.ptr, roles->ready.ptr);
}

// Tells whether an op may run in the threads of consumers alone.
static bool mayBeRole(CuteDialect *dialect, MlirOperation op) {
  const CuteOpDecl *decl = cuteDialectGetDecl(dialect, op);
  if (decl)
    return strncmp(decl->group.data, "Collective", decl->group.length) &&
           strncmp(decl->group.data, "Cluster", decl->group.length) &&
           decl->id != CUTE_OP_SET_REGISTERS && decl->id != CUTE_OP_BLOCK_DIM;
  MlirStringRef name = cuteMlirGetName(op);
  if (cuteMlirIs(op, "gpu.block_dim"))
    return false; // which grows
  return cuteMlirStartsWith(name, "scf.") ||
         cuteMlirStartsWith(name, "arith.") ||
         cuteMlirStartsWith(name, "math.") ||
         cuteMlirStartsWith(name, "vector.") || cuteMlirIs(op, "gpu.barrier") ||
         cuteEffectGet(dialect, op) != CUTE_EFFECT_UNKNOWN;
}

static MlirWalkResult checkRole(MlirOperation op, void *userData) {
  CuteKernel *kernel = userData;
  if (mayBeRole(kernel->dialect, op))
    return MlirWalkResultAdvance;
  cuteKernelFail(kernel, op,
                 "may need all threads of the block, but only some of them "
                 "would come to it");
  return MlirWalkResultInterrupt;
}

// Ops of the kernel and of the loop that only compute: roles may have copies.
static void findMoves(Roles *roles) {
  MlirBlock blocks[] = {roles->kernel->block, cuteLoopGetBody(roles->loop)};
  for (size_t i = 0; i < 2; ++i)
    for (MlirOperation op = mlirBlockGetFirstOperation(blocks[i]);
         !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
      bool computes =
          cuteEffectGet(roles->kernel->dialect, op) == CUTE_EFFECT_NONE ||
          cuteMlirStartsWith(cuteMlirGetName(op), "arith.");
      if (computes && !cutePointerMapGet(&roles->setup, op.ptr))
        cutePointerMapSet(&roles->moves, op.ptr, op.ptr);
    }
}

static bool match(Roles *roles) {
  CuteKernel *kernel = roles->kernel;
  if (!findFetch(roles) || !cuteKernelCheckThreads(kernel) || !findReady(roles))
    return false;
  if (kernel->threads % WARPGROUP || kernel->threads + WARPGROUP > MOST_THREADS)
    return cuteKernelFail(kernel, roles->loop,
                          "is in a block of %lld threads; one or two "
                          "warpgroups leave registers for the loads' warp",
                          (long long)kernel->threads);
  findSetup(roles);
  findMoves(roles);
  for (MlirOperation op = mlirBlockGetFirstOperation(kernel->block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if (!cuteMlirIs(op, "gpu.return") && !kernel->problem.length &&
        !cutePointerMapGet(&roles->setup, op.ptr))
      mlirOperationWalk(op, checkRole, kernel, MlirWalkPreOrder);
  return !kernel->problem.length;
}

//===-- The producer ------------------------------------------------------===//

// The number of the carried value that an argument of the loop is; -1: none.
static intptr_t carriedOf(MlirOperation loop, MlirValue value) {
  return mlirValueIsABlockArgument(value) &&
                 mlirBlockEqual(mlirBlockArgumentGetOwner(value),
                                cuteLoopGetBody(loop))
             ? mlirBlockArgumentGetArgNumber(value) - 1
             : -1;
}

// The producer's state that the loop carries: that of the stage it fills.
static intptr_t findFillState(Roles *roles) {
  CuteOps fills = cuteKernelFindOps(roles->kernel, CUTE_OP_PRODUCER_ACQUIRE);
  intptr_t carried = -1;
  for (size_t i = 0; i < fills.count; ++i)
    if (mlirOperationEqual(mlirOperationGetParentOperation(fills.data[i]),
                           roles->fetch))
      carried =
          carriedOf(roles->loop, mlirOperationGetOperand(fills.data[i], 1));
  free(fills.data);
  return carried;
}

// Checks that all that an op within the producer uses is there.
typedef struct Scope {
  Roles *roles;
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
  CuteKernel *kernel = scope->roles->kernel;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    MlirOperation owner = cuteValueGetOp(operand);
    MlirBlock block = mlirOperationIsNull(owner)
                          ? mlirBlockArgumentGetOwner(operand)
                          : mlirOperationGetBlock(owner);
    if (isWithin(scope->block, block) ||
        (mlirBlockEqual(block, kernel->block) &&
         (mlirOperationIsNull(owner) ||
          cutePointerMapGet(&scope->roles->setup, owner.ptr))))
      continue;
    cuteKernelFail(kernel, mlirOperationIsNull(owner) ? op : owner,
                   "computes what a load depends on, but cannot be done by "
                   "the thread that loads");
    return MlirWalkResultInterrupt;
  }
  return MlirWalkResultAdvance;
}

// The loop with nothing but the loads.
static bool buildProducer(Roles *roles, CuteBuilder *b, intptr_t fill) {
  CuteKernel *kernel = roles->kernel;
  MlirOperation old = roles->loop;
  CuteRebuild r = {
      .dialect = kernel->dialect, .builder = b, .moves = &roles->moves};
  MlirValue operands[4];
  MlirType types[4];
  for (intptr_t i = 0; i < 4; ++i) {
    operands[i] =
        cuteRebuildGet(&r, mlirOperationGetOperand(old, i < 3 ? i : 3 + fill));
    types[i] = mlirValueGetType(operands[i]);
  }
  CuteNamedAttribute attributes[] = {
      {"cute.unroll", mlirStringAttrGet(b->context, cuteMlirString("none"))},
      {"unsignedCmp", cuteMlirGetAttribute(old, "unsignedCmp")}};
  MlirOperation loop = cuteBuild(b, (CuteOpSpec){.name = "scf.for",
                                                 .numOperands = 4,
                                                 .operands = operands,
                                                 .numResults = 1,
                                                 .results = types + 3,
                                                 .numAttributes = 2,
                                                 .attributes = attributes,
                                                 .numRegions = 1,
                                                 .withoutBlocks = true});
  MlirLocation locations[] = {b->location, b->location};
  MlirType arguments[] = {types[0], types[3]};
  MlirBlock body = mlirBlockCreate(2, arguments, locations);
  mlirRegionAppendOwnedBlock(mlirOperationGetRegion(loop, 0), body);
  cuteRebuildSet(&r, mlirBlockGetArgument(cuteLoopGetBody(old), 0),
                 mlirBlockGetArgument(body, 0));
  cuteRebuildSet(&r, cuteLoopGetArgument(old, fill),
                 mlirBlockGetArgument(body, 1));
  CuteBuilder inside = cuteBuilderAtStart(body, b->location);
  r.builder = &inside;
  MlirBlock loads =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(roles->fetch, 0));
  MlirOperation end = mlirBlockGetTerminator(loads);
  for (MlirOperation op = mlirBlockGetFirstOperation(loads);
       !mlirOperationEqual(op, end); op = mlirOperationGetNextInBlock(op))
    cuteRebuildOp(&r, op);
  MlirValue next =
      cuteEmit1(&r, CUTE_OP_PIPELINE_ADVANCE, mlirBlockGetArgument(body, 1));
  cuteBuild(
      &inside,
      (CuteOpSpec){.name = "scf.yield", .numOperands = 1, .operands = &next});
  cuteRebuildDestroy(&r);
  if (r.failed)
    return cuteKernelFailOp(kernel, roles->fetch);
  Scope scope = {roles, b->block};
  for (MlirOperation op = mlirBlockGetFirstOperation(b->block);
       !mlirOperationIsNull(op) && !kernel->problem.length;
       op = mlirOperationGetNextInBlock(op))
    mlirOperationWalk(op, checkScope, &scope, MlirWalkPreOrder);
  return !kernel->problem.length;
}

//===-- The consumers -----------------------------------------------------===//

// The kernel's other ops, in their order, without the loads.
static void moveRest(Roles *roles, MlirBlock block, intptr_t fill) {
  MlirOperation end = mlirBlockGetTerminator(block);
  MlirOperation op = mlirBlockGetFirstOperation(roles->kernel->block);
  while (!cuteMlirIs(op, "gpu.return")) {
    MlirOperation next = mlirOperationGetNextInBlock(op);
    bool isRoles = mlirOperationEqual(mlirBlockGetParentOperation(block), op);
    if (!isRoles && !cutePointerMapGet(&roles->setup, op.ptr))
      mlirOperationMoveBefore(op, end);
    op = next;
  }
  mlirOperationDestroy(roles->fetch);
  cuteLoopSetYield(roles->loop, fill, cuteLoopGetArgument(roles->loop, fill));
  cuteKernelRemoveDead(roles->kernel);
  roles->loop = cuteLoopDropCarried(roles->loop, fill);
}

static MlirWalkResult findBarrier(MlirOperation op, void *userData) {
  if (cuteMlirIs(op, "gpu.barrier"))
    cuteOpsPush(userData, op);
  return MlirWalkResultAdvance;
}

// Barriers of the block become barriers of the consumers.
static bool nameBarriers(Roles *roles, MlirOperation branch) {
  CuteOps barriers = {0};
  CutePointerMap none = {0};
  CuteRebuild r = {.dialect = roles->kernel->dialect, .moves = &none};
  mlirOperationWalk(branch, findBarrier, &barriers, MlirWalkPreOrder);
  for (size_t i = 0; i < barriers.count; ++i) {
    CuteBuilder b = cuteBuilderBefore(barriers.data[i]);
    r.builder = &b;
    MlirValue operands[] = {cuteEmitInt(&r, BARRIER),
                            cuteEmitInt(&r, roles->kernel->threads)};
    cuteEmitDo(&r, CUTE_OP_NAMED_BARRIER_SYNC, 2, operands);
    mlirOperationDestroy(barriers.data[i]);
  }
  free(barriers.data);
  return !r.failed || cuteKernelFailOp(roles->kernel, branch);
}

//===-- Both --------------------------------------------------------------===//

// The number of the warp, which the compiler sees to be the same in its
// threads.
static MlirValue emitWarp(CuteKernel *kernel, CuteBuilder *b) {
  CutePointerMap none = {0};
  CuteRebuild r = {.dialect = kernel->dialect, .builder = b, .moves = &none};
  MlirValue thread = mlirOperationGetResult(
      cuteRebuildCreate(&r, CUTE_OP_THREAD_IDX, 0, NULL, 0, NULL), 0);
  return cuteEmitUniform(
      b, cuteBuildBinary(b, "arith.divui", thread, cuteBuildInt(b, 32, WARP)));
}

// One thread of the first warp of the producer's warpgroup.
static CuteBuilder emitElected(Roles *roles, CuteRebuild *r, CuteBuilder b,
                               MlirValue warp) {
  MlirValue isFirst =
      cuteBuildCompare(&b, "arith.cmpi", CUTE_CMPI_EQ, warp,
                       cuteBuildInt(&b, 32, roles->kernel->threads / WARP));
  b = cuteBuilderAtStart(cuteBuildIf(&b, isFirst), b.location);
  r->builder = &b;
  MlirOperation elected =
      cuteRebuildCreate(r, CUTE_OP_ELECT_ONE, 0, NULL, 0, NULL);
  return cuteBuilderAtStart(cuteBuildIf(&b, mlirOperationGetResult(elected, 0)),
                            b.location);
}

static bool build(Roles *roles) {
  CuteKernel *kernel = roles->kernel;
  intptr_t fill = findFillState(roles);
  if (fill < 0)
    return cuteKernelFail(kernel, roles->fetch,
                          "fills a stage that no state of the loop counts");
  CuteBuilder b = cuteBuilderBefore(mlirBlockGetTerminator(kernel->block));
  CutePointerMap none = {0};
  CuteRebuild r = {.dialect = kernel->dialect, .builder = &b, .moves = &none};
  CuteBuilder top = cuteBuilderBefore(roles->ready);
  MlirValue warp = emitWarp(kernel, &top);
  MlirValue isProducer =
      cuteBuildCompare(&top, "arith.cmpi", CUTE_CMPI_UGE, warp,
                       cuteBuildInt(&top, 32, kernel->threads / WARP));
  addSetup(roles, mlirOpResultGetOwner(isProducer));
  MlirBlock consumer;
  MlirBlock producer = cuteBuildIfElse(&b, isProducer, &consumer);
  CuteBuilder atProducer = cuteBuilderAtStart(producer, b.location);
  CuteBuilder elected = emitElected(roles, &r, atProducer, warp);
  if (!buildProducer(roles, &elected, fill))
    return false;
  moveRest(roles, consumer, fill);
  MlirOperation branch = mlirBlockGetParentOperation(consumer);
  if (!nameBarriers(roles, branch))
    return false;
  if (kernel->threads + WARPGROUP == MOST_THREADS) {
    cuteRolesSetRegisters(&r, producer, consumer);
  }
  cuteKernelSetThreads(kernel, kernel->threads + WARPGROUP);
  cuteMlirSetAttribute(kernel->function, "nvvm.minctasm",
                       cuteIntAttr(&b, 32, 1));
  return !r.failed || cuteKernelFailOp(kernel, branch);
}

CuteEditResult cuteSpecializeEdit(CuteKernel *kernel, void *data) {
  (void)data;
  Roles roles = {.kernel = kernel};
  bool ok = match(&roles);
  MlirLocation location =
      ok ? mlirOperationGetLocation(roles.loop) : kernel->location;
  ok = ok && build(&roles);
  if (ok)
    cuteKernelNote(kernel, location,
                   "a separate warp loads the loop's tiles now; the block "
                   "has %lld threads",
                   (long long)kernel->threads);
  cutePointerMapDestroy(&roles.setup);
  cutePointerMapDestroy(&roles.moves);
  return ok ? CUTE_EDIT_DONE : CUTE_EDIT_NONE;
}

bool cuteRunSpecialize(CuteDialect *dialect, MlirOperation root,
                       const CutePassOptions *options) {
  (void)options;
  cuteKernelsEdit(dialect, root, "loads stay with the threads that compute",
                  cuteSpecializeEdit, NULL);
  return true;
}
