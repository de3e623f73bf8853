// Keeps a group of products under way: a loop that waits for its products and
// then releases their stage waits for the previous round's products instead and
// releases their stage; the last ones are waited for after the loop.
#include "Transforms/edit/loop_carry.h"
#include "Transforms/edit/rounds.h"
#include "Transforms/plain/plain_views.h"
#include "Transforms/products/to_wgmma.h"

typedef struct Flight {
  CuteKernel *kernel;
  MlirOperation loop, wait, release;
  MlirValue sums[CUTE_MAX_RUN];
  size_t numSums;
  MlirValue pipeline;
  intptr_t drained; // the carried state of the stage that is read
} Flight;

static bool onlyComputes(CuteKernel *kernel, MlirOperation op) {
  CuteEffect effect = cuteEffectGet(kernel->dialect, op);
  return effect == CUTE_EFFECT_NONE || effect == CUTE_EFFECT_REGISTERS;
}

MlirOperation cuteProductsGetNextEffect(CuteKernel *kernel, MlirOperation op) {
  do
    op = mlirOperationGetNextInBlock(op);
  while (!mlirOperationIsNull(op) && onlyComputes(kernel, op));
  return op;
}

static bool isOp(Flight *f, MlirOperation op, CuteOpId id) {
  return cuteDialectIsOp(f->kernel->dialect, op, id);
}

static bool isSum(Flight *f, MlirValue value) {
  CuteDialect *dialect = f->kernel->dialect;
  if (!cuteViewIsIn(dialect, value, CUTE_RMEM))
    return false;
  MlirValue root = cuteViewGetRoot(dialect, value, CUTE_RMEM);
  for (size_t i = 0; i < f->numSums; ++i)
    if (mlirValueEqual(root, f->sums[i]))
      return true;
  return false;
}

// Counts the uses of the sums, or views of them, by ops within the loop.
static size_t countUses(Flight *f) {
  size_t n = 0;
  CUTE_FOR_NESTED(op, f->loop)
    for (intptr_t i = 0;
         cuteDialectGetDecl(f->kernel->dialect, op) && i < getNumOperands(op);
         ++i)
      n += isSum(f, getOperand(op, i));
  return n;
}

// Takes the sums of a run of products; the last one, or null where they are
// too many, or one has A in registers, which the next round writes.
static MlirOperation takeRun(Flight *f, MlirOperation gemm) {
  for (;;) {
    if (f->numSums == CUTE_MAX_RUN ||
        cuteViewIsIn(f->kernel->dialect, getOperand(gemm, 2), CUTE_RMEM))
      return (MlirOperation){NULL};
    f->sums[f->numSums++] =
        cuteViewGetRoot(f->kernel->dialect, getOperand(gemm, 1), CUTE_RMEM);
    MlirOperation next = cuteProductsGetNextEffect(f->kernel, gemm);
    if (!isOp(f, next, CUTE_OP_GEMM))
      return gemm;
    gemm = next;
  }
}

// Matches a run of products that is alone in its loop and followed by its wait
// and the release of their stage.
static bool match(Flight *f, MlirOperation gemm) {
  CuteKernel *kernel = f->kernel;
  f->loop = mlirOperationGetParentOperation(gemm);
  MlirOperation last = takeRun(f, gemm);
  MlirOperation commit = mlirOperationIsNull(last)
                             ? last
                             : cuteProductsGetNextEffect(kernel, last);
  if (!cuteMlirIs(f->loop, "scf.for") ||
      cuteProductsHasExchange(kernel, f->loop) ||
      !isOp(f, commit, CUTE_OP_WARPGROUP_COMMIT))
    return false;
  f->wait = cuteProductsGetNextEffect(kernel, commit);
  f->release = isOp(f, f->wait, CUTE_OP_WARPGROUP_WAIT)
                   ? cuteProductsGetNextEffect(kernel, f->wait)
                   : (MlirOperation){NULL};
  if (!isOp(f, f->release, CUTE_OP_CONSUMER_RELEASE) ||
      countUses(f) != 3 * f->numSums)
    return false;
  f->pipeline = getOperand(f->release, 0);
  MlirValue state = getOperand(f->release, 1);
  if (!mlirValueIsABlockArgument(state) ||
      !mlirBlockEqual(mlirBlockArgumentGetOwner(state),
                      cuteLoopGetBody(f->loop)))
    return false;
  f->drained = mlirBlockArgumentGetArgNumber(state) - 1;
  return f->drained >= 0;
}

static void emitWait(CuteRebuild *r, int64_t pending, size_t n,
                     const MlirValue *sums) {
  cuteRebuildCreate(r, CUTE_OP_WARPGROUP_WAIT, n, sums,
                    CUTE_NAMED({"n", cuteIntAttr(&r->builder, 32, pending)}));
}

