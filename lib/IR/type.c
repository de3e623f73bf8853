#include "IR/type.h"
#include "Support/text.h"

#include "Algebra/trace.h"
#include "Support/hash.h"

//===-- Interning ---------------------------------------------------------===//

static bool pipelinesEqual(const CutePipeline *a, const CutePipeline *b) {
  return a->kind == b->kind && a->agent == b->agent && a->stages == b->stages &&
         a->producers == b->producers && a->consumers == b->consumers &&
         a->bytes == b->bytes;
}

static bool typesEqual(const void *first, const void *second) {
  const struct CuteTypeImpl *a = first, *b = second;
  return a->kind == b->kind && a->element == b->element &&
         a->space == b->space && a->align == b->align && a->tuple == b->tuple &&
         a->layout == b->layout && a->tile == b->tile && a->atom == b->atom &&
         a->swizzle.bits == b->swizzle.bits &&
         a->swizzle.base == b->swizzle.base &&
         a->swizzle.shift == b->swizzle.shift &&
         pipelinesEqual(&a->pipeline, &b->pipeline) &&
         cuteTextIsSame(a->foreign, b->foreign);
}

static void *copyType(CuteContext context, const void *candidate) {
  struct CuteTypeImpl *copy = cuteArenaAllocate(&context->nodes, sizeof *copy);
  *copy = *(const struct CuteTypeImpl *)candidate;
  if (copy->foreign.length)
    copy->foreign.data = cuteArenaCopyText(&context->nodes, copy->foreign.data,
                                           copy->foreign.length);
  return copy;
}

static CuteType intern(CuteContext context, struct CuteTypeImpl node) {
  uint64_t hash = cuteHashMix(node.kind, (uint64_t)node.align * 64 +
                                             node.element * 4u + node.space);
  hash = cuteHashMix(hash, cuteHashPointer(node.tuple));
  hash = cuteHashMix(hash, cuteHashPointer(node.layout));
  hash = cuteHashMix(hash, cuteHashPointer(node.tile));
  hash = cuteHashMix(hash, cuteHashPointer(node.atom));
  hash = cuteHashMix(
      hash, (uint64_t)((node.swizzle.bits * 64 + node.swizzle.base) * 128 +
                       node.swizzle.shift));
  hash = cuteHashMix(hash, (uint64_t)node.pipeline.stages * 64 +
                               (uint64_t)node.pipeline.kind);
  if (node.foreign.length)
    hash ^= cuteHashBytes(node.foreign.data, node.foreign.length);
  node.hash = hash;
  return cuteIntern(context, &context->types, hash, &node, typesEqual,
                    copyType);
}

// The type with these parts.
#define MAKE(...) intern(context, (struct CuteTypeImpl){__VA_ARGS__})

//===-- Construction ------------------------------------------------------===//

CuteType cuteTypeGetTuple(CuteContext context, CuteTypeKind kind,
                          CuteIntTuple tuple) {
  if (!tuple)
    return NULL;
  if (kind == CUTE_TYPE_STRIDE && !cuteStrideCheck(context, tuple))
    return NULL;
  return MAKE(.kind = (uint8_t)kind, .tuple = tuple);
}

CuteType cuteTypeGetLayout(CuteContext context, CuteLayout layout) {
  if (!layout)
    return NULL;
  CuteTypeKind kind = cuteLayoutIsComposed(layout) ? CUTE_TYPE_COMPOSED_LAYOUT
                                                   : CUTE_TYPE_LAYOUT;
  return MAKE(.kind = (uint8_t)kind, .layout = layout);
}

CuteType cuteTypeGetTile(CuteContext context, CuteTile tile) {
  return tile ? MAKE(.kind = CUTE_TYPE_TILE, .tile = tile) : NULL;
}

CuteType cuteTypeGetSwizzle(CuteContext context, CuteSwizzle swizzle) {
  return MAKE(.kind = CUTE_TYPE_SWIZZLE, .swizzle = swizzle);
}

enum { MAX_ALIGN = 1 << 20 };

