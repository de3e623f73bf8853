#include "Transforms/tma/store_pieces.h"

#include "Transforms/products/sum_pieces.h"
#include "Transforms/products/to_wgmma.h"
#include "Transforms/tma/tma_tile.h"

enum { ROW = 128, ALIGN = 1024, MOST_COLUMNS = 256, MMA_ROWS = 64 };

static int64_t extentOf(CuteContext c, CuteType tile, size_t mode) {
  return cuteIntTupleProduct(c, element(tile->layout->shape, mode))->value;
}

//===-- Which tiles -------------------------------------------------------===//

CuteStorePieces cuteStorePiecesOf(CuteContext c, CuteType tile,
                                  bool alternates) {
  int64_t columns = ROW * 8 / cuteElementTypeGetBits(tile->element), rows;
  if (cuteLayoutGetRank(tile->layout) != 2 || tile->layout->shape->numDynamic ||
      cuteProductsGetMajor(tile) != CUTE_MAJOR_K)
    return (CuteStorePieces){0};
  int64_t all = extentOf(c, tile, 1), count = all / columns;
  rows = extentOf(c, tile, 0);
  bool isOdd = count % 2 && rows == 2 * MMA_ROWS;
  int64_t buffers = alternates && (count == 2 || isOdd) ? 1 : 2;
  if (all % (buffers * columns) || count <= buffers || all > MOST_COLUMNS)
    return (CuteStorePieces){0};
  if (buffers == 1 && rows == 2 * MMA_ROWS) {
    rows = MMA_ROWS;
    buffers = 2;
  }
  return (CuteStorePieces){.rows = rows,
                           .columns = columns,
                           .buffers = buffers,
                           .bytes = rows * ROW * buffers};
}

// Tells whether an op copies a whole fragment by the tiled copy of a tiled
// MMA's sums.
static bool isOfSums(CuteKernel *kernel, MlirOperation write) {
  CuteDialect *dialect = kernel->dialect;
  CuteCopyParts parts;
  if (!cuteEffectGetCopy(dialect, write, &parts) ||
      mlirValueIsNull(parts.copy) || !mlirValueIsNull(parts.predicate))
    return false;
  MlirOperation by =
      cuteValueGetOpOf(dialect, parts.copy, CUTE_OP_MAKE_TILED_COPY_C);
  MlirOperation retile =
      cuteValueGetOpOf(dialect, parts.source, CUTE_OP_RETILE);
  MlirOperation part =
      cuteValueGetOpOf(dialect, parts.destination, CUTE_OP_PARTITION_D);
  if (mlirOperationIsNull(by) || mlirOperationIsNull(retile) ||
      mlirOperationIsNull(part))
    return false;
  MlirValue fragment = getOperand(retile, 1);
  return mlirValueEqual(cuteViewGetRoot(dialect, fragment, CUTE_RMEM),
                        fragment) &&
         !mlirOperationIsNull(
             cuteValueGetMaker(dialect, by, 1, CUTE_OP_MAKE_TILED_MMA));
}

bool cuteStoreMaySplit(CuteKernel *kernel, MlirOperation write, CuteType tile,
                       bool alternates) {
  return cuteStorePiecesOf(kernel->dialect->context, tile, alternates)
             .columns &&
         isOfSums(kernel, write);
}

//===-- Matching ----------------------------------------------------------===//

typedef struct Split {
  CuteKernel *kernel;
  MlirOperation store, partition; // by TMA
  MlirOperation atom, alloc, write;
  MlirOperation branch, commit; // the scf.if around the store
  MlirValue isWhole;            // the condition of an scf.if in it, or null
  MlirValue pipeline, coords;   // coords: of the tile
  CuteLayout flat;              // numbers of a piece's elements, or NULL
  MlirOperation rest;           // where it is false: threads read and store
  int64_t rows, columns;        // of a piece
  int64_t down, across;         // pieces
  int64_t buffers;
  bool alternates;
} Split;

// Gives the tensor that cuteTmaEmitFlat flattened to one mode, and in `flat`
// the new numbers of its elements if they changed.
static MlirValue beforeFlat(CuteDialect *dialect, MlirValue value,
                            CuteLayout *flat) {
  MlirOperation op = cuteValueGetOpOf(dialect, value, CUTE_OP_COMPOSITION);
  if (!mlirOperationIsNull(op))
    *flat = cuteDialectGetOperandType(dialect, op, 1)->layout;
  else
    op = cuteValueGetOpOf(dialect, value, CUTE_OP_GROUP_MODES);
  return cuteMlirGetOperand(op, 0);
}

