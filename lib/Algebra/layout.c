#include "Algebra/explain_laws.h"

#include "Support/hash.h"

//===-- Interning ---------------------------------------------------------===//

static bool layoutsEqual(const void *first, const void *second) {
  const struct CuteLayoutImpl *a = first, *b = second;
  return a->shape == b->shape && a->stride == b->stride &&
         a->innerKind == b->innerKind && a->offset == b->offset &&
         a->inner == b->inner && a->swizzle.bits == b->swizzle.bits &&
         a->swizzle.base == b->swizzle.base &&
         a->swizzle.shift == b->swizzle.shift;
}

static void *copyLayout(CuteContext context, const void *candidate) {
  struct CuteLayoutImpl *copy =
      cuteArenaAllocate(&context->nodes, sizeof *copy);
  *copy = *(const struct CuteLayoutImpl *)candidate;
  return copy;
}

static CuteLayout intern(CuteContext context, struct CuteLayoutImpl *node) {
  uint64_t hash = cuteHashMix(node->shape->hash, node->stride->hash);
  if (node->innerKind != INNER_NONE) {
    hash = cuteHashMix(hash, node->offset->hash + node->innerKind);
    hash = cuteHashMix(hash, node->inner ? node->inner->hash
                                         : (uint64_t)node->swizzle.bits);
    hash = cuteHashMix(hash, (uint64_t)(node->swizzle.base * 64) +
                                 (uint64_t)node->swizzle.shift);
  }
  node->hash = hash;
  return cuteIntern(context, &context->layouts, hash, node, layoutsEqual,
                    copyLayout);
}

//===-- Well-formedness ---------------------------------------------------===//

bool cuteExtentsCheck(CuteContext c, const char *problem, CuteIntTuple shape) {
  if (isTuple(shape)) {
    for (size_t i = 0; i < shape->rank; ++i)
      if (!cuteExtentsCheck(c, problem, shape->elements[i]))
        return false;
    return true;
  }
  return isDynamic(shape) || (isStatic(shape) && shape->value > 0) ||
         cuteFailTuple(c, problem, shape);
}

static bool checkExtents(CuteContext c, CuteIntTuple shape) {
  return cuteExtentsCheck(
      c, "layout: an extent must be a positive integer, not ", shape);
}

// Strides are all integers, or all scaled bases apart from static zeros.
static bool checkStrideKinds(CuteContext c, CuteIntTuple whole,
                             CuteIntTuple stride) {
  if (isTuple(stride)) {
    for (size_t i = 0; i < stride->rank; ++i)
      if (!checkStrideKinds(c, whole, stride->elements[i]))
        return false;
    return true;
  }
  bool fits =
      stride->kind == CUTE_ERROR || isStaticValue(stride, 0) ||
      (whole->flags & HAS_BASIS ? isBasis(stride)
                                : isStatic(stride) || isDynamic(stride));
  if (!fits)
    cuteFailTuple(
        c,
        "stride: leaves must be all integers or all scaled bases and zeros in ",
        whole);
  return fits;
}

bool cuteStrideCheck(CuteContext c, CuteIntTuple stride) {
  return checkStrideKinds(c, stride, stride) && cuteCodomainCheck(c, stride);
}

static bool checkMode(CuteContext c, Mode mode) {
  if (modeFailed(mode))
    return false;
  if (!cuteIntTupleIsCongruent(mode.shape, mode.stride))
    return cuteFailTuples(c, "layout: shape ", mode.shape,
                          " is not congruent to stride ", mode.stride);
  if (mode.stride->flags & HAS_ERROR)
    return cuteFailTuple(c, "layout: error leaf in the stride ", mode.stride);
  return checkExtents(c, mode.shape) && cuteStrideCheck(c, mode.stride);
}

CuteLayout cuteInternUncheckedLayout(CuteContext context, Mode mode) {
  if (modeFailed(mode))
    return NULL;
  struct CuteLayoutImpl node = {.shape = mode.shape, .stride = mode.stride};
  return intern(context, &node);
}

