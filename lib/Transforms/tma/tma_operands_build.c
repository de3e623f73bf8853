#include "Transforms/tma/tma_operands.h"

//===-- Counts ------------------------------------------------------------===//

int64_t cuteTmaOperandGetBits(const CuteTmaOperands *s,
                              const CuteTmaOperand *o) {
  return cuteElementTypeGetBits(
      cuteKernelType(s->kernel, o->tile.parameter)->element);
}

static int64_t stageBytes(const CuteTmaOperands *s, MlirOperation alloc) {
  CuteType type = cuteKernelType(s->kernel, getResult(alloc, 0));
  return cuteLayoutGetSize(s->kernel->dialect->context, type->layout)->value *
         cuteElementTypeGetBits(type->element) / 8 / s->stages;
}

// Counts the pieces that a buffer has room for.
static int64_t countPieces(const CuteTmaOperands *s, const CuteTmaOperand *o,
                           MlirOperation alloc) {
  int64_t bytes = stageBytes(s, alloc), bits = cuteTmaOperandGetBits(s, o);
  return bytes % CUTE_TMA_ALIGN
             ? 0
             : bytes * 8 / (o->pieces.rows * o->pieces.columns * bits);
}

int64_t cuteTmaOperandsCountInStage(const CuteTmaOperands *s,
                                    const CuteTmaOperand *o) {
  int64_t n = 0;
  for (size_t i = 0; i < s->buffers.count; ++i)
    n += countPieces(s, o, s->buffers.data[i]);
  return n;
}

//===-- Building ----------------------------------------------------------===//

// The place of piece i of an operand in the stage of a state, whose first piece
// is piece `first`.
static MlirValue emitPlace(CuteTmaOperands *s, CuteRebuild *r,
                           const CuteTmaOperand *o, int64_t i,
                           MlirValue state) {
  CuteContext c = r->dialect->context;
  size_t b = 0;
  int64_t n;
  for (; i >= (n = countPieces(s, o, s->buffers.data[b])); ++b)
    i -= n;
  CuteType type = cuteKernelType(s->kernel, o->tile.parameter);
  MlirValue memory = getResult(s->buffers.data[b], 0);
  CuteIntTuple elements = staticInt(c, stageBytes(s, s->buffers.data[b]) * 8 /
                                           cuteTmaOperandGetBits(s, o));
  CuteIntTuple shape[] = {elements, staticInt(c, s->stages)};
  CuteIntTuple stride[] = {staticInt(c, 1), elements};
  CuteLayout all = cuteLayoutGet(c, cuteInternTuple(c, 2, shape),
                                 cuteInternTuple(c, 2, stride));
  MlirValue stages =
      cuteEmitOver(r, memory, type->element, cuteEmitLayout(r, all));
  MlirValue stage =
      cuteEmitSliceLast(r, stages, cuteEmit1(r, CUTE_OP_PIPELINE_STAGE, state));
  CuteLayout pieces = cuteSumPiecesLayout(c, o->pieces.rows, o->pieces.columns,
                                          n, cuteTmaOperandGetBits(s, o));
  MlirValue tensor =
      cuteEmitOver(r, stage, type->element, cuteEmitLayout(r, pieces));
  return cuteRebuildSlice(r, tensor, cuteSumPiecesAt(c, 3, i));
}

// The pieces of an operand in round i of it.
static int64_t endOf(CuteTmaOperands *s, const CuteTmaOperand *o, int64_t i) {
  int64_t end = (i + 1) * cuteTmaOperandsCountInStage(s, o);
  return end < o->pieces.across ? end : o->pieces.across;
}

static void emitPiece(CuteTmaOperands *s, CuteRebuild *r, CuteTmaOperand *o,
                      int64_t i, MlirValue memory, MlirValue full) {
  CuteContext c = r->dialect->context;
  CuteRebuild copies = {
      .dialect = r->dialect, .builder = r->builder, .moves = &s->moves};
  MlirValue coords = cuteTmaEmitCoords(&copies, &o->tile, o->coords);
  r->failed |= copies.failed;
  CuteIntTuple at[] = {staticInt(c, 0), staticInt(c, i)};
  CuteType coord =
      cuteTypeGetTuple(c, CUTE_TYPE_COORD, cuteInternTuple(c, 2, at));
  CuteIntTuple shape = cuteSumPiecesShape(c, o->pieces.rows, o->pieces.columns);
  if (r->failed)
    return;
  MlirValue piece =
      cuteEmit3(r, CUTE_OP_LOCAL_TILE, coords, cuteEmitShape(r, shape),
                cuteEmitStatic(r, coord));
  cuteEmitTmaLoad(r, o->atom, full, cuteEmitGroupTile(r, memory),
                  cuteEmitGroupTile(r, piece), false);
}

