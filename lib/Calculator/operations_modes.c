// Rows: queries, modes, slices and parts of layouts and of int tuples.
#include "Algebra/algebra.h"
#include "Calculator/operations.h"

//===-- Mode numbers ------------------------------------------------------===//

bool cuteModeNumbers(CuteContext c, CuteIntTuple tuple,
                     CuteModeNumbers *modes) {
  modes->count = cuteIntTupleGetRank(tuple);
  if (modes->count > CUTE_MAX_MODE_NUMBERS) {
    cuteFail(c, "more than %d modes are named", CUTE_MAX_MODE_NUMBERS);
    return false;
  }
  for (size_t i = 0; i < modes->count; ++i) {
    CuteIntTuple leaf = element(tuple, i);
    if (!isStatic(leaf) || leaf->value < 0 || leaf->value > INT32_MAX) {
      cuteFailTuple(c, "modes must be numbers from 0 on, not ", tuple);
      return false;
    }
    modes->data[i] = (int32_t)leaf->value;
  }
  return true;
}

static CuteIntTuple partAt(CuteContext c, CuteIntTuple tuple,
                           CuteIntTuple path) {
  CuteModeNumbers modes;
  return cuteModeNumbers(c, path, &modes)
             ? cuteIntTupleGetAt(c, tuple, modes.count, modes.data)
             : NULL;
}

