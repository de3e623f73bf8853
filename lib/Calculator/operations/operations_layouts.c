// Rows: layouts made, simplified, composed, divided and multiplied.
#include "Algebra/algebra.h"
#include "Algebra/tiled.h"
#include "Calculator/operations/operations.h"

//===-- Composition and recasting -----------------------------------------===//

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
LAYOUT(recast,
       cuteLayoutRecast(c, v[0].layout, v[2].tuple->value, v[1].tuple->value))

// recast_layout(new bits, old bits, layout)
LAYOUT(recastTo,
       cuteLayoutRecast(c, v[2].layout, v[0].tuple->value, v[1].tuple->value))

// recast_layout(layout, old type, new type)
LAYOUT(recastTypes,
       cuteLayoutRecast(c, v[0].layout, cuteElementTypeGetBits(v[2].element),
                        cuteElementTypeGetBits(v[1].element)))

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

VALUE(logicalProduct,
      product(c, v, CUTE_FORM_LOGICAL, cuteLayoutLogicalProduct))
VALUE(zippedProduct, product(c, v, CUTE_FORM_ZIPPED, cuteLayoutZippedProduct))
VALUE(tiledProduct, product(c, v, CUTE_FORM_TILED, cuteLayoutTiledProduct))
VALUE(flatProduct, product(c, v, CUTE_FORM_FLAT, cuteLayoutFlatProduct))

//===-- Construction ------------------------------------------------------===//

static CuteValue compactOrder(CuteContext c, const CuteValue *v) {
  CuteLayout layout = cuteLayoutGetOrdered(c, v[0].tuple, v[1].tuple);
  return cuteValueOfTuple(layout ? layout->stride : NULL);
}

// The bases of a shape: what make_identity_layout has as strides.
static CuteValue basisLike(CuteContext c, const CuteValue *v) {
  CuteLayout identity = cuteLayoutGetIdentity(c, v[0].tuple);
  return cuteValueOfTuple(identity ? identity->stride : NULL);
}

//===-- Single calls ------------------------------------------------------===//

LAYOUT(nullspace, cuteLayoutNullspace(c, v[0].layout))
LAYOUT(composition, cuteLayoutComposition(c, v[0].layout, v[1].tile))
LAYOUT(withShape, cuteLayoutWithShape(c, v[0].layout, v[1].tuple))
TUPLE(maxAlignment, cuteLayoutMaxAlignment(c, v[0].layout))
LAYOUT(domainDistribute, cuteDomainDistribute(c, v[0].tuple, v[1].tuple))
LAYOUT(logicalDivide, cuteLayoutLogicalDivide(c, v[0].layout, v[1].tile))
LAYOUT(zippedDivide, cuteLayoutZippedDivide(c, v[0].layout, v[1].tile))
LAYOUT(tiledDivide, cuteLayoutTiledDivide(c, v[0].layout, v[1].tile))
LAYOUT(flatDivide, cuteLayoutFlatDivide(c, v[0].layout, v[1].tile))
LAYOUT(makeLayout, cuteLayoutGet(c, v[0].tuple, NULL))
LAYOUT(makeLayoutTT, cuteLayoutGet(c, v[0].tuple, v[1].tuple))
LAYOUT(makeLayoutRight, cuteLayoutGetRight(c, v[0].tuple))
LAYOUT(makeFragmentLike, cuteLayoutGetFragmentLike(c, v[0].layout))
LAYOUT(makeIdentityLayout, cuteLayoutGetIdentity(c, v[0].tuple))
LAYOUT(upcast, cuteLayoutUpcast(c, v[0].layout, v[1].tuple->value))
LAYOUT(downcast, cuteLayoutDowncast(c, v[0].layout, v[1].tuple->value))

//===-- The rows ----------------------------------------------------------===//

static const CuteCalcOperation rows[] = {
    // Simplification
    {"nullspace", "L", "the coordinates that stride 0 maps to 0", nullspace},
    // Algebra
    {"composition", "LP", "R(c) = A(B(c)); a tuple works by mode", composition},
    {"composition", "SL", "a layout under a swizzle", composeSwizzle},
    {"composition", "SS", "two swizzles as one", composeSwizzles},
    {"composition", "STL", "the same from an offset on", composed},
    {"make_composed_layout", "VTL", "A o offset o B", composed},
    {"max_alignment", "L", "the widest vector that the layout consists of",
     maxAlignment},
    {"domain_distribute", "TT", "so many elements over a shape",
     domainDistribute},
    // Divides and products
    {"logical_divide", "LP", "(tile, rest), by mode", logicalDivide},
    {"zipped_divide", "LP", "((tiles), (rests))", zippedDivide},
    {"tiled_divide", "LP", "((tiles), rests...)", tiledDivide},
    {"flat_divide", "LP", "(tiles..., rests...)", flatDivide},
    {"logical_product", "LV", "(block, repetitions)", logicalProduct},
    {"zipped_product", "LV", "((blocks), (repetitions))", zippedProduct},
    {"tiled_product", "LV", "((blocks), repetitions...)", tiledProduct},
    {"flat_product", "LV", "(blocks..., repetitions...)", flatProduct},
    // Construction
    {"make_layout", "T", "compact, first mode first", makeLayout},
    {"make_layout", "TT", "shape:stride", makeLayoutTT},
    {"make_layout_left", "T", "the same", makeLayout},
    {"make_layout_right", "T", "compact, last mode first", makeLayoutRight},
    {"compact_order", "TT", "the strides of that", compactOrder},
    {"make_fragment_like", "L", "for registers: mode 0 first",
     makeFragmentLike},
    {"with_shape", "LT", "the same function of the index, with a shape",
     withShape},
    {"make_basis_like", "T", "the strides of that", basisLike},
    {"make_identity_tensor", "T", "the same", makeIdentityLayout},
    // Units
    {"upcast", "LI", "n units become one", upcast},
    {"upcast", "SI", "n units become one", upcastSwizzle},
    {"downcast", "LI", "one unit becomes n", downcast},
    {"downcast", "SI", "one unit becomes n", downcastSwizzle},
    {"recast_layout", "LII", "from units of so many bits to others", recast},
    {"recast_layout", "IIL",
     "to units of so many bits from others, as in Python", recastTo},
    {"recast_layout", "LEE", "from elements of one type to another's",
     recastTypes},
};

const CuteCalcGroup cuteCalcLayoutRows = {rows, sizeof rows / sizeof *rows};
