// Slice and dice: the part under `_` of a coordinate, and the part beside it.
#include "Algebra/explain_worked.h"

//===-- Trees -------------------------------------------------------------===//

// Slice keeps the modes under `_`, dice those under integers.
typedef enum { SLICE, DICE } Form;

static bool keepsLeaf(Form form, CuteIntTuple coord) {
  return isUnderscore(coord) == (form == SLICE);
}

// Appends what the coordinate keeps of the modes of `a`.
static bool collectKept(CuteContext c, Form form, Mode a, CuteIntTuple coord,
                        Modes *kept) {
  if (!isTuple(coord)) {
    trace(c,
          keepsLeaf(form, coord) ? CUTE_TRACE_SLICE_KEEP
                                 : CUTE_TRACE_SLICE_DROP,
          a, coord);
    if (keepsLeaf(form, coord))
      modesPush(c, kept, a);
    return true;
  }
  for (size_t i = 0; i < coord->rank; ++i)
    if (!collectKept(c, form, modeElement(a, i), coord->elements[i], kept))
      return false;
  return true;
}

static Mode keep(CuteContext c, Form form, Mode a, CuteIntTuple coord) {
  if (modeFailed(a) || !coord)
    return failedMode;
  if (coord->flags & HAS_ERROR)
    return modeFail(cuteFailTuple(c,
                                  form == SLICE
                                      ? "slice: an x is not a coordinate: "
                                      : "dice: an x is not a coordinate: ",
                                  coord));
  if (!cuteIntTupleIsWeaklyCongruent(coord, a.shape))
    return modeFail(cuteFailTuples(
        c, form == SLICE ? "slice: coordinate " : "dice: coordinate ", coord,
        " is not weakly congruent to ", a.shape));
  if (!isTuple(coord) && keepsLeaf(form, coord))
    return a;
  Modes kept = {0};
  collectKept(c, form, a, coord, &kept);
  return modesGetTuple(c, &kept);
}

Mode cuteSliceMode(CuteContext c, Mode a, CuteIntTuple coord) {
  return keep(c, SLICE, a, coord);
}

Mode cuteDiceMode(CuteContext c, Mode a, CuteIntTuple coord) {
  return keep(c, DICE, a, coord);
}

CuteIntTuple cuteIntTupleDiceCoord(CuteContext c, CuteIntTuple coord) {
  return keep(c, DICE, (Mode){coord, coord}, coord).shape;
}

static CuteIntTuple keepOfTuple(CuteContext c, Form form, CuteIntTuple tuple,
                                CuteIntTuple coord) {
  if (!tuple || !coord)
    return NULL;
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&c->scratch);
  return keep(c, form, (Mode){tuple, tuple}, coord).shape;
}

CuteIntTuple cuteIntTupleSlice(CuteContext context, CuteIntTuple tuple,
                               CuteIntTuple coord) {
  return keepOfTuple(context, SLICE, tuple, coord);
}

CuteIntTuple cuteIntTupleDice(CuteContext context, CuteIntTuple tuple,
                              CuteIntTuple coord) {
  if (coord && coord->numDynamic)
    return cuteFailTuple(context, "dice: the coordinate must be static, not ",
                         coord);
  return keepOfTuple(context, DICE, tuple, coord);
}

//===-- Layouts -----------------------------------------------------------===//

// A composed with a layout: what the dropped modes add goes into the offset.
static CuteLayout sliceComposed(CuteContext c, CuteLayout layout,
                                CuteIntTuple coord) {
  Mode kept = cuteSliceMode(c, layoutMode(layout), coord);
  CuteIntTuple dropped = cuteEvalMode(c, coord, layoutMode(layout));
  CuteIntTuple offset = cuteArithmeticTupleAdd(c, layout->offset, dropped);
  if (modeFailed(kept) || !offset)
    return NULL;
  return cuteLayoutGetComposed(c, layout->inner, offset,
                               cuteInternLayout(c, kept));
}

