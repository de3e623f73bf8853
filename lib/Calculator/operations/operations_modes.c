// Rows: queries, modes, slices and parts of layouts and of int tuples.
#include "Algebra/algebra.h"
#include "Calculator/operations/operations.h"

//===-- Mode numbers ------------------------------------------------------===//

// A path, or a choice.
enum { MAX_MODE_NUMBERS = 1024 };
typedef struct ModeNumbers {
  size_t count;
  int32_t data[MAX_MODE_NUMBERS];
} ModeNumbers;

// Reads the static leaves of a tuple as mode numbers; false with a message
// where they are none.
static bool modeNumbers(CuteContext c, CuteIntTuple tuple, ModeNumbers *modes) {
  modes->count = cuteIntTupleGetRank(tuple);
  if (modes->count > MAX_MODE_NUMBERS)
    return cuteFail(c, "more than %d modes are named", MAX_MODE_NUMBERS);
  for (size_t i = 0; i < modes->count; ++i) {
    CuteIntTuple leaf = element(tuple, i);
    if (!isStatic(leaf) || leaf->value < 0 || leaf->value > INT32_MAX)
      return cuteFailTuple(c, "modes must be numbers from 0 on, not ", tuple);
    modes->data[i] = (int32_t)leaf->value;
  }
  return true;
}

static CuteIntTuple partAt(CuteContext c, CuteIntTuple tuple,
                           CuteIntTuple path) {
  ModeNumbers modes;
  return modeNumbers(c, path, &modes)
             ? cuteIntTupleGetAt(c, tuple, modes.count, modes.data)
             : NULL;
}

static CuteLayout modeAt(CuteContext c, const CuteValue *v) {
  ModeNumbers modes;
  return modeNumbers(c, v[1].tuple, &modes)
             ? cuteLayoutGetAt(c, v[0].layout, modes.count, modes.data)
             : NULL;
}

//===-- Queries -----------------------------------------------------------===//

static CuteIntTuple rank(CuteContext c, CuteIntTuple shape) {
  return shape ? staticInt(c, shape->rank) : NULL;
}

static CuteIntTuple depth(CuteContext c, CuteIntTuple shape) {
  return shape ? staticInt(c, shape->depth) : NULL;
}

static CuteIntTuple stride(CUTE_UNUSED CuteContext c, CuteLayout layout) {
  return layout ? layout->stride : NULL;
}

// Bytes that elements at every index below the cosize take.
static CuteValue sizeInBytes(CuteContext c, const CuteValue *v) {
  CuteIntTuple bits = staticInt(c, cuteElementTypeGetBits(v[0].element));
  CuteIntTuple all = cuteLeafMul(c, cuteLayoutGetCosize(c, v[1].layout), bits);
  return cuteValueOfTuple(cuteLeafCeilDiv(c, all, staticInt(c, 8)));
}

static bool hasUnderscore(CuteIntTuple tuple) {
  return tuple->flags & HAS_UNDERSCORE;
}

static bool isInteger(CuteIntTuple tuple) {
  return isStatic(tuple) || isDynamic(tuple);
}

// Tells whether the first leaf of a mode's stride is 1; fails where it is not
// known.
static CuteValue isMajor(CuteContext c, const CuteValue *v) {
  CuteIntTuple part = partAt(c, v[1].tuple, v[0].tuple);
  CuteIntTuple first = cuteIntTupleFront(c, part);
  if (isDynamic(first))
    return cuteValueOfTuple(
        cuteFailTuple(c, "not known, as it depends on what is '?': ", part));
  return first ? cuteValueOfBool(isStaticValue(first, 1)) : (CuteValue){0};
}

//===-- Modes added -------------------------------------------------------===//

static CuteLayout unitMode(CuteContext c) {
  return cuteLayoutGet(c, staticInt(c, 1), staticInt(c, 0));
}

