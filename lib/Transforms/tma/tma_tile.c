#include "Transforms/tma/tma_tile.h"

//===-- Parts of tiles ----------------------------------------------------===//

// Tells whether the threads of the block, which are as many as the tiled copy
// has, move every element of a tile once or more often, and nothing beside it.
static bool isWhole(CuteKernel *kernel, CuteType copy, CuteType tile) {
  CuteContext c = kernel->dialect->context;
  CuteIntTuple block = cuteTileGetShapes(c, copy->tile);
  if (!block || tile->layout->shape->numDynamic ||
      cuteLayoutGetRank(copy->layout) != 2)
    return false;
  int64_t threads =
      cuteIntTupleProduct(c, element(copy->layout->shape, 0))->value;
  if (threads != kernel->threads ||
      cuteLayoutGetSize(c, cuteLayoutFilter(c, copy->layout, NULL))->value !=
          cuteIntTupleProduct(c, block)->value)
    return false;
  size_t rank = cuteLayoutGetRank(tile->layout);
  if (rank != cuteTileGetRank(copy->tile))
    return false;
  for (size_t i = 0; i < rank; ++i)
    if (cuteIntTupleProduct(c, element(tile->layout->shape, i))->value %
        cuteIntTupleProduct(c, element(block, i))->value)
      return false;
  return true;
}

static bool isPartition(CuteKernel *kernel, MlirOperation op) {
  return !mlirOperationIsNull(op) &&
         (cuteDialectIsOp(kernel->dialect, op, CUTE_OP_PARTITION_S) ||
          cuteDialectIsOp(kernel->dialect, op, CUTE_OP_PARTITION_D));
}

MlirOperation cuteTmaMatchPart(CuteKernel *kernel, MlirOperation copy,
                               MlirValue by, MlirValue part) {
  const MlirOperation none = {NULL};
  MlirOperation op = cuteMlirGetOwner(part);
  if (!isPartition(kernel, op) ||
      !cuteValueIsSame(kernel->dialect, getOperand(op, 0), by) ||
      !cuteValueIsThread(kernel->dialect, getOperand(op, 2))) {
    cuteKernelFail(kernel, copy,
                   "must copy thread_idx's partition of a tile "
                   "(cute.predicated_tile_s, partition_d)");
    return none;
  }
  MlirValue whole = getOperand(op, 1);
  if (!isWhole(kernel, cuteKernelType(kernel, by),
               cuteKernelType(kernel, whole))) {
    cuteKernelFail(kernel, copy,
                   "copies only a part of the tile: the threads and values of "
                   "its tiled copy must cover a tile of static extents");
    return none;
  }
  return cuteMlirGetOwner(whole);
}

//===-- The side in global memory -----------------------------------------===//

static bool isZero(CuteIntTuple coord) {
  return isUnderscore(coord) || isStaticValue(coord, 0);
}

// Tells whether a bound is the shape of the matrix.
static bool isShapeOf(CuteKernel *kernel, MlirValue bound, MlirValue matrix) {
  MlirOperation shape =
      cuteValueGetOpOf(kernel->dialect, bound, CUTE_OP_GET_SHAPE);
  return cuteValueIsSame(kernel->dialect, bound, matrix) ||
         (!mlirOperationIsNull(shape) &&
          cuteValueIsSame(kernel->dialect, getOperand(shape, 0), matrix));
}

// Tells whether the coordinates of a tile are its elements' coordinates in a
// matrix.
static bool areOwnCoords(CuteKernel *kernel, MlirValue coords,
                         const CuteTmaTile *tile) {
  CuteDialect *dialect = kernel->dialect;
  MlirOperation local = cuteValueGetOpOf(dialect, coords, CUTE_OP_LOCAL_TILE);
  if (mlirOperationIsNull(local))
    return false;
  MlirValue from = {NULL}, own = {NULL};
  MlirValue matrix =
      cuteTmaViewDropOrigin(kernel->dialect, tile->matrix, &from);
  MlirOperation identity = cuteValueGetOpOf(
      dialect,
      cuteTmaViewDropOrigin(kernel->dialect, getOperand(local, 0), &own),
      CUTE_OP_MAKE_IDENTITY_TENSOR);
  return !mlirOperationIsNull(identity) &&
         mlirValueIsNull(from) == mlirValueIsNull(own) &&
         (mlirValueIsNull(from) || cuteValueIsSame(dialect, from, own)) &&
         isShapeOf(kernel, getOperand(identity, 0), matrix) &&
         cuteValueIsSame(dialect, getOperand(local, 1),
                         getOperand(tile->tile, 1)) &&
         cuteValueIsSame(dialect, getOperand(local, 2),
                         getOperand(tile->tile, 2));
}

