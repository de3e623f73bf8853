#include "Algebra/tiled.h"
#include "Algebra/explain_laws.h"

static CuteIntTuple zeroUnit(CuteContext c, Mode leaf,
                             CUTE_UNUSED void *unused) {
  return isStaticValue(leaf.shape, 1) ? staticInt(c, 0) : leaf.stride;
}

CuteLayout cuteZeroUnitStrides(CuteContext c, CuteLayout layout) {
  return cuteZeroUnitStridesAt(c, layout, 0, NULL);
}

static CuteIntTuple zeroUnitsAt(CuteContext c, Mode a, size_t n,
                                const size_t *path) {
  if (!n || !isTuple(a.shape) || *path >= a.shape->rank)
    return n ? a.stride : cuteMapLeaves(c, a, zeroUnit, NULL);
  CuteIntTuple *strides = cuteScratch(c, a.shape->rank * sizeof *strides);
  for (size_t i = 0; i < a.shape->rank; ++i)
    strides[i] = element(a.stride, i);
  strides[*path] = zeroUnitsAt(c, modeElement(a, *path), n - 1, path + 1);
  return cuteInternTuple(c, a.shape->rank, strides);
}

CuteLayout cuteZeroUnitStridesAt(CuteContext c, CuteLayout layout, size_t n,
                                 const size_t *path) {
  if (!layout)
    return NULL;
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&c->scratch);
  Mode mode = {layout->shape, zeroUnitsAt(c, layoutMode(layout), n, path)};
  return cuteLayoutWithOuter(c, layout, mode);
}

CuteTile cuteTilePair(CuteContext c, CuteTile a, CuteTile b) {
  CuteTile all = cuteTileGetUnderscore(c);
  CuteTile elements[] = {a ? a : all, b ? b : all};
  return cuteInternTileTuple(c, 2, elements);
}

CuteTile cuteTileOfExtent(CuteContext c, CuteIntTuple extent) {
  return extent ? cuteTileGetLayout(c, cuteLayoutGet(c, extent, NULL)) : NULL;
}

CuteLayout cuteLayoutWithShape(CuteContext c, CuteLayout layout,
                               CuteIntTuple shape) {
  CuteLayout compact = shape ? cuteLayoutGet(c, shape, NULL) : NULL;
  return layout && compact
             ? cuteLayoutComposition(c, layout, cuteTileGetLayout(c, compact))
             : NULL;
}

// A composed layout takes the offset into its own, before the swizzle.
static CutePartition withOffset(CuteContext c, CuteLayout whole, Mode kept,
                                CuteIntTuple offset) {
  CutePartition part = {cuteInternLayout(c, kept), offset};
  if (!part.layout || !offset || !cuteLayoutIsComposed(whole))
    return part;
  offset = cuteArithmeticTupleAdd(c, whole->offset, offset);
  part.offset = staticInt(c, 0);
  if (whole->innerKind == INNER_LAYOUT)
    part.layout = cuteLayoutGetComposed(c, whole->inner, offset, part.layout);
  else
    part.layout =
        cuteLayoutComposeSwizzle(c, whole->swizzle, offset, part.layout);
  return part;
}

// The kept part of the layout from a coordinate on.
static CutePartition partAt(CuteContext c, CuteLayout layout, Mode kept,
                            CuteIntTuple coord) {
  CutePartition failed = {NULL, NULL}, part = failed;
  bool tracked = cuteContextTrackDivisors(c, true);
  CuteIntTuple offset =
      modeFailed(kept) ? NULL : cuteEvalMode(c, coord, layoutMode(layout));
  trace(c, CUTE_TRACE_OFFSET_INDEX, coord, offset);
  if (offset)
    part = withOffset(c, layout, kept, offset);
  cuteContextTrackDivisors(c, tracked);
  return part.layout && part.offset ? part : failed;
}

CutePartition cuteLayoutSliceAndOffset(CuteContext context, CuteLayout layout,
                                       CuteIntTuple coord) {
  if (!layout || !coord)
    return (CutePartition){NULL, NULL};
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&context->scratch);
  unsigned outer =
      traceEnter(context, CUTE_TRACE_SLICE_AND_OFFSET, layout, coord);
  Mode kept = cuteSliceMode(context, layoutMode(layout), coord);
  CutePartition part = partAt(context, layout, kept, coord);
  traceLeave(context, outer, CUTE_TRACE_RESULT_AT, part.layout, part.offset);
  traceLaw(context, cuteExplainSliceLaw(context, "A", layout, coord, part));
  return part;
}

CutePartition cuteLayoutDomainOffset(CuteContext context, CuteLayout layout,
                                     CuteIntTuple coord) {
  if (!layout || !coord)
    return (CutePartition){NULL, NULL};
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&context->scratch);
  return partAt(context, layout, layoutMode(layout), coord);
}

// The thread's coordinate in one leaf of the thread layout.
static CuteIntTuple threadDigit(CuteContext c, Mode leaf, CuteIntTuple thread) {
  if (isStaticValue(leaf.stride, 0)) {
    trace(c, CUTE_TRACE_THREAD_ZERO, leaf);
    return staticInt(c, 0);
  }
  CuteIntTuple digit =
      cuteLeafMod(c, cuteLeafDiv(c, thread, leaf.stride), leaf.shape);
  trace(c, CUTE_TRACE_THREAD_DIGIT, leaf, thread, digit);
  return digit;
}

CuteIntTuple cuteThreadCoord(CuteContext c, Mode m, CuteIntTuple thread) {
  Modes leaves = {0};
  modesPushLeaves(c, &leaves, m);
  CuteIntTuple coord = staticInt(c, 0), size = staticInt(c, 1);
  unsigned outer = traceEnter(c, CUTE_TRACE_THREAD, thread, m);
  for (size_t i = 0; i < leaves.count; ++i) {
    Mode leaf = leaves.data[i];
    CuteIntTuple digit = threadDigit(c, leaf, thread);
    coord = cuteLeafAdd(c, coord, cuteLeafMul(c, digit, size));
    size = cuteLeafMul(c, size, leaf.shape);
  }
  traceLeave(c, outer, CUTE_TRACE_THREAD_COORD, coord);
  return coord;
}

// The stride without parentheses around one element where the shape has none.
static CuteIntTuple congruentStride(CuteContext c, CuteIntTuple shape,
                                    CuteIntTuple stride) {
  while (isTuple(stride) && stride->rank == 1 && shape->rank != 1)
    stride = stride->elements[0];
  if (!isTuple(shape) || !isTuple(stride) || shape->rank != stride->rank)
    return stride;
  return CUTE_TUPLE_OF(
      c, i, shape->rank,
      congruentStride(c, element(shape, i), element(stride, i)));
}

CuteLayout cuteParseRow(CuteContext c, const char *text) {
  const char *colon = strchr(text, ':');
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&c->scratch);
  CuteIntTuple shape = cuteIntTupleParse(
      c, (CuteStringRef){text, (size_t)(colon - text)}, CUTE_SYNTAX_SHAPE);
  CuteIntTuple stride =
      cuteIntTupleParse(c, cuteStringRef(colon + 1), CUTE_SYNTAX_STRIDE);
  if (shape && stride)
    stride = congruentStride(c, shape, stride);
  return cuteLayoutGet(c, shape, stride);
}
