#include "Calculator/operations.h"
#include "Algebra/algebra.h"

//===-- Queries of layouts and tuples alike -------------------------------===//

static CuteIntTuple shapeOf(CuteValue value) {
  return value.kind == CUTE_VALUE_TUPLE    ? value.tuple
         : value.kind == CUTE_VALUE_LAYOUT ? value.layout->shape
                                           : NULL;
}

static CuteValue queryShape(CuteContext c, const CuteValue *v,
                            const char *name) {
  CuteIntTuple shape = shapeOf(v[0]);
  if (!shape)
    return cuteValueOfTuple(
        cuteFail(c, "%s: needs a layout or an int tuple", name));
  if (!strcmp(name, "rank"))
    return cuteValueOfTuple(staticInt(c, (int64_t)cuteIntTupleGetRank(shape)));
  if (!strcmp(name, "depth"))
    return cuteValueOfTuple(staticInt(c, (int64_t)cuteIntTupleGetDepth(shape)));
  if (!strcmp(name, "shape"))
    return cuteValueOfTuple(shape);
  return cuteValueOfTuple(cuteIntTupleProduct(c, shape));
}

static CuteIntTuple strideOf(CuteContext c, CuteLayout layout) {
  (void)c;
  return cuteLayoutGetStride(layout);
}

static CuteValue rank(CuteContext c, const CuteValue *v) {
  return queryShape(c, v, "rank");
}
static CuteValue depth(CuteContext c, const CuteValue *v) {
  return queryShape(c, v, "depth");
}
static CuteValue shape(CuteContext c, const CuteValue *v) {
  return queryShape(c, v, "shape");
}
static CuteValue size(CuteContext c, const CuteValue *v) {
  return queryShape(c, v, "size");
}

//===-- Modes -------------------------------------------------------------===//

enum { MAX_PATH = 1024 };

// The static leaves of a tuple as mode numbers.
static bool modeNumbers(CuteContext c, CuteIntTuple tuple, size_t *n,
                        int32_t *modes) {
  *n = cuteIntTupleGetRank(tuple);
  for (size_t i = 0; *n <= MAX_PATH && i < *n; ++i) {
    CuteIntTuple leaf = element(tuple, i);
    if (!isStatic(leaf) || leaf->value < 0 || leaf->value > INT32_MAX) {
      cuteFailTuple(c, "modes must be numbers from 0 on, not ", tuple);
      return false;
    }
    modes[i] = (int32_t)leaf->value;
  }
  if (*n <= MAX_PATH)
    return true;
  cuteFail(c, "more than %d modes are named", MAX_PATH);
  return false;
}

static CuteValue select(CuteContext c, const CuteValue *v) {
  int32_t modes[MAX_PATH];
  size_t n;
  if (!modeNumbers(c, v[1].tuple, &n, modes))
    return (CuteValue){0};
  return v[0].kind == CUTE_VALUE_TUPLE
             ? cuteValueOfTuple(cuteIntTupleSelect(c, v[0].tuple, n, modes))
             : cuteValueOfLayout(cuteLayoutSelect(c, v[0].layout, n, modes));
}

static CuteValue get(CuteContext c, const CuteValue *v) {
  int32_t path[MAX_PATH];
  size_t n;
  if (!modeNumbers(c, v[1].tuple, &n, path))
    return (CuteValue){0};
  return v[0].kind == CUTE_VALUE_TUPLE
             ? cuteValueOfTuple(cuteIntTupleGetAt(c, v[0].tuple, n, path))
             : cuteValueOfLayout(cuteLayoutGetAt(c, v[0].layout, n, path));
}

static CuteValue flatten(CuteContext c, const CuteValue *v) {
  return v[0].kind == CUTE_VALUE_TUPLE
             ? cuteValueOfTuple(cuteIntTupleFlatten(c, v[0].tuple))
             : cuteValueOfLayout(cuteLayoutFlatten(c, v[0].layout));
}

static CuteValue group(CuteContext c, const CuteValue *v) {
  int64_t begin = v[1].tuple->value, end = v[2].tuple->value;
  return v[0].kind == CUTE_VALUE_TUPLE
             ? cuteValueOfTuple(cuteIntTupleGroup(c, v[0].tuple, begin, end))
             : cuteValueOfLayout(cuteLayoutGroup(c, v[0].layout, begin, end));
}

