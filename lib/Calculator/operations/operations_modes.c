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

static CuteIntTuple stride(CuteContext c, CuteLayout layout) {
  (void)c;
  return layout ? layout->stride : NULL;
}

TUPLE(strideAt, stride(c, modeAt(c, v)))
TUPLE(coshapeAt, cuteLayoutGetCoshape(c, modeAt(c, v)))

// Bytes that elements at every index below the cosize take.
static CuteValue sizeInBytes(CuteContext c, const CuteValue *v) {
  CuteIntTuple bits = staticInt(c, cuteElementTypeGetBits(v[0].element));
  CuteIntTuple all = cuteLeafMul(c, cuteLayoutGetCosize(c, v[1].layout), bits);
  return cuteValueOfTuple(cuteLeafCeilDiv(c, all, staticInt(c, 8)));
}

TRUTH(isStaticRow, v[0].kind == CUTE_VALUE_TUPLE
                       ? cuteIntTupleIsStatic(v[0].tuple)
                       : !cuteLayoutGetNumDynamic(v[0].layout))

static bool hasUnderscore(CuteIntTuple tuple) {
  return tuple->flags & HAS_UNDERSCORE;
}

static bool isInteger(CuteIntTuple tuple) {
  return isStatic(tuple) || isDynamic(tuple);
}

static bool hasIntegersOnly(CuteIntTuple tuple) {
  bool only = isInteger(tuple) || isTuple(tuple);
  for (size_t i = 0; only && isTuple(tuple) && i < tuple->rank; ++i)
    only = hasIntegersOnly(tuple->elements[i]);
  return only;
}

TRUTH(isIntTuple, v[0].kind == CUTE_VALUE_TUPLE && hasIntegersOnly(v[0].tuple))

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

// An integer after a layout is a rank, after a tuple one more element.
VALUE(appendInt,
      v[0].kind == CUTE_VALUE_LAYOUT
          ? extend(c, v, unitMode(c), true)
          : cuteValueOfTuple(cuteIntTupleAppend(c, v[0].tuple, v[1].tuple)))
VALUE(prependInt,
      v[0].kind == CUTE_VALUE_LAYOUT
          ? extend(c, v, unitMode(c), false)
          : cuteValueOfTuple(cuteIntTuplePrepend(c, v[0].tuple, v[1].tuple)))
VALUE(appendTo, extend(c, v, v[2].layout, true))
VALUE(prependTo, extend(c, v, v[2].layout, false))

// A mode and the rank it is added up to, as in Python.
VALUE(appendUpTo,
      extendBy(c, v[0].layout, v[2].tuple->value, v[1].layout, true))
VALUE(prependUpTo,
      extendBy(c, v[0].layout, v[2].tuple->value, v[1].layout, false))

// Fails: of a rank and a mode in either order, one is to be seen as the mode.
LAYOUT(whichIsRank,
       cuteFail(c,
                "is %jd or %jd the rank? expected is a mode with its stride, "
                "such as %jd:0",
                v[1].tuple->value, v[2].tuple->value, v[2].tuple->value))

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
VALUE(appendTuple, extendTuple(c, v, true))
VALUE(prependTuple, extendTuple(c, v, false))

// The layouts of a tiler, which may be one alone, and another at an end.
static CuteValue extendTile(CuteContext c, const CuteValue *v, bool atEnd) {
  size_t rank = cuteTileGetRank(v[0].tile);
  CuteTile layout = cuteTileGetLayout(c, v[1].layout);
  CuteTile all =
      atEnd ? cuteTileAppendToRank(c, v[0].tile, (int64_t)rank + 1, layout)
            : cuteTilePrependToRank(c, v[0].tile, (int64_t)rank + 1, layout);
  return cuteValueOfTile(all, all);
}
VALUE(appendTile, extendTile(c, v, true))
VALUE(prependTile, extendTile(c, v, false))

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

TUPLE(find, cuteIntTupleFind(c, v[0].tuple, v[1].tuple, NULL, NULL))
TUPLE(findExcept,
      cuteIntTupleFind(c, v[0].tuple, v[1].tuple, v[2].tuple, v[3].tuple))
TUPLE(assume, cuteIntTupleAssume(c, v[0].tuple, v[1].tuple->value))

//===-- Slices and tiles --------------------------------------------------===//

VALUE(slice,
      v[1].kind == CUTE_VALUE_TUPLE
          ? cuteValueOfTuple(cuteIntTupleSlice(c, v[1].tuple, v[0].tuple))
          : cuteValueOfLayout(cuteLayoutSlice(c, v[1].layout, v[0].tuple)))