CuteLayout cuteInternLayout(CuteContext context, Mode mode) {
  if (!checkMode(context, mode))
    return NULL;
  return cuteInternUncheckedLayout(context, mode);
}

//===-- Construction ------------------------------------------------------===//

static CuteIntTuple compactStride(CuteContext c, Mode leaf, void *end) {
  CuteIntTuple shape = leaf.shape, *current = end, stride = *current;
  if (isStaticValue(shape, 1))
    return staticInt(c, 0);
  bool isError = stride && (shape->flags | stride->flags) & HAS_ERROR;
  *current = isError ? cuteInternErrorLeaf(c) : cuteLeafMul(c, stride, shape);
  return stride;
}

CuteIntTuple cuteCompactStrides(CuteContext c, CuteIntTuple shape,
                                CuteIntTuple start) {
  if (!shape || !start)
    return NULL;
  CuteIntTuple result =
      cuteMapLeaves(c, tupleMode(shape), compactStride, &start);
  return start ? result : NULL; // the product of all extents must exist too
}

CuteLayout cuteLayoutGet(CuteContext context, CuteIntTuple shape,
                         CuteIntTuple stride) {
  if (shape && !stride) {
    if (!checkExtents(context, shape))
      return NULL;
    stride = cuteCompactStrides(context, shape, staticInt(context, 1));
  }
  return cuteInternLayout(context, (Mode){shape, stride});
}

static CuteLayout internComposed(CuteContext context, InnerKind kind,
                                 CuteSwizzle swizzle, CuteLayout inner,
                                 CuteIntTuple offset, Mode outer) {
  struct CuteLayoutImpl node = {.shape = outer.shape,
                                .stride = outer.stride,
                                .innerKind = (uint8_t)kind,
                                .swizzle = swizzle,
                                .inner = inner,
                                .offset = offset};
  return intern(context, &node);
}

// The value of B at coordinate 0 has the structure that off must have.
static bool checkOffset(CuteContext c, CuteIntTuple offset, Mode outer,
                        CuteIntTuple *sum) {
  CuteIntTuple origin = cuteEvalMode(c, cuteIntTupleGetUnderscore(c), outer);
  *sum = cuteArithmeticTupleAdd(c, offset, origin);
  if (!*sum)
    cuteFailTuples(c, "composed layout: offset ", offset,
                   " does not fit the coordinates that B gives, such as ",
                   origin);
  return *sum;
}

CuteLayout cuteLayoutGetSwizzled(CuteContext context, CuteSwizzle swizzle,
                                 CuteIntTuple offset, CuteLayout outer) {
  if (!offset || !outer)
    return NULL;
  Mode mode = layoutMode(outer);
  if (!cuteSwizzleIsValid(swizzle))
    return cuteFail(context, "composed layout: there is no swizzle S<%d,%d,%d>",
                    swizzle.bits, swizzle.base, swizzle.shift);
  if (cuteLayoutIsComposed(outer))
    return cuteFail(context, "composed layout: B must be a plain layout");
  if (isTuple(offset) || offset->flags || mode.stride->flags & HAS_BASIS)
    return cuteFailTuples(context,
                          "composed layout: a swizzle needs a scalar offset "
                          "and integer strides, not ",
                          offset, " and ", mode.stride);
  if (!swizzle.bits && isStaticValue(offset, 0))
    return cuteFail(context, "composed layout: a swizzle of 0 bits with offset "
                             "0 composes nothing; use the layout alone");
  return internComposed(context, INNER_SWIZZLE, swizzle, NULL, offset, mode);
}

