#include "Transforms/tma/tma_tile.h"

enum { MOST_MODES = 8 };

// Gives the operand that an op takes a part of; -1 for other ops.
static intptr_t viewed(CuteDialect *dialect, MlirOperation op) {
  const CuteOpDecl *decl = cuteDialectGetDecl(dialect, op);
  if (!decl)
    return -1;
  switch (decl->id) {
  case CUTE_OP_SLICE:
  case CUTE_OP_SELECT:
  case CUTE_OP_GROUP_MODES:
    return 0;
  case CUTE_OP_DOMAIN_OFFSET:
    return 1;
  default:
    return -1;
  }
}

MlirValue cuteTmaViewDropOrigin(CuteDialect *dialect, MlirValue tensor,
                                MlirValue *origin) {
  MlirOperation op = cuteValueGetOpOf(dialect, tensor, CUTE_OP_DOMAIN_OFFSET);
  if (mlirOperationIsNull(op))
    return tensor;
  *origin = getOperand(op, 0);
  return getOperand(op, 1);
}

MlirValue cuteTmaViewGetParameter(CuteDialect *dialect, MlirValue tensor) {
  MlirValue origin = {NULL};
  tensor = cuteTmaViewDropOrigin(dialect, tensor, &origin);
  MlirOperation op = cuteMlirGetOwner(tensor);
  while (viewed(dialect, op) == 0) {
    tensor = getOperand(op, 0);
    op = cuteMlirGetOwner(tensor);
  }
  return tensor;
}

void cuteTmaViewEmit(CuteRebuild *r, MlirValue tensor) {
  MlirOperation op = cuteMlirGetOwner(tensor);
  intptr_t i = viewed(r->dialect, op);
  if (i < 0 || r->failed)
    return;
  MlirValue of = getOperand(op, i);
  cuteTmaViewEmit(r, of);
  cuteRebuildOp(r, op);
  cuteRebuildSet(r, of, (MlirValue){NULL});
}

//===-- Tiles -------------------------------------------------------------===//

// A mode of a tile; its members are congruent.
typedef struct TileMode {
  CuteIntTuple shape, stride; // the numbers of its elements
  CuteIntTuple step;          // from one to the next in the tensor
} TileMode;

typedef struct TileModes {
  TileMode data[MOST_MODES];
  size_t rank;
} TileModes;

static bool addMode(TileModes *modes, TileMode mode) {
  if (modes->rank == MOST_MODES)
    return false;
  modes->data[modes->rank++] = mode;
  return true;
}

static TileMode part(TileMode mode, size_t i) {
  return (TileMode){element(mode.shape, i), element(mode.stride, i),
                    element(mode.step, i)};
}

// The modes of a tile before a slice took those away that it is at one place
// of.
static bool addSliced(CuteContext c, TileModes *to, CuteIntTuple coord,
                      const TileModes *from) {
  size_t next = 0;
  for (size_t i = 0; isTuple(coord) && i < coord->rank; ++i) {
    bool isWhole = isUnderscore(coord->elements[i]);
    TileMode one = {staticInt(c, 1), staticInt(c, 0), staticInt(c, 1)};
    if (isTuple(coord->elements[i]) || (isWhole && next == from->rank) ||
        !addMode(to, isWhole ? from->data[next] : one))
      return false;
    next += isWhole;
  }
  return isTuple(coord) && next == from->rank;
}

// The modes before they were put into another order, in which each is once.
static bool addSelected(TileModes *to, const CuteAttribute *order, size_t rank,
                        const TileModes *from) {
  if (order->numInts != rank || from->rank != rank || rank > MOST_MODES)
    return false;
  uint32_t seen = 0;
  for (size_t i = 0; i < rank; ++i) {
    to->data[order->ints[i]] = from->data[i];
    seen |= 1u << order->ints[i];
  }
  to->rank = rank;
  return seen == (1u << rank) - 1;
}

// The modes before some of them became one.
static bool addGrouped(TileModes *to, size_t begin, size_t end,
                       const TileModes *from) {
  bool ok = true;
  for (size_t i = 0; ok && i < from->rank; ++i) {
    if (i != begin) {
      ok = addMode(to, from->data[i]);
      continue;
    }
    CuteIntTuple shape = from->data[i].shape;
    ok = isTuple(shape) && shape->rank == end - begin;
    for (size_t j = 0; ok && j < end - begin; ++j)
      ok = addMode(to, part(from->data[i], j));
  }
  return ok;
}