// Tells whether two tiled copies give each thread the same part of a source.
static bool dividesAlike(CuteKernel *kernel, MlirValue one, MlirValue other) {
  CuteType types[] = {cuteKernelType(kernel, one),
                      cuteKernelType(kernel, other)};
  CuteTiledCopy copies[2];
  if (cuteValueIsSame(kernel->dialect, one, other))
    return true;
  for (int i = 0; i < 2; ++i) {
    if (!types[i] || types[i]->kind != CUTE_TYPE_TILED_COPY)
      return false;
    copies[i] = cuteTypeGetTiledCopyValue(types[i]);
  }
  return copies[0].layoutTV == copies[1].layoutTV &&
         copies[0].tiler == copies[1].tiler &&
         copies[0].atom->bits == copies[1].atom->bits &&
         !strcmp(copies[0].atom->source, copies[1].atom->source);
}

// Tells whether a predicate is true where the coordinates of the same part lie
// within the matrix.
static bool isOwnBound(CuteKernel *kernel, MlirValue predicate,
                       MlirOperation part, const CuteTmaTile *tile) {
  CuteDialect *dialect = kernel->dialect;
  MlirOperation op =
      cuteValueGetOpOf(dialect, predicate, CUTE_OP_MAKE_PREDICATE);
  intptr_t first = mlirOperationIsNull(op); // operands before the coordinates
  if (first)
    op = cuteValueGetOpOf(dialect, predicate, CUTE_OP_MAKE_COUNTS);
  MlirValue origin = {NULL};
  if (mlirOperationIsNull(op) ||
      !isShapeOf(
          kernel, getOperand(op, first + 1),
          cuteTmaViewDropOrigin(kernel->dialect, tile->matrix, &origin)) ||
      (getNumOperands(op) > first + 2 &&
       !cuteIntTupleAll(
           cuteKernelType(kernel, getOperand(op, first + 2))->tuple, isZero)))
    return false;
  MlirValue coords = getOperand(op, first);
  MlirOperation slice = cuteValueGetOpOf(dialect, coords, CUTE_OP_SLICE);
  if (!mlirOperationIsNull(slice)) {
    CuteType coord = cuteKernelType(kernel, getOperand(slice, 1));
    if (!coord || !cuteIntTupleAll(coord->tuple, isZero))
      return false;
    coords = getOperand(slice, 0);
  }
  MlirOperation own = cuteMlirGetOwner(coords);
  if (!isPartition(kernel, own))
    return false;
  return dividesAlike(kernel, getOperand(own, 0), getOperand(part, 0)) &&
         cuteValueIsSame(dialect, getOperand(own, 2), getOperand(part, 2)) &&
         areOwnCoords(kernel, getOperand(own, 1), tile);
}

static bool isParameter(CuteKernel *kernel, MlirValue value) {
  return mlirValueIsABlockArgument(value) &&
         mlirBlockEqual(mlirBlockArgumentGetOwner(value), kernel->block);
}

// Finds the parameter that has the tile. False if it is not a parameter.
static bool findParameter(CuteKernel *kernel, CuteTmaTile *tile) {
  tile->matrix = getOperand(tile->tile, 0);
  tile->root = cuteTmaViewGetParameter(kernel->dialect, tile->matrix);
  tile->parameter = tile->takesBounds
                        ? cuteTmaBoundGetParameter(kernel->dialect, tile->root)
                        : tile->root;
  return isParameter(kernel, tile->parameter);
}

