// cute-tma-operands: tiles that threads load after the loop of products, to
// compute with their sums, come by TMA through the stages of the loop
// (docs/passes.md):
//
//   one thread: in rounds after the loop's: acquire a stage, load pieces
//               of the tile into its buffers, commit
//   the others: wait for these stages after the loop, read their parts of the
//               pieces, release the stages
//
// So the tile is there when the sums are, and takes no shared memory of its
// own.
#include "Transforms/tma/tma_operands.h"
#include "Transforms/edit/loop_carry.h"
#include "Transforms/products/to_wgmma.h"
#include "Transforms/sm90.h"

enum {
  ROW = 128, // bytes of a row of a piece
  LEAST_ROW = 32,
  MOST_ROWS = 256, // of a box
};

//===-- The loop ----------------------------------------------------------===//

// The carried value that is the state of an op of a loop's body; -1 for others.
static intptr_t carriedOf(MlirOperation loop, MlirOperation op) {
  MlirValue state = getOperand(op, 1);
  bool isCarried =
      mlirValueIsABlockArgument(state) &&
      mlirBlockEqual(mlirBlockArgumentGetOwner(state), cuteLoopGetBody(loop));
  return isCarried ? mlirBlockArgumentGetArgNumber(state) - 1 : -1;
}

// Finds the one branch of loops of the kernel that fills stages.
static bool findLoads(CuteTmaOperands *s) {
  CuteDialect *dialect = s->kernel->dialect;
  size_t n = 0;
  CUTE_FOR_OPS(loop, s->kernel->block) {
    if (!cuteMlirIs(loop, "scf.for"))
      continue;
    CUTE_FOR_OPS(op, cuteLoopGetBody(loop)) {
      if (!cuteMlirIs(op, "scf.if") ||
          !cuteOpListHas(dialect, op, CUTE_OP_PRODUCER_BARRIER))
        continue;
      s->loop = loop;
      s->loads = op;
      ++n;
    }
  }
  return n == 1;
}

// Finds the states of its one pipeline, and the buffers of a stage.
static bool findStages(CuteTmaOperands *s) {
  CuteDialect *dialect = s->kernel->dialect;
  size_t n = 0;
  s->filled = s->drained = -1;
  CUTE_FOR_NESTED(op, s->loads) {
    if (cuteDialectIsOp(dialect, op, CUTE_OP_PRODUCER_ACQUIRE)) {
      s->pipeline = getOperand(op, 0);
      s->filled = carriedOf(s->loop, op);
      ++n;
    }
    MlirOperation alloc = cuteDialectIsOp(dialect, op, CUTE_OP_TMA_PARTITION)
                              ? cuteMlirGetOwner(cuteViewGetRoot(
                                    dialect, getOperand(op, 1), CUTE_SMEM))
                              : (MlirOperation){NULL};
    if (!mlirOperationIsNull(alloc))
      cuteOpsPush(&s->buffers, alloc);
  }
  CUTE_FOR_OPS(op, cuteLoopGetBody(s->loop))
    if (cuteDialectIsOp(dialect, op, CUTE_OP_CONSUMER_WAIT))
      s->drained = carriedOf(s->loop, op);
  if (n != 1 || s->filled < 0 || s->drained < 0)
    return false;
  s->stages =
      cuteTypeGetPipelineValue(cuteKernelType(s->kernel, s->pipeline)).stages;
  return true;
}

//===-- Operands ----------------------------------------------------------===//

// Tells whether an op copies from global memory to all of a fragment, by the
// tiled copy of the sums of products by wgmma.
static bool isOfSums(CuteTmaOperands *s, MlirOperation copy,
                     CuteCopyParts *parts, CuteTmaOperand *o) {
  CuteDialect *dialect = s->kernel->dialect;
  if (!cuteEffectGetCopy(dialect, copy, parts) ||
      mlirValueIsNull(parts->copy) ||
      !cuteViewIsIn(dialect, parts->source, CUTE_GMEM))
    return false;
  MlirOperation by =
      cuteValueGetOpOf(dialect, parts->copy, CUTE_OP_MAKE_TILED_COPY_C);
  MlirOperation retile =
      cuteValueGetOpOf(dialect, parts->destination, CUTE_OP_RETILE);
  MlirOperation part =
      cuteValueGetOpOf(dialect, parts->source, CUTE_OP_PARTITION_S);
  if (mlirOperationIsNull(by) || mlirOperationIsNull(retile) ||
      mlirOperationIsNull(part))
    return false;
  o->fragment = getOperand(retile, 1);
  o->mma = getOperand(by, 1);
  o->thread = getOperand(part, 2);
  return mlirValueEqual(cuteViewGetRoot(dialect, o->fragment, CUTE_RMEM),
                        o->fragment);
}