static CuteLayout modeAt(CuteContext c, const CuteValue *v) {
  CuteModeNumbers modes;
  return cuteModeNumbers(c, v[1].tuple, &modes)
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

static CuteIntTuple shapeItself(CuteContext c, CuteIntTuple shape) {
  (void)c;
  return shape;
}

static CuteIntTuple stride(CuteContext c, CuteLayout layout) {
  (void)c;
  return layout ? layout->stride : NULL;
}

static CuteIntTuple rankAt(CuteContext c, CuteIntTuple shape,
                           CuteIntTuple path) {
  return rank(c, partAt(c, shape, path));
}

static CuteIntTuple depthAt(CuteContext c, CuteIntTuple shape,
                            CuteIntTuple path) {
  return depth(c, partAt(c, shape, path));
}

static CuteIntTuple sizeAt(CuteContext c, CuteIntTuple shape,
                           CuteIntTuple path) {
  return cuteIntTupleProduct(c, partAt(c, shape, path));
}

static CuteValue strideAt(CuteContext c, const CuteValue *v) {
  return cuteValueOfTuple(stride(c, modeAt(c, v)));
}

static CuteValue cosizeAt(CuteContext c, const CuteValue *v) {
  return cuteValueOfTuple(cuteLayoutGetCosize(c, modeAt(c, v)));
}

static CuteValue coshapeAt(CuteContext c, const CuteValue *v) {
  return cuteValueOfTuple(cuteLayoutGetCoshape(c, modeAt(c, v)));
}

// Bytes that elements at every index below the cosize take.
static CuteValue sizeInBytes(CuteContext c, const CuteValue *v) {
  CuteIntTuple bits = staticInt(c, cuteElementTypeGetBits(v[0].element));
  CuteIntTuple all = cuteLeafMul(c, cuteLayoutGetCosize(c, v[1].layout), bits);
  return cuteValueOfTuple(cuteLeafCeilDiv(c, all, staticInt(c, 8)));
}

static CuteValue isStaticRow(CuteContext c, const CuteValue *v) {
  (void)c;
  return cuteValueOfBool(v[0].kind == CUTE_VALUE_TUPLE
                             ? cuteIntTupleIsStatic(v[0].tuple)
                             : !cuteLayoutGetNumDynamic(v[0].layout));
}

static bool hasUnderscore(CuteIntTuple tuple) {
  return tuple->flags & HAS_UNDERSCORE;
}

static bool isInteger(CuteIntTuple tuple) {
  return isStatic(tuple) || isDynamic(tuple);
}

// Whether the first leaf of a mode's stride is 1.
static CuteValue isMajor(CuteContext c, const CuteValue *v) {
  CuteIntTuple part = partAt(c, v[1].tuple, v[0].tuple);
  CuteIntTuple first = cuteIntTupleFront(c, part);
  return first ? cuteValueOfBool(isStaticValue(first, 1)) : (CuteValue){0};
}

//===-- Modes added -------------------------------------------------------===//

static CuteLayout unitMode(CuteContext c) {
  return cuteLayoutGet(c, staticInt(c, 1), staticInt(c, 0));
}

// Adds modes up to a rank, which may not be below the layout's own.
static CuteValue extend(CuteContext c, const CuteValue *v, CuteLayout mode,
                        bool atEnd) {
  CuteLayout layout = v[0].layout;
  int64_t wanted = v[1].tuple->value;
  if (wanted < (int64_t)cuteLayoutGetRank(layout))
    return cuteValueOfLayout(
        cuteFail(c, "%s: rank %lld is less than the layout's rank %zu",
                 atEnd ? "append" : "prepend", (long long)wanted,
                 cuteLayoutGetRank(layout)));
  return cuteValueOfLayout(
      atEnd ? cuteLayoutAppendToRank(c, layout, wanted, mode)
            : cuteLayoutPrependToRank(c, layout, wanted, mode));
}

// An integer after a layout is a rank, after a tuple one more element.
static CuteValue appendInt(CuteContext c, const CuteValue *v) {
  return v[0].kind == CUTE_VALUE_LAYOUT
             ? extend(c, v, unitMode(c), true)
             : cuteValueOfTuple(cuteIntTupleAppend(c, v[0].tuple, v[1].tuple));
}
static CuteValue prependInt(CuteContext c, const CuteValue *v) {
  return v[0].kind == CUTE_VALUE_LAYOUT
             ? extend(c, v, unitMode(c), false)
             : cuteValueOfTuple(cuteIntTuplePrepend(c, v[0].tuple, v[1].tuple));
}
static CuteValue appendTo(CuteContext c, const CuteValue *v) {
  return extend(c, v, v[2].layout, true);
}
static CuteValue prependTo(CuteContext c, const CuteValue *v) {
  return extend(c, v, v[2].layout, false);
}
static CuteLayout appendOne(CuteContext c, CuteLayout layout) {
  return cuteLayoutAppend(c, layout, unitMode(c));
}
static CuteLayout prependOne(CuteContext c, CuteLayout layout) {
  return cuteLayoutPrepend(c, layout, unitMode(c));
}

// To the last mode where no end is given.
static CuteValue groupFrom(CuteContext c, const CuteValue *v) {
  int64_t begin = v[1].tuple->value;
  if (v[0].kind == CUTE_VALUE_LAYOUT)
    return cuteValueOfLayout(cuteLayoutGroup(
        c, v[0].layout, begin, (int64_t)cuteLayoutGetRank(v[0].layout)));
  return cuteValueOfTuple(
      cuteIntTupleGroup(c, v[0].tuple, begin, v[0].tuple->rank));
}

static CuteValue find(CuteContext c, const CuteValue *v) {
  return cuteValueOfTuple(
      cuteIntTupleFind(c, v[0].tuple, v[1].tuple, NULL, NULL));
}

static CuteValue findExcept(CuteContext c, const CuteValue *v) {
  return cuteValueOfTuple(
      cuteIntTupleFind(c, v[0].tuple, v[1].tuple, v[2].tuple, v[3].tuple));
}

static CuteValue assume(CuteContext c, const CuteValue *v) {
  return cuteValueOfTuple(cuteIntTupleAssume(c, v[0].tuple, v[1].tuple->value));
}

//===-- Slices and tiles --------------------------------------------------===//

static CuteValue slice(CuteContext c, const CuteValue *v) {
  return v[1].kind == CUTE_VALUE_TUPLE
             ? cuteValueOfTuple(cuteIntTupleSlice(c, v[1].tuple, v[0].tuple))
             : cuteValueOfLayout(cuteLayoutSlice(c, v[1].layout, v[0].tuple));
}

static CuteValue dice(CuteContext c, const CuteValue *v) {
  return v[1].kind == CUTE_VALUE_TUPLE
             ? cuteValueOfTuple(cuteIntTupleDice(c, v[1].tuple, v[0].tuple))
             : cuteValueOfLayout(cuteLayoutDice(c, v[1].layout, v[0].tuple));
}

// The operands in the order of CuTe's Python API.
static CuteValue sliceBy(CuteContext c, const CuteValue *v) {
  CuteValue swapped[] = {v[1], v[0]};
  return slice(c, swapped);
}

static CuteValue domainOffset(CuteContext c, const CuteValue *v) {
  return cuteValueOfPart(CUTE_VALUE_PART,
                         cuteLayoutDomainOffset(c, v[1].layout, v[0].tuple));
}

static CuteValue imageMask(CuteContext c, const CuteValue *v) {
  uint16_t mask;
  bool ok = cuteLayoutGetImageMask(c, v[0].layout, v[1].tuple,
                                   v[2].tuple->value, &mask);
  return ok ? cuteValueOfTuple(staticInt(c, mask)) : (CuteValue){0};
}

static CuteValue sliceAndOffset(CuteContext c, const CuteValue *v) {
  return cuteValueOfPart(CUTE_VALUE_PAIR,
                         cuteLayoutSliceAndOffset(c, v[1].layout, v[0].tuple));
}

static CuteValue localTile(CuteContext c, const CuteValue *v) {
  return cuteValueOfPart(
      CUTE_VALUE_PART,
      cuteLayoutLocalTile(c, v[0].layout, v[1].tile, v[2].tuple, NULL));
}

static CuteValue localTileProjected(CuteContext c, const CuteValue *v) {
  return cuteValueOfPart(
      CUTE_VALUE_PART,
      cuteLayoutLocalTile(c, v[0].layout, v[1].tile, v[2].tuple, v[3].tuple));
}

static CuteValue localPartition(CuteContext c, const CuteValue *v) {
  return cuteValueOfPart(
      CUTE_VALUE_PART,
      cuteLayoutLocalPartition(c, v[0].layout, v[1].layout, v[2].tuple, NULL));
}

static CuteValue localPartitionProjected(CuteContext c, const CuteValue *v) {
  return cuteValueOfPart(CUTE_VALUE_PART,
                         cuteLayoutLocalPartition(c, v[0].layout, v[1].layout,
                                                  v[2].tuple, v[3].tuple));
}

//===-- The rows ----------------------------------------------------------===//

static const CuteOperation rows[] = {
    // Queries
    {"size", "H", "number of coordinates", .tuple1 = cuteIntTupleProduct},
    {"size", "HT", "of the mode at a path", .tuple2 = sizeAt},
    {"cosize", "L", "one more than the largest index",
     .tupleOfLayout = cuteLayoutGetCosize},
    {"cosize", "LT", "of the mode at a path", .any = cosizeAt},
    {"coshape", "L", "one more than the largest value in each direction",
     .tupleOfLayout = cuteLayoutGetCoshape},
    {"coshape", "LT", "of the mode at a path", .any = coshapeAt},
    {"size_in_bytes", "EL", "what a tensor of the layout takes",
     .any = sizeInBytes},
    {"rank", "H", "number of modes", .tuple1 = rank},
    {"rank", "HT", "of the mode at a path", .tuple2 = rankAt},
    {"depth", "H", "levels of nesting", .tuple1 = depth},
    {"depth", "HT", "of the mode at a path", .tuple2 = depthAt},
    {"shape", "H", "the shape of a layout", .tuple1 = shapeItself},
    {"shape", "HT", "of the mode at a path", .tuple2 = partAt},
    {"stride", "L", "the stride of a layout", .tupleOfLayout = stride},
    {"stride", "LT", "of the mode at a path", .any = strideAt},
    {"is_static", "X", "no dynamic leaf?", .any = isStaticRow},
    {"is_integer", "T", "a static or dynamic integer?", .predicate = isInteger},
    {"has_underscore", "T", "a `_` anywhere?", .predicate = hasUnderscore},
    {"is_major", "TT", "has the mode stride 1 first?", .any = isMajor},
    {"eval", "L", "the values at all coordinates", .any = cuteEvaluateAll},
    {"eval", "LT", "the value at a coordinate", .any = cuteEvaluateAt},
    {"apply", "ST", "the swizzle of an integer or of each of a tuple",
     .any = cuteEvaluateSwizzle},
    // Modes
    {"get", "XT", "the part at a path", .tuplePath = cuteIntTupleGetAt,
     .layoutPath = cuteLayoutGetAt},
    {"select", "XT", "the named modes", .tuplePath = cuteIntTupleSelect,
     .layoutPath = cuteLayoutSelect},
    {"take", "XII", "modes [begin, end)", .tupleRange = cuteIntTupleTake,
     .layoutRange = cuteLayoutTake},
    {"group", "XII", "modes [begin, end) as one",
     .tupleRange = cuteIntTupleGroup, .layoutRange = cuteLayoutGroup},
    {"group_modes", "XII", "the same", .tupleRange = cuteIntTupleGroup,
     .layoutRange = cuteLayoutGroup},
    {"group_modes", "XI", "modes from one on as one", .any = groupFrom},
    {"flatten", "X", "one level of modes", .tuple1 = cuteIntTupleFlatten,
     .layout1 = cuteLayoutFlatten},
    {"flatten_to_tuple", "T", "one level of elements",
     .tuple1 = cuteIntTupleFlatten},
    {"unflatten", "XT", "modes nested like a profile",
     .tuple2 = cuteIntTupleUnflatten, .layoutTuple = cuteLayoutUnflatten},
    {"append", "XX", "one more mode", .tuple2 = cuteIntTupleAppend,
     .layout2 = cuteLayoutAppend},
    {"append", "XI", "modes 1:0 up to a rank", .any = appendInt},
    {"append", "LIL", "modes up to a rank", .any = appendTo},
    {"append_ones", "L", "one more mode 1:0", .layout1 = appendOne},
    {"append_ones", "LI", "modes 1:0 up to a rank", .any = appendInt},
    {"prepend", "XX", "one more mode in front", .tuple2 = cuteIntTuplePrepend,
     .layout2 = cuteLayoutPrepend},
    {"prepend", "XI", "modes 1:0 in front up to a rank", .any = prependInt},
    {"prepend", "LIL", "modes in front up to a rank", .any = prependTo},
    {"prepend_ones", "L", "one more mode 1:0 in front", .layout1 = prependOne},
    {"prepend_ones", "LI", "modes 1:0 in front up to a rank",
     .any = prependInt},
    {"replace", "XIX", "another mode at an index",
     .tupleIndexed = cuteIntTupleReplace, .layoutIndexed = cuteLayoutReplace},
    {"zip", "LL", "pairs of modes", .layout2 = cuteLayoutZip},
    {"front", "T", "the first leaf", .tuple1 = cuteIntTupleFront},
    {"find", "TT", "the path to the first leaf like this; () if none",
     .any = find},
    {"find", "TTTT", "except where another tuple has a certain leaf",
     .any = findExcept},
    {"repeat_like", "TT", "a leaf in all places of a tuple",
     .tuple2 = cuteIntTupleRepeatLike},
    {"assume", "TI", "a leaf that is known to be a multiple", .any = assume},
    // Slices
    {"slice", "TX", "what stands under _ of a coordinate", .any = slice},
    {"slice_", "XT", "the same, as in Python", .any = sliceBy},
    {"dice", "TX", "what stands beside _ of a coordinate", .any = dice},
    {"slice_and_offset", "TL", "a slice, and where it begins",
     .any = sliceAndOffset},
    {"domain_offset", "TL", "the layout from a coordinate on",
     .any = domainOffset},
    {"make_layout_image_mask", "LTI",
     "a bit for each index of a mode beside a coordinate", .any = imageMask},
    // Tensors
    {"local_tile", "LPT", "the tile at a coordinate", .any = localTile},
    {"local_tile", "LPTT", "the same with a projection",
     .any = localTileProjected},
    {"local_partition", "LLT", "the part of a thread", .any = localPartition},
    {"local_partition", "LLTT", "the same with a projection",
     .any = localPartitionProjected},
};

const CuteOperationGroup cuteModeOperations = {rows,
                                               sizeof rows / sizeof *rows};
