// Evaluates layouts and swizzles at coordinates.
#include "Algebra/trace.h"
#include "Calculator/operations/operations.h"

// The leaf of a tuple that has one, beside any number of empty tuples.
static CuteIntTuple soleLeaf(CuteContext c, CuteIntTuple tuple) {
  return isTuple(tuple) ? cuteIntTupleFlatten(c, tuple)->elements[0] : tuple;
}

// More would take seconds and be of no use as text.
enum { MAX_VALUES = 1 << 18 };

// Every value of the layout, by ascending index. As in CuTe, a layout of one
// leaf with a scaled basis gives multiples of it, not tuples.
CuteValue cuteEvaluateAll(CuteContext c, const CuteValue *v) {
  CuteLayout layout = v[0].layout;
  CuteIntTuple size = cuteLayoutGetSize(c, layout);
  if (!size)
    return (CuteValue){0};
  if (!isStatic(size) || size->value > MAX_VALUES)
    return cuteValueOfList(cuteFailTuple(
        c, "eval: needs a static size of at most 2^18, not ", size));
  bool isScaled =
      layout->stride->numLeaves == 1 && layout->stride->flags & HAS_BASIS;
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&c->scratch);
  size_t n = (size_t)size->value;
  CuteIntTuple *values = cuteScratch(c, n * sizeof *values);
  CuteIntTuple stride = isScaled ? soleLeaf(c, layout->stride) : NULL;
  struct CuteTrace *trace = cuteTracePause(c);
  for (size_t i = 0; i < n; ++i) {
    CuteIntTuple index = staticInt(c, (int64_t)i);
    values[i] = isScaled ? cuteLeafMul(c, index, stride)
                         : cuteLayoutEval(c, layout, index);
  }
  cuteTraceResume(c, trace);
  CuteValue result = cuteValueOfList(cuteInternTuple(c, n, values));
  if (cuteValueFailed(result))
    cuteExplainError(c);
  return result;
}

CuteValue cuteEvaluateSwizzle(CuteContext c, const CuteValue *v) {
  CuteIntTuple list = v[1].tuple;
  if (!isTuple(list))
    return cuteValueOfTuple(cuteSwizzleApply(c, v[0].swizzle, list));
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&c->scratch);
  return cuteValueOfList(CUTE_TUPLE_OF(
      c, i, list->rank, cuteSwizzleApply(c, v[0].swizzle, list->elements[i])));
}

// The index of a coordinate in a shape, or what a layout has there. In a shape
// or layout, an integer may index any mode.
CuteValue cuteEvaluateCrd2Idx(CuteContext c, const CuteValue *v) {
  if (v[1].kind == CUTE_VALUE_TUPLE)
    return cuteValueOfTuple(cuteCrd2Idx(c, v[0].tuple, v[1].tuple));
  CuteValue layout = cuteValueConvert(c, v[1], CUTE_VALUE_LAYOUT, "crd2idx");
  return cuteValueFailed(layout)
             ? layout
             : cuteValueOfTuple(cuteLayoutEval(c, layout.layout, v[0].tuple));
}

CuteValue cuteEvaluateAt(CuteContext c, const CuteValue *v) {
  return cuteValueOfTuple(cuteLayoutEval(c, v[0].layout, v[1].tuple));
}
