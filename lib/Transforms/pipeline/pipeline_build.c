// Writes the pipelined loop in front of the plain one:
//
//   fetch tiles 0 ... stages-2, a group each
//   wait<stages-2>; barrier; block 0 of the fragments       (with k-blocks)
//   for each tile, in stage `read`:
//     wait<stages-2>; barrier                               (without k-blocks)
//     fetch the tile stages-1 ahead into stage `write`, a group
//     compute; with k-blocks, copy block k+1, then gemm on block k, and at the
//     last: wait<stages-2>; barrier; copy block 0 of the next stage; gemm
//     read = read+1 mod stages, write = what was read
//   wait<0>; barrier
//
// A fetch of a tile that is not there has false predicates. Every round closes
// one group, so that wait<stages-2> means that the tile to be read has come.
// Stage `write` was read in the round before, in front of the barrier.
#include "Transforms/pipeline/pipeline_build.h"

#include "Transforms/edit/loop_carry.h"

//===-- Small ops ---------------------------------------------------------===//

static void op(CutePipelineBuild *b, const char *name) {
  CUTE_BUILD(&b->builder, name);
}

static void wait(CutePipelineBuild *b, int64_t pending) {
  CUTE_BUILD(&b->builder, cuteOpIdGetName(CUTE_OP_CP_ASYNC_WAIT),
             CUTE_ATTRIBUTES({"n", cuteIntAttr(&b->builder, 32, pending)}));
}

static void waitForTile(CutePipelineBuild *b) {
  wait(b, b->p->stages - 2);
  op(b, "gpu.barrier");
}

//===-- Computes ----------------------------------------------------------===//

void cutePipelineComputes(CutePipelineBuild *b, CuteRebuild *r, size_t from,
                          size_t to) {
  for (size_t i = from; i < to; ++i)
    cuteRebuildOp(r, b->p->computes.data[i]);
}

static MlirValue block(CutePipelineBuild *b, CuteRebuild *r, MlirValue tensor,
                       int64_t k) {
  return cuteRebuildSlice(
      r, cuteRebuildGet(r, tensor),
      cutePipelineLastCoord(b, 3, staticInt(b->context, k)));
}

// Gives what is built from now on the place of an op in the source; the place
// before, to be set again.
static MlirLocation standAt(CuteRebuild *r, MlirOperation op) {
  MlirLocation before = r->builder.location;
  r->builder.location = mlirOperationGetLocation(op);
  return before;
}

static void copyBlock(CutePipelineBuild *b, CuteRebuild *r, int64_t k) {
  for (size_t i = b->p->firstCopy; i < b->p->firstGemm; ++i) {
    CuteCopyParts parts;
    MlirOperation copy = b->p->computes.data[i];
    cuteEffectGetCopy(b->p->dialect, copy, &parts);
    MlirLocation outer = standAt(r, copy);
    cuteEmitDo(r, CUTE_OP_COPY,
               CUTE_VALUES(cuteRebuildGet(r, parts.copy),
                           block(b, r, parts.source, k),
                           block(b, r, parts.destination, k)));
    r->builder.location = outer;
  }
}

// C is added with the first k-block.
static void gemmBlock(CutePipelineBuild *b, CuteRebuild *r, int64_t k) {
  for (size_t i = b->p->firstGemm; i < b->p->endGemms; ++i) {
    MlirOperation gemm = b->p->computes.data[i];
    MlirLocation outer = standAt(r, gemm);
    MlirValue operands[CUTE_MAX_DECLARED];
    intptr_t n = getNumOperands(gemm);
    for (intptr_t j = 0; j < n; ++j) {
      MlirValue operand = getOperand(gemm, k && j == 4 ? 1 : j);
      operands[j] = cutePipelineIsInput(j) ? block(b, r, operand, k)
                                           : cuteRebuildGet(r, operand);
    }
    cuteEmitDo(r, CUTE_OP_GEMM, (size_t)n, operands);
    r->builder.location = outer;
  }
}

//===-- The loop ----------------------------------------------------------===//

static void copyFirstBlock(CutePipelineBuild *b) {
  waitForTile(b);
  CuteRebuild r =
      cutePipelineTile(b, cuteBuildInt(&b->builder, 32, 0), b->lower);
  copyBlock(b, &r, 0);
  cutePipelineEndTile(b, &r);
}

