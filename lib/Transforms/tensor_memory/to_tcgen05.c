// cute-tcgen05: products of tiles that TMA loads are made in tensor memory
// (docs/passes.md). One thread starts them; others take the sums from there
// after the loop, divided by the plain MMA in another arrangement, and with
// them all that is partitioned by it:
//
//   one thread: acquire sums; loop: wait for a stage; multiply; release it;
//               commit the sums
//   the others: wait for the sums; load them; release them; the kernel's rest
//
// Where a round does something with its own sums, both are done in each. Where
// products take what threads compute, these have their sums first: they leave A
// in tensor memory, or an operand in shared memory, and the sums with what they
// have done to them, before they release them.
//
// The products get a warp of their own, as the loads do (specialize.c).
#include "Hardware/mma_family.h"
#include "Transforms/edit/loop_carry.h"
#include "Transforms/sm90.h"
#include "Transforms/tensor_memory/tensor_sums.h"

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
  t->isFirst = getOperand(t->loads, 0);
  t->sums.loop = t->loop;
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

static bool isOtherBetween(const Tensor *t, MlirOperation from,
                           MlirOperation to) {
  while (!mlirOperationEqual(from, to) && !isOther(t, from))
    from = mlirOperationGetNextInBlock(from);
  return !mlirOperationEqual(from, to);
}

// Decides when threads have the sums of a run.
static CuteSumsUse useOf(Tensor *t, const CuteSumsRun *run, bool isAlone) {
  CuteSumsUse use = isAlone ? CUTE_SUMS_LAST : CUTE_SUMS_ROUND;
  for (size_t i = run->first; i < run->end; ++i)
    if (cuteProductsWaitsForThreads(t->products, i) ||
        (!isAlone && !cuteTensorSumsBeginEachRound(&t->sums, i)))
      use = CUTE_SUMS_TURNS;
  return use;
}

// Parts the products where a round does something else between them.
static bool findRuns(Tensor *t) {
  CuteTensorSums *s = &t->sums;
  const CuteProduct *data = t->products->data;
  MlirBlock body = cuteLoopGetBody(t->loop);
  bool isAlone = !isOtherBetween(t, mlirBlockGetFirstOperation(body),
                                 mlirBlockGetTerminator(body));
  s->runs = cuteTaskAllocate((t->products->count + 1) * sizeof *s->runs);
  for (size_t i = 0; i < t->products->count; ++i) {
    if (!i || isOtherBetween(t, data[i - 1].gemm, data[i].gemm))
      s->runs[s->numRuns++] = (CuteSumsRun){.first = i};
    CuteSumsRun *run = &s->runs[s->numRuns - 1];
    run->end = i + 1;
    for (size_t j = 0; j < run->first; ++j)
      if (mlirValueEqual(cuteTensorSumsGetFragment(s, i),
                         cuteTensorSumsGetFragment(s, j)))
        return cuteKernelFail(t->kernel, data[i].gemm,
                              "adds to the sums of a product of its round, "
                              "with something else between both; add to "
                              "others, or multiply one after the other");
  }
  for (size_t k = 0; k < s->numRuns; ++k)
    s->runs[k].use = useOf(t, &s->runs[k], isAlone);
  return true;
}

// Checks that stages are waited for in the loop, or beside it.
static bool checkRounds(Tensor *t) {
  CuteKernel *kernel = t->kernel;
  CUTE_FOR_NESTED(op, kernel->function)
    if (isOfStage(kernel->dialect, op) &&
        !mlirOperationEqual(mlirOperationGetParentOperation(op), t->loop) &&
        !mlirBlockEqual(mlirOperationGetBlock(op),
                        mlirOperationGetBlock(t->loop)))
      cuteKernelFail(
          kernel, op,
          "is in a branch or in another loop than the products by tcgen05");
  return !kernel->problem;
}

// Checks that threads write a tile that TMA loads, too, when they know that it
// is there: when they have sums of a product of it, before product `end`.
static bool checkWrites(Tensor *t, size_t end, MlirOperation alloc) {
  CuteKernel *kernel = t->kernel;
  MlirValue root = getResult(alloc, 0);
  bool isKnown = !cuteTensorSumsIsLoaded(kernel, alloc);
  CUTE_FOR_OPS(op, cuteLoopGetBody(t->loop)) {
    for (size_t i = 0; i < end; ++i) {
      const CuteProduct *p = &t->products->data[i];
      isKnown |= mlirOperationEqual(p->gemm, op) &&
                 (cuteViewIsOf(kernel->dialect, p->tileA, CUTE_SMEM, root) ||
                  cuteViewIsOf(kernel->dialect, p->tileB, CUTE_SMEM, root));
    }
    if (!isKnown && !mlirOperationEqual(op, t->loads) &&
        cuteTensorSumsWrites(kernel, op, root))
      return cuteKernelFail(kernel, op,
                            "writes a tile that TMA loads, for a product that "
                            "another thread starts; write it after a product "
                            "of the round that reads the tile");
  }
  return true;
}