// Releases the stage of a state where the condition holds.
static void emitRelease(Flight *f, CuteRebuild *r, MlirValue condition,
                        MlirValue state) {
  CuteBuilder outer = cuteEmitEnterIf(r, condition);
  cuteEmitDo(r, CUTE_OP_CONSUMER_RELEASE, CUTE_VALUES(f->pipeline, state));
  r->builder = outer;
}

//===-- Sums --------------------------------------------------------------===//

MlirOperation cuteProductsFindClear(CuteKernel *kernel, MlirOperation loop,
                                    MlirValue sums) {
  Flight one = {.kernel = kernel, .sums = {sums}, .numSums = 1};
  MlirOperation clear = {NULL};
  size_t n = 0;
  CUTE_FOR_OPS_BEFORE(op, loop) {
    const CuteOpDecl *decl = cuteDialectGetDecl(kernel->dialect, op);
    for (intptr_t i = 0; decl && decl->traits.effect == CUTE_EFFECT_ACCESS &&
                         i < getNumOperands(op);
         ++i)
      if (isSum(&one, getOperand(op, i))) {
        clear = op;
        ++n;
      }
  }
  return n == 1 && isOp(&one, clear, CUTE_OP_CLEAR) ? clear
                                                    : (MlirOperation){NULL};
}

// The first product of the loop that adds to a sum.
static MlirOperation findProduct(Flight *f, MlirValue sum) {
  CuteDialect *dialect = f->kernel->dialect;
  CUTE_FOR_OPS(op, cuteLoopGetBody(f->loop))
    if (cuteDialectIsOp(dialect, op, CUTE_OP_GEMM) &&
        mlirValueEqual(cuteViewGetRoot(dialect, getOperand(op, 1), CUTE_RMEM),
                       sum))
      return op;
  return (MlirOperation){NULL};
}

// Has products of the first round make sums instead of adding to zeros, which
// would take time while nobody multiplies.
static void dropZeros(Flight *f, CuteRebuild *r, MlirValue isLater) {
  enum { OPERANDS = 5 };
  for (size_t i = 0; i < f->numSums && !r->failed; ++i) {
    MlirOperation clear = cuteProductsFindClear(f->kernel, f->loop, f->sums[i]);
    MlirOperation gemm = findProduct(f, f->sums[i]);
    if (mlirOperationIsNull(clear) || mlirOperationIsNull(gemm) ||
        getNumOperands(gemm) != OPERANDS)
      continue;
    MlirValue operands[OPERANDS + 1];
    for (intptr_t j = 0; j < OPERANDS; ++j)
      operands[j] = getOperand(gemm, j);
    operands[OPERANDS] = isLater;
    r->builder = cuteBuilderBefore(gemm);
    cuteEmitDo(r, CUTE_OP_GEMM, OPERANDS + 1, operands);
    mlirOperationDestroy(gemm);
    mlirOperationDestroy(clear);
  }
}

static bool rewrite(Flight *f) {
  CuteRebuild r = {.dialect = f->kernel->dialect};
  MlirValue initial = getOperand(f->loop, 3 + f->drained);
  f->loop = cuteLoopAddCarried(f->loop, initial);
  intptr_t before = getNumResults(f->loop) - 1;
  cuteLoopSetYield(f->loop, before, cuteLoopGetArgument(f->loop, f->drained));
  MlirValue lower = getOperand(f->loop, 0);
  MlirValue upper = getOperand(f->loop, 1);

  MlirBlock body = cuteLoopGetBody(f->loop);
  CuteBuilder b = cuteBuilderAtStart(body, mlirOperationGetLocation(f->loop));
  MlirValue isLater =
      cuteBuildCompare(&b, CUTE_CMPI_NE, mlirBlockGetArgument(body, 0), lower);
  if (cuteRoundsAreSome(f->kernel, lower, cutePlainBranchBound(upper)))
    dropZeros(f, &r, isLater);
  r.builder = cuteBuilderBefore(f->wait);
  emitWait(&r, 1, 0, NULL);
  emitRelease(f, &r, isLater, cuteLoopGetArgument(f->loop, before));
  mlirOperationDestroy(f->wait);
  mlirOperationDestroy(f->release);

  r.builder = cuteBuilderBefore(mlirOperationGetNextInBlock(f->loop));
  emitWait(&r, 0, f->numSums, f->sums);
  MlirValue any = cuteLoopEmitAny(f->loop, &r.builder);
  emitRelease(f, &r, any, getResult(f->loop, before));
  return !r.failed || cuteKernelFailOp(f->kernel, f->loop);
}

// Tells whether ops of [loop, release) give values to ops after the release.
static bool areUsedAfter(MlirOperation loop, MlirOperation release) {
  MlirBlock block = mlirOperationGetBlock(release);
  CUTE_FOR_OPS_UNTIL(op, loop, release)
    CUTE_FOR_RESULTS(result, op)
      CUTE_FOR_USES(it, result) {
        MlirOperation user = mlirOpOperandGetOwner(it);
        while (!mlirBlockEqual(mlirOperationGetBlock(user), block))
          user = mlirOperationGetParentOperation(user);
        if (mlirOperationIsBeforeInBlock(release, user))
          return true;
      }
  return false;
}

