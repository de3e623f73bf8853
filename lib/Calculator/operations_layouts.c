// Rows: layouts made, simplified, composed, divided and multiplied.
#include "Algebra/algebra.h"
#include "Calculator/operations.h"

//===-- Composition and recasting -----------------------------------------===//

static CuteLayout coalesce1(CuteContext c, CuteLayout layout) {
  return cuteLayoutCoalesce(c, layout, NULL);
}
static CuteLayout filter1(CuteContext c, CuteLayout layout) {
  return cuteLayoutFilter(c, layout, NULL);
}
static CuteLayout filterZeros1(CuteContext c, CuteLayout layout) {
  return cuteLayoutFilterZeros(c, layout, NULL);
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

static CuteValue concatenate(CuteContext c, size_t n, const CuteValue *v) {
  CuteLayout layouts[CUTE_MAX_OPERANDS];
  for (size_t i = 0; i < n; ++i)
    layouts[i] = v[i].layout;
  return cuteValueOfLayout(cuteLayoutConcatenate(c, n, layouts));
}
static CuteValue concatenate2(CuteContext c, const CuteValue *v) {
  return concatenate(c, 2, v);
}
static CuteValue concatenate3(CuteContext c, const CuteValue *v) {
  return concatenate(c, 3, v);
}
static CuteValue concatenate4(CuteContext c, const CuteValue *v) {
  return concatenate(c, 4, v);
}

static CuteValue compactOrder(CuteContext c, const CuteValue *v) {
  CuteLayout layout = cuteLayoutGetOrdered(c, v[0].tuple, v[1].tuple);
  return cuteValueOfTuple(layout ? layout->stride : NULL);
}

static CuteValue tileToShape(CuteContext c, const CuteValue *v) {
  return cuteValueOfLayout(
      cuteLayoutTileToShape(c, v[0].layout, v[1].tuple, v[2].tuple));
}

static CuteLayout tileToShape2(CuteContext c, CuteLayout block,
                               CuteIntTuple target) {
  return cuteLayoutTileToShape(c, block, target, NULL);
}

//===-- The rows ----------------------------------------------------------===//

static const CuteOperation rows[] = {
    // Simplification
    {"coalesce", "L", "the same function with fewest modes",
     .layout1 = coalesce1},
    {"coalesce", "LT", "the same per leaf of a profile",
     .layoutTuple = cuteLayoutCoalesce},
    {"filter", "L", "without stride-0 modes, coalesced", .layout1 = filter1},
    {"filter", "LT", "the same per leaf of a profile",
     .layoutTuple = cuteLayoutFilter},
    {"filter_zeros", "L", "extent 1 where the stride is 0",
     .layout1 = filterZeros1},
    {"filter_zeros", "LT", "the same below the leaves of a profile",
     .layoutTuple = cuteLayoutFilterZeros},
    {"nullspace", "L", "the coordinates that stride 0 maps to 0",
     .layout1 = cuteLayoutNullspace},
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
    {"max_alignment", "L", "the widest vector that the layout consists of",
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
    {"make_layout", "LL", "of two modes", .any = concatenate2},
    {"make_layout", "LLL", "of three modes", .any = concatenate3},
    {"make_layout", "LLLL", "of four modes", .any = concatenate4},
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
    {"make_identity_tensor", "T", "the same", .ofTuple = cuteLayoutGetIdentity},
    // Units
    {"upcast", "LI", "n units become one", .layoutInt = cuteLayoutUpcast},
    {"upcast", "SI", "n units become one", .any = upcastSwizzle},
    {"downcast", "LI", "one unit becomes n", .layoutInt = cuteLayoutDowncast},
    {"downcast", "SI", "one unit becomes n", .any = downcastSwizzle},
    {"recast_layout", "LII", "from units of so many bits to others",
     .any = recast},
};

const CuteOperationGroup cuteLayoutOperations = {rows,
                                                 sizeof rows / sizeof *rows};