VALUE(dice, v[1].kind == CUTE_VALUE_TUPLE
                ? cuteValueOfTuple(cuteIntTupleDice(c, v[1].tuple, v[0].tuple))
                : cuteValueOfLayout(cuteLayoutDice(c, v[1].layout, v[0].tuple)))

// The operands in the order of CuTe's Python API, where a composed layout stays
// one, from another offset on.
static CuteValue sliceBy(CuteContext c, const CuteValue *v) {
  if (v[0].kind == CUTE_VALUE_LAYOUT && cuteLayoutIsComposed(v[0].layout))
    return cuteValueOfLayout(
        cuteLayoutSliceAndOffset(c, v[0].layout, v[1].tuple).layout);
  CuteValue swapped[] = {v[1], v[0]};
  return slice(c, swapped);
}

VALUE(domainOffset,
      cuteValueOfPart(CUTE_VALUE_PART,
                      cuteLayoutDomainOffset(c, v[1].layout, v[0].tuple)))

static CuteValue imageMask(CuteContext c, const CuteValue *v) {
  uint16_t mask;
  bool ok = cuteLayoutGetImageMask(c, v[0].layout, v[1].tuple,
                                   v[2].tuple->value, &mask);
  return ok ? cuteValueOfTuple(staticInt(c, mask)) : (CuteValue){0};
}

VALUE(sliceAndOffset,
      cuteValueOfPart(CUTE_VALUE_PAIR,
                      cuteLayoutSliceAndOffset(c, v[1].layout, v[0].tuple)))
VALUE(localTile, cuteValueOfPart(CUTE_VALUE_PART,
                                 cuteLayoutLocalTile(c, v[0].layout, v[1].tile,
                                                     v[2].tuple, NULL)))
VALUE(localTileProjected,
      cuteValueOfPart(CUTE_VALUE_PART,
                      cuteLayoutLocalTile(c, v[0].layout, v[1].tile, v[2].tuple,
                                          v[3].tuple)))
VALUE(localPartition,
      cuteValueOfPart(CUTE_VALUE_PART,
                      cuteLayoutLocalPartition(c, v[0].layout, v[1].layout,
                                               v[2].tuple, NULL)))
VALUE(localPartitionProjected,
      cuteValueOfPart(CUTE_VALUE_PART,
                      cuteLayoutLocalPartition(c, v[0].layout, v[1].layout,
                                               v[2].tuple, v[3].tuple)))

//===-- Single calls ------------------------------------------------------===//

TUPLE(coshape, cuteLayoutGetCoshape(c, v[0].layout))
TUPLE(rankH, rank(c, v[0].tuple))
TUPLE(rankHT, rank(c, partAt(c, v[0].tuple, v[1].tuple)))
TUPLE(depthH, depth(c, v[0].tuple))
TUPLE(depthHT, depth(c, partAt(c, v[0].tuple, v[1].tuple)))
TUPLE(shape, v[0].tuple)
TUPLE(shapeHT, partAt(c, v[0].tuple, v[1].tuple))
TUPLE(strideL, stride(c, v[0].layout))
TRUTH(isIntegerT, isInteger(v[0].tuple))
TRUTH(hasUnderscoreT, hasUnderscore(v[0].tuple))
EITHER(take,
       cuteIntTupleTake(c, v[0].tuple, v[1].tuple->value, v[2].tuple->value),
       cuteLayoutTake(c, v[0].layout, v[1].tuple->value, v[2].tuple->value))
VALUE(group, groupTo(c, v, v[2].tuple->value))
VALUE(groupFrom, groupTo(c, v, -1))
TUPLE(flattenToTuple, cuteIntTupleFlatten(c, v[0].tuple))
EITHER(append, cuteIntTupleAppend(c, v[0].tuple, v[1].tuple),
       cuteLayoutAppend(c, v[0].layout, v[1].layout))
LAYOUT(appendOnes, cuteLayoutAppend(c, v[0].layout, unitMode(c)))
EITHER(prepend, cuteIntTuplePrepend(c, v[0].tuple, v[1].tuple),
       cuteLayoutPrepend(c, v[0].layout, v[1].layout))
LAYOUT(prependOnes, cuteLayoutPrepend(c, v[0].layout, unitMode(c)))
EITHER(replace,
       cuteIntTupleReplace(c, v[0].tuple, v[1].tuple->value, v[2].tuple),
       cuteLayoutReplace(c, v[0].layout, v[1].tuple->value, v[2].layout))

EITHER(zip, cuteIntTupleZip(c, v[0].tuple, v[1].tuple),
       cuteLayoutZip(c, v[0].layout, v[1].layout))

//===-- The rows ----------------------------------------------------------===//

