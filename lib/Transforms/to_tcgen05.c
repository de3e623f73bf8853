// cute-tcgen05: products of tiles that TMA loads are made in tensor memory
// (docs/passes.md). One thread starts them; others take the sums from there
// after the loop, divided by the plain MMA in another arrangement, and with
// them all that is partitioned by it:
//
//   one thread: acquire sums; loop: wait for a stage; multiply; release it;
//               commit the sums
//   the others: wait for the sums; load them; release them; the kernel's rest
//
// Where a round does something with its own sums, both are done in each.
//
// The products get a warp of their own, as the loads do (specialize.c).
#include "Transforms/loop_carry.h"
#include "Transforms/sm90.h"
#include "Transforms/tensor_sums.h"
#include "Transforms/transforms.h"

typedef struct Tensor {
  CuteKernel *kernel;
  CuteProducts *products;
  CuteTensorSums sums;
  MlirOperation loop, loads; // loads: the scf.if in it that starts them
  MlirValue isFirst;         // its condition
} Tensor;

//===-- Matching ----------------------------------------------------------===//

// Finds the loop of all products, and its loads.
static bool findLoop(Tensor *t) {
  CuteKernel *kernel = t->kernel;
  t->loop = mlirOperationGetParentOperation(t->products->data[0].gemm);
  for (size_t i = 0; i < t->products->count; ++i) {
    MlirOperation gemm = t->products->data[i].gemm;
    if (!cuteMlirIs(t->loop, "scf.for") ||
        !mlirOperationEqual(mlirOperationGetParentOperation(gemm), t->loop))
      return cuteKernelFail(kernel, gemm,
                            "is not in the one loop of products that becomes "
                            "tcgen05.mma");
  }
  CUTE_FOR_OPS(op, cuteLoopGetBody(t->loop))
    if (cuteMlirIs(op, "scf.if") &&
        cuteOpListHas(kernel->dialect, op, CUTE_OP_PRODUCER_BARRIER))
      t->loads = op;
  if (mlirOperationIsNull(t->loads))
    return cuteKernelFail(kernel, t->loop, "loads no tiles by TMA");
  t->isFirst = mlirOperationGetOperand(t->loads, 0);
  return true;
}

static bool isOfProducts(const Tensor *t, MlirOperation op) {
  for (size_t i = 0; i < t->products->count; ++i) {
    const CuteProduct *p = &t->products->data[i];
    if (mlirOperationEqual(op, p->gemm) || mlirOperationEqual(op, p->copyA) ||
        mlirOperationEqual(op, p->copyB))
      return true;
  }
  return false;
}

static bool isOfStage(CuteDialect *dialect, MlirOperation op) {
  return cuteDialectIsOp(dialect, op, CUTE_OP_CONSUMER_WAIT) ||
         cuteDialectIsOp(dialect, op, CUTE_OP_CONSUMER_RELEASE);
}

// Tells whether an op of a round is not done for its products.
static bool isOther(const Tensor *t, MlirOperation op) {
  CuteDialect *dialect = t->kernel->dialect;
  return !mlirOperationEqual(op, t->loads) && !isOfProducts(t, op) &&
         !isOfStage(dialect, op) && !cuteMlirIs(op, "scf.yield") &&
         cuteEffectGet(dialect, op) != CUTE_EFFECT_NONE;
}

// Looks for what a round does with its sums. They are one round's then, and
// nothing else happens between products.
static bool checkOthers(Tensor *t) {
  MlirOperation first = t->products->data[0].gemm;
  MlirOperation last = t->products->data[t->products->count - 1].gemm;
  CUTE_FOR_OPS(op, cuteLoopGetBody(t->loop)) {
    if (!isOther(t, op))
      continue;
    t->sums.eachRound = true;
    if (mlirOperationIsBeforeInBlock(first, op) &&
        mlirOperationIsBeforeInBlock(op, last))
      return cuteKernelFail(t->kernel, op,
                            "is done between products of a round, which one "
                            "thread starts together with tcgen05; do it before "
                            "or after them");
  }
  return true;
}

// Checks that all that loads bring is for the products of the loop.
static bool checkRounds(Tensor *t) {
  CuteKernel *kernel = t->kernel;
  if (!checkOthers(t))
    return false;
  CUTE_FOR_NESTED(op, kernel->function)
    if (cuteDialectIsOp(kernel->dialect, op, CUTE_OP_CONSUMER_WAIT) &&
        !mlirOperationEqual(mlirOperationGetParentOperation(op), t->loop))
      cuteKernelFail(kernel, op,
                     "waits for a tile that is copied before the loop, which "
                     "tcgen05 products do not support yet");
  return !kernel->problem.length;
}