// The tile in stage `read` by k-blocks; `next` is the stage after it.
static void computeBlocks(CutePipelineBuild *b, CuteRebuild *r, MlirValue write,
                          MlirValue next, MlirValue index) {
  int64_t last = b->p->blocks - 1;
  cutePipelineComputes(b, r, 0, b->p->firstCopy);
  for (int64_t k = 0; k < last; ++k) {
    copyBlock(b, r, k + 1);
    if (!k)
      cutePipelineFetchAhead(b, write, index);
    gemmBlock(b, r, k);
  }
  waitForTile(b);
  CuteRebuild after =
      cutePipelineTile(b, next, cutePipelineIndexAfter(b, index, 1));
  copyBlock(b, &after, 0);
  cutePipelineEndTile(b, &after);
  gemmBlock(b, r, last);
  cutePipelineComputes(b, r, b->p->endGemms, b->p->computes.count);
}

static MlirValue nextStage(CutePipelineBuild *b, MlirValue stage) {
  MlirValue zero = cuteBuildInt(&b->builder, 32, 0);
  MlirValue next = addiWith(&b->builder, stage, 1);
  MlirValue wraps =
      cuteBuildTest(&b->builder, CUTE_CMPI_EQ, next, b->p->stages);
  return cuteBuildSelect(&b->builder, wraps, zero, next);
}

void cutePipelineYield(CutePipelineBuild *b, CuteRebuild *r, size_t n,
                       const MlirValue *carried) {
  MlirOperation old = mlirBlockGetTerminator(b->p->body);
  size_t own = (size_t)getNumOperands(old);
  MlirValue *operands = cuteTaskAllocate((own + n) * sizeof *operands);
  for (size_t i = 0; i < own; ++i)
    operands[i] = cuteRebuildGet(r, getOperand(old, (intptr_t)i));
  for (size_t i = 0; i < n; ++i)
    operands[own + i] = carried[i];
  CUTE_BUILD(&b->builder, "scf.yield", .numOperands = own + n,
             .operands = operands);
}

void cutePipelineCarry(CutePipelineBuild *b, CuteRebuild *r, MlirBlock block) {
  for (intptr_t i = 1; i < mlirBlockGetNumArguments(b->p->body); ++i)
    cuteRebuildSet(r, mlirBlockGetArgument(b->p->body, i),
                   mlirBlockGetArgument(block, i));
}

static void fillBody(CutePipelineBuild *b, MlirBlock block) {
  size_t n = (size_t)mlirBlockGetNumArguments(b->p->body);
  MlirValue index = mlirBlockGetArgument(block, 0);
  MlirValue read = mlirBlockGetArgument(block, (intptr_t)n);
  MlirValue write = mlirBlockGetArgument(block, (intptr_t)n + 1);
  bool byBlocks = b->p->blocks > 1;
  MlirValue next = nextStage(b, read);
  if (!byBlocks) {
    waitForTile(b);
    cutePipelineFetchAhead(b, write, index);
  }
  CuteRebuild r = cutePipelineTile(b, read, index);
  cutePipelineCarry(b, &r, block);
  if (byBlocks)
    computeBlocks(b, &r, write, next, index);
  else
    cutePipelineComputes(b, &r, 0, b->p->computes.count);
  cutePipelineYield(b, &r, 2, (MlirValue[]){next, read});
  cutePipelineEndTile(b, &r);
}

// The loop's own attributes: how it is unrolled, say.
static void copyAttributes(MlirOperation from, MlirOperation to) {
  for (intptr_t i = 0; i < mlirOperationGetNumDiscardableAttributes(from);
       ++i) {
    MlirNamedAttribute named = mlirOperationGetDiscardableAttribute(from, i);
    mlirOperationSetDiscardableAttributeByName(
        to, mlirIdentifierStr(named.name), named.attribute);
  }
}

MlirOperation cutePipelineCreateLoop(CutePipelineBuild *b, size_t n,
                                     const MlirValue *carried) {
  MlirOperation old = b->p->loop;
  size_t own = (size_t)getNumOperands(old);
  MlirValue *operands = cuteTaskAllocate((own + n) * sizeof *operands);
  for (size_t i = 0; i < own + n; ++i)
    operands[i] = i < own ? getOperand(old, (intptr_t)i) : carried[i - own];
  MlirOperation loop =
      cuteLoopCreate(&b->builder, own + n, operands,
                     b->p->isUnsigned ? mlirUnitAttrGet(b->builder.context)
                                      : (MlirAttribute){NULL});
  cuteMlirSetAttribute(loop, "cute.stages",
                       cuteIntAttr(&b->builder, 32, b->p->stages));
  copyAttributes(old, loop);
  return loop;
}

