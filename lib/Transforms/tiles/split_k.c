// Splits a product along K over the blocks of a cluster (docs/passes.md), where
// cute.schedule says split = 2 or more. The blocks have the same tile, and one
// part of the rounds each:
//
//   rounds [rank * part, (rank + 1) * part)
//   all but block 0 leave their sums where stages were; the cluster meets
//   block 0 adds them, block after block; the cluster meets, and it stores
//
// The order of additions is fixed, so equal inputs give equal bits.
#include "Lowering/shared_plan.h"
#include "Transforms/edit/block_index.h"
#include "Transforms/roles/roles.h"
#include "Transforms/sm90.h"

enum {
  VECTOR = 4, // sums that one access moves
  WARPGROUP = 128,
};

//===-- Sums --------------------------------------------------------------===//

// The fragments that products add to, as the ops that make them.
static CuteOps findSums(CuteKernel *kernel) {
  CuteOps sums = {0};
  CUTE_FOR_NESTED(gemm, kernel->function) {
    if (!cuteDialectIsOp(kernel->dialect, gemm, CUTE_OP_GEMM))
      continue;
    MlirOperation op = cuteMlirGetOwner(
        cuteViewGetRoot(kernel->dialect, getOperand(gemm, 1), CUTE_RMEM));
    if (!mlirOperationIsNull(op) && !cuteOpsContain(&sums, op))
      cuteOpsPush(&sums, op);
  }
  return sums;
}

static CuteType typeOf(CuteKernel *kernel, MlirOperation sums) {
  return cuteDialectGetResultType(kernel->dialect, sums, 0);
}

static int64_t countValues(CuteKernel *kernel, MlirOperation sums) {
  return cuteLayoutGetSize(kernel->dialect->context,
                           typeOf(kernel, sums)->layout)
      ->value;
}

static int64_t bytesOf(CuteKernel *kernel, MlirOperation sums,
                       int64_t threads) {
  return countValues(kernel, sums) * threads *
         cuteElementTypeGetBits(typeOf(kernel, sums)->element) / 8;
}

int64_t cuteSplitCountBytes(CuteKernel *kernel) {
  CuteOps sums = findSums(kernel);
  int64_t bytes = 0;
  CUTE_FOR_LIST(op, sums)
    bytes += bytesOf(kernel, op, kernel->threads);
  return bytes;
}

//===-- Rounds ------------------------------------------------------------===//

typedef struct Split {
  CuteKernel *kernel;
  int64_t blocks; // of a cluster
  MlirOperation loop;
  CuteOps sums;
} Split;

// The one loop of the kernel's block that multiplies.
static bool findLoop(Split *s) {
  bool ok = true;
  CUTE_FOR_NESTED(op, s->kernel->function) {
    if (!cuteDialectIsOp(s->kernel->dialect, op, CUTE_OP_GEMM))
      continue;
    MlirOperation loop = mlirOperationGetParentOperation(op);
    ok &= cuteMlirIs(loop, "scf.for") &&
          (mlirOperationIsNull(s->loop) || mlirOperationEqual(loop, s->loop)) &&
          mlirBlockEqual(mlirOperationGetBlock(loop), s->kernel->block);
    s->loop = loop;
  }
  return (ok && !mlirOperationIsNull(s->loop)) ||
         cuteKernelFail(s->kernel, s->kernel->function,
                        "has its products in more than one loop, or in none");
}

static bool isSum(Split *s, MlirValue value) {
  if (!cuteViewIsIn(s->kernel->dialect, value, CUTE_RMEM))
    return false;
  MlirOperation op =
      cuteMlirGetOwner(cuteViewGetRoot(s->kernel->dialect, value, CUTE_RMEM));
  return !mlirOperationIsNull(op) && cuteOpsContain(&s->sums, op);
}

// Checks an op before the loop, which may clear sums, or in it, which may add
// products to them.
static bool checkOp(Split *s, MlirOperation op, const CuteOpDecl *decl) {
  bool isInside = cuteMlirIsInside(op, s->loop);
  int8_t written = decl->traits.written;
  if (written >= 0 && isSum(s, getOperand(op, written)) &&
      decl->id != (isInside ? CUTE_OP_GEMM : CUTE_OP_CLEAR))
    return cuteKernelFail(
        s->kernel, op,
        "changes sums of products otherwise than by "
        "cute.clear before the loop; parts of K would not add up");
  for (intptr_t i = 0;
       isInside && decl->id != CUTE_OP_GEMM && i < getNumOperands(op); ++i)
    if (isSum(s, getOperand(op, i)) &&
        decl->traits.effect == CUTE_EFFECT_ACCESS)
      return cuteKernelFail(
          s->kernel, op,
          "takes sums within the loop, where they cover only a part of K");
  return true;
}