static CuteValue take(CuteContext c, const CuteValue *v) {
  return cuteValueOfLayout(
      cuteLayoutTake(c, v[0].layout, v[1].tuple->value, v[2].tuple->value));
}

static CuteValue replace(CuteContext c, const CuteValue *v) {
  return cuteValueOfLayout(
      cuteLayoutReplace(c, v[0].layout, v[1].tuple->value, v[2].layout));
}

static CuteLayout unitMode(CuteContext c) {
  return cuteLayoutGet(c, staticInt(c, 1), staticInt(c, 0));
}

// Adds modes up to a rank, which may not be below the layout's own.
static CuteValue extend(CuteContext c, const CuteValue *v, CuteLayout mode,
                        bool atEnd) {
  CuteLayout layout = v[0].layout;
  int64_t rank = v[1].tuple->value;
  if (rank < (int64_t)cuteLayoutGetRank(layout))
    return cuteValueOfLayout(
        cuteFail(c, "%s: rank %lld is less than the layout's rank %zu",
                 atEnd ? "append" : "prepend", (long long)rank,
                 cuteLayoutGetRank(layout)));
  return cuteValueOfLayout(
      atEnd ? cuteLayoutAppendToRank(c, layout, rank, mode)
            : cuteLayoutPrependToRank(c, layout, rank, mode));
}

static CuteValue appendTo(CuteContext c, const CuteValue *v) {
  return extend(c, v, v[2].layout, true);
}
static CuteValue appendOnes(CuteContext c, const CuteValue *v) {
  return extend(c, v, unitMode(c), true);
}
static CuteValue prependTo(CuteContext c, const CuteValue *v) {
  return extend(c, v, v[2].layout, false);
}
static CuteValue prependOnes(CuteContext c, const CuteValue *v) {
  return extend(c, v, unitMode(c), false);
}

//===-- Composition and recasting -----------------------------------------===//

static CuteLayout coalesce1(CuteContext c, CuteLayout layout) {
  return cuteLayoutCoalesce(c, layout, NULL);
}
static CuteLayout filter1(CuteContext c, CuteLayout layout) {
  return cuteLayoutFilter(c, layout, NULL);
}
static CuteLayout complement1(CuteContext c, CuteLayout layout) {
  return cuteLayoutComplement(c, layout, NULL);
}

static CuteValue composeSwizzle(CuteContext c, const CuteValue *v) {
  CuteLayout layout = v[1].layout;
  if (!cuteLayoutIsComposed(layout))
    return cuteValueOfLayout(
        cuteLayoutComposeSwizzle(c, v[0].swizzle, staticInt(c, 0), layout));
  return cuteValueOfLayout(
      cuteFail(c, "composition: a swizzle composes with plain layouts"));
}

static CuteValue composeSwizzles(CuteContext c, const CuteValue *v) {
  CuteSwizzle s;
  bool ok = cuteSwizzleCompose(c, v[0].swizzle, v[1].swizzle, &s);
  return ok ? cuteValueOfSwizzle(s) : (CuteValue){0};
}

static CuteValue composed(CuteContext c, const CuteValue *v) {
  if (v[0].kind == CUTE_VALUE_SWIZZLE)
    return cuteValueOfLayout(
        cuteLayoutComposeSwizzle(c, v[0].swizzle, v[1].tuple, v[2].layout));
  CuteValue inner =
      cuteValueConvert(c, v[0], CUTE_VALUE_LAYOUT, "make_composed_layout");
  return cuteValueOfLayout(
      cuteLayoutGetComposed(c, inner.layout, v[1].tuple, v[2].layout));
}

static CuteValue upcastSwizzle(CuteContext c, const CuteValue *v) {
  CuteSwizzle s;
  bool ok = cuteSwizzleUpcast(c, v[0].swizzle, v[1].tuple->value, &s);
  return ok ? cuteValueOfSwizzle(s) : (CuteValue){0};
}

