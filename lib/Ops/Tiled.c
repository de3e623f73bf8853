// Properties of atoms, tiled copies and tiled MMAs, and tiled copies
// made from others.
#include "Ops/ops.h"

static bool isMma(CuteType type) {
  return type->kind == CUTE_TYPE_MMA_ATOM || type->kind == CUTE_TYPE_TILED_MMA;
}

//===-- Construction ------------------------------------------------------===//

CUTE_INFER(inferMakeLike, cuteOpReturnTiledCopy,
           cuteTiledCopyGetLike(c, ATOM, COPY(1), (CuteCopySide)VARIANT));
CUTE_INFER(inferMakeTiledCopyCAtom, cuteOpReturnTiledCopy,
           cuteTiledCopyGetForMmaAtom(c, ATOM, MMA(1)));
CUTE_INFER(inferMakeCotiledCopy, cuteOpReturnTiledCopy,
           cuteTiledCopyGetCotiled(c, ATOM, LAYOUT(1), LAYOUT(2)));

//===-- Layouts -----------------------------------------------------------===//

// The layout of a copy that get_tv_layout asks for.
static const struct {
  const char *name;
  CuteCopySide side;
} tvNames[] = {
    {"S", CUTE_SOURCE},
    {"D", CUTE_DESTINATION},
    {"TV", CUTE_REFERENCE},
};

static CuteLayout mmaLayout(CuteContext c, CuteType type,
                            CuteMmaOperand operand) {
  return type->kind == CUTE_TYPE_MMA_ATOM
             ? cuteMmaAtomGetLayout(c, type->atom, operand)
             : cuteTiledMmaGetLayoutTV(c, cuteTypeGetTiledMmaValue(type),
                                       operand);
}

static CuteLayout copyLayout(CuteContext c, CuteType type, CuteCopySide side) {
  if (type->kind == CUTE_TYPE_COPY_ATOM)
    return cuteCopyAtomGetLayout(c, type->atom, type->element, side);
  CuteTiledCopy copy = cuteTypeGetTiledCopyValue(type);
  return side == CUTE_REFERENCE ? copy.layoutTV
                                : cuteTiledCopyGetLayoutTV(c, copy, side);
}

static bool inferGetTvLayout(CuteOp *op) {
  CuteType type = op->operands[0];
  CuteStringRef name = cuteOpGetAttribute(op, "operand")->text;
  CuteMmaOperand operand;
  if (isMma(type))
    return cuteOpGetMmaOperand(op, cuteTypeGetMmaAtomValue(type), &operand) &&
           cuteOpReturnLayout(op, mmaLayout(op->context, type, operand));
  for (size_t i = 0; i < sizeof tvNames / sizeof *tvNames; ++i)
    if (cuteTextEquals(name, tvNames[i].name))
      return cuteOpReturnLayout(op,
                                copyLayout(op->context, type, tvNames[i].side));
  return cuteFail(
      op->context,
      "a copy has no layout '%.*s'; it has \"S\" of the source, \"D\" of "
      "the destination and \"TV\", by which both are counted",
      CUTE_TEXT(name));
}

static bool inferThrId(CuteOp *op) {
  CuteType type = op->operands[0];
  return cuteOpReturnLayout(
      op, isMma(type)
              ? cuteMmaAtomGetThrId(op->context, cuteTypeGetMmaAtomValue(type))
              : cuteCopyAtomGetThrId(op->context, type->atom));
}

CUTE_INFER(inferThrLayoutVmnk, cuteOpReturnLayout,
           cuteTiledMmaGetThrLayout(c, MMA(0)));

//===-- Sizes -------------------------------------------------------------===//

static bool inferShapeMnk(CuteOp *op) {
  CuteContext c = op->context;
  const CuteMmaAtom *atom = cuteTypeGetMmaAtomValue(op->operands[0]);
  CuteIntTuple mnk[] = {staticInt(c, atom->m), staticInt(c, atom->n),
                        staticInt(c, atom->k)};
  return cuteOpReturnTuple(op, CUTE_TYPE_SHAPE, cuteInternTuple(c, 3, mnk));
}

// (M,N,K), or the extents of the tiler.
static CuteIntTuple tileSizes(CuteContext c, CuteType type) {
  if (type->kind == CUTE_TYPE_TILED_COPY) {
    CuteIntTuple shape =
        cuteTileGetShapes(c, cuteTypeGetTiledCopyValue(type).tiler);
    return shape ? cuteIntTupleProductEach(c, shape) : NULL;
  }
  CuteIntTuple sizes[3];
  for (int i = 0; i < 3; ++i)
    sizes[i] = cuteTiledMmaGetTileSize(c, cuteTypeGetTiledMmaValue(type), i);
  return cuteInternTuple(c, 3, sizes);
}

static bool inferTileSize(CuteOp *op) {
  CuteContext c = op->context;
  const CuteAttribute *mode = cuteOpGetAttribute(op, "mode");
  CuteIntTuple sizes = tileSizes(c, op->operands[0]);
  if (!sizes || !mode)
    return cuteOpReturnTuple(op, CUTE_TYPE_SHAPE, sizes);
  size_t rank = isTuple(sizes) ? sizes->rank : 1;
  if (mode->numInts == 1 && mode->ints[0] >= 0 && (size_t)mode->ints[0] < rank)
    return cuteOpReturnTuple(op, CUTE_TYPE_SHAPE,
                             element(sizes, (size_t)mode->ints[0]));
  return cuteFailTuple(c, "needs one mode in the brackets, of the tile ",
                       sizes);
}

CUTE_INFER(inferGetTiler, cuteOpReturnTile,
           operandKind(op, 0) == CUTE_TYPE_TILED_COPY ? COPY(0).tiler
                                                      : MMA(0).permutation);
CUTE_INFER(inferPartitionShape, cuteOpReturnTuple, CUTE_TYPE_SHAPE,
           cuteTiledMmaPartitionShape(c, MMA(0), (CuteMmaOperand)VARIANT,
                                      TUPLE(1)));

const CuteOpHooks cuteTiledOps[] = {
    CUTE_HOOKS("make_tiled_copy_s", inferMakeLike, .variant = CUTE_SOURCE),
    CUTE_HOOKS("make_tiled_copy_d", inferMakeLike, .variant = CUTE_DESTINATION),
    CUTE_HOOKS("make_tiled_copy_c_atom", inferMakeTiledCopyCAtom),
    CUTE_HOOKS("make_cotiled_copy", inferMakeCotiledCopy),
    CUTE_HOOKS("get_tv_layout", inferGetTvLayout),
    CUTE_HOOKS("thr_id", inferThrId),
    CUTE_HOOKS("thr_layout_vmnk", inferThrLayoutVmnk),
    CUTE_HOOKS("shape_mnk", inferShapeMnk),
    CUTE_HOOKS("tile_size", inferTileSize),
    CUTE_HOOKS("get_tiler", inferGetTiler),
    CUTE_HOOKS("partition_shape_a", inferPartitionShape,
               .variant = CUTE_OPERAND_A),
    CUTE_HOOKS("partition_shape_b", inferPartitionShape,
               .variant = CUTE_OPERAND_B),
    CUTE_HOOKS("partition_shape_c", inferPartitionShape,
               .variant = CUTE_OPERAND_C),
    {.name = NULL},
};