// Adds modes up to a rank, which may not be below the layout's own.
static CuteValue extendBy(CuteContext c, CuteLayout layout, int64_t wanted,
                          CuteLayout mode, bool atEnd) {
  if (wanted < (int64_t)cuteLayoutGetRank(layout))
    return cuteValueOfLayout(cuteFail(
        c, "%s: rank %jd is less than the layout's rank %zu",
        atEnd ? "append" : "prepend", wanted, cuteLayoutGetRank(layout)));
  return cuteValueOfLayout(
      atEnd ? cuteLayoutAppendToRank(c, layout, wanted, mode)
            : cuteLayoutPrependToRank(c, layout, wanted, mode));
}
static CuteValue extend(CuteContext c, const CuteValue *v, CuteLayout mode,
                        bool atEnd) {
  return extendBy(c, v[0].layout, v[1].tuple->value, mode, atEnd);
}

// A tuple's element and the rank it is added up to, as in Python.
static CuteValue extendTuple(CuteContext c, const CuteValue *v, bool atEnd) {
  CuteIntTuple tuple = v[0].tuple;
  int64_t wanted = v[2].tuple->value;
  if (wanted < (int64_t)tuple->rank)
    return cuteValueOfTuple(
        cuteFail(c, "%s: rank %jd is less than the tuple's rank %u",
                 atEnd ? "append" : "prepend", wanted, tuple->rank));
  return cuteValueOfTuple(
      atEnd ? cuteIntTupleAppendToRank(c, tuple, wanted, v[1].tuple)
            : cuteIntTuplePrependToRank(c, tuple, wanted, v[1].tuple));
}

// The layouts of a tiler, which may be one alone, and another at an end.
static CuteValue extendTile(CuteContext c, const CuteValue *v, bool atEnd) {
  size_t rank = cuteTileGetRank(v[0].tile);
  CuteTile layout = cuteTileGetLayout(c, v[1].layout);
  CuteTile all =
      atEnd ? cuteTileAppendToRank(c, v[0].tile, (int64_t)rank + 1, layout)
            : cuteTilePrependToRank(c, v[0].tile, (int64_t)rank + 1, layout);
  return cuteValueOfTile(all, all);
}

// To the last mode where the end is -1.
static CuteValue groupTo(CuteContext c, const CuteValue *v, int64_t end) {
  int64_t begin = v[1].tuple->value;
  bool isLayout = v[0].kind == CUTE_VALUE_LAYOUT;
  if (end == -1)
    end = isLayout ? (int64_t)cuteLayoutGetRank(v[0].layout) : v[0].tuple->rank;
  return isLayout
             ? cuteValueOfLayout(cuteLayoutGroup(c, v[0].layout, begin, end))
             : cuteValueOfTuple(cuteIntTupleGroup(c, v[0].tuple, begin, end));
}

//===-- Slices and tiles --------------------------------------------------===//

static CuteValue slice(CuteContext c, CuteIntTuple coord, CuteValue from) {
  return from.kind == CUTE_VALUE_TUPLE
             ? cuteValueOfTuple(cuteIntTupleSlice(c, from.tuple, coord))
             : cuteValueOfLayout(cuteLayoutSlice(c, from.layout, coord));
}

// The operands in the order of CuTe's Python API, where a composed layout stays
// one, from another offset on.
static CuteValue sliceBy(CuteContext c, const CuteValue *v) {
  if (v[0].kind == CUTE_VALUE_LAYOUT && cuteLayoutIsComposed(v[0].layout))
    return cuteValueOfLayout(
        cuteLayoutSliceAndOffset(c, v[0].layout, v[1].tuple).layout);
  return slice(c, v[1].tuple, v[0]);
}

static CuteValue imageMask(CuteContext c, const CuteValue *v) {
  uint16_t mask;
  bool ok = cuteLayoutGetImageMask(c, v[0].layout, v[1].tuple,
                                   v[2].tuple->value, &mask);
  return ok ? cuteValueOfTuple(staticInt(c, mask)) : (CuteValue){0};
}

#define ROWS "Calculator/operations/operations_modes.def"
#define GROUP cuteCalcModeRows
#include "Calculator/operations/rows.def"