static bool addViewed(CuteDialect *dialect, MlirOperation op, TileModes *to,
                      const TileModes *from) {
  const CuteOp own =
      cuteDialectGetOp(dialect, cuteDialectGetDecl(dialect, op), op);
  switch (own.decl->id) {
  case CUTE_OP_SLICE:
    return addSliced(dialect->context, to, own.operands[1]->tuple, from);
  case CUTE_OP_SELECT:
    return addSelected(to, cuteOpGetAttribute(&own, "mode"),
                       cuteLayoutGetRank(own.operands[0]->layout), from);
  case CUTE_OP_GROUP_MODES:
    return addGrouped(to, (size_t)cuteOpGetAttribute(&own, "begin")->value,
                      (size_t)cuteOpGetAttribute(&own, "end")->value, from);
  default:
    *to = *from;
    return true;
  }
}

// Takes a tiler apart into extents and steps, both congruent to it. False where
// a leaf has no extent, or several.
static bool takeTile(CuteContext c, CuteTile tile, CuteIntTuple *shape,
                     CuteIntTuple *step) {
  CuteLayout leaf = cuteTileGetLeaf(tile);
  size_t rank = leaf ? 0 : cuteTileGetRank(tile);
  CuteIntTuple shapes[MOST_MODES], steps[MOST_MODES];
  if (leaf) {
    *shape = leaf->shape;
    *step = isStaticValue(leaf->shape, 1) ? staticInt(c, 1) : leaf->stride;
    return !isTuple(leaf->shape) && !cuteLayoutIsComposed(leaf);
  }
  for (size_t i = 0; i < rank; ++i)
    if (i == MOST_MODES ||
        !takeTile(c, cuteTileGetElement(tile, i), &shapes[i], &steps[i]))
      return false;
  *shape = cuteInternTuple(c, rank, shapes);
  *step = cuteInternTuple(c, rank, steps);
  return rank;
}

static bool isOne(CuteIntTuple step) { return isStaticValue(step, 1); }

// The tiler of a tile by the parameter's modes.
static CuteType tilerOf(CuteContext c, const TileModes *modes) {
  CuteIntTuple shape[MOST_MODES];
  CuteTile tile[MOST_MODES];
  bool isShape = true;
  for (size_t i = 0; i < modes->rank; ++i) {
    shape[i] = modes->data[i].shape;
    isShape &= cuteIntTupleAll(modes->data[i].step, isOne);
    CuteLayout leaf = cuteLayoutGet(c, shape[i], modes->data[i].step);
    tile[i] = leaf ? cuteTileGetLayout(c, leaf) : NULL;
    if (!tile[i])
      return NULL;
  }
  return isShape ? cuteTypeGetTuple(c, CUTE_TYPE_SHAPE,
                                    cuteInternTuple(c, modes->rank, shape))
                 : cuteTypeGetTile(c, cuteTileGetTuple(c, modes->rank, tile));
}

// The modes of a tile of a part of a tensor.
static bool takeModes(CuteContext c, CuteType tiler, TileModes *modes) {
  CuteTile tile = tiler->kind == CUTE_TYPE_TILE ? cuteTypeGetTileValue(tiler)
                  : tiler->tuple ? cuteTileGetShape(c, tiler->tuple)
                                 : NULL;
  CuteIntTuple shape, step;
  if (!tile || !takeTile(c, tile, &shape, &step) || !isTuple(shape))
    return false;
  CuteLayout whole = cuteLayoutGet(c, shape, NULL);
  for (size_t i = 0; whole && i < shape->rank; ++i)
    if (!addMode(modes, (TileMode){element(shape, i), element(whole->stride, i),
                                   element(step, i)}))
      return false;
  return whole;
}

CuteLayout cuteTmaViewGetTile(CuteDialect *dialect, MlirValue tensor,
                              CuteType *tiler) {
  CuteContext c = dialect->context;
  TileModes modes = {.rank = 0};
  bool ok = takeModes(c, *tiler, &modes);
  MlirOperation op = cuteMlirGetOwner(tensor);
  for (intptr_t i; ok && (i = viewed(dialect, op)) >= 0;
       op = cuteMlirGetOwner(getOperand(op, i))) {
    TileModes next = {.rank = 0};
    ok = addViewed(dialect, op, &next, &modes);
    modes = next;
  }
  if (!ok)
    return NULL;
  CuteIntTuple shape[MOST_MODES], stride[MOST_MODES];
  for (size_t i = 0; i < modes.rank; ++i) {
    shape[i] = modes.data[i].shape;
    stride[i] = modes.data[i].stride;
  }
  CuteType own = tilerOf(c, &modes);
  if (!own)
    return NULL;
  *tiler = own;
  return cuteLayoutGet(c, cuteInternTuple(c, modes.rank, shape),
                       cuteInternTuple(c, modes.rank, stride));
}
