// Products: a layout A repeated over its complement A*, (A, A* o B), and its
// modes arranged; tile_to_shape repeats a block so often that it fills a shape.
#include "Algebra/explain_worked.h"

static bool checkFactors(CuteContext c, CuteLayout a, CuteLayout b) {
  if (a->shape->numDynamic || a->stride->numDynamic)
    return cuteFailTuples(c, "product: the left layout must be static, not ",
                          a->shape, ":", a->stride);
  if (cuteLayoutIsComposed(b) || b->stride->flags & HAS_BASIS)
    return cuteFail(c, "product: the right factor must be a plain layout with "
                       "integer strides");
  if (a->stride->flags & HAS_BASIS && cuteLayoutGetNumDynamic(b))
    return cuteFail(c, "product: with scaled basis strides on the left the "
                       "right layout must be static");
  return true;
}

static bool isZero(CuteIntTuple leaf) { return isStaticValue(leaf, 0); }

// rest o b, where `rest` is the block's complement.
static Mode repeat(CuteContext c, Mode rest, Mode b) {
  Mode r = cuteComposition(c, rest, b);
  bool isKept = cuteLawAcceptsComposition(
      c, CUTE_LAW_PRODUCT, CUTE_LAW_OPERANDS({'C', rest}, {'B', b}, {'R', r}));
  return isKept ? r : failedMode;
}

// complement(a) o b: where the repetitions start.
static Mode repetitions(CuteContext c, Mode a, Mode b) {
  if (cuteIntTupleAll(b.stride, isZero)) {
    trace(c, CUTE_TRACE_PRODUCT_ZERO, b);
    return b;
  }
  trace(c, CUTE_TRACE_PRODUCT_COPIES);
  Mode rest = cuteComplementMinimal(c, a);
  return modeFailed(rest) ? rest : repeat(c, rest, b);
}

static const char *const names[] = {"logical_product", "zipped_product",
                                    "tiled_product", "flat_product"};
static const char *const arrangements[] = {
    "(A, copies)", "((A), (copies))", "(A, copies...)", "(A..., copies...)"};

// The law with the free indices that were found.
static void explainLaw(CuteContext c, CuteLayout a, CuteLayout b,
                       CuteLayout r) {
  if (!r || cuteLayoutGetNumDynamic(r))
    return;
  CuteQuiet quiet = cuteQuietEnter(c);
  Mode rest = cuteIntTupleAll(b->stride, isZero)
                  ? (Mode){staticInt(c, 1), staticInt(c, 0)}
                  : cuteComplementMinimal(c, layoutMode(a));
  CuteLayout room = cuteInternLayout(c, rest);
  cuteQuietLeave(c, quiet);
  cuteExplainProductLaw(c, a, room, b, r);
}

static CuteLayout product(CuteContext c, CuteLayout a, CuteLayout b,
                          CuteTileForm form) {
  if (!a || !b || !checkFactors(c, a, b))
    return NULL;
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&c->scratch);
  CuteLayout result = NULL;
  unsigned outer =
      traceEnter(c, CUTE_TRACE_PRODUCT, names[form], a, b, arrangements[form]);
  Mode rest = repetitions(c, layoutMode(a), layoutMode(b));
  if (!modeFailed(rest)) {
    Modes modes = {0};
    if (form == CUTE_FORM_FLAT)
      modesPushModes(c, &modes, layoutMode(a));
    else
      modesPush(c, &modes, layoutMode(a));
    if (form == CUTE_FORM_LOGICAL || form == CUTE_FORM_ZIPPED)
      modesPush(c, &modes, rest);
    else
      modesPushModes(c, &modes, rest);
    result = cuteLayoutWithOuter(c, a, modesGetTuple(c, &modes));
  }
  traceLeave(c, outer, CUTE_TRACE_RESULT, result);
  traceLaw(c, explainLaw(c, a, b, result));
  return result;
}

CuteLayout cuteLayoutLogicalProduct(CuteContext context, CuteLayout a,
                                    CuteLayout b) {
  return product(context, a, b, CUTE_FORM_LOGICAL);
}

CuteLayout cuteLayoutZippedProduct(CuteContext context, CuteLayout a,
                                   CuteLayout b) {
  return product(context, a, b, CUTE_FORM_ZIPPED);
}

CuteLayout cuteLayoutTiledProduct(CuteContext context, CuteLayout a,
                                  CuteLayout b) {
  return product(context, a, b, CUTE_FORM_TILED);
}

CuteLayout cuteLayoutFlatProduct(CuteContext context, CuteLayout a,
                                 CuteLayout b) {
  return product(context, a, b, CUTE_FORM_FLAT);
}

//===-- By mode -----------------------------------------------------------===//