// Notes that a slice of a plain layout begins where the fixed coordinates lead.
static void explainLaw(CuteContext c, CuteLayout layout, CuteIntTuple coord,
                       CuteLayout slice) {
  if (cuteLayoutIsComposed(layout) || cuteLayoutGetNumDynamic(layout) ||
      coord->numDynamic)
    return;
  CuteQuiet quiet = cuteQuietEnter(c);
  CutePartition part = {slice, cuteEvalMode(c, coord, layoutMode(layout))};
  cuteQuietLeave(c, quiet);
  cuteExplainSliceLaw(c, "A", layout, coord, part);
}

CuteLayout cuteLayoutSlice(CuteContext context, CuteLayout layout,
                           CuteIntTuple coord) {
  if (!layout || !coord)
    return NULL;
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&context->scratch);
  CuteLayout result;
  unsigned outer = traceEnter(context, CUTE_TRACE_SLICE, layout, coord);
  if (layout->innerKind == INNER_SWIZZLE)
    result = cuteSliceSwizzled(context, layout, coord);
  else if (layout->innerKind == INNER_LAYOUT)
    result = sliceComposed(context, layout, coord);
  else
    result = cuteInternLayout(
        context, cuteSliceMode(context, layoutMode(layout), coord));
  if (result && checksLaws(context) &&
      !cuteLawAccepts(context, cuteLawSlice(context, layout, coord, result)))
    result = NULL;
  traceLeave(context, outer, CUTE_TRACE_RESULT, result);
  traceLaw(context, explainLaw(context, layout, coord, result));
  return result;
}

CuteLayout cuteLayoutDice(CuteContext context, CuteLayout layout,
                          CuteIntTuple coord) {
  if (!layout || !coord)
    return NULL;
  if (coord->numDynamic)
    return cuteFailTuple(context, "dice: the coordinate must be static, not ",
                         coord);
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&context->scratch);
  unsigned outer = traceEnter(context, CUTE_TRACE_DICE, layout, coord);
  CuteLayout result = cuteLayoutWithOuter(
      context, layout, cuteDiceMode(context, layoutMode(layout), coord));
  traceLeave(context, outer, CUTE_TRACE_RESULT, result);
  traceLaw(context, cuteExplainDiceLaw(context, layout, coord, result));
  return result;
}

//===-- Multicast masks ---------------------------------------------------===//

// The coordinate with `_` for one mode; fails unless there is such a mode.
static CuteIntTuple openMode(CuteContext c, CuteLayout layout,
                             CuteIntTuple coord, int64_t mode) {
  if (!isTuple(coord) || !isTuple(layout->shape) ||
      coord->rank != layout->shape->rank)
    return cuteFailTuples(c, "image mask: coordinate ", coord,
                          " does not match the rank of shape ", layout->shape);
  return cuteIntTupleReplace(c, coord, mode, cuteIntTupleGetUnderscore(c));
}

// A bit for each index of the part.
static bool collectMask(CuteContext c, CutePartition part, int64_t size,
                        uint16_t *mask) {
  *mask = 0;
  for (int64_t i = 0; i < size; ++i) {
    CuteIntTuple index = cuteArithmeticTupleAdd(
        c, part.offset, cuteLayoutEval(c, part.layout, staticInt(c, i)));
    if (!isStatic(index) || index->value < 0 || index->value > 15)
      return cuteFailTuple(c, "image mask: index not in [0, 16): ", index);
    *mask |= (uint16_t)(1u << index->value);
  }
  return true;
}

bool cuteLayoutGetImageMask(CuteContext context, CuteLayout layout,
                            CuteIntTuple coord, int64_t mode, uint16_t *mask) {
  if (!layout || !coord)
    return false;
  CutePartition part = cuteLayoutSliceAndOffset(
      context, layout, openMode(context, layout, coord, mode));
  CuteIntTuple size =
      part.layout ? cuteLayoutGetSize(context, part.layout) : NULL;
  if (!size)
    return false;
  if (!isStatic(size) || size->value > 16)
    return cuteFailTuple(
        context, "image mask: needs a static mode of at most 16, not ", size);
  struct CuteTrace *trace = cuteTracePause(context);
  bool ok = collectMask(context, part, size->value, mask);
  cuteTraceResume(context, trace);
  if (!ok)
    cuteExplainError(context);
  return ok;
}