static const CuteCalcOperation rows[] = {
    // Queries
    {"coshape", "L", "one more than the largest value in each direction",
     coshape},
    {"coshape", "LT", "of the mode at a path", coshapeAt},
    {"size_in_bytes", "EL", "what a tensor of the layout takes", sizeInBytes},
    {"rank", "H", "number of modes", rankH},
    {"rank", "HT", "of the mode at a path", rankHT},
    {"depth", "H", "levels of nesting", depthH},
    {"depth", "HT", "of the mode at a path", depthHT},
    {"shape", "H", "the shape of a layout", shape},
    {"shape", "HT", "of the mode at a path", shapeHT},
    {"get_shape", "H", "the shape of a layout", shape},
    {"stride", "L", "the stride of a layout", strideL},
    {"stride", "LT", "of the mode at a path", strideAt},
    {"get_stride", "L", "the stride of a layout", strideL},
    {"is_static", "X", "no dynamic leaf?", isStaticRow},
    {"is_integer", "T", "a static or dynamic integer?", isIntegerT},
    {"is_int_tuple", "V", "an integer or a tuple of such?", isIntTuple},
    {"has_underscore", "T", "a `_` anywhere?", hasUnderscoreT},
    {"is_major", "TT", "has the mode stride 1 first?", isMajor},
    {"eval", "L", "the values at all coordinates", cuteEvaluateAll},
    {"eval", "LT", "the value at a coordinate", cuteEvaluateAt},
    {"apply", "ST", "the swizzle of an integer or of each of a tuple",
     cuteEvaluateSwizzle},
    // Modes
    {"take", "XII", "modes [begin, end)", take},
    {"group_modes", "XII", "the same", group},
    {"group_modes", "XI", "modes from one on as one", groupFrom},
    {"flatten_to_tuple", "T", "one level of elements", flattenToTuple},
    {"append", "XX", "one more mode", append},
    {"append", "XI", "modes 1:0 up to a rank", appendInt},
    {"append", "LIL", "modes up to a rank", appendTo},
    {"append", "LLI", "modes up to a rank, as Python has it", appendUpTo},
    {"append", "TTI", "an element up to a rank", appendTuple},
    {"append", "LII", "an error: which is the rank?", whichIsRank},
    {"append", "PL", "one more layout of a tiler", appendTile},
    {"append_to_rank", "LIL", "modes up to a rank", appendTo},
    {"append_ones", "L", "one more mode 1:0", appendOnes},
    {"append_ones", "LI", "modes 1:0 up to a rank", appendInt},
    {"prepend", "XX", "one more mode in front", prepend},
    {"prepend", "XI", "modes 1:0 in front up to a rank", prependInt},
    {"prepend", "LIL", "modes in front up to a rank", prependTo},
    {"prepend", "LLI", "modes in front up to a rank, as Python has it",
     prependUpTo},
    {"prepend", "TTI", "an element in front up to a rank", prependTuple},
    {"prepend", "LII", "an error: which is the rank?", whichIsRank},
    {"prepend", "PL", "one more layout of a tiler in front", prependTile},
    {"prepend_to_rank", "LIL", "modes in front up to a rank", prependTo},
    {"prepend_ones", "L", "one more mode 1:0 in front", prependOnes},
    {"prepend_ones", "LI", "modes 1:0 in front up to a rank", prependInt},
    {"replace", "XIX", "another mode at an index", replace},
    {"zip", "XX", "pairs of modes", zip},
    {"find", "TT", "the path to the first leaf like this; () if none", find},
    {"find", "TTTT", "except where another tuple has a certain leaf",
     findExcept},
    {"assume", "TI", "a leaf that is known to be a multiple", assume},
    // Slices
    {"slice", "TX", "what stands under _ of a coordinate", slice},
    {"slice_", "XT", "the same, as in Python", sliceBy},
    {"dice", "TX", "what stands beside _ of a coordinate", dice},
    {"slice_and_offset", "TL", "a slice, and where it begins", sliceAndOffset},
    {"domain_offset", "TL", "the layout from a coordinate on", domainOffset},
    {"make_layout_image_mask", "LTI",
     "a bit for each index of a mode beside a coordinate", imageMask},
    // Tensors
    {"local_tile", "LPT", "the tile at a coordinate", localTile},
    {"local_tile", "LPTT", "the same with a projection", localTileProjected},
    {"local_partition", "LLT", "the part of a thread", localPartition},
    {"local_partition", "LLTT", "the same with a projection",
     localPartitionProjected},
};

const CuteCalcGroup cuteCalcModeRows = {rows, sizeof rows / sizeof *rows};