static bool checkOperands(Tensor *t) {
  for (size_t k = 0; k < t->sums.numRuns; ++k)
    for (size_t i = t->sums.runs[k].first; i < t->sums.runs[k].end; ++i)
      for (int isB = 0; isB < 2; ++isB) {
        MlirOperation alloc = t->sums.places[i].written[isB];
        if (!mlirOperationIsNull(alloc) &&
            !checkWrites(t, t->sums.runs[k].first, alloc))
          return false;
      }
  return true;
}

//===-- Products ----------------------------------------------------------===//

// Tells whether a product adds to sums of another product of the round, or of
// earlier rounds.
static MlirValue emitAdds(Tensor *t, const CuteBuilder *b, size_t i,
                          CuteSumsUse use) {
  MlirValue index = mlirBlockGetArgument(cuteLoopGetBody(t->loop), 0);
  if (!t->sums.places[i].isFirst || use != CUTE_SUMS_LAST)
    return cuteBuildInt(b, 1,
                        !t->sums.places[i].isFirst || use == CUTE_SUMS_TURNS);
  return cuteBuildCompare(b, CUTE_CMPI_NE, index, getOperand(t->loop, 0));
}

// A of a product: descriptors of its tile, or what threads leave in tensor
// memory, where a fragment is a place without an address.
static MlirValue emitA(Tensor *t, CuteRebuild *r, size_t i,
                       const CuteSumsRun *run, MlirValue mma) {
  const CuteProduct *p = &t->products->data[i];
  MlirValue zero = cuteEmitInt(r, 0);
  if (!mlirValueIsNull(p->tileA))
    return cuteProductsEmitTile(r, mma, p->tileA, zero, true);
  MlirValue address = cuteTensorSumsEmitAddress(
      &t->sums, r, run->column + t->sums.places[i].columnA);
  MlirValue tile =
      cuteTensorSumsEmitTile(r, p->atom->a, address, p->rows, p->depth);
  MlirValue place = cuteProductsEmitTile(r, mma, tile, zero, true);
  return cuteEmit2(r, CUTE_OP_MAKE_TENSOR, cuteEmit1(r, CUTE_OP_GET_ITER, tile),
                   cuteEmit1(r, CUTE_OP_GET_LAYOUT, place));
}

static void emitProduct(Tensor *t, CuteRebuild *r, size_t i,
                        const CuteSumsRun *run) {
  const CuteProduct *p = &t->products->data[i];
  CuteType atom = cuteTypeGetMmaAtom(r->dialect->context, p->atom);
  MlirValue mma = cuteEmit1(r, CUTE_OP_MAKE_TILED_MMA, cuteEmitStatic(r, atom));
  MlirValue stage = cuteEmit1(r, CUTE_OP_PIPELINE_STAGE, run->fill.now);
  if (r->failed)
    return;
  MlirValue sums =
      cuteEmitSliceLast(r, cuteTensorSumsEmit(&t->sums, r, i), stage);
  MlirValue a = emitA(t, r, i, run, mma);
  MlirValue b =
      cuteProductsEmitTile(r, mma, p->tileB, cuteEmitInt(r, 0), false);
  MlirValue operands[] = {mma, sums, a,
                          b,   sums, emitAdds(t, &r->builder, i, run->use)};
  if (!r->failed)
    cuteEmitDo(r, CUTE_OP_GEMM, 6, operands);
}

static void emitAcquire(CuteRebuild *r, const CuteSumsRun *run,
                        MlirValue state) {
  cuteEmitDo(r, CUTE_OP_PRODUCER_ACQUIRE, CUTE_VALUES(run->pipeline, state));
  cuteTensorSumsFence(r, "after");
}

static void emitCommit(CuteRebuild *r, const CuteSumsRun *run,
                       MlirValue state) {
  cuteEmitDo(r, CUTE_OP_PRODUCER_COMMIT, CUTE_VALUES(run->pipeline, state));
}