// The numbers of a piece's elements, from the tile's: by the parameter's modes,
// one of them with the piece's columns.
static CuteLayout flatOfPiece(Split *s, CuteLayout flat) {
  enum { MOST_MODES = 8 };
  CuteContext c = s->kernel->dialect->context;
  CuteType tile = cuteKernelType(s->kernel, getResult(s->alloc, 0));
  int64_t rows = extentOf(c, tile, 0);
  CuteIntTuple shape = element(flat->shape, 0);
  CuteIntTuple stride = element(flat->stride, 0), modes[MOST_MODES];
  for (size_t i = 0; i < shape->rank && i < MOST_MODES; ++i)
    modes[i] = isStaticValue(element(stride, i), rows)
                   ? staticInt(c, s->columns)
                   : element(shape, i);
  shape = cuteInternTuple(c, shape->rank, modes);
  return cuteLayoutGet(c, cuteInternTuple(c, 1, &shape), flat->stride);
}

// Finds the branch of threads that store what TMA does not.
static MlirOperation findRest(Split *s) {
  MlirOperation op = s->branch;
  while (!mlirValueIsNull(s->isWhole) && !mlirOperationIsNull(op)) {
    MlirOperation by = cuteMlirIs(op, "scf.if")
                           ? cuteMlirGetOwner(getOperand(op, 0))
                           : (MlirOperation){NULL};
    if (!mlirOperationIsNull(by) && cuteMlirIs(by, "arith.xori") &&
        mlirValueEqual(getOperand(by, 0), s->isWhole))
      return op;
    op = mlirOperationGetNextInBlock(op);
  }
  return (MlirOperation){NULL};
}

static bool match(Split *s, MlirOperation copy) {
  CuteDialect *dialect = s->kernel->dialect;
  MlirValue by = getOperand(copy, 0);
  CuteType type = cuteKernelType(s->kernel, by);
  if (!cuteTypeIsKind(type, CUTE_TYPE_TMA_ATOM) ||
      cuteCopyAtomIsTmaLoad(type->atom))
    return false;
  s->store = copy;
  s->atom = cuteValueGetOpOf(dialect, by, CUTE_OP_MAKE_TMA_ATOM);
  s->partition = cuteValueGetMaker(dialect, copy, 1, CUTE_OP_TMA_PARTITION);
  s->branch = mlirOperationGetParentOperation(copy);
  s->isWhole = (MlirValue){NULL};
  MlirOperation inner = copy;
  if (cuteMlirIs(mlirOperationGetParentOperation(s->branch), "scf.if")) {
    inner = s->branch;
    s->isWhole = getOperand(inner, 0);
    s->branch = mlirOperationGetParentOperation(inner);
  }
  s->commit = mlirOperationGetNextInBlock(inner);
  while (!mlirOperationIsNull(s->commit) &&
         !cuteDialectIsOp(dialect, s->commit, CUTE_OP_PRODUCER_COMMIT))
    s->commit = mlirOperationGetNextInBlock(s->commit);
  if (mlirOperationIsNull(s->atom) || mlirOperationIsNull(s->partition) ||
      mlirOperationIsNull(s->commit) ||
      !mlirBlockEqual(mlirOperationGetBlock(s->branch), s->kernel->block))
    return false;
  CuteLayout flat = NULL;
  MlirValue memory = beforeFlat(dialect, getOperand(s->partition, 1), &flat);
  s->coords = beforeFlat(dialect, getOperand(s->partition, 2), &flat);
  if (mlirValueIsNull(memory) || mlirValueIsNull(s->coords))
    return false;
  s->alloc = cuteValueGetOpOf(dialect, memory, CUTE_OP_ALLOC_SMEM);
  s->pipeline = getOperand(s->commit, 0);
  if (mlirOperationIsNull(s->alloc))
    return false;
  s->write = cuteKernelFindWriter(s->kernel, getResult(s->alloc, 0), CUTE_SMEM);
  CuteType buffer = cuteKernelType(s->kernel, getResult(s->alloc, 0));
  if (mlirOperationIsNull(s->write) ||
      !cuteStoreMaySplit(s->kernel, s->write, buffer, s->alternates))
    return false;
  CuteStorePieces pieces =
      cuteStorePiecesOf(dialect->context, buffer, s->alternates);
  s->columns = pieces.columns;
  s->rows = pieces.rows;
  s->buffers = pieces.buffers;
  int64_t rows = extentOf(dialect->context, buffer, 0);
  if (flat && s->rows < rows) { // of several modes
    s->rows = rows;
    s->buffers = 1;
  }
  s->down = rows / s->rows;
  s->across = extentOf(dialect->context, buffer, 1) / s->columns;
  s->flat = flat ? flatOfPiece(s, flat) : NULL;
  s->rest = findRest(s);
  return true;
}