static bool checkAlign(CuteContext c, CuteElementType element, int64_t align) {
  bool isPowerOfTwo = align > 0 && !(align & (align - 1));
  if (isPowerOfTwo && align <= MAX_ALIGN &&
      align * 8 >= cuteElementTypeGetBits(element))
    return true;
  return cuteFail(
      c,
      "align<%jd>: an alignment is a power of two in bytes, at least the "
      "size of the element %s and at most %d",
      align, cuteElementTypeGetName(element), MAX_ALIGN);
}

CuteType cuteTypeGetPointer(CuteContext context, CuteElementType element,
                            CuteSpace space, int64_t align) {
  return cuteTypeGetSwizzledPointer(context, element, space, align,
                                    (CuteSwizzle){0});
}

// A swizzle of addresses leaves elements whole.
static bool checkSwizzle(CuteContext c, CuteElementType element,
                         CuteSpace space, CuteSwizzle s) {
  int64_t bits = cuteElementTypeGetBits(element);
  int wanted = bits < 8 ? 0 : __builtin_ctzll((uint64_t)bits / 8);
  if (!s.bits)
    return true;
  if (space == CUTE_RMEM)
    cuteFail(c, "ptr: a swizzle needs addresses in gmem or smem, not in %s",
             cuteTypeGetSpaceName(space));
  else if (cuteSwizzleGetPeriod(s) > MAX_ALIGN)
    cuteFail(c,
             "ptr: S<%d,%d,%d> repeats itself after %jd bytes only; the "
             "limit is %d",
             s.bits, s.base, s.shift, cuteSwizzleGetPeriod(s), MAX_ALIGN);
  else if (s.base < wanted)
    cuteFail(c,
             "ptr: S<%d,%d,%d> counts bytes and would move parts of the "
             "element %s; the base must be at least %d",
             s.bits, s.base, s.shift, cuteElementTypeGetName(element), wanted);
  else
    return true;
  return false;
}

CuteType cuteTypeGetSwizzledPointer(CuteContext context,
                                    CuteElementType element, CuteSpace space,
                                    int64_t align, CuteSwizzle swizzle) {
  if (!checkAlign(context, element, align) ||
      !checkSwizzle(context, element, space, swizzle))
    return NULL;
  if (!swizzle.bits)
    swizzle = (CuteSwizzle){0};
  return MAKE(.kind = CUTE_TYPE_PTR, .element = (uint8_t)element,
              .space = (uint8_t)space, .align = align, .swizzle = swizzle);
}

CuteType cuteTypeGetTensor(CuteContext context, CuteElementType element,
                           CuteSpace space, int64_t align, CuteLayout layout) {
  if (!layout || !checkAlign(context, element, align))
    return NULL;
  if (layout->stride->flags & HAS_BASIS || layout->innerKind == INNER_LAYOUT)
    return cuteFail(context, "tensor: the layout must have integer strides and "
                             "be composed at most with a swizzle");
  if (!cuteLayoutGetSize(context, layout))
    return NULL; // no number of elements in 64 bits
  if (space == CUTE_RMEM &&
      (cuteLayoutIsComposed(layout) || cuteLayoutGetNumDynamic(layout)))
    return cuteFail(context, "tensor: a layout in rmem must be static and "
                             "without a swizzle");
  return MAKE(.kind = CUTE_TYPE_TENSOR, .element = (uint8_t)element,
              .space = (uint8_t)space, .align = align, .layout = layout);
}

// Coordinates are sums of tuples, one for each mode, of as many elements.
enum { MAX_COORD_LEAVES = 1024 };

