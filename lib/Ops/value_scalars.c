#include "Ops/ops.h"

typedef struct Pushed {
  CuteContext context;
  bool onlyDynamic;
  CuteScalars list;
} Pushed;

static void pushScalar(Pushed *pushed, CuteIntTuple leaf) {
  CuteScalars *list = &pushed->list;
  if (pushed->onlyDynamic && isStatic(leaf))
    return;
  CUTE_ARENA_PUSH(&pushed->context->scratch, list->leaves, list->count, leaf);
}

static void pushTuple(Pushed *pushed, CuteIntTuple tuple) {
  if (isUnderscore(tuple))
    return;
  if (isBasis(tuple)) {
    pushScalar(pushed, basisValue(tuple));
    pushTuple(pushed, basisPath(tuple));
    return;
  }
  if (!isTuple(tuple)) {
    pushScalar(pushed, tuple);
    return;
  }
  for (size_t i = 0; i < tuple->rank; ++i)
    pushTuple(pushed, tuple->elements[i]);
}

static void pushSwizzle(Pushed *pushed, CuteSwizzle swizzle) {
  pushScalar(pushed, staticInt(pushed->context, swizzle.bits));
  pushScalar(pushed, staticInt(pushed->context, swizzle.base));
  pushScalar(pushed, staticInt(pushed->context, swizzle.shift));
}

static void pushLayout(Pushed *pushed, CuteLayout layout) {
  pushTuple(pushed, layout->shape);
  pushTuple(pushed, layout->stride);
  if (!cuteLayoutIsComposed(layout))
    return;
  pushTuple(pushed, layout->offset);
  if (cuteLayoutHasSwizzle(layout))
    pushSwizzle(pushed, layout->swizzle);
  else
    pushLayout(pushed, layout->inner);
}

static void pushTile(Pushed *pushed, CuteTile tile) {
  if (tile->kind == TILE_LAYOUT)
    pushLayout(pushed, tile->layout);
  for (size_t i = 0; tile->kind == TILE_TUPLE && i < tile->rank; ++i)
    pushTile(pushed, tile->elements[i]);
}

CuteScalars cuteScalarsOf(CuteContext c, CuteType type, bool onlyDynamic) {
  Pushed pushed = {.context = c, .onlyDynamic = onlyDynamic};
  if (type->kind == CUTE_TYPE_SWIZZLE)
    pushSwizzle(&pushed, type->swizzle);
  else if (type->kind == CUTE_TYPE_TILE)
    pushTile(&pushed, type->tile);
  else if (cuteTypeIsLayout(type))
    pushLayout(&pushed, type->layout);
  else
    pushTuple(&pushed, type->tuple);
  return pushed.list;
}

size_t cuteOpGetScalars(CuteOp *op, const CuteIntTuple **leaves) {
  CuteScalars scalars =
      cuteScalarsOf(op->context, op->operands[0],
                    cuteOpGetAttribute(op, "only_dynamic") != NULL);
  *leaves = scalars.leaves;
  return scalars.count;
}