// Loads the pieces of a round into the stage of a state.
static void emitLoads(CuteTmaOperands *s, CuteRebuild *r, CuteTmaOperand *o,
                      int64_t round, MlirValue state) {
  int64_t per = cuteTmaOperandsCountInStage(s, o), first = round * per;
  int64_t n = endOf(s, o, round) - first;
  MlirValue *acquire = cuteTaskAllocate((size_t)(2 + n) * sizeof *acquire);
  acquire[0] = s->pipeline;
  acquire[1] = state;
  for (int64_t i = 0; i < n; ++i)
    acquire[2 + i] = o->atom;
  cuteEmitDo(r, CUTE_OP_PRODUCER_ACQUIRE, (size_t)(2 + n), acquire);
  MlirValue full = cuteEmit2(r, CUTE_OP_PRODUCER_BARRIER, s->pipeline, state);
  for (int64_t i = 0; i < n && !r->failed; ++i)
    emitPiece(s, r, o, first + i, emitPlace(s, r, o, i, state), full);
  cuteEmitDo(r, CUTE_OP_PRODUCER_COMMIT, 2, acquire);
}

// Has one thread load the operands after the rounds of the loop, and all wait.
static void emitRounds(CuteTmaOperands *s, CuteRebuild *r, MlirValue *states) {
  r->builder = cuteBuilderBefore(mlirOperationGetNextInBlock(s->loop));
  CuteBuilder outer = cuteEmitEnterIf(r, getOperand(s->loads, 0));
  MlirValue state = getResult(s->loop, s->filled);
  for (size_t i = 0; i < s->count; ++i)
    for (int64_t j = 0; j < s->operands[i].rounds && !r->failed; ++j) {
      emitLoads(s, r, &s->operands[i], j, state);
      state = cuteEmit1(r, CUTE_OP_PIPELINE_ADVANCE, state);
    }
  r->builder = outer;
  state = getResult(s->loop, s->drained);
  for (int64_t i = 0; i < s->taken; ++i) {
    cuteEmitDo(r, CUTE_OP_CONSUMER_WAIT, CUTE_VALUES(s->pipeline, state));
    states[i] = state;
    state = cuteEmit1(r, CUTE_OP_PIPELINE_ADVANCE, state);
  }
}

// Has threads read an operand from its stages, and release these after a fence:
// the loads that write to them next are of another proxy, and on an H200 came
// first.
static void emitReads(CuteTmaOperands *s, CuteRebuild *r, CuteTmaOperand *o,
                      const MlirValue *states) {
  CuteContext c = r->dialect->context;
  int64_t per = cuteTmaOperandsCountInStage(s, o);
  r->builder = cuteBuilderBefore(o->place);
  for (int64_t i = 0; i < o->pieces.across && !r->failed; ++i) {
    MlirValue memory = emitPlace(s, r, o, i % per, states[i / per]);
    MlirValue part =
        cuteRebuildSlice(r, o->pieces.fragments, cuteSumPiecesAt(c, 4, i));
    MlirValue copy = o->pieces.copy;
    cuteEmitDo(
        r, CUTE_OP_COPY,
        CUTE_VALUES(copy,
                    cuteEmit3(r, CUTE_OP_PARTITION_S, copy, memory, o->thread),
                    cuteEmit2(r, CUTE_OP_RETILE, copy, part)));
  }
  cuteEmitNamed(r, CUTE_OP_FENCE_PROXY, "kind", "async.shared", 0, NULL);
  CuteBuilder b = r->builder;
  CUTE_BUILD(&b, "gpu.barrier");
  for (int64_t i = 0; i < o->rounds; ++i)
    cuteEmitDo(r, CUTE_OP_CONSUMER_RELEASE,
               CUTE_VALUES(s->pipeline, states[i]));
}

bool cuteTmaOperandsBuild(CuteTmaOperands *s) {
  CuteRebuild r = {.dialect = s->kernel->dialect};
  MlirValue *states = cuteTaskAllocate((size_t)s->taken * sizeof *states);
  emitRounds(s, &r, states);
  MlirValue *next = states;
  for (size_t i = 0; i < s->count && !r.failed; ++i) {
    emitReads(s, &r, &s->operands[i], next);
    next += s->operands[i].rounds;
  }
  if (r.failed)
    return cuteKernelFailOp(s->kernel, s->loop);
  return true;
}