// Emits what the thread does for a product: in each round, but where threads
// take the sums after the loop, it acquires its run's before the first product
// and commits them after the last one.
static void emitTurn(Tensor *t, CuteRebuild *r, size_t i) {
  const CuteSumsRun *run = t->sums.runs;
  while (i >= run->end)
    ++run;
  bool isRound = run->use != CUTE_SUMS_LAST;
  if (isRound && i == run->first)
    emitAcquire(r, run, run->fill.now);
  emitProduct(t, r, i, run);
  if (isRound && i + 1 == run->end)
    emitCommit(r, run, run->fill.now);
}

// Has one thread wait for stages, multiply, and release them, in a branch
// before the last product.
static void emitRound(Tensor *t, CuteRebuild *r) {
  CuteProducts *products = t->products;
  CuteBuilder b = cuteBuilderBefore(products->data[products->count - 1].gemm);
  MlirBlock block = cuteBuildIf(&b, t->isFirst).block;
  MlirOperation end = mlirBlockGetTerminator(block), next;
  for (MlirOperation op = mlirBlockGetFirstOperation(cuteLoopGetBody(t->loop));
       !mlirOperationIsNull(op) && !r->failed; op = next) {
    next = mlirOperationGetNextInBlock(op);
    if (isOfStage(t->kernel->dialect, op))
      mlirOperationMoveBefore(op, end);
    for (size_t i = 0; i < products->count; ++i)
      if (mlirOperationEqual(op, products->data[i].gemm)) {
        r->builder = cuteBuilderBefore(end);
        emitTurn(t, r, i);
      }
  }
}

// Has that thread wait for stages, and release them, outside of the loop.
static void encloseStages(Tensor *t) {
  CUTE_FOR_MOVED_OPS(op, mlirOperationGetBlock(t->loop)) {
    if (!isOfStage(t->kernel->dialect, op))
      continue;
    CuteBuilder b = cuteBuilderBefore(op);
    mlirOperationMoveBefore(
        op, mlirBlockGetTerminator(cuteBuildIf(&b, t->isFirst).block));
  }
}

// Has the loop carry a state, which advances in each round.
static void carry(Tensor *t, CuteRebuild *r, CuteSumsState *state,
                  MlirValue start) {
  t->loop = t->sums.loop = cuteLoopAddCarried(t->loop, start);
  state->carried = getNumResults(t->loop) - 1;
  state->now = cuteLoopGetArgument(t->loop, state->carried);
  r->builder =
      cuteBuilderBefore(mlirBlockGetTerminator(cuteLoopGetBody(t->loop)));
  state->next = cuteEmit1(r, CUTE_OP_PIPELINE_ADVANCE, state->now);
  cuteLoopSetYield(t->loop, state->carried, state->next);
}

// Begins the states of a run. That thread takes sums before the loop, for its
// products, or to give them to the others, which have them first then.
static void beginRun(Tensor *t, CuteRebuild *r, CuteSumsRun *run) {
  run->fill.carried = run->drain.carried = -1;
  run->fill.now = run->fill.start;
  r->builder = cuteBuilderBefore(t->loop);
  MlirValue start = run->fill.start;
  if (run->use != CUTE_SUMS_ROUND) {
    CuteBuilder outer = cuteEmitEnterIf(r, t->isFirst);
    emitAcquire(r, run, start);
    if (run->use == CUTE_SUMS_TURNS)
      emitCommit(r, run, start);
    r->builder = outer;
  }
  if (run->use == CUTE_SUMS_TURNS)
    start = cuteEmit1(r, CUTE_OP_PIPELINE_ADVANCE, start);
  if (run->use == CUTE_SUMS_LAST)
    return;
  run->drain.start = cuteEmitState(r, "consumer", run->pipeline);
  carry(t, r, &run->fill, start);
  carry(t, r, &run->drain, run->drain.start);
}

// Has threads take the sums of a run: after its products, after the loop, or
// by turns with the products.
static void endRun(Tensor *t, CuteRebuild *r, CuteSumsRun *run,
                   MlirOperation after) {
  CuteTensorSums *s = &t->sums;
  if (run->use == CUTE_SUMS_ROUND) {
    cuteTensorSumsTake(s, r, run, run->drain.now,
                       t->products->data[run->first].gemm);
    return;
  }
  if (run->use == CUTE_SUMS_TURNS)
    cuteTensorSumsExchange(s, r, run);
  r->builder = cuteBuilderBefore(after);
  if (run->use == CUTE_SUMS_LAST) {
    run->drain.start = cuteEmitState(r, "consumer", run->pipeline);
    cuteEmitEnterIf(r, t->isFirst);
    emitCommit(r, run, run->fill.start);
  }
  cuteTensorSumsTake(s, r, run, cuteTensorSumsGetEnd(s, &run->drain), after);
}