bool cuteTmaMatchGlobal(CuteKernel *kernel, MlirOperation copy, MlirValue by,
                        MlirValue part, MlirValue predicate,
                        CuteTmaTile *tile) {
  tile->copy = copy;
  tile->tile = cuteTmaMatchPart(kernel, copy, by, part);
  if (kernel->problem)
    return false;
  if (!cuteDialectIsOp(kernel->dialect, tile->tile, CUTE_OP_LOCAL_TILE) ||
      cuteMlirHasAttribute(tile->tile, "proj") || !findParameter(kernel, tile))
    return cuteKernelFail(
        kernel, copy,
        "copies global memory that is not a cute.local_tile of "
        "a parameter of the kernel, or of a cute.slice, "
        "cute.domain_offset, cute.select or "
        "cute.group_modes of one");
  if (!mlirValueIsNull(predicate) &&
      !isOwnBound(kernel, predicate, cuteMlirGetOwner(part), tile))
    return cuteKernelFail(kernel, copy,
                          "has a predicate that is not whether the tile's "
                          "elements lie in the parameter "
                          "(cute.predicated_tile_s makes that)");
  return true;
}

// Tells whether an allocation is a line, which keeps its layout.
static bool isLine(CuteKernel *kernel, MlirOperation alloc) {
  CuteContext c = kernel->dialect->context;
  CuteLayout layout = cuteKernelType(kernel, getResult(alloc, 0))->layout;
  CuteIntTuple shape = cuteIntTupleProductEach(c, layout->shape);
  return shape && isTuple(shape) && shape->rank == 2 &&
         (isStaticValue(shape->elements[0], 1) ||
          isStaticValue(shape->elements[1], 1)) &&
         isStaticValue(cuteLayoutCoalesce(c, layout, NULL)->stride, 1);
}

// The op that takes the pointer of an allocation that gets another layout; null
// if there is none.
static MlirOperation findPointer(CuteKernel *kernel, MlirOperation alloc) {
  if (isLine(kernel, alloc))
    return (MlirOperation){NULL};
  CUTE_FOR_USES(use, getResult(alloc, 0))
    if (cuteDialectIsOp(kernel->dialect, mlirOpOperandGetOwner(use),
                        CUTE_OP_GET_ITER))
      return mlirOpOperandGetOwner(use);
  return (MlirOperation){NULL};
}

bool cuteTmaMatchLoad(CuteKernel *kernel, MlirOperation copy,
                      CuteTmaTile *tile) {
  CuteCopyParts parts;
  cuteEffectGetCopy(kernel->dialect, copy, &parts);
  if (!cuteTmaMatchGlobal(kernel, copy, parts.copy, parts.source,
                          parts.predicate, tile))
    return false;
  const CuteCopyAtom *atom = cuteKernelType(kernel, parts.copy)->atom;
  if (!mlirValueIsNull(parts.predicate) && !atom->zeroFill)
    return cuteKernelFail(
        kernel, copy,
        "leaves elements outside its predicate as they were, but TMA fills "
        "them with zeros, as an atom with _ZFILL does");
  tile->alloc = cuteTmaMatchPart(kernel, copy, parts.copy, parts.destination);
  if (kernel->problem)
    return false;
  if (!cuteDialectIsOp(kernel->dialect, tile->alloc, CUTE_OP_ALLOC_SMEM))
    return cuteKernelFail(
        kernel, copy, "copies to only a part of a shared-memory allocation");
  MlirOperation pointer = findPointer(kernel, tile->alloc);
  if (!mlirOperationIsNull(pointer))
    return cuteKernelFail(kernel, pointer,
                          "takes the pointer of a tile that gets another "
                          "layout, for more than tensors that lie apart or "
                          "have all of it in another order; make these by "
                          "cute.composition or cute.select of the tile");
  CuteType from = cuteKernelType(kernel, getResult(tile->tile, 0));
  CuteType to = cuteKernelType(kernel, getResult(tile->alloc, 0));
  CuteContext c = kernel->dialect->context;
  return cuteIntTupleProductEach(c, from->layout->shape) ==
             cuteIntTupleProductEach(c, to->layout->shape) ||
         cuteKernelFail(kernel, copy,
                        "copies between tiles of different shapes");
}

