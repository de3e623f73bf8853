// Replacing and collecting the dynamic leaves of values.
#include "Algebra/algebra.h"

static CuteIntTuple bindLeaf(CuteContext c, CuteIntTuple leaf,
                             const CuteIntTuple **next) {
  if (isDynamic(leaf))
    return *(*next)++;
  if (isBasis(leaf) && leaf->numDynamic)
    return cuteInternBasis(c, *(*next)++, basisPath(leaf));
  return leaf;
}

CuteIntTuple cuteIntTupleBind(CuteContext c, CuteIntTuple tuple,
                              const CuteIntTuple **next) {
  if (!tuple || !tuple->numDynamic)
    return tuple;
  if (!isTuple(tuple))
    return bindLeaf(c, tuple, next);
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&c->scratch);
  return CUTE_TUPLE_OF(c, i, tuple->rank,
                       cuteIntTupleBind(c, tuple->elements[i], next));
}

CuteLayout cuteLayoutBind(CuteContext c, CuteLayout layout,
                          const CuteIntTuple **next) {
  if (!layout || !cuteLayoutGetNumDynamic(layout))
    return layout;
  Mode mode;
  mode.shape = cuteIntTupleBind(c, layout->shape, next);
  mode.stride = cuteIntTupleBind(c, layout->stride, next);
  CuteLayout outer = cuteInternUncheckedLayout(c, mode);
  if (layout->innerKind == INNER_NONE || !outer)
    return outer;
  CuteIntTuple offset = cuteIntTupleBind(c, layout->offset, next);
  if (layout->innerKind == INNER_SWIZZLE)
    return cuteLayoutGetSwizzled(c, layout->swizzle, offset, outer);
  CuteLayout inner = cuteLayoutBind(c, layout->inner, next);
  return cuteLayoutGetComposed(c, inner, offset, outer);
}

CuteTile cuteTileBind(CuteContext c, CuteTile tile, const CuteIntTuple **next) {
  if (!tile || !tile->numDynamic)
    return tile;
  if (tile->kind == TILE_LAYOUT)
    return cuteTileGetLayout(c, cuteLayoutBind(c, tile->layout, next));
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&c->scratch);
  return CUTE_TILE_OF(c, i, tile->rank,
                      cuteTileBind(c, tile->elements[i], next));
}

//===-- Collecting --------------------------------------------------------===//

void cuteIntTupleCollectDynamic(CuteIntTuple tuple, CuteIntTuple **next) {
  if (!tuple->numDynamic)
    return;
  if (isTuple(tuple))
    for (size_t i = 0; i < tuple->rank; ++i)
      cuteIntTupleCollectDynamic(tuple->elements[i], next);
  else
    *(*next)++ = isBasis(tuple) ? basisValue(tuple) : tuple;
}

void cuteLayoutCollectDynamic(CuteLayout layout, CuteIntTuple **next) {
  cuteIntTupleCollectDynamic(layout->shape, next);
  cuteIntTupleCollectDynamic(layout->stride, next);
  if (layout->offset)
    cuteIntTupleCollectDynamic(layout->offset, next);
  if (layout->inner)
    cuteLayoutCollectDynamic(layout->inner, next);
}

void cuteTileCollectDynamic(CuteTile tile, CuteIntTuple **next) {
  if (tile->kind == TILE_LAYOUT)
    cuteLayoutCollectDynamic(tile->layout, next);
  for (size_t i = 0; tile->kind == TILE_TUPLE && i < tile->rank; ++i)
    cuteTileCollectDynamic(tile->elements[i], next);
}