//===-- Products ----------------------------------------------------------===//

// Tells whether a product adds to sums: to those of another one of the round,
// or of the rounds before.
static MlirValue emitAdds(Tensor *t, const CuteBuilder *b, size_t i) {
  MlirValue index = mlirBlockGetArgument(cuteLoopGetBody(t->loop), 0);
  if (!t->sums.places[i].isFirst || t->sums.eachRound)
    return cuteBuildInt(b, 1, !t->sums.places[i].isFirst);
  return cuteBuildCompare(b, "arith.cmpi", CUTE_CMPI_NE, index,
                          mlirOperationGetOperand(t->loop, 0));
}

// A product of descriptors.
static void emitProduct(Tensor *t, CuteRebuild *r, size_t i, MlirValue stage) {
  const CuteProduct *p = &t->products->data[i];
  CuteType atom = cuteTypeGetMmaAtom(r->dialect->context, p->atom);
  MlirValue mma = cuteEmit1(r, CUTE_OP_MAKE_TILED_MMA, cuteEmitStatic(r, atom));
  MlirValue zero = cuteEmitInt(r, 0);
  if (r->failed)
    return;
  MlirValue sums =
      cuteEmitSliceLast(r, cuteTensorSumsEmit(&t->sums, r, i), stage);
  MlirValue a = cuteProductsEmitTile(r, mma, p->tileA, zero, true);
  MlirValue operands[] = {
      mma,  sums,
      a,    cuteProductsEmitTile(r, mma, p->tileB, zero, false),
      sums, emitAdds(t, &r->builder, i)};
  if (!r->failed)
    cuteEmitDo(r, CUTE_OP_GEMM, 6, operands);
}

static void emitAcquire(Tensor *t, CuteRebuild *r) {
  cuteEmitDo(r, CUTE_OP_PRODUCER_ACQUIRE,
             CUTE_VALUES(t->sums.pipeline, t->sums.fill));
  cuteTensorSumsFence(r, "after");
}

static void emitCommit(Tensor *t, CuteRebuild *r) {
  cuteEmitDo(r, CUTE_OP_PRODUCER_COMMIT,
             CUTE_VALUES(t->sums.pipeline, t->sums.fill));
}

// Has one thread wait for stages, multiply, and release them, in a branch
// before the first product.
static MlirBlock emitRound(Tensor *t, CuteRebuild *r) {
  CuteKernel *kernel = t->kernel;
  r->builder = cuteBuilderBefore(t->products->data[0].gemm);
  MlirValue stage = cuteEmit1(r, CUTE_OP_PIPELINE_STAGE, t->sums.fill);
  MlirBlock block = cuteBuildIf(&r->builder, t->isFirst).block;
  MlirOperation end = mlirBlockGetTerminator(block), next;
  for (MlirOperation op = mlirBlockGetFirstOperation(cuteLoopGetBody(t->loop));
       !mlirOperationIsNull(op) && !r->failed; op = next) {
    next = mlirOperationGetNextInBlock(op);
    if (isOfStage(kernel->dialect, op))
      mlirOperationMoveBefore(op, end);
    for (size_t i = 0; i < t->products->count; ++i)
      if (mlirOperationEqual(op, t->products->data[i].gemm)) {
        r->builder = cuteBuilderBefore(end);
        emitProduct(t, r, i, stage);
      }
  }
  return block;
}

// Has the loop carry a state, which advances in each round.
static MlirValue carry(Tensor *t, CuteRebuild *r, MlirValue state) {
  t->loop = t->sums.loop = cuteLoopAddCarried(t->loop, state);
  intptr_t i = mlirOperationGetNumResults(t->loop) - 1;
  r->builder =
      cuteBuilderBefore(mlirBlockGetTerminator(cuteLoopGetBody(t->loop)));
  state = cuteLoopGetArgument(t->loop, i);
  cuteLoopSetYield(t->loop, i, cuteEmit1(r, CUTE_OP_PIPELINE_ADVANCE, state));
  return state;
}

// Has that thread take sums in each round and give them to the others, who take
// them in front of what the round does with them.
static bool emitEachRound(Tensor *t, CuteRebuild *r) {
  t->sums.fill = carry(t, r, t->sums.fill);
  t->sums.drain = carry(t, r, t->sums.drain);
  MlirBlock block = emitRound(t, r);
  r->builder = cuteBuilderAtStart(block, mlirOperationGetLocation(t->loop));
  emitAcquire(t, r);
  r->builder = cuteBuilderBefore(mlirBlockGetTerminator(block));
  emitCommit(t, r);
  cuteTensorSumsWait(&t->sums, r, t->products->data[0].gemm);
  return !r->failed || cuteKernelFailOp(t->kernel, t->loop);
}