//===-- Layouts in shared memory ------------------------------------------===//

// The mode of the matrix in which neighbours lie side by side; -1 if there
// is none among two.
static int contiguousMode(CuteKernel *kernel, const CuteTmaTile *tile) {
  CuteLayout layout = cuteKernelType(kernel, tile->matrix)->layout;
  if (cuteLayoutGetRank(layout) != 2 || cuteLayoutIsComposed(layout))
    return -1;
  for (int i = 0; i < 2; ++i) {
    CuteIntTuple stride = element(layout->stride, (size_t)i);
    if (!isTuple(stride) && isStatic(stride) && stride->value == 1)
      return i;
  }
  return -1;
}

// The layout of a tile of one line, which threads read; null for other tiles.
static CuteLayout lineOf(CuteContext c, CuteIntTuple shape, int mode,
                         unsigned bits) {
  bool isLine = shape->elements[1 - mode]->value == 1 &&
                shape->elements[mode]->value * bits % 128 == 0;
  return isLine ? cuteLayoutGet(c, shape, NULL) : NULL;
}

// The order of a tile's atoms in which all lines of one atom's length follow
// each other, so that one load brings them.
static CuteIntTuple linesFirst(CuteContext c, int mode) {
  CuteIntTuple order[] = {staticInt(c, mode == 0), staticInt(c, mode != 0)};
  return cuteIntTupleGetTuple(c, 2, order);
}

CuteLayout cuteTmaFindLayout(CuteContext c, CuteIntTuple shape, CuteMajor major,
                             unsigned bits) {
  int mode = major == CUTE_MAJOR_K;
  const CuteSmemAtom *best = NULL;
  for (size_t i = 0; i < cuteSmemAtomGetNum(); ++i) {
    const CuteSmemAtom *atom = cuteSmemAtomGet(i);
    int64_t row = INT64_C(128) << atom->swizzleBits;
    if (atom->major == major && bits >= 8 &&
        shape->elements[mode]->value * bits % row == 0 &&
        shape->elements[1 - mode]->value % 8 == 0 &&
        (!best || atom->swizzleBits > best->swizzleBits))
      best = atom;
  }
  return best ? cuteLayoutTileToShape(c, cuteSmemAtomGetLayout(c, best, bits),
                                      shape, linesFirst(c, mode))
              : lineOf(c, shape, mode, bits);
}

// Gives the layout, in which TMA and wgmma find a tile in shared memory, with
// the widest swizzle that the contiguous mode has room for; null with the
// kernel's problem.
static CuteLayout chooseLayout(CuteKernel *kernel, const CuteTmaTile *tile) {
  CuteContext c = kernel->dialect->context;
  CuteType memory = cuteKernelType(kernel, getResult(tile->alloc, 0));
  int mode = contiguousMode(kernel, tile);
  CuteIntTuple shape = cuteIntTupleProductEach(c, memory->layout->shape);
  if (mode < 0 || !shape || !isTuple(shape) || shape->rank != 2) {
    cuteKernelFail(kernel, tile->copy,
                   "copies a tile that does not have two modes, one of them "
                   "with stride 1");
    return NULL;
  }
  CuteLayout layout =
      cuteTmaFindLayout(c, shape, mode == 1 ? CUTE_MAJOR_K : CUTE_MAJOR_MN,
                        (unsigned)cuteElementTypeGetBits(memory->element));
  if (!layout)
    cuteKernelFail(
        kernel, tile->copy,
        "copies a tile that TMA cannot load: the contiguous extent must be a "
        "multiple of 16 bytes, and the other one a multiple of 8, or 1");
  return layout;
}

static bool isFirstOf(const CuteTmaTile *tiles, size_t i) {
  for (size_t j = 0; j < i; ++j)
    if (mlirOperationEqual(tiles[j].alloc, tiles[i].alloc))
      return false;
  return true;
}

