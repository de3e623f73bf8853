// Rows: layouts made, simplified, composed, divided and multiplied.
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

#define ROWS "Calculator/operations/operations_layouts.def"
#define GROUP cuteCalcLayoutRows
#include "Calculator/operations/rows.def"