// Tells whether a fragment has, in each row of instructions, the columns of a
// tile side by side.
static bool isOfRows(const CuteTmaOperands *s, const CuteTmaOperand *o,
                     int64_t columns) {
  CuteContext c = s->kernel->dialect->context;
  CuteLayout layout = cuteKernelType(s->kernel, o->fragment)->layout;
  CuteLayout flat = cuteLayoutCoalesce(c, layout, NULL);
  return flat && !cuteLayoutIsComposed(layout) &&
         cuteLayoutGetRank(layout) == 3 && isStaticValue(flat->stride, 1) &&
         isStaticValue(cuteIntTupleProduct(c, element(layout->shape, 0)),
                       columns / 2) &&
         isStaticValue(cuteIntTupleProduct(c, element(layout->shape, 2)), 1);
}

// Checks that nothing but cute.clear has an access to the fragment before: TMA
// fills what the predicate excludes with zeros.
static bool checkFill(CuteTmaOperands *s, CuteTmaOperand *o) {
  CUTE_FOR_OPS(op, s->kernel->block) {
    if (mlirOperationEqual(op, o->tile.copy))
      break;
    if (!cuteProductsTouch(s->kernel, op, o->fragment))
      continue;
    if (!cuteDialectIsOp(s->kernel->dialect, op, CUTE_OP_CLEAR) ||
        !mlirOperationIsNull(o->clear))
      return cuteKernelFail(
          s->kernel, op,
          "accesses the memory of a tile, but TMA fills all of it, with zeros "
          "outside the tensor (cute.clear)");
    o->clear = op;
  }
  return true;
}

// Checks that rows of the tensor begin at 16 bytes, and that its first two
// modes are the tile's.
static bool checkRows(CuteTmaOperands *s, CuteTmaOperand *o) {
  CuteContext c = s->kernel->dialect->context;
  CuteType type = cuteKernelType(s->kernel, o->tile.parameter);
  CuteType tiler =
      cuteDialectGetOperandType(s->kernel->dialect, o->tile.tile, 1);
  CuteLayout own =
      cuteTmaViewGetTile(s->kernel->dialect, o->tile.matrix, &tiler);
  bool ok = own && type->align >= 16 && cuteLayoutGetRank(own) >= 2 &&
            isStaticValue(cuteLayoutCoalesce(c, own, NULL)->stride, 1) &&
            isStaticValue(element(own->shape, 0), o->pieces.rows);
  for (size_t i = 0; ok && i < cuteLayoutGetRank(type->layout); ++i) {
    CuteIntTuple stride = element(type->layout->stride, i);
    ok = !isTuple(stride) &&
         (i == 1 ? isStaticValue(stride, 1)
                 : stride->value * cuteTmaOperandGetBits(s, o) % 128 == 0);
  }
  return ok ||
         cuteKernelFail(s->kernel, o->tile.copy,
                        "loads rows that TMA cannot load: they must begin at "
                        "multiples of 16 bytes and have contiguous elements");
}

// Tells whether a value may be computed where the loop ends.
static bool isEarly(const CuteTmaOperands *s, MlirValue value) {
  MlirOperation op = cuteMlirGetOwner(value);
  if (mlirOperationIsNull(op) ||
      !mlirBlockEqual(mlirOperationGetBlock(op), s->kernel->block) ||
      mlirOperationIsBeforeInBlock(op, s->loop))
    return true;
  if (!cutePointerMapGet(&s->moves, op.ptr))
    return false;
  CUTE_FOR_OPERANDS(operand, op)
    if (!isEarly(s, operand))
      return false;
  return true;
}

