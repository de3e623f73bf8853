#include "Calculator/pictures/layout_value.h"
#include "Algebra/algebra.h"

static bool hasOffset(CuteValue value) {
  return value.kind == CUTE_VALUE_PART || value.kind == CUTE_VALUE_PAIR;
}

// All that the swizzle tells apart: a row for each value of the bits that it
// reads, or of the bits that it changes.
static CuteLayout swizzleLayout(CuteContext c, CuteSwizzle swizzle) {
  int low = swizzle.base + abs(swizzle.shift);
  CuteIntTuple columns = staticInt(c, (int64_t)1 << low);
  CuteIntTuple shape[] = {staticInt(c, (int64_t)1 << swizzle.bits), columns};
  CuteIntTuple stride[] = {columns, staticInt(c, 1)};
  return cuteLayoutGetSwizzled(c, swizzle, staticInt(c, 0),
                               cuteLayoutGet(c, cuteInternTuple(c, 2, shape),
                                             cuteInternTuple(c, 2, stride)));
}

static CuteLayout layoutOf(CuteContext c, CuteValue value, const char *where) {
  if (hasOffset(value))
    return value.layout;
  if (value.kind == CUTE_VALUE_SWIZZLE)
    return swizzleLayout(c, value.swizzle);
  return cuteValueConvert(c, value, CUTE_VALUE_LAYOUT, where).layout;
}

bool cuteLayoutValueGet(CuteContext c, CuteValue value, const char *where,
                        CuteLayoutValue *result) {
  *result = (CuteLayoutValue){layoutOf(c, value, where),
                              hasOffset(value) ? value.tuple : NULL};
  if (!result->layout)
    return false;
  if (!cuteLayoutGetNumDynamic(result->layout) &&
      (!result->offset || !result->offset->numDynamic))
    return true;
  CuteString text = {0};
  cuteAppendValue(&text, value);
  return cuteFail(c, "%s: needs a static layout, not %s", where,
                  cuteArenaTakeString(&c->scratch, &text));
}

CuteIntTuple cuteLayoutValueAt(CuteContext c, CuteLayoutValue layout,
                               int64_t index) {
  CuteIntTuple coord =
      cuteIdx2Crd(c, staticInt(c, index), cuteLayoutGetShape(layout.layout));
  CuteIntTuple value = cuteLayoutEval(c, layout.layout, coord);
  return value && layout.offset
             ? cuteArithmeticTupleAdd(c, layout.offset, value)
             : value;
}