// Checks that what the loop leaves is sums of products and nothing else.
static bool checkSums(Split *s) {
  CUTE_FOR_NESTED(op, s->kernel->function) {
    const CuteOpDecl *decl = cuteDialectGetDecl(s->kernel->dialect, op);
    if (!decl)
      continue;
    if (mlirBlockEqual(mlirOperationGetBlock(op), s->kernel->block) &&
        !mlirOperationIsBeforeInBlock(op, s->loop))
      break;
    if (!checkOp(s, op, decl))
      return false;
  }
  return true;
}

static bool match(Split *s) {
  if (!cuteKernelCheckThreads(s->kernel) ||
      !cuteKernelCheckLaunches(s->kernel) ||
      !cuteBlockIndexCheckUses(s->kernel) || !findLoop(s))
    return false;
  if (getNumResults(s->loop) ||
      !mlirTypeEqual(cuteMlirGetOperandType(s->loop, 0),
                     mlirIntegerTypeGet(mlirOperationGetContext(s->loop), 32)))
    return cuteKernelFail(s->kernel, s->loop,
                          "carries values, or has a counter that is not i32");
  s->sums = findSums(s->kernel);
  return checkSums(s);
}

// Has the loop make the block's part of the rounds.
static void divideRounds(Split *s, MlirValue rank) {
  CuteBuilder b = cuteBuilderBefore(s->loop);
  bool isUnsigned = cuteMlirHasAttribute(s->loop, "unsignedCmp");
  MlirValue lower = getOperand(s->loop, 0);
  MlirValue upper = getOperand(s->loop, 1);
  MlirValue step = getOperand(s->loop, 2);
  MlirValue all = subi(&b, upper, lower);
  MlirValue parts = muliWith(&b, step, s->blocks);
  MlirValue part = muli(
      &b,
      cuteBuildBinary(&b, isUnsigned ? "arith.ceildivui" : "arith.ceildivsi",
                      all, parts),
      step);
  MlirValue first = addi(&b, lower, muli(&b, rank, part));
  MlirValue end =
      cuteBuildBinary(&b, isUnsigned ? "arith.minui" : "arith.minsi", upper,
                      addi(&b, first, part));
  mlirOperationSetOperand(s->loop, 0, first);
  mlirOperationSetOperand(s->loop, 1, end);
}

// Gives blocks side by side one tile; which of them a block is.
static MlirValue divideBlocks(Split *s) {
  CuteKernel *kernel = s->kernel;
  CuteBuilder b = cuteBuilderAtStart(
      kernel->block, mlirOperationGetLocation(kernel->function));
  MlirValue rank = cuteBlockIndexEmit(&b, "gpu.cluster_block_id", 0);
  MlirValue tile[CUTE_MAX_GRID] = {cuteBlockIndexEmit(&b, "gpu.cluster_id", 0)};
  cuteBlockIndexReplace(kernel->dialect, kernel->function, tile);
  return rank;
}

bool cuteSplitEdit(CuteKernel *kernel, void *data) {
  const CuteSchedule *schedule = data;
  Split s = {.kernel = kernel, .blocks = schedule->split};
  bool ok = match(&s);
  if (ok)
    divideRounds(&s, divideBlocks(&s));
  return ok;
}

//===-- Adding ------------------------------------------------------------===//

// Views a tensor as the sums of threads by vectors, neighbours with
// neighbouring ones: (4, vectors, threads), or as a thread's sums: (4,
// vectors).
static MlirValue emitVectors(CuteKernel *kernel, CuteRebuild *r,
                             MlirOperation sums, MlirValue tensor,
                             int64_t threads) {
  CuteContext c = kernel->dialect->context;
  size_t rank = threads > 1 ? 3 : 2;
  CuteIntTuple shape[] = {staticInt(c, VECTOR),
                          staticInt(c, countValues(kernel, sums) / VECTOR),
                          staticInt(c, threads)};
  CuteIntTuple stride[] = {staticInt(c, 1), staticInt(c, VECTOR * threads),
                           staticInt(c, VECTOR)};
  CuteLayout layout = cuteLayoutGet(c, cuteInternTuple(c, rank, shape),
                                    cuteInternTuple(c, rank, stride));
  return cuteEmitOver(r, tensor, typeOf(kernel, sums)->element,
                      cuteEmitLayout(r, layout));
}