CuteLayout cuteLayoutComposeSwizzle(CuteContext context, CuteSwizzle swizzle,
                                    CuteIntTuple offset, CuteLayout outer) {
  if (!swizzle.bits && isStaticValue(offset, 0))
    return outer;
  unsigned level =
      traceEnter(context, CUTE_TRACE_SWIZZLED, swizzle, offset, outer);
  CuteLayout result = cuteLayoutGetSwizzled(context, swizzle, offset, outer);
  traceLeave(context, level, CUTE_TRACE_RESULT, result);
  traceLaw(context, cuteExplainSwizzleLaw(context, outer, result));
  return result;
}

CuteLayout cuteLayoutGetComposed(CuteContext context, CuteLayout inner,
                                 CuteIntTuple offset, CuteLayout outer) {
  if (!inner || !offset || !outer)
    return NULL;
  if (cuteLayoutIsComposed(inner) || cuteLayoutIsComposed(outer))
    return cuteFail(context, "composed layout: A and B must be plain layouts");
  CuteIntTuple sum;
  bool isEmpty = isTuple(outer->shape) && !outer->shape->rank;
  if (offset->flags)
    return cuteFailTuple(
        context, "composed layout: an offset has integer leaves only, not ",
        offset);
  if (!isEmpty && !checkOffset(context, offset, layoutMode(outer), &sum))
    return NULL;
  if (!isEmpty && isTuple(sum) &&
      !cuteIntTupleIsWeaklyCongruent(sum, inner->shape))
    return cuteFailTuples(context, "composed layout: off + B(0) = ", sum,
                          " is not a coordinate of the shape of A, ",
                          inner->shape);
  return internComposed(context, INNER_LAYOUT, (CuteSwizzle){0}, inner, offset,
                        layoutMode(outer));
}

CuteLayout cuteLayoutWithOuter(CuteContext context, CuteLayout layout,
                               Mode outer) {
  if (!layout || !checkMode(context, outer))
    return NULL;
  bool nothingLeft =
      layout->innerKind == INNER_NONE ||
      (layout->innerKind == INNER_SWIZZLE && !layout->swizzle.bits &&
       isStaticValue(layout->offset, 0));
  CuteLayout plain = cuteInternUncheckedLayout(context, outer);
  if (nothingLeft)
    return plain;
  if (layout->innerKind == INNER_SWIZZLE)
    return cuteLayoutGetSwizzled(context, layout->swizzle, layout->offset,
                                 plain);
  return cuteLayoutGetComposed(context, layout->inner, layout->offset, plain);
}

//===-- Parts -------------------------------------------------------------===//

CuteIntTuple cuteLayoutGetShape(CuteLayout layout) { return layout->shape; }
CuteIntTuple cuteLayoutGetStride(CuteLayout layout) { return layout->stride; }

bool cuteLayoutIsComposed(CuteLayout layout) {
  return layout->innerKind != INNER_NONE;
}

bool cuteLayoutHasSwizzle(CuteLayout layout) {
  return layout->innerKind == INNER_SWIZZLE;
}

CuteSwizzle cuteLayoutGetSwizzle(CuteLayout layout) { return layout->swizzle; }
CuteLayout cuteLayoutGetInner(CuteLayout layout) { return layout->inner; }
CuteIntTuple cuteLayoutGetOffset(CuteLayout layout) { return layout->offset; }

CuteLayout cuteLayoutGetOuter(CuteContext context, CuteLayout layout) {
  return layout && cuteLayoutIsComposed(layout)
             ? cuteInternLayout(context, layoutMode(layout))
             : layout;
}

size_t cuteLayoutGetRank(CuteLayout layout) { return layout->shape->rank; }

size_t cuteLayoutGetNumDynamic(CuteLayout layout) {
  size_t n = layout->shape->numDynamic + layout->stride->numDynamic;
  if (layout->offset)
    n += layout->offset->numDynamic;
  return layout->inner ? n + cuteLayoutGetNumDynamic(layout->inner) : n;
}

CuteIntTuple cuteLayoutGetSize(CuteContext context, CuteLayout layout) {
  return layout ? cuteIntTupleProduct(context, layout->shape) : NULL;
}