// (a, complement(a, size(a) * cosize(b)) o b): as CuTe C++ defines it, which
// the open dialect does not have by mode.
static Mode productOfMode(CuteContext c, CuteLayout a, CuteLayout b) {
  if (!a || !checkFactors(c, a, b))
    return failedMode;
  CuteIntTuple size = cuteLayoutGetSize(c, a);
  CuteIntTuple extent = cuteLeafMul(c, size, cuteLayoutGetCosize(c, b));
  CuteLayout rest = cuteLayoutComplement(c, a, extent);
  if (!rest)
    return failedMode;
  Mode steps = layoutMode(rest);
  if (isStaticValue(steps.shape, 1))
    steps.stride = staticInt(c, 0);
  Mode repeated = repeat(c, steps, layoutMode(b));
  return modeFailed(repeated) ? repeated
                              : cuteModePair(c, layoutMode(a), repeated);
}

// Modes of the block past the tiler's rank are kept. Modes do not look at one
// another, as in CuTe, so that the product may overlap.
static Mode productByMode(CuteContext c, Mode a, CuteTile tiler) {
  if (tiler->kind == TILE_UNDERSCORE)
    return a;
  if (tiler->kind == TILE_LAYOUT)
    return productOfMode(c, cuteInternLayout(c, a), tiler->layout);
  if (!isTuple(a.shape) || tiler->rank > a.shape->rank)
    return modeFail(
        cuteFailTuple(c, "product: the tiler has more modes than ", a.shape));
  Modes modes = {0};
  for (size_t i = 0; i < a.shape->rank; ++i) {
    Mode part = modeElement(a, i);
    unsigned outer = traceEnter(c, CUTE_TRACE_IN_MODE, i, part);
    if (i < tiler->rank)
      part = productByMode(c, part, tiler->elements[i]);
    traceLeave(c, outer, CUTE_TRACE_NOTHING);
    if (modeFailed(part))
      return failedMode;
    modesPush(c, &modes, part);
  }
  return modesGetTuple(c, &modes);
}

CuteLayout cuteLayoutProductByMode(CuteContext context, CuteLayout a,
                                   CuteTile tiler, CuteTileForm form) {
  if (!a || !tiler)
    return NULL;
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&context->scratch);
  unsigned outer =
      traceEnter(context, CUTE_TRACE_PRODUCT_BY_MODE, names[form], a, tiler);
  Mode mode = productByMode(context, layoutMode(a), tiler);
  mode = cuteGatherTiles(context, mode, tiler, form, KEEP_SINGLES);
  CuteLayout result = cuteLayoutWithOuter(context, a, mode);
  traceLeave(context, outer, CUTE_TRACE_RESULT, result);
  traceLaw(context, cuteExplainFirstCopyLaw(context, a, tiler, form, result));
  return result;
}

//===-- Blocked and raked -------------------------------------------------===//

static Mode padToRank(CuteContext c, Mode a, size_t rank) {
  if (a.shape->rank >= rank)
    return a;
  Modes modes = {0};
  modesPushModes(c, &modes, a);
  while (modes.count < rank)
    modesPush(c, &modes, (Mode){staticInt(c, 1), staticInt(c, 0)});
  return modesGetTuple(c, &modes);
}

// ((first0, second0), (first1, second1), ...). A scalar first pairs with the
// whole of second.
static Mode zipPairs(CuteContext c, Mode first, Mode second,
                     CoalesceKind *coalesce) {
  size_t rank = first.shape->rank;
  if (isTuple(first.shape) &&
      (!isTuple(second.shape) || second.shape->rank != rank))
    return modeFail(cuteFailTuples(c, "product: modes cannot be paired in ",
                                   first.shape, " and ", second.shape));
  Modes pairs = {0};
  for (size_t i = 0; i < rank; ++i) {
    Modes both = {0};
    modesPush(c, &both, modeElement(first, i));
    modesPush(c, &both, isTuple(first.shape) ? modeElement(second, i) : second);
    Mode pair = modesGetTuple(c, &both);
    unsigned outer = traceEnter(c, CUTE_TRACE_PRODUCT_PAIR, i, pair);
    modesPush(c, &pairs, coalesce ? cuteCoalesce(c, pair, *coalesce) : pair);
    traceLeave(c, outer, CUTE_TRACE_NOTHING);
  }
  return modesGetTuple(c, &pairs);
}

static Mode interleave(CuteContext c, Mode a, Mode b, bool raked) {
  size_t rank = a.shape->rank > b.shape->rank ? a.shape->rank : b.shape->rank;
  a = padToRank(c, a, rank);
  b = padToRank(c, b, rank);
  trace(c, CUTE_TRACE_PRODUCT_PAD, a, b);
  Mode rest = repetitions(c, a, b);
  if (modeFailed(a) || modeFailed(rest))
    return failedMode;
  if (raked)
    trace(c, CUTE_TRACE_PRODUCT_RAKED, rest, a);
  else
    trace(c, CUTE_TRACE_PRODUCT_BLOCKED, a, rest);
  CoalesceKind normal = COALESCE;
  return raked ? zipPairs(c, rest, a, &normal) : zipPairs(c, a, rest, NULL);
}