//===-- Building ----------------------------------------------------------===//

typedef struct Pieces {
  MlirValue buffers, atom, pipeline; // for one piece
  CuteSumPieces sums;                // registers -> shared memory
  MlirValue thread;
} Pieces;

static CuteLayout layoutOf(Split *s, int64_t buffers) {
  CuteType buffer = cuteKernelType(s->kernel, getResult(s->alloc, 0));
  return cuteSumPiecesLayout(s->kernel->dialect->context, s->rows, s->columns,
                             buffers, cuteElementTypeGetBits(buffer->element));
}

// A piece's extents in the parameter's modes: its rows and columns take the
// places of the tile's, between modes of 1, such as a batch.
static CuteIntTuple shapeOfPiece(Split *s) {
  CuteContext c = s->kernel->dialect->context;
  CuteIntTuple tile =
      cuteDialectGetOperandType(s->kernel->dialect, s->atom, 2)->tuple;
  CuteIntTuple piece = cuteSumPiecesShape(c, s->rows, s->columns);
  CuteIntTuple modes[CUTE_MAX_TMA_RANK];
  size_t n = 0;
  if (tile->rank > CUTE_MAX_TMA_RANK)
    return piece;
  for (size_t i = 0; i < tile->rank; ++i) {
    bool isOne = isStaticValue(element(tile, i), 1);
    if (!isOne && n == piece->rank)
      return piece;
    modes[i] = isOne ? element(tile, i) : element(piece, n++);
  }
  return n == piece->rank ? cuteInternTuple(c, tile->rank, modes) : piece;
}

// The atom of a piece, whose elements lie in shared memory as layoutOf says.
static MlirOperation emitAtom(Split *s, CuteRebuild *r) {
  CuteContext c = r->dialect->context;
  CuteIntTuple shape = shapeOfPiece(s);
  CuteLayout layout = layoutOf(s, 0);
  if (s->flat) {
    shape = element(s->flat->shape, 0);
    CuteLayout own = cuteLayoutGet(c, shape, element(s->flat->stride, 0));
    layout = cuteLayoutComposition(c, layout, cuteTileGetLayout(c, own));
  }
  return cuteEmitNamed(r, CUTE_OP_MAKE_TMA_ATOM, "atom", "SM90_TMA_STORE",
                       CUTE_VALUES(getOperand(s->atom, 0),
                                   cuteEmitLayout(r, layout),
                                   cuteEmitShape(r, shape)));
}

// A tensor as one mode, with its elements in the order of the parameter's
// modes.
static MlirValue emitFlat(Split *s, CuteRebuild *r, MlirValue tensor) {
  return s->flat ? cuteEmit2(r, CUTE_OP_COMPOSITION, tensor,
                             cuteEmitLayout(r, s->flat))
                 : cuteEmitGroupTile(r, tensor);
}

// The buffers, the pipeline and the atom, where the old ones are.
static bool emitMemory(Split *s, CuteRebuild *r, Pieces *p) {
  r->builder = cuteBuilderBefore(s->atom);
  p->buffers = cuteEmitAlloc(r, layoutOf(s, s->buffers),
                             cuteMlirGetAttribute(s->alloc, "element"), ALIGN);
  MlirOperation atom = emitAtom(s, r);
  p->pipeline = cuteEmitStorePipeline(r, s->buffers);
  if (r->failed)
    return false;
  p->atom = getResult(atom, 0);
  cuteMlirReplace(s->atom, 1, getResult(atom, 1));
  return true;
}