static MlirValue emitRow(CuteKernel *kernel, CuteRebuild *r,
                         MlirOperation sums) {
  return emitVectors(kernel, r, sums, getResult(sums, 0), 1);
}

static void emitMeeting(CuteRebuild *r) {
  cuteEmitDo(r, CUTE_OP_CLUSTER_ARRIVE, 0, NULL);
  cuteEmitDo(r, CUTE_OP_CLUSTER_WAIT, 0, NULL);
}

static MlirValue emitPart(CuteRebuild *r, MlirValue buffer) {
  return cuteEmitSliceLast(r, buffer, cuteEmit0(r, CUTE_OP_THREAD_IDX));
}

// Adds a vector of another block's sums.
static void emitAddition(CuteRebuild *r, MlirValue sums, MlirValue other,
                         const char *add) {
  MlirValue more = cuteEmit1(r, CUTE_OP_MAKE_FRAGMENT_LIKE, sums);
  cuteEmitDo(r, CUTE_OP_AUTOVEC_COPY, CUTE_VALUES(other, more));
  MlirValue x = cuteEmit1(r, CUTE_OP_LOAD_VECTOR, sums);
  MlirValue y = cuteEmit1(r, CUTE_OP_LOAD_VECTOR, more);
  if (!r->failed)
    cuteEmitDo(r, CUTE_OP_STORE_VECTOR,
               CUTE_VALUES(cuteBuildBinary(&r->builder, add, x, y), sums));
}

// Adds the sums of the other blocks, in their order, vector by vector: all at
// once would take twice the registers.
static void emitAdditions(CuteRebuild *r, MlirValue sums, MlirValue buffer,
                          int64_t vectors, int64_t blocks, const char *add) {
  MlirValue part = emitPart(r, buffer);
  for (int64_t i = 1; i < blocks && !r->failed; ++i) {
    MlirValue other =
        cuteEmit2(r, CUTE_OP_MAPA, part, cuteBuildInt(&r->builder, 32, i));
    for (int64_t v = 0; v < vectors && !r->failed; ++v) {
      MlirValue at = cuteEmitInt(r, v);
      emitAddition(r, cuteEmitSliceLast(r, sums, at),
                   cuteEmitSliceLast(r, other, at), add);
    }
  }
}

static void setCluster(CuteKernel *kernel, int64_t blocks) {
  MlirContext context = mlirOperationGetContext(kernel->function);
  int32_t sizes[] = {(int32_t)blocks, 1, 1};
  cuteMlirSetAttribute(kernel->function, "known_cluster_size",
                       mlirDenseI32ArrayGet(context, 3, sizes));
  MlirAttribute grid = cuteMlirGetAttribute(kernel->function, "cute.grid");
  if (mlirAttributeIsNull(grid) || !mlirAttributeIsAArray(grid))
    return;
  MlirAttribute extents[CUTE_MAX_GRID];
  intptr_t n = mlirArrayAttrGetNumElements(grid);
  for (intptr_t i = 0; i < n && i < CUTE_MAX_GRID; ++i)
    extents[i] = mlirArrayAttrGetElement(grid, i);
  MlirStringRef x = mlirStringAttrGetValue(extents[0]);
  CUTE_SCOPED(String) text = {0};
  cuteStringAppendFormat(&text, "(%.*s) * %jd", CUTE_TEXT(x), blocks);
  extents[0] = mlirStringAttrGet(context, cuteMlirText(&text));
  cuteMlirSetAttribute(kernel->function, "cute.grid",
                       mlirArrayAttrGet(context, n, extents));
}

static MlirValue emitRankTest(CuteRebuild *r, int64_t predicate) {
  MlirValue rank = cuteEmit0(r, CUTE_OP_BLOCK_RANK_IN_CLUSTER);
  return cuteBuildTest(&r->builder, predicate, rank, 0);
}

typedef struct Adding {
  CuteKernel *kernel;
  CuteRoles roles;
  int64_t blocks;
  CuteOps sums, taken; // tensors of stages
  MlirValue *buffers;  // of each
  CuteRebuild r;
} Adding;

// Has all blocks but the first leave their sums, where their threads have read
// the last stages, in front of the builder.
static void emitLeaving(Adding *a, int64_t threads) {
  cuteEmitDo(&a->r, CUTE_OP_NAMED_BARRIER_SYNC,
             CUTE_VALUES(cuteEmitInt(&a->r, CUTE_BARRIER_OF_CONSUMERS),
                         cuteEmitInt(&a->r, threads)));
  CuteBuilder outer = cuteEmitEnterIf(&a->r, emitRankTest(&a->r, CUTE_CMPI_NE));
  for (size_t i = 0; i < a->sums.count && !a->r.failed; ++i)
    cuteEmitDo(&a->r, CUTE_OP_AUTOVEC_COPY,
               CUTE_VALUES(emitRow(a->kernel, &a->r, a->sums.data[i]),
                           emitPart(&a->r, a->buffers[i])));
  a->r.builder = outer;
  emitMeeting(&a->r);
}

