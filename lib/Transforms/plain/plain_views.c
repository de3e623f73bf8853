#include "Transforms/plain/plain_views.h"

enum { MOST = 16 }; // modes or integers of a coordinate

// A coordinate and the values of its dynamic leaves.
typedef struct Coord {
  CuteIntTuple tuple;
  MlirValue leaves[MOST];
  size_t count;
} Coord;

//===-- Coordinates -------------------------------------------------------===//

// Reads a flat coordinate, or one of flat tuples. False if it is made otherwise
// than of integers.
static bool readCoord(CuteDialect *dialect, MlirValue value, Coord *coord) {
  CuteType type = cuteDialectGetValueType(dialect, value);
  MlirOperation op = cuteMlirGetOwner(value);
  *coord = (Coord){.tuple = type ? type->tuple : NULL};
  if (!coord->tuple || !isTuple(coord->tuple) || coord->tuple->rank > MOST)
    return false;
  if (cuteTypeIsStatic(type))
    return true;
  intptr_t n = mlirOperationIsNull(op) ? 0 : getNumOperands(op);
  if (!cuteDialectIsOp(dialect, op, CUTE_OP_MAKE_COORD) || n > MOST)
    return false;
  for (intptr_t i = 0; i < n; ++i)
    coord->leaves[coord->count++] = getOperand(op, i);
  return coord->count == coord->tuple->numDynamic;
}

// Adds the modes [begin, end) of a coordinate to another, with their values.
static void addModes(Coord *to, CuteIntTuple *modes, size_t *rank,
                     const Coord *from, size_t begin, size_t end) {
  size_t leaf = 0;
  for (size_t i = 0; i < end; ++i) {
    CuteIntTuple mode = from->tuple->elements[i];
    for (size_t j = 0; i >= begin && j < mode->numDynamic; ++j)
      to->leaves[to->count++] = from->leaves[leaf + j];
    if (i >= begin)
      modes[(*rank)++] = mode;
    leaf += mode->numDynamic;
  }
}

static bool isWhole(const Coord *coord, size_t begin, size_t end) {
  for (size_t i = begin; i < end; ++i)
    if (!isUnderscore(coord->tuple->elements[i]))
      return false;
  return true;
}

static MlirValue emitCoord(CuteRebuild *r, const Coord *coord) {
  CuteType type =
      cuteTypeGetTuple(r->dialect->context, CUTE_TYPE_COORD, coord->tuple);
  if (!coord->count)
    return cuteEmitStatic(r, type);
  MlirOperation op =
      cuteBuildDeclared(&r->builder, r->dialect, CUTE_OP_MAKE_COORD,
                        coord->count, coord->leaves, type);
  r->failed |= mlirOperationIsNull(op);
  return r->failed ? coord->leaves[0] : getResult(op, 0);
}

//===-- Tiles at a coordinate ---------------------------------------------===//

static size_t rankOf(CuteRebuild *r, MlirValue tensor) {
  CuteType type = cuteDialectGetValueType(r->dialect, tensor);
  return type && type->layout ? cuteLayoutGetRank(type->layout) : 0;
}

// The number of modes that a tiler cuts; 0 if it does not say.
static size_t tilerRank(CuteRebuild *r, MlirValue tiler) {
  CuteType type = cuteDialectGetValueType(r->dialect, tiler);
  if (type->kind == CUTE_TYPE_TILE)
    return cuteTileGetRank(cuteTypeGetTileValue(type));
  return type->tuple && isTuple(type->tuple) ? type->tuple->rank : 0;
}

static MlirValue emitSlice(CuteRebuild *r, MlirValue tensor,
                           const Coord *coord);

// A tile, modes of whose rest are now at a coordinate.
static MlirValue sliceTile(CuteRebuild *r, MlirOperation tile,
                           const Coord *coord) {
  Coord own, all = {0};
  CuteIntTuple modes[MOST];
  size_t rank = 0, next = tilerRank(r, getOperand(tile, 1));
  size_t inner = next;
  if (cuteMlirHasAttribute(tile, "proj") || !inner ||
      !isWhole(coord, 0, inner) ||
      !readCoord(r->dialect, getOperand(tile, 2), &own) ||
      own.tuple->rank != inner || own.count + coord->count > MOST)
    return (MlirValue){NULL};
  for (size_t i = 0; i < inner; ++i)
    if (!isUnderscore(own.tuple->elements[i]))
      addModes(&all, modes, &rank, &own, i, i + 1);
    else if (next == coord->tuple->rank)
      return (MlirValue){NULL};
    else {
      addModes(&all, modes, &rank, coord, next, next + 1);
      ++next;
    }
  if (next != coord->tuple->rank)
    return (MlirValue){NULL};
  all.tuple = cuteInternTuple(r->dialect->context, rank, modes);
  return cuteEmit3(r, CUTE_OP_LOCAL_TILE, getOperand(tile, 0),
                   getOperand(tile, 1), emitCoord(r, &all));
}

