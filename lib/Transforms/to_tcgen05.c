// cute-tcgen05: products of tiles that TMA loads are made in tensor memory
// (docs/passes.md). One thread starts them; others take the sums from there
// after the loop, divided by the plain MMA in another arrangement, and with
// them all that is partitioned by it:
//
//   one thread: acquire sums; loop: wait for a stage; multiply; release it;
//               commit the sums
//   the others: wait for the sums; load them; release them; the kernel's rest
//
// The products get a warp of their own, as the loads do (specialize.c).
#include "Transforms/loop_carry.h"
#include "Transforms/roles.h"
#include "Transforms/sm90.h"
#include "Transforms/tensor_sums.h"
#include "Transforms/transforms.h"

#include <stdlib.h>

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
        cuteRolesContain(kernel->dialect, cuteMlirGetBody(op, 0),
                         CUTE_OP_PRODUCER_BARRIER))
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

// Checks that a round does nothing but load and multiply, and that all that
// loads bring is for the products of the loop.
static bool checkRounds(Tensor *t) {
  CuteKernel *kernel = t->kernel;
  CUTE_FOR_OPS(op, cuteLoopGetBody(t->loop)) {
    if (mlirOperationEqual(op, t->loads) || isOfProducts(t, op) ||
        isOfStage(kernel->dialect, op) || cuteMlirIs(op, "scf.yield") ||
        cuteEffectGet(kernel->dialect, op) == CUTE_EFFECT_NONE)
      continue;
    return cuteKernelFail(kernel, op,
                          "is done in each round beside products, which one "
                          "thread starts with tcgen05; do it before or after "
                          "the loop");
  }
  CuteOps waits = cuteKernelFindOps(kernel, CUTE_OP_CONSUMER_WAIT);
  for (size_t i = 0; i < waits.count; ++i)
    if (!mlirOperationEqual(mlirOperationGetParentOperation(waits.data[i]),
                            t->loop))
      cuteKernelFail(kernel, waits.data[i],
                     "waits for a tile that is copied before the loop, which "
                     "products by tcgen05 do not take yet");
  free(waits.data);
  return !kernel->problem.length;
}

//===-- Products ----------------------------------------------------------===//

// A product of descriptors, whose first round begins the sums.
static void emitProduct(Tensor *t, CuteRebuild *r, size_t i, MlirValue stage) {
  const CuteProduct *p = &t->products->data[i];
  const CuteBuilder *b = r->builder;
  MlirValue index = mlirBlockGetArgument(cuteLoopGetBody(t->loop), 0);
  MlirValue mma = cuteEmit1(
      r, CUTE_OP_MAKE_TILED_MMA,
      cuteBuildStatic(b, r->dialect,
                      cuteTypeGetMmaAtom(r->dialect->context, p->atom)));
  MlirValue zero = cuteEmitInt(r, 0);
  if (r->failed)
    return;
  MlirValue sums =
      cuteEmitSliceLast(r, cuteTensorSumsEmit(&t->sums, r, i), stage);
  MlirValue adds = t->sums.places[i].isFirst
                       ? cuteBuildCompare(b, "arith.cmpi", CUTE_CMPI_NE, index,
                                          mlirOperationGetOperand(t->loop, 0))
                       : cuteBuildInt(b, 1, 1);
  MlirValue a = cuteProductsEmitTile(r, mma, p->tileA, zero, true);
  MlirValue operands[] = {
      mma,  sums, a, cuteProductsEmitTile(r, mma, p->tileB, zero, false),
      sums, adds};
  if (!r->failed)
    cuteEmitDo(r, CUTE_OP_GEMM, 6, operands);
}

// Has one thread wait for stages, multiply, and release them.
static bool emitRounds(Tensor *t, CuteRebuild *r) {
  CuteKernel *kernel = t->kernel;
  MlirBlock body = cuteLoopGetBody(t->loop);
  MlirOperation last = {NULL};
  CUTE_FOR_OPS(op, body)
    if (cuteDialectIsOp(kernel->dialect, op, CUTE_OP_CONSUMER_RELEASE))
      last = op;
  CuteBuilder before = cuteBuilderBefore(t->loop);
  r->builder = &before;
  MlirValue stage = cuteEmit1(r, CUTE_OP_PIPELINE_STAGE, t->sums.fill);
  CuteBuilder b = cuteBuilderBefore(last);
  MlirBlock block = cuteBuildIf(&b, t->isFirst);
  CuteBuilder inside = cuteBuilderAtStart(block, b.location);
  MlirOperation end = mlirBlockGetTerminator(block), next;
  for (MlirOperation op = mlirBlockGetFirstOperation(body);
       !mlirOperationIsNull(op) && !r->failed; op = next) {
    next = mlirOperationGetNextInBlock(op);
    if (isOfStage(kernel->dialect, op))
      mlirOperationMoveBefore(op, end);
    for (size_t i = 0; i < t->products->count; ++i)
      if (mlirOperationEqual(op, t->products->data[i].gemm)) {
        inside = cuteBuilderBefore(end);
        r->builder = &inside;
        emitProduct(t, r, i, stage);
      }
  }
  return !r->failed || cuteKernelFailOp(kernel, t->loop);
}