// Emits what that thread does.
static bool emitProducts(Tensor *t, CuteRebuild *r) {
  encloseStages(t);
  for (size_t k = 0; k < t->sums.numRuns; ++k)
    beginRun(t, r, &t->sums.runs[k]);
  emitRound(t, r);
  return !r->failed || cuteKernelFailOp(t->kernel, t->loop);
}

// Emits what the others do in place of the products.
static bool emitTakes(Tensor *t, CuteRebuild *r) {
  CuteTensorSums *s = &t->sums;
  MlirOperation after = mlirOperationGetNextInBlock(t->loop);
  for (size_t k = 0; k < s->numRuns && !r->failed; ++k)
    endRun(t, r, &s->runs[k], after);
  for (size_t i = 0; i < t->products->count; ++i)
    mlirOperationDestroy(t->products->data[i].gemm);
  cuteKernelRemoveDead(t->kernel);
  return !r->failed || cuteKernelFailOp(t->kernel, t->loop);
}

//===-- All of it ---------------------------------------------------------===//

static void findState(Tensor *t, CuteSumsState *state) {
  if (state->carried < 0)
    return;
  MlirBlock body = cuteLoopGetBody(t->loop);
  state->now = cuteLoopGetArgument(t->loop, state->carried);
  state->next = getOperand(mlirBlockGetTerminator(body), state->carried);
}

// Finds the products, their loop and its states, once they are divided anew.
static bool findAgain(Tensor *t) {
  CuteDialect *dialect = t->kernel->dialect;
  size_t n = 0;
  CUTE_FOR_FOUND(op, cuteKernelFindOps(t->kernel, CUTE_OP_GEMM))
    if (!cuteMmaAtomIsTensor(cuteDialectGetOperandType(dialect, op, 0)->atom))
      t->products->data[n++].gemm = op;
  if (!findLoop(t))
    return false;
  for (size_t k = 0; k < t->sums.numRuns; ++k) {
    findState(t, &t->sums.runs[k].fill);
    findState(t, &t->sums.runs[k].drain);
  }
  return true;
}

// Has the MMAs of the products divide sums as warps take them.
static bool redivide(Tensor *t, CuteRebuild *r) {
  CuteRetype retype = cuteRetypeBegin(t->kernel->dialect);
  cuteProductsRemoveCopies(t->products);
  for (size_t i = 0; i < t->products->count; ++i)
    if (!cuteProductsEmitMma(t->products, &t->products->data[i], r, &retype))
      return false;
  return cuteProductsRedivide(t->products, &retype) && findAgain(t);
}

static bool rewrite(Tensor *t) {
  CuteRebuild r = {.dialect = t->kernel->dialect};
  return cuteTensorSumsBegin(&t->sums, &r) && emitProducts(t, &r) &&
         redivide(t, &r) && emitTakes(t, &r);
}

static void note(Tensor *t, MlirLocation location) {
  for (size_t i = 0; i < t->products->count; ++i)
    cuteKernelNote(t->kernel, location,
                   "tcgen05.mma multiplies into %jd columns of tensor memory, "
                   "which %jd warps read: %s",
                   cuteTensorSumsCountColumns(&t->sums),
                   t->products->warpgroups * 4,
                   t->products->data[i].atom->name);
}

static bool match(Tensor *t, const CuteSchedule *schedule) {
  t->sums.products = t->products;
  return cuteProductsMatchTiles(t->products, schedule->warpgroups) &&
         cuteProductsCheck(t->products) && findLoop(t) && checkRounds(t) &&
         findRuns(t) &&
         cuteTensorSumsPlace(&t->sums, schedule->persist == 2 ? 1 : 2) &&
         checkOperands(t);
}

bool cuteTcgen05Edit(CuteKernel *kernel, void *data) {
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
  return ok;
}

// Runs both steps, since products work only in a warp of their own.
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
  return cuteKernelsEdit(pass, "mma.sync still multiplies", NULL, multiplyApart,
                         &schedule);
}