CuteType cuteTypeGetCoordTensor(CuteContext context, CuteIntTuple origin,
                                CuteLayout layout) {
  if (!origin || !layout)
    return NULL;
  if (origin->flags || cuteLayoutIsComposed(layout))
    return cuteFail(context, "coord_tensor: needs an origin of integers and a "
                             "plain layout");
  if (layout->shape->numLeaves > MAX_COORD_LEAVES)
    return cuteFail(context,
                    "coord_tensor: %u modes are more than the %d that "
                    "a coordinate can have",
                    layout->shape->numLeaves, MAX_COORD_LEAVES);
  CuteIntTuple zero = staticInt(context, 0);
  struct CuteTrace *trace = cuteTracePause(context);
  CuteIntTuple first = cuteLayoutEval(context, layout, zero);
  cuteTraceResume(context, trace);
  if (!cuteArithmeticTupleAdd(context, origin, first))
    return NULL;
  return MAKE(.kind = CUTE_TYPE_COORD_TENSOR, .tuple = origin,
              .layout = layout);
}

CuteType cuteTypeGetMmaAtom(CuteContext context, const CuteMmaAtom *atom) {
  return atom ? MAKE(.kind = CUTE_TYPE_MMA_ATOM, .atom = atom) : NULL;
}

CuteType cuteTypeGetCopyAtom(CuteContext context, const CuteCopyAtom *atom,
                             CuteElementType element) {
  if (atom && cuteCopyAtomIsTma(atom))
    return cuteFail(context, "%s moves a box: cute.make_tma_atom makes it",
                    atom->name);
  if (!atom || !cuteCopyAtomCheckElement(context, atom, element))
    return NULL;
  return MAKE(.kind = CUTE_TYPE_COPY_ATOM, .element = (uint8_t)element,
              .atom = atom);
}

CuteType cuteTypeGetTiledMma(CuteContext context, CuteTiledMma mma) {
  if (!mma.atom || !mma.atomLayout || !mma.permutation ||
      !cuteTiledMmaCheck(context, mma))
    return NULL;
  return MAKE(.kind = CUTE_TYPE_TILED_MMA, .atom = mma.atom,
              .layout = mma.atomLayout, .tile = mma.permutation);
}

CuteType cuteTypeGetTiledCopy(CuteContext context, CuteTiledCopy copy) {
  if (!copy.atom || !cuteTiledCopyCheck(context, copy))
    return NULL;
  return MAKE(.kind = CUTE_TYPE_TILED_COPY, .element = (uint8_t)copy.element,
              .atom = copy.atom, .layout = copy.layoutTV, .tile = copy.tiler);
}

CuteType cuteTypeGetTmaAtom(CuteContext context, CuteTmaAtom tma) {
  if (!cuteTmaAtomCheck(context, tma))
    return NULL;
  return MAKE(.kind = CUTE_TYPE_TMA_ATOM, .element = (uint8_t)tma.element,
              .ctas = tma.ctas, .swizzle = tma.swizzle, .layout = tma.box,
              .tile = cuteTileGetLayout(context, tma.values), .atom = tma.atom);
}

// PTX ISA, "Size and alignment of mbarrier object": a barrier counts to 2^20-1
// arrivals, and as many bytes.
enum { MAX_COUNT = (1 << 20) - 1, MAX_STAGES = 1024 };

static bool checkPipeline(CuteContext c, CutePipeline p) {
  const char *name = cutePipelineKindGetName(p.kind);
  CuteIntTuple mask = p.mask;
  int64_t bits = mask && isStatic(mask) ? mask->value : 1;
  if (mask && isTuple(mask))
    cuteFail(c, "%s: the mask is one integer", name);
  else if (p.stages < 1 || p.stages > MAX_STAGES)
    cuteFail(c, "%s: a pipeline has 1 to %d stages, not %jd", name, MAX_STAGES,
             p.stages);
  else if (bits < 1 || bits > 0xffff)
    cuteFail(c,
             "%s: the mask %jd must have 1 to 16 bits, one for each thread "
             "block of the cluster",
             name, bits);
  else if (p.kind != CUTE_PIPE_TMA_STORE &&
           (p.producers < 1 || p.producers > MAX_COUNT || p.consumers < 1 ||
            p.consumers > MAX_COUNT / (mask ? 16 : 1)))
    cuteFail(c,
             "%s: 1 to %d producers and consumers arrive at a barrier, not "
             "%jd and %jd",
             name, MAX_COUNT, p.producers, p.consumers);
  else if (p.bytes < 0 || p.bytes > MAX_COUNT)
    cuteFail(c,
             "%s: a barrier counts to %d bytes, but %jd come to a stage; load "
             "it in parts, through two pipelines",
             name, MAX_COUNT, p.bytes);
  else
    return true;
  return false;
}