// Has that thread take sums before the loop, and give them to the others when
// all products are complete.
static bool emitLoop(Tensor *t, CuteRebuild *r) {
  if (t->sums.eachRound)
    return emitEachRound(t, r);
  emitRound(t, r);
  r->builder = cuteBuilderBefore(t->loop);
  cuteEmitEnterIf(r, t->isFirst);
  emitAcquire(t, r);
  MlirOperation after = mlirOperationGetNextInBlock(t->loop);
  r->builder = cuteBuilderBefore(after);
  cuteEmitEnterIf(r, t->isFirst);
  emitCommit(t, r);
  cuteTensorSumsWait(&t->sums, r, after);
  return !r->failed || cuteKernelFailOp(t->kernel, t->loop);
}

//===-- All of it ---------------------------------------------------------===//

// Has the MMAs of the products, where anything else depends on them, divide
// sums in another way.
static bool redivide(Tensor *t, CuteRebuild *r, CuteRetype *retype) {
  bool ok = true;
  for (size_t i = 0; i < t->products->count; ++i)
    mlirOperationDestroy(t->products->data[i].gemm);
  cuteProductsRemoveCopies(t->products);
  CUTE_SCOPED(Ops) left = cuteKernelFindOps(t->kernel, CUTE_OP_MAKE_TILED_MMA);
  for (size_t i = 0; ok && i < t->products->count; ++i)
    if (cuteOpsContain(&left, t->products->data[i].mma))
      ok = cuteProductsEmitMma(t->products, &t->products->data[i], r, retype);
  return ok;
}

static bool rewrite(Tensor *t) {
  CuteKernel *kernel = t->kernel;
  CuteRebuild r = {.dialect = kernel->dialect};
  CUTE_SCOPED(Retype) retype = cuteRetypeBegin(kernel->dialect);
  return cuteTensorSumsBegin(&t->sums, &r) && emitLoop(t, &r) &&
         redivide(t, &r, &retype) &&
         cuteProductsRedivide(t->products, &retype) &&
         cuteTensorSumsLoad(&t->sums, &r);
}

static void note(Tensor *t, MlirLocation location) {
  for (size_t i = 0; i < t->products->count; ++i)
    cuteKernelNote(t->kernel, location,
                   "tcgen05.mma multiplies, in %jd columns of tensor memory, "
                   "whose sums %jd warps read: %s",
                   cuteTensorSumsCountColumns(&t->sums),
                   t->products->warpgroups * 4,
                   t->products->data[i].atom->name);
}

static bool match(Tensor *t, const CuteSchedule *schedule) {
  if (!cuteProductsMatch(t->products, schedule->warpgroups) ||
      !cuteProductsCheck(t->products) || !findLoop(t) || !checkRounds(t))
    return false;
  t->sums.products = t->products;
  t->sums.loop = t->loop;
  return cuteTensorSumsPlace(&t->sums, schedule->persist == 2 ? 1 : 2);
}

bool cuteTcgen05Edit(CuteKernel *kernel, void *data) {
  CuteSchedule schedule;
  const CuteSchedule *given = data;
  CUTE_SCOPED(Products)
  products = {.kernel = kernel, .isTensor = true, .arch = given->arch};
  Tensor t = {.kernel = kernel, .products = &products};
  bool ok = cuteScheduleRead(kernel, given, &schedule) && match(&t, &schedule);
  MlirLocation location =
      ok ? mlirOperationGetLocation(products.data[0].gemm) : kernel->location;
  ok = ok && rewrite(&t);
  if (ok)
    note(&t, location);
  cuteTensorSumsDestroy(&t.sums);
  return ok;
}

// Both steps, as products are no kernel before they have their own warp.
static bool multiplyApart(CuteKernel *kernel, void *data) {
  return cuteTcgen05Edit(kernel, data) && cuteSpecializeEdit(kernel, data);
}

bool cuteRunTcgen05(const CutePass *pass) {
  CuteSchedule schedule = {
      .arch = cuteArchFind(cutePassGetOption(pass, "arch", "sm_100a"))};
  if (!cuteScheduleTakeOptions(pass, "cute-tcgen05", &schedule))
    return false;
  if (!schedule.arch ||
      !cuteArchHasFeature(schedule.arch, CUTE_FEATURE_TCGEN05))
    return true;
  return cuteKernelsEdit(pass, "mma.sync still multiplies", multiplyApart,
                         &schedule);
}