static void buildLoop(CutePipelineBuild *b, MlirOperation loop) {
  CuteBuilder outer = b->builder;
  MlirBlock block = cuteMlirGetBody(loop, 0);
  b->builder = cuteBuilderAtStart(block, outer.location);
  fillBody(b, block);
  b->builder = outer;
}

//===-- Replacing ---------------------------------------------------------===//

// Takes back what was built, also within the stages' allocations.
static void undo(CutePipelineBuild *b) {
  MlirOperation loop = b->p->loop;
  MlirBlock block = mlirOperationGetBlock(loop);
  for (;;) {
    MlirOperation last = {NULL};
    MlirOperation at = mlirOperationIsNull(b->before)
                           ? mlirBlockGetFirstOperation(block)
                           : mlirOperationGetNextInBlock(b->before);
    CUTE_FOR_OPS_UNTIL(op, at, loop)
      last = op;
    if (mlirOperationIsNull(last))
      break;
    mlirOperationDestroy(last);
  }
  for (size_t i = 0; i < b->p->allocs.count; ++i)
    if (!mlirValueIsNull(b->first[i]))
      mlirValueReplaceAllUsesOfWith(b->first[i],
                                    getResult(b->p->allocs.data[i], 0));
  while (b->numCreated)
    mlirOperationDestroy(b->created[--b->numCreated]);
}

void cutePipelineReplace(CutePipelineBuild *b, MlirOperation loop) {
  for (intptr_t i = 0; i < getNumResults(b->p->loop); ++i)
    cuteMlirReplace(b->p->loop, i, getResult(loop, i));
  mlirOperationDestroy(b->p->loop);
  for (size_t i = 0; i < b->p->allocs.count; ++i)
    mlirOperationDestroy(b->p->allocs.data[i]);
}

static void buildAll(CutePipelineBuild *b) {
  for (size_t i = 0; i < b->p->allocs.count && !b->failed; ++i)
    cutePipelineStage(b, i);
  if (b->failed)
    return;
  if (b->p->startsWithBarrier)
    op(b, "gpu.barrier");
  cutePipelineFetchFirst(b);
  if (b->p->blocks > 1)
    copyFirstBlock(b);
  if (b->failed)
    return;
  MlirValue stages[] = {cuteBuildInt(&b->builder, 32, 0),
                        cuteBuildInt(&b->builder, 32, b->p->stages - 1)};
  MlirOperation loop = cutePipelineCreateLoop(b, 2, stages);
  buildLoop(b, loop);
  wait(b, 0);
  op(b, "gpu.barrier");
  if (!b->failed)
    cutePipelineReplace(b, loop);
}

static MlirOperation opBefore(MlirOperation op) {
  MlirOperation before = {NULL};
  CUTE_FOR_OPS_BEFORE(at, op)
    before = at;
  return before;
}

CutePipelineBuild cutePipelineBuildBegin(CutePipelineLoop *p) {
  size_t n = p->allocs.count;
  CutePipelineBuild b = {.p = p,
                         .context = p->dialect->context,
                         .builder = cuteBuilderBefore(p->loop),
                         .staged = cuteTaskAllocate(n * sizeof *b.staged),
                         .first = cuteTaskAllocate(n * sizeof *b.first),
                         .created = cuteTaskAllocate(4 * n * sizeof *b.created),
                         .lower = getOperand(p->loop, 0),
                         .upper = getOperand(p->loop, 1),
                         .before = opBefore(p->loop)};
  memset(b.first, 0, n * sizeof *b.first);
  return b;
}

bool cutePipelineBuild(CutePipelineLoop *p) {
  CutePipelineBuild b = cutePipelineBuildBegin(p);
  CuteArenaMark mark = cuteArenaGetMark(&b.context->scratch);
  buildAll(&b);
  cuteArenaReset(&b.context->scratch, mark);
  if (b.failed) {
    undo(&b);
    cutePipelineObstruct(
        p, mlirOperationIsNull(b.culprit) ? p->loop : b.culprit,
        "cannot be built with stages: %s", cuteContextGetError(b.context));
  }
  return !b.failed;
}
