// TMA atoms: what a box and its elements can be.
#include "Algebra/tma_check.h"
#include "Algebra/algebra.h"

enum { MAX_STEP = 8 };

// The bytes of a row in which a swizzle permutes pieces of 16 or 32; the
// pattern repeats itself after 8 or 4 rows. 0: no swizzle.
static int64_t spanOf(CuteSwizzle swizzle) {
  return swizzle.bits ? INT64_C(1) << (swizzle.base + swizzle.bits) : 0;
}

bool cuteTmaCheckElement(CuteContext c, CuteTmaAtom tma) {
  unsigned bits = cuteElementTypeGetBits(tma.element);
  if (tma.atom->packedBits && bits != 8)
    return cuteFail(c,
                    "%s: elements of %d bits have a byte each in shared "
                    "memory, and so in types: ui8, not %s",
                    tma.atom->name, tma.atom->packedBits,
                    cuteElementTypeGetName(tma.element));
  if (bits == 8 || bits == 16 || bits == 32 || bits == 64)
    return true;
  return cuteFail(c, "%s: elements have 8, 16, 32 or 64 bits, but %s has %u",
                  tma.atom->name, cuteElementTypeGetName(tma.element), bits);
}

static bool checkSwizzle(CuteContext c, CuteTmaAtom tma) {
  CuteSwizzle s = tma.swizzle;
  bool isWide = s.bits == 2 && s.base == 5 && s.shift == 2;
  if (!s.bits || isWide || (s.bits <= 3 && s.base == 4 && s.shift == 3))
    return true;
  return cuteFail(
      c,
      "%s: the swizzle of byte addresses is S<1,4,3>, S<2,4,3>, S<3,4,3>, "
      "S<2,5,2> (rows of 32, 64, 128, 128 bytes) or none, not S<%d,%d,%d>",
      tma.atom->name, s.bits, s.base, s.shift);
}

int64_t cuteTmaStepOf(const CuteCopyAtom *atom, CuteIntTuple stride, size_t i) {
  if (!isBasis(stride) || !isStatic(basisValue(stride)))
    return 0;
  int64_t step = basisValue(stride)->value;
  int64_t most = i && cuteCopyAtomIsTmaLoad(atom) ? MAX_STEP : 1;
  return step >= 1 && step <= most ? step : 0;
}

// One axis of the box: a static extent, and steps of one coordinate.
static bool checkAxis(CuteContext c, CuteTmaAtom tma, size_t i) {
  CuteIntTuple extent = element(tma.box->shape, i);
  CuteIntTuple stride = element(tma.box->stride, i);
  int64_t step = cuteTmaStepOf(tma.atom, stride, i);
  bool ok = isStatic(extent) && step && extent->value >= 1 &&
            (extent->value - 1) * step < CUTE_MAX_TMA_BOX;
  for (size_t j = 0; ok && j < i; ++j)
    ok = basisPath(element(tma.box->stride, j)) != basisPath(stride);
  if (!ok)
    cuteFail(c,
             "%s: axis %zu of a box has 1 to 256 elements along one coordinate "
             "of its own; loads may step by up to 8 along all but the first",
             tma.atom->name, i);
  return ok;
}

static bool checkInnermost(CuteContext c, CuteTmaAtom tma) {
  enum { NARROW_ROW = 128 };
  int64_t bytes =
      element(tma.box->shape, 0)->value * cuteTmaBytesOf(tma.element);
  int64_t span = spanOf(tma.swizzle);
  if (tma.atom->packedBits &&
      (bytes != NARROW_ROW || (span && span != NARROW_ROW)))
    return cuteFail(c,
                    "%s: a row of the box has %d elements, not %jd, and a "
                    "swizzle of 128 bytes or none",
                    tma.atom->name, NARROW_ROW, bytes);
  if (bytes % 16 == 0 && (!span || bytes <= span))
    return true;
  if (span && bytes > span)
    return cuteFail(
        c,
        "%s: a row of the box, %jd bytes, is longer than the %jd of the "
        "swizzle; take a wider swizzle or a layout in panels of %jd bytes",
        tma.atom->name, bytes, span, span);
  return cuteFail(c,
                  "%s: a row of the box, where both layouts are contiguous, "
                  "has %jd bytes; TMA needs a multiple of 16",
                  tma.atom->name, bytes);
}