// (stage, full or empty), (group, stage) of an order.
static CuteLayout barriersOf(CuteContext c, CutePipeline p) {
  if (p.kind == CUTE_PIPE_TMA_STORE)
    return NULL;
  bool isOrder = p.kind == CUTE_PIPE_ORDER;
  CuteIntTuple extents[] = {staticInt(c, isOrder ? p.consumers : p.stages),
                            staticInt(c, isOrder ? p.stages : 2)};
  return cuteLayoutGet(c, cuteIntTupleGetTuple(c, 2, extents), NULL);
}

CuteType cuteTypeGetPipeline(CuteContext context, CutePipeline pipeline) {
  if (!checkPipeline(context, pipeline))
    return NULL;
  CuteIntTuple mask = pipeline.mask;
  pipeline.mask = NULL;
  return MAKE(.kind = CUTE_TYPE_PIPELINE, .element = CUTE_ELEMENT_I64,
              .space = CUTE_SMEM, .align = 8, .tuple = mask,
              .layout = barriersOf(context, pipeline), .pipeline = pipeline);
}

CuteType cuteTypeGetPipelineState(CuteContext context, CutePipelineRole role,
                                  int64_t stages) {
  CutePipeline pipeline = {.stages = stages, .producers = 1, .consumers = 1};
  if (!checkPipeline(context, pipeline))
    return NULL;
  CuteIntTuple leaves[] = {cuteDynamicLeaf(context, 32, 1, 0),
                           cuteDynamicLeaf(context, 32, 1, 0)};
  return MAKE(.kind = CUTE_TYPE_PIPELINE_STATE, .space = (uint8_t)role,
              .tuple = cuteIntTupleGetTuple(context, 2, leaves),
              .pipeline = {.stages = stages});
}

CuteType cuteTypeGetForeign(CuteContext context, CuteStringRef text) {
  return MAKE(.kind = CUTE_TYPE_FOREIGN, .foreign = text);
}

//===-- Parts -------------------------------------------------------------===//

CuteTypeKind cuteTypeGetKind(CuteType type) { return (CuteTypeKind)type->kind; }
CuteIntTuple cuteTypeGetIntTuple(CuteType type) { return type->tuple; }
CuteLayout cuteTypeGetLayoutValue(CuteType type) { return type->layout; }
CuteTile cuteTypeGetTileValue(CuteType type) { return type->tile; }
CuteSwizzle cuteTypeGetSwizzleValue(CuteType type) { return type->swizzle; }
CuteElementType cuteTypeGetElement(CuteType type) { return type->element; }
CuteSpace cuteTypeGetSpace(CuteType type) { return (CuteSpace)type->space; }
int64_t cuteTypeGetAlign(CuteType type) { return type->align; }

const CuteMmaAtom *cuteTypeGetMmaAtomValue(CuteType type) {
  return type->kind == CUTE_TYPE_MMA_ATOM || type->kind == CUTE_TYPE_TILED_MMA
             ? type->atom
             : NULL;
}

CuteTiledMma cuteTypeGetTiledMmaValue(CuteType type) {
  return (CuteTiledMma){type->atom, type->layout, type->tile};
}

CuteTiledCopy cuteTypeGetTiledCopyValue(CuteType type) {
  return (CuteTiledCopy){type->atom, type->element, type->layout, type->tile};
}

CuteTmaAtom cuteTypeGetTmaAtomValue(CuteType type) {
  return (CuteTmaAtom){type->atom,
                       type->element,
                       type->swizzle,
                       type->layout,
                       type->tile ? type->tile->layout : NULL,
                       type->ctas};
}