static void explainPairs(CuteContext c, CuteLayout a, CuteLayout b, bool raked,
                         CuteLayout r) {
  if (!r || cuteLayoutGetNumDynamic(r))
    return;
  size_t rank =
      a->shape->rank > b->shape->rank ? a->shape->rank : b->shape->rank;
  CuteQuiet quiet = cuteQuietEnter(c);
  Mode block = padToRank(c, layoutMode(a), rank);
  Mode copies = repetitions(c, block, padToRank(c, layoutMode(b), rank));
  cuteQuietLeave(c, quiet);
  cuteExplainPairedLaw(c, a, b, block, copies,
                       raked ? CUTE_RAKED : CUTE_BLOCKED, r);
}

static CuteLayout interleaved(CuteContext context, CuteLayout a, CuteLayout b,
                              bool raked) {
  if (!a || !b || !checkFactors(context, a, b))
    return NULL;
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&context->scratch);
  unsigned outer = traceEnter(
      context, raked ? CUTE_TRACE_RAKED_PRODUCT : CUTE_TRACE_BLOCKED_PRODUCT, a,
      b);
  Mode mode = interleave(context, layoutMode(a), layoutMode(b), raked);
  CuteLayout result = cuteLayoutWithOuter(context, a, mode);
  traceLeave(context, outer, CUTE_TRACE_RESULT, result);
  traceLaw(context, explainPairs(context, a, b, raked, result));
  return result;
}

CuteLayout cuteLayoutBlockedProduct(CuteContext context, CuteLayout a,
                                    CuteLayout b) {
  return interleaved(context, a, b, false);
}

CuteLayout cuteLayoutRakedProduct(CuteContext context, CuteLayout a,
                                  CuteLayout b) {
  return interleaved(context, a, b, true);
}

//===-- tile_to_shape -----------------------------------------------------===//

static bool checkOrder(CuteContext c, CuteIntTuple order, CuteIntTuple shape) {
  bool ok = order->rank == shape->rank;
  for (size_t i = 0; ok && i < order->rank; ++i)
    ok = isStatic(element(order, i));
  if (!ok)
    cuteFailTuples(c, "tile_to_shape: order ", order,
                   " does not give each mode of ", shape);
  return ok;
}

// The number of repetitions of the block in each mode, with their strides.
// Where something is repeated, the block's strides must be static.
static Mode repeatLayout(CuteContext c, Mode block, CuteIntTuple shape,
                         CuteIntTuple order) {
  size_t rank = shape->rank;
  CuteIntTuple *counts = cuteScratch(c, rank * sizeof *counts);
  CuteIntTuple *keys = cuteScratch(c, rank * sizeof *keys);
  bool isRepeated = false;
  for (size_t i = 0; i < rank; ++i) {
    counts[i] =
        cuteLeafCeilDiv(c, cuteIntTupleProduct(c, element(shape, i)),
                        cuteIntTupleProduct(c, element(block.shape, i)));
    keys[i] = order ? element(order, i) : staticInt(c, (int64_t)i);
    isRepeated |= !isStaticValue(counts[i], 1);
  }
  if (isRepeated && block.stride->numLeaves > 1 && block.stride->numDynamic)
    return modeFail(cuteFailTuple(c,
                                  "tile_to_shape: a block that is repeated "
                                  "must have static strides, not ",
                                  block.stride));
  trace(c, CUTE_TRACE_TILE_COPIES, cuteInternTuple(c, rank, counts));
  CuteLayout layout = cuteLayoutGetOrdered(c, cuteInternTuple(c, rank, counts),
                                           cuteInternTuple(c, rank, keys));
  return layoutMode(layout);
}

CuteLayout cuteLayoutTileToShape(CuteContext context, CuteLayout block,
                                 CuteIntTuple shape, CuteIntTuple order) {
  if (!block || !shape)
    return NULL;
  if (block->shape->rank > shape->rank)
    return cuteFailTuples(context, "tile_to_shape: the block's shape ",
                          block->shape, " has more modes than ", shape);
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&context->scratch);
  CuteLayout result = NULL;
  unsigned outer = traceEnter(context, CUTE_TRACE_TILE_TO_SHAPE, block, shape);
  if (!order || checkOrder(context, order, shape)) {
    Mode a = padToRank(context, layoutMode(block), shape->rank);
    Mode counts = modeFailed(a) ? a : repeatLayout(context, a, shape, order);
    if (!modeFailed(counts))
      a = interleave(context, a, counts, false);
    if (!modeFailed(counts) && !modeFailed(a))
      result = cuteLayoutWithOuter(context, block, a);
    if (result && checksLaws(context) &&
        !cuteLawAccepts(context,
                        cuteLawTileToShape(context, layoutMode(block), a)))
      result = NULL;
  }
  traceLeave(context, outer, CUTE_TRACE_RESULT, result);
  traceEquation(context, .law = CUTE_LAW_FIRST_BLOCK, .a = block, .r = result,
                .coords = CUTE_AT_MODES);
  return result;
}