// A tile of all that a division gave.
static MlirValue sliceDivision(CuteRebuild *r, MlirOperation division,
                               const Coord *coord, bool isZipped) {
  size_t inner = tilerRank(r, getOperand(division, 1));
  Coord at = *coord;
  CuteIntTuple first = coord->tuple->elements[0], modes[MOST];
  size_t rank = 0;
  if (isZipped) {
    if (coord->tuple->rank != 2 || !isTuple(first) || first->rank != inner ||
        !isTuple(coord->tuple->elements[1]) ||
        coord->tuple->elements[1]->rank != inner)
      return (MlirValue){NULL};
    const Coord tiles = {.tuple = first};
    if (!isWhole(&tiles, 0, inner))
      return (MlirValue){NULL};
    at.tuple = coord->tuple->elements[1];
  } else {
    if (coord->tuple->rank != 2 * inner || !isWhole(coord, 0, inner))
      return (MlirValue){NULL};
    at = (Coord){0};
    addModes(&at, modes, &rank, coord, inner, 2 * inner);
    at.tuple = cuteInternTuple(r->dialect->context, rank, modes);
  }
  return cuteEmit3(r, CUTE_OP_LOCAL_TILE, getOperand(division, 0),
                   getOperand(division, 1), emitCoord(r, &at));
}

// The modes of a tensor that a tiled copy or MMA divides among threads.
static size_t dividedRank(CuteRebuild *r, MlirOperation partition) {
  CuteType by = cuteDialectGetOperandType(r->dialect, partition, 0);
  return by->kind == CUTE_TYPE_TILED_COPY ? cuteTileGetRank(by->tile) : 2;
}

// A thread's part of a tensor, modes of whose rest are now at a coordinate.
static MlirValue slicePartition(CuteRebuild *r, MlirOperation partition,
                                const Coord *coord) {
  MlirValue tensor = getOperand(partition, 1);
  size_t divided = dividedRank(r, partition), rank = coord->tuple->rank;
  if (rank != 1 + rankOf(r, tensor) || isWhole(coord, 1 + divided, rank))
    return (MlirValue){NULL};
  CuteIntTuple modes[MOST];
  Coord inner = {0}, outer = {0};
  size_t n = 0;
  while (n < divided)
    modes[n++] = cuteIntTupleGetUnderscore(r->dialect->context);
  addModes(&inner, modes, &n, coord, 1 + divided, rank);
  inner.tuple = cuteInternTuple(r->dialect->context, n, modes);
  MlirValue part =
      cuteEmit3(r, cuteDialectGetDecl(r->dialect, partition)->id,
                getOperand(partition, 0), emitSlice(r, tensor, &inner),
                getOperand(partition, 2));
  if (r->failed || isWhole(coord, 0, 1 + divided))
    return part;
  n = 0;
  addModes(&outer, modes, &n, coord, 0, 1 + divided);
  for (size_t i = 1 + divided; i < rank; ++i)
    if (isUnderscore(coord->tuple->elements[i]))
      modes[n++] = coord->tuple->elements[i];
  outer.tuple = cuteInternTuple(r->dialect->context, n, modes);
  return cuteEmit2(r, CUTE_OP_SLICE, part, emitCoord(r, &outer));
}

// The part of a view at a coordinate, made another way; null if there is none.
static MlirValue sliceView(CuteRebuild *r, MlirValue tensor,
                           const Coord *coord) {
  MlirOperation op = cuteMlirGetOwner(tensor);
  CuteOpId id = cuteDialectGetOpId(r->dialect, op);
  switch (id) {
  case CUTE_OP_PARTITION_S:
  case CUTE_OP_PARTITION_D:
  case CUTE_OP_PARTITION_A:
  case CUTE_OP_PARTITION_B:
  case CUTE_OP_PARTITION_C:
    return slicePartition(r, op, coord);
  case CUTE_OP_LOCAL_TILE:
    return sliceTile(r, op, coord);
  case CUTE_OP_ZIPPED_DIVIDE:
  case CUTE_OP_FLAT_DIVIDE:
    return sliceDivision(r, op, coord, id == CUTE_OP_ZIPPED_DIVIDE);
  default:
    return (MlirValue){NULL};
  }
}

static MlirValue emitSlice(CuteRebuild *r, MlirValue tensor,
                           const Coord *coord) {
  MlirValue other = sliceView(r, tensor, coord);
  return mlirValueIsNull(other)
             ? cuteEmit2(r, CUTE_OP_SLICE, tensor, emitCoord(r, coord))
             : other;
}

//===-- Projections -------------------------------------------------------===//