// Checks that the tile may be loaded where the loop ends.
static bool checkEarly(CuteTmaOperands *s, CuteTmaOperand *o) {
  CuteDialect *dialect = s->kernel->dialect;
  CUTE_FOR_NESTED(op, s->kernel->function) {
    if (mlirOperationEqual(op, o->tile.copy))
      break;
    if (!mlirValueIsNull(cuteViewGetWritten(dialect, op, CUTE_GMEM)))
      return cuteKernelFail(s->kernel, op,
                            "writes global memory before a tile is loaded");
  }
  return isEarly(s, getResult(o->tile.tile, 0)) ||
         cuteKernelFail(
             s->kernel, o->tile.copy,
             "loads a tile whose coordinates depend on the products");
}

// Sets the pieces of so many columns, and the rounds that they take; 0 if they
// do not fit.
static void setPieces(CuteTmaOperands *s, CuteTmaOperand *o, int64_t rows,
                      int64_t columns, int64_t all) {
  o->pieces = (CuteSumPieces){
      .rows = rows, .columns = columns, .down = 1, .across = all / columns};
  int64_t fit =
      all % columns || columns % 8 ? 0 : cuteTmaOperandsCountInStage(s, o);
  o->rounds = fit ? (o->pieces.across + fit - 1) / fit : 0;
}

// Divides a tile into pieces, as wide as rows and buffers have room for.
static bool divide(CuteTmaOperands *s, CuteTmaOperand *o) {
  CuteContext c = s->kernel->dialect->context;
  CuteLayout tile =
      cuteKernelType(s->kernel, getResult(o->tile.tile, 0))->layout;
  int64_t rows = cuteIntTupleProduct(c, element(tile->shape, 0))->value;
  int64_t all = cuteIntTupleProduct(c, element(tile->shape, 1))->value;
  int64_t bits = cuteTmaOperandGetBits(s, o);
  bool may = rows <= MOST_ROWS && bits >= 16 && isOfRows(s, o, all);
  for (int64_t row = ROW; may && !o->rounds && row >= LEAST_ROW; row /= 2)
    setPieces(s, o, rows, row * 8 / bits, all);
  if (!o->rounds)
    return cuteKernelFail(s->kernel, o->tile.copy,
                          "loads a tile of %jd x %jd elements, whose "
                          "pieces do not fit into a stage of the loop",
                          rows, all);
  return s->taken + o->rounds < s->stages ||
         cuteKernelFail(s->kernel, o->tile.copy,
                        "loads a tile that takes %jd stages of the loop, which "
                        "has %jd: one is left to its products",
                        s->taken + o->rounds, s->stages);
}

static bool match(CuteTmaOperands *s, CuteTmaOperand *o,
                  const CuteCopyParts *parts) {
  CuteKernel *kernel = s->kernel;
  return cuteTmaMatchGlobal(kernel, o->tile.copy, parts->copy, parts->source,
                            parts->predicate, &o->tile) &&
         checkFill(s, o) && divide(s, o) && checkRows(s, o) && checkEarly(s, o);
}

static bool isBeforeLoop(const CuteTmaOperands *s, MlirValue value) {
  MlirOperation op = cuteMlirGetOwner(value);
  return mlirOperationIsNull(op) || mlirOperationIsBeforeInBlock(op, s->loop);
}

// Has threads read the tile while the last products are under way, if all that
// this takes is there before the loop.
static void choosePlace(CuteTmaOperands *s, CuteTmaOperand *o) {
  MlirOperation make = cuteMlirGetOwner(o->fragment);
  bool isEarly =
      cuteDialectIsOp(s->kernel->dialect, s->end, CUTE_OP_WARPGROUP_WAIT) &&
      isBeforeLoop(s, o->mma) && isBeforeLoop(s, o->thread);
  CUTE_FOR_OPERANDS(operand, make)
    isEarly &= isBeforeLoop(s, operand);
  o->place = isEarly ? s->end : o->tile.copy;
  if (isEarly && !isBeforeLoop(s, o->fragment))
    mlirOperationMoveBefore(make, s->end);
}

