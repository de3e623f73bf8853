// Right and left inverses: modes by ascending stride, each as steps in the
// coordinate, as far as the indices have no gap, or with the gaps filled.
#include "Algebra/explain_laws.h"

#include "Support/sort.h"

// A mode of the domain seen from the codomain.
typedef struct Image {
  int64_t extent, stride, start; // start: index of the mode's first step
} Image;

typedef struct Images {
  Image *data;
  size_t count;
} Images;

static int compareImages(const void *first, const void *second) {
  const Image *a = first, *b = second;
  return (a->stride > b->stride) - (a->stride < b->stride);
}

// The modes of one direction with usable strides, by ascending stride. `path`
// is null for integer strides.
static bool collect(CuteContext c, const Modes *leaves, CuteIntTuple path,
                    Images *images) {
  images->data = cuteScratch(c, (leaves->count + 1) * sizeof(Image));
  images->count = 0;
  int64_t start = 1;
  for (size_t i = 0; i < leaves->count; ++i) {
    Mode m = leaves->data[i];
    Image image = {m.shape->value, 0, start};
    if (__builtin_mul_overflow(start, image.extent, &start))
      return cuteFail(c, "inverse: the size of the layout overflows 64 bits");
    CuteIntTuple stride =
        path && isBasis(m.stride) ? basisValue(m.stride) : m.stride;
    bool belongs = isBasis(m.stride) ? basisPath(m.stride) == path : !path;
    if (!belongs || !isStatic(stride) || stride->value <= 0)
      continue;
    image.stride = stride->value;
    images->data[images->count++] = image;
  }
  void *scratch = cuteScratch(c, images->count * sizeof *images->data);
  cuteStableSort(images->data, scratch, images->count, sizeof *images->data,
                 compareImages);
  return true;
}

static void pushInts(CuteContext c, Modes *modes, int64_t extent,
                     int64_t stride) {
  modesPush(c, modes, (Mode){staticInt(c, extent), staticInt(c, stride)});
}

static Mode finish(CuteContext c, Modes *modes) {
  if (!modes->count)
    pushInts(c, modes, 1, 0);
  unsigned outer = traceEnter(c, CUTE_TRACE_INVERSE_COALESCE);
  Mode result = cuteCoalesceModes(c, modes, COALESCE);
  traceLeave(c, outer, CUTE_TRACE_NOTHING);
  return isStaticValue(result.shape, 1) ? (Mode){result.shape, staticInt(c, 0)}
                                        : result;
}

// Takes the modes that continue one another from stride 1 on.
static Mode rightChain(CuteContext c, const Images *images) {
  Modes modes = {0};
  int64_t next = 1;
  for (size_t i = 0; i < images->count; ++i) {
    Image image = images->data[i];
    if (image.stride != next) {
      trace(c, CUTE_TRACE_INVERSE_SKIP, image.stride, next, image.extent);
      continue;
    }
    trace(c, CUTE_TRACE_INVERSE_TAKE, next, image.extent, image.stride,
          image.start);
    pushInts(c, &modes, image.extent, image.start);
    if (__builtin_mul_overflow(next, image.extent, &next))
      break;
  }
  return finish(c, &modes);
}

// Covers the gaps with stride 0 and continues at each mode's stride.
static Mode leftChain(CuteContext c, const Images *images) {
  Modes modes = {0};
  int64_t covered = 1, start = 0, extent = 0;
  for (size_t i = 0; i < images->count; ++i) {
    Image image = images->data[i];
    if (image.extent == 1)
      continue;
    if (image.stride % covered)
      return modeFail(cuteFail(
          c,
          "left_inverse: stride %jd is not a multiple of the %jd below "
          "it, so the layout has no left inverse",
          image.stride, covered));
    trace(c, CUTE_TRACE_INVERSE_GAP, image.extent, image.stride, covered,
          image.stride / covered, start);
    pushInts(c, &modes, image.stride / covered, start);
    covered = image.stride;
    start = image.start;
    extent = image.extent;
  }
  if (extent) {
    trace(c, CUTE_TRACE_INVERSE_LAST, extent, start);
    pushInts(c, &modes, extent, start);
  }
  return finish(c, &modes);
}

typedef Mode Chain(CuteContext c, const Images *images);