// The tiler without the modes that a projection leaves out.
static MlirValue projectTiler(CuteRebuild *r, MlirValue tiler,
                              CuteIntTuple projection) {
  CuteContext c = r->dialect->context;
  CuteType type = cuteDialectGetValueType(r->dialect, tiler);
  CuteIntTuple extents[MOST];
  CuteTile tiles[MOST];
  size_t n = 0;
  for (size_t i = 0; i < projection->rank; ++i) {
    if (isUnderscore(projection->elements[i]))
      continue;
    if (type->kind == CUTE_TYPE_TILE)
      tiles[n++] = cuteTileGetElement(cuteTypeGetTileValue(type), i);
    else
      extents[n++] = element(type->tuple, i);
  }
  return type->kind == CUTE_TYPE_TILE
             ? cuteEmitStatic(r,
                              cuteTypeGetTile(c, cuteTileGetTuple(c, n, tiles)))
             : cuteEmitShape(r, cuteInternTuple(c, n, extents));
}

// A local_tile without a projection, of those modes; null if it is not flat.
static MlirValue project(CuteRebuild *r, MlirOperation tile) {
  CuteContext c = r->dialect->context;
  Coord coord, own = {0};
  CuteIntTuple modes[MOST];
  size_t rank = 0;
  MlirAttribute text = cuteMlirGetAttribute(tile, "proj");
  MlirValue tiler = getOperand(tile, 1);
  CuteType type = cuteDialectGetValueType(r->dialect, tiler);
  CuteIntTuple projection = cuteIntTupleParse(
      c, fromMlirString(mlirStringAttrGetValue(text)), CUTE_SYNTAX_COORD);
  if (!projection || !isTuple(projection) || !cuteTypeIsStatic(type) ||
      tilerRank(r, tiler) != projection->rank ||
      !readCoord(r->dialect, getOperand(tile, 2), &coord) ||
      coord.tuple->rank != projection->rank)
    return (MlirValue){NULL};
  for (size_t i = 0; i < projection->rank; ++i)
    if (!isUnderscore(projection->elements[i]))
      addModes(&own, modes, &rank, &coord, i, i + 1);
  own.tuple = cuteInternTuple(c, rank, modes);
  return cuteEmit3(r, CUTE_OP_LOCAL_TILE, getOperand(tile, 0),
                   projectTiler(r, tiler, projection), emitCoord(r, &own));
}

//===-- Shapes and strides ------------------------------------------------===//

// The shape or stride that another one was made of, by all of its integers;
// null if it was not.
static MlirValue unpacked(CuteDialect *dialect, MlirOperation op) {
  const MlirValue none = {NULL};
  intptr_t n = getNumOperands(op);
  MlirOperation scalars =
      n ? cuteValueGetMaker(dialect, op, 0, CUTE_OP_GET_SCALARS)
        : (MlirOperation){NULL};
  if (mlirOperationIsNull(scalars) || getNumResults(scalars) != n)
    return none;
  for (intptr_t i = 0; i < n; ++i)
    if (!mlirValueEqual(getOperand(op, i), getResult(scalars, i)))
      return none;
  MlirValue from = getOperand(scalars, 0);
  return mlirTypeEqual(mlirValueGetType(from), cuteMlirGetResultType(op, 0))
             ? from
             : none;
}

//===-- All ---------------------------------------------------------------===//

// Another way to make what an op does; null for other ops.
static MlirValue otherWay(CuteRebuild *r, MlirOperation op) {
  Coord coord;
  CuteOpId id = cuteDialectGetOpId(r->dialect, op);
  if (id == CUTE_OP_LOCAL_TILE && cuteMlirHasAttribute(op, "proj"))
    return project(r, op);
  if (id == CUTE_OP_MAKE_SHAPE || id == CUTE_OP_MAKE_STRIDE)
    return unpacked(r->dialect, op);
  return id == CUTE_OP_SLICE && readCoord(r->dialect, getOperand(op, 1), &coord)
             ? sliceView(r, getOperand(op, 0), &coord)
             : (MlirValue){NULL};
}

// Replaces ops by others, once in their order.
static bool rewriteAll(CuteKernel *kernel, CuteOpId id) {
  CuteOps ops = cuteKernelFindOps(kernel, id);
  CuteRetype retype = cuteRetypeBegin(kernel->dialect);
  bool isChanged = false;
  CUTE_FOR_LIST(op, ops) {
    CuteRebuild r = cuteRebuildBefore(kernel->dialect, op);
    MlirValue other = otherWay(&r, op);
    if (r.failed)
      return cuteKernelFailOp(kernel, op);
    if (!mlirValueIsNull(other))
      cuteRetypeSet(&retype, getResult(op, 0), other);
    isChanged |= !mlirValueIsNull(other);
  }
  if (!isChanged)
    return true;
  bool ok = cuteKernelRetype(kernel, &retype);
  if (ok)
    cuteKernelRemoveDead(kernel);
  return ok;
}

bool cutePlainViews(CuteKernel *kernel) {
  return cutePlainMemory(kernel) && rewriteAll(kernel, CUTE_OP_MAKE_SHAPE) &&
         rewriteAll(kernel, CUTE_OP_MAKE_STRIDE) &&
         rewriteAll(kernel, CUTE_OP_LOCAL_TILE) &&
         rewriteAll(kernel, CUTE_OP_SLICE);
}