// Has the first block add them, after which the others may end.
static void emitAdding(Adding *a, MlirValue isFirst) {
  CuteBuilder outer = cuteEmitEnterIf(&a->r, isFirst);
  for (size_t i = 0; i < a->sums.count && !a->r.failed; ++i)
    emitAdditions(
        &a->r, emitRow(a->kernel, &a->r, a->sums.data[i]), a->buffers[i],
        countValues(a->kernel, a->sums.data[i]) / VECTOR, a->blocks,
        cuteElementTypeIsFloat(typeOf(a->kernel, a->sums.data[i])->element)
            ? "arith.addf"
            : "arith.addi");
  a->r.builder = outer;
  emitMeeting(&a->r);
}

// Takes the next tensor with so many bytes of stages, which the producer fills;
// null if there is none.
static MlirValue takeStages(Adding *a, int64_t bytes) {
  CuteDialect *dialect = a->kernel->dialect;
  CUTE_FOR_OPS(alloc, a->kernel->block) {
    int64_t has;
    if (!cuteDialectIsOp(dialect, alloc, CUTE_OP_ALLOC_SMEM) ||
        cuteOpsContain(&a->taken, alloc) ||
        !cuteSharedBytesOf(dialect->context, typeOf(a->kernel, alloc), &has))
      continue;
    CUTE_FOR_USES(it, getResult(alloc, 0))
      if (has >= bytes &&
          cuteMlirIsInside(mlirOpOperandGetOwner(it),
                           mlirBlockGetParentOperation(a->roles.producer))) {
        cuteOpsPush(&a->taken, alloc);
        return getResult(alloc, 0);
      }
  }
  cuteKernelFail(a->kernel, a->kernel->function,
                 "has too little shared memory in its stages for the sums");
  return (MlirValue){NULL};
}

static bool add(Adding *a) {
  CuteKernel *kernel = a->kernel;
  int64_t threads = kernel->threads - WARPGROUP;
  MlirOperation end = mlirBlockGetTerminator(a->roles.consumer);
  MlirOperation release =
      cuteRolesFindLastRelease(kernel->dialect, a->roles.consumer);
  a->r.builder = cuteBuilderBefore(a->roles.branch);
  for (size_t i = 0; i < a->sums.count; ++i) {
    MlirOperation sums = a->sums.data[i];
    MlirValue place = takeStages(a, bytesOf(kernel, sums, threads));
    if (mlirValueIsNull(place))
      return false;
    a->buffers[i] = emitVectors(kernel, &a->r, sums, place, threads);
  }
  MlirOperation rest = mlirOperationGetNextInBlock(release);
  a->r.builder = cuteBuilderBefore(rest);
  emitLeaving(a, threads);
  MlirValue isFirst = emitRankTest(&a->r, CUTE_CMPI_EQ);
  emitAdding(a, isFirst);
  a->r.builder = cuteBuilderBefore(end);
  cuteEmitEnterIf(&a->r, isFirst);
  MlirBlock first = a->r.builder.block;
  if (!a->r.failed)
    cuteKernelMoveOps(rest, mlirBlockGetParentOperation(first), first);
  a->r.builder = cuteBuilderBefore(
      mlirBlockGetTerminator(cuteMlirGetBody(a->roles.branch, 0)));
  emitMeeting(&a->r);
  emitMeeting(&a->r);
  setCluster(kernel, a->blocks);
  return !a->r.failed || cuteKernelFailOp(kernel, a->roles.branch);
}

bool cuteSplitAddEdit(CuteKernel *kernel, void *data) {
  const CuteSchedule *schedule = data;
  Adding a = {.kernel = kernel,
              .blocks = schedule->split,
              .sums = findSums(kernel),
              .r = {.dialect = kernel->dialect}};
  a.buffers = cuteTaskAllocate((a.sums.count + 1) * sizeof *a.buffers);
  bool ok = cuteRolesFind(kernel, &a.roles) && add(&a);
  if (ok)
    cuteKernelNote(kernel, mlirOperationGetLocation(kernel->function),
                   "%jd blocks of a cluster share the rounds of a tile, and "
                   "the first one adds their sums",
                   a.blocks);
  return ok;
}