static Mode invert(CuteContext c, const Modes *leaves, CuteIntTuple profile,
                   CuteIntTuple path, Chain *chain) {
  if (!isTuple(profile)) {
    Images images;
    return collect(c, leaves, path, &images) ? chain(c, &images) : failedMode;
  }
  Modes modes = {0};
  for (size_t i = 0; i < profile->rank; ++i) {
    Mode part = invert(c, leaves, profile->elements[i],
                       cutePathExtend(c, path, i), chain);
    if (modeFailed(part))
      return failedMode;
    modesPush(c, &modes, part);
  }
  return modesGetTuple(c, &modes);
}

static CuteLayout inverse(CuteContext context, CuteLayout a, Chain *chain) {
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&context->scratch);
  Modes leaves = {0};
  unsigned outer = traceEnter(context, CUTE_TRACE_COALESCE_A);
  Mode coalesced = cuteCoalesce(context, layoutMode(a), COALESCE);
  traceLeave(context, outer, CUTE_TRACE_NOTHING);
  if (modeFailed(coalesced)) {
    return NULL;
  }
  modesPushLeaves(context, &leaves, coalesced);
  CuteIntTuple profile = cuteCodomainProfile(context, a->stride);
  Mode mode = invert(context, &leaves, profile, NULL, chain);
  return cuteInternLayout(context, mode);
}

static bool hasNegativeStride(CuteIntTuple shape, CuteIntTuple stride) {
  for (size_t i = 0; isTuple(stride) && i < stride->rank; ++i)
    if (hasNegativeStride(shape->elements[i], stride->elements[i]))
      return true;
  if (isTuple(stride) || isStaticValue(shape, 1))
    return false;
  CuteIntTuple value = isBasis(stride) ? basisValue(stride) : stride;
  return isStatic(value) && value->value < 0;
}

// As in the open dialect: of a single mode the value of the basis does not
// count.
static CuteLayout rightInverseDynamicBasis(CuteContext c, CuteLayout a) {
  if (isTuple(a->shape))
    return cuteFailTuple(
        c, "right_inverse: scaled basis strides must be static, not ",
        a->stride);
  CuteIntTuple unit = cuteInternBasis(c, staticInt(c, 1), basisPath(a->stride));
  return cuteLayoutRightInverse(c, cuteInternLayout(c, (Mode){a->shape, unit}));
}

CuteLayout cuteLayoutRightInverse(CuteContext context, CuteLayout a) {
  if (!a)
    return NULL;
  if (cuteLayoutIsComposed(a))
    return cuteFail(context, "right_inverse: not defined for composed layouts");
  if (a->shape->numDynamic)
    return cuteFailTuple(
        context, "right_inverse: the shape must be static, not ", a->shape);
  if (a->stride->numDynamic && a->stride->flags & HAS_BASIS)
    return rightInverseDynamicBasis(context, a);
  unsigned outer = traceEnter(context, CUTE_TRACE_RIGHT_INVERSE, a);
  CuteLayout result = inverse(context, a, rightChain);
  traceLeave(context, outer, CUTE_TRACE_RESULT, result);
  bool hasModes = a->stride->flags & HAS_BASIS;
  traceEquation(context, .law = CUTE_LAW_RIGHT_INVERSE, .a = a, .r = result,
                .coords = hasModes ? CUTE_AT_MODES : CUTE_AT_NUMBERS);
  return result;
}

CuteLayout cuteLayoutLeftInverse(CuteContext context, CuteLayout a) {
  if (!a)
    return NULL;
  if (cuteLayoutIsComposed(a))
    return cuteFail(context, "left_inverse: not defined for composed layouts");
  if (cuteLayoutGetNumDynamic(a))
    return cuteFailTuples(context,
                          "left_inverse: the layout must be static, not ",
                          a->shape, ":", a->stride);
  if (hasNegativeStride(a->shape, a->stride))
    return cuteFailTuple(
        context, "left_inverse: strides must not be negative in ", a->stride);
  unsigned outer = traceEnter(context, CUTE_TRACE_LEFT_INVERSE, a);
  CuteLayout result = inverse(context, a, leftChain);
  traceLeave(context, outer, CUTE_TRACE_RESULT, result);
  traceLaw(context, cuteExplainLeftInverseLaw(context, a, result));
  if (result && checksLaws(context) &&
      !cuteLawAccepts(
          context, cuteLawHolds(context, CUTE_LAW_LEFT_INVERSE,
                                CUTE_LAW_OPERANDS({'A', layoutMode(a)},
                                                  {'R', layoutMode(result)}))))
    return NULL;
  return result;
}