static CuteValue downcastSwizzle(CuteContext c, const CuteValue *v) {
  CuteSwizzle s;
  bool ok = cuteSwizzleDowncast(c, v[0].swizzle, v[1].tuple->value, &s);
  return ok ? cuteValueOfSwizzle(s) : (CuteValue){0};
}

// recast_layout(layout, old bits, new bits)
static CuteValue recast(CuteContext c, const CuteValue *v) {
  return cuteValueOfLayout(
      cuteLayoutRecast(c, v[0].layout, v[2].tuple->value, v[1].tuple->value));
}

// With a layout the open dialect's product; with a tiler CuTe C++'s by mode.
static CuteValue product(CuteContext c, const CuteValue *v, CuteTileForm form,
                         CuteLayout (*ofLayouts)(CuteContext, CuteLayout,
                                                 CuteLayout)) {
  if (v[1].kind == CUTE_VALUE_LAYOUT)
    return cuteValueOfLayout(ofLayouts(c, v[0].layout, v[1].layout));
  CuteValue tiler = cuteValueConvert(c, v[1], CUTE_VALUE_TILE, "product");
  return cuteValueOfLayout(
      cuteLayoutProductByMode(c, v[0].layout, tiler.compactTile, form));
}

static CuteValue logicalProduct(CuteContext c, const CuteValue *v) {
  return product(c, v, CUTE_FORM_LOGICAL, cuteLayoutLogicalProduct);
}
static CuteValue zippedProduct(CuteContext c, const CuteValue *v) {
  return product(c, v, CUTE_FORM_ZIPPED, cuteLayoutZippedProduct);
}
static CuteValue tiledProduct(CuteContext c, const CuteValue *v) {
  return product(c, v, CUTE_FORM_TILED, cuteLayoutTiledProduct);
}
static CuteValue flatProduct(CuteContext c, const CuteValue *v) {
  return product(c, v, CUTE_FORM_FLAT, cuteLayoutFlatProduct);
}

//===-- Construction ------------------------------------------------------===//

static CuteLayout makeLeft(CuteContext c, CuteIntTuple shape) {
  return cuteLayoutGet(c, shape, NULL);
}