// A box of rows is (columns, 4), which no blocks share.
static bool checkRows(CuteContext c, CuteTmaAtom tma) {
  if (!tma.atom->isOfRows)
    return true;
  bool ok = cuteLayoutGetRank(tma.box) == 2 && tma.ctas == 1 &&
            isStaticValue(element(tma.box->shape, 1), CUTE_TMA_ROWS) &&
            cuteTmaAtomGetStep(tma, 1) == 1;
  return ok ||
         cuteFail(c,
                  "%s: the tile has rows of a matrix by fours, all loaded "
                  "by one thread block; its box would be %s of "
                  "%jd blocks",
                  tma.atom->name, cuteLayoutText(c, tma.box), tma.ctas);
}

static bool checkBox(CuteContext c, CuteTmaAtom tma) {
  size_t rank = cuteLayoutGetRank(tma.box);
  bool isFlat = !cuteLayoutIsComposed(tma.box) &&
                tma.box->shape->numLeaves == rank && rank;
  if (!isFlat || rank > CUTE_MAX_TMA_RANK)
    return cuteFail(c, "%s: a box is a flat layout of 1 to 5 axes",
                    tma.atom->name);
  for (size_t i = 0; i < rank; ++i)
    if (!checkAxis(c, tma, i))
      return false;
  return checkInnermost(c, tma);
}

static bool checkValues(CuteContext c, CuteTmaAtom tma) {
  CuteLayout values = tma.values;
  bool ok = !cuteLayoutIsComposed(values) && !cuteLayoutGetNumDynamic(values) &&
            cuteLayoutGetRank(values) == 2 &&
            !(values->stride->flags & HAS_BASIS);
  ok = ok && cuteIntTupleProduct(c, element(values->shape, 0)) ==
                 cuteLayoutGetSize(c, tma.box);
  if (!ok)
    cuteFail(c,
             "%s: mode 0 of (value, instruction) has as many values as the box",
             tma.atom->name);
  return ok;
}

// Each block's part begins where the swizzle's pattern does.
static bool checkCtas(CuteContext c, CuteTmaAtom tma) {
  size_t rank = cuteLayoutGetRank(tma.box);
  int64_t last = element(tma.box->shape, rank - 1)->value;
  if (tma.ctas == 1)
    return true;
  if (!tma.atom->isMulticast || tma.ctas < 1 || tma.ctas > 16)
    return cuteFail(c,
                    "%s: %jd thread blocks cannot share a load; 1 to 16 can, "
                    "by a multicast atom",
                    tma.atom->name, tma.ctas);
  int64_t part = cuteLayoutGetSize(c, tma.box)->value / tma.ctas *
                 cuteTmaBytesOf(tma.element);
  int64_t unit =
      tma.swizzle.bits ? spanOf(tma.swizzle) << tma.swizzle.shift : 128;
  if (last % tma.ctas == 0 && part % unit == 0)
    return true;
  return cuteFail(c,
                  "%s: the outermost axis of the box, %jd, does not divide "
                  "into %jd parts of a multiple of %jd bytes",
                  tma.atom->name, last, tma.ctas, unit);
}

bool cuteTmaAtomCheck(CuteContext c, CuteTmaAtom tma) {
  if (!tma.atom || !tma.box || !tma.values)
    return false;
  if (!cuteCopyAtomIsTma(tma.atom))
    return cuteFail(c, "%s is not a TMA atom", tma.atom->name);
  return cuteTmaCheckElement(c, tma) && checkSwizzle(c, tma) &&
         checkBox(c, tma) && checkRows(c, tma) && checkValues(c, tma) &&
         checkCtas(c, tma);
}