// Makes the atom of an operand's pieces, and what copies these to registers.
static bool prepare(CuteTmaOperands *s, CuteTmaOperand *o) {
  CuteContext c = s->kernel->dialect->context;
  CuteRebuild r =
      cuteRebuildBefore(s->kernel->dialect, cuteMlirGetOwner(s->pipeline));
  CuteSumPieces *p = &o->pieces;
  MlirOperation atom = cuteEmitNamed(
      &r, CUTE_OP_MAKE_TMA_ATOM, "atom", "SM90_TMA_LOAD",
      CUTE_VALUES(
          o->tile.parameter,
          cuteEmitLayout(&r, cuteSumPiecesLayout(c, p->rows, p->columns, 0,
                                                 cuteTmaOperandGetBits(s, o))),
          cuteEmitShape(&r, cuteSumPiecesShape(c, p->rows, p->columns))));
  if (r.failed)
    return cuteKernelFailOp(s->kernel, o->tile.copy);
  o->atom = getResult(atom, 0);
  o->coords = getResult(atom, 1);
  choosePlace(s, o);
  r.builder = cuteBuilderBefore(o->place);
  const CuteCopyAtom *pair = cuteCopyAtomFind(cuteStringRef(
      cuteTmaOperandGetBits(s, o) == 16 ? "SM75_U32x4_LDSM_N"
                                        : "UniversalCopy<uint64_t>"));
  CuteType type = cuteTypeGetCopyAtom(
      c, pair, cuteKernelType(s->kernel, o->tile.parameter)->element);
  return cuteSumPiecesEmit(&r, p, cuteEmitStatic(&r, type), o->mma,
                           o->fragment) ||
         cuteKernelFailOp(s->kernel, o->tile.copy);
}

static void findOperands(CuteTmaOperands *s) {
  CuteKernel *kernel = s->kernel;
  s->end = mlirOperationGetNextInBlock(s->loop);
  CUTE_FOR_OPS_UNTIL(op, s->end, (MlirOperation){NULL})
    if (cuteKernelOnlyComputes(kernel, op))
      cutePointerMapSet(&s->moves, op.ptr, op.ptr);
  for (MlirOperation op = s->end;
       !mlirOperationIsNull(op) && s->count < CUTE_MAX_OPERANDS;
       op = mlirOperationGetNextInBlock(op)) {
    CuteCopyParts parts;
    CuteTmaOperand *o = &s->operands[s->count];
    *o = (CuteTmaOperand){.tile.copy = op};
    if (!isOfSums(s, op, &parts, o))
      continue;
    if (match(s, o, &parts) && prepare(s, o)) {
      s->taken += o->rounds;
      ++s->count;
    } else
      cuteKernelNoteProblem(kernel, "threads load the operand of the epilogue");
  }
}

static void finish(CuteTmaOperands *s) {
  for (size_t i = 0; i < s->count; ++i) {
    cuteKernelNote(
        s->kernel, mlirOperationGetLocation(s->operands[i].tile.copy),
        "TMA loads the tile, through %jd stage%s of the loop after its last "
        "round",
        s->operands[i].rounds, s->operands[i].rounds == 1 ? "" : "s");
    mlirOperationDestroy(s->operands[i].tile.copy);
    if (!mlirOperationIsNull(s->operands[i].clear))
      mlirOperationDestroy(s->operands[i].clear);
  }
  cuteScheduleSet(s->kernel, "operands", 1);
}

//===-- The pass ----------------------------------------------------------===//

bool cuteTmaOperandsEdit(CuteKernel *kernel, void *data) {
  CuteSchedule schedule;
  CuteTmaOperands s = {.kernel = kernel, .moves = cuteTaskMap()};
  bool ok = cuteScheduleRead(kernel, data, &schedule);
  if (ok && schedule.operands != 2 && schedule.split < 2 && findLoads(&s) &&
      findStages(&s)) {
    findOperands(&s);
    ok = !s.count || cuteTmaOperandsBuild(&s);
    if (ok && s.count)
      finish(&s);
    cuteKernelRemoveDead(kernel);
  }
  return ok;
}