CutePipeline cuteTypeGetPipelineValue(CuteType type) {
  CutePipeline pipeline = type->pipeline;
  pipeline.mask = type->kind == CUTE_TYPE_PIPELINE ? type->tuple : NULL;
  return pipeline;
}

CutePipelineRole cuteTypeGetPipelineRole(CuteType type) {
  return (CutePipelineRole)type->space;
}

CuteStringRef cuteTypeGetForeignText(CuteType type) { return type->foreign; }

size_t cuteTypeGetNumDynamic(CuteType type) {
  if (type->kind == CUTE_TYPE_FOREIGN)
    return 0;
  return (type->tuple ? type->tuple->numDynamic : 0) +
         (type->layout ? cuteLayoutGetNumDynamic(type->layout) : 0) +
         (type->tile ? type->tile->numDynamic : 0);
}

bool cuteTypeIsBulkAtom(CuteType type) {
  return type->kind == CUTE_TYPE_TMA_ATOM ||
         (type->kind == CUTE_TYPE_COPY_ATOM &&
          ((const CuteCopyAtom *)type->atom)->kind->isBulk);
}

bool cuteTypeIsStatic(CuteType type) {
  return type->kind != CUTE_TYPE_FOREIGN && type->kind != CUTE_TYPE_PTR &&
         type->kind != CUTE_TYPE_TENSOR && !cuteTypeIsBulkAtom(type) &&
         type->kind != CUTE_TYPE_PIPELINE && !cuteTypeGetNumDynamic(type);
}

CuteType cuteTypeWithLayout(CuteContext c, CuteType type, CuteLayout layout) {
  if (!layout)
    return NULL;
  if (type->kind == CUTE_TYPE_TENSOR)
    return cuteTypeGetTensor(c, type->element, (CuteSpace)type->space,
                             type->align, layout);
  if (type->kind == CUTE_TYPE_COORD_TENSOR)
    return cuteTypeGetCoordTensor(c, type->tuple, layout);
  return cuteTypeGetLayout(c, layout);
}

CuteType cuteTypeInSpace(CuteContext c, CuteType type, CuteSpace space) {
  CuteElementType element = type->element;
  return type->kind == CUTE_TYPE_TENSOR
             ? cuteTypeGetTensor(c, element, space, type->align, type->layout)
             : cuteTypeGetSwizzledPointer(c, element, space, type->align,
                                          type->swizzle);
}

//===-- Binding -----------------------------------------------------------===//

// Checks the bound type by inference, with any arithmetic: anonymous leaves
// have no values, and a check needs none.
CuteType cuteTypeBind(CuteContext c, CuteType type,
                      const CuteIntTuple *leaves) {
  if (!cuteTypeGetNumDynamic(type))
    return type;
  const CuteIntTuple *next = leaves;
  struct CuteTypeImpl node = *type;
  CUTE_SCOPED(Arithmetic) inference = cuteArithmeticBegin(c, NULL, NULL);
  node.tuple = cuteIntTupleBind(c, type->tuple, &next);
  node.layout = cuteLayoutBind(c, type->layout, &next);
  node.tile = cuteTileBind(c, type->tile, &next);
  return intern(c, node);
}

void cuteTypeGetDynamicLeaves(CuteType type, CuteIntTuple *leaves) {
  if (type->tuple)
    cuteIntTupleCollectDynamic(type->tuple, &leaves);
  if (type->layout)
    cuteLayoutCollectDynamic(type->layout, &leaves);
  if (type->tile)
    cuteTileCollectDynamic(type->tile, &leaves);
}

CuteType cuteTypeUnbind(CuteContext c, CuteType type) {
  size_t n = type ? cuteTypeGetNumDynamic(type) : 0;
  if (!n)
    return type;
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&c->scratch);
  CuteIntTuple *leaves = cuteScratch(c, n * sizeof *leaves);
  cuteTypeGetDynamicLeaves(type, leaves);
  for (size_t i = 0; i < n; ++i)
    leaves[i] = cuteDynamicLeaf(c, leaves[i]->width, leaves[i]->value, 0);
  return cuteTypeBind(c, type, leaves);
}
