// Ops that build tuples, tiles and layouts.
#include "Ops/ops.h"

//===-- make_int_tuple, make_shape, make_stride, make_coord, make_tile ----===//

// Tells whether the value is a signed integer of `width` bits.
static bool valueFitsWidth(int64_t value, unsigned width) {
  int64_t limit = width < 64 ? INT64_C(1) << (width - 1) : 0;
  return width == 64 || (-limit <= value && value < limit);
}

static bool operandFitsLeaf(CuteOp *op, size_t i, CuteIntTuple leaf) {
  CuteType type = op->operands[i];
  if (type->kind == CUTE_TYPE_FOREIGN)
    return cuteTypeGetCoordinateWidth(type) == leaf->width;
  if (type->kind != CUTE_TYPE_INT_TUPLE || isTuple(type->tuple))
    return false;
  if (isDynamic(type->tuple))
    return type->tuple->width == leaf->width;
  return isStatic(type->tuple) &&
         valueFitsWidth(type->tuple->value, leaf->width);
}

static bool checkLeaf(CuteOp *op, size_t i, CuteIntTuple leaf) {
  if (operandFitsLeaf(op, i, leaf))
    return true;
  return cuteFail(op->context,
                  "operand #%zu of type %s cannot fill the dynamic leaf %s; it "
                  "takes an i%u or a scalar int_tuple of that width",
                  i, cuteTypeText(op->context, op->operands[i]),
                  cuteTupleText(op->context, leaf), (unsigned)leaf->width);
}

// The result type is a template whose dynamic leaves the operands fill.
static bool inferMake(CuteOp *op) {
  CuteTypeKind kind = (CuteTypeKind)op->decl->hooks->variant;
  CuteType type = op->written[0];
  if (type->kind != kind)
    return cuteFail(op->context, "the result must be of type !cute.%s",
                    cuteTypeKindGetName(kind));
  size_t n = cuteTypeGetNumDynamic(type);
  if (n != op->numOperands)
    return cuteFail(op->context,
                    "the result type has %zu dynamic leaves, but there "
                    "are %zu operands",
                    n, op->numOperands);
  CuteIntTuple *leaves = cuteScratch(op->context, n * sizeof *leaves);
  cuteTypeGetDynamicLeaves(type, leaves);
  for (size_t i = 0; i < n; ++i) {
    if (!checkLeaf(op, i, leaves[i]))
      return false;
    CuteIntTuple operand = op->operands[i]->tuple;
    if (isDynamic(operand)) // bound, where the op is being lowered
      leaves[i] = cuteDynamicLeaf(op->context, leaves[i]->width,
                                  leaves[i]->value, operand->id);
    else if (isStatic(operand))
      leaves[i] = cuteLeafToDynamic(op->context, operand, leaves[i]->width,
                                    leaves[i]->value);
  }
  return cuteOpPushResult(op, cuteTypeBind(op->context, type, leaves));
}

//===-- Layouts -----------------------------------------------------------===//

CUTE_INFER(inferMakeLayout, cuteOpReturnLayout,
           cuteLayoutGet(c, TUPLE(0), OPTIONAL_TUPLE(1)));

static bool inferConcatenate(CuteOp *op) {
  size_t n = op->numOperands;
  CuteLayout *modes = cuteScratch(op->context, (n + 1) * sizeof *modes);
  for (size_t i = 0; i < n; ++i)
    modes[i] = operandLayout(op, i);
  if (n)
    return cuteOpReturnLayout(op, cuteLayoutConcatenate(op->context, n, modes));
  return cuteFail(op->context, "needs at least one layout");
}

CUTE_INFER(inferMakeComposedLayout, cuteOpReturnLayout,
           operandKind(op, 0) == CUTE_TYPE_SWIZZLE
               ? cuteLayoutGetSwizzled(c, op->operands[0]->swizzle, TUPLE(1),
                                       LAYOUT(2))
               : cuteLayoutGetComposed(c, LAYOUT(0), TUPLE(1), LAYOUT(2)));
CUTE_INFER(inferMakeOrderedLayout, cuteOpReturnLayout,
           cuteLayoutGetOrdered(c, TUPLE(0), TUPLE(1)));
CUTE_INFER(inferMakeIdentityLayout, cuteOpReturnLayout,
           cuteLayoutGetIdentity(c, TUPLE(0)));
CUTE_INFER(inferMakeLayoutLike, cuteOpReturnLayout,
           cuteLayoutGetLike(c, LAYOUT(0)));

static bool inferMakeLayoutTv(CuteOp *op) {
  CuteTiledCopy copy =
      cuteTiledCopyGet(op->context, NULL, CUTE_ELEMENT_UI8,
                       operandLayout(op, 0), operandLayout(op, 1));
  return copy.layoutTV &&
         cuteOpReturnTuple(op, CUTE_TYPE_SHAPE,
                           cuteTileGetShapes(op->context, copy.tiler)) &&
         cuteOpReturnLayout(op, copy.layoutTV);
}

const CuteOpHooks cuteConstructionOps[] = {
    CUTE_HOOKS("make_int_tuple", inferMake, .variant = CUTE_TYPE_INT_TUPLE),
    CUTE_HOOKS("make_shape", inferMake, .variant = CUTE_TYPE_SHAPE),
    CUTE_HOOKS("make_stride", inferMake, .variant = CUTE_TYPE_STRIDE),
    CUTE_HOOKS("make_coord", inferMake, .variant = CUTE_TYPE_COORD),
    CUTE_HOOKS("make_tile", inferMake, .variant = CUTE_TYPE_TILE),
    CUTE_HOOKS("make_layout", inferMakeLayout),
    CUTE_HOOKS("concatenate", inferConcatenate),
    CUTE_HOOKS("make_composed_layout", inferMakeComposedLayout),
    CUTE_HOOKS("make_layout_like", inferMakeLayoutLike),
    CUTE_HOOKS("make_ordered_layout", inferMakeOrderedLayout),
    CUTE_HOOKS("make_identity_layout", inferMakeIdentityLayout),
    CUTE_HOOKS("make_layout_tv", inferMakeLayoutTv),
    {.name = NULL},
};