// Moves the ops of [loop, release) and of the release into a branch.
static void guard(MlirOperation loop, MlirOperation release) {
  MlirValue any = getOperand(release, 0);
  mlirOperationMoveBefore(mlirOpResultGetOwner(any), loop);
  CuteBuilder b = cuteBuilderBefore(loop);
  MlirBlock block = cuteBuildIf(&b, any).block;
  cuteKernelMoveOps(loop, release, block);
  MlirBlock inner = cuteMlirGetBody(release, 0);
  cuteKernelMoveOps(mlirBlockGetFirstOperation(inner),
                    mlirBlockGetTerminator(inner), block);
  mlirOperationDestroy(release);
}

void cuteProductsGuard(CuteKernel *kernel) {
  CuteOps waits = cuteKernelFindOps(kernel, CUTE_OP_WARPGROUP_WAIT);
  Flight f = {.kernel = kernel};
  for (size_t i = 0; i < waits.count; ++i) {
    MlirOperation release = cuteProductsGetNextEffect(kernel, waits.data[i]);
    MlirOperation loop =
        mlirBlockGetFirstOperation(mlirOperationGetBlock(waits.data[i]));
    while (!cuteMlirIs(loop, "scf.for") ||
           !mlirOperationEqual(cuteProductsGetNextEffect(kernel, loop),
                               waits.data[i])) {
      loop = mlirOperationGetNextInBlock(loop);
      if (mlirOperationEqual(loop, waits.data[i]))
        break;
    }
    if (!mlirOperationEqual(loop, waits.data[i]) &&
        cuteMlirIs(release, "scf.if") &&
        isOp(&f, mlirBlockGetFirstOperation(cuteMlirGetBody(release, 0)),
             CUTE_OP_CONSUMER_RELEASE) &&
        !areUsedAfter(loop, release))
      guard(loop, release);
  }
}

static bool isFirstOfRun(CuteKernel *kernel, const CuteOps *gemms, size_t i) {
  return !i || !mlirOperationEqual(
                   cuteProductsGetNextEffect(kernel, gemms->data[i - 1]),
                   gemms->data[i]);
}

bool cuteProductsOverlap(CuteKernel *kernel) {
  CuteOps gemms = cuteKernelFindOps(kernel, CUTE_OP_GEMM), firsts = {0};
  bool ok = true;
  for (size_t i = 0; i < gemms.count; ++i)
    if (isFirstOfRun(kernel, &gemms, i))
      cuteOpsPush(&firsts, gemms.data[i]);
  for (size_t i = 0; ok && i < firsts.count; ++i) {
    Flight flight = {.kernel = kernel};
    if (match(&flight, firsts.data[i]))
      ok = rewrite(&flight);
  }
  return ok;
}

//===-- Fences, commits and waits -----------------------------------------===//

// Tells whether a product shares the commit of the one before it: nothing is
// done between, and both take A from shared memory or both from registers.
static bool sharesCommit(CuteKernel *kernel, const CuteOps *gemms, size_t i) {
  CuteMmaSource sources[2];
  for (size_t j = 0; j < 2; ++j) {
    CuteType mma =
        cuteDialectGetOperandType(kernel->dialect, gemms->data[i - j], 0);
    sources[j] = ((const CuteMmaAtom *)mma->atom)->sourceA;
  }
  return !isFirstOfRun(kernel, gemms, i) && sources[0] == sources[1];
}

bool cuteProductsEmitWaits(CuteKernel *kernel) {
  CuteOps gemms = cuteKernelFindOps(kernel, CUTE_OP_GEMM);
  CuteRebuild r = {.dialect = kernel->dialect};
  MlirValue sums[CUTE_MAX_RUN];
  size_t n = 0;
  for (size_t i = 0; i < gemms.count; ++i) {
    CuteBuilder before = cuteBuilderBefore(gemms.data[i]), after = before;
    after.before = mlirOperationGetNextInBlock(gemms.data[i]);
    bool isLast = n + 1 == CUTE_MAX_RUN || i + 1 == gemms.count ||
                  !sharesCommit(kernel, &gemms, i + 1);
    r.builder = before;
    if (!n)
      cuteEmitDo(&r, CUTE_OP_WARPGROUP_FENCE, 0, NULL);
    sums[n++] = getOperand(gemms.data[i], 1);
    if (!isLast)
      continue;
    r.builder = after;
    cuteEmitDo(&r, CUTE_OP_WARPGROUP_COMMIT, 0, NULL);
    emitWait(&r, 0, n, sums);
    n = 0;
  }
  return !r.failed || cuteKernelFailOp(kernel, kernel->function);
}
