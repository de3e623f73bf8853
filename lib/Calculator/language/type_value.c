#include "Calculator/language/type_value.h"
#include "Calculator/operations/operations.h"

//===-- Values to types ---------------------------------------------------===//

static bool admits(CuteKindSet kinds, CuteTypeKind kind) {
  return kinds & (CuteKindSet)1 << kind;
}

// An operand that takes several kinds of tuples takes one with `_` as a
// coordinate, and one with bases as a stride.
static CuteType typeOfTuple(CuteContext c, CuteIntTuple tuple,
                            CuteKindSet kinds) {
  CuteTypeKind order[] = {CUTE_TYPE_INT_TUPLE, CUTE_TYPE_INT_TUPLE,
                          CUTE_TYPE_SHAPE, CUTE_TYPE_COORD, CUTE_TYPE_STRIDE};
  if (tuple->flags & HAS_UNDERSCORE)
    order[0] = CUTE_TYPE_COORD;
  if (tuple->flags & HAS_BASIS)
    order[0] = CUTE_TYPE_STRIDE;
  size_t i = 0;
  while (i < 4 && !admits(kinds, order[i]))
    ++i;
  return cuteTypeGetTuple(c, order[i], tuple);
}

// A layout serves as a tile, or as its shape.
static CuteType typeOfLayout(CuteContext c, CuteLayout layout,
                             CuteKindSet kinds) {
  CuteTypeKind kind = cuteLayoutIsComposed(layout) ? CUTE_TYPE_COMPOSED_LAYOUT
                                                   : CUTE_TYPE_LAYOUT;
  if (admits(kinds, kind))
    return cuteTypeGetLayout(c, layout);
  if (admits(kinds, CUTE_TYPE_TILE))
    return cuteTypeGetTile(c, cuteTileGetLayout(c, layout));
  return admits(kinds, CUTE_TYPE_SHAPE) && !admits(kinds, CUTE_TYPE_INT_TUPLE)
             ? cuteTypeGetTuple(c, CUTE_TYPE_SHAPE, layout->shape)
             : cuteTypeGetLayout(c, layout);
}

CuteType cuteTypeOfValue(CuteContext c, CuteValue value, CuteKindSet kinds) {
  switch (value.kind) {
  case CUTE_VALUE_TUPLE:
    return typeOfTuple(c, value.tuple, kinds);
  case CUTE_VALUE_LAYOUT:
    return typeOfLayout(c, value.layout, kinds);
  case CUTE_VALUE_TILE:
    return cuteTypeGetTile(c, value.tile);
  case CUTE_VALUE_SWIZZLE:
    return cuteTypeGetSwizzle(c, value.swizzle);
  case CUTE_VALUE_MMA_ATOM:
    return cuteTypeGetMmaAtom(c, value.mma.atom);
  case CUTE_VALUE_COPY_ATOM:
    return cuteCalcCheckHasElement(c, value)
               ? cuteTypeGetCopyAtom(c, value.copy.atom, value.copy.element)
               : NULL;
  case CUTE_VALUE_TILED_MMA:
    return cuteTypeGetTiledMma(c, value.mma);
  case CUTE_VALUE_TILED_COPY:
    return cuteTypeGetTiledCopy(c, value.copy);
  default:
    return cuteFail(c, "%s is not an operand of an op",
                    cuteValueKindGetName(value.kind));
  }
}

//===-- Types to values ---------------------------------------------------===//

CuteValue cuteValueOfType(CuteContext c, CuteType type) {
  switch ((CuteTypeKind)type->kind) {
  case CUTE_TYPE_INT_TUPLE:
  case CUTE_TYPE_SHAPE:
  case CUTE_TYPE_STRIDE:
  case CUTE_TYPE_COORD:
    return cuteValueOfTuple(type->tuple);
  case CUTE_TYPE_LAYOUT:
  case CUTE_TYPE_COMPOSED_LAYOUT:
  case CUTE_TYPE_TENSOR:
    return cuteValueOfLayout(type->layout);
  case CUTE_TYPE_COORD_TENSOR:
    return cuteValueOfPart(CUTE_VALUE_PART,
                           (CutePartition){type->layout, type->tuple});
  case CUTE_TYPE_TILE:
    return cuteValueOfTile(type->tile, type->tile);
  case CUTE_TYPE_SWIZZLE:
    return cuteValueOfSwizzle(type->swizzle);
  case CUTE_TYPE_MMA_ATOM:
    return cuteValueOfMmaAtom(type->atom);
  case CUTE_TYPE_COPY_ATOM:
    return (CuteValue){.kind = CUTE_VALUE_COPY_ATOM,
                       .copy = cuteTypeGetTiledCopyValue(type),
                       .hasElement = true};
  case CUTE_TYPE_TILED_MMA:
    return (CuteValue){.kind = CUTE_VALUE_TILED_MMA,
                       .mma = cuteTypeGetTiledMmaValue(type)};
  case CUTE_TYPE_TILED_COPY:
    return (CuteValue){.kind = CUTE_VALUE_TILED_COPY,
                       .copy = cuteTypeGetTiledCopyValue(type)};
  default:
    cuteFail(c, "a %s is not a value of the calculator",
             cuteTypeKindGetName((CuteTypeKind)type->kind));
    return (CuteValue){0};
  }
}