// Has that thread take sums before the loop, and give them to the others when
// all products are complete.
static void emitCommit(Tensor *t, CuteRebuild *r) {
  MlirValue operands[] = {t->sums.pipeline, t->sums.fill};
  CuteBuilder b = cuteBuilderBefore(t->loop);
  CuteBuilder inside =
      cuteBuilderAtStart(cuteBuildIf(&b, t->isFirst), b.location);
  r->builder = &inside;
  cuteEmitDo(r, CUTE_OP_PRODUCER_ACQUIRE, 2, operands);
  cuteTensorSumsFence(r, "after");
  b = cuteBuilderBefore(mlirOperationGetNextInBlock(t->loop));
  inside = cuteBuilderAtStart(cuteBuildIf(&b, t->isFirst), b.location);
  r->builder = &inside;
  cuteEmitDo(r, CUTE_OP_PRODUCER_COMMIT, 2, operands);
  cuteTensorSumsWait(&t->sums, r, b.before);
}

//===-- All of it ---------------------------------------------------------===//

// Has the MMAs of the products, where anything else depends on them, divide
// sums in another way.
static bool redivide(Tensor *t, CuteRebuild *r, CuteRetype *retype) {
  bool ok = true;
  for (size_t i = 0; i < t->products->count; ++i)
    mlirOperationDestroy(t->products->data[i].gemm);
  cuteProductsRemoveCopies(t->products);
  CuteOps left = cuteKernelFindOps(t->kernel, CUTE_OP_MAKE_TILED_MMA);
  for (size_t i = 0; ok && i < t->products->count; ++i)
    if (cuteOpsContain(&left, t->products->data[i].mma))
      ok = cuteProductsEmitMma(t->products, &t->products->data[i], r, retype);
  free(left.data);
  return ok;
}

static bool rewrite(Tensor *t) {
  CuteKernel *kernel = t->kernel;
  CutePointerMap none = {0};
  CuteRebuild r = {.dialect = kernel->dialect, .moves = &none};
  CuteRetype retype = cuteRetypeBegin(kernel->dialect);
  bool ok = cuteTensorSumsBegin(&t->sums, &r) && emitRounds(t, &r);
  if (ok) {
    emitCommit(t, &r);
    ok = !r.failed || cuteKernelFailOp(kernel, t->loop);
  }
  ok = ok && redivide(t, &r, &retype);
  if (!ok) {
    cuteRetypeDestroy(&retype);
    return false;
  }
  return cuteProductsRedivide(t->products, &retype) &&
         cuteTensorSumsLoad(&t->sums, &r);
}

static void note(Tensor *t, MlirLocation location) {
  for (size_t i = 0; i < t->products->count; ++i)
    cuteKernelNote(t->kernel, location,
                   "tcgen05.mma multiplies now, in %lld columns of tensor "
                   "memory, from where %lld warps take the sums: %s",
                   (long long)cuteTensorSumsCountColumns(&t->sums),
                   (long long)t->products->warpgroups * 4,
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

CuteEditResult cuteTcgen05Edit(CuteKernel *kernel, void *data) {
  CuteSchedule schedule;
  const CuteSchedule *given = data;
  CuteProducts products = {
      .kernel = kernel, .isTensor = true, .arch = given->arch};
  Tensor t = {.kernel = kernel, .products = &products};
  bool ok = cuteScheduleRead(kernel, given, &schedule) && match(&t, &schedule);
  MlirLocation location =
      ok ? mlirOperationGetLocation(products.data[0].gemm) : kernel->location;
  ok = ok && rewrite(&t);
  if (ok)
    note(&t, location);
  cuteTensorSumsDestroy(&t.sums);
  cuteProductsDestroy(&products);
  return ok ? CUTE_EDIT_DONE : CUTE_EDIT_NONE;
}

// Both steps, as products are no kernel before they have their own warp.
static CuteEditResult multiplyApart(CuteKernel *kernel, void *data) {
  return cuteTcgen05Edit(kernel, data) == CUTE_EDIT_DONE
             ? cuteSpecializeEdit(kernel, data)
             : CUTE_EDIT_NONE;
}

bool cuteRunTcgen05(CuteDialect *dialect, MlirOperation root,
                    const CutePassOptions *options) {
  CuteSchedule schedule = {
      .arch = cuteArchFind(cutePassOptionGet(options, "arch", "sm_100a"))};
  if (!cuteScheduleTakeOption(root, options, "cute-tcgen05", "warpgroups", 1, 2,
                              &schedule.warpgroups))
    return false;
  if (!schedule.arch ||
      !cuteArchHasFeature(schedule.arch, CUTE_FEATURE_TCGEN05))
    return true;
  cuteKernelsEdit(dialect, root, "mma.sync still multiplies", multiplyApart,
                  &schedule);
  return true;
}