// The copy of the sums of a piece, and the sums by pieces.
static bool emitCopy(Split *s, CuteRebuild *r, Pieces *p) {
  CuteCopyParts parts;
  cuteEffectGetCopy(r->dialect, s->write, &parts);
  MlirOperation by = cuteMlirGetOwner(parts.copy);
  MlirOperation retile = cuteMlirGetOwner(parts.source);
  r->builder = cuteBuilderBefore(s->branch);
  p->sums = (CuteSumPieces){.rows = s->rows,
                            .columns = s->columns,
                            .down = s->down,
                            .across = s->across};
  p->thread = getOperand(cuteMlirGetOwner(parts.destination), 2);
  return cuteSumPiecesEmit(r, &p->sums, getOperand(by, 0), getOperand(by, 1),
                           getOperand(retile, 1));
}

// Enters a branch of the thread that stores.
static CuteBuilder enterBranch(Split *s, CuteRebuild *r) {
  return cuteEmitEnterIf(r, getOperand(s->branch, 0));
}

static void emitStore(Split *s, CuteRebuild *r, Pieces *p, MlirValue buffer,
                      MlirValue state, int64_t i) {
  CuteContext c = r->dialect->context;
  CuteBuilder outer = enterBranch(s, r);
  // The tile of coordinates, as it was, and the piece of it.
  CUTE_SCOPED(PointerMap) moves = {0};
  CUTE_FOR_OPS_BEFORE(op, s->partition)
    cutePointerMapSet(&moves, op.ptr, op.ptr);
  CuteRebuild copies = {
      .dialect = r->dialect, .builder = r->builder, .moves = &moves};
  CuteIntTuple at[] = {staticInt(c, i / s->across),
                       staticInt(c, i % s->across)};
  CuteType coord =
      cuteTypeGetTuple(c, CUTE_TYPE_COORD, cuteInternTuple(c, 2, at));
  MlirValue piece =
      cuteEmit3(r, CUTE_OP_LOCAL_TILE, cuteRebuildGet(&copies, s->coords),
                cuteEmitShape(r, cuteSumPiecesShape(c, s->rows, s->columns)),
                cuteEmitStatic(r, coord));
  buffer = emitFlat(s, r, buffer);
  cuteEmitTmaStore(r, s->isWhole, p->atom, buffer, emitFlat(s, r, piece));
  cuteEmitDo(r, CUTE_OP_PRODUCER_COMMIT, CUTE_VALUES(p->pipeline, state));
  r->builder = outer;
}

// Has threads store a piece from its buffer where TMA does not.
static void emitRest(Split *s, CuteRebuild *r, Pieces *p, MlirValue buffer,
                     int64_t i) {
  CuteType copy = cuteKernelType(s->kernel, p->sums.copy);
  CuteTmaPiece piece = {
      .buffer = buffer,
      .thread = p->thread,
      .threads = cuteIntTupleProduct(r->dialect->context,
                                     element(copy->layout->shape, 0))
                     ->value,
      .shape = cuteSumPiecesShape(r->dialect->context, s->rows, s->columns),
      .counts = {s->down, s->across},
      .at = {i / s->across, i % s->across}};
  CuteBuilder outer = cuteTmaBoundEnterRest(r, s->isWhole);
  cuteTmaBoundEmitPiece(r, s->rest, &piece);
  r->builder = outer;
}

static void emitPiece(Split *s, CuteRebuild *r, Pieces *p, MlirValue state,
                      int64_t i) {
  CuteContext c = r->dialect->context;
  CuteBuilder outer = enterBranch(s, r);
  cuteEmitDo(r, CUTE_OP_PRODUCER_ACQUIRE, CUTE_VALUES(p->pipeline, state));
  r->builder = outer;
  CUTE_BUILD(&outer, "gpu.barrier");
  MlirValue buffer =
      cuteRebuildSlice(r, p->buffers, cuteSumPiecesAt(c, 3, i % s->buffers));
  MlirValue sums =
      cuteRebuildSlice(r, p->sums.fragments, cuteSumPiecesAt(c, 4, i));
  MlirValue copy[] = {
      p->sums.copy, cuteEmit2(r, CUTE_OP_RETILE, p->sums.copy, sums),
      cuteEmit3(r, CUTE_OP_PARTITION_D, p->sums.copy, buffer, p->thread)};
  cuteEmitDo(r, CUTE_OP_COPY, 3, copy);
  cuteEmitNamed(r, CUTE_OP_FENCE_PROXY, "kind", "async.shared", 0, NULL);
  CUTE_BUILD(&outer, "gpu.barrier");
  emitStore(s, r, p, buffer, state, i);
  if (!mlirOperationIsNull(s->rest))
    emitRest(s, r, p, buffer, i);
}

