#include "Lanes/follow.h"

//===-- Threads -----------------------------------------------------------===//

static int64_t sizeOf(CuteContext c, CuteIntTuple shape) {
  CuteIntTuple size = shape ? cuteIntTupleProduct(c, shape) : NULL;
  return isStatic(size) ? size->value : 0;
}

// Threads that a partition is for; 0 for other ops.
static int64_t threadsOf(CuteContext c, const CuteOp *op) {
  int divider = op->decl->traits.divider;
  if (divider < 0)
    return 0;
  CuteType type = op->operands[divider];
  if (type->kind == CUTE_TYPE_TILED_COPY)
    return sizeOf(c, element(type->layout->shape, 0));
  if (type->kind == CUTE_TYPE_TILED_MMA)
    return sizeOf(
        c, cuteTiledMmaGetThrLayout(c, cuteTypeGetTiledMmaValue(type))->shape);
  return sizeOf(c, cuteOpGetLayout(op, (size_t)divider)->shape);
}

const CuteThreadPart *cutePartGet(CuteFollow *follow, const CuteOp *op,
                                  MlirOperation source) {
  int64_t threads = threadsOf(follow->context, op);
  CuteType index = threads ? op->operands[op->decl->traits.thread] : NULL;
  if (!cuteTypeIsKind(index, CUTE_TYPE_INT_TUPLE) || isTuple(index->tuple))
    return NULL;
  CuteThreadPart *part =
      cuteArenaAllocate(&follow->threads.arena, sizeof *part);
  *part = (CuteThreadPart){source, threads,
                           cuteThreadsGetLanes(&follow->threads, index->tuple)};
  return part->index && !part->index->isSampled ? part : NULL;
}

//===-- Tiles -------------------------------------------------------------===//

// A known divisor of an extent, and the extent itself if it is static.
static int64_t divisorOf(CuteContext c, CuteIntTuple extent, int64_t *size) {
  CuteIntTuple product = cuteIntTupleProduct(c, extent);
  *size = isStatic(product) ? product->value : 0;
  return product ? cuteLeafDivisor(product) : 1;
}

static bool isOfTile(CuteFollow *follow, MlirOperation source) {
  intptr_t view = cuteDialectGetDecl(follow->dialect, source)->traits.view;
  return cuteDialectIsOp(follow->dialect,
                         cuteMlirGetOwner(getOperand(source, view)),
                         CUTE_OP_LOCAL_TILE);
}

static const CuteResidue *residueOfMode(CuteFollow *follow,
                                        MlirOperation source, size_t mode,
                                        CuteIntTuple extent, int64_t tile,
                                        CuteIntTuple at) {
  int64_t size;
  int64_t divisor = divisorOf(follow->context, extent, &size);
  if (!tile || divisor % tile == 0 ||
      (isStatic(at) && size && (at->value + 1) * tile <= size))
    return NULL;
  CuteResidue *residue =
      cuteArenaAllocate(&follow->threads.arena, sizeof *residue);
  *residue = (CuteResidue){source, mode, tile, size, isOfTile(follow, source)};
  return residue;
}

static int64_t tileExtent(CuteContext c, CuteTile tile) {
  return tile->kind == TILE_LAYOUT ? sizeOf(c, tile->layout->shape) : 0;
}

static CuteIntTuple coordAt(CuteIntTuple coord, size_t i) {
  return isTuple(coord) ? i < coord->rank ? coord->elements[i] : NULL
                        : (i ? NULL : coord);
}