static CuteValue compactOrder(CuteContext c, const CuteValue *v) {
  CuteLayout layout = cuteLayoutGetOrdered(c, v[0].tuple, v[1].tuple);
  return cuteValueOfTuple(layout ? layout->stride : NULL);
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

static CuteValue tileToShape(CuteContext c, const CuteValue *v) {
  return cuteValueOfLayout(
      cuteLayoutTileToShape(c, v[0].layout, v[1].tuple, v[2].tuple));
}

static CuteLayout tileToShape2(CuteContext c, CuteLayout block,
                               CuteIntTuple target) {
  return cuteLayoutTileToShape(c, block, target, NULL);
}

//===-- The table ---------------------------------------------------------===//

static const CuteOperation operations[] = {
    // Queries
    {"size", "V", "number of coordinates", .any = size},
    {"cosize", "L", "one more than the largest index",
     .tupleOfLayout = cuteLayoutGetCosize},
    {"rank", "V", "number of modes", .any = rank},
    {"depth", "V", "levels of nesting", .any = depth},
    {"shape", "V", "the shape of a layout", .any = shape},
    {"stride", "L", "the stride of a layout", .tupleOfLayout = strideOf},
    {"eval", "L", "the values at all coordinates", .any = cuteEvaluateAll},
    {"eval", "LT", "the value at a coordinate", .any = cuteEvaluateAt},
    {"apply", "ST", "the swizzle of an integer or of each of a tuple",
     .any = cuteEvaluateSwizzle},
    // Coordinates
    {"idx2crd", "TT", "the coordinate of an index in a shape",
     .tuple2 = cuteIdx2Crd},
    {"idx2crd", "TTT", "(index / stride) % extent at every leaf",
     .tuple3 = cuteIdx2CrdStrided},
    {"crd2idx", "TV", "the index of a coordinate in a shape or layout",
     .any = cuteEvaluateCrd2Idx},
    {"crd2crd", "TTT", "a coordinate of one shape as one of another",
     .tuple3 = cuteCrd2Crd},
    {"increment", "TT", "the next coordinate in a shape",
     .tuple2 = cuteIncrementCoord},
    // Simplification
    {"coalesce", "L", "the same function with fewest modes",
     .layout1 = coalesce1},
    {"coalesce", "LT", "the same per leaf of a profile",
     .layoutTuple = cuteLayoutCoalesce},
    {"filter", "L", "without stride-0 modes, coalesced", .layout1 = filter1},
    {"filter", "LT", "the same per leaf of a profile",
     .layoutTuple = cuteLayoutFilter},
    {"filter_zeros", "L", "extent 1 where the stride is 0",
     .layout1 = cuteLayoutFilterZeros},
    {"nullspace", "L", "the coordinates that stride 0 maps to 0",
     .layout1 = cuteLayoutNullspace},
    {"flatten", "M", "one level of modes", .any = flatten},
    {"unflatten", "LT", "modes nested like a profile",
     .layoutTuple = cuteLayoutUnflatten},
    // Algebra
    {"composition", "LP", "R(c) = A(B(c)); a tuple works by mode",
     .layoutTile = cuteLayoutComposition},
    {"composition", "SL", "a layout under a swizzle", .any = composeSwizzle},
    {"composition", "SS", "two swizzles as one", .any = composeSwizzles},
    {"make_composed_layout", "VTL", "A o offset o B", .any = composed},
    {"complement", "L", "what the layout leaves out, up to its cosize",
     .layout1 = complement1},
    {"complement", "LT", "what it leaves out up to a size or shape",
     .layoutTuple = cuteLayoutComplement},
    {"right_inverse", "L", "R with A(R(i)) = i",
     .layout1 = cuteLayoutRightInverse},
    {"left_inverse", "L", "R with R(A(i)) = i",
     .layout1 = cuteLayoutLeftInverse},
    {"max_common_layout", "LL", "where two layouts agree from 0 on",
     .layout2 = cuteLayoutMaxCommonLayout},
    {"max_common_vector", "LL", "how many elements that is",
     .tupleOfLayout2 = cuteLayoutMaxCommonVector},
    {"max_alignment", "L", "how many indices are taken without a gap",
     .tupleOfLayout = cuteLayoutMaxAlignment},
    {"domain_distribute", "TT", "so many elements over a shape",
     .ofTuple2 = cuteDomainDistribute},
    // Divides and products
    {"logical_divide", "LP", "(tile, rest), by mode",
     .layoutTile = cuteLayoutLogicalDivide},
    {"zipped_divide", "LP", "((tiles), (rests))",
     .layoutTile = cuteLayoutZippedDivide},
    {"tiled_divide", "LP", "((tiles), rests...)",
     .layoutTile = cuteLayoutTiledDivide},
    {"flat_divide", "LP", "(tiles..., rests...)",
     .layoutTile = cuteLayoutFlatDivide},
    {"logical_product", "LV", "(block, repetitions)", .any = logicalProduct},
    {"zipped_product", "LV", "((blocks), (repetitions))", .any = zippedProduct},
    {"tiled_product", "LV", "((blocks), repetitions...)", .any = tiledProduct},
    {"flat_product", "LV", "(blocks..., repetitions...)", .any = flatProduct},
    {"blocked_product", "LL", "((a0,b0), (a1,b1), ...)",
     .layout2 = cuteLayoutBlockedProduct},
    {"raked_product", "LL", "((b0,a0), (b1,a1), ...)",
     .layout2 = cuteLayoutRakedProduct},
    {"tile_to_shape", "LT", "a block repeated over a shape",
     .layoutTuple = tileToShape2},
    {"tile_to_shape", "LTT", "the same in an order of modes",
     .any = tileToShape},
    // Construction
    {"make_layout", "T", "compact, first mode first", .ofTuple = makeLeft},
    {"make_layout", "TT", "shape:stride", .ofTuple2 = cuteLayoutGet},
    {"make_layout_left", "T", "the same", .ofTuple = makeLeft},
    {"make_layout_right", "T", "compact, last mode first",
     .ofTuple = cuteLayoutGetRight},
    {"make_ordered_layout", "TT", "compact in the order of sort keys",
     .ofTuple2 = cuteLayoutGetOrdered},
    {"compact_order", "TT", "the strides of that", .any = compactOrder},
    {"make_layout_like", "L", "compact in the order of its strides",
     .layout1 = cuteLayoutGetLike},
    {"make_fragment_like", "L", "for registers: mode 0 first",
     .layout1 = cuteLayoutGetFragmentLike},
    {"make_identity_layout", "T", "every coordinate gives itself",
     .ofTuple = cuteLayoutGetIdentity},
    // Units
    {"upcast", "LI", "n units become one", .layoutInt = cuteLayoutUpcast},
    {"upcast", "SI", "n units become one", .any = upcastSwizzle},
    {"downcast", "LI", "one unit becomes n", .layoutInt = cuteLayoutDowncast},
    {"downcast", "SI", "one unit becomes n", .any = downcastSwizzle},
    {"recast_layout", "LII", "from units of so many bits to others",
     .any = recast},
    // Modes
    {"slice", "TM", "what stands under _ of a coordinate", .any = slice},
    {"dice", "TM", "what stands beside _ of a coordinate", .any = dice},
    {"slice_and_offset", "TL", "a slice, and where it begins",
     .any = sliceAndOffset},
    {"group", "MII", "modes [begin, end) as one", .any = group},
    {"take", "LII", "modes [begin, end)", .any = take},
    {"select", "MT", "the named modes", .any = select},
    {"get", "MT", "the part at a path", .any = get},
    {"append", "LL", "one more mode", .layout2 = cuteLayoutAppend},
    {"append", "LI", "modes 1:0 up to a rank", .any = appendOnes},
    {"append", "LIL", "modes up to a rank", .any = appendTo},
    {"prepend", "LL", "one more mode in front", .layout2 = cuteLayoutPrepend},
    {"prepend", "LI", "modes 1:0 in front up to a rank", .any = prependOnes},
    {"prepend", "LIL", "modes in front up to a rank", .any = prependTo},
    {"replace", "LIL", "another mode at an index", .any = replace},
    {"zip", "LL", "pairs of modes", .layout2 = cuteLayoutZip},
    // Tensors
    {"local_tile", "LPT", "the tile at a coordinate", .any = localTile},
    {"local_tile", "LPTT", "the same with a projection",
     .any = localTileProjected},
    {"local_partition", "LLT", "the part of a thread", .any = localPartition},
    {"local_partition", "LLTT", "the same with a projection",
     .any = localPartitionProjected},
    // Int tuples
    {"product", "T", "of all leaves", .tuple1 = cuteIntTupleProduct},
    {"product_each", "T", "of each mode", .tuple1 = cuteIntTupleProductEach},
    {"shape_div", "TT", "division that must come out even",
     .tuple2 = cuteIntTupleShapeDiv},
    {"ceil_div", "TT", "division rounded up", .tuple2 = cuteIntTupleCeilDiv},
    {"round_up", "TT", "to a multiple", .tuple2 = cuteIntTupleRoundUp},
    {"elem_scale", "TT", "leaf by leaf", .tuple2 = cuteIntTupleElemScale},
    {"inner_product", "TT", "sum of products of leaves",
     .tuple2 = cuteIntTupleInnerProduct},
    {"add", "TT", "leaf by leaf", .tuple2 = cuteIntTupleAdd},
    {"subtract", "TT", "leaf by leaf", .tuple2 = cuteIntTupleSubtract},
    {"congruent", "TT", "one tree?", .relation = cuteIntTupleIsCongruent},
    {"weakly_congruent", "TT", "one tree, a leaf for any part?",
     .relation = cuteIntTupleIsWeaklyCongruent},
    {"compatible", "TT", "sizes agree, leaf for part?",
     .relation = cuteIntTupleIsCompatible},
    {"evenly_divides", "TT", "does each leaf divide?",
     .relation = cuteIntTupleEvenlyDivides},
    {"elem_less", "TT", "less in every leaf?",
     .relation = cuteIntTupleElemLess},
    {"lex_less", "TT", "less by the first difference?",
     .relation = cuteIntTupleLexLess},
    {"colex_less", "TT", "less by the last difference?",
     .relation = cuteIntTupleColexLess},
};

const CuteOperation *cuteOperations(size_t *count) {
  *count = sizeof operations / sizeof *operations;
  return operations;
}