//===-- Replacing ---------------------------------------------------------===//

// Removes what stored the whole tile: the wait for the buffer with its
// barrier, the write with its fence, and the store.
static void removeWhole(Split *s) {
  CuteDialect *dialect = s->kernel->dialect;
  MlirOperation op = mlirBlockGetFirstOperation(s->kernel->block);
  MlirOperation fence = cuteProductsGetNextEffect(s->kernel, s->write);
  MlirOperation barrier = cuteProductsGetNextEffect(s->kernel, fence);
  while (!mlirOperationIsNull(op)) {
    MlirOperation next = mlirOperationGetNextInBlock(op);
    if (cuteMlirIs(op, "scf.if") &&
        cuteOpListHasOn(dialect, op, CUTE_OP_PRODUCER_ACQUIRE, 0,
                        s->pipeline)) {
      MlirOperation after = next;
      next = mlirOperationGetNextInBlock(next);
      if (cuteMlirIs(after, "gpu.barrier"))
        mlirOperationDestroy(after);
      mlirOperationDestroy(op);
    }
    op = next;
  }
  if (cuteDialectIsOp(dialect, fence, CUTE_OP_FENCE_PROXY)) {
    if (cuteMlirIs(barrier, "gpu.barrier"))
      mlirOperationDestroy(barrier);
    mlirOperationDestroy(fence);
  }
  mlirOperationDestroy(s->write);
  mlirOperationDestroy(s->branch);
  if (!mlirOperationIsNull(s->rest))
    mlirOperationDestroy(s->rest);
}

// Has the wait at the kernel's end be for the pieces.
static void replaceTail(Split *s, CuteRebuild *r, MlirValue pipeline) {
  CUTE_FOR_FOUND(op, cuteKernelFindOps(s->kernel, CUTE_OP_PRODUCER_TAIL)) {
    if (!mlirValueEqual(getOperand(op, 0), s->pipeline))
      continue;
    r->builder = cuteBuilderBefore(op);
    MlirValue state = cuteEmitState(r, "producer", pipeline);
    cuteEmitDo(r, CUTE_OP_PRODUCER_TAIL, CUTE_VALUES(pipeline, state));
    mlirOperationDestroy(op);
  }
}

static void noteSplit(Split *s) {
  CUTE_SCOPED(String) rows = {0};
  if (s->down > 1)
    cuteStringAppendFormat(&rows, "%jd rows and ", s->rows);
  cuteKernelNote(s->kernel, mlirOperationGetLocation(s->write),
                 "the tile is stored in %jd pieces of %s%jd columns, through "
                 "%s",
                 s->down * s->across, cuteStringGet(&rows), s->columns,
                 s->buffers == 1 ? "one buffer" : "two buffers");
}

static bool split(Split *s) {
  CuteKernel *kernel = s->kernel;
  CuteRebuild r = {.dialect = kernel->dialect};
  Pieces p = {0};
  if (!emitMemory(s, &r, &p) || !emitCopy(s, &r, &p))
    return cuteKernelFailOp(kernel, s->write);
  r.builder = cuteBuilderBefore(s->branch);
  MlirValue state = cuteEmitState(&r, "producer", p.pipeline);
  for (int64_t i = 0; i < s->down * s->across && !r.failed; ++i) {
    emitPiece(s, &r, &p, state, i);
    state = cuteEmit1(&r, CUTE_OP_PIPELINE_ADVANCE, state);
  }
  if (!r.failed)
    replaceTail(s, &r, p.pipeline);
  if (r.failed)
    return cuteKernelFailOp(kernel, s->write);
  noteSplit(s);
  removeWhole(s);
  cuteKernelRemoveDead(kernel);
  mlirOperationDestroy(s->atom);
  if (!cuteMlirIsUsed(s->alloc))
    mlirOperationDestroy(s->alloc);
  cuteKernelRemoveDead(kernel);
  return true;
}

bool cuteStoreSplit(CuteKernel *kernel, bool alternates) {
  Split s = {.kernel = kernel, .alternates = alternates};
  CUTE_FOR_NESTED(op, kernel->function)
    if (cuteDialectIsOp(kernel->dialect, op, CUTE_OP_COPY) && match(&s, op))
      return split(&s);
  return true;
}