// Modes of the tiler that a projection keeps belong to the tensor's in order.
static const CuteResidue *residueOfTile(CuteFollow *follow, const CuteOp *op,
                                        MlirOperation source,
                                        CuteIntTuple projection) {
  CuteContext c = follow->context;
  CuteIntTuple shape = op->operands[0]->layout->shape;
  CuteTile tiler = cuteOpGetTiler((CuteOp *)(uintptr_t)op, 1);
  CuteIntTuple coord = op->operands[2]->tuple;
  bool isSingle = !tiler || tiler->kind != TILE_TUPLE;
  size_t n = isSingle ? (tiler != NULL) : tiler->rank, mode = 0;
  for (size_t i = 0; i < n; ++i) {
    if (isTuple(projection) && isUnderscore(element(projection, i)))
      continue;
    CuteTile tile = isSingle ? tiler : tiler->elements[i];
    CuteIntTuple extent = isSingle && !isTuple(shape) ? shape
                          : mode < shape->rank        ? element(shape, mode)
                                                      : NULL;
    const CuteResidue *residue =
        extent ? residueOfMode(follow, source, mode, extent,
                               tileExtent(c, tile), coordAt(coord, i))
               : NULL;
    if (residue)
      return residue;
    ++mode;
  }
  return NULL;
}

// Tiles of a copy or of threads repeat over all of the tensor.
static const CuteResidue *residueOfExtents(CuteFollow *follow,
                                           MlirOperation source,
                                           CuteIntTuple shape, size_t n,
                                           const int64_t *tiles) {
  for (size_t i = 0; i < n; ++i) {
    bool isSingle = !isTuple(shape);
    if (i >= (isSingle ? 1 : shape->rank))
      return NULL;
    const CuteResidue *residue =
        residueOfMode(follow, source, i, element(shape, i), tiles[i], NULL);
    if (residue)
      return residue;
  }
  return NULL;
}

enum { MAX_MODES = 8 };

static const CuteResidue *residueOfCopy(CuteFollow *follow, const CuteOp *op,
                                        MlirOperation source) {
  CuteTile tiler = op->operands[0]->tile;
  int64_t tiles[MAX_MODES] = {0};
  if (!tiler || tiler->kind != TILE_TUPLE || tiler->rank > MAX_MODES)
    return NULL;
  for (size_t i = 0; i < tiler->rank; ++i)
    tiles[i] = tileExtent(follow->context, tiler->elements[i]);
  return residueOfExtents(follow, source, op->operands[1]->layout->shape,
                          tiler->rank, tiles);
}

static const CuteResidue *residueOfThreads(CuteFollow *follow, const CuteOp *op,
                                           MlirOperation source) {
  CuteIntTuple shape = cuteOpGetLayout(op, 1)->shape;
  int64_t tiles[MAX_MODES] = {0};
  size_t n = isTuple(shape) ? shape->rank : 1;
  if (n > MAX_MODES || cuteOpGetAttribute(op, "proj"))
    return NULL;
  for (size_t i = 0; i < n; ++i)
    tiles[i] = sizeOf(follow->context, element(shape, i));
  return residueOfExtents(follow, source, op->operands[0]->layout->shape, n,
                          tiles);
}

static const CuteResidue *
residueOfLocalTile(CuteFollow *follow, const CuteOp *op, MlirOperation source) {
  const CuteAttribute *attribute = cuteOpGetAttribute(op, "proj");
  return residueOfTile(follow, op, source,
                       attribute
                           ? cuteIntTupleParse(follow->context, attribute->text,
                                               CUTE_SYNTAX_COORD)
                           : NULL);
}

const CuteResidue *cutePartGetResidue(CuteFollow *follow, const CuteOp *op,
                                      MlirOperation source) {
  const CuteOpTraits *traits = &op->decl->traits;
  CuteSpace space =
      traits->view < 0 ? CUTE_RMEM : op->operands[traits->view]->space;
  if (space != CUTE_GMEM && space != CUTE_SMEM)
    return NULL;
  if (op->decl->id == CUTE_OP_LOCAL_TILE)
    return residueOfLocalTile(follow, op, source);
  if (traits->divider < 0 ||
      op->operands[traits->divider]->kind == CUTE_TYPE_TILED_MMA)
    return NULL;
  return op->operands[traits->divider]->kind == CUTE_TYPE_TILED_COPY
             ? residueOfCopy(follow, op, source)
             : residueOfThreads(follow, op, source);
}