bool cuteTmaRelayout(CuteKernel *kernel, size_t n, const CuteTmaTile *tiles) {
  enum { ALIGN = 1024 }; // bytes, after which every swizzle repeats itself
  CuteRetype retype = cuteRetypeBegin(kernel->dialect);
  for (size_t i = 0; i < n; ++i) {
    if (!isFirstOf(tiles, i))
      continue;
    CuteLayout layout = chooseLayout(kernel, &tiles[i]);
    if (!layout || !cuteRetypeAlloc(&retype, tiles[i].alloc, layout, ALIGN))
      return false;
  }
  if (!cuteKernelRetype(kernel, &retype))
    return false;
  for (size_t i = 0; i < n; ++i)
    if (isFirstOf(tiles, i))
      mlirOperationDestroy(tiles[i].alloc);
  return true;
}

MlirValue cuteTmaEmitCoords(CuteRebuild *r, const CuteTmaTile *tile,
                            MlirValue coords) {
  cuteRebuildSet(r, tile->root, coords);
  cuteTmaViewEmit(r, tile->matrix);
  cuteRebuildOp(r, tile->tile);
  MlirValue result = cuteRebuildGet(r, getResult(tile->tile, 0));
  cuteRebuildSet(r, tile->matrix, (MlirValue){NULL});
  return result;
}

// Tells whether a tile's elements are numbered in another order than by the
// modes of the parameter.
static bool isReordered(CuteContext c, CuteLayout tile) {
  return !isStaticValue(cuteLayoutCoalesce(c, tile, NULL)->stride, 1);
}

// The tile by the parameter's modes, and the tiler that makes it, as
// cuteTmaViewGetTile gives them.
static CuteLayout tileOf(CuteDialect *dialect, const CuteTmaTile *tile,
                         CuteType *tiler) {
  *tiler = cuteDialectGetOperandType(dialect, tile->tile, 1);
  return cuteTmaViewGetTile(dialect, tile->matrix, tiler);
}

MlirValue cuteTmaEmitFlat(CuteRebuild *r, const CuteTmaTile *tile,
                          MlirValue tensor) {
  CuteContext c = r->dialect->context;
  CuteType tiler;
  CuteLayout own = tileOf(r->dialect, tile, &tiler);
  if (r->failed || !own || !isReordered(c, own))
    return cuteEmitGroupTile(r, tensor);
  CuteLayout flat = cuteLayoutGet(c, cuteInternTuple(c, 1, &own->shape),
                                  cuteInternTuple(c, 1, &own->stride));
  return cuteEmit2(r, CUTE_OP_COMPOSITION, tensor, cuteEmitLayout(r, flat));
}

// Gives the tiler and the layout in shared memory of a tile by the modes of
// the parameter. False with the kernel's problem.
static bool takeParameterModes(CuteKernel *kernel, const CuteTmaTile *tile,
                               CuteType *tiler, CuteLayout *layout) {
  CuteContext c = kernel->dialect->context;
  CuteLayout own = tileOf(kernel->dialect, tile, tiler);
  if (!own && !(*tiler)->tuple && mlirValueEqual(tile->matrix, tile->parameter))
    return true;
  if (!own)
    return cuteKernelFail(
        kernel, tile->copy,
        "copies a tile whose modes do not map to the parameter's modes: "
        "cute.select must take each mode once, and a tiler needs an extent for "
        "each mode that cute.group_modes joined");
  if (isReordered(c, own))
    *layout = cuteLayoutComposition(c, *layout, cuteTileGetLayout(c, own));
  return *layout || cuteKernelFailOp(kernel, tile->copy);
}

MlirOperation cuteTmaEmitAtom(CuteKernel *kernel, CuteRebuild *r,
                              const char *name, const CuteTmaTile *tile,
                              CuteLayout layout) {
  CuteType tiler;
  if (!takeParameterModes(kernel, tile, &tiler, &layout)) {
    r->failed = true;
    return (MlirOperation){NULL};
  }
  MlirValue operands[] = {tile->parameter, cuteEmitLayout(r, layout),
                          cuteEmitStatic(r, tiler)};
  MlirOperation atom =
      cuteEmitNamed(r, CUTE_OP_MAKE_TMA_ATOM, "atom", name, 3, operands);
  if (r->failed)
    cuteKernelFailOp(kernel, tile->copy);
  return atom;
}
